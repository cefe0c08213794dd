//! Which files make a module, and what each is for.

use super::{BlockSpec, When, why_passed_over};

/// Which files of a directory make a module, and in which role.
#[derive(Clone, Copy, Debug)]
pub struct FileRules {
    /// Configuration files, by the end of their names. The longest suffix that fits decides.
    pub suffixes: &'static [SuffixRow],
    /// Files of variable values that are read by themselves.
    pub values: &'static [ValuesRow],
    /// A file is an override file when its name without the suffix is this word …
    pub override_stem: &'static str,
    /// … or ends in this.
    pub override_tail: &'static str,
    /// Names of files that are primary only where no file is by its suffix: the first of them that is there.
    pub alone: &'static [NamedFile],
    /// A request may name one file to be read by itself, without override files, if its name ends so. Empty: it may
    /// not.
    pub by_request: &'static [NamedFile],
    /// How test files are read; `None`: they are not.
    pub tests: Option<TestRules>,
}

/// How test files are read.
#[derive(Clone, Copy, Debug)]
pub struct TestRules {
    /// The folder in the module directory whose test files come before those beside the module. Deeper ones are not
    /// read.
    pub folder: &'static str,
    /// What such a file may hold: the row of a block of which the file is the body.
    pub file: BlockSpec,
}

/// A file recognised by its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedFile {
    /// The whole name, or its end.
    pub name: &'static str,
    /// The syntax.
    pub syntax: FileSyntax,
    /// In which releases.
    pub when: When,
}

/// A kind of file, recognised by the end of its name.
#[derive(Clone, Copy, Debug)]
pub struct SuffixRow {
    /// The end of the name, with its dot. Case counts.
    pub suffix: &'static str,
    /// The syntax.
    pub syntax: FileSyntax,
    /// What such files are for.
    pub usage: SuffixUse,
    /// A file is not opened when one of the same stem and role with this suffix is there.
    pub hidden_by: Option<&'static str>,
    /// In which releases.
    pub when: When,
}

/// What files of a suffix are for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SuffixUse {
    /// Primary or override, by the stem.
    Config,
    /// Read only when the stem makes it an override file.
    OverrideOnly,
    /// Tests: not part of the module.
    Test,
    /// Configuration for others: the tool passes it over, and a note says so.
    NotRead,
}

/// The syntax a file is read in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FileSyntax {
    /// HCL native syntax.
    Native,
    /// HCL JSON syntax.
    Json,
    /// HCL 1, or the JSON that goes with it: recognised by the content.
    Hcl1,
}

/// Files of variable values that are read without being named.
#[derive(Clone, Copy, Debug)]
pub struct ValuesRow {
    /// The whole name, or its end.
    pub name: &'static str,
    /// Which of the two.
    pub name_is: ValuesName,
    /// The syntax.
    pub syntax: FileSyntax,
}

/// Which names a row of value files means.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValuesName {
    /// This one.
    Whole,
    /// Any that ends so, of hidden and backup files too. A folder of such a name is read and cannot be.
    End,
    /// Any that ends so; hidden files, backup files and folders are passed over.
    EndOfVisible,
}

impl ValuesRow {
    /// Whether the row means a file of this name.
    pub fn means(&self, name: &str) -> bool {
        match self.name_is {
            ValuesName::Whole => name == self.name,
            ValuesName::End => name.ends_with(self.name),
            ValuesName::EndOfVisible => name.ends_with(self.name) && why_passed_over(name).is_none(),
        }
    }
}

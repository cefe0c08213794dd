//! Which files make a module, and what each is for.

use super::described::described;
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

described! {
    /// What files of a suffix are for.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum SuffixUse: word in "use" {
        /// Primary or override file, depending on the name.
        Config = "config",
        /// Read only if its name makes it an override file.
        OverrideOnly = "override-only",
        /// A test file, which is not part of the module.
        Test = "test",
        /// Ignored, with a note.
        NotRead = "not-read",
    }
}

described! {
    /// The syntax a file is read in.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum FileSyntax: word in "syntax" {
        /// The native syntax of the dialect.
        Native = "native",
        /// JSON syntax.
        Json = "json",
        /// HCL 1 of the language, or the corresponding JSON, depending on the content.
        Hcl1 = "first-grammar",
    }
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

described! {
    /// Which names a row of value files means.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ValuesName: word in "name_is" {
        /// The whole name.
        Whole = "whole",
        /// The end of the name, including hidden and backup files.
        // A folder of such a name is read, which fails.
        End = "end",
        /// The end of the name; hidden and backup files are ignored.
        EndOfVisible = "end-of-visible",
    }
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

//! Which files make up a module, and what each of them is for.

use super::described::described;
use super::{BlockSpec, When, why_ignored};

/// Which files of a directory make up a module, and in which role.
#[derive(Clone, Copy, Debug)]
pub struct FileRules {
    /// Configuration files, by the ends of their names. The longest matching suffix decides.
    pub suffixes: &'static [SuffixRow],
    /// Variable definitions files that are read without being named in the request.
    pub values: &'static [ValuesRow],
    /// A file is an override file if its name without the suffix is this word …
    pub override_stem: &'static str,
    /// … or ends in this text.
    pub override_tail: &'static str,
    /// Names of files that are primary only if no file is primary by its suffix: the first of them that exists.
    pub alone: &'static [NamedFile],
    /// Names of files, or their ends, that a request may name to be read alone, without override files. Empty: the
    /// dialect does not allow this.
    pub by_request: &'static [NamedFile],
    /// How test files are read; `None`: they are not read.
    pub tests: Option<TestRules>,
}

/// How test files are read.
#[derive(Clone, Copy, Debug)]
pub struct TestRules {
    /// The folder in the module directory whose test files are read before the test files in the module directory
    /// itself. Folders below it are not read.
    pub folder: &'static str,
    /// What a test file may contain: the row of a block whose body is the file.
    pub file: BlockSpec,
    /// The files in the directory that `source` of a mock provider names; `None`: it names none.
    pub mocks: Option<MockRules>,
}

/// How the files with the data of mock providers are read.
#[derive(Clone, Copy, Debug)]
pub struct MockRules {
    /// The ends of their names.
    pub names: &'static [NamedFile],
    /// What they may contain: the row of a block whose body is the file.
    pub file: BlockSpec,
}

/// A file recognised by its name.
#[derive(Clone, Copy, Debug)]
pub struct NamedFile {
    /// The whole name, or the end of the name.
    pub name: &'static str,
    /// The syntax of the file.
    pub syntax: FileSyntax,
    /// The releases in which the row holds.
    pub when: When,
}

/// A kind of file, recognised by the end of its name.
#[derive(Clone, Copy, Debug)]
pub struct SuffixRow {
    /// The end of the name, with its dot; case-sensitive.
    pub suffix: &'static str,
    /// The syntax of the files.
    pub syntax: FileSyntax,
    /// What the files are for.
    pub usage: SuffixUse,
    /// The suffix that hides a file: a file is not read if there is another with the same stem and role and this
    /// suffix.
    pub hidden_by: Option<&'static str>,
    /// The releases in which the row holds.
    pub when: When,
}

described! {
    /// What files with a suffix are for.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum SuffixUse: word in "use" {
        /// The file is a primary or an override file, depending on its name.
        Config = "config",
        /// The file is read only if its name makes it an override file.
        OverrideOnly = "override-only",
        /// The file is a test file, which is not part of the module.
        Test = "test",
        /// The file is ignored, with a note.
        NotRead = "not-read",
    }
}

described! {
    /// The syntax in which a file is read.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum FileSyntax: word in "syntax" {
        /// The file is in the native syntax of the dialect.
        Native = "native",
        /// The file is in the JSON syntax.
        Json = "json",
        /// The file is in HCL 1 or in the corresponding JSON, depending on its content.
        Hcl1 = "first-grammar",
    }
}

/// Variable definitions files that are read without being named in the request.
#[derive(Clone, Copy, Debug)]
pub struct ValuesRow {
    /// The whole name, or the end of the name.
    pub name: &'static str,
    /// Whether `name` is the whole name or its end.
    pub name_is: ValuesName,
    /// The syntax of the files.
    pub syntax: FileSyntax,
}

described! {
    /// Which file names match a row of variable definitions files.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ValuesName: word in "name_is" {
        /// `name` is the whole name.
        Whole = "whole",
        /// `name` is the end of the name; hidden files and backup files are included.
        // The tool tries to read even a folder with such a name, and fails.
        End = "end",
        /// `name` is the end of the name; hidden files and backup files are ignored.
        EndOfVisible = "end-of-visible",
    }
}

impl ValuesRow {
    /// Whether a file of this name matches the row.
    pub fn matches(&self, name: &str) -> bool {
        match self.name_is {
            ValuesName::Whole => name == self.name,
            ValuesName::End => name.ends_with(self.name),
            ValuesName::EndOfVisible => name.ends_with(self.name) && why_ignored(name).is_none(),
        }
    }
}

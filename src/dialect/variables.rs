//! How input variables get their values, as rows (variables.md, sections A1, A2, B2 and B3).

use crate::eval::Lineage;

/// A dialect's rules for values of input variables.
#[derive(Clone, Copy, Debug)]
pub struct VariableRules {
    /// Sources of values, the lowest first.
    pub sources: &'static [ValueSource],
    /// What values are, and how those of several sources go together.
    pub model: ValueModel,
    /// Whose functions expressions may call; which of them a version knows is recognised by the functions' own rows.
    pub functions: Lineage,
    /// The version of that lineage, major and minor, where the tool's versions are not the lineage's own.
    pub functions_of: Option<(u32, u32)>,
    /// What a declared variable is that nothing gives a value.
    pub unset: Unset,
}

/// What a declared variable is that nothing gives a value.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Unset {
    /// A mistake.
    Error,
    /// Not known.
    Unknown,
}

/// What values are, and how those of several sources go together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueModel {
    /// Values of the expression language. The highest source gives the whole value, which is converted to the declared
    /// type (variables.md, section A).
    Typed,
    /// Texts, lists and maps: scalars are texts. The highest source gives the whole value, but maps of several sources
    /// are merged key by key; the type of the result is checked, not converted. Definitions files are written in
    /// HCL 1 (variables.md, section B).
    Hcl1,
}

/// A source of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueSource {
    /// The declaration's default.
    Default,
    /// Entries of the environment whose name is this prefix and the variable's name.
    Environment {
        /// The prefix.
        prefix: &'static str,
        /// How the text of a value is read.
        rule: TextRule,
        /// A value for a name that nothing declares.
        undeclared: Undeclared,
    },
    /// The automatic definitions files ([`super::FileRules::values`]): fixed names in the order of their rows, then
    /// those recognised by the end of their name, by bytes.
    Files {
        /// A value for a name that nothing declares.
        undeclared: Undeclared,
        /// Where the command line gives a name a value, those of the files for it do not count, and are not merged
        /// with others either.
        unless_options: bool,
    },
    /// The command line: `-var` and `-var-file` in the order given.
    Options {
        /// How the text of a value is read.
        rule: TextRule,
        /// A `-var` for a name that nothing declares.
        undeclared: Undeclared,
        /// A value in a named file for a name that nothing declares.
        undeclared_in_file: Undeclared,
    },
}

/// What the tool says to a value for a name that nothing declares.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Undeclared {
    /// Nothing.
    Silent,
    /// A warning; more than two are summed up.
    Warning,
    /// An error.
    Error,
}

/// How the text of a value is read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextRule {
    /// By the declaration: as it stands when there is no type or a primitive one, else as one expression
    /// (variables.md, section A2).
    ByType,
    /// By the type of the variable: as it stands, without the double quotes at its ends, for a text; else as one value
    /// of the syntax (variables.md, section B3.1).
    TrimmedOrValue,
    /// Whatever the type: as one value of the syntax; numbers, truth words and what cannot be read as a value, as they
    /// stand (variables.md, section B3.2).
    ValueOrRaw,
}

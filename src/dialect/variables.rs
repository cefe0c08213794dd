//! How input variables get their values, as rows (variables.md, A1, A2, B2, B3).

use crate::eval::Lineage;

/// A dialect's rules for values of input variables.
#[derive(Clone, Copy, Debug)]
pub struct VariableRules {
    /// Sources of values, the lowest first.
    pub sources: &'static [ValueSource],
    /// Whose functions expressions may call; which of them a version knows is told by the functions' own rows.
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

/// A source of values.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ValueSource {
    /// The declaration's default.
    Default,
    /// Entries of the environment whose name is this prefix and the variable's name.
    Environment {
        /// The prefix.
        prefix: &'static str,
        /// A value for a name that nothing declares.
        undeclared: Undeclared,
    },
    /// The automatic definitions files ([`super::FileRules::values`]): fixed names in the order of their rows, then
    /// those told by the end of their name, by bytes.
    Files {
        /// A value for a name that nothing declares.
        undeclared: Undeclared,
    },
    /// The command line: `-var` and `-var-file` in the order given.
    Options {
        /// How the text of a value is read, here and in the environment.
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
    /// (variables.md, A2).
    ByType,
}

//! How input variables get their values, as rows (variables.md, sections A1, A2, B2 and B3).

use super::spec::described::described;
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

described! {
    /// What a declared variable is that nothing gives a value.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Unset: word in "unset" {
        /// An error.
        Error = "error",
        /// An unknown value.
        Unknown = "unknown",
    }
}

described! {
    /// What values are, and how those of several sources go together.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ValueModel: word in "model" {
        /// The source with the highest precedence provides the whole value, which is converted to the declared type.
        // variables.md, section A.
        Typed = "typed",
        /// Strings, lists and maps; maps from several sources are merged key by key, and the type of the result is
        /// checked.
        // variables.md, section B. Definitions files are written in HCL 1.
        Hcl1 = "plain",
    }
}

described! {
    /// A source of values.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ValueSource: rule in "sources" {
        /// The default of the declaration.
        Default = "default",
        /// Environment variables named with the prefix followed by the name of the variable.
        Environment {
            /// The prefix.
            prefix: &'static str,
            /// How the text of a value is read.
            rule as "text": TextRule,
            /// A value for a name that nothing declares.
            undeclared: Undeclared,
        } = "environment",
        /// The files under `values`: fixed names in the order given there, then the others sorted by the bytes of
        /// their names. With `unless_options`, they are ignored for names that are set on the command line.
        Files {
            /// A value for a name that nothing declares.
            undeclared: Undeclared,
            /// Where the command line gives a name a value, those of the files for it do not count, and are not merged
            /// with others either.
            unless_options: bool,
        } = "files",
        /// The command-line options `-var` and `-var-file`, in the order given.
        Options {
            /// How the text of a value is read.
            rule as "text": TextRule,
            /// A `-var` for a name that nothing declares.
            undeclared: Undeclared,
            /// A value in a named file for a name that nothing declares.
            undeclared_in_file: Undeclared,
        } = "options",
    }
}

described! {
    /// What the tool says to a value for a name that nothing declares.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Undeclared: word in "undeclared" {
        /// A value for an undeclared name is ignored.
        Silent = "silent",
        /// A value for an undeclared name is a warning; if there are more than two, the rest are summarized.
        Warning = "warning",
        /// A value for an undeclared name is an error.
        Error = "error",
    }
}

described! {
    /// How the text of a value is read.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum TextRule: word in "text" {
        /// Literally if the declaration has no type or a primitive type, otherwise as one expression.
        // variables.md, section A2.
        ByType = "by-type",
        /// For a string, literally but without double quotes at its ends; otherwise as one value of the syntax.
        // variables.md, section B3.1.
        TrimmedOrValue = "trimmed-or-value",
        /// As one value of the syntax; numbers, booleans and anything that cannot be parsed are used literally.
        // variables.md, section B3.2.
        ValueOrRaw = "value-or-raw",
    }
}

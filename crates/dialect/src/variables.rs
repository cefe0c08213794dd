//! How input variables get their values, as rows (variables.md, sections A1, A2, B2 and B3).

use super::spec::described::described;
use overfold_eval::Lineage;

/// A dialect's rules for values of input variables.
#[derive(Clone, Copy, Debug)]
pub struct VariableRules {
    /// Sources of values, in ascending order of precedence.
    pub sources: &'static [ValueSource],
    /// What values are, and how the values of several sources are combined.
    pub model: ValueModel,
    /// The tool whose functions expressions may call; the rows of built-in names determine which of them a version
    /// supports.
    pub functions: Lineage,
    /// The version (major and minor) of that tool whose built-in names hold, if it is not the dialect's own version.
    pub functions_of: Option<(u16, u16)>,
    /// What happens to a declared variable without a value.
    pub unset: Unset,
}

described! {
    /// What happens to a declared variable without a value.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Unset: word in "unset" {
        /// A declared variable that is not set is an error.
        Error = "error",
        /// A declared variable that is not set has an unknown value.
        Unknown = "unknown",
    }
}

described! {
    /// What values are, and how the values of several sources are combined.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ValueModel: word in "model" {
        /// The source with the highest precedence provides the whole value, which is converted to the declared type.
        // variables.md, section A.
        Typed = "typed",
        /// Values are strings, lists and maps; maps from several sources are merged key by key, and the type of the
        /// result is checked.
        // variables.md, section B. Variable definitions files are written in HCL 1.
        Hcl1 = "plain",
    }
}

described! {
    /// A source of values.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum ValueSource: rule in "sources" {
        /// The value comes from the default in the declaration of the variable.
        Default = "default",
        /// The value comes from the environment variable whose name is the prefix followed by the name of the variable.
        Environment {
            /// The prefix of the environment variables.
            prefix: &'static str,
            /// How the text of a value is read.
            rule as "text": TextRule,
            /// What a value for an undeclared variable means.
            undeclared: Undeclared,
        } = "environment",
        /// The value comes from the files under `values`: first those with fixed names, in the order given there, then
        /// the others, sorted by the bytes of their names. With `unless_options`, the files are ignored for variables
        /// that are set on the command line.
        Files {
            /// What a value for an undeclared variable means.
            undeclared: Undeclared,
            /// Whether the values of the files for a variable are ignored, and not merged either, if the command line
            /// sets the variable.
            unless_options: bool,
        } = "files",
        /// The value comes from the command-line options `-var` and `-var-file`, which are read in the order given.
        Options {
            /// How the text of a value is read.
            rule as "text": TextRule,
            /// What a `-var` for an undeclared variable means.
            undeclared: Undeclared,
            /// What a value for an undeclared variable means in a file that is named by `-var-file`.
            undeclared_in_file: Undeclared,
        } = "options",
    }
}

described! {
    /// How the tool treats a value for a variable that is not declared.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum Undeclared: word in "undeclared" {
        /// A value for an undeclared variable is silently ignored.
        Silent = "silent",
        /// A value for an undeclared variable is a warning; if there are more than two, the rest are summarized.
        Warning = "warning",
        /// A value for an undeclared variable is an error.
        Error = "error",
    }
}

described! {
    /// How the text of a value is read.
    #[derive(Clone, Copy, PartialEq, Eq, Debug)]
    pub enum TextRule: word in "text" {
        /// The text is taken literally if the declaration has no type or a primitive type; otherwise it is read as an
        /// expression.
        // variables.md, section A2.
        ByType = "by-type",
        /// For a variable of type string, the text is taken literally, without double quotes at its ends; otherwise it
        /// is read as one value of the syntax.
        // variables.md, section B3.1.
        TrimmedOrValue = "trimmed-or-value",
        /// The text is read as one value of the syntax; numbers, booleans and anything that cannot be parsed are taken
        /// literally.
        // variables.md, section B3.2.
        ValueOrRaw = "value-or-raw",
    }
}

//! What a request gives for input variables, from outside the files.

/// Values for input variables: the environment and the command line, as the request carries them.
#[derive(Clone, Debug, Default)]
pub struct VariableInputs {
    /// Environment: name (with its prefix, `TF_VAR_region`) and text.
    pub env: Vec<(String, String)>,
    /// Command-line options in order.
    pub args: Vec<VariableArg>,
}

/// One command-line option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariableArg {
    /// `-var`: the text after it, `NAME=TEXT`.
    Var(String),
    /// `-var-file`: a path relative to the module directory.
    VarFile(String),
    /// A value given as JSON text; numbers keep their digits.
    Value {
        /// Variable name.
        name: String,
        /// JSON text.
        json: String,
    },
}

/// Where a value came from.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueOrigin {
    /// The declaration's default.
    Default,
    /// An environment entry of this full name.
    Env(String),
    /// An automatic definitions file.
    File(String),
    /// A `-var` option: 0-based index into the request's `args`.
    Var(usize),
    /// A definitions file that an option names.
    VarFile {
        /// 0-based index into the request's `args`.
        index: usize,
        /// The path as given.
        path: String,
    },
    /// A JSON value of the request: 0-based index into its `args`.
    Value(usize),
}

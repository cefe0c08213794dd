//! The values that a request provides for input variables, from outside the files.

use std::sync::Arc;

/// Values for input variables from the environment and the command line, as contained in the request.
#[derive(Clone, Debug, Default)]
pub struct VariableInputs {
    /// The environment: names (with their prefix, `TF_VAR_region`) and texts.
    pub env: Vec<(String, String)>,
    /// The command-line options, in order.
    pub args: Vec<VariableArg>,
}

/// A command-line option.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum VariableArg {
    /// The option `-var`, with the text after it: `NAME=TEXT`.
    Var(String),
    /// The option `-var-file`, with a path relative to the module directory.
    VarFile(String),
    /// A value as JSON text; numbers keep their digits.
    Value {
        /// The name of the variable.
        name: String,
        /// The JSON text.
        json: Arc<str>,
    },
}

/// The origin of a value.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ValueOrigin {
    /// The default of the declaration.
    Default,
    /// The environment variable of this full name.
    Env(String),
    /// A definitions file that is read without being named in the request.
    File(String),
    /// A `-var` option, with its 0-based index in the request's `args`.
    Var(usize),
    /// A definitions file that an option names.
    VarFile {
        /// The 0-based index in the request's `args`.
        index: usize,
        /// The path, as given.
        path: String,
    },
    /// A JSON value of the request, with its 0-based index in the request's `args`.
    Value(usize),
}

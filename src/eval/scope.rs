//! The scope of an evaluation.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::files::FileAccess;
use super::functions::FunctionSet;
use super::provider_functions::ProviderFunctions;
use crate::syntax::Forest;
use crate::value::Value;

/// How strings of the JSON syntax are read.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum JsonStrings {
    /// As templates, for positions where the native syntax has an expression.
    Templates,
    /// As written: constants, variable defaults, variable definitions files.
    Plain,
}

/// The rule for dropping an error on one side of `&&` or `||`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogicRule {
    /// Errors are never dropped: both sides are always needed (mainline before 1.12).
    BothSides,
    /// Errors are dropped if the other side decides the result.
    ShortCircuit,
}

/// The root names and their values.
pub type Roots = BTreeMap<Arc<str>, Value>;

/// Everything an expression may refer to.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    /// The root names and their values. `None`: no names at all (`Variables not allowed`).
    pub roots: Option<&'a Roots>,
    /// The available functions. `None`: none at all (`Function calls not allowed`).
    pub functions: Option<&'a FunctionSet>,
    /// The providers whose functions may be called. `None`: there are none.
    pub providers: Option<&'a ProviderFunctions>,
    /// The files that functions may read.
    pub files: Option<FileAccess<'a>>,
    /// How JSON strings are read.
    pub json: JsonStrings,
    /// What `&&` and `||` do with errors.
    pub logic: LogicRule,
}

impl Scope<'_> {
    /// The scope of constants: no names, no functions; JSON strings are plain text.
    pub const CONSTANT: Scope<'static> = Scope {
        roots: None,
        functions: None,
        providers: None,
        files: None,
        json: JsonStrings::Plain,
        logic: LogicRule::BothSides,
    };
}

/// The environment of one evaluation.
pub(crate) struct Env<'e> {
    pub(crate) forest: &'e Forest,
    pub(crate) scope: Scope<'e>,
}

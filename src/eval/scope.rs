//! What an evaluation can see.

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
    /// As templates: where the native syntax has an expression.
    Templates,
    /// As they stand: constants, variable defaults, variable definitions files.
    Plain,
}

/// When an error on one side of `&&` or `||` is dropped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogicRule {
    /// Never: both sides are always needed (mainline before 1.12).
    BothSides,
    /// When the other side decides the result.
    ShortCircuit,
}

/// Root names.
pub type Roots = BTreeMap<Arc<str>, Value>;

/// Everything that an expression may refer to.
#[derive(Clone, Debug)]
pub struct Scope<'a> {
    /// Root names and their values. `None`: no names at all (`Variables not allowed`).
    pub roots: Option<&'a Roots>,
    /// Functions. `None`: none at all (`Function calls not allowed`).
    pub functions: Option<&'a FunctionSet>,
    /// Providers whose functions may be called. `None`: there are none.
    pub providers: Option<&'a ProviderFunctions>,
    /// Files that functions may read.
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

/// One evaluation's surroundings.
pub(crate) struct Env<'e> {
    pub(crate) forest: &'e Forest,
    pub(crate) scope: Scope<'e>,
}

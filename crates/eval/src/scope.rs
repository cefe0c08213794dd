//! The scope of an evaluation.

use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::files::FileAccess;
use super::functions::FunctionSet;
use super::provider_functions::ProviderFunctions;
use overfold_base::account;
use overfold_syntax::Forest;
use overfold_value::Value;

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

/// The root names of a scope and their values: its own, and those of the scope around it, which its own hide. A scope
/// within another one costs what it adds.
#[derive(Clone, Debug, Default)]
pub struct Roots {
    own: BTreeMap<Arc<str>, Value>,
    outer: Option<Rc<Self>>,
}

impl Roots {
    /// Returns a scope without names.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns a scope that adds nothing to `outer` yet.
    pub fn within(outer: Option<Rc<Self>>) -> Self {
        Self { own: BTreeMap::new(), outer }
    }

    /// Sets the value of a name in this scope.
    pub fn insert(&mut self, name: Arc<str>, value: Value) {
        self.own.insert(name, value);
    }

    /// Returns the value of a name, from the innermost scope that has it.
    pub fn get(&self, name: &str) -> Option<&Value> {
        self.layers().find_map(|layer| layer.own.get(name))
    }

    /// Iterates over all names and values, those of inner scopes first. A hidden name follows the one that hides it.
    pub fn iter(&self) -> impl Iterator<Item = (&Arc<str>, &Value)> {
        self.layers().flat_map(|layer| &layer.own)
    }

    /// Returns a scope with all names of `inner`, which hide those of `outer`.
    pub fn over(inner: &Self, outer: Rc<Self>) -> Self {
        let mut own = BTreeMap::new();
        for (name, value) in inner.iter() {
            account::work(1);
            own.entry(Arc::clone(name)).or_insert_with(|| value.clone());
        }
        Self { own, outer: Some(outer) }
    }

    fn layers(&self) -> impl Iterator<Item = &Self> {
        std::iter::successors(Some(self), |layer| {
            account::work(1);
            layer.outer.as_deref()
        })
    }
}

impl FromIterator<(Arc<str>, Value)> for Roots {
    fn from_iter<I: IntoIterator<Item = (Arc<str>, Value)>>(names: I) -> Self {
        Self { own: names.into_iter().collect(), outer: None }
    }
}

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

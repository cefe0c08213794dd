//! The scope of an evaluation.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::absent::Absent;
use super::files::FileAccess;
use super::functions::FunctionSet;
use super::provider_functions::ProviderFunctions;
use overfold_base::account::{self, ChargedIterator};
use overfold_syntax::Forest;
use overfold_syntax::tree::{Step, StepKind, Tree};
use overfold_value::{Marks, Value, normalized};

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

/// The root names that an expression sees. [`Roots`] holds their values; whoever has them elsewhere finds them on demand,
/// so that an expression costs what it uses.
pub trait Names {
    /// Returns the value of a root name; `None` if there is no such name.
    fn root(&self, name: &str) -> Option<Value>;

    /// Returns a part of the value of a root name without building the whole: the part to which the first steps behind
    /// the name lead, and the number of those steps, at least 1. `None` if there is no such part, or if there is no
    /// advantage; the whole value is then built, and the steps are applied to it.
    fn part(&self, _root: &str, _steps: &Steps<'_>) -> Option<(Value, usize)> {
        None
    }

    /// Calls `each` with every root name, for suggestions.
    fn for_each_root(&self, each: &mut dyn FnMut(&str));
}

/// The steps behind the root name of a reference.
#[derive(Clone, Copy)]
pub struct Steps<'t> {
    pub(crate) tree: &'t Tree,
    pub(crate) list: &'t [Step],
}

/// A step that is the same whatever the values are.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ConstantStep<'t> {
    /// `.name` or `["name"]`; the text is in normalisation form C.
    Name(Cow<'t, str>),
    /// `[1]` or `.1`.
    Number(u64),
}

impl<'t> Steps<'t> {
    /// Returns the step at a 0-based position; `None` behind the last one, and for one that is no constant or a number
    /// that no list has as an index.
    pub fn get(&self, at: usize) -> Option<ConstantStep<'t>> {
        Some(match self.list.get(at)?.kind {
            StepKind::Root | StepKind::IndexOther(_) => return None,
            StepKind::Attr(name) => ConstantStep::Name(normalized(self.tree.slice(name))),
            StepKind::IndexText(text) => ConstantStep::Name(normalized(self.tree.str(text))),
            StepKind::IndexNumber(digits) => ConstantStep::Number(self.tree.slice(digits).parse().ok()?),
        })
    }

    /// Returns the name after a dot at a 0-based position; `None` if there is no such step.
    pub fn attribute(&self, at: usize) -> Option<Cow<'t, str>> {
        match self.list.get(at)?.kind {
            StepKind::Attr(name) => Some(normalized(self.tree.slice(name))),
            _ => None,
        }
    }
}

/// Names over other names, which they hide.
pub struct LayeredNames<'n> {
    /// The names that are looked up first.
    pub inner: &'n Roots,
    /// The others.
    pub outer: &'n dyn Names,
}

impl Names for LayeredNames<'_> {
    fn root(&self, name: &str) -> Option<Value> {
        self.inner.get(name).cloned().or_else(|| self.outer.root(name))
    }

    fn part(&self, root: &str, steps: &Steps<'_>) -> Option<(Value, usize)> {
        if self.inner.get(root).is_some() { None } else { self.outer.part(root, steps) }
    }

    fn for_each_root(&self, each: &mut dyn FnMut(&str)) {
        self.inner.for_each_root(each);
        self.outer.for_each_root(each);
    }
}

impl Names for Roots {
    fn root(&self, name: &str) -> Option<Value> {
        self.get(name).cloned()
    }

    fn for_each_root(&self, each: &mut dyn FnMut(&str)) {
        for (name, _) in self.iter() {
            each(name);
        }
    }
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

    /// Returns the marks of all values and their parts.
    pub fn deep_marks(&self) -> Marks {
        self.iter().fold(Marks::NONE, |marks, (_, value)| marks.and(value.deep_marks()))
    }

    /// Returns a scope with all names of `inner`, which hide those of `outer`.
    pub fn over(inner: &Self, outer: Rc<Self>) -> Self {
        let mut own = BTreeMap::new();
        for (name, value) in inner.iter().charged(1) {
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
#[derive(Clone)]
pub struct Scope<'a> {
    /// The root names and their values. `None`: no names at all (`Variables not allowed`).
    pub roots: Option<&'a dyn Names>,
    /// The available functions. `None`: none at all (`Function calls not allowed`).
    pub functions: Option<&'a FunctionSet>,
    /// The providers whose functions may be called. `None`: there are none.
    pub providers: Option<&'a ProviderFunctions>,
    /// Whether each of these providers may have more functions than are known, whose results are unknown.
    pub assumes_functions: bool,
    /// The files that functions may read.
    pub files: Option<FileAccess<'a>>,
    /// How JSON strings are read.
    pub json: JsonStrings,
    /// What `&&` and `||` do with errors.
    pub logic: LogicRule,
    /// The time of the plan as RFC 3339, the result of `plantimestamp`. `None`: it is unknown.
    pub plan_time: Option<&'a str>,
    /// The time as RFC 3339, the result of `timestamp`. `None`: it is unknown.
    pub clock: Option<&'a str>,
    /// Where it is noted what functions ask for that was not given; what depends on that is then marked. `None`: nobody
    /// wants to know.
    pub absent: Option<&'a Absent>,
}

impl Scope<'_> {
    /// The scope of constants: no names, no functions; JSON strings are plain text.
    pub const CONSTANT: Scope<'static> = Scope {
        roots: None,
        functions: None,
        providers: None,
        assumes_functions: false,
        files: None,
        json: JsonStrings::Plain,
        logic: LogicRule::BothSides,
        plan_time: None,
        clock: None,
        absent: None,
    };
}

/// The environment of one evaluation.
pub(crate) struct Env<'e> {
    pub(crate) forest: &'e Forest,
    pub(crate) scope: Scope<'e>,
}

//! The results of the evaluation, and the names in them that an expression sees.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::definitions::{Definitions, LocalId, VariableId};
use super::evaluator::Policy;
use super::language::Language;
use super::references::{Definition, Reference, References};
use crate::language::references::{AddressWords, Subject};
use overfold_base::account::ChargedIterator;
use overfold_base::diag::Diagnostics;
use overfold_base::slots::Slots;
use overfold_eval::{Names, Roots, Steps};
use overfold_syntax::ExprAt;
use overfold_value::{Marks, Type, Value};

/// Something that has a value, along with whatever else a stage keeps.
pub trait HasValue {
    /// Returns the value; unknown if there is none.
    fn value(&self) -> &Value;
}

impl HasValue for Value {
    fn value(&self) -> &Value {
        self
    }
}

/// What is known about the run for which an expression is evaluated.
#[derive(Clone, Copy, Default, Debug)]
pub struct RunContext {
    /// The value of `terraform.workspace`; `None` if it is unknown.
    pub workspace: Option<&'static str>,
    /// The value of `terraform.applying`, which is ephemeral; `None` if it is unknown.
    pub applying: Option<bool>,
    /// Whether the attributes of ephemeral resources are marked as ephemeral.
    pub marks_ephemeral: bool,
}

/// The progress of a local value.
pub(super) enum State<T> {
    /// It has not been needed yet.
    New,
    /// Its references are being evaluated.
    Open,
    /// It has been evaluated.
    Done(T),
}

/// The results of evaluating the definitions of a module.
pub struct DefinitionResults<'a, P: Policy<'a>> {
    /// The language of the expressions.
    pub language: Language<'a>,
    /// The definitions of the module.
    pub definitions: &'a Definitions<'a>,
    context: RunContext,
    pub(super) variables: Slots<Option<P::Variable>>,
    pub(super) locals: Slots<State<P::Local>>,
}

impl<'a, P: Policy<'a>> DefinitionResults<'a, P> {
    pub(super) fn new(language: Language<'a>, definitions: &'a Definitions<'a>, context: RunContext) -> Self {
        Self {
            language,
            definitions,
            context,
            variables: definitions.variables.parallel(|| None),
            locals: definitions.locals.parallel(|| State::New),
        }
    }

    /// Returns the result for a variable; `None` if it has not been needed.
    pub fn variable(&self, id: VariableId) -> Option<&P::Variable> {
        self.variables[id.0].as_ref()
    }

    /// Returns the result for a local value; `None` if it has not been needed, and while it is being evaluated: a
    /// caller that sees this depends on a local value that depends on itself.
    pub fn local(&self, id: LocalId) -> Option<&P::Local> {
        match &self.locals[id.0] {
            State::Done(local) => Some(local),
            State::New | State::Open => None,
        }
    }

    /// Evaluates an expression that has these references.
    pub fn evaluate(&self, expr: ExprAt, references: &References<'_>, out: &mut Diagnostics) -> Value {
        self.language.evaluate(expr, &self.names(references, |_, _| None), out)
    }

    /// Returns the root names that an expression with these references sees. Whatever has not been evaluated or does not
    /// exist is unknown. `replaced` provides a different value for the object that a well-formed reference names,
    /// `root.NAME`, which may be a definition.
    pub fn names<'k, R>(&'k self, references: &'k References<'k>, replaced: R) -> VisibleRoots<'k, 'a, P, R>
    where
        R: Fn(&Subject<'_>, Option<Definition>) -> Option<Value>,
    {
        VisibleRoots { known: self, references, replaced, roots: OnceCell::new(), resource_roots: OnceCell::new() }
    }

    /// Returns the definition that has the value of an object, if the module has it.
    fn definition(&self, subject: &Subject<'_>) -> Option<Definition> {
        match subject {
            Subject::Variable(name) => self.definitions.variable_named(name).map(Definition::Variable),
            Subject::Local(name) => self.definitions.local_named(name).map(Definition::Local),
            _ => None,
        }
    }
}

/// The root names that an expression sees. An object `root.NAME` is found when it is asked for, so that an expression
/// costs what it uses. All root names together are built only if that is not enough.
pub struct VisibleRoots<'k, 'a, P: Policy<'a>, R> {
    known: &'k DefinitionResults<'a, P>,
    references: &'k References<'k>,
    replaced: R,
    roots: OnceCell<Roots>,
    /// The root names behind which something is known of a resource.
    resource_roots: OnceCell<BTreeSet<&'k str>>,
}

impl<'k, 'a, P: Policy<'a>, R: Fn(&Subject<'_>, Option<Definition>) -> Option<Value>> VisibleRoots<'k, 'a, P, R> {
    /// Returns the root names and their values; of the objects with one root name, only those to which the expression
    /// refers.
    pub fn roots(&self) -> &Roots {
        self.roots.get_or_init(|| self.build(RootNames::AsReferred))
    }

    /// Returns the root names and their values as an expression sees them that has other references than these: every root
    /// name of the language is there, and has what is referred to, whether it is known or not. Without references there
    /// are no names at all.
    pub fn whole_roots(&self) -> Roots {
        self.build(RootNames::Whole)
    }

    fn build(&self, names: RootNames) -> Roots {
        let values = RootValues {
            words: self.known.language.words,
            replaced: &self.replaced,
            object: &|subject, definition| self.object(subject, definition),
            unknown: &|root| self.unknown(root),
        };
        values.roots(names, &self.references.list)
    }

    /// Whether something is known of a resource behind a root name to which the expression refers.
    fn knows_resource(&self, root: &str) -> bool {
        self.resource_roots.get_or_init(|| self.find_resource_roots()).contains(root)
    }

    fn find_resource_roots(&self) -> BTreeSet<&'k str> {
        let mut found = BTreeSet::new();
        for reference in self.references.list.iter().charged_at_once(1) {
            if let Some(subject @ Subject::Resource { .. }) = &reference.subject
                && !found.contains(&*reference.root)
                && (self.replaced)(subject, reference.definition).is_some()
            {
                found.insert(&*reference.root);
            }
        }
        found
    }

    /// Returns the value of an object `root.NAME`; `None` if everything with this root name is unknown.
    fn object(&self, subject: &Subject<'_>, definition: Option<Definition>) -> Option<Value> {
        let known = self.known;
        let value = (self.replaced)(subject, definition).or_else(|| match (subject, definition) {
            (_, Some(Definition::Variable(id))) => known.variable(id).map(|variable| variable.value().clone()),
            (_, Some(Definition::Local(id))) => known.local(id).map(|local| local.value().clone()),
            (Subject::Path(name), _) => path(name),
            (Subject::Terraform(name), _) => known.context.terraform(name),
            // Outside of a repetition, the value is unknown.
            (Subject::Count(_), _) => Some(Value::unknown(Type::Number)),
            _ => None,
        });
        let is_known_root = !matches!(
            subject,
            Subject::Module { .. } | Subject::Each(_) | Subject::Resource { .. } | Subject::This | Subject::Caller
        );
        value.or_else(|| is_known_root.then(Value::dynamic))
    }

    /// Returns the value of a root name of which nothing is known.
    fn unknown(&self, root: &str) -> Value {
        let marked = self.known.context.marks_ephemeral && root == "ephemeral";
        Value::dynamic().with_marks(if marked { Marks::EPHEMERAL } else { Marks::NONE })
    }
}

impl<'a, P: Policy<'a>, R: Fn(&Subject<'_>, Option<Definition>) -> Option<Value>> Names
    for VisibleRoots<'_, 'a, P, R>
{
    fn root(&self, name: &str) -> Option<Value> {
        let is_unknown = || self.known.language.words.named(name, Cow::Borrowed("")).is_none();
        if self.references.is_complete && is_unknown() && !self.knows_resource(name) {
            return Some(self.unknown(name));
        }
        self.roots().get(name).cloned()
    }

    fn part(&self, root: &str, steps: &Steps<'_>) -> Option<(Value, usize)> {
        // A name that is not in normal form is not the one that is declared.
        let name =
            steps.attribute(0).filter(|name| self.references.is_complete && matches!(name, Cow::Borrowed(_)))?;
        let subject = self.known.language.words.named(root, name)?;
        Some((self.object(&subject, self.known.definition(&subject))?, 1))
    }

    fn for_each_root(&self, each: &mut dyn FnMut(&str)) {
        self.roots().for_each_root(each);
    }
}

/// What [`VisibleRoots`] knows of values, whoever asks.
struct RootValues<'v> {
    words: AddressWords,
    replaced: &'v dyn Fn(&Subject<'_>, Option<Definition>) -> Option<Value>,
    object: &'v dyn Fn(&Subject<'_>, Option<Definition>) -> Option<Value>,
    unknown: &'v dyn Fn(&str) -> Value,
}

impl RootValues<'_> {
    /// Returns the root names and their values.
    fn roots(&self, names: RootNames, references: &[Reference<'_>]) -> Roots {
        let mut roots = Roots::new();
        let mut objects: BTreeMap<&str, BTreeMap<Arc<str>, Value>> = BTreeMap::new();
        let mut resources: BTreeMap<&str, Resources<'_>> = BTreeMap::new();
        let is_whole = matches!(names, RootNames::Whole) && !references.is_empty();
        if is_whole {
            objects.extend(self.words.objects().map(|root| (root, BTreeMap::new())));
        }
        for Reference { root, subject, definition, malformed, .. } in references {
            if subject.is_none() && malformed.is_empty() {
                // The name of a type, which has no value.
                continue;
            }
            if let Some(subject @ Subject::Resource { type_name, name, .. }) = subject {
                let of_root = resources.entry(root).or_default();
                let value = (self.replaced)(subject, *definition);
                of_root.is_known |= is_whole || value.is_some();
                let value = value.unwrap_or_else(|| (self.unknown)(root));
                // The names of managed resources follow the type at once.
                let ty = if **root == **type_name { "" } else { &**type_name };
                of_root.by_type.entry(ty).or_default().insert(Arc::from(&**name), value);
            }
            let object = subject.as_ref().and_then(|subject| Some((subject.attribute()?, subject)));
            let value_of = |subject| {
                let value = (self.object)(subject, *definition);
                value.or_else(|| is_whole.then(|| (self.unknown)(root)))
            };
            match object.and_then(|(name, subject)| Some((name, value_of(subject)?))) {
                Some((name, value)) => drop(objects.entry(root).or_default().insert(Arc::from(name), value)),
                None if roots.get(root).is_none() => roots.insert(Arc::from(&**root), (self.unknown)(root)),
                None => {}
            }
        }
        for (root, attributes) in objects {
            roots.insert(Arc::from(root), Value::object(attributes.into_iter().collect()));
        }
        for (root, found) in resources.into_iter().filter(|(_, found)| found.is_known) {
            roots.insert(Arc::from(root), found.object());
        }
        roots
    }
}

/// Which root names [`VisibleRoots::build`] returns.
#[derive(Clone, Copy)]
enum RootNames {
    /// Those that are referred to; unknown as a whole if nothing is known of one of their objects.
    AsReferred,
    /// All, and each with its objects.
    Whole,
}

/// The resources behind one root name to which an expression refers.
#[derive(Default)]
struct Resources<'k> {
    /// Whether something is known of one of them.
    is_known: bool,
    /// Their values by name, by type; without a type where the root name is the type.
    by_type: BTreeMap<&'k str, BTreeMap<Arc<str>, Value>>,
}

impl Resources<'_> {
    /// Returns the value of the root name.
    fn object(mut self) -> Value {
        let object = |named: BTreeMap<Arc<str>, Value>| Value::object(named.into_iter().collect());
        match self.by_type.remove("") {
            Some(named) => object(named),
            None => {
                let types = self.by_type.into_iter().map(|(ty, named)| (Arc::from(ty), object(named)));
                Value::object(types.collect())
            }
        }
    }
}

/// Returns an attribute of `path`: the module is the root, and the working directory depends on the machine.
fn path(attribute: &str) -> Option<Value> {
    match attribute {
        "module" | "root" => Some(Value::text(".")),
        "cwd" => Some(Value::unknown(Type::String)),
        _ => None,
    }
}

impl RunContext {
    fn terraform(&self, attribute: &str) -> Option<Value> {
        match attribute {
            "workspace" => self.workspace.map(Value::text),
            "applying" => self.applying.map(|applying| Value::bool(applying).with_marks(Marks::EPHEMERAL)),
            _ => None,
        }
    }
}

//! The results of the evaluation, and the names in them that an expression sees.

use std::collections::BTreeMap;
use std::sync::Arc;

use super::definitions::{Definitions, LocalId, VariableId};
use super::evaluator::Policy;
use super::language::Language;
use super::references::{Definition, Reference, References};
use crate::language::references::Subject;
use overfold_base::diag::Diagnostics;
use overfold_base::slots::Slots;
use overfold_eval::Roots;
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
pub struct Known<'a, P: Policy<'a>> {
    /// The language of the expressions.
    pub language: Language<'a>,
    /// The definitions of the module.
    pub definitions: &'a Definitions<'a>,
    context: RunContext,
    pub(super) variables: Slots<Option<P::Variable>>,
    pub(super) locals: Slots<State<P::Local>>,
}

impl<'a, P: Policy<'a>> Known<'a, P> {
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
    pub fn evaluate(&self, expr: ExprAt, references: &References, out: &mut Diagnostics) -> Value {
        self.language.evaluate(expr, &self.roots(references, |_| None), out)
    }

    /// Returns the root names that an expression with these references sees, so that the cost depends on what it uses
    /// and not on what the module declares. Whatever has not been evaluated or does not exist is unknown. `replaced`
    /// provides a different value for the object that a well-formed reference names, `root.NAME`.
    pub fn roots(&self, references: &References, replaced: impl Fn(&Reference) -> Option<Value>) -> Roots {
        let mut roots = Roots::new();
        let mut objects: BTreeMap<&str, BTreeMap<Arc<str>, Value>> = BTreeMap::new();
        for reference in &references.list {
            if let Some(name) = reference.subject.as_ref().and_then(Subject::attribute)
                && let Some(value) = replaced(reference)
            {
                objects.entry(&reference.root).or_default().insert(Arc::from(name), value);
                continue;
            }
            let (name, value) = match (&reference.subject, reference.definition) {
                (Some(Subject::Variable(name)), Some(Definition::Variable(id))) => {
                    (name, self.variable(id).map(|variable| variable.value().clone()))
                }
                (Some(Subject::Local(name)), Some(Definition::Local(id))) => {
                    (name, self.local(id).map(|local| local.value().clone()))
                }
                (Some(Subject::Variable(name) | Subject::Local(name)), _) => (name, None),
                (Some(Subject::Path(name)), _) => (name, path(name)),
                (Some(Subject::Terraform(name)), _) => (name, self.context.terraform(name)),
                // Outside of a repetition, the value is unknown.
                (Some(Subject::Count(name)), _) => (name, Some(Value::unknown(Type::Number))),
                _ => {
                    let marked = self.context.marks_ephemeral && &*reference.root == "ephemeral";
                    let marks = if marked { Marks::EPHEMERAL } else { Marks::NONE };
                    if roots.get(&reference.root).is_none() {
                        roots.insert(Arc::from(&*reference.root), Value::dynamic().with_marks(marks));
                    }
                    continue;
                }
            };
            let attributes = objects.entry(&reference.root).or_default();
            attributes.insert(Arc::from(name.as_str()), value.unwrap_or_else(Value::dynamic));
        }
        for (root, attributes) in objects {
            roots.insert(Arc::from(root), Value::object(attributes.into_iter().collect()));
        }
        roots
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
    /// Returns an attribute of `terraform`.
    fn terraform(&self, attribute: &str) -> Option<Value> {
        match attribute {
            "workspace" => self.workspace.map(Value::text),
            "applying" => self.applying.map(|applying| Value::bool(applying).with_marks(Marks::EPHEMERAL)),
            _ => None,
        }
    }
}

//! Checks the values that a call gives to the variables of the called module against their types. Verified with
//! Terraform 1.11.4 (`terraform validate`): a value is evaluated in the calling module, none of whose variables has a
//! value; then the defaults of optional attributes are filled in, and it is converted to the variable's type. Null is
//! rejected if the variable is not nullable and has no other default, an ephemeral value if the variable is not
//! ephemeral. How often the call is repeated does not matter, not even `count = 0`.
//!
//! Unknown here, and therefore accepted everywhere: attributes of resources, outputs of modules, `each`, and anything
//! that cannot be evaluated.

use std::collections::{BTreeMap, HashMap};

use super::call::{self, Call};
use super::summary::{CallFacts, Summary};
use overfold_base::account::ChargedIterator;
use overfold_base::diag::{Diagnostics, Secrecy};
use overfold_base::files::FileSet;
use overfold_dialect::{ObjectKind, words};
use overfold_eval::{FileAccess, TypeConstraint};
use overfold_load::loading::Report;
use overfold_model::config::{Block, Element, Payload, is_set, stored_default};
use overfold_model::scope::{ByRules, CALLS, Definitions, Evaluator, Language, LocalSecrecy, RunContext};
use overfold_syntax::ExprAt;
use overfold_value::{ConvertError, Type, Value};

/// What a variable accepts from a call.
#[derive(Debug)]
pub struct VariableFacts {
    /// Whether the variable lacks a default, so that a call must set it.
    pub(crate) required: bool,
    /// The type, if one other than `any` is declared.
    constraint: Option<TypeConstraint>,
    /// Whether null may be given: the variable is nullable, or falls back to a default.
    takes_null: bool,
    /// The default that stands in for null, if the variable is not nullable.
    instead_of_null: Option<Value>,
    /// Whether its values may be ephemeral.
    is_ephemeral: bool,
    /// The secrecy of its values.
    pub secrecy: Secrecy,
}

impl VariableFacts {
    /// Reads a variable as the merged module declares it; `None` if the object is not a variable.
    pub(crate) fn from_element(report: &Report<'_>, element: &Element<'_>) -> Option<Self> {
        let Payload::Variable(variable) = &element.payload else { return None };
        let name = element.block.labels.first()?.text;
        let secrecy = report.module.secrets.variable(name);
        let constraint = variable.constraint().filter(|constraint| constraint.ty != Type::Dynamic).cloned();
        Some(Self {
            required: !variable.has_default(),
            constraint,
            takes_null: variable.nullable != Some(false)
                || variable.has_default() && variable.default().is_none_or(|default| !default.is_null()),
            instead_of_null: variable.default().filter(|_| variable.nullable == Some(false)).cloned(),
            is_ephemeral: is_set(element.block, words::EPHEMERAL),
            secrecy,
        })
    }

    /// Whether it takes only values of a type.
    pub const fn has_type(&self) -> bool {
        self.constraint.is_some()
    }

    /// Returns the type of the values that it takes, if it says one.
    pub fn ty(&self) -> Option<&Type> {
        self.constraint.as_ref().map(|constraint| &constraint.ty)
    }

    /// Whether its type leaves a part of the type open.
    pub fn has_dynamic(&self) -> bool {
        self.constraint.as_ref().is_some_and(|constraint| constraint.ty.has_dynamic())
    }

    /// Returns a value as the variable takes it.
    ///
    /// # Errors
    /// [`ValueProblem`] if it does not take it.
    pub fn convert(&self, value: &Value) -> Result<Value, ValueProblem> {
        match stored_default(value.clone(), self.constraint.as_ref()) {
            Err(error) => Err(ValueProblem::Misfit(error)),
            Ok(value) if value.is_null() && !self.takes_null => Err(ValueProblem::Null),
            Ok(_) if value.deep_marks().is_ephemeral() && !self.is_ephemeral => Err(ValueProblem::Ephemeral),
            Ok(value) if value.is_null() => Ok(self.instead_of_null.clone().unwrap_or(value)),
            Ok(value) => Ok(value),
        }
    }

    /// Returns what is wrong with a value for the variable.
    fn problem(&self, value: &Value) -> Option<ValueProblem> {
        self.convert(value).err()
    }
}

/// A mistake in a value that a call passes.
#[derive(Debug)]
pub enum ValueProblem {
    /// The value cannot be converted to the type.
    Misfit(ConvertError),
    /// The value is null where that is not allowed.
    Null,
    /// The value is ephemeral, but the variable is not.
    Ephemeral,
}

/// Returns the mistakes in the values that a call passes, by variable.
pub fn problems<'a>(
    call: &'a CallFacts,
    called: &'a Summary,
) -> impl Iterator<Item = (&'a str, &'a VariableFacts, ValueProblem)> {
    call.given.values.iter().charged_at_once(1).filter_map(|(name, value)| {
        let taken = called.variables.get(name)?;
        Some((&**name, taken, taken.problem(value)?))
    })
}

/// Evaluates the values that the calls of a module pass.
pub(crate) struct Values<'a> {
    evaluator: Evaluator<'a, ByRules<&'a str>>,
}

impl<'a> Values<'a> {
    /// Starts without evaluating anything. `root` is the module directory within the files, without links in its path.
    pub(crate) fn new(
        report: &'a Report<'a>,
        files: &'a FileSet,
        root: &'a str,
        definitions: &'a Definitions<'a>,
    ) -> Self {
        let language = Language::new(report.dialect, report.forest, FileAccess::new(files, root));
        // The tool evaluates nothing that refers to an undeclared resource.
        let marks_ephemeral = report.module.elements.iter().any(|element| element.kind == ObjectKind::Ephemeral);
        let context = RunContext { marks_ephemeral, ..CALLS.run };
        let policy = ByRules { rules: CALLS, provided: HashMap::new(), circular: None };
        Self { evaluator: Evaluator::new(policy, language, definitions, context) }
    }

    /// Returns the values that a call passes, by variable, without those about which nothing is known.
    pub(crate) fn of_block(&mut self, block: &Block<'_>) -> BTreeMap<Box<str>, Value> {
        let arguments = call::inputs(block).filter(|argument| !argument.broken);
        let values = arguments.filter_map(|argument| {
            let value = self.evaluate(argument.expr)?;
            let is_nothing = *value.ty() == Type::Dynamic && !value.is_null() && value.marks().is_empty();
            (!is_nothing).then(|| (argument.name.into(), value))
        });
        values.collect()
    }

    fn evaluate(&mut self, expr: ExprAt) -> Option<Value> {
        let references = self.evaluator.references(expr, |_| false);
        if references.is_faulty() {
            return None;
        }
        self.evaluator.require(&references, &mut Diagnostics::new());
        let mut discarded = Diagnostics::new();
        let value = self.evaluator.known.evaluate(expr, &references, &mut discarded);
        (!discarded.has_errors()).then_some(value)
    }
}

/// The secrecy of the expression that a call passes for a variable.
pub(crate) fn secrecy(report: &Report<'_>, call: &Call<'_>, variable: &str) -> Secrecy {
    let definitions = Definitions::from_module(&report.module);
    let levels = LocalSecrecy::new(&definitions, &report.module.secrets, report.forest);
    let mut given = call::inputs(call.block).filter(|argument| argument.name == variable);
    given.next().map_or(Secrecy::Open, |argument| levels.expression(argument.expr))
}

//! The object of an instance, planned from its arguments, and what others see of it (plan.md, sections 3 to 6).

use std::sync::Arc;

use super::assumed_object::AssumedObject;
use super::imported::Circumstances;
use super::module::exact;
use super::resource::{DeclaredResource, Parts};
use super::state::InstanceRepetition;
use super::walk::Walk;
use super::{assumptions, data, infinite_numbers, terraform_data};
use overfold_base::account::ChargedIterator;
use overfold_base::diag::Diagnostics;
use overfold_dialect::Behaviour;
use overfold_load::plan::{Action, Change, Missing, ResourceMode};
use overfold_value::{Kind, Marks, Value, with_stack};

impl<'a> Walk<'_, '_, 'a> {
    /// Plans the object of an instance from its arguments. `None` if that fails, which is reported.
    pub(super) fn object(
        &mut self,
        declared: &DeclaredResource<'a>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
        parts: &Parts<'_>,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let value = match declared.mode {
            ResourceMode::Managed if declared.is_builtin && infinite_numbers::holds_infinity(parts.arguments) => {
                out.push(infinite_numbers::in_resource(&self.qualified(declared, at, repeated)));
                self.cannot_be_written = true;
                None
            }
            ResourceMode::Managed => Some(self.managed(declared, at, repeated, parts, out)),
            ResourceMode::Data => self.data(declared, at, repeated, parts.arguments, out),
            ResourceMode::Ephemeral | ResourceMode::Action | ResourceMode::List => {
                let known = self.assumed_of(declared, at, repeated);
                let value = match (&declared.schema, known) {
                    (Some(schema), known) => {
                        let known = known.as_ref().map(|object| AssumedObject { object, is_read: true });
                        let seen = data::doubtful(&self.provided(schema, parts.arguments, known.as_ref()).seen);
                        let keeps_marks = self.report.dialect.has(Behaviour::EphemeralAttributesAreSensitive);
                        if keeps_marks { seen } else { without_sensitive(&seen) }
                    }
                    (None, Some(known)) => known.with_marks(Marks::OPEN),
                    (None, None) => Value::dynamic().with_marks(Marks::INEXACT),
                };
                if self.report.dialect.has(Behaviour::DocumentOpensEphemeralResources)
                    && declared.mode == ResourceMode::Ephemeral
                    && !data::is_certainly_unknown(parts.arguments)
                {
                    let change = Change { action: Action::Open, ..created(Value::untyped_null()) };
                    self.list(declared, at, repeated, (change, Vec::new()));
                }
                Some(value.with_marks(Marks::EPHEMERAL))
            }
        };
        value.map(|value| self.with_deprecations(declared, value))
    }

    /// Plans a managed resource, and returns what others see of it.
    fn managed(
        &mut self,
        declared: &DeclaredResource<'a>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
        parts: &Parts<'_>,
        out: &mut Diagnostics,
    ) -> Value {
        let &Parts { arguments, import, is_triggered } = parts;
        let given = self.assumed_of(declared, at, repeated);
        if let Some(given) = given.as_ref().filter(|_| import.is_none()) {
            assumptions::compare(declared, arguments, given, out);
        }
        let mut unset = Vec::new();
        let (seen, after) = if declared.is_builtin && declared.type_name == "terraform_data" {
            let object = terraform_data::terraform_data(arguments);
            let known = given.as_ref().map(|given| assumptions::terraform_data(&object, given));
            let object = known.unwrap_or(object);
            (object.clone(), object)
        } else if let Some(schema) = &declared.schema {
            let given = given.as_ref().map(|object| AssumedObject { object, is_read: false });
            let provided = self.provided(schema, arguments, given.as_ref());
            unset = provided.unset;
            (provided.seen, provided.object)
        } else {
            self.lacks_schema(&declared.provider_name);
            let known = given.as_ref().map(|given| assumptions::managed(arguments, given));
            known.unwrap_or_else(|| (open(arguments), shown(arguments)))
        };
        let replacement = if self.created_first.contains(&declared.number) {
            Action::ReplaceAfterCreation
        } else {
            Action::Replace
        };
        let mut change = match (import, given) {
            (Some((id, imported)), _) if declared.is_builtin => {
                let circumstances = Circumstances { ignored: &imported.ignored, is_triggered, replacement };
                super::imported::terraform_data(id, arguments, &after, &circumstances)
            }
            (Some((id, _)), Some(given)) => {
                let change = assumptions::imported(id.clone(), arguments, given, after.clone());
                let action = if is_triggered { replacement } else { change.action };
                Change { action, after: if is_triggered { after } else { change.after }, ..change }
            }
            (Some((id, _)), None) => Change { importing: Some(id.clone()), ..created(after) },
            (None, _) => created(after),
        };
        if let Some((id, imported)) = import {
            if change.before.is_none() || !id.is_known() {
                let address = self.qualified(declared, at, repeated);
                self.missing.push(Missing::Import { address });
            }
            // Only what is not touched keeps what it depends on.
            if change.action == Action::NoOp && change.prior.is_some() {
                change.depends_on = self.dependencies_of(declared, imported);
            }
        }
        if is_triggered {
            change.reason = Some("replace_by_triggers");
        }
        let seen = if declared.is_builtin && change.before.is_some() { change.after.clone() } else { seen };
        if change.action != Action::NoOp {
            self.changed.insert(declared.number);
            if let Some(pending) = self.pending.get_mut(declared.number) {
                *pending = true;
            }
        }
        self.list(declared, at, repeated, (change, unset));
        seen
    }

    /// Adds an imported object to the plan whose change could not be planned: it is part of the prior state.
    pub(super) fn list_imported(
        &mut self,
        declared: &DeclaredResource<'a>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
        id: &Value,
    ) {
        let object = match self.assumed_of(declared, at, repeated) {
            Some(given) if !declared.is_builtin => given,
            _ if declared.is_builtin && declared.type_name == "terraform_data" => {
                let schema = declared.schema.as_deref();
                super::imported::before(id, schema.and_then(terraform_data::no_store))
            }
            _ => return,
        };
        let change = Change { action: Action::AlreadyRead, prior: Some(object.clone()), ..created(object) };
        self.list(declared, at, repeated, (change, Vec::new()));
    }
}

/// The creation of an object.
pub(super) fn created(after: Value) -> Change {
    Change {
        action: Action::Create,
        before: None,
        after,
        replace_paths: Vec::new(),
        importing: None,
        reason: None,
        prior: None,
        depends_on: Arc::from([]),
    }
}

/// Returns what others see of an object of which only the arguments are known. Nobody knows what the provider makes of an
/// argument that is null, of what type a text is that looks like a number, and whether the order of several elements or
/// blocks counts.
pub(super) fn open(arguments: &Value) -> Value {
    let entries = arguments.entries().iter();
    let entries = entries.charged(2).map(|(name, value)| (Arc::clone(name), as_provided(value)));
    Value::object(entries.collect()).with_marks(arguments.marks().and(Marks::OPEN))
}

fn as_provided(value: &Value) -> Value {
    let inexact = || value.clone().with_marks(Marks::INEXACT);
    match value.kind() {
        Kind::Null(_) => Value::dynamic().with_marks(value.marks().and(Marks::INEXACT)),
        Kind::Text(text) if text.parse::<f64>().is_ok() || matches!(&**text, "true" | "false") => inexact(),
        Kind::Tuple(items) | Kind::List(items) | Kind::Set(items) => {
            if items.items().len() > 1 {
                return inexact();
            }
            let items = items.items().iter().map(|item| with_stack(|| as_provided(item))).collect();
            Value::tuple(items).with_marks(value.marks().and(Marks::OPEN))
        }
        Kind::Object(_) | Kind::Map(_) => with_stack(|| open(value)),
        _ => value.clone(),
    }
}

/// Returns the arguments as a plan shows them: what is null may be anything, unless it is a secret.
pub(super) fn shown(arguments: &Value) -> Value {
    let anything = || Value::dynamic().with_marks(Marks::INEXACT);
    let without_null = |value: &Value| {
        if value.is_null() && !value.marks().is_sensitive() { anything() } else { value.clone() }
    };
    let entries = arguments.entries().iter();
    let entries = entries.map(|(name, value)| (Arc::clone(name), without_null(value))).collect();
    exact(&Value::object(entries).with_marks(arguments.marks()))
}

/// Returns an ephemeral object whose attributes are not sensitive.
fn without_sensitive(value: &Value) -> Value {
    if !value.deep_marks().is_sensitive() {
        return value.clone();
    }
    let own = value.marks().without(Marks::SENSITIVE);
    with_stack(|| value.map_parts(&without_sensitive).with_marks(own))
}

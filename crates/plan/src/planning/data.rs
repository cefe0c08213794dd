//! Data sources: which are read while planning, and what they give (plan.md, section 5).

mod policy_document;
mod remote_state;

use std::sync::Arc;

use policy_document::{DEFAULT_VERSION, PolicyDocument, policy_document};

use super::planned_object::{created, open, shown};
use super::provider_object::ProviderObject;
use super::resource::DeclaredResource;
use super::scope::without_inexact;
use super::state::InstanceRepetition;
use super::walk::Walk;
use overfold_base::account;
use overfold_base::diag::{Diagnostics, Severity};
use overfold_load::plan::{Action, Change, EmulatedDataSource, Missing};
use overfold_model::config::ObjectAddr;
use overfold_model::schema::{self, BodySchema};
use overfold_value::{Marks, Value, with_stack};

pub(super) use remote_state::Outputs;

impl<'a> Walk<'_, '_, 'a> {
    /// Plans one instance of a data source, and returns what others see of it. `None` if it cannot be read, which is
    /// reported.
    pub(super) fn data(
        &mut self,
        declared: &DeclaredResource<'a>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
        arguments: &Value,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        if let Some(given) = self.assumed_of(declared, at, repeated) {
            return Some(self.assumed_data(declared, at, repeated, (arguments, &given), out));
        }
        if let Some(schema) = declared.schema.as_ref().filter(|_| !declared.is_builtin) {
            return Some(self.data_of_provider(declared, (at, repeated), schema, arguments, out));
        }
        let reason = if !arguments.is_wholly_known() {
            Some(CONFIG_UNKNOWN)
        } else if self.is_pending(declared) {
            Some(DEPENDENCY_PENDING)
        } else {
            None
        };
        if !(declared.is_builtin && declared.type_name == "terraform_remote_state") {
            let address = self.qualified(declared, at, repeated);
            self.missing.push(Missing::DataSource { address });
            self.lacks_schema(&declared.provider_name);
            self.list(declared, at, repeated, (read(shown(arguments), reason), Vec::new()));
            return Some(open(arguments));
        }
        if let Some(reason) = reason {
            let object = with_outputs(arguments, &Value::dynamic());
            self.list(declared, at, repeated, (read(object.clone(), Some(reason)), Vec::new()));
            return Some(object);
        }
        let mut own = Diagnostics::new();
        let address = self.qualified(declared, at, repeated);
        let found = self.remote_state(declared, &address, arguments, &mut own);
        let scoped = declared.check.is_some();
        match found {
            Outputs::Read(outputs) => {
                out.append(own);
                let object = with_outputs(arguments, &outputs);
                let change = if scoped {
                    Change { prior: Some(object.clone()), ..read(object.clone(), Some(CHECK_NESTED)) }
                } else {
                    Change { action: Action::AlreadyRead, prior: Some(object.clone()), ..read(object.clone(), None) }
                };
                self.list(declared, at, repeated, (change, Vec::new()));
                Some(object)
            }
            Outputs::NotGiven => {
                let address = self.qualified(declared, at, repeated);
                self.missing.push(Missing::RemoteState { address });
                let object = with_outputs(arguments, &Value::dynamic());
                self.list(declared, at, repeated, (read(object, None), Vec::new()));
                Some(with_outputs(arguments, &Value::dynamic().with_marks(Marks::INEXACT)))
            }
            Outputs::Failed if scoped => {
                // The failure of a data source of a check is the failure of the check.
                let problem = own.iter().next().map(|found| found.summary.to_string()).unwrap_or_default();
                for finding in own.into_vec() {
                    out.push(overfold_base::diag::Diagnostic { severity: Severity::Warning, ..finding });
                }
                let mut text = format!("{problem}: {}", remote_state::NO_STATE);
                if let Some(again) = self.told_again(&address) {
                    text = format!("2 problems:\n\n- {text}\n- {again}");
                }
                let place = (declared.path, at, declared.address());
                self.scoped_failures.entry(place).or_insert_with(|| super::conditions::problem(text));
                let object = with_outputs(arguments, &Value::dynamic());
                let prior = with_outputs(arguments, &Value::untyped_null());
                let change = Change { prior: Some(prior), ..read(object.clone(), Some(CHECK_NESTED)) };
                self.list(declared, at, repeated, (change, Vec::new()));
                Some(object)
            }
            Outputs::Failed => {
                out.append(own);
                None
            }
        }
    }

    /// Plans one instance of a data source of a provider whose schema is known, and returns what others see of it. What it
    /// would give if it were read while planning is not known here.
    fn data_of_provider(
        &mut self,
        declared: &DeclaredResource<'a>,
        (at, repeated): (usize, Option<&InstanceRepetition>),
        schema: &BodySchema,
        arguments: &Value,
        out: &mut Diagnostics,
    ) -> Value {
        if let Some(given) = self.emulated(declared, arguments) {
            return self.assumed_data(declared, at, repeated, (arguments, &given), out);
        }
        let is_deferred = if is_certainly_unknown(arguments) {
            Some(CONFIG_UNKNOWN)
        } else if arguments.is_wholly_known() && self.is_pending(declared) {
            Some(DEPENDENCY_PENDING)
        } else {
            None
        };
        if let Some(reason) = is_deferred {
            let ProviderObject { object, seen, unset } = self.deferred(schema, arguments);
            self.list(declared, at, repeated, (read(object, Some(reason)), unset));
            return seen;
        }
        let ProviderObject { object, seen, unset } = self.provided(schema, arguments, None);
        let address = self.qualified(declared, at, repeated);
        self.missing.push(Missing::DataSource { address });
        let reason = declared.check.map(|_| CHECK_NESTED);
        self.list(declared, at, repeated, (read(doubtful(&object), reason), unset));
        doubtful(&seen)
    }

    /// Returns what a data source gives that is read while planning and can be computed here; `None` for any other, and if
    /// the provider would refuse its arguments.
    fn emulated(&self, declared: &DeclaredResource<'_>, arguments: &Value) -> Option<Value> {
        let is_emulated = |emulated: &EmulatedDataSource| emulated.name() == declared.type_name;
        let emulated = *self.options.emulated.iter().find(|emulated| is_emulated(emulated))?;
        if schema::emulated(&declared.provider_name).is_none()
            || !arguments.is_wholly_known()
            // The text would show what is secret in the arguments, and no mark says so.
            || !arguments.deep_marks().is_empty()
            || self.is_pending(declared)
        {
            return None;
        }
        let EmulatedDataSource::AwsIamPolicyDocument = emulated;
        let PolicyDocument { json, minified, id } = policy_document(arguments)?;
        let computed = [("id", &*id), ("json", &*json), ("minified_json", &*minified), ("version", DEFAULT_VERSION)];
        // What is not set is that, since this is all of the provider's work.
        let entries = arguments.entries().iter().map(|(name, value)| {
            let computed = computed.iter().find(|(computed, _)| **computed == **name && value.is_null());
            (Arc::clone(name), computed.map_or_else(|| value.clone(), |(_, text)| Value::text(text)))
        });
        Some(Value::object(entries.collect()))
    }

    /// Returns why a data source of a check failed in one instance of its module.
    pub(super) fn scoped_failure(&self, path: usize, instance: usize, address: ObjectAddr<'_>) -> Option<Value> {
        account::work(4);
        self.scoped_failures.get(&(path, instance, address)).cloned()
    }
}

/// Why a data source is read when the plan is applied.
const CONFIG_UNKNOWN: &str = "read_because_config_unknown";
const DEPENDENCY_PENDING: &str = "read_because_dependency_pending";
const CHECK_NESTED: &str = "read_because_check_nested";

/// Whether the tool does not know a value, either.
pub(super) fn is_certainly_unknown(value: &Value) -> bool {
    account::work(1);
    if value.is_wholly_known() || value.marks().is_inexact() {
        return false;
    }
    if !value.is_known() {
        return true;
    }
    with_stack(|| {
        let parts = value.items().iter();
        let entries = value.entries().iter();
        parts.chain(entries.map(|(_, part)| part)).any(is_certainly_unknown)
    })
}

/// Returns an object in which what is unknown may be known to the tool.
pub(super) fn doubtful(value: &Value) -> Value {
    if value.is_wholly_known() {
        return value.clone();
    }
    account::work(1);
    if !value.is_known() {
        return value.clone().with_marks(Marks::INEXACT);
    }
    with_stack(|| value.map_parts(&doubtful).with_marks(value.marks()))
}

/// The reading of a data source.
fn read(after: Value, reason: Option<&'static str>) -> Change {
    Change { action: Action::Read, reason, ..created(after) }
}

/// Returns the object of a `terraform_remote_state` with these outputs.
pub(super) fn with_outputs(arguments: &Value, outputs: &Value) -> Value {
    let entries = arguments.entries().iter();
    let entries = entries.map(|(name, value)| {
        let value = if **name == *"outputs" { outputs.clone() } else { without_inexact(value) };
        (Arc::clone(name), value)
    });
    Value::object(entries.collect())
}

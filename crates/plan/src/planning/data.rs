//! Data sources: which are read while planning, and what they give (plan.md, section 5).

mod remote_state;

use std::sync::Arc;

use super::resource::{DeclaredResource, open};
use super::scope::without_inexact;
use super::state::InstanceRepetition;
use super::walk::Walk;
use overfold_base::account;
use overfold_base::diag::{Diagnostics, Severity};
use overfold_load::plan::{Action, Change, Missing};
use overfold_model::config::ObjectAddr;
use overfold_value::{Marks, Value};

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
        let reason = if !arguments.is_wholly_known() {
            Some("read_because_config_unknown")
        } else if self.is_pending(declared) {
            Some("read_because_dependency_pending")
        } else {
            None
        };
        if !(declared.is_builtin && declared.type_name == "terraform_remote_state") {
            let address = self.qualified(declared, at, repeated);
            self.missing.push(Missing::DataSource { address });
            self.lacks_schema(&declared.provider_name);
            self.list(declared, at, repeated, read(super::resource::shown(arguments), reason));
            return Some(open(arguments));
        }
        if let Some(reason) = reason {
            let object = with_outputs(arguments, &Value::dynamic());
            self.list(declared, at, repeated, read(object.clone(), Some(reason)));
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
                    Change { prior: Some(object.clone()), ..read(object.clone(), Some("read_because_check_nested")) }
                } else {
                    Change { action: Action::AlreadyRead, prior: Some(object.clone()), ..read(object.clone(), None) }
                };
                self.list(declared, at, repeated, change);
                Some(object)
            }
            Outputs::NotGiven => {
                let address = self.qualified(declared, at, repeated);
                self.missing.push(Missing::RemoteState { address });
                let object = with_outputs(arguments, &Value::dynamic());
                self.list(declared, at, repeated, read(object, None));
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
                let change = Change { prior: Some(prior), ..read(object.clone(), Some("read_because_check_nested")) };
                self.list(declared, at, repeated, change);
                Some(object)
            }
            Outputs::Failed => {
                out.append(own);
                None
            }
        }
    }

    /// Returns why a data source of a check failed in one instance of its module.
    pub(super) fn scoped_failure(&self, path: usize, instance: usize, address: ObjectAddr<'_>) -> Option<Value> {
        account::work(4);
        self.scoped_failures.get(&(path, instance, address)).cloned()
    }
}

/// The reading of a data source.
fn read(after: Value, reason: Option<&'static str>) -> Change {
    Change { action: Action::Read, reason, ..super::resource::created(after) }
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

//! The data source `terraform_remote_state`: the outputs in the state of another configuration.

use std::sync::Arc;

use super::super::codes;
use super::super::resource::DeclaredResource;
use super::super::walk::Walk;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes};
use overfold_base::written::written;
use overfold_check::validate::body::{self, Body};
use overfold_dialect::Behaviour;
use overfold_eval::{self as eval, Entry, FileAccess, Scope};
use overfold_syntax::ExprAt;
use overfold_value::{AttributeType, Marks, Type, Value, convert, with_stack};

/// What a plan says of a state that is not there. It is part of the plan document, so it is the tool's own text.
pub(super) const NO_STATE: &str = "No stored state was found for the given workspace in the given backend.";

/// What is said if the place of a state may not be shown.
const NOTHING_THERE: &str = "There is no state at the place that the configuration names.";

/// The outputs of a state.
pub(in super::super) enum Outputs {
    /// The object of the outputs.
    Read(Value),
    /// The state is not among the files.
    NotGiven,
    /// There is no such state, which is reported.
    Failed,
}

impl Walk<'_, '_, '_> {
    /// Reads the outputs of the state that a data source with these arguments names.
    pub(super) fn remote_state(
        &self,
        declared: &DeclaredResource<'_>,
        address: &str,
        arguments: &Value,
        out: &mut Diagnostics,
    ) -> Outputs {
        let part = |name: &str| arguments.get(name).map(Value::unmarked_deep);
        let text = |value: Option<&Value>| {
            let value = value.filter(|value| !value.is_null())?;
            convert(value, &Type::String).ok()?.as_shared_text().map(Arc::clone)
        };
        let backend = text(part("backend").as_ref());
        if !matches!(backend.as_deref(), Some("local" | "_local")) {
            return Outputs::NotGiven;
        }
        let config = part("config").unwrap_or_else(Value::untyped_null);
        let secrecy = arguments.deep_marks().secrecy();
        let setting = |name: &str| text(config.get(name));
        let workspace = text(part("workspace").as_ref()).filter(|name| **name != *"default");
        let path: Arc<str> = match workspace {
            None => setting("path").unwrap_or_else(|| Arc::from("terraform.tfstate")),
            Some(workspace) => {
                let folder = setting("workspace_dir").unwrap_or_else(|| Arc::from("terraform.tfstate.d"));
                format!("{folder}/{workspace}/terraform.tfstate").into()
            }
        };
        let access =
            FileAccess { cwd: self.options.cwd.as_deref(), ..FileAccess::new(self.files, &self.request.root) };
        let bytes = match access.entry(&path) {
            Entry::File(bytes) => bytes,
            Entry::Outside | Entry::Special => return Outputs::NotGiven,
            Entry::Folder | Entry::Nothing | Entry::BelowFile | Entry::TooLong => {
                let detail = format!("There is no state at {path:?}.");
                let finding = Diagnostic::tool(&codes::REMOTE_STATE, self.body_start(declared), detail);
                out.push(finding.quoting(Quotes::Values(secrecy)).with_redacted_detail(NOTHING_THERE));
                if let Some(title) = self.told_again(address) {
                    out.push(Diagnostic::tool(&codes::REMOTE_STATE, None, NOTHING_THERE).titled(title));
                }
                return Outputs::Failed;
            }
        };
        let source = self.report.forest.parse_json(&path, bytes, &mut Diagnostics::new());
        let root = self.report.forest.json(source).map(|tree| tree.root);
        let Some(root) = root else { return Outputs::NotGiven };
        let expr = ExprAt::Json(source, root);
        let state = eval::evaluate(self.report.forest, expr, &Scope::CONSTANT, &mut Diagnostics::new());
        let Some(outputs) = state.get("outputs").and_then(Value::as_entries) else { return Outputs::NotGiven };
        let mut entries = arguments.get("defaults").map(defaults).unwrap_or_default();
        for (name, output) in outputs.charged(8) {
            let value = output.get("value").cloned().unwrap_or_else(Value::untyped_null);
            let ty = output.get("type").and_then(of_json);
            let value = ty.and_then(|ty| convert(&value, &ty).ok()).unwrap_or(value);
            let is_sensitive = output.get("sensitive").is_some_and(|flag| flag.as_bool() != Some(false));
            let value = if is_sensitive { value.with_marks(Marks::CONFIDENTIAL) } else { value };
            entries.push((Arc::clone(name), value));
        }
        Outputs::Read(Value::object(entries))
    }

    /// Returns the title under which the tool tells a second time that a state could not be read, if it does.
    pub(super) fn told_again(&self, address: &str) -> Option<String> {
        let is_told = self.report.dialect.has(Behaviour::UnreadStateToldWithAddress);
        is_told.then(|| written(format_args!("{address}: Unable to read remote state")))
    }

    /// Returns the opening brace of a block, where the tool reports what a provider finds.
    pub(in super::super) fn body_start(&self, declared: &DeclaredResource<'_>) -> overfold_base::diag::Span {
        body::start(&Body::new(self.report.forest, declared.block, None))
    }
}

/// Returns the outputs that a state lacks. The tool does not count them as sensitive, whatever they are made of.
fn defaults(value: &Value) -> Vec<(Arc<str>, Value)> {
    let all = value.marks().confidential();
    let entries = value.entries().iter();
    entries
        .charged(4)
        .map(|(name, entry)| {
            (Arc::clone(name), entry.unmarked_deep().with_marks(all.and(entry.deep_marks().confidential())))
        })
        .collect()
}

/// Reads a type in JSON form.
fn of_json(value: &Value) -> Option<Type> {
    account::work(4);
    if let Some(name) = value.as_text() {
        return Some(match name {
            "string" => Type::String,
            "number" => Type::Number,
            "bool" => Type::Bool,
            "dynamic" => Type::Dynamic,
            _ => return None,
        });
    }
    let [kind, of] = value.as_items()? else { return None };
    with_stack(|| {
        Some(match kind.as_text()? {
            "list" => Type::list(of_json(of)?),
            "set" => Type::set(of_json(of)?),
            "map" => Type::map(of_json(of)?),
            "tuple" => Type::tuple(of.as_items()?.iter().map(of_json).collect::<Option<Vec<_>>>()?),
            "object" => {
                let attributes = of.as_entries()?.iter();
                let attributes =
                    attributes.map(|(name, ty)| Some(AttributeType::new(Arc::clone(name), of_json(ty)?)));
                Type::object(attributes.collect::<Option<Vec<_>>>()?)
            }
            _ => return None,
        })
    })
}

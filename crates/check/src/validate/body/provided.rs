//! What the tool's own provider and its provisioners say about a body beyond the schema (read in the tool's code, and
//! validate.md, section 6).

use std::sync::Arc;

use super::read::{BodyLevel, Reader};
use super::{Body, codes};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Code, Diagnostic, Diagnostics};
use overfold_base::nearest::hint;
use overfold_dialect::{Behaviour, BuiltinKind, DialectSpec};
use overfold_value::{Type, Value, convert};

/// The older name of the backend `local`, which is still accepted here.
const OLD_LOCAL: &str = "_local";

/// The arguments of the backend `local`.
const LOCAL_ARGUMENTS: [&str; 2] = ["path", "workspace_dir"];

/// Reports what the provider that is built into the tool refuses in the value of the body of one of its types. To be
/// called if [`super::check`] found the body sound. A finding without a place has no address, either.
pub fn check_builtin_object(
    body: &Body<'_, '_>,
    dialect: &DialectSpec,
    type_name: &str,
    value: &Value,
    out: &mut Diagnostics,
) {
    match type_name {
        "terraform_data" => read_only(value, out),
        "terraform_remote_state" => {
            RemoteState { reader: Reader::new(body), value: value.unmarked_deep(), out }.check(dialect);
        }
        _ => {}
    }
}

/// Reports attributes of `terraform_data` that are set although they are computed. The tool reports no place.
fn read_only(value: &Value, out: &mut Diagnostics) {
    account::work(2);
    for name in ["id", "output"] {
        if value.get(name).is_some_and(|value| !value.is_null()) {
            let detail =
                format!("The attribute {name:?} is computed when the resource is created, so it cannot be set.");
            let title = format!("{name:?} attribute is read-only");
            out.push(Diagnostic::tool(&codes::READ_ONLY, None, detail).titled(title));
        }
    }
}

/// The check of a `terraform_remote_state`.
struct RemoteState<'o, 'b, 'f> {
    reader: Reader<'b, 'f>,
    value: Value,
    out: &'o mut Diagnostics,
}

impl RemoteState<'_, '_, '_> {
    fn check(mut self, dialect: &DialectSpec) {
        let part = |name: &str| self.value.get(name).cloned().unwrap_or_else(Value::dynamic);
        let (backend, config, defaults) = (part("backend"), part("config"), part("defaults"));
        match backend.as_text().filter(|_| config.is_wholly_known()) {
            Some(backend) => self.backend(backend, &config, dialect),
            None if !may_be_object(&config) => {
                self.configuration("The configuration of a backend must be an object.");
            }
            None => {}
        }
        if !may_be_object(&defaults) {
            let detail = "The default values of outputs must be an object or a map.";
            self.report(&codes::STATE_DEFAULTS, "defaults", detail.to_owned());
        }
    }

    /// Checks a known configuration of a backend. The arguments of most backends are not known here.
    fn backend(&mut self, backend: &str, config: &Value, dialect: &DialectSpec) {
        account::work(8);
        if backend != OLD_LOCAL && !dialect.has_builtin(BuiltinKind::Backend, backend) {
            let hint = hint(backend, dialect.builtins_of(BuiltinKind::Backend));
            let detail = format!("This version of {} has no backend {backend:?}.{hint}", dialect.tool);
            self.report(&codes::BACKEND_CONFIGURATION, "backend", detail);
            return;
        }
        if !may_be_object(config) {
            self.configuration("The configuration of a backend must be an object.");
            return;
        }
        if !matches!(backend, OLD_LOCAL | "local") {
            return;
        }
        let entries = config.entries();
        let fits = |(name, value): &(Arc<str>, Value)| {
            LOCAL_ARGUMENTS.contains(&&**name) && convert(value, &Type::String).is_ok()
        };
        if !entries.iter().charged_at_once(1).all(fits) {
            self.configuration(
                "The backend \"local\" has the arguments `path` and `workspace_dir`, which are strings.",
            );
        }
    }

    fn configuration(&mut self, detail: &'static str) {
        self.report(&codes::BACKEND_CONFIGURATION, "config", detail.to_owned());
    }

    /// Reports something at the value of an argument, or at the body if the argument is not written.
    fn report(&mut self, code: &'static Code, argument: &str, detail: String) {
        let content = self.reader.read(BodyLevel::Whole, None, false, &mut Diagnostics::new());
        let written = content.attribute(argument).map(|attribute| self.reader.forest.expr_span(attribute.expr));
        self.out.push(Diagnostic::tool(code, written.unwrap_or_else(|| self.reader.missing_item()), detail));
    }
}

/// Whether a value is an object or a map, or may still become one.
fn may_be_object(value: &Value) -> bool {
    matches!(value.ty(), Type::Dynamic | Type::Object(_) | Type::Map(_))
}

/// Reports what a provisioner refuses in the value of its body, even if [`super::check`] found errors. The value is
/// wholly unknown if a reference in the body leads nowhere; no part of it is null then. The tool reports no place.
pub fn check_provisioner(name: &str, value: &Value, dialect: &DialectSpec, out: &mut Diagnostics) {
    account::work(4);
    let is_empty = |name: &str| {
        value.get(name).is_some_and(|value| value.is_null() || value.as_text().is_some_and(str::is_empty))
    };
    if dialect.has(Behaviour::ProvisionersRefuseEmptyTexts) {
        if name == "file" && is_empty("destination") {
            let detail = "The `destination` of a `file` provisioner must not be empty.";
            out.push(Diagnostic::tool(&codes::FILE_DESTINATION, None, detail));
        }
        if name == "local-exec" && is_empty("command") {
            let detail = "The `command` of a `local-exec` provisioner must not be empty.";
            out.push(Diagnostic::tool(&codes::LOCAL_EXEC, None, detail));
        }
    }
    let is_set = |name: &str| value.get(name).is_none_or(|value| !value.is_null());
    match name {
        "file" => match (is_set("source"), is_set("content")) {
            (true, true) => {
                let detail = "A `file` provisioner copies `source` or writes `content`. Remove one of the two.";
                out.push(Diagnostic::tool(&codes::FILE_CONTENT_TWICE, None, detail));
            }
            (false, false) => {
                let detail = "A `file` provisioner must set `source` or `content`.";
                out.push(Diagnostic::tool(&codes::FILE_CONTENT_MISSING, None, detail));
            }
            _ => {}
        },
        "remote-exec" if ["inline", "script", "scripts"].into_iter().filter(|name| is_set(name)).count() != 1 => {
            let detail = "A `remote-exec` provisioner must set exactly one of `inline`, `script` and `scripts`.";
            out.push(Diagnostic::tool(&codes::REMOTE_EXEC, None, detail));
        }
        _ => {}
    }
}

//! Checks the references of an expression while a module is loaded.

use crate::early_eval::codes;
use crate::early_eval::values::{EarlyPolicy, is_error};
use overfold_base::diag::Diagnostic;
use overfold_base::nearest::hint;
use overfold_model::language::references::Subject;
use overfold_model::scope::{self, Definitions, Fault, Reference, References};

/// What is wrong with the references of an expression.
#[derive(Debug, Default)]
pub(super) struct ReferenceFaults {
    /// The faults, malformed references first.
    pub(super) list: Vec<Diagnostic>,
    /// Whether the references were looked up, so that their definitions must be evaluated.
    pub(super) looked_up: bool,
}

impl EarlyPolicy<'_> {
    /// Checks the references of an expression. With `stops`, the others are not looked up after a malformed one.
    ///
    /// References that cannot be evaluated early are reported alone; the others are looked up only if there are none.
    pub(super) fn check(
        &self,
        references: &References<'_>,
        definitions: &Definitions<'_>,
        stops: bool,
    ) -> ReferenceFaults {
        let mut list: Vec<Diagnostic> =
            references.list.iter().flat_map(|reference| reference.malformed.iter().cloned()).collect();
        let calls = references.provider_calls.iter().filter(|call| !is_well_formed(call.name));
        list.extend(calls.map(|call| {
            let detail = "The name of a provider function must have the form provider::NAME::FUNCTION or provider::NAME::ALIAS::FUNCTION.";
            Diagnostic::tool(&codes::PROVIDER_FUNCTION_NAME, call.name_span, detail)
        }));
        if stops && list.iter().any(is_error) {
            return ReferenceFaults { list, looked_up: false };
        }
        let unsupported = unsupported(references);
        let looked_up = unsupported.is_empty();
        list.extend(unsupported);
        if looked_up {
            list.extend(references.list.iter().filter_map(|reference| self.look_up(reference, definitions)));
        }
        ReferenceFaults { list, looked_up }
    }

    fn look_up(&self, reference: &Reference<'_>, definitions: &Definitions<'_>) -> Option<Diagnostic> {
        if let Some(Subject::Terraform(name)) = &reference.subject
            && name == "applying"
        {
            let title = self.inputs.dialect.title(codes::APPLYING.id, codes::APPLYING.title);
            let detail = "`applying` is known only during a plan or apply, but this value is required while the module is loaded.";
            return Some(Diagnostic::tool(&codes::APPLYING, reference.span, detail).titled(title));
        }
        let (code, detail) = match reference.fault()? {
            Fault::UndeclaredVariable(name) => {
                let hint = hint(name, definitions.variables().map(|variable| variable.name));
                (&codes::UNDEFINED_VARIABLE, format!("The module does not declare var.{name}.{hint}"))
            }
            Fault::UndeclaredLocal(name) => {
                let hint = hint(name, definitions.locals().map(|local| local.name));
                (&codes::UNDEFINED_LOCAL, format!("The module does not declare local.{name}.{hint}"))
            }
            fault @ Fault::PathAttribute(_) => fault.wording(definitions),
            Fault::TerraformAttribute(name) => (
                &scope::codes::TERRAFORM_ATTRIBUTE,
                format!("The attribute {name:?} is not available while the module is loaded; only `workspace` is."),
            ),
        };
        Some(Diagnostic::tool(code, reference.span, detail))
    }
}

/// Returns the diagnostics about references that cannot be evaluated while a module is loaded.
pub(super) fn unsupported(references: &References<'_>) -> Vec<Diagnostic> {
    let subjects = references.list.iter().filter_map(dynamic);
    let calls = references.provider_calls.iter().filter(|call| is_well_formed(call.name)).map(|call| {
        let detail =
            format!("{} is a function of a provider, but no provider is running while the module is loaded. Use a built-in function instead.", call.name);
        Diagnostic::tool(&codes::PROVIDER_FUNCTION, call.name_span, detail)
    });
    subjects.chain(calls).collect()
}

/// Whether the name of a provider function consists of a provider, optionally its alias, and a function.
fn is_well_formed(name: &str) -> bool {
    matches!(name.split("::").count(), 3 | 4)
}

/// Returns the tool's diagnostic about a reference to something that is known only when it runs.
fn dynamic(reference: &Reference<'_>) -> Option<Diagnostic> {
    match reference.subject.as_ref()? {
        Subject::Variable(_) | Subject::Local(_) | Subject::Path(_) | Subject::Terraform(_) => None,
        Subject::Module { name, output: Some(output), .. } => {
            let detail = format!(
                "The output {output} of module.{name} is known only during a plan or apply, but this value is required while the module is loaded."
            );
            Some(Diagnostic::tool(&codes::MODULE_OUTPUT, reference.span, detail))
        }
        _ => {
            let detail = "This is known only during a plan or apply, but this value is required while the module is loaded. Use only variables, local values and built-in functions.";
            Some(Diagnostic::tool(&codes::DYNAMIC_VALUE, reference.span, detail))
        }
    }
}

//! What an expression refers to, and what of that it may not.

use crate::diag::{Diagnostic, Diagnostics, Severity, Span};
use crate::early_eval::codes;
use crate::early_eval::values::Stage;
use crate::language::references;
use crate::language::references::{Reference, Subject};
use crate::nearest::hint;
use crate::syntax::{ExprAt, statics};

/// Something that has a value of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Target {
    /// Index of a variable.
    Variable(usize),
    /// Index of a local value.
    Local(usize),
}

/// One reference to it.
#[derive(Clone, Copy, Debug)]
pub(super) struct Use {
    pub(super) target: Target,
    pub(super) at: Span,
}

/// An expression as its references tell it.
#[derive(Debug, Default)]
pub(super) struct Reading {
    /// Faults of the references themselves.
    pub(super) own: Vec<Diagnostic>,
    /// What has to be evaluated first, in source order, each reference for itself.
    pub(super) uses: Vec<Use>,
    /// It refers to anything at all.
    pub(super) refers: bool,
}

impl Stage<'_> {
    /// Reads the references of an expression. `stops`: a malformed one keeps the others from being looked up.
    ///
    /// Those that no static context takes are reported alone; only without them the others are looked up.
    pub(super) fn read(&self, expr: ExprAt, stops: bool) -> Reading {
        let forest = self.inputs.forest;
        let mut malformed = Diagnostics::new();
        let mut refused = Vec::new();
        let mut found = Vec::new();
        for traversal in statics::references(forest, expr) {
            if let Some(reference) = references::reference(&traversal, self.words, &mut malformed) {
                refused.extend(dynamic(&reference));
                found.push(reference);
            }
        }
        for call in statics::calls(forest, expr) {
            if call.name.starts_with("provider::") {
                let well_formed = matches!(call.name.split("::").count(), 3 | 4);
                if well_formed {
                    let detail = format!(
                        "{} belongs to a provider, but no provider is running while the module is loaded.",
                        call.name
                    );
                    refused.push(Diagnostic::tool(&codes::PROVIDER_FUNCTION, call.name_span, detail));
                } else {
                    let detail = "A provider function must be called as provider::NAME::FUNCTION.";
                    malformed.push(Diagnostic::tool(&codes::PROVIDER_FUNCTION_NAME, call.name_span, detail));
                }
            }
        }
        let refers = !found.is_empty();
        let mut own = malformed.into_vec();
        let stopped = stops && own.iter().any(|fault| fault.severity == Severity::Error);
        let mut uses = Vec::new();
        if stopped {
            // Nothing else is looked at.
        } else if refused.is_empty() {
            for reference in &found {
                match self.look_up(reference) {
                    Ok(Some(target)) => uses.push(Use { target, at: reference.span }),
                    Ok(None) => {}
                    Err(fault) => own.push(*fault),
                }
            }
        } else {
            own.extend(refused);
        }
        Reading { own, uses, refers }
    }

    fn look_up(&self, reference: &Reference) -> Result<Option<Target>, Box<Diagnostic>> {
        let fault = |code, detail: String| Err(Box::new(Diagnostic::tool(code, reference.span, detail)));
        match &reference.subject {
            Subject::Variable(name) => match self.variable_index(name) {
                Some(index) => Ok(Some(Target::Variable(index))),
                None => {
                    let hint = hint(name, self.variable_names());
                    fault(&codes::UNDEFINED_VARIABLE, format!("The module does not declare var.{name}.{hint}"))
                }
            },
            Subject::Local(name) => match self.local_index(name) {
                Some(index) => Ok(Some(Target::Local(index))),
                None => {
                    let hint = hint(name, self.local_names());
                    fault(&codes::UNDEFINED_LOCAL, format!("The module does not declare local.{name}.{hint}"))
                }
            },
            Subject::Path(name) if !matches!(name.as_str(), "cwd" | "module" | "root") => fault(
                &codes::PATH_ATTRIBUTE,
                format!(
                    "`path` has no attribute {name:?}; its attributes are cwd, \
                    module and root."
                ),
            ),
            Subject::Terraform(name) if name == "applying" => {
                let title = self.inputs.dialect.title(codes::APPLYING.id, codes::APPLYING.title);
                let detail = "While the module is loaded, it is not known whether the tool is applying.".to_owned();
                fault(&codes::APPLYING, detail).map_err(|fault| Box::new(fault.titled(title)))
            }
            Subject::Terraform(name) if name != "workspace" => {
                let detail = format!("The attribute {name:?} is not available here; only `workspace` is.");
                fault(&codes::TERRAFORM_ATTRIBUTE, detail)
            }
            _ => Ok(None),
        }
    }
}

/// The tool's finding about a reference that no static context takes.
fn dynamic(reference: &Reference) -> Option<Diagnostic> {
    match &reference.subject {
        Subject::Variable(_) | Subject::Local(_) | Subject::Path(_) | Subject::Terraform(_) => None,
        Subject::Module { name, output: Some(output), .. } => {
            let detail = format!(
                "The output {output} of module.{name} is known only when the tool runs, but a value that is known \
                 while the module is loaded is required here."
            );
            Some(Diagnostic::tool(&codes::MODULE_OUTPUT, reference.span, detail))
        }
        _ => {
            let detail = "This is known only when the tool runs, but a value that is known while the module is \
                          loaded is required here. Use variables, local values and built-in functions.";
            Some(Diagnostic::tool(&codes::DYNAMIC_VALUE, reference.span, detail))
        }
    }
}

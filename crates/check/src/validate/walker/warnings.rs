//! What some versions of the tool say beside the rules of all: warnings about arguments and connections, types of outputs.

use super::{ModuleNodes, Visit, meta_blocks};
use crate::validate::codes;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Span};
use overfold_dialect::{Behaviour, words};
use overfold_eval as eval;
use overfold_load::decode::default_lint;
use overfold_load::loading::Report;
use overfold_model::config::{Argument, Block, stored_default};
use overfold_syntax::ExprAt;
use overfold_tree::calls::arguments::VariableFacts;
use overfold_tree::module_tree::TreeModule;
use overfold_value::Value;

impl ModuleNodes<'_> {
    /// Warns about connections of a deprecated type in a resource and its provisioners.
    pub(super) fn winrm(&self, block: &Block<'_>, visit: &mut Visit) {
        let Report { dialect, forest, .. } = self.module.report;
        if !dialect.has(Behaviour::WinrmIsDeprecated) {
            return;
        }
        let provisioners = meta_blocks(block, words::PROVISIONER);
        let connections = meta_blocks(block, words::CONNECTION)
            .chain(provisioners.flat_map(|provisioner| meta_blocks(provisioner, words::CONNECTION)));
        for connection in connections {
            account::work(4 + connection.arguments.len() as u64 / 8);
            let ty = connection.usable_argument(words::TYPE);
            let Some(ty) = ty else { continue };
            if eval::constant(forest, ty.expr, &mut Diagnostics::new()).as_text() == Some("winrm") {
                let detail = "Connections of the type `winrm` are deprecated. Use `ssh`.";
                visit.out.push(Diagnostic::tool(&codes::WINRM, forest.expr_span(ty.expr), detail));
            }
        }
    }

    /// Warns about parts of an argument of a call that its variable drops.
    pub(super) fn warn_of_lost_attributes(&self, argument: &Argument<'_>, taken: &VariableFacts, visit: &mut Visit) {
        let Report { dialect, forest, .. } = self.module.report;
        if dialect.has(Behaviour::LostAttributesOfArguments)
            && let Some(ty) = taken.ty()
        {
            default_lint::lost_attributes(forest, argument.expr, ty, &mut visit.out);
        }
    }

    /// Warns about an argument of a call, whose value is well-formed, for a variable that is deprecated.
    pub(super) fn warn_about_argument(
        &self,
        module: &TreeModule<'_>,
        argument: &Argument<'_>,
        value: &Value,
        visit: &mut Visit,
    ) {
        let dialect = self.module.report.dialect;
        let warns = dialect.has(Behaviour::DeprecatedVariablesWarn) && !value.is_null()
            || dialect.has(Behaviour::DeprecatedVariablesWarnInValidate);
        if warns && module.is_deprecated_variable(argument.name) {
            visit.out.push(deprecated_argument(argument.name, self.evaluation.span(argument.expr)));
        }
    }

    /// Returns the value of an output as its type has it. `None` if that is wrong, which is reported.
    pub fn converted_output(&self, name: &str, expr: ExprAt, value: Value, out: &mut Diagnostics) -> Option<Value> {
        let Some(constraint) = self.module.output_type(name) else { return Some(value) };
        let quotes = Quotes::Values(value.deep_marks().secrecy());
        match stored_default(value, Some(constraint)) {
            Ok(value) => Some(value),
            Err(error) => {
                let misfit = format!("The value of the output {name:?} cannot be converted to its type");
                let at = self.evaluation.span(expr);
                let found = Diagnostic::tool(&codes::OUTPUT_MISFIT, at, format!("{misfit}: {error}."));
                out.push(found.quoting(quotes).with_redacted_detail(format!("{misfit}.")));
                None
            }
        }
    }
}

/// Reports that a call passes a value for a variable that is deprecated.
pub fn deprecated_argument(name: &str, at: Span) -> Diagnostic {
    let detail =
        format!("The called module declares var.{name} as deprecated. Its declaration says what to use instead.");
    Diagnostic::tool(&codes::DEPRECATED_VARIABLE, at, detail)
}

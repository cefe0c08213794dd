//! The backend of the root module, and its encryption: their arguments are looked at before anything is planned.

use overfold_base::account::ChargedIterator;
use overfold_base::diag::{Diagnostics, Phase};
use overfold_dialect::ObjectKind;
use overfold_eval as eval;
use overfold_load::loading::Report;
use overfold_model::config::Block;
use overfold_syntax::Forest;
use overfold_value::with_stack;

/// Reports what is wrong with the arguments of encryption and of a backend, if the tool has found no error so far. After an
/// error it goes no further.
pub fn check(report: &Report<'_>, is_planned: bool) -> Diagnostics {
    let mut out = Diagnostics::in_phase(Phase::Checking);
    if report.diagnostics.is_refused() {
        return out;
    }
    out.append(report.early.settings.clone());
    if out.has_errors() || !is_planned || !report.dialect.rules.early_eval.backends_are_constant {
        return out;
    }
    for element in report.module.elements.iter().charged(1) {
        if matches!(element.kind, ObjectKind::Backend | ObjectKind::Cloud) {
            arguments(report.forest, element.block, &mut out);
        }
    }
    out
}

fn arguments(forest: &Forest, block: &Block<'_>, out: &mut Diagnostics) {
    for argument in block.arguments.iter().filter(|argument| !argument.broken).charged(4) {
        eval::constant(forest, argument.expr, out);
    }
    for inner in block.blocks {
        with_stack(|| arguments(forest, inner, out));
    }
}

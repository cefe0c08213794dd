//! Sources and versions of module calls that the tool evaluates only when it installs modules (terraform.md, section
//! 10.3.6). Until then, it accepts the configuration, so every diagnostic here has the origin tool-later.

use crate::early_eval::values::EarlyEvaluation;
use crate::early_eval::{argument, codes};
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting};
use overfold_dialect::{DialectSpec, StaticUse};

/// The title for a source that is null or not a string.
pub(super) const UNSUITABLE_SOURCE: &str = "Unsuitable module source";

/// Checks every module call of the merged module.
pub(super) fn check(evaluation: &mut EarlyEvaluation<'_>, later: &mut Diagnostics) {
    let inputs = evaluation.inputs;
    for element in &inputs.module.elements {
        let source = argument(element, StaticUse::ModuleSource);
        let version = argument(element, StaticUse::ModuleVersion);
        if source.is_none() && version.is_none() {
            continue;
        }
        let (_, found) = later.collect(|later| evaluation.module(element, source, version, later));
        // The definitions between a fault and the argument are not reported individually.
        for found in found.into_iter().filter(|found| found.code != &codes::UNAVAILABLE) {
            later.push_existing(retitled(inputs.dialect, found, "module source"));
        }
    }
}

/// Returns the diagnostic with the title that it has in the step that installs modules; `what` is evaluated there.
pub(super) fn retitled(dialect: &DialectSpec, found: Diagnostic, what: &str) -> Diagnostic {
    if found.summary != found.code.title {
        return found;
    }
    let title = dialect.title(found.code.id, found.code.title).replace("module source", what);
    found.titled(title)
}

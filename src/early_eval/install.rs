//! Sources and versions of module calls that the tool evaluates only when it installs modules (terraform.md, section 10.3,
//! module). It takes the configuration until then, so every finding here is ours.

use crate::diag::{Diagnostic, Diagnostics, Origin};
use crate::dialect::{DialectSpec, StaticUse};
use crate::early_eval::values::Stage;
use crate::early_eval::{argument, codes};

/// Title for a source that is null or not a string.
pub(super) const UNSUITABLE_SOURCE: &str = "Unsuitable module source";

/// Judges every module call of the merged module.
pub(super) fn judge(stage: &mut Stage<'_>, later: &mut Diagnostics) {
    let inputs = stage.inputs;
    for element in &inputs.module.elements {
        let source = argument(element, StaticUse::ModuleSource);
        let version = argument(element, StaticUse::ModuleVersion);
        if source.is_none() && version.is_none() {
            continue;
        }
        let mut found = Diagnostics::new();
        stage.module(element, source, version, &mut found);
        retitle(inputs.dialect, found.iter_mut(), "module source");
        // The definitions between a fault and the argument are not reported one by one.
        for mut finding in found.into_vec().into_iter().filter(|finding| finding.code != &codes::UNAVAILABLE) {
            finding.origin = Origin::Overfold;
            later.push(finding);
        }
    }
}

/// Gives findings the titles of the step that installs modules; `what` is evaluated there.
pub(super) fn retitle<'d>(dialect: &DialectSpec, found: impl Iterator<Item = &'d mut Diagnostic>, what: &str) {
    for finding in found.filter(|finding| finding.summary == finding.code.title) {
        finding.summary = dialect.title(finding.code.id, finding.code.title).replace("module source", what).into();
    }
}

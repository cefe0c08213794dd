//! Evaluates a whole tree of modules as the tool does when it plans without a state (plan.md).
//!
//! The stage `validate` has found the nodes of each module, what each depends on, and every error that does not need
//! values. Here each node is visited once, after everything on which it depends ([`walk`]), for every instance of its
//! module ([`state`]). An expression sees the values of its instance ([`scope`]); it is evaluated directly, and finds
//! what it names on demand. A node with an error stops all that depend on it, silently; the rest of the tree is planned.

pub(crate) mod codes;
mod arguments;
mod assumed;
mod conditions;
mod configuration;
mod data;
mod imports;
mod itself;
mod module;
mod moves;
mod outcome;
mod relevant;
mod repetition;
mod replacements;
mod resource;
mod scope;
mod state;
mod walk;

use crate::loading::{Report, Request};
use crate::plan::{Plan, PlanOptions};
use crate::replacement::Replacement;
use crate::validate::Looked;
use overfold_base::diag::{Diagnostics, Origin, Phase, Severity};
use overfold_dialect::{PlanDocument, PlanPart};
use overfold_eval::Absent;

/// What came of a plan.
pub(crate) struct Planned {
    /// The plan; `None` where the tool writes none.
    pub(crate) plan: Option<Plan>,
    /// What was found on the way.
    pub(crate) found: Diagnostics,
}

/// Plans the tree, if nothing before has an error.
pub(crate) fn run(looked: &Looked<'_, '_>, report: &Report<'_>, request: &Request, options: &PlanOptions) -> Planned {
    if !looked.is_clean || !is_sound(report) {
        return Planned { plan: None, found: Diagnostics::new() };
    }
    let instances = looked.instances();
    let graph = instances.graph();
    let absent = Absent::default();
    let mut walk = walk::Walk::new(looked, report, &instances, &graph, (request, options, &absent));
    if walk.removed() {
        return walk.without_plan();
    }
    walk.run();
    walk.unused_assumptions();
    let moved = walk.moved();
    if moved.has_errors() {
        walk.replace_errors(moved);
        return walk.without_plan();
    }
    if walk.is_errored() && !PlanDocument::of(report.dialect).has(PlanPart::WrittenOnErrors) {
        return walk.without_plan();
    }
    walk.finish()
}

/// Returns what replaces the expressions of the root module: what a plan finds the values to be. If no plan can be made,
/// only variables and local values are known.
pub(crate) fn replacements(
    looked: &Looked<'_, '_>,
    report: &Report<'_>,
    request: &Request,
    options: &PlanOptions,
) -> Vec<Replacement> {
    let instances = looked.instances();
    let graph = instances.graph();
    let absent = Absent::default();
    let mut walk = walk::Walk::new(looked, report, &instances, &graph, (request, options, &absent));
    walk.hides_secrets = true;
    if looked.is_clean && is_sound(report) && !walk.removed() {
        walk.run();
    } else {
        walk.define();
    }
    replacements::of(&walk)
}

/// Whether the tool gets as far as the values: nothing of the root module that it finds before them has an error. Whatever
/// is wrong with the value of a single variable stops only what depends on it.
fn is_sound(report: &Report<'_>) -> bool {
    !report.diagnostics.iter().any(|finding| {
        finding.severity == Severity::Error
            && finding.origin == Origin::Tool
            && finding.phase.unwrap_or_default() != Phase::Resolution
    })
}

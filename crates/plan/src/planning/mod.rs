//! Evaluates a whole tree of modules as the tool does when it plans without a state (plan.md).
//!
//! The stage `validate` has found the nodes of each module, what each depends on, and every error that does not need
//! values. Here each node is visited once, after everything on which it depends (`walk`), for every instance of its
//! module (`state`). An expression sees the values of its instance (`scope`); it is evaluated directly, and finds
//! what it names on demand. A node with an error stops all that depend on it, silently; the rest of the tree is planned.

pub mod codes;
mod arguments;
mod assumptions;
pub mod backend;
mod bodies;
mod conditions;
mod configuration;
mod data;
mod assumed_object;
mod implied_providers;
mod imported;
mod imports;
mod infinite_numbers;
mod lifecycle;
mod self_references;
mod module;
mod moves;
mod needs;
mod outcome;
mod pending;
mod planned_object;
mod relevant_attributes;
mod provider_defaults;
mod provider_instances;
mod provider_meta;
mod provider_object;
mod repetition;
mod replacements;
mod resource;
mod schema_marks;
mod scope;
mod state;
mod terraform_data;
pub mod repeated_errors;
mod triggers;
mod walk;

use overfold_base::diag::{Diagnostics, Origin, Phase, Severity};
use overfold_check::validate::ValidatedTree;
use overfold_dialect::{Behaviour, PlanDocument};
use overfold_eval::Absent;
use overfold_load::loading::{Report, Request};
use overfold_load::plan::{Plan, PlanOptions};
use overfold_load::replacement::Replacement;

/// What came of a plan.
pub struct Planned {
    /// The plan; `None` where the tool writes none.
    pub plan: Option<Plan>,
    /// What was found on the way.
    pub found: Diagnostics,
    /// Whether the tool does not report what is wrong with the values of the variables of the root module: it does not come
    /// to them, or reports something else in place of it.
    pub hides_variables: bool,
}

/// Plans the tree, if nothing before has an error.
pub fn run(
    validated: &ValidatedTree<'_, '_>,
    report: &Report<'_>,
    request: &Request,
    options: &PlanOptions,
) -> Planned {
    if !validated.is_clean || !is_sound(report) {
        return Planned { plan: None, found: Diagnostics::new(), hides_variables: false };
    }
    let instances = validated.instances();
    let graph = instances.graph();
    let absent = Absent::default();
    let mut walk = walk::Walk::new(validated, report, &instances, &graph, (request, options, &absent));
    if walk.removed() {
        return Planned { hides_variables: true, ..walk.without_plan() };
    }
    walk.run();
    walk.report_left_out();
    walk.unused_assumptions();
    let moved = walk.moved();
    if moved.has_errors() {
        walk.replace_findings(moved);
        return Planned { hides_variables: true, ..walk.without_plan() };
    }
    if walk.is_errored() && !PlanDocument::for_dialect(report.dialect).has(Behaviour::DocumentWrittenOnErrors) {
        return walk.without_plan();
    }
    if walk.cannot_be_written() {
        return walk.without_plan();
    }
    walk.finish()
}

/// Returns what replaces the expressions of the root module: what a plan finds the values to be. If no plan can be made,
/// only variables and local values are known.
pub fn replacements(
    validated: &ValidatedTree<'_, '_>,
    report: &Report<'_>,
    request: &Request,
    options: &PlanOptions,
) -> Vec<Replacement> {
    let instances = validated.instances();
    let graph = instances.graph();
    let absent = Absent::default();
    let mut walk = walk::Walk::new(validated, report, &instances, &graph, (request, options, &absent));
    walk.hides_secrets = true;
    if validated.is_clean && is_sound(report) && !walk.removed() {
        walk.run();
    } else {
        walk.define();
    }
    replacements::collect(&walk)
}

/// Whether the tool gets as far as the values: nothing of the root module that it finds before them has an error. Whatever
/// is wrong with the value of a single variable stops only what depends on it.
fn is_sound(report: &Report<'_>) -> bool {
    !report.diagnostics.iter().any(|finding| {
        finding.severity == Severity::Error && finding.origin == Origin::Tool && finding.phase() != Phase::Resolution
    })
}

//! Evaluates a whole tree of modules as the tool does when it plans without a state (plan.md).

mod configuration;
mod relevant;

use crate::loading::{Report, Request};
use crate::plan::{Plan, PlanOptions};
use crate::validate::Looked;
use crate::validate::instances::Instances;
use overfold_base::diag::Diagnostics;
use overfold_base::files::FileSet;

/// What came of a plan.
pub(crate) struct Planned {
    /// The plan; `None` where the tool writes none.
    pub(crate) plan: Option<Plan>,
    /// What was found on the way.
    pub(crate) found: Diagnostics,
}

/// Plans the tree, if nothing before has an error.
pub(crate) fn run(
    looked: &Looked<'_, '_>,
    _report: &Report<'_>,
    _files: &FileSet,
    _request: &Request,
    _options: &PlanOptions,
) -> Planned {
    let instances = Instances::of(looked.walked, 0);
    let configuration = configuration::of(looked, &instances);
    let relevant_attributes = relevant::of(&instances, &[], &[]);
    let plan = Plan {
        variables: Vec::new(),
        outputs: Vec::new(),
        resources: Vec::new(),
        checks: Vec::new(),
        relevant_attributes,
        configuration,
        timestamp: None,
        errored: false,
        missing: Vec::new(),
    };
    Planned { plan: Some(plan), found: Diagnostics::new() }
}

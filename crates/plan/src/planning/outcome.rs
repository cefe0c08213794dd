//! The plan, put together from what the walk computed.

use std::cmp::Ordering;
use std::sync::Arc;

use super::Planned;
use super::walk::Walk;
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::written::{order, order_of_pieces};
use overfold_load::plan::{
    CheckedInstance, CheckedObject, InstanceKey, Missing, ModuleAddress, Origins, Plan, PlannedResource,
    PlannedVariable, ResourceMode,
};
use overfold_load::vars::ValueOrigin;
use overfold_value::Value;

/// Returns what came of a walk.
pub(super) fn from_walk(mut walk: Walk<'_, '_, '_>) -> Planned {
    let errored = walk.is_errored();
    let variables = variables(&walk);
    let mut resources = std::mem::take(&mut walk.resources);
    resources.sort_by(order_of_resources);
    let mut outputs = std::mem::take(&mut walk.outputs);
    outputs.sort_by(|left, right| order(&left.name, &right.name));
    let mut checks: Vec<CheckedObject> = std::mem::take(&mut walk.checks).into_values().collect();
    for checked in &mut checks {
        for instance in &mut checked.instances {
            let text = |problem: &Value| problem.as_shared_text().map(Arc::clone).unwrap_or_default();
            instance.problems.sort_by(|left, right| order(&text(left), &text(right)));
        }
        checked.instances.sort_by(order_of_checked);
    }
    checks.sort_by(|left, right| order_of_pieces(left.pieces(), right.pieces()));
    let mut missing = std::mem::take(&mut walk.missing);
    missing.extend(walk.absent.has_time().then_some(Missing::Timestamp));
    missing.extend(walk.absent.files().into_iter().map(|path| Missing::File { path }));
    missing.extend(walk.absent.functions().into_iter().map(|name| Missing::ProviderFunction { name }));
    missing.extend(unset(&walk));
    if !overfold_dialect::is_recorded(walk.report.dialect.name, walk.report.dialect.version) {
        missing.push(Missing::VersionUnrecorded { version: Arc::from(walk.report.dialect.version) });
    }
    let lacking = std::mem::take(&mut walk.lacking).into_iter();
    let schemas = walk.validated.walk.schemas.known();
    missing.extend(lacking.map(|(provider, resources)| {
        let problem = schemas.problem(&provider).map(Arc::from);
        Missing::ProviderSchema { provider, resources, problem }
    }));
    let defaulting = std::mem::take(&mut walk.defaulting).into_iter();
    missing.extend(defaulting.map(|(provider, resources)| Missing::ProviderDefault { provider, resources }));
    missing.sort_by(order_of_missing);
    let changed = changed_outputs(&walk);
    let relevant_attributes = super::relevant_attributes::collect(walk.instances, &resources, &changed);
    let origins = walk.options.with_origins.then(|| Origins {
        moves: walk.moves(),
        removals: walk.removals(),
        overridings: walk.overridings(),
        ..super::relevant_attributes::origins(walk.instances, &resources, &outputs, walk.unplanned_calls())
    });
    let plan = Plan {
        variables,
        outputs,
        resources: resources.into_vec(),
        checks,
        relevant_attributes,
        configuration: super::configuration::build(walk.validated, walk.instances, walk.options.max_depth),
        timestamp: walk.options.timestamp.as_deref().map(str::to_owned),
        errored,
        missing: missing.into_vec(),
        emulated: walk.options.emulated.clone(),
        provider_schemas: schemas.used(),
        origins,
    };
    Planned { plan: Some(plan), found: walk.out, hides_variables: false }
}

/// Returns the outputs of all module instances whose value is not null.
fn changed_outputs(walk: &Walk<'_, '_, '_>) -> Vec<(ModuleAddress, Arc<str>)> {
    let instances = walk.expanded.iter().flat_map(|expanded| &expanded.instances);
    let mut changed = List::new();
    for instance in instances {
        let names = instance.outputs.iter().filter(|(_, value)| !value.is_null()).map(|(name, _)| *name);
        let mut names: Vec<&str> = names.collect();
        names.sort_unstable_by(|left, right| order(left, right));
        for name in names.touched_by(|name| name.len()) {
            changed.push((instance.address.clone(), Arc::from(name)));
        }
    }
    changed.into_vec()
}

/// Returns the variables of the root module that are unknown because they have no value.
fn unset<'w>(walk: &'w Walk<'_, '_, '_>) -> impl Iterator<Item = Missing> + use<'w> {
    let resolved = walk.report.variables.iter().flat_map(|resolved| &resolved.list);
    let unset = resolved.filter(|variable| variable.raw.as_ref().is_some_and(|value| value.marks().is_inexact()));
    unset.map(|variable| Missing::Variable { name: Arc::clone(&variable.name) })
}

/// Returns the variables of the root module that have a value.
fn variables(walk: &Walk<'_, '_, '_>) -> Vec<PlannedVariable> {
    let Some(resolved) = &walk.report.variables else { return Vec::new() };
    let mut variables: Vec<PlannedVariable> = resolved
        .list
        .iter()
        .charged(4)
        .filter_map(|variable| {
            let marks = variable.marks;
            let is_given = variable.from.iter().any(|from| *from != ValueOrigin::Default) || variable.is_given;
            if marks.is_ephemeral() && is_given {
                // The tool does not keep what was given, and prints the default in its place.
                let declared = walk.walked(0)?.evaluation.evaluator.known.definitions;
                let default = declared.variable(declared.variable_named(&variable.name)?).default()?.clone();
                return Some(PlannedVariable { name: Arc::clone(&variable.name), value: default.with_marks(marks) });
            }
            // A variable without a value is no part of a plan, even if it is taken to be unknown.
            let value = variable.raw.clone().filter(|value| !value.marks().is_inexact())?;
            Some(PlannedVariable { name: Arc::clone(&variable.name), value: value.with_marks(marks) })
        })
        .collect();
    variables.sort_by(|left, right| order(&left.name, &right.name));
    variables
}

/// The order of instances (plan.md, section 14): the number of module steps, then the steps, data sources before managed
/// resources, type, name, key.
fn order_of_resources(left: &PlannedResource, right: &PlannedResource) -> Ordering {
    let rank = |resource: &PlannedResource| match resource.mode {
        ResourceMode::Data => 0,
        ResourceMode::Ephemeral => 1,
        _ => 2,
    };
    order_of_modules(&left.module, &right.module)
        .then_with(|| rank(left).cmp(&rank(right)))
        .then_with(|| order(&left.type_name, &right.type_name))
        .then_with(|| order(&left.name, &right.name))
        .then_with(|| order_of_keys(left.key.as_ref(), right.key.as_ref()))
}

/// The order of module instances: the number of steps, then the steps. What both have from the same call is not compared
/// byte by byte.
fn order_of_modules(left: &ModuleAddress, right: &ModuleAddress) -> Ordering {
    if Arc::ptr_eq(&left.0, &right.0) {
        return Ordering::Equal;
    }
    let steps = left.0.iter().zip(right.0.iter()).map(|(own, other)| {
        order(&own.name, &other.name).then_with(|| order_of_keys(own.key.as_ref(), other.key.as_ref()))
    });
    left.0.len().cmp(&right.0.len()).then_with(|| first_difference(steps))
}

fn first_difference(mut parts: impl Iterator<Item = Ordering>) -> Ordering {
    parts.find(|part| part.is_ne()).unwrap_or(Ordering::Equal)
}

/// The order of the instances of one object with conditions: that of their displayed addresses (plan.md, section 17), which
/// differ in nothing but the keys.
fn order_of_checked(left: &CheckedInstance, right: &CheckedInstance) -> Ordering {
    let keys = left.module.0.iter().zip(right.module.0.iter());
    let keys = keys.filter(|_| !Arc::ptr_eq(&left.module.0, &right.module.0));
    let keys = keys.map(|(own, other)| order_of_displayed_keys(own.key.as_ref(), other.key.as_ref()));
    first_difference(keys).then_with(|| order_of_displayed_keys(left.key.as_ref(), right.key.as_ref()))
}

/// Compares keys as they are displayed. None is a part of another, so what follows them does not matter.
fn order_of_displayed_keys(left: Option<&InstanceKey>, right: Option<&InstanceKey>) -> Ordering {
    account::work(2);
    match (left, right) {
        (Some(own), Some(other)) => own.order_of_displays(other),
        (own, other) => own.is_some().cmp(&other.is_some()),
    }
}

/// The order in which a plan lists what was not given.
fn order_of_missing(left: &Missing, right: &Missing) -> Ordering {
    account::touch(left.length().min(right.length()));
    left.cmp(right)
}

/// Compares keys in the order of the tool.
fn order_of_keys(left: Option<&InstanceKey>, right: Option<&InstanceKey>) -> Ordering {
    match (Key::new(left), Key::new(right)) {
        (Key::Text(own), Key::Text(other)) => order(own, other),
        (own, other) => own.cmp(&other),
    }
}

/// A key in the order of the tool: none, then numbers, then strings.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'k> {
    Nothing,
    Number(i64),
    Text(&'k str),
}

impl<'k> Key<'k> {
    fn new(key: Option<&'k InstanceKey>) -> Self {
        match key {
            None => Self::Nothing,
            Some(InstanceKey::Number(number)) => Self::Number(*number),
            Some(InstanceKey::Text(text)) => Self::Text(text),
        }
    }
}

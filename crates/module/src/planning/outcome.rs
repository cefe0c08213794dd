//! The plan, put together from what the walk computed.

use std::sync::Arc;

use super::Planned;
use super::walk::Walk;
use crate::plan::{
    CheckStatus, CheckedObject, InstanceKey, Missing, ModuleAddress, Plan, PlannedResource, PlannedVariable,
    ResourceMode,
};
use crate::vars::ValueOrigin;
use overfold_base::account;
use overfold_dialect::PlanDocument;

/// Returns what came of a walk.
pub(super) fn of(mut walk: Walk<'_, '_, '_>) -> Planned {
    let errored = walk.is_errored();
    let variables = variables(&walk);
    let mut resources = std::mem::take(&mut walk.resources);
    account::work(resources.len() as u64 * 16);
    resources.sort_by(|left, right| order(left).cmp(&order(right)));
    let mut outputs = std::mem::take(&mut walk.outputs);
    outputs.sort_by(|left, right| left.name.cmp(&right.name));
    let mut checks: Vec<CheckedObject> = std::mem::take(&mut walk.checks).into_values().collect();
    for checked in &mut checks {
        for instance in &mut checked.instances {
            instance.problems.sort_by(|left, right| left.as_text().cmp(&right.as_text()));
        }
        checked.instances.sort_by_cached_key(|instance| {
            let key = instance.key.as_ref().map_or_else(String::new, ToString::to_string);
            (instance.module.to_string(), key)
        });
        if checked.instances.is_empty() && checked.status == CheckStatus::Fail {
            checked.status = CheckStatus::Unknown;
        }
    }
    checks.sort_by_cached_key(CheckedObject::display);
    let mut missing = std::mem::take(&mut walk.missing);
    missing.extend(walk.absent.has_time().then_some(Missing::Timestamp));
    missing.extend(walk.absent.files().into_iter().map(|path| Missing::File { path }));
    missing.extend(walk.absent.functions().into_iter().map(|name| Missing::ProviderFunction { name }));
    missing.extend(unset(&walk));
    if !PlanDocument::of(walk.report.dialect).is_recorded() {
        missing.push(Missing::VersionUnrecorded { version: Arc::from(walk.report.dialect.version) });
    }
    missing.sort();
    let changed = changed_outputs(&walk);
    let relevant_attributes = super::relevant::of(walk.instances, &resources, &changed);
    let plan = Plan {
        variables,
        outputs,
        resources,
        checks,
        relevant_attributes,
        configuration: super::configuration::of(walk.looked, walk.instances, walk.options.max_depth),
        timestamp: walk.options.timestamp.as_deref().map(str::to_owned),
        errored,
        missing,
    };
    Planned { plan: Some(plan), found: walk.out }
}

/// Returns the outputs of all module instances whose value is not null.
fn changed_outputs(walk: &Walk<'_, '_, '_>) -> Vec<(ModuleAddress, Arc<str>)> {
    let instances = walk.expanded.iter().flat_map(|expanded| &expanded.instances);
    let mut changed = Vec::new();
    for instance in instances {
        let names = instance.outputs.iter().filter(|(_, value)| !value.is_null()).map(|(name, _)| *name);
        let mut names: Vec<&str> = names.collect();
        account::work(names.len() as u64 * 4);
        names.sort_unstable();
        for name in names {
            account::push(&mut changed, (instance.address.clone(), Arc::from(name)));
        }
    }
    changed
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
        .filter_map(|variable| {
            account::work(4);
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
    variables.sort_by(|left, right| left.name.cmp(&right.name));
    variables
}

/// By what the instances are sorted (plan.md, section 14): the number of module steps, then the steps, data sources before
/// managed resources, type, name, key.
fn order(resource: &PlannedResource) -> impl Ord {
    let steps: Vec<(&str, Key<'_>)> =
        resource.module.0.iter().map(|step| (&*step.name, Key::of(step.key.as_ref()))).collect();
    (
        resource.module.0.len(),
        steps,
        resource.mode != ResourceMode::Data,
        &*resource.type_name,
        &*resource.name,
        Key::of(resource.key.as_ref()),
    )
}

/// A key in the order of the tool: none, then numbers, then strings.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
enum Key<'k> {
    Nothing,
    Number(i64),
    Text(&'k str),
}

impl<'k> Key<'k> {
    fn of(key: Option<&'k InstanceKey>) -> Self {
        match key {
            None => Self::Nothing,
            Some(InstanceKey::Number(number)) => Self::Number(*number),
            Some(InstanceKey::Text(text)) => Self::Text(text),
        }
    }
}

//! Compares two plans, instance by instance: what a change of the configuration does to the objects, without a state.
//!
//! Instances are paired by their address, after the `moved` blocks of the second side (`moves`). Their planned values are
//! compared as deep as they differ (`values`): what is absent or null on both sides is the same, and so is what is not known
//! on both sides and depends on the same. What was removed and what was added look for each other (`suggestions`).

mod by_root;
mod calls;
mod causes;
mod checks;
mod json;
mod markdown;
mod moves;
mod roots;
mod suggestions;
mod text;
mod upgrade;
mod values;
mod verdict;

use std::borrow::Cow;

use super::findings::{self, Findings};
use super::overridden::{self, OverriddenEdit};
use super::{DifferenceForm, DifferenceKind, Links};
use crate::redaction::Redaction;
use crate::view::PlanDiffCounts;
use calls::{CallChange, call_changes};
use causes::ChangedVariables;
use checks::{CheckChange, check_changes};
pub(crate) use json::{CallChanges, CheckChanges, InstanceChanges, OutputChanges, SuggestedMoves, ValueChanges};
use moves::Pairing;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Secrecy;
use overfold_base::named;
use overfold_module::pipeline::Report;
use overfold_module::plan::{PartOrigin, Plan, PlannedOutput, PlannedResource, ResourceMode, ResourceOrigin};
use overfold_value::{Marks, Value};
pub use roots::{PlanDifferences, RootSide};
use suggestions::{PlanSide, suggested};
pub use upgrade::{UpgradeDifference, UpgradeDifferences, UpgradeKeys, UpgradeKind, UpgradeVerdict, upgrade_keys};
use values::{ValueRules, differences};

/// The differences between the plans of two reports.
pub struct PlanDifference<'r> {
    before: &'r Report<'r>,
    after: &'r Report<'r>,
    /// The highest secrecy of values that may be shown.
    shown: Secrecy,
    /// What was compared; `None` if a side has no plan, or one with errors.
    compared: Option<ComparedPlans<'r>>,
    /// What was edited without an effect.
    overridden: Vec<OverriddenEdit>,
    findings: Findings,
}

/// What differs between two plans.
#[derive(Default)]
struct ComparedPlans<'r> {
    /// The instances that differ, in the order of the second plan, and then those that are gone, in that of the first one.
    instances: Vec<InstanceChange<'r>>,
    outputs: Vec<OutputChange<'r>>,
    checks: Vec<CheckChange<'r>>,
    calls: Vec<CallChange<'r>>,
    suggested_moves: Vec<SuggestedMove>,
    variables: ChangedVariables,
    counts: PlanDiffCounts,
}

/// An instance that is not the same on both sides.
struct InstanceChange<'r> {
    /// The address on the second side; on the first one, if it is gone.
    address: Box<str>,
    /// The address on the first side, if it is another one.
    previous_address: Option<Box<str>>,
    change: InstanceChangeKind,
    /// Whether it is removed, and a `removed` block says that it is not destroyed.
    is_forgotten: bool,
    /// The instance.
    resource: &'r PlannedResource,
    /// Where it stands on the sides that have it.
    origins: [Option<&'r ResourceOrigin>; 2],
    values: Vec<ValueChange<'r>>,
}

named! {
    /// What happened to an instance.
    #[schema(as = PlanDiffAct)]
    pub enum InstanceChangeKind {
        /// It is planned only after the change.
        Added = "added",
        /// It was planned only before the change.
        Removed = "removed",
        /// Its values differ.
        Changed = "changed",
        /// Its address differs by a `moved` block, or because `count` was added or removed.
        Moved = "moved",
    }
}

impl InstanceChangeKind {
    /// A one-character sign for people.
    const fn sign(self) -> char {
        match self {
            Self::Added => '+',
            Self::Removed => '-',
            Self::Changed => '~',
            Self::Moved => '>',
        }
    }
}

/// A value that is not the same on both sides.
struct ValueChange<'r> {
    /// JSON Pointer into the planned object of the second side; of the first one, if it is gone.
    pointer: Box<str>,
    /// The same as a person writes it.
    path: Box<str>,
    change: DifferenceKind,
    sides: [Option<ValueSide<'r>>; 2],
    /// What sets the value or what is around it, also on a side that does not have it.
    origins: [Option<&'r PartOrigin>; 2],
    /// Whether neither side may be shown.
    is_hidden: bool,
}

/// A value on one side.
#[derive(Clone, Copy)]
struct ValueSide<'r> {
    value: &'r Value,
    /// What sets it.
    origin: Option<&'r PartOrigin>,
}

/// An output that is not the same on both sides.
struct OutputChange<'r> {
    name: &'r str,
    change: DifferenceKind,
    sides: [Option<ValueSide<'r>>; 2],
    is_hidden: bool,
}

/// A `moved` block that would keep an object.
#[derive(Debug)]
struct SuggestedMove {
    from: Box<str>,
    to: Box<str>,
}

impl InstanceChange<'_> {
    /// Whether it is there on each side.
    const fn exists(&self) -> [bool; 2] {
        [!matches!(self.change, InstanceChangeKind::Added), !matches!(self.change, InstanceChangeKind::Removed)]
    }
}

impl SuggestedMove {
    /// Returns the block.
    fn block(&self) -> String {
        account::copy(self.from.len() + self.to.len());
        format!("moved {{\n  from = {}\n  to   = {}\n}}\n", self.from, self.to)
    }
}

impl<'r> PlanDifference<'r> {
    /// Compares the plans of two reports, which were asked for their origins.
    pub fn of(before: &'r Report<'r>, after: &'r Report<'r>) -> Self {
        let is_revealed = before.reveal_sensitive && after.reveal_sensitive;
        let shown = if is_revealed { Secrecy::Sensitive } else { Secrecy::Open };
        let findings = Findings::of([before, after], [&Redaction::of(before), &Redaction::of(after)]);
        let compared = match (sound_plan(before), sound_plan(after)) {
            (Some(was), Some(is)) => Some(ComparedPlans::of(was, is, shown, false)),
            _ => None,
        };
        let overridings = [before, after].map(|report| sound_plan(report).and_then(|plan| plan.origins.as_ref()));
        let overridings = overridings.map(|origins| origins.map_or(&[][..], |origins| &origins.overridings));
        let overridden = overridden::edits([before.forest, after.forest], overridings);
        Self { before, after, shown, compared, overridden, findings }
    }

    /// Whether the plans differ. Diagnostics are ignored; a side without a plan cannot be said to be the same.
    pub fn is_different(&self) -> bool {
        self.compared.as_ref().is_none_or(|found| {
            !found.instances.is_empty()
                || !found.outputs.is_empty()
                || !found.checks.is_empty()
                || !found.calls.is_empty()
        })
    }

    /// Returns the difference in the given form, as bytes. `links` are those of a comment.
    pub fn write(&self, form: DifferenceForm, links: Links<'_>) -> Vec<u8> {
        match form {
            DifferenceForm::Json => json::write(self, [true; 2]).into_bytes(),
            DifferenceForm::Markdown => markdown::write(self, links).into_bytes(),
            DifferenceForm::Text => text::write(self).into_bytes(),
        }
    }

    /// Returns the errors of both sides as one line each, if they keep the plans from being compared.
    fn shared_errors(&self) -> Vec<String> {
        if self.compared.is_some() {
            return Vec::new();
        }
        findings::lines(self.after, &findings::other_errors(self.after, &self.findings.appeared))
    }

    fn counts(&self) -> PlanDiffCounts {
        self.compared.as_ref().map_or_else(PlanDiffCounts::default, |found| found.counts)
    }

    /// Says which side has no plan that can be compared; `None` if both have one.
    fn not_compared(&self) -> Option<&'static str> {
        match (sound_plan(self.before), sound_plan(self.after)) {
            (Some(_), Some(_)) => None,
            (None, Some(_)) => Some("not compared: there is no plan without errors before the change"),
            (Some(_), None) => Some("not compared: there is no plan without errors after the change"),
            (None, None) => Some("not compared: there is no plan without errors on either side"),
        }
    }
}

/// Returns the plan of a report. A plan with errors is none: what an error has kept out of it would count as removed.
fn sound_plan<'r>(report: &'r Report<'_>) -> Option<&'r Plan> {
    report.plan.as_ref().filter(|plan| !plan.errored)
}

impl<'r> ComparedPlans<'r> {
    /// Compares two plans; `ignores_origins` says whether what is not known on both sides is the same wherever it comes from.
    fn of(before: &'r Plan, after: &'r Plan, shown: Secrecy, ignores_origins: bool) -> Self {
        let mut pairing = moves::pair(before, after);
        let addresses = std::mem::take(&mut pairing.addresses);
        let rules = ValueRules { shown, renamed: &pairing.renamed, ignores_origins };
        let mut found = Self::default();
        found.compare_instances([before, after], &pairing, &addresses, rules);
        found.outputs = output_changes([before, after], rules);
        found.checks = check_changes([before, after], &pairing.renamed);
        found.calls = call_changes([before, after], &pairing.renamed, rules);
        found.variables = ChangedVariables::between([before, after], rules);
        let [first, second] = &addresses;
        let lost = pairing.removed.iter().copied().filter(|at| !pairing.named.contains_key(at)).charged(1);
        let lost: Vec<usize> = lost.collect();
        let sides = [
            PlanSide { plan: before, addresses: first, alone: &lost },
            PlanSide { plan: after, addresses: second, alone: &pairing.added },
        ];
        found.suggested_moves = suggested(sides, &pairing.renamed, shown);
        found
    }

    fn compare_instances(
        &mut self,
        [before, after]: [&'r Plan; 2],
        pairing: &Pairing,
        [was, is]: &[Vec<Box<str>>; 2],
        rules: ValueRules<'_>,
    ) {
        let own = |address: Option<&Box<str>>| {
            let address = address.map_or("", |address| address);
            account::copy(address.len());
            account::grow(address.len() as u64 + size_of::<InstanceChange<'_>>() as u64);
            Box::<str>::from(address)
        };
        let mut list: Vec<(usize, InstanceChange<'r>)> = Vec::new();
        for &(first, second, is_moved) in &pairing.both {
            account::work(8);
            let (Some(old), Some(resource)) = (before.resources.get(first), after.resources.get(second)) else {
                continue;
            };
            let origins = [origin(before, first), origin(after, second)];
            let parts = origins.map(|origin| origin.map_or(&[][..], |origin| &origin.parts));
            let values = differences(rules, parts, [Some(&old.change.after), Some(&resource.change.after)]);
            let change = match (is_moved, values.is_empty()) {
                (true, _) => InstanceChangeKind::Moved,
                (false, false) => InstanceChangeKind::Changed,
                (false, true) => {
                    self.counts.unchanged += 1;
                    continue;
                }
            };
            let previous_address = is_moved.then(|| own(was.get(first)));
            let address = own(is.get(second));
            let change =
                InstanceChange { address, previous_address, change, is_forgotten: false, resource, origins, values };
            account::push(&mut list, (second, change));
        }
        for &second in &pairing.added {
            account::work(8);
            let Some(resource) = after.resources.get(second) else { continue };
            let change = InstanceChange {
                address: own(is.get(second)),
                previous_address: None,
                change: InstanceChangeKind::Added,
                is_forgotten: false,
                resource,
                origins: [None, origin(after, second)],
                values: Vec::new(),
            };
            account::push(&mut list, (second, change));
        }
        list.sort_by_key(|(second, _)| *second);
        self.instances = list.into_iter().map(|(_, change)| change).collect();
        for &first in &pairing.removed {
            account::work(8);
            let Some(resource) = before.resources.get(first) else { continue };
            let change = InstanceChange {
                address: own(was.get(first)),
                previous_address: None,
                change: InstanceChangeKind::Removed,
                is_forgotten: pairing.named.get(&first) == Some(&false) && resource.mode == ResourceMode::Managed,
                resource,
                origins: [origin(before, first), None],
                values: Vec::new(),
            };
            account::push(&mut self.instances, change);
        }
        for instance in &self.instances {
            match instance.change {
                InstanceChangeKind::Added => self.counts.added += 1,
                InstanceChangeKind::Removed => self.counts.removed += 1,
                InstanceChangeKind::Changed => self.counts.changed += 1,
                InstanceChangeKind::Moved => self.counts.moved += 1,
            }
        }
    }
}

/// Returns the origin of an instance.
fn origin(plan: &Plan, at: usize) -> Option<&ResourceOrigin> {
    plan.origins.as_ref()?.resources.get(at).map(|origin| &**origin)
}

/// Compares the outputs of the root modules, which are in order of name.
fn output_changes<'r>(plans: [&'r Plan; 2], rules: ValueRules<'_>) -> Vec<OutputChange<'r>> {
    type OutputWithOrigin<'r> = (&'r PlannedOutput, Option<&'r PartOrigin>);
    let [before, after] = plans;
    let found = |plan: &'r Plan, at: usize| -> Option<OutputWithOrigin<'r>> {
        let output = plan.outputs.get(at).filter(|output| !output.value.is_null())?;
        Some((output, plan.origins.as_ref().and_then(|origins| origins.outputs.get(at))))
    };
    let mut changes = Vec::new();
    let mut names: Vec<(&'r str, [Option<usize>; 2])> = Vec::new();
    let (mut first, mut second) = (0, 0);
    while first < before.outputs.len() || second < after.outputs.len() {
        account::work(8);
        let (was, is) = (before.outputs.get(first), after.outputs.get(second));
        let order = match (was, is) {
            (Some(was), Some(is)) => overfold_base::written::order(&was.name, &is.name),
            (Some(_), None) => std::cmp::Ordering::Less,
            _ => std::cmp::Ordering::Greater,
        };
        let name = if order.is_le() { was } else { is };
        let places = [order.is_le().then_some(first), order.is_ge().then_some(second)];
        account::push(&mut names, (name.map_or("", |output| &output.name), places));
        first += usize::from(order.is_le());
        second += usize::from(order.is_ge());
    }
    for (name, [first, second]) in names {
        let sides = [first.and_then(|at| found(before, at)), second.and_then(|at| found(after, at))];
        let secrecy = |(output, _): OutputWithOrigin<'r>| {
            let declared = if output.sensitive { Marks::SENSITIVE } else { Marks::NONE };
            output.value.deep_marks().and(declared).secrecy()
        };
        let is_hidden = sides.iter().flatten().any(|found| secrecy(*found) > rules.shown);
        let parts = sides.map(|side| side.and_then(|(_, origin)| origin).map_or(&[][..], std::slice::from_ref));
        let values = sides.map(|side| side.map(|(output, _)| &output.value));
        if differences(rules, parts, values).is_empty() {
            continue;
        }
        let change = match values {
            [None, _] => DifferenceKind::Added,
            [_, None] => DifferenceKind::Removed,
            _ => DifferenceKind::Changed,
        };
        let sides = sides.map(|side| side.map(|(output, origin)| ValueSide { value: &output.value, origin }));
        account::push(&mut changes, OutputChange { name, change, sides, is_hidden });
    }
    changes
}

/// Returns the file in which an override set a value.
fn override_file<'r>(report: &'r Report<'_>, side: Option<&ValueSide<'_>>) -> Option<Cow<'r, str>> {
    let origin = side?.origin.filter(|origin| origin.is_overridden)?;
    Some(Cow::Borrowed(report.forest.sources.name(origin.span?.source)))
}

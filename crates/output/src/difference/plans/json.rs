//! A difference between plans as JSON.

use serde::{Serialize, Serializer};

use super::calls::CallChange;
use super::checks::CheckChange;
use super::{InstanceChange, OutputChange, PlanDifference, SuggestedMove, ValueChange, ValueSide, override_file};
use crate::answer::dropped;
use crate::diagnostics::DiagnosticList;
use crate::json::{JsonText, JsonWriter};
use crate::plan::{MissingInputs, check_status, is_exact, missing_inputs, mode, value_text};
use crate::redaction::Redaction;
use crate::view::{
    DiffDiagnostics, PlanDiffAnswer, PlanDiffCall, PlanDiffCheck, PlanDiffCheckSide, PlanDiffInstance, PlanDiffMove,
    PlanDiffOutput, PlanDiffOverride, PlanDiffPlace, PlanDiffSide, PlanDiffValue, PlanDiffValueSide, Range,
    VersionFrom,
};
use overfold_module::pipeline::Report;
use overfold_module::plan::{CheckedObject, Missing, ResourceOrigin, UnplannedCall};
use overfold_module::repository::RootModules;

/// Writes the answer; `exists` says which sides have the root module.
pub(super) fn write(difference: &PlanDifference<'_>, exists: [bool; 2]) -> JsonWriter {
    let mut json = JsonWriter::with_capacity(1024);
    let redactions = [difference.before, difference.after].map(Redaction::of);
    let [was, is] = &redactions;
    let missing = [difference.before, difference.after].map(missing_inputs);
    json.view(&PlanDiffAnswer {
        different: difference.is_different(),
        compared: difference.compared.is_none().then_some(false),
        before: PlanDiffSide { exists: (!exists[0]).then_some(false), ..side(difference.before, &missing[0]) },
        after: PlanDiffSide { exists: (!exists[1]).then_some(false), ..side(difference.after, &missing[1]) },
        counts: difference.counts(),
        instances: Some(InstanceChanges(difference)),
        outputs: Some(OutputChanges(difference)),
        checks: Some(CheckChanges(difference)),
        calls: difference.compared.as_ref().filter(|found| !found.calls.is_empty()).map(|_| CallChanges(difference)),
        suggested_moves: Some(SuggestedMoves(difference)),
        plans: None,
        diagnostics: DiffDiagnostics {
            appeared: &difference.findings.appeared,
            vanished: &difference.findings.vanished,
            before: DiagnosticList::of(difference.before, was),
            after: DiagnosticList::of(difference.after, is),
        },
    });
    json
}

pub(super) fn side<'a>(report: &'a Report<'_>, missing: &'a [Missing]) -> PlanDiffSide<'a> {
    PlanDiffSide {
        valid: !report.diagnostics.has_errors(),
        dialect: report.dialect.name,
        version: &report.version,
        version_from: report.version_from.as_deref().map(VersionFrom::new),
        path: if report.root.is_empty() { "." } else { &report.root },
        exists: None,
        exact: is_exact(report, missing),
        missing: MissingInputs::new(missing),
        diagnostics_dropped: dropped(report.dropped()),
    }
}

/// Describes the side of root modules that are searched for in a directory; `valid` and `exact` are about all that were
/// found.
pub(super) fn side_of_roots<'a>(found: &'a RootModules, root: &'a str, valid: bool, exact: bool) -> PlanDiffSide<'a> {
    let is_whole = found.left_out.is_empty();
    PlanDiffSide {
        valid: valid && is_whole,
        dialect: found.dialect.name,
        version: found.version(),
        version_from: found.module.version_from.as_deref().map(VersionFrom::new),
        path: if root.is_empty() { "." } else { root },
        exists: None,
        exact: exact && is_whole,
        missing: MissingInputs::new(&[]),
        diagnostics_dropped: None,
    }
}

/// The instances that are not the same.
pub struct InstanceChanges<'a>(&'a PlanDifference<'a>);

/// The outputs that are not the same.
pub struct OutputChanges<'a>(&'a PlanDifference<'a>);

/// The objects with conditions whose results are not the same.
pub struct CheckChanges<'a>(&'a PlanDifference<'a>);

/// The calls of modules that were not given which are not the same.
pub struct CallChanges<'a>(&'a PlanDifference<'a>);

/// The `moved` blocks that would keep objects.
pub struct SuggestedMoves<'a>(&'a PlanDifference<'a>);

/// The values of an instance that are not the same.
pub struct ValueChanges<'a> {
    difference: &'a PlanDifference<'a>,
    list: &'a [ValueChange<'a>],
}

impl Serialize for InstanceChanges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let instances = self.0.compared.iter().flat_map(|found| &found.instances);
        serializer.collect_seq(instances.map(|change| self.0.instance(change)))
    }
}

impl Serialize for OutputChanges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let outputs = self.0.compared.iter().flat_map(|found| &found.outputs);
        serializer.collect_seq(outputs.map(|change| self.0.output(change)))
    }
}

impl Serialize for CheckChanges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let checks = self.0.compared.iter().flat_map(|found| &found.checks);
        serializer.collect_seq(checks.map(|change| self.0.check(change)))
    }
}

impl Serialize for CallChanges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let calls = self.0.compared.iter().flat_map(|found| &found.calls);
        serializer.collect_seq(calls.map(|change| self.0.call(change)))
    }
}

impl Serialize for SuggestedMoves<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let moves = self.0.compared.iter().flat_map(|found| &found.suggested_moves);
        serializer.collect_seq(moves.map(|SuggestedMove { from, to }| PlanDiffMove { from, to }))
    }
}

impl Serialize for ValueChanges<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.list.iter().map(|change| self.difference.value(change)))
    }
}

impl PlanDifference<'_> {
    fn instance<'a>(&'a self, change: &'a InstanceChange<'a>) -> PlanDiffInstance<'a> {
        let place = |report: &'a Report<'_>, origin: Option<&'a ResourceOrigin>, is_there: bool| {
            let header = origin.and_then(|origin| origin.header);
            is_there.then(|| PlanDiffPlace { range: header.map(|span| Range::of(&report.forest.sources, span)) })
        };
        let [was, is] = change.exists();
        PlanDiffInstance {
            address: &change.address,
            previous_address: change.previous_address.as_deref(),
            change: change.change,
            forgotten: change.is_forgotten.then_some(true),
            mode: mode(change.resource.mode),
            type_: &change.resource.type_name,
            name: &change.resource.name,
            provider_name: &change.resource.provider_name,
            before: place(self.before, change.origins[0], was),
            after: place(self.after, change.origins[1], is),
            values: (!change.values.is_empty()).then_some(ValueChanges { difference: self, list: &change.values }),
        }
    }

    fn call<'a>(&'a self, change: &'a CallChange<'a>) -> PlanDiffCall<'a> {
        let place = |report: &'a Report<'_>, call: Option<&'a UnplannedCall>| {
            let header = call?.origin.header;
            Some(PlanDiffPlace { range: header.map(|span| Range::of(&report.forest.sources, span)) })
        };
        PlanDiffCall {
            address: &change.address,
            previous_address: change.previous_address.as_deref(),
            change: change.change,
            before: place(self.before, change.sides[0]),
            after: place(self.after, change.sides[1]),
            values: (!change.values.is_empty()).then_some(ValueChanges { difference: self, list: &change.values }),
        }
    }

    fn value<'a>(&'a self, change: &'a ValueChange<'a>) -> PlanDiffValue<'a> {
        let [was, is] = &change.sides;
        let [before, after] = [override_file(self.before, was.as_ref()), override_file(self.after, is.as_ref())];
        let has_override = before.is_some() || after.is_some();
        PlanDiffValue {
            pointer: &change.pointer,
            change: change.change,
            before: self.value_side(self.before, was.as_ref(), change.is_hidden),
            after: self.value_side(self.after, is.as_ref(), change.is_hidden),
            override_: has_override.then_some(PlanDiffOverride { before, after }),
        }
    }

    fn value_side<'a>(
        &self,
        report: &'a Report<'_>,
        side: Option<&ValueSide<'_>>,
        is_hidden: bool,
    ) -> Option<PlanDiffValueSide<'a>> {
        let ValueSide { value, origin } = side?;
        let is_shown = !is_hidden && value.is_known();
        let text = is_shown.then(|| JsonText::streamed(|json| value_text(json, report, value, self.shown)));
        Some(PlanDiffValueSide {
            value: text,
            unknown: (!is_hidden && !value.is_wholly_known()).then_some(true),
            redacted: is_hidden.then_some(true),
            range: origin.and_then(|origin| origin.span).map(|span| Range::of(&report.forest.sources, span)),
        })
    }

    fn output<'a>(&'a self, change: &'a OutputChange<'a>) -> PlanDiffOutput<'a> {
        let [was, is] = &change.sides;
        PlanDiffOutput {
            address: format!("output.{}", change.name),
            change: change.change,
            before: self.value_side(self.before, was.as_ref(), change.is_hidden),
            after: self.value_side(self.after, is.as_ref(), change.is_hidden),
        }
    }

    fn check<'a>(&'a self, change: &'a CheckChange<'a>) -> PlanDiffCheck<'a> {
        let side = |object: Option<&'a CheckedObject>| {
            let object = object?;
            let problems = object.instances.iter().flat_map(|instance| &instance.problems);
            let message = |problem: &'a overfold_value::Value| {
                problem.as_text().filter(|_| problem.marks().secrecy() <= self.shown)
            };
            let messages: Vec<Option<&'a str>> = problems.map(message).collect();
            let status = check_status(object.status);
            Some(PlanDiffCheckSide { status, messages: (!messages.is_empty()).then_some(messages) })
        };
        let [before, after] = change.sides.map(side);
        PlanDiffCheck { address: &change.address, before, after }
    }
}

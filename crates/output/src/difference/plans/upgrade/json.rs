//! What another version does, as JSON.

use super::super::json::side;
use super::{ReportedFinding, ShownSide, UpgradeChange, UpgradeDifference};
use crate::diagnostics::diagnostic_view;
use crate::json::JsonWriter;
use crate::plan::missing_inputs;
use crate::redaction::Redaction;
use crate::view::{self, Diagnostic, UpgradeAnswer, UpgradeDiagnostics, UpgradeSide, VersionObstacle, VersionRule};
use overfold_base::account::{self, List};
use overfold_module::pipeline::Report;

pub(super) fn write(difference: &UpgradeDifference<'_>, ready: &[VersionObstacle<'_>]) -> JsonWriter {
    let mut json = JsonWriter::with_capacity(1024);
    let [before, after] = [difference.before, difference.after];
    let missing = difference.compared.map(missing_inputs);
    let findings =
        [0, 1].map(|side| difference.findings_of(side).map(|(report, list)| (report, Redaction::of(report), list)));
    let [removed, added] = findings.each_ref().map(|lists| {
        lists.iter().flat_map(|(report, redaction, list)| diagnostics(report, redaction, list)).collect()
    });
    json.view(&UpgradeAnswer {
        verdict: difference.verdict(),
        from: side(before, &missing[0]),
        to: side(after, &missing[1]),
        diagnostics: UpgradeDiagnostics { added, removed, both: None },
        changes: Some(difference.changes.iter().map(change).collect()),
        rules: difference.rules().into_iter().map(VersionRule::from).collect(),
        unexplained: difference.unexplained(),
        searched: (!difference.is_searched).then_some(false),
        ready: Some(ready.to_vec()),
        plans: None,
    });
    json
}

fn diagnostics<'a>(
    report: &'a Report<'_>,
    redaction: &'a Redaction<'_>,
    list: &'a List<ReportedFinding<'_>>,
) -> Vec<Diagnostic<'a>> {
    let view = |finding: &'a ReportedFinding<'_>| {
        account::build(8, size_of::<Diagnostic<'_>>() as u64);
        let rule = finding.rule.map(|rule| &*rule.id);
        Diagnostic { rule, ..diagnostic_view(redaction, report.forest, &finding.placed) }
    };
    list.iter().map(view).collect()
}

fn change<'a>(change: &'a UpgradeChange<'_>) -> view::UpgradeChange<'a> {
    account::build(8, size_of::<view::UpgradeChange<'_>>() as u64);
    let has_address = !change.address.is_empty();
    let [before, after] = change.sides.each_ref().map(|side| side.as_ref().map(shown));
    view::UpgradeChange {
        kind: change.kind,
        address: has_address.then_some(&*change.address),
        pointer: (!has_address || !change.pointer.is_empty()).then_some(&*change.pointer),
        change: change.change,
        conditions: change.is_of_conditions.then_some(true),
        before,
        after,
        count: (change.count > 1).then_some(change.count),
        rule: change.rule.map(|rule| &*rule.id),
    }
}

fn shown<'a>(side: &'a ShownSide<'_>) -> UpgradeSide<'a> {
    UpgradeSide {
        value: side.value.as_ref(),
        unknown: side.is_unknown.then_some(true),
        redacted: side.is_redacted.then_some(true),
        range: side.range,
    }
}

//! The answer of `POST /v1/plan`.

use std::borrow::Cow;

use super::super::json::{JsonWriter, Streamed};
use super::super::redaction::Redaction;
use super::missing::MissingInputs;
use super::sink::Sink;
use super::{document, instances};
use crate::answer::dropped;
use crate::diagnostics::DiagnosticList;
use crate::view::{PlanAnswer, VersionFrom};
use overfold_module::pipeline::Report;
use overfold_module::plan::Missing;

/// Parts of the answer; diagnostics are always present.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanAnswerOptions {
    /// The document in the tool's form.
    pub plan: bool,
    /// Every planned instance with the origin of its arguments.
    pub instances: bool,
}

impl Default for PlanAnswerOptions {
    fn default() -> Self {
        Self { plan: true, instances: false }
    }
}

/// Writes the whole answer as JSON. The same report and options yield the same bytes.
pub fn plan_answer(report: &Report<'_>, include: PlanAnswerOptions) -> Vec<u8> {
    let missing = &*missing_inputs(report);
    let redaction = Redaction::of(report);
    let view = PlanAnswer {
        valid: !report.diagnostics.has_errors(),
        dialect: report.dialect.name,
        version: &report.version,
        version_from: report.version_from.as_deref().map(VersionFrom::new),
        exact: is_exact(report, missing),
        missing: MissingInputs(missing),
        plan: include.plan.then_some(PLAN),
        instances: include.instances.then_some(INSTANCES),
        plans: None,
        diagnostics: DiagnosticList::of(report, &redaction),
        diagnostics_dropped: dropped(report.dropped()),
    };
    let mut json = JsonWriter::with_capacity(4096);
    json.view_with(&view, &mut |json, part| write_parts(json, part, report));
    json.into_bytes()
}

/// Writes the part with this name.
pub(super) fn write_parts(json: &mut JsonWriter, part: &str, report: &Report<'_>) {
    match (&report.plan, part == PLAN.0) {
        (Some(plan), true) => {
            Sink::within(json, report, |sink| document::write(sink, plan, report.dialect.version));
        }
        (Some(plan), false) => instances::write(json, report, plan),
        (None, true) => json.null(),
        (None, false) => json.array(|_| {}),
    }
}

/// Returns what was not given for a plan.
pub(crate) fn missing_inputs<'r>(report: &'r Report<'_>) -> Cow<'r, [Missing]> {
    match &report.plan {
        Some(plan) => Cow::Borrowed(&plan.missing),
        None if overfold_dialect::is_recorded(report.dialect.name, report.dialect.version) => Cow::Borrowed(&[]),
        None => Cow::Owned(vec![Missing::VersionUnrecorded { version: report.dialect.version.into() }]),
    }
}

/// Whether a plan depends on nothing that was not given. Without a plan, there is nothing that could be exact.
pub(crate) fn is_exact(report: &Report<'_>, missing: &[Missing]) -> bool {
    report.plan.is_some() && missing.is_empty()
}

/// The parts that have writers of their own.
pub(super) const PLAN: Streamed = Streamed("plan");
pub(super) const INSTANCES: Streamed = Streamed("instances");

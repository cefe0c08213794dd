//! The answer of `POST /v1/plan`.

use super::super::diagnostics;
use super::super::json::JsonWriter;
use super::super::redaction::Redaction;
use super::sink::Sink;
use super::{document, instances, missing};
use crate::version_from::version_from;
use overfold_dialect::PlanDocument;
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
    let mut sink = Sink::new(
        JsonWriter::with_capacity(4096),
        report.reveal_sensitive,
        PlanDocument::for_dialect(report.dialect),
    );
    sink.object(|sink| members(sink, report, include));
    sink.into_json().into_bytes()
}

fn members(sink: &mut Sink, report: &Report<'_>, include: PlanAnswerOptions) {
    let plan = report.plan.as_ref();
    let unrecorded = plan.is_none() && !overfold_dialect::is_recorded(report.dialect.name, report.dialect.version);
    let version = unrecorded.then(|| Missing::VersionUnrecorded { version: report.dialect.version.into() });
    let missing: &[Missing] = plan.map_or(version.as_slice(), |plan| &plan.missing);
    sink.json.key("valid");
    sink.json.bool(!report.diagnostics.has_errors());
    sink.json.member("dialect", report.dialect.name);
    sink.json.member("version", &report.version);
    version_from(&mut sink.json, report.version_from.as_deref());
    sink.json.key("exact");
    // Without a plan, there is nothing that could be exact.
    sink.json.bool(plan.is_some() && missing.is_empty());
    sink.json.key("missing");
    missing::write(&mut sink.json, missing);
    if include.plan {
        sink.json.key("plan");
        match plan {
            Some(plan) => document::write(sink, plan, report.dialect.version),
            None => sink.json.null(),
        }
    }
    // Only the document lists what is hidden.
    sink.take_redacted();
    if include.instances {
        sink.json.key("instances");
        match plan {
            Some(plan) => instances::write(sink, plan, &report.forest.sources),
            None => sink.json.array(|_| {}),
        }
    }
    let json = &mut sink.json;
    json.key("diagnostics");
    let redaction = Redaction::of(report);
    diagnostics::write_all(json, &redaction, report.forest, &report.diagnostics, &report.severities);
    if report.dropped() > 0 {
        json.key("diagnostics_dropped");
        json.uint(u32::try_from(report.dropped()).unwrap_or(u32::MAX));
    }
}

//! The plan of a tree of modules as bytes.

use super::diagnostics;
use super::extent::verdict;
use super::json::JsonWriter;
use super::redaction::Redaction;
use overfold_module::pipeline::Report;

/// What an answer about a plan contains, beside the diagnostics.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct PlanAnswerOptions {
    /// The plan document.
    pub plan: bool,
    /// Every planned instance with the places of its arguments.
    pub instances: bool,
}

impl Default for PlanAnswerOptions {
    fn default() -> Self {
        Self { plan: true, instances: false }
    }
}

/// Writes the whole answer as JSON. The same report and options yield the same bytes.
pub fn plan_answer(report: &Report<'_>, options: PlanAnswerOptions) -> Vec<u8> {
    let mut json = JsonWriter::with_capacity(1024);
    let redaction = Redaction::of(report);
    json.object(|json| {
        json.key("valid");
        json.bool(!report.diagnostics.has_errors());
        json.member("dialect", report.dialect.name);
        json.member("version", &report.version);
        json.key("exact");
        json.bool(false);
        json.key("missing");
        json.array(|_| {});
        if options.plan {
            json.key("plan");
            json.null();
        }
        if options.instances {
            json.key("instances");
            json.array(|_| {});
        }
        json.key("diagnostics");
        diagnostics::write_all(json, &redaction, report.forest, &report.diagnostics, &report.severities);
        if report.dropped() > 0 {
            json.key("diagnostics_dropped");
            json.uint(u32::try_from(report.dropped()).unwrap_or(u32::MAX));
        }
    });
    json.into_bytes()
}

/// Writes the plan document alone, on one line without a line feed; `None` if there is no plan.
pub fn plan_document(_report: &Report<'_>) -> Option<Vec<u8>> {
    None
}

/// Writes the plan as text for people.
pub fn plan_text(report: &Report<'_>) -> Vec<u8> {
    format!("{}\n", verdict(report)).into_bytes()
}

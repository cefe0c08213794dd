//! Writes diagnostics: within an answer ([`json`]), or alone in one of [`FORMATS`]. Nothing here adds or changes a
//! diagnostic.

mod annotations;
mod commands;
mod document;
mod finding;
mod format;
mod gitlab;
mod json;
mod junit;
mod line_hash;
mod place;
mod rdjson;
mod sarif;
mod snippet;
mod text;
mod tool;

use overfold_base::diag::{Diagnostic, Severities, Severity};
use overfold_base::files::{Range, Sources};

pub use document::Document;
pub use format::{DiagnosticFormat, FORMATS, ReportOptions};
pub(crate) use json::{DiagnosticList, Record, records, view as diagnostic_view};
pub(crate) use text::hint;
pub use tool::{Identity, ToolFinding, tool_findings};

/// A diagnostic with its computed position.
pub(super) struct Placed<'a> {
    pub(super) diagnostic: &'a Diagnostic,
    /// The severity with which it is shown.
    pub(super) severity: Severity,
    /// The file name and the range in the file, widened as the tools print it.
    pub(super) at: Option<(&'a str, Range)>,
}

/// Returns all diagnostics that are shown in the order in which they are written: those without a position first, then by file name,
/// start byte and summary, and finally in the order of discovery.
pub(super) fn in_order<'a>(
    diagnostics: impl IntoIterator<Item = &'a Diagnostic>,
    severities: &Severities,
    sources: &'a Sources,
) -> Vec<Placed<'a>> {
    let mut placed: Vec<Placed<'a>> = diagnostics
        .into_iter()
        .filter_map(|diagnostic| {
            let severity = severities.of(diagnostic)?;
            let at = diagnostic.span.map(|span| (sources.name(span.source), sources.range(span).widened()));
            Some(Placed { diagnostic, severity, at })
        })
        .collect();
    placed.sort_by(|a, b| {
        let key = |placed: &Placed<'a>| placed.at.map(|(name, range)| (name, range.start.byte));
        key(a).cmp(&key(b)).then_with(|| a.diagnostic.summary.cmp(&b.diagnostic.summary))
    });
    placed
}

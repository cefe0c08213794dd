//! The tool's own findings in a form that outlives the report, for comparing two runs.

use super::super::json::JsonWriter;
use super::super::redaction::Redaction;
use super::in_order;
use super::json::write;
use crate::account;
use crate::diag::{Origin, Severity};
use crate::pipeline::Report;

/// An error or a warning of the tool, as it may be shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ToolFinding {
    /// What identifies the finding across runs; the wording may differ.
    pub identity: Identity,
    /// The finding as a JSON object, as in the answer to a merge.
    pub json: String,
    /// The finding in one line for people: severity, title, code, `FILE:LINE:COLUMN`.
    pub line: String,
}

/// The identity of a finding, independent of its wording.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Identity {
    /// The file name and the position in it as byte offsets, half-open; `None` if the tool gives no position.
    place: Option<(String, u32, u32)>,
    /// Whether it is a warning.
    is_warning: bool,
    /// The code.
    code: &'static str,
    /// The object it is about.
    address: Option<String>,
}

impl ToolFinding {
    /// Whether the tool rejects the module because of this finding.
    pub const fn is_error(&self) -> bool {
        !self.identity.is_warning
    }
}

/// Returns the errors and warnings of the tool itself, in the order in which they are written.
pub fn tool_findings(report: &Report<'_>) -> Vec<ToolFinding> {
    let redaction = Redaction::of(report);
    let mut found = Vec::new();
    for placed in in_order(&report.diagnostics, &report.forest.sources) {
        let diagnostic = placed.diagnostic;
        let word = match (diagnostic.origin, diagnostic.severity) {
            (Origin::Tool, Severity::Error) => "error",
            (Origin::Tool, Severity::Warning) => "warning",
            _ => continue,
        };
        let texts = redaction.texts(diagnostic);
        let at = placed
            .at
            .map_or_else(String::new, |(name, range)| format!(" {name}:{}:{}", range.start.line, range.start.column));
        let line = format!("{word}: {} [{}]{at}", texts.summary, diagnostic.code.id);
        let mut json = JsonWriter::default();
        json.object(|json| write(json, &redaction, report.forest, &placed));
        let Ok(json) = String::from_utf8(json.into_bytes()) else { continue };
        let identity = Identity {
            place: placed.at.map(|(name, range)| (name.to_owned(), range.start.byte, range.end.byte)),
            is_warning: diagnostic.severity == Severity::Warning,
            code: diagnostic.code.id,
            address: texts.address.map(str::to_owned),
        };
        account::touch(line.len());
        account::push(&mut found, ToolFinding { identity, json, line });
    }
    found
}

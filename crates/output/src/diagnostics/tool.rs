//! The tool's own findings in a form that outlives the report, for comparing two runs.

use std::sync::Arc;

use super::super::json::JsonText;
use super::super::redaction::Redaction;
use super::json::view;
use super::{Placed, in_order};
use overfold_base::account::{self, List};
use overfold_base::diag::{Origin, Phase, Severities, Severity};
use overfold_module::pipeline::Report;

/// An error or a warning of the tool, as it may be shown.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct ToolFinding {
    /// What identifies the finding across runs; the wording may differ.
    pub identity: Identity,
    /// The severity with which it is shown; `None` if it is not shown.
    pub severity: Option<Severity>,
    /// The finding as a JSON object, as in the answer to a merge.
    pub json: JsonText<'static>,
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
    address: Option<Arc<str>>,
}

impl ToolFinding {
    /// Whether the tool rejects the module because of this finding.
    pub const fn is_error(&self) -> bool {
        !self.identity.is_warning
    }
}

/// Returns the errors and warnings of the tool itself, at loading or at the installation of modules, in the order in which they are written.
pub fn tool_findings(report: &Report<'_>) -> Vec<ToolFinding> {
    let redaction = Redaction::of(report);
    let mut found = List::new();
    // Whether the tool loads a module also depends on findings that are not shown.
    for placed in in_order(&report.diagnostics, &Severities::default(), &report.forest.sources) {
        let diagnostic = placed.diagnostic;
        // What the tool reports when it installs modules counts, although loading alone does not show it.
        let is_from_tool = diagnostic.origin == Origin::Tool || diagnostic.phase == Some(Phase::Installation);
        if !is_from_tool || diagnostic.severity == Severity::Info {
            continue;
        }
        let severity = report.severities.of(diagnostic);
        let placed = Placed { severity: severity.unwrap_or(placed.severity), ..placed };
        let word = placed.severity.word();
        let texts = redaction.texts(diagnostic);
        let at = placed
            .at
            .map_or_else(String::new, |(name, range)| format!(" {name}:{}:{}", range.start.line, range.start.column));
        let line = format!("{word}: {} [{}]{at}", texts.summary, diagnostic.code.id);
        let json = JsonText::of_view(&view(&redaction, report.forest, &placed));
        let identity = Identity {
            place: placed.at.map(|(name, range)| (name.to_owned(), range.start.byte, range.end.byte)),
            is_warning: diagnostic.severity == Severity::Warning,
            code: diagnostic.code.id,
            address: texts.address.cloned(),
        };
        account::touch(line.len());
        found.push(ToolFinding { identity, severity, json, line });
    }
    found.into_vec()
}

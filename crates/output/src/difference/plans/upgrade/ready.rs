//! What stands in the way of another version in the configuration itself.

use super::UpgradeDifference;
use crate::view::{ObstacleKind, Range, VersionEdit, VersionObstacle};
use overfold_base::account;
use overfold_base::diag::{Code, Span};
use overfold_module::tool_version;

/// The code of a constraint that does not allow a version.
pub(super) fn unsupported() -> &'static Code {
    &tool_version::codes::UNSUPPORTED_TOOL_VERSION
}

impl<'r> UpgradeDifference<'r> {
    /// Returns what stands in the way of the new version in the configuration, with the edits that are certain.
    pub fn obstacles(&self) -> Vec<VersionObstacle<'r>> {
        let (tool, version) = (self.after.dialect.tool, self.after.dialect.version);
        let mut found = Vec::new();
        let findings = self.findings_of(1).into_iter();
        for (report, finding) in findings.flat_map(|(report, list)| list.iter().map(move |finding| (report, finding)))
        {
            let sources = &report.forest.sources;
            let diagnostic = finding.placed.diagnostic;
            let Some(span) = diagnostic.span else { continue };
            account::build(16, size_of::<VersionObstacle<'_>>() as u64);
            let (kind, summary, edits) = match diagnostic.code.id {
                _ if diagnostic.code == unsupported() => {
                    let text = sources.text(span);
                    account::touch(text.len() * 2);
                    let edit = quoted(&text).and_then(|(start, constraint)| {
                        let text = tool_version::allowing(constraint, version)?;
                        let start = span.start + u32::try_from(start).ok()?;
                        let end = start + u32::try_from(constraint.len()).ok()?;
                        let range = Range::of(sources, Span { start, end, ..span });
                        Some(VersionEdit { range, text })
                    });
                    let summary = format!("required_version does not allow {tool} {version}");
                    (ObstacleKind::RequiredVersion, summary, edit.into_iter().collect())
                }
                "load/reserved-variable-name" | "load/reserved-symbol" => {
                    let summary = format!("a name is reserved in {tool} {version}; choose another one");
                    (ObstacleKind::ReservedName, summary, Vec::new())
                }
                _ => continue,
            };
            found.push(VersionObstacle { kind, summary, range: Range::of(sources, span), edits });
        }
        found
    }
}

/// Returns the last text in quotes without escapes, and where it begins.
fn quoted(text: &str) -> Option<(usize, &str)> {
    let end = text.rfind('"')?;
    let start = text.get(..end)?.rfind('"')? + 1;
    let inner = text.get(start..end)?;
    (!inner.contains(['\\', '$', '%'])).then_some((start, inner))
}

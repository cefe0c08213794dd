//! The diagnostics of one or more modules as one document that grows report by report.

use std::collections::BTreeMap;

use super::finding::{Finding, Findings};
use super::format::{DiagnosticFormat, ReportOptions};
use overfold_base::account::{self, List};
use overfold_base::diag::{Diagnostic, Diagnostics, Severity};
use overfold_module::pipeline::Report;

/// An unfinished document. It keeps only plain data of each report.
pub struct Document {
    format: &'static DiagnosticFormat,
    options: ReportOptions,
    /// The findings by module directory, in the order of the document.
    modules: BTreeMap<Box<str>, Findings>,
}

impl Document {
    /// Starts a document without findings.
    pub const fn new(format: &'static DiagnosticFormat, options: ReportOptions) -> Self {
        Self { format, options, modules: BTreeMap::new() }
    }

    /// Adds the findings of a module, and notes about the form of the configuration that is written; they replace
    /// earlier ones for the same path.
    pub fn take(&mut self, path: &str, report: &Report<'_>, notes: &[Diagnostic]) {
        account::grow((path.len() + size_of::<Findings>()) as u64);
        self.modules.insert(path.into(), Findings::of(report, notes, &self.options, self.format.extras));
    }

    /// Adds the finding about a directory that was not run, which is shown with this severity; nothing without one.
    pub fn add_skipped(&mut self, path: &str, finding: &Diagnostic, severity: Option<Severity>) {
        let Some(severity) = severity else { return };
        account::grow((path.len() + size_of::<Findings>() + size_of::<Finding>()) as u64);
        let list = vec![Finding::of_directory(path, finding, severity)];
        self.modules.insert(
            path.into(),
            Findings { list: list.into(), dropped: 0, fails_from: Severity::Error, extent: None },
        );
    }

    /// Whether there are no findings.
    pub fn is_empty(&self) -> bool {
        self.modules.values().all(|findings| findings.list.is_empty() && findings.dropped == 0)
    }

    /// Returns the document as bytes. The same findings and options yield the same bytes.
    pub fn finish(self) -> Vec<u8> {
        let mut all = Findings { list: List::new(), dropped: 0, fails_from: self.options.fails_from, extent: None };
        for findings in self.modules.into_values() {
            all.dropped += findings.dropped;
            all.extent = match (all.extent, findings.extent) {
                (Some(before), Some(own)) => Some(before.and(own)),
                (before, own) => before.or(own),
            };
            for finding in findings.list {
                // The limit for the document is that for a single module.
                if all.list.len() < Diagnostics::CAP {
                    all.list.push(finding);
                } else {
                    all.dropped += 1;
                }
            }
        }
        all.set_fingerprints();
        (self.format.write)(&all)
    }
}

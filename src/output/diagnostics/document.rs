//! The diagnostics of one module or of many as one document, which grows report by report.

use std::collections::BTreeMap;

use super::finding::{Finding, Findings};
use super::format::{DiagnosticFormat, ReportOptions};
use crate::account;
use crate::diag::{Diagnostic, Diagnostics};
use crate::pipeline::Report;

/// A document that is not finished yet. What is kept of a report is plain data.
pub struct Document {
    format: &'static DiagnosticFormat,
    options: ReportOptions,
    /// By module directory, in the order of the document.
    modules: BTreeMap<Box<str>, Findings>,
}

impl Document {
    /// A document without findings.
    pub const fn new(format: &'static DiagnosticFormat, options: ReportOptions) -> Self {
        Self { format, options, modules: BTreeMap::new() }
    }

    /// Takes the findings of a module; they replace earlier ones of the same path.
    pub fn take(&mut self, path: &str, report: &Report<'_>) {
        account::grow((path.len() + size_of::<Findings>()) as u64);
        self.modules.insert(path.into(), Findings::of(report, &self.options, self.format.extras));
    }

    /// Takes what there is to say of a directory that was not run.
    pub fn take_left_out(&mut self, path: &str, finding: &Diagnostic) {
        account::grow((path.len() + size_of::<Findings>() + size_of::<Finding>()) as u64);
        let list = vec![Finding::of_directory(path, finding)];
        self.modules.insert(path.into(), Findings { list, dropped: 0, warnings_fail: false });
    }

    /// Whether there is nothing to report.
    pub fn is_empty(&self) -> bool {
        self.modules.values().all(|findings| findings.list.is_empty() && findings.dropped == 0)
    }

    /// The bytes. The same findings and options give the same ones.
    pub fn finish(self) -> Vec<u8> {
        let mut all = Findings { list: Vec::new(), dropped: 0, warnings_fail: self.options.warnings_fail };
        for findings in self.modules.into_values() {
            all.dropped += findings.dropped;
            for finding in findings.list {
                // As many as one module may have.
                if all.list.len() < Diagnostics::CAP {
                    account::push(&mut all.list, finding);
                } else {
                    all.dropped += 1;
                }
            }
        }
        all.sign();
        (self.format.write)(&all)
    }
}

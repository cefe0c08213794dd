//! `overfold merge --recursive`: merges every module directory of a tree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::merge::{Format, print_findings, summary};
use super::{Failure, Outcome, print};
use crate::account::{self, Cancel};
use crate::api::TreePlan;
use crate::api::v1::FailOn;
use crate::files::FileSet;
use crate::output::{AnswerOptions, DiagnosticFormat, DiagnosticsDocument, ReportOptions, RepositoryAnswer, Shape};
use crate::pipeline::{self, RequestError};
use crate::repository;
use crate::settings::LimitSettings;

/// What is requested.
pub(super) struct TreeRequest {
    pub(super) tree: TreePlan,
    pub(super) answer: AnswerOptions,
    pub(super) reports: ReportOptions,
    pub(super) fail_on: FailOn,
    pub(super) format: Format,
}

/// Prints the answer to standard output and the findings to standard error. `root` is the folder of the modules as
/// given on the command line; in `files` it may be further down.
///
/// # Errors
/// Fails if the request is impossible or exceeds a limit.
pub(super) fn run(
    files: &FileSet,
    module: pipeline::Request,
    root: &str,
    asked: TreeRequest,
    limits: &LimitSettings,
) -> Result<Outcome, Failure> {
    let TreeRequest { tree, answer: options, reports, fail_on, format } = asked;
    let top = module.root.strip_suffix(root).unwrap_or_default().trim_end_matches('/').to_owned();
    let prefix = reports.path_prefix.clone();
    let request = repository::Request { module, paths: tree.paths, top, prefix };
    let shape = if matches!(format, Format::Config) { Shape::Configs } else { Shape::Answer };
    let form = if let Format::Diagnostics(form) = format { form } else { DiagnosticFormat::text() };
    let work = || {
        let mut answer = RepositoryAnswer::new(options, shape, tree.calls);
        let mut document = DiagnosticsDocument::new(form, reports.clone());
        let mut summaries: BTreeMap<String, String> = BTreeMap::new();
        let (mut has_errors, mut has_warnings) = (false, false);
        let outcome = repository::run(files, &request, limits.syntax(), &mut |_| {}, &mut |done| {
            has_errors |= done.report.diagnostics.has_errors();
            has_warnings |= done.report.diagnostics.has_warnings();
            document.take(done.path, done.report);
            match format {
                Format::Json | Format::Config => answer.take(done),
                Format::Text => {
                    summaries.insert(done.path.to_owned(), summary(done.report));
                }
                Format::Diagnostics(_) => {}
            }
        })?;
        for (path, finding) in &outcome.left_out {
            has_errors = true;
            document.add_skipped(path, finding);
        }
        let has_failed = fail_on.is_met_by(has_errors, has_warnings);
        let is_empty = document.is_empty();
        let findings = document.finish();
        let (bytes, findings) = match format {
            Format::Json | Format::Config => (answer.finish(&outcome), findings),
            Format::Text => (with_headings(&summaries).into_bytes(), findings),
            Format::Diagnostics(_) => (findings, Vec::new()),
        };
        let findings = if is_empty { String::new() } else { String::from_utf8(findings).unwrap_or_default() };
        Ok((has_failed, bytes, findings))
    };
    let message = |text: String| Failure::Message(text);
    let (has_failed, mut bytes, findings) = account::open(limits.account(), &Cancel::new(), work)
        .map_err(|stop| message(stop.to_string()))?
        .map_err(|error: RequestError| message(error.to_string()))?;
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    print(&bytes)?;
    print_findings(&findings);
    Ok(if has_failed { Outcome::Errors } else { Outcome::Fine })
}

/// Returns the summary of each module, below its path.
fn with_headings(summaries: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (path, summary) in summaries {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "== {path}");
        text.push_str(summary);
    }
    text
}

//! `overfold merge --recursive`: merges every module directory of a tree.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::merge::{Format, has_configuration, print_findings, say_empty, summary};
use super::{Failure, Outcome, print};
use crate::account::{self, Cancel};
use crate::api::TreeOptions;
use crate::api::v1::FailOn;
use crate::diag::Tally;
use crate::echo;
use crate::files::FileSet;
use crate::output;
use crate::output::{AnswerOptions, DiagnosticFormat, DiagnosticsDocument, ReportOptions, RepositoryAnswer, Shape};
use crate::pipeline::{self, RequestError};
use crate::repository;
use crate::settings::LimitSettings;

/// What is requested.
pub(super) struct TreeRequest {
    pub(super) tree: TreeOptions,
    pub(super) answer: AnswerOptions,
    pub(super) reports: ReportOptions,
    pub(super) fail_on: FailOn,
    pub(super) format: Format,
    /// Whether a tree without configuration is accepted.
    pub(super) allow_empty: bool,
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
    let TreeRequest { tree, answer: options, reports, fail_on, format, allow_empty } = asked;
    let top = module.root.strip_suffix(root).unwrap_or_default().trim_end_matches('/').to_owned();
    let prefix = reports.path_prefix.clone();
    let request = repository::Request { module, paths: tree.paths, top, prefix };
    let shape = if matches!(format, Format::Config) { Shape::Configs } else { Shape::Answer };
    let form = if let Format::Diagnostics(form) = format { form } else { DiagnosticFormat::text() };
    let work = || {
        let mut answer = RepositoryAnswer::new(options, shape, tree.calls);
        let mut document = DiagnosticsDocument::new(form, reports.clone());
        let mut summaries: BTreeMap<String, String> = BTreeMap::new();
        let mut tally = Tally::default();
        let (mut has_modules, mut has_files) = (false, false);
        let outcome = repository::run(files, &request, limits.syntax(), &mut |_| {}, &mut |done| {
            tally += done.report.tally();
            has_modules = true;
            has_files |= has_configuration(done.report);
            let notes = match format {
                Format::Json if !options.include.config => Vec::new(),
                Format::Json | Format::Config => output::form_notes(done.report, options.config_format),
                Format::Text | Format::Diagnostics(_) => Vec::new(),
            };
            document.take_with(done.path, done.report, &notes);
            match format {
                Format::Json | Format::Config => answer.take(done),
                Format::Text => {
                    summaries.insert(done.path.to_owned(), summary(done.report));
                }
                Format::Diagnostics(_) => {}
            }
        })?;
        for (path, finding) in &outcome.left_out {
            let severity = outcome.severities.of(finding);
            tally.add(severity, 1);
            document.add_skipped(path, finding, severity);
        }
        let has_failed = fail_on.is_met(tally);
        let is_empty = document.is_empty();
        let findings = document.finish();
        let (bytes, findings) = match format {
            Format::Json | Format::Config => (answer.finish(&outcome), findings),
            Format::Text => (with_headings(&summaries).into_bytes(), findings),
            Format::Diagnostics(_) => (findings, Vec::new()),
        };
        let findings = if is_empty { String::new() } else { String::from_utf8(findings).unwrap_or_default() };
        let is_nothing = !allow_empty && has_modules && !has_files;
        Ok((has_failed, is_nothing, bytes, findings))
    };
    let message = |text: String| Failure::Message(text);
    let (has_failed, is_nothing, mut bytes, findings) = account::open(limits.account(), &Cancel::new(), work)
        .map_err(|stop| message(stop.to_string()))?
        .map_err(|error: RequestError| message(error.to_string()))?;
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    print(&bytes)?;
    print_findings(&findings);
    if is_nothing {
        say_empty();
    }
    Ok(if has_failed || is_nothing { Outcome::Errors } else { Outcome::Fine })
}

/// Returns the summary of each module, below its path.
fn with_headings(summaries: &BTreeMap<String, String>) -> String {
    let mut text = String::new();
    for (path, summary) in summaries {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "== {}", echo::line(path));
        text.push_str(summary);
    }
    text
}

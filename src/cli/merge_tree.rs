//! `overfold merge --recursive`: every module directory at once.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::merge::{Format, summary, tell};
use super::{Failure, Outcome, print};
use crate::account::{self, Cancel};
use crate::api::TreePlan;
use crate::files::FileSet;
use crate::output::{self, AnswerOptions, Counts, RepositoryAnswer, Shape};
use crate::pipeline::{self, RequestError};
use crate::repository;
use crate::settings::LimitSettings;

/// Prints the answer, and the findings to standard error. `root` is where the modules lie as the command line says it; in
/// `files` that may be a folder further down.
///
/// # Errors
/// When the request is impossible or over a limit.
pub(super) fn run(
    files: &FileSet,
    module: pipeline::Request,
    root: &str,
    tree: TreePlan,
    options: AnswerOptions,
    format: Format,
    limits: &LimitSettings,
) -> Result<Outcome, Failure> {
    let top = module.root.strip_suffix(root).unwrap_or_default().trim_end_matches('/').to_owned();
    let request = repository::Request { module, paths: tree.paths, top };
    let shape = if format == Format::Config { Shape::Configs } else { Shape::Answer };
    let work = || {
        let mut answer = RepositoryAnswer::new(options, shape, tree.calls);
        let mut texts: BTreeMap<String, Texts> = BTreeMap::new();
        let outcome = repository::run(files, &request, limits.syntax(), &mut |_| {}, &mut |done| {
            let mut counts = Counts::default();
            let findings = output::findings(done.report, &mut counts);
            let summary = if format == Format::Text { summary(done.report) } else { String::new() };
            texts.insert(done.path.to_owned(), Texts { summary, findings, counts });
            if format != Format::Text {
                answer.take(done);
            }
        })?;
        Ok((outcome, answer, texts))
    };
    let message = |text: String| Failure::Message(text);
    let shown = || {
        work().map(|(outcome, answer, texts)| {
            let mut findings = String::new();
            let mut counts = Counts::default();
            for (path, finding) in &outcome.left_out {
                let line =
                    format!("error: {} [{}]\n  {path}: {}\n\n", finding.summary, finding.code.id, finding.detail);
                findings.push_str(&line);
            }
            let mut summaries = String::new();
            for (path, texts) in &texts {
                findings.push_str(&texts.findings);
                counts.add(&texts.counts);
                // Writing to a string does not fail.
                let _ = writeln!(summaries, "== {path}");
                summaries.push_str(&texts.summary);
            }
            if !counts.is_empty() {
                findings.push_str(&counts.line());
            }
            let has_errors = !outcome.left_out.is_empty() || counts.has_errors();
            let bytes = if format == Format::Text {
                summaries.into_bytes()
            } else {
                let mut bytes = answer.finish(&outcome);
                bytes.push(b'\n');
                bytes
            };
            (has_errors, bytes, findings)
        })
    };
    let (has_errors, bytes, findings) = account::open(limits.account(), &Cancel::new(), shown)
        .map_err(|stop| message(stop.to_string()))?
        .map_err(|error: RequestError| message(error.to_string()))?;
    print(&bytes)?;
    tell(&findings);
    Ok(if has_errors { Outcome::Errors } else { Outcome::Fine })
}

/// What is said of one module.
struct Texts {
    summary: String,
    findings: String,
    counts: Counts,
}

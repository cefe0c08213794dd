//! Merging a module, or every module of a tree.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::{Facts, Input, Observer, TreeOptions};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Tally};
use overfold_base::echo;
use overfold_model::config::FileRole;
use overfold_module::pipeline::{self, Report, RequestError, Stage};
use overfold_module::repository;
use overfold_output::{self as output, DiagnosticFormat, DiagnosticsDocument, RepositoryAnswer, Shape};
use overfold_syntax::{Forest, SyntaxLimits};

/// The form of the outcome.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// The whole answer, as JSON.
    Answer,
    /// The merged configuration alone, in the form that the request names.
    Config,
    /// What was overridden and what was lost, as text for people.
    Text,
    /// The diagnostics alone.
    Diagnostics(&'static DiagnosticFormat),
}

impl Form {
    /// Whether what the form of the configuration cannot say is part of the outcome.
    const fn shows_config(self, input: Input<'_>) -> bool {
        match self {
            Self::Answer => input.prepared.answer.include.config,
            Self::Config => true,
            Self::Text | Self::Diagnostics(_) => false,
        }
    }
}

/// The outcome.
#[derive(Debug)]
pub struct Merged {
    /// The outcome in the requested form.
    pub bytes: Vec<u8>,
    /// What is known of it.
    pub facts: Facts,
    /// The diagnostics as text for people, if the caller shows them beside an outcome of another form; empty if there
    /// is none.
    pub findings: String,
    /// Whether there are modules, but no configuration file in any of them.
    pub is_empty: bool,
}

/// Merges the module of `input`, or every module of its tree. With `beside`, the diagnostics are returned as text, too.
///
/// # Errors
/// [`RequestError`] if the request cannot be met, whatever the files contain.
pub fn merge(
    input: Input<'_>,
    form: Form,
    beside: bool,
    limits: SyntaxLimits,
    observer: &mut dyn Observer,
) -> Result<Merged, RequestError> {
    match &input.prepared.tree {
        Some(tree) => of_tree(input, tree, form, beside, limits, observer),
        None => of_module(input, form, beside, limits, observer),
    }
}

fn of_module(
    input: Input<'_>,
    form: Form,
    beside: bool,
    limits: SyntaxLimits,
    observer: &mut dyn Observer,
) -> Result<Merged, RequestError> {
    let Input { files, prepared, root } = input;
    let request = input.request()?;
    account::raise(|limits| match request.resolve {
        Some(_) => limits.for_plan(files.content_bytes()),
        None => limits.for_files(files.content_bytes()),
    });
    let forest = Forest::new(limits);
    let mut report = pipeline::run_watched(&forest, files, &request, |stage| observer.stage(stage.name()))?;
    root.clone_into(&mut report.root);
    if form.shows_config(input) {
        let notes = output::form_notes(&report, prepared.answer.config_format);
        report.diagnostics.extend(notes);
    }
    observer.module(0, &report);
    observer.stage(Stage::OUTPUT);
    let mut facts = Facts::new(files);
    facts.add(&report);
    let bytes = match form {
        Form::Answer => output::answer(&report, prepared.answer),
        Form::Config => output::config_only(&report, prepared.answer.config_format),
        Form::Text => summary(&report).into_bytes(),
        Form::Diagnostics(format) => format.write(&report, &prepared.reports),
    };
    let findings = if beside && facts.tally != Tally::default() {
        text(DiagnosticFormat::text().write(&report, &prepared.reports))
    } else {
        String::new()
    };
    Ok(Merged { bytes, facts, findings, is_empty: !has_configuration(&report) })
}

/// The document that grows while the modules of a tree are run.
enum Growing {
    Answer(RepositoryAnswer),
    /// The summary of each module.
    Text(BTreeMap<String, String>),
    Diagnostics,
}

fn of_tree(
    input: Input<'_>,
    tree: &TreeOptions,
    form: Form,
    beside: bool,
    limits: SyntaxLimits,
    observer: &mut dyn Observer,
) -> Result<Merged, RequestError> {
    let Input { files, prepared, .. } = input;
    let answer = |shape| Growing::Answer(RepositoryAnswer::new(prepared.answer, shape, tree.calls));
    let mut growing = match form {
        Form::Answer => answer(Shape::Answer),
        Form::Config => answer(Shape::Configs),
        Form::Text => Growing::Text(BTreeMap::new()),
        Form::Diagnostics(_) => Growing::Diagnostics,
    };
    let listed = match form {
        Form::Diagnostics(format) => Some(format),
        _ if beside => Some(DiagnosticFormat::text()),
        _ => None,
    };
    let mut document = listed.map(|format| DiagnosticsDocument::new(format, prepared.reports.clone()));
    // A module may come a second time; then that is what counts.
    let mut modules: BTreeMap<Box<str>, Facts> = BTreeMap::new();
    let mut is_empty = true;
    let observer = RefCell::new(observer);
    let outcome = repository::run(
        files,
        &repository::Request { module: input.request()?.into_owned(), ..input.tree() },
        limits,
        &mut |stage| observer.borrow_mut().stage(stage.name()),
        &mut |done| {
            let mut facts = Facts::new(files);
            facts.add(done.report);
            if modules.insert(done.path.into(), facts).is_none() {
                observer.borrow_mut().module(0, done.report);
            }
            is_empty &= !has_configuration(done.report);
            if let Some(document) = &mut document {
                let notes: Vec<Diagnostic> = if form.shows_config(input) {
                    output::form_notes(done.report, prepared.answer.config_format)
                } else {
                    Vec::new()
                };
                document.take(done.path, done.report, &notes);
            }
            match &mut growing {
                Growing::Answer(answer) => answer.take(done),
                Growing::Text(summaries) => {
                    summaries.insert(done.path.to_owned(), summary(done.report));
                }
                Growing::Diagnostics => {}
            }
        },
    )?;
    observer.borrow_mut().stage(Stage::OUTPUT);
    let mut facts = Facts { valid: outcome.left_out.is_empty(), ..Facts::new(files) };
    for (path, finding) in &outcome.left_out {
        let severity = outcome.severities.of(finding);
        facts.tally.add(severity, 1);
        if let Some(document) = &mut document {
            document.add_skipped(path, finding, severity);
        }
    }
    for module in modules.values() {
        facts.valid &= module.valid;
        facts.tally += module.tally;
    }
    let has_findings = document.as_ref().is_some_and(|document| !document.is_empty());
    let listed = document.map(DiagnosticsDocument::finish).unwrap_or_default();
    let (bytes, listed) = match growing {
        Growing::Answer(answer) => (answer.finish(&outcome), listed),
        Growing::Text(summaries) => (with_headings(&summaries).into_bytes(), listed),
        Growing::Diagnostics => (listed, Vec::new()),
    };
    let findings = if has_findings { text(listed) } else { String::new() };
    Ok(Merged { bytes, facts, findings, is_empty: is_empty && !modules.is_empty() })
}

/// Whether any configuration file was read.
pub(super) fn has_configuration(report: &Report<'_>) -> bool {
    report.module.files.iter().any(|file| matches!(file.role, FileRole::Primary | FileRole::Override))
}

/// Returns a summary for people: what was overridden and lost, and whether the tool accepts the configuration.
fn summary(report: &Report<'_>) -> String {
    let mut text = output::overrides_text(report);
    // Writing to a string cannot fail.
    let _ = writeln!(text, "{}", output::verdict(report));
    text
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

/// Returns text that a writer of text has made.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}

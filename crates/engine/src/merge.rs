//! Merging a module, or every module of a tree.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::input::{Input, PreparedRequest, TreeOptions};
use crate::limits::RequestLimits;
use crate::options::{self, MergeOptions};
use crate::refusal::Refusal;
use crate::use_case::{AnswerForm, Context, Facts, Outcome, UseCase};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Tally};
use overfold_model::config::FileRole;
use overfold_module::pipeline::{self, Report, Stage};
use overfold_module::repository;
use overfold_output::{
    self as output, DiagnosticFormat, DiagnosticsDocument, ReportOptions, RepositoryAnswer, RepositorySummary, Shape,
};
use overfold_syntax::Forest;

/// Merging a module, or every module of a tree.
#[derive(Debug)]
pub enum Merge {}

impl UseCase<1> for Merge {
    const NAME: &'static str = "merge";
    type Options = MergeOptions;
    type Form = Form;
    type Verdict = ();

    fn prepare(options: MergeOptions, limits: &RequestLimits) -> Result<PreparedRequest, Refusal> {
        options::prepare(options, limits)
    }

    fn run([input]: [Input<'_>; 1], form: Form, context: &mut Context<'_>) -> Result<Outcome<()>, Refusal> {
        match &input.prepared.tree {
            Some(tree) => of_tree(input, tree, form, context),
            None => of_module(input, form, context),
        }
    }
}

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

    /// Returns the options of the diagnostics that are written in this form, or beside it.
    fn reports(self, prepared: &PreparedRequest) -> ReportOptions {
        ReportOptions { unchecked_is_said: matches!(self, Self::Text), ..prepared.reports.clone() }
    }
}

impl AnswerForm for Form {
    fn name(self) -> &'static str {
        match self {
            Self::Answer => "json",
            Self::Config => "config",
            Self::Text => "summary",
            Self::Diagnostics(format) => format.name,
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Answer | Self::Config => "application/json",
            Self::Text => DiagnosticFormat::text().media_type,
            Self::Diagnostics(format) => format.media_type,
        }
    }
}

fn of_module(input: Input<'_>, form: Form, context: &mut Context<'_>) -> Result<Outcome<()>, Refusal> {
    let Input { files, prepared, root } = input;
    let request = input.request()?;
    account::raise(|limits| match request.resolve {
        Some(_) => limits.for_plan(files.content_bytes()),
        None => limits.for_files(files.content_bytes()),
    });
    let forest = Forest::new(context.limits);
    let mut report =
        pipeline::run_watched(&forest, files, &request, &mut |stage| context.observer.stage(stage.name()))?;
    root.clone_into(&mut report.root);
    if form.shows_config(input) {
        let notes = output::form_notes(&report, prepared.answer.config_format);
        report.diagnostics.extend(notes);
    }
    context.observer.module(0, &report);
    context.check_definitions(input, &report)?;
    context.observer.stage(Stage::OUTPUT);
    let mut facts = Facts::new(files);
    facts.add(&report);
    let bytes = match form {
        Form::Answer => output::answer(&report, prepared.answer),
        Form::Config => output::config_only(&report, prepared.answer.config_format),
        Form::Text => output::summary(&report, prepared.fail_on).into_bytes(),
        Form::Diagnostics(format) => format.write(&report, &prepared.reports),
    };
    let findings = findings(&report, &form.reports(prepared), facts, context);
    let is_empty = !has_configuration(&report);
    Ok(Outcome {
        answer: Ok(bytes),
        facts,
        fails: input.fails(facts.tally),
        findings,
        is_empty,
        reaches_nothing: false,
        verdict: (),
    })
}

/// Returns the diagnostics as text, if the context wants them.
pub(crate) fn findings(report: &Report<'_>, options: &ReportOptions, facts: Facts, context: &Context<'_>) -> String {
    if context.with_findings && facts.tally != Tally::default() {
        text(DiagnosticFormat::text().write(report, options))
    } else {
        String::new()
    }
}

/// The document that grows while the modules of a tree are run.
enum TreeOutput {
    Answer(RepositoryAnswer),
    Text(RepositorySummary),
    Diagnostics,
}

fn of_tree(
    input: Input<'_>,
    tree: &TreeOptions,
    form: Form,
    context: &mut Context<'_>,
) -> Result<Outcome<()>, Refusal> {
    let Input { files, prepared, .. } = input;
    let answer = |shape| TreeOutput::Answer(RepositoryAnswer::new(prepared.answer, shape, tree.calls));
    let mut growing = match form {
        Form::Answer => answer(Shape::Answer),
        Form::Config => answer(Shape::Configs),
        Form::Text => TreeOutput::Text(RepositorySummary::new(prepared.fail_on, tree.paths.is_some())),
        Form::Diagnostics(_) => TreeOutput::Diagnostics,
    };
    let listed = match form {
        Form::Diagnostics(format) => Some(format),
        _ if context.with_findings => Some(DiagnosticFormat::text()),
        _ => None,
    };
    let mut document = listed.map(|format| DiagnosticsDocument::new(format, form.reports(prepared)));
    // A module may come a second time; then that is what counts.
    let mut modules: BTreeMap<Box<str>, Facts> = BTreeMap::new();
    let mut is_empty = true;
    let mut missing = None;
    let limits = context.limits;
    let context = RefCell::new(context);
    let outcome = repository::run(
        files,
        &repository::Request { module: input.request()?.into_owned(), ..input.tree() },
        limits,
        &mut |stage| context.borrow_mut().observer.stage(stage.name()),
        &mut |done| {
            let mut facts = Facts::new(files);
            facts.add(done.report);
            if modules.insert(done.path.into(), facts).is_none() {
                context.borrow_mut().observer.module(0, done.report);
                context.borrow_mut().observer.progress(modules.len(), None);
                missing = missing.take().or_else(|| context.borrow().check_definitions(input, done.report).err());
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
                TreeOutput::Answer(answer) => answer.take(done),
                TreeOutput::Text(summary) => summary.take(done.path, done.report, facts.tally),
                TreeOutput::Diagnostics => {}
            }
        },
    )?;
    if let Some(missing) = missing {
        return Err(missing);
    }
    context.borrow_mut().observer.stage(Stage::OUTPUT);
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
        TreeOutput::Answer(answer) => (answer.finish(&outcome), listed),
        TreeOutput::Text(summary) => {
            let left_out = outcome.left_out.iter().map(|(path, _)| path.as_str());
            (summary.finish(left_out).into_bytes(), listed)
        }
        TreeOutput::Diagnostics => (listed, Vec::new()),
    };
    let findings = if has_findings { text(listed) } else { String::new() };
    let is_limited = prepared.tree.as_ref().is_some_and(|tree| tree.paths.is_some());
    let reaches_nothing = is_limited && modules.is_empty() && outcome.left_out.is_empty();
    let is_empty = is_empty && !modules.is_empty();
    Ok(Outcome {
        answer: Ok(bytes),
        facts,
        fails: input.fails(facts.tally),
        findings,
        is_empty,
        reaches_nothing,
        verdict: (),
    })
}

/// Whether any configuration file was read.
pub(crate) fn has_configuration(report: &Report<'_>) -> bool {
    report.module.files.iter().any(|file| matches!(file.role, FileRole::Primary | FileRole::Override))
}

/// Returns text that a writer of text has made.
fn text(bytes: Vec<u8>) -> String {
    String::from_utf8(bytes).unwrap_or_default()
}

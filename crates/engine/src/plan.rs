//! Planning a tree of modules without a state.

use std::sync::Arc;

use crate::input::{Input, PreparedRequest, TreeOptions};
use crate::limits::RequestLimits;
use crate::merge::{findings, has_configuration};
use crate::options::{self, POLICY_MOCK, PlanOptions as Options};
use crate::refusal::{Refusal, RefusalKind};
use crate::root_search::RootSearch;
use crate::use_case::{AnswerForm, Context, Facts, Outcome, UseCase};
use crate::workspace;
use overfold_base::account;
use overfold_base::echo::short;
use overfold_base::files::FileSet;
use overfold_module::pipeline::{self, Report, Stage};
use overfold_module::plan::PlanOptions;
use overfold_output::{
    self as output, DiagnosticFormat, DiagnosticsDocument, FORMATS, RootPlansAnswer, RootPlansText,
};
use overfold_syntax::Forest;

/// The form of the outcome.
#[derive(Clone, Copy, Debug)]
pub enum Form {
    /// The whole answer, as JSON.
    Answer,
    /// The plan document alone, as JSON on one line.
    Document,
    /// The plan as text for people.
    Text,
    /// Mock data for tests of Sentinel policies.
    PolicyMock,
    /// The diagnostics alone.
    Diagnostics(&'static DiagnosticFormat),
}

impl Form {
    /// Iterates over the forms of reports, with their names: all but the whole answer.
    pub fn reports() -> impl Iterator<Item = (&'static str, Self)> + Clone {
        let form = |format: &'static DiagnosticFormat| match format.name {
            "text" => Self::Text,
            _ => Self::Diagnostics(format),
        };
        [("document", Self::Document), (POLICY_MOCK.name, Self::PolicyMock)]
            .into_iter()
            .chain(FORMATS.iter().map(move |format| (format.name, form(format))))
    }
}

impl AnswerForm for Form {
    fn name(self) -> &'static str {
        match self {
            Self::Answer => "json",
            Self::Document => "document",
            Self::Text => "text",
            Self::PolicyMock => POLICY_MOCK.name,
            Self::Diagnostics(format) => format.name,
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Answer | Self::Document => "application/json",
            Self::Text => DiagnosticFormat::text().media_type,
            Self::PolicyMock => POLICY_MOCK.media_type,
            Self::Diagnostics(format) => format.media_type,
        }
    }
}

/// Planning the tree of modules below a root module.
#[derive(Debug)]
pub enum Plan {}

impl UseCase<1> for Plan {
    const NAME: &'static str = "plan";
    type Options = Options;
    type Form = Form;
    type Verdict = ();

    fn prepare(options: Options, limits: &RequestLimits) -> Result<PreparedRequest, Refusal> {
        options::prepare_plan(options, limits)
    }

    fn run([input]: [Input<'_>; 1], form: Form, context: &mut Context<'_>) -> Result<Outcome<()>, Refusal> {
        let files = input.files;
        account::raise(|limits| limits.for_plan(files.content_bytes()));
        match &input.prepared.tree {
            Some(tree) => of_tree(input, tree, form, context),
            None => of_root(input, form, context),
        }
    }
}

/// Plans one root module.
fn of_root(input: Input<'_>, form: Form, context: &mut Context<'_>) -> Result<Outcome<()>, Refusal> {
    let Input { files, prepared, root } = input;
    // The text shows which arguments overrides have set, and what values need that are not known.
    let request = request_of(files, &prepared.request, matches!(form, Form::Text))?;
    let forest = Forest::new(context.limits);
    let mut watch = |stage: Stage| context.observer.stage(stage.name());
    let mut report = pipeline::run_watched(&forest, files, &request, &mut watch)?;
    root.clone_into(&mut report.root);
    context.observer.module(0, &report);
    context.check_definitions(input, &report)?;
    context.observer.stage(Stage::OUTPUT);
    let mut facts = Facts::new(files);
    facts.add(&report);
    let answer = match form {
        Form::Answer => Ok(output::plan_answer(&report, prepared.plan)),
        Form::Document => output::plan_document(&report).ok_or_else(|| no_plan(&report)),
        Form::PolicyMock => output::policy_mock(&report).ok_or_else(|| no_plan(&report)),
        Form::Text => Ok(output::plan_text(&report)),
        Form::Diagnostics(format) => Ok(format.write(&report, &prepared.reports)),
    };
    let findings = findings(&report, &prepared.reports, facts, context);
    let is_empty = !has_configuration(&report);
    Ok(Outcome {
        answer,
        facts,
        fails: input.fails(facts.tally),
        findings,
        is_empty,
        reaches_nothing: false,
        verdict: (),
    })
}

/// The document that grows while the root modules of a tree are planned.
enum TreeOutput {
    Answer(RootPlansAnswer),
    Text(RootPlansText),
    Diagnostics,
}

/// Plans every root module of a tree, one after the other.
fn of_tree(
    input: Input<'_>,
    tree: &TreeOptions,
    form: Form,
    context: &mut Context<'_>,
) -> Result<Outcome<()>, Refusal> {
    let Input { files, prepared, .. } = input;
    let mut growing = match form {
        Form::Answer => TreeOutput::Answer(RootPlansAnswer::default()),
        Form::Text => TreeOutput::Text(RootPlansText::default()),
        Form::Diagnostics(_) => TreeOutput::Diagnostics,
        Form::Document | Form::PolicyMock => {
            let why = "this form is about one root module; leave recursive out, or ask for the whole answer";
            return Err(Refusal::new(RefusalKind::FormImpossible, why).at("/recursive"));
        }
    };
    let listed = match form {
        Form::Diagnostics(format) => Some(format),
        _ if context.with_findings => Some(DiagnosticFormat::text()),
        _ => None,
    };
    let mut document = listed.map(|format| DiagnosticsDocument::new(format, prepared.reports.clone()));
    let search = RootSearch::new(input, tree)?;
    let roots = search.run(context)?;
    let mut facts = Facts { valid: roots.left_out.is_empty(), ..Facts::new(files) };
    for (path, finding) in &roots.left_out {
        let severity = roots.module.severities.of(finding);
        facts.tally.add(severity, 1);
        if let Some(document) = &mut document {
            document.add_skipped(path, finding, severity);
        }
    }
    for (at, directory) in roots.directories.iter().enumerate() {
        context.observer.progress(at, Some(roots.directories.len()));
        let request = request_of(files, &search.request_of(&roots, directory), matches!(form, Form::Text))?;
        let forest = Forest::new(context.limits);
        let path = search.path_of(directory);
        forest.sources.set_folder(&search.folder_of(directory));
        let mut watch = |stage: Stage| context.observer.stage(stage.name());
        let mut report = pipeline::run_watched(&forest, files, &request, &mut watch)?;
        path.clone_into(&mut report.root);
        context.observer.module(0, &report);
        context
            .check_definitions_of(files, &request, &report)
            .map_err(|refusal| search.placed(refusal, directory))?;
        context.observer.stage(Stage::OUTPUT);
        facts.add(&report);
        if let Some(document) = &mut document {
            document.take(path, &report, &[]);
        }
        match &mut growing {
            TreeOutput::Answer(answer) => answer.take(path, &report, prepared.plan),
            TreeOutput::Text(texts) => texts.take(path, &report),
            TreeOutput::Diagnostics => {}
        }
    }
    let has_findings = document.as_ref().is_some_and(|document| !document.is_empty());
    let listed = document.map(DiagnosticsDocument::finish).unwrap_or_default();
    let (bytes, listed) = match growing {
        TreeOutput::Answer(answer) => (answer.finish(&roots), listed),
        TreeOutput::Text(texts) => (texts.finish(), listed),
        TreeOutput::Diagnostics => (listed, Vec::new()),
    };
    let findings = if has_findings { String::from_utf8(listed).unwrap_or_default() } else { String::new() };
    let is_empty = roots.directories.is_empty();
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

/// Says that there is no plan, and why.
fn no_plan(report: &Report<'_>) -> Refusal {
    let detail = "there is no plan of this configuration; diagnostics say why";
    Refusal::new(RefusalKind::NoPlan, detail).with_diagnostics(output::diagnostics_only(report))
}

/// Returns the request for the pipeline, with what only the files can say. `with_needs` says whether the plan has to tell
/// what its values need that are not known, and where its arguments stand.
pub(crate) fn request_of(
    files: &FileSet,
    prepared: &pipeline::Request,
    with_needs: bool,
) -> Result<pipeline::Request, Refusal> {
    let mut request = prepared.clone();
    let Some(options) = request.plan.as_deref() else { return Ok(request) };
    for (index, source) in options.module_sources.iter().enumerate() {
        if !files.has_folder(&source.path) {
            let path = short(&source.path);
            let detail = format!("module_sources has the path {path:?}, which is not a directory in the files");
            let refusal = Refusal::new(RefusalKind::ModuleSourceNotFound, detail);
            return Err(refusal.at(format!("/module_sources/{index}/path")));
        }
    }
    let with_needs = options.with_needs || with_needs;
    let with_arguments = options.with_arguments || with_needs;
    if options.workspace.is_none() || with_needs != options.with_needs {
        let workspace = match &options.workspace {
            Some(workspace) => Some(Arc::clone(workspace)),
            None => workspace::selected(files, &request)?,
        };
        request.plan = Some(Arc::new(PlanOptions { workspace, with_arguments, with_needs, ..options.clone() }));
    }
    Ok(request)
}

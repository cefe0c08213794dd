//! Planning a tree of modules without a state.

use std::sync::Arc;

use super::merge::has_configuration;
use super::{Facts, Input, Observer, PreparedRequest};
use overfold_base::account;
use overfold_base::diag::Tally;
use overfold_base::echo::short;
use overfold_base::files::{FileSet, Place};
use overfold_module::pipeline::{self, RequestError, Stage};
use overfold_module::plan::PlanOptions;
use overfold_output::{self as output, DiagnosticFormat};
use overfold_syntax::{Forest, SyntaxLimits};

/// The form of the outcome.
#[derive(Clone, Copy, Debug)]
pub enum PlanForm {
    /// The whole answer, as JSON.
    Answer,
    /// The plan document alone, as JSON on one line.
    Document,
    /// The plan as text for people.
    Text,
    /// The diagnostics alone.
    Diagnostics(&'static DiagnosticFormat),
}

/// The outcome.
#[derive(Debug)]
pub struct Planned {
    /// The outcome in the requested form; `None` if that is the plan document, and there is none.
    pub bytes: Option<Vec<u8>>,
    /// What is known of it.
    pub facts: Facts,
    /// The diagnostics as text for people, if the caller shows them beside an outcome of another form; empty if there
    /// is none.
    pub findings: String,
    /// Whether there is no configuration file in the root module.
    pub is_empty: bool,
    /// The diagnostics as a JSON list, if there is no plan document although that is the requested form.
    pub diagnostics: Option<Vec<u8>>,
}

/// Why a plan cannot be made, whatever the configuration says.
#[derive(Debug, thiserror::Error)]
pub enum PlanError {
    /// The request cannot be met.
    #[error(transparent)]
    Request(#[from] RequestError),
    /// A directory that the request names as the place of a module is not among the files.
    #[error("module_sources has the path {:?}, which is not a directory in the files", short(path))]
    NoModuleSource {
        /// The position of the entry in the request, 0-based.
        index: usize,
        /// The path.
        path: Arc<str>,
    },
    /// The environment of the request names a workspace that cannot exist.
    #[error("TF_WORKSPACE is {:?}, which is not a valid name of a workspace", short(.0))]
    BadWorkspace(String),
}

/// Plans the tree of modules of `input`, whose request has options for a plan. With `beside`, the diagnostics are
/// returned as text, too.
///
/// # Errors
/// [`PlanError`] if the request cannot be met, whatever the files contain.
pub fn plan(
    input: Input<'_>,
    form: PlanForm,
    beside: bool,
    limits: SyntaxLimits,
    observer: &mut dyn Observer,
) -> Result<Planned, PlanError> {
    let Input { files, prepared, root } = input;
    account::raise(|limits| limits.for_plan(files.content_bytes()));
    let request = settled(files, prepared, form)?;
    let forest = Forest::new(limits);
    let mut report = pipeline::run_watched(&forest, files, &request, |stage| observer.stage(stage.name()))?;
    root.clone_into(&mut report.root);
    observer.module(0, &report);
    observer.stage(Stage::OUTPUT);
    let mut facts = Facts::new(files);
    facts.add(&report);
    let bytes = match form {
        PlanForm::Answer => Some(output::plan_answer(&report, prepared.plan)),
        PlanForm::Document => output::plan_document(&report),
        PlanForm::Text => Some(output::plan_text(&report)),
        PlanForm::Diagnostics(format) => Some(format.write(&report, &prepared.reports)),
    };
    let findings = if beside && facts.tally != Tally::default() {
        String::from_utf8(DiagnosticFormat::text().write(&report, &prepared.reports)).unwrap_or_default()
    } else {
        String::new()
    };
    let diagnostics = bytes.is_none().then(|| output::diagnostics_only(&report));
    Ok(Planned { bytes, facts, findings, is_empty: !has_configuration(&report), diagnostics })
}

/// Returns the request for the pipeline, with what only the files can say.
fn settled(files: &FileSet, prepared: &PreparedRequest, form: PlanForm) -> Result<pipeline::Request, PlanError> {
    let mut request = prepared.request.clone();
    let Some(options) = request.plan.as_deref() else { return Ok(request) };
    for (index, source) in options.module_sources.iter().enumerate() {
        if !files.has_folder(&source.path) {
            return Err(PlanError::NoModuleSource { index, path: Arc::clone(&source.path) });
        }
    }
    // The text shows which arguments overrides have set.
    let with_arguments = options.with_arguments || matches!(form, PlanForm::Text);
    if options.workspace.is_none() || with_arguments != options.with_arguments {
        let workspace = match &options.workspace {
            Some(workspace) => Some(Arc::clone(workspace)),
            None => selected(files, &request)?,
        };
        request.plan = Some(Arc::new(PlanOptions { workspace, with_arguments, ..options.clone() }));
    }
    Ok(request)
}

/// The file in the root module that says which workspace is selected.
const SELECTION: &str = ".terraform/environment";

/// Returns the workspace that the environment of the request, or else the root module's own data, selects.
fn selected(files: &FileSet, request: &pipeline::Request) -> Result<Option<Arc<str>>, PlanError> {
    let env = request.variables.iter().flat_map(|variables| &variables.env);
    let given = env.rev().find(|(name, _)| name == "TF_WORKSPACE").map(|(_, text)| text.as_str());
    if let Some(given) = given.filter(|given| !given.is_empty()) {
        if !is_workspace_name(given) {
            return Err(PlanError::BadWorkspace(given.to_owned()));
        }
        return Ok(Some(Arc::from(given)));
    }
    let path = if request.root.is_empty() { SELECTION.to_owned() } else { format!("{}/{SELECTION}", request.root) };
    let Place::File(file) = files.look_up(&path) else { return Ok(None) };
    let text = String::from_utf8_lossy(&file.bytes);
    let name = text.trim();
    Ok((!name.is_empty()).then(|| Arc::from(name)))
}

/// Whether a workspace can have this name: it is not empty, and stays the same as a segment of a URL.
pub fn is_workspace_name(name: &str) -> bool {
    let stays = |byte: u8| byte.is_ascii_alphanumeric() || b"-_.~$&+=:@".contains(&byte);
    !name.is_empty() && name.bytes().all(stays)
}

//! Runs everything that is asked about one module directory: loading, and what comes after it.

use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Phase, Severity, Span};
use overfold_base::files::FileSet;
use overfold_check::self_contained;
use overfold_check::validate;
use overfold_dialect::{Behaviour, DialectSpec};
use overfold_eval as eval;
use overfold_load::decode;
use overfold_load::loading;
pub use overfold_load::loading::{
    CalledModules, Dialect, ProviderChecks, Report, Request, RequestError, Stage, ToolStage, VariableArg,
    VariableInputs, dialect_of,
};
use overfold_load::wording;
use overfold_plan::planning::{self, Planned};
use overfold_syntax::Forest;
use overfold_tree::version_search::{self, with_meant_version};

/// Runs every stage on one module directory.
///
/// Pure: the same input yields the same report. `forest` must be empty; afterwards it holds the texts and trees that
/// the report points into.
///
/// # Errors
/// [`RequestError`] if the request cannot be met, whatever the files contain.
pub fn run<'f>(forest: &'f Forest, files: &FileSet, request: &Request) -> Result<Report<'f>, RequestError> {
    run_watched(forest, files, request, &mut |_| {})
}

/// Like [`run`], but calls `on_stage` at the start of each stage. The run itself reads no clock.
///
/// # Errors
/// As [`run`].
pub fn run_watched<'f>(
    forest: &'f Forest,
    files: &FileSet,
    request: &Request,
    on_stage: &mut dyn FnMut(Stage),
) -> Result<Report<'f>, RequestError> {
    on_stage(Stage::Load);
    let request = &*with_meant_version(files, request)?;
    run_with_table(dialect_of(files, request)?, forest, files, request, on_stage)
}

/// Like [`run`], but follows this table whatever dialect and version the request names. `on_stage` is called at the
/// start of each stage after the first.
///
/// # Errors
/// As [`run`], except for errors about dialect and version.
pub fn run_with_table<'f>(
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    files: &FileSet,
    request: &Request,
    on_stage: &mut dyn FnMut(Stage),
) -> Result<Report<'f>, RequestError> {
    let mut report = loading::load(dialect, forest, files, request, on_stage)?;
    if request.stage == ToolStage::Validate && dialect.rules.modules.calls_are_checked {
        on_stage(Stage::Validate);
        let settings = planning::backend::check(&report, request.plan.is_some());
        if settings.has_errors() {
            if request.plan.is_some() {
                repeat_warnings(&mut report.diagnostics);
            }
            report.diagnostics.append(settings);
            eval::report_exhaustion(&mut report.diagnostics);
            return Ok(report);
        }
        match request.plan.as_deref() {
            None if request.resolve.is_some() => replace(&mut report, files, request, on_stage),
            None => validate::run(&mut report, files, request, &mut |_, _| ()),
            Some(options) => {
                repeat_warnings(&mut report.diagnostics);
                report.diagnostics.append(settings);
                let mut planned = None;
                validate::run(&mut report, files, request, &mut |looked, report| {
                    on_stage(Stage::Plan);
                    planned = Some(planning::run(looked, report, request, options));
                });
                if let Some(planned) = planned {
                    add_plan(&mut report, planned);
                }
                if dialect.has(Behaviour::EqualErrorsToldOnce) {
                    planning::repeated_errors::told_once(&mut report.diagnostics);
                }
            }
        }
    } else if dialect.rules.modules.calls_are_checked {
        beyond_loading(&mut report, files, request, on_stage);
    }
    retitle(dialect, forest, &mut report.diagnostics);
    // What was read only after the module had been loaded.
    for found in forest.take_left_out() {
        report.diagnostics.push_in(Phase::Reading, found);
    }
    if let Some(note) = version_search::note(request) {
        report.diagnostics.push_in(Phase::Reading, note);
    }
    eval::report_exhaustion(&mut report.diagnostics);
    Ok(report)
}

/// Adds what came of a plan.
fn add_plan(report: &mut Report<'_>, planned: Planned) {
    report.plan = planned.plan;
    if planned.hides_variables {
        report.diagnostics = std::mem::take(&mut report.diagnostics).map(|finding| {
            if finding.phase == Some(Phase::Resolution) && finding.severity == Severity::Error {
                finding.origin = finding.origin.later();
            }
        });
    }
    report.diagnostics.append(planned.found);
}

/// Repeats what is said about attributes of defaults that are dropped, and about `removed` blocks that do not say whether
/// objects are destroyed: the tool loads the root module twice for a plan.
fn repeat_warnings(found: &mut Diagnostics) {
    let repeated = [&decode::codes::LOST_ATTRIBUTE, &decode::codes::REMOVED_UNSTATED];
    let again: Vec<Diagnostic> = found.iter().filter(|finding| repeated.contains(&finding.code)).cloned().collect();
    for finding in again.charged_at_once(1) {
        found.push_existing(finding);
    }
}

/// Gives what was found in the tree the titles of the dialect.
fn retitle(dialect: &DialectSpec, forest: &Forest, found: &mut Diagnostics) {
    account::work(found.iter().count() as u64);
    let in_plans = dialect.has(Behaviour::FunctionsAreLookedUpInPlans);
    let of_providers = dialect.has(Behaviour::QualifiedFunctionsAreOfProviders);
    *found = std::mem::take(found).map(|finding| {
        let is_qualified = |at: Span| forest.sources.text(at).contains("::");
        let is_of_provider = |at: Span| forest.sources.text(at).starts_with("provider::");
        if in_plans
            && finding.code == &eval::codes::UNKNOWN_FUNCTION
            && matches!(finding.phase, Some(Phase::Resolution | Phase::Planning))
            && finding.span.is_some_and(is_of_provider)
        {
            finding.summary = "Function not found in provider".into();
        } else if of_providers
            && finding.code == &eval::codes::UNKNOWN_FUNCTION
            && finding.phase > Some(Phase::Installation)
            && finding.span.is_some_and(is_qualified)
        {
            finding.summary = "Unknown provider function".into();
        }
        if matches!(finding.phase, Some(Phase::Tree | Phase::Planning)) {
            wording::reword(forest, dialect.titles, &[], finding);
        }
    });
}

/// Does what needs a validation where only loading is asked for. Of what is found beyond loading, only what counts as
/// found while loading is kept.
fn beyond_loading(report: &mut Report<'_>, files: &FileSet, request: &Request, on_stage: &mut dyn FnMut(Stage)) {
    let has_types = self_contained::may_lack_types(report);
    if !has_types && request.resolve.is_none() {
        return;
    }
    let mut found = report.diagnostics.clone();
    if request.resolve.is_some() {
        replace(report, files, request, on_stage);
    } else {
        on_stage(Stage::Validate);
        validate::run(report, files, request, &mut |_, _| ());
    }
    if has_types {
        report.diagnostics.retain(self_contained::is_of_types);
        found.append(std::mem::take(&mut report.diagnostics));
    }
    report.diagnostics = found;
}

/// Validates the tree, and finds out what replaces the expressions of the root module.
fn replace(report: &mut Report<'_>, files: &FileSet, request: &Request, on_stage: &mut dyn FnMut(Stage)) {
    let Some(options) = request.resolve.as_deref() else { return };
    let mut replacements = None;
    validate::run(report, files, request, &mut |looked, report| {
        on_stage(Stage::Plan);
        replacements = Some(planning::replacements(looked, report, request, options));
    });
    report.replacements = replacements;
}

/// Loads the configuration of a report again from other texts of the same files, whose names are relative to the module
/// directory, into a forest of its own.
///
/// # Errors
/// [`RequestError`] if the texts cannot be loaded as a module at all.
pub fn load_again<'f>(report: &Report<'_>, forest: &'f Forest, files: &FileSet) -> Result<Report<'f>, RequestError> {
    loading::load_again(report, forest, files)
}

//! Runs everything that is asked about one module directory: loading, and what comes after it.

use crate::loading;
pub use crate::loading::{
    CalledModules, Report, Request, RequestError, Stage, ToolStage, VariableArg, VariableInputs, dialect_of,
    has_configuration,
};
use crate::planning;
use crate::validate;
use overfold_base::files::FileSet;
use overfold_dialect::DialectSpec;
use overfold_eval as eval;
use overfold_syntax::Forest;

/// Runs every stage on one module directory.
///
/// Pure: the same input yields the same report. `forest` must be empty; afterwards it holds the texts and trees that
/// the report points into.
///
/// # Errors
/// [`RequestError`] if the request cannot be met, whatever the files contain.
pub fn run<'f>(forest: &'f Forest, files: &FileSet, request: &Request) -> Result<Report<'f>, RequestError> {
    run_watched(forest, files, request, |_| {})
}

/// Like [`run`], but calls `on_stage` at the start of each stage. The run itself reads no clock.
///
/// # Errors
/// As [`run`].
pub fn run_watched<'f>(
    forest: &'f Forest,
    files: &FileSet,
    request: &Request,
    mut on_stage: impl FnMut(Stage),
) -> Result<Report<'f>, RequestError> {
    on_stage(Stage::Load);
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
    mut on_stage: impl FnMut(Stage),
) -> Result<Report<'f>, RequestError> {
    let mut report = loading::load(dialect, forest, files, request, &mut on_stage)?;
    if request.stage == ToolStage::Validate && dialect.rules.modules.calls_are_checked {
        on_stage(Stage::Validate);
        match request.plan.as_deref() {
            None if request.resolve.is_some() => replace(&mut report, files, request, &mut on_stage),
            None => validate::run(&mut report, files, request, |_, _| ()),
            Some(options) => {
                let planned = validate::run(&mut report, files, request, |looked, report| {
                    on_stage(Stage::Plan);
                    planning::run(looked, report, request, options)
                });
                report.plan = planned.plan;
                report.diagnostics.append(planned.found);
            }
        }
    } else if dialect.rules.modules.calls_are_checked && request.resolve.is_some() {
        // What is found beyond the stage is not asked for.
        let found = report.diagnostics.clone();
        replace(&mut report, files, request, &mut on_stage);
        report.diagnostics = found;
    }
    eval::report_exhaustion(&mut report.diagnostics);
    Ok(report)
}

/// Validates the tree, and finds out what replaces the expressions of the root module.
fn replace(report: &mut Report<'_>, files: &FileSet, request: &Request, on_stage: &mut dyn FnMut(Stage)) {
    let Some(options) = request.resolve.as_deref() else { return };
    let replacements = validate::run(report, files, request, |looked, report| {
        on_stage(Stage::Plan);
        planning::replacements(looked, report, request, options)
    });
    report.replacements = Some(replacements);
}

/// Loads the configuration of a report again from other texts of the same files, whose names are relative to the module
/// directory, into a forest of its own.
///
/// # Errors
/// [`RequestError`] if the texts cannot be loaded as a module at all.
pub fn load_again<'f>(report: &Report<'_>, forest: &'f Forest, files: &FileSet) -> Result<Report<'f>, RequestError> {
    loading::load_again(report, forest, files)
}

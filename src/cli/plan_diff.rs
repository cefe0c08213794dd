//! `overfold plan-diff BASE HEAD [DIR]`: what a change does to a plan, instance by instance.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};

use clap::Args;

use super::assume::{self, Assumption};
use super::colour::{self, TextKind};
use super::merge::{self, CommandInput, InputFiles};
use super::plan::{self, ModuleSource, Values};
use super::revision::{self, ObjectName, Revision};
use super::schemas::Schemas;
use super::{Failure, Outcome, ask, print, under_account, version_files};
use crate::settings::LimitSettings;
use overfold_dialect as dialect;
use overfold_engine::diff::DiffVerdict;
use overfold_engine::options::{self, Dialect, PlanOptions, Variables, names};
use overfold_engine::{PlanDiff, UseCase as _};
use overfold_eval::functions;
use overfold_output::DifferenceForm;

/// What is compared. The exit code is 0 if there is no difference, 1 if there is one, 2 if the comparison could not be
/// made, and 3, whether there is a difference or not, if --fail-on is set and either side has such a diagnostic.
/// Without --fail-on, diagnostics do not affect the exit code. --include is not available here.
#[derive(Args, Debug)]
pub(super) struct PlanDiffArgs {
    /// The files before the change: a folder, an archive file (tar, tar.gz, tar.zst, zip), or a revision of the git
    /// repository here (`git:REV` even if there is a path of that name); `A...B` alone: the merge base of A and B,
    /// and B
    base: PathBuf,
    /// The files after the change, likewise; not with `A...B`
    head: Option<PathBuf>,
    /// The folder of the root module in both [default: the top; of a revision, this folder]
    dir: Option<PathBuf>,
    /// The address of the files of BASE, for links in the comment; --link-base is that of HEAD
    #[arg(long, env = "OVERFOLD_BEFORE_LINK_BASE", value_name = "URL")]
    before_link_base: Option<String>,
    #[command(flatten)]
    options: PlanOptions,
    #[command(flatten)]
    schemas: Schemas,
    #[command(flatten)]
    variables: Values,
    /// Attributes to assume for resources and data sources: one, or a file with a JSON object of addresses, each with
    /// an object of attributes; may be repeated
    #[arg(long, env = "OVERFOLD_ASSUME", value_name = "ADDRESS.ATTRIBUTE=JSON|FILE", value_parser = assume::assumption)]
    assume: Vec<Assumption>,
    /// Where to find a module that is not local: its source and a folder; may be repeated
    #[arg(long, env = "OVERFOLD_MODULE_SOURCE", value_name = "SOURCE=PATH", value_parser = plan::module_source)]
    module_source: Vec<ModuleSource>,
    /// What to print: the whole answer of the service as JSON, a comment for a pull request of at most 65,536 characters, or
    /// text for people of at most 1,000,000 characters [default: text on a terminal, else json]
    #[arg(long, env = "OVERFOLD_PLAN_DIFF_FORMAT", value_parser = names::<DifferenceForm>(), value_name = "FORMAT")]
    format: Option<DifferenceForm>,
    /// Accept that neither side has configuration files; otherwise, the exit code is 2
    #[arg(long, env = "OVERFOLD_ALLOW_EMPTY")]
    allow_empty: bool,
    #[command(flatten)]
    limits: LimitSettings,
}

/// Prints the difference.
///
/// # Errors
/// Fails if an input cannot be read or the request is impossible.
pub(super) fn run(args: PlanDiffArgs) -> Result<Outcome, Failure> {
    let PlanDiffArgs {
        base,
        head,
        dir,
        before_link_base,
        options,
        schemas,
        variables,
        assume,
        module_source,
        format,
        allow_empty,
        limits,
    } = args;
    let (base, head, dir) = match (revision::pair(&base)?, head, dir) {
        (Some([base, head]), dir, None) => (base, head, dir),
        (None, Some(head), dir) => (base, head, dir),
        (Some(_), _, Some(_)) => {
            return Err(Failure::Message("A...B is both sides; only DIR may come after it".to_owned()));
        }
        (None, None, _) => {
            return Err(Failure::Message(
                "HEAD is missing: name the state after the change, too, or both as BASE...HEAD".to_owned(),
            ));
        }
    };
    if [&base, &head].iter().any(|path| path.as_os_str() == "-") {
        return Err(Failure::Message("a plan-diff does not read standard input; name a file".to_owned()));
    }
    let dir = dir.unwrap_or_default();
    let folder = |path: &Path| merge::is_folder(path).then(|| path.join(&dir));
    // Both sides are planned as in one place, so that where they are makes no difference.
    let place = folder(&head).or_else(|| folder(&base));
    let is_recursive = options.recursive;
    let variables = variables.options()?;
    let schemas = schemas.read(&limits)?;
    let options = PlanOptions {
        provider_schemas: schemas.text.clone(),
        assume: assume::all(&assume, &limits)?,
        cwd: options.cwd.clone().or_else(|| plan::working_directory(place.as_deref()?)),
        ..options
    };
    let side = |path: &Path, link_base: Option<String>| {
        let options = PlanOptions { link_base, ..options.clone() };
        let variables = variables.clone();
        match (folder(path), revision::named(path)?) {
            (_, Some(object)) => from_revision(&object, &dir, options, variables, &module_source, &limits),
            (Some(folder), None) => from_folder(&folder, options, variables, &module_source, &limits),
            (None, None) => from_archive(path, &dir, options, variables, &module_source, &limits),
        }
    };
    let (mut before, mut after) = (side(&base, before_link_base)?, side(&head, options.link_base.clone())?);
    schemas.apply(before.prepared_mut());
    schemas.apply(after.prepared_mut());
    let default = if io::stdout().is_terminal() { DifferenceForm::Text } else { DifferenceForm::Json };
    let format = format.unwrap_or(default);
    let outcome = ask::<PlanDiff, 2>([before.input(), after.input()], format, false, &limits)?;
    let mut bytes = outcome.answer?;
    if format == DifferenceForm::Json {
        bytes.push(b'\n');
    }
    if format == DifferenceForm::Text {
        colour::print(TextKind::Difference, &bytes)?;
    } else {
        print(&bytes)?;
    }
    merge::say_nothing_reached(outcome.reaches_nothing);
    if outcome.is_empty && !allow_empty {
        return Err(merge::nothing_compared(if is_recursive {
            "a root module"
        } else {
            "configuration files there"
        }));
    }
    Ok(match (outcome.fails, outcome.verdict) {
        (true, _) => Outcome::Fails,
        (false, DiffVerdict::Different) => Outcome::Differs,
        (false, DiffVerdict::Same) => Outcome::Fine,
    })
}

/// Opens the folder of a root module.
fn from_folder(
    folder: &Path,
    options: PlanOptions,
    mut variables: Variables,
    sources: &[ModuleSource],
    limits: &LimitSettings,
) -> Result<CommandInput, Failure> {
    let dialect = version_files::dialect(options.dialect, folder);
    let disk = plan::disk(folder, dialect, limits)?;
    merge::name_from_folder(&mut variables, &disk);
    let module_sources = plan::module_sources(sources, &disk)?;
    let options = PlanOptions { dialect, ..options };
    let mut prepared = prepare(options, variables, module_sources, limits)?;
    version_files::prefer_meant(&mut prepared.request, Some(folder));
    Ok(InputFiles::Folder(disk).read(prepared))
}

/// Reads an archive file with a root module in this folder of it.
fn from_archive(
    path: &Path,
    dir: &Path,
    options: PlanOptions,
    variables: Variables,
    sources: &[ModuleSource],
    limits: &LimitSettings,
) -> Result<CommandInput, Failure> {
    let name = options.dialect.unwrap_or(Dialect::Terraform).name();
    let wanted = move |file: &str| dialect::may_read(name, file) || version_files::is_version_file(file);
    let files = InputFiles::new(path, None, wanted, limits)?;
    let module_sources = sources.iter().map(ModuleSource::in_files).collect::<Result<_, _>>()?;
    let root = dir.to_str().map(str::to_owned).filter(|root| !root.is_empty());
    let mut prepared = prepare(PlanOptions { root, ..options }, variables, module_sources, limits)?;
    version_files::prefer_meant(&mut prepared.request, None);
    Ok(files.read(prepared))
}

/// Reads a revision with a root module in this folder of it, seen from the one in which the command runs.
fn from_revision(
    object: &ObjectName,
    dir: &Path,
    options: PlanOptions,
    variables: Variables,
    sources: &[ModuleSource],
    limits: &LimitSettings,
) -> Result<CommandInput, Failure> {
    let inner = dir.to_str().unwrap_or_default();
    let folder = functions::clean(&format!("{}{inner}", revision::prefix()));
    if folder.starts_with("..") || folder.starts_with('/') {
        return Err(Failure::Message(format!("{} is outside of the repository", dir.display())));
    }
    let folder = if folder == "." { String::new() } else { folder };
    let name = options.dialect.unwrap_or(Dialect::Terraform).name();
    let wanted = move |file: &str| dialect::may_read(name, file) || version_files::is_version_file(file);
    let revision = Revision::open(object, wanted, limits)?;
    let module_sources = sources.iter().map(ModuleSource::in_files).collect::<Result<_, _>>()?;
    let mut prepared = prepare(options, variables, module_sources, limits)?;
    version_files::prefer_meant(&mut prepared.request, None);
    Ok(InputFiles::Revision(revision, folder).read(prepared))
}

fn prepare(
    options: PlanOptions,
    variables: Variables,
    module_sources: Vec<options::ModuleSource>,
    limits: &LimitSettings,
) -> Result<overfold_engine::PreparedRequest, Failure> {
    let module_sources = (!module_sources.is_empty()).then_some(module_sources);
    let options = PlanOptions { variables: Some(variables), module_sources, ..options };
    Ok(under_account(limits, || PlanDiff::prepare(options, &limits.request))??)
}

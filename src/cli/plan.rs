//! `overfold plan DIR`: what the tool would plan without a state.

use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::sync::{Arc, PoisonError};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::merge::{self, Variables};
use super::schemas::{self, Schemas};
use super::{Failure, Outcome, print};
use crate::api;
use crate::api::v1::{Assumed, LATER_FORMAT, LATER_FORMAT_ABOUT, PlanOptions};
use crate::settings::LimitSettings;
use crate::task::{self, Input, PlanError, PlanForm, Planned, PreparedRequest};
use overfold_base::account::{self, Cancel};
use overfold_base::diag::Severity;
use overfold_dialect as dialect;
use overfold_module::pipeline::{VariableArg, VariableInputs};
use overfold_module::plan;
use overfold_output::FORMATS;
use overfold_transport::Disk;

/// What is planned, and how the outcome is printed. The exit code is 0 if the plan was made, 1 if there are errors or,
/// with --fail-on, findings of that severity, and 2 if it could not be tried.
#[derive(Args, Debug)]
pub(super) struct PlanArgs {
    /// The folder of the root module; what it names outside of the folder, such as a module in `../modules`, is read, too
    #[arg(default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    options: PlanOptions,
    #[command(flatten)]
    schemas: Schemas,
    #[command(flatten)]
    variables: Values,
    /// A file with what is known of resources and data sources: a JSON object of addresses, each with an object of
    /// attributes
    #[arg(long, env = "OVERFOLD_ASSUME", value_name = "FILE")]
    assume: Option<PathBuf>,
    /// Where calls of a module lead that is not local: its source, and a folder; may be repeated
    #[arg(long, env = "OVERFOLD_MODULE_SOURCE", value_name = "SOURCE=PATH", value_parser = module_source)]
    module_source: Vec<ModuleSource>,
    /// What to print; the diagnostics go to standard error, unless they are what is printed [default: text on a
    /// terminal, else document]
    #[arg(long, env = "OVERFOLD_PLAN_FORMAT", value_parser = formats())]
    format: Option<Format>,
    /// Accept a folder without configuration files; otherwise, the exit code is 1
    #[arg(long, env = "OVERFOLD_ALLOW_EMPTY")]
    allow_empty: bool,
    #[command(flatten)]
    limits: LimitSettings,
}

/// The options that assign values to variables. A plan always needs values, so the option that asks for them is hidden.
#[derive(Clone, Debug)]
struct Values(Variables);

impl Args for Values {
    fn augment_args(command: Command) -> Command {
        Variables::augment_args(command).mut_arg("values", |option| option.hide(true))
    }

    fn augment_args_for_update(command: Command) -> Command {
        Variables::augment_args_for_update(command)
    }
}

impl FromArgMatches for Values {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        Variables::from_arg_matches(matches).map(Self)
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        self.0.update_from_arg_matches(matches)
    }
}

/// What to print.
#[derive(Clone, Copy, Debug)]
enum Format {
    Form(PlanForm),
    /// A form that does not exist yet.
    Later,
}

/// Iterates over the formats, with name and help text: our own first, then the formats for diagnostics alone.
fn named_formats() -> impl Iterator<Item = (&'static str, &'static str, Format)> + Clone {
    let own = [
        (
            "document",
            "The plan document of the tool, as `terraform show -json` prints it, on one line",
            Format::Form(PlanForm::Document),
        ),
        ("json", "The whole answer of the service", Format::Form(PlanForm::Answer)),
        ("text", "The plan, for people", Format::Form(PlanForm::Text)),
        (LATER_FORMAT, LATER_FORMAT_ABOUT, Format::Later),
    ];
    let alone = FORMATS.iter().filter(move |format| own.iter().all(|(name, ..)| *name != format.name));
    let diagnostics = |format| Format::Form(PlanForm::Diagnostics(format));
    own.into_iter().chain(alone.map(move |format| (format.name, format.about, diagnostics(format))))
}

fn formats() -> impl TypedValueParser<Value = Format> {
    let values = named_formats().map(|(name, about, _)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(values).try_map(|given| {
        let found = named_formats().find(|(name, ..)| *name == given).map(|(.., format)| format);
        found.ok_or("not one of the formats")
    })
}

/// A module that is not local, and the folder that holds it.
#[derive(Clone, Debug)]
struct ModuleSource {
    source: String,
    folder: PathBuf,
}

fn module_source(text: &str) -> Result<ModuleSource, &'static str> {
    // A source may contain `=`, as in `?ref=v1`.
    match text.rsplit_once('=') {
        Some((source, folder)) if !source.is_empty() && !folder.is_empty() => {
            Ok(ModuleSource { source: source.to_owned(), folder: folder.into() })
        }
        _ => Err("it must be SOURCE=PATH, such as terraform-aws-modules/vpc/aws=vendor/vpc"),
    }
}

/// How often the configuration is evaluated: in each round, what is read names more.
const MAX_ROUNDS: usize = 2000;

/// Prints the plan.
///
/// # Errors
/// Fails if the folder cannot be read or the request is impossible.
pub(super) fn run(args: PlanArgs) -> Result<Outcome, Failure> {
    let default = if io::stdout().is_terminal() { PlanForm::Text } else { PlanForm::Document };
    let form = match args.format.unwrap_or(Format::Form(default)) {
        Format::Form(form) => form,
        Format::Later => {
            let text = format!("--format {LATER_FORMAT} is specified but not implemented in this release");
            return Err(Failure::Message(text));
        }
    };
    let limits = &args.limits;
    let mut disk = disk(&args.path, limits)?;
    let options = PlanOptions {
        provider_schemas: args.schemas.read(limits)?,
        assume: args.assume.as_deref().map(|path| assumed(path, limits)).transpose()?,
        module_sources: (!args.module_source.is_empty()).then(|| given(&args.module_source)),
        ..args.options
    };
    // Problems of the request refer to the texts that it contains, so it is checked under an account as well.
    let mut prepared = under_account(limits, || api::prepare_plan(options, limits))?
        .map_err(|problem| Failure::Message(problem.detail.into_owned()))?;
    let inputs = args.variables.0.inputs()?.unwrap_or_default();
    prepared.request.variables = Some(Arc::new(inputs_on_disk(inputs, &disk)));
    let folders: Vec<PathBuf> = args
        .module_source
        .iter()
        .map(|source| disk.include(&source.folder).map_err(|error| Failure::Message(error.to_string())))
        .collect::<Result<_, _>>()?;
    let fail_on = prepared.fail_on.unwrap_or(Severity::Error);
    let planned = planned(&mut disk, &mut prepared, &folders, form, limits)?;
    let Planned { bytes, facts, findings, is_empty, diagnostics: _ } = planned;
    let mut bytes = bytes.unwrap_or_default();
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    let is_empty = is_empty && !args.allow_empty;
    // The tool makes no plan of an empty folder, so there is no document.
    if !(is_empty && matches!(form, PlanForm::Document)) {
        print(&bytes)?;
    }
    merge::print_findings(&findings);
    if is_empty {
        merge::say_empty();
    }
    Ok(if facts.tally.reaches(fail_on) || is_empty { Outcome::Errors } else { Outcome::Fine })
}

/// Makes the plan, and reads what it asks for, until it asks for nothing more.
fn planned(
    disk: &mut Disk,
    prepared: &mut PreparedRequest,
    folders: &[PathBuf],
    form: PlanForm,
    limits: &LimitSettings,
) -> Result<Planned, Failure> {
    let dialect = prepared.request.dialect.clone();
    let wanted = |name: &str| dialect::may_read(&dialect, name);
    let beside = !matches!(form, PlanForm::Diagnostics(_));
    let mut rounds = 0;
    loop {
        rounds += 1;
        let (files, asked) = disk.files();
        prepared.request.root = disk.root();
        place_modules(prepared, disk, folders);
        // The folder of the command is what names in the answer are relative to.
        let input = Input { files: &files, prepared, root: "" };
        let outcome = under_account(limits, || task::plan(input, form, beside, limits.syntax(), &mut ()));
        let asked = std::mem::take(&mut *asked.lock().unwrap_or_else(PoisonError::into_inner));
        let has_more = !asked.is_empty() && rounds < MAX_ROUNDS;
        if !has_more || !disk.read(&asked, &wanted).map_err(|error| Failure::Message(error.to_string()))? {
            return outcome?.map_err(|error: PlanError| Failure::Message(error.to_string()));
        }
    }
}

/// Sets the directories of modules to where they are in the set that the next round reads.
fn place_modules(prepared: &mut PreparedRequest, disk: &Disk, folders: &[PathBuf]) {
    let Some(options) = prepared.request.plan.as_deref() else { return };
    let mut options: plan::PlanOptions = options.clone();
    for (source, folder) in options.module_sources.iter_mut().zip(folders) {
        source.path = Arc::from(disk.name_of(folder));
    }
    prepared.request.plan = Some(Arc::new(options));
}

fn under_account<T>(limits: &LimitSettings, work: impl FnOnce() -> T) -> Result<T, Failure> {
    account::open(limits.account(), &Cancel::new(), work).map_err(|stop| Failure::Message(stop.to_string()))
}

/// Opens the folder of the root module.
fn disk(path: &Path, limits: &LimitSettings) -> Result<Disk, Failure> {
    if path.is_file() {
        let text = format!("{} is a file; a plan is made of the folder of a root module", path.display());
        return Err(Failure::Message(text));
    }
    Disk::of(path, &limits.transport()).map_err(|error| Failure::Message(error.to_string()))
}

/// Returns the sources as options of a request; where they are is set in each round.
fn given(sources: &[ModuleSource]) -> Vec<api::v1::ModuleSource> {
    let place = |source: &ModuleSource| api::v1::ModuleSource {
        source: source.source.clone(),
        version: None,
        path: ".".to_owned(),
    };
    sources.iter().map(place).collect()
}

/// Reads what is known of objects.
fn assumed(path: &Path, limits: &LimitSettings) -> Result<Assumed, Failure> {
    let bytes = schemas::read_file(path, limits)?;
    let reader = || serde_json::from_slice(&bytes);
    under_account(limits, reader)?.map_err(|error| Failure::Message(format!("{}: {error}", path.display())))
}

/// Returns the inputs with the absolute paths of definitions files replaced by those from the folder: only these can be
/// in a set of files.
fn inputs_on_disk(mut inputs: VariableInputs, disk: &Disk) -> VariableInputs {
    for arg in &mut inputs.args {
        if let VariableArg::VarFile(path) = arg
            && path.starts_with('/')
            && let Some(relative) = disk.relative(Path::new(path.as_str()))
        {
            *path = relative;
        }
    }
    inputs
}

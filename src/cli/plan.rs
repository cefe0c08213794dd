//! `overfold plan DIR`: what the tool would plan without a state.

use super::version_files;
use std::io::{self, IsTerminal as _};
use std::path::{Path, PathBuf};
use std::{env, fs};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::assume::{self, Assumption};
use super::colour::{self, TextKind};
use super::likely;
use super::merge::{self, Variables};
use super::schemas::Schemas;
use super::{Failure, Outcome, ask, complain, print, under_account};
use crate::settings::LimitSettings;
use overfold_base::diag::Severity;
use overfold_dialect as dialect;
use overfold_engine::options::{self, Dialect, POLICY_MOCK, PlanOptions};
use overfold_engine::plan::Form;
use overfold_engine::{Input, Plan, UseCase as _};
use overfold_eval::functions;
use overfold_output::FORMATS;
use overfold_source::{Disk, FolderLinks};

/// What is planned, and how the outcome is printed. The exit code is 0 if the plan was made, 1 if there are errors or,
/// with --fail-on, diagnostics of that severity, and 2 if it could not be tried.
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
    /// Attributes to assume for resources and data sources: one, or a file with a JSON object of addresses, each with
    /// an object of attributes; may be repeated
    #[arg(long, env = "OVERFOLD_ASSUME", value_name = "ADDRESS.ATTRIBUTE=JSON|FILE", value_parser = assume::assumption)]
    assume: Vec<Assumption>,
    /// Where to find a module that is not local: its source and a folder; may be repeated
    #[arg(long, env = "OVERFOLD_MODULE_SOURCE", value_name = "SOURCE=PATH", value_parser = module_source)]
    module_source: Vec<ModuleSource>,
    /// What to print; the diagnostics go to standard error, unless they are what is printed [default: text on a
    /// terminal, else document]
    #[arg(long, env = "OVERFOLD_PLAN_FORMAT", value_parser = formats())]
    format: Option<Form>,
    /// Accept a folder without configuration files; otherwise, the exit code is 1
    #[arg(long, env = "OVERFOLD_ALLOW_EMPTY")]
    allow_empty: bool,
    #[command(flatten)]
    limits: LimitSettings,
}

/// The options that assign values to variables. A plan always needs values, so the option that asks for them is hidden.
#[derive(Clone, Debug)]
pub(super) struct Values(Variables);

impl Values {
    /// Returns the option of a request.
    ///
    /// # Errors
    /// Fails if the environment does not contain a variable that is to be taken from it.
    pub(super) fn options(self) -> Result<options::Variables, Failure> {
        Ok(self.0.options()?.unwrap_or_default())
    }
}

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

/// Iterates over the formats, with name and help text: our own first, then the formats for diagnostics alone.
fn named_formats() -> impl Iterator<Item = (&'static str, &'static str, Form)> + Clone {
    let own = [
        (
            "document",
            "The plan document, as `terraform show -json` and `tofu show -json` print it, on one line",
            Form::Document,
        ),
        ("json", "The whole answer of the service", Form::Answer),
        ("text", "The plan, for people", Form::Text),
        (POLICY_MOCK.name, POLICY_MOCK.about, Form::PolicyMock),
    ];
    let alone = FORMATS.iter().filter(move |format| own.iter().all(|(name, ..)| *name != format.name));
    let diagnostics = |format| Form::Diagnostics(format);
    own.into_iter().chain(alone.map(move |format| (format.name, format.about, diagnostics(format))))
}

fn formats() -> impl TypedValueParser<Value = Form> {
    let values = named_formats().map(|(name, about, _)| PossibleValue::new(name).help(about));
    PossibleValuesParser::new(values).try_map(|given| {
        let found = named_formats().find(|(name, ..)| *name == given).map(|(.., format)| format);
        found.ok_or("not one of the formats")
    })
}

/// A module that is not local, and the folder that holds it.
#[derive(Clone, Debug)]
pub(super) struct ModuleSource {
    source: String,
    folder: PathBuf,
}

impl ModuleSource {
    /// Returns the source as an option of a request, with its folder in an archive.
    ///
    /// # Errors
    /// Fails if the path of the folder is not UTF-8.
    pub(super) fn in_files(&self) -> Result<options::ModuleSource, Failure> {
        let path = self.folder.to_str().ok_or_else(|| Failure::Message("a path is not UTF-8".to_owned()))?;
        Ok(options::ModuleSource { source: self.source.clone(), version: None, path: path.to_owned() })
    }
}

pub(super) fn module_source(text: &str) -> Result<ModuleSource, &'static str> {
    // A source may contain `=`, as in `?ref=v1`.
    match text.rsplit_once('=') {
        Some((source, folder)) if !source.is_empty() && !folder.is_empty() => {
            Ok(ModuleSource { source: source.to_owned(), folder: folder.into() })
        }
        _ => Err("it must be SOURCE=PATH, such as terraform-aws-modules/vpc/aws=vendor/vpc"),
    }
}

/// Prints the plan.
///
/// # Errors
/// Fails if the folder cannot be read or the request is impossible.
pub(super) fn run(args: PlanArgs) -> Result<Outcome, Failure> {
    let default = if io::stdout().is_terminal() { Form::Text } else { Form::Document };
    let form = args.format.unwrap_or(default);
    let limits = &args.limits;
    let named_dialect = version_files::dialect(args.options.dialect, &args.path);
    let disk = disk(&args.path, named_dialect, limits)?;
    let mut variables = args.variables.options()?;
    merge::name_from_folder(&mut variables, &disk);
    let schemas = args.schemas.read(limits)?;
    let options = PlanOptions {
        variables: Some(variables),
        provider_schemas: schemas.text.clone(),
        assume: assume::all(&args.assume, limits)?,
        dialect: named_dialect,
        cwd: args.options.cwd.clone().or_else(|| working_directory(&args.path)),
        module_sources: (!args.module_source.is_empty())
            .then(|| module_sources(&args.module_source, &disk))
            .transpose()?,
        ..args.options
    };
    // Problems of the request refer to the texts that it contains, so it is checked under an account as well.
    let mut prepared = under_account(limits, || Plan::prepare(options, &limits.request))??;
    prepared.fail_on.get_or_insert(Severity::Error);
    schemas.apply(&mut prepared);
    version_files::prefer_meant(&mut prepared.request, Some(&args.path));
    prepared.request.root = disk.root();
    let files = disk.into_files();
    // The folder of the command is what names in the answer are relative to.
    let input = Input { files: &files, prepared: &prepared, root: "" };
    let beside = !matches!(form, Form::Diagnostics(_));
    let outcome = ask::<Plan, 1>([input], form, beside, limits)?;
    // Where there is no plan document, the diagnostics say why.
    let mut bytes = outcome.answer.unwrap_or_default();
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    let is_empty = outcome.is_empty && !args.allow_empty;
    // The tool makes no plan of an empty folder, so there is neither a document nor what is made of it.
    if !(is_empty && matches!(form, Form::Document | Form::PolicyMock)) {
        match form {
            Form::Text => colour::print(TextKind::Plan, &bytes)?,
            _ => print(&bytes)?,
        }
    }
    colour::print_beside(TextKind::Diagnostics, &outcome.findings);
    if is_empty {
        if prepared.tree.is_some() { say_no_root(", or accept that with --allow-empty") } else { merge::say_empty() }
    }
    Ok(if outcome.fails || is_empty { Outcome::Errors } else { Outcome::Fine })
}

/// Says that no root module was found; `remedy` is what comes behind that.
pub(super) fn say_no_root(remedy: &str) {
    complain(&format!(
        "overfold: there is no root module, which is a directory that no call reaches and that has a backend, cloud, a provider block \
        or a variable definitions file; name the folder of one without --recursive{remedy}"
    ));
}

/// Opens the folder of the root module.
pub(super) fn disk(path: &Path, dialect: Option<Dialect>, limits: &LimitSettings) -> Result<Disk, Failure> {
    if path.is_file() {
        return Err(Failure::Message(likely::folder_instead_of(path)));
    }
    let dialect = dialect.unwrap_or(Dialect::Terraform).name();
    let wanted = move |name: &str| dialect::may_read(dialect, name);
    let disk = Disk::open(path, FolderLinks::Named, wanted, &limits.source());
    disk.map_err(|error| Failure::Message(error.to_string()))
}

/// Returns the sources as options of a request.
pub(super) fn module_sources(sources: &[ModuleSource], disk: &Disk) -> Result<Vec<options::ModuleSource>, Failure> {
    let place = |source: &ModuleSource| {
        let failure = |error| Failure::Message(format!("--module-source {}={error}", source.source));
        let path = disk.name_of(&source.folder).map_err(failure)?;
        Ok(options::ModuleSource { source: source.source.clone(), version: None, path })
    };
    sources.iter().map(place).collect()
}

/// Returns the directory of the tool if it were run in this folder: the path by which a shell would have come there.
pub(super) fn working_directory(folder: &Path) -> Option<String> {
    let real = fs::canonicalize(folder).ok()?;
    let here = env::current_dir().ok()?;
    let shell = env::var_os("PWD").map(PathBuf::from).filter(|path| path.is_absolute());
    let is_it = |path: &PathBuf| fs::canonicalize(path).is_ok_and(|found| found == real);
    let paths = shell.into_iter().chain([here]).filter_map(|base| {
        let path = base.join(folder);
        Some(PathBuf::from(functions::clean(path.to_str()?)))
    });
    let path = paths.into_iter().find(is_it).unwrap_or(real);
    path.to_str().map(str::to_owned)
}

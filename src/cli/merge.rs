//! `overfold merge DIR|ARCHIVE`: the service's main task, without the service.

use super::version_files;
use std::io::{self, IsTerminal as _, Read as _};
use std::path::{Path, PathBuf};

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::colour::{self, TextKind};
use super::revision::{self, Revision};
use super::schemas::Schemas;
use super::{Failure, Outcome, ask, complain, likely, print};
use crate::settings::LimitSettings;
use overfold_base::diag::Severity;
use overfold_base::files::FileSet;
use overfold_dialect as dialect;
use overfold_engine::merge::Form;
use overfold_engine::options::{self, Dialect, Env, MergeOptions, VariableArg};
use overfold_engine::{Input, Merge, PreparedRequest, UseCase};
use overfold_output::FORMATS;
use overfold_source::{self as source, Disk, FolderLinks, ReadError};

/// What to merge, and what to show of it.
#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// A folder, an archive file (tar, tar.gz, tar.zst, zip), or `-` for an archive on standard input
    #[arg(default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    options: MergeOptions,
    #[command(flatten)]
    schemas: Schemas,
    #[command(flatten)]
    variables: Variables,
    /// What to print; the diagnostics go to standard error, unless they are what is printed [default: text on a
    /// terminal, else json]
    #[arg(long, env = "OVERFOLD_FORMAT", value_parser = formats())]
    format: Option<Form>,
    /// Accept a folder without configuration files; otherwise, the exit code is 1
    #[arg(long, env = "OVERFOLD_ALLOW_EMPTY")]
    allow_empty: bool,
    #[command(flatten)]
    limits: LimitSettings,
}

/// Iterates over the formats, with name and help text: our own first, then the formats for diagnostics alone.
fn named_formats() -> impl Iterator<Item = (&'static str, &'static str, Form)> + Clone {
    let own = [
        ("json", "The whole answer of the service", Form::Answer),
        ("config", "Only the merged configuration, in the form that --config-format names", Form::Config),
        ("text", "A report of the overrides, of lost content and of the diagnostics, for people", Form::Text),
    ];
    let alone = FORMATS.iter().filter(move |format| own.iter().all(|(name, ..)| *name != format.name));
    own.into_iter().chain(alone.map(|format| (format.name, format.about, Form::Diagnostics(format))))
}

/// Names of earlier releases, which scripts may still use, and what they are called now.
const FORMER_NAMES: &[(&str, &str)] = &[("github", "github-commands"), ("gitlab", "gitlab-codequality")];

fn formats() -> impl TypedValueParser<Value = Form> {
    let values = named_formats().map(|(name, about, _)| {
        let former = FORMER_NAMES.iter().filter(move |(_, now)| *now == name).map(|(former, _)| *former);
        PossibleValue::new(name).aliases(former).help(about)
    });
    PossibleValuesParser::new(values).try_map(|given| {
        let given = FORMER_NAMES.iter().find(|(former, _)| *former == given).map_or(&*given, |(_, now)| now);
        let found = named_formats().find(|(name, ..)| *name == given).map(|(.., format)| format);
        found.ok_or("not one of the formats")
    })
}

/// Prints the answer.
///
/// # Errors
/// Fails if the input cannot be read or the request is impossible.
pub(super) fn run(args: MergeArgs) -> Result<Outcome, Failure> {
    let schemas = args.schemas.read(&args.limits)?;
    let options =
        MergeOptions { provider_schemas: schemas.text.clone(), variables: args.variables.options()?, ..args.options };
    let mut read = input::<Merge, 1>(&args.path, options, &args.limits)?;
    read.prepared.fail_on.get_or_insert(Severity::Error);
    schemas.apply(&mut read.prepared);
    let default = if io::stdout().is_terminal() { Form::Text } else { Form::Answer };
    let form = args.format.unwrap_or(default);
    let beside = !matches!(form, Form::Diagnostics(_));
    let outcome = ask::<Merge, 1>([read.input()], form, beside, &args.limits)?;
    let mut bytes = outcome.answer?;
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    match form {
        Form::Text => colour::print(TextKind::Merge, &bytes)?,
        _ => print(&bytes)?,
    }
    colour::print_beside(TextKind::Diagnostics, &outcome.findings);
    // The text says so itself.
    if !matches!(form, Form::Text) {
        say_nothing_reached(outcome.reaches_nothing);
    }
    let is_empty = outcome.is_empty && !args.allow_empty;
    if is_empty {
        say_empty();
    }
    Ok(if outcome.fails || is_empty { Outcome::Errors } else { Outcome::Fine })
}

/// Says why the exit code is 1 although there is nothing wrong.
pub(super) fn say_empty() {
    complain("overfold: there are no configuration files, which is usually a mistake; --allow-empty accepts that");
}

/// Says that nothing was looked at, if the files of --paths belong to nothing: a gate is passed then.
pub(super) fn say_nothing_reached(reaches_nothing: bool) {
    if reaches_nothing {
        complain(
            "overfold: nothing was looked at: none of the files of --paths belongs to a module here; they are named from \
            the folder that is read",
        );
    }
}

/// Returns why the exit code of a comparison is 2 although both sides could be read: `what` is missing from both.
pub(super) fn nothing_compared(what: &str) -> Failure {
    Failure::Message(format!(
        "nothing was compared: neither side has {what}; name the folder of the module, or --recursive for all below; --allow-empty \
        accepts this"
    ))
}

/// What one command-line argument stands for.
pub(super) struct CommandInput {
    files: FileSet,
    prepared: PreparedRequest,
    /// The module directory as requested. That of the prepared request begins at the top of the system, if a folder is read.
    root: String,
}

impl CommandInput {
    /// Returns what is asked, to change it.
    pub(super) const fn prepared_mut(&mut self) -> &mut PreparedRequest {
        &mut self.prepared
    }

    /// Returns the input of a use case.
    pub(super) const fn input(&self) -> Input<'_> {
        Input { files: &self.files, prepared: &self.prepared, root: self.root.as_str() }
    }

    /// Returns the same files with other options.
    ///
    /// # Errors
    /// Fails if an option has an invalid value.
    pub(super) fn with_options<U: UseCase<SIDES, Options = MergeOptions>, const SIDES: usize>(
        &self,
        options: MergeOptions,
        settings: &LimitSettings,
    ) -> Result<Self, Failure> {
        let mut prepared = U::prepare(options, &settings.request)?;
        version_files::prefer_meant(&mut prepared.request, None);
        Ok(Self { files: self.files.clone(), root: prepared.request.root.clone(), prepared })
    }
}

/// Reads a folder or an archive.
///
/// # Errors
/// Fails if it cannot be read, or an option has an invalid value.
pub(super) fn input<U: UseCase<SIDES, Options = MergeOptions>, const SIDES: usize>(
    path: &Path,
    mut options: MergeOptions,
    settings: &LimitSettings,
) -> Result<CommandInput, Failure> {
    let is_folder = is_folder(path);
    if is_folder {
        options.dialect = version_files::dialect(options.dialect, path);
    }
    let named = options.variables.iter().flat_map(var_file_names).map(str::to_owned);
    let config_file = options.config_file.as_deref().map(|path| last_segment(path).to_owned());
    let named: Vec<String> = named.chain(config_file).collect();
    let name = options.dialect.unwrap_or(Dialect::Terraform).name();
    let wanted = move |file: &str| {
        dialect::may_read(name, file)
            || named.iter().any(|named| named == file)
            || version_files::is_version_file(file)
    };
    let object = if SIDES == 2 { revision::named(path)? } else { None };
    let opened = match object {
        Some(object) => InputFiles::Revision(Revision::open(&object, wanted, settings)?, revision::folder()),
        None => InputFiles::new(path, options.strip_components, wanted, settings)?,
    };
    if let (InputFiles::Folder(disk), Some(variables)) = (&opened, &mut options.variables) {
        name_from_folder(variables, disk);
    }
    let mut prepared = U::prepare(options, &settings.request)?;
    version_files::prefer_meant(&mut prepared.request, is_folder.then_some(path));
    Ok(opened.read(prepared))
}

/// Whether the argument of a command names a folder. `-` is standard input.
pub(super) fn is_folder(path: &Path) -> bool {
    path.as_os_str() != "-" && path.is_dir()
}

/// What the argument of a command names, opened.
pub(super) enum InputFiles {
    /// A folder, whose files are read when something asks for them.
    Folder(Disk),
    /// The files of an archive, or of a folder from whose paths segments are removed: which file on disk one of them
    /// stands for is then no longer known.
    Files(FileSet),
    /// A revision of a repository, and the folder in it that is opened.
    Revision(Revision, String),
}

impl InputFiles {
    /// Opens a folder, or reads an archive file or an archive on standard input.
    ///
    /// # Errors
    /// Fails if it cannot be read.
    pub(super) fn new(
        path: &Path,
        strip: Option<u16>,
        wanted: impl Fn(&str) -> bool + Clone + Send + Sync + 'static,
        settings: &LimitSettings,
    ) -> Result<Self, Failure> {
        let limits = settings.source();
        if is_folder(path) && strip.unwrap_or_default() == 0 {
            match Disk::open(path, FolderLinks::InPlace, wanted.clone(), &limits) {
                Ok(disk) => return Ok(Self::Folder(disk)),
                // A folder on the way has a name that paths in a set of files cannot have. It can be read as a whole.
                Err(ReadError::BadPath { .. }) => {}
                Err(error) => return Err(Failure::Message(error.to_string())),
            }
        }
        let files = if path.as_os_str() == "-" {
            standard_input(strip, &limits)?
        } else {
            read_path(path, strip, &wanted, &limits)?
        };
        Ok(Self::Files(files))
    }

    /// Returns the files with what is asked about them.
    pub(super) fn read(self, mut prepared: PreparedRequest) -> CommandInput {
        let root = prepared.request.root.clone();
        let files = match self {
            Self::Files(files) => files,
            Self::Folder(disk) => {
                prepared.request.root = below(&disk.root(), &root);
                disk.into_files()
            }
            Self::Revision(revision, folder) => {
                prepared.request.root = below(&folder, &root);
                revision.into_files(&folder)
            }
        };
        CommandInput { files, prepared, root }
    }
}

/// Returns the path of a folder in another one.
fn below(folder: &str, inner: &str) -> String {
    let parts: Vec<&str> = [folder, inner].into_iter().filter(|part| !part.is_empty()).collect();
    parts.join("/")
}

/// Replaces the absolute paths of definitions files by those from the folder: only these can be in a set of files.
pub(super) fn name_from_folder(variables: &mut options::Variables, disk: &Disk) {
    for path in variables.args.iter_mut().filter_map(|arg| arg.var_file.as_mut()) {
        if path.starts_with('/')
            && let Some(relative) = disk.relative(Path::new(path.as_str()))
        {
            *path = relative;
        }
    }
}

/// Reads an archive file, or a whole folder.
fn read_path(
    path: &Path,
    strip: Option<u16>,
    wanted: &dyn Fn(&str) -> bool,
    limits: &source::Limits,
) -> Result<FileSet, Failure> {
    match source::read_path(path, strip, wanted, limits) {
        Ok(upload) => Ok(upload.files),
        Err(source::ReadError::UnknownFormat) => Err(Failure::Message(match likely::instead_of(path) {
            Some(instead) => instead,
            None => format!("{}: {}", path.display(), source::ReadError::UnknownFormat),
        })),
        Err(error) => Err(Failure::Message(error.to_string())),
    }
}

/// Reads an archive from standard input.
fn standard_input(strip: Option<u16>, limits: &source::Limits) -> Result<FileSet, Failure> {
    let message = |error: source::ReadError| Failure::Message(format!("standard input: {error}"));
    let mut bytes = Vec::new();
    let max = limits.request_bytes;
    let read = io::stdin().lock().take(max.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Failure::Io { what: "standard input".to_owned(), error })?;
    if bytes.len() as u64 > max {
        return Err(Failure::Message(format!("standard input is over the limit max-request-bytes of {max} bytes")));
    }
    let format = source::ArchiveFormat::sniff(&bytes).ok_or_else(|| message(source::ReadError::UnknownFormat))?;
    let payload = source::Payload::archive(format, bytes.into()).strip_components(strip);
    Ok(source::read(payload, limits).map_err(message)?.files)
}

/// The options that assign values to variables; `--var` and `--var-file` are in the order given. Any of them turns the
/// processing of values on.
#[derive(Clone, Debug, Default)]
pub(super) struct Variables {
    values: bool,
    args: Vec<VariableArg>,
    env: Vec<String>,
}

/// The options as clap reads them, each kind separately.
#[derive(Args, Debug)]
struct VariableFlags {
    /// Process variable values: automatic definitions files are read, and every required variable needs a value
    #[arg(long, env = "OVERFOLD_VALUES")]
    values: bool,
    /// Set a variable; may be repeated
    #[arg(long, env = "OVERFOLD_VAR", value_name = "NAME=TEXT")]
    var: Vec<String>,
    /// Read a variable definitions file, by its path relative to --root, even outside the folder; may be repeated
    #[arg(long, env = "OVERFOLD_VAR_FILE", value_name = "PATH")]
    var_file: Vec<String>,
    /// Set an environment variable for the run, such as TF_VAR_size=3; without `=`, its value is taken from this
    /// environment
    #[arg(long, env = "OVERFOLD_ENV", value_name = "NAME[=TEXT]")]
    env: Vec<String>,
}

impl Args for Variables {
    fn augment_args(command: Command) -> Command {
        VariableFlags::augment_args(command)
    }

    fn augment_args_for_update(command: Command) -> Command {
        VariableFlags::augment_args_for_update(command)
    }
}

impl FromArgMatches for Variables {
    fn from_arg_matches(matches: &ArgMatches) -> Result<Self, clap::Error> {
        let flags = VariableFlags::from_arg_matches(matches)?;
        let places = |id: &str| matches.indices_of(id).into_iter().flatten();
        let mut args: Vec<(usize, VariableArg)> = Vec::new();
        let var = |text| VariableArg { var: Some(text), ..VariableArg::default() };
        let var_file = |path| VariableArg { var_file: Some(path), ..VariableArg::default() };
        args.extend(places("var").zip(flags.var.into_iter().map(var)));
        args.extend(places("var_file").zip(flags.var_file.into_iter().map(var_file)));
        args.sort_by_key(|(place, _)| *place);
        let args = args.into_iter().map(|(_, arg)| arg).collect();
        Ok(Self { values: flags.values, args, env: flags.env })
    }

    fn update_from_arg_matches(&mut self, matches: &ArgMatches) -> Result<(), clap::Error> {
        *self = Self::from_arg_matches(matches)?;
        Ok(())
    }
}

impl Variables {
    /// Whether values are to be processed.
    fn are_asked(&self) -> bool {
        self.values || !self.args.is_empty() || !self.env.is_empty()
    }

    /// Returns the option of a request; `None` if values are not to be processed.
    ///
    /// # Errors
    /// Fails if the environment does not contain a variable that is to be taken from it.
    pub(super) fn options(self) -> Result<Option<options::Variables>, Failure> {
        if !self.are_asked() {
            return Ok(None);
        }
        let env = self.env.into_iter().map(environment).collect::<Result<_, _>>()?;
        Ok(Some(options::Variables { env: Env(env), args: self.args }))
    }
}

/// Iterates over the names of the definitions files that are named, without their folders.
fn var_file_names(variables: &options::Variables) -> impl Iterator<Item = &str> {
    variables.args.iter().filter_map(|arg| arg.var_file.as_deref()).map(last_segment)
}

fn last_segment(path: &str) -> &str {
    path.rsplit_once('/').map_or(path, |(_, name)| name)
}

fn environment(text: String) -> Result<(String, String), Failure> {
    if let Some((name, value)) = text.split_once('=') {
        return Ok((name.to_owned(), value.to_owned()));
    }
    match std::env::var(&text) {
        Ok(value) => Ok((text, value)),
        Err(_) => Err(Failure::Message(format!(
            "--env {text}: the environment does not contain this variable, or its value is not valid UTF-8; --env {text}=VALUE gives one"
        ))),
    }
}

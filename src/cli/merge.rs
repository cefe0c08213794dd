//! `overfold merge DIR|ARCHIVE`: the service's main task, without the service.

use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::schemas::Schemas;
use super::{Failure, Outcome, likely, missed, outside, print};
use crate::api;
use crate::api::v1::MergeOptions;
use crate::settings::LimitSettings;
use crate::task::{self, Form, Merged, PreparedRequest};
use overfold_base::account::{self, Cancel};
use overfold_base::diag::Severity;
use overfold_base::files::FileSet;
use overfold_dialect as dialect;
use overfold_module::pipeline::{RequestError, VariableArg, VariableInputs};
use overfold_output::FORMATS;
use overfold_transport as transport;

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
    let message = |text: String| Failure::Message(text);
    let options = MergeOptions { provider_schemas: args.schemas.read(&args.limits)?, ..args.options };
    let read = input(&args.path, options, args.variables, &args.limits)?;
    let default = if io::stdout().is_terminal() { Form::Text } else { Form::Answer };
    let form = args.format.unwrap_or(default);
    let beside = !matches!(form, Form::Diagnostics(_));
    let fail_on = read.prepared.fail_on.unwrap_or(Severity::Error);
    let work = || task::merge(read.input(), form, beside, args.limits.syntax(), &mut ());
    let Merged { mut bytes, facts, findings, is_empty } = account::open(args.limits.account(), &Cancel::new(), work)
        .map_err(|stop| message(stop.to_string()))?
        .map_err(|error: RequestError| message(error.to_string()))?;
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    print(&bytes)?;
    print_findings(&findings);
    let is_empty = is_empty && !args.allow_empty;
    if is_empty {
        say_empty();
    }
    Ok(if facts.tally.reaches(fail_on) || is_empty { Outcome::Errors } else { Outcome::Fine })
}

/// Says why the exit code is 1 although there is nothing wrong.
pub(super) fn say_empty() {
    let text = "overfold: there are no configuration files, which is usually a mistake; --allow-empty accepts that";
    // If this fails, there is nowhere left to report it.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// What one command-line argument stands for.
pub(super) struct Read {
    files: FileSet,
    prepared: PreparedRequest,
    /// The module directory as requested; definitions files above the folder move the root of the prepared request.
    root: String,
}

impl Read {
    /// Returns the input of a use case.
    pub(super) const fn input(&self) -> task::Input<'_> {
        task::Input { files: &self.files, prepared: &self.prepared, root: self.root.as_str() }
    }

    /// Returns the same files with other options.
    ///
    /// # Errors
    /// Fails if an option has an invalid value.
    pub(super) fn with_options(
        &self,
        options: MergeOptions,
        variables: Variables,
        settings: &LimitSettings,
    ) -> Result<Self, Failure> {
        let mut prepared = api::prepare(variables.announced(options), settings)
            .map_err(|problem| Failure::Message(problem.detail.into_owned()))?;
        prepared.request.variables = variables.inputs()?.map(Arc::new);
        Ok(Self { files: self.files.clone(), root: prepared.request.root.clone(), prepared })
    }
}

/// Reads a folder or an archive.
///
/// # Errors
/// Fails if it cannot be read, or an option has an invalid value.
pub(super) fn input(
    path: &Path,
    options: MergeOptions,
    variables: Variables,
    settings: &LimitSettings,
) -> Result<Read, Failure> {
    let message = |text: String| Failure::Message(text);
    let is_stdin = path.as_os_str() == "-";
    let limits = settings.transport();
    let options = variables.announced(options);
    let mut prepared = api::prepare(options, settings).map_err(|problem| message(problem.detail.into_owned()))?;
    let request = &mut prepared.request;
    let files = if is_stdin {
        standard_input(prepared.strip_components, &limits)?
    } else {
        let var_files = variables.var_file_names();
        let config_file = request.config_file.as_deref().map(last_segment);
        let named: Vec<&str> = var_files.chain(config_file).collect();
        let wanted = |name: &str| dialect::may_read(&request.dialect, name) || named.contains(&name);
        read_path(path, prepared.strip_components, &wanted, &limits)?
    };
    request.variables = variables.inputs()?.map(Arc::new);
    let root = request.root.clone();
    let is_folder = !is_stdin && Path::is_dir(path);
    let files = if is_folder {
        let files = outside::include(files, request, path, settings.max_file_bytes)?;
        match prepared.strip_components {
            None | Some(0) => missed::include(files, request, prepared.tree.as_ref(), path, &root, settings)?,
            // Which file on disk one in the set stands for is no longer known.
            Some(_) => files,
        }
    } else {
        files
    };
    Ok(Read { files, prepared, root })
}

/// Reads a folder or an archive file.
pub(super) fn read_path(
    path: &Path,
    strip: Option<u32>,
    wanted: &dyn Fn(&str) -> bool,
    limits: &transport::Limits,
) -> Result<FileSet, Failure> {
    match transport::read_path(path, strip, wanted, limits) {
        Ok(upload) => Ok(upload.files),
        Err(transport::TransportError::UnknownFormat) => Err(Failure::Message(match likely::instead_of(path) {
            Some(instead) => instead,
            None => format!("{}: {}", path.display(), transport::TransportError::UnknownFormat),
        })),
        Err(error) => Err(Failure::Message(error.to_string())),
    }
}

/// Reads an archive from standard input.
pub(super) fn standard_input(strip: Option<u32>, limits: &transport::Limits) -> Result<FileSet, Failure> {
    let message = |error: transport::TransportError| Failure::Message(format!("standard input: {error}"));
    let mut bytes = Vec::new();
    let most = limits.request_bytes;
    let read = io::stdin().lock().take(most.saturating_add(1)).read_to_end(&mut bytes);
    read.map_err(|error| Failure::Io { what: "standard input".to_owned(), error })?;
    if bytes.len() as u64 > most {
        return Err(Failure::Message(format!("standard input is over the limit max-request-bytes of {most} bytes")));
    }
    let format =
        transport::ArchiveFormat::sniff(&bytes).ok_or_else(|| message(transport::TransportError::UnknownFormat))?;
    let payload = transport::Payload::archive(format, bytes.into()).strip_components(strip);
    Ok(transport::read(payload, limits).map_err(message)?.files)
}

/// Writes findings to standard error, in colours if it is a terminal that supports them (NO_COLOR is honoured).
pub(super) fn print_findings(findings: &str) {
    let mut out = anstream::stderr().lock();
    let paint = |colour: anstyle::AnsiColor| anstyle::Style::new().bold().fg_color(Some(colour.into()));
    for line in findings.lines() {
        let start = [
            ("error: ", anstyle::AnsiColor::Red),
            ("warning: ", anstyle::AnsiColor::Yellow),
            ("note: ", anstyle::AnsiColor::Cyan),
        ]
        .into_iter()
        .find_map(|(word, colour)| line.strip_prefix(word).map(|rest| (word, paint(colour), rest)));
        // If this fails, there is nowhere left to report it.
        let _ = match start {
            Some((word, style, rest)) => writeln!(out, "{style}{word}{style:#}{rest}"),
            None => writeln!(out, "{line}"),
        };
    }
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
        args.extend(places("var").zip(flags.var.into_iter().map(VariableArg::Var)));
        args.extend(places("var_file").zip(flags.var_file.into_iter().map(VariableArg::VarFile)));
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
    /// Iterates over the names of the definitions files, without their folders.
    fn var_file_names(&self) -> impl Iterator<Item = &str> {
        self.args
            .iter()
            .filter_map(|arg| if let VariableArg::VarFile(path) = arg { Some(last_segment(path)) } else { None })
    }

    /// Whether values are to be processed.
    fn are_asked(&self) -> bool {
        self.values || !self.args.is_empty() || !self.env.is_empty()
    }

    /// Returns the options of a request that says whether values are to be processed.
    fn announced(&self, options: MergeOptions) -> MergeOptions {
        MergeOptions { variables: self.are_asked().then(api::v1::Variables::default), ..options }
    }

    /// Returns the inputs for the pipeline; `None` if values are not to be processed.
    pub(super) fn inputs(self) -> Result<Option<VariableInputs>, Failure> {
        if !self.are_asked() {
            return Ok(None);
        }
        let env = self.env.into_iter().map(environment).collect::<Result<_, _>>()?;
        Ok(Some(VariableInputs { env, args: self.args }))
    }
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
            "--env {text}: the environment does not contain this variable, or its value is not valid UTF-8"
        ))),
    }
}

//! `overfold merge DIR|ARCHIVE`: the service's main task, without the service.

use std::fmt::Write as _;
use std::io::{self, IsTerminal as _, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgMatches, Args, Command, FromArgMatches};

use super::merge_tree::{self, TreeRequest};
use super::{Failure, Outcome, likely, missed, outside, print};
use crate::account::{self, Cancel};
use crate::api::v1::{FailOn, MergeOptions};
use crate::api::{self, TreeOptions};
use crate::config::FileRole;
use crate::diag::Tally;
use crate::dialect;
use crate::files::FileSet;
use crate::output::{self, AnswerOptions, DiagnosticFormat, FORMATS, ReportOptions};
use crate::pipeline::{self, Report, RequestError, VariableArg, VariableInputs};
use crate::settings::LimitSettings;
use crate::syntax::Forest;
use crate::transport;

/// What to merge, and what to show of it.
#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// A folder, an archive file (tar, tar.gz, tar.zst, zip), or `-` for an archive on standard input
    #[arg(default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    options: MergeOptions,
    #[command(flatten)]
    variables: Variables,
    /// What to print; the diagnostics go to standard error, unless they are what is printed [default: text on a
    /// terminal, else json]
    #[arg(long, env = "OVERFOLD_FORMAT", value_parser = formats())]
    format: Option<Format>,
    /// Accept a folder without configuration files; otherwise, the exit code is 1
    #[arg(long, env = "OVERFOLD_ALLOW_EMPTY")]
    allow_empty: bool,
    #[command(flatten)]
    limits: LimitSettings,
}

/// What to print.
#[derive(Clone, Copy, Debug)]
pub(super) enum Format {
    /// The whole answer of the service.
    Json,
    /// The merged configuration alone, in the form named by --config-format.
    Config,
    /// What was overridden and what was lost, as text for people; the diagnostics go to standard error, also as text.
    Text,
    /// The diagnostics alone.
    Diagnostics(&'static DiagnosticFormat),
}

/// Iterates over the formats, with name and help text: our own first, then the formats for diagnostics alone.
fn named_formats() -> impl Iterator<Item = (&'static str, &'static str, Format)> + Clone {
    let own = [
        ("json", "The whole answer of the service", Format::Json),
        ("config", "Only the merged configuration, in the form that --config-format names", Format::Config),
        ("text", "A report of the overrides, of lost content and of the diagnostics, for people", Format::Text),
    ];
    let alone = FORMATS.iter().filter(move |format| own.iter().all(|(name, ..)| *name != format.name));
    own.into_iter().chain(alone.map(|format| (format.name, format.about, Format::Diagnostics(format))))
}

/// Names of earlier releases, which scripts may still use, and what they are called now.
const FORMER_NAMES: &[(&str, &str)] = &[("github", "github-commands"), ("gitlab", "gitlab-codequality")];

fn formats() -> impl TypedValueParser<Value = Format> {
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
    let Input { files, request, root, answer, reports, fail_on, tree } =
        input(&args.path, args.options, args.variables, &args.limits)?;
    let default = if io::stdout().is_terminal() { Format::Text } else { Format::Json };
    let format = args.format.unwrap_or(default);
    if let Some(tree) = tree {
        let (fail_on, allow_empty) = (fail_on.unwrap_or(FailOn::Error), args.allow_empty);
        let asked = TreeRequest { tree, answer, reports, fail_on, format, allow_empty };
        return merge_tree::run(&files, request, &root, asked, &args.limits);
    }
    let work = || {
        account::raise(|limits| limits.for_files(files.content_bytes()));
        let forest = Forest::new(args.limits.syntax());
        let mut report = pipeline::run(&forest, &files, &request)?;
        report.root = root;
        if matches!(format, Format::Config) || matches!(format, Format::Json) && answer.include.config {
            let notes = output::form_notes(&report, answer.config_format);
            report.diagnostics.extend(notes);
        }
        let text = render(&report, format, answer, &reports);
        let findings = match format {
            Format::Diagnostics(_) => String::new(),
            _ if report.tally() == Tally::default() => String::new(),
            _ => String::from_utf8(DiagnosticFormat::text().write(&report, &reports)).unwrap_or_default(),
        };
        let has_failed = fail_on.unwrap_or(FailOn::Error).is_met(report.tally());
        let is_empty = !args.allow_empty && !has_configuration(&report);
        Ok((has_failed, is_empty, text, findings))
    };
    let (has_failed, is_empty, text, findings) = account::open(args.limits.account(), &Cancel::new(), work)
        .map_err(|stop| message(stop.to_string()))?
        .map_err(|error: RequestError| message(error.to_string()))?;
    print(&text)?;
    print_findings(&findings);
    if is_empty {
        say_empty();
    }
    Ok(if has_failed || is_empty { Outcome::Errors } else { Outcome::Fine })
}

/// Whether any configuration file was read.
pub(super) fn has_configuration(report: &Report<'_>) -> bool {
    report.merged.files().iter().any(|file| matches!(file.role, FileRole::Primary | FileRole::Override))
}

/// Says why the exit code is 1 although there is nothing wrong.
pub(super) fn say_empty() {
    let text = "overfold: there are no configuration files, which is usually a mistake; --allow-empty accepts that";
    // If this fails, there is nowhere left to report it.
    let _ = writeln!(io::stderr().lock(), "{text}");
}

/// The input that one command-line argument stands for.
pub(super) struct Input {
    pub(super) files: FileSet,
    pub(super) request: pipeline::Request,
    /// The module directory as requested; definitions files above the folder move the root of `request`.
    pub(super) root: String,
    pub(super) answer: AnswerOptions,
    pub(super) reports: ReportOptions,
    pub(super) fail_on: Option<FailOn>,
    pub(super) tree: Option<TreeOptions>,
}

impl Input {
    /// Returns the folder, within the files, that the command line named: more than that may have been read.
    pub(super) fn top(&self) -> &str {
        self.request.root.strip_suffix(&self.root).unwrap_or_default().trim_end_matches('/')
    }

    /// Returns the folder that prefixes the names of files, if a prefix is set: the prefix and the module directory.
    /// Otherwise `""`.
    pub(super) fn folder(&self) -> String {
        self.reports.folder(&self.root)
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
        let prepared =
            api::prepare(options, settings).map_err(|problem| Failure::Message(problem.detail.into_owned()))?;
        let request = pipeline::Request { variables: variables.inputs()?.map(Arc::new), ..prepared.request };
        Ok(Self {
            files: self.files.clone(),
            root: request.root.clone(),
            request,
            answer: prepared.answer,
            reports: prepared.reports,
            fail_on: prepared.fail_on,
            tree: prepared.tree,
        })
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
) -> Result<Input, Failure> {
    let message = |text: String| Failure::Message(text);
    let is_stdin = path.as_os_str() == "-";
    let limits = settings.transport();
    let prepared = api::prepare(options, settings).map_err(|problem| message(problem.detail.into_owned()))?;
    let mut request = prepared.request;
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
        let files = outside::include(files, &mut request, path, settings.max_file_bytes)?;
        match prepared.strip_components {
            None | Some(0) => missed::include(files, &request, prepared.tree.as_ref(), path, &root, settings)?,
            // Which file on disk one in the set stands for is no longer known.
            Some(_) => files,
        }
    } else {
        files
    };
    Ok(Input {
        files,
        request,
        root,
        answer: prepared.answer,
        reports: prepared.reports,
        fail_on: prepared.fail_on,
        tree: prepared.tree,
    })
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

fn render(report: &Report<'_>, format: Format, answer: AnswerOptions, reports: &ReportOptions) -> Vec<u8> {
    let mut bytes = match format {
        Format::Json => output::answer(report, answer),
        Format::Config => output::config_only(report, answer.config_format),
        Format::Text => return summary(report).into_bytes(),
        Format::Diagnostics(format) => format.write(report, reports),
    };
    if !bytes.is_empty() && !bytes.ends_with(b"\n") {
        bytes.push(b'\n');
    }
    bytes
}

/// Returns a summary for people: what was overridden and lost, and whether the tool loads the configuration.
pub(super) fn summary(report: &Report<'_>) -> String {
    let mut text = output::overrides_text(report);
    let (tool, version) = (report.dialect.tool, report.dialect.version);
    let verdict = if report.diagnostics.has_errors() { "has errors for" } else { "loads with" };
    // Writing to a string cannot fail.
    let _ = writeln!(text, "the configuration {verdict} {tool} {version}");
    text
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

    /// Returns the inputs for the pipeline; `None` if values are not to be processed.
    fn inputs(self) -> Result<Option<VariableInputs>, Failure> {
        if !self.values && self.args.is_empty() && self.env.is_empty() {
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

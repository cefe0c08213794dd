//! `overfold merge DIR|ARCHIVE`: the service's main job without the service.

use std::path::PathBuf;

use clap::{ArgMatches, Args, Command, FromArgMatches, ValueEnum};

use super::{Failure, Outcome, print};
use crate::account::{self, Cancel};
use crate::files::ModulePath;
use crate::output::{self, AnswerOptions, ConfigFormat, Include};
use crate::pipeline::{self, Report, Request, RequestError, VariableArg, VariableInputs};
use crate::settings::LimitSettings;
use crate::transport;

/// What is merged, and what is shown of it.
#[derive(Args, Debug)]
pub(super) struct MergeArgs {
    /// A folder, or an archive file (tar, tar.gz, tar.zst, zip)
    path: PathBuf,
    /// Whose rules are followed
    #[arg(long, env = "OVERFOLD_DIALECT", default_value = "terraform", value_name = "NAME")]
    dialect: String,
    /// The tool version to follow, such as 1.11 or 1.11.4 [default: the newest known]
    #[arg(long = "version", id = "tool_version", env = "OVERFOLD_VERSION", value_name = "VERSION")]
    version: Option<String>,
    /// The module directory inside the folder or archive
    #[arg(long, env = "OVERFOLD_ROOT", default_value = ".", value_name = "PATH")]
    root: String,
    /// Read this one configuration file, relative to --root, where the dialect allows that
    #[arg(long, env = "OVERFOLD_CONFIG_FILE", value_name = "PATH")]
    config_file: Option<String>,
    #[command(flatten)]
    variables: Variables,
    /// Work out count, for_each and dynamic before overriding, where the dialect shows a list of blocks
    #[arg(long, env = "OVERFOLD_EXPAND")]
    expand: bool,
    /// Show the values of sensitive variables
    #[arg(long, env = "OVERFOLD_REVEAL_SENSITIVE")]
    reveal_sensitive: bool,
    /// Parts of the answer, separated by commas
    #[arg(long, env = "OVERFOLD_INCLUDE", value_enum, value_delimiter = ',', default_value = "config")]
    include: Vec<Part>,
    /// What is printed
    #[arg(long, env = "OVERFOLD_FORMAT", value_enum, default_value = "json")]
    format: Format,
    /// Leading folders to leave out of an archive's paths [default: one that holds everything]
    #[arg(long, env = "OVERFOLD_STRIP_COMPONENTS", value_name = "COUNT")]
    strip_components: Option<u32>,
    #[command(flatten)]
    limits: LimitSettings,
}

/// Parts of the answer.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Part {
    /// The merged configuration
    Config,
    /// Every object, where its parts come from and what they replaced
    Objects,
    /// The same for a module that is a list of blocks
    Content,
    /// The input variables
    Variables,
    /// The files and what became of each
    Files,
}

/// What is printed. A new format is one variant and one arm below.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// The whole answer of the service
    Json,
    /// The merged configuration alone, in Terraform's JSON configuration syntax
    Config,
    /// The diagnostics, for people
    Text,
}

/// Prints the answer.
///
/// # Errors
/// When the input cannot be read, or the request is impossible.
pub(super) fn run(args: MergeArgs) -> Result<Outcome, Failure> {
    let message = |text: String| Failure::Message(text);
    let upload = transport::read_path(&args.path, args.strip_components, &args.limits.transport())
        .map_err(|error| message(error.to_string()))?;
    let request = Request {
        dialect: args.dialect,
        version: args.version,
        root: ModulePath::parse_folder(&args.root)
            .map_err(|error| message(format!("root {:?}: {error}", args.root)))?,
        config_file: args.config_file,
        variables: args.variables.inputs()?,
        expand: args.expand,
        reveal_sensitive: args.reveal_sensitive,
    };
    let work = || {
        let report = pipeline::run_within(&upload.files, &request, args.limits.syntax())?;
        let text = shown(&report, args.format, &args.include);
        Ok((report, text))
    };
    let (report, text) = account::open(args.limits.account(), &Cancel::new(), work)
        .map_err(|stop| message(stop.to_string()))?
        .map_err(|error: RequestError| message(error.to_string()))?;
    print(&text)?;
    Ok(if report.diagnostics.has_errors() { Outcome::Errors } else { Outcome::Fine })
}

fn shown(report: &Report, format: Format, parts: &[Part]) -> Vec<u8> {
    let has = |part| parts.contains(&part);
    let mut bytes = match format {
        Format::Json => {
            let include = Include {
                config: has(Part::Config),
                objects: has(Part::Objects) || has(Part::Content),
                variables: has(Part::Variables),
                files: has(Part::Files),
            };
            output::answer(report, AnswerOptions { include, config_format: ConfigFormat::TfJson })
        }
        Format::Config => output::config_alone(report, ConfigFormat::TfJson),
        Format::Text => return output::text(report).into_bytes(),
    };
    bytes.push(b'\n');
    bytes
}

/// The options that give values to variables, `--var` and `--var-file` in the order given. Any of them asks for
/// values.
#[derive(Clone, Debug, Default)]
struct Variables {
    values: bool,
    args: Vec<VariableArg>,
    env: Vec<String>,
}

/// As clap reads them, each kind by itself.
#[derive(Args, Debug)]
struct VariableFlags {
    /// Look at values: automatic definitions files are read and every required variable needs a value
    #[arg(long, env = "OVERFOLD_VALUES")]
    values: bool,
    /// Set a variable; may be repeated
    #[arg(long, env = "OVERFOLD_VAR", value_name = "NAME=TEXT")]
    var: Vec<String>,
    /// Read a definitions file of the module, relative to --root; may be repeated
    #[arg(long, env = "OVERFOLD_VAR_FILE", value_name = "PATH")]
    var_file: Vec<String>,
    /// An environment variable of the run, such as TF_VAR_size=3; without `=` it is taken from this environment
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
    /// For the pipeline; `None` where values are not asked for.
    fn inputs(self) -> Result<Option<VariableInputs>, Failure> {
        if !self.values && self.args.is_empty() && self.env.is_empty() {
            return Ok(None);
        }
        let env = self.env.into_iter().map(environment).collect::<Result<_, _>>()?;
        Ok(Some(VariableInputs { env, args: self.args }))
    }
}

fn environment(text: String) -> Result<(String, String), Failure> {
    if let Some((name, value)) = text.split_once('=') {
        return Ok((name.to_owned(), value.to_owned()));
    }
    match std::env::var(&text) {
        Ok(value) => Ok((text, value)),
        Err(_) => Err(Failure::Message(format!("--env {text}: the environment has no such variable (as UTF-8)"))),
    }
}

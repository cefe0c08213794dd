//! `overfold diff BEFORE [AFTER]`: the effective changes from one module directory to another.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::merge::{self, Variables};
use super::schemas::Schemas;
use super::{Failure, Outcome, print};
use crate::api;
use crate::api::v1::{Dialect, MergeOptions, names};
use crate::settings::LimitSettings;
use crate::task::{self, Compared};
use overfold_base::account::{self, Cancel};
use overfold_module::repository::SideError;
use overfold_output::DifferenceForm;

/// What is compared. The exit code is 0 if there is no difference, 1 if there is one, 2 if the comparison could not be
/// made, and 3, whether there is a difference or not, if --fail-on is set and either side has such a finding. Without
/// --fail-on, findings do not affect the exit code, and neither does anything that has only moved to another file.
/// --include and --config-format are not available here.
#[derive(Args, Debug)]
pub(super) struct DiffArgs {
    /// A folder, an archive file (tar, tar.gz, tar.zst, zip), or `-` for an archive on standard input
    before: PathBuf,
    /// A second one, to compare with the first [default: BEFORE, to compare two dialects or versions on the same files]
    after: Option<PathBuf>,
    /// Follow another tool's rules for AFTER [default: the dialect of BEFORE]
    #[arg(
        long,
        env = "OVERFOLD_AFTER_DIALECT",
        value_name = "NAME",
        value_parser = names(Dialect::NAMES)
    )]
    after_dialect: Option<Dialect>,
    /// Follow another tool version for AFTER [default: the version for BEFORE; if the dialect differs, the newest]
    #[arg(long, env = "OVERFOLD_AFTER_TOOL_VERSION", value_name = "VERSION")]
    after_version: Option<String>,
    #[command(flatten)]
    options: MergeOptions,
    #[command(flatten)]
    schemas: Schemas,
    #[command(flatten)]
    variables: Variables,
    /// What to print [default: text on a terminal, else json]
    #[arg(long, env = "OVERFOLD_DIFF_FORMAT", value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    limits: LimitSettings,
}

/// What to print.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// The whole answer of the service, as JSON
    Json,
    /// A comment for a pull request, at most 65,536 characters long
    Markdown,
    /// Text for people, at most 1,000,000 characters long
    Text,
}

impl From<Format> for DifferenceForm {
    fn from(format: Format) -> Self {
        match format {
            Format::Json => Self::Json,
            Format::Markdown => Self::Markdown,
            Format::Text => Self::Text,
        }
    }
}

/// Prints the difference.
///
/// # Errors
/// Fails if an input cannot be read or the request is impossible.
pub(super) fn run(args: DiffArgs) -> Result<Outcome, Failure> {
    let message = |text: String| Failure::Message(text);
    let second = args.after.as_ref().unwrap_or(&args.before);
    if args.after.is_some() && [&args.before, second].iter().all(|path| path.as_os_str() == "-") {
        return Err(message("both inputs are standard input, which can be read only once".to_owned()));
    }
    api::refuse_parts(&args.options, "a difference").map_err(|problem| message(problem.detail.into_owned()))?;
    let first = MergeOptions { provider_schemas: args.schemas.read(&args.limits)?, ..args.options };
    let mut options = first.clone();
    if args.after_dialect.is_some() {
        options.dialect = args.after_dialect;
        options.version = None;
    }
    if args.after_version.is_some() {
        options.version.clone_from(&args.after_version);
    }
    // There is only one standard input for both sides. Which files are read depends on the dialect.
    let before = merge::input(&args.before, first, args.variables.clone(), &args.limits)?;
    let after = if args.after.is_none() && args.before.as_os_str() == "-" {
        before.with_options(options, args.variables, &args.limits)?
    } else {
        merge::input(second, options, args.variables, &args.limits)?
    };
    let default = if io::stdout().is_terminal() { Format::Text } else { Format::Json };
    let format = args.format.unwrap_or(default);
    let sides = [before.input(), after.input()];
    let work = || task::diff(sides, format.into(), args.limits.syntax(), &mut ());
    let Compared { differs, mut bytes, facts } = account::open(args.limits.account(), &Cancel::new(), work)
        .map_err(|stop| message(stop.to_string()))?
        .map_err(|SideError { error, .. }| message(error.to_string()))?;
    let fails = sides.iter().zip(facts).any(|(input, facts)| input.fails(facts.tally));
    if format == Format::Json {
        bytes.push(b'\n');
    }
    print(&bytes)?;
    Ok(match (fails, differs) {
        (true, _) => Outcome::Fails,
        (false, true) => Outcome::Differs,
        (false, false) => Outcome::Fine,
    })
}

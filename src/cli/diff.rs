//! `overfold diff BEFORE [AFTER]`: what changes in effect from one module directory to another.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use clap::builder::PossibleValuesParser;
use clap::{Args, ValueEnum};

use super::merge::{self, Input, Variables};
use super::{Failure, Outcome, print};
use crate::account::{self, Cancel};
use crate::api::v1::{Dialect, MergeOptions};
use crate::output::Difference;
use crate::pipeline::{self, RequestError};
use crate::settings::LimitSettings;
use crate::syntax::Forest;

/// What is compared. The exit code is 0 without a difference, 1 with one, 2 where the comparison failed; findings
/// change it as little as what has only moved to another file.
#[derive(Args, Debug)]
pub(super) struct DiffArgs {
    /// A folder, an archive file (tar, tar.gz, tar.zst, zip), or `-` for an archive on standard input
    before: PathBuf,
    /// The same, to compare it with [default: BEFORE, for two dialects or versions of the same files]
    after: Option<PathBuf>,
    /// Follow another tool's rules for AFTER [default: those for BEFORE]
    #[arg(
        long,
        env = "OVERFOLD_AFTER_DIALECT",
        value_name = "NAME",
        value_parser = PossibleValuesParser::new(Dialect::NAMES.iter().map(|(name, _)| *name))
    )]
    after_dialect: Option<String>,
    /// Follow another tool version for AFTER [default: that for BEFORE; of another dialect the newest]
    #[arg(long, env = "OVERFOLD_AFTER_TOOL_VERSION", value_name = "VERSION")]
    after_version: Option<String>,
    #[command(flatten)]
    options: MergeOptions,
    #[command(flatten)]
    variables: Variables,
    /// What is printed [default: text on a terminal, else json]
    #[arg(long, env = "OVERFOLD_DIFF_FORMAT", value_enum)]
    format: Option<Format>,
    #[command(flatten)]
    limits: LimitSettings,
}

/// What is printed.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// The whole answer of the service
    Json,
    /// A comment for a pull request
    Markdown,
    /// For people
    Text,
}

/// Prints the difference.
///
/// # Errors
/// When an input cannot be read, or the request is impossible.
pub(super) fn run(args: DiffArgs) -> Result<Outcome, Failure> {
    let message = |text: String| Failure::Message(text);
    if args.options.recursive {
        return Err(message("directories are compared one by one: recursive is not built yet here".to_owned()));
    }
    let second = args.after.as_ref().unwrap_or(&args.before);
    if args.after.is_some() && [&args.before, second].iter().all(|path| path.as_os_str() == "-") {
        return Err(message("both inputs are standard input, which can be read once".to_owned()));
    }
    let mut options = args.options.clone();
    if let Some(name) = &args.after_dialect {
        options.dialect = Dialect::NAMES.iter().find(|(known, _)| known == name).map(|(_, dialect)| *dialect);
        options.version = None;
    }
    if args.after_version.is_some() {
        options.version.clone_from(&args.after_version);
    }
    // One standard input serves both sides. The names of files that are read depend on the dialect.
    let before = merge::input(&args.before, args.options, args.variables.clone(), &args.limits)?;
    let after = if args.after.is_none() && args.before.as_os_str() == "-" {
        before.again(options, args.variables, &args.limits)?
    } else {
        merge::input(second, options, args.variables, &args.limits)?
    };
    let default = if io::stdout().is_terminal() { Format::Text } else { Format::Json };
    let format = args.format.unwrap_or(default);
    let work = || {
        let forests = [Forest::new(args.limits.syntax()), Forest::new(args.limits.syntax())];
        let [first, second] = &forests;
        let report = |forest, input: &Input| -> Result<_, RequestError> {
            let mut report = pipeline::run(forest, &input.files, &input.request)?;
            report.root.clone_from(&input.root);
            Ok(report)
        };
        let (before, after) = (report(first, &before)?, report(second, &after)?);
        let difference = Difference::of(&before, &after);
        let text = match format {
            Format::Json => {
                let mut bytes = difference.json();
                bytes.push(b'\n');
                bytes
            }
            Format::Markdown => difference.markdown().into_bytes(),
            Format::Text => difference.text().into_bytes(),
        };
        Ok((difference.is_different(), text))
    };
    let (differs, text) = account::open(args.limits.account(), &Cancel::new(), work)
        .map_err(|stop| message(stop.to_string()))?
        .map_err(|error: RequestError| message(error.to_string()))?;
    print(&text)?;
    Ok(if differs { Outcome::Differs } else { Outcome::Fine })
}

//! `overfold diff BEFORE [AFTER]`: the effective changes from one module directory to another.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use clap::Args;

use super::colour::{self, TextKind};
use super::merge::{self, Variables};
use super::schemas::Schemas;
use super::{Failure, Outcome, ask, print, revision};
use crate::settings::LimitSettings;
use overfold_engine::Diff;
use overfold_engine::diff::DiffVerdict;
use overfold_engine::options::{Dialect, MergeOptions, names};
use overfold_output::DifferenceForm;

/// What is compared. The exit code is 0 if there is no difference, 1 if there is one, 2 if the comparison could not be
/// made, and 3, whether there is a difference or not, if --fail-on is set and either side has such a diagnostic.
/// Without --fail-on, diagnostics do not affect the exit code, and neither does anything that has only moved to another
/// file. --include and --config-format are not available here.
#[derive(Args, Debug)]
pub(super) struct DiffArgs {
    /// A folder, an archive file (tar, tar.gz, tar.zst, zip), `-` for an archive on standard input, or a revision of
    /// the git repository here (`git:REV` even if there is a path of that name); `A...B`: the merge base of A and B,
    /// and B
    before: PathBuf,
    /// A second one, to compare with the first [default: BEFORE, to compare two dialects or versions on the same files]
    after: Option<PathBuf>,
    /// The folder of the module in both [default: the top; of a revision, this folder]
    dir: Option<PathBuf>,
    /// Follow another dialect for AFTER [default: the dialect of BEFORE]
    #[arg(
        long,
        env = "OVERFOLD_AFTER_DIALECT",
        value_name = "NAME",
        value_parser = names::<Dialect>()
    )]
    after_dialect: Option<Dialect>,
    /// Follow another version for AFTER [default: the version for BEFORE; if the dialect differs, the newest]
    #[arg(long, env = "OVERFOLD_AFTER_TOOL_VERSION", value_name = "VERSION")]
    after_version: Option<String>,
    /// The address of the files of BEFORE, for links in the comment; --link-base is that of AFTER
    #[arg(long, env = "OVERFOLD_BEFORE_LINK_BASE", value_name = "URL")]
    before_link_base: Option<String>,
    #[command(flatten)]
    options: MergeOptions,
    #[command(flatten)]
    schemas: Schemas,
    #[command(flatten)]
    variables: Variables,
    /// What to print: the whole answer of the service as JSON, a comment for a pull request of at most 65,536 characters, or
    /// text for people of at most 1,000,000 characters [default: text on a terminal, else json]
    #[arg(long, env = "OVERFOLD_DIFF_FORMAT", value_parser = names::<DifferenceForm>(), value_name = "FORMAT")]
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
pub(super) fn run(mut args: DiffArgs) -> Result<Outcome, Failure> {
    let message = |text: String| Failure::Message(text);
    if args.dir.is_none()
        && let Some([before, after]) = revision::pair(&args.before)?
    {
        args.dir = args.after.take();
        (args.before, args.after) = (before, Some(after));
    }
    if let Some(dir) = args.dir.take() {
        let dir = dir.into_os_string().into_string();
        args.options.root = Some(dir.map_err(|_| message("the name of the folder is not valid UTF-8".to_owned()))?);
    }
    let second = args.after.as_ref().unwrap_or(&args.before);
    if args.after.is_some() && [&args.before, second].iter().all(|path| path.as_os_str() == "-") {
        return Err(message(
            "both inputs are standard input, which can be read only once; name a file or a folder for one of them"
                .to_owned(),
        ));
    }
    let schemas = args.schemas.read(&args.limits)?;
    let first =
        MergeOptions { provider_schemas: schemas.text.clone(), variables: args.variables.options()?, ..args.options };
    let mut options = first.clone();
    let first = MergeOptions { link_base: args.before_link_base, ..first };
    if args.after_dialect.is_some() {
        options.dialect = args.after_dialect;
        options.version = None;
    }
    if args.after_version.is_some() {
        options.version.clone_from(&args.after_version);
    }
    // There is only one standard input for both sides. Which files are read depends on the dialect.
    let mut before = merge::input::<Diff, 2>(&args.before, first, &args.limits)?;
    let mut after = if args.after.is_none() && args.before.as_os_str() == "-" {
        before.with_options::<Diff, 2>(options, &args.limits)?
    } else {
        merge::input::<Diff, 2>(second, options, &args.limits)?
    };
    schemas.apply(before.prepared_mut());
    schemas.apply(after.prepared_mut());
    let default = if io::stdout().is_terminal() { DifferenceForm::Text } else { DifferenceForm::Json };
    let format = args.format.unwrap_or(default);
    let outcome = ask::<Diff, 2>([before.input(), after.input()], format, false, &args.limits)?;
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
    if outcome.is_empty && !args.allow_empty {
        return Err(merge::nothing_compared("configuration files there"));
    }
    Ok(match (outcome.fails, outcome.verdict) {
        (true, _) => Outcome::Fails,
        (false, DiffVerdict::Different) => Outcome::Differs,
        (false, DiffVerdict::Same) => Outcome::Fine,
    })
}

//! `overfold compatibility DIR|ARCHIVE`: which versions of the tools load a module.

use std::path::PathBuf;

use clap::{Args, ValueEnum};

use super::schemas::Schemas;
use super::{Failure, Outcome, merge, print};
use crate::api;
use crate::api::v1::MergeOptions;
use crate::compatibility;
use crate::settings::LimitSettings;
use crate::task::Input;
use overfold_base::account::{self, Cancel};
use overfold_base::diag::Severity;
use overfold_dialect as dialect;
use overfold_module::pipeline::{self, RequestError};

/// What is compared, and how the outcome is printed. The exit code is 0 if the requested version, by default the
/// newest, loads the module; 1 if it does not or, with --fail-on warning, has warnings; and 2 if the comparison could
/// not be made. --include, --config-format and --recursive are not available here.
#[derive(Args, Debug)]
pub(super) struct CompatibilityArgs {
    /// A folder, an archive file (tar, tar.gz, tar.zst, zip), or `-` for an archive on standard input
    #[arg(default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    options: MergeOptions,
    #[command(flatten)]
    schemas: Schemas,
    /// What to print
    #[arg(long, value_enum, default_value_t = Format::Text)]
    format: Format,
    /// Accept a folder without configuration files; otherwise, the exit code is 1
    #[arg(long, env = "OVERFOLD_ALLOW_EMPTY")]
    allow_empty: bool,
    #[command(flatten)]
    limits: LimitSettings,
}

/// What to print.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Format {
    /// The answer of the service, as JSON
    Json,
    /// A table for people
    Text,
}

/// Prints the comparison. Returns [`Outcome::Errors`] if the requested version, by default the newest, does not load
/// the module or, with `--fail-on warning`, has warnings.
///
/// # Errors
/// Fails if the input cannot be read or the request is impossible.
pub(super) fn run(args: CompatibilityArgs) -> Result<Outcome, Failure> {
    let message = |text: String| Failure::Message(text);
    let limits = args.limits.transport();
    let options = MergeOptions { provider_schemas: args.schemas.read(&args.limits)?, ..args.options };
    let prepared = api::for_comparison(options)
        .and_then(|options| api::prepare(options, &args.limits))
        .map_err(|problem| message(problem.detail.into_owned()))?;
    let files = if args.path.as_os_str() == "-" {
        merge::standard_input(prepared.strip_components, &limits)?
    } else {
        let wanted = |name: &str| dialect::compared().any(|dialect| dialect::may_read(dialect, name));
        merge::read_path(&args.path, prepared.strip_components, &wanted, &limits)?
    };
    let fail_on = prepared.fail_on.unwrap_or(Severity::Error);
    let input = Input { files: &files, prepared: &prepared, root: &prepared.request.root };
    let work = || {
        let compared = compatibility::of(&files, &prepared.request, &input.folder(), args.limits.syntax())?;
        let bytes = match args.format {
            Format::Json => {
                let mut bytes = compatibility::json(&compared);
                bytes.push(b'\n');
                bytes
            }
            Format::Text => compatibility::text(&compared).into_bytes(),
        };
        let is_empty = !args.allow_empty && !pipeline::has_configuration(&files, &prepared.request)?;
        Ok((compared.tally.reaches(fail_on), is_empty, bytes))
    };
    let (fails, is_empty, bytes) = account::open(args.limits.account(), &Cancel::new(), work)
        .map_err(|stop| message(stop.to_string()))?
        .map_err(|error: RequestError| message(error.to_string()))?;
    print(&bytes)?;
    if is_empty {
        merge::say_empty();
    }
    Ok(if fails || is_empty { Outcome::Errors } else { Outcome::Fine })
}

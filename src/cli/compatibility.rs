//! `overfold compatibility DIR|ARCHIVE`: which versions of the tools load a module.

use super::version_files;
use std::path::PathBuf;

use clap::Args;

use super::colour::{self, TextKind};
use super::merge::{self, InputFiles};
use super::schemas::Schemas;
use super::{Failure, Outcome, ask, print};
use crate::settings::LimitSettings;
use overfold_base::diag::Severity;
use overfold_dialect as dialect;
use overfold_engine::compatibility::Form;
use overfold_engine::options::MergeOptions;
use overfold_engine::{Compatibility, UseCase as _};

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
    #[arg(long, value_enum, default_value_t = Form::Text)]
    format: Form,
    /// Accept a folder without configuration files; otherwise, the exit code is 1
    #[arg(long, env = "OVERFOLD_ALLOW_EMPTY")]
    allow_empty: bool,
    #[command(flatten)]
    limits: LimitSettings,
}

/// Prints the comparison. Returns [`Outcome::Errors`] if the requested version, by default the newest, does not load
/// the module or, with `--fail-on warning`, has warnings.
///
/// # Errors
/// Fails if the input cannot be read or the request is impossible.
pub(super) fn run(args: CompatibilityArgs) -> Result<Outcome, Failure> {
    let schemas = args.schemas.read(&args.limits)?;
    let options = MergeOptions { provider_schemas: schemas.text.clone(), ..args.options };
    let wanted = |name: &str| {
        dialect::compared().any(|dialect| dialect::may_read(dialect, name)) || version_files::is_version_file(name)
    };
    let opened = InputFiles::new(&args.path, options.strip_components, wanted, &args.limits)?;
    let mut prepared = Compatibility::prepare(options, &args.limits.request)?;
    prepared.fail_on.get_or_insert(Severity::Error);
    schemas.apply(&mut prepared);
    // All versions are compared; the newest is only the point of view.
    version_files::look_above(&mut prepared.request, merge::is_folder(&args.path).then_some(args.path.as_path()));
    let read = opened.read(prepared);
    let outcome = ask::<Compatibility, 1>([read.input()], args.format, false, &args.limits)?;
    let mut bytes = outcome.answer?;
    if args.format == Form::Json {
        bytes.push(b'\n');
    }
    match args.format {
        Form::Text => colour::print(TextKind::Difference, &bytes)?,
        Form::Json => print(&bytes)?,
    }
    let is_empty = outcome.is_empty && !args.allow_empty;
    if is_empty {
        merge::say_empty();
    }
    Ok(if outcome.fails || is_empty { Outcome::Errors } else { Outcome::Fine })
}

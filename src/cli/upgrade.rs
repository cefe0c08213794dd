//! `overfold upgrade DIR --to VERSION`: what another version of the tool would do with a configuration.

use std::io::{self, IsTerminal as _};
use std::path::PathBuf;

use clap::Args;

use super::assume::{self, Assumption};
use super::colour::{self, TextKind};
use super::likely;
use super::merge;
use super::plan::{self, ModuleSource, Values};
use super::schemas::Schemas;
use super::version_files;
use super::{Failure, Outcome, ask, print, under_account};
use crate::settings::LimitSettings;
use overfold_dialect as dialect;
use overfold_engine::options::{Dialect, PlanOptions, TargetVersion, UpgradeOptions, names};
use overfold_engine::{Input, Upgrade, UseCase as _};
use overfold_output::{DifferenceForm, UpgradeVerdict};
use overfold_source::{Disk, FolderLinks};

/// What is looked at, and how the outcome is printed. The exit code is 0 if the new version takes the configuration,
/// whether anything changes or not; 1 if it breaks; 2 if it could not be tried; and 3, whatever the verdict, if
/// --fail-on is set and the new version has such a diagnostic. --include is not available here.
#[derive(Args, Debug)]
pub(super) struct UpgradeArgs {
    /// The folder of the root module; what it names outside of the folder, such as a module in `../modules`, is read, too
    #[arg(default_value = ".")]
    path: PathBuf,
    #[command(flatten)]
    to: TargetVersion,
    /// The old version; `auto`: the one that the repository means [default: auto]
    #[arg(long, env = "OVERFOLD_FROM", value_name = "VERSION", conflicts_with = "tool_version")]
    from: Option<String>,
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
    #[arg(long, env = "OVERFOLD_MODULE_SOURCE", value_name = "SOURCE=PATH", value_parser = plan::module_source)]
    module_source: Vec<ModuleSource>,
    /// What to print: the whole answer of the service as JSON, a comment for a pull request of at most 65,536 characters, or
    /// text for people of at most 1,000,000 characters [default: text on a terminal, else json]
    #[arg(long, env = "OVERFOLD_UPGRADE_FORMAT", value_parser = names::<DifferenceForm>(), value_name = "FORMAT")]
    format: Option<DifferenceForm>,
    #[command(flatten)]
    limits: LimitSettings,
}

/// Prints what the other version does.
///
/// # Errors
/// Fails if the folder cannot be read or the request is impossible.
pub(super) fn run(args: UpgradeArgs) -> Result<Outcome, Failure> {
    let has_from = args.from.is_some();
    upgrade(args).map_err(|failure| match failure {
        // It is given as another option.
        Failure::Message(text) if has_from => match text.strip_prefix("--version:") {
            Some(rest) => Failure::Message(format!("--from:{rest}")),
            None => Failure::Message(text),
        },
        failure => failure,
    })
}

fn upgrade(args: UpgradeArgs) -> Result<Outcome, Failure> {
    let UpgradeArgs { path, to, from, options, schemas, variables, assume, module_source, format, limits } = args;
    if to.version.is_none() && to.dialect.is_none() {
        return Err(Failure::Message(
            "--to is missing: name the new version, such as --to 1.15; --to-dialect names another tool".to_owned(),
        ));
    }
    if path.is_file() {
        return Err(Failure::Message(likely::folder_instead_of(&path)));
    }
    let named_dialect = version_files::dialect(options.dialect, &path);
    let dialects = [named_dialect, to.dialect].map(|dialect| dialect.unwrap_or(Dialect::Terraform).name());
    let wanted = move |name: &str| dialects.iter().any(|dialect| dialect::may_read(dialect, name));
    let disk = Disk::open(&path, FolderLinks::Named, wanted, &limits.source());
    let disk = disk.map_err(|error| Failure::Message(error.to_string()))?;
    let mut variables = variables.options()?;
    merge::name_from_folder(&mut variables, &disk);
    let schemas = schemas.read(&limits)?;
    let options = PlanOptions {
        variables: Some(variables),
        provider_schemas: schemas.text.clone(),
        assume: assume::all(&assume, &limits)?,
        dialect: named_dialect,
        version: options.version.or(from),
        cwd: options.cwd.clone().or_else(|| plan::working_directory(&path)),
        module_sources: (!module_source.is_empty())
            .then(|| plan::module_sources(&module_source, &disk))
            .transpose()?,
        ..options
    };
    let options = UpgradeOptions { plan: options, to: Some(to) };
    let mut prepared = under_account(&limits, || Upgrade::prepare(options, &limits.request))??;
    version_files::prefer_meant(&mut prepared.request, Some(&path));
    schemas.apply(&mut prepared);
    prepared.request.root = disk.root();
    let files = disk.into_files();
    // The folder of the command is what names in the answer are relative to.
    let input = Input { files: &files, prepared: &prepared, root: "" };
    let default = if io::stdout().is_terminal() { DifferenceForm::Text } else { DifferenceForm::Json };
    let format = format.unwrap_or(default);
    let outcome = ask::<Upgrade, 1>([input], format, false, &limits)?;
    let mut bytes = outcome.answer?;
    if format == DifferenceForm::Json {
        bytes.push(b'\n');
    }
    if format == DifferenceForm::Text {
        colour::print(TextKind::Difference, &bytes)?;
    } else {
        print(&bytes)?;
    }
    if outcome.is_empty {
        plan::say_no_root("");
    }
    Ok(match (outcome.fails, outcome.verdict) {
        (true, _) => Outcome::Fails,
        (false, UpgradeVerdict::Breaks) => Outcome::Errors,
        (false, UpgradeVerdict::Changes | UpgradeVerdict::Same) => Outcome::Fine,
    })
}

//! Environment variables that look like settings but are not: a misspelled setting must not be ignored silently.

use std::collections::HashSet;

use overfold_base::nearest::{did_you_mean, nearest};

/// The prefix of every setting's variable.
const PREFIX: &str = "OVERFOLD_";

/// Whether a name with our prefix is set by others: installers use one for the version to install, Kubernetes describes
/// services by name, `cargo run` passes on what the build script recorded, and the scripts in `examples/ci` have
/// settings of their own.
fn is_foreign(rest: &str) -> bool {
    matches!(rest, "VERSION" | "BUILD" | "COMMIT")
        || rest == "PORT"
        || rest.starts_with("PORT_")
        || rest.starts_with("CI_")
        || rest.starts_with("SERVICE_")
}

/// Returns a warning about each environment variable with our prefix that no option of the program or of a command reads, in
/// order of their names.
pub(super) fn warnings(program: &clap::Command) -> Vec<String> {
    let mut known = HashSet::new();
    for command in std::iter::once(program).chain(program.get_subcommands()) {
        known.extend(command.get_arguments().filter_map(|argument| argument.get_env()?.to_str()));
    }
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let mut unknown_variables: Vec<String> = names
        .filter(|name| name.strip_prefix(PREFIX).is_some_and(|rest| !is_foreign(rest)))
        .filter(|name| !known.contains(name.as_str()))
        .collect();
    unknown_variables.sort();
    unknown_variables.iter().map(|name| warning(name, nearest(name, known.iter().copied()))).collect()
}

/// Returns the warning about such a variable, with the one that was probably meant.
fn warning(name: &str, like: Option<&str>) -> String {
    let hint = did_you_mean(like);
    format!(
        "the environment variable {name} is not a known setting.{hint} `overfold COMMAND --help` and docs/settings.md list the settings"
    )
}

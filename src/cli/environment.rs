//! Environment variables that look like settings but are not: a misspelled setting must not be ignored silently, and
//! one that says who may call not at all.

use std::collections::BTreeSet;

use clap::Args as _;
use clap::error::{ContextKind, ContextValue};

use crate::settings::{AccessSettings, TlsSettings};
use overfold_base::nearest::{did_you_mean, nearest};

/// The prefix of every setting's variable.
const PREFIX: &str = "OVERFOLD_";

/// How words begin in names of settings that decide who may call, as people think that these are called.
const ACCESS_WORDS: &[&str] =
    &["TOKEN", "JWK", "JWT", "ISSUER", "AUDIENCE", "AUTH", "OIDC", "ALLOW", "ANON", "TLS", "MTLS", "SSL", "CERT"];

/// How names of settings begin that are about connections to others.
const OTHERS: &[&str] = &["NATS", "CACHE", "REDIS", "OTLP"];

/// Environment variables with our prefix that no option reads, each as a message.
#[derive(Default, Debug)]
pub(super) struct Unknown {
    /// Those that only deserve a warning.
    pub(super) warnings: Vec<String>,
    /// Those that a service must not start with: whoever has set one would be wrong about who may call.
    pub(super) refusals: Vec<String>,
}

/// Returns the environment variables with our prefix that no option of the program or of a command reads, in order of
/// their names. None of them is refused unless `serves` says that others may call what is started.
pub(super) fn unknown(program: &clap::Command, serves: bool) -> Unknown {
    let names = std::env::vars_os().filter_map(|(name, _)| name.into_string().ok());
    let names: BTreeSet<String> = names
        .filter_map(|name| Some(name.strip_prefix(PREFIX)?.to_owned()))
        .filter(|name| !name.is_empty())
        .collect();
    let commands = std::iter::once(program).chain(program.get_subcommands());
    judge(&names, &commands.flat_map(variables).collect(), &if serves { access() } else { BTreeSet::new() })
}

/// Returns a line that says from which environment variable a wrong value is; `None` if it is from the command line.
pub(super) fn origin(error: &clap::Error, program: &clap::Command) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    let (shown, value) = (text(ContextKind::InvalidArg)?, text(ContextKind::InvalidValue)?);
    // `--queue <COUNT>`
    let long = shown.strip_prefix("--")?.split([' ', '=', '[']).next()?;
    let is_given = std::env::args().any(|word| {
        let rest = word.strip_prefix("--").and_then(|word| word.strip_prefix(long));
        rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('='))
    });
    if is_given {
        return None;
    }
    let arguments = std::iter::once(program).chain(program.get_subcommands()).flat_map(clap::Command::get_arguments);
    let mut variables = arguments.filter(|argument| argument.get_long() == Some(long)).filter_map(clap::Arg::get_env);
    let variable = variables.find(|variable| std::env::var(variable).is_ok_and(|found| found.contains(value)))?;
    Some(format!("This is the value of the environment variable {}.", variable.display()))
}

/// Returns the variables of a command's options, without their prefix.
fn variables(command: &clap::Command) -> impl Iterator<Item = &str> {
    command.get_arguments().filter_map(|argument| argument.get_env()?.to_str()?.strip_prefix(PREFIX))
}

/// Returns the variables of the settings that decide who may call, without their prefix.
fn access() -> BTreeSet<String> {
    let settings = TlsSettings::augment_args(AccessSettings::augment_args(clap::Command::new("access")));
    variables(&settings).map(str::to_owned).collect()
}

/// Judges variables by their names. Like the known ones and those that decide who may call, they are without their
/// prefix; if there are none of the latter, nothing is refused.
fn judge(names: &BTreeSet<String>, known: &BTreeSet<&str>, access: &BTreeSet<String>) -> Unknown {
    let services: Vec<&str> = names.iter().filter_map(|name| name.strip_suffix("_SERVICE_HOST")).collect();
    let mut unknown = Unknown::default();
    for name in names {
        if known.contains(name.as_str()) || is_foreign(name, &services) {
            continue;
        }
        let like = nearest(name, known.iter().copied());
        let is_access = match like {
            Some(like) => access.contains(like),
            None => !access.is_empty() && has_access_word(name),
        };
        let meant = did_you_mean(like.map(|like| format!("{PREFIX}{like}")).as_deref());
        let subject = format!("the environment variable {PREFIX}{name} is not a known setting");
        if is_access {
            let all = access.iter().map(|name| format!("{PREFIX}{name}")).collect::<Vec<_>>().join(", ");
            let meant = if meant.is_empty() { format!(" Those are {all}.") } else { meant };
            unknown.refusals.push(format!(
                "{subject}, but looks like one of those that decide who may call, so nothing is started.{meant} \
                 Unset it if it is for something else"
            ));
        } else {
            unknown
                .warnings
                .push(format!("{subject}.{meant} `overfold COMMAND --help` and docs/settings.md list the settings"));
        }
    }
    unknown
}

/// Whether a name is set by others: installers use one for the version to install, Kubernetes describes services by
/// name, the one called overfold and those in `services`, `cargo run` passes on what the build script recorded, and
/// the scripts in `examples/ci` have settings of their own.
fn is_foreign(name: &str, services: &[&str]) -> bool {
    let is_of_service = |rest: &str| rest == "PORT" || rest.starts_with("PORT_") || rest.starts_with("SERVICE_");
    let of = |service: &&str| name.strip_prefix(service).and_then(|rest| rest.strip_prefix('_'));
    matches!(name, "VERSION" | "BUILD" | "COMMIT")
        || name.starts_with("CI_")
        || is_of_service(name)
        || services.iter().filter_map(of).any(is_of_service)
}

/// Whether a name has a word that settings have which decide who may call.
fn has_access_word(name: &str) -> bool {
    !OTHERS.iter().any(|start| name.starts_with(start))
        && name.split('_').any(|word| ACCESS_WORDS.iter().any(|start| word.starts_with(start)))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Judges variables against those of the whole program.
    fn judged(names: &[&str]) -> Unknown {
        let program = <super::super::Cli as clap::CommandFactory>::command();
        let commands = std::iter::once(&program).chain(program.get_subcommands());
        let names = names.iter().map(|name| (*name).to_owned()).collect();
        judge(&names, &commands.flat_map(variables).collect(), &access())
    }

    #[test]
    fn what_looks_like_a_setting_that_decides_who_may_call_is_refused() {
        for (name, meant) in [
            ("TOKENS_FILE", "Did you mean \"OVERFOLD_TOKEN_FILE\"?"),
            ("TOKEN_FILES", "Did you mean \"OVERFOLD_TOKEN_FILE\"?"),
            ("JWT_AUDIENCES", "Did you mean \"OVERFOLD_JWT_AUDIENCE\"?"),
            ("ALLOWED_HOSTS", "Did you mean \"OVERFOLD_ALLOWED_HOST\"?"),
            ("CLIENT_CAS", "Did you mean \"OVERFOLD_CLIENT_CA\"?"),
            ("TOKEN", "OVERFOLD_TOKEN_FILE"),
            ("AUTH_TOKEN", "OVERFOLD_TOKEN_FILE"),
            ("TLS_CERT_FILE", "OVERFOLD_TLS_CERTIFICATE"),
            ("JWKS_FILE", "OVERFOLD_JWKS"),
        ] {
            let Unknown { warnings, refusals } = judged(&[name]);
            assert!(warnings.is_empty() && refusals.len() == 1, "{name}: {warnings:?} {refusals:?}");
            assert!(
                refusals[0].contains(meant) && refusals[0].contains(&format!("OVERFOLD_{name} ")),
                "{refusals:?}"
            );
        }
    }

    #[test]
    fn anything_else_is_a_warning() {
        for name in
            ["DIALEKT", "MAX_SYNTAX_TOKEN", "CONCURENCY", "REPLICAS", "HOST", "NATS_TLS", "LISTEN_PORT", "IMAGE"]
        {
            let Unknown { warnings, refusals } = judged(&[name]);
            assert!(warnings.len() == 1 && refusals.is_empty(), "{name}: {warnings:?} {refusals:?}");
        }
    }

    #[test]
    fn what_is_known_or_set_by_others_is_neither() {
        let names = [
            "TOKEN_FILE",
            "TLS_KEY",
            "VERSION",
            "CI_TOKEN",
            "SERVICE_HOST",
            "SERVICE_PORT_HTTP",
            "PORT",
            "PORT_8080_TCP_ADDR",
            // Of a service overfold-auth, and of another one.
            "AUTH_SERVICE_HOST",
            "AUTH_SERVICE_PORT",
            "AUTH_PORT",
            "AUTH_PORT_443_TCP",
            "WORKER_SERVICE_HOST",
            "WORKER_PORT_8080_TCP_PROTO",
        ];
        let Unknown { warnings, refusals } = judged(&names);
        assert!(warnings.is_empty() && refusals.is_empty(), "{warnings:?} {refusals:?}");
    }
}

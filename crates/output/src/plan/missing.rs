//! What was not given, so that a plan cannot be exact.

use serde::{Serialize, Serializer};

use crate::view::MissingInput;
use overfold_module::plan::Missing;

/// The list of what was not given.
pub struct MissingInputs<'a>(pub(super) &'a [Missing]);

impl<'a> MissingInputs<'a> {
    pub(crate) const fn new(list: &'a [Missing]) -> Self {
        Self(list)
    }
}

impl Serialize for MissingInputs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(view))
    }
}

fn view(missing: &Missing) -> MissingInput<'_> {
    let view = MissingInput { kind: kind(missing), ..MissingInput::default() };
    match missing {
        Missing::ProviderSchema { provider, resources, problem } => MissingInput {
            provider: Some(provider),
            resources: u64::try_from(*resources).ok(),
            problem: problem.as_deref(),
            ..view
        },
        Missing::ProviderDefault { provider, resources } => {
            MissingInput { provider: Some(provider), resources: u64::try_from(*resources).ok(), ..view }
        }
        Missing::Module { address, source, version, .. } => {
            MissingInput { address: Some(address), source: source.as_deref(), version: version.as_deref(), ..view }
        }
        Missing::Instances { address, needs, .. } => {
            MissingInput { address: Some(address), needs: Some(needs), ..view }
        }
        Missing::DataSource { address } | Missing::RemoteState { address } | Missing::Import { address } => {
            MissingInput { address: Some(address), ..view }
        }
        Missing::Variable { name } | Missing::ProviderFunction { name } => MissingInput { name: Some(name), ..view },
        Missing::File { path } => MissingInput { path: Some(path), ..view },
        Missing::Timestamp => view,
        Missing::VersionUnrecorded { version } => MissingInput { version: Some(version), ..view },
    }
}

/// Returns the word for the kind.
pub(super) const fn kind(missing: &Missing) -> &'static str {
    match missing {
        Missing::ProviderSchema { .. } => "provider-schema",
        Missing::ProviderDefault { .. } => "provider-default",
        Missing::Module { .. } => "module",
        Missing::DataSource { .. } => "data-source",
        Missing::RemoteState { .. } => "remote-state",
        Missing::Variable { .. } => "variable",
        Missing::File { .. } => "file",
        Missing::ProviderFunction { .. } => "provider-function",
        Missing::Import { .. } => "import",
        Missing::Instances { .. } => "instances",
        Missing::Timestamp => "timestamp",
        Missing::VersionUnrecorded { .. } => "version-unrecorded",
    }
}

fn instances(count: usize) -> String {
    if count == 1 { "1 instance".to_owned() } else { format!("{count} instances") }
}

/// Says what to give, as an instruction; `None` if nothing can be given.
pub(super) fn remedy(missing: &Missing) -> Option<String> {
    Some(match missing {
        Missing::ProviderSchema { problem: None, .. } => "give --provider-schemas FILE".to_owned(),
        Missing::ProviderDefault { .. } => "--provider-defaults none takes them as null".to_owned(),
        Missing::DataSource { address } => format!("give --assume {address}.ATTRIBUTE=JSON"),
        Missing::RemoteState { address } => format!("give --assume {address}.outputs=JSON"),
        Missing::Variable { name } => format!("give --var {name}=VALUE"),
        Missing::File { path } if **path == *"." => "give --cwd PATH".to_owned(),
        Missing::Timestamp => "give --timestamp TIME".to_owned(),
        Missing::ProviderSchema { .. }
        | Missing::Module { .. }
        | Missing::Instances { .. }
        | Missing::File { .. }
        | Missing::ProviderFunction { .. }
        | Missing::Import { .. }
        | Missing::VersionUnrecorded { .. } => return None,
    })
}

/// Says in one line what is missing.
pub(super) fn sentence(missing: &Missing) -> String {
    match missing {
        Missing::ProviderSchema { provider, resources, problem } => {
            let problem = problem.as_ref().map_or_else(String::new, |problem| format!("; {problem}"));
            format!("the schema of the provider {provider} ({}{problem})", instances(*resources))
        }
        Missing::ProviderDefault { provider, resources } => {
            format!("what the provider {provider} makes of arguments that are not set ({})", instances(*resources))
        }
        Missing::Module { address, source, version, .. } => {
            let version = version.as_ref().map_or_else(String::new, |version| format!(", version {version}"));
            let source = source.as_ref().map_or_else(String::new, |source| format!(" ({source}{version})"));
            format!("the module {address}{source}")
        }
        Missing::Instances { address, .. } => format!("the instances of {address}"),
        Missing::DataSource { address } => format!("what {address} would read"),
        Missing::RemoteState { address } => format!("the state that {address} would read"),
        Missing::Variable { name } => format!("the value of the variable {name}"),
        Missing::File { path } => match &**path {
            "." => "the working directory".to_owned(),
            "~" => "the home directory of the user".to_owned(),
            path => format!("the file {path}"),
        },
        Missing::ProviderFunction { name } => format!("the result of the function {name}"),
        Missing::Import { address } => format!("the object that is imported as {address}"),
        Missing::Timestamp => "the time of the plan".to_owned(),
        Missing::VersionUnrecorded { version } => format!("a recorded run of version {version}"),
    }
}

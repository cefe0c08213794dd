//! What was not given, so that a plan cannot be exact.

use super::super::json::JsonWriter;
use overfold_module::plan::Missing;

/// Writes the list.
pub(super) fn write(json: &mut JsonWriter, missing: &[Missing]) {
    json.array(|json| {
        for one in missing {
            json.object(|json| write_one(json, one));
        }
    });
}

fn write_one(json: &mut JsonWriter, missing: &Missing) {
    json.member("kind", kind(missing));
    match missing {
        Missing::ProviderSchema { provider, resources } => {
            json.member("provider", provider);
            json.number("resources", u32::try_from(*resources).unwrap_or(u32::MAX));
        }
        Missing::Module { address, source, version, .. } => {
            json.member("address", address);
            if let Some(source) = source {
                json.member("source", source);
            }
            if let Some(version) = version {
                json.member("version", version);
            }
        }
        Missing::Instances { address, needs, .. } => {
            json.member("address", address);
            json.member("needs", needs);
        }
        Missing::DataSource { address } | Missing::RemoteState { address } | Missing::Import { address } => {
            json.member("address", address);
        }
        Missing::Variable { name } | Missing::ProviderFunction { name } => json.member("name", name),
        Missing::File { path } => json.member("path", path),
        Missing::Timestamp => {}
        Missing::VersionUnrecorded { version } => json.member("version", version),
    }
}

/// Returns the word for the kind.
pub(super) const fn kind(missing: &Missing) -> &'static str {
    match missing {
        Missing::ProviderSchema { .. } => "provider-schema",
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

/// Says in one line what is missing.
pub(super) fn sentence(missing: &Missing) -> String {
    match missing {
        Missing::ProviderSchema { provider, resources } => {
            let instances = if *resources == 1 { "1 instance".to_owned() } else { format!("{resources} instances") };
            format!("the schema of the provider {provider} ({instances})")
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

//! What is part of the tool itself: a provider, the provisioners, and connections (read in the tool's code).

use std::sync::LazyLock;

use super::body::BodySchema;
use super::document::ProviderSchema;
use super::read;
use crate::language::required_providers::is_registry;
use overfold_dialect::{Behaviour, BuiltinKind, DialectSpec};

/// The address of the provider that is built into the tool.
pub const BUILTIN_PROVIDER: &str = "terraform.io/builtin/terraform";

/// The type whose objects keep values, in the releases that do not store them in blocks.
const DATA: &str = r#"{
  "terraform_data": {"block": {"attributes": {
    "id": {"type": "string", "computed": true},
    "input": {"type": "dynamic", "optional": true},
    "output": {"type": "dynamic", "computed": true},
    "triggers_replace": {"type": "dynamic", "optional": true}
  }}}
}"#;

/// The same type with its block for what is kept without being shown.
const DATA_WITH_STORE: &str = r#"{
  "terraform_data": {"block": {
    "attributes": {
      "id": {"type": "string", "computed": true},
      "input": {"type": "dynamic", "optional": true},
      "output": {"type": "dynamic", "computed": true},
      "triggers_replace": {"type": "dynamic", "optional": true}
    },
    "block_types": {"store": {"nesting_mode": "single", "block": {"attributes": {
      "input": {"type": "dynamic", "optional": true, "write_only": true},
      "output": {"type": "dynamic", "computed": true},
      "replace": {"type": "bool", "optional": true},
      "sensitive": {"type": "bool", "optional": true},
      "sensitive_output": {"type": "dynamic", "computed": true, "sensitive": true},
      "version": {"type": "dynamic", "optional": true}
    }}}}
  }}
}"#;

/// The data sources of every release.
const DATA_SOURCES: &str = r#"{
  "terraform_remote_state": {"block": {"attributes": {
    "backend": {"type": "string", "required": true},
    "config": {"type": "dynamic", "optional": true},
    "defaults": {"type": "dynamic", "optional": true},
    "outputs": {"type": "dynamic", "computed": true},
    "workspace": {"type": "string", "optional": true}
  }}}
}"#;

/// The functions of the releases that have any.
const FUNCTIONS: &str = r#"{
  "decode_tfvars": {"parameters": [{"name": "src", "type": "string"}], "return_type": "dynamic"},
  "encode_expr": {"parameters": [{"name": "value", "type": "dynamic"}], "return_type": "string"},
  "encode_tfvars": {"parameters": [{"name": "value", "type": "dynamic"}], "return_type": "string"}
}"#;

/// The objects and functions that a release does not have.
const NOTHING: &str = "{}";

const LOCAL_EXEC: &str = r#"{"block": {"attributes": {
  "command": {"type": "string", "required": true},
  "environment": {"type": ["map", "string"], "optional": true},
  "interpreter": {"type": ["list", "string"], "optional": true},
  "quiet": {"type": "bool", "optional": true},
  "working_dir": {"type": "string", "optional": true}
}}}"#;

const REMOTE_EXEC: &str = r#"{"block": {"attributes": {
  "inline": {"type": ["list", "string"], "optional": true},
  "script": {"type": "string", "optional": true},
  "scripts": {"type": ["list", "string"], "optional": true}
}}}"#;

const FILE: &str = r#"{"block": {"attributes": {
  "content": {"type": "string", "optional": true},
  "destination": {"type": "string", "required": true},
  "source": {"type": "string", "optional": true}
}}}"#;

/// The arguments of connections of both kinds.
const CONNECTION: &str = r#"{"block": {"attributes": {
  "agent": {"type": "bool", "optional": true},
  "agent_identity": {"type": "string", "optional": true},
  "bastion_certificate": {"type": "string", "optional": true},
  "bastion_host": {"type": "string", "optional": true},
  "bastion_host_key": {"type": "string", "optional": true},
  "bastion_password": {"type": "string", "optional": true},
  "bastion_port": {"type": "number", "optional": true},
  "bastion_private_key": {"type": "string", "optional": true},
  "bastion_user": {"type": "string", "optional": true},
  "cacert": {"type": "string", "optional": true},
  "certificate": {"type": "string", "optional": true},
  "host": {"type": "string", "required": true},
  "host_key": {"type": "string", "optional": true},
  "https": {"type": "bool", "optional": true},
  "insecure": {"type": "bool", "optional": true},
  "password": {"type": "string", "optional": true},
  "port": {"type": "number", "optional": true},
  "private_key": {"type": "string", "optional": true},
  "proxy_host": {"type": "string", "optional": true},
  "proxy_port": {"type": "number", "optional": true},
  "proxy_scheme": {"type": "string", "optional": true},
  "proxy_user_name": {"type": "string", "optional": true},
  "proxy_user_password": {"type": "string", "optional": true},
  "script_path": {"type": "string", "optional": true},
  "target_platform": {"type": "string", "optional": true},
  "timeout": {"type": "string", "optional": true},
  "type": {"type": "string", "optional": true},
  "use_ntlm": {"type": "bool", "optional": true},
  "user": {"type": "string", "optional": true}
}}}"#;

/// The arguments of the `provider_meta` blocks of hashicorp/aws.
const AWS_META: &str = r#"{"block": {"attributes": {"user_agent": {"type": ["list", "string"], "optional": true}}}}"#;

/// Those of hashicorp/google and hashicorp/google-beta.
const GOOGLE_META: &str = r#"{"block": {"attributes": {"module_name": {"type": "string", "optional": true}}}}"#;

/// The objects of the provider that is built into the tool, and those of its functions: one for each state of the rows
/// that decide about them.
static PROVIDERS: [LazyLock<ProviderSchema>; 4] = [
    LazyLock::new(|| provider(NOTHING, NOTHING)),
    LazyLock::new(|| provider(DATA, NOTHING)),
    LazyLock::new(|| provider(DATA, FUNCTIONS)),
    LazyLock::new(|| provider(DATA_WITH_STORE, FUNCTIONS)),
];

fn provider(resources: &str, functions: &str) -> ProviderSchema {
    ProviderSchema::of_text(&format!(
        r#"{{"provider": {{"block": {{}}}}, "resource_schemas": {resources}, "data_source_schemas": {DATA_SOURCES}, "functions": {functions}}}"#
    ))
}

/// Returns the schemas of the provider that is built into this version of the tool ([`BUILTIN_PROVIDER`]).
pub fn builtin(dialect: &DialectSpec) -> &'static ProviderSchema {
    let [none, data, functions, store] = &PROVIDERS;
    if dialect.has(Behaviour::TerraformDataHasStore) {
        store
    } else if dialect.builtins_of(BuiltinKind::ProviderFunction).next().is_some() {
        functions
    } else if dialect.has_builtin(BuiltinKind::ResourceType, "terraform.terraform_data") {
        data
    } else {
        none
    }
}

/// Returns the schema of the `provider_meta` blocks of a provider, by its full address. Documents have no such schemas, so
/// nothing is known of other providers (plan.md, section 21).
pub fn provider_meta(address: &str) -> Option<&'static BodySchema> {
    static AWS: LazyLock<BodySchema> = LazyLock::new(|| constant(AWS_META));
    static GOOGLE: LazyLock<BodySchema> = LazyLock::new(|| constant(GOOGLE_META));
    let (host, name) = address.split_once('/')?;
    match name {
        _ if !is_registry(host) => None,
        "hashicorp/aws" => Some(&AWS),
        "hashicorp/google" | "hashicorp/google-beta" => Some(&GOOGLE),
        _ => None,
    }
}

/// Returns the schema of a provisioner's body; `None` if the tool has no provisioner of this name.
pub fn provisioner(name: &str) -> Option<&'static BodySchema> {
    static LOCAL: LazyLock<BodySchema> = LazyLock::new(|| constant(LOCAL_EXEC));
    static REMOTE: LazyLock<BodySchema> = LazyLock::new(|| constant(REMOTE_EXEC));
    static COPY: LazyLock<BodySchema> = LazyLock::new(|| constant(FILE));
    match name {
        "local-exec" => Some(&LOCAL),
        "remote-exec" => Some(&REMOTE),
        "file" => Some(&COPY),
        _ => None,
    }
}

/// Returns the schema of the body of a connection, which has the arguments of every kind of connection (validate.md,
/// section 6).
pub fn connection() -> &'static BodySchema {
    static SCHEMA: LazyLock<BodySchema> = LazyLock::new(|| constant(CONNECTION));
    &SCHEMA
}

/// Reads a schema of the tables above, which tests read as well.
fn constant(text: &str) -> BodySchema {
    read::schema(text).unwrap_or_default()
}

//! What is part of the tool itself: a provider, the provisioners, and connections (read in the tool's code).

use std::sync::LazyLock;

use super::body::BodySchema;
use super::document::ProviderSchema;
use super::read;

/// The address of the provider that is built into the tool.
pub const BUILTIN_PROVIDER: &str = "terraform.io/builtin/terraform";

/// The schemas of the provider that is built into the tool, as it prints them.
const PROVIDER: &str = r#"{
  "provider": {"block": {}},
  "resource_schemas": {
    "terraform_data": {"block": {"attributes": {
      "id": {"type": "string", "computed": true},
      "input": {"type": "dynamic", "optional": true},
      "output": {"type": "dynamic", "computed": true},
      "triggers_replace": {"type": "dynamic", "optional": true}
    }}}
  },
  "data_source_schemas": {
    "terraform_remote_state": {"block": {"attributes": {
      "backend": {"type": "string", "required": true},
      "config": {"type": "dynamic", "optional": true},
      "defaults": {"type": "dynamic", "optional": true},
      "outputs": {"type": "dynamic", "computed": true},
      "workspace": {"type": "string", "optional": true}
    }}}
  },
  "functions": {
    "decode_tfvars": {"parameters": [{"name": "src", "type": "string"}], "return_type": "dynamic"},
    "encode_expr": {"parameters": [{"name": "value", "type": "dynamic"}], "return_type": "string"},
    "encode_tfvars": {"parameters": [{"name": "value", "type": "dynamic"}], "return_type": "string"}
  }
}"#;

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

/// Returns the schemas of the provider that is built into the tool ([`BUILTIN_PROVIDER`]).
pub fn builtin() -> &'static ProviderSchema {
    static SCHEMAS: LazyLock<ProviderSchema> = LazyLock::new(|| ProviderSchema::of_text(PROVIDER));
    &SCHEMAS
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

//! The schemas of pure data sources that are computed here, for requests that bring no schema of their provider: facts of
//! the provider's documentation.

use std::sync::LazyLock;

use super::document::ProviderSchema;
use crate::language::required_providers::is_registry;

/// The provider of the data sources, without the registry's host.
const PROVIDER: &str = "/hashicorp/aws";

/// Everything that is computed here.
const DATA_SOURCES: &str = r#"{"data_source_schemas": {
  "aws_iam_policy_document": {"version": 0, "block": {
    "attributes": {
      "id": {"type": "string", "optional": true, "computed": true},
      "json": {"type": "string", "computed": true},
      "minified_json": {"type": "string", "computed": true},
      "override_json": {"type": "string", "optional": true, "deprecated": true},
      "override_policy_documents": {"type": ["list", "string"], "optional": true},
      "policy_id": {"type": "string", "optional": true},
      "source_json": {"type": "string", "optional": true, "deprecated": true},
      "source_policy_documents": {"type": ["list", "string"], "optional": true},
      "version": {"type": "string", "optional": true}
    },
    "block_types": {"statement": {"nesting_mode": "list", "block": {
      "attributes": {
        "actions": {"type": ["set", "string"], "optional": true},
        "effect": {"type": "string", "optional": true},
        "not_actions": {"type": ["set", "string"], "optional": true},
        "not_resources": {"type": ["set", "string"], "optional": true},
        "resources": {"type": ["set", "string"], "optional": true},
        "sid": {"type": "string", "optional": true}
      },
      "block_types": {
        "condition": {"nesting_mode": "set", "block": {"attributes": {
          "test": {"type": "string", "required": true},
          "values": {"type": ["list", "string"], "required": true},
          "variable": {"type": "string", "required": true}
        }}},
        "not_principals": {"nesting_mode": "set", "block": {"attributes": {
          "identifiers": {"type": ["set", "string"], "required": true},
          "type": {"type": "string", "required": true}
        }}},
        "principals": {"nesting_mode": "set", "block": {"attributes": {
          "identifiers": {"type": ["set", "string"], "required": true},
          "type": {"type": "string", "required": true}
        }}}
      }
    }}}
  }}
}}"#;

/// Returns the schemas of the data sources of a provider, by its full address, that are computed here; `None` if there are
/// none.
pub fn emulated(provider: &str) -> Option<&'static ProviderSchema> {
    static SCHEMA: LazyLock<ProviderSchema> = LazyLock::new(|| ProviderSchema::of_text(DATA_SOURCES));
    let host = provider.strip_suffix(PROVIDER)?;
    is_registry(host).then(|| &*SCHEMA)
}

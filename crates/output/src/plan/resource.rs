//! What identifies a resource instance.

use super::super::json::JsonWriter;
use overfold_base::account;
use overfold_module::plan::{InstanceKey, PlannedResource, ResourceMode};

/// Charges for an address that was made.
pub(crate) fn charged(address: String) -> Box<str> {
    account::text(address.len());
    address.into()
}

/// Returns the word for a mode.
pub(crate) const fn mode(mode: ResourceMode) -> &'static str {
    match mode {
        ResourceMode::Managed => "managed",
        ResourceMode::Data => "data",
        ResourceMode::Ephemeral => "ephemeral",
        ResourceMode::Action => "action",
        ResourceMode::List => "list",
    }
}

/// Writes `mode`, `type`, `name`, `index` and `provider_name` (plan.md, section 14).
pub(super) fn write_identity(json: &mut JsonWriter, resource: &PlannedResource) {
    json.member("mode", mode(resource.mode));
    json.member("type", &resource.type_name);
    json.member("name", &resource.name);
    if let Some(key) = &resource.key {
        json.key("index");
        write_key(json, key);
    }
    json.member("provider_name", &resource.provider_name);
}

/// Writes the key of an instance.
pub(super) fn write_key(json: &mut JsonWriter, key: &InstanceKey) {
    match key {
        InstanceKey::Number(number) => json.raw(&number.to_string()),
        InstanceKey::Text(text) => json.str(text),
    }
}

//! Where the followed version was found.

use super::diagnostics::write_positions;
use super::json::JsonWriter;
use overfold_module::meant_version::VersionFrom;

/// Writes the member, if the version was looked for.
pub fn version_from(json: &mut JsonWriter, from: Option<&VersionFrom>) {
    let Some(from) = from else { return };
    json.key("version_from");
    json.object(|json| {
        json.member("source", from.source.name());
        if let Some((file, range)) = &from.place {
            json.key("range");
            write_positions(json, file, range.widened());
        }
    });
}

//! Writes the list of what was replaced.

use super::super::config::{Pointers, locate};
use super::super::diagnostics::write_range;
use super::super::json::JsonWriter;
use super::super::redaction::Redaction;
use super::{Done, Resolved};
use overfold_base::account;
use overfold_model::config::Part;

/// Writes the list, sorted by position.
pub(in super::super) fn write(json: &mut JsonWriter, resolved: &Resolved<'_>, redaction: &Redaction<'_>) {
    let Resolved { report, done, .. } = resolved;
    let pointers = if done.is_empty() { Pointers::default() } else { locate(None, report, redaction) };
    json.array(|json| {
        for done in done {
            json.object(|json| entry(json, resolved, redaction, &pointers, done));
        }
    });
}

fn entry(
    json: &mut JsonWriter,
    resolved: &Resolved<'_>,
    redaction: &Redaction<'_>,
    pointers: &Pointers,
    Done { replacement, expression }: &Done<'_>,
) {
    account::work(16);
    let sources = &resolved.report.forest.sources;
    json.member("address", &replacement.address);
    if let Some(pointer) = pointers.of(Part::Argument(""), replacement.argument) {
        json.member("pointer", pointer);
    }
    if let Some(name) = &replacement.name {
        json.member("argument", name);
    }
    json.key("before");
    json.object(|json| {
        let at = sources.in_file(replacement.at);
        json.key("expression");
        if redaction.masks(at.source).intersect(at.range()) {
            json.null();
            json.key("redacted");
            json.bool(true);
        } else {
            json.str(&sources.text(replacement.at));
        }
        json.key("range");
        write_range(json, sources, replacement.at);
    });
    json.key("after");
    json.object(|json| {
        json.member("expression", expression);
        if let Ok(value) = replacement.value.to_json() {
            json.key("value");
            json.raw(&value);
        }
    });
}

//! Writes a difference as JSON.

use super::super::diagnostics::{write_all, write_range};
use super::super::json::JsonWriter;
use super::super::redaction::Redaction;
use super::{Contents, Counts, Difference, Expression, ItemChange, Locations, PartChange, Side};
use crate::version_from::version_from;
use overfold_module::pipeline::Report;

pub(super) fn write(difference: &Difference<'_>) -> Vec<u8> {
    let mut json = JsonWriter::with_capacity(1024);
    json.object(|json| {
        json.key("different");
        json.bool(difference.is_different());
        for (name, report) in [("before", difference.before), ("after", difference.after)] {
            json.key(name);
            json.object(|json| module(json, report));
        }
        write_members(json, difference);
    });
    json.into_bytes()
}

/// Writes the members that describe the differences.
pub(super) fn write_members(json: &mut JsonWriter, difference: &Difference<'_>) {
    let Difference { before, after, changes, findings } = difference;
    json.key("changes");
    json.array(|json| {
        for change in changes {
            json.object(|json| {
                json.member("address", &change.address);
                json.member("kind", &change.kind);
                json.member("change", change.act.name());
                sides(json, difference, &change.sides);
                if !change.parts.is_empty() {
                    json.key("parts");
                    json.array(|json| {
                        change.parts.iter().for_each(|one| json.object(|json| part(json, difference, one)));
                    });
                }
                contents(json, difference, &change.body);
            });
        }
    });
    counts(json, difference.counts());
    json.key("diagnostics");
    json.object(|json| {
        for (name, places) in [("appeared", &findings.appeared), ("vanished", &findings.vanished)] {
            json.key(name);
            json.array(|json| places.iter().for_each(|at| json.uint(u32::try_from(*at).unwrap_or(u32::MAX))));
        }
        for (name, report) in [("before", before), ("after", after)] {
            json.key(name);
            write_all(json, &Redaction::of(report), report.forest, &report.diagnostics, &report.severities);
        }
    });
}

fn part(json: &mut JsonWriter, difference: &Difference<'_>, part: &PartChange) {
    json.member("name", &part.name);
    json.member("part", part.what.name());
    json.member("change", part.act.name());
    sides(json, difference, &part.sides);
    contents(json, difference, &part.body);
    if !part.items.is_empty() {
        json.key("items");
        json.array(|json| part.items.iter().for_each(|one| json.object(|json| item(json, difference, one))));
    }
}

/// Writes the body of a block that exists on one side only.
fn contents(json: &mut JsonWriter, difference: &Difference<'_>, body: &Contents) {
    if !body.parts.is_empty() {
        json.key("body");
        json.array(|json| body.parts.iter().for_each(|one| json.object(|json| part(json, difference, one))));
    }
    if body.more > 0 {
        json.number("body_dropped", body.more);
    }
}

/// Writes an item of a list or an object.
fn item(json: &mut JsonWriter, difference: &Difference<'_>, item: &ItemChange) {
    if let Some(key) = &item.key {
        json.member("key", key);
    }
    json.member("change", item.act.name());
    for (name, span, report) in [("before", item.before, difference.before), ("after", item.after, difference.after)]
    {
        let Some(span) = span else { continue };
        json.key(name);
        json.object(|json| {
            json.member("expression", &report.forest.sources.text(span));
            json.key("range");
            write_range(json, &report.forest.sources, span);
        });
    }
}

/// Writes the member `counts`.
pub(super) fn counts(json: &mut JsonWriter, counts: Counts) {
    json.key("counts");
    json.object(|json| {
        json.number("added", counts.added);
        json.number("removed", counts.removed);
        json.number("changed", counts.changed);
        json.number("moved", counts.moved);
        json.number("parts", counts.parts);
    });
}

/// Writes the members about one side.
pub(super) fn module(json: &mut JsonWriter, report: &Report<'_>) {
    json.key("valid");
    json.bool(!report.diagnostics.has_errors());
    json.member("dialect", report.dialect.name);
    json.member("version", &report.version);
    version_from(json, report.version_from.as_deref());
    json.member("path", if report.root.is_empty() { "." } else { &report.root });
    if report.dropped() > 0 {
        json.key("diagnostics_dropped");
        json.uint(u32::try_from(report.dropped()).unwrap_or(u32::MAX));
    }
}

fn sides(json: &mut JsonWriter, difference: &Difference<'_>, sides: &Locations) {
    let [was, is] = &sides.overrides;
    let both = [("before", &sides.before, difference.before, was), ("after", &sides.after, difference.after, is)];
    for (name, one, report, _) in both {
        if let Some(one) = one {
            json.key(name);
            json.object(|json| side(json, report, one));
        }
    }
    if was.is_some() || is.is_some() {
        json.key("override");
        json.object(|json| {
            for (name, _, _, file) in both {
                if let Some(file) = file {
                    json.member(name, file);
                }
            }
        });
    }
}

fn side(json: &mut JsonWriter, report: &Report<'_>, side: &Side) {
    json.member("pointer", &side.pointer);
    match side.expression {
        Some(Expression::Hidden) => {
            json.key("expression");
            json.null();
            json.key("redacted");
            json.bool(true);
        }
        Some(Expression::Broken) => {
            json.key("broken");
            json.bool(true);
        }
        Some(Expression::Source(span)) => json.member("expression", &report.forest.sources.text(span)),
        None => {}
    }
    if let Some(range) = side.range {
        json.key("range");
        write_range(json, &report.forest.sources, range);
    }
}

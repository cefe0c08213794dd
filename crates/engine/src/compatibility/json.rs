//! The answer of `POST /v1/compatibility`.

use overfold_output::ToolFinding;
use overfold_output::json::JsonWriter;
use overfold_output::version_from;

use super::{Boundary, Comparison, RequiredVersion, Tool, Verdict, VersionRange};

/// Writes the whole answer as JSON. The same comparison yields the same bytes.
pub fn json(all: &Comparison) -> Vec<u8> {
    let mut json = JsonWriter::with_capacity(4096);
    let stage = all.stage.name();
    json.object(|json| {
        json.member("dialect", all.dialect);
        json.member("version", &all.version);
        version_from(json, all.version_from.as_deref());
        json.member("stage", stage);
        json.key("loads");
        json.bool(all.loads);
        json.key("tools");
        json.array(|json| all.tools.iter().for_each(|tool| json.object(|json| write_tool(json, tool, stage))));
        json.key("required_version");
        json.object(|json| required(json, &all.required));
    });
    json.into_bytes()
}

fn write_tool(json: &mut JsonWriter, tool: &Tool, stage: &str) {
    json.member("dialect", tool.dialect);
    json.key("ranges");
    json.array(|json| {
        for range in &tool.ranges {
            json.object(|json| {
                write_ends(json, &range.releases);
                json.key("loads");
                json.bool(range.verdict == Verdict::Loads);
                json.key("excluded");
                json.bool(range.verdict == Verdict::Excluded);
                json.member("stage", stage);
            });
        }
    });
    findings(json, "diagnostics", &tool.first);
    json.key("boundaries");
    json.array(|json| tool.boundaries.iter().for_each(|boundary| json.object(|json| write_boundary(json, boundary))));
}

fn write_boundary(json: &mut JsonWriter, boundary: &Boundary) {
    json.member("at", &boundary.at);
    findings(json, "appear", &boundary.appear);
    findings(json, "vanish", &boundary.vanish);
    json.key("differs");
    json.array(|json| {
        for difference in &boundary.differs {
            json.object(|json| {
                json.member("address", &difference.address);
                json.key("before");
                body(json, difference.before.as_deref());
                json.key("after");
                body(json, difference.after.as_deref());
            });
        }
    });
}

fn body(json: &mut JsonWriter, body: Option<&str>) {
    match body {
        Some(body) => json.raw(body),
        None => json.null(),
    }
}

fn findings(json: &mut JsonWriter, name: &str, findings: &[ToolFinding]) {
    json.key(name);
    json.array(|json| findings.iter().for_each(|finding| json.raw(&finding.json)));
}

fn required(json: &mut JsonWriter, required: &RequiredVersion) {
    json.key("constraints");
    json.array(|json| {
        for stated in &required.stated {
            json.object(|json| {
                json.member("constraint", &stated.text);
                json.key("range");
                json.raw(&stated.range.json);
            });
        }
    });
    let lists = [
        ("too_wide", &required.too_wide),
        ("too_narrow", &required.too_narrow),
        ("could_include", &required.could_include),
    ];
    for (name, ranges) in lists {
        json.key(name);
        json.array(|json| ranges.iter().for_each(|range| json.object(|json| write_ends(json, range))));
    }
    json.member("summary", &required.summary);
    if let Some(note) = &required.note {
        json.member("note", note);
    }
}

fn write_ends(json: &mut JsonWriter, range: &VersionRange) {
    json.member("from", &range.from);
    json.member("to", &range.to);
}

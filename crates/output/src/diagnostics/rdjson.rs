//! The Reviewdog Diagnostic Format as one document (reviewdog, proto/rdf/reviewdog.proto, `DiagnosticResult`).
//!
//! If a replacement of text resolves a diagnostic, it becomes a suggestion, which reviewdog offers to commit.

use super::finding::{Extras, Finding, Findings};
use super::format::DiagnosticFormat;
use super::place::{Endpoint, Region};
use crate::json::JsonWriter;
use overfold_base::diag::Severity;

pub(super) const FORMAT: DiagnosticFormat = DiagnosticFormat {
    name: "rdjson",
    media_type: "application/vnd.reviewdog.rdjson+json",
    extension: "rdjson",
    about: "reviewdog's diagnostic format, with suggestions",
    columns: "bytes of UTF-8",
    severities: ["`ERROR`", "`WARNING`", "`INFO`"],
    extras: Extras { snippets: false, line_hashes: false },
    write,
};

fn write(findings: &Findings) -> Vec<u8> {
    let mut json = JsonWriter::with_capacity(4096);
    json.object(|json| {
        json.key("source");
        json.object(|json| json.member("name", "overfold"));
        json.key("diagnostics");
        json.array(|json| {
            for finding in &findings.list {
                json.object(|json| diagnostic(json, finding));
            }
        });
    });
    json.into_bytes()
}

fn diagnostic(json: &mut JsonWriter, finding: &Finding) {
    json.member("message", &finding.message());
    location(json, &finding.file, finding.region());
    json.member(
        "severity",
        match finding.severity {
            Severity::Error => "ERROR",
            Severity::Warning => "WARNING",
            Severity::Info => "INFO",
        },
    );
    json.key("code");
    json.object(|json| json.member("value", finding.code.id));
    if let Some(fix) = &finding.fix {
        json.key("suggestions");
        json.array(|json| {
            json.object(|json| {
                range(json, fix.region);
                json.member("text", &fix.text);
            });
        });
    }
    let in_files = || finding.related.iter().filter(|related| related.place.region.is_some());
    if in_files().next().is_some() {
        json.key("related_locations");
        json.array(|json| {
            for related in in_files() {
                json.object(|json| {
                    json.member("message", &related.message);
                    location(json, &related.place.name, related.place.region);
                });
            }
        });
    }
}

/// Writes a location; without a range it is the file as a whole.
fn location(json: &mut JsonWriter, path: &str, at: Option<Region>) {
    json.key("location");
    json.object(|json| {
        json.member("path", path);
        if let Some(at) = at {
            range(json, at);
        }
    });
}

fn range(json: &mut JsonWriter, Region { start, end }: Region) {
    json.key("range");
    json.object(|json| {
        for (name, Endpoint { line, bytes, .. }) in [("start", start), ("end", end)] {
            json.key(name);
            json.object(|json| {
                json.number("line", line);
                json.number("column", bytes);
            });
        }
    });
}

//! SARIF 2.1.0 (OASIS Standard, with Errata 01), with one run, as accepted by GitHub code scanning and others.
//!
//! Written directly to bytes, like every answer: the types of the serde-sarif crate would hold the whole document,
//! several kilobytes for each result, before its first byte is written, and nothing would charge the request for that.
//!
//! GitHub, Visual Studio and the SARIF SDK show a message without arguments verbatim, so braces are not doubled
//! (3.11.5); a bracket that would begin a link is escaped (3.11.6).

use std::borrow::Cow;
use std::collections::BTreeMap;

use percent_encoding::{AsciiSet, NON_ALPHANUMERIC, utf8_percent_encode};

use super::finding::{Extras, Finding, Findings};
use super::format::DiagnosticFormat;
use super::place::Region;
use crate::json::JsonWriter;
use overfold_base::account::{self, ChargedText};
use overfold_base::diag::{Code, Severity};

pub(super) const FORMAT: DiagnosticFormat = DiagnosticFormat {
    name: "sarif",
    media_type: "application/sarif+json",
    extension: "sarif",
    about: "SARIF 2.1.0, for GitHub code scanning and other viewers",
    columns: "UTF-16 code units",
    severities: ["`error`", "`warning`", "`note`"],
    extras: Extras { snippets: false, line_hashes: true },
    write,
};

const SCHEMA: &str = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json";

/// The maximum number of results in one run that GitHub accepts.
const MAX_RESULTS: usize = 25_000;
/// The maximum number of locations in one result that GitHub accepts.
const MAX_LOCATIONS: usize = 1_000;
/// The folder that file names are relative to.
const BASE: &str = "SRCROOT";

/// The characters that a path segment may contain unencoded (RFC 3986, section 2.3); a colon could be taken for the end
/// of a scheme.
const ENCODED: &AsciiSet = &NON_ALPHANUMERIC.remove(b'-').remove(b'.').remove(b'_').remove(b'~').remove(b'/');

/// A rule: a code with findings.
struct Rule<'f> {
    code: &'f Code,
    /// Its severity: the code's own, or the one that the request gives to its findings.
    severity: Severity,
    /// Its place in the list of rules.
    index: u32,
}

impl<'f> Rule<'f> {
    fn of(finding: &'f Finding) -> Self {
        let is_changed = finding.severity != finding.default_severity;
        let severity = if is_changed { finding.severity } else { finding.code.severity };
        Self { code: finding.code, severity, index: 0 }
    }
}

fn write(findings: &Findings) -> Vec<u8> {
    let listed = findings.list.get(..MAX_RESULTS).unwrap_or(&findings.list);
    let left_out = findings.dropped + findings.list.len() - listed.len();
    // The rules in the order of their ids; each result names the index of its rule.
    let mut rules: BTreeMap<&str, Rule<'_>> = BTreeMap::new();
    for finding in listed {
        rules.entry(finding.code.id).or_insert_with(|| Rule::of(finding));
    }
    rules.values_mut().zip(0..).for_each(|(rule, number)| rule.index = number);
    let mut json = JsonWriter::with_capacity(4096);
    json.object(|json| {
        json.member("$schema", SCHEMA);
        json.member("version", "2.1.0");
        json.key("runs");
        json.array(|json| {
            json.object(|json| {
                tool(json, &rules);
                invocation(json, left_out);
                json.key("originalUriBaseIds");
                json.object(|json| {
                    json.key(BASE);
                    json.object(|json| {
                        text(
                            json,
                            "description",
                            "The top directory of the upload, or the directory that path_prefix is relative to.",
                        );
                    });
                });
                json.member("columnKind", "utf16CodeUnits");
                json.key("results");
                json.array(|json| {
                    for finding in listed {
                        let index = rules.get(finding.code.id).map_or(0, |rule| rule.index);
                        json.object(|json| result(json, finding, index));
                    }
                });
            });
        });
    });
    json.into_bytes()
}

/// A message object.
fn text(json: &mut JsonWriter, name: &str, text: &str) {
    json.key(name);
    json.object(|json| json.member("text", text));
}

fn tool(json: &mut JsonWriter, rules: &BTreeMap<&str, Rule<'_>>) {
    json.key("tool");
    json.object(|json| {
        json.key("driver");
        json.object(|json| {
            json.member("name", "overfold");
            json.member("semanticVersion", env!("CARGO_PKG_VERSION"));
            json.key("rules");
            json.array(|json| {
                for one in rules.values() {
                    json.object(|json| rule(json, one));
                }
            });
        });
    });
}

fn rule(json: &mut JsonWriter, &Rule { code, severity, .. }: &Rule<'_>) {
    json.member("id", code.id);
    // Titles do not end with a full stop; GitHub shows them as headings.
    text(json, "shortDescription", code.title);
    text(json, "fullDescription", code.about);
    text(json, "help", code.about);
    json.key("defaultConfiguration");
    json.object(|json| json.member("level", severity.word()));
    json.key("properties");
    json.object(|json| {
        json.key("tags");
        json.array(|json| json.str(code.stage()));
        // GitHub sorts results that are not security alerts by this.
        json.member(
            "problem.severity",
            match severity {
                Severity::Error => "error",
                Severity::Warning => "warning",
                Severity::Info => "recommendation",
            },
        );
        json.member("precision", "very-high");
    });
}

fn invocation(json: &mut JsonWriter, left_out: usize) {
    json.key("invocations");
    json.array(|json| {
        json.object(|json| {
            // A configuration with errors is a normal result (SARIF 2.1.0, 3.20.14).
            json.key("executionSuccessful");
            json.bool(true);
            if left_out > 0 {
                json.key("toolExecutionNotifications");
                json.array(|json| {
                    json.object(|json| {
                        json.member("level", "warning");
                        text(json, "message", &format!("{left_out} more results are not listed."));
                    });
                });
            }
        });
    });
}

fn result(json: &mut JsonWriter, finding: &Finding, rule: u32) {
    json.member("ruleId", finding.code.id);
    json.number("ruleIndex", rule);
    json.member("level", finding.severity.word());
    text(json, "message", &escape_links(&finding.message()));
    json.key("locations");
    json.array(|json| {
        json.object(|json| {
            physical(json, &finding.file, finding.region());
            if let Some(address) = &finding.address {
                json.key("logicalLocations");
                json.array(|json| json.object(|json| json.member("fullyQualifiedName", address)));
            }
        });
    });
    let in_files = || finding.related.iter().filter(|related| related.place.region.is_some()).take(MAX_LOCATIONS);
    if in_files().next().is_some() {
        json.key("relatedLocations");
        json.array(|json| {
            for (number, related) in (1..).zip(in_files()) {
                json.object(|json| {
                    json.number("id", number);
                    physical(json, &related.place.name, related.place.region);
                    text(json, "message", &escape_links(&related.message));
                });
            }
        });
    }
    json.key("partialFingerprints");
    json.object(|json| {
        json.member("overfold/v1", &finding.fingerprint);
        if let Some(hash) = &finding.line_hash {
            json.member("primaryLocationLineHash", hash);
        }
    });
    if let Some(fix) = &finding.fix {
        json.key("fixes");
        json.array(|json| {
            json.object(|json| {
                json.key("artifactChanges");
                json.array(|json| {
                    json.object(|json| {
                        artifact(json, &finding.file);
                        json.key("replacements");
                        json.array(|json| {
                            json.object(|json| {
                                region(json, "deletedRegion", fix.region);
                                text(json, "insertedContent", &fix.text);
                            });
                        });
                    });
                });
            });
        });
    }
    json.key("properties");
    json.object(|json| {
        json.member("origin", finding.origin.name());
    });
}

fn physical(json: &mut JsonWriter, file: &str, at: Option<Region>) {
    json.key("physicalLocation");
    json.object(|json| {
        artifact(json, file);
        match at {
            Some(at) => region(json, "region", at),
            // GitHub requires a line.
            None => {
                json.key("region");
                json.object(|json| json.number("startLine", 1));
            }
        }
    });
}

fn artifact(json: &mut JsonWriter, file: &str) {
    json.key("artifactLocation");
    json.object(|json| {
        account::touch(file.len() * 3);
        json.member("uri", &utf8_percent_encode(file, ENCODED).to_string());
        json.member("uriBaseId", BASE);
    });
}

fn region(json: &mut JsonWriter, name: &str, Region { start, end }: Region) {
    json.key(name);
    json.object(|json| {
        json.number("startLine", start.line);
        json.number("startColumn", start.utf16);
        json.number("endLine", end.line);
        json.number("endColumn", end.utf16);
    });
}

/// Escapes a text so that nothing in it is taken for a link: `[text](target)`.
fn escape_links(text: &str) -> Cow<'_, str> {
    if text.touched().contains("](") { text.replace('[', "\\[").replace(']', "\\]").into() } else { text.into() }
}

//! A GitLab Code Quality report (GitLab documentation, "Code Quality", "Code Quality report format"): an array of issues.

use super::finding::{Extras, Finding, Findings};
use super::format::DiagnosticFormat;
use crate::json::JsonWriter;
use overfold_base::diag::Severity;

pub(super) const FORMAT: DiagnosticFormat = DiagnosticFormat {
    name: "gitlab-codequality",
    media_type: "application/vnd.gitlab.codequality+json",
    extension: "json",
    about: "a GitLab Code Quality report",
    columns: "none, only lines",
    severities: ["`major`", "`minor`", "`info`"],
    extras: Extras { snippets: false, line_hashes: false },
    write,
};

fn write(findings: &Findings) -> Vec<u8> {
    let mut json = JsonWriter::with_capacity(4096);
    json.array(|json| {
        for finding in &findings.list {
            json.object(|json| issue(json, finding));
        }
    });
    json.into_bytes()
}

fn issue(json: &mut JsonWriter, finding: &Finding) {
    let (first, last) = finding.lines();
    json.member("description", &finding.message());
    json.member("check_name", finding.code.id);
    // GitLab shows only one of several issues with equal fingerprints.
    json.member("fingerprint", &finding.fingerprint);
    json.member(
        "severity",
        match finding.severity {
            Severity::Error => "major",
            Severity::Warning => "minor",
            Severity::Info => "info",
        },
    );
    json.key("location");
    json.object(|json| {
        json.member("path", &finding.file);
        json.key("lines");
        json.object(|json| {
            json.number("begin", first);
            json.number("end", last);
        });
    });
}

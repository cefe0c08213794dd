//! JUnit XML, following the schema of Apache Ant's reports (windyroad/JUnit-Schema), which most readers understand: one
//! suite, with a test case for each diagnostic. Errors are failures. Warnings and notes pass, because a failed test case
//! fails the build in most tools that read such a report; if the request is to fail on warnings or notes (`fail_on`),
//! they are failures too. Findings that pass are shown in the output of the suite. A report without findings has one passing
//! test case, because some readers treat a report without test cases as an error.
//!
//! The core has no clock, and the same request yields the same bytes: times are zero.
//!
//! Five elements and one escaping rule do not need a crate, and a crate would let through characters that XML 1.0
//! cannot contain, escaped or not. Tests read the result with quick-xml.

use super::finding::{Extras, Finding, Findings};
use super::format::DiagnosticFormat;
use super::text;
use crate::plain::TextWriter;
use overfold_base::diag::Severity;

pub(super) const FORMAT: DiagnosticFormat = DiagnosticFormat {
    name: "junit",
    media_type: "application/junit+xml",
    extension: "xml",
    about: "a JUnit report: a test case for each diagnostic",
    columns: "grapheme clusters, in the text",
    severities: [
        "`<failure type=\"error\">`",
        "a test case that passes; with `fail_on=warning` `<failure type=\"warning\">`",
        "a test case that passes; with `fail_on=info` `<failure type=\"info\">`",
    ],
    extras: Extras { snippets: true, line_hashes: false },
    write,
};

fn write(findings: &Findings) -> Vec<u8> {
    let mut out = TextWriter::default();
    let failure = |finding: &Finding| failure(finding.severity, findings.fails_from);
    let failures = findings.list.iter().filter(|finding| failure(finding).is_some()).count();
    let tests = findings.list.len().max(1);
    out.push("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<testsuites>\n");
    out.write_fmt(format_args!(
        "  <testsuite name=\"overfold\" package=\"overfold\" id=\"0\" timestamp=\"1970-01-01T00:00:00\" \
         hostname=\"localhost\" tests=\"{tests}\" failures=\"{failures}\" errors=\"0\" time=\"0\">\n    <properties/>\n"
    ));
    for finding in &findings.list {
        test_case(&mut out, finding, failure(finding));
    }
    if findings.list.is_empty() {
        out.push("    <testcase name=\"no diagnostics\" classname=\"overfold\" time=\"0\"/>\n");
    }
    out.push("    <system-out>");
    for finding in findings.list.iter().filter(|finding| failure(finding).is_none()) {
        shown(&mut out, finding);
    }
    out.push("</system-out>\n    <system-err>");
    if findings.dropped > 0 {
        out.write_fmt(format_args!("{} more diagnostics are not listed", findings.dropped));
    }
    out.push("</system-err>\n  </testsuite>\n</testsuites>\n");
    out.into_bytes()
}

/// The failure type of a finding; `None` if its test case passes.
fn failure(severity: Severity, fails_from: Severity) -> Option<&'static str> {
    (severity <= fails_from).then_some(severity.name())
}

fn test_case(out: &mut TextWriter, finding: &Finding, failure: Option<&str>) {
    out.push("    <testcase name=\"");
    let name = format!("{}:{} {}", finding.file, finding.lines().0, finding.code.id);
    escaped(out, &name, Within::Attribute);
    out.push("\" classname=\"");
    escaped(out, &finding.file, Within::Attribute);
    out.push("\" time=\"0\"");
    let Some(kind) = failure else {
        out.push("/>\n");
        return;
    };
    out.write_fmt(format_args!(">\n      <failure type=\"{kind}\" message=\""));
    escaped(out, &finding.summary, Within::Attribute);
    out.push("\">");
    shown(out, finding);
    out.push("</failure>\n    </testcase>\n");
}

/// Writes the finding as people read it.
fn shown(out: &mut TextWriter, finding: &Finding) {
    let mut plain = TextWriter::default();
    text::finding(&mut plain, finding);
    escaped(out, &String::from_utf8_lossy(&plain.into_bytes()), Within::Element);
}

/// The context of a text.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Within {
    Attribute,
    Element,
}

/// Escapes a text for the document (XML 1.0, 2.2, 2.4 and 3.3.3): markup becomes references, and in an attribute line
/// ends and tabs do too; characters that no document may contain become U+FFFD.
fn escaped(out: &mut TextWriter, text: &str, within: Within) {
    let is_plain = |c: char| match c {
        '<' | '>' | '&' | '"' | '\'' | '\r' => false,
        '\t' | '\n' => within == Within::Element,
        c => c >= ' ' && !matches!(c, '\u{FFFE}' | '\u{FFFF}'),
    };
    let mut rest = text;
    while let Some(at) = rest.find(|c| !is_plain(c)) {
        let (plain, tail) = rest.split_at(at);
        out.push(plain);
        let mut after = tail.chars();
        out.push(match after.next() {
            Some('<') => "&lt;",
            Some('>') => "&gt;",
            Some('&') => "&amp;",
            Some('"') => "&quot;",
            Some('\'') => "&apos;",
            Some('\t') => "&#9;",
            Some('\n') => "&#10;",
            Some('\r') => "&#13;",
            _ => "\u{FFFD}",
        });
        rest = after.as_str();
    }
    out.push(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn markup_is_escaped_and_what_xml_cannot_hold_is_replaced() {
        let written = |text: &str, within| {
            let mut out = TextWriter::default();
            escaped(&mut out, text, within);
            String::from_utf8(out.into_bytes()).unwrap()
        };
        let text = "a<b>&\"'\t\n\r\u{0}\u{1b}\u{FFFE}é😀]]>";
        assert_eq!(
            written(text, Within::Attribute),
            "a&lt;b&gt;&amp;&quot;&apos;&#9;&#10;&#13;\u{FFFD}\u{FFFD}\u{FFFD}é😀]]&gt;"
        );
        assert_eq!(
            written(text, Within::Element),
            "a&lt;b&gt;&amp;&quot;&apos;\t\n&#13;\u{FFFD}\u{FFFD}\u{FFFD}é😀]]&gt;"
        );
    }
}

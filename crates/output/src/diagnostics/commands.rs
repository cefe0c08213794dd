//! Workflow commands of GitHub Actions (GitHub documentation, "Workflow commands for GitHub Actions", "Setting an error
//! message"): printed to the log of a step, they become annotations. GitHub shows ten of each severity per step.

use super::finding::{Extras, Finding, Findings};
use super::format::DiagnosticFormat;
use super::place::Region;
use crate::plain::TextWriter;
use overfold_base::diag::Severity;
use overfold_base::echo;

pub(super) const FORMAT: DiagnosticFormat = DiagnosticFormat {
    name: "github-commands",
    media_type: "text/vnd.github.workflow-commands",
    extension: "txt",
    about: "workflow commands of GitHub Actions, for the log of a step",
    columns: "UTF-16 code units, if the place is on one line",
    severities: ["`::error`", "`::warning`", "`::notice`"],
    extras: Extras { snippets: false, line_hashes: false },
    write,
};

fn write(findings: &Findings) -> Vec<u8> {
    let mut out = TextWriter::default();
    for finding in &findings.list {
        command(&mut out, finding);
    }
    if findings.dropped > 0 {
        out.write_fmt(format_args!("::warning::{} more diagnostics are not listed\n", findings.dropped));
    }
    out.into_bytes()
}

fn command(out: &mut TextWriter, finding: &Finding) {
    let (first, last) = finding.lines();
    out.push(match finding.severity {
        Severity::Error => "::error file=",
        Severity::Warning => "::warning file=",
        Severity::Info => "::notice file=",
    });
    escaped(out, &finding.file, true);
    out.write_fmt(format_args!(",line={first},endLine={last}"));
    if let Some(Region { start, end }) = finding.region().filter(Region::is_on_one_line) {
        out.write_fmt(format_args!(",col={},endColumn={}", start.utf16, end.utf16));
    }
    out.push(",title=");
    escaped(out, &finding.summary, true);
    out.push("::");
    let message = if finding.detail.is_empty() { &finding.summary } else { &finding.detail };
    escaped(out, message, false);
    out.write_fmt(format_args!(" [{}]\n", finding.code.id));
}

/// Escapes a text for a command (actions/toolkit, packages/core/src/command.ts): percent signs and line ends become
/// numbers, and in a property colons and commas do too. Other characters that a log would interpret become U+FFFD.
fn escaped(out: &mut TextWriter, text: &str, is_property: bool) {
    let special = |c: char| c == '%' || echo::affects_display(c) || (is_property && matches!(c, ':' | ','));
    let mut rest = text;
    while let Some(at) = rest.find(special) {
        let (plain, tail) = rest.split_at(at);
        out.push(plain);
        let mut after = tail.chars();
        match after.next() {
            Some('\t') => out.push("\t"),
            Some(c @ ('%' | '\r' | '\n' | ':' | ',')) => out.write_fmt(format_args!("%{:02X}", u32::from(c))),
            _ => out.push("\u{FFFD}"),
        }
        rest = after.as_str();
    }
    out.push(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_would_end_a_command_or_a_property_is_escaped() {
        let written = |text: &str, is_property| {
            let mut out = TextWriter::default();
            escaped(&mut out, text, is_property);
            String::from_utf8(out.into_bytes()).unwrap()
        };
        assert_eq!(written("50%\r\n::error::x, y\té", false), "50%25%0D%0A::error::x, y\té");
        assert_eq!(written("a:b,c%\nd\u{1b}[31m", true), "a%3Ab%2Cc%25%0Ad\u{FFFD}[31m");
        assert_eq!(written("a\u{2028}::error::b\u{85}", false), "a\u{FFFD}::error::b\u{FFFD}");
        assert_eq!(written("", true), "");
    }
}

//! Diagnostics as plain data, ready to be written in any form: texts as they may be shown, positions in all units, and
//! stable fingerprints. One list can hold the findings of several modules.

use std::collections::HashMap;
use std::sync::Arc;

use sha2::{Digest as _, Sha256};

use super::format::ReportOptions;
use super::in_order;
use super::line_hash::LineHashes;
use super::place::{DiagnosticPlace, Places, Region};
use super::snippet::Snippet;
use crate::extent::Extent;
use crate::redaction::Redaction;
use overfold_base::account::{self, ChargedText, List};
use overfold_base::diag::{Code, Diagnostic, Fix, Origin, Severity, SourceId};
use overfold_model::config::FileRole;
use overfold_module::pipeline::Report;

/// Optional parts of a finding. Computing them takes time, so each format requests those that it writes.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub(super) struct Extras {
    /// The source lines around the position.
    pub(super) snippets: bool,
    /// The hash of the lines from the position on, by which GitHub recognises an alert.
    pub(super) line_hashes: bool,
}

/// Diagnostics in the order in which they are written.
pub(super) struct Findings {
    /// The findings, module by module.
    pub(super) list: List<Finding>,
    /// The number of further findings, which were counted but not kept.
    pub(super) dropped: usize,
    /// As [`ReportOptions::fails_from`].
    pub(super) fails_from: Severity,
    /// How much was checked; `None` if no module was run.
    pub(super) extent: Option<Extent>,
}

/// One diagnostic.
pub(super) struct Finding {
    /// The severity with which it is shown.
    pub(super) severity: Severity,
    /// Its own severity, with which it is shown unless the request changes that.
    pub(super) default_severity: Severity,
    pub(super) origin: Origin,
    pub(super) code: &'static Code,
    pub(super) summary: String,
    pub(super) detail: String,
    pub(super) address: Option<Arc<str>>,
    /// The position, if there is one.
    pub(super) place: Option<DiagnosticPlace>,
    /// The file that it is shown for: that of its position, or one that represents the module.
    pub(super) file: Arc<str>,
    pub(super) related: Vec<Related>,
    pub(super) fix: Option<Replacement>,
    pub(super) snippet: Option<Snippet>,
    /// Stable across runs as long as file, object and texts are the same, wherever the finding moves within the file;
    /// 32 hexadecimal digits, different for each finding of a list.
    pub(super) fingerprint: String,
    pub(super) line_hash: Option<String>,
}

/// A secondary position.
pub(super) struct Related {
    pub(super) message: String,
    pub(super) place: DiagnosticPlace,
}

/// A text that replaces another in the file of the finding.
pub(super) struct Replacement {
    pub(super) region: Region,
    pub text: String,
}

impl Finding {
    /// The region within its file; `None` for the file as a whole.
    pub(super) fn region(&self) -> Option<Region> {
        self.place.as_ref().and_then(|place| place.region)
    }

    /// The first and the last line to mark, 1-based, both inclusive. A range that ends at the start of a line does not
    /// include that line.
    pub(super) fn lines(&self) -> (u32, u32) {
        self.region().map_or((1, 1), |Region { start, end }| {
            let last = if end.bytes == 1 { end.line.saturating_sub(1) } else { end.line };
            (start.line, last.max(start.line))
        })
    }

    /// Title and detail as a single text.
    pub(super) fn message(&self) -> String {
        account::grow((self.summary.len() + self.detail.len()) as u64);
        if self.detail.is_empty() { self.summary.clone() } else { format!("{}: {}", self.summary, self.detail) }
    }
}

impl Findings {
    /// Collects the findings of a report and further notes about it, without fingerprints.
    pub(super) fn of(report: &Report<'_>, notes: &[Diagnostic], options: &ReportOptions, extras: Extras) -> Self {
        let mut list = List::new();
        let forest = report.forest;
        let redaction = Redaction::of(report);
        let places = Places::new(&forest.sources, &options.path_prefix, &report.root);
        let home = home(report, &places);
        let mut hashes = LineHashes::default();
        for placed in in_order(report.diagnostics.iter().chain(notes), &report.severities, &forest.sources) {
            let diagnostic = placed.diagnostic;
            let texts = redaction.texts(diagnostic);
            let place = diagnostic.span.map(|span| places.of(span));
            let in_file = place.as_ref().filter(|place| place.region.is_some());
            let file = in_file.map_or_else(|| home.clone(), |place| place.name.clone());
            let related = diagnostic
                .related
                .iter()
                .map(|label| Related { message: texts.label(label).to_owned(), place: places.of(label.span) });
            let related: Vec<Related> = related.collect();
            let shown = |fix: &Fix| {
                let same_file = Some(fix.span.source) == diagnostic.span.map(|span| span.source);
                same_file && !texts.is_hidden() && !redaction.hides_text(fix.span)
            };
            let fix = diagnostic.fix.as_deref().filter(|fix| shown(fix)).and_then(|fix| {
                Some(Replacement { region: places.exact_region(fix.span)?, text: fix.text.clone().into_owned() })
            });
            let snippet = diagnostic.span.filter(|_| extras.snippets);
            let line_hash = diagnostic.span.filter(|_| extras.line_hashes && in_file.is_some());
            let finding = Finding {
                severity: placed.severity,
                default_severity: diagnostic.severity,
                origin: diagnostic.origin,
                code: diagnostic.code,
                fingerprint: String::new(),
                snippet: snippet.and_then(|span| Snippet::of(&redaction, forest, span, None)),
                line_hash: line_hash.and_then(|span| {
                    let source: SourceId = forest.sources.in_file(span).source;
                    let line = in_file.and_then(|place| place.region)?.start.line;
                    hashes.of(&redaction, &forest.sources, source, line)
                }),
                summary: texts.summary.to_owned(),
                address: texts.address.cloned(),
                detail: texts.detail.into_owned(),
                place,
                file,
                related,
                fix,
            };
            let snippet = finding
                .snippet
                .as_ref()
                .map_or(0, |snippet| snippet.code.len() + snippet.context.as_ref().map_or(0, String::len));
            let related: usize = finding.related.iter().map(|related| related.message.len()).sum();
            let texts = finding.summary.len()
                + finding.detail.len()
                + finding.address.as_deref().map_or(0, str::len)
                + finding.fix.as_ref().map_or(0, |fix| fix.text.len())
                + snippet
                + related;
            account::work(16);
            account::touch((texts + finding.file.len()) * 4);
            account::grow((size_of::<Finding>() + finding.related.len() * size_of::<Related>() + texts) as u64);
            list.push(finding);
        }
        let extent = Extent::of(report);
        let extent = Some(if options.unchecked_is_said { extent.without_unchecked() } else { extent });
        Self { list, dropped: report.dropped(), fails_from: options.fails_from, extent }
    }

    /// Computes the fingerprints. This is the last step, because they are unique within a list.
    pub(super) fn set_fingerprints(&mut self) {
        let mut seen = HashMap::new();
        for finding in &mut self.list {
            finding.fingerprint = fingerprint(finding, &mut seen);
        }
    }
}

impl Finding {
    /// Creates a finding about a directory that was not run; nothing in it has a position.
    pub(super) fn of_directory(path: &str, diagnostic: &Diagnostic, severity: Severity) -> Self {
        Self {
            severity,
            default_severity: diagnostic.severity,
            origin: diagnostic.origin,
            code: diagnostic.code,
            summary: diagnostic.summary.clone().into_owned(),
            detail: format!("{path}: {}", diagnostic.detail),
            address: None,
            place: None,
            file: Arc::from(path),
            related: Vec::new(),
            fix: None,
            snippet: None,
            fingerprint: String::new(),
            line_hash: None,
        }
    }
}

/// Returns the file that represents a module when a finding has no position: its first configuration file, otherwise
/// its first file, otherwise its directory.
fn home(report: &Report<'_>, places: &Places<'_>) -> Arc<str> {
    let files = &report.module.files;
    let first = files.iter().find(|file| matches!(file.role, FileRole::Primary | FileRole::Override));
    let name = first.or_else(|| files.first()).and_then(|file| places.file(&file.name));
    name.or_else(|| places.file("")).filter(|name| !name.is_empty()).unwrap_or_else(|| Arc::from("."))
}

/// Computes a fingerprint. Findings that differ only in their line are numbered from the second on.
fn fingerprint(finding: &Finding, seen: &mut HashMap<[u8; 16], u32>) -> String {
    let digest = |number: u32| {
        let mut digest = Sha256::new();
        let address = finding.address.as_deref().unwrap_or_default();
        for part in [finding.code.id, &finding.file, address.scanned(32), &finding.summary, &finding.detail] {
            digest.update((part.len() as u64).to_be_bytes());
            digest.update(part);
        }
        digest.update(number.to_be_bytes());
        let mut short = [0; 16];
        short.copy_from_slice(digest.finalize().split_at(16).0);
        short
    };
    let plain = digest(0);
    let number = seen.entry(plain).or_insert(0);
    let own = if *number == 0 { plain } else { digest(*number) };
    *number += 1;
    let digits = own.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or('0')).collect()
}

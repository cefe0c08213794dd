//! The answer about a tree of modules. Each module is written as soon as it has been run; only text is kept of it.

use crate::version_from::version_from;
use std::collections::BTreeMap;

use super::answer::{AnswerOptions, effective_config, module};
use super::diagnostics::{self, Record};
use super::form_notes::form_notes;
use super::json::JsonWriter;
use super::redaction::Redaction;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Severities};
use overfold_model::config::Secrets;
use overfold_model::language::module_source::SourceKind;
use overfold_module::repository::{Call, DirectoryRun, Outcome, shown};
use overfold_syntax::Forest;

/// The form of the answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// The whole answer, as JSON.
    Answer,
    /// Only the merged configuration of each module, by path.
    Configs,
}

/// An answer that grows module by module.
pub struct RepositoryAnswer {
    options: AnswerOptions,
    shape: Shape,
    /// Whether the call graph is requested.
    with_calls: bool,
    /// The modules by path, in the order in which they are written.
    modules: BTreeMap<Box<str>, WrittenModule>,
}

/// What is kept of a module.
#[derive(Default)]
struct WrittenModule {
    /// The module as one JSON value.
    object: Box<str>,
    /// Its findings.
    findings: Findings,
    /// The calls of the module, as JSON objects.
    calls: Vec<Box<str>>,
}

#[derive(Default)]
struct Findings {
    records: Vec<Record>,
    has_errors: bool,
    dropped: usize,
}

impl RepositoryAnswer {
    /// Starts an answer without modules.
    pub const fn new(options: AnswerOptions, shape: Shape, with_calls: bool) -> Self {
        Self { options, shape, with_calls, modules: BTreeMap::new() }
    }

    /// Adds a module; it replaces an earlier one with the same path.
    pub fn take(&mut self, done: &DirectoryRun<'_>) {
        let report = done.report;
        let redaction = Redaction::of(report);
        let earlier = self.modules.remove(done.path);
        let object = earlier.map_or_else(|| self.object(done, &redaction), |earlier| earlier.object);
        let findings = Findings {
            records: match self.shape {
                Shape::Answer => {
                    let notes = if self.options.include.config {
                        form_notes(report, self.options.config_format)
                    } else {
                        Vec::new()
                    };
                    let found = report.diagnostics.iter().chain(&notes);
                    diagnostics::records(&redaction, report.forest, found, &report.severities, done.path)
                }
                Shape::Configs => Vec::new(),
            },
            has_errors: report.diagnostics.has_errors(),
            dropped: report.dropped(),
        };
        let calls = if self.with_calls {
            done.calls.iter().map(|one| text(|json| json.object(|json| call(json, done, &redaction, one)))).collect()
        } else {
            Vec::new()
        };
        account::grow((done.path.len() + size_of::<WrittenModule>()) as u64);
        self.modules.insert(done.path.into(), WrittenModule { object, findings, calls });
    }

    fn object(&self, done: &DirectoryRun<'_>, redaction: &Redaction<'_>) -> Box<str> {
        let (report, options) = (done.report, self.options);
        text(|json| match self.shape {
            Shape::Answer => json.object(|json| module(json, report, redaction, options)),
            Shape::Configs => effective_config(json, report, redaction, options.config_format),
        })
    }

    /// Whether no module has an error and all could be run.
    pub fn is_valid(&self, outcome: &Outcome) -> bool {
        outcome.left_out.is_empty() && !self.modules.values().any(|module| module.findings.has_errors)
    }

    /// Returns the answer as JSON. The same modules and options yield the same bytes.
    pub fn finish(mut self, outcome: &Outcome) -> Vec<u8> {
        let valid = self.is_valid(outcome);
        if self.shape == Shape::Configs {
            let mut json = JsonWriter::with_capacity(1024);
            json.object(|json| self.objects(json));
            return json.into_bytes();
        }
        let mut findings = Findings::default();
        for (path, finding) in &outcome.left_out {
            if let Some(record) = skipped_record(path, finding, &outcome.severities) {
                findings.add(record);
            }
        }
        for module in self.modules.values_mut() {
            findings.dropped += module.findings.dropped;
            for record in std::mem::take(&mut module.findings.records) {
                findings.add(record);
            }
        }
        account::work(findings.records.len() as u64 * 16);
        // The sort is stable: equal findings keep the order of the modules.
        findings.records.sort_by(|a, b| (&a.at, &a.summary).cmp(&(&b.at, &b.summary)));
        let mut json = JsonWriter::with_capacity(1024);
        json.object(|json| {
            json.key("valid");
            json.bool(valid);
            json.member("dialect", outcome.dialect.name);
            json.member("version", &outcome.version);
            version_from(json, outcome.version_from.as_deref());
            json.key("modules");
            json.object(|json| self.objects(json));
            if self.with_calls {
                json.key("calls");
                json.array(|json| {
                    for module in self.modules.values() {
                        module.calls.iter().for_each(|call| json.raw(call));
                    }
                });
            }
            json.key("diagnostics");
            json.array(|json| findings.records.iter().for_each(|record| json.raw(&record.json)));
            if findings.dropped > 0 {
                json.key("diagnostics_dropped");
                json.uint(u32::try_from(findings.dropped).unwrap_or(u32::MAX));
            }
        });
        json.into_bytes()
    }

    /// Writes the members of an object by path, and drops what has been written.
    fn objects(&mut self, json: &mut JsonWriter) {
        for (path, module) in &mut self.modules {
            json.key(path);
            json.raw(&std::mem::take(&mut module.object));
        }
    }
}

impl Findings {
    /// Adds a finding; the limit is that for a single module.
    fn add(&mut self, record: Record) {
        if self.records.len() < Diagnostics::CAP { self.records.push(record) } else { self.dropped += 1 }
    }
}

/// Returns the finding about a directory that was not run; `None` if it is not shown.
fn skipped_record(path: &str, finding: &Diagnostic, severities: &Severities) -> Option<Record> {
    let mut findings = Diagnostics::new();
    findings.push(finding.clone());
    let (forest, secrets) = (Forest::default(), Secrets::default());
    let redaction = Redaction::new(&forest, &secrets, false);
    diagnostics::records(&redaction, &forest, &findings, severities, path).into_iter().next()
}

/// Writes one JSON value.
fn text(write: impl FnOnce(&mut JsonWriter)) -> Box<str> {
    let mut json = JsonWriter::with_capacity(256);
    write(&mut json);
    // The writer only produces valid UTF-8.
    String::from_utf8(json.into_bytes()).unwrap_or_default().into()
}

/// Writes one call of the graph.
fn call(json: &mut JsonWriter, done: &DirectoryRun<'_>, redaction: &Redaction<'_>, call: &Call<'_>) {
    let forest = done.report.forest;
    json.member("from", done.path);
    if !redaction.hides_labels(call.block) {
        json.member("address", &format!("module.{}", call.name));
    }
    let is_hidden = redaction.hides(call.secrecy)
        || call.source.is_some_and(|argument| redaction.hides_expression(argument.expr));
    json.key("source");
    match (&call.text, call.source) {
        _ if is_hidden => json.null(),
        (Some(text), _) => json.str(text),
        (None, Some(argument)) => {
            json.str(&forest.sources.text(forest.sources.in_file(forest.expr_span(argument.expr))));
        }
        (None, None) => json.null(),
    }
    if is_hidden {
        json.key("redacted");
        json.bool(true);
    }
    if let Some(kind) = call.kind {
        json.member(
            "kind",
            match kind {
                SourceKind::Local => "local",
                SourceKind::Registry => "registry",
                SourceKind::Remote => "remote",
            },
        );
    }
    if let Some(to) = call.target.directory().filter(|_| !is_hidden) {
        json.member("to", shown(to, done.top));
    }
    json.key("range");
    diagnostics::write_range(json, &forest.sources, call.block.header);
}

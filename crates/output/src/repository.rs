//! The answer about a tree of modules. Each module is written as soon as it has been run; only text is kept of it.

use std::borrow::Cow;
use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::answer::{AnswerOptions, ModuleParts, dropped, effective_config};
use super::diagnostics::{self, DiagnosticList, Record};
use super::form_notes::form_notes;
use super::json::{JsonText, JsonWriter};
use super::redaction::Redaction;
use crate::view::{MergeAnswer, ModuleCall, Range, VersionFrom};
use overfold_base::account::{self, ChargedSort};
use overfold_base::diag::{Diagnostic, Diagnostics, Severities};
use overfold_model::config::{Argument, Secrets};
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
    object: Cell<JsonText<'static>>,
    /// Its findings.
    findings: Findings,
    /// The calls of the module, as JSON objects.
    calls: Vec<JsonText<'static>>,
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
        let object = earlier.map_or_else(|| Cell::new(self.object(done, &redaction)), |earlier| earlier.object);
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
            done.calls.iter().map(|one| JsonText::of_view(&call(done, &redaction, one))).collect()
        } else {
            Vec::new()
        };
        account::grow((done.path.len() + size_of::<WrittenModule>()) as u64);
        self.modules.insert(done.path.into(), WrittenModule { object, findings, calls });
    }

    fn object(&self, done: &DirectoryRun<'_>, redaction: &Redaction<'_>) -> JsonText<'static> {
        let (report, options) = (done.report, self.options);
        let mut json = JsonWriter::with_capacity(256);
        match self.shape {
            Shape::Answer => ModuleParts::of(report, redaction, options).write(&mut json, |module| module),
            Shape::Configs => effective_config(&mut json, report, redaction, options.config_format),
        }
        json.into_text()
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
            json.view(&WrittenModules(&self.modules));
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
        // Equal findings keep the order of the modules.
        findings.records.charged_sort_by(16, |a, b| (&a.at, &a.summary).cmp(&(&b.at, &b.summary)));
        let mut json = JsonWriter::with_capacity(1024);
        json.view(&MergeAnswer {
            valid,
            dialect: outcome.dialect.name,
            version: &outcome.version,
            version_from: outcome.version_from.as_deref().map(VersionFrom::new),
            module: None,
            modules: Some(WrittenModules(&self.modules)),
            calls: self.with_calls.then_some(WrittenCalls(&self.modules)),
            diagnostics: DiagnosticList::written(&findings.records),
            diagnostics_dropped: dropped(findings.dropped),
        });
        json.into_bytes()
    }
}

/// Modules by path. What is written of them is dropped.
pub struct WrittenModules<'a>(&'a BTreeMap<Box<str>, WrittenModule>);

impl Serialize for WrittenModules<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(path, module)| (path, module.object.take())))
    }
}

/// The calls of all modules.
pub struct WrittenCalls<'a>(&'a BTreeMap<Box<str>, WrittenModule>);

impl Serialize for WrittenCalls<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.values().flat_map(|module| &module.calls))
    }
}

impl Findings {
    /// Adds a finding; the limit is that for a single module.
    fn add(&mut self, record: Record) {
        if self.records.len() < Diagnostics::CAP { self.records.push(record) } else { self.dropped += 1 }
    }
}

/// Returns the finding about a directory that was not run; `None` if it is not shown.
pub(crate) fn skipped_record(path: &str, finding: &Diagnostic, severities: &Severities) -> Option<Record> {
    let mut findings = Diagnostics::new();
    findings.push(finding.clone());
    let (forest, secrets) = (Forest::default(), Secrets::default());
    let redaction = Redaction::new(&forest, &secrets, false);
    diagnostics::records(&redaction, &forest, &findings, severities, path).into_iter().next()
}

/// Returns one call of the graph.
fn call<'a>(done: &DirectoryRun<'a>, redaction: &Redaction<'_>, call: &'a Call<'_>) -> ModuleCall<'a> {
    let forest = done.report.forest;
    let is_hidden = redaction.hides(call.secrecy)
        || call.source.is_some_and(|argument| redaction.hides_expression(argument.expr));
    let written =
        |argument: &Argument<'_>| forest.sources.text(forest.sources.in_file(forest.expr_span(argument.expr)));
    let source = match &call.text {
        _ if is_hidden => None,
        Some(text) => Some(Cow::Borrowed(&**text)),
        None => call.source.map(written),
    };
    ModuleCall {
        from: done.path,
        address: (!redaction.hides_labels(call.block)).then(|| format!("module.{}", call.name)),
        source,
        redacted: is_hidden.then_some(true),
        kind: call.kind,
        to: call.target.directory().filter(|_| !is_hidden).map(|to| shown(to, done.top)),
        range: Range::of(&forest.sources, call.block.header),
    }
}

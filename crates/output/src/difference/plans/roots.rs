//! The differences between the plans of every root module of two trees. Each pair is compared as soon as both sides have been
//! planned; only text is kept of it.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::super::markdown::Links;
use super::super::text::MAX_TEXT;
use super::super::tree::{DifferenceForm, ModuleChangeKind, PATH};
use super::markdown::{PlanParts, TITLES};
use super::verdict::PlanVerdict;
use super::{PlanDifference, json, markdown, text};
use crate::bounded::Bounded;
use crate::comment::{Comment, LinkBase, Weight, WeightedList, code, counts, tools};
use crate::diagnostics::{DiagnosticList, Record};
use crate::json::{JsonText, JsonWriter};
use crate::plain::sanitized;
use crate::plan::{is_exact, missing_inputs};
use crate::repository::skipped_record;
use crate::view::{DiffDiagnostics, PlanDiffAnswer, PlanDiffCounts};
use overfold_base::account::{self, ChargedIterator, ChargedSort};
use overfold_base::diag::{Diagnostic, Severity};
use overfold_module::pipeline::Report;
use overfold_module::repository::RootModules;

/// Room for the lines that say how much differs.
pub(super) const TOTALS: &str = "4294967295 root modules removed, 4294967295 changed, 4294967295 added, 4294967295 not compared, \
     4294967295 unchanged 4294967295 instances added, 4294967295 removed, 4294967295 changed, 4294967295 moved, \
     4294967295 unchanged; 4294967295 outputs changed";

/// Differences between plans, which grow root module by root module.
pub struct PlanDifferences {
    /// The addresses of the files on both sides, as far as they are known.
    links: [Option<LinkBase>; 2],
    body: Body,
    is_different: bool,
    /// Whether each side is free of errors, and depends on nothing that was not given.
    valid: [bool; 2],
    exact: [bool; 2],
    counts: PlanDiffCounts,
    outputs: usize,
    appeared: usize,
    vanished: usize,
    /// What happened to each root module.
    acts: Vec<ModuleChangeKind>,
    verdict: PlanVerdict,
}

/// What is kept of the differences.
enum Body {
    /// Whole answers, by the path of the root module.
    Json(BTreeMap<Box<str>, Cell<JsonText<'static>>>),
    /// What is said of each root module, with its path.
    Markdown(Vec<(Box<str>, ModuleChangeKind, PlanParts)>),
    Text(Bounded),
}

/// One side of a root module.
pub struct RootSide<'r> {
    /// The report, which was asked for a plan. Where the side does not have the root module, that of a module with nothing in it.
    pub report: &'r Report<'r>,
    /// Whether the side has the root module.
    pub exists: bool,
}

/// The answers about root modules, by their paths. What is written of them is dropped.
pub struct WrittenPlanDiffs<'a>(&'a BTreeMap<Box<str>, Cell<JsonText<'static>>>);

impl Serialize for WrittenPlanDiffs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(path, answer)| (path, answer.take())))
    }
}

impl PlanDifferences {
    /// Starts without root modules.
    pub fn new(form: DifferenceForm, links: Links<'_>) -> Self {
        let body = match form {
            DifferenceForm::Json => Body::Json(BTreeMap::new()),
            DifferenceForm::Markdown => Body::Markdown(Vec::new()),
            DifferenceForm::Text => {
                let mut text = Bounded::new(MAX_TEXT);
                text.reserve(TOTALS);
                Body::Text(text)
            }
        };
        Self {
            links: links.map(Option::<&LinkBase>::cloned),
            body,
            is_different: false,
            valid: [true; 2],
            exact: [true; 2],
            counts: PlanDiffCounts::default(),
            outputs: 0,
            appeared: 0,
            vanished: 0,
            acts: Vec::new(),
            verdict: PlanVerdict::default(),
        }
    }

    /// Compares the plans of the root module at a path, which comes after those of earlier calls.
    pub fn take(&mut self, path: &str, sides: &[RootSide<'_>; 2]) {
        let [was, is] = sides;
        let difference = PlanDifference::of(was.report, is.report);
        let exists = [was.exists, is.exists];
        let act = match exists {
            _ if difference.not_compared().is_some() => ModuleChangeKind::NotCompared,
            [false, _] => ModuleChangeKind::Added,
            [_, false] => ModuleChangeKind::Removed,
            _ if difference.is_different() => ModuleChangeKind::Changed,
            _ => ModuleChangeKind::Unchanged,
        };
        let [appeared, vanished] = [&difference.findings.appeared, &difference.findings.vanished].map(Vec::len);
        let is_silent = act == ModuleChangeKind::Unchanged && appeared + vanished == 0;
        account::build(16, path.len() as u64 + 64);
        match &mut self.body {
            Body::Json(answers) => {
                let answer = json::write(&difference, exists).into_text();
                answers.insert(path.into(), Cell::new(answer));
            }
            Body::Markdown(_) | Body::Text(_) if is_silent => {}
            Body::Markdown(list) => {
                account::push(
                    list,
                    (path.into(), act, PlanParts::of(&difference, self.links.each_ref().map(Option::as_ref))),
                );
            }
            Body::Text(text) => {
                text.entry(&format!("== {} ({})\n", sanitized(path), act.name()));
                text::add(&difference, text);
            }
        }
        self.is_different |= act != ModuleChangeKind::Unchanged;
        for ((valid, exact), side) in self.valid.iter_mut().zip(&mut self.exact).zip(sides) {
            *valid &= !side.report.diagnostics.has_errors();
            *exact &= is_exact(side.report, &missing_inputs(side.report));
        }
        self.counts.add(difference.counts());
        self.outputs += difference.compared.as_ref().map_or(0, |found| found.outputs.len());
        self.appeared += appeared;
        self.vanished += vanished;
        account::push(&mut self.acts, act);
        self.verdict.add(act, PlanVerdict::of(&difference, exists));
    }

    /// Whether anything differs: whether a root module was added or removed, or its plan differs. What cannot be compared
    /// counts as different.
    pub const fn is_different(&self) -> bool {
        self.is_different
    }

    /// Returns everything as bytes. `roots` are the paths of the directories in which root modules were searched for. The
    /// same plans yield the same bytes.
    pub fn finish(self, found: [&RootModules; 2], roots: [&str; 2]) -> Vec<u8> {
        let left_out = LeftOut::of(found);
        match self.body {
            Body::Json(ref answers) => self.json(answers, found, roots, &left_out),
            Body::Markdown(_) => self.markdown(found, &left_out).into_bytes(),
            Body::Text(_) => self.text(&left_out).into_bytes(),
        }
    }

    fn json(
        &self,
        answers: &BTreeMap<Box<str>, Cell<JsonText<'static>>>,
        found: [&RootModules; 2],
        roots: [&str; 2],
        left_out: &LeftOut,
    ) -> Vec<u8> {
        let mut json = JsonWriter::with_capacity(1024);
        json.view(&PlanDiffAnswer {
            different: self.is_different,
            compared: None,
            before: json::side_of_roots(found[0], roots[0], self.valid[0], self.exact[0]),
            after: json::side_of_roots(found[1], roots[1], self.valid[1], self.exact[1]),
            counts: self.counts,
            instances: None,
            outputs: None,
            checks: None,
            calls: None,
            suggested_moves: None,
            plans: Some(WrittenPlanDiffs(answers)),
            diagnostics: DiffDiagnostics {
                appeared: &left_out.appeared,
                vanished: &left_out.vanished,
                before: DiagnosticList::written(&left_out.records[0]),
                after: DiagnosticList::written(&left_out.records[1]),
            },
        });
        json.into_bytes()
    }

    /// Says in one line what happened to the root modules.
    fn counted(&self) -> String {
        use ModuleChangeKind::{Added, Changed, NotCompared, Removed, Unchanged};
        let count = |act: ModuleChangeKind| self.acts.iter().filter(|own| **own == act).count();
        let acts = [Removed, Changed, Added, NotCompared, Unchanged];
        let words = ["removed", "changed", "added", "not compared", "unchanged"];
        counts("root module", &acts.into_iter().map(count).zip(words).collect::<Vec<_>>())
    }

    fn markdown(self, [before, after]: [&RootModules; 2], left_out: &LeftOut) -> String {
        let tools = tools((before.dialect.name, before.version()), (after.dialect.name, after.version()));
        let [appeared, vanished] = [&left_out.appeared, &left_out.vanished].map(Vec::len);
        let findings = [self.appeared + appeared, self.vanished + vanished];
        let totals = markdown::totals(self.counted(), self.counts, self.outputs, findings);
        let mut comment = Comment::new(&self.verdict.sentence(), &totals, &tools);
        let Body::Markdown(mut list) = self.body else { return comment.finish() };
        // The heaviest first; root modules of the same weight stay in order of their paths.
        list.charged_sort_by_key(8, |(_, act, parts)| match act {
            ModuleChangeKind::NotCompared => Weight::State,
            ModuleChangeKind::Removed => Weight::Lost,
            _ => parts.weight().unwrap_or(Weight::WithoutEffect),
        });
        let rows: Vec<(&str, &WeightedList)> =
            list.iter().map(|(path, _, parts)| (&**path, &parts.instances)).collect();
        comment.summary(&rows, if rows.len() == 1 { "Type" } else { "Root module" }, &TITLES);
        comment.lines(
            "Not loaded",
            &WeightedList::of_lines(left_out.lines.iter().map(|line| format!("- {}\n", code(line, PATH)))),
            false,
        );
        for (path, act, parts) in &list {
            let heading = format!("{}: {}", code(path, PATH), act.name());
            comment.part(&heading, parts.len(), |comment| {
                parts.write(comment, *act != ModuleChangeKind::Removed);
            });
        }
        comment.finish()
    }

    fn text(self, left_out: &LeftOut) -> String {
        let counted = self.counted();
        let Body::Text(mut text) = self.body else { return String::new() };
        for line in &left_out.lines {
            text.entry(&format!("{}\n", sanitized(line)));
        }
        let totals = text::totals(self.counts, self.outputs);
        text.end(&if counted.is_empty() { format!("{totals}\n") } else { format!("{counted}\n{totals}\n") });
        text.finish()
    }
}

/// The directories that could not be loaded.
struct LeftOut {
    records: [Vec<Record>; 2],
    appeared: Vec<u32>,
    vanished: Vec<u32>,
    /// A line for each that could be loaded before.
    lines: Vec<String>,
}

impl LeftOut {
    fn of(sides: [&RootModules; 2]) -> Self {
        let [before, after] = sides.map(|found| {
            let severities = &found.module.severities;
            let shown = |(path, finding): &'_ (String, Diagnostic)| {
                Some((path.clone(), finding.clone(), severities.of(finding)?))
            };
            found.left_out.iter().charged(16).filter_map(shown).collect::<Vec<_>>()
        });
        let record =
            |found: &RootModules, (path, finding, _): &Shown| skipped_record(path, finding, &found.module.severities);
        let records = [
            before.iter().filter_map(|shown| record(sides[0], shown)).collect(),
            after.iter().filter_map(|shown| record(sides[1], shown)).collect(),
        ];
        let appeared = alone(&after, &before);
        let line = |at: &u32| {
            let (path, finding, severity) = after.get(*at as usize)?;
            Some(format!("{}: {} [{}] ({path})", severity.word(), finding.summary, finding.code.id))
        };
        let lines = appeared.iter().filter_map(line).collect();
        Self { records, lines, appeared, vanished: alone(&before, &after) }
    }
}

/// A finding that is shown: the path of the directory, and the severity beside it.
type Shown = (String, Diagnostic, Severity);

/// Returns the positions of the findings in a list that another one lacks; both are in order of their paths.
fn alone(list: &[Shown], other: &[Shown]) -> Vec<u32> {
    let mut other = other.iter().charged(2).peekable();
    let mut places = Vec::new();
    for (at, own) in (0..).zip(list) {
        while other.next_if(|theirs| theirs.0 < own.0).is_some() {}
        if !other.peek().is_some_and(|theirs| theirs.0 == own.0 && theirs.1.code == own.1.code) {
            places.push(at);
        }
    }
    places
}

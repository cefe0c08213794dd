//! The differences between the plans of every root module of two trees. Each pair is compared as soon as both sides have been
//! planned; only text is kept of it.

use std::cell::Cell;

use super::super::markdown::Links;
use super::super::tree::{DifferenceForm, ModuleChangeKind, PATH};
use super::by_root::{ByRoot, LeftOut, left_out_alone};
use super::markdown::{PlanParts, TITLES};
use super::verdict::PlanVerdict;
use super::{PlanDifference, json, markdown, text};
use crate::comment::{Comment, LinkBase, ListTitles, Weight, WeightedList, code, counts, tools};
use crate::diagnostics::{DiagnosticList, Record};
use crate::json::JsonWriter;
use crate::plain::sanitized;
use crate::plan::{AnswersByPath, WrittenPlans, is_exact, missing_inputs};
use crate::repository::skipped_record;
use crate::view::{DiffDiagnostics, PlanDiffAnswer, PlanDiffCounts};
use overfold_base::account::{self, ChargedSort};
use overfold_module::pipeline::Report;
use overfold_module::repository::RootModules;

/// Differences between plans, which grow root module by root module.
pub struct PlanDifferences {
    /// The addresses of the files on both sides, as far as they are known.
    links: [Option<LinkBase>; 2],
    body: ByRoot<RootParts>,
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

/// For counts by root module: what is gone with its root module would not be destroyed.
const COUNTED: ListTitles = ListTitles { lost_word: "removed", ..TITLES };

/// What is said of a root module in a comment.
struct RootParts {
    act: ModuleChangeKind,
    parts: PlanParts,
}

/// One side of a root module.
pub struct RootSide<'r> {
    /// The report, which was asked for a plan. Where the side does not have the root module, that of a module with nothing
    /// in it.
    pub report: &'r Report<'r>,
    /// Whether the side has the root module.
    pub exists: bool,
}

impl PlanDifferences {
    /// Starts without root modules.
    pub fn new(form: DifferenceForm, links: Links<'_>) -> Self {
        Self {
            links: links.map(Option::<&LinkBase>::cloned),
            body: ByRoot::new(form),
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
        let is_silent =
            act == ModuleChangeKind::Unchanged && appeared + vanished == 0 && difference.overridden.is_empty();
        account::build(16, path.len() as u64 + 64);
        match &mut self.body {
            ByRoot::Json(answers) => {
                let answer = json::write(&difference, exists).into_text();
                answers.insert(path.into(), Cell::new(answer));
            }
            ByRoot::Markdown(_) | ByRoot::Text(_) if is_silent => {}
            ByRoot::Markdown(list) => {
                let links = self.links.each_ref().map(Option::as_ref);
                account::push(list, (path.into(), RootParts { act, parts: PlanParts::of(&difference, links) }));
                self.verdict.add(act, PlanVerdict::of(&difference, exists));
            }
            ByRoot::Text(text) => {
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
    }

    /// Whether anything differs: whether a root module was added or removed, or its plan differs. What cannot be compared
    /// counts as different.
    pub const fn is_different(&self) -> bool {
        self.is_different
    }

    /// Returns everything as bytes. `roots` are the paths of the directories in which root modules were searched for. The
    /// same plans yield the same bytes.
    pub fn finish(self, found: [&RootModules; 2], roots: [&str; 2]) -> Vec<u8> {
        let [before, after] = found.map(LeftOut::of);
        let [appeared, vanished] = [left_out_alone(&after, &before), left_out_alone(&before, &after)];
        let left_out = LeftOutChanges { sides: [before, after], appeared, vanished };
        match self.body {
            ByRoot::Json(ref answers) => self.json(answers, found, roots, &left_out),
            ByRoot::Markdown(_) => self.markdown(found, &left_out).into_bytes(),
            ByRoot::Text(_) => self.text(&left_out).into_bytes(),
        }
    }

    fn json(
        &self,
        answers: &AnswersByPath,
        found: [&RootModules; 2],
        roots: [&str; 2],
        left_out: &LeftOutChanges<'_>,
    ) -> Vec<u8> {
        let records = [0, 1].map(|side| left_out.records(side, found));
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
            plans: Some(WrittenPlans(answers)),
            diagnostics: DiffDiagnostics {
                appeared: &left_out.appeared,
                vanished: &left_out.vanished,
                before: DiagnosticList::written(&records[0]),
                after: DiagnosticList::written(&records[1]),
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

    fn markdown(self, [before, after]: [&RootModules; 2], left_out: &LeftOutChanges<'_>) -> String {
        let tools = tools((before.dialect.name, before.version()), (after.dialect.name, after.version()));
        let [appeared, vanished] = [&left_out.appeared, &left_out.vanished].map(Vec::len);
        let findings = [self.appeared + appeared, self.vanished + vanished];
        let totals = markdown::totals(self.counted(), self.counts, self.outputs, findings);
        let mut comment = Comment::new(&self.verdict.sentence(), &totals, &tools);
        let ByRoot::Markdown(mut list) = self.body else { return comment.finish() };
        // The heaviest first; root modules of the same weight stay in order of their paths.
        list.charged_sort_by_key(8, |(_, RootParts { act, parts })| match act {
            ModuleChangeKind::NotCompared => Weight::State,
            ModuleChangeKind::Removed => Weight::Lost,
            _ => parts.weight().unwrap_or(Weight::WithoutEffect),
        });
        let rows: Vec<(&str, &WeightedList)> =
            list.iter().map(|(path, root)| (&**path, &root.parts.instances)).collect();
        comment.summary(&rows, if rows.len() == 1 { "Type" } else { "Root module" }, &COUNTED);
        comment.lines(
            "Not loaded",
            &WeightedList::of_lines(left_out.new_lines().map(|line| format!("- {}\n", code(&line, PATH)))),
            false,
        );
        for (path, RootParts { act, parts }) in &list {
            let heading = format!("{}: {}", code(path, PATH), act.name());
            comment.part(&heading, parts.len(), |comment| {
                parts.write(comment, *act != ModuleChangeKind::Removed);
            });
        }
        comment.finish()
    }

    fn text(self, left_out: &LeftOutChanges<'_>) -> String {
        let counted = self.counted();
        let ByRoot::Text(mut text) = self.body else { return String::new() };
        for line in left_out.new_lines() {
            text.entry(&format!("{}\n", sanitized(&line)));
        }
        let totals = text::totals(self.counts, self.outputs);
        text.end(&if counted.is_empty() { format!("{totals}\n") } else { format!("{counted}\n{totals}\n") });
        text.finish()
    }
}

/// The directories of both sides that could not be loaded.
struct LeftOutChanges<'r> {
    sides: [Vec<LeftOut<'r>>; 2],
    /// Positions on the second side: those that could be loaded before.
    appeared: Vec<u32>,
    /// Positions on the first side: those that can be loaded now.
    vanished: Vec<u32>,
}

impl LeftOutChanges<'_> {
    /// Returns the diagnostics about a side.
    fn records(&self, side: usize, found: [&RootModules; 2]) -> Vec<Record> {
        let severities = found.get(side).map(|found| &found.module.severities);
        let records = self.sides.get(side).into_iter().flatten().filter_map(|left_out| {
            let (path, finding) = left_out.parts();
            skipped_record(path, finding, severities?)
        });
        records.collect()
    }

    /// Returns a line for each that could be loaded before.
    fn new_lines(&self) -> impl Iterator<Item = String> + '_ {
        self.appeared.iter().filter_map(|at| self.sides[1].get(*at as usize)).map(LeftOut::line)
    }
}

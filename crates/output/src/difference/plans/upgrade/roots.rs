//! What another version does with every root module of a tree. Each is compared as soon as both versions have planned it;
//! only text is kept of it.

use std::cell::Cell;
use std::collections::BTreeMap;

use super::super::super::tree::PATH;
use super::super::by_root::{ByRoot, LeftOut};
use super::super::json::side_of_roots;
use super::markdown::{UpgradeParts, title};
use super::text::{exactly, in_words};
use super::{UpgradeDifference, UpgradeVerdict, json, text};
use crate::comment::{Comment, LinkBase, WeightedList, code, counts, tools};
use crate::diagnostics::{DiagnosticList, Record};
use crate::difference::DifferenceForm;
use crate::json::JsonWriter;
use crate::plain::sanitized;
use crate::plan::{AnswersByPath, WrittenPlans, is_exact, missing_inputs};
use crate::repository::skipped_record;
use crate::view::{PlanDiffSide, UpgradeAnswer, UpgradeDiagnostics, VersionObstacle, VersionRule};
use overfold_base::account::{self, ChargedSort};
use overfold_dialect::{DialectSpec, Difference as VersionRow};
use overfold_module::repository::RootModules;

/// What another version does with root modules, which grows root module by root module.
pub struct UpgradeDifferences<'l> {
    base: Option<&'l LinkBase>,
    body: ByRoot<RootParts>,
    /// The verdict on each root module.
    verdicts: Vec<UpgradeVerdict>,
    /// Whether each version reports no error, and depends on nothing that was not given.
    valid: [bool; 2],
    exact: [bool; 2],
    rules: BTreeMap<&'static str, &'static VersionRow>,
    unexplained: u32,
    is_searched: bool,
}

/// What is said of a root module in a comment.
struct RootParts {
    verdict: UpgradeVerdict,
    parts: UpgradeParts,
}

impl<'l> UpgradeDifferences<'l> {
    /// Starts without root modules. `base` is the address of the files, for links in a comment.
    pub fn new(form: DifferenceForm, base: Option<&'l LinkBase>) -> Self {
        Self {
            base,
            body: ByRoot::new(form),
            verdicts: Vec::new(),
            valid: [true; 2],
            exact: [true; 2],
            rules: BTreeMap::new(),
            unexplained: 0,
            is_searched: true,
        }
    }

    /// Adds what another version does with the root module at a path, which comes after those of earlier calls.
    pub fn take(&mut self, path: &str, difference: &mut UpgradeDifference<'_>, ready: &[VersionObstacle<'_>]) {
        difference.group();
        let verdict = difference.verdict();
        account::build(16, path.len() as u64 + 64);
        match &mut self.body {
            ByRoot::Json(answers) => {
                answers.insert(path.into(), Cell::new(json::write(difference, ready).into_text()));
            }
            ByRoot::Markdown(_) if difference.is_empty() => {}
            ByRoot::Text(_) if difference.is_empty() && difference.shared_errors().is_empty() => {}
            ByRoot::Markdown(list) => {
                let parts = UpgradeParts::of(difference, ready, self.base);
                account::push(list, (path.into(), RootParts { verdict, parts }));
            }
            ByRoot::Text(text) => {
                text.entry(&format!("== {}\n", sanitized(path)));
                text::add(difference, ready, text);
            }
        }
        let reports = [difference.before, difference.after];
        for ((valid, exact), report) in self.valid.iter_mut().zip(&mut self.exact).zip(reports) {
            *valid &= !report.diagnostics.has_errors();
            *exact &= is_exact(report, &missing_inputs(report));
        }
        for rule in difference.rules() {
            account::grow(64);
            self.rules.insert(&rule.id, rule);
        }
        self.unexplained = self.unexplained.saturating_add(difference.unexplained());
        self.is_searched &= difference.is_searched;
        account::push(&mut self.verdicts, verdict);
    }

    /// Returns what the new version does to the tree: the worst of what it does to a root module.
    pub fn verdict(&self) -> UpgradeVerdict {
        let has = |verdict| self.verdicts.contains(&verdict);
        [UpgradeVerdict::Breaks, UpgradeVerdict::Changes]
            .into_iter()
            .find(|verdict| has(*verdict))
            .unwrap_or(UpgradeVerdict::Same)
    }

    /// Returns everything as bytes. `to` is what the configuration goes to: its table, and the version as it is shown;
    /// `root` is the path of the directory in which root modules were searched for. The same differences yield the same
    /// bytes.
    pub fn finish(self, found: &RootModules, to: (&'static DialectSpec, &str), root: &str) -> Vec<u8> {
        match self.body {
            ByRoot::Json(ref answers) => self.json(answers, found, to, root),
            ByRoot::Markdown(_) => self.markdown(found, (to.0.name, to.1)).into_bytes(),
            ByRoot::Text(_) => self.text(found, to.0).into_bytes(),
        }
    }

    fn json(
        &self,
        answers: &AnswersByPath,
        found: &RootModules,
        (dialect, version): (&'static DialectSpec, &str),
        root: &str,
    ) -> Vec<u8> {
        let severities = &found.module.severities;
        let left_out = found.left_out.iter().filter_map(|(path, finding)| skipped_record(path, finding, severities));
        let left_out: Vec<Record> = left_out.collect();
        let from = side_of_roots(found, root, self.valid[0], self.exact[0]);
        let to = side_of_roots(found, root, self.valid[1], self.exact[1]);
        let mut json = JsonWriter::with_capacity(1024);
        json.view(&UpgradeAnswer {
            verdict: self.verdict(),
            from,
            to: PlanDiffSide { dialect: dialect.name, version, version_from: None, ..to },
            diagnostics: UpgradeDiagnostics {
                added: Vec::new(),
                removed: Vec::new(),
                both: (!left_out.is_empty()).then(|| DiagnosticList::written(&left_out)),
            },
            changes: None,
            rules: self.rules.values().copied().map(VersionRule::from).collect(),
            unexplained: self.unexplained,
            searched: (!self.is_searched).then_some(false),
            ready: None,
            plans: Some(WrittenPlans(answers)),
        });
        json.into_bytes()
    }

    /// Says in one line what the new version does to the root modules.
    fn counted(&self) -> String {
        let count = |verdict| self.verdicts.iter().filter(|own| **own == verdict).count();
        counts(
            "root module",
            &[
                (count(UpgradeVerdict::Breaks), "broken"),
                (count(UpgradeVerdict::Changes), "changed"),
                (count(UpgradeVerdict::Same), "unchanged"),
            ],
        )
    }

    fn markdown(self, found: &RootModules, to: (&str, &str)) -> String {
        let tools = tools((found.dialect.name, found.version()), to);
        let mut comment = Comment::new(&title(self.verdict(), to), &self.counted(), &tools);
        let ByRoot::Markdown(mut list) = self.body else { return comment.finish() };
        let left_out = LeftOut::of(found);
        let left_out = left_out.iter().map(|left_out| format!("- {}\n", code(&left_out.line(), PATH)));
        comment.lines("Not loaded", &WeightedList::of_lines(left_out), false);
        // The worst first; equal ones stay in order of their paths.
        list.charged_sort_by_key(8, |(_, root)| match root.verdict {
            UpgradeVerdict::Breaks => 0,
            UpgradeVerdict::Changes => 1,
            UpgradeVerdict::Same => 2,
        });
        for (path, RootParts { verdict, parts }) in &list {
            let heading = format!("{}: {}", code(path, PATH), in_words(*verdict));
            comment.part(&heading, parts.len(), |comment| parts.write(comment));
        }
        comment.finish()
    }

    fn text(self, found: &RootModules, to: &DialectSpec) -> String {
        let (verdict, counted) = (in_words(self.verdict()), self.counted());
        let ByRoot::Text(mut text) = self.body else { return String::new() };
        for left_out in LeftOut::of(found) {
            text.entry(&format!("{}\n", sanitized(&left_out.line())));
        }
        let counted = if counted.is_empty() { counted } else { format!(" ({counted})") };
        text.end(&format!("{} -> {}: {verdict}{counted}\n", exactly(found.dialect), exactly(to)));
        text.finish()
    }
}

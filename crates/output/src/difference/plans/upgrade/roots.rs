//! What another version does with every root module of a tree. Each is compared as soon as both versions have planned it; only text
//! is kept of it.

use std::cell::Cell;
use std::collections::BTreeMap;

use serde::{Serialize, Serializer};

use super::super::super::text::MAX_TEXT;
use super::super::super::tree::PATH;
use super::super::json::side_of_roots;
use super::super::roots::TOTALS;
use super::markdown::{UpgradeParts, title};
use super::text::in_words;
use super::{UpgradeDifference, UpgradeVerdict, json, text};
use crate::bounded::Bounded;
use crate::comment::{Comment, LinkBase, code, counts, tools};
use crate::diagnostics::{DiagnosticList, Record};
use crate::difference::DifferenceForm;
use crate::json::{JsonText, JsonWriter};
use crate::plain::sanitized;
use crate::plan::{is_exact, missing_inputs};
use crate::repository::skipped_record;
use crate::view::{UpgradeAnswer, UpgradeDiagnostics, VersionObstacle, VersionRule};
use overfold_base::account::{self, ChargedSort};
use overfold_dialect::{DialectSpec, Difference as VersionRow};
use overfold_module::repository::RootModules;

/// What another version does with root modules, which grows root module by root module.
pub struct UpgradeDifferences<'l> {
    base: Option<&'l LinkBase>,
    body: Body,
    /// The verdict on each root module.
    verdicts: Vec<UpgradeVerdict>,
    /// Whether each version reports no error, and depends on nothing that was not given.
    valid: [bool; 2],
    exact: [bool; 2],
    rules: BTreeMap<&'static str, &'static VersionRow>,
    unexplained: u32,
    is_searched: bool,
}

/// What is kept of the differences.
enum Body {
    /// Whole answers, by the path of the root module.
    Json(BTreeMap<Box<str>, Cell<JsonText<'static>>>),
    /// What is said of each root module, with its path.
    Markdown(Vec<(Box<str>, UpgradeVerdict, UpgradeParts)>),
    Text(Bounded),
}

/// The answers about root modules, by their paths. What is written of them is dropped.
pub struct WrittenUpgrades<'a>(&'a BTreeMap<Box<str>, Cell<JsonText<'static>>>);

impl Serialize for WrittenUpgrades<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(path, answer)| (path, answer.take())))
    }
}

impl<'l> UpgradeDifferences<'l> {
    /// Starts without root modules. `base` is the address of the files, for links in a comment.
    pub fn new(form: DifferenceForm, base: Option<&'l LinkBase>) -> Self {
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
            base,
            body,
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
            Body::Json(answers) => {
                answers.insert(path.into(), Cell::new(json::write(difference, ready).into_text()));
            }
            Body::Markdown(_) | Body::Text(_) if difference.is_empty() => {}
            Body::Markdown(list) => {
                account::push(list, (path.into(), verdict, UpgradeParts::of(difference, ready, self.base)));
            }
            Body::Text(text) => {
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

    /// Returns everything as bytes. `to` is what the configuration goes to: its table, and the version as it is shown; `root` is the
    /// path of the directory in which root modules were searched for. The same differences yield the same bytes.
    pub fn finish(self, found: &RootModules, to: (&'static DialectSpec, &str), root: &str) -> Vec<u8> {
        match self.body {
            Body::Json(ref answers) => self.json(answers, found, to, root),
            Body::Markdown(_) => self.markdown(found, (to.0.name, to.1)).into_bytes(),
            Body::Text(_) => self.text(found, (to.0.name, to.1)).into_bytes(),
        }
    }

    fn json(
        &self,
        answers: &BTreeMap<Box<str>, Cell<JsonText<'static>>>,
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
            to: crate::view::PlanDiffSide { dialect: dialect.name, version, version_from: None, ..to },
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
            plans: Some(WrittenUpgrades(answers)),
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
        let Body::Markdown(mut list) = self.body else { return comment.finish() };
        // The worst first; equal ones stay in order of their paths.
        list.charged_sort_by_key(8, |(_, verdict, _)| match verdict {
            UpgradeVerdict::Breaks => 0,
            UpgradeVerdict::Changes => 1,
            UpgradeVerdict::Same => 2,
        });
        for (path, verdict, parts) in &list {
            let heading = format!("{}: {}", code(path, PATH), in_words(*verdict));
            comment.part(&heading, parts.len(), |comment| parts.write(comment));
        }
        comment.finish()
    }

    fn text(self, found: &RootModules, (tool, version): (&str, &str)) -> String {
        let (verdict, counted) = (in_words(self.verdict()), self.counted());
        let Body::Text(mut text) = self.body else { return String::new() };
        let counted = if counted.is_empty() { counted } else { format!(" ({counted})") };
        text.end(&format!("{} {} -> {tool} {version}: {verdict}{counted}\n", found.dialect.name, found.version()));
        text.finish()
    }
}

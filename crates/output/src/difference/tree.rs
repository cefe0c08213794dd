//! The differences between two trees of modules. Each pair is compared as soon as both modules have been run; only text
//! is kept of it.

use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};

use serde::{Serialize, Serializer};

use super::super::json::{JsonText, JsonWriter};
use super::super::redaction::Redaction;
use super::markdown::{self, Links, Parts, TITLES};
use super::verdict::ConfigVerdict;
use super::{Changes, Counts, Difference, MAX_TEXT, counted, json, text};
use crate::bounded::Bounded;
use crate::comment::{Comment, LinkBase, Weight, WeightedList, code, counts, tools};
use crate::plain::sanitized;
use crate::view::{DiffAffectedCall, DiffAnswer, DiffModule, DiffModuleCounts, DiffModulePair, VersionFrom};
use overfold_base::account::{self, ChargedIterator, ChargedSort, Worklist};
use overfold_base::diag::Tally;
use overfold_base::named;
use overfold_module::repository::{Outcome, Pair, PairSide, Presence};

named! {
    /// The form of a written difference.
    pub enum DifferenceForm {
        /// Complete, as JSON.
        Json = "json",
        /// A comment for a pull request.
        Markdown = "markdown" or "md",
        /// Text for terminals.
        Text = "text",
    }
}

/// A difference that grows pair by pair.
pub struct TreeDifference {
    form: DifferenceForm,
    /// The addresses of the files on both sides, as far as they are known.
    links: [Option<LinkBase>; 2],
    /// The modules by path below the root, in the order in which they are written.
    modules: BTreeMap<Box<str>, Module>,
}

/// What is kept of a pair of modules.
struct Module {
    /// The position of the module, in terms of file names: relative to the top of the upload, after the prefix. `.` for
    /// the top itself.
    place: Box<str>,
    act: ModuleChangeKind,
    is_different: bool,
    counts: Counts,
    appeared: usize,
    vanished: usize,
    verdict: ConfigVerdict,
    /// Whether each side has no error.
    valid: [bool; 2],
    /// The calls of either side that lead to modules: the name of the call, and the path of the module.
    calls: BTreeSet<(Box<str>, Box<str>)>,
    body: Body,
}

/// The calls of a module that lead to modules that differ, or are affected themselves: the name of the call, and the path of
/// the module.
type CallsByModule<'a> = BTreeMap<&'a str, Vec<&'a (Box<str>, Box<str>)>>;

/// The affected modules of a difference, written one after the other.
pub struct AffectedModules<'a>(CallsByModule<'a>);

impl Serialize for AffectedModules<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().map(|(path, calls)| (path, AffectedCalls(calls))))
    }
}

struct AffectedCalls<'a>(&'a [&'a (Box<str>, Box<str>)]);

impl Serialize for AffectedCalls<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.0.iter().map(|(name, path)| {
            account::work(4);
            DiffAffectedCall { address: format!("module.{name}"), path }
        }))
    }
}

/// What is shown of a pair.
enum Body {
    /// The pair is not listed.
    Nothing,
    /// A JSON object.
    Json(Cell<JsonText<'static>>),
    Markdown(Box<Parts>),
    /// Lines.
    Text(Vec<String>),
}

named! {
    /// What happened to a module.
    #[schema(as = DiffModuleAct)]
    pub enum ModuleChangeKind {
        /// The module exists only after the change.
        Added = "added",
        /// The module existed only before the change.
        Removed = "removed",
        /// The module differs in effect.
        Changed = "changed",
        /// The module does not differ in effect.
        Unchanged = "unchanged",
        /// One side cannot be processed; its diagnostics say why.
        NotCompared = "not-compared",
    }
}

/// The JSON of pairs of modules by path. What is written of them is dropped.
pub struct WrittenPairs<'a>(&'a BTreeMap<Box<str>, Module>);

impl Serialize for WrittenPairs<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_map(self.0.iter().filter_map(|(path, module)| match &module.body {
            Body::Json(object) => Some((path, object.take())),
            Body::Nothing | Body::Markdown(_) | Body::Text(_) => None,
        }))
    }
}

impl TreeDifference {
    /// Starts a difference without modules.
    pub fn new(form: DifferenceForm, links: Links<'_>) -> Self {
        Self { form, links: links.map(Option::<&LinkBase>::cloned), modules: BTreeMap::new() }
    }

    /// Compares a pair; the result replaces an earlier one for the same path.
    pub fn take(&mut self, pair: &Pair<'_>) {
        let [was, is] = &pair.sides;
        let is_refused = [was, is].iter().any(|side| side.presence == Presence::Refused);
        let difference = if is_refused {
            Difference::of_findings(was.report, is.report)
        } else {
            Difference::of(was.report, is.report)
        };
        let act = match (was.presence, is.presence) {
            (Presence::Refused, _) | (_, Presence::Refused) => ModuleChangeKind::NotCompared,
            (Presence::Absent, _) => ModuleChangeKind::Added,
            (_, Presence::Absent) => ModuleChangeKind::Removed,
            (Presence::Run, Presence::Run) if difference.is_different() => ModuleChangeKind::Changed,
            (Presence::Run, Presence::Run) => ModuleChangeKind::Unchanged,
        };
        let (appeared, vanished) = (difference.findings.appeared.len(), difference.findings.vanished.len());
        let says_something = act != ModuleChangeKind::Unchanged
            || !difference.changes.is_empty()
            || !difference.overridden.is_empty()
            || appeared + vanished > 0;
        let has_findings = [was, is].iter().any(|side| side.report.tally() != Tally::default());
        let body = match self.form {
            DifferenceForm::Json if says_something || has_findings => Body::Json(object(&difference, act, [was, is])),
            DifferenceForm::Markdown if says_something => {
                Body::Markdown(Box::new(Parts::of(&difference, self.links.each_ref().map(Option::as_ref))))
            }
            DifferenceForm::Text if says_something => {
                Body::Text([text::changes(&difference), text::findings(&difference)].concat())
            }
            DifferenceForm::Json | DifferenceForm::Markdown | DifferenceForm::Text => Body::Nothing,
        };
        let place = place(pair);
        let calls = [was, is].into_iter().flat_map(|side| &side.calls).charged(4).map(|(name, path)| {
            account::grow((name.len() + path.len() + 64) as u64);
            ((*name).into(), (*path).into())
        });
        let calls = calls.collect();
        account::grow(place.len() as u64);
        let module = Module {
            place,
            act,
            is_different: act != ModuleChangeKind::Unchanged,
            counts: difference.counts(),
            appeared,
            vanished,
            verdict: ConfigVerdict::of(&difference),
            valid: [was, is].map(|side| !side.report.diagnostics.has_errors()),
            calls,
            body,
        };
        account::grow((pair.path.len() + size_of::<Module>()) as u64);
        self.modules.insert(pair.path.into(), module);
    }

    /// Whether the effective configurations differ: whether a module was added or removed, or differs in anything but
    /// position. Modules that cannot be compared count as different.
    pub fn is_different(&self) -> bool {
        self.modules.values().any(|module| module.is_different)
    }

    /// Returns the difference as bytes. `roots` are the directories in which modules were searched for. The same pairs
    /// yield the same bytes.
    pub fn finish(self, outcomes: &[Outcome; 2], roots: [&str; 2]) -> Vec<u8> {
        match self.form {
            DifferenceForm::Json => self.json(outcomes, roots),
            DifferenceForm::Markdown => self.markdown(outcomes).into_bytes(),
            DifferenceForm::Text => self.text().into_bytes(),
        }
    }

    /// Returns the modules that do not differ themselves, but call one that does, directly or through others.
    fn affected(&self) -> CallsByModule<'_> {
        let mut callers: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
        for (path, module) in &self.modules {
            for (_, called) in module.calls.iter().charged(8) {
                callers.entry(called).or_default().push(path);
            }
        }
        let mut reached: BTreeSet<&str> = BTreeSet::new();
        let differing = self.modules.iter().filter(|(_, module)| module.is_different);
        let mut open: Worklist<&str> = Worklist::new(8, differing.map(|(path, _)| &**path));
        while let Some(path) = open.pop() {
            for caller in callers.get(path).into_iter().flatten().charged(8) {
                if reached.insert(caller) {
                    open.push(caller);
                }
            }
        }
        let is_new = |path: &str| self.modules.get(path).is_some_and(|module| module.is_different);
        let mut affected = CallsByModule::new();
        for &path in &reached {
            let Some(module) = self.modules.get(path).filter(|module| !module.is_different) else { continue };
            account::work(8 * module.calls.len() as u64);
            account::grow((module.calls.len() * size_of::<usize>()) as u64);
            let calls = module.calls.iter().filter(|(_, called)| is_new(called) || reached.contains(&**called));
            affected.insert(path, calls.collect());
        }
        affected
    }

    fn count(&self, act: ModuleChangeKind) -> u32 {
        u32::try_from(self.modules.values().filter(|module| module.act == act).count()).unwrap_or(u32::MAX)
    }

    fn counts(&self) -> Counts {
        let mut counts = Counts::default();
        self.modules.values().for_each(|module| counts.add(module.counts));
        counts
    }

    fn json(self, outcomes: &[Outcome; 2], roots: [&str; 2]) -> Vec<u8> {
        let mut json = JsonWriter::with_capacity(1024);
        let ([before, after], [was, is]) = (outcomes, roots);
        json.view(&DiffAnswer {
            different: self.is_different(),
            before: self.side(0, before, was),
            after: self.side(1, after, is),
            changes: None,
            modules: Some(WrittenPairs(&self.modules)),
            affected: Some(AffectedModules(self.affected())),
            module_counts: Some(DiffModuleCounts {
                added: self.count(ModuleChangeKind::Added),
                removed: self.count(ModuleChangeKind::Removed),
                changed: self.count(ModuleChangeKind::Changed),
                unchanged: self.count(ModuleChangeKind::Unchanged),
                not_compared: self.count(ModuleChangeKind::NotCompared),
            }),
            counts: self.counts(),
            diagnostics: None,
        });
        json.into_bytes()
    }

    /// Describes one side, which is the first or the second one by its index.
    fn side<'a>(&self, index: usize, outcome: &'a Outcome, root: &'a str) -> DiffModule<'a> {
        DiffModule {
            valid: self.modules.values().all(|module| module.valid.get(index) == Some(&true)),
            dialect: outcome.dialect.name,
            version: &outcome.version,
            version_from: outcome.version_from.as_deref().map(VersionFrom::new),
            path: if root.is_empty() { "." } else { root },
            diagnostics_dropped: None,
        }
    }

    /// Describes in one line what happened to the modules.
    fn totals(&self) -> String {
        let apart = match self.count(ModuleChangeKind::NotCompared) {
            0 => String::new(),
            count => format!(", {count} not compared"),
        };
        format!(
            "{} added, {} removed, {} changed, {} unchanged{apart}",
            counted(self.count(ModuleChangeKind::Added), "module"),
            self.count(ModuleChangeKind::Removed),
            self.count(ModuleChangeKind::Changed),
            self.count(ModuleChangeKind::Unchanged)
        )
    }

    fn markdown(self, outcomes: &[Outcome; 2]) -> String {
        let [before, after] = outcomes;
        let tools = tools((before.dialect.name, &before.version), (after.dialect.name, &after.version));
        let affected = self.affected();
        let sum = |count: fn(&Module) -> usize| self.modules.values().map(count).sum();
        let objects = self.counts();
        let totals = [
            counts(
                "module",
                &[
                    (self.count(ModuleChangeKind::Removed) as usize, "removed"),
                    (self.count(ModuleChangeKind::Changed) as usize, "changed"),
                    (self.count(ModuleChangeKind::Added) as usize, "added"),
                    (self.count(ModuleChangeKind::NotCompared) as usize, "not compared"),
                    (self.count(ModuleChangeKind::Unchanged) as usize, "unchanged"),
                ],
            ),
            counts(
                "object",
                &[
                    (objects.removed as usize, "removed"),
                    (objects.changed as usize, "changed"),
                    (sum(|module| module.verdict.renamed), "renamed"),
                    (objects.added as usize, "added"),
                ],
            ),
            markdown::diagnostics(sum(|module| module.appeared), sum(|module| module.vanished)),
        ];
        let totals: Vec<String> = totals.into_iter().filter(|text| !text.is_empty()).collect();
        let mut verdict = ConfigVerdict::default();
        verdict.modules_removed = self.count(ModuleChangeKind::Removed) as usize;
        verdict.not_compared = self.count(ModuleChangeKind::NotCompared) as usize;
        let mut modules: Vec<(Module, Box<Parts>)> = Vec::new();
        let places: BTreeMap<Box<str>, Box<str>> = affected
            .keys()
            .filter_map(|path| Some(((*path).into(), self.modules.get(*path)?.place.clone())))
            .collect();
        let affected: Vec<String> =
            affected.iter().map(|(path, calls)| affected_line(path, &places, calls)).collect();
        for mut module in self.modules.into_values() {
            verdict.add(std::mem::take(&mut module.verdict));
            if let Body::Markdown(parts) = std::mem::replace(&mut module.body, Body::Nothing) {
                account::push(&mut modules, (module, parts));
            }
        }
        let mut comment = Comment::new(&verdict.sentence(), &totals.join("; "), &tools);
        // The heaviest first; modules of the same weight stay in order of their paths.
        let weight = |(module, parts): &(Module, Box<Parts>)| match (module.act, parts.changes.weight()) {
            (ModuleChangeKind::NotCompared, _) => Weight::State,
            (ModuleChangeKind::Removed, _) => Weight::Lost,
            (_, weight) if parts.has_findings() => weight.unwrap_or(Weight::Changed).min(Weight::Changed),
            (_, weight) => weight.unwrap_or(Weight::WithoutEffect),
        };
        modules.charged_sort_by_key(8, weight);
        let lists: Vec<(&str, &WeightedList)> =
            modules.iter().map(|(module, parts)| (&*module.place, &parts.changes)).collect();
        comment.summary(&lists, if lists.len() == 1 { "Kind" } else { "Module" }, &TITLES);
        for (module, parts) in &modules {
            let heading = format!("{}: {}", code(&module.place, PATH), module.act.name());
            comment.part(&heading, parts.len(), |comment| parts.write(comment));
        }
        if !affected.is_empty() {
            comment.part("Affected through calls", affected.len(), |comment| comment.plain(affected.into_iter()));
        }
        comment.finish()
    }

    fn text(self) -> String {
        let mut text = Bounded::new(MAX_TEXT);
        let totals = format!("{}\n{}\n", self.totals(), text::totals(self.counts()));
        text.reserve(&totals);
        for module in self.modules.values() {
            let Body::Text(lines) = &module.body else { continue };
            text.entry(&format!("== {} ({})\n", sanitized(&module.place), module.act.name()));
            for line in lines {
                text.entry(line);
            }
        }
        for (path, calls) in &self.affected() {
            let place = self.modules.get(*path).map_or(*path, |module| &*module.place);
            text.entry(&format!("== {} (affected)\n", sanitized(place)));
            for (name, called) in calls {
                let line = sanitized(&format!("  module.{name} calls {called}, which differs"));
                text.entry(&format!("{line}\n"));
            }
        }
        text.end(&totals);
        text.finish()
    }
}

/// The maximum number of characters of a path in a heading.
pub(super) const PATH: usize = 300;

/// The number of calls that are listed of an affected module.
const SHOWN: usize = 20;

/// Says which calls lead an affected module to what differs.
fn affected_line(path: &str, places: &BTreeMap<Box<str>, Box<str>>, calls: &[&(Box<str>, Box<str>)]) -> String {
    let call = |&(name, called): &&(Box<str>, Box<str>)| {
        format!("{} ({})", code(&format!("module.{name}"), PATH), code(called, PATH))
    };
    let shown: Vec<String> = calls.iter().take(SHOWN).map(call).collect();
    let place = places.get(path).map_or(path, |place| place);
    format!("- {}: {}\n", code(place, PATH), shown.join(", "))
}

/// Returns the position of a pair of modules, for people: on the later side if possible, since that is the one a
/// reviewer has.
fn place(pair: &Pair<'_>) -> Box<str> {
    let run = pair.sides.iter().rev().find(|side| side.presence == Presence::Run);
    match run.map(|side| side.report.forest.sources.folder().trim_end_matches('/')) {
        Some("") => ".".into(),
        Some(folder) => folder.into(),
        None => pair.path.into(),
    }
}

/// Returns the JSON object of one pair.
fn object(difference: &Difference<'_>, act: ModuleChangeKind, sides: [&PairSide<'_>; 2]) -> Cell<JsonText<'static>> {
    let redactions = [difference.before, difference.after].map(Redaction::of);
    let [before, after] = sides.map(|side| (side.presence != Presence::Absent).then(|| json::module(side.report)));
    let pair = DiffModulePair {
        change: act,
        before,
        after,
        changes: Changes(difference),
        counts: difference.counts(),
        diagnostics: json::diagnostics(difference, &redactions),
    };
    Cell::new(JsonText::of_view(&pair))
}

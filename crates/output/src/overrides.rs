//! The part `overrides`: what overriding changed, with one entry for each act of an override file.

use std::borrow::Cow;
use std::cell::OnceCell;
use std::fmt::Write as _;

use foldhash::{HashMap, HashSet};
use serde::{Serialize, Serializer};

use super::config::{Pointers, locate};
use super::excerpt::distinct;
use super::json::JsonText;
use super::redaction::{MARKER, Redaction};
use crate::view::{HideableText, Override, OverrideChange, OverrideSide, Range};
use overfold_base::account::{self, ChargedIterator, ChargedSort};
use overfold_base::diag::{Diagnostics, SourceId, Span};
use overfold_base::echo;
use overfold_dialect::Described as _;
use overfold_eval as eval;
use overfold_model::config::{Change, ChangeKind, MergeRule, ObjectAddr, Part};
use overfold_module::pipeline::Report;
use overfold_syntax::{ExprAt, Forest, Parsed, statics};

/// The maximum number of characters of an expression in a line for people.
pub(crate) const MAX: usize = 60;

/// What overriding changed, sorted by position in the override files.
pub struct Overrides<'a> {
    pub(super) report: &'a Report<'a>,
    pub(super) redaction: &'a Redaction<'a>,
    /// The places in `config`, if that has been written.
    pub(super) pointers: &'a OnceCell<Pointers>,
}

impl Serialize for Overrides<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let Self { report, redaction, pointers } = *self;
        let pointers = pointers.get_or_init(|| {
            if report.module.changes.is_empty() { Pointers::default() } else { locate(None, report, redaction) }
        });
        let writer = Writer::new(report, redaction);
        serializer.collect_seq(in_order(report).into_iter().map(|change| writer.entry(change, pointers)))
    }
}

/// Returns what overriding changed, for people: a line with the totals, then each object with what happened to it.
pub(crate) fn overrides_text(report: &Report<'_>) -> String {
    let redaction = Redaction::of(report);
    let writer = Writer::new(report, &redaction);
    let mut text = summary(&report.module.changes);
    text.push('\n');
    let mut last = None;
    for change in by_object(&report.module.changes).charged(16) {
        let (address, acts) = (change.address, writer.line(change));
        if last != Some(address) {
            let shown = if redaction.hides_damaged(change.within) { MARKER } else { &address.to_string() };
            text.push_str(&echo::line(shown));
            text.push('\n');
            last = Some(address);
        }
        // Names in JSON files may contain anything. Writing to a string never fails.
        let _ = writeln!(text, "{}", echo::line(&format!("  {acts}")));
    }
    text
}

/// Counts the acts of each kind.
fn summary(changes: &[Change<'_>]) -> String {
    let of = |act: ChangeKind, what| (changes.iter().filter(|change| change.act == act).count(), what);
    let counts = [
        of(ChangeKind::Replaced, "overridden"),
        of(ChangeKind::Added, "added"),
        of(ChangeKind::Removed, "lost"),
        of(ChangeKind::Ignored, "ignored"),
    ];
    let some: Vec<String> =
        counts.iter().filter(|(count, _)| *count > 0).map(|(count, what)| format!("{count} {what}")).collect();
    if some.is_empty() { "nothing is overridden".to_owned() } else { some.join(", ") }
}

/// Groups the changes by object; the objects are in the order of their first changes.
fn by_object<'r, 'f>(changes: &'r [Change<'f>]) -> Vec<&'r Change<'f>> {
    let mut order: HashMap<ObjectAddr<'_>, usize> = HashMap::default();
    for change in changes {
        let next = order.len();
        order.entry(change.address).or_insert(next);
    }
    let mut sorted: Vec<&Change<'_>> = changes.iter().collect();
    sorted.sort_by_key(|change| order.get(&change.address).copied());
    sorted
}

/// Sorts the changes by the name of the override file and the position in it; changes at one position keep their order.
fn in_order<'r, 'f>(report: &'r Report<'f>) -> Vec<&'r Change<'f>> {
    let mut changes: Vec<&Change<'_>> = report.module.changes.iter().collect();
    let sources = &report.forest.sources;
    changes.charged_sort_by_key(4, |change| (sources.name(change.cause.source), change.cause.start));
    changes
}

struct Writer<'r> {
    forest: &'r Forest,
    redaction: &'r Redaction<'r>,
    /// The range that finally replaced each original range; each override file replaces what an earlier one left.
    winners: HashMap<Span, Span>,
    /// The expressions of arguments by the start of their names, in the files that changes refer to.
    expressions: HashMap<(SourceId, u32), ExprAt>,
}

impl<'r> Writer<'r> {
    fn new(report: &'r Report<'r>, redaction: &'r Redaction<'r>) -> Self {
        let changes = &report.module.changes;
        let mut writer =
            Self { forest: report.forest, redaction, winners: HashMap::default(), expressions: HashMap::default() };
        if changes.is_empty() {
            return writer;
        }
        let mut sources: HashSet<SourceId> = HashSet::default();
        // The last act comes first, so that each finds where its successor ends up.
        for change in changes.iter().rev().charged(4) {
            if let (Some(before), Some(after)) = (change.before, change.after()) {
                let winner = writer.winners.get(&after).copied().unwrap_or(after);
                writer.winners.insert(before, winner);
            }
            sources.insert(change.cause.source);
            sources.extend(change.before.map(|before| before.source));
        }
        #[expect(clippy::iter_over_hash_type, reason = "each fills in its own part of a map")]
        for source in sources {
            writer.index(source);
        }
        writer
    }

    /// Records the positions of the expressions of a file.
    fn index(&mut self, source: SourceId) {
        match self.forest.parsed(source) {
            Some(Parsed::Native(tree)) => {
                for item in tree.items.iter().charged_at_once(1) {
                    let key = (source, tree.expr(item.key).range.start);
                    self.expressions.insert(key, ExprAt::Native(source, item.value));
                }
                for attribute in tree.attributes.iter().charged_at_once(1) {
                    self.expressions.insert((source, attribute.range.start), ExprAt::Native(source, attribute.expr));
                }
            }
            Some(Parsed::Json(tree)) => {
                for property in tree.properties.iter().charged_at_once(1) {
                    let key = (source, property.name_range.start);
                    self.expressions.insert(key, ExprAt::Json(source, property.value));
                }
            }
            None => {}
        }
    }

    fn entry<'v>(&'v self, change: &'v Change<'_>, pointers: &'v Pointers) -> Override<'v> {
        account::work(16);
        let hidden =
            matches!(change.part, Part::Argument(_) | Part::Object) && self.redaction.hides_damaged(change.cause);
        let (before, after) = match change.act {
            // What is kept, and the part that has no effect.
            ChangeKind::Ignored => (change.before, Some(change.cause)),
            ChangeKind::Replaced | ChangeKind::Added | ChangeKind::Removed => (change.before, change.after()),
        };
        let [before, after] = [before, after].map(|place| Some(self.side(change.part, place?)));
        let (argument, block) = match change.part {
            Part::Argument(name) if !hidden => (Some(name), None),
            Part::Block(keyword) if !hidden => (None, Some(keyword)),
            Part::Argument(_) | Part::Block(_) | Part::Object => (None, None),
        };
        Override {
            address: if hidden { MARKER } else { change.address.text(self.forest) },
            pointer: self.pointer(change, pointers).filter(|_| !hidden),
            change: kind(change),
            argument,
            block,
            before,
            after,
            file: self.forest.sources.name(change.file()),
            cause: Range::of(&self.forest.sources, change.cause),
            within: Range::of(&self.forest.sources, change.within),
            rule: rule(change.rule),
        }
    }

    /// Returns the position of the part in `config`, or of what finally replaced it. `None` if it is not there.
    fn pointer<'p>(&self, change: &Change<'_>, pointers: &'p Pointers) -> Option<&'p str> {
        let at = match change.act {
            ChangeKind::Replaced | ChangeKind::Added => change.cause,
            ChangeKind::Ignored => change.before?,
            ChangeKind::Removed => return None,
        };
        let winner = self.winners.get(&at).copied();
        pointers.of(change.part, at).or_else(|| pointers.of(change.part, winner?))
    }

    /// Describes one change in one line.
    fn line(&self, change: &Change<'_>) -> String {
        let part = change.part;
        let before = change.before.filter(|_| change.act != ChangeKind::Ignored);
        let [new, old] = [Some(change.cause), before].map(|place| self.text_of(part, place?));
        let [old, new] = match (old, new) {
            (Some(old), Some(new)) => distinct([&old, &new], MAX, str::to_owned).map(Some),
            (old, new) => [old, new].map(|text| distinct([&text?, ""], MAX, str::to_owned).into_iter().next()),
        };
        let cause = self.describe_part(part, change.cause, new);
        match (change.act, change.before) {
            (ChangeKind::Replaced, Some(before)) => {
                format!("{cause} replaces {}", self.describe_part(part, before, old))
            }
            (ChangeKind::Replaced | ChangeKind::Added, _) => format!("{cause} is added"),
            (ChangeKind::Removed, before) => {
                let lost = before.map_or_else(|| "a part".to_owned(), |before| self.describe_part(part, before, old));
                format!("{lost} is lost: nothing in {} takes its place", self.place(change.cause))
            }
            (ChangeKind::Ignored, Some(kept)) => format!("{cause} has no effect: {} stays", self.place(kept)),
            (ChangeKind::Ignored, None) => format!("{cause} has no effect"),
        }
    }

    /// Describes a part with its position: `ami = "x" (main.tf:3)`, `block disk (main.tf:5)`.
    fn describe_part(&self, part: Part<'_>, place: Span, expression: Option<String>) -> String {
        let at = self.place(place);
        if self.redaction.hides_damaged(place) {
            return format!("{MARKER} ({at})");
        }
        match (part, expression) {
            (Part::Block(keyword), _) => format!("block {keyword} ({at})"),
            (Part::Argument(name), Some(expression)) => format!("{name} = {expression} ({at})"),
            (Part::Argument(name), None) => format!("{name} ({at})"),
            (Part::Object, Some(expression)) => format!("{expression} ({at})"),
            (Part::Object, None) => format!("the block ({at})"),
        }
    }

    fn place(&self, span: Span) -> String {
        let sources = &self.forest.sources;
        format!("{}:{}", sources.name(span.source), sources.position(span.source, span.start).line)
    }

    /// Returns the source text of the expression at a place, or what is shown instead of it. `None` for a block.
    fn text_of(&self, part: Part<'_>, place: Span) -> Option<Cow<'_, str>> {
        let expression = self.expression(part, place)?;
        if self.redaction.hides_expression(expression) {
            return Some(MARKER.into());
        }
        let sources = &self.forest.sources;
        Some(sources.text(sources.in_file(self.forest.expr_span(expression))))
    }

    /// Returns the expression of an argument, or of an object that is an argument. `None` for a block.
    fn expression(&self, part: Part<'_>, place: Span) -> Option<ExprAt> {
        let found = self.expressions.get(&(place.source, place.start)).copied();
        match part {
            Part::Argument(_) => found,
            Part::Block(_) => None,
            // An object that is a block does not start where an argument does, or ends elsewhere.
            Part::Object => found.filter(|at| self.forest.expr_span(*at).end == place.end),
        }
    }

    /// Returns one side of a change: its text, its value if that is a literal, and its position.
    fn side(&self, part: Part<'_>, place: Span) -> OverrideSide<'_> {
        let sources = &self.forest.sources;
        let range = Range::of(sources, place);
        let Some(expression) = self.expression(part, place) else {
            return OverrideSide { expression: None, value: None, redacted: None, range };
        };
        let hidden = self.redaction.hides_expression(expression);
        let text = || sources.text(sources.in_file(self.forest.expr_span(expression)));
        OverrideSide {
            expression: Some(HideableText((!hidden).then(text))),
            value: if hidden { None } else { self.value(expression) },
            redacted: hidden.then_some(true),
            range,
        }
    }

    /// Evaluates an expression without references and calls, as JSON.
    fn value(&self, expression: ExprAt) -> Option<JsonText<'static>> {
        let depends = !statics::references(self.forest, expression).is_empty()
            || !statics::calls(self.forest, expression).is_empty();
        if depends {
            return None;
        }
        let mut found = Diagnostics::new();
        let value = eval::constant(self.forest, expression, &mut found);
        if found.has_errors() { None } else { JsonText::of(&value) }
    }
}

fn kind(change: &Change<'_>) -> OverrideChange {
    match (change.act, change.part) {
        (ChangeKind::Replaced, Part::Argument(_)) => OverrideChange::Replaced,
        (ChangeKind::Replaced, Part::Block(_) | Part::Object) => OverrideChange::BlockReplaced,
        (ChangeKind::Added, Part::Object) => OverrideChange::ObjectAdded,
        (ChangeKind::Added, Part::Argument(_) | Part::Block(_)) => OverrideChange::Added,
        (ChangeKind::Removed, _) => OverrideChange::Removed,
        (ChangeKind::Ignored, _) => OverrideChange::Ignored,
    }
}

/// Returns the id of the rule in the dialect's table.
fn rule(rule: MergeRule) -> &'static str {
    match rule {
        MergeRule::Argument(rule) => rule.described().id,
        MergeRule::Block(rule) => rule.described().id,
        MergeRule::Nested(rule) => rule.described().id,
        MergeRule::List(rule) => rule.described().id,
    }
}

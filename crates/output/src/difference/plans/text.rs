//! Writes a difference between plans as text for a terminal.

use std::collections::BTreeSet;

use super::super::text::{MAX_TEXT, findings_of, overridden, push};
use super::super::{counted, place};
use super::calls::CallChange;
use super::checks::CheckChange;
use super::{InstanceChange, InstanceChangeKind, OutputChange, PlanDifference, ValueChange, ValueSide};
use crate::bounded::Bounded;
use crate::diagnostics::hint;
use crate::excerpt::distinct;
use crate::plain::sanitized;
use crate::plan::{check_status, value_line};
use crate::view::PlanDiffCounts;
use overfold_base::account::{self, ChargedIterator as _, List};
use overfold_base::diag::{Severity, Span};
use overfold_module::pipeline::Report;
use overfold_module::plan::{CheckedObject, PartOrigin};
use overfold_value::Value;

/// The maximum number of characters of a value.
const MAX: usize = 80;

/// The number of bytes of a value that are searched for the first difference.
const MAX_SEARCHED: usize = 4096;

/// What is said of the call of a module that was not given.
const NOT_GIVEN: &str = "a module that was not given: what this does is not known";

/// The marker of a value that may not be shown.
const HIDDEN: &str = "(sensitive)";

pub(super) fn write(difference: &PlanDifference<'_>) -> String {
    let mut text = Bounded::new(MAX_TEXT);
    add(difference, &mut text);
    text.finish()
}

/// Adds everything that is said of a difference.
pub(super) fn add(difference: &PlanDifference<'_>, text: &mut Bounded) {
    let totals = difference.totals() + "\n";
    text.reserve(&totals);
    let mut lines = List::new();
    overridden([difference.before, difference.after], &difference.overridden, &mut lines);
    for change in difference.by_weight() {
        difference.instance_lines(change, &mut lines);
    }
    if let Some(found) = &difference.compared {
        for change in &found.outputs {
            push(&mut lines, &difference.output_line(change));
        }
        for change in &found.checks {
            push(&mut lines, &difference.check_line(change));
        }
        for change in &found.calls {
            difference.call_lines(change, &mut lines);
        }
    }
    for line in lines {
        text.entry(&line);
    }
    text.end(&totals);
    if let Some(title) = difference.suggestion_title() {
        let moves = difference.compared.iter().flat_map(|found| &found.suggested_moves);
        text.entry(&format!("{title}:\n"));
        for found in moves {
            text.entry(&found.block());
        }
    }
    for line in findings_of([difference.before, difference.after], &difference.findings) {
        text.entry(&line);
    }
    for line in difference.shared_errors() {
        text.entry(&(sanitized(&format!("on both sides: {line}")) + "\n"));
    }
    if difference.compared.is_none() {
        for hint in hints([difference.before, difference.after]) {
            text.entry(&format!("{hint}\n"));
        }
    }
}

/// Returns the options that help with errors of reports, a sentence for each.
pub(super) fn hints(reports: [&Report<'_>; 2]) -> BTreeSet<&'static str> {
    let found = reports.into_iter().flat_map(|report| report.diagnostics.iter()).charged(2);
    let errors = found.filter(|finding| finding.severity == Severity::Error);
    errors.filter_map(|finding| hint(finding.code, &finding.detail)).collect()
}

/// Returns what sets the values of both sides.
pub(super) fn origins_of(sides: [Option<ValueSide<'_>>; 2]) -> [Option<&PartOrigin>; 2] {
    sides.map(|side| side.and_then(|side| side.origin))
}

/// Returns what a value that is not known depends on, as text.
fn dependencies(origin: &PartOrigin) -> String {
    let mut text = String::new();
    for source in origin.sources.iter().charged(4) {
        account::copy(source.address.len() + source.steps.len());
        text.extend([if text.is_empty() { "" } else { ", " }, &*source.address, &*source.steps]);
    }
    text
}

/// Says in one line how many instances and outputs differ.
pub(super) fn totals(counts: PlanDiffCounts, outputs: usize) -> String {
    let (removed, changed, moved, unchanged) = (counts.removed, counts.changed, counts.moved, counts.unchanged);
    let moved = if moved > 0 { format!(", {moved} moved") } else { String::new() };
    let outputs = match u32::try_from(outputs).unwrap_or(u32::MAX) {
        0 => String::new(),
        count => format!("; {} changed", counted(count, "output")),
    };
    let added = counted(counts.added, "instance");
    format!("{added} added, {removed} removed, {changed} changed{moved}, {unchanged} unchanged{outputs}")
}

impl<'r> PlanDifference<'r> {
    /// Returns the instances: what is destroyed first, then what changes, what moves, and what is new.
    pub(super) fn by_weight(&self) -> Vec<&InstanceChange<'r>> {
        let weight = |change: &InstanceChange<'_>| match change.change {
            InstanceChangeKind::Removed => 0,
            InstanceChangeKind::Changed => 1,
            InstanceChangeKind::Moved if !change.values.is_empty() => 1,
            InstanceChangeKind::Moved => 2,
            InstanceChangeKind::Added => 3,
        };
        let mut changes: Vec<_> = self.compared.iter().flat_map(|found| &found.instances).collect();
        changes.sort_by_key(|change| weight(change));
        changes
    }

    /// Says in one line how many instances differ.
    pub(super) fn totals(&self) -> String {
        if let Some(why) = self.not_compared() {
            return why.to_owned();
        }
        totals(self.counts(), self.compared.as_ref().map_or(0, |found| found.outputs.len()))
    }

    /// Says what the suggested blocks are for; `None` if there are none.
    pub(super) fn suggestion_title(&self) -> Option<String> {
        let count = self.compared.as_ref().map_or(0, |found| found.suggested_moves.len());
        match count {
            0 => None,
            1 => Some("To keep what would be destroyed and created again, add this block".to_owned()),
            count => Some(format!("To keep what would be destroyed and created again, add these {count} blocks")),
        }
    }

    fn instance_lines(&self, change: &InstanceChange<'_>, lines: &mut List<String>) {
        let [was, is] = self.places(change);
        let places = match (was, is) {
            (Some(was), Some(is)) if was != is => format!(" ({was} -> {is})"),
            (Some(place), _) | (None, Some(place)) => format!(" ({place})"),
            (None, None) => String::new(),
        };
        let from = change.previous_address.as_ref().map_or_else(String::new, |from| format!("{from} -> "));
        let kept = if change.is_forgotten { ", dropped from the state and not destroyed" } else { "" };
        push(lines, &format!("{} {from}{}{places}{kept}", change.change.sign(), change.address));
        self.value_lines(&change.values, lines);
    }

    fn call_lines(&self, change: &CallChange<'_>, lines: &mut List<String>) {
        let side = usize::from(change.sides[1].is_some());
        let header = change.sides.get(side).copied().flatten().and_then(|call| call.origin.header);
        let place = self.place_of(side, header).map_or_else(String::new, |place| format!(" ({place})"));
        let from = change.previous_address.as_ref().map_or_else(String::new, |from| format!("{from} -> "));
        push(lines, &format!("{} {from}{}{place}, {NOT_GIVEN}", change.change.sign(), change.address));
        self.value_lines(&change.values, lines);
    }

    fn value_lines(&self, values: &[ValueChange<'_>], lines: &mut List<String>) {
        for value in values {
            let [was, is] = self.shown(value.sides, value.is_hidden, MAX, str::to_owned);
            let [was, is] = [(was, 0), (is, 1)].map(|(text, side)| self.with_place(text?, value.sides, side));
            let both: Vec<String> = [was, is].into_iter().flatten().collect();
            let cause = self.cause(value.origins, str::to_owned);
            push(lines, &format!("    {} {}: {}{cause}", value.change.sign(), value.path, both.join(" -> ")));
        }
    }

    /// Returns the value of a side with the place of what sets it.
    fn with_place(&self, text: String, sides: [Option<ValueSide<'_>>; 2], side: usize) -> Option<String> {
        let origin = sides.get(side)?.as_ref()?.origin;
        let by = if origin.is_some_and(|origin| origin.is_overridden) { ", override" } else { "" };
        match self.place_of(side, origin.and_then(|origin| origin.span)) {
            Some(place) => Some(format!("{text} ({place}{by})")),
            None => Some(text),
        }
    }

    fn output_line(&self, change: &OutputChange<'_>) -> String {
        let [was, is] = self.shown(change.sides, change.is_hidden, MAX, str::to_owned);
        let sides = [(was, 0), (is, 1)].map(|(text, side)| self.with_place(text?, change.sides, side));
        let both: Vec<String> = sides.into_iter().flatten().collect();
        let cause = self.cause(origins_of(change.sides), str::to_owned);
        format!("{} output.{}: {}{cause}", change.change.sign(), change.name, both.join(" -> "))
    }

    /// Names the variables that make a value differ, after a comma; empty if there are none, or if what sets the value
    /// says something else.
    pub(super) fn cause(&self, origins: [Option<&PartOrigin>; 2], code: impl Fn(&str) -> String) -> String {
        let (Some(found), [Some(was), Some(is)]) = (&self.compared, origins) else { return String::new() };
        let text = |report: &Report<'_>, origin: &PartOrigin| {
            let text = report.forest.sources.text(origin.span?).into_owned();
            account::touch(text.len());
            Some(text)
        };
        match found.variables.cause([was, is], code) {
            Some(cause) if text(self.before, was) == text(self.after, is) => cause,
            _ => String::new(),
        }
    }

    fn check_line(&self, change: &CheckChange<'_>) -> String {
        let sides = change.sides.map(|object| object.map(|object| self.check_side(object)));
        let both: Vec<String> = sides.into_iter().flatten().collect();
        format!("~ {}: {}", change.address, both.join(" -> "))
    }

    /// Describes the results of conditions on one side.
    pub(super) fn check_side(&self, object: &CheckedObject) -> String {
        let problems = object.instances.iter().flat_map(|instance| &instance.problems);
        let messages: Vec<String> = problems
            .map(|problem| match problem.as_text() {
                Some(text) if problem.marks().secrecy() <= self.shown => {
                    let [line, _] = distinct([text, ""], MAX, str::to_owned);
                    line
                }
                _ => HIDDEN.to_owned(),
            })
            .collect();
        let status = check_status(object.status);
        if messages.is_empty() { status.to_owned() } else { format!("{status} ({})", messages.join("; ")) }
    }

    /// Returns the values of both sides in one line of at most `most` characters each; `shown` returns what a reader will see
    /// of a line.
    pub(super) fn shown(
        &self,
        sides: [Option<ValueSide<'_>>; 2],
        is_hidden: bool,
        most: usize,
        shown: impl Fn(&str) -> String,
    ) -> [Option<String>; 2] {
        let line = |value: &Value| {
            if is_hidden { HIDDEN.to_owned() } else { value_line(value, self.shown, MAX_SEARCHED) }
        };
        let [was, is] = sides.map(|side| side.map(|side| line(side.value)));
        let [old, new] =
            distinct([was.as_deref().unwrap_or_default(), is.as_deref().unwrap_or_default()], most, &shown);
        let (Some(_), Some(is)) = (&was, &is) else { return [was.map(|_| old), is.map(|_| new)] };
        if is_hidden || was.as_ref() != Some(is) {
            return [Some(old), Some(new)];
        }
        // What is not known on both sides is another thing because it depends on something else.
        let [was, is] = origins_of(sides).map(|origin| origin.map(dependencies).unwrap_or_default());
        if was == is {
            return [Some(old), Some(new + ", by another expression")];
        }
        let [was, is] = distinct([&was, &is], most, shown);
        let with = |text: String, names: &str| if names.is_empty() { text } else { format!("{text} from {names}") };
        [Some(with(old, &was)), Some(with(new, &is))]
    }

    /// Returns the places of an instance on both sides.
    pub(super) fn places(&self, change: &InstanceChange<'_>) -> [Option<String>; 2] {
        let header = |side: usize| self.place_of(side, change.origins.get(side).copied().flatten()?.header);
        [header(0), header(1)]
    }

    /// Returns the file and line of a span on a side.
    pub(super) fn place_of(&self, side: usize, span: Option<Span>) -> Option<String> {
        let report: &Report<'_> = if side == 0 { self.before } else { self.after };
        let (file, position) = place(report, span?);
        Some(format!("{file}:{}", position.line))
    }
}

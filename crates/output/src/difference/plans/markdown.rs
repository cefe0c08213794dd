//! Writes a difference between plans as a comment for a pull request, in GitHub Flavored Markdown.

use std::fmt::Write as _;

use super::super::markdown::{Links, OVERRIDDEN, diagnostics, finding_lines, overridden};
use super::super::place;
use super::checks::CheckChange;
use super::text::origins_of;
use super::verdict::PlanVerdict;
use super::{InstanceChange, InstanceChangeKind, OutputChange, PlanDifference, ValueChange, ValueSide};
use crate::comment::{
    Comment, LinkBase, ListTitles, MAX_SPAN, Weight, WeightedList, code, code_of_place, counts, line_diff, tools,
};
use crate::view::PlanDiffCounts;
use overfold_base::account::{self, ChargedSort};
use overfold_base::diag::Span;
use overfold_base::echo::affects_display;
use overfold_module::plan::{CheckedObject, PartOrigin, ResourceMode};
use overfold_value::Kind;

/// The indentation of what belongs to a detail.
const INDENT: &str = "    ";

pub(super) const TITLES: ListTitles = ListTitles {
    lost: "Would be destroyed",
    lost_word: "destroyed",
    changed: "Changed",
    added: "Added",
    without_effect: "Moved, with the same values",
};

/// For a root module that is gone: nothing would be run there any more.
const GONE: ListTitles = ListTitles { lost: "No longer planned", ..TITLES };

/// For calls of modules that were not given.
const CALLS: ListTitles =
    ListTitles { changed: "Modules that were not given: what this does is not known", ..TITLES };

const OUTPUTS: ListTitles = ListTitles {
    lost: "Outputs that are gone",
    lost_word: "gone",
    changed: "Outputs",
    added: "New outputs",
    without_effect: "Other outputs",
};

pub(super) fn write(difference: &PlanDifference<'_>, links: Links<'_>) -> String {
    let (before, after) = (difference.before, difference.after);
    let tools = tools((before.dialect.name, &before.version), (after.dialect.name, &after.version));
    let parts = PlanParts::of(difference, links);
    let mut comment = Comment::new(&PlanVerdict::of(difference, [true; 2]).sentence(), &difference.counted(), &tools);
    comment.summary(&[("", &parts.instances)], "Type", &TITLES);
    parts.write(&mut comment, true);
    comment.finish()
}

/// Everything that is said of the plans of one root module.
pub(super) struct PlanParts {
    pub(super) instances: WeightedList,
    outputs: WeightedList,
    checks: WeightedList,
    calls: WeightedList,
    overridden: WeightedList,
    /// The `moved` blocks to paste, and what they are for.
    moves: Option<(String, WeightedList)>,
    appeared: WeightedList,
    /// The errors of both sides, if they keep the plans from being compared.
    shared: WeightedList,
    vanished: WeightedList,
}

impl PlanParts {
    pub(super) fn of(difference: &PlanDifference<'_>, links: Links<'_>) -> Self {
        let writer = Writer { difference, links };
        let moves = difference.suggestion_title().map(|title| {
            let moves = difference.compared.iter().flat_map(|found| &found.suggested_moves);
            // A key cannot begin a line, so nothing ends the block of code.
            (title, WeightedList::of_lines(moves.map(|found| spelled_out(&found.block()))))
        });
        let [appeared, vanished] = finding_lines([difference.before, difference.after], &difference.findings);
        Self {
            instances: writer.instances(),
            outputs: writer.outputs(),
            checks: writer.checks(),
            calls: writer.calls(),
            overridden: overridden([difference.before, difference.after], &difference.overridden, links),
            moves,
            appeared,
            shared: WeightedList::of_lines(
                difference.shared_errors().iter().map(|line| format!("- {}\n", code(line, MAX_SPAN * 2))),
            ),
            vanished,
        }
    }

    /// The heaviest weight; `None` if nothing is said.
    pub(super) fn weight(&self) -> Option<Weight> {
        let others = self.checks.len() + self.calls.len() + self.appeared.len() + self.vanished.len();
        let lists = [self.instances.weight(), self.outputs.weight()];
        lists.into_iter().chain([(others > 0).then_some(Weight::Changed)]).flatten().min()
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        let instances = self.instances.len() + self.outputs.len() + self.checks.len() + self.calls.len();
        let findings = self.appeared.len() + self.shared.len() + self.vanished.len();
        instances + self.overridden.len() + findings
    }

    /// Adds it to a comment; `exists` says whether the root module is still there.
    pub(super) fn write(&self, comment: &mut Comment, exists: bool) {
        if let Some((title, blocks)) = &self.moves {
            comment.code(title, blocks);
        }
        comment.weighty(&self.instances, if exists { &TITLES } else { &GONE });
        comment.weighty(&self.calls, &CALLS);
        comment.lines("Conditions", &self.checks, false);
        comment.weighty(&self.outputs, &OUTPUTS);
        comment.lines(OVERRIDDEN, &self.overridden, false);
        comment.lines("Diagnostics that appeared", &self.appeared, false);
        comment.lines("Errors on both sides", &self.shared, false);
        comment.light(&self.instances, &TITLES);
        comment.light(&self.outputs, &OUTPUTS);
        comment.lines("Diagnostics that vanished", &self.vanished, true);
    }
}

/// Replaces what a reader would not see in a block of code by the escape sequences of the language, which mean the same: such
/// characters stand in keys alone.
fn spelled_out(block: &str) -> String {
    let mut text = String::with_capacity(block.len());
    account::copy(block.len());
    for character in block.chars() {
        let is_unseen = matches!(character, '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{feff}');
        if character != '\n' && affects_display(character) || is_unseen {
            let number = u32::from(character);
            // Writing to a string never fails.
            let _ = if number > 0xffff { write!(text, "\\U{number:08x}") } else { write!(text, "\\u{number:04x}") };
        } else {
            text.push(character);
        }
    }
    text
}

impl PlanDifference<'_> {
    /// Says how many instances and outputs differ; what is zero is left out.
    fn counted(&self) -> String {
        if self.not_compared().is_some() {
            return diagnostics(self.findings.appeared.len(), self.findings.vanished.len());
        }
        let outputs = self.compared.as_ref().map_or(0, |found| found.outputs.len());
        let findings = [&self.findings.appeared, &self.findings.vanished].map(Vec::len);
        totals(String::new(), self.counts(), outputs, findings)
    }
}

/// Says how many instances, outputs and diagnostics differ, after what is said of something else; what is zero is left out.
pub(super) fn totals(
    first: String,
    found: PlanDiffCounts,
    outputs: usize,
    [appeared, vanished]: [usize; 2],
) -> String {
    let instances = counts(
        "instance",
        &[
            (found.removed as usize, "removed"),
            (found.changed as usize, "changed"),
            (found.moved as usize, "moved"),
            (found.added as usize, "added"),
            (found.unchanged as usize, "unchanged"),
        ],
    );
    let outputs = counts("output", &[(outputs, "changed")]);
    let all = [first, instances, outputs, diagnostics(appeared, vanished)];
    all.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join("; ")
}

/// Returns what an instance weighs for a reviewer. What only reads destroys nothing.
fn weight(change: &InstanceChange<'_>) -> Weight {
    match change.change {
        InstanceChangeKind::Removed if change.resource.mode == ResourceMode::Managed && !change.is_forgotten => {
            Weight::Lost
        }
        InstanceChangeKind::Moved if change.values.is_empty() => Weight::WithoutEffect,
        InstanceChangeKind::Removed | InstanceChangeKind::Changed | InstanceChangeKind::Moved => Weight::Changed,
        InstanceChangeKind::Added => Weight::Added,
    }
}

struct Writer<'a> {
    difference: &'a PlanDifference<'a>,
    links: Links<'a>,
}

impl Writer<'_> {
    fn instances(&self) -> WeightedList {
        let mut list = WeightedList::default();
        let mut changes: Vec<&InstanceChange<'_>> =
            self.difference.compared.iter().flat_map(|found| &found.instances).collect();
        changes.charged_sort_by_key(8, |change| (weight(change), change.resource.mode != ResourceMode::Managed));
        for change in changes {
            let values = change.values.iter();
            let line = || self.line(change);
            list.push(weight(change), &change.resource.type_name, line, values, |value| self.value(value));
        }
        list
    }

    fn calls(&self) -> WeightedList {
        let mut list = WeightedList::default();
        for change in self.difference.compared.iter().flat_map(|found| &found.calls) {
            let line = || {
                let headers = change.sides.map(|side| side.and_then(|call| call.origin.header));
                let places = if change.values.is_empty() { self.places(headers, [false; 2]) } else { String::new() };
                let from = change.previous_address.as_ref();
                let from = from.map_or_else(String::new, |from| format!(" from {}", code(from, MAX_SPAN)));
                format!("- {} {}{from}{places}\n", change.change.name(), code(&change.address, MAX_SPAN))
            };
            list.push(Weight::Changed, "module", line, change.values.iter(), |value| self.value(value));
        }
        list
    }

    fn checks(&self) -> WeightedList {
        let line = |change: &CheckChange<'_>| {
            let shown = |object: &CheckedObject| code(&self.difference.check_side(object), MAX_SPAN);
            let sides: Vec<String> = change.sides.into_iter().flatten().map(shown).collect();
            format!("- {}: {}\n", code(&change.address, MAX_SPAN), sides.join(" → "))
        };
        WeightedList::of_lines(self.difference.compared.iter().flat_map(|found| &found.checks).map(line))
    }

    fn outputs(&self) -> WeightedList {
        use super::DifferenceKind::{Added, Removed};
        let weight = |change: &OutputChange<'_>| match change.change {
            Removed => Weight::Lost,
            Added => Weight::Added,
            _ => Weight::Changed,
        };
        let mut list = WeightedList::default();
        let mut changes: Vec<&OutputChange<'_>> =
            self.difference.compared.iter().flat_map(|found| &found.outputs).collect();
        changes.charged_sort_by_key(8, |change| weight(change));
        for change in changes {
            let line = || {
                let name = code(&format!("output.{}", change.name), MAX_SPAN);
                let places = self.places_of_sides(change.sides) + &self.cause(origins_of(change.sides));
                match self.long(change.sides, change.is_hidden, "  ") {
                    Some(lines) => format!("- {name}{places}:\n{lines}"),
                    None => format!("- {name}: {}{places}\n", self.values(change.sides, change.is_hidden)),
                }
            };
            list.push(weight(change), "output", line, std::iter::empty::<()>(), |()| String::new());
        }
        list
    }

    /// Returns the line of an instance.
    fn line(&self, change: &InstanceChange<'_>) -> String {
        let address = code(&change.address, MAX_SPAN);
        let origins = change.origins.map(|origin| origin.and_then(|origin| origin.header));
        let places = if change.values.is_empty() { self.places(origins, [false; 2]) } else { String::new() };
        match (&change.previous_address, change.change) {
            (Some(previous), _) => format!("- moved {} → {address}{places}\n", code(previous, MAX_SPAN)),
            (None, InstanceChangeKind::Removed) if change.is_forgotten => {
                format!("- dropped from the state and not destroyed: {address}{places}\n")
            }
            (None, InstanceChangeKind::Removed) if weight(change) == Weight::Changed => {
                format!("- removed {address}{places}\n")
            }
            (None, _) => format!("- {address}{places}\n"),
        }
    }

    /// Returns the line of a value that is not the same on both sides, and what differs in it if that is long.
    fn value(&self, change: &ValueChange<'_>) -> String {
        use super::DifferenceKind::{Added, Removed};
        let word = match change.change {
            Removed => "lost ",
            Added => "added ",
            _ => "",
        };
        let path = code(&change.path, MAX_SPAN);
        let places = self.places_of_sides(change.sides) + &self.cause(change.origins);
        match self.long(change.sides, change.is_hidden, INDENT) {
            Some(lines) => format!("  - {word}{path}{places}:\n{lines}"),
            None => format!("  - {word}{path}: {}{places}\n", self.values(change.sides, change.is_hidden)),
        }
    }

    /// Returns the lines that differ of two texts of which one is long.
    fn long(&self, sides: [Option<ValueSide<'_>>; 2], is_hidden: bool, indent: &str) -> Option<String> {
        let text = |side: Option<ValueSide<'_>>| {
            let value = side?.value;
            if is_hidden || value.deep_marks().secrecy() > self.difference.shown {
                return None;
            }
            match value.kind() {
                Kind::Text(text) => Some(text.to_string()),
                _ => None,
            }
        };
        let [was, is] = sides.map(text);
        let (was, is) = (was?, is?);
        account::copy(was.len() + is.len());
        line_diff([&was, &is], indent)
    }

    /// Returns the values of both sides as code spans.
    fn values(&self, sides: [Option<ValueSide<'_>>; 2], is_hidden: bool) -> String {
        let texts = self.difference.shown(sides, is_hidden, MAX_SPAN, str::to_owned);
        let both: Vec<String> = texts.into_iter().flatten().map(|text| code(&text, text.chars().count())).collect();
        both.join(" → ")
    }

    /// Names the variables that make a value differ, after a comma.
    fn cause(&self, origins: [Option<&PartOrigin>; 2]) -> String {
        self.difference.cause(origins, |name| code(name, MAX_SPAN))
    }

    /// Returns the places of what sets a value on both sides, in parentheses.
    fn places_of_sides(&self, sides: [Option<ValueSide<'_>>; 2]) -> String {
        let origins = origins_of(sides);
        let spans = origins.map(|origin| origin.and_then(|origin| origin.span));
        self.places(spans, origins.map(|origin| origin.is_some_and(|origin| origin.is_overridden)))
    }

    /// Returns the places on both sides, in parentheses.
    fn places(&self, spans: [Option<Span>; 2], is_overridden: [bool; 2]) -> String {
        let [was, is] = [0, 1].map(|side| {
            let (place, shown) = self.at(side, spans.get(side).copied().flatten())?;
            let is_overridden = is_overridden.get(side) == Some(&true);
            Some((place, if is_overridden { format!("{shown}, override") } else { shown }))
        });
        match (was, is) {
            (Some((was, before)), Some((is, after))) if was != is => format!(" ({before} → {after})"),
            (_, Some((_, shown))) | (Some((_, shown)), None) => format!(" ({shown})"),
            (None, None) => String::new(),
        }
    }

    /// Returns the place of a side as text and as Markdown.
    fn at(&self, side: usize, span: Option<Span>) -> Option<(String, String)> {
        let report = if side == 0 { self.difference.before } else { self.difference.after };
        let (file, position) = place(report, span?);
        let base: Option<&LinkBase> = self.links.get(side).copied().flatten();
        Some((format!("{file}:{}", position.line), code_of_place(&file, position.line as usize, base)))
    }
}

#[cfg(test)]
mod tests {
    use super::spelled_out;

    #[test]
    fn keys_mean_the_same_and_are_seen() {
        let block = "moved {\n  from = a.b[\"x\u{202e}\u{200b}\u{e0041}é\"]\n}\n";
        assert_eq!(spelled_out(block), "moved {\n  from = a.b[\"x\\u202e\\u200b\\U000e0041é\"]\n}\n");
    }
}

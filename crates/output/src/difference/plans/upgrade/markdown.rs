//! What another version does, as a comment for a pull request, in GitHub Flavored Markdown.

use super::text::{FindingLine, in_words, obstacle_edits, releases};
use super::{UpgradeChange, UpgradeDifference, UpgradeKind, UpgradeVerdict};
use crate::comment::{Comment, LinkBase, MAX_SPAN, WeightedList, cell, code, code_of_place, tools};
use crate::view::VersionObstacle;
use overfold_dialect::Difference as VersionRow;

pub(super) fn write(
    difference: &UpgradeDifference<'_>,
    ready: &[VersionObstacle<'_>],
    base: Option<&LinkBase>,
) -> String {
    let (before, after) = (difference.before, difference.after);
    let tools = tools((before.dialect.name, &before.version), (after.dialect.name, &after.version));
    let title = title(difference.verdict(), (after.dialect.name, &after.version));
    let mut comment = Comment::new(&title, &difference.counted(), &tools);
    UpgradeParts::of(difference, ready, base).write(&mut comment);
    comment.finish()
}

/// Says what a version does.
pub(super) fn title(verdict: UpgradeVerdict, (tool, version): (&str, &str)) -> String {
    let to = code(&format!("{tool} {version}"), MAX_SPAN);
    format!("{} with {to}", in_words(verdict))
}

/// Everything that is said of one root module: lists below their titles, and whether they are folded.
pub(super) struct UpgradeParts(Vec<(&'static str, WeightedList, bool)>);

impl UpgradeParts {
    pub(super) fn of(
        difference: &UpgradeDifference<'_>,
        ready: &[VersionObstacle<'_>],
        base: Option<&LinkBase>,
    ) -> Self {
        let place = |file: &str, line: u32| code_of_place(file, line as usize, base);
        let obstacle = |obstacle: &VersionObstacle<'_>| {
            let edits: Vec<String> = obstacle_edits(obstacle).iter().map(|edit| code(edit, MAX_SPAN)).collect();
            let edits = if edits.is_empty() { String::new() } else { format!(": write {}", edits.join(", ")) };
            let place = place(obstacle.range.filename, obstacle.range.start.line);
            format!("- {} ({place}){edits}\n", code(&obstacle.summary, MAX_SPAN * 2))
        };
        let [added, removed] = difference.finding_lines();
        let finding = |found: &FindingLine<'_>| {
            let place = found.place.map_or_else(String::new, |(file, line)| format!(" ({})", place(file, line)));
            format!("- {}{place}{}\n", code(&found.line, MAX_SPAN * 2), because(found.rule))
        };
        let change = |change: &&UpgradeChange<'_>| {
            let line = change.line(MAX_SPAN, cell);
            format!("- {}{}\n", code(&line, line.chars().count()), because(change.rule))
        };
        let (document, values): (Vec<_>, Vec<_>) =
            difference.changes.iter().partition(|change| change.kind == UpgradeKind::Document);
        let rule = |rule: &VersionRow| {
            let text = format!("{} {}", rule.summary, releases(rule));
            let source = code(&rule.source, MAX_SPAN * 2);
            format!("- {}: {} ({source})\n", code(&rule.id, MAX_SPAN), code(&text, text.chars().count()))
        };
        let list = |title, lines: &mut dyn Iterator<Item = String>, is_folded| {
            (title, WeightedList::of_lines(lines), is_folded)
        };
        Self(vec![
            list("Change first", &mut ready.iter().map(obstacle), false),
            list("New diagnostics", &mut added.iter().map(finding), false),
            list("Different in the plan", &mut values.iter().map(change), false),
            list("Diagnostics that are gone", &mut removed.iter().map(finding), true),
            list("Different in the plan document", &mut document.iter().map(change), true),
            list("Rules behind this", &mut difference.rules().into_iter().map(rule), true),
        ])
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|(_, list, _)| list.len()).sum()
    }

    pub(super) fn write(&self, comment: &mut Comment) {
        for (title, list, is_folded) in &self.0 {
            comment.lines(title, list, *is_folded);
        }
    }
}

fn because(rule: Option<&VersionRow>) -> String {
    rule.map_or_else(String::new, |rule| format!(", by {}", code(&rule.id, MAX_SPAN)))
}

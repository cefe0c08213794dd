//! What another version does, as a comment for a pull request, in GitHub Flavored Markdown.

use super::text::{FindingLine, obstacle_edits, releases};
use super::{UpgradeChange, UpgradeDifference, UpgradeKind, UpgradeVerdict};
use crate::comment::{Comment, LinkBase, MAX_SPAN, cell, code, code_of_place, tools};
use crate::view::VersionObstacle;
use overfold_dialect::Difference as VersionRow;

pub(super) fn write(
    difference: &UpgradeDifference<'_>,
    ready: &[VersionObstacle<'_>],
    base: Option<&LinkBase>,
) -> String {
    let (before, after) = (difference.before, difference.after);
    let tools = tools((before.dialect.name, &before.version), (after.dialect.name, &after.version));
    let to = code(&format!("{} {}", after.dialect.name, after.version), MAX_SPAN);
    let verdict = match difference.verdict() {
        UpgradeVerdict::Same => format!("Nothing changes with {to}"),
        UpgradeVerdict::Changes => format!("Something changes with {to}"),
        UpgradeVerdict::Breaks => format!("Breaks with {to}"),
    };
    let mut comment = Comment::new(&verdict, &difference.counted(), &tools);
    let place = |file: &str, line: u32| code_of_place(file, line as usize, base);
    let obstacle = |obstacle: &VersionObstacle<'_>| {
        let edits: Vec<String> = obstacle_edits(obstacle).iter().map(|edit| code(edit, MAX_SPAN)).collect();
        let edits = if edits.is_empty() { String::new() } else { format!(": write {}", edits.join(", ")) };
        let place = place(obstacle.range.filename, obstacle.range.start.line);
        format!("- {} ({place}){edits}\n", code(&obstacle.summary, MAX_SPAN * 2))
    };
    comment.lines("In the way", ready.iter().map(obstacle), false);
    let [added, removed] = difference.finding_lines();
    let finding = |found: &FindingLine<'_>| {
        let place = found.place.map_or_else(String::new, |(file, line)| format!(" ({})", place(file, line)));
        format!("- {}{place}{}\n", code(&found.line, MAX_SPAN * 2), because(found.rule))
    };
    comment.lines("New findings", added.iter().map(finding), false);
    let change = |change: &&UpgradeChange<'_>| {
        let line = change.line(MAX_SPAN, cell);
        format!("- {}{}\n", code(&line, line.chars().count()), because(change.rule))
    };
    let (document, values): (Vec<_>, Vec<_>) =
        difference.changes.iter().partition(|change| change.kind == UpgradeKind::Document);
    comment.lines("Different in the plan", values.iter().map(change), false);
    comment.lines("Findings that are gone", removed.iter().map(finding), true);
    comment.lines("Different in the plan document", document.iter().map(change), true);
    let rule = |rule: &VersionRow| {
        let text = format!("{} {}", rule.summary, releases(rule));
        format!(
            "- {}: {} ({})\n",
            code(&rule.id, MAX_SPAN),
            code(&text, text.chars().count()),
            code(&rule.source, MAX_SPAN * 2)
        )
    };
    comment.lines("Rules behind this", difference.rules().into_iter().map(rule), true);
    comment.finish()
}

fn because(rule: Option<&VersionRow>) -> String {
    rule.map_or_else(String::new, |rule| format!(", by {}", code(&rule.id, MAX_SPAN)))
}

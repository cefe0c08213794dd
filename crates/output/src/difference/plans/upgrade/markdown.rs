//! What another version does, as a comment for a pull request, in GitHub Flavored Markdown.

use super::super::super::bounded::Bounded;
use super::super::super::markdown::{MAX_MARKDOWN, Sections, cell, code};
use super::text::{obstacle_edits, obstacle_place, releases};
use super::{UpgradeChange, UpgradeDifference};
use crate::view::VersionObstacle;
use overfold_dialect::Difference as VersionRow;

const TITLE: &str = "### Another version\n\n";

/// The maximum number of characters of an address, a value or a title.
const MAX: usize = 120;

pub(super) fn write(difference: &UpgradeDifference<'_>, ready: &[VersionObstacle<'_>]) -> String {
    let mut comment = Bounded::new(MAX_MARKDOWN);
    comment.push(&format!("{TITLE}{}.\n", difference.headline()));
    let mut sections = Sections::default();
    let obstacle = |obstacle: &VersionObstacle<'_>| {
        let edits: Vec<String> =
            obstacle_edits(obstacle).iter().map(|edit| format!(" {}", code(edit, MAX))).collect();
        format!("- {} {}{}\n", code(&obstacle.summary, MAX * 2), code(&obstacle_place(obstacle), MAX), edits.concat())
    };
    sections.add(Some("In the way"), "", ready.iter().map(obstacle));
    let head = "| | Finding | Rule |\n| --- | --- | --- |\n";
    let lines = difference.finding_lines();
    let finding = |(sign, line, rule): &(char, String, Option<&'static VersionRow>)| {
        let word = if *sign == '+' { "new" } else { "gone" };
        row([word, &code(line, MAX * 2), &named(*rule)])
    };
    sections.add(Some("Findings"), head, lines.iter().map(finding));
    let head = "| | Difference | Rule |\n| --- | --- | --- |\n";
    let change = |change: &UpgradeChange<'_>| {
        let line = change.line(MAX, cell);
        let text = line.get(2..).unwrap_or_default();
        row([change.change.name(), &code(text, text.chars().count()), &named(change.rule)])
    };
    sections.add(Some("The plan"), head, difference.changes.iter().map(change));
    let rule = |rule: &VersionRow| {
        let text = format!("{} {}", rule.summary, releases(rule));
        format!(
            "- {}: {} ({})\n",
            code(&rule.id, MAX),
            code(&text, text.chars().count()),
            code(&rule.source, MAX * 2)
        )
    };
    sections.add(Some("Rules"), "", difference.rules().into_iter().map(rule));
    sections.write(&mut comment);
    comment.finish()
}

fn row(cells: [&str; 3]) -> String {
    format!("| {} |\n", cells.join(" | "))
}

fn named(rule: Option<&VersionRow>) -> String {
    rule.map_or_else(String::new, |rule| code(&rule.id, MAX))
}

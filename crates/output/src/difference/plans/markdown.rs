//! Writes a difference between plans as a comment for a pull request, in GitHub Flavored Markdown.

use super::super::bounded::Bounded;
use super::super::markdown::{MAX_MARKDOWN, Sections, cell, code, code_of_place, diagnostics, row, tools};
use super::{InstanceChange, PlanDifference, ValueChange};

const TITLE: &str = "### Planned changes\n\n";

/// The maximum number of characters of an address, a value or a title.
const MAX: usize = 120;

pub(super) fn write(difference: &PlanDifference<'_>) -> String {
    let mut comment = Bounded::new(MAX_MARKDOWN);
    comment.push(&difference.headline());
    blocks(difference, &mut comment);
    let mut sections = Sections::default();
    let head = "| | Instance | Value | Before | After |\n| --- | --- | --- | --- | --- |\n";
    let changes = difference.by_weight();
    sections.add(None, head, changes.iter().flat_map(|change| difference.rows(change)));
    if let Some(found) = &difference.compared {
        let output = |change: &super::OutputChange<'_>| {
            let [was, is] = difference.cells(change.sides, change.is_hidden);
            let name = code(&format!("output.{}", change.name), MAX);
            row([change.change.name(), &name, "", &was, &is])
        };
        let head = "| | Output | | Before | After |\n| --- | --- | --- | --- | --- |\n";
        sections.add(Some("Outputs"), head, found.outputs.iter().map(output));
        let check = |change: &super::checks::CheckChange<'_>| {
            let side =
                |side: Option<_>| side.map_or_else(String::new, |object| code(&difference.check_side(object), MAX));
            let [was, is] = change.sides.map(side);
            row(["changed", &code(&change.address, MAX), "", &was, &is])
        };
        let head = "| | Conditions | | Before | After |\n| --- | --- | --- | --- | --- |\n";
        sections.add(Some("Conditions"), head, found.checks.iter().map(check));
    }
    sections.add_findings([difference.before, difference.after], &difference.findings);
    sections.write(&mut comment);
    comment.finish()
}

/// Adds the `moved` blocks to paste, as many as fit.
fn blocks(difference: &PlanDifference<'_>, comment: &mut Bounded) {
    const END: &str = "```\n";
    let Some(title) = difference.suggestion_title() else { return };
    comment.push(&format!("\n**{title}**\n\n```hcl\n"));
    comment.reserve(END);
    // A key cannot begin a line, so nothing ends the block of code.
    for found in difference.compared.iter().flat_map(|found| &found.suggested_moves) {
        comment.entry(&found.block());
    }
    comment.end(END);
}

impl PlanDifference<'_> {
    fn headline(&self) -> String {
        let (before, after) = (self.before, self.after);
        let tools = tools((before.dialect.name, &before.version), (after.dialect.name, &after.version));
        let verdict = if self.is_different() { self.totals() } else { "no difference in what is planned".to_owned() };
        let diagnostics = diagnostics(self.findings.appeared.len(), self.findings.vanished.len());
        format!("{TITLE}{tools}{verdict}{diagnostics}.\n")
    }

    /// Returns a row for an instance, or for each of its values that differ.
    fn rows(&self, change: &InstanceChange<'_>) -> Vec<String> {
        let address = code(&change.address, MAX);
        let [was, is] =
            self.places(change).map(|place| place.map_or_else(String::new, |place| code_of_place(&place)));
        let was = match &change.previous_address {
            Some(address) => format!("{} {was}", code(address, MAX)),
            None => was,
        };
        let act = change.change.name();
        let whole = change.values.is_empty() || change.previous_address.is_some();
        let whole = whole.then(|| row([act, &address, "", &was, &is]));
        let values = change.values.iter().map(|value| {
            let [was, is] = self.cells(value.sides, value.is_hidden);
            let [was, is] = [(was, 0), (is, 1)].map(|(text, side)| self.cell(&text, value, side));
            row([value.change.name(), &address, &code(&value.pointer, MAX), &was, &is])
        });
        whole.into_iter().chain(values).collect()
    }

    /// Returns the values of both sides as code spans.
    fn cells(&self, sides: [Option<super::ValueSide<'_>>; 2], is_hidden: bool) -> [String; 2] {
        let texts = self.shown(sides, is_hidden, MAX, cell);
        texts.map(|text| text.map_or_else(String::new, |text| code(&text, text.chars().count())))
    }

    /// Adds the place of what sets a value.
    fn cell(&self, text: &str, value: &ValueChange<'_>, side: usize) -> String {
        let origin = value.sides.get(side).and_then(|side| side.as_ref()?.origin);
        let mut words = vec![text.to_owned()];
        let place = self.place_of(side, origin.and_then(|origin| origin.span));
        words.extend(place.map(|place| code_of_place(&place)));
        words.extend(origin.is_some_and(|origin| origin.is_overridden).then(|| "(override)".to_owned()));
        words.join(" ")
    }
}

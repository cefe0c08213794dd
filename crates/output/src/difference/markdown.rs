//! Writes a difference as a comment for a pull request, in GitHub Flavored Markdown.

use super::super::excerpt::distinct;
use super::findings::Findings;
use super::verdict::{ConfigVerdict, is_state, weight};
use super::{
    Change, Contents, Difference, DifferenceKind, Expression, ItemChange, Locations, OverriddenEdit, PartChange,
    PartKind, Side, in_one_line, item_texts, place,
};
use crate::comment::{
    Comment, LinkBase, ListTitles, MAX_SPAN, Weight, WeightedList, changed_lines, code, code_of_place, counts,
    is_long, line_diff, tools,
};
use overfold_base::account::{self, ChargedSort};
use overfold_base::diag::Span;
use overfold_module::pipeline::Report;

/// The indentation of what belongs to a detail.
const INDENT: &str = "    ";

pub(super) const TITLES: ListTitles = ListTitles {
    lost: "Lost",
    lost_word: "lost",
    changed: "Changed",
    added: "Added",
    without_effect: "Moved without effect",
};

pub(super) fn write(difference: &Difference<'_>, links: Links<'_>) -> String {
    let Difference { before, after, .. } = difference;
    let counted = difference.counts();
    let verdict = ConfigVerdict::of(difference);
    let totals = counts(
        "object",
        &[
            (counted.removed as usize, "removed"),
            (counted.changed as usize, "changed"),
            (verdict.renamed, "renamed"),
            (counted.added as usize, "added"),
        ],
    );
    let tools = tools((before.dialect.name, &before.version), (after.dialect.name, &after.version));
    let parts = Parts::of(difference, links);
    let totals = [totals, diagnostics(parts.appeared.len(), parts.vanished.len())];
    let totals: Vec<String> = totals.into_iter().filter(|text| !text.is_empty()).collect();
    let mut comment = Comment::new(&verdict.sentence(), &totals.join("; "), &tools);
    comment.summary(&[("", &parts.changes)], "Kind", &TITLES);
    parts.write(&mut comment);
    comment.finish()
}

/// The addresses of the files on both sides, as far as they are known.
pub type Links<'l> = [Option<&'l LinkBase>; 2];

/// Everything that is reported about one module.
pub(super) struct Parts {
    pub(super) changes: WeightedList,
    overridden: WeightedList,
    appeared: WeightedList,
    vanished: WeightedList,
}

impl Parts {
    pub(super) fn of(difference: &Difference<'_>, links: Links<'_>) -> Self {
        let mut changes: Vec<&Change> = difference.changes.iter().collect();
        changes.charged_sort_by_key(8, |change| (weight(change), rank(&change.kind)));
        let mut list = WeightedList::default();
        let writer = Writer { difference, links };
        for change in changes {
            let weight = weight(change);
            let group = change.address.split('.').next().filter(|_| change.kind == "resource");
            let line = || writer.line(change, weight);
            list.push(weight, group.unwrap_or(&change.kind), line, details(change), |detail| writer.detail(detail));
        }
        let [appeared, vanished] = finding_lines([difference.before, difference.after], &difference.findings);
        let overridden = overridden([difference.before, difference.after], &difference.overridden, links);
        Self { changes: list, overridden, appeared, vanished }
    }

    /// Whether diagnostics appeared.
    pub(super) fn has_findings(&self) -> bool {
        self.appeared.len() > 0
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.changes.len() + self.overridden.len() + self.appeared.len() + self.vanished.len()
    }

    pub(super) fn write(&self, comment: &mut Comment) {
        comment.weighty(&self.changes, &TITLES);
        comment.lines(OVERRIDDEN, &self.overridden, false);
        comment.lines("Diagnostics that appeared", &self.appeared, false);
        comment.light(&self.changes, &TITLES);
        comment.lines("Diagnostics that vanished", &self.vanished, true);
    }
}

/// The title of edits without an effect.
pub(super) const OVERRIDDEN: &str = "Edits without effect, because an override file replaces what they edit";

/// Returns the edits without an effect, as entries of a list.
pub(super) fn overridden(reports: [&Report<'_>; 2], edits: &[OverriddenEdit], links: Links<'_>) -> WeightedList {
    let at = |side: usize, span: Span| {
        let Some(report) = reports.get(side) else { return String::new() };
        let (file, position) = place(report, report.forest.sources.in_file(span));
        code_of_place(&file, position.line as usize, links.get(side).copied().flatten())
    };
    let line = |edit: &OverriddenEdit| format!("- {}\n", edit.line(|name| code(name, MAX_SPAN), at));
    WeightedList::of_lines(edits.iter().map(line))
}

/// Returns the diagnostics that appeared and vanished between two reports, as entries of lists.
pub(super) fn finding_lines([before, after]: [&Report<'_>; 2], findings: &Findings) -> [WeightedList; 2] {
    [(after, &findings.appeared), (before, &findings.vanished)].map(|(report, list)| {
        let lines = super::findings::lines(report, list);
        WeightedList::of_lines(lines.iter().map(|line| format!("- {}\n", code(line, MAX_SPAN * 2))))
    })
}

/// Describes the counts of diagnostics; empty if there are none.
pub(super) fn diagnostics(appeared: usize, vanished: usize) -> String {
    counts("diagnostic", &[(appeared, "appeared"), (vanished, "vanished")])
}

/// The order of kinds within a weight: what makes objects comes before what names values.
fn rank(kind: &str) -> usize {
    const ORDER: [&str; 6] = ["resource", "module", "provider", "check", "data", "output"];
    const LAST: [&str; 2] = ["variable", "local"];
    let first = ORDER.iter().position(|known| *known == kind);
    let last = LAST.iter().position(|known| *known == kind).map(|at| ORDER.len() + 1 + at);
    first.or(last).unwrap_or(ORDER.len())
}

/// Something that is said of an object.
#[derive(Clone, Copy)]
enum Detail<'a> {
    /// A part of an object that both sides have.
    Part(&'a PartChange),
    /// A part of a block that only one side has.
    Content(&'a PartChange),
    /// So many further parts.
    More(u32),
}

/// Returns what is said of an object: what is lost first, then what changed, then what is new.
fn details(change: &Change) -> impl Iterator<Item = Detail<'_>> {
    account::work(4 * change.parts.len() as u64);
    let ordered = [Some(DifferenceKind::Removed), None, Some(DifferenceKind::Added)].into_iter().flat_map(|act| {
        let is_wanted = move |part: &&PartChange| match act {
            Some(act) => part.act == act,
            None => !matches!(part.act, DifferenceKind::Removed | DifferenceKind::Added),
        };
        change.parts.iter().filter(is_wanted)
    });
    ordered
        .flat_map(|part| std::iter::once(Detail::Part(part)).chain(contents(&part.body)))
        .chain(contents(&change.body))
}

fn contents(body: &Contents) -> impl Iterator<Item = Detail<'_>> {
    body.parts.iter().map(Detail::Content).chain((body.more > 0).then_some(Detail::More(body.more)))
}

struct Writer<'a> {
    difference: &'a Difference<'a>,
    links: Links<'a>,
}

impl Writer<'_> {
    /// Returns the line of an object.
    fn line(&self, change: &Change, weight: Weight) -> String {
        let mut address = code(&change.address, MAX_SPAN);
        if let Some(from) = &change.previous_address {
            address.push_str(", moved from ");
            address.push_str(&code(from, MAX_SPAN));
        }
        let word = match change.act {
            DifferenceKind::Removed => "removed ",
            DifferenceKind::Added if is_state(change) => "added ",
            _ => "",
        };
        let places = if change.parts.is_empty() { self.places(&change.sides) } else { String::new() };
        if weight == Weight::WithoutEffect {
            return format!("- {address}{places}\n");
        }
        let values = self.values(&change.sides, PartKind::Block);
        let values = if values.is_empty() { values } else { format!(": {values}") };
        format!("- {word}{address}{values}{places}\n")
    }

    fn detail(&self, detail: Detail<'_>) -> String {
        match detail {
            Detail::Part(part) => self.part(part),
            Detail::Content(part) => {
                let values = self.values(&part.sides, part.what);
                let is_overridden = part.sides.overrides.iter().any(Option::is_some);
                let places = if is_overridden { self.places(&part.sides) } else { String::new() };
                format!("  - {}{}{values}{places}\n", name(part), if values.is_empty() { "" } else { ": " })
            }
            Detail::More(more) => format!("  - {more} more\n"),
        }
    }

    /// Returns the line of a part that is not the same on both sides, and what differs in it if that is long.
    fn part(&self, part: &PartChange) -> String {
        let word = match part.act {
            DifferenceKind::Removed => "lost ",
            DifferenceKind::Added => "added ",
            _ => "",
        };
        let order = if part.act == DifferenceKind::Reordered { ", in another order" } else { "" };
        let head = format!("  - {word}{}{order}", name(part));
        let places = self.places(&part.sides);
        if let Some(lines) = self.long(part) {
            return format!("{head}{places}:\n{lines}");
        }
        let values = self.values(&part.sides, part.what);
        let gone = part.sides.overrides.iter().zip([&part.sides.before, &part.sides.after]);
        let gone = gone.filter(|(_, side)| side.is_none()).find_map(|(file, _)| file.as_ref());
        let gone =
            gone.map_or_else(String::new, |file| format!(", removed by the override file {}", code(file, MAX_SPAN)));
        let colon = if values.is_empty() { "" } else { ": " };
        format!("{head}{colon}{values}{places}{gone}\n")
    }

    /// Returns the lines or items that differ of an expression that is too long for one line.
    fn long(&self, part: &PartChange) -> Option<String> {
        let source = |report: &Report<'_>, side: &Option<Side>| match side.as_ref()?.expression? {
            Expression::Source(span) => Some(report.forest.sources.text(span).into_owned()),
            _ => None,
        };
        let was = source(self.difference.before, &part.sides.before)?;
        let is = source(self.difference.after, &part.sides.after)?;
        account::touch(was.len() + is.len());
        if part.items.is_empty() || was.contains('\n') || is.contains('\n') {
            return line_diff([&was, &is], INDENT);
        }
        if !is_long(&was) && !is_long(&is) {
            return None;
        }
        // Each item is a line of its own.
        let mut sides = [String::new(), String::new()];
        for item in &part.items {
            self.item(item, &mut sides);
        }
        changed_lines([&sides[0], &sides[1]], INDENT)
    }

    /// Adds the texts of an item to those of the sides.
    fn item(&self, item: &ItemChange, sides: &mut [String; 2]) {
        let key = item.key.as_ref().map_or_else(String::new, |key| format!("{key} = "));
        for (side, text) in sides.iter_mut().zip(item_texts(self.difference, item, MAX_SPAN, str::to_owned)) {
            if let Some(text) = text {
                side.push_str(if side.is_empty() { "" } else { "\n" });
                side.push_str(&key);
                side.push_str(&text);
            }
        }
    }

    /// Returns the expressions of both sides.
    fn values(&self, sides: &Locations, what: PartKind) -> String {
        let both = [sides.before.as_ref(), sides.after.as_ref()];
        let reports = [self.difference.before, self.difference.after];
        let lines = in_one_line(reports, both, MAX_SPAN, str::to_owned);
        let value = |side: Option<&Side>, line: Option<String>| {
            let block = side.is_some_and(|side| side.is_block && what == PartKind::Argument);
            line.map(|line| code(&line, line.chars().count())).or_else(|| block.then(|| "a block".to_owned()))
        };
        let both: Vec<String> = both.into_iter().zip(lines).filter_map(|(side, line)| value(side, line)).collect();
        both.join(" → ")
    }

    /// Returns the places on both sides, in parentheses.
    fn places(&self, sides: &Locations) -> String {
        let [was, is] = [(0, &sides.before), (1, &sides.after)].map(|(at, side)| self.at(at, side.as_ref()));
        let marked = |place: Option<[String; 2]>, file: &Option<String>| {
            let [plain, shown] = place?;
            Some([plain, if file.is_some() { format!("{shown}, override") } else { shown }])
        };
        let [by, also_by] = &sides.overrides;
        match (marked(was, by), marked(is, also_by)) {
            (Some([was, before]), Some([is, after])) if was != is => {
                if before == after {
                    // Of long paths only the ends are shown.
                    let ends = distinct([&was, &is], MAX_SPAN, str::to_owned);
                    let [was, is] = ends.map(|place| code(&place, place.chars().count()));
                    return format!(" ({was} → {is})");
                }
                format!(" ({before} → {after})")
            }
            (_, Some([_, shown])) | (Some([_, shown]), None) => format!(" ({shown})"),
            (None, None) => String::new(),
        }
    }

    /// Returns the place of a side as text and as Markdown.
    fn at(&self, side: usize, found: Option<&Side>) -> Option<[String; 2]> {
        let report = if side == 0 { self.difference.before } else { self.difference.after };
        let (file, position) = place(report, found?.range?);
        let base = self.links.get(side).copied().flatten();
        Some([format!("{file}:{}", position.line), code_of_place(&file, position.line as usize, base)])
    }
}

/// Returns the name of a part, with what it is unless it is an argument.
fn name(part: &PartChange) -> String {
    let name = if part.name.is_empty() { "order of the blocks".to_owned() } else { code(&part.name, MAX_SPAN) };
    let what = match part.what {
        PartKind::Block if part.name.is_empty() => "",
        PartKind::Argument => "",
        PartKind::Block => " block",
        PartKind::Label => " label",
    };
    format!("{name}{what}")
}

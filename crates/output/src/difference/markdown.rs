//! Writes a difference as a comment for a pull request, in GitHub Flavored Markdown.
//!
//! All text that comes from a file is put into code spans, which contain neither a line break nor a run of backticks as
//! long as the fence, and within a table no unescaped pipe; so it can neither end its span or cell nor be read as
//! Markdown, HTML or a mention. A long list is collapsed; its summary contains only our own words, because code spans
//! are not recognised there.

use super::super::excerpt::distinct;
use super::bounded::Bounded;
use super::findings::Findings;
use super::{
    Change, Contents, Counts, Difference, DifferenceKind, ItemChange, Locations, PartChange, PartKind, Side, counted,
    in_one_line, item_texts, place, sanitized,
};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_module::pipeline::Report;

/// The maximum number of characters (Unicode scalar values) in the comment: GitHub's limit for the body of a comment.
pub const MAX_MARKDOWN: usize = 65_536;

pub(super) const TITLE: &str = "### Configuration after merging\n\n";

/// The maximum number of characters of an expression, a name or a title.
const MAX: usize = 120;

/// A list with more entries than this is collapsed.
const MAX_OPEN: usize = 20;

const COLLAPSED_END: &str = "\n</details>\n";

pub(super) fn write(difference: &Difference<'_>) -> String {
    let mut comment = Bounded::new(MAX_MARKDOWN);
    comment.push(&headline(difference));
    Sections::of(difference).write(&mut comment);
    comment.finish()
}

/// A titled list of entries.
struct Section {
    /// The title; `None` if the section needs none.
    title: Option<&'static str>,
    /// Text above the entries: the head of a table.
    head: &'static str,
    /// The entries; each is a whole line.
    entries: List<String>,
    /// The number of further entries that were not kept.
    more: usize,
}

/// Everything that is reported about one module.
#[derive(Default)]
pub(super) struct Sections(Vec<Section>);

impl Sections {
    pub(super) fn of(difference: &Difference<'_>) -> Self {
        let Difference { before, after, changes, findings } = difference;
        let (moved, changes): (Vec<&Change>, Vec<&Change>) =
            changes.iter().partition(|change| change.act == DifferenceKind::Moved);
        let mut all = Self(Vec::new());
        all.add(
            None,
            "| | Object | Part | Before | After |\n| --- | --- | --- | --- | --- |\n",
            rows(difference, &changes),
        );
        all.add_findings([before, after], findings);
        let line = |change: &&Change| {
            let at = |report, side: &Option<Side>| at(report, side.as_ref()).unwrap_or_default();
            let (was, is) = (at(before, &change.sides.before), at(after, &change.sides.after));
            let places = distinct([&was, &is], MAX, str::to_owned);
            let [was, is] = places.map(|place| code(&place, place.chars().count()));
            format!("- {} from {was} to {is}\n", code(&change.address, MAX))
        };
        all.add(Some("Moved without effect"), "", moved.iter().map(line));
        all
    }

    /// Adds the diagnostics that appeared and vanished between two reports.
    pub(super) fn add_findings(&mut self, [before, after]: [&Report<'_>; 2], findings: &Findings) {
        for (title, report, list) in [
            ("Diagnostics that appeared", after, &findings.appeared),
            ("Diagnostics that vanished", before, &findings.vanished),
        ] {
            let lines = super::findings::lines(report, list);
            self.add(Some(title), "", lines.iter().map(|line| format!("- {}\n", code(line, MAX * 2))));
        }
    }

    /// Adds a section; only as much of it is kept as a comment can hold.
    pub(super) fn add(
        &mut self,
        title: Option<&'static str>,
        head: &'static str,
        entries: impl Iterator<Item = String>,
    ) {
        let mut section = Section { title, head, entries: List::new(), more: 0 };
        let mut characters = 0;
        for entry in entries.touched_by(String::len) {
            characters += entry.chars().count();
            if characters <= MAX_MARKDOWN {
                account::grow(entry.len() as u64);
                section.entries.push(entry);
            } else {
                section.more += 1;
            }
        }
        if !section.entries.is_empty() || section.more > 0 {
            self.0.push(section);
        }
    }

    /// The number of entries.
    pub(super) fn len(&self) -> usize {
        self.0.iter().map(|section| section.entries.len() + section.more).sum()
    }

    /// Adds the sections as far as there is room for them.
    pub(super) fn write(&self, comment: &mut Bounded) {
        for Section { title, head, entries, more } in &self.0 {
            let all = entries.len() + more;
            let is_long = all > MAX_OPEN;
            let opening = match title {
                title if is_long => {
                    format!("\n<details><summary>{} ({all})</summary>\n\n{head}", title.unwrap_or("Changes"))
                }
                Some(title) => format!("\n**{title}**\n\n{head}"),
                None => format!("\n{head}"),
            };
            let end = if is_long { COLLAPSED_END } else { "" };
            let least = entries.first().map_or(0, |entry| entry.chars().count());
            if !comment.has_room(opening.chars().count() + end.chars().count() + least) {
                comment.skip(all);
                continue;
            }
            comment.reserve(end);
            comment.push(&opening);
            for entry in entries {
                comment.entry(entry);
            }
            comment.skip(*more);
            comment.end(end);
        }
    }
}

/// Describes the dialects and versions of both sides if they differ.
pub(super) fn tools(before: (&str, &str), after: (&str, &str)) -> String {
    if before == after {
        return String::new();
    }
    let tool = |(name, version): (&str, &str)| code(&format!("{name} {version}"), MAX);
    format!("{} → {}: ", tool(before), tool(after))
}

/// Describes the counts of objects.
pub(super) fn objects(counts: Counts) -> String {
    format!("{} added, {} removed, {} changed", counted(counts.added, "object"), counts.removed, counts.changed)
}

/// Describes the counts of diagnostics, if there are any.
pub(super) fn diagnostics(appeared: usize, vanished: usize) -> String {
    if appeared + vanished == 0 {
        return String::new();
    }
    format!("; diagnostics: {appeared} appeared, {vanished} vanished")
}

fn headline(difference: &Difference<'_>) -> String {
    let Difference { before, after, findings, .. } = difference;
    let tools = tools((before.dialect.name, &before.version), (after.dialect.name, &after.version));
    let objects =
        if difference.is_different() { objects(difference.counts()) } else { "no difference in effect".to_owned() };
    let diagnostics = diagnostics(findings.appeared.len(), findings.vanished.len());
    format!("{TITLE}{tools}{objects}{diagnostics}.\n")
}

/// Returns a row for each object, and for each changed part of an object.
fn rows<'a>(difference: &'a Difference<'_>, changes: &'a [&Change]) -> impl Iterator<Item = String> + 'a {
    changes.iter().flat_map(move |change| {
        let whole = change.parts.is_empty().then(|| {
            let [before, after] = sides(difference, &change.sides, PartKind::Block).map(Option::unwrap_or_default);
            row([change.act.name(), &code(&change.address, MAX), "", &before, &after])
        });
        let parts = change.parts.iter().flat_map(move |part| {
            let items = part.items.iter().map(move |item| item_row(difference, change, part, item));
            std::iter::once(part_row(difference, change, part))
                .chain(contents(difference, change, &part.body))
                .chain(items)
        });
        whole.into_iter().chain(parts).chain(contents(difference, change, &change.body))
    })
}

/// Returns a row for each part of a block that exists on one side only.
fn contents<'a>(
    difference: &'a Difference<'_>,
    change: &'a Change,
    body: &'a Contents,
) -> impl Iterator<Item = String> + 'a {
    let more = (body.more > 0).then(|| {
        let more = format!("({} more)", body.more);
        row([change.act.name(), &code(&change.address, MAX), &more, "", ""])
    });
    body.parts.iter().map(move |part| part_row(difference, change, part)).chain(more)
}

/// Returns a row for an item of a list or an object that differs.
fn item_row(difference: &Difference<'_>, change: &Change, part: &PartChange, item: &ItemChange) -> String {
    let texts = item_texts(difference, item, MAX, cell);
    let [was, is] = texts.map(|text| text.map_or_else(String::new, |text| code(&text, text.chars().count())));
    let key = item.key.as_ref().map_or_else(String::new, |key| format!(" {}", code(key, MAX)));
    let name = format!("{} item{key}", code(&part.name, MAX));
    row([item.act.name(), &code(&change.address, MAX), &name, &was, &is])
}

/// Returns a row of a table.
pub(super) fn row(cells: [&str; 5]) -> String {
    let mut row = String::new();
    for text in cells {
        row.push_str("| ");
        row.push_str(&cell(text));
        row.push(' ');
    }
    row.push_str("|\n");
    row
}

/// Returns a text for a cell of a table, in which a pipe is escaped with a backslash, even in code spans.
pub(super) fn cell(text: &str) -> String {
    // A backslash before a pipe is removed when the table is read. Some readers take two of them for an escaped
    // backslash, and the pipe for the end of the cell.
    text.replace("\\|", "\\ |").replace('|', "\\|")
}

fn part_row(difference: &Difference<'_>, change: &Change, part: &PartChange) -> String {
    let [before, after] = sides(difference, &part.sides, part.what);
    let [file_before, file_after] = &part.sides.overrides;
    let cell = |side: Option<String>, file: &Option<String>| match (side, file) {
        (Some(side), _) => side,
        (None, Some(file)) => format!("removed by the override file {}", code(file, MAX)),
        (None, None) => String::new(),
    };
    let (before, after) = (cell(before, file_before), cell(after, file_after));
    let name = if part.name.is_empty() { "(order)".to_owned() } else { code(&part.name, MAX) };
    let what = match part.what {
        PartKind::Block if part.name.is_empty() => "",
        PartKind::Argument => "",
        PartKind::Block => " block",
        PartKind::Label => " label",
    };
    row([part.act.name(), &code(&change.address, MAX), &format!("{name}{what}"), &before, &after])
}

/// Describes the expressions on both sides, and their positions.
fn sides(difference: &Difference<'_>, sides: &Locations, what: PartKind) -> [Option<String>; 2] {
    let both = [sides.before.as_ref(), sides.after.as_ref()];
    let reports = [difference.before, difference.after];
    let expressions = in_one_line(reports, both, MAX, cell);
    let [before, after] = both;
    let [was, is] = reports;
    let [old, new] = expressions;
    let [by, also_by] = &sides.overrides;
    let describe = |side: Option<&Side>, report, expression: Option<String>, file: &Option<String>| {
        let mut words: Vec<String> = expression.map(|line| code(&line, line.chars().count())).into_iter().collect();
        words.extend((side?.is_block && what == PartKind::Argument).then(|| "a block".to_owned()));
        words.extend(at(report, side).map(|place| code_of_place(&place)));
        words.extend(file.as_ref().map(|_| "(override)".to_owned()));
        Some(words.join(" "))
    };
    [describe(before, was, old, by), describe(after, is, new, also_by)]
}

fn at(report: &Report<'_>, side: Option<&Side>) -> Option<String> {
    let (file, position) = place(report, side?.range?);
    Some(format!("{file}:{}", position.line))
}

/// Returns a place as a code span; of a long path, only the end.
pub(super) fn code_of_place(place: &str) -> String {
    match place.char_indices().rev().nth(MAX) {
        Some((at, cut)) => code(&format!("…{}", place.get(at + cut.len_utf8()..).unwrap_or_default()), MAX + 1),
        None => code(place, MAX),
    }
}

/// Returns a text as a code span (GitHub Flavored Markdown, 6.3), cut to `most` characters.
pub(super) fn code(text: &str, most: usize) -> String {
    let mut short = sanitized(&text.chars().take(most).collect::<String>());
    if text.chars().nth(most).is_some() {
        short.push('…');
    }
    let longest = short.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    let blank =
        if short.starts_with(['`', ' ']) || short.ends_with(['`', ' ']) || short.is_empty() { " " } else { "" };
    format!("{fence}{blank}{short}{blank}{fence}")
}

#[cfg(test)]
mod tests {
    use super::super::bounded::Bounded;
    use super::{MAX_MARKDOWN, Sections, code, row};

    #[test]
    fn nothing_ends_a_code_span() {
        assert_eq!(code("a", 9), "`a`");
        assert_eq!(code("a`b``c", 9), "```a`b``c```");
        assert_eq!(code("`", 9), "`` ` ``");
        assert_eq!(code("a|b", 9), "`a|b`");
        assert_eq!(code("a\nb\u{202e}", 9), "`a\u{fffd}b\u{fffd}`");
        assert_eq!(code("abcdef", 3), "`abc…`");
        assert_eq!(code("", 3), "`  `");
    }

    #[test]
    fn nothing_ends_a_cell() {
        assert_eq!(row(["a|b", r"`c\|d`", "", "", ""]), "| a\\|b | `c\\ \\|d` |  |  |  |\n");
    }

    #[test]
    fn a_comment_is_cut_at_whole_entries() {
        let entry = format!("- {}\n", "ä".repeat(1000));
        let mut sections = Sections(Vec::new());
        sections.add(Some("title"), "", std::iter::repeat_n(entry.clone(), 100));
        sections.add(Some("other"), "", std::iter::once("x".to_owned()));
        assert_eq!(sections.len(), 101);
        let mut comment = Bounded::new(MAX_MARKDOWN);
        sections.write(&mut comment);
        let text = comment.finish();
        assert!(text.chars().count() <= MAX_MARKDOWN);
        let whole = text.matches(&entry).count();
        assert!(whole >= 64, "{whole}");
        assert!(text.contains("<summary>title (100)</summary>"), "{text}");
        let end = format!("\n</details>\n\n{} more entries are not shown.\n", 101 - whole);
        assert!(text.ends_with(&end));
        assert!(!text.contains("other"));
    }
}

//! Writes a difference as a comment for a pull request, in GitHub Flavored Markdown.
//!
//! All text that comes from a file is put into code spans, which contain neither a line break nor a run of backticks as
//! long as the fence, and within a table no unescaped pipe; so it can neither end its span or cell nor be read as
//! Markdown, HTML or a mention. A long list is collapsed; its summary contains only our own words, because code spans
//! are not recognised there.

use super::bounded::Bounded;
use super::{Act, Change, Counts, Difference, PartChange, Side, counted, in_one_line, place, sanitized};
use crate::account;
use crate::pipeline::Report;

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
    entries: Vec<String>,
    /// The number of further entries that were not kept.
    more: usize,
}

/// Everything that is reported about one module.
pub(super) struct Sections(Vec<Section>);

impl Sections {
    pub(super) fn of(difference: &Difference<'_>) -> Self {
        let Difference { before, after, changes, findings } = difference;
        let (moved, changes): (Vec<&Change>, Vec<&Change>) =
            changes.iter().partition(|change| change.act == Act::Moved);
        let mut all = Self(Vec::new());
        all.add(
            None,
            "| | Object | Part | Before | After |\n| --- | --- | --- | --- | --- |\n",
            rows(difference, &changes),
        );
        for (title, report, list) in [
            ("Diagnostics that appeared", after, &findings.appeared),
            ("Diagnostics that vanished", before, &findings.vanished),
        ] {
            let lines = super::findings::lines(report, list);
            all.add(Some(title), "", lines.iter().map(|line| format!("- {}\n", code(line, MAX * 2))));
        }
        let line = |change: &&Change| {
            let at = |report, side: &Option<Side>| at(report, side.as_ref()).map(|place| code(&place, MAX));
            let (was, is) = (at(before, &change.sides.before), at(after, &change.sides.after));
            let (was, is) = (was.unwrap_or_default(), is.unwrap_or_default());
            format!("- {} from {was} to {is}\n", code(&change.address, MAX))
        };
        all.add(Some("Moved without effect"), "", moved.iter().map(line));
        all
    }

    /// Adds a section; only as much of it is kept as a comment can hold.
    fn add(&mut self, title: Option<&'static str>, head: &'static str, entries: impl Iterator<Item = String>) {
        let mut section = Section { title, head, entries: Vec::new(), more: 0 };
        let mut characters = 0;
        for entry in entries {
            account::touch(entry.len());
            characters += entry.chars().count();
            if characters <= MAX_MARKDOWN {
                account::grow(entry.len() as u64);
                account::push(&mut section.entries, entry);
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
            let [was, is] = &change.sides.overrides;
            let side = |side: &Option<Side>, report, file: &Option<String>| {
                side.as_ref().map(|side| describe_side(report, side, file.as_deref())).unwrap_or_default()
            };
            let before = side(&change.sides.before, difference.before, was);
            let after = side(&change.sides.after, difference.after, is);
            row([change.act.name(), &code(&change.address, MAX), "", &before, &after])
        });
        let parts = change.parts.iter().map(move |part| part_row(difference, change, part));
        whole.into_iter().chain(parts)
    })
}

/// Returns a row of a table. In its cells a pipe is escaped with a backslash, even in code spans.
fn row(cells: [&str; 5]) -> String {
    let mut row = String::new();
    for cell in cells {
        // A backslash before a pipe is removed when the table is read. Some readers take two of them for an escaped
        // backslash, and the pipe for the end of the cell.
        row.push_str("| ");
        row.push_str(&cell.replace("\\|", "\\ |").replace('|', "\\|"));
        row.push(' ');
    }
    row.push_str("|\n");
    row
}

fn part_row(difference: &Difference<'_>, change: &Change, part: &PartChange) -> String {
    let side = |side: Option<&Side>, report, file: &Option<String>| match (side, file) {
        (Some(side), file) => describe_side(report, side, file.as_deref()),
        (None, Some(file)) => format!("removed by the override file {}", code(file, MAX)),
        (None, None) => String::new(),
    };
    let [was, is] = &part.sides.overrides;
    let before = side(part.sides.before.as_ref(), difference.before, was);
    let after = side(part.sides.after.as_ref(), difference.after, is);
    let name = if part.name.is_empty() { "(order)".to_owned() } else { code(&part.name, MAX) };
    let what = if part.is_block && !part.name.is_empty() { " block" } else { "" };
    row([part.act.name(), &code(&change.address, MAX), &format!("{name}{what}"), &before, &after])
}

/// Describes the expression on one side, and its position.
fn describe_side(report: &Report<'_>, side: &Side, overriding: Option<&str>) -> String {
    let mut words = Vec::new();
    words.extend(side.expression.map(|expression| code(&in_one_line(report, expression, MAX), MAX + 2)));
    words.extend(at(report, Some(side)).map(|place| code(&place, MAX)));
    if overriding.is_some() {
        words.push("(override)".to_owned());
    }
    words.join(" ")
}

fn at(report: &Report<'_>, side: Option<&Side>) -> Option<String> {
    let (file, position) = place(report, side?.range?);
    Some(format!("{file}:{}", position.line))
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

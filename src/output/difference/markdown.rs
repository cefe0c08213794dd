//! The difference as a comment for a pull request, in GitHub's dialect of Markdown.
//!
//! Everything that comes from a file stands in code spans, which hold no line break, no pipe without a backslash and no
//! run of backticks as long as the fence; so nothing in it ends its cell or is read as Markdown, HTML or a mention.

use std::fmt::Write as _;

use super::{Act, Change, Difference, PartChange, Side, counted, harmless, in_one_line, place};
use crate::account;
use crate::pipeline::Report;

/// The most characters (Unicode scalar values) of the comment: what GitHub takes as the body of one.
pub const MOST_MARKDOWN: usize = 65_536;

/// The most characters of an expression, a name or a title.
const MOST: usize = 120;

/// Room for the line that says what is left out.
const CLOSING: usize = 100;

pub(super) fn write(difference: &Difference<'_>) -> String {
    let Difference { before, after, changes, findings } = difference;
    let mut comment = Comment { text: String::new(), characters: 0, left_out: 0 };
    comment.always(&headline(difference));
    let (moved, changes): (Vec<&Change>, Vec<&Change>) = changes.iter().partition(|change| change.act == Act::Moved);
    comment.section(
        "\n| | Object | Part | Before | After |\n| --- | --- | --- | --- | --- |\n",
        rows(difference, &changes),
    );
    for (title, report, list) in [
        ("\n**Diagnostics that appeared**\n\n", after, &findings.appeared),
        ("\n**Diagnostics that vanished**\n\n", before, &findings.vanished),
    ] {
        let lines = super::findings::lines(report, list);
        comment.section(title, lines.iter().map(|line| format!("- {}\n", code(line, MOST * 2))));
    }
    let line = |change: &&Change| {
        let (was, is) = (at(before, change.sides.before.as_ref()), at(after, change.sides.after.as_ref()));
        format!("- {} from {was} to {is}\n", code(&change.address, MOST))
    };
    comment.section("\n**Moved without effect**\n\n", moved.iter().map(line));
    comment.finish()
}

fn headline(difference: &Difference<'_>) -> String {
    let Difference { before, after, .. } = difference;
    let counts = difference.counts();
    let mut text = "### Configuration after merging\n\n".to_owned();
    if before.dialect.name != after.dialect.name || before.version != after.version {
        let tool = |report: &Report<'_>| code(&format!("{} {}", report.dialect.name, report.version), MOST);
        // Writing to a string does not fail.
        let _ = write!(text, "{} → {}: ", tool(before), tool(after));
    }
    if difference.is_different() {
        let _ = write!(
            text,
            "{} added, {} removed, {} changed",
            counted(counts.added, "object"),
            counts.removed,
            counts.changed
        );
    } else {
        text.push_str("no difference in effect");
    }
    let (appeared, vanished) = (difference.findings.appeared.len(), difference.findings.vanished.len());
    if appeared + vanished > 0 {
        let _ = write!(text, "; diagnostics: {appeared} appeared, {vanished} vanished");
    }
    text.push_str(".\n");
    text
}

/// A row for each object, and for each part of one that is changed.
fn rows<'a>(difference: &'a Difference<'_>, changes: &'a [&Change]) -> impl Iterator<Item = String> + 'a {
    changes.iter().flat_map(move |change| {
        let whole = change.parts.is_empty().then(|| {
            let before = change
                .sides
                .before
                .as_ref()
                .map(|side| cell(difference.before, side, change.sides.overrides[0].as_deref()));
            let after = change
                .sides
                .after
                .as_ref()
                .map(|side| cell(difference.after, side, change.sides.overrides[1].as_deref()));
            let (before, after) = (before.unwrap_or_default(), after.unwrap_or_default());
            format!("| {} | {} | | {before} | {after} |\n", change.act.name(), code(&change.address, MOST))
        });
        let parts = change.parts.iter().map(move |part| row(difference, change, part));
        whole.into_iter().chain(parts)
    })
}

fn row(difference: &Difference<'_>, change: &Change, part: &PartChange) -> String {
    let side = |side: Option<&Side>, report, file: &Option<String>| match (side, file) {
        (Some(side), file) => cell(report, side, file.as_deref()),
        (None, Some(file)) => format!("removed by the override file {}", code(file, MOST)),
        (None, None) => String::new(),
    };
    let [was, is] = &part.sides.overrides;
    let before = side(part.sides.before.as_ref(), difference.before, was);
    let after = side(part.sides.after.as_ref(), difference.after, is);
    let name = if part.name.is_empty() { String::new() } else { code(&part.name, MOST) };
    let what = if part.is_block && !name.is_empty() { " block" } else { "" };
    let address = code(&change.address, MOST);
    format!("| {} | {address} | {name}{what} | {before} | {after} |\n", part.act.name())
}

/// What one side says, and where.
fn cell(report: &Report<'_>, side: &Side, overriding: Option<&str>) -> String {
    let mut words = Vec::new();
    words.extend(side.expression.map(|expression| code(&in_one_line(report, expression, MOST), MOST + 2)));
    words.push(at(report, Some(side)));
    if overriding.is_some() {
        words.push("(override)".to_owned());
    }
    words.retain(|word| !word.is_empty());
    words.join(" ")
}

fn at(report: &Report<'_>, side: Option<&Side>) -> String {
    let Some(range) = side.and_then(|side| side.range) else { return String::new() };
    let (file, position) = place(report, range);
    code(&format!("{file}:{}", position.line), MOST)
}

/// A text of at most `most` characters as a code span inside of a table (GitHub Flavored Markdown, 4.10 and 6.3).
fn code(text: &str, most: usize) -> String {
    let mut short = harmless(&text.chars().take(most).collect::<String>());
    if text.chars().nth(most).is_some() {
        short.push('…');
    }
    let longest = short.split(|c| c != '`').map(str::len).max().unwrap_or_default();
    let fence = "`".repeat(longest + 1);
    // A backslash before a pipe is taken away again where the table is read. Two of them some readers take for one that
    // is meant, and the pipe for the end of the cell.
    let escaped = short.replace("\\|", "\\ |").replace('|', "\\|");
    let blank =
        if escaped.starts_with(['`', ' ']) || escaped.ends_with(['`', ' ']) || escaped.is_empty() { " " } else { "" };
    format!("{fence}{blank}{escaped}{blank}{fence}")
}

/// A text that never gets longer than [`MOST_MARKDOWN`].
struct Comment {
    text: String,
    characters: usize,
    /// Entries that have found no room.
    left_out: usize,
}

impl Comment {
    /// Adds what has to be there.
    fn always(&mut self, text: &str) {
        account::grow(text.len() as u64);
        account::touch(text.len());
        self.characters += text.chars().count();
        self.text.push_str(text);
    }

    /// Adds entries below a title while there is room for them; nothing where there is none. Once one has found no room,
    /// nothing that comes after it is shown.
    fn section(&mut self, title: &str, entries: impl Iterator<Item = String>) {
        let mut title = Some(title);
        for entry in entries {
            account::touch(entry.len());
            let length = entry.chars().count() + title.map_or(0, |title| title.chars().count());
            if self.left_out > 0 || self.characters + length + CLOSING > MOST_MARKDOWN {
                self.left_out += 1;
                continue;
            }
            if let Some(title) = title.take() {
                self.always(title);
            }
            self.always(&entry);
        }
    }

    fn finish(mut self) -> String {
        if self.left_out > 0 {
            let lines = if self.left_out == 1 { "entry is" } else { "entries are" };
            let closing = format!("\n{} more {lines} not shown.\n", self.left_out);
            self.always(&closing);
        }
        self.text
    }
}

#[cfg(test)]
mod tests {
    use super::{Comment, MOST_MARKDOWN, code};

    #[test]
    fn nothing_ends_a_code_span_or_a_cell() {
        assert_eq!(code("a", 9), "`a`");
        assert_eq!(code("a`b``c", 9), "```a`b``c```");
        assert_eq!(code("`", 9), "`` ` ``");
        assert_eq!(code("a|b", 9), r"`a\|b`");
        assert_eq!(code(r"a\|b", 9), r"`a\ \|b`");
        assert_eq!(code("a\nb\u{202e}", 9), "`a\u{fffd}b\u{fffd}`");
        assert_eq!(code("abcdef", 3), "`abc…`");
        assert_eq!(code("", 3), "`  `");
    }

    #[test]
    fn a_comment_is_cut_at_whole_entries() {
        let mut comment = Comment { text: String::new(), characters: 0, left_out: 0 };
        let entry = format!("- {}\n", "ä".repeat(1000));
        comment.section("title\n", std::iter::repeat_n(entry.clone(), 100));
        comment.section("other\n", std::iter::once("x".to_owned()));
        let text = comment.finish();
        assert!(text.chars().count() <= MOST_MARKDOWN);
        let whole = text.matches(&entry).count();
        assert!(whole >= 64, "{whole}");
        assert!(text.ends_with(&format!("\n{} more entries are not shown.\n", 101 - whole)));
        assert!(!text.contains("other"));
    }
}

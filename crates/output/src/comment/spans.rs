//! Text of a file within Markdown.
//!
//! It is put into code spans, which contain neither a line break nor a run of backticks as long as the fence; so it can
//! neither end its span nor be read as Markdown, HTML or a mention. Two spans never touch each other.

use super::LinkBase;
use crate::plain::sanitized;

/// The maximum number of characters of an expression, a name or a title.
pub(crate) const MAX_SPAN: usize = 120;

/// Returns a text as a code span (GitHub Flavored Markdown, 6.3), cut to `most` characters.
pub(crate) fn code(text: &str, most: usize) -> String {
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

/// Returns a place as a code span, as a link if there is an address for it; of a long path, only the end is shown.
pub(crate) fn code_of_place(file: &str, line: usize, base: Option<&LinkBase>) -> String {
    let place = format!("{file}:{line}");
    let shown = match place.char_indices().rev().nth(MAX_SPAN) {
        Some((at, cut)) => code(&format!("…{}", place.get(at + cut.len_utf8()..).unwrap_or_default()), MAX_SPAN + 1),
        None => code(&place, MAX_SPAN),
    };
    match base.and_then(|base| base.to(file, line)) {
        Some(address) => format!("[{shown}]({address})"),
        None => shown,
    }
}

/// Returns a text for a cell of a table, in which a pipe is escaped with a backslash, even in code spans.
pub(crate) fn cell(text: &str) -> String {
    // A backslash before a pipe is removed when the table is read. Some readers take two of them for an escaped
    // backslash, and the pipe for the end of the cell.
    text.replace("\\|", "\\ |").replace('|', "\\|")
}

/// `1 object`, `2 objects`.
pub(crate) fn counted(count: usize, what: &str) -> String {
    format!("{count} {what}{}", if count == 1 { "" } else { "s" })
}

/// Joins counts with what they count: `1 object added, 2 changed`. What is zero is left out; the noun stands with the first
/// one. Empty if all are zero.
pub(crate) fn counts(noun: &str, counts: &[(usize, &str)]) -> String {
    let mut words: Vec<String> = Vec::new();
    for (count, what) in counts.iter().filter(|(count, _)| *count > 0) {
        words.push(if words.is_empty() {
            format!("{} {what}", counted(*count, noun))
        } else {
            format!("{count} {what}")
        });
    }
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::{LinkBase, cell, code, code_of_place, counts};

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
        assert_eq!(cell("a|b"), "a\\|b");
        assert_eq!(cell(r"`c\|d`"), r"`c\ \|d`");
    }

    #[test]
    fn a_place_is_a_link_if_there_is_an_address() {
        let base = LinkBase::parse("https://example.org/o/r/blob/1a2b/").unwrap();
        assert_eq!(code_of_place("a.tf", 3, None), "`a.tf:3`");
        assert_eq!(
            code_of_place("x y/](evil)/ä`.tf", 3, Some(&base)),
            "[``x y/](evil)/ä`.tf:3``](https://example.org/o/r/blob/1a2b/x%20y/%5D%28evil%29/%C3%A4%60.tf#L3)"
        );
        let long = format!("{}/main.tf", "x".repeat(200));
        assert!(code_of_place(&long, 3, None).starts_with("`…xxx"));
    }

    #[test]
    fn zeros_are_left_out() {
        assert_eq!(
            counts("object", &[(0, "added"), (2, "removed"), (0, "changed"), (1, "moved")]),
            "2 objects removed, 1 moved"
        );
        assert_eq!(counts("object", &[(0, "added")]), "");
    }
}

//! Changes of texts.

use overfold_base::account;
use overfold_base::diag::{SourceId, Span, TextRange};
use overfold_module::replacement::TemplateText;

use super::super::config::quoted;
use super::literal::in_template;

/// Replaces a range of a source with a text.
#[derive(Debug)]
pub(super) struct Edit {
    pub(super) source: SourceId,
    range: TextRange,
    with: String,
}

impl Edit {
    pub(super) const fn new(at: Span, with: String) -> Self {
        Self { source: at.source, range: at.range(), with }
    }
}

/// Returns a text with changes applied. Of two that overlap, the first one applies.
pub(super) fn apply(text: &[u8], mut edits: Vec<Edit>) -> Vec<u8> {
    account::touch(text.len());
    account::work(edits.len() as u64 * 4);
    edits.sort_by_key(|edit| (edit.range.start, std::cmp::Reverse(edit.range.end)));
    let added: usize = edits.iter().map(|edit| edit.with.len()).sum();
    account::grow((text.len() + added) as u64);
    let mut out = Vec::with_capacity(text.len() + added);
    let mut at = 0;
    for edit in edits {
        let range = edit.range.indexes();
        if range.start < at {
            continue;
        }
        out.extend_from_slice(text.get(at..range.start).unwrap_or_default());
        out.extend_from_slice(edit.with.as_bytes());
        at = range.end;
    }
    out.extend_from_slice(text.get(at..).unwrap_or_default());
    out
}

/// Returns the range of an interpolation around a reference, and what is written in place of both; `None` if the
/// interpolation must stay, because the text would not mean the same without it.
pub(super) fn interpolation(
    text: &[u8],
    reference: TextRange,
    form: TemplateText,
    value: &str,
) -> Option<(TextRange, String)> {
    let range = reference.indexes();
    let before = text.get(..range.start)?;
    let after = text.get(range.end..)?;
    let is_blank = |byte: &&u8| matches!(byte, b' ' | b'\t');
    let (left, right) = (before.iter().rev().take_while(is_blank).count(), after.iter().take_while(is_blank).count());
    account::touch(left + right);
    let before = before.get(..before.len() - left)?.strip_suffix(b"${")?;
    let after = after.get(right..)?.strip_prefix(b"}")?;
    let marks = |byte: Option<&u8>| matches!(byte, Some(b'$' | b'%'));
    // A mark and a brace that come together would begin something.
    let joins_left = marks(before.last()) && (value.is_empty() || value.starts_with('{'));
    let joins_right = value.ends_with(['$', '%']) && matches!(after.first(), Some(b'{' | b'$' | b'%'));
    if joins_left || joins_right {
        return None;
    }
    let with = match form {
        TemplateText::Quoted => quoted(value, false),
        TemplateText::Heredoc if !stays_within_line(before, after, value) => return None,
        TemplateText::Heredoc | TemplateText::Plain => in_template(value),
    };
    let start = u32::try_from(before.len()).ok()?;
    let end = u32::try_from(text.len() - after.len()).ok()?;
    Some((TextRange::new(start, end), with))
}

/// Whether a text can be a part of a line of a heredoc: it does not change how the lines are indented, and the line
/// cannot become the one that ends the heredoc, which is a single word.
fn stays_within_line(before: &[u8], after: &[u8], value: &str) -> bool {
    if value.is_empty() || value.contains(char::is_control) || value.starts_with(char::is_whitespace) {
        return false;
    }
    // Other interpolations may be replaced, too; their names and brackets say nothing.
    let is_certain = |byte: &u8| b"=:/#(),;<>'!\\@&|+?".contains(byte);
    let start = memchr::memrchr(b'\n', before).map_or(0, |at| at + 1);
    let end = memchr::memchr(b'\n', after).unwrap_or(after.len());
    let (left, right) = (before.get(start..).unwrap_or_default(), after.get(..end).unwrap_or_default());
    account::touch(left.len() + right.len());
    let is_word_before = left.last().is_some_and(u8::is_ascii_whitespace) && !left.trim_ascii().is_empty();
    let is_word_after = right.first().is_some_and(u8::is_ascii_whitespace) && !right.trim_ascii().is_empty();
    is_word_before || is_word_after || left.iter().chain(right).any(is_certain)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn replaced(text: &str, form: TemplateText, value: &str) -> Option<String> {
        let start = text.find("var.x").unwrap() as u32;
        let (range, with) = interpolation(text.as_bytes(), TextRange::new(start, start + 5), form, value)?;
        let edit = Edit { source: SourceId::NOWHERE, range, with };
        Some(String::from_utf8(apply(text.as_bytes(), vec![edit])).unwrap())
    }

    #[test]
    fn text_takes_the_place_of_an_interpolation() {
        let quoted = |text, value| replaced(text, TemplateText::Quoted, value);
        assert_eq!(quoted("\"a-${ var.x }-b\"", "p\"${q}\n").unwrap(), "\"a-p\\\"$${q}\\n-b\"");
        assert_eq!(quoted("\"${~ var.x ~}\"", "p"), None);
        assert_eq!(quoted("\"${f(var.x)}\"", "p"), None);
        let plain = |text, value| replaced(text, TemplateText::Plain, value);
        assert_eq!(plain("${var.x}", " \"%{q}\n").unwrap(), " \"%%{q}\n");
    }

    #[test]
    fn an_interpolation_stays_if_text_would_begin_one() {
        for (text, value) in
            [("a%${var.x}b", "{c"), ("a%${var.x}{b", ""), ("${var.x}{b}", "$"), ("${var.x}${y}", "%$")]
        {
            assert_eq!(replaced(text, TemplateText::Quoted, value), None, "{text}");
            assert_eq!(replaced(text, TemplateText::Plain, value), None, "{text}");
        }
    }

    #[test]
    fn an_interpolation_stays_if_a_line_of_a_heredoc_would_change() {
        let plain = |text: &str, value| replaced(text, TemplateText::Heredoc, value);
        assert_eq!(plain("<<-E\n  a = ${var.x}\n  E\n", "b").unwrap(), "<<-E\n  a = b\n  E\n");
        assert_eq!(plain("<<-E\n  run ${var.x}\n  E\n", "b").unwrap(), "<<-E\n  run b\n  E\n");
        for value in ["", " b", "b\nc"] {
            assert_eq!(plain("<<-E\n  a = ${var.x}\n  E\n", value), None, "{value:?}");
        }
        for line in ["${var.x}", "  ${var.x}  ", "a${var.x}", "${var.y[\"a\"]}${var.x}"] {
            assert_eq!(plain(&format!("<<E\n{line}\nE\n"), "E"), None, "{line}");
        }
    }
}

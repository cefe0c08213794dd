//! Changes to a text at byte offsets, and the boundaries of lines.

use crate::account;
use crate::diag::TextRange;

/// Replaces a hidden value.
pub(super) const REDACTED: &str = "null /* redacted */";

/// Replaces bytes `start..end` (0-based, half-open) with a text.
#[derive(Debug)]
pub(super) struct Patch {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) with: String,
}

impl Patch {
    pub(super) fn new(range: std::ops::Range<usize>, with: impl Into<String>) -> Self {
        Self { start: range.start, end: range.end, with: with.into() }
    }

    pub(super) fn insert(at: usize, with: impl Into<String>) -> Self {
        Self::new(at..at, with)
    }
}

/// Returns the bytes of `range` with the patches applied and the masked ranges replaced by `marker`. If patches
/// overlap, the first one applies; a mask within a replaced range has no effect.
pub(super) fn apply(
    text: &[u8],
    range: std::ops::Range<usize>,
    mut patches: Vec<Patch>,
    masks: &[TextRange],
    marker: &str,
) -> Vec<u8> {
    account::touch(range.len());
    account::work((patches.len() + masks.len()) as u64 * 4);
    patches.extend(masks.iter().map(|mask| Patch::new(mask.indexes(), marker)));
    // The sort is stable: a patch comes before a mask at the same position.
    patches.sort_by_key(|patch| patch.start);
    let mut out = Vec::with_capacity(range.len());
    let mut at = range.start;
    for patch in patches {
        if patch.start < at {
            at = at.max(patch.end);
            continue;
        }
        out.extend_from_slice(text.get(at..patch.start).unwrap_or_default());
        account::grow(patch.with.len() as u64);
        out.extend_from_slice(patch.with.as_bytes());
        at = patch.end.max(patch.start);
    }
    out.extend_from_slice(text.get(at..range.end.max(at)).unwrap_or_default());
    account::grow(out.len() as u64);
    out
}

/// Returns the start of the line that contains `at`.
pub(super) fn line_start(text: &[u8], at: usize) -> usize {
    let before = text.get(..at).unwrap_or_default();
    before.iter().rposition(|&byte| byte == b'\n').map_or(0, |newline| newline + 1)
}

/// Returns the end of the line that contains `at`: its line feed, or the end of the text.
pub(super) fn line_end(text: &[u8], at: usize) -> usize {
    let after = text.get(at..).unwrap_or_default();
    after.iter().position(|&byte| byte == b'\n').map_or(text.len(), |newline| at + newline)
}

/// Whether a text has several lines, and its line ending.
pub(super) fn lines_of(text: &[u8]) -> (bool, &'static str) {
    let first = text.iter().position(|&byte| byte == b'\n');
    let before = first.and_then(|first| text.get(first.checked_sub(1)?));
    (first.is_some(), if before == Some(&b'\r') { "\r\n" } else { "\n" })
}

/// The indentation of the line that contains `at`.
pub(super) fn indent(text: &[u8], at: usize) -> String {
    let start = line_start(text, at);
    let blanks = text.get(start..at).unwrap_or_default().iter().take_while(|byte| matches!(byte, b' ' | b'\t'));
    blanks.map(|&byte| char::from(byte)).collect()
}

/// Whether a range contains only white space.
pub(super) fn is_blank(text: &[u8], range: std::ops::Range<usize>) -> bool {
    text.get(range).unwrap_or_default().iter().all(u8::is_ascii_whitespace)
}

/// Returns the patch that removes an item: its whole lines if nothing else is on them, including a trailing comment.
pub(super) fn removal(text: &[u8], item: TextRange) -> Patch {
    let item = item.indexes();
    let (start, end) = (line_start(text, item.start), line_end(text, item.end));
    let rest = text.get(item.end..end).unwrap_or_default().trim_ascii();
    let is_rest = rest.is_empty() || rest == b"," || rest.starts_with(b"#") || rest.starts_with(b"//");
    if !is_rest || !is_blank(text, start..item.start) {
        let comma = usize::from(rest.starts_with(b",")) * (end - item.end);
        let after = text.get(item.end..item.end + comma).unwrap_or_default();
        let comma = after.iter().position(|&byte| byte == b',').map_or(0, |at| at + 1);
        return Patch::new(item.start..item.end + comma, "");
    }
    let mut end = (end + 1).min(text.len());
    // Of two empty lines that would become adjacent, one is removed as well.
    let before = start == 0 || is_blank(text, line_start(text, start - 1)..start);
    let after = line_end(text, end);
    if before && end < text.len() && is_blank(text, end..after) {
        end = (after + 1).min(text.len());
    }
    Patch::new(start..end, "")
}

/// Puts a value (or a whole argument) in place of `item`, in a body whose closing brace is at `close`. A heredoc ends
/// with its line, so that the text after it moves to the next line; a one-line body must then be broken after its
/// content as well ([`append`]).
pub(super) fn in_place(
    text: &[u8],
    item: std::ops::Range<usize>,
    is_one_line: bool,
    close: usize,
    mut with: String,
) -> Patch {
    let mut end = item.end;
    let breaks_behind = is_one_line && is_blank(text, end..close);
    let rest = text.get(end..line_end(text, end)).unwrap_or_default();
    let ends_line = rest.trim_ascii().is_empty() && line_end(text, end) < text.len();
    if with.contains("<<") && with.contains('\n') && !breaks_behind && !ends_line {
        end += rest.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
        with.push('\n');
        with.push_str(&indent(text, item.start));
    }
    Patch::new(item.start..end, with)
}

/// Whether the body between two braces is on one line.
pub(super) fn is_one_line(text: &[u8], open: TextRange, close: TextRange) -> bool {
    !text.get(open.indexes().end..close.indexes().start).unwrap_or_default().contains(&b'\n')
}

/// Appends items to the body between two braces, each on its own lines. `breaks` means that the body must not stay on
/// one line in any case.
pub(super) fn append(text: &[u8], open: TextRange, close: TextRange, items: &[String], breaks: bool) -> Vec<Patch> {
    let inner = open.indexes().end..close.indexes().start;
    let (_, newline) = lines_of(text);
    let outer = indent(text, close.indexes().start.min(line_end(text, open.indexes().start)));
    let content = text.get(inner.clone()).unwrap_or_default();
    let blanks = |bytes: &[u8]| bytes.len() - bytes.trim_ascii_start().len();
    let step = "  ";
    let own = if is_blank(text, inner.clone()) { None } else { Some(inner.start + blanks(content)) };
    let child = match own {
        Some(first) if line_start(text, first) > open.indexes().start => indent(text, first),
        _ => format!("{outer}{step}"),
    };
    let mut lines = String::new();
    for item in items {
        lines.push_str(&child);
        lines.push_str(item);
        lines.push_str(newline);
    }
    let one_line = !content.contains(&b'\n');
    if one_line && (breaks || !items.is_empty()) {
        let Some(first) = own else {
            return vec![Patch::new(inner, format!("{newline}{lines}{outer}"))];
        };
        let last = inner.start + content.trim_ascii_end().len();
        return vec![
            Patch::new(inner.start..first, format!("{newline}{child}")),
            Patch::new(last..inner.end, format!("{newline}{lines}{outer}")),
        ];
    }
    if items.is_empty() {
        return Vec::new();
    }
    let close_line = line_start(text, inner.end);
    if is_blank(text, close_line..inner.end) {
        vec![Patch::insert(close_line, lines)]
    } else {
        vec![Patch::insert(inner.end, format!("{newline}{lines}{outer}"))]
    }
}

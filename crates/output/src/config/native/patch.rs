//! Changes to a text at byte offsets, and the boundaries of lines.

use std::ops::Range;

use bytes::Bytes;

use super::super::super::redaction::Cut;
use overfold_base::account::{self, ChargedIterator, ChargedSort, ChargedText};
use overfold_base::diag::TextRange;

/// Replaces bytes `start..end` (0-based, half-open) with a text.
#[derive(Debug)]
pub(super) struct Patch {
    pub(super) start: usize,
    pub(super) end: usize,
    pub(super) with: String,
}

impl Patch {
    pub(super) fn new(range: Range<usize>, with: impl Into<String>) -> Self {
        Self { start: range.start, end: range.end, with: with.into() }
    }

    pub(super) fn insert(at: usize, with: impl Into<String>) -> Self {
        Self::new(at..at, with)
    }
}

/// Returns the bytes of `range` with the patches and cuts applied. If patches overlap, the first one applies. A cut has no
/// effect if a patch replaces a part of it.
pub(super) fn apply(text: &[u8], range: Range<usize>, mut patches: Vec<Patch>, cuts: &[Cut]) -> Vec<u8> {
    account::touch(range.len());
    patches.charged_sort_by_key(4, |patch| patch.start);
    let is_patched = |cut: &&Cut| {
        let Cut { range, .. } = cut;
        let at = patches.partition_point(|patch| patch.start < range.indexes().start);
        patches.get(at).is_some_and(|patch| patch.start < range.indexes().end)
    };
    let cuts: Vec<Patch> = cuts
        .iter()
        .filter(|cut| !is_patched(cut))
        .map(|cut| Patch::new(cut.range.indexes(), cut.with.as_ref()))
        .collect();
    patches.extend(cuts);
    // The sort is stable: a patch comes before a cut at the same position.
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

/// The maximum length in bytes of an indentation that is repeated in front of other lines. A longer one belongs to no
/// layout, and repeating it would make the result larger than the files.
const MAX_INDENT: usize = 256;

/// A text with the places of its line feeds, which are searched for once.
pub(super) struct Text {
    bytes: Bytes,
    /// The offsets of all line feeds, ascending.
    feeds: Vec<u32>,
}

impl Text {
    pub(super) fn new(bytes: &Bytes) -> Self {
        let feeds: Vec<u32> = memchr::memchr_iter(b'\n', bytes.touched()).map(|at| at as u32).collect();
        account::work(feeds.len() as u64 / 4);
        Self { bytes: bytes.clone(), feeds }
    }

    fn get(&self, range: Range<usize>) -> &[u8] {
        self.bytes.get(range).unwrap_or_default()
    }

    /// The number of line feeds before `at`.
    fn feeds_before(&self, at: usize) -> usize {
        account::work(1);
        self.feeds.partition_point(|&feed| (feed as usize) < at)
    }

    /// Returns the start of the line that contains `at`.
    fn line_start(&self, at: usize) -> usize {
        let last = self.feeds_before(at).checked_sub(1).and_then(|last| self.feeds.get(last));
        last.map_or(0, |&feed| feed as usize + 1)
    }

    /// Returns the end of the line that contains `at`: its line feed, or the end of the text.
    fn line_end(&self, at: usize) -> usize {
        self.feeds.get(self.feeds_before(at)).map_or(self.bytes.len(), |&feed| feed as usize)
    }

    /// Whether there are several lines.
    pub(super) fn has_lines(&self) -> bool {
        !self.feeds.is_empty()
    }

    /// Whether a range contains a line feed.
    pub(super) fn has_feed(&self, range: Range<usize>) -> bool {
        self.feeds.get(self.feeds_before(range.start)).is_some_and(|&feed| (feed as usize) < range.end)
    }

    /// The line ending.
    pub(super) fn newline(&self) -> &'static str {
        let before = self.feeds.first().and_then(|&first| self.bytes.get((first as usize).checked_sub(1)?));
        if before == Some(&b'\r') { "\r\n" } else { "\n" }
    }

    /// The indentation of the line that contains `at`, which is shortened if it is very long.
    pub(super) fn indent(&self, at: usize) -> String {
        let start = self.line_start(at);
        let blanks = self.get(start..at).iter().take(MAX_INDENT).take_while(|byte| matches!(byte, b' ' | b'\t'));
        blanks.map(|&byte| char::from(byte)).collect()
    }

    /// Whether only white space is between the start of a line and `at`, and some.
    pub(super) fn is_indented(&self, at: usize) -> bool {
        let start = self.line_start(at);
        start < at && self.is_blank(start..at)
    }

    /// Whether a range contains only white space.
    fn is_blank(&self, range: Range<usize>) -> bool {
        let length = range.len();
        leading_blanks(self.get(range)) >= length
    }

    /// Whether the body between two braces is on one line.
    pub(super) fn is_one_line(&self, open: TextRange, close: TextRange) -> bool {
        !self.has_feed(open.indexes().end..close.indexes().start)
    }

    /// Returns the patch that removes an item: its whole lines if nothing else is on them, including a trailing
    /// comment.
    pub(super) fn removal(&self, item: TextRange) -> Patch {
        let item = item.indexes();
        let (start, end) = (self.line_start(item.start), self.line_end(item.end));
        let behind = self.get(item.end..end);
        let blanks = leading_blanks(behind);
        let (_, rest) = behind.split_at(blanks);
        let is_comma = rest.first() == Some(&b',');
        let is_rest = rest.is_empty()
            || rest.strip_prefix(b",").is_some_and(|behind| leading_blanks(behind) == behind.len())
            || rest.starts_with(b"#")
            || rest.starts_with(b"//");
        if !is_rest || !self.is_blank(start..item.start) {
            let comma = if is_comma { blanks + 1 } else { 0 };
            return Patch::new(item.start..item.end + comma, "");
        }
        let mut end = (end + 1).min(self.bytes.len());
        // Of two empty lines that would become adjacent, one is removed as well.
        let before = start == 0 || self.is_blank(self.line_start(start - 1)..start);
        let after = self.line_end(end);
        if before && end < self.bytes.len() && self.is_blank(end..after) {
            end = (after + 1).min(self.bytes.len());
        }
        Patch::new(start..end, "")
    }

    /// Puts a value (or a whole argument) in place of `item`, in a body whose closing brace is at `close`. A heredoc
    /// ends with its line, so that the text after it moves to the next line; a one-line body must then be broken after
    /// its content as well ([`Self::append`]).
    pub(super) fn in_place(&self, item: Range<usize>, is_one_line: bool, close: usize, mut with: String) -> Patch {
        let mut end = item.end;
        if with.touched().contains("<<") && with.contains('\n') {
            let breaks_behind = is_one_line && self.is_blank(end..close);
            let rest = self.get(end..self.line_end(end));
            let blanks = leading_blanks(rest);
            let ends_line = blanks == rest.len() && self.line_end(end) < self.bytes.len();
            if !breaks_behind && !ends_line {
                let (blanks, _) = rest.split_at(blanks);
                end += blanks.iter().take_while(|byte| matches!(byte, b' ' | b'\t')).count();
                with.push('\n');
                with.push_str(&self.indent(item.start));
            }
        }
        Patch::new(item.start..end, with)
    }

    /// Appends items to the body between two braces, each on its own lines. `breaks` means that the body must not stay
    /// on one line in any case.
    pub(super) fn append(&self, open: TextRange, close: TextRange, items: &[String], breaks: bool) -> Vec<Patch> {
        let one_line = self.is_one_line(open, close);
        if items.is_empty() && !(one_line && breaks) {
            return Vec::new();
        }
        let inner = open.indexes().end..close.indexes().start;
        let newline = self.newline();
        let outer = self.indent(close.indexes().start.min(self.line_end(open.indexes().start)));
        let content = self.get(inner.clone());
        let blanks = leading_blanks(content);
        let own = (blanks < content.len()).then_some(inner.start + blanks);
        let child = match own {
            Some(first) if self.line_start(first) > open.indexes().start => self.indent(first),
            _ => format!("{outer}  "),
        };
        let added: usize = items.iter().map(|item| child.len() + item.len() + newline.len()).sum();
        account::text(added);
        let mut lines = String::with_capacity(added);
        for item in items.charged_at_once(1) {
            lines.push_str(&child);
            lines.push_str(item);
            lines.push_str(newline);
        }
        if one_line {
            let Some(first) = own else {
                return vec![Patch::new(inner, format!("{newline}{lines}{outer}"))];
            };
            let last = inner.end - trailing_blanks(content);
            return vec![
                Patch::new(inner.start..first, format!("{newline}{child}")),
                Patch::new(last..inner.end, format!("{newline}{lines}{outer}")),
            ];
        }
        let close_line = self.line_start(inner.end);
        if self.is_blank(close_line..inner.end) {
            vec![Patch::insert(close_line, lines)]
        } else {
            vec![Patch::insert(inner.end, format!("{newline}{lines}{outer}"))]
        }
    }
}

/// The number of white space bytes at the start. The scan is charged: several items may have the same blanks before
/// them.
fn leading_blanks(bytes: &[u8]) -> usize {
    let blanks = bytes.iter().take_while(|byte| byte.is_ascii_whitespace()).count();
    account::touch(blanks * 2);
    blanks
}

/// The number of white space bytes at the end.
fn trailing_blanks(bytes: &[u8]) -> usize {
    let blanks = bytes.iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
    account::touch(blanks * 2);
    blanks
}

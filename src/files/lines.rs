//! Byte offsets to lines and columns, worked out only when something is reported.
//!
//! Columns are grapheme clusters (Unicode 15.0, as the tools count them), counted per token.

use memchr::{memchr_iter, memchr2};
use unicode_segmentation::UnicodeSegmentation;

/// A position as it is reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// 1-based.
    pub line: u32,
    /// 1-based, in grapheme clusters.
    pub column: u32,
    /// 0-based byte offset into the file.
    pub byte: u32,
}

impl Position {
    /// The first position of a text.
    pub const START: Self = Self { line: 1, column: 1, byte: 0 };
}

/// A half-open range of positions.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Range {
    /// First position.
    pub start: Position,
    /// First position after the range.
    pub end: Position,
}

impl Range {
    /// The range as the tools print it: an empty one is one byte and one column long.
    #[must_use]
    pub fn widened(mut self) -> Self {
        if self.end.byte <= self.start.byte {
            self.end = Position { column: self.start.column + 1, byte: self.start.byte + 1, line: self.start.line };
        }
        self
    }
}

/// How the columns of a source are counted.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Counting {
    Graphemes,
    Json,
}

/// Where the lines of one text start, made once when the first position of the text is asked for.
#[derive(Debug)]
pub(super) struct LineIndex {
    /// Byte offset of each line's first byte, ascending; the first is 0.
    starts: Vec<u32>,
    /// Every byte is one column.
    plain: bool,
}

impl LineIndex {
    pub(super) fn new(text: &[u8], counting: Counting) -> Self {
        let mut starts = vec![0];
        starts.extend(memchr_iter(b'\n', text).map(|at| at as u32 + 1));
        let odd_blanks = counting == Counting::Json && memchr2(b'\t', b'\r', text).is_some();
        Self { starts, plain: text.is_ascii() && !odd_blanks }
    }

    /// The position of `offset` in `text` when the text's first byte stands at `from`.
    pub(super) fn position(
        &self,
        from: Position,
        text: &[u8],
        offset: u32,
        counting: Counting,
        breaks: &[u32],
    ) -> Position {
        let line_number = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let line_start = self.starts.get(line_number).copied().unwrap_or(0);
        let before = if line_number == 0 { from.column } else { 1 };
        let inside = text.len().min(offset as usize);
        let line = text.get(line_start as usize..inside).unwrap_or_default();
        let columns = if self.plain { line.len() as u32 } else { columns(line, line_start, from, counting, breaks) };
        // A position past the end of the text counts its missing bytes as columns.
        let past = offset.saturating_sub(inside as u32);
        Position { line: from.line + line_number as u32, column: before + columns + past, byte: from.byte + offset }
    }
}

fn columns(mut line: &[u8], line_start: u32, from: Position, counting: Counting, breaks: &[u32]) -> u32 {
    const BOM: &[u8] = b"\xEF\xBB\xBF";
    if counting == Counting::Json {
        return json_columns(line);
    }
    let mut at = line_start as usize;
    if line_start == 0 && from == Position::START && line.starts_with(BOM) {
        line = line.get(BOM.len()..).unwrap_or_default();
        at = BOM.len();
    }
    let after = breaks.partition_point(|&b| (b as usize) <= at);
    let mut sum = 0;
    for &b in breaks.get(after..).unwrap_or_default() {
        let Some((head, tail)) = line.split_at_checked((b as usize).saturating_sub(at)) else { break };
        sum += graphemes(head);
        line = tail;
        at = b as usize;
    }
    sum + graphemes(line)
}

fn json_columns(line: &[u8]) -> u32 {
    let plain = graphemes(line);
    let tabs = memchr_iter(b'\t', line).count() as u32;
    let returns = memchr_iter(b'\r', line).count() as u32;
    (plain + tabs).saturating_sub(returns)
}

fn graphemes(bytes: &[u8]) -> u32 {
    if bytes.is_ascii() {
        // CR LF is one cluster, but a line never holds its line feed, so every byte is one.
        return bytes.len() as u32;
    }
    bytes.utf8_chunks().map(|chunk| (chunk.valid().graphemes(true).count() + chunk.invalid().len()) as u32).sum()
}

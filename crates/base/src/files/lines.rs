//! Converts byte offsets to lines and columns, only when something is reported.
//!
//! Columns are grapheme clusters (Unicode 15.0, as the tools count them), counted per token.

use std::borrow::Cow;

use crate::account;
use memchr::{memchr_iter, memchr2};
use unicode_segmentation::UnicodeSegmentation;

/// A position as reported.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub struct Position {
    /// Line, 1-based.
    pub line: u32,
    /// Column, 1-based, in grapheme clusters.
    pub column: u32,
    /// Byte offset into the file, 0-based.
    pub byte: u32,
}

impl Position {
    /// The first position of a text.
    pub const START: Self = Self { line: 1, column: 1, byte: 0 };
    /// The position of something that is in no file.
    pub const NOWHERE: Self = Self { line: 0, column: 0, byte: 0 };
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
    /// Returns the range as the tools print it: an empty range becomes one byte and one column long.
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

/// Where the lines of one text start, computed once, when the first position in the text is requested.
#[derive(Debug)]
pub(super) struct LineIndex {
    /// Byte offset of each line's first byte, ascending; the first is 0.
    starts: Vec<u32>,
    /// Whether every byte is one column.
    plain: bool,
    /// In long lines of texts that are not plain: places from which a count can start, so that the cost of a position
    /// does not grow with the length of its line.
    marks: Vec<Mark>,
}

/// A byte offset at which a column begins, and the number of columns before it on its line.
#[derive(Clone, Copy, Debug)]
struct Mark {
    offset: u32,
    columns: u32,
}

/// The byte order mark, which takes up no column at the start of a file.
const BOM: &[u8] = b"\xEF\xBB\xBF";

/// The approximate number of bytes between two marks.
const STRIDE: usize = 256;

impl LineIndex {
    pub(super) fn new(text: &[u8], counting: Counting, breaks: &[u32]) -> Self {
        account::touch(text.len());
        let mut starts = vec![0];
        starts.extend(memchr_iter(b'\n', text).map(|at| at as u32 + 1));
        let odd_blanks = counting == Counting::Json && memchr2(b'\t', b'\r', text).is_some();
        let plain = text.is_ascii() && !odd_blanks;
        let mut marks = Vec::new();
        if !plain {
            let ends = starts.iter().skip(1).copied().chain([text.len() as u32]);
            for (&start, end) in starts.iter().zip(ends) {
                let line = text.get(start as usize..end as usize).unwrap_or_default();
                if line.len() > 2 * STRIDE {
                    account::touch(line.len() * 16);
                    mark(line, start, counting, breaks, &mut marks);
                }
            }
        }
        Self { starts, plain, marks }
    }

    /// Returns the 0-based number of the line that contains `offset`, and the offset of its first byte.
    pub(super) fn line(&self, offset: u32) -> (u32, u32) {
        account::work(1);
        let line_number = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        (line_number as u32, self.starts.get(line_number).copied().unwrap_or(0))
    }

    /// Returns the position of `offset` in `text`, whose first byte is at `from`.
    pub(super) fn position(
        &self,
        from: Position,
        text: &[u8],
        offset: u32,
        counting: Counting,
        breaks: &[u32],
    ) -> Position {
        account::work(4);
        let line_number = self.starts.partition_point(|&start| start <= offset).saturating_sub(1);
        let line_start = self.starts.get(line_number).copied().unwrap_or(0);
        let before = if line_number == 0 { from.column } else { 1 };
        let inside = text.len().min(offset as usize);
        let after = self.marks.partition_point(|mark| mark.offset <= offset);
        let mark = after.checked_sub(1).and_then(|at| self.marks.get(at)).filter(|mark| mark.offset >= line_start);
        let Mark { offset: start, columns: counted } =
            mark.copied().unwrap_or(Mark { offset: line_start, columns: 0 });
        let line = text.get(start as usize..inside).unwrap_or_default();
        let columns = if self.plain { line.len() as u32 } else { counted + columns(line, start, counting, breaks) };
        // Beyond the end of the text, each missing byte is one column.
        let past = offset.saturating_sub(inside as u32);
        Position { line: from.line + line_number as u32, column: before + columns + past, byte: from.byte + offset }
    }
}

/// Adds the marks of a line that starts at `start`: one at the first column that begins after each stride.
fn mark(line: &[u8], start: u32, counting: Counting, breaks: &[u32], marks: &mut Vec<Mark>) {
    let mut last = start;
    let mut at = Mark { offset: start, columns: 0 };
    let mut rest = line;
    if start == 0
        && counting != Counting::Json
        && let Some(behind) = line.strip_prefix(BOM)
    {
        rest = behind;
        at.offset += BOM.len() as u32;
    }
    let breaks = if counting == Counting::Json { &[] } else { breaks };
    let after = breaks.partition_point(|&b| b <= at.offset);
    let end = start + line.len() as u32;
    let stops = breaks.iter().skip(after).copied().take_while(|&b| b < end).chain([end]);
    for stop in stops {
        let Some((segment, tail)) = rest.split_at_checked((stop - at.offset) as usize) else { return };
        let mut count = |cluster: &[u8]| {
            if (at.offset - last) as usize >= STRIDE {
                marks.push(at);
                last = at.offset;
            }
            at.offset += cluster.len() as u32;
            at.columns += if counting == Counting::Json { json_columns(cluster) } else { 1 };
        };
        if counting == Counting::Json {
            let mut left = segment;
            while !left.is_empty() {
                let (valid, behind) = split_valid(left);
                let odd = if behind.first() == Some(&0xED) && behind.len() >= 3 { 3 } else { behind.len().min(1) };
                let (invalid, behind) = behind.split_at(odd);
                left = behind;
                let invalid = (!invalid.is_empty()).then_some(invalid);
                valid.graphemes(true).map(str::as_bytes).chain(invalid).for_each(&mut count);
            }
        } else {
            utf8_equivalent(segment).graphemes(true).map(str::as_bytes).for_each(count);
        }
        rest = tail;
    }
}

fn columns(mut line: &[u8], line_start: u32, counting: Counting, breaks: &[u32]) -> u32 {
    if counting == Counting::Json {
        return json_columns(line);
    }
    let mut at = line_start as usize;
    // This applies at the beginning of an embedded text, too.
    if line_start == 0
        && let Some(behind) = line.strip_prefix(BOM)
    {
        line = behind;
        at = BOM.len();
    }
    let after = breaks.partition_point(|&b| (b as usize) <= at);
    let mut sum = 0;
    for &b in breaks.iter().skip(after) {
        let Some((head, tail)) = line.split_at_checked((b as usize).saturating_sub(at)) else { break };
        sum += graphemes(head);
        line = tail;
        at = b as usize;
    }
    sum + graphemes(line)
}

/// Counts columns of JSON syntax (syntax.md, section 6): a tab is two columns, a carriage return none. Strings are
/// counted in grapheme clusters, but a quote or a backslash never joins the preceding cluster (unless that cluster
/// would absorb any character), and nothing that follows joins it. A byte that is not UTF-8 is one column; ED alone
/// takes the next two bytes with it.
fn json_columns(line: &[u8]) -> u32 {
    if line.is_ascii() {
        let tabs = memchr_iter(b'\t', line).count();
        let returns = memchr_iter(b'\r', line).count();
        return (line.len() + tabs - returns) as u32;
    }
    // A letter replaces each group of bytes that is not a character.
    let mut text = String::with_capacity(line.len());
    let mut rest = line;
    loop {
        let (valid, behind) = split_valid(rest);
        text.push_str(valid);
        rest = match behind {
            [] => break,
            [0xED, _, _, behind @ ..] | [_, behind @ ..] => behind,
        };
        text.push('x');
    }
    let mut sum = 0;
    let mut rest = text.as_str();
    while let Some(cluster) = rest.graphemes(true).next() {
        // A combining mark at the beginning is a column of its own.
        let behind = rest.strip_prefix(['"', '\\']).or_else(|| rest.strip_prefix(cluster)).unwrap_or("");
        sum += match cluster {
            "\t" => 2,
            "\r" => 0,
            _ => 1,
        };
        rest = behind;
    }
    sum
}

/// Splits bytes in front of the first one that is not UTF-8.
fn split_valid(bytes: &[u8]) -> (&str, &[u8]) {
    let valid = bytes.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    (valid, bytes.split_at(valid.len()).1)
}

fn graphemes(bytes: &[u8]) -> u32 {
    if bytes.is_ascii() {
        // CR LF is one cluster, but a line never holds its line feed, so every byte is one.
        return bytes.len() as u32;
    }
    utf8_equivalent(bytes).graphemes(true).count() as u32
}

/// Returns a text of the same length with the same grapheme clusters if `bytes` is not UTF-8. Bytes that count as one
/// character are replaced by a stand-in: one that joins no cluster, or one that behaves like a Hangul syllable.
fn utf8_equivalent(bytes: &[u8]) -> Cow<'_, str> {
    if let Ok(text) = std::str::from_utf8(bytes) {
        return Cow::Borrowed(text);
    }
    let mut text = String::with_capacity(bytes.len());
    let mut rest = bytes;
    while !rest.is_empty() {
        let (valid, behind) = split_valid(rest);
        text.push_str(valid);
        let (stand_in, length) = if is_like_syllable(behind) {
            ("\u{AC01}", 3)
        } else {
            match invalid_character_length(behind) {
                0 => ("", 0),
                1 => ("\u{1}", 1),
                2 => ("\u{80}", 2),
                3 => ("\u{200B}", 3),
                length => ("\u{E0001}", length),
            }
        };
        text.push_str(stand_in);
        rest = behind.split_at(length).1;
    }
    Cow::Owned(text)
}

/// Whether the first three bytes, which are not UTF-8, count as one Hangul syllable. The tool's tables of syllables
/// consist of byte ranges; where a range of syllables continues from one value of a leading byte to the next, the
/// tables let the following bytes take any value above the last proper one, or below the first.
fn is_like_syllable(bytes: &[u8]) -> bool {
    let &[first @ 0xEA..=0xED, second, third, ..] = bytes else { return false };
    let first_of = |first: u8| u32::from(first & 0x0F) << 12;
    let block = first_of(first) | u32::from(second & 0x3F) << 6;
    // Every 28th syllable is of a different kind and ends the range before it.
    let goes_on = |at: u32| (0xAC02..=0xD7A3).contains(&at) && (at - 0xAC00) % 28 > 1;
    match (second, third) {
        (0x00..=0x7F, _) => goes_on(first_of(first)),
        (0xC0..=0xFF, _) => first < 0xED && goes_on(first_of(first + 1)),
        (_, 0x00..=0x7F) => goes_on(block),
        (_, 0xC0..=0xFF) => goes_on(block + 0x40),
        _ => false,
    }
}

/// Returns the number of bytes at the start of `bytes`, which is not UTF-8, that count as one character: all bytes of
/// an overlong form or an encoded surrogate, all three of ED with two bytes that form no syllable, otherwise one byte.
/// 0 if `bytes` is empty.
fn invalid_character_length(bytes: &[u8]) -> usize {
    let length = match bytes.first() {
        None => return 0,
        Some(0xED) if bytes.get(1).is_some_and(|&second| second >= 0xA0) && bytes.len() >= 3 => return 3,
        Some(0xC0..=0xDF) => 2,
        Some(0xE0..=0xEF) => 3,
        Some(0xF0..=0xF7) => 4,
        Some(_) => 1,
    };
    let whole = bytes.get(1..length).is_some_and(|rest| rest.iter().all(|byte| (0x80..=0xBF).contains(byte)));
    if whole { length } else { 1 }
}

#[cfg(test)]
mod tests {
    use super::{Counting, LineIndex, Position, STRIDE, columns};

    /// The counts come from the real tool; each text is a single token.
    #[test]
    fn bytes_that_are_not_utf8_count_as_in_the_tool() {
        for (token, wanted) in [
            (b"\xEB\x47\x1D".as_slice(), 1),
            (b"a\xE5\x41\xA5\xE4\x1D\x1D\xEB\x47\x80", 8),
            (b"a\xEB\x47\x1D\xCC\x81z", 3),
            (b"a\xEB\x47\x1D\xE1\x86\xA8z", 3),
            (b"a\xEC\x47\x1D\xE1\x85\xA1z", 4),
            (b"a\xE1\x84\x80\xEC\x47\x1Dz", 3),
            (b"a\xEB\xA0\xC3z", 5),
            (b"a\xEB\xA0\x41z", 3),
            (b"a\xEC\xA0\x41z", 5),
            (b"a\xEC\x9F\xC3z", 5),
            (b"a\xED\x90\xC3z", 5),
            (b"a\xEA\xB0\x41z", 5),
            (b"a\xEA\xB1\x41z", 3),
        ] {
            assert_eq!(columns(token, 0, Counting::Graphemes, &[]), wanted, "{token:x?}");
        }
    }

    /// Every position in a long line equals the one counted from its start.
    #[test]
    fn marks_change_no_column() {
        let pieces: [&[u8]; 10] = [
            b"abc",
            "e\u{301}".as_bytes(),
            "👩‍👩‍👧".as_bytes(),
            "🇦🇧🇨".as_bytes(),
            b"\t",
            b"\r",
            b"\xFF",
            b"\xEB\x47\x1D",
            b"\xED\xA0\xC3",
            "각".as_bytes(),
        ];
        let mut text: Vec<u8> = b"\xEF\xBB\xBF".to_vec();
        for number in 0..3 * STRIDE {
            text.extend(pieces[(number * 7 + number / 5) % pieces.len()]);
        }
        let breaks = [4, 5, 1500, 1501, 1502, 9000, text.len() as u32 - 1];
        for counting in [Counting::Graphemes, Counting::Json] {
            for from in [Position::START, Position { line: 3, column: 9, byte: 40 }] {
                let index = LineIndex::new(&text, counting, &breaks);
                assert!(index.marks.len() > 3);
                for offset in (0..text.len()).step_by(13) {
                    let counted = columns(&text[..offset], 0, counting, &breaks);
                    let got = index.position(from, &text, offset as u32, counting, &breaks);
                    assert_eq!(got.column, from.column + counted, "byte {offset}, {counting:?}");
                }
            }
        }
    }
}

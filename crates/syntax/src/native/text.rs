//! Literal text: decoding escapes and joining pieces.

use super::parser::Parser;
use super::token::{Kind, Token};
use crate::codes;
use crate::tree::Text;
use overfold_base::diag::TextRange;

impl Parser<'_> {
    /// Returns the text that a literal token stands for. Invalid escapes are reported.
    pub(super) fn literal(&mut self, token: Token) -> Text {
        match token.kind {
            Kind::QuotedEscaped => self.unescape(token, true),
            Kind::PlainEscaped => self.unescape(token, false),
            _ => Text::Source(token.range()),
        }
    }

    /// Stores `piece` as decoded text of the tree.
    pub(super) fn decoded(&mut self, piece: &str) -> Text {
        let start = self.tree.decoded.len() as u32;
        self.tree.decoded.push_str(piece);
        Text::Decoded(start, self.tree.decoded.len() as u32)
    }

    pub(super) fn text_bytes(&self, text: Text) -> &[u8] {
        match text {
            Text::Source(range) => range.bytes_of(self.text),
            Text::Decoded(start, end) => TextRange::new(start, end).bytes_of(self.tree.decoded.as_bytes()),
        }
    }

    /// Joins two texts. Copies only what is not already adjacent.
    pub(super) fn join(&mut self, a: Text, b: Text) -> Text {
        if let (Text::Source(a), Text::Source(b)) = (a, b)
            && a.end == b.start
        {
            return Text::Source(TextRange::new(a.start, b.end));
        }
        if self.text_bytes(b).is_empty() {
            return a;
        }
        if self.text_bytes(a).is_empty() {
            return b;
        }
        let start = match a {
            // The text joined last can grow in place, so that a long text is not copied for each of its lines.
            Text::Decoded(start, end) if end as usize == self.tree.decoded.len() => start,
            Text::Source(_) | Text::Decoded(..) => {
                let start = self.tree.decoded.len() as u32;
                self.append(a);
                start
            }
        };
        self.append(b);
        Text::Decoded(start, self.tree.decoded.len() as u32)
    }

    fn append(&mut self, text: Text) {
        match text {
            Text::Source(range) => {
                let bytes = range.bytes_of(self.text);
                self.tree.decoded.push_str(&String::from_utf8_lossy(bytes));
            }
            Text::Decoded(start, end) => self.tree.decoded.extend_from_within(start as usize..end as usize),
        }
    }

    /// Returns bytes `from..to` of a text, relative to its start.
    pub(super) fn part_of(text: Text, from: usize, to: usize) -> Text {
        let (from, to) = (from as u32, to as u32);
        match text {
            Text::Source(range) => Text::Source(TextRange::new(range.start + from, range.start + to)),
            Text::Decoded(start, _) => Text::Decoded(start + from, start + to),
        }
    }

    fn unescape(&mut self, token: Token, quoted: bool) -> Text {
        let bytes = self.bytes(token);
        let start = self.tree.decoded.len() as u32;
        let mut at = 0;
        let mut plain = 0;
        while let Some(&byte) = bytes.get(at) {
            match byte {
                b'\\' if quoted => {
                    let (before, escape) = bytes.split_at(at);
                    self.append_bytes(before.split_at(plain).1);
                    at += self.escape(escape, token.start + at as u32);
                    plain = at;
                }
                b'$' | b'%' if bytes.get(at + 1) == Some(&byte) && bytes.get(at + 2) == Some(&b'{') => {
                    // The second marker is dropped.
                    self.append_bytes(bytes.split_at(at + 1).0.split_at(plain).1);
                    at += 3;
                    plain = at - 1;
                }
                _ => at += 1,
            }
        }
        self.append_bytes(bytes.split_at(plain).1);
        Text::Decoded(start, self.tree.decoded.len() as u32)
    }

    fn append_bytes(&mut self, bytes: &[u8]) {
        self.tree.decoded.push_str(&String::from_utf8_lossy(bytes));
    }

    /// Decodes the escape at the start of `bytes` and returns its length. `at` is its offset in the source.
    fn escape(&mut self, bytes: &[u8], at: u32) -> usize {
        let Some(&selector) = bytes.get(1) else {
            // The scanner ends a literal before a trailing backslash.
            self.append_bytes(bytes);
            return 1;
        };
        let simple = match selector {
            b'n' => '\n',
            b'r' => '\r',
            b't' => '\t',
            b'"' => '"',
            b'\\' => '\\',
            b'u' => return self.unicode_escape(bytes, 4, at),
            b'U' => return self.unicode_escape(bytes, 8, at),
            _ => {
                let character = super::unicode::character_length(bytes.get(1..).unwrap_or_default()).unwrap_or(1);
                let kept = bytes.get(1..1 + character).unwrap_or_default();
                self.error(
                    &codes::INVALID_ESCAPE,
                    TextRange::new(at, at + 1 + character as u32),
                    format!(
                        "A backslash before {:?} is not an escape sequence. Write two backslashes for a literal one.",
                        String::from_utf8_lossy(kept)
                    ),
                );
                self.append_bytes(kept);
                return 1 + character;
            }
        };
        self.tree.decoded.push(simple);
        2
    }

    fn unicode_escape(&mut self, bytes: &[u8], wanted: usize, at: u32) -> usize {
        let digits = bytes.iter().skip(2).take(wanted).take_while(|b| b.is_ascii_hexdigit()).count();
        let len = 2 + digits;
        let written = bytes.get(..len).unwrap_or_default();
        let range = TextRange::new(at, at + len as u32);
        let number = bytes.get(2..len).and_then(|hex| std::str::from_utf8(hex).ok());
        if digits < wanted {
            let letter = if wanted == 4 { 'u' } else { 'U' };
            let detail = format!("\\{letter} must be followed by exactly {wanted} hexadecimal digits.");
            self.error(&codes::INVALID_ESCAPE, range, detail);
        } else if let Some(character) =
            number.and_then(|hex| u32::from_str_radix(hex, 16).ok()).and_then(char::from_u32)
        {
            self.tree.decoded.push(character);
            return len;
        } else {
            let detail =
                "The digits do not stand for a character: they are half of a surrogate pair or beyond U+10FFFF.";
            self.error(&codes::INVALID_ESCAPE, range, detail);
        }
        self.append_bytes(written);
        len
    }
}

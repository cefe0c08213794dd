//! Scalars in quotes, and how lines are folded.

use super::Scanner;
use crate::functions::yaml::cursor::Cursor;
use crate::functions::yaml::token::{Fault, Scanned, Style};

/// Blanks and line breaks between two words of a scalar.
#[derive(Default)]
pub(super) struct Gap {
    /// The blanks before the first line break.
    blanks: String,
    has_break: bool,
    /// The first line break; `None` if it is escaped.
    first: Option<char>,
    /// The others.
    others: String,
}

impl Gap {
    /// Whether it contains a line break.
    pub(super) fn has_break(&self) -> bool {
        self.has_break
    }

    /// Takes the next character, a blank or a line break. Blanks at the start of a line don't count, nor do those before
    /// a line break.
    pub(super) fn take(&mut self, cursor: &mut Cursor<'_>) {
        match cursor.line_break() {
            Some(c) if self.has_break => self.others.push(c),
            Some(c) => {
                self.blanks.clear();
                self.has_break = true;
                self.first = Some(c);
            }
            None if self.has_break => cursor.skip(1),
            None => cursor.copy(&mut self.blanks),
        }
    }

    /// Takes a line break that is escaped: the lines are joined.
    fn take_escaped(&mut self, cursor: &mut Cursor<'_>) {
        cursor.line_break();
        self.has_break = true;
    }

    /// Adds what stands for the gap to the text: a lone line break becomes a space.
    pub(super) fn close(&mut self, text: &mut String) {
        if !self.has_break && self.blanks.is_empty() {
            return;
        }
        if self.has_break {
            match self.first {
                Some('\n') if self.others.is_empty() => text.push(' '),
                Some('\n') | None => {}
                Some(c) => text.push(c),
            }
            text.push_str(&self.others);
        } else {
            text.push_str(&self.blanks);
        }
        self.blanks.clear();
        self.others.clear();
        (self.has_break, self.first) = (false, None);
    }
}

impl Scanner<'_> {
    pub(super) fn quoted_scalar(&mut self, quote: u8) -> Scanned<()> {
        let begins_key = self.note_key()?;
        self.allows_key = false;
        let start = self.cursor.mark();
        self.cursor.skip(1);
        let mut text = String::new();
        let mut gap = Gap::default();
        loop {
            if self.cursor.is_document_mark() {
                return Err(Fault::at(start, "a document ends inside quotes"));
            }
            if self.cursor.is_end() {
                return Err(Fault::at(start, "a quote is not closed"));
            }
            while !self.cursor.is_gap(0) {
                match self.cursor.byte(0) {
                    byte if byte == quote && quote == b'\'' && self.cursor.byte(1) == quote => {
                        text.push('\'');
                        self.cursor.skip(2);
                    }
                    byte if byte == quote => break,
                    b'\\' if quote == b'"' => {
                        self.cursor.skip(1);
                        if self.cursor.is_break(0) {
                            gap.take_escaped(&mut self.cursor);
                            break;
                        }
                        text.push(self.escape()?);
                    }
                    _ => {
                        self.cursor.copy(&mut text);
                        self.cursor.copy_while(|byte| byte.is_ascii_alphanumeric(), &mut text);
                    }
                }
            }
            if self.cursor.is(quote) {
                break;
            }
            while self.cursor.is_blank(0) || self.cursor.is_break(0) {
                gap.take(&mut self.cursor);
            }
            gap.close(&mut text);
        }
        self.cursor.skip(1);
        self.scalar(text, Style::Quoted, start, begins_key);
        Ok(())
    }

    /// Reads what follows a backslash.
    fn escape(&mut self) -> Scanned<char> {
        let mark = self.cursor.mark();
        let digits = match self.cursor.byte(0) {
            b'x' => 2,
            b'u' => 4,
            b'U' => 8,
            byte => {
                let c = short_escape(byte).ok_or_else(|| Fault::at(mark, "an escape sequence is unknown"))?;
                self.cursor.skip(1);
                return Ok(c);
            }
        };
        self.cursor.skip(1);
        let mut code = 0_u32;
        for _ in 0..digits {
            let digit = char::from(self.cursor.byte(0)).to_digit(16);
            // More than eight digits are never read, so that nothing overflows.
            code = code << 4 | digit.ok_or_else(|| Fault::at(mark, "a hexadecimal digit is missing"))?;
            self.cursor.skip(1);
        }
        char::from_u32(code).ok_or_else(|| Fault::at(mark, "an escape sequence is not a Unicode character"))
    }
}

/// Returns the character that a backslash and one other character stand for.
fn short_escape(byte: u8) -> Option<char> {
    Some(match byte {
        b'0' => '\0',
        b'a' => '\u{7}',
        b'b' => '\u{8}',
        b't' | b'\t' => '\t',
        b'n' => '\n',
        b'v' => '\u{b}',
        b'f' => '\u{c}',
        b'r' => '\r',
        b'e' => '\u{1b}',
        b' ' | b'"' | b'\'' | b'\\' => char::from(byte),
        b'N' => '\u{85}',
        b'_' => '\u{a0}',
        b'L' => '\u{2028}',
        b'P' => '\u{2029}',
        _ => return None,
    })
}

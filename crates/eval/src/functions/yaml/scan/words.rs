//! Directives, anchors, aliases and tags.

use super::Scanner;
use crate::functions::yaml::cursor::{Mark, is_name};
use crate::functions::yaml::token::{Fault, Scanned, Token};

impl<'t> Scanner<'t> {
    /// Reads a directive and the rest of its line.
    pub(super) fn directive(&mut self) -> Scanned<()> {
        self.close_blocks(None);
        self.drop_key()?;
        self.allows_key = false;
        let start = self.cursor.mark();
        self.cursor.skip(1);
        let name = self.word();
        let token = match name {
            "YAML" if self.cursor.is_gap(0) => {
                self.cursor.skip_blanks();
                let major = self.version_number(start)?;
                if !self.cursor.is(b'.') {
                    return Err(Fault::at(start, "the version of YAML is incomplete"));
                }
                self.cursor.skip(1);
                Token::Version(major, self.version_number(start)?)
            }
            "TAG" if self.cursor.is_gap(0) => {
                self.cursor.skip_blanks();
                let handle = self.tag_handle(start)?;
                if (handle.len() > 1 && !handle.ends_with('!')) || !self.cursor.is_blank(0) {
                    return Err(Fault::at(start, "the handle of a tag is not valid"));
                }
                self.cursor.skip_blanks();
                let prefix = self.tag_text("", start)?;
                if !self.cursor.is_gap(0) {
                    return Err(Fault::at(start, "what a handle stands for is not valid"));
                }
                Token::TagHandle(handle, prefix)
            }
            _ => return Err(Fault::at(start, "the directive is unknown")),
        };
        self.cursor.skip_blanks();
        self.cursor.skip_comment();
        if !self.cursor.is_line_end() {
            return Err(Fault::at(start, "the line of a directive contains something else"));
        }
        self.cursor.line_break();
        self.push(token, start, None);
        Ok(())
    }

    /// Reads the name of an anchor or alias.
    pub(super) fn name(&mut self, token: fn(&'t str) -> Token<'t>) -> Scanned<()> {
        let begins_key = self.note_key()?;
        self.allows_key = false;
        let start = self.cursor.mark();
        self.cursor.skip(1);
        let name = self.word();
        let ends = matches!(self.cursor.byte(0), b'?' | b':' | b',' | b']' | b'}' | b'%' | b'@' | b'`');
        if name.is_empty() || !(ends || self.cursor.is_gap(0)) {
            return Err(Fault::at(start, "the name of an anchor is not valid"));
        }
        self.push(token(name), start, begins_key);
        Ok(())
    }

    /// Reads a tag: `!<text>`, `!handle!text`, `!text` or `!`.
    pub(super) fn tag(&mut self) -> Scanned<()> {
        let begins_key = self.note_key()?;
        self.allows_key = false;
        let start = self.cursor.mark();
        let token = if self.cursor.byte(1) == b'<' {
            self.cursor.skip(2);
            let text = self.tag_text("", start)?;
            if !self.cursor.is(b'>') {
                return Err(Fault::at(start, "the tag is not closed with '>'"));
            }
            self.cursor.skip(1);
            Token::Tag("", text)
        } else {
            let handle = self.tag_handle(start)?;
            if handle.len() > 1 && handle.ends_with('!') {
                Token::Tag(handle, self.tag_text("", start)?)
            } else {
                let text = self.tag_text(handle, start)?;
                if text.is_empty() { Token::Tag("", "!".to_owned()) } else { Token::Tag("!", text) }
            }
        };
        if !self.cursor.is_gap(0) {
            return Err(Fault::at(start, "a tag is not followed by a space"));
        }
        self.push(token, start, begins_key);
        Ok(())
    }

    /// Reads letters, digits, `_` and `-`.
    fn word(&mut self) -> &'t str {
        let start = self.cursor.mark();
        while is_name(self.cursor.byte(0)) {
            self.cursor.skip(1);
        }
        self.cursor.since(start)
    }

    fn version_number(&mut self, start: Mark) -> Scanned<u8> {
        let (mut number, mut digits) = (0, 0);
        while self.cursor.byte(0).is_ascii_digit() {
            digits += 1;
            if digits > 2 {
                return Err(Fault::at(start, "the version of YAML is too long"));
            }
            number = number * 10 + (self.cursor.byte(0) - b'0');
            self.cursor.skip(1);
        }
        if digits == 0 { Err(Fault::at(start, "the version of YAML is incomplete")) } else { Ok(number) }
    }

    /// Reads `!`, letters and digits, and `!` if it follows.
    fn tag_handle(&mut self, start: Mark) -> Scanned<&'t str> {
        if !self.cursor.is(b'!') {
            return Err(Fault::at(start, "a tag does not begin with '!'"));
        }
        let from = self.cursor.mark();
        self.cursor.skip(1);
        self.word();
        if self.cursor.is(b'!') {
            self.cursor.skip(1);
        }
        Ok(self.cursor.since(from))
    }

    /// Reads the characters of a URI, which follow `head` (its `!` does not count). One of both must not be empty.
    fn tag_text(&mut self, head: &str, start: Mark) -> Scanned<String> {
        let mut text = head.strip_prefix('!').unwrap_or_default().to_owned();
        let before = self.cursor.mark();
        loop {
            match self.cursor.byte(0) {
                b'%' => self.escaped_octets(&mut text, start)?,
                b';' | b'/' | b'?' | b':' | b'@' | b'&' | b'=' | b'+' | b'$' | b',' | b'.' | b'!' | b'~' | b'*'
                | b'\'' | b'(' | b')' | b'[' | b']' => self.cursor.copy(&mut text),
                byte if is_name(byte) => self.cursor.copy(&mut text),
                _ => break,
            }
        }
        if head.is_empty() && before == self.cursor.mark() {
            return Err(Fault::at(start, "a tag is empty"));
        }
        Ok(text)
    }

    /// Reads one character written as `%` and two digits for each of its bytes.
    fn escaped_octets(&mut self, text: &mut String, start: Mark) -> Scanned<()> {
        const WRONG: &str = "a character of a tag is not escaped correctly";
        let mut bytes = Vec::with_capacity(4);
        let mut left = 1;
        while left > 0 {
            let digit = |ahead| char::from(self.cursor.byte(ahead)).to_digit(16).and_then(|d| u8::try_from(d).ok());
            let (true, Some(high), Some(low)) = (self.cursor.is(b'%'), digit(1), digit(2)) else {
                return Err(Fault::at(start, WRONG));
            };
            let byte = high << 4 | low;
            if bytes.is_empty() {
                left = match byte {
                    0..0x80 => 1,
                    0xc0..0xe0 => 2,
                    0xe0..0xf0 => 3,
                    0xf0..0xf8 => 4,
                    _ => return Err(Fault::at(start, WRONG)),
                };
            } else if byte & 0xc0 != 0x80 {
                return Err(Fault::at(start, WRONG));
            }
            bytes.push(byte);
            self.cursor.skip(3);
            left -= 1;
        }
        // No tag that the tool knows has characters beyond ASCII: which ones these are doesn't matter.
        text.push_str(&String::from_utf8_lossy(&bytes));
        Ok(())
    }
}

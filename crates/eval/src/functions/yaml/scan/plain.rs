//! Scalars without quotes.

use super::Scanner;
use super::quoted::Gap;
use crate::functions::yaml::token::{Fault, Scanned, Style};

impl Scanner<'_> {
    pub(super) fn plain_scalar(&mut self) -> Scanned<()> {
        let begins_key = self.note_key()?;
        self.allows_key = false;
        let start = self.cursor.mark();
        let (brackets, least) = (self.in_brackets(), self.least_column());
        let mut text = String::new();
        let mut gap = Gap::default();
        while !self.cursor.is_document_mark() && !self.cursor.is(b'#') {
            while !self.cursor.is_gap(0) && !self.ends_plain(brackets) {
                gap.close(&mut text);
                self.cursor.copy(&mut text);
                self.cursor.copy_while(|byte| byte.is_ascii_alphanumeric(), &mut text);
            }
            if self.cursor.is_end() || !self.cursor.is_gap(0) {
                break;
            }
            while self.cursor.is_blank(0) || self.cursor.is_break(0) {
                if gap.has_break() && self.cursor.mark().column < least && self.cursor.is(b'\t') {
                    return Err(Fault::at(self.cursor.mark(), "text is indented with a tab"));
                }
                gap.take(&mut self.cursor);
            }
            if !brackets && self.cursor.mark().column < least {
                break;
            }
        }
        if gap.has_break() {
            self.allows_key = true;
        }
        self.scalar(text, Style::Plain, start, begins_key);
        Ok(())
    }

    /// Whether the next character, which is no gap, ends a scalar without quotes.
    fn ends_plain(&self, brackets: bool) -> bool {
        match self.cursor.byte(0) {
            b':' => self.cursor.is_gap(1),
            b',' | b'?' | b'[' | b']' | b'{' | b'}' => brackets,
            _ => false,
        }
    }
}

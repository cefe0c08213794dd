//! Texts that are not JSON: a writer, which charges text before it is stored, and what people may see of a text.

use std::fmt;

use overfold_base::{account, echo};

/// Collects one text.
#[derive(Debug, Default)]
pub(super) struct TextWriter {
    out: Vec<u8>,
}

impl TextWriter {
    /// Returns the text.
    pub(super) fn into_bytes(self) -> Vec<u8> {
        self.out
    }

    /// Appends a piece verbatim.
    pub(super) fn push(&mut self, piece: &str) {
        account::text(piece.len());
        account::reserve(&mut self.out, piece.len());
        self.out.extend_from_slice(piece.as_bytes());
    }

    /// Appends formatted text. Writing to memory never fails.
    pub(super) fn write_fmt(&mut self, arguments: fmt::Arguments<'_>) {
        let _ = fmt::Write::write_fmt(self, arguments);
    }
}

impl fmt::Write for TextWriter {
    fn write_str(&mut self, piece: &str) -> fmt::Result {
        self.push(piece);
        Ok(())
    }
}

/// Replaces what a terminal, a log or a reader of Markdown would obey, and characters that would not be seen.
pub(crate) fn sanitized(text: &str) -> String {
    let is_unseen = |c: char| matches!(c, '\t' | '\u{200b}'..='\u{200d}' | '\u{2060}'..='\u{2065}' | '\u{feff}');
    echo::line(text).replace(is_unseen, "\u{FFFD}")
}

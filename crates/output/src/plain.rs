//! A writer for texts that are not JSON; text is charged before it is stored.

use std::fmt;

use overfold_base::account;

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

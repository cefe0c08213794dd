//! Texts whose length the input decides.

use std::fmt;
use std::ops::Deref;

use crate::{room, text, touch, work};

/// The bytes from which on what was appended is charged at once.
const MOST_PENDING: usize = 256;

/// A text that charges what is appended to it: the work of copying it, and the memory. For reading, it is a `str`.
#[derive(Clone, Debug, Default)]
pub struct Text {
    text: String,
    /// The bytes that have not been charged yet: keys are written character by character.
    pending: usize,
}

impl Text {
    /// Creates an empty text, which allocates nothing.
    pub const fn new() -> Self {
        Self { text: String::new(), pending: 0 }
    }

    /// Appends a text.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn push_str(&mut self, part: &str) {
        self.pending += part.len();
        if self.pending >= MOST_PENDING {
            self.charge();
        }
        if self.text.capacity() - self.text.len() < part.len() {
            room((self.text.len() + part.len()).max(2 * self.text.capacity()));
        }
        self.text.push_str(part);
    }

    /// Appends a character.
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn push(&mut self, character: char) {
        self.push_str(character.encode_utf8(&mut [0; 4]));
    }

    /// Returns the whole text.
    #[cfg_attr(debug_assertions, track_caller)]
    pub fn finish(mut self) -> String {
        self.charge();
        self.text
    }

    #[cfg_attr(debug_assertions, track_caller)]
    fn charge(&mut self) {
        text(self.pending);
        self.pending = 0;
    }
}

/// What charges for reading a text from its beginning to its end: parsing it, looking it up, comparing it.
pub trait ChargedText {
    /// Charges one unit of work for every so many bytes, and at least one.
    #[must_use]
    fn scanned(&self, bytes_per_unit: usize) -> &Self;

    /// Charges what [`touch`] does.
    #[must_use]
    fn touched(&self) -> &Self;
}

impl ChargedText for [u8] {
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn scanned(&self, bytes_per_unit: usize) -> &Self {
        work((self.len() / bytes_per_unit.max(1)) as u64 + 1);
        self
    }

    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn touched(&self) -> &Self {
        touch(self.len());
        self
    }
}

impl ChargedText for str {
    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn scanned(&self, bytes_per_unit: usize) -> &Self {
        let _ = self.as_bytes().scanned(bytes_per_unit);
        self
    }

    #[inline]
    #[cfg_attr(debug_assertions, track_caller)]
    fn touched(&self) -> &Self {
        touch(self.len());
        self
    }
}

impl Deref for Text {
    type Target = str;

    #[inline]
    fn deref(&self) -> &str {
        &self.text
    }
}

impl fmt::Write for Text {
    #[inline]
    fn write_str(&mut self, part: &str) -> fmt::Result {
        self.push_str(part);
        Ok(())
    }
}

//! A text with a maximum length.

use overfold_base::account::{self, ChargedText};

/// Room for the line that says how much is left out.
const CLOSING_RESERVE: usize = 100;

/// A text with a maximum number of characters (Unicode scalar values), cut at whole entries.
pub(crate) struct Bounded {
    text: String,
    characters: usize,
    most: usize,
    /// The number of characters reserved for closing texts.
    reserved: usize,
    /// The number of entries that did not fit.
    left_out: usize,
}

impl Bounded {
    pub(crate) const fn new(most: usize) -> Self {
        Self { text: String::new(), characters: 0, most, reserved: 0, left_out: 0 }
    }

    /// Adds a mandatory text; there must be room for it.
    pub(crate) fn push(&mut self, text: &str) {
        account::text(text.len());
        self.characters += text.chars().count();
        self.text.push_str(text);
    }

    /// Whether an entry with this many characters fits. Once an entry did not fit, no later one does.
    pub(crate) const fn has_room(&self, characters: usize) -> bool {
        self.left_out == 0 && self.characters + self.reserved + characters + CLOSING_RESERVE <= self.most
    }

    /// Adds an entry, or counts it if it does not fit.
    pub(crate) fn entry(&mut self, text: &str) {
        if self.has_room(text.touched().chars().count()) {
            self.push(text);
        } else {
            self.left_out += 1;
        }
    }

    /// Counts entries that are not shown.
    pub(crate) const fn skip(&mut self, entries: usize) {
        self.left_out += entries;
    }

    /// Reserves room for a text that will close what begins here.
    pub(crate) fn reserve(&mut self, text: &str) {
        self.reserved += text.chars().count();
    }

    /// Reserves room for closing texts that are not known yet.
    pub(crate) const fn reserve_characters(&mut self, characters: usize) {
        self.reserved += characters;
    }

    /// Adds a reserved text.
    pub(crate) fn end(&mut self, text: &str) {
        self.reserved -= text.chars().count().min(self.reserved);
        self.push(text);
    }

    /// Returns the text; it says how many entries are missing.
    pub(crate) fn finish(self) -> String {
        self.finish_with("")
    }

    /// Returns the text with a reserved one after the sentence that says how many entries are missing.
    pub(crate) fn finish_with(mut self, footer: &str) -> String {
        if self.left_out > 0 {
            let lines = if self.left_out == 1 { "entry is" } else { "entries are" };
            let closing = format!("\n{} more {lines} not shown.\n", self.left_out);
            self.push(&closing);
        }
        self.end(footer);
        self.text
    }
}

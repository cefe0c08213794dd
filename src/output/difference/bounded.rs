//! A text that never gets longer than it may.

use crate::account;

/// Room for the line that says what is left out.
const CLOSING: usize = 100;

/// A text of at most so many characters (Unicode scalar values), cut at whole entries.
pub(super) struct Bounded {
    text: String,
    characters: usize,
    most: usize,
    /// What has been promised a place at the end: characters.
    reserved: usize,
    /// Entries that have found no room.
    left_out: usize,
}

impl Bounded {
    pub(super) const fn new(most: usize) -> Self {
        Self { text: String::new(), characters: 0, most, reserved: 0, left_out: 0 }
    }

    /// Adds what has to be there; there has to be room for it.
    pub(super) fn always(&mut self, text: &str) {
        account::grow(text.len() as u64);
        account::touch(text.len());
        self.characters += text.chars().count();
        self.text.push_str(text);
    }

    /// Whether there is room for entries of so many characters. Once one has found none, there is none for what comes
    /// after it.
    pub(super) const fn has_room(&self, characters: usize) -> bool {
        self.left_out == 0 && self.characters + self.reserved + characters + CLOSING <= self.most
    }

    /// Adds an entry, or counts it where there is no room.
    pub(super) fn entry(&mut self, text: &str) {
        account::touch(text.len());
        if self.has_room(text.chars().count()) {
            self.always(text);
        } else {
            self.left_out += 1;
        }
    }

    /// Counts entries that are not shown.
    pub(super) const fn leave_out(&mut self, entries: usize) {
        self.left_out += entries;
    }

    /// Keeps room for a text that will end what begins here.
    pub(super) fn reserve(&mut self, text: &str) {
        self.reserved += text.chars().count();
    }

    /// Adds that text.
    pub(super) fn end(&mut self, text: &str) {
        self.reserved -= text.chars().count().min(self.reserved);
        self.always(text);
    }

    /// The text, which says how many entries it lacks.
    pub(super) fn finish(mut self) -> String {
        if self.left_out > 0 {
            let lines = if self.left_out == 1 { "entry is" } else { "entries are" };
            let closing = format!("\n{} more {lines} not shown.\n", self.left_out);
            self.always(&closing);
        }
        self.text
    }
}

//! JSON that this program has written, as a tree of pieces of its text.

use overfold_base::account;
use overfold_value::with_stack;

/// A value. Texts and keys are as written, with their quotes.
#[derive(Debug)]
pub(super) enum Json<'t> {
    Text(&'t str),
    /// A number, true, false or null.
    Word(&'t str),
    List(Vec<Json<'t>>),
    /// Entries in the order of their keys.
    Map(Vec<(&'t str, Json<'t>)>),
}

impl<'t> Json<'t> {
    /// Reads a text that is JSON.
    pub(super) fn read(text: &'t str) -> Self {
        account::touch(4 * text.len());
        Reader { rest: text }.value()
    }

    /// Returns an entry of an object by its name, which needs no escapes.
    pub(super) fn member(&self, name: &str) -> Option<&Self> {
        let is_named = |key: &str| key.strip_prefix('"').and_then(|key| key.strip_suffix('"')) == Some(name);
        self.entries().find(|(key, _)| is_named(key)).map(|(_, value)| value)
    }

    /// Iterates over the entries of an object; there are none in anything else.
    pub(super) fn entries(&self) -> impl Iterator<Item = (&'t str, &Self)> {
        let entries = if let Self::Map(entries) = self { entries.as_slice() } else { &[] };
        entries.iter().map(|(key, value)| (*key, value))
    }

    /// Iterates over the items of an array; there are none in anything else.
    pub(super) fn items(&self) -> std::slice::Iter<'_, Self> {
        if let Self::List(items) = self { items.iter() } else { [].iter() }
    }

    /// Returns a text as a key.
    pub(super) const fn as_key(&self) -> Option<&'t str> {
        if let Self::Text(text) = self { Some(text) } else { None }
    }
}

struct Reader<'t> {
    rest: &'t str,
}

impl<'t> Reader<'t> {
    fn value(&mut self) -> Json<'t> {
        account::work(2);
        account::grow(size_of::<Json<'_>>() as u64);
        self.rest = self.rest.trim_start();
        match self.rest.as_bytes().first() {
            Some(b'"') => Json::Text(self.text()),
            Some(b'[') => with_stack(|| self.list()),
            Some(b'{') => with_stack(|| self.map()),
            _ => {
                let end = self.rest.find([',', ']', '}', ' ', '\n']).unwrap_or(self.rest.len());
                Json::Word(self.take(end))
            }
        }
    }

    fn list(&mut self) -> Json<'t> {
        let mut items = Vec::new();
        self.take(1);
        while !self.ends(']') {
            let item = self.value();
            account::push(&mut items, item);
        }
        Json::List(items)
    }

    fn map(&mut self) -> Json<'t> {
        let mut entries = Vec::new();
        self.take(1);
        while !self.ends('}') {
            let key = self.text();
            self.rest = self.rest.trim_start_matches([' ', ':']);
            let value = self.value();
            account::grow(16);
            account::push(&mut entries, (key, value));
        }
        account::work(8 * entries.len() as u64);
        entries.sort_by_key(|(key, _)| *key);
        Json::Map(entries)
    }

    /// Whether a list or an object ends here; a comma before a further part is passed over.
    fn ends(&mut self, close: char) -> bool {
        self.rest = self.rest.trim_start_matches([',', ' ', '\n']);
        match self.rest.strip_prefix(close) {
            Some(rest) => {
                self.rest = rest;
                true
            }
            None => self.rest.is_empty(),
        }
    }

    /// Returns the text that begins here, with its quotes.
    fn text(&mut self) -> &'t str {
        let mut is_escaped = false;
        let close = self.rest.bytes().skip(1).position(|byte| {
            let ends = byte == b'"' && !is_escaped;
            is_escaped = byte == b'\\' && !is_escaped;
            ends
        });
        self.take(close.map_or(self.rest.len(), |at| at + 2))
    }

    fn take(&mut self, end: usize) -> &'t str {
        let (taken, rest) = self.rest.split_at_checked(end).unwrap_or((self.rest, ""));
        self.rest = rest;
        taken
    }
}

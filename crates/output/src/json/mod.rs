//! A JSON writer over a byte vector: answers are written directly from the trees to bytes, without a document in
//! between.

mod serializer;

use overfold_base::account;
use overfold_value::json::escaped;

pub use serializer::{JsonText, Streamed};

/// Writes one JSON text. The writer places the commas; opening and closing calls must match, which every caller ensures
/// by the structure of its own code.
#[derive(Debug, Default)]
pub struct JsonWriter {
    out: Vec<u8>,
    /// Whether the next item of the current container must be preceded by a comma.
    comma: bool,
    /// The number of tokens that have not been charged yet.
    tokens: u64,
    /// The length of the text when it was last charged.
    charged: usize,
    /// What is escaped in strings.
    escapes: Escapes,
}

/// What is escaped in strings.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Escapes {
    /// What JSON must escape.
    #[default]
    Needed,
    /// Also what the tool escapes in its documents: `<`, `>`, `&`, U+2028, U+2029 (plan.md, section 14).
    Tool,
}

/// A JSON value that contains others.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Container {
    /// `{}`.
    Object,
    /// `[]`.
    Array,
}

impl Container {
    /// Returns the bracket at the beginning.
    pub(crate) const fn opening(self) -> u8 {
        if matches!(self, Self::Object) { b'{' } else { b'[' }
    }

    /// Returns the bracket at the end.
    pub(crate) const fn closing(self) -> u8 {
        if matches!(self, Self::Object) { b'}' } else { b']' }
    }
}

/// The number of bytes that may be written before they are charged.
const CHARGE_EVERY: usize = 4 << 10;

/// Room for the characters between two pieces: quotes, commas, brackets.
const SEPARATORS: usize = 16;

impl JsonWriter {
    /// Starts an empty text with room for `capacity` bytes.
    pub fn with_capacity(capacity: usize) -> Self {
        Self { out: Vec::with_capacity(capacity), ..Self::default() }
    }

    /// Returns the text.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.charge(0);
        self.out
    }

    /// Returns the text as a value that can be written again.
    pub(crate) fn into_text(self) -> JsonText<'static> {
        // The writer is given nothing that is not UTF-8.
        JsonText(String::from_utf8(self.into_bytes()).unwrap_or_default().into())
    }

    /// Sets what is escaped in the strings that follow.
    pub const fn set_escapes(&mut self, escapes: Escapes) {
        self.escapes = escapes;
    }

    /// Returns the length of the text so far, in bytes.
    pub(crate) const fn written(&self) -> usize {
        self.out.len()
    }

    /// Returns the offset at which the next value will begin.
    pub(crate) fn next_value(&self) -> usize {
        self.out.len() + usize::from(self.comma)
    }

    /// Charges for the text that has not been charged yet: once there is enough of it, and before `more` bytes need new
    /// memory.
    #[inline]
    fn charge_for(&mut self, more: usize) {
        let room = self.out.capacity() - self.out.len();
        if room < more + SEPARATORS || self.out.len() + more > self.charged + CHARGE_EVERY {
            self.charge(more);
        }
    }

    fn charge(&mut self, more: usize) {
        let written = (self.out.len() + more).saturating_sub(self.charged);
        account::work(self.tokens);
        account::text(written);
        account::reserve(&mut self.out, more + SEPARATORS);
        self.tokens = 0;
        self.charged = self.out.len() + more;
    }

    /// Appends a piece of JSON verbatim.
    #[inline]
    fn append(&mut self, piece: &[u8]) {
        self.charge_for(piece.len());
        self.out.extend_from_slice(piece);
    }

    #[inline]
    fn separate(&mut self) {
        self.tokens += 1;
        self.charge_for(0);
        if self.comma {
            self.out.push(b',');
        }
        self.comma = true;
    }

    /// Begins an object or array; [`Self::end`] must follow.
    pub fn begin(&mut self, container: Container) {
        self.separate();
        self.out.push(container.opening());
        self.comma = false;
    }

    /// Ends what [`Self::begin`] began.
    pub fn end(&mut self, container: Container) {
        self.out.push(container.closing());
        self.comma = true;
    }

    /// Writes an object; `inside` writes its members, each with [`Self::key`] and a value.
    pub fn object(&mut self, inside: impl FnOnce(&mut Self)) {
        self.begin(Container::Object);
        inside(self);
        self.end(Container::Object);
    }

    /// Writes an array; `inside` writes its values.
    pub fn array(&mut self, inside: impl FnOnce(&mut Self)) {
        self.begin(Container::Array);
        inside(self);
        self.end(Container::Array);
    }

    /// Writes a member's name; its value must follow.
    pub fn key(&mut self, name: &str) {
        self.str(name);
        self.end_key();
    }

    /// Turns the string that has just been written into a member's name.
    fn end_key(&mut self) {
        self.out.push(b':');
        self.comma = false;
    }

    /// Writes a member's name that needs no escapes; its value must follow.
    fn plain_key(&mut self, name: &'static str) {
        self.separate();
        self.out.push(b'"');
        self.append(name.as_bytes());
        self.out.push(b'"');
        self.end_key();
    }

    /// Writes a string.
    pub fn str(&mut self, text: &str) {
        self.separate();
        self.quote(text);
    }

    /// Writes a string that consists of several pieces.
    pub fn pieces(&mut self, pieces: &[&str]) {
        self.separate();
        self.out.push(b'"');
        for piece in pieces {
            self.escape(piece);
        }
        self.out.push(b'"');
    }

    /// Writes an unsigned number.
    pub fn uint(&mut self, number: u32) {
        self.separate();
        let mut digits = [0; 10];
        let mut rest = number;
        let mut used = 0;
        for digit in digits.iter_mut().rev() {
            *digit = b'0' + (rest % 10) as u8;
            rest /= 10;
            used += 1;
            if rest == 0 {
                break;
            }
        }
        self.append(digits.split_at(digits.len() - used).1);
    }

    /// Writes `true` or `false`.
    pub fn bool(&mut self, value: bool) {
        self.raw(if value { "true" } else { "false" });
    }

    /// Writes `null`.
    pub fn null(&mut self) {
        self.raw("null");
    }

    /// Writes a text that is a JSON value already, such as a number with all its digits.
    pub fn raw(&mut self, json: &str) {
        self.separate();
        self.append(json.as_bytes());
    }

    /// Writes a member with a number as its value; the name needs no escapes.
    pub fn number(&mut self, name: &'static str, number: u32) {
        self.plain_key(name);
        self.uint(number);
    }

    fn quote(&mut self, text: &str) {
        self.out.push(b'"');
        self.escape(text);
        self.out.push(b'"');
    }

    /// Writes the content of a string.
    fn escape(&mut self, text: &str) {
        match self.escapes {
            Escapes::Needed => escaped(text, |piece| self.append(piece.as_bytes())),
            Escapes::Tool => self.escape_as_tool(text),
        }
    }

    fn escape_as_tool(&mut self, text: &str) {
        let mut rest = text;
        while let Some((plain, escape, after)) = before_escape_of_tool(rest) {
            escaped(plain, |piece| self.append(piece.as_bytes()));
            self.append(escape.as_bytes());
            rest = after;
        }
        escaped(rest, |piece| self.append(piece.as_bytes()));
    }

    /// Writes a member with a string value.
    pub fn member(&mut self, name: &str, text: &str) {
        self.key(name);
        self.str(text);
    }
}

/// Returns what stands before the first character that the tool escapes in its own way, its escape, and what stands
/// after it.
fn before_escape_of_tool(text: &str) -> Option<(&str, &'static str, &str)> {
    let bytes = text.as_bytes();
    let at = bytes.iter().enumerate().position(|(at, byte)| match byte {
        b'<' | b'>' | b'&' | 8 | 12 => true,
        // The first byte of U+2028 and U+2029.
        0xE2 => matches!(bytes.get(at + 1..at + 3), Some([0x80, 0xA8 | 0xA9])),
        _ => false,
    })?;
    let (plain, tail) = text.split_at(at);
    let mut after = tail.chars();
    let escape = match after.next()? {
        '<' => "\\u003c",
        '>' => "\\u003e",
        '&' => "\\u0026",
        '\u{8}' => "\\b",
        '\u{c}' => "\\f",
        '\u{2028}' => "\\u2028",
        _ => "\\u2029",
    };
    Some((plain, escape, after.as_str()))
}

#[cfg(test)]
mod tests {
    use super::{Escapes, JsonWriter};

    #[test]
    fn strings_can_be_escaped_as_the_tool_does() {
        let text = written(|json| {
            json.array(|json| {
                json.str("<&>");
                json.set_escapes(Escapes::Tool);
                json.str("a<b>&\"\u{2028}\u{2029}\u{2030}\u{8}\u{c}\u{1}ä");
                json.str("");
            });
        });
        let expected = r#"["<&>","a\u003cb\u003e\u0026\"\u2028\u2029‰\b\f\u0001ä",""]"#;
        assert_eq!(text, expected);
    }

    fn written(write: impl FnOnce(&mut JsonWriter)) -> String {
        let mut json = JsonWriter::default();
        write(&mut json);
        String::from_utf8(json.into_bytes()).unwrap()
    }

    #[test]
    fn commas_are_written_only_between_items() {
        let text = written(|json| {
            json.object(|json| {
                json.key("a");
                json.array(|json| {
                    json.uint(0);
                    json.uint(4_294_967_295);
                    json.array(|_| {});
                    json.null();
                });
                json.member("b", "c");
                json.key("d");
                json.object(|_| {});
                json.key("e");
                json.bool(true);
            });
        });
        assert_eq!(text, r#"{"a":[0,4294967295,[],null],"b":"c","d":{},"e":true}"#);
    }

    #[test]
    fn strings_are_escaped_as_json_demands_and_no_further() {
        assert_eq!(
            written(|json| json.str("a\"b\\c\n\t\r\u{0}\u{1f}é<>/\u{7f}")),
            "\"a\\\"b\\\\c\\n\\t\\r\\u0000\\u001fé<>/\u{7f}\""
        );
        assert_eq!(written(|json| json.str("")), "\"\"");
    }
}

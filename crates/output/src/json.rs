//! A JSON writer over a byte vector: answers are written directly from the trees to bytes, without a document in
//! between.

use super::config::Origin;
use overfold_base::account;
use overfold_value::json::escaped;

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
    /// The path to the value that is being written, if requested.
    path: Option<Vec<Step>>,
    /// The offsets of values with their origins, for comparing two texts.
    origins: Option<Vec<(usize, Origin)>>,
}

/// What a writer can record in addition to its text.
#[derive(Clone, Copy, Debug)]
pub enum Recording {
    /// The path to the value that is being written: [`JsonWriter::pointer`].
    Pointers,
    /// The offsets at which arguments and blocks begin: `JsonWriter::into_parts`.
    Origins,
}

/// One step of a JSON Pointer.
#[derive(Debug)]
enum Step {
    /// In an object: the name of the member that is being written.
    Member(String),
    /// In an array: the number of elements begun so far.
    Elements(usize),
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

    /// Starts an empty text, with a writer that records something.
    pub fn recording(what: Recording) -> Self {
        match what {
            Recording::Pointers => Self { path: Some(Vec::new()), ..Self::default() },
            Recording::Origins => Self { origins: Some(Vec::new()), ..Self::default() },
        }
    }

    /// Returns the JSON Pointer (RFC 6901) to the value that is written next: an element of an array, or the value of a
    /// member whose name has been written. Empty at the top, and without `Recording::Pointers`.
    pub fn pointer(&self) -> String {
        let mut pointer = String::new();
        let steps = self.path.as_deref().unwrap_or_default();
        for (at, step) in steps.iter().enumerate() {
            pointer.push('/');
            match step {
                Step::Member(name) => pointer.push_str(&name.replace('~', "~0").replace('/', "~1")),
                Step::Elements(begun) if at + 1 == steps.len() => pointer.push_str(&begun.to_string()),
                Step::Elements(begun) => pointer.push_str(&begun.saturating_sub(1).to_string()),
            }
        }
        account::touch(pointer.len());
        pointer
    }

    /// Returns the text.
    pub fn into_bytes(mut self) -> Vec<u8> {
        self.charge(0);
        self.out
    }

    /// Whether the writer records where arguments and blocks begin.
    pub fn records_origins(&self) -> bool {
        self.origins.is_some()
    }

    /// Records the origin of the next value, at the offset where the value or the comma before it begins.
    pub(crate) fn origin(&mut self, origin: impl FnOnce() -> Origin) {
        if let Some(origins) = &mut self.origins {
            account::push(origins, (self.out.len(), origin()));
        }
    }

    /// Returns the text and the recorded origins, by offset.
    pub(crate) fn into_parts(mut self) -> (Vec<u8>, Vec<(usize, Origin)>) {
        let origins = self.origins.take().unwrap_or_default();
        (self.into_bytes(), origins)
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
        account::touch(written);
        account::grow(written as u64);
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
        if let Some(path) = &mut self.path
            && let Some(Step::Elements(begun)) = path.last_mut()
        {
            *begun += 1;
        }
    }

    fn open(&mut self, bracket: u8) {
        self.separate();
        self.out.push(bracket);
        self.comma = false;
        if let Some(path) = &mut self.path {
            path.push(if bracket == b'{' { Step::Member(String::new()) } else { Step::Elements(0) });
        }
    }

    fn close(&mut self, bracket: u8) {
        self.out.push(bracket);
        self.comma = true;
        if let Some(path) = &mut self.path {
            path.pop();
        }
    }

    /// Writes an object; `inside` writes its members, each with [`Self::key`] and a value.
    pub fn object(&mut self, inside: impl FnOnce(&mut Self)) {
        self.open(b'{');
        inside(self);
        self.close(b'}');
    }

    /// Writes an array; `inside` writes its values.
    pub fn array(&mut self, inside: impl FnOnce(&mut Self)) {
        self.open(b'[');
        inside(self);
        self.close(b']');
    }

    /// Begins an object, for callers that keep a stack of their own.
    pub fn begin_object(&mut self) {
        self.open(b'{');
    }

    /// Ends what [`Self::begin_object`] began.
    pub fn end_object(&mut self) {
        self.close(b'}');
    }

    /// Begins an array, for callers that keep a stack of their own.
    pub fn begin_array(&mut self) {
        self.open(b'[');
    }

    /// Ends what [`Self::begin_array`] began.
    pub fn end_array(&mut self) {
        self.close(b']');
    }

    /// Writes a member's name; its value must follow.
    pub fn key(&mut self, name: &str) {
        self.separate();
        self.quote(name);
        self.out.push(b':');
        self.comma = false;
        if let Some(path) = &mut self.path
            && let Some(Step::Member(member)) = path.last_mut()
        {
            name.clone_into(member);
        }
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
            escaped(piece, |piece| self.append(piece.as_bytes()));
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
        self.append(digits.get(digits.len() - used..).unwrap_or_default());
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
        self.separate();
        self.out.push(b'"');
        self.append(name.as_bytes());
        self.out.extend_from_slice(b"\":");
        self.comma = false;
        self.uint(number);
    }

    fn quote(&mut self, text: &str) {
        self.out.push(b'"');
        escaped(text, |piece| self.append(piece.as_bytes()));
        self.out.push(b'"');
    }

    /// Writes a member with a string value.
    pub fn member(&mut self, name: &str, text: &str) {
        self.key(name);
        self.str(text);
    }
}

#[cfg(test)]
mod tests {
    use super::{JsonWriter, Recording};

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
    fn the_writer_knows_the_way_to_what_it_writes() {
        let mut json = JsonWriter::recording(Recording::Pointers);
        let mut ways = Vec::new();
        json.object(|json| {
            json.key("a/b");
            json.array(|json| {
                json.uint(1);
                ways.push(json.pointer());
                json.object(|json| {
                    json.key("~");
                    ways.push(json.pointer());
                    json.null();
                });
            });
            json.key("c");
            ways.push(json.pointer());
            json.null();
        });
        assert_eq!(ways, ["/a~1b/1", "/a~1b/1/~0", "/c"]);
        assert_eq!(json.pointer(), "");
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

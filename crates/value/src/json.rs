//! Values as JSON text, with exact numbers.

use super::{Kind, Type, Value, with_stack};
use overfold_base::account;

/// The reason why a value has no JSON form.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum JsonError {
    /// A part is not known yet.
    #[error("part of the value is not known yet")]
    Unknown,
    /// A number is infinite.
    #[error("JSON cannot represent infinite numbers")]
    Infinite,
    /// A number or the whole value is too long to write.
    #[error("the value is too long to be written in decimal")]
    TooLong,
}

/// Appends `text` as a JSON string. Only what JSON must escape is escaped.
pub fn write_text(text: &str, out: &mut String) {
    account::touch(text.len() * 6);
    account::grow(text.len() as u64 + 2);
    out.push('"');
    escaped(text, |piece| out.push_str(piece));
    out.push('"');
}

/// Passes `text` to `piece` in the pieces that form the content of a JSON string, without its quotes: unescaped runs
/// are passed whole, and only what JSON must escape (RFC 8259, section 7) is escaped.
pub fn escaped(text: &str, mut piece: impl FnMut(&str)) {
    const HEX: &str = "0123456789abcdef";
    let mut rest = text;
    loop {
        let (plain, tail) = rest.split_at(plain_length(rest.as_bytes()));
        piece(plain);
        let mut after = tail.chars();
        let Some(special) = after.next() else { return };
        match special {
            '"' => piece("\\\""),
            '\\' => piece("\\\\"),
            '\n' => piece("\\n"),
            '\r' => piece("\\r"),
            '\t' => piece("\\t"),
            other => {
                let digit = |at: u32| HEX.get(at as usize..=at as usize).unwrap_or_default();
                piece("\\u00");
                piece(digit(u32::from(other) >> 4));
                piece(digit(u32::from(other) & 15));
            }
        }
        rest = after.as_str();
    }
}

/// Returns how many bytes at the beginning need no escape. Checks several at a time; bytes that need an escape are one
/// byte long.
fn plain_length(text: &[u8]) -> usize {
    const CHUNK: usize = 16;
    let is_special = |byte: u8| byte < 0x20 || byte == b'"' || byte == b'\\';
    let has_special = |chunk: &&[u8]| chunk.iter().fold(false, |found, &byte| found | is_special(byte));
    // Within a run of special bytes, checking further ahead would be wasted work.
    if text.first().is_none_or(|&first| is_special(first)) {
        return 0;
    }
    let plain = text.chunks_exact(CHUNK).take_while(|chunk| !has_special(chunk)).count() * CHUNK;
    let (_, rest) = text.split_at(plain);
    plain + rest.iter().position(|&byte| is_special(byte)).unwrap_or(rest.len())
}

/// Appends the escape of a character of the basic multilingual plane, `\u001f`; faster than the formatter.
pub fn push_escape(c: char, out: &mut String) {
    out.push_str("\\u");
    for shift in [12, 8, 4, 0] {
        out.push(char::from_digit(c as u32 >> shift & 0xF, 16).unwrap_or('0'));
    }
}

/// Returns the maximum bracket nesting in a JSON text.
pub fn nesting(text: &str) -> u32 {
    let (mut now, mut deepest, mut in_text, mut escaped) = (0u32, 0, false, false);
    for byte in text.bytes() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = in_text,
            b'"' => in_text = !in_text,
            b'[' | b'{' if !in_text => {
                now = now.saturating_add(1);
                deepest = deepest.max(now);
            }
            b']' | b'}' if !in_text => now = now.saturating_sub(1),
            _ => {}
        }
    }
    deepest
}

/// A function that writes strings inside JSON: the plain one, or that of a function of the language.
pub type WriteText = fn(&str, &mut String);

impl Value {
    /// Returns the value as compact JSON, with keys sorted and numbers in exact plain decimal. Marks are ignored.
    ///
    /// # Errors
    /// Returns a [`JsonError`] if some part has no JSON form.
    pub fn to_json(&self) -> Result<String, JsonError> {
        let mut out = String::new();
        self.write_json(&mut out, write_text)?;
        Ok(out)
    }

    /// Appends the value as compact JSON, with strings written by `text`.
    ///
    /// # Errors
    /// Returns a [`JsonError`] if some part has no JSON form; what was appended before it stays.
    pub fn write_json(&self, out: &mut String, text: WriteText) -> Result<(), JsonError> {
        /// About a hundred megabytes of text, far more than any response may contain.
        const WEIGHT_LIMIT: u64 = 4_000_000;
        if self.weight() > WEIGHT_LIMIT {
            return Err(JsonError::TooLong);
        }
        self.write_parts(out, text)
    }

    fn write_parts(&self, out: &mut String, text: WriteText) -> Result<(), JsonError> {
        account::build(1, 6);
        match self.kind() {
            Kind::Null(_) => out.push_str("null"),
            Kind::Unknown { .. } => return Err(JsonError::Unknown),
            Kind::Bool(value) => out.push_str(if *value { "true" } else { "false" }),
            Kind::Number(number) if number.is_infinite() => return Err(JsonError::Infinite),
            Kind::Number(number) => out.push_str(&number.to_text().map_err(|_| JsonError::TooLong)?),
            Kind::Text(value) => text(value, out),
            Kind::List(sequence) | Kind::Set(sequence) | Kind::Tuple(sequence) => {
                out.push('[');
                for (index, item) in sequence.items().iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    with_stack(|| item.write_parts(out, text))?;
                }
                out.push(']');
            }
            Kind::Map(mapping) | Kind::Object(mapping) => {
                out.push('{');
                for (index, (key, value)) in mapping.entries().iter().enumerate() {
                    if index > 0 {
                        out.push(',');
                    }
                    text(key, out);
                    out.push(':');
                    with_stack(|| value.write_parts(out, text))?;
                }
                out.push('}');
            }
        }
        Ok(())
    }

    /// Returns the type of the value in cty's JSON form.
    pub fn type_json(&self) -> String {
        Type::to_json(self.ty())
    }
}

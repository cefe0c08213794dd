//! Reads YAML text as a value, resolving aliases, merge keys and tags.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use saphyr_parser::{Event, Parser, ScalarStyle, ScanError, Tag};

use super::scalar::{Word, resolve};
use super::{FunctionError, Outcome};
use overfold_base::account;
use overfold_value::{Kind, Type, Value, excerpt, normalized};

/// Reads the only document of `text`. Everything built is charged, an alias each time it is used.
pub(super) fn document(text: &str) -> Outcome {
    if let Some(c) = text.chars().find(|c| !is_allowed(*c)) {
        return Err(FunctionError::new(format!("the string is not valid YAML: it contains the character {c:?}")));
    }
    let text = with_line_feeds(text);
    check_directives(&text)?;
    let mut reader = Reader { anchors: HashMap::new(), open: Vec::new(), result: None };
    account::grow(marks_in_brackets(&text) * BYTES_PER_MARK);
    let last_line = text.rsplit(['\n', '\r']).next().unwrap_or_default();
    let mut parser = Parser::new_from_str(&text);
    let mut documents = 0_u32;
    while let Some(event) = parser.next_event() {
        let (mut event, _) = event.map_err(|error| not_yaml(&error))?;
        account::work(8);
        if let Event::Scalar(block, ScalarStyle::Literal | ScalarStyle::Folded, ..) = &mut event {
            if reader.open.is_empty() && !is_indented(&text) {
                return Err(FunctionError::new("the string is not valid YAML: a block is not indented"));
            }
            if ends_in_block(last_line, block) {
                *block = Cow::Owned(block.strip_suffix('\n').unwrap_or(block).to_owned());
            }
        }
        match event {
            Event::DocumentStart(_) => {
                documents += 1;
                if documents > 1 {
                    return Err(FunctionError::new("the string contains more than one document"));
                }
            }
            event => reader.event(event)?,
        }
    }
    reader.result.ok_or_else(|| FunctionError::new("the string does not contain a document"))
}

/// The bytes that the parser holds for each mark inside brackets: it reads to the closing bracket before it returns
/// them.
const BYTES_PER_MARK: u64 = 384;

/// Returns the number of characters inside brackets, or after an unclosed one, that may be separate tokens.
fn marks_in_brackets(text: &str) -> u64 {
    let (mut open, mut marks) = (0_u64, 0);
    for byte in text.bytes() {
        match byte {
            b'[' | b'{' => open += 1,
            b']' | b'}' => open = open.saturating_sub(1),
            b',' | b':' | b'?' | b'&' | b'*' | b'!' | b'"' | b'\'' => {}
            _ => continue,
        }
        marks += u64::from(open > 0);
    }
    marks
}

fn not_yaml(error: &ScanError) -> FunctionError {
    let at = error.marker();
    FunctionError::new(format!(
        "the string is not valid YAML: line {}, column {}: {}",
        at.line(),
        at.col() + 1,
        error.info()
    ))
}

/// Returns whether a YAML text may contain the character.
fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

/// Replaces the next-line character, which YAML 1.1 reads as a line break.
fn with_line_feeds(text: &str) -> Cow<'_, str> {
    if text.contains('\u{85}') { Cow::Owned(text.replace('\u{85}', "\n")) } else { Cow::Borrowed(text) }
}

/// Checks the directives before the document; only version 1.1 and tag prefixes are supported.
fn check_directives(text: &str) -> Result<(), FunctionError> {
    let lines = text.trim_start_matches('\u{feff}').split(['\n', '\r']);
    for line in lines {
        if let Some(directive) = line.strip_prefix('%') {
            let mut words = directive.split([' ', '\t']).filter(|word| !word.is_empty());
            match (words.next(), words.next()) {
                (Some("TAG"), _) | (Some("YAML"), Some("1.1")) => {}
                (Some("YAML"), _) => return Err(FunctionError::new("only YAML version 1.1 is supported")),
                _ => return Err(FunctionError::new("the string contains an unknown directive")),
            }
        } else if !line.is_empty() && !line.starts_with('#') {
            break;
        }
    }
    Ok(())
}

/// Returns whether, after the header of a block that is the whole document, no line has anything at its very start
/// except a comment or the end of the document.
fn is_indented(text: &str) -> bool {
    let is_before = |line: &&str| line.starts_with(['#', '%']) || !line.contains(['|', '>']);
    let block = text.split(['\n', '\r']).skip_while(is_before).skip(1);
    block.into_iter().all(|line| line.is_empty() || line.starts_with([' ', '#']) || line.starts_with("..."))
}

/// Returns whether the last line of the text belongs to `block` and has no line break, so that the block has none
/// either.
fn ends_in_block(last: &str, block: &str) -> bool {
    let content = last.trim_start_matches(' ');
    let Some(block) = block.strip_suffix('\n').filter(|_| last.starts_with(' ')) else { return false };
    if content.is_empty() { block.ends_with([' ', '\n']) } else { block.ends_with(content) }
}

struct Reader {
    /// The values by anchor number.
    anchors: HashMap<usize, Value>,
    /// The collections that are open, innermost last.
    open: Vec<Open>,
    result: Option<Value>,
}

/// An open collection.
enum Open {
    Sequence { anchor: usize, items: Vec<Value> },
    Mapping { anchor: usize, entries: Vec<(Arc<str>, Value)>, key: Key },
}

/// What a mapping expects next.
enum Key {
    /// A key.
    Wanted,
    /// The value of this key.
    Of(Arc<str>),
    /// A mapping whose entries are merged.
    Merge,
}

impl Reader {
    fn event(&mut self, event: Event<'_>) -> Result<(), FunctionError> {
        let wants_key = matches!(self.open.last(), Some(Open::Mapping { key: Key::Wanted, .. }));
        match event {
            Event::Scalar(text, style, anchor, tag) => {
                account::touch(text.len());
                if wants_key {
                    return self.key(&text, style, tag.as_deref());
                }
                let value = scalar(&text, style, tag.as_deref())?;
                self.value(value, anchor)
            }
            Event::Alias(_) | Event::SequenceStart(..) | Event::MappingStart(..) if wants_key => {
                Err(FunctionError::new("a key must be a scalar"))
            }
            Event::Alias(anchor) => {
                let value = self.anchors.get(&anchor).cloned();
                let value = value
                    .ok_or_else(|| FunctionError::new("an alias refers to a value that contains it, or to a key"))?;
                account::work(value.weight());
                self.value(value, 0)
            }
            Event::SequenceStart(anchor, tag) => {
                check_tag(tag.as_deref(), "seq")?;
                self.open.push(Open::Sequence { anchor, items: Vec::new() });
                Ok(())
            }
            Event::MappingStart(anchor, tag) => {
                check_tag(tag.as_deref(), "map")?;
                self.open.push(Open::Mapping { anchor, entries: Vec::new(), key: Key::Wanted });
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::Sequence { anchor, items }) => self.value(Value::tuple(items), anchor),
                Some(Open::Mapping { anchor, entries, .. }) => self.value(Value::object(entries), anchor),
                None => Ok(()),
            },
            _ => Ok(()),
        }
    }

    fn key(&mut self, text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Result<(), FunctionError> {
        let next = if text == "<<" && tag.is_none() {
            Key::Merge
        } else {
            let value = scalar(text, style, tag)?;
            let name = as_text(&value)?.ok_or_else(|| FunctionError::new("a key is null"))?;
            account::touch(name.len());
            Key::Of(name)
        };
        if let Some(Open::Mapping { key, .. }) = self.open.last_mut() {
            *key = next;
        }
        Ok(())
    }

    /// Adds a complete value to the collection it belongs to.
    fn value(&mut self, value: Value, anchor: usize) -> Result<(), FunctionError> {
        if anchor != 0 {
            self.anchors.insert(anchor, value.clone());
        }
        match self.open.last_mut() {
            None => self.result = Some(value),
            Some(Open::Sequence { items, .. }) => items.push(value),
            Some(Open::Mapping { entries, key, .. }) => match std::mem::replace(key, Key::Wanted) {
                Key::Of(name) => entries.push((name, value)),
                Key::Merge | Key::Wanted => {
                    let Kind::Object(merged) = value.kind() else {
                        return Err(FunctionError::new("only a mapping can be merged into a mapping"));
                    };
                    account::work(merged.entries().len() as u64);
                    entries.extend(merged.entries().iter().cloned());
                }
            },
        }
        Ok(())
    }
}

/// Returns the short name of a YAML tag; `None` for other tags.
fn tag_name(tag: &Tag) -> Option<String> {
    let full = format!("{}{}", tag.handle, tag.suffix);
    full.strip_prefix("tag:yaml.org,2002:").map(str::to_owned)
}

fn unknown_tag(tag: &Tag) -> FunctionError {
    FunctionError::new(format!(
        "the tag {}{} is unknown or does not match the value",
        excerpt(&tag.handle),
        excerpt(&tag.suffix)
    ))
}

fn check_tag(tag: Option<&Tag>, want: &str) -> Result<(), FunctionError> {
    match tag {
        Some(tag) if tag_name(tag).as_deref() != Some(want) => Err(unknown_tag(tag)),
        _ => Ok(()),
    }
}

/// Returns the value of a scalar. A block without a tag is read like a word without quotes, and the result is converted
/// back to text: `yes` in a block is the text `true` (as in the tool).
fn scalar(text: &str, style: ScalarStyle, tag: Option<&Tag>) -> Outcome {
    let quoted = matches!(style, ScalarStyle::SingleQuoted | ScalarStyle::DoubleQuoted);
    let as_text = || Value::text(normalized(text));
    let name = tag.map(|tag| tag_name(tag).ok_or_else(|| unknown_tag(tag))).transpose()?;
    match name.as_deref() {
        Some("str") => return Ok(as_text()),
        Some("binary") => {
            let plain: String = text.chars().filter(|c| !matches!(c, '\n' | '\r')).collect();
            return match STANDARD.decode(plain) {
                Ok(_) => Ok(as_text()),
                Err(_) => Err(FunctionError::new("a value tagged !!binary is not valid Base64")),
            };
        }
        None | Some("int" | "float" | "bool" | "null" | "timestamp") => {}
        Some(_) => return Err(tag.map_or_else(|| FunctionError::new("a tag is unknown"), unknown_tag)),
    }
    if quoted {
        return Ok(as_text());
    }
    match (resolve(text).map_err(FunctionError::new)?, name.as_deref()) {
        (Word::Value(value), None) if style != ScalarStyle::Plain => block_text(&value),
        (Word::Value(value), _) => Ok(value),
        (Word::Time(time), None | Some("timestamp")) => Ok(Value::text(time)),
        (Word::Text, None) => Ok(as_text()),
        (_, Some("null")) => Ok(Value::untyped_null()),
        _ => Err(tag.map_or_else(|| FunctionError::new("a tag does not match its value"), unknown_tag)),
    }
}

/// Returns a scalar as text; `None` for null.
fn as_text(value: &Value) -> Result<Option<Arc<str>>, FunctionError> {
    Ok(Some(match value.kind() {
        Kind::Text(text) => text.clone(),
        Kind::Bool(value) => Arc::from(if *value { "true" } else { "false" }),
        Kind::Number(number) if number.is_infinite() => Arc::from(if number.is_negative() { "-Inf" } else { "+Inf" }),
        Kind::Number(number) => Arc::from(
            number.to_text().map_err(|_| FunctionError::new("a number is too long to be written in decimal"))?,
        ),
        _ => return Ok(None),
    }))
}

fn block_text(value: &Value) -> Outcome {
    Ok(as_text(value)?.map_or(Value::null(Type::String), Value::text))
}

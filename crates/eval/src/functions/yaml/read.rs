//! Reads YAML text as a value, resolving aliases, merge keys and tags.

use std::collections::HashMap;
use std::sync::Arc;

use super::parse::{Event, Parser, Properties};
use super::scalar::{self, TAGS, Tag};
use super::token::{Fault, Style};
use super::{FunctionError, Outcome, YamlRules};
use overfold_base::account::{self, ChargedIterator, ChargedText, List};
use overfold_value::{Kind, Type, Value, excerpt};

/// Reads the only document of `text`. Everything built is charged, an alias each time it is used.
pub(super) fn document(text: &str, rules: YamlRules) -> Outcome {
    // Most of the time goes into characters, of which a line break costs most. The scanner holds no more than the scalars
    // that follow each other in one line.
    account::build(text.len() as u64 / 4, text.len() as u64);
    account::room(text.len());
    if let Some(c) = text.chars().find(|c| !is_allowed(*c)) {
        return Err(FunctionError::new(format!("the string is not valid YAML: it contains the character {c:?}")));
    }
    let mut parser = Parser::new(text);
    let mut reader = Reader { rules, anchors: HashMap::new(), open: List::new(), result: None };
    let mut documents = 0_u32;
    loop {
        match parser.event().map_err(not_yaml)? {
            Event::Document => {
                documents += 1;
                if documents > 1 {
                    return Err(FunctionError::new("the string contains more than one document"));
                }
            }
            Event::End => break,
            event => reader.event(event)?,
        }
    }
    let value = reader.result.ok_or_else(|| FunctionError::new("the string does not contain a document"))?;
    let is_lost = rules.null_is_unknown && value.is_null() && *value.ty() == Type::Dynamic;
    Ok(if is_lost { Value::unknown(Type::Dynamic) } else { value })
}

fn not_yaml(fault: Fault) -> FunctionError {
    FunctionError::new(format!(
        "the string is not valid YAML: line {}, column {}: {}",
        fault.mark.line + 1,
        fault.mark.column + 1,
        fault.what
    ))
}

/// Returns whether a YAML text may contain the character.
fn is_allowed(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='~' | '\u{85}' | '\u{a0}'..='\u{d7ff}' | '\u{e000}'..='\u{fffd}' | '\u{10000}'..)
}

struct Reader<'t> {
    rules: YamlRules,
    anchors: HashMap<&'t str, Anchor>,
    /// The collections that are open, innermost last.
    open: List<Open<'t>>,
    result: Option<Value>,
}

/// What an anchor stands for.
#[derive(Default)]
struct Anchor {
    /// The last value of this name that is complete.
    value: Option<Value>,
    /// How many values of this name are open.
    open: usize,
}

/// An open collection.
enum Open<'t> {
    Sequence { anchor: Option<&'t str>, items: List<Value> },
    Mapping { anchor: Option<&'t str>, entries: List<(Arc<str>, Value)>, key: Key },
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

impl<'t> Reader<'t> {
    fn event(&mut self, event: Event<'t>) -> Result<(), FunctionError> {
        let wants_key = matches!(self.open.last(), Some(Open::Mapping { key: Key::Wanted, .. }));
        match event {
            // The anchor of a key stands for nothing.
            Event::Scalar(text, style, properties) if wants_key => self.key(&text, style, properties.tag.as_deref()),
            Event::Alias(_) | Event::Sequence(_) | Event::Mapping(_) if wants_key => {
                Err(FunctionError::new("a key must be a scalar"))
            }
            Event::Scalar(text, style, Properties { anchor, tag }) => {
                let value = scalar(text.touched(), style, tag.as_deref(), self.rules)?;
                self.begin(anchor);
                self.value(value, anchor)
            }
            Event::Alias(name) => {
                let anchor = self.anchors.get(name).filter(|anchor| anchor.open == 0);
                let value = anchor.and_then(|anchor| anchor.value.clone());
                let value = value
                    .ok_or_else(|| FunctionError::new("an alias refers to a value that contains it, or to a key"))?;
                account::work(value.weight());
                self.value(value, None)
            }
            Event::Sequence(Properties { anchor, tag }) => {
                check_tag(tag.as_deref(), "seq")?;
                self.begin(anchor);
                self.open.push(Open::Sequence { anchor, items: List::new() });
                Ok(())
            }
            Event::Mapping(Properties { anchor, tag }) => {
                check_tag(tag.as_deref(), "map")?;
                self.begin(anchor);
                let mapping = Open::Mapping { anchor, entries: List::new(), key: Key::Wanted };
                self.open.push(mapping);
                Ok(())
            }
            Event::SequenceEnd | Event::MappingEnd => match self.open.pop() {
                Some(Open::Sequence { anchor, items }) => self.value(Value::tuple(items.into_vec()), anchor),
                Some(Open::Mapping { anchor, entries, .. }) => self.value(Value::object(entries.into_vec()), anchor),
                None => Ok(()),
            },
            Event::Document | Event::DocumentEnd | Event::End => Ok(()),
        }
    }

    fn key(&mut self, text: &str, style: Style, tag: Option<&str>) -> Result<(), FunctionError> {
        let merges = match tag {
            None => text == "<<",
            Some(tag) => self.rules.merges_lists && tag.strip_prefix(TAGS) == Some("merge"),
        };
        let next = if merges {
            Key::Merge
        } else {
            let value = scalar(text, style, tag, self.rules)?;
            let name = as_text(&value)?.ok_or_else(|| FunctionError::new("a key is null"))?;
            account::touch(name.len());
            Key::Of(name)
        };
        if let Some(Open::Mapping { key, .. }) = self.open.last_mut() {
            *key = next;
        }
        Ok(())
    }

    fn begin(&mut self, anchor: Option<&'t str>) {
        if let Some(name) = anchor {
            self.anchors.entry(name).or_default().open += 1;
        }
    }

    /// Adds a complete value to the collection it belongs to.
    fn value(&mut self, value: Value, anchor: Option<&'t str>) -> Result<(), FunctionError> {
        if let Some(name) = anchor {
            let anchor = self.anchors.entry(name).or_default();
            anchor.open = anchor.open.saturating_sub(1);
            anchor.value = Some(value.clone());
        }
        let merges_lists = self.rules.merges_lists;
        match self.open.last_mut() {
            None => self.result = Some(value),
            Some(Open::Sequence { items, .. }) => items.push(value),
            Some(Open::Mapping { entries, key, .. }) => match std::mem::replace(key, Key::Wanted) {
                Key::Of(name) => entries.push((name, value)),
                Key::Merge | Key::Wanted => match (value.as_items(), value.kind()) {
                    (Some(items), _) if merges_lists => {
                        items.iter().charged_at_once(1).try_for_each(|item| merge(entries, item))?;
                    }
                    _ => merge(entries, &value)?,
                },
            },
        }
        Ok(())
    }
}

/// Adds the entries of a mapping.
fn merge(entries: &mut List<(Arc<str>, Value)>, value: &Value) -> Result<(), FunctionError> {
    let Kind::Object(merged) = value.kind() else {
        return Err(FunctionError::new("only a mapping can be merged into a mapping"));
    };
    entries.extend(merged.entries().iter().charged_at_once(1).cloned());
    Ok(())
}

fn unknown_tag(tag: &str) -> FunctionError {
    FunctionError::new(format!("the tag {} is unknown or does not match the value", excerpt(tag)))
}

fn check_tag(tag: Option<&str>, want: &str) -> Result<(), FunctionError> {
    match tag {
        Some(tag) if tag.strip_prefix(TAGS) != Some(want) => Err(unknown_tag(tag)),
        _ => Ok(()),
    }
}

/// Returns the value of a scalar. A block without a tag is read like a word without quotes, and the result is converted
/// back to text: `yes` in a block is the text `true` (as in the tool).
fn scalar(text: &str, style: Style, tag: Option<&str>, rules: YamlRules) -> Outcome {
    let known = tag.map(|tag| Tag::named(tag).ok_or_else(|| unknown_tag(tag))).transpose()?;
    let value = scalar::resolve(text, style == Style::Quoted, known, rules).map_err(FunctionError::new)?;
    if style == Style::Block && tag.is_none() { block_text(&value) } else { Ok(value) }
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

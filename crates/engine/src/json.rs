//! Parses the JSON of requests: strictly, and with the place of each error.

use std::collections::HashSet;
use std::fmt;
use std::marker::PhantomData;

use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, MapAccess, SeqAccess, Visitor};
#[cfg(feature = "program")]
use serde_path_to_error::{Segment, Track};

use crate::refusal::{Refusal, RefusalKind};
use overfold_base::account::{self, ChargedText};
use overfold_base::echo::{reader_message, short};
use overfold_base::stack::ensure_sufficient;

/// Parses one JSON text. Places in errors start with `prefix`, the JSON pointer of the text in the request object.
///
/// # Errors
/// Refuses what is not UTF-8 or not JSON, an unknown field, a repeated name, and a value of the wrong type.
pub fn parse<'a, T: Deserialize<'a>>(text: &'a [u8], prefix: &str) -> Result<T, Refusal> {
    parse_seed(PhantomData, text, prefix)
}

/// Like [`parse`], but with a seed for the reader.
///
/// # Errors
/// As [`parse`].
pub fn parse_seed<'a, S: DeserializeSeed<'a>>(seed: S, text: &'a [u8], prefix: &str) -> Result<S::Value, Refusal> {
    let text = std::str::from_utf8(text.touched()).map_err(|error| {
        Refusal::new(
            RefusalKind::NotUtf8,
            format!("the JSON text is not valid UTF-8 from byte {} on", error.valid_up_to()),
        )
    })?;
    check_names(text)?;
    read(seed, serde_json::Deserializer::from_str(text), prefix)
}

fn read<'a, S: DeserializeSeed<'a>>(
    seed: S,
    mut reader: serde_json::Deserializer<serde_json::de::StrRead<'a>>,
    prefix: &str,
) -> Result<S::Value, Refusal> {
    #[cfg(feature = "program")]
    let value = {
        let mut track = Track::new();
        seed.deserialize(serde_path_to_error::Deserializer::new(&mut reader, &mut track))
            .map_err(|error| problem(&error, prefix).at(pointer(prefix, &track.path())))?
    };
    #[cfg(not(feature = "program"))]
    let value = seed.deserialize(&mut reader).map_err(|error| problem(&error, prefix).at(prefix))?;
    reader.end().map_err(|error| problem(&error, prefix))?;
    Ok(value)
}

/// Checks a value of arbitrary structure: no object in it may repeat a name, and it may not be nested deeper than a
/// file (`max_depth` levels).
///
/// # Errors
/// As [`parse`]; and refuses a value that is nested too deeply, with the limit's name.
pub fn check_value(text: &str, max_depth: u32, prefix: &str) -> Result<(), Refusal> {
    if overfold_value::json::nesting(text.touched()) > max_depth {
        return Err(Refusal::over_limit("the nesting of a value", "max-syntax-depth", max_depth.into()).at(prefix));
    }
    let mut reader = serde_json::Deserializer::from_str(text);
    reader.disable_recursion_limit();
    // Keys are part of the value, which may be secret: neither the message nor the pointer contains one.
    let checked = ensure_sufficient(|| UniqueNames::deserialize(&mut reader).and_then(|UniqueNames| reader.end()));
    checked.map_err(|error| {
        let kind = kind(&error, &error.to_string());
        let detail = match kind {
            RefusalKind::DuplicateKey => "an object in the value has a duplicate key",
            _ => "the value cannot be read",
        };
        Refusal::new(kind, detail).at(prefix)
    })
}

fn problem(error: &serde_json::Error, prefix: &str) -> Refusal {
    let mut text = error.to_string();
    // A line and column within a part would be taken for a position in the whole body; the pointer says where the part
    // is.
    if let Some(at) = text.rfind(" at line ").filter(|_| !prefix.is_empty()) {
        text.truncate(at);
    }
    let text = without_value(text);
    Refusal::new(kind(error, &text), reader_message(text))
}

/// Returns the kind of problem, given the reader's error and its message.
fn kind(error: &serde_json::Error, text: &str) -> RefusalKind {
    use serde_json::error::Category;
    match error.classify() {
        Category::Io | Category::Syntax | Category::Eof => RefusalKind::MalformedBody,
        Category::Data if text.starts_with("duplicate") => RefusalKind::DuplicateKey,
        Category::Data if text.starts_with("unknown field") => RefusalKind::UnknownOption,
        Category::Data => RefusalKind::BadOption,
    }
}

/// Returns the reader's message about a value of the wrong type without the value, which may be secret.
fn without_value(text: String) -> String {
    if !text.starts_with("invalid type: ") && !text.starts_with("invalid value: ") {
        return text;
    }
    let value = text.find(['"', '`']).zip(text.rfind(", expected "));
    match value.and_then(|(from, to)| Some((text.get(..from)?, text.get(to..)?))) {
        Some((before, after)) => format!("{}{after}", before.trim_end()),
        None => text,
    }
}

/// Converts a path to a JSON pointer, RFC 6901.
#[cfg(feature = "program")]
fn pointer(prefix: &str, path: &serde_path_to_error::Path) -> String {
    let mut pointer = prefix.to_owned();
    for segment in path {
        match segment {
            Segment::Seq { index } => push_key(&mut pointer, &index.to_string()),
            Segment::Map { key } => push_key(&mut pointer, key),
            Segment::Enum { .. } | Segment::Unknown => {}
        }
    }
    pointer
}

/// A `T` that must be written as an object: readers derived by serde also accept a list of the fields' values.
pub struct Object<T>(pub T);

impl<'de, T: Deserialize<'de>> Deserialize<'de> for Object<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Fields<T>(PhantomData<T>);
        impl<'de, T: Deserialize<'de>> Visitor<'de> for Fields<T> {
            type Value = Object<T>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<Object<T>, A::Error> {
                T::deserialize(MapAccessDeserializer::new(map)).map(Object)
            }
        }
        deserializer.deserialize_map(Fields(PhantomData))
    }
}

/// The memory, in bytes, that a name in an object takes in addition to its text: in the set of names, which doubles as
/// it grows, and in the allocator.
const NAME: u64 = 64;

/// The most bytes that a name may have in a text that is parsed; all names that mean something are shorter.
const MAX_NAME_BYTES: usize = 65_536;

/// Checks that no name in a JSON text is so long that copying it, as readers and their messages do several times, is a
/// burden. Short texts pass unseen, and so does anything that is not JSON: the reader reports it.
///
/// # Errors
/// Refuses a longer name.
pub fn check_names(text: &str) -> Result<(), Refusal> {
    let bytes = text.as_bytes();
    if bytes.len() <= 16 * MAX_NAME_BYTES || every_name_ends_soon(bytes) {
        return Ok(());
    }
    let mut at = 0;
    while let Some(open) = bytes.get(at..).and_then(|rest| memchr::memchr(b'"', rest)).map(|found| at + found) {
        let mut end = open + 1;
        loop {
            match bytes.get(end..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)).map(|found| end + found) {
                None => return Ok(()),
                Some(quote) if bytes.get(quote) == Some(&b'"') => {
                    end = quote;
                    break;
                }
                // The escaped character is skipped, too.
                Some(escape) => end = escape + 2,
            }
        }
        at = end + 1;
        if end - open > MAX_NAME_BYTES {
            let rest = bytes.get(at..).unwrap_or_default();
            if rest.iter().find(|byte| !byte.is_ascii_whitespace()) == Some(&b':') {
                let detail = format!("a name in the JSON text is longer than {MAX_NAME_BYTES} bytes");
                return Err(Refusal::new(RefusalKind::OverLimit, detail));
            }
        }
    }
    Ok(())
}

/// Whether no text in a JSON text can be so long that it has to be looked at: whichever is covers one of these chunks, in
/// which then every quotation mark is escaped. In most texts the first few bytes of each chunk show that none is.
fn every_name_ends_soon(bytes: &[u8]) -> bool {
    let ends = |chunk: &[u8]| {
        let mut marks = memchr::memchr_iter(b'"', chunk);
        marks.any(|at| at.checked_sub(1).and_then(|before| chunk.get(before)).is_some_and(|before| *before != b'\\'))
    };
    bytes.chunks_exact(MAX_NAME_BYTES / 2).all(ends)
}

/// Any JSON value in which no object repeats a name; the value itself is dropped.
struct UniqueNames;

impl<'de> Deserialize<'de> for UniqueNames {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Any;
        impl<'de> Visitor<'de> for Any {
            type Value = UniqueNames;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a JSON value")
            }

            fn visit_unit<E>(self) -> Result<UniqueNames, E> {
                Ok(UniqueNames)
            }

            fn visit_bool<E>(self, _: bool) -> Result<UniqueNames, E> {
                Ok(UniqueNames)
            }

            fn visit_i64<E>(self, _: i64) -> Result<UniqueNames, E> {
                Ok(UniqueNames)
            }

            fn visit_u64<E>(self, _: u64) -> Result<UniqueNames, E> {
                Ok(UniqueNames)
            }

            fn visit_f64<E>(self, _: f64) -> Result<UniqueNames, E> {
                Ok(UniqueNames)
            }

            fn visit_str<E>(self, _: &str) -> Result<UniqueNames, E> {
                Ok(UniqueNames)
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<UniqueNames, A::Error> {
                while list.next_element::<UniqueNames>()?.is_some() {}
                Ok(UniqueNames)
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<UniqueNames, A::Error> {
                let mut seen = HashSet::new();
                while let Some(name) = map.next_key::<String>()? {
                    account::build(2, NAME + name.len() as u64);
                    if seen.contains(&name) {
                        return Err(A::Error::custom(format_args!("duplicate key {:?}", short(&name))));
                    }
                    seen.insert(name);
                    map.next_value::<UniqueNames>()?;
                }
                Ok(UniqueNames)
            }
        }
        deserializer.deserialize_any(Any)
    }
}

/// Appends a name to a JSON pointer.
pub fn push_key(pointer: &mut String, key: &str) {
    pointer.push('/');
    pointer.push_str(&key.replace('~', "~0").replace('/', "~1"));
}

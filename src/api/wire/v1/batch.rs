//! A line of a batch, and the line that answers it.

use std::fmt;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, IntoDeserializer as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{MergeAnswer, MergeRequest};
use crate::api::http::problem::Problem;
use crate::api::wire::json::Object;

/// The answer to one line of a batch.
#[derive(Serialize, ToSchema, Debug)]
#[schema(example = json!({
    "id": "web", "line": 1, "status": 200,
    "answer": {"valid": true, "dialect": "terraform", "version": "1.11.4", "module": {"path": ".", "config": {}}, "diagnostics": []}
}))]
pub struct BatchAnswer<'a> {
    /// The line's own `id`; the number of the line if it has no readable one; `null` in the last line of a batch that
    /// ends early, which says why.
    #[schema(value_type = Value, example = "web")]
    pub id: &'a RawValue,
    /// The number of the line, 1-based; blank lines are counted. With `"id": null`, the first line that is not
    /// answered.
    #[schema(example = 1)]
    pub line: u64,
    /// The HTTP status that the same request would have had on its own.
    #[schema(example = 200)]
    pub status: u16,
    /// The number of seconds after which it is worth trying again, with status 503.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub retry_after: Option<u64>,
    /// The answer of `POST /v1/merge`, unless there is a `problem`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<MergeAnswer>, nullable = false)]
    pub answer: Option<&'a RawValue>,
    /// The reason for which there is no answer.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub problem: Option<Problem>,
}

/// The id that a line gives itself: the JSON text of a string or a number, at most 256 bytes long.
#[derive(Clone, Copy, Debug)]
pub(crate) struct LineId<'a>(&'a RawValue);

/// The most bytes in the JSON text of an id, since it is sent back.
const MAX_ID_BYTES: usize = 256;

impl<'a> LineId<'a> {
    /// Returns the id of a line, whatever else is wrong with it; `None` if it has none or it cannot be parsed.
    pub(crate) fn of(line: &'a [u8]) -> Option<Self> {
        #[derive(Deserialize)]
        struct Named<'a> {
            #[serde(borrow, default)]
            id: Option<LineId<'a>>,
        }
        serde_json::from_slice::<Object<Named<'a>>>(line).ok()?.0.id
    }

    /// Returns the JSON text of the id.
    pub(crate) fn text(self) -> &'a str {
        self.0.get()
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for LineId<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let id = <&'a RawValue>::deserialize(deserializer)?;
        let text = id.get();
        if text.len() <= MAX_ID_BYTES && text.starts_with(|first: char| matches!(first, '"' | '-' | '0'..='9')) {
            return Ok(Self(id));
        }
        Err(D::Error::custom(format_args!("an id must be a string or a number of at most {MAX_ID_BYTES} bytes")))
    }
}

/// The request in a line: the request object of `POST /v1/merge`, with an optional `id`.
#[derive(Debug)]
pub(crate) struct BatchLine<'a>(pub(crate) MergeRequest<'a>);

impl<'de: 'a, 'a> Deserialize<'de> for BatchLine<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members;
        impl<'de> Visitor<'de> for Members {
            type Value = MergeRequest<'de>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<MergeRequest<'de>, A::Error> {
                MergeRequest::deserialize(MapAccessDeserializer::new(WithoutId { map, seen: false }))
            }
        }
        deserializer.deserialize_map(Members).map(BatchLine)
    }
}

/// The members of an object without its `id`, which is checked. The request object refuses unknown members.
struct WithoutId<A> {
    map: A,
    seen: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutId<A> {
    type Error = A::Error;

    fn next_key_seed<K: serde::de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let mut seed = seed;
        loop {
            match self.map.next_key_seed(KeySeed(seed))? {
                None => return Ok(None),
                Some(Key::Other(key)) => return Ok(Some(key)),
                Some(Key::Id(again)) => {
                    if self.seen {
                        return Err(A::Error::duplicate_field("id"));
                    }
                    self.seen = true;
                    self.map.next_value::<LineId<'de>>()?;
                    seed = again;
                }
            }
        }
    }

    fn next_value_seed<V: serde::de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// A member's name: `id`, or another name as parsed by the seed.
enum Key<S, T> {
    Id(S),
    Other(T),
}

struct KeySeed<S>(S);

impl<'de, S: serde::de::DeserializeSeed<'de>> serde::de::DeserializeSeed<'de> for KeySeed<S> {
    type Value = Key<S, S::Value>;

    fn deserialize<D: Deserializer<'de>>(self, deserializer: D) -> Result<Self::Value, D::Error> {
        deserializer.deserialize_str(self)
    }
}

impl<'de, S: serde::de::DeserializeSeed<'de>> Visitor<'de> for KeySeed<S> {
    type Value = Key<S, S::Value>;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a name")
    }

    fn visit_str<E: serde::de::Error>(self, name: &str) -> Result<Self::Value, E> {
        if name == "id" { Ok(Key::Id(self.0)) } else { self.0.deserialize(name.into_deserializer()).map(Key::Other) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_found_whatever_else_is_wrong() {
        let id = |line: &str| LineId::of(line.as_bytes()).map(|id| id.text().to_owned());
        assert_eq!(id(r#"{"id": "a\u0062", "files": {}}"#).as_deref(), Some(r#""a\u0062""#));
        assert_eq!(id(r#"{"files": 7, "unknown": [], "id": -1.50e400 }"#).as_deref(), Some("-1.50e400"));
        for none in ["", "7", "[]", "{", r#"{"files": {}}"#, r#"{"id": 1, "id": 1}"#, r#"{"id": 1"#] {
            assert_eq!(id(none), None, "{none}");
        }
        for wrong in ["null", "true", "[1]", "{}", &format!("\"{}\"", "x".repeat(256))] {
            assert_eq!(id(&format!("{{\"id\": {wrong}}}")), None, "{wrong}");
        }
    }
}

//! A line of a batch, and the line that answers it.

use std::fmt;
use std::marker::PhantomData;

use serde::de::value::MapAccessDeserializer;
use serde::de::{Deserializer, Error as _, IntoDeserializer as _, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::MergeAnswer;
use overfold_base::named;
use overfold_engine::json::Object;
use overfold_server::problem::Problem;

named! {
    /// What a line of a batch asks for.
    #[derive(Default)]
    pub enum Operation {
        /// What `POST /v1/merge` does.
        #[default]
        Merge = "merge",
        /// What `POST /v1/diff` does.
        Diff = "diff",
        /// What `POST /v1/plan` does.
        Plan = "plan",
        /// What `POST /v1/plan-diff` does.
        PlanDiff = "plan-diff",
        /// What `POST /v1/upgrade` does.
        Upgrade = "upgrade",
    }
}

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
    /// The number of seconds after which it is worth trying again, with status 429 or 503.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub retry_after: Option<u64>,
    /// The answer of the route that the operation names, `POST /v1/merge` by default, unless there is a `problem`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<MergeAnswer<'_>>, nullable = false)]
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
    /// Checks an id.
    fn new(id: &'a RawValue) -> Result<Self, String> {
        let text = id.get();
        if text.len() <= MAX_ID_BYTES && text.starts_with(|first: char| matches!(first, '"' | '-' | '0'..='9')) {
            return Ok(Self(id));
        }
        Err(format!("an id must be a string or a number of at most {MAX_ID_BYTES} bytes"))
    }

    /// Returns the JSON text of the id.
    pub(crate) fn text(self) -> &'a str {
        self.0.get()
    }
}

/// What a line says about itself, whatever else is wrong with it.
#[derive(Clone, Copy, Default, Debug)]
pub(crate) struct LineHead<'a> {
    /// The id; `None` if there is none or it is not valid.
    pub(crate) id: Option<LineId<'a>>,
    /// The operation; the default one also if it is not valid, which the reader of the request then reports.
    pub(crate) operation: Operation,
}

impl<'a> LineHead<'a> {
    /// Reads the head of a line; there is nothing in it if the line cannot be parsed.
    pub(crate) fn of(line: &'a [u8]) -> Self {
        #[derive(Deserialize)]
        struct Named<'a> {
            #[serde(borrow, default)]
            id: Option<&'a RawValue>,
            #[serde(borrow, default)]
            operation: Option<&'a RawValue>,
        }
        let Ok(Object(Named { id, operation })) = serde_json::from_slice::<Object<Named<'a>>>(line) else {
            return Self::default();
        };
        let operation = operation.and_then(|text| serde_json::from_str(text.get()).ok());
        Self { id: id.and_then(|text| LineId::new(text).ok()), operation: operation.unwrap_or_default() }
    }
}

impl<'de: 'a, 'a> Deserialize<'de> for LineId<'a> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        Self::new(<&'a RawValue>::deserialize(deserializer)?).map_err(D::Error::custom)
    }
}

/// The request in a line: a request object `R`, with an optional `id` and the name of the operation.
#[derive(Debug)]
pub(crate) struct BatchLine<R>(pub(crate) R);

impl<'de, R: Deserialize<'de>> Deserialize<'de> for BatchLine<R> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<R>(PhantomData<R>);
        impl<'de, R: Deserialize<'de>> Visitor<'de> for Members<R> {
            type Value = R;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<R, A::Error> {
                R::deserialize(MapAccessDeserializer::new(WithoutOwn { map, id: false, operation: false }))
            }
        }
        deserializer.deserialize_map(Members(PhantomData)).map(BatchLine)
    }
}

/// The members of an object without those of a line, which are checked. The request object refuses unknown members.
struct WithoutOwn<A> {
    map: A,
    /// Whether there was an `id`.
    id: bool,
    /// Whether there was an `operation`.
    operation: bool,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for WithoutOwn<A> {
    type Error = A::Error;

    fn next_key_seed<K: serde::de::DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        let mut seed = seed;
        loop {
            match self.map.next_key_seed(KeySeed(seed))? {
                None => return Ok(None),
                Some(Key::Other(key)) => return Ok(Some(key)),
                Some(Key::Id(again)) => {
                    if std::mem::replace(&mut self.id, true) {
                        return Err(A::Error::duplicate_field("id"));
                    }
                    self.map.next_value::<LineId<'de>>()?;
                    seed = again;
                }
                Some(Key::Operation(again)) => {
                    if std::mem::replace(&mut self.operation, true) {
                        return Err(A::Error::duplicate_field("operation"));
                    }
                    self.map.next_value::<Operation>()?;
                    seed = again;
                }
            }
        }
    }

    fn next_value_seed<V: serde::de::DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

/// A member's name: one of a line's own, or another name as parsed by the seed.
enum Key<S, T> {
    Id(S),
    Operation(S),
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
        match name {
            "id" => Ok(Key::Id(self.0)),
            "operation" => Ok(Key::Operation(self.0)),
            name => self.0.deserialize(name.into_deserializer()).map(Key::Other),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_id_is_found_whatever_else_is_wrong() {
        let id = |line: &str| LineHead::of(line.as_bytes()).id.map(|id| id.text().to_owned());
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

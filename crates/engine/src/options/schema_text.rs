//! The schemas of providers in a request.

use std::sync::Arc;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, Unexpected};
use serde_json::value::RawValue;

use overfold_base::account;

/// A document of schemas: the text of a JSON object, of which nothing else has been checked.
#[derive(Clone, Debug)]
pub struct SchemaText(pub Arc<str>);

impl<'de> Deserialize<'de> for SchemaText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?.get();
        let found = match text.as_bytes().first() {
            Some(b'{') => {
                account::text(text.len());
                return Ok(Self(text.into()));
            }
            Some(b'[') => Unexpected::Seq,
            Some(b'n') => Unexpected::Unit,
            Some(b'"') => Unexpected::Other("string"),
            Some(b't' | b'f') => Unexpected::Other("boolean"),
            _ => Unexpected::Other("number"),
        };
        Err(D::Error::invalid_type(found, &"an object"))
    }
}

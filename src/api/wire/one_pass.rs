//! A request with schemas, read in one pass.
//!
//! A document of schemas has megabytes, of which a request uses a few kilobytes. Where everything in the request has the
//! form that is expected, its types are found while the request is parsed, and stay in the body. A request in which
//! anything is wrong is read again by [`super::reading`] and [`super::sides`], which say what: nothing here reports an error.

use std::borrow::Cow;
use std::fmt;
use std::marker::PhantomData;

use axum::body::Bytes;
use bytestring::ByteString;
use serde::Deserialize;
use serde::de::value::MapAccessDeserializer;
use serde::de::{DeserializeSeed, Deserializer, Error as _, IntoDeserializer as _, MapAccess, Visitor};
use serde_json::value::RawValue;

use overfold_base::account::ChargedText as _;
use overfold_engine::json::check_names;
use overfold_engine::options::{RequestOptions, SchemaText};
use overfold_model::schema::{ProviderSchemas, SchemaIndex};

/// The name of the member that is a document of schemas.
const SCHEMAS: &str = "provider_schemas";

/// A request object: its files, and its options without the schemas.
#[derive(Debug)]
pub(crate) struct OnePass<'a, O> {
    pub(crate) files: Option<&'a RawValue>,
    pub(crate) options: O,
    schemas: Option<SchemaIndex<'a>>,
}

/// A request object with two sides.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, bound(deserialize = "O: Deserialize<'de>, 'de: 'a"))]
pub(crate) struct TwoSides<'a, O> {
    pub(crate) before: OnePass<'a, O>,
    pub(crate) after: OnePass<'a, O>,
}

/// Returns the text of a request that may be read in one pass: one with schemas, whose names are not too long.
pub(crate) fn text(body: &Bytes) -> Option<ByteString> {
    memchr::memmem::find(body.touched(), SCHEMAS.as_bytes())?;
    let text = ByteString::try_from(body.clone()).ok()?;
    check_names(&text).ok()?;
    Some(text)
}

/// Reads a text; `None` if anything in it is not as expected.
pub(crate) fn read<'a, T: Deserialize<'a>>(text: &'a ByteString) -> Option<T> {
    serde_json::from_str(text).ok()
}

/// Reads a text that is a document of schemas and nothing else; `None` if anything in it is not as expected.
pub(crate) fn document(body: &Bytes) -> Option<SchemaText> {
    let text = text(body)?;
    ProviderSchemas::in_request(&text, read(&text)?).map(SchemaText::from)
}

impl<O: RequestOptions> OnePass<'_, O> {
    /// Completes the options with the schemas, which stay in `text`, the request.
    pub(crate) fn complete(mut self, text: &ByteString) -> Option<Self> {
        if let Some(index) = self.schemas.take() {
            *self.options.schemas() = Some(ProviderSchemas::in_request(text, index)?.into());
        }
        Some(self)
    }
}

impl<'de: 'a, 'a, O: Deserialize<'de>> Deserialize<'de> for OnePass<'a, O> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Members<O>(PhantomData<O>);
        impl<'de, O: Deserialize<'de>> Visitor<'de> for Members<O> {
            type Value = OnePass<'de, O>;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, map: A) -> Result<OnePass<'de, O>, A::Error> {
                let (mut files, mut schemas) = (None, None);
                let others = Others { map, files: &mut files, schemas: &mut schemas };
                let options = O::deserialize(MapAccessDeserializer::new(others))?;
                Ok(OnePass { files, options, schemas })
            }
        }
        deserializer.deserialize_map(Members(PhantomData))
    }
}

/// The members of a request object that are options but not schemas; the others are read on the way.
struct Others<'m, 'de, A> {
    map: A,
    files: &'m mut Option<&'de RawValue>,
    schemas: &'m mut Option<SchemaIndex<'de>>,
}

impl<'de, A: MapAccess<'de>> MapAccess<'de> for Others<'_, 'de, A> {
    type Error = A::Error;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, A::Error> {
        loop {
            let Some(name) = self.map.next_key::<Cow<'de, str>>()? else { return Ok(None) };
            match &*name {
                "files" if self.files.is_none() => {
                    let files = self.map.next_value::<&'de RawValue>()?;
                    if files.get() == "null" {
                        return Err(A::Error::custom("files are null"));
                    }
                    *self.files = Some(files);
                }
                SCHEMAS if self.schemas.is_none() => *self.schemas = Some(self.map.next_value()?),
                "files" | SCHEMAS => return Err(A::Error::custom("a member is there twice")),
                name => return seed.deserialize(name.into_deserializer()).map(Some),
            }
        }
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, A::Error> {
        self.map.next_value_seed(seed)
    }
}

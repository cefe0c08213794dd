//! The schemas of providers in a request.

use std::sync::Arc;

use bytestring::ByteString;
use serde::Deserialize;
use serde::de::{Deserializer, Error as _, Unexpected};
use serde_json::value::RawValue;

use overfold_base::account;
use overfold_model::schema::{ProviderSchemas, SchemaError};

/// A document of schemas: the text of a JSON object.
#[derive(Clone, Debug)]
pub struct SchemaText(Document);

/// How the document is held.
#[derive(Clone, Debug)]
enum Document {
    /// An object, of which nothing else has been checked.
    Text(ByteString),
    /// One that has been read together with what it came in.
    Read(Arc<ProviderSchemas>),
}

impl SchemaText {
    /// Returns the document.
    pub fn text(&self) -> &str {
        match &self.0 {
            Document::Text(text) => text,
            Document::Read(schemas) => schemas.text(),
        }
    }

    /// Reads the document, if that has not been done.
    ///
    /// # Errors
    /// As [`ProviderSchemas::read`].
    pub fn read(self) -> Result<Arc<ProviderSchemas>, SchemaError> {
        match self.0 {
            Document::Text(text) => ProviderSchemas::read(text).map(Arc::new),
            Document::Read(schemas) => Ok(schemas),
        }
    }
}

impl From<ProviderSchemas> for SchemaText {
    fn from(schemas: ProviderSchemas) -> Self {
        Self(Document::Read(Arc::new(schemas)))
    }
}

impl<'de> Deserialize<'de> for SchemaText {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = <&RawValue>::deserialize(deserializer)?.get();
        let found = match text.as_bytes().first() {
            Some(b'{') => {
                account::text(text.len());
                return Ok(Self(Document::Text(text.into())));
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

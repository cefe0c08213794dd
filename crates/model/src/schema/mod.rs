//! The schemas of providers, as `terraform providers schema -json` prints them (plan-schema.md, section 1).

use std::sync::Arc;

/// The schemas of providers, by the address of the provider. Each is read when it is first needed.
#[derive(Debug)]
pub struct ProviderSchemas {
    text: Arc<str>,
}

/// Why a document of schemas cannot be read, as a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(String);

impl ProviderSchemas {
    /// Reads a document.
    ///
    /// # Errors
    /// [`SchemaError`] if it is not JSON of the expected form.
    pub fn read(text: Arc<str>) -> Result<Self, SchemaError> {
        Ok(Self { text })
    }

    /// Returns the document as given.
    pub fn text(&self) -> &str {
        &self.text
    }
}

//! A document of schemas, in which one pass finds the types, and each is read when it is first needed: documents have tens
//! of megabytes, and a module uses a few types.

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use bytestring::ByteString;
use serde::Deserialize;
use serde_json::value::RawValue;

use super::body::BodySchema;
use super::function::FunctionSignature;
use super::index::{self, ProviderIndex, SchemaIndex};
use super::read::{self, Properties};
use crate::language::references::ResourceMode;
use crate::language::required_providers::addresses_in_other_registries;
use overfold_base::account::{self, ChargedIterator, ChargedText};

/// The schemas of providers, by the address of the provider. Each type is read when it is first needed.
#[derive(Debug)]
pub struct ProviderSchemas {
    text: ByteString,
    providers: BTreeMap<Box<str>, ProviderSchema>,
}

/// Why a document of schemas cannot be read, as a sentence without a full stop.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[error("{0}")]
pub struct SchemaError(String);

impl SchemaError {
    /// Says that a document cannot be read, in a sentence without a full stop.
    pub(super) fn new(why: String) -> Self {
        Self(why)
    }
}

/// The schemas of one provider: where each is written, and what has been read.
#[derive(Debug)]
pub struct ProviderSchema {
    document: ByteString,
    configuration: Option<Item<BodySchema>>,
    resources: Items<BodySchema>,
    data_sources: Items<BodySchema>,
    ephemeral_resources: Items<BodySchema>,
    actions: Items<BodySchema>,
    functions: Items<FunctionSignature>,
}

type Items<T> = BTreeMap<Box<str>, Item<T>>;

/// A schema: its bytes in the document, and what has been read there. `None` if it cannot be read.
#[derive(Debug)]
struct Item<T> {
    range: Range<usize>,
    read: OnceLock<Option<Arc<T>>>,
}

#[derive(Deserialize)]
struct Document<'t> {
    #[serde(borrow)]
    provider_schemas: Option<Properties<'t>>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct ProviderDocument<'t> {
    #[serde(borrow)]
    provider: Option<&'t RawValue>,
    #[serde(borrow)]
    resource_schemas: Option<Properties<'t>>,
    #[serde(borrow)]
    data_source_schemas: Option<Properties<'t>>,
    #[serde(borrow)]
    ephemeral_resource_schemas: Option<Properties<'t>>,
    #[serde(borrow)]
    action_schemas: Option<Properties<'t>>,
    #[serde(borrow)]
    functions: Option<Properties<'t>>,
}

impl ProviderSchemas {
    /// Reads a document: an object whose property `provider_schemas` has a property for each provider, named after its
    /// full address. Other properties are ignored.
    ///
    /// # Errors
    /// [`SchemaError`] if it is not JSON of the expected form. What is inside of a provider may have any form: what cannot
    /// be read of it is not there.
    pub fn read(text: impl Into<ByteString>) -> Result<Self, SchemaError> {
        let text = text.into();
        if let Ok(index) = serde_json::from_str::<SchemaIndex<'_>>(text.scanned(32)) {
            return Ok(Self::of_index(text.clone(), index));
        }
        Self::read_piece_by_piece(text)
    }

    /// Returns the schemas of a document that a request contains and that one pass over the request has found; `None` if
    /// it cannot be told where the document begins and ends. `request` is the text of the request, which is kept as long as
    /// the schemas.
    pub fn in_request(request: &ByteString, index: SchemaIndex<'_>) -> Option<Self> {
        let document = request.slice_ref(index.document(request)?);
        // What a copy costs, since the text is kept, and reading it as a document of its own.
        account::text(document.len());
        let _ = document.scanned(32);
        Some(Self::of_index(document, index))
    }

    /// Creates the schemas of a document. `index` is borrowed from it.
    fn of_index(text: ByteString, index: SchemaIndex<'_>) -> Self {
        let mut providers = BTreeMap::new();
        for (address, index) in index.providers {
            account::grow((address.len() + size_of::<ProviderSchema>()) as u64);
            let provider = ProviderSchema::of_index(&text, index);
            providers.insert(Box::from(address), provider);
        }
        Self { text, providers }
    }

    /// Like [`Self::read`], for a document that may have another form.
    pub(super) fn read_piece_by_piece(text: ByteString) -> Result<Self, SchemaError> {
        let document: Document<'_> = serde_json::from_str(text.scanned(32)).map_err(|error| {
            SchemaError(if error.is_syntax() || error.is_eof() {
                format!("the document is not valid JSON: {error}")
            } else {
                format!("the document is not what `terraform providers schema -json` prints: {error}")
            })
        })?;
        let Some(found) = document.provider_schemas else {
            return Err(SchemaError(
                "the document has no property \"provider_schemas\", so it is not what `terraform providers schema -json` prints".to_owned(),
            ));
        };
        let mut providers = BTreeMap::new();
        for (address, content) in found.0 {
            account::grow((address.len() + size_of::<ProviderSchema>()) as u64);
            if !content.get().starts_with('{') {
                return Err(SchemaError(format!(
                    "the schemas of the provider {address:?} are not a JSON object with properties such as \"resource_schemas\""
                )));
            }
            let provider = ProviderSchema::of_content(&text, content.get());
            providers.insert(address.into_boxed_str(), provider);
        }
        Ok(Self { text, providers })
    }

    /// Returns the document as given.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Returns the full addresses of the providers in the document, in ascending order.
    pub fn addresses(&self) -> impl Iterator<Item = &str> {
        self.providers.keys().map(|address| &**address)
    }

    /// Returns the schemas of a provider by its full address (`registry.terraform.io/hashicorp/aws`), else by that with
    /// the registry of another tool; `None` if the document has none.
    pub fn provider(&self, address: &str) -> Option<&ProviderSchema> {
        self.providers
            .get(address)
            .or_else(|| addresses_in_other_registries(address).find_map(|other| self.providers.get(&*other)))
    }
}

/// Returns the items of properties whose values are borrowed from a document.
fn items<T>(document: &str, properties: index::Properties<'_>) -> Items<T> {
    account::grow((properties.len() * (size_of::<Item<T>>() + 32)) as u64);
    let properties = properties.into_iter().charged_at_once(2);
    properties.map(|(name, value)| (Box::from(name), Item::new(document, value))).collect()
}

/// Returns properties that were read on their own as those of an index.
fn owned(found: Option<Properties<'_>>) -> index::Properties<'_> {
    let Properties(properties) = found.unwrap_or_default();
    properties.into_iter().charged_at_once(1).map(|(name, value)| (Cow::Owned(name), value.get())).collect()
}

impl<T> Item<T> {
    /// Creates what is written in a document, from which `value` is borrowed.
    fn new(document: &str, value: &str) -> Self {
        let start = (value.as_ptr() as usize).saturating_sub(document.as_ptr() as usize);
        Self { range: start..start + value.len(), read: OnceLock::new() }
    }

    fn get(&self, document: &str, read: fn(&str) -> Result<T, serde_json::Error>) -> Option<Arc<T>> {
        let text = || document.get(self.range.clone()).unwrap_or_default();
        self.read.get_or_init(|| read(text()).ok().map(Arc::new)).as_ref().map(Arc::clone)
    }
}

impl ProviderSchema {
    /// Creates the schemas of the provider that a document describes.
    pub(super) fn of_text(text: &str) -> Self {
        let document = ByteString::from(text);
        Self::of_content(&document, &document)
    }

    fn of_index(document: &ByteString, index: ProviderIndex<'_>) -> Self {
        Self {
            configuration: index.configuration.map(|value| Item::new(document, value)),
            resources: items(document, index.resources),
            data_sources: items(document, index.data_sources),
            ephemeral_resources: items(document, index.ephemeral_resources),
            actions: items(document, index.actions),
            functions: items(document, index.functions),
            document: document.clone(),
        }
    }

    /// Creates the schemas of a provider, whose `content` is borrowed from a document. If it has another form than
    /// expected, there are none.
    fn of_content(document: &ByteString, content: &str) -> Self {
        let found: ProviderDocument<'_> = serde_json::from_str(content.scanned(32)).unwrap_or_default();
        let index = ProviderIndex {
            configuration: found.provider.map(RawValue::get),
            resources: owned(found.resource_schemas),
            data_sources: owned(found.data_source_schemas),
            ephemeral_resources: owned(found.ephemeral_resource_schemas),
            actions: owned(found.action_schemas),
            functions: owned(found.functions),
        };
        Self::of_index(document, index)
    }

    fn items(&self, mode: ResourceMode) -> &Items<BodySchema> {
        match mode {
            ResourceMode::Managed => &self.resources,
            ResourceMode::Data => &self.data_sources,
            ResourceMode::Ephemeral => &self.ephemeral_resources,
            // The lists of resources are part of queries alone, whose schemas nothing reads.
            ResourceMode::Action | ResourceMode::List => &self.actions,
        }
    }

    /// Returns the schema of the provider's configuration; `None` if there is none that can be read.
    pub fn configuration(&self) -> Option<Arc<BodySchema>> {
        self.configuration.as_ref()?.get(&self.document, read::schema)
    }

    /// Whether the provider has a type of this name.
    pub fn has(&self, mode: ResourceMode, type_name: &str) -> bool {
        self.items(mode).contains_key(type_name)
    }

    /// Returns the schema of a type; `None` if the provider does not have it ([`Self::has`]), or if the schema cannot be
    /// read, so that nothing is known about it.
    pub fn object(&self, mode: ResourceMode, type_name: &str) -> Option<Arc<BodySchema>> {
        self.items(mode).get(type_name)?.get(&self.document, read::schema)
    }

    /// Returns the names of all types, in ascending order.
    pub fn type_names(&self, mode: ResourceMode) -> impl Iterator<Item = &str> {
        self.items(mode).keys().map(|name| &**name)
    }

    /// Returns the signature of a function; `None` if the provider does not have it ([`Self::has_function`]), or if it
    /// cannot be read.
    pub fn function(&self, name: &str) -> Option<Arc<FunctionSignature>> {
        self.functions.get(name)?.get(&self.document, read::function)
    }

    /// Whether the provider has a function of this name.
    pub fn has_function(&self, name: &str) -> bool {
        self.functions.contains_key(name)
    }

    /// Returns the names of all functions, in ascending order.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.functions.keys().map(|name| &**name)
    }
}

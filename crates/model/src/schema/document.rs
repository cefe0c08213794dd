//! A document of schemas, in which a provider, and then one type of it, is read when it is first needed: documents have
//! tens of megabytes, and a module uses a few types.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use serde::Deserialize;
use serde_json::value::RawValue;

use super::body::BodySchema;
use super::function::FunctionSignature;
use super::read::{self, Properties};
use crate::language::references::ResourceMode;
use crate::language::required_providers::addresses_in_other_registries;
use overfold_base::account::{self, ChargedIterator, ChargedText};

/// The schemas of providers, by the address of the provider. Each is read when it is first needed.
#[derive(Debug)]
pub struct ProviderSchemas {
    text: Arc<str>,
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

/// The schemas of one provider.
#[derive(Debug)]
pub struct ProviderSchema {
    content: Part,
    index: OnceLock<Index>,
}

/// A part of a document.
#[derive(Clone, Debug)]
struct Part {
    document: Arc<str>,
    /// The bytes of the part.
    range: Range<usize>,
}

/// Where the schemas of a provider are.
#[derive(Debug, Default)]
struct Index {
    configuration: Option<Item<BodySchema>>,
    resources: Items<BodySchema>,
    data_sources: Items<BodySchema>,
    ephemeral_resources: Items<BodySchema>,
    actions: Items<BodySchema>,
    functions: Items<FunctionSignature>,
}

type Items<T> = BTreeMap<Box<str>, Item<T>>;

/// A schema: where it is written, and what has been read there. `None` if it cannot be read.
#[derive(Debug)]
struct Item<T> {
    part: Part,
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
    /// [`SchemaError`] if it is not JSON of the expected form. What is inside of a provider is not looked at yet.
    pub fn read(text: Arc<str>) -> Result<Self, SchemaError> {
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
            let content = Part::new(&text, content);
            providers.insert(address.into_boxed_str(), ProviderSchema { content, index: OnceLock::new() });
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

impl Part {
    /// Returns where a value that was borrowed from a document is.
    fn new(document: &Arc<str>, value: &RawValue) -> Self {
        let start = (value.get().as_ptr() as usize).saturating_sub(document.as_ptr() as usize);
        Self { document: Arc::clone(document), range: start..start + value.get().len() }
    }

    fn text(&self) -> &str {
        self.document.get(self.range.clone()).unwrap_or_default()
    }

    fn items<T>(&self, properties: Option<Properties<'_>>) -> Items<T> {
        let Properties(properties) = properties.unwrap_or_default();
        account::grow((properties.len() * (size_of::<Item<T>>() + 32)) as u64);
        let item = |value| Item { part: Self::new(&self.document, value), read: OnceLock::new() };
        properties.into_iter().charged_at_once(2).map(|(name, value)| (name.into_boxed_str(), item(value))).collect()
    }
}

impl<T> Item<T> {
    fn get(&self, read: fn(&str) -> Result<T, serde_json::Error>) -> Option<&Arc<T>> {
        self.read.get_or_init(|| read(self.part.text()).ok().map(Arc::new)).as_ref()
    }
}

impl ProviderSchema {
    /// Creates the schemas of the provider that a document describes.
    pub(super) fn of_text(text: &str) -> Self {
        let document: Arc<str> = Arc::from(text);
        let range = 0..document.len();
        Self { content: Part { document, range }, index: OnceLock::new() }
    }

    fn index(&self) -> &Index {
        self.index.get_or_init(|| {
            let text = self.content.text();
            let document: ProviderDocument<'_> = serde_json::from_str(text.scanned(32)).unwrap_or_default();
            let part = &self.content;
            Index {
                configuration: document
                    .provider
                    .map(|value| Item { part: Part::new(&part.document, value), read: OnceLock::new() }),
                resources: part.items(document.resource_schemas),
                data_sources: part.items(document.data_source_schemas),
                ephemeral_resources: part.items(document.ephemeral_resource_schemas),
                actions: part.items(document.action_schemas),
                functions: part.items(document.functions),
            }
        })
    }

    fn items(&self, mode: ResourceMode) -> &Items<BodySchema> {
        let index = self.index();
        match mode {
            ResourceMode::Managed => &index.resources,
            ResourceMode::Data => &index.data_sources,
            ResourceMode::Ephemeral => &index.ephemeral_resources,
            // The lists of resources are part of queries alone, whose schemas nothing reads.
            ResourceMode::Action | ResourceMode::List => &index.actions,
        }
    }

    /// Returns the schema of the provider's configuration; `None` if there is none that can be read.
    pub fn configuration(&self) -> Option<Arc<BodySchema>> {
        self.index().configuration.as_ref()?.get(read::schema).map(Arc::clone)
    }

    /// Whether the provider has a type of this name.
    pub fn has(&self, mode: ResourceMode, type_name: &str) -> bool {
        self.items(mode).contains_key(type_name)
    }

    /// Returns the schema of a type; `None` if the provider does not have it ([`Self::has`]), or if the schema cannot be
    /// read, so that nothing is known about it.
    pub fn object(&self, mode: ResourceMode, type_name: &str) -> Option<Arc<BodySchema>> {
        self.items(mode).get(type_name)?.get(read::schema).map(Arc::clone)
    }

    /// Returns the names of all types, in ascending order.
    pub fn type_names(&self, mode: ResourceMode) -> impl Iterator<Item = &str> {
        self.items(mode).keys().map(|name| &**name)
    }

    /// Returns the signature of a function; `None` if the provider does not have it ([`Self::has_function`]), or if it
    /// cannot be read.
    pub fn function(&self, name: &str) -> Option<Arc<FunctionSignature>> {
        self.index().functions.get(name)?.get(read::function).map(Arc::clone)
    }

    /// Whether the provider has a function of this name.
    pub fn has_function(&self, name: &str) -> bool {
        self.index().functions.contains_key(name)
    }

    /// Returns the names of all functions, in ascending order.
    pub fn function_names(&self) -> impl Iterator<Item = &str> {
        self.index().functions.keys().map(|name| &**name)
    }
}

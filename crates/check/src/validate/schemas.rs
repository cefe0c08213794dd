//! Which schema belongs to an object of a module (plan-schema.md, section 1).

use super::names::ObjectSchema;
use overfold_base::account;
use overfold_base::diag::Diagnostics;
use overfold_dialect::words;
use overfold_load::loading::Request;
use overfold_load::plan::EmulatedDataSource;
use overfold_load::provider_schemas::KnownSchemas;
use overfold_model::config::Block;
use overfold_model::language::provider_refs::{ProviderRefRules, implied_name, provider_ref, split_configuration};
use overfold_model::language::references::ResourceMode;
use overfold_model::schema::{self, ProviderSchema};
use overfold_tree::module_tree::TreeModule;
use std::sync::Arc;

/// The schemas of the providers of a tree.
#[derive(Clone, Copy)]
pub struct Schemas<'a> {
    known: &'a KnownSchemas<'a>,
    /// The data sources whose schemas are known even if they are not given.
    emulated: &'a [EmulatedDataSource],
}

/// A provider configuration, by its names in a module.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct Configuration {
    /// The local name of the provider.
    pub name: Box<str>,
    /// Its alias.
    pub alias: Option<Box<str>>,
}

impl Configuration {
    /// Returns `NAME` or `NAME.ALIAS`.
    pub fn key(&self) -> String {
        match &self.alias {
            Some(alias) => format!("{}.{alias}", self.name),
            None => self.name.to_string(),
        }
    }

    /// Reads `NAME` or `NAME.ALIAS`.
    pub(crate) fn of_key(key: &str) -> Self {
        let (name, alias) = split_configuration(key);
        Self { name: name.into(), alias: alias.map(Into::into) }
    }
}

/// Returns the provider configuration that an object uses: that of its argument `provider`, otherwise the default one
/// of the provider that its type implies.
pub fn configuration_of(module: &TreeModule<'_>, block: &Block<'_>) -> Configuration {
    account::work(4);
    let argument = block.arguments.iter().find(|found| found.spec.is_some() && found.name == words::PROVIDER);
    let rules = ProviderRefRules::for_dialect(module.report.dialect);
    let named = argument
        .and_then(|argument| provider_ref(module.report.forest, argument.expr, rules, &mut Diagnostics::new()));
    if let Some(named) = named {
        return Configuration { name: named.name.into(), alias: named.alias.map(Into::into) };
    }
    let type_name = block.labels.first().map_or("", |label| label.text);
    Configuration { name: implied_name(type_name).into(), alias: None }
}

impl<'a> Schemas<'a> {
    /// Uses the schemas that are known to a request.
    pub(crate) fn new(request: &'a Request, known: &'a KnownSchemas<'a>) -> Self {
        let emulated = request.plan.as_ref().map_or(&[][..], |plan| &plan.emulated);
        Self { known, emulated }
    }

    /// Returns the schemas of providers, by full address.
    pub fn known(self) -> &'a KnownSchemas<'a> {
        self.known
    }

    /// Whether a local name of a module stands for the provider that is built into the tool.
    pub fn is_builtin(module: &TreeModule<'_>, name: &str) -> bool {
        module.summary.providers.full_address(name) == schema::BUILTIN_PROVIDER
    }

    /// Returns the schemas of the provider that a local name of a module stands for.
    pub(crate) fn provider(self, module: &TreeModule<'_>, name: &str) -> Option<&'a ProviderSchema> {
        let address = module.summary.providers.full_address(name);
        if address == schema::BUILTIN_PROVIDER {
            return Some(schema::builtin(module.report.dialect));
        }
        self.known.provider(&address)
    }

    /// Returns the schemas of the provider of a type that is computed here, if the request asks for that.
    fn emulated(
        self,
        module: &TreeModule<'_>,
        name: &str,
        (mode, type_name): (ResourceMode, &str),
    ) -> Option<&'static ProviderSchema> {
        if mode != ResourceMode::Data || !self.emulated.iter().any(|emulated| emulated.name() == type_name) {
            return None;
        }
        schema::emulated(&module.summary.providers.full_address(name))
    }

    /// Returns what is known of the type of an object.
    pub fn object(self, module: &TreeModule<'_>, block: &Block<'_>, mode: ResourceMode) -> ObjectSchema {
        let configuration = configuration_of(module, block);
        let type_name = block.labels.first().map_or("", |label| label.text);
        let emulated = || self.emulated(module, &configuration.name, (mode, type_name));
        let Some(provider) = self.provider(module, &configuration.name).or_else(emulated) else {
            return ObjectSchema::NotGiven;
        };
        if !provider.has(mode, type_name) {
            return ObjectSchema::NoSuchType;
        }
        provider.object(mode, type_name).map_or(ObjectSchema::NotGiven, ObjectSchema::Known)
    }

    /// Returns the schema of the blocks of a provider; `None` if it is not known, or the provider is built in.
    pub fn of_configuration(
        self,
        module: &TreeModule<'_>,
        configuration: &Configuration,
    ) -> Option<Arc<schema::BodySchema>> {
        if Self::is_builtin(module, &configuration.name) {
            return None;
        }
        self.provider(module, &configuration.name)?.configuration()
    }

    /// Returns the schema of a provider block; `None` if it is not known.
    pub fn configuration(self, module: &TreeModule<'_>, block: &Block<'_>) -> Option<Arc<schema::BodySchema>> {
        self.provider(module, block.labels.first()?.text)?.configuration()
    }
}

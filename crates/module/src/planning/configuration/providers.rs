//! Provider configurations, and which of them each resource uses (plan.md, section 16).
//!
//! A module has an entry for each provider block, each entry of `required_providers` with its aliases, each configuration
//! that its caller passes, and each provider that it merely uses. An entry leads to that of the caller with the same name
//! (or the one that is passed) if both mean the same provider, and so on; only entries that lead to no other one are shown.

use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};

use super::Paths;
use super::constraints;
use super::expression::Reading;
use super::module::text;
use crate::module_tree::TreeModule;
use crate::plan::configuration::{Expressions, ProviderConfiguration};
use crate::validate::instances::Instances;
use crate::validate::schemas::configuration_of;
use crate::validate::walker::Walk;
use overfold_base::account;
use overfold_base::versions::Constraint;
use overfold_dialect::words;
use overfold_model::config::ObjectAddr;
use overfold_model::language::references::AddressWords;
use overfold_model::language::required_providers;

/// All entries, by key.
#[derive(Default)]
pub(super) struct Providers {
    entries: BTreeMap<Arc<str>, Entry>,
}

struct Entry {
    shown: ProviderConfiguration,
    /// The key of the entry that it leads to.
    source: Option<Arc<str>>,
}

/// What a module says about providers, whatever calls it.
struct Facts {
    /// The provider blocks, by key in the module.
    blocks: Vec<(Box<str>, Declared)>,
    /// The entries of `required_providers`.
    required: Vec<(Box<str>, Arc<str>)>,
    /// The configurations that the module asks its caller for: the key in the module, the local name, the address.
    aliases: Vec<(Box<str>, Box<str>, Arc<str>)>,
    /// The addresses of all providers that are mentioned, with the constraints on their versions.
    mentioned: BTreeMap<Arc<str>, Option<Box<str>>>,
}

/// A provider block.
struct Declared {
    name: Box<str>,
    alias: Option<Box<str>>,
    full_name: Arc<str>,
    expressions: Expressions,
}

/// Returns a key of the document: that in the module, with the path of calls to it.
pub(super) fn key(path: Option<&str>, own: &str) -> Arc<str> {
    account::touch(own.len() + path.map_or(0, str::len));
    account::grow((own.len() + path.map_or(0, str::len)) as u64);
    match path {
        Some(path) => format!("{path}:{own}").into(),
        None => own.into(),
    }
}

/// Returns the full address of the provider that a local name of a module stands for.
fn full_name(module: &TreeModule<'_>, name: &str) -> Arc<str> {
    let registry = required_providers::registry(module.report.dialect).unwrap_or_default();
    account::work(4);
    module.summary.providers.full_address(name, registry).into()
}

/// The module that contains a call.
struct Caller<'p> {
    /// The path of calls to it; `None` for the root module.
    path: Option<&'p Arc<str>>,
}

impl Providers {
    /// Collects the entries of all modules that `paths` lead to.
    pub(super) fn of(walk: &Walk<'_>, instances: &Instances<'_, '_>, paths: &Paths) -> Self {
        let mut providers = Self::default();
        let mut known: HashMap<usize, Facts> = HashMap::new();
        for (at, instance) in instances.list.iter().enumerate() {
            let Some(walked) = instances.walked(at).filter(|_| paths.is_followed(at)) else { continue };
            let facts = known.entry(instance.module).or_insert_with(|| Facts::of(walk, walked.module));
            let path = paths.get(at);
            let outer = instance.caller.map(|(caller, _)| paths.get(caller));
            if let (Some((caller, call)), Some(outer)) = (instance.caller, outer) {
                let caller = instances.walked(caller).and_then(|caller| caller.module.summary.calls.get(call));
                for passed in caller.into_iter().flat_map(|call| &call.passed) {
                    let inner_name = passed.inner.split('.').next().unwrap_or_default();
                    let full_name = full_name(walked.module, inner_name);
                    let source = providers.source(key(outer.map(|path| &**path), &passed.outer), &full_name);
                    let shown = shown(&passed.inner, &full_name, path);
                    providers.add(key(path.map(|path| &**path), &passed.inner), shown, source);
                }
            }
            let caller = outer.map(|path| Caller { path });
            providers.instance(facts, path, caller.as_ref());
        }
        providers
    }

    /// Adds the entries of one call of a module; the root module has no caller.
    fn instance(&mut self, facts: &Facts, path: Option<&Arc<str>>, caller: Option<&Caller<'_>>) {
        let key_of = |own: &str| key(path.map(|path| &**path), own);
        let constraint = |full_name: &str| facts.mentioned.get(full_name).cloned().flatten();
        for (own, block) in &facts.blocks {
            let shown = ProviderConfiguration {
                alias: block.alias.clone(),
                version_constraint: constraint(&block.full_name),
                expressions: Arc::clone(&block.expressions),
                ..shown(&block.name, &block.full_name, path)
            };
            self.add(key_of(own), shown, None);
        }
        for (own, name, full_name) in &facts.aliases {
            let key = key_of(own);
            if !self.entries.contains_key(&key) {
                let shown = shown(name, full_name, path);
                self.add(key, ProviderConfiguration { version_constraint: constraint(full_name), ..shown }, None);
            }
        }
        let mentioned = facts.mentioned.keys().map(|full_name| {
            let name = full_name.rsplit('/').next().unwrap_or_default();
            (name, full_name, false)
        });
        let required = facts.required.iter().map(|(name, full_name)| (&**name, full_name, true));
        for (name, full_name, is_required) in required.chain(mentioned) {
            let key = key_of(name);
            if self.entries.contains_key(&key) {
                continue;
            }
            let source =
                caller.and_then(|caller| self.source(self::key(caller.path.map(|path| &**path), name), full_name));
            let version_constraint = if is_required { constraint(full_name) } else { None };
            self.add(key, ProviderConfiguration { version_constraint, ..shown(name, full_name, path) }, source);
        }
    }

    fn add(&mut self, key: Arc<str>, shown: ProviderConfiguration, source: Option<Arc<str>>) {
        account::work(8);
        account::grow(size_of::<Entry>() as u64);
        self.entries.insert(key, Entry { shown, source });
    }

    /// Returns the key of the entry that one with this key leads to in the end, as long as all belong to the same
    /// provider; `None` if not even the first one does.
    fn source(&self, key: Arc<str>, full_name: &str) -> Option<Arc<str>> {
        let mut found = None;
        let mut next = Some(key);
        while let Some(key) = next.take() {
            account::work(4);
            let Some(entry) = self.entries.get(&key).filter(|entry| *entry.shown.full_name == *full_name) else {
                break;
            };
            next.clone_from(&entry.source);
            found = Some(key);
        }
        found
    }

    /// Returns the key of the entry that a resource uses, given the key in its own module.
    pub(super) fn used(&self, key: Arc<str>) -> Arc<str> {
        account::work(4);
        match self.entries.get(&key).and_then(|entry| entry.source.as_ref()) {
            Some(source) if self.entries.contains_key(source) => Arc::clone(source),
            _ => key,
        }
    }

    /// Returns the entries that lead to no other one.
    pub(super) fn shown(self) -> Vec<(Arc<str>, ProviderConfiguration)> {
        let entries = self.entries.into_iter().filter(|(_, entry)| entry.source.is_none());
        entries.map(|(key, entry)| (key, entry.shown)).collect()
    }
}

/// Returns an entry of a module that says nothing more about the provider.
fn shown(name: &str, full_name: &Arc<str>, path: Option<&Arc<str>>) -> ProviderConfiguration {
    ProviderConfiguration {
        name: name.into(),
        full_name: Arc::clone(full_name),
        module_address: path.cloned(),
        ..ProviderConfiguration::default()
    }
}

impl Facts {
    fn of(walk: &Walk<'_>, module: &TreeModule<'_>) -> Self {
        let report = module.report;
        let reading = Reading { forest: report.forest, words: AddressWords::of(report.dialect) };
        let mut mentioned: BTreeMap<Arc<str>, Vec<Constraint>> = BTreeMap::new();
        let mut blocks = Vec::new();
        for element in &report.module.elements {
            account::work(2);
            let block = element.block;
            let version = || text(report.forest, block, words::VERSION);
            match element.address {
                ObjectAddr::RequiredProvider(name) => {
                    let constraints = mentioned.entry(full_name(module, name)).or_default();
                    constraints::add(&version().unwrap_or_default(), constraints);
                }
                ObjectAddr::Provider { name, alias } => {
                    let full_name = full_name(module, name);
                    let constraints = mentioned.entry(Arc::clone(&full_name)).or_default();
                    constraints::add(&version().unwrap_or_default(), constraints);
                    let schema = walk.schemas.configuration(module, block);
                    let expressions = reading.body(block, schema.as_deref());
                    let alias = alias.map(Box::from);
                    let key = element.address.provider_key().unwrap_or_default();
                    blocks.push((key.into(), Declared { name: name.into(), alias, full_name, expressions }));
                }
                ObjectAddr::Resource { .. } => {
                    let name = configuration_of(module, block).name;
                    mentioned.entry(full_name(module, &name)).or_default();
                }
                _ => {}
            }
        }
        let providers = &module.summary.providers;
        let required = providers.required().map(|(name, _)| (name.into(), full_name(module, name)));
        let aliases = providers.aliases().map(|key| {
            let name = key.split('.').next().unwrap_or_default();
            (key.into(), name.into(), full_name(module, name))
        });
        Self {
            blocks,
            required: required.collect(),
            aliases: aliases.collect(),
            mentioned: mentioned.into_iter().map(|(name, list)| (name, constraints::text(&list))).collect(),
        }
    }
}

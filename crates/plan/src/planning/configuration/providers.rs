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
use super::expression::ExpressionReader;
use super::module::text;
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::versions::Constraint;
use overfold_base::written::order;
use overfold_check::validate::imports::import_configuration;
use overfold_check::validate::instances::Instances;
use overfold_check::validate::schemas::configuration_of;
use overfold_check::validate::walker::{ModuleNodes, Walk};
use overfold_dialect::{Behaviour, words};
use overfold_load::plan::configuration::{Expressions, ProviderConfiguration};
use overfold_model::config::ObjectAddr;
use overfold_model::language::provider_refs::split_configuration;
use overfold_tree::module_tree::TreeModule;

/// All entries, by key.
#[derive(Default)]
pub(crate) struct Providers {
    entries: HashMap<Arc<str>, Entry>,
    /// Whether only what the configuration writes down is listed, each under its own name.
    only_written: bool,
}

struct Entry {
    shown: ProviderConfiguration,
    /// The key of the entry that it leads to.
    source: Option<Arc<str>>,
}

/// What a module says about providers, whatever calls it.
struct Facts {
    /// The provider blocks, by key in the module.
    blocks: Vec<(Box<str>, ProviderBlock)>,
    /// The entries of `required_providers`.
    required: Vec<(Arc<str>, Arc<str>)>,
    /// The configurations that the module asks its caller for: the key in the module, the local name, the address.
    aliases: Vec<(Box<str>, Arc<str>, Arc<str>)>,
    /// The addresses of all providers that are mentioned, with the constraints on their versions.
    mentioned: BTreeMap<Arc<str>, Option<Arc<str>>>,
}

struct ProviderBlock {
    name: Arc<str>,
    alias: Option<Arc<str>>,
    full_name: Arc<str>,
    expressions: Expressions,
}

/// Returns a key of the document: that in the module, with the path of calls to it.
pub(super) fn key(path: Option<&str>, own: &str) -> Arc<str> {
    account::text(own.len() + path.map_or(0, str::len));
    match path {
        Some(path) => format!("{path}:{own}").into(),
        None => own.into(),
    }
}

/// Returns the full address of the provider that a local name of a module stands for.
fn full_name(module: &TreeModule<'_>, name: &str) -> Arc<str> {
    account::work(4);
    module.summary.providers.full_address(name).into()
}

/// The module that contains a call.
struct Caller<'p> {
    /// The path of calls to it; `None` for the root module.
    path: Option<&'p Arc<str>>,
}

impl Providers {
    /// Collects the entries of all modules that `paths` lead to.
    pub(super) fn new(walk: &Walk<'_>, instances: &Instances<'_, '_>, paths: &Paths) -> Self {
        let only_written = instances
            .walked(0)
            .is_some_and(|root| root.module.report.dialect.has(Behaviour::OnlyWrittenProvidersListed));
        let mut providers = Self { only_written, ..Self::default() };
        let mut known: HashMap<usize, Facts> = HashMap::new();
        for (at, instance) in instances.list.iter().enumerate() {
            let Some(walked) = instances.walked(at).filter(|_| paths.is_followed(at)) else { continue };
            let facts = known.entry(instance.module).or_insert_with(|| Facts::from_nodes(walk, walked));
            let path = paths.get(at);
            let outer = instance.caller.map(|(caller, _)| paths.get(caller));
            if let (Some((caller, call)), Some(outer)) = (instance.caller.filter(|_| !only_written), outer) {
                let caller = instances.walked(caller).and_then(|caller| caller.module.summary.calls.get(call));
                for passed in caller.into_iter().flat_map(|call| &call.passed) {
                    let inner_name = split_configuration(&passed.inner).0;
                    let full_name = full_name(walked.module, inner_name);
                    let source = providers.source(key(outer.map(|path| &**path), &passed.outer), &full_name);
                    let shown = shown(&Arc::from(passed.inner.touched()), &full_name, path);
                    providers.add(key(path.map(|path| &**path), &passed.inner), shown, source);
                }
            }
            let caller = outer.filter(|_| !only_written).map(|path| Caller { path });
            providers.instance(facts, path, caller.as_ref());
        }
        providers
    }

    /// Adds the entries of one call of a module; the root module has no caller.
    fn instance(&mut self, facts: &Facts, path: Option<&Arc<str>>, caller: Option<&Caller<'_>>) {
        let key_of = |own: &str| {
            let key = key(path.map(|path| &**path), own);
            account::touch(2 * key.len());
            key
        };
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
        let only_written = self.only_written;
        for (own, name, full_name) in facts.aliases.iter().filter(|_| !only_written) {
            let key = key_of(own);
            if !self.entries.contains_key(&key) {
                let shown = shown(name, full_name, path);
                self.add(key, ProviderConfiguration { version_constraint: constraint(full_name), ..shown }, None);
            }
        }
        let mentioned =
            facts.mentioned.keys().filter(|_| !only_written).touched_by(|name| name.len()).map(|full_name| {
                let name = full_name.rsplit_once('/').map_or(&**full_name, |(_, name)| name);
                (Arc::from(name), full_name, false)
            });
        let required = facts.required.iter().map(|(name, full_name)| (Arc::clone(name), full_name, true));
        for (name, full_name, is_required) in required.chain(mentioned) {
            let key = key_of(&name);
            if self.entries.contains_key(&key) {
                continue;
            }
            let source =
                caller.and_then(|caller| self.source(self::key(caller.path.map(|path| &**path), &name), full_name));
            let version_constraint = if is_required { constraint(full_name) } else { None };
            self.add(key, ProviderConfiguration { version_constraint, ..shown(&name, full_name, path) }, source);
        }
    }

    fn add(&mut self, key: Arc<str>, shown: ProviderConfiguration, source: Option<Arc<str>>) {
        account::work(8);
        account::touch(2 * key.len());
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
            let Some(entry) = self.entries.get(key.scanned(32)).filter(|entry| *entry.shown.full_name == *full_name)
            else {
                break;
            };
            next.clone_from(&entry.source);
            found = Some(key);
        }
        found
    }

    /// Returns the path of calls in the key of what the resources of a module use; in older documents, it is only the name
    /// of the last call.
    pub(super) fn path_of_resources<'p>(&self, path: &'p str) -> &'p str {
        if self.only_written { path.rsplit_once('.').map_or(path, |(_, name)| name) } else { path }
    }

    /// Returns the key of the entry that a resource uses, given the key in its own module.
    pub(super) fn used(&self, key: Arc<str>) -> Arc<str> {
        account::work(4);
        match self.entries.get(key.scanned(21)).and_then(|entry| entry.source.as_ref()) {
            Some(source) if self.entries.contains_key(source) => Arc::clone(source),
            _ => key,
        }
    }

    /// Returns the entries that lead to no other one.
    pub(super) fn shown(self) -> Vec<(Arc<str>, ProviderConfiguration)> {
        let entries = self.entries.into_iter().filter(|(_, entry)| entry.source.is_none());
        let mut shown: Vec<_> = entries.map(|(key, entry)| (key, entry.shown)).collect();
        shown.sort_unstable_by(|(left, _), (right, _)| order(left, right));
        shown
    }
}

/// Returns an entry of a module that says nothing more about the provider.
fn shown(name: &Arc<str>, full_name: &Arc<str>, path: Option<&Arc<str>>) -> ProviderConfiguration {
    ProviderConfiguration {
        name: Arc::clone(name),
        full_name: Arc::clone(full_name),
        module_address: path.cloned(),
        ..ProviderConfiguration::default()
    }
}

impl Facts {
    fn from_nodes(walk: &Walk<'_>, walked: &ModuleNodes<'_>) -> Self {
        let module = walked.module;
        let report = module.report;
        let reading = ExpressionReader::from_report(report);
        let mut mentioned: BTreeMap<Arc<str>, Vec<Constraint>> = BTreeMap::new();
        let mut blocks = Vec::new();
        for element in report.module.elements.iter().charged(2) {
            let block = element.block;
            let version = || text(report.forest, block, words::VERSION).unwrap_or_default();
            match element.address {
                ObjectAddr::RequiredProvider(name) => {
                    let constraints = mentioned.entry(full_name(module, name)).or_default();
                    constraints::add(&version(), constraints);
                }
                ObjectAddr::Provider { name, alias } => {
                    let full_name = full_name(module, name);
                    let constraints = mentioned.entry(Arc::clone(&full_name)).or_default();
                    constraints::add(&version(), constraints);
                    let schema = walk.schemas.configuration(module, block);
                    let expressions = reading.body(block, schema.as_deref());
                    let alias = alias.map(Arc::from);
                    let key = element.address.provider_key().unwrap_or_default();
                    blocks.push((key.into(), ProviderBlock { name: name.into(), alias, full_name, expressions }));
                }
                ObjectAddr::Resource { .. } => {
                    let name = configuration_of(module, block).name;
                    mentioned.entry(full_name(module, &name)).or_default();
                }
                _ if block.keyword == words::IMPORT => {
                    // One whose target is declared says nothing more about providers.
                    let target = walked.import_target(block).map(|(target, _)| target);
                    let target = target.filter(|target| target.modules.is_empty()).and_then(|target| target.resource);
                    let Some(step) = target else { continue };
                    let address =
                        ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
                    if !walked.evaluation.names().resources.contains_key(&address) {
                        let name = import_configuration(module, block, &step.type_name).name;
                        mentioned.entry(full_name(module, &name)).or_default();
                    }
                }
                _ => {}
            }
        }
        let providers = &module.summary.providers;
        let required = providers.required().map(|(name, _)| (Arc::from(name), full_name(module, name)));
        let aliases = providers.aliases().map(|key| {
            let name = split_configuration(key).0;
            (key.into(), name.into(), full_name(module, name))
        });
        Self {
            blocks,
            required: required.collect(),
            aliases: aliases.collect(),
            mentioned: mentioned
                .into_iter()
                .map(|(name, list)| (name, constraints::text(&list).map(Arc::from)))
                .collect(),
        }
    }
}

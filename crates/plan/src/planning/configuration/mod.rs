//! The configuration of a tree of modules as the document shows it (plan.md, section 16).
//!
//! - [`references`]: what expressions refer to, with shortened forms.
//! - [`expression`]: one expression; [`body`]: the arguments and blocks of a body by its schema.
//! - [`module`]: the parts of a module, described once, whatever calls it.
//! - [`providers`]: the provider configurations of all calls, and which of them resources use; [`constraints`]: those on
//!   their versions.

mod body;
mod constraints;
mod expression;
mod module;
mod providers;
pub(super) mod references;

use std::sync::Arc;

use foldhash::{HashMap, HashMapExt};

use overfold_base::account::{self, ChargedIterator};
use overfold_base::written::order;
use overfold_check::validate::ValidatedTree;
use overfold_check::validate::instances::Instances;
use overfold_check::validate::schemas::configuration_of;
use overfold_check::validate::walker::{ModuleNodes, Walk};
use overfold_load::plan::configuration::{Configuration, ModuleConfiguration, ModuleParts};

use providers::Providers;

/// A module of the tree, described.
struct DescribedModule {
    parts: Arc<ModuleParts>,
    /// The provider configuration of each resource, by its key in the module.
    provider_keys: Vec<String>,
    /// The positions of the calls in order of name.
    calls: Vec<usize>,
}

/// Describes the tree down to a depth of calls; those below lead nowhere.
pub(super) fn build(
    validated: &ValidatedTree<'_, '_>,
    instances: &Instances<'_, '_>,
    max_depth: usize,
) -> Configuration {
    let walk = validated.walk;
    let paths = Paths::new(instances, max_depth);
    let providers = Providers::new(walk, instances, &paths);
    let mut known: HashMap<usize, DescribedModule> = HashMap::new();
    let mut modules = Vec::with_capacity(instances.list.len());
    account::grow((instances.list.len() * size_of::<ModuleConfiguration>()) as u64);
    for (at, instance) in instances.list.iter().enumerate() {
        let walked = instances.walked(at).filter(|_| paths.is_followed(at));
        let Some(walked) = walked else {
            modules.push(ModuleConfiguration::default());
            continue;
        };
        let described = known.entry(instance.module).or_insert_with(|| describe(walk, walked));
        let path = paths.get(at).map(|path| &**path);
        account::work((described.provider_keys.len() + described.calls.len() + 1) as u64);
        let path = path.map(|path| providers.path_of_resources(path));
        let keys = described.provider_keys.iter().map(|own| providers.used(providers::key(path, own)));
        modules.push(ModuleConfiguration {
            parts: Arc::clone(&described.parts),
            provider_keys: keys.collect(),
            called: described
                .calls
                .iter()
                .map(|&call| instance.called.get(call).copied().flatten().filter(|&called| paths.is_followed(called)))
                .collect(),
        });
    }
    Configuration { providers: providers.shown(), modules }
}

fn describe(walk: &Walk<'_>, walked: &ModuleNodes<'_>) -> DescribedModule {
    let module = walked.module;
    let (parts, blocks) = module::parts(walk, module);
    let mut calls: Vec<usize> = (0..module.calls.len()).collect();
    let name = |at: usize| module.calls.get(at).map_or("", |call| call.call.name);
    calls.sort_by(|&left, &right| order(name(left), name(right)));
    let provider_keys = blocks.into_iter().map(|block| configuration_of(module, block).key());
    DescribedModule { parts: Arc::new(parts), provider_keys: provider_keys.collect(), calls }
}

/// The paths of calls to the modules, `module.a.module.b`.
struct Paths {
    /// The path and its number of calls; the root module has no path. `None` for a module that is called too deeply.
    list: Vec<Option<(Option<Arc<str>>, usize)>>,
}

impl Paths {
    fn new(instances: &Instances<'_, '_>, max_depth: usize) -> Self {
        let mut paths = Self { list: Vec::with_capacity(instances.list.len()) };
        for instance in instances.list.iter().charged(1) {
            let path = match instance.caller {
                None => Some((None, 0)),
                Some((caller, call)) => paths.called(instances, caller, call, max_depth),
            };
            paths.list.push(path);
        }
        paths
    }

    /// Returns the path of a module that another one calls.
    fn called(
        &self,
        instances: &Instances<'_, '_>,
        caller: usize,
        call: usize,
        max_depth: usize,
    ) -> Option<(Option<Arc<str>>, usize)> {
        let (outer, depth) = self.list.get(caller)?.as_ref()?;
        if *depth >= max_depth {
            return None;
        }
        let name = instances.walked(caller)?.module.calls.get(call)?.call.name;
        let length = name.len() + outer.as_ref().map_or(0, |outer| outer.len()) + 8;
        account::text(length);
        let path = match outer {
            Some(outer) => format!("{outer}.module.{name}"),
            None => format!("module.{name}"),
        };
        Some((Some(path.into()), depth + 1))
    }

    /// Whether the calls that lead to a module are few enough.
    fn is_followed(&self, at: usize) -> bool {
        self.list.get(at).is_some_and(Option::is_some)
    }

    /// Returns the path to a module; `None` for the root module.
    fn get(&self, at: usize) -> Option<&Arc<str>> {
        self.list.get(at)?.as_ref()?.0.as_ref()
    }
}

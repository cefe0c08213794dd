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

use crate::plan::configuration::{Configuration, ModuleConfiguration, ModuleParts};
use crate::validate::Looked;
use crate::validate::instances::Instances;
use crate::validate::schemas::configuration_of;
use crate::validate::walker::{Walk, Walked};
use overfold_base::account;

use providers::Providers;

/// A module of the tree, described.
struct Described {
    parts: Arc<ModuleParts>,
    /// The provider configuration of each resource, by its key in the module.
    provider_keys: Vec<String>,
    /// The positions of the calls in order of name.
    calls: Vec<usize>,
}

/// Describes the whole tree.
pub(super) fn of(looked: &Looked<'_, '_>, instances: &Instances<'_, '_>) -> Configuration {
    let walk = looked.walk;
    let paths = paths(instances);
    let providers = Providers::of(walk, instances, &paths);
    let mut known: HashMap<usize, Described> = HashMap::new();
    let mut modules = Vec::with_capacity(instances.list.len());
    account::grow((instances.list.len() * size_of::<ModuleConfiguration>()) as u64);
    for (at, instance) in instances.list.iter().enumerate() {
        let Some(walked) = instances.walked(at) else {
            modules.push(ModuleConfiguration::default());
            continue;
        };
        let described = known.entry(instance.module).or_insert_with(|| describe(walk, walked));
        let path = paths.get(at).and_then(|path| path.as_deref());
        account::work((described.provider_keys.len() + described.calls.len() + 1) as u64);
        let keys = described.provider_keys.iter().map(|own| providers.used(providers::key(path, own)));
        modules.push(ModuleConfiguration {
            parts: Arc::clone(&described.parts),
            provider_keys: keys.collect(),
            called: described.calls.iter().map(|&call| instance.called.get(call).copied().flatten()).collect(),
        });
    }
    Configuration { providers: providers.shown(), modules }
}

fn describe(walk: &Walk<'_>, walked: &Walked<'_>) -> Described {
    let module = walked.module;
    let (parts, blocks) = module::parts(walk, module);
    let mut calls: Vec<usize> = (0..module.calls.len()).collect();
    calls.sort_by_key(|&at| module.calls.get(at).map(|call| call.call.name));
    let provider_keys = blocks.into_iter().map(|block| configuration_of(module, block).key());
    Described { parts: Arc::new(parts), provider_keys: provider_keys.collect(), calls }
}

/// Returns the paths of calls to the modules, `module.a.module.b`; the root module has none.
fn paths(instances: &Instances<'_, '_>) -> Vec<Option<Arc<str>>> {
    let mut paths: Vec<Option<Arc<str>>> = Vec::with_capacity(instances.list.len());
    for instance in &instances.list {
        let path = instance.caller.and_then(|(caller, call)| {
            let name = instances.walked(caller)?.module.calls.get(call)?.call.name;
            let outer = paths.get(caller).and_then(|path| path.as_deref());
            let length = name.len() + outer.map_or(0, str::len) + 8;
            account::touch(length);
            account::grow(length as u64);
            Some(Arc::from(match outer {
                Some(outer) => format!("{outer}.module.{name}"),
                None => format!("module.{name}"),
            }))
        });
        paths.push(path);
    }
    paths
}

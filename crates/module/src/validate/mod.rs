//! What `terraform validate` says about names and expressions in a directory in which everything is installed
//! (validate.md): a walk over the whole tree of modules, in which everything is unknown that only a plan can know.
//!
//! 1. Every module of the tree is loaded once, into the forest of the root module ([`crate::module_tree`]).
//! 2. The nodes of each module are walked once, whatever calls it ([`walker`]): variables are unknown whatever is
//!    passed, resources and outputs are unknown whatever they are, so that nothing a caller does changes what is found.
//!    Each node has what is found at it and what it depends on ([`nodes`]). What is wrong with names, and in which
//!    of its steps the tool finds it, is the subject of [`names`]; bodies and schemas that of [`body`].
//!    What certainly cannot fail is not evaluated where its value does not matter ([`certain`]).
//! 3. The graph over the nodes of all calls decides what the tool says ([`instances`]): it stops at the first of the
//!    steps that build the graph that fails, and a node with an error silences all that depend on it. Findings are
//!    repeated for each call; those that the tool does not reach are kept once, as ones that it reports later.

pub(crate) mod body;
mod certain;
pub(crate) mod codes;
pub(crate) mod conditions;
pub(crate) mod configurations;
pub(crate) mod evaluation;
pub(crate) mod imports;
pub(crate) mod instances;
pub(crate) mod meta;
pub(crate) mod names;
pub(crate) mod nodes;
pub(crate) mod report;
pub(crate) mod rules;
pub(crate) mod schemas;
pub(crate) mod walker;

use crate::installed::Installed;
use crate::loading::{CalledModules, Report, Request};
use crate::module_tree;
use overfold_base::files::FileSet;
use overfold_eval::{FileAccess, ProviderFunctions};
use overfold_model::config::Secrets;
use overfold_model::scope::{self, Definitions};

use instances::Instances;
use schemas::Schemas;
use walker::{Walk, Walked};

/// A tree of modules that has been looked at.
pub(crate) struct Looked<'w, 'a> {
    /// Its modules, the root module first.
    pub(crate) walk: &'w Walk<'a>,
    /// The nodes of each module.
    pub(crate) walked: &'w [Walked<'a>],
    /// Whether the tool finds no error in them.
    pub(crate) is_clean: bool,
    /// The modules that are there beside local ones, in a plan.
    pub(crate) installed: Option<&'w Installed<'w>>,
    /// The files, in which modules are also found where the tool would have installed them.
    pub(crate) files: &'w FileSet,
}

impl<'w, 'a> Looked<'w, 'a> {
    /// Returns the tree of calls from the root module.
    pub(crate) fn instances(&self) -> Instances<'w, 'a> {
        Instances::of(self.walked, 0)
    }
}

/// Looks at all names and expressions of the tree below the root module, and adds what is found to its report. Then hands
/// the tree to `then`, and returns its result.
pub(crate) fn run<'f, T>(
    report: &mut Report<'f>,
    files: &FileSet,
    request: &Request,
    then: impl FnOnce(&Looked<'_, '_>, &Report<'f>) -> T,
) -> T {
    let before = report.forest.sources.len();
    let installed = Installed::of(report, files, request);
    let installed = installed.as_ref();
    let loaded = module_tree::load(report, files, request, installed);
    if !loaded.is_empty() {
        // The variables of all modules together, so that no name is less secret than in any of them.
        let secrets = Secrets::of(report.forest, true);
        report.called = CalledModules::new(before..report.forest.sources.len(), secrets);
    }
    let (found, result) = {
        let modules = module_tree::connect(report, &loaded, files, request, installed);
        let linked = installed.map(|installed| installed.linked(module_tree::links(&modules, installed)));
        let files: &FileSet = linked.as_deref().unwrap_or(files);
        let schemas = Schemas::new(request.provider_schemas.as_deref());
        let definitions: Vec<Definitions<'_>> =
            modules.iter().map(|module| Definitions::of(&module.report.module)).collect();
        let providers: Vec<ProviderFunctions> = modules
            .iter()
            .map(|module| {
                let mut providers = scope::provider_functions(&module.report.module, module.report.forest);
                for (name, _) in module.summary.providers.required() {
                    if let Some(provider) = schemas.provider(module, name) {
                        let functions = provider.function_names().map(|name| (name, provider.function(name)));
                        providers.describe(name, functions);
                    }
                }
                providers
            })
            .collect();
        let walk = Walk { tree: &modules, schemas, files: FileAccess { files, root: &request.root } };
        let walked: Vec<Walked<'_>> = modules
            .iter()
            .zip(definitions.iter().zip(&providers))
            .map(|(module, (definitions, providers))| Walked::of(&walk, module, definitions, providers))
            .collect();
        let mut walked = walked;
        let found = report::conclude(&walk, &mut walked, request.variables.is_some());
        let looked = Looked { walk: &walk, walked: &walked, is_clean: found.is_clean(), installed, files };
        let result = then(&looked, report);
        (found, result)
    };
    report::add(report, found);
    result
}

//! What `terraform validate` says about names and expressions in a directory in which everything is installed
//! (validate.md): a walk over the whole tree of modules, in which everything is unknown that only a plan can know.
//!
//! 1. Every module of the tree is loaded once, into the forest of the root module ([`overfold_tree::module_tree`]).
//! 2. The nodes of each module are walked once, whatever calls it ([`walker`]): variables are unknown whatever is
//!    passed, resources and outputs are unknown whatever they are, so that nothing a caller does changes what is found.
//!    Each node has what is found at it and what it depends on ([`nodes`]). What is wrong with names, and in which
//!    of its steps the tool finds it, is the subject of [`names`]; bodies and schemas that of [`body`].
//!    What certainly cannot fail is not evaluated where its value does not matter (`certain`).
//! 3. The graph over the nodes of all calls decides what the tool says ([`instances`]): it stops at the first of the
//!    steps that build the graph that fails, and a node with an error silences all that depend on it. Findings are
//!    repeated for each call; those that the tool does not reach are kept once, as ones that it reports later.

pub mod body;
mod infallible;
pub mod codes;
pub mod conditions;
pub(crate) mod configurations;
pub mod deprecated;
pub(crate) mod evaluation;
pub mod imports;
pub mod instances;
pub mod meta;
mod mock_files;
pub mod names;
pub mod nodes;
pub mod report;
pub mod rules;
pub mod schemas;
pub mod walker;

use std::collections::BTreeMap;

use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Secrecy;
use overfold_base::files::FileSet;
use overfold_eval::{FileAccess, ProviderFunctions};
use overfold_load::loading::{CalledModules, ProviderChecks, Report, Request};
use overfold_load::provider_schemas::add_constraints;
use overfold_model::config::Secrets;
use overfold_model::scope::{self, Definitions};
use overfold_tree::installed::Installed;
use overfold_tree::module_tree::{self, TreeModule};

use instances::Instances;
use schemas::Schemas;
use walker::{ModuleNodes, Walk};

/// A tree of modules that has been validated.
pub struct ValidatedTree<'w, 'a> {
    /// Its modules, the root module first.
    pub walk: &'w Walk<'a>,
    /// The nodes of each module.
    pub walked: &'w [ModuleNodes<'a>],
    /// Whether the tool finds no error in them.
    pub is_clean: bool,
    /// The modules that are there beside local ones, in a plan.
    pub installed: Option<&'w Installed<'w>>,
    /// The files, in which modules are also found where the tool would have installed them.
    pub files: &'w FileSet,
}

impl<'w, 'a> ValidatedTree<'w, 'a> {
    /// Returns the tree of calls from the root module.
    pub fn instances(&self) -> Instances<'w, 'a> {
        Instances::from_nodes(self.walked, 0)
    }
}

/// Looks at all names and expressions of the tree below the root module, and adds what is found to its report. Before that,
/// hands the tree to `then`, once.
pub fn run<'f>(
    report: &mut Report<'f>,
    files: &FileSet,
    request: &Request,
    then: &mut dyn FnMut(&ValidatedTree<'_, '_>, &Report<'f>),
) {
    let before = report.forest.sources.len();
    let installed = Installed::from_request(report, files, request);
    let installed = installed.as_ref();
    let loaded = module_tree::load(report, files, request, installed);
    if !loaded.is_empty() {
        // The variables of all modules together, so that no name is less secret than in any of them.
        let secrets = Secrets::new(report.forest, true);
        report.called = CalledModules::new(before..report.forest.sources.len(), secrets);
    }
    let (found, passed) = {
        let mut modules = module_tree::connect(report, &loaded, files, request, installed);
        if let (Some(names), Some(root)) = (&request.called_with, modules.first_mut()) {
            account::grow(names.iter().map(|name| name.len() as u64 + 32).sum());
            root.summary.providers.passed_in.extend(names.iter().cloned());
        }
        let modules = modules;
        let linked = installed.map(|installed| installed.linked(module_tree::links(&modules, installed)));
        let files: &FileSet = linked.as_deref().unwrap_or(files);
        let known = request.known_schemas(files, || {
            let mut constraints = BTreeMap::new();
            for module in &modules {
                let address_of = |name: &str| module.summary.providers.full_address(name);
                add_constraints(&module.report.module, module.report.forest, address_of, &mut constraints);
            }
            constraints
        });
        let schemas = Schemas::new(request, &known);
        let definitions: Vec<Definitions<'_>> =
            modules.iter().map(|module| Definitions::from_module(&module.report.module)).collect();
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
        let missing = request.missing_file();
        let walk = Walk {
            tree: &modules,
            schemas,
            files: FileAccess { missing, ..FileAccess::new(files, &request.root) },
            is_called: request.called_with.is_some(),
            is_planned: request.plan.is_some(),
            checks_with_providers: request.provider_checks == ProviderChecks::Sdk,
        };
        let walked: Vec<ModuleNodes<'_>> = modules
            .iter()
            .zip(definitions.iter().zip(&providers))
            .map(|(module, (definitions, providers))| ModuleNodes::new(&walk, module, definitions, providers))
            .collect();
        let mut walked = walked;
        let mocks = mock_files::read(report, files, &request.root);
        let found = report::finalize(&walk, &mut walked, request.variables.is_some(), mocks);
        let validated = ValidatedTree { walk: &walk, walked: &walked, is_clean: found.is_clean(), installed, files };
        then(&validated, report);
        (found, secret_arguments(&modules))
    };
    for (is_root, call, argument, secrecy) in passed {
        let secrets = if is_root { &mut report.module.secrets } else { &mut report.called.secrets };
        secrets.pass(&call, &argument, secrecy);
    }
    report::add(report, found);
}

/// Returns the arguments that calls pass to secret variables: whether the root module does, the names of call and
/// argument, and how secret the variable is.
fn secret_arguments(modules: &[TreeModule<'_>]) -> Vec<(bool, Box<str>, Box<str>, Secrecy)> {
    let mut found = Vec::new();
    for (at, module) in modules.iter().enumerate() {
        for call in &module.calls {
            let called = call.module.and_then(|called| modules.get(called));
            let Some(secrets) = called.map(|called| &called.report.module.secrets) else { continue };
            if secrets.strongest() == Secrecy::Open {
                continue;
            }
            for argument in
                call.call.block.arguments.iter().filter(|argument| secrets.declares(argument.name)).charged(2)
            {
                let secrecy = secrets.variable(argument.name);
                if secrecy > Secrecy::Open {
                    account::grow((call.call.name.len() + argument.name.len() + 48) as u64);
                    found.push((at == 0, Box::from(call.call.name), Box::from(argument.name), secrecy));
                }
            }
        }
    }
    found
}

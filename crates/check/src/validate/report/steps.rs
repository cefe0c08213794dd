//! The steps before the graph is built: what the tool finds when it loads and installs modules, and what it looks for before
//! anything is evaluated.

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

use super::{ARGUMENTS, CheckedProviders, EMPTY, FUNCTIONS, Finalizer, NAMES, PASSED, PLUGINS, VERSIONS, cycle};
use crate::validate::instances::{module_graph, provider_address};
use crate::validate::names::ObjectSchema;
use crate::validate::nodes::{NodeKind, is_error};
use crate::validate::schemas::configuration_of;
use crate::validate::walker::{self, ModuleNodes};
use crate::validate::{codes, imports};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Severity, Span};
use overfold_base::written::written;
use overfold_dialect::{Behaviour, BuiltinKind, DialectSpec, ObjectKind, words};
use overfold_eval as eval;
use overfold_load::module_checks::provider_names;
use overfold_model::body::content::codes::MISSING_REQUIRED_ARGUMENT;
use overfold_model::config::ObjectAddr;
use overfold_model::language::addresses::Target;
use overfold_model::language::provider_refs::implied_name;
use overfold_model::language::references::ResourceMode;
use overfold_model::schema;
use overfold_tree::calls::check::{self, CallCheck};
pub(crate) use overfold_tree::calls::providers::{BUILT_IN, IMPLIED_NAMESPACE, LocalNames};
use overfold_tree::graph::Graph;

impl Finalizer<'_, '_, '_> {
    /// Reports what the tool finds in the files with the data of mock providers, the last that it loads. Returns whether it
    /// goes on.
    pub(super) fn mocks(&mut self, found: Vec<Diagnostic>, reached: bool) -> bool {
        let passes = !found.iter().any(is_error);
        for finding in found.charged(2) {
            self.push(reached, finding);
        }
        passes
    }

    /// Reports what the tool finds when it installs modules: cycles of local values, and arguments of calls that no variable
    /// takes. Returns whether there are none.
    pub(super) fn installation(&mut self, root: usize, graph: &Graph, reached: bool) -> bool {
        let Some(first) = self.walked.get(root) else { return true };
        let dialect = first.module.report.dialect;
        if !dialect.has(Behaviour::CallsAreCheckedAtInstallation) {
            return true;
        }
        let cycles = self.instances.cycles(graph);
        let is_of_locals = |name: &String| {
            account::touch(name.len());
            name.starts_with("local.") || name.contains(".local.")
        };
        let cycles: Vec<Vec<String>> = cycles.into_iter().filter(|names| names.iter().all(is_of_locals)).collect();
        if !cycles.is_empty() && reached {
            for names in cycles {
                self.push(true, cycle(dialect, &names));
            }
            return false;
        }
        let mut complete = true;
        let instances = self.instances;
        let mut seen: HashSet<(usize, usize)> = HashSet::new();
        for instance in &instances.list {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            for (position, (call, facts)) in
                walked.module.calls.iter().zip(&walked.module.summary.calls).enumerate().charged(2)
            {
                let Some(called) = call.module.and_then(|at| self.walked.get(at)) else { continue };
                let mut found = Vec::new();
                CallCheck::new(walked.module.report, &call.call, &mut found).arguments(facts, &called.module.summary);
                found.retain(|finding| finding.code != &MISSING_REQUIRED_ARGUMENT);
                complete &= !found.iter().any(is_error);
                if reached && !found.is_empty() && seen.insert((instance.module, position)) {
                    self.push_all(true, (ARGUMENTS | instance.module, position), &found);
                }
            }
        }
        complete
    }

    /// Reports a backend of the root module that the tool does not have.
    pub(super) fn backend(&mut self, root: usize, reached: bool) {
        let Some(root) = self.walked.get(root) else { return };
        let dialect = root.module.report.dialect;
        if !dialect.has(Behaviour::BackendTypesAreChecked) {
            return;
        }
        let mut elements = root.module.report.module.elements.iter();
        let backend = elements.find(|element| element.kind == ObjectKind::Backend);
        let Some(label) = backend.and_then(|backend| backend.block.labels.first()) else { return };
        if !dialect.has_builtin(BuiltinKind::Backend, label.text) {
            let detail = format!("This version has no backend {:?}.", label.text);
            self.push(reached, Diagnostic::tool(&codes::NO_SUCH_BACKEND, label.span, detail));
        }
    }

    /// Reports functions of providers that their modules do not require, if the tool looks for them before it evaluates
    /// anything. Returns whether there are none.
    pub(super) fn functions(&mut self, reached: bool) -> bool {
        let mut complete = true;
        let instances = self.instances;
        for instance in &instances.list {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            let report = walked.module.report;
            if !report.dialect.has(Behaviour::ProvidersOfFunctionsAreRequired) {
                return true;
            }
            for (id, node) in walked.nodes.iter().enumerate() {
                account::work(1 + node.found.len() as u64);
                let is_of_provider = |found: &&Diagnostic| {
                    found.code == &eval::codes::UNKNOWN_FUNCTION
                        && found.span.is_some_and(|at| {
                            let name = report.forest.sources.text(at);
                            let name = name.strip_prefix("provider::");
                            let provider = name.and_then(|name| name.split("::").next());
                            provider.is_some_and(|provider| {
                                walked.module.summary.providers.required().all(|(name, _)| *name != *provider)
                            })
                        })
                };
                let found: Vec<Diagnostic> = node.found.iter().filter(is_of_provider).cloned().collect();
                let found: Vec<Diagnostic> =
                    found.into_iter().map(|found| found.titled("Unknown function provider")).collect();
                complete &= found.is_empty();
                self.push_all(reached, (FUNCTIONS | instance.module, id), &found);
            }
        }
        complete
    }

    /// Reports the first action whose type its provider does not have. Returns whether the tool goes on.
    fn action_types(&mut self, reached: bool) -> bool {
        let instances = self.instances;
        for (at, instance) in instances.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            if !walked.module.report.dialect.has(Behaviour::ActionTypesAreLookedUp) {
                return reached;
            }
            for node in walked.nodes.iter().charged(1) {
                let address = node.address;
                let (NodeKind::Resource(block), ObjectAddr::Resource { mode: ResourceMode::Action, type_name, .. }) =
                    (node.kind, address)
                else {
                    continue;
                };
                let action = walked.evaluation.names().resources.get(&address);
                if !action.is_some_and(|action| matches!(action.schema, ObjectSchema::NoSuchType)) {
                    continue;
                }
                let provider = provider_address(walked, &configuration_of(walked.module, block).name);
                let whole = format!("{}{address}", instances.path(at));
                let title = written(format_args!(
                    "failed to read schema for {whole} in {provider}: provider {provider} does not have an action schema for {type_name}"
                ));
                let detail = format!("The provider {provider} has no action of the type {type_name:?}.");
                let finding = Diagnostic::tool(&codes::NO_SUCH_ACTION, None, detail).titled(title);
                self.push(reached, finding.and("the action", block.header));
                return false;
            }
        }
        reached
    }

    /// Reports an import without a configuration of its target whose type belongs to a provider that is not installed:
    /// the tool takes the one that the type suggests, whatever provider the module requires under this name. Returns whether
    /// the tool goes on.
    fn import_providers(&mut self, reached: bool) -> bool {
        let dialect = self.walked.first().map(|root| root.module.report.dialect);
        if !dialect.is_some_and(|dialect| dialect.has(Behaviour::ImportsImplyProviders)) {
            return reached;
        }
        let instances = self.instances;
        let mut used: Option<HashSet<String>> = None;
        // The module of the target, the target, its provider and the import.
        let mut first: Option<(usize, Target, String, Span)> = None;
        for (at, instance) in instances.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            for node in walked.nodes.iter().charged(1) {
                let NodeKind::Import(block) = node.kind else { continue };
                let is_given = block.argument(words::PROVIDER).is_some();
                let Some((target, span)) = walked.import_target(block).filter(|_| !is_given) else { continue };
                let Some(step) = &target.resource else { continue };
                let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
                let found = self.module_of(at, &target);
                let module = found.and_then(|found| self.walked.get(instances.list.get(found)?.module));
                let (Some(found), Some(module)) = (found, module) else { continue };
                // Which of several the tool names is a matter of chance: one of the root module, if there is one.
                if first.as_ref().is_some_and(|&(known, ..)| known == 0 || found > 0)
                    || module.evaluation.names().resources.contains_key(&address)
                {
                    continue;
                }
                let Some(provider) = implied_provider(walked, &step.type_name) else { continue };
                if !used.get_or_insert_with(|| self.used_providers()).contains(&provider) {
                    first = Some((found, target, provider, span));
                }
            }
        }
        let Some((found, target, provider, span)) = first else { return reached };
        let Some(step) = &target.resource else { return reached };
        let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
        let whole = format!("{}{address}", instances.path(found));
        let title = written(format_args!(
            "failed to read schema for {whole} in {provider}: failed to instantiate provider \"{provider}\" to obtain schema: unavailable provider \"{provider}\""
        ));
        let detail = format!(
            "Nothing declares {whole}, and the import does not name a provider. This version takes {provider}, which no module requires."
        );
        let finding = Diagnostic::tool(&codes::IMPORT_PROVIDER, None, detail).titled(title);
        self.push(reached, finding.and("the import", span));
        false
    }

    /// Returns the instance of the module of a target, as a module instance names it; `None` if it is not there.
    fn module_of(&self, from: usize, target: &Target) -> Option<usize> {
        target.modules.iter().charged(4).try_fold(from, |instance, step| {
            let found = self.instances.list.get(instance)?;
            let call = *self.walked.get(found.module)?.evaluation.names().calls.get(step.name.as_str())?;
            found.called.get(call).copied().flatten()
        })
    }

    /// Returns the addresses of the providers that the modules of the tree require or use.
    fn used_providers(&self) -> HashSet<String> {
        let mut used = HashSet::new();
        let modules: HashSet<usize> = self.instances.list.iter().map(|instance| instance.module).collect();
        account::work(self.instances.list.len() as u64);
        for walked in self.walked.iter().enumerate().filter(|(at, _)| modules.contains(at)).map(|(_, walked)| walked)
        {
            let mut add = |name: &str| {
                account::work(8);
                let address = provider_address(walked, name);
                account::copy(address.len());
                used.insert(address);
            };
            for (name, _) in walked.module.summary.providers.required() {
                add(name);
            }
            for node in walked.nodes.iter().charged(1) {
                if let NodeKind::Resource(block) = node.kind {
                    add(&configuration_of(walked.module, block).name);
                }
            }
        }
        used
    }

    /// Reports cycles. Returns whether the tool walks.
    pub(super) fn cycles(&mut self, graph: &Graph, reached: bool) -> bool {
        let reached = self.action_types(reached);
        let reached = self.import_providers(reached);
        let cycles = self.instances.cycles(graph);
        let walks = reached && cycles.is_empty();
        for names in cycles {
            let length = names.iter().map(|name| name.len() + 2).sum();
            account::touch(length);
            account::room(2 * length);
            if let Some(root) = self.walked.first() {
                self.push(reached, cycle(root.module.report.dialect, &names));
            }
        }
        walks
    }

    /// Reports blocks that mean something only in a root module. Returns whether the tool goes on.
    pub(super) fn misplaced(&mut self, walked: &ModuleNodes<'_>, reached: bool) -> bool {
        let elements = &walked.module.report.module.elements;
        let mut goes_on = true;
        let dialect = walked.module.report.dialect;
        let has_cloud = dialect.has(Behaviour::CloudOfCalledModulesWarns);
        if let Some(cloud) =
            elements.iter().charged_at_once(1).find(|element| element.kind == ObjectKind::Cloud && has_cloud)
        {
            let detail = "Only the root module decides where the state is stored. This block has no effect.";
            self.push(reached, Diagnostic::tool(&codes::CLOUD_IGNORED, cloud.block.header, detail));
        }
        let has_backend = dialect.has(Behaviour::BackendsOfCalledModulesWarn);
        if let Some(backend) = elements.iter().find(|element| element.kind == ObjectKind::Backend && has_backend) {
            let detail = "Only the root module decides where the state is stored. This block has no effect.";
            self.push(reached, Diagnostic::tool(&codes::BACKEND_IGNORED, backend.block.header, detail));
        }
        let is_refused = dialect.has(Behaviour::ImportsOnlyInRoot);
        if let Some(import) = elements.iter().find(|element| element.block.keyword == words::IMPORT && is_refused) {
            let detail = "Only the root module can contain `import` blocks. Move the block there, with the whole address of the target.";
            self.push(reached, Diagnostic::tool(&codes::IMPORT_BELOW_ROOT, import.block.header, detail));
            goes_on = false;
        }
        goes_on
    }

    /// Reports the names of providers in a called module that cannot be loaded. The tool checks them all the same, as
    /// it does in any other called module.
    pub(super) fn names(&mut self, number: usize, walked: &ModuleNodes<'_>, reached: bool) {
        let report = walked.module.report;
        if walked.module.is_refused() && report.dialect.has(Behaviour::ProviderNamesOfWrongModules) {
            let mut found = Diagnostics::new();
            provider_names::compare(&report.module, report.dialect, report.forest, &mut found);
            // What has been found although other errors of the module come earlier is not said twice.
            let known: HashSet<_> = walked.module.findings().map(|found| (found.code.id, found.span)).collect();
            account::work(known.len() as u64);
            let found = found.into_vec().into_iter().filter(|found| !known.contains(&(found.code.id, found.span)));
            let found: Vec<Diagnostic> = found.collect();
            self.push_all(reached, (NAMES | number, 0), &found);
        }
    }

    /// Whether names of providers are not compared because a module cannot be loaded for another reason.
    pub(super) fn provider_names_wait(&self, dialect: &DialectSpec) -> bool {
        dialect.has(Behaviour::ProvidersAreCheckedInSoundTrees)
            && self.walked.iter().any(|walked| walked.module.is_refused_because(|found| !is_of_provider_names(found)))
    }

    /// Reports provider configurations that calls pass wrongly, also if called modules cannot be loaded. Returns whether
    /// the tool goes on.
    pub(super) fn providers(&mut self, reached: bool, local_names: LocalNames) -> bool {
        let mut passes = true;
        let instances = self.instances;
        let configures = self.configures();
        let mut checked: HashMap<usize, CheckedProviders> = HashMap::new();
        for (at, instance) in instances.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            if at > 0 && walked.module.summary.providers.has_empty() {
                let mut found = Vec::new();
                check::empty_providers(walked.module.report, true, &mut found);
                self.push_all(reached, (EMPTY | instance.module, 0), &found);
            }
            let CheckedProviders { found, is_fatal } = checked
                .entry(instance.module)
                .or_insert_with(|| CheckedProviders::new(self.walked, walked, &configures, local_names));
            passes &= !*is_fatal;
            for (position, found) in &*found {
                self.push_all(reached, (PASSED | instance.module, *position), found);
            }
        }
        passes
    }

    /// Returns the modules that configure providers, themselves or in modules that they call.
    fn configures(&self) -> HashSet<usize> {
        let graph = module_graph(self.walked);
        let own = self.walked.iter().enumerate();
        let own = own.filter(|(_, walked)| !walked.module.summary.providers.configured.is_empty());
        graph.with_callers(own.map(|(at, _)| at)).into_iter().collect()
    }

    /// Reports provisioners that the tool does not have.
    pub(super) fn plugins(&mut self, reached: bool) -> bool {
        let mut complete = reached;
        let instances = self.instances;
        for instance in &instances.list {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            for (id, node) in walked.nodes.iter().enumerate() {
                let NodeKind::Resource(block) = node.kind else { continue };
                let mut found = Vec::new();
                for provisioner in walker::meta_blocks(block, words::PROVISIONER) {
                    let Some(label) = provisioner.labels.first() else { continue };
                    if schema::provisioner(label.text).is_none() {
                        let detail = format!(
                            "No built-in provisioner has the type {:?}, so it would have to be installed as a plugin.",
                            label.text
                        );
                        let finding = Diagnostic::tool(&codes::NO_SUCH_PROVISIONER, None, detail);
                        found.push(finding.and("the provisioner", label.span));
                    }
                }
                complete &= found.is_empty();
                self.push_all(reached, (PLUGINS | instance.module, id), &found);
            }
        }
        complete
    }

    /// Reports imports into modules that are not there.
    pub(super) fn imports(&mut self, reached: bool) -> bool {
        let Some(root) = self.walked.first() else { return true };
        let mut complete = true;
        for node in &root.nodes {
            let NodeKind::Import(block) = node.kind else { continue };
            let Some((target, at)) = root.import_target(block) else { continue };
            let mut instance = 0;
            let mut is_there = !target.modules.is_empty();
            let mut is_known = true;
            for step in &target.modules {
                let calls = self.instances.list.get(instance).and_then(|found| self.walked.get(found.module));
                let call = calls.and_then(|walked| walked.evaluation.names().calls.get(step.name.as_str()).copied());
                is_there &= call.is_some();
                let Some(call) = call else { break };
                match self.instances.list.get(instance).and_then(|found| found.called.get(call).copied().flatten()) {
                    Some(child) => instance = child,
                    None => {
                        is_known = false;
                        break;
                    }
                }
            }
            if target.modules.is_empty() || !is_known {
                continue;
            }
            if !is_there {
                complete = false;
                self.push(reached, imports::no_target(&target, at));
            }
        }
        complete
    }

    /// Reports constraints on the version of the tool, once for each call of their module. Returns whether all are met.
    pub(super) fn versions(&mut self, root: usize, reached: bool) -> bool {
        let mut met = true;
        let instances = self.instances;
        for (at, instance) in instances.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            let found: Vec<Diagnostic> = walked.module.versions().cloned().collect();
            met &= !found.iter().any(|finding| finding.severity == Severity::Error);
            // Those of the root module are in its report already.
            if at > 0 || root > 0 {
                self.push_all(reached, (VERSIONS | instance.module, 0), &found);
            }
        }
        met
    }
}

/// Returns the address of the provider that the type of a resource suggests, unless it is the one that the module takes for this
/// name, or the one that is built into the tool.
fn implied_provider(walked: &ModuleNodes<'_>, type_name: &str) -> Option<String> {
    let name = implied_name(type_name);
    if name == BUILT_IN.0 {
        return None;
    }
    let implied = format!("{}/{IMPLIED_NAMESPACE}/{name}", walked.module.summary.providers.registry);
    (provider_address(walked, name) != implied).then_some(implied)
}

/// Whether a finding is one of those about names of providers that follow from several blocks.
pub(super) fn is_of_provider_names(finding: &Diagnostic) -> bool {
    use overfold_load::module_checks::codes::{PROVIDER_REQUIRED_TWICE, PROVIDER_UNDEFINED};
    let code = finding.code;
    code == &PROVIDER_REQUIRED_TWICE
        || code == &PROVIDER_UNDEFINED
        || code == &overfold_model::language::codes::PROVIDER_LOCAL_NAME && finding.address.is_some()
}

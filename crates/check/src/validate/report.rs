//! What the tool says of all that has been found: in which step it stops, what it repeats, and what stays silent
//! (validate.md, sections 1 and 2).

mod steps;

use steps::is_of_provider_names;

use std::cell::LazyCell;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

use super::codes;
use super::configurations::Provider;
use super::instances::{AbsentProviders, Instances, provider_address};
use super::names::ObjectSchema;
use super::nodes::{Dependency, NodeId, NodeKind, is_error};
use super::schemas::Configuration;
use super::walker::{ModuleNodes, Visit, Walk};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Origin, Phase, Severity};
use overfold_base::written::{shared, written};
use overfold_dialect::{Behaviour, DialectSpec};
use overfold_load::loading::Report;
use overfold_load::tool_version;
use overfold_model::config::ObjectAddr;
use overfold_model::language::references::ResourceMode;
use overfold_tree::calls::check::CallCheck;
pub use overfold_tree::calls::providers::{self, LocalNames};
use overfold_tree::graph::Graph;
use overfold_value::Value;

/// What is added to the report of the root module.
pub(super) struct TreeOutcome {
    found: Diagnostics,
    /// Whether every module of the tree can be loaded, whatever version of the tool each of them asks for.
    is_loaded: bool,
    /// Whether the tool gets as far as the values of variables: every module of the tree can be loaded.
    loads: bool,
    /// Whether it gets as far as the walk.
    walks: bool,
    /// Whether the walk finds no error.
    is_clean: bool,
    /// The types whose schema is not known.
    schemas_missing: BTreeSet<(ResourceMode, Box<str>)>,
}

impl TreeOutcome {
    /// Whether the tool finds no error, and goes on to the values.
    pub(super) const fn is_clean(&self) -> bool {
        self.loads && self.walks && self.is_clean
    }
}

/// Adds the findings of the tree to the report of the root module, and decides about those that were there before.
pub(super) fn add(report: &mut Report<'_>, outcome: TreeOutcome) {
    let TreeOutcome { found, is_loaded, loads, walks, is_clean, schemas_missing } = outcome;
    report.schemas_missing = schemas_missing;
    let own = std::mem::take(&mut report.diagnostics);
    let dialect = report.dialect;
    report.diagnostics = own.map(|finding| {
        let is_of_tree = tool_version::is_of_tree(finding, dialect);
        let reached = match finding.phase() {
            Phase::Gathering | Phase::Values => loads,
            Phase::Rules => walks,
            Phase::Resolution => walks && is_clean,
            _ => is_loaded || !is_of_tree,
        };
        if !reached {
            finding.origin = finding.origin.later();
        }
    });
    report.diagnostics.append(found);
}

/// The rules of a variable of a called module, checked with a value: what is found, and whether that is an error.
type CheckedRules = Rc<(Vec<Diagnostic>, bool)>;

struct Finalizer<'c, 'w, 'a> {
    walked: &'w [ModuleNodes<'a>],
    instances: &'c Instances<'w, 'a>,
    out: Diagnostics,
    /// What has been kept as something that the tool reports later, by the identity of where it was found.
    kept: HashSet<(usize, usize)>,
    /// Whether the tree is looked at for a plan.
    is_planned: bool,
}

/// What a tree is looked at for.
#[derive(Default)]
struct Purpose {
    /// Whether the variables of the root module have values.
    has_values: bool,
    /// Whether a plan is made.
    is_planned: bool,
    /// What is found in the files with the data of mock providers.
    mocks: Vec<Diagnostic>,
}

/// Decides what the tool says.
pub(super) fn finalize<'a>(
    walk: &Walk<'a>,
    walked: &mut [ModuleNodes<'a>],
    has_values: bool,
    mocks: Vec<Diagnostic>,
) -> TreeOutcome {
    let rules = checked_rules(walked);
    let root_loads = walk.tree.first().is_some_and(|root| !root.is_refused());
    let for_what = Purpose { has_values, is_planned: walk.is_planned, mocks };
    let mut outcome = of_root(walked, 0, root_loads, &rules, for_what);
    // The modules that test files run are checked as root modules of their own, each once.
    let all_load = outcome.loads;
    for tested in walk.tree.iter().enumerate().filter(|(_, module)| module.is_tested).map(|(at, _)| at) {
        let TreeOutcome { found, .. } = of_root(walked, tested, all_load, &rules, Purpose::default());
        outcome.found.append(found);
    }
    outcome.schemas_missing = schemas_missing(walked);
    outcome
}

/// Decides what the tool says of the tree below one module.
fn of_root(
    walked: &[ModuleNodes<'_>],
    root: usize,
    root_loads: bool,
    rules: &ModuleRules,
    Purpose { has_values, is_planned, mocks }: Purpose,
) -> TreeOutcome {
    let instances = Instances::from_nodes(walked, root);
    let mut finalizer = Finalizer {
        walked,
        instances: &instances,
        out: Diagnostics::in_phase(Phase::Tree),
        kept: HashSet::new(),
        is_planned,
    };
    let modules_load = finalizer.loading(root, root_loads);
    let dialect = walked.first().map(|first| first.module.report.dialect);
    let in_sound_trees = dialect.is_some_and(|dialect| dialect.has(Behaviour::ProvidersAreCheckedInSoundTrees));
    let checks_providers = root_loads && (modules_load || !in_sound_trees);
    let passes =
        finalizer.providers(checks_providers, if modules_load { LocalNames::Resolved } else { LocalNames::Implied });
    let graph = instances.graph();
    let passes = finalizer.mocks(mocks, root_loads) && passes;
    let is_loaded = root_loads && modules_load && passes;
    let is_loaded = is_loaded & finalizer.installation(root, &graph, is_loaded);
    let loads = finalizer.versions(root, is_loaded) && is_loaded;
    // The values of the variables of a root module are read before anything else is looked at.
    let lacks_values = walked.get(root).is_some_and(|root| root.module.lacks_values());
    finalizer.backend(root, root_loads);
    let has_plugins = finalizer.plugins(loads && !lacks_values);
    let has_plugins = has_plugins & finalizer.functions(has_plugins);
    let imports = finalizer.imports(has_plugins);
    let arguments = finalizer.arguments(has_plugins && imports);
    let passed = finalizer.passed_configurations(has_plugins && imports && arguments);
    let configured = finalizer.configurations(has_plugins && imports && arguments && passed);
    let walks = finalizer.cycles(&graph, has_plugins && imports && arguments && passed && configured);
    let is_clean = finalizer.nodes(&graph, walks, rules, has_values);
    for &(module, position) in &instances.circular {
        let Some(walked) = walked.get(module) else { continue };
        let Some(call) = walked.module.calls.get(position) else { continue };
        let mut found = Vec::new();
        let target = call
            .module
            .and_then(|at| finalizer.walked.get(at))
            .and_then(|called| called.module.path.as_deref())
            .unwrap_or(".");
        CallCheck::new(walked.module.report, &call.call, &mut found).cycle(target);
        finalizer.out.extend(found);
    }
    if instances.is_cut {
        let detail = "The tree contains more than 20000 module calls. Those beyond are not followed.";
        finalizer.out.push(Diagnostic::ours(&codes::TOO_MANY_CALLS, None, detail));
    }
    TreeOutcome { found: finalizer.out, is_loaded, loads, walks, is_clean, schemas_missing: BTreeSet::new() }
}

/// Returns the types whose schema is not known.
fn schemas_missing(walked: &[ModuleNodes<'_>]) -> BTreeSet<(ResourceMode, Box<str>)> {
    let resources = walked.iter().flat_map(|walked| &walked.evaluation.names().resources);
    let types: HashSet<(ResourceMode, &str)> = resources
        .charged(2)
        .filter_map(|(address, resource)| match (address, &resource.schema) {
            (ObjectAddr::Resource { mode, type_name, .. }, ObjectSchema::NotGiven) => Some((*mode, *type_name)),
            _ => None,
        })
        .collect();
    let mut missing = BTreeSet::new();
    #[expect(clippy::iter_over_hash_type, reason = "they are sorted")]
    for (mode, name) in types {
        account::text(name.len());
        missing.insert((mode, name.into()));
    }
    missing
}

/// The rules of variables of called modules whose values are known: by the calling module, the call and the node, and,
/// for defaults, by the module itself.
struct ModuleRules {
    passed: HashMap<(usize, usize, NodeId), CheckedRules>,
    defaults: HashMap<(usize, NodeId), CheckedRules>,
}

/// Checks the rules of variables with the values that calls pass, where they are known, and with defaults.
fn checked_rules(walked: &mut [ModuleNodes<'_>]) -> ModuleRules {
    let mut rules = ModuleRules { passed: HashMap::new(), defaults: HashMap::new() };
    let mut todo: Vec<(usize, usize, usize)> = Vec::new();
    for (caller, module) in walked.iter().enumerate() {
        for (at, call) in module.module.calls.iter().enumerate() {
            todo.extend(call.module.map(|called| (caller, at, called)));
        }
    }
    let with_rules: Vec<Vec<_>> = walked.iter().map(|module| module.with_rules().collect()).collect();
    for (caller, call, called) in todo {
        for &(node, element) in with_rules.get(called).into_iter().flatten().charged(8) {
            let name = element.address.name();
            let Some(calling) = walked.get(caller) else { continue };
            let passed = calling.passed.get(&(call, name)).cloned();
            let at = calling.inputs.get(&(call, name)).and_then(|&input| match calling.nodes.get(input)?.kind {
                NodeKind::Input(_, argument) => Some(calling.evaluation.span(argument.expr)),
                _ => None,
            });
            let Some(module) = walked.get_mut(called) else { continue };
            let Some(variable) = module.variable(element) else { continue };
            // A rule that no value satisfies is reported where each call passes one.
            let is_broken = module.nodes.get(node).is_some_and(|node| {
                node.found
                    .iter()
                    .charged_at_once(1)
                    .any(|found| found.code == &overfold_load::vars::codes::RULE_FAILED)
            });
            let value: Value = match passed {
                Some(value) if value.is_known() || is_broken => value.with_marks(variable.marks),
                Some(_) => continue,
                None if rules.defaults.contains_key(&(called, node)) => continue,
                None => match variable.default() {
                    Some(default) => default.clone().with_marks(variable.marks),
                    None => continue,
                },
            };
            let mut visit = Visit::default();
            module.rules(element, &value, at, &mut visit);
            let found = visit.out.into_vec();
            let failed = found.iter().any(is_error);
            let checked = Rc::new((found, failed));
            match at {
                Some(_) => drop(rules.passed.insert((caller, call, node), checked)),
                None => drop(rules.defaults.insert((called, node), checked)),
            }
        }
    }
    rules
}

impl ModuleRules {
    /// Returns what is found in the rules of a variable for one call; `None` if that does not depend on the call.
    fn checked(&self, instances: &Instances<'_, '_>, at: usize, node: NodeId) -> Option<&CheckedRules> {
        let instance = instances.list.get(at)?;
        let (caller, call) = instance.caller?;
        let calling = instances.list.get(caller)?.module;
        if let Some(checked) = self.passed.get(&(calling, call, node)) {
            return Some(checked);
        }
        let walked = instances.walked.get(calling)?;
        let name = instances.walked.get(instance.module)?.nodes.get(node)?.address.name();
        if walked.inputs.contains_key(&(call, name)) {
            return None;
        }
        self.defaults.get(&(instance.module, node))
    }
}

/// What is wrong with the provider configurations that the calls of a module pass, whatever calls the module itself.
struct CheckedProviders {
    /// The findings by the position of the call.
    found: Vec<(usize, Vec<Diagnostic>)>,
    /// Whether the tool goes no further.
    is_fatal: bool,
}

impl CheckedProviders {
    /// Checks the calls of a module. `configures` are the modules that configure providers, themselves or below them.
    fn new(
        all: &[ModuleNodes<'_>],
        walked: &ModuleNodes<'_>,
        configures: &HashSet<usize>,
        local_names: LocalNames,
    ) -> Self {
        let mut checked = Self { found: Vec::new(), is_fatal: false };
        let own = &walked.module.summary;
        for (position, (call, facts)) in walked.module.calls.iter().zip(&own.calls).enumerate() {
            let Some(called) = call.module.and_then(|at| all.get(at)) else { continue };
            let is_configured = call.module.is_some_and(|at| configures.contains(&at));
            let problems = providers::problems(facts, own, &called.module.summary, is_configured, local_names);
            let mut found = Vec::new();
            let mut own_check = CallCheck::new(walked.module.report, &call.call, &mut found);
            for problem in problems.iter().filter(|problem| !problem.is_without_place()) {
                checked.is_fatal |= problem.is_fatal();
                own_check.provider(problem);
            }
            if !found.is_empty() {
                checked.found.push((position, found));
            }
        }
        checked
    }
}

impl Finalizer<'_, '_, '_> {
    /// Takes a finding of a step that the tool reaches or not.
    fn push(&mut self, reached: bool, finding: Diagnostic) {
        let origin = if reached { finding.origin } else { finding.origin.later() };
        self.out.push(Diagnostic { origin, ..finding });
    }

    /// Takes the findings of one step at one place: each time if the tool reaches it, otherwise once. `key` identifies
    /// the place.
    fn push_all(&mut self, reached: bool, key: (usize, usize), found: &[Diagnostic]) {
        if found.is_empty() || !reached && !self.kept.insert(key) {
            return;
        }
        for finding in found.charged(4) {
            let is_later = finding.origin == Origin::ToolLater;
            if is_later && reached && !self.kept.insert((key.0 | LATER_HERE, key.1)) {
                continue;
            }
            self.push(reached, finding.clone());
        }
    }

    /// Reports what the tool finds when it loads called modules. Returns whether it loads all of them.
    fn loading(&mut self, root: usize, root_loads: bool) -> bool {
        let Some(first) = self.walked.get(root) else { return false };
        let mut all = !first.module.is_refused();
        let dialect = first.module.report.dialect;
        let root_loads = root_loads || self.is_planned && dialect.has(Behaviour::CalledModulesBesideWrongRoot);
        let mut seen: HashSet<usize> = HashSet::new();
        let instances = self.instances;
        let provider_names_wait = self.provider_names_wait(dialect);
        for instance in &instances.list {
            for call in
                self.walked.get(instance.module).into_iter().flat_map(|walked| &walked.module.calls).charged(1)
            {
                for finding in &call.outdated {
                    all = false;
                    self.push(root_loads, finding.clone());
                }
            }
        }
        for instance in &instances.list {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            all &= !walked.module.is_refused();
            let is_first = seen.insert(instance.module);
            if instance.caller.is_some() || walked.is_called {
                all &= self.misplaced(walked, root_loads);
                self.names(instance.module, walked, root_loads);
            }
            // Those of the root module are in its report already.
            let dialect = walked.module.report.dialect;
            let is_new = |finding: &&Diagnostic| {
                (root > 0 || instance.caller.is_some()) && !tool_version::is_of_tree(finding, dialect)
            };
            for finding in walked.module.findings().filter(is_new).charged(2) {
                // Each file is parsed once, whatever calls its module.
                let is_once =
                    finding.code.id.starts_with("syntax/") || finding.origin == Origin::ToolLater || !root_loads;
                if is_first || !is_once {
                    let reached = root_loads && !(provider_names_wait && is_of_provider_names(finding));
                    self.push(reached, finding.clone());
                }
            }
        }
        all
    }

    /// Reports arguments of calls that are missing or that the called module does not have. The tool stops at the first
    /// call with such a mistake, those of called modules first.
    fn arguments(&mut self, reached: bool) -> bool {
        let mut complete = true;
        let instances = self.instances;
        let mut checked: HashMap<(usize, usize), Vec<Diagnostic>> = HashMap::new();
        for at in instances.called_first() {
            let Some((caller, position)) = instances.list.get(at).and_then(|instance| instance.caller) else {
                continue;
            };
            let Some(calling) = instances.list.get(caller) else { continue };
            let Some(walked) = self.walked.get(calling.module) else { continue };
            let (Some(call), Some(facts)) =
                (walked.module.calls.get(position), walked.module.summary.calls.get(position))
            else {
                continue;
            };
            let Some(called) = call.module.and_then(|at| self.walked.get(at)) else { continue };
            let found = checked.entry((calling.module, position)).or_insert_with(|| {
                let mut found = Vec::new();
                CallCheck::new(walked.module.report, &call.call, &mut found).arguments(facts, &called.module.summary);
                found
            });
            let is_wrong = found.iter().any(is_error);
            self.push_all(reached && complete, (ARGUMENTS | calling.module, position), found);
            complete &= !is_wrong;
        }
        complete
    }

    /// Reports provider configurations that calls pass although nothing declares them. The tool stops at the first.
    fn passed_configurations(&mut self, reached: bool) -> bool {
        let mut complete = true;
        let instances = self.instances;
        for (at, instance) in instances.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            let calls = &walked.module.summary.calls;
            if calls.iter().all(|call| call.passed.is_empty()) {
                continue;
            }
            let passable = instances.passable(at);
            let mut path: Option<String> = None;
            for (position, (call, facts)) in walked.module.calls.iter().zip(calls).enumerate() {
                // A call that leads back to a module around it is not followed. The module of another may be absent.
                if call.module.is_some() && instance.called.get(position).copied().flatten().is_none() {
                    continue;
                }
                for passed in facts.passed.iter().charged(8) {
                    let configuration = Configuration::of_key(&passed.outer);
                    let address = provider_address(walked, &configuration.name);
                    let key = (address, configuration.alias.as_deref());
                    if passable.contains(&key) {
                        continue;
                    }
                    let (address, _) = key;
                    let alias = configuration.alias.as_ref().map_or_else(String::new, |alias| format!(".{alias}"));
                    let path = path.get_or_insert_with(|| instances.path(at));
                    let title = written(format_args!("missing provider {path}provider[{address:?}]{alias}"));
                    let detail = format!(
                        "The call passes the provider configuration {}, which its module neither declares nor gets from its caller.",
                        passed.outer
                    );
                    let finding = Diagnostic::tool(&codes::PASSED_PROVIDER_MISSING, None, detail).titled(title);
                    let finding = finding.and("the call", call.call.block.header);
                    self.push_all(reached && complete, (PASSED_NOWHERE | instance.module, position), &[finding]);
                    complete = false;
                }
            }
        }
        complete
    }

    /// Reports resources whose provider configuration is declared nowhere.
    fn configurations(&mut self, reached: bool) -> bool {
        let mut complete = true;
        let instances = self.instances;
        for (at, instance) in instances.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            let mut path: Option<String> = None;
            for (id, node) in walked.nodes.iter().enumerate().charged(1) {
                if !matches!(node.kind, NodeKind::Resource(..)) {
                    continue;
                }
                let configuration = node.dependencies.iter().skimmed(8).find_map(|dependency| match dependency {
                    Dependency::Provider(configuration) => Some(configuration),
                    _ => None,
                });
                let Some(configuration) = configuration else { continue };
                if instances.provider(at, configuration) != Provider::Missing {
                    continue;
                }
                complete = false;
                let NodeKind::Resource(block) = node.kind else { continue };
                let path = path.get_or_insert_with(|| instances.path(at));
                let detail = written(format_args!(
                    "{path}{} uses the provider configuration {}, which neither its module nor a calling one declares.",
                    node.address,
                    configuration.key()
                ));
                let finding = Diagnostic::tool(&codes::PROVIDER_NOT_PRESENT, None, detail)
                    .and("the object that uses it", block.header);
                self.push_all(reached, (CONFIGURATIONS | instance.module, id), &[finding]);
            }
        }
        complete
    }

    /// Reports what is found at the nodes of all instances. Returns whether the tool finds no error there.
    fn nodes(&mut self, graph: &Graph, walks: bool, rules: &ModuleRules, has_values: bool) -> bool {
        let instances = self.instances;
        let absent = instances.absent_providers();
        // What is wrong with an import into a called module counts as found at its target.
        let targets = instances.import_targets();
        let silent = self.silent(graph, rules, &absent, &targets);
        let is_silent = |number: usize| silent.get(number).copied().unwrap_or(false);
        let used = instances.used_providers();
        let possibly_used: HashSet<usize> = absent.into_values().flatten().collect();
        let mut is_clean = true;
        for (at, instance) in instances.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            // The path is written once for all findings of an instance, if there are any.
            let path = LazyCell::new(|| instances.path(at));
            for (id, node) in walked.nodes.iter().enumerate().charged(1) {
                let checked = match node.kind {
                    NodeKind::Rules(_) => rules.checked(instances, at, id),
                    _ => None,
                };
                let found = checked.map_or(&node.found, |checked| &checked.0);
                if found.is_empty() {
                    continue;
                }
                let number = instances.number(at, id);
                let is_used = !matches!(node.kind, NodeKind::Provider(_)) || used.contains(&number);
                if !is_used && !possibly_used.contains(&number) {
                    self.unused_provider((NODES | instance.module, id), found);
                    continue;
                }
                // Whether the tool looks at a provider that only a module uses that is not there is not known.
                let place = targets.get(&id).filter(|_| at == 0).copied().unwrap_or(number);
                let reached = walks && is_used && !is_silent(place);
                is_clean &= !(reached && found.iter().any(|finding| is_error(finding) && instance.has(finding)));
                // The rules of the root module are checked together with the values of its variables.
                if has_values && at == 0 && matches!(node.kind, NodeKind::Rules(_)) {
                    continue;
                }
                let mut addresses = Addresses::new(&path, node.address);
                let about = |finding: &Diagnostic| {
                    account::work(4);
                    account::touch(finding.detail.len());
                    account::grow(size_of::<Diagnostic>() as u64);
                    Diagnostic { address: Some(addresses.address(finding)), ..finding.clone() }
                };
                let found: Vec<Diagnostic> =
                    found.iter().filter(|finding| instance.has(finding)).map(about).collect();
                self.push_all(reached, (NODES | instance.module, id), &found);
            }
        }
        is_clean
    }

    /// Reports what is wrong with a provider configuration that nothing uses, and at which the tool does not look.
    fn unused_provider(&mut self, key: (usize, usize), found: &[Diagnostic]) {
        if self.kept.insert(key) {
            for finding in found {
                let (severity, origin) = (Severity::Warning, Origin::Overfold);
                self.out.push(Diagnostic { severity, origin, ..finding.clone() });
            }
        }
    }

    /// Returns for each node whether the tool does not visit it because something that it depends on fails, or may not
    /// visit it: what the outputs of a module depend on that is not there is not known.
    fn silent(
        &self,
        graph: &Graph,
        rules: &ModuleRules,
        absent: &AbsentProviders,
        targets: &HashMap<NodeId, usize>,
    ) -> Vec<bool> {
        let mut failed: Vec<bool> = Vec::new();
        for (at, instance) in self.instances.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            for (id, node) in walked.nodes.iter().enumerate().charged(1) {
                let checked = match node.kind {
                    NodeKind::Rules(_) => rules.checked(self.instances, at, id),
                    _ => None,
                };
                let is_failed = match node.kind {
                    NodeKind::Output(_) if node.failed => {
                        node.found.iter().any(|finding| is_error(finding) && instance.has(finding))
                    }
                    _ => node.failed,
                };
                failed.push(checked.map_or(is_failed, |checked| checked.1));
            }
            failed.resize(failed.len() + 1 + walked.module.calls.len(), false);
        }
        let imports = targets.iter().filter(|(id, _)| failed.get(self.instances.number(0, **id)) == Some(&true));
        let wrong: Vec<usize> = imports.map(|(_, &target)| target).collect();
        account::work(targets.len() as u64);
        for number in wrong {
            if let Some(place) = failed.get_mut(number) {
                *place = true;
            }
        }
        let mut silent = vec![false; failed.len()];
        if !failed.contains(&true) {
            return silent;
        }
        let possible = self.instances.possible_graph(absent);
        let graph = possible.as_ref().unwrap_or(graph);
        let is = |list: &[bool], node: usize| list.get(node).copied().unwrap_or(false);
        // A group of nodes comes after those that its members depend on.
        for group in graph.groups().iter() {
            let is_affected = group.iter().any(|&node| {
                account::work(1 + graph.called_by(node).len() as u64);
                let mut others = graph.called_by(node).iter().filter(|&&to| !graph.is_cyclic(node, to));
                others.any(|&to| is(&failed, to) || is(&silent, to))
            });
            // Within a group, whichever fails may silence the others. A single one does not silence itself.
            let count = if group.len() > 1 { group.iter().filter(|&&node| is(&failed, node)).count() } else { 0 };
            for &node in group {
                let is_silent = is_affected || count > 1 || count == 1 && !is(&failed, node);
                if let Some(place) = silent.get_mut(node) {
                    *place = is_silent;
                }
            }
        }
        silent
    }
}

/// Reports a cycle of objects with these names.
fn cycle(dialect: &DialectSpec, names: &[String]) -> Diagnostic {
    let detail = "The dependencies between these objects form a cycle, so none of them can be evaluated first. Remove one of the references.";
    Diagnostic::tool(&codes::CYCLE, None, detail).titled(cycle_title(dialect, names))
}

/// Returns the title of a cycle of objects with these names.
pub fn cycle_title(dialect: &DialectSpec, names: &[impl AsRef<str>]) -> String {
    if dialect.has(Behaviour::CyclesAreListedOnLines) {
        let mut title = "Cycle:".to_owned();
        for name in names {
            title.push_str("\n  ");
            title.push_str(name.as_ref());
        }
        return title;
    }
    let mut title = "Cycle: ".to_owned();
    for (at, name) in names.iter().enumerate() {
        title.push_str(if at > 0 { ", " } else { "" });
        title.push_str(name.as_ref());
    }
    title
}

/// The addresses of findings at one node of one instance, each written once.
struct Addresses<'p> {
    path: &'p str,
    node: ObjectAddr<'p>,
    /// What is said of findings without an address of their own.
    own: Option<Arc<str>>,
    /// The last address of a finding, and the same from the root module.
    last: Option<(Arc<str>, Arc<str>)>,
}

impl<'p> Addresses<'p> {
    const fn new(path: &'p str, node: ObjectAddr<'p>) -> Self {
        Self { path, node, own: None, last: None }
    }

    /// Returns the address of a finding from the root module.
    fn address(&mut self, finding: &Diagnostic) -> Arc<str> {
        let (path, node) = (self.path, self.node);
        match &finding.address {
            None => Arc::clone(self.own.get_or_insert_with(|| shared(format_args!("{path}{node}")))),
            Some(address) if path.is_empty() => Arc::clone(address),
            Some(address) => match &self.last {
                Some((inner, whole)) if Arc::ptr_eq(inner, address) => Arc::clone(whole),
                _ => {
                    let whole = shared(format_args!("{path}{address}"));
                    self.last = Some((Arc::clone(address), Arc::clone(&whole)));
                    whole
                }
            },
        }
    }
}

// Kinds of places, in the upper bits of their keys.
const NODES: usize = 0;
const EMPTY: usize = 1 << 40;
const PASSED: usize = 2 << 40;
const PLUGINS: usize = 3 << 40;
const ARGUMENTS: usize = 4 << 40;
const CONFIGURATIONS: usize = 5 << 40;
const PASSED_NOWHERE: usize = 6 << 40;
const VERSIONS: usize = 8 << 40;
const NAMES: usize = 7 << 40;
const FUNCTIONS: usize = 9 << 40;
const LATER_HERE: usize = 1 << 50;

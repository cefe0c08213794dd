//! The tree of calls: every module once for each call of it, the graph over all their nodes, and what the tool says of
//! each (validate.md, sections 1 and 2).

use std::collections::BTreeSet;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet, HashSetExt};

use super::codes;
use super::configurations::{Lookup, Provider};
use super::nodes::{Dependency, Node, NodeId, NodeKind};
use super::schemas::Configuration;
use super::walker::ModuleNodes;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Diagnostic;
use overfold_base::written::{order, written};
use overfold_dialect::Behaviour;
use overfold_model::config::ObjectAddr;
use overfold_model::language::provider_refs::split_configuration;
use overfold_tree::calls::providers::PassedConfiguration;
use overfold_tree::graph::{Graph, Lists};

/// How many calls are followed. Far more than any configuration has.
const MAX_INSTANCES: usize = 20_000;

/// A module as one call of it sees it.
pub struct Instance {
    /// The position of the module in the tree.
    pub module: usize,
    /// The calling instance and the position of the call in its module; `None` for the root module.
    pub caller: Option<(usize, usize)>,
    /// The number of its first node in the graph.
    base: usize,
    /// The instance that each call leads to, if it is there.
    pub called: Vec<Option<usize>>,
}

impl Instance {
    /// Whether something that is found in the module is found here: some rules of outputs are those of a root module.
    pub(crate) fn has(&self, finding: &Diagnostic) -> bool {
        self.caller.is_none() || finding.code != &codes::SENSITIVE_OUTPUT && finding.code != &codes::EPHEMERAL_OUTPUT
    }
}

/// All instances, callers first.
pub struct Instances<'w, 'a> {
    pub(crate) walked: &'w [ModuleNodes<'a>],
    /// The instances.
    pub list: Vec<Instance>,
    /// Whether there are more calls than are followed.
    pub(crate) is_cut: bool,
    /// The calls that lead back to a module around them, by the position of the calling module and that of the call.
    pub(crate) circular: BTreeSet<(usize, usize)>,
    /// The number of nodes of the graph: those of all instances, and one more for each instance and each call.
    size: usize,
    /// Where provider configurations come from.
    pub(crate) lookup: Lookup<'w>,
}

/// Returns which modules call which.
pub(crate) fn module_graph(walked: &[ModuleNodes<'_>]) -> Graph {
    Graph::new(walked.iter().map(|walked| walked.module.calls.iter().filter_map(|call| call.module)).collect())
}

impl<'w, 'a> Instances<'w, 'a> {
    /// Follows all calls from a module of the tree, which is then the root module. A call of a module inside of itself is
    /// not followed.
    pub(crate) fn from_nodes(walked: &'w [ModuleNodes<'a>], root: usize) -> Self {
        let modules = module_graph(walked);
        let mut instances = Self {
            walked,
            list: Vec::new(),
            is_cut: false,
            circular: BTreeSet::new(),
            size: 0,
            lookup: Lookup::default(),
        };
        instances.add(root, None);
        let mut at = 0;
        while let Some(instance) = instances.list.get(at) {
            let module = instance.module;
            let calls = walked.get(module).map_or(0, |walked| walked.module.calls.len());
            for call in 0..calls {
                let target = walked.get(module).and_then(|walked| walked.module.calls.get(call)?.module);
                let child = match target {
                    // Only where modules call each other in a circle, a call can lead to one around it.
                    Some(target) if !modules.is_cyclic(module, target) || !instances.is_inside(at, target) => {
                        if instances.list.len() >= MAX_INSTANCES {
                            instances.is_cut = true;
                            None
                        } else {
                            Some(instances.add(target, Some((at, call))))
                        }
                    }
                    Some(_) => {
                        instances.circular.insert((module, call));
                        None
                    }
                    None => None,
                };
                if let Some(instance) = instances.list.get_mut(at) {
                    instance.called.push(child);
                }
            }
            at += 1;
        }
        instances
    }

    fn add(&mut self, module: usize, caller: Option<(usize, usize)>) -> usize {
        let own = self.walked.get(module).map_or(0, |walked| walked.nodes.len() + walked.module.calls.len());
        account::build(8, size_of::<Instance>() as u64);
        self.list.push(Instance { module, caller, base: self.size, called: Vec::new() });
        self.size += own + 1;
        self.list.len() - 1
    }

    /// Returns the instances, those that an instance calls before it.
    pub(crate) fn called_first(&self) -> Vec<usize> {
        let mut order = Vec::with_capacity(self.list.len());
        let mut open: Vec<(usize, usize)> = vec![(0, 0)];
        while let Some((at, next)) = open.last_mut() {
            account::work(1);
            let children = self.list.get(*at).map_or(&[][..], |instance| &instance.called);
            match children.get(*next) {
                Some(child) => {
                    *next += 1;
                    let child = *child;
                    open.extend(child.map(|child| (child, 0)));
                }
                None => {
                    order.push(*at);
                    open.pop();
                }
            }
        }
        order
    }

    /// Whether an instance is one of this module, or inside one.
    fn is_inside(&self, mut at: usize, module: usize) -> bool {
        loop {
            account::work(1);
            let Some(instance) = self.list.get(at) else { return false };
            if instance.module == module {
                return true;
            }
            match instance.caller {
                Some((caller, _)) => at = caller,
                None => return false,
            }
        }
    }

    /// Returns the module of an instance, given by its position.
    pub fn walked(&self, instance: usize) -> Option<&'w ModuleNodes<'a>> {
        self.walked.get(self.list.get(instance)?.module)
    }

    /// The number of a node in the graph.
    pub fn number(&self, instance: usize, node: NodeId) -> usize {
        self.list.get(instance).map_or(0, |instance| instance.base + node)
    }

    /// The number of the node that stands for the whole of an instance.
    fn whole(&self, instance: usize) -> usize {
        let nodes = self.walked(instance).map_or(0, |walked| walked.nodes.len());
        self.number(instance, nodes)
    }

    /// The number of the node that stands for the whole of a module that is not there, by its call.
    fn absent(&self, instance: usize, call: usize) -> usize {
        self.whole(instance) + 1 + call
    }

    /// Returns the provider configurations that anything uses; the tool does not look at others.
    pub fn used_providers(&self) -> HashSet<usize> {
        let mut used = HashSet::new();
        for (at, instance) in self.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            for dependency in walked.nodes.iter().flat_map(|node| &node.dependencies).charged(1) {
                if let Dependency::Provider(configuration) = dependency
                    && let Provider::Declared(instance, node) = self.provider(at, configuration)
                {
                    used.insert(self.number(instance, node));
                }
            }
        }
        used
    }

    /// Builds the graph: for each node, what it depends on.
    pub fn graph(&self) -> Graph {
        self.graph_with(None)
    }

    /// Builds the graph with all that nodes may depend on through modules that are not there: an output of one on any of
    /// its arguments, and on the provider configurations in `used`. `None` if all modules are there.
    pub(crate) fn possible_graph(&self, used: &AbsentProviders) -> Option<Graph> {
        let is_complete = self.list.iter().all(|instance| instance.called.iter().all(Option::is_some));
        (!is_complete).then(|| self.graph_with(Some(used)))
    }

    fn graph_with(&self, possible: Option<&AbsentProviders>) -> Graph {
        account::build(self.size as u64, self.size as u64 * 4 * size_of::<usize>() as u64);
        let mut edges = Lists::with_capacity(self.size);
        let mut own: Vec<usize> = Vec::new();
        let imports = self.import_edges(possible.is_some());
        for (at, instance) in self.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            for (id, node) in walked.nodes.iter().enumerate() {
                account::work(1 + node.dependencies.len() as u64);
                for dependency in &node.dependencies {
                    own.extend(self.target(at, dependency, possible.is_some()));
                }
                if let Some((caller, call)) = instance.caller {
                    own.extend(self.call_node(caller, call));
                    if matches!(node.kind, NodeKind::Variable) {
                        own.extend(self.input(caller, call, node.address.name()));
                    }
                }
                own.extend(imports.get(&self.number(at, id)).into_iter().flatten());
                own.retain(|&to| to != self.number(at, id));
                account::grow(own.len() as u64 * 8);
                edges.push(own.drain(..));
            }
            let all = (walked.nodes.len() + instance.called.len()) as u64;
            account::build(all, all * 8);
            let nodes = (0..walked.nodes.len()).map(|id| self.number(at, id));
            edges.push(nodes.chain(instance.called.iter().flatten().map(|&child| self.whole(child))));
            for list in self.absent_edges(at, instance, walked, possible) {
                edges.push(list);
            }
        }
        Graph::new(edges)
    }

    /// Returns the resources of called modules into which `import` blocks of the root module import, as numbers of the graph,
    /// by the nodes of the blocks.
    pub(crate) fn import_targets(&self) -> HashMap<NodeId, usize> {
        let mut targets: HashMap<NodeId, usize> = HashMap::new();
        let Some(root) = self.walked(0) else { return targets };
        for (id, node) in root.nodes.iter().enumerate().charged(1) {
            let NodeKind::Import(block) = node.kind else { continue };
            let Some((target, _)) = root.import_target(block) else { continue };
            let Some(step) = target.resource.filter(|_| !target.modules.is_empty()) else { continue };
            let mut place = Some(0);
            for step in target.modules.iter().charged(2) {
                place = place.and_then(|at| {
                    let call = *self.walked(at)?.evaluation.names().calls.get(&*step.name)?;
                    self.list.get(at)?.called.get(call).copied().flatten()
                });
            }
            let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
            let resource = place.and_then(|at| {
                Some(self.number(at, self.walked(at)?.evaluation.names().resources.get(&address)?.node))
            });
            if let Some(resource) = resource {
                account::grow(32);
                targets.insert(id, resource);
            }
        }
        targets
    }

    /// Returns what these resources depend on because of the blocks.
    fn import_edges(&self, possible: bool) -> HashMap<usize, Vec<usize>> {
        let mut edges: HashMap<usize, Vec<usize>> = HashMap::new();
        let mut targets: Vec<(NodeId, usize)> = self.import_targets().into_iter().collect();
        targets.sort_unstable();
        for (id, resource) in targets {
            let node = self.walked(0).and_then(|root| root.nodes.get(id));
            let Some(node) = node.filter(|node| !node.dependencies.is_empty()) else { continue };
            account::grow(64 + node.dependencies.len() as u64 * 8);
            let own = node
                .dependencies
                .iter()
                .charged_at_once(1)
                .filter_map(|dependency| self.target(0, dependency, possible));
            edges.entry(resource).or_default().extend(own);
        }
        edges
    }

    /// Returns for each call of an instance what the module depends on as a whole if it is not there: the call, what it
    /// passes, and the provider configurations that it may use.
    fn absent_edges(
        &self,
        at: usize,
        instance: &Instance,
        walked: &ModuleNodes<'_>,
        possible: Option<&AbsentProviders>,
    ) -> Vec<Vec<usize>> {
        let is_absent = |call: usize| !instance.called.get(call).is_some_and(Option::is_some);
        let mut edges: Vec<Vec<usize>> = vec![Vec::new(); walked.module.calls.len()];
        for (call, own) in edges.iter_mut().enumerate().filter(|(call, _)| is_absent(*call)).charged(2) {
            own.extend(self.call_node(at, call));
            own.extend(possible.and_then(|used| used.get(&(at, call))).into_iter().flatten());
        }
        for (id, node) in walked.nodes.iter().enumerate().charged(1) {
            let NodeKind::Input(call, _) = node.kind else { continue };
            if let Some(own) = edges.get_mut(call).filter(|_| is_absent(call)) {
                account::grow(8);
                own.push(self.number(at, id));
            }
        }
        edges
    }

    /// The node of a call in the instance that contains it.
    pub fn call_node(&self, instance: usize, call: usize) -> Option<usize> {
        let walked = self.walked(instance)?;
        let name = walked.module.calls.get(call)?.call.name;
        Some(self.number(instance, walked.node(ObjectAddr::ModuleCall(name))?))
    }

    /// The node of the argument that a call passes for a variable.
    fn input(&self, instance: usize, call: usize, variable: &str) -> Option<usize> {
        let node = *self.walked(instance)?.inputs.get(&(call, variable))?;
        Some(self.number(instance, node))
    }

    /// The node that a dependency leads to. What an output of a module that is not there depends on is not known: it is
    /// the call, and with `possible` all that it may be.
    pub fn target(&self, at: usize, dependency: &Dependency, possible: bool) -> Option<usize> {
        match dependency {
            Dependency::Node(node) => Some(self.number(at, *node)),
            Dependency::Module { call } => Some(self.called(at, *call)),
            Dependency::Output { call, name } => {
                let Some(child) = self.list.get(at)?.called.get(*call).copied().flatten() else {
                    return if possible { Some(self.absent(at, *call)) } else { self.call_node(at, *call) };
                };
                let output = self.walked(child)?.node(ObjectAddr::Output(name));
                let waits = || {
                    !self.walked(child).is_some_and(|walked| {
                        walked.module.report.dialect.has(Behaviour::MissingOutputsWaitForNothing)
                    })
                };
                match output {
                    Some(node) => Some(self.number(child, node)),
                    None if waits() => Some(self.whole(child)),
                    None => None,
                }
            }
            Dependency::Provider(configuration) => match self.provider(at, configuration) {
                Provider::Declared(instance, node) => Some(self.number(instance, node)),
                Provider::Implied | Provider::Missing => None,
            },
        }
    }

    /// The node that stands for a called module as a whole.
    fn called(&self, at: usize, call: usize) -> usize {
        let child = self.list.get(at).and_then(|instance| instance.called.get(call).copied().flatten());
        child.map_or_else(|| self.absent(at, call), |child| self.whole(child))
    }

    /// Returns the provider configurations at which something is found and which a module that is not there may use:
    /// those that its call passes, and the default ones around it.
    pub(crate) fn absent_providers(&self) -> AbsentProviders {
        let mut absent = AbsentProviders::new();
        let is_suspect = |node: &Node<'_>| matches!(node.kind, NodeKind::Provider(_)) && !node.found.is_empty();
        if !self.walked.iter().any(|walked| walked.nodes.iter().any(is_suspect)) {
            return absent;
        }
        let suspect = |at: usize, configuration: &Configuration| match self.provider(at, configuration) {
            Provider::Declared(at, node) => {
                let found = self.walked(at).and_then(|walked| walked.nodes.get(node));
                found.filter(|node| is_suspect(node)).map(|_| self.number(at, node))
            }
            Provider::Implied | Provider::Missing => None,
        };
        // The default configurations that each instance has, by the addresses of their providers.
        let mut defaults: Vec<HashMap<Arc<str>, usize>> = Vec::with_capacity(self.list.len());
        for (at, instance) in self.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            let around = instance.caller.and_then(|(caller, _)| defaults.get(caller));
            let mut own = around.cloned().unwrap_or_default();
            account::work(1 + (own.len() + walked.nodes.len()) as u64);
            let mut names: Vec<&str> = self.passed_to(at).filter_map(|passed| default_name(&passed.inner)).collect();
            names.extend(walked.nodes.iter().filter_map(|node| match (node.kind, node.address) {
                (NodeKind::Provider(_), ObjectAddr::Provider { name, alias: None }) => Some(name),
                _ => None,
            }));
            for name in names {
                let node = suspect(at, &Configuration { name: name.into(), alias: None });
                put(&mut own, provider_address(walked, name), node);
            }
            for (call, facts) in walked.module.summary.calls.iter().enumerate() {
                account::work(1 + (own.len() + facts.passed.len()) as u64);
                if instance.called.get(call).is_some_and(Option::is_some) {
                    continue;
                }
                let mut inside = own.clone();
                let mut used: Vec<usize> = Vec::new();
                for passed in &facts.passed {
                    let configuration = Configuration::of_key(&passed.outer);
                    used.extend(suspect(at, &configuration));
                    if default_name(&passed.inner).is_some() {
                        put(&mut inside, provider_address(walked, &configuration.name), None);
                    }
                }
                used.extend(inside.into_values());
                account::grow(used.len() as u64 * 8);
                absent.insert((at, call), used);
            }
            account::grow(own.len() as u64 * 64);
            defaults.push(own);
        }
        absent
    }

    /// Returns the provider configurations that the call of an instance passes.
    fn passed_to(&self, at: usize) -> impl Iterator<Item = &'w PassedConfiguration> {
        let caller = self.list.get(at).and_then(|instance| instance.caller);
        let facts = caller.and_then(|(caller, call)| self.walked(caller)?.module.summary.calls.get(call));
        facts.into_iter().flat_map(|facts| &facts.passed)
    }

    /// Returns the provider configurations that calls in an instance can pass, by address and alias: those of provider
    /// blocks, those that are passed to it, and in the root module the default one of each required provider.
    pub(crate) fn passable(&self, at: usize) -> HashSet<(String, Option<&'w str>)> {
        let mut found = HashSet::new();
        let Some(walked) = self.walked(at) else { return found };
        let mut add = |name: &str, alias: Option<&'w str>| {
            account::build(8, 64);
            found.insert((provider_address(walked, name), alias));
        };
        for node in walked.nodes.iter().charged_at_once(1) {
            if let (NodeKind::Provider(_), ObjectAddr::Provider { name, alias }) = (node.kind, node.address) {
                add(name, alias);
            }
        }
        for passed in self.passed_to(at) {
            let (name, alias) = split_configuration(&passed.inner);
            add(name, alias);
        }
        if self.list.get(at).is_some_and(|instance| instance.caller.is_none()) {
            for (name, _) in walked.module.summary.providers.required() {
                add(name, None);
            }
            let providers = &walked.module.summary.providers;
            let passed = providers.aliases().chain(providers.passed_in.iter().map(|name| &**name));
            for alias in passed.filter(|_| walked.takes_providers) {
                let (name, alias) = split_configuration(alias);
                add(name, alias);
            }
        }
        found
    }

    /// Writes the path of an instance in front of an address: `module.a.module.b.`.
    pub fn path(&self, at: usize) -> String {
        let mut names: Vec<&str> = Vec::new();
        let mut at = at;
        while let Some(Instance { caller: Some((caller, call)), .. }) = self.list.get(at) {
            account::work(1);
            names.extend(self.walked(*caller).and_then(|walked| Some(walked.module.calls.get(*call)?.call.name)));
            at = *caller;
        }
        let length = names.iter().map(|name| name.len() + "module..".len()).sum();
        account::text(length);
        names.iter().rev().fold(String::with_capacity(length), |mut path, name| {
            path.push_str("module.");
            path.push_str(name);
            path.push('.');
            path
        })
    }

    /// Returns the names of the calls that lead to an instance, from the root module downwards.
    pub fn names(&self, mut at: usize) -> Vec<&'a str> {
        let mut names = Vec::new();
        while let Some(Instance { caller: Some((caller, call)), .. }) = self.list.get(at) {
            account::work(1);
            names.extend(self.walked(*caller).and_then(|walked| Some(walked.module.calls.get(*call)?.call.name)));
            at = *caller;
        }
        names.reverse();
        names
    }

    /// Returns the groups of nodes that depend on each other, each as the names that the tool gives them, sorted.
    pub(crate) fn cycles(&self, graph: &Graph) -> Vec<Vec<String>> {
        let groups = graph.groups().iter().filter(|group| group.len() > 1);
        let mut cycles: Vec<Vec<String>> = groups
            .map(|group| {
                let members: HashSet<usize> = group.iter().copied().collect();
                let mut names: Vec<String> = group.iter().filter_map(|&number| self.name(number, &members)).collect();
                names.sort_unstable_by(|left, right| order(left, right));
                names
            })
            .collect();
        cycles.sort_unstable();
        cycles
    }

    /// Returns the instance and the node of a number. Beyond its nodes are that of the whole instance, and then those of
    /// the modules that it calls and that are not there.
    pub fn place(&self, number: usize) -> (usize, NodeId) {
        let at = self.list.partition_point(|instance| instance.base <= number).saturating_sub(1);
        (at, number - self.list.get(at).map_or(0, |instance| instance.base))
    }

    /// Returns the name that the tool gives a node in a message about a cycle; `None` if it has no node of its own.
    fn name(&self, number: usize, members: &HashSet<usize>) -> Option<String> {
        account::work(16);
        let (at, id) = self.place(number);
        let walked = self.walked(at)?;
        let path = self.path(at);
        let Some(node) = walked.nodes.get(id) else {
            let absent = id.checked_sub(walked.nodes.len() + 1);
            return Some(match absent {
                Some(call) => {
                    written(format_args!("{path}module.{} (close)", walked.module.calls.get(call)?.call.name))
                }
                None => written(format_args!("{} (close)", path.strip_suffix('.').unwrap_or(&path))),
            });
        };
        let address = node.address;
        let is_root = self.list.get(at)?.caller.is_none();
        Some(match node.kind {
            NodeKind::Variable | NodeKind::Rules(_)
                if walked.module.report.dialect.has(Behaviour::VariablesInCyclesAreReferences) =>
            {
                written(format_args!("{path}{address} (expand, reference)"))
            }
            NodeKind::Variable if is_root => written(format_args!("{address}")),
            NodeKind::Rules(_) => written(format_args!("{path}{address} (validation)")),
            NodeKind::Variable | NodeKind::Local | NodeKind::Output(_) | NodeKind::Call(_) => {
                written(format_args!("{path}{address} (expand)"))
            }
            NodeKind::Provider(_) => {
                let ObjectAddr::Provider { name, alias } = address else { return None };
                let full = provider_address(walked, name);
                let (dot, alias) = alias.map_or(("", ""), |alias| (".", alias));
                written(format_args!("{path}provider[{full:?}]{dot}{alias}"))
            }
            NodeKind::Input(call, argument) => {
                // The variable of the called module is the same node to the tool.
                let child = self.list.get(at)?.called.get(call).copied().flatten();
                let variable = child
                    .and_then(|child| Some(self.number(child, self.walked(child)?.variable_node(argument.name)?)));
                if variable.is_some_and(|variable| members.contains(&variable)) {
                    return None;
                }
                written(format_args!("{path}{address}.var.{} (expand)", argument.name))
            }
            NodeKind::Resource(..) => written(format_args!("{path}{address}")),
            NodeKind::Check(_) => written(format_args!("{path}{address} (expand)")),
            NodeKind::Import(_) => return None,
        })
    }
}

/// The provider configurations that modules that are not there may use, by calling instance and call.
pub(crate) type AbsentProviders = HashMap<(usize, usize), Vec<usize>>;

/// Sets or removes the default configuration of a provider.
fn put(defaults: &mut HashMap<Arc<str>, usize>, address: impl Into<Arc<str>>, node: Option<usize>) {
    let address = address.into();
    match node {
        Some(node) => drop(defaults.insert(address, node)),
        None => drop(defaults.remove(&address)),
    }
}

/// The name of a configuration without an alias.
fn default_name(key: &str) -> Option<&str> {
    (!key.contains('.')).then_some(key)
}

/// The full address of the provider that a local name of a module stands for.
pub(crate) fn provider_address(walked: &ModuleNodes<'_>, name: &str) -> String {
    walked.module.summary.providers.full_address(name)
}

//! The tree of calls: every module once for each call of it, the graph over all their nodes, and what the tool says of
//! each (validate.md, sections 1 and 2).

use std::collections::BTreeSet;

use foldhash::{HashSet, HashSetExt};

use super::configurations::{Lookup, Provider};
use super::nodes::{Dependency, NodeId, NodeKind};
use super::walker::Walked;
use crate::graph::Graph;
use overfold_base::account;
use overfold_model::config::ObjectAddr;

/// How many calls are followed. Far more than any configuration has.
const MAX_INSTANCES: usize = 20_000;

/// A module as one call of it sees it.
pub(crate) struct Instance {
    /// The position of the module in the tree.
    pub(crate) module: usize,
    /// The calling instance and the position of the call in its module; `None` for the root module.
    pub(crate) caller: Option<(usize, usize)>,
    /// The number of its first node in the graph.
    base: usize,
    /// The instance that each call leads to, if it is there.
    pub(crate) called: Vec<Option<usize>>,
}

/// All instances, callers first.
pub(crate) struct Instances<'w, 'a> {
    pub(crate) walked: &'w [Walked<'a>],
    pub(crate) list: Vec<Instance>,
    /// Whether there are more calls than are followed.
    pub(crate) is_cut: bool,
    /// The calls that lead back to a module around them, by the position of the calling module and that of the call.
    pub(crate) circular: BTreeSet<(usize, usize)>,
    /// The number of nodes of the graph: those of all instances, and one more for each.
    size: usize,
    /// Where provider configurations come from.
    pub(crate) lookup: Lookup<'w>,
}

/// Returns which modules call which.
pub(crate) fn module_graph(walked: &[Walked<'_>]) -> Graph {
    let calls = |walked: &Walked<'_>| walked.module.calls.iter().filter_map(|call| call.module).collect();
    Graph::new(walked.iter().map(calls).collect())
}

impl<'w, 'a> Instances<'w, 'a> {
    /// Follows all calls from a module of the tree, which is then the root module. A call of a module inside of itself is
    /// not followed.
    pub(crate) fn of(walked: &'w [Walked<'a>], root: usize) -> Self {
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
        let nodes = self.walked.get(module).map_or(0, |walked| walked.nodes.len());
        account::work(8);
        account::grow(size_of::<Instance>() as u64);
        self.list.push(Instance { module, caller, base: self.size, called: Vec::new() });
        self.size += nodes + 1;
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

    pub(crate) fn walked(&self, instance: usize) -> Option<&'w Walked<'a>> {
        self.walked.get(self.list.get(instance)?.module)
    }

    /// The number of a node in the graph.
    pub(crate) fn number(&self, instance: usize, node: NodeId) -> usize {
        self.list.get(instance).map_or(0, |instance| instance.base + node)
    }

    /// The number of the node that stands for the whole of an instance.
    fn whole(&self, instance: usize) -> usize {
        let nodes = self.walked(instance).map_or(0, |walked| walked.nodes.len());
        self.number(instance, nodes)
    }

    /// Returns the provider configurations that anything uses; the tool does not look at others.
    pub(crate) fn used_providers(&self) -> HashSet<usize> {
        let mut used = HashSet::new();
        for (at, instance) in self.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            for dependency in walked.nodes.iter().flat_map(|node| &node.dependencies) {
                account::work(1);
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
    pub(crate) fn graph(&self) -> Graph {
        account::work(self.size as u64);
        account::grow(self.size as u64 * size_of::<Vec<usize>>() as u64);
        let mut edges: Vec<Vec<usize>> = Vec::with_capacity(self.size);
        for (at, instance) in self.list.iter().enumerate() {
            let Some(walked) = self.walked.get(instance.module) else { continue };
            for (id, node) in walked.nodes.iter().enumerate() {
                let mut own: Vec<usize> = Vec::with_capacity(node.dependencies.len() + 1);
                account::work(1 + node.dependencies.len() as u64);
                for dependency in &node.dependencies {
                    own.extend(self.target(at, dependency));
                }
                if let Some((caller, call)) = instance.caller {
                    own.extend(self.call_node(caller, call));
                    if matches!(node.kind, NodeKind::Variable) {
                        own.extend(self.input(caller, call, node.address.name()));
                    }
                }
                own.retain(|&to| to != self.number(at, id));
                account::grow(own.len() as u64 * 8);
                edges.push(own);
            }
            let mut all: Vec<usize> = (0..walked.nodes.len()).map(|id| self.number(at, id)).collect();
            all.extend(instance.called.iter().flatten().map(|&child| self.whole(child)));
            account::work(all.len() as u64);
            account::grow(all.len() as u64 * 8);
            edges.push(all);
        }
        Graph::new(edges)
    }

    /// The node of a call in the instance that contains it.
    fn call_node(&self, instance: usize, call: usize) -> Option<usize> {
        let walked = self.walked(instance)?;
        let name = walked.module.calls.get(call)?.call.name;
        Some(self.number(instance, walked.node(ObjectAddr::ModuleCall(name))?))
    }

    /// The node of the argument that a call passes for a variable.
    fn input(&self, instance: usize, call: usize, variable: &str) -> Option<usize> {
        let node = *self.walked(instance)?.inputs.get(&(call, variable))?;
        Some(self.number(instance, node))
    }

    pub(crate) fn target(&self, at: usize, dependency: &Dependency) -> Option<usize> {
        match dependency {
            Dependency::Node(node) => Some(self.number(at, *node)),
            Dependency::Module { call } => self.called(at, *call),
            Dependency::Output { call, name } => {
                let child = self.list.get(at)?.called.get(*call).copied().flatten();
                let output = child.and_then(|child| {
                    let node = self.walked(child)?.node(ObjectAddr::Output(name))?;
                    Some(self.number(child, node))
                });
                output.or_else(|| self.called(at, *call))
            }
            Dependency::Provider(configuration) => match self.provider(at, configuration) {
                Provider::Declared(instance, node) => Some(self.number(instance, node)),
                Provider::Implied | Provider::Missing => None,
            },
        }
    }

    /// The node that stands for a called module as a whole: of a module that is not there, the call.
    fn called(&self, at: usize, call: usize) -> Option<usize> {
        match self.list.get(at)?.called.get(call).copied().flatten() {
            Some(child) => Some(self.whole(child)),
            None => self.call_node(at, call),
        }
    }

    /// Writes the path of an instance in front of an address: `module.a.module.b.`.
    pub(crate) fn path(&self, at: usize) -> String {
        let mut names: Vec<&str> = Vec::new();
        let mut at = at;
        while let Some(Instance { caller: Some((caller, call)), .. }) = self.list.get(at) {
            account::work(1);
            names.extend(self.walked(*caller).and_then(|walked| Some(walked.module.calls.get(*call)?.call.name)));
            at = *caller;
        }
        names.iter().rev().fold(String::new(), |mut path, name| {
            path.push_str("module.");
            path.push_str(name);
            path.push('.');
            path
        })
    }

    /// Returns the names of the calls that lead to an instance, from the root module downwards.
    pub(crate) fn names(&self, mut at: usize) -> Vec<&'a str> {
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
                names.sort_unstable();
                names
            })
            .collect();
        cycles.sort_unstable();
        cycles
    }

    /// Returns the instance and the node of a number; the node is that of the whole instance if it is out of range.
    pub(crate) fn place(&self, number: usize) -> (usize, NodeId) {
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
            return Some(format!("{} (close)", path.strip_suffix('.').unwrap_or(&path)));
        };
        let address = node.address;
        let is_root = self.list.get(at)?.caller.is_none();
        Some(match node.kind {
            NodeKind::Variable if is_root => format!("{address}"),
            NodeKind::Rules(_) => format!("{path}{address} (validation)"),
            NodeKind::Variable | NodeKind::Local | NodeKind::Output(_) | NodeKind::Call(_) => {
                format!("{path}{address} (expand)")
            }
            NodeKind::Provider(_) => {
                let ObjectAddr::Provider { name, alias } = address else { return None };
                let registry = overfold_model::language::required_providers::registry(walked.module.report.dialect);
                let full = walked.module.summary.providers.full_address(name, registry.unwrap_or_default());
                let alias = alias.map_or_else(String::new, |alias| format!(".{alias}"));
                format!("{path}provider[{full:?}]{alias}")
            }
            NodeKind::Input(call, argument) => {
                // The variable of the called module is the same node to the tool.
                let child = self.list.get(at)?.called.get(call).copied().flatten();
                let variable = child
                    .and_then(|child| Some(self.number(child, self.walked(child)?.variable_node(argument.name)?)));
                if variable.is_some_and(|variable| members.contains(&variable)) {
                    return None;
                }
                format!("{path}{address}.var.{} (expand)", argument.name)
            }
            NodeKind::Resource(..) | NodeKind::Check(_) => format!("{path}{address}"),
            NodeKind::Import(_) => return None,
        })
    }
}

//! `moved` and `removed` blocks without a state: only their mistakes show (plan.md, section 11).

use foldhash::{HashMap, HashSet};

use super::codes;
use super::repetition::Instances;
use super::resource::DeclaredResource;
use super::walk::Walk;
use overfold_base::account::{self, ChargedIterator, List, Text};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_base::written::written;
pub(crate) use overfold_check::validate::nodes::{NodeId, NodeKind};
use overfold_dialect::{Behaviour, words};
use overfold_load::plan::{ModuleAddress, Move, Overriding, Removal};
use overfold_model::config::{Argument, Block, DecodedArgument, ObjectAddr};
use overfold_model::language::addresses::{self, Target};
use overfold_model::language::references::{AddressWords, InstanceKey};
use overfold_tree::graph::Graph;

/// A `moved` block, with both addresses from the module that contains it.
struct Statement {
    /// The path of calls to the module.
    path: usize,
    from: Target,
    to: Target,
    at: Span,
    /// Whether it moves single instances: one of the addresses has a key.
    of_instances: bool,
}

impl Statement {
    /// Returns an address of the block, from the root module, for any instance of the module that contains the block.
    fn pattern(&self, target: &Target, around: &[&str]) -> String {
        let mut text = Text::new();
        for name in around {
            text.push_str("module.");
            text.push_str(name);
            text.push_str("[*].");
        }
        text.push_str(&target.to_string());
        // A module is followed as a whole, whatever instance of it is named.
        if !self.of_instances || target.resource.is_none() {
            text.push_str("[*]");
        }
        text.finish()
    }
}

/// Which instances there are, for what a `moved` block moves.
#[derive(Default)]
pub(super) struct MovedInstances {
    /// The resources that `moved` blocks move, by path of calls and node.
    resources: HashSet<(usize, NodeId)>,
    /// The keys of their instances, by the path, the module instance and the node.
    expanded: HashMap<(usize, usize, NodeId), HashSet<Option<InstanceKey>>>,
}

/// Module instances by path and the keys of their steps.
type ByKeys = HashMap<usize, HashMap<Vec<Option<InstanceKey>>, usize>>;

impl Walk<'_, '_, '_> {
    /// Reports objects that are declared although a `removed` block says that they are gone. Returns whether there are
    /// any; then the tool goes no further.
    pub(super) fn removed(&mut self) -> bool {
        let mut out = Diagnostics::new();
        for path in 0..self.instances.list.len() {
            let Some(walked) = self.walked(path) else { continue };
            for element in walked.module.report.module.elements.iter().charged(1) {
                if element.block.keyword != "removed" {
                    continue;
                }
                let Some(target) = self.target(element.block, words::FROM, addresses::removed) else { continue };
                let names: Vec<&str> = self
                    .instances
                    .names(path)
                    .into_iter()
                    .chain(target.modules.iter().map(|step| &*step.name))
                    .collect();
                match &target.resource {
                    Some(step) => {
                        let address =
                            ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
                        if let Some(header) = self.header(&names, address) {
                            let detail = format!(
                                "A `removed` block says that {target} is gone, but it is declared here. Remove one of the two."
                            );
                            out.push(Diagnostic::tool(&codes::REMOVED_RESOURCE, header, detail));
                        }
                    }
                    None => {
                        let Some((name, around)) = names.split_last() else { continue };
                        if let Some(header) = self.header(around, ObjectAddr::ModuleCall(name)) {
                            let detail = format!(
                                "A `removed` block says that {target} is gone, but it is called here. Remove one of the two."
                            );
                            out.push(Diagnostic::tool(&codes::REMOVED_MODULE, header, detail));
                        }
                    }
                }
            }
        }
        self.take(out, None)
    }

    /// Returns the `moved` blocks of all modules.
    pub(super) fn moves(&self) -> Vec<Move> {
        let named = |Statement { path, from, to, .. }| {
            account::work(8);
            account::grow(256);
            let names = self.instances.names(path);
            Move { module: names.into_iter().map(Into::into).collect(), from, to }
        };
        self.statements().into_iter().map(named).collect()
    }

    /// Returns the `removed` blocks of all modules.
    pub(super) fn removals(&self) -> Vec<Removal> {
        let by_default = !self.report.dialect.rules.removals.objects_are_kept;
        let mut removals = List::new();
        for path in 0..self.instances.list.len() {
            let Some(walked) = self.walked(path) else { continue };
            for element in walked.module.report.module.elements.iter().charged(1) {
                let block = element.block;
                if block.keyword != "removed" {
                    continue;
                }
                let Some(from) = self.target(block, words::FROM, addresses::removed) else { continue };
                let lifecycle = block.blocks.iter().find(|inner| inner.keyword == words::LIFECYCLE);
                let destroy = lifecycle.and_then(|lifecycle| lifecycle.argument(words::DESTROY));
                let destroys = match destroy.map(|destroy| &destroy.decoded) {
                    Some(DecodedArgument::Bool(destroys)) => *destroys,
                    _ => by_default,
                };
                let module = self.instances.names(path).into_iter().map(Into::into).collect();
                removals.push(Removal { module, from, destroys });
            }
        }
        removals.into_vec()
    }

    /// Returns what the override files of all modules did.
    pub(super) fn overridings(&self) -> Vec<Overriding> {
        let mut list = Vec::new();
        for path in 0..self.instances.list.len() {
            if let Some(walked) = self.walked(path) {
                let module = &walked.module.report.module;
                Overriding::add_of(module, self.report.forest, &self.instances.names(path), &mut list);
            }
        }
        list
    }

    /// Finds the resources that `moved` blocks move.
    pub(super) fn find_moved(&mut self) {
        let mut resources = HashSet::default();
        for statement in self.statements().charged(16) {
            if let Some(step) = &statement.from.resource {
                let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
                let path = self.path_of(&self.names_of(&statement, statement.from.modules.len()));
                let walked = path.and_then(|path| Some((path, self.walked(path)?)));
                if let Some((path, walked)) = walked
                    && let Some(resource) = walked.evaluation.names().resources.get(&address)
                {
                    account::grow(32);
                    resources.insert((path, resource.node));
                }
            }
        }
        self.moved.resources = resources;
    }

    /// Remembers the instances of a resource if a `moved` block moves it.
    pub(super) fn note_instances(&mut self, declared: &DeclaredResource<'_>, at: usize, instances: &Instances) {
        let Instances::Known(_, keys) = instances else { return };
        if !self.moved.resources.contains(&(declared.path, declared.id)) {
            return;
        }
        account::grow(keys.len() as u64 * 64);
        let keys = keys
            .iter()
            .charged_at_once(4)
            .map(|repeated| repeated.as_ref().map(|repeated| repeated.key.clone()))
            .collect();
        self.moved.expanded.insert((declared.path, at, declared.id), keys);
    }

    /// Returns the names of the calls that lead to the module of a block and on to this many steps of what it moves.
    fn names_of<'s>(&'s self, statement: &'s Statement, steps: usize) -> Vec<&'s str> {
        let own = statement.from.modules.iter().take(steps).map(|step| &*step.name);
        self.instances.names(statement.path).into_iter().chain(own).collect()
    }

    /// Reports what is wrong with `moved` blocks, each once for every instance of its module. Returns the findings.
    pub(super) fn moved(&self) -> Diagnostics {
        let mut out = Diagnostics::new();
        let statements = self.statements();
        // What was moved from and to an address: the other address, and the place.
        let mut by_from: HashMap<(bool, String), (String, Span)> = HashMap::default();
        let mut by_to: HashMap<(bool, String), (String, Span)> = HashMap::default();
        let mut by_keys = ByKeys::default();
        let keeps_types = self.report.dialect.has(Behaviour::MovesKeepTypes);
        for statement in statements.iter().charged(32) {
            let Statement { path, at, of_instances, .. } = *statement;
            for instance in (0..self.instance_count(path)).charged(32) {
                let module = self.module_address(path, instance);
                let absolute = |target: &Target| {
                    let dot = if module.0.is_empty() { "" } else { "." };
                    account::grow(96);
                    written(format_args!("{module}{dot}{target}"))
                };
                let (from, to) = (absolute(&statement.from), absolute(&statement.to));
                if from == to {
                    let detail = format!("{from} is moved to itself. Remove the block.");
                    out.push(Diagnostic::tool(&codes::MOVE_REDUNDANT, at, detail));
                    continue;
                }
                if self.is_there(statement, &module, &mut by_keys) {
                    let detail = format!(
                        "{from} is moved to {to}, but {from} is still declared. Remove its declaration, or the `moved` block."
                    );
                    out.push(Diagnostic::tool(&codes::MOVED_EXISTS, at, detail));
                }
                let mut ambiguous = |first: Span, detail: String| {
                    out.push(Diagnostic::tool(&codes::MOVE_AMBIGUOUS, at, detail).and("the other block", first));
                };
                match by_from.get(&(of_instances, from.clone())) {
                    Some((other, first)) if *other != to => {
                        ambiguous(*first, format!("{from} is moved to {to} here and to {other} elsewhere."));
                    }
                    Some(_) => {}
                    None => drop(by_from.insert((of_instances, from.clone()), (to.clone(), at))),
                }
                match by_to.get(&(of_instances, to.clone())) {
                    Some((other, first)) if *other != from => {
                        ambiguous(*first, format!("Both {from} and {other} are moved to {to}."));
                    }
                    Some(_) => {}
                    None => drop(by_to.insert((of_instances, to.clone()), (from.clone(), at))),
                }
                if keeps_types && types_differ(statement) {
                    let detail = format!("{from} is moved to {to}, which is of another type.");
                    out.push(Diagnostic::tool(&codes::MOVE_TYPES, None, detail).and("the block", at));
                }
            }
        }
        if out.is_empty() {
            for _ in 0..self.cycles(&statements) {
                let detail = "Several `moved` blocks form a cycle, so nothing can be said to be where it belongs.";
                out.push(Diagnostic::tool(&codes::MOVE_CYCLE, None, detail));
            }
        }
        out
    }

    /// Returns how many groups of blocks form a cycle.
    fn cycles(&self, statements: &[Statement]) -> usize {
        let mut by_to: HashMap<String, Vec<usize>> = HashMap::default();
        for (at, statement) in statements.iter().enumerate() {
            let around = self.instances.names(statement.path);
            by_to.entry(statement.pattern(&statement.to, &around)).or_default().push(at);
        }
        let edges = statements.iter().map(|statement| {
            let around = self.instances.names(statement.path);
            let before = by_to.get(&statement.pattern(&statement.from, &around));
            account::work(before.map_or(1, |before| before.len() as u64));
            before.into_iter().flatten().copied().collect::<Vec<usize>>()
        });
        let graph = Graph::new(edges.collect());
        graph.groups().iter().filter(|group| group.len() > 1).count()
    }

    /// Collects the `moved` blocks of all modules.
    fn statements(&self) -> Vec<Statement> {
        let mut statements = List::new();
        for path in 0..self.instances.list.len() {
            let Some(walked) = self.walked(path) else { continue };
            for element in walked.module.report.module.elements.iter().charged(1) {
                if element.block.keyword != "moved" {
                    continue;
                }
                let end = |name| self.target(element.block, name, addresses::moved);
                if let (Some(from), Some(to)) = (end(words::FROM), end(words::TO)) {
                    let of_instances = has_key(&from) || has_key(&to);
                    let statement = Statement { path, from, to, at: element.block.header, of_instances };
                    statements.push(statement);
                }
            }
        }
        statements.into_vec()
    }

    fn target(
        &self,
        block: &Block<'_>,
        argument: &str,
        read: fn(&overfold_syntax::Forest, overfold_syntax::ExprAt, AddressWords, &mut Diagnostics) -> Option<Target>,
    ) -> Option<Target> {
        let found: &Argument<'_> = block.usable_argument(argument)?;
        read(self.report.forest, found.expr, AddressWords::for_dialect(self.report.dialect), &mut Diagnostics::new())
    }

    /// Returns the path of calls with these names.
    pub(super) fn path_of(&self, names: &[&str]) -> Option<usize> {
        let mut path = 0;
        for name in names.charged(2) {
            let call = *self.walked(path)?.evaluation.names().calls.get(name)?;
            path = self.instances.list.get(path)?.called.get(call).copied().flatten()?;
        }
        Some(path)
    }

    fn header(&self, names: &[&str], address: ObjectAddr<'_>) -> Option<Span> {
        let walked = self.walked(self.path_of(names)?)?;
        account::work(4);
        let declared = walked.evaluation.names();
        match address {
            ObjectAddr::ModuleCall(name) => {
                let call = declared.calls.get(name)?;
                Some(walked.module.calls.get(*call)?.call.block.header)
            }
            _ => match walked.nodes.get(declared.resources.get(&address)?.node)?.kind {
                NodeKind::Resource(block) => Some(block.header),
                _ => None,
            },
        }
    }

    /// Whether what a block moves is still there in one instance of its module: a module or resource as such, or the very
    /// instance.
    fn is_there(&self, statement: &Statement, module: &ModuleAddress, by_keys: &mut ByKeys) -> bool {
        let from = &statement.from;
        let keys = |steps: usize| {
            let own = from.modules.iter().take(steps).charged(1).map(|step| step.key.clone());
            module.0.iter().charged(1).map(|step| step.key.clone()).chain(own).collect::<Vec<_>>()
        };
        let mut find = |steps: usize| {
            let path = self.path_of(&self.names_of(statement, steps))?;
            let instances = by_keys.entry(path).or_insert_with(|| self.by_keys(path));
            Some((path, instances.get(&keys(steps)).copied()?))
        };
        let steps = from.modules.len();
        let Some(step) = &from.resource else {
            if statement.of_instances {
                return find(steps).is_some();
            }
            let Some((last, _)) = from.modules.split_last() else { return false };
            let Some((path, at)) = find(steps.saturating_sub(1)) else { return false };
            let call = self.walked(path).and_then(|walked| walked.evaluation.names().calls.get(&*last.name).copied());
            let called = call.and_then(|call| self.instances.list.get(path)?.called.get(call).copied().flatten());
            let expanded = called.and_then(|called| self.expanded.get(called));
            return expanded.is_some_and(|expanded| matches!(expanded.of_caller.get(at), Some(Some(_))));
        };
        let Some((path, at)) = find(steps) else { return false };
        let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
        let resource = self.walked(path).and_then(|walked| walked.evaluation.names().resources.get(&address));
        let keys = resource.and_then(|resource| self.moved.expanded.get(&(path, at, resource.node)));
        keys.is_some_and(|keys| !statement.of_instances || keys.contains(&step.key))
    }

    /// Returns the module instances of a path by the keys of their steps.
    fn by_keys(&self, path: usize) -> HashMap<Vec<Option<InstanceKey>>, usize> {
        let instances = (0..self.instance_count(path)).map(|at| {
            let module = self.module_address(path, at);
            account::build(8 + module.0.len() as u64, 64 + module.0.len() as u64 * 32);
            (module.0.iter().map(|step| step.key.clone()).collect(), at)
        });
        instances.collect()
    }

    /// Whether the object at an address is declared, whatever instances it has.
    pub(super) fn is_declared(&self, target: &Target) -> bool {
        let names: Vec<&str> = target.modules.iter().map(|step| &*step.name).collect();
        let Some(walked) = self.path_of(&names).and_then(|path| self.walked(path)) else { return false };
        target.resource.as_ref().is_none_or(|step| {
            let address = ObjectAddr::Resource { mode: step.mode, type_name: &step.type_name, name: &step.name };
            walked.evaluation.names().resources.contains_key(&address)
        })
    }
}

/// Whether an address is that of one instance.
fn has_key(target: &Target) -> bool {
    match &target.resource {
        Some(step) => step.key.is_some(),
        None => target.modules.last().is_some_and(|step| step.key.is_some()),
    }
}

/// Whether a block moves a resource to one of another type or mode.
fn types_differ(Statement { from, to, .. }: &Statement) -> bool {
    match (&from.resource, &to.resource) {
        (Some(from), Some(to)) => {
            account::touch(from.type_name.len());
            from.mode != to.mode || from.type_name != to.type_name
        }
        _ => false,
    }
}

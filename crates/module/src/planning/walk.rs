//! The walk over the graph: each node once, after everything on which it depends.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::Planned;
use super::assumed::Assumed;
use super::imports::Imports;
use super::scope::Site;
use super::state::{Expanded, Kind, ModuleInstance};
use foldhash::{HashMap, HashSet};

use crate::graph::Graph;
use crate::installed::longer_key;
use crate::loading::{Report, Request};
use crate::plan::{
    CheckStatus, CheckedInstance, CheckedKind, CheckedObject, InstanceKey, Missing, ModuleAddress, PlanOptions,
    PlannedOutput, PlannedResource,
};
use crate::validate::Looked;
use crate::validate::instances::Instances;
use crate::validate::nodes::{NodeId, NodeKind};
use crate::validate::walker::Walked;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Origin, Phase, Severity};
use overfold_base::files::FileSet;
use overfold_dialect::words;
use overfold_eval::Absent;
use overfold_eval::functions::WORKING_DIRECTORY;
use overfold_model::config::ObjectAddr;
use overfold_model::scope::{Language, References};
use overfold_syntax::ExprAt;
use overfold_value::{Marks, Type, Value};

/// The evaluation of a tree.
pub(super) struct Walk<'w, 'e, 'a> {
    pub(super) looked: &'w Looked<'e, 'a>,
    pub(super) report: &'w Report<'w>,
    pub(super) instances: &'w Instances<'e, 'a>,
    pub(super) graph: &'w Graph,
    pub(super) files: &'w FileSet,
    /// What `path.module` is in the instances, by path of calls; empty if it is that of the module, whatever calls it.
    paths: Vec<Option<Arc<str>>>,
    pub(super) request: &'w Request,
    pub(super) options: &'w PlanOptions,
    /// What expressions ask for that was not given.
    pub(super) absent: &'w Absent,
    /// The instances of the modules, by path of calls.
    pub(super) expanded: Vec<Expanded<'a>>,
    /// Which nodes of the graph have an error, or depend on one that has.
    failed: Vec<bool>,
    /// Which nodes of the graph are resources with a planned change, or depend on one.
    pub(super) pending: Vec<bool>,
    pub(super) resources: Vec<PlannedResource>,
    pub(super) outputs: Vec<PlannedOutput>,
    pub(super) checks: BTreeMap<(usize, NodeId), CheckedObject>,
    pub(super) missing: Vec<Missing>,
    /// The numbers of the managed resources that have a planned change themselves.
    pub(super) changed: HashSet<usize>,
    /// Why data sources of checks failed: the path, the module instance and the address.
    pub(super) scoped_failures: Vec<(usize, usize, ObjectAddr<'a>, Value)>,
    /// What the caller knows of objects.
    pub(super) assumed: Assumed,
    /// The language of each module, with the time of the plan.
    pub(super) languages: Vec<Language<'w>>,
    /// The references in expressions, once they are needed.
    pub(super) references: RefCell<HashMap<ExprAt, Rc<References<'a>>>>,
    /// Whether anything was not given, so that something may be unknown here that the tool knows.
    pub(super) is_inexact: bool,
    /// Whether a call that is nested too deeply has been reported.
    pub(super) is_too_deep: bool,
    /// The `import` blocks of the root module.
    pub(super) imports: Imports<'a>,
    /// Whether values are secret that the tool shows: the outputs of called modules that are declared as sensitive, once
    /// they are referred to, and variables that are declared twice.
    pub(super) hides_secrets: bool,
    pub(super) out: Diagnostics,
    /// The number of instances so far.
    count: usize,
    /// Whether objects were left out because there would be too many instances.
    has_too_many: bool,
}

/// What came of a visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Visited {
    /// What depends on the node can be evaluated.
    Done,
    /// Nothing that depends on the node is evaluated.
    Failed,
}

impl Visited {
    /// Returns what came of a visit that failed or not.
    pub(super) const fn of(failed: bool) -> Self {
        if failed { Self::Failed } else { Self::Done }
    }
}

impl<'w, 'e, 'a> Walk<'w, 'e, 'a> {
    pub(super) fn new(
        looked: &'w Looked<'e, 'a>,
        report: &'w Report<'w>,
        instances: &'w Instances<'e, 'a>,
        graph: &'w Graph,
        (request, options, absent): (&'w Request, &'w PlanOptions, &'w Absent),
    ) -> Self {
        let size = graph.len();
        let mut expanded: Vec<Expanded<'a>> = Vec::new();
        expanded.resize_with(instances.list.len(), Expanded::default);
        if let Some(root) = expanded.first_mut() {
            root.instances.push(ModuleInstance::new(0, None, ModuleAddress::default()));
        }
        Self {
            looked,
            report,
            instances,
            graph,
            files: looked.files,
            paths: paths(looked, instances),
            request,
            options,
            absent,
            expanded,
            failed: vec![false; size],
            pending: vec![false; size],
            resources: Vec::new(),
            outputs: Vec::new(),
            checks: BTreeMap::new(),
            missing: Vec::new(),
            changed: HashSet::default(),
            scoped_failures: Vec::new(),
            assumed: Assumed::of(&options.assumed),
            languages: looked
                .walked
                .iter()
                .map(|walked| Language {
                    plan_time: options.timestamp.as_deref(),
                    absent: Some(absent),
                    ..walked.evaluation.evaluator.known.language.clone()
                })
                .collect(),
            references: RefCell::default(),
            is_too_deep: false,
            is_inexact: is_inexact(looked, report, instances),
            imports: Imports::default(),
            hides_secrets: false,
            out: Diagnostics::in_phase(Phase::Planning),
            count: 0,
            has_too_many: false,
        }
    }

    /// Visits all nodes.
    pub(super) fn run(&mut self) {
        self.declare_checks();
        self.find_imports();
        for group in self.graph.groups().iter() {
            for &number in group {
                account::work(8);
                let stopped = self.graph.called_by(number).iter().any(|&at| self.failed.get(at) == Some(&true));
                let behind = self.graph.called_by(number).iter().any(|&at| self.pending.get(at) == Some(&true));
                if behind && let Some(pending) = self.pending.get_mut(number) {
                    *pending = true;
                }
                let (path, id) = self.instances.place(number);
                let visited = if stopped {
                    self.stop(path, id);
                    Visited::Failed
                } else {
                    self.visit(number, path, id)
                };
                if visited == Visited::Failed
                    && let Some(failed) = self.failed.get_mut(number)
                {
                    *failed = true;
                }
            }
        }
    }

    /// Visits the variables and local values of the root module alone. Everything else, and what depends on it, has no value
    /// because of an error.
    pub(super) fn define(&mut self) {
        for &number in self.graph.groups().flatten() {
            account::work(8);
            let (path, id) = self.instances.place(number);
            let node = self.walked(path).and_then(|walked| walked.nodes.get(id)).filter(|_| path == 0);
            let stopped = self.graph.called_by(number).iter().any(|&at| self.failed.get(at) == Some(&true));
            let visited = match node.map(|node| (node.kind, node.address)) {
                Some((NodeKind::Variable, address)) => self.variable(path, address),
                Some((NodeKind::Rules(_), _)) => Visited::Done,
                Some((NodeKind::Local, address)) if !stopped => self.local(path, address),
                _ => Visited::Failed,
            };
            if let Some(failed) = self.failed.get_mut(number) {
                *failed = visited == Visited::Failed;
            }
        }
    }

    fn visit(&mut self, number: usize, path: usize, id: NodeId) -> Visited {
        let Some(walked) = self.walked(path) else { return Visited::Done };
        let Some(node) = walked.nodes.get(id) else {
            // The node of the whole module; behind it are those of called modules that are not there.
            return if id == walked.nodes.len() { self.whole(path) } else { Visited::Done };
        };
        let (kind, address) = (node.kind, node.address);
        match kind {
            NodeKind::Variable => self.variable(path, address),
            NodeKind::Rules(element) => self.rules(path, id, element),
            NodeKind::Local => self.local(path, address),
            NodeKind::Provider(block) => self.provider(path, block),
            NodeKind::Resource(block) => self.resource(number, path, id, block, address),
            NodeKind::Call(call) => self.call(path, call),
            NodeKind::Input(..) | NodeKind::Import(_) => Visited::Done,
            NodeKind::Output(block) => self.output(path, id, block, address),
            NodeKind::Check(block) => self.check(path, id, block),
        }
    }

    /// Records what is said of a node that is not visited because something on which it depends has an error.
    fn stop(&mut self, path: usize, id: NodeId) {
        let is_check = self
            .walked(path)
            .and_then(|walked| walked.nodes.get(id))
            .is_some_and(|node| matches!(node.kind, NodeKind::Check(_)));
        if is_check {
            for at in 0..self.instance_count(path) {
                self.judge(path, id, at, None, CheckStatus::Unknown, Vec::new());
            }
        }
        if let Some(checked) = self.checks.get_mut(&(path, id)) {
            checked.status = CheckStatus::Unknown;
        }
    }

    /// Returns the addresses of what the root module declares and calls that has no value because of an error.
    pub(super) fn failed_names(&self) -> HashSet<Box<str>> {
        let mut names = HashSet::default();
        let (Some(root), Some(own)) = (self.walked(0), self.instances.list.first()) else { return names };
        let has_failed = |path: usize, id: NodeId| self.failed.get(self.instances.number(path, id)) == Some(&true);
        for (id, node) in root.nodes.iter().enumerate() {
            account::work(2);
            if has_failed(0, id) {
                account::grow(64);
                names.insert(node.address.to_string().into());
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "each adds to a set")]
        for (name, &call) in &root.evaluation.names().calls {
            account::work(2);
            let Some(path) = own.called.get(call).copied().flatten() else { continue };
            // All of a called module, which fails if any part of it does.
            if self.walked(path).is_some_and(|called| has_failed(path, called.nodes.len())) {
                account::grow(64);
                names.insert(format!("module.{name}").into());
            }
        }
        names
    }

    /// The module that a path of calls leads to.
    pub(super) fn walked(&self, path: usize) -> Option<&'e Walked<'a>> {
        self.instances.walked(path)
    }

    /// The module instance of a place.
    pub(super) fn instance(&self, site: Site<'_>) -> Option<&ModuleInstance<'a>> {
        self.expanded.get(site.path)?.instances.get(site.instance)
    }

    pub(super) fn instance_mut(&mut self, path: usize, instance: usize) -> Option<&mut ModuleInstance<'a>> {
        self.expanded.get_mut(path)?.instances.get_mut(instance)
    }

    /// The number of instances of the module that a path leads to.
    pub(super) fn instance_count(&self, path: usize) -> usize {
        self.expanded.get(path).map_or(0, |expanded| expanded.instances.len())
    }

    pub(super) fn module_address(&self, path: usize, instance: usize) -> ModuleAddress {
        self.instance(Site::new(path, instance)).map_or_else(ModuleAddress::default, |found| found.address.clone())
    }

    /// Takes the findings of a visit. Returns whether there is an error among them.
    pub(super) fn take(&mut self, found: Diagnostics, address: Option<&str>) -> bool {
        let mut failed = false;
        for mut finding in found.into_vec() {
            failed |= finding.severity == Severity::Error;
            if finding.address.is_none()
                && let Some(address) = address
            {
                finding.address = Some(address.to_owned());
            }
            self.out.push(finding);
        }
        failed
    }

    /// Counts an instance. Returns whether there may be that many; if not, that has been reported.
    pub(super) fn counts(&mut self, more: usize) -> bool {
        let count = self.count.saturating_add(more);
        if count <= self.options.max_instances {
            self.count = count;
            account::work(more as u64 * 8);
            return true;
        }
        // What was refused does not count, so that there is room for the rest.
        if !std::mem::replace(&mut self.has_too_many, true) {
            let detail = format!(
                "The tree has more than {} instances of modules, resources and data sources. Objects that would exceed this number are not planned, nor is anything that depends on them.",
                self.options.max_instances
            );
            self.out.push(Diagnostic::ours(&super::codes::TOO_MANY_INSTANCES, None, detail));
        }
        false
    }

    /// Whether a root name is that of the tool itself.
    pub(super) fn is_tool(&self, root: &str) -> bool {
        root == "terraform" || self.report.dialect.rules.references.tool_word == Some(root)
    }

    /// Returns an attribute of `terraform`.
    pub(super) fn tool_attribute(&self, name: &str) -> Option<Value> {
        match name {
            "workspace" => Some(Value::text(self.options.workspace.as_deref().unwrap_or("default"))),
            "applying" => Some(Value::bool(false).with_marks(Marks::EPHEMERAL)),
            _ => None,
        }
    }

    /// Returns an attribute of `path`.
    pub(super) fn path_attribute(&self, path: usize, name: &str) -> Option<Value> {
        match name {
            // In a module that is not the root of a run, both depend on who calls it.
            "root" | "module" if self.report.variables.is_none() => {
                Some(Value::unknown(overfold_value::Type::String).with_marks(Marks::INEXACT))
            }
            "root" => Some(Value::text(".")),
            "module" => {
                let own = match self.paths.get(path) {
                    Some(own) => own.as_deref(),
                    None => self.walked(path)?.module.path.as_deref(),
                };
                Some(own.map_or_else(|| self.working_directory(), Value::text))
            }
            "cwd" => Some(self.working_directory()),
            _ => None,
        }
    }

    /// A path that depends on where the tool is run.
    fn working_directory(&self) -> Value {
        self.absent.file(WORKING_DIRECTORY, &Value::unknown(Type::String))
    }

    /// Lists everything that has conditions: what nothing is found of passes.
    fn declare_checks(&mut self) {
        for path in 0..self.instances.list.len() {
            let Some(walked) = self.walked(path) else { continue };
            for (id, node) in walked.nodes.iter().enumerate() {
                account::work(2);
                let (kind, type_name) = match (node.kind, node.address) {
                    (NodeKind::Rules(_), _) => (CheckedKind::Variable, None),
                    (NodeKind::Output(block), _) if has_conditions(block, words::PRECONDITION) => {
                        (CheckedKind::Output, None)
                    }
                    (NodeKind::Check(_), _) => (CheckedKind::Check, None),
                    (NodeKind::Resource(block), ObjectAddr::Resource { mode, type_name, .. })
                        if super::conditions::resource_conditions(block, words::PRECONDITION).next().is_some()
                            || super::conditions::resource_conditions(block, words::POSTCONDITION)
                                .next()
                                .is_some() =>
                    {
                        (CheckedKind::Resource { mode }, Some(Arc::from(type_name)))
                    }
                    _ => continue,
                };
                let checked = CheckedObject {
                    kind,
                    module: self.instances.names(path).into_iter().map(Arc::from).collect(),
                    type_name,
                    name: Arc::from(node.address.name()),
                    status: CheckStatus::Pass,
                    instances: Vec::new(),
                };
                self.checks.insert((path, id), checked);
            }
        }
    }

    /// Records the result of the conditions of one instance.
    pub(super) fn judge(
        &mut self,
        path: usize,
        id: NodeId,
        instance: usize,
        key: Option<InstanceKey>,
        status: CheckStatus,
        problems: Vec<Value>,
    ) {
        let module = self.module_address(path, instance);
        let Some(checked) = self.checks.get_mut(&(path, id)) else { return };
        checked.status = checked.status.max(status);
        checked.instances.push(CheckedInstance { module, key, status, problems });
    }

    /// Records the call of a module whose instances are not known in one instance of the calling module.
    pub(super) fn expand_unknown(&mut self, path: usize) {
        if let Some(expanded) = self.expanded.get_mut(path) {
            expanded.of_caller.push(None);
        }
    }

    /// The language of the expressions in the module that a path leads to.
    pub(super) fn language(&self, path: usize) -> Option<&Language<'w>> {
        self.languages.get(self.instances.list.get(path)?.module)
    }

    /// Returns the result.
    pub(super) fn finish(self) -> Planned {
        super::outcome::of(self)
    }

    /// Returns the findings alone.
    pub(super) fn without_plan(self) -> Planned {
        Planned { plan: None, found: self.out }
    }

    /// Takes errors that the tool reports instead of all that it found in the walk.
    pub(super) fn replace_errors(&mut self, errors: Diagnostics) {
        let found = std::mem::take(&mut self.out).into_vec();
        self.out = Diagnostics::in_phase(Phase::Planning);
        for finding in found {
            let origin = if finding.severity == Severity::Error { finding.origin.later() } else { finding.origin };
            self.out.push(Diagnostic { origin, ..finding });
        }
        self.out.append(errors);
    }

    /// Whether there is an error that the tool reports while it walks, or where it takes the values of variables; or objects
    /// are left out because there would be too many instances.
    pub(super) fn is_errored(&self) -> bool {
        let is_error = |finding: &Diagnostic| finding.severity == Severity::Error && finding.origin == Origin::Tool;
        let of_variables = |finding: &Diagnostic| finding.phase == Some(Phase::Resolution) && is_error(finding);
        self.has_too_many || self.out.iter().any(is_error) || self.report.diagnostics.iter().any(of_variables)
    }

    /// Returns the value of a call: of the instances of the called module that one calling instance has.
    pub(super) fn called_value(&self, path: usize, caller: usize) -> Value {
        let Some(expanded) = self.expanded.get(path) else { return Value::dynamic() };
        let Some(&Some((from, to))) = expanded.of_caller.get(caller) else {
            return Value::dynamic().with_marks(Marks::INEXACT);
        };
        let Some(walked) = self.walked(path) else { return Value::dynamic() };
        let names = || {
            walked.nodes.iter().filter_map(|node| match node.kind {
                NodeKind::Output(_) => Some(node.address.name()),
                _ => None,
            })
        };
        let own = expanded.instances.get(from..to).unwrap_or_default();
        let values = own.iter().map(|instance| {
            let outputs = names().map(|name| {
                account::work(1);
                (Arc::from(name), instance.outputs.get(name).cloned().unwrap_or_else(Value::dynamic))
            });
            let key = instance.repeated.as_ref().map(|repeated| repeated.key.clone());
            (key, Value::object(outputs.collect()))
        });
        expanded.kind.whole(values.collect())
    }

    /// Keeps the value of a called module once all of it has been evaluated.
    fn whole(&mut self, path: usize) -> Visited {
        let Some((caller, call)) = self.instances.list.get(path).and_then(|instance| instance.caller) else {
            return Visited::Done;
        };
        for at in 0..self.instance_count(caller) {
            let value = self.called_value(path, at);
            if let Some(instance) = self.instance_mut(caller, at) {
                instance.called.insert(call, value);
            }
        }
        Visited::Done
    }

    /// Adds the instances of a called module.
    pub(super) fn expand(&mut self, path: usize, kind: Kind, instances: Vec<ModuleInstance<'a>>) {
        let Some(expanded) = self.expanded.get_mut(path) else { return };
        expanded.kind = kind;
        let from = expanded.instances.len();
        expanded.instances.extend(instances);
        expanded.of_caller.push(Some((from, expanded.instances.len())));
    }
}

/// Returns what `path.module` is by path of calls, if it depends on that: an installed module has a directory for each
/// path of calls.
fn paths(looked: &Looked<'_, '_>, instances: &Instances<'_, '_>) -> Vec<Option<Arc<str>>> {
    let Some(installed) = looked.installed else { return Vec::new() };
    let mut all: Vec<(Option<Arc<str>>, Arc<str>)> = Vec::with_capacity(instances.list.len());
    for instance in &instances.list {
        let own = instance.caller.and_then(|(caller, call)| {
            let (path, key) = all.get(caller)?;
            let module = instances.walked(caller)?.module;
            let call = &module.calls.get(call)?.call;
            let key = longer_key(key, call.name);
            let path = installed.path(module.report, call, (path.as_deref(), &key)).map(|(path, _)| path);
            account::grow((path.as_deref().map_or(0, str::len) + key.len() + 64) as u64);
            Some((path, key))
        });
        all.push(own.unwrap_or_else(|| (Some(Arc::from("")), Arc::from(""))));
    }
    let shown = |path: Arc<str>| if path.is_empty() { Arc::from(".") } else { path };
    all.into_iter().map(|(path, _)| path.map(shown)).collect()
}

/// Whether anything was not given: a module, a provider's schema, the value of a variable.
fn is_inexact(looked: &Looked<'_, '_>, report: &Report<'_>, instances: &Instances<'_, '_>) -> bool {
    let mut variables = report.variables.iter().flat_map(|variables| &variables.list);
    variables.any(|variable| variable.value.as_ref().is_some_and(|value| value.marks().is_inexact()))
        || instances.list.iter().any(|instance| instance.called.iter().any(Option::is_none))
        || looked.walked.iter().any(|walked| {
            walked.nodes.iter().any(|node| {
                account::work(1);
                matches!(node.address, ObjectAddr::Resource { type_name, .. } if !type_name.starts_with("terraform_"))
            })
        })
}

/// Whether a block has nested blocks of this type that the language reads.
fn has_conditions(block: &overfold_model::config::Block<'_>, keyword: &str) -> bool {
    crate::validate::walker::meta_blocks(block, keyword).next().is_some()
}

//! The walk over the graph: each node once, after everything on which it depends.

use std::cell::RefCell;
use std::collections::BTreeMap;
use std::rc::Rc;
use std::sync::Arc;

use super::Planned;
use super::assumptions::Assumptions;
use super::implied_providers::FailedProviders;
use super::imports::Imports;
use super::infinite_numbers;
use super::module::UnplannedInstance;
use super::moves::MovedInstances;
use super::needs::{LeftOut, Needs};
use super::provider_meta::MetaBlocks;
use super::scope::Site;
use super::state::{Expanded, Kind, ModuleInstance};
use super::triggers::Changes;
use foldhash::{HashMap, HashSet};

use overfold_base::account::{self, ChargedIterator, ChargedText, List};
use overfold_base::diag::{Diagnostic, Diagnostics, Phase, Severity, Span};
use overfold_base::files::FileSet;
use overfold_base::written::written;
use overfold_check::validate::ValidatedTree;
use overfold_check::validate::body::HiddenExpansions;
use overfold_check::validate::instances::Instances;
use overfold_check::validate::nodes::is_error;
pub(crate) use overfold_check::validate::nodes::{NodeId, NodeKind};
use overfold_check::validate::walker::ModuleNodes;
use overfold_dialect::{Behaviour, DialectSpec, words};
use overfold_eval::functions::WORKING_DIRECTORY;
use overfold_eval::{Absent, FileAccess};
use overfold_load::loading::{Report, Request};
use overfold_load::plan::{
    CheckStatus, CheckedInstance, CheckedKind, CheckedObject, InstanceKey, Missing, ModuleAddress, PlanOptions,
    PlannedOutput, PlannedResource,
};
use overfold_load::vars::ResolvedVariable;
use overfold_model::config::ObjectAddr;
use overfold_model::scope::{Language, References};
use overfold_syntax::ExprAt;
use overfold_tree::graph::Graph;
use overfold_tree::installed::longer_key;
use overfold_value::{Marks, Type, Value};

/// The evaluation of a tree.
pub(super) struct Walk<'w, 'e, 'a> {
    pub(super) validated: &'w ValidatedTree<'e, 'a>,
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
    pub(super) resources: List<PlannedResource>,
    pub(super) outputs: Vec<PlannedOutput>,
    /// Whether a value is planned that no state can hold, so that the tool writes no plan.
    pub(super) cannot_be_written: bool,
    pub(super) checks: BTreeMap<(usize, NodeId), CheckedObject>,
    pub(super) missing: List<Missing>,
    /// The instances of calls whose modules were not given, if the plan is asked for its origins.
    pub(super) unplanned: List<UnplannedInstance>,
    /// The providers without a schema, with the number of resource instances that need it.
    pub(super) lacking: HashMap<Arc<str>, usize>,
    /// The providers that may fill in what is not set, with the number of resource instances that have such a thing.
    pub(super) defaulting: HashMap<Arc<str>, usize>,
    /// The positions of the resolved variables of the root module, by name.
    variables: HashMap<&'w str, usize>,
    /// The numbers of the managed resources that have a planned change themselves.
    pub(super) changed: HashSet<usize>,
    /// Why data sources of checks failed: the path, the module instance and the address.
    pub(super) scoped_failures: HashMap<(usize, usize, ObjectAddr<'a>), Value>,
    /// What the caller knows of objects.
    pub(super) assumed: Assumptions,
    /// The language of each module, with the time of the plan.
    pub(super) languages: Vec<Language<'w>>,
    /// The references in expressions, once they are needed.
    pub(super) references: RefCell<HashMap<ExprAt, Rc<References<'a>>>>,
    /// Whether calls have `count`, and `for_each`, once it is asked for: by the path of the caller and the call.
    pub(super) repeated_calls: RefCell<HashMap<(usize, usize), (bool, bool)>>,
    /// What expressions need that was not given, once it is asked for: by the path of calls and the module instance.
    pub(super) needs: RefCell<HashMap<(ExprAt, usize, usize), Needs>>,
    /// What is left out because its instances are not known here.
    pub(super) left_out: LeftOut<'a>,
    /// Whether a call that is nested too deeply has been reported.
    pub(super) is_too_deep: bool,
    /// The `import` blocks of the root module.
    pub(super) imports: Imports<'a>,
    /// Which resources are created before they are destroyed, as numbers of the graph: those that say so, and all that they
    /// depend on. Empty if nothing is imported.
    pub(super) created_first: HashSet<usize>,
    /// What `moved` blocks move.
    pub(super) moved: MovedInstances,
    /// The provider configurations that anything uses, as numbers of the graph; the tool does not look at others.
    used_providers: HashSet<usize>,
    /// Where the instances are listed that may trigger a replacement.
    pub(super) changes: Changes,
    /// Whether values are secret that the tool shows: the outputs of called modules that are declared as sensitive, once
    /// they are referred to, and variables that are declared twice.
    pub(super) hides_secrets: bool,
    /// The warnings about references to deprecated attributes in expressions, once these are evaluated.
    pub(super) deprecated_attributes: RefCell<HashMap<ExprAt, Rc<[Diagnostic]>>>,
    /// The dynamic blocks that are expanded without most names of the module, by the block they are in.
    pub(super) hidden_expansions: RefCell<HashMap<Span, Rc<HiddenExpansions<'a>>>>,
    /// Whether anything in the tree is deprecated whose uses are warnings.
    pub(super) warns_of_deprecated: bool,
    /// The blocks `provider_meta` of each module.
    pub(super) meta_blocks: Vec<MetaBlocks<'a>>,
    /// The providers that need a block and have none.
    pub(super) failed_providers: FailedProviders,
    pub(super) out: Diagnostics,
    /// The number of instances so far.
    count: usize,
    /// Whether objects were left out because there would be too many instances.
    has_too_many: bool,
    /// Whether objects were left out because an instance key is too long.
    pub(super) leaves_out: bool,
}

/// What came of a visit.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum VisitOutcome {
    /// What depends on the node can be evaluated.
    Done,
    /// Nothing that depends on the node is evaluated.
    Failed,
}

impl VisitOutcome {
    /// Returns what came of a visit that failed or not.
    pub(super) const fn from_failed(failed: bool) -> Self {
        if failed { Self::Failed } else { Self::Done }
    }
}

impl<'w, 'e, 'a> Walk<'w, 'e, 'a> {
    pub(super) fn new(
        validated: &'w ValidatedTree<'e, 'a>,
        report: &'w Report<'w>,
        instances: &'w Instances<'e, 'a>,
        graph: &'w Graph,
        (request, options, absent): (&'w Request, &'w PlanOptions, &'w Absent),
    ) -> Self {
        let size = graph.count();
        let mut expanded: Vec<Expanded<'a>> = Vec::new();
        expanded.resize_with(instances.list.len(), Expanded::default);
        if let Some(root) = expanded.first_mut() {
            root.instances.push(ModuleInstance::new(0, None, ModuleAddress::default()));
        }
        Self {
            validated,
            report,
            instances,
            graph,
            files: validated.files,
            paths: paths(validated, instances),
            request,
            options,
            absent,
            expanded,
            failed: vec![false; size],
            pending: vec![false; size],
            resources: List::new(),
            outputs: Vec::new(),
            cannot_be_written: false,
            checks: BTreeMap::new(),
            missing: List::new(),
            unplanned: List::new(),
            lacking: HashMap::default(),
            defaulting: HashMap::default(),
            variables: variables(report),
            changed: HashSet::default(),
            scoped_failures: HashMap::default(),
            assumed: Assumptions::new(&options.assumed),
            languages: validated
                .walked
                .iter()
                .map(|walked| {
                    let language = walked.evaluation.evaluator.known.language.clone();
                    let files = FileAccess { cwd: options.cwd.as_deref(), ..language.files };
                    let plan_time = options.timestamp.as_deref();
                    Language { plan_time, assumes_functions: false, absent: Some(absent), files, ..language }
                })
                .collect(),
            references: RefCell::default(),
            needs: RefCell::default(),
            repeated_calls: RefCell::default(),
            left_out: LeftOut::default(),
            is_too_deep: false,
            imports: Imports::default(),
            created_first: HashSet::default(),
            moved: MovedInstances::default(),
            used_providers: instances.used_providers(),
            changes: None,
            hides_secrets: false,
            deprecated_attributes: RefCell::default(),
            hidden_expansions: RefCell::default(),
            warns_of_deprecated: warns_of_deprecated(validated, report.dialect),
            meta_blocks: validated.walked.iter().map(super::provider_meta::blocks).collect(),
            failed_providers: FailedProviders::default(),
            out: Diagnostics::in_phase(Phase::Planning),
            count: 0,
            has_too_many: false,
            leaves_out: false,
        }
    }

    /// Visits all nodes.
    pub(super) fn run(&mut self) {
        self.declare_checks();
        self.configure_implied_providers();
        self.find_imports();
        self.find_created_first();
        self.find_triggers();
        self.find_moved();
        for group in self.graph.groups().iter() {
            for &number in group.charged(8) {
                let stopped = self.graph.called_by(number).iter().any(|&at| self.failed.get(at) == Some(&true));
                let behind = self.graph.called_by(number).iter().any(|&at| self.pending.get(at) == Some(&true));
                if behind && let Some(pending) = self.pending.get_mut(number) {
                    *pending = true;
                }
                let (path, id) = self.instances.place(number);
                let visited = if stopped {
                    self.stop(path, id);
                    VisitOutcome::Failed
                } else {
                    self.visit(number, path, id)
                };
                if visited == VisitOutcome::Failed
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
        for &number in self.graph.groups().flatten().charged(8) {
            let (path, id) = self.instances.place(number);
            let node = self.walked(path).and_then(|walked| walked.nodes.get(id)).filter(|_| path == 0);
            let stopped = self.graph.called_by(number).iter().any(|&at| self.failed.get(at) == Some(&true));
            let visited = match node.map(|node| (node.kind, node.address)) {
                Some((NodeKind::Variable, address)) => self.variable(path, address),
                Some((NodeKind::Rules(_), _)) => VisitOutcome::Done,
                Some((NodeKind::Local, address)) if !stopped => self.local(path, address),
                _ => VisitOutcome::Failed,
            };
            if let Some(failed) = self.failed.get_mut(number) {
                *failed = visited == VisitOutcome::Failed;
            }
        }
    }

    fn visit(&mut self, number: usize, path: usize, id: NodeId) -> VisitOutcome {
        let Some(walked) = self.walked(path) else { return VisitOutcome::Done };
        let Some(node) = walked.nodes.get(id) else {
            // The node of the whole module; behind it are those of called modules that are not there.
            return if id == walked.nodes.len() { self.whole(path) } else { VisitOutcome::Done };
        };
        let (kind, address) = (node.kind, node.address);
        match kind {
            NodeKind::Variable => self.variable(path, address),
            NodeKind::Rules(element) => self.rules(path, id, element),
            NodeKind::Local => self.local(path, address),
            NodeKind::Provider(_) if !self.used_providers.contains(&number) => VisitOutcome::Done,
            NodeKind::Provider(block) => self.provider(path, id, block),
            NodeKind::Resource(block) => self.resource(number, path, id, block, address),
            NodeKind::Call(call) => self.call(path, call),
            NodeKind::Input(..) => VisitOutcome::Done,
            NodeKind::Import(_) => self.import(path, id),
            NodeKind::Output(block) => self.output(path, id, block, address),
            NodeKind::Check(block) => self.check(path, id, block),
        }
    }

    /// Records what is said of a node that is not visited because something on which it depends has an error: the tool
    /// knows the instances of a check once it knows those of its module, and those of the rules of a variable once it looks
    /// at the variable.
    fn stop(&mut self, path: usize, id: NodeId) {
        let Some(walked) = self.walked(path) else { return };
        let Some(node) = walked.nodes.get(id) else { return };
        let has_failed = |number: usize| self.failed.get(number) == Some(&true);
        let is_known = match node.kind {
            NodeKind::Check(_) => {
                let caller = self.instances.list.get(path).and_then(|instance| instance.caller);
                let call = caller.and_then(|(caller, call)| self.instances.call_node(caller, call));
                !call.is_some_and(has_failed)
            }
            NodeKind::Rules(_) => {
                let variable = walked.variable_node(node.address.name());
                if variable.is_some_and(|variable| has_failed(self.instances.number(path, variable))) {
                    // What is known of it has been recorded.
                    if let Some(checked) = self.checks.get_mut(&(path, id))
                        && checked.instances.is_empty()
                    {
                        checked.status = CheckStatus::Unknown;
                    }
                    return;
                }
                !self.report.dialect.has(Behaviour::UnreachedRulesHaveNoInstance)
            }
            _ => false,
        };
        if is_known {
            for at in (0..self.instance_count(path)).charged(8) {
                self.judge(path, id, at, None, CheckStatus::Unknown, Vec::new());
            }
        } else if let Some(checked) = self.checks.get_mut(&(path, id)) {
            checked.status = CheckStatus::Unknown;
        }
    }

    /// Returns the addresses of what the root module declares and calls that has no value because of an error.
    pub(super) fn failed_names(&self) -> HashSet<Box<str>> {
        let mut names = HashSet::default();
        let (Some(root), Some(own)) = (self.walked(0), self.instances.list.first()) else { return names };
        let has_failed = |path: usize, id: NodeId| self.failed.get(self.instances.number(path, id)) == Some(&true);
        for (id, node) in root.nodes.iter().enumerate().charged(2) {
            if has_failed(0, id) {
                account::grow(64);
                names.insert(written(format_args!("{}", node.address)).into());
            }
        }
        #[expect(clippy::iter_over_hash_type, reason = "each adds to a set")]
        for (name, &call) in &root.evaluation.names().calls {
            account::work(2);
            let Some(path) = own.called.get(call).copied().flatten() else { continue };
            // All of a called module, which fails if any part of it does.
            if self.walked(path).is_some_and(|called| has_failed(path, called.nodes.len())) {
                account::grow(64);
                names.insert(written(format_args!("module.{name}")).into());
            }
        }
        names
    }

    /// Returns what a variable of the root module was resolved to.
    pub(super) fn resolved(&self, name: &str) -> Option<&'w ResolvedVariable> {
        let list = &self.report.variables.as_ref()?.list;
        list.get(*self.variables.get(name.touched())?)
    }

    /// The module that a path of calls leads to.
    pub(super) fn walked(&self, path: usize) -> Option<&'e ModuleNodes<'a>> {
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
    pub(super) fn take(&mut self, found: Diagnostics, address: Option<&Arc<str>>) -> bool {
        let mut failed = false;
        for mut finding in found.into_vec() {
            failed |= finding.severity == Severity::Error;
            if finding.address.is_none()
                && let Some(address) = address
            {
                finding.address = Some(Arc::clone(address));
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
            "cwd" => Some(self.options.cwd.as_deref().map_or_else(|| self.working_directory(), Value::text)),
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
            // The names of the calls are the same for all of a module.
            let mut module: Option<Arc<[Arc<str>]>> = None;
            for (id, node) in walked.nodes.iter().enumerate().charged(2) {
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
                let module = module.get_or_insert_with(|| {
                    self.instances.names(path).touched_by(|name| name.len()).map(Arc::from).collect()
                });
                account::work(8);
                account::touch(node.address.name().len());
                let checked = CheckedObject {
                    kind,
                    module: Arc::clone(module),
                    type_name,
                    name: Arc::from(node.address.name()),
                    status: CheckStatus::Pass,
                    instances: List::new().into_vec(),
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
        account::work(4);
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
        super::outcome::from_walk(self)
    }

    /// Returns the findings alone.
    pub(super) fn without_plan(self) -> Planned {
        Planned { plan: None, found: self.out, hides_variables: false }
    }

    /// Looks for outputs of the root module that no state can hold, and reports them. Returns whether there is anything of
    /// the kind, here or in a resource.
    pub(super) fn cannot_be_written(&mut self) -> bool {
        let infinite = self.outputs.iter().any(|output| infinite_numbers::is_in_output(&output.value));
        if infinite {
            self.out.push(infinite_numbers::in_output());
        }
        infinite || self.cannot_be_written
    }

    /// Takes errors that the tool reports instead of all that it found in the walk.
    pub(super) fn replace_findings(&mut self, errors: Diagnostics) {
        let found = std::mem::take(&mut self.out).into_vec();
        self.out = Diagnostics::in_phase(Phase::Planning);
        for finding in found {
            self.out.push(Diagnostic { origin: finding.origin.later(), ..finding });
        }
        self.out.append(errors);
    }

    /// Whether there is an error that the tool reports while it walks, or where it takes the values of variables; or objects
    /// are left out because there would be too many instances.
    pub(super) fn is_errored(&self) -> bool {
        let of_variables = |finding: &Diagnostic| finding.phase == Some(Phase::Resolution) && is_error(finding);
        self.has_too_many
            || self.leaves_out
            || self.out.iter().any(is_error)
            || self.report.diagnostics.iter().any(of_variables)
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
        let lacks_outputs = || names().next().is_none();
        let hides_empty = self.report.dialect.has(Behaviour::ModulesWithoutOutputsHaveNoInstances);
        if hides_empty && expanded.kind != Kind::Single && lacks_outputs() {
            return expanded.kind.whole(Vec::new());
        }
        let own = expanded.instances.get(from..to).unwrap_or_default();
        let values = own.iter().map(|instance| {
            let outputs = names()
                .charged(1)
                .map(|name| (Arc::from(name), instance.outputs.get(name).cloned().unwrap_or_else(Value::dynamic)));
            let key = instance.repeated.as_ref().map(|repeated| repeated.key.clone());
            (key, Value::object(outputs.collect()))
        });
        let values: Vec<_> = values.collect();
        if matches!(expanded.kind, Kind::Count | Kind::ForEach)
            && self.report.dialect.has(Behaviour::TypedModulesAreCollections)
            && walked.module.is_typed()
        {
            let element = walked.module.outputs().clone();
            return match expanded.kind {
                Kind::ForEach => {
                    let entries = values.into_iter().map(|(key, value)| match key {
                        Some(InstanceKey::Text(key)) => (key, value),
                        _ => (Arc::from(""), value),
                    });
                    Value::map(element, entries.collect())
                }
                _ => Value::list(element, values.into_iter().map(|(_, value)| value).collect()),
            };
        }
        expanded.kind.whole(values)
    }

    /// Keeps the value of a called module once all of it has been evaluated.
    fn whole(&mut self, path: usize) -> VisitOutcome {
        let Some((caller, call)) = self.instances.list.get(path).and_then(|instance| instance.caller) else {
            return VisitOutcome::Done;
        };
        for at in 0..self.instance_count(caller) {
            let value = self.called_value(path, at);
            if let Some(instance) = self.instance_mut(caller, at) {
                instance.called.insert(call, value);
            }
        }
        VisitOutcome::Done
    }

    /// Adds the instances of a called module.
    pub(super) fn expand(&mut self, path: usize, kind: Kind, instances: Vec<ModuleInstance<'a>>) {
        if let Some(expanded) = self.expanded.get_mut(path) {
            expanded.add(kind, instances);
        }
    }
}

/// Whether uses of values are warnings because they come from something deprecated, and there is such a thing.
fn warns_of_deprecated(validated: &ValidatedTree<'_, '_>, dialect: &DialectSpec) -> bool {
    let rows = [Behaviour::DeprecatedOutputsMarkValues, Behaviour::DeprecatedOutputsWarnInPlans];
    rows.into_iter().any(|row| dialect.has(row))
        && validated
            .walked
            .iter()
            .any(|walked| walked.evaluation.names().has_deprecated || !walked.module.deprecated_outputs().is_empty())
}

/// Returns what `path.module` is by path of calls, if it depends on that: an installed module has a directory for each
/// path of calls.
fn paths(validated: &ValidatedTree<'_, '_>, instances: &Instances<'_, '_>) -> Vec<Option<Arc<str>>> {
    let Some(installed) = validated.installed else { return Vec::new() };
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

/// Returns the positions of the variables of the root module whose values have been resolved, by name.
fn variables<'w>(report: &'w Report<'_>) -> HashMap<&'w str, usize> {
    let list = report.variables.as_ref().map_or(&[][..], |resolved| &resolved.list);
    let named = list.iter().enumerate().charged(1).map(|(at, variable)| (variable.name.touched(), at));
    // Of several with one name, the first counts.
    named.rev().collect()
}

/// Whether a block has nested blocks of this type that the language reads.
fn has_conditions(block: &overfold_model::config::Block<'_>, keyword: &str) -> bool {
    overfold_check::validate::walker::meta_blocks(block, keyword).next().is_some()
}

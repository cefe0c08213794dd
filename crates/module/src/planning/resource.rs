//! Resources, data sources and ephemeral resources (plan.md, sections 3 to 6).

use std::rc::Rc;
use std::sync::Arc;

use super::assumed;
use super::conditions::{Judged, Role, resource_conditions};
use super::imports::Imported;
use super::module::exact;
use super::repetition::Instances;
use super::scope::{Site, settled};
use super::state::Repeated;
use super::walk::{Visited, Walk};
use crate::plan::{Action, Change, CheckStatus, Missing, PlannedArgument, PlannedResource, ResourceMode};
use crate::validate::body::{self, Body, Evaluate};
use crate::validate::nodes::{Dependency, NodeId};
use crate::validate::schemas::{Schemas, configuration_of};
use crate::validate::walker::meta_blocks;
use overfold_base::account;
use overfold_base::diag::Diagnostics;
use overfold_dialect::words;
use overfold_eval::Roots;
use overfold_model::config::{Block, ObjectAddr, is_set};
use overfold_model::language::references::AddressWords;
use overfold_model::language::required_providers;
use overfold_syntax::ExprAt;
use overfold_value::{Kind, Marks, Type, Value, with_stack};

/// The argument of a lifecycle that decides the order of a replacement.
const CREATE_BEFORE_DESTROY: &str = "create_before_destroy";

/// A resource of any mode.
#[derive(Clone)]
pub(super) struct Declared<'a> {
    pub(super) path: usize,
    /// Its number in the graph.
    pub(super) number: usize,
    pub(super) id: NodeId,
    pub(super) block: &'a Block<'a>,
    pub(super) mode: ResourceMode,
    pub(super) type_name: &'a str,
    pub(super) name: &'a str,
    /// The check that contains it.
    pub(super) check: Option<&'a str>,
    pub(super) provider_name: Arc<str>,
    pub(super) is_builtin: bool,
    pub(super) arguments: Arc<[PlannedArgument]>,
}

impl<'a> Declared<'a> {
    pub(super) const fn address(&self) -> ObjectAddr<'a> {
        ObjectAddr::Resource { mode: self.mode, type_name: self.type_name, name: self.name }
    }
}

/// What became of one instance.
pub(super) enum Instance {
    /// Others can use it.
    Planned(Value),
    /// Others cannot.
    Failed,
}

impl<'a> Walk<'_, '_, 'a> {
    /// Plans a resource in every instance of its module.
    pub(super) fn resource(
        &mut self,
        number: usize,
        path: usize,
        id: NodeId,
        block: &'a Block<'a>,
        address: ObjectAddr<'a>,
    ) -> Visited {
        let ObjectAddr::Resource { mode, type_name, name } = address else { return Visited::Done };
        let Some(walked) = self.walked(path) else { return Visited::Done };
        let configuration = configuration_of(walked.module, block);
        let registry = required_providers::registry(self.report.dialect).unwrap_or_default();
        let provider_name = walked.module.summary.providers.full_address(&configuration.name, registry);
        let declared = Declared {
            path,
            number,
            id,
            block,
            mode,
            type_name,
            name,
            check: walked.evaluation.names().resources.get(&address).and_then(|resource| resource.check),
            is_builtin: Schemas::is_builtin(walked.module, &configuration.name),
            provider_name: provider_name.into(),
            arguments: self.arguments_of(block),
        };
        let mut failed = false;
        for at in 0..self.instance_count(path) {
            failed |= self.in_module(&declared, at) == Visited::Failed;
        }
        Visited::of(failed)
    }

    fn arguments_of(&self, block: &Block<'_>) -> Arc<[PlannedArgument]> {
        if !self.options.with_arguments {
            return Arc::from([]);
        }
        super::arguments::of(self.report.forest, AddressWords::of(self.report.dialect), block)
    }

    /// Plans the instances of a resource in one instance of its module.
    fn in_module(&mut self, declared: &Declared<'a>, at: usize) -> Visited {
        let mut out = Diagnostics::new();
        let instances = if self.is_repeated_by_itself(declared, &mut out) {
            Instances::Wrong
        } else {
            self.repetition(declared.block, Site::new(declared.path, at), &mut out)
        };
        let address = self.qualified(declared, at, None);
        self.take(out, Some(&address));
        let (kind, keys) = match instances {
            Instances::Known(kind, keys) => (kind, keys),
            Instances::NotKnownHere => {
                self.keep(declared, at, Value::dynamic().with_marks(Marks::INEXACT));
                return Visited::Done;
            }
            Instances::Wrong => return self.not_reached(declared),
        };
        let mut circle = Diagnostics::new();
        if self.is_circle(declared, at, &keys, &mut circle) {
            self.take(circle, None);
            return self.not_reached(declared);
        }
        let mut failed = false;
        let mut values = Vec::with_capacity(keys.len());
        for repeated in keys {
            account::work(16);
            match self.plan_instance(declared, at, repeated.as_ref()) {
                Instance::Planned(value) => values.push((repeated.map(|repeated| repeated.key), value)),
                Instance::Failed => failed = true,
            }
        }
        if !failed {
            self.keep(declared, at, kind.whole(values));
        }
        Visited::of(failed)
    }

    /// Records that the conditions of a resource are not judged, because its instances are not planned.
    fn not_reached(&mut self, declared: &Declared<'a>) -> Visited {
        if let Some(checked) = self.checks.get_mut(&(declared.path, declared.id)) {
            checked.status = checked.status.max(CheckStatus::Unknown);
        }
        Visited::Failed
    }

    fn keep(&mut self, declared: &Declared<'a>, at: usize, value: Value) {
        if let Some(instance) = self.instance_mut(declared.path, at) {
            instance.resources.insert(declared.address(), value);
        }
    }

    /// Plans one instance: its preconditions, its arguments, the planned object, its postconditions.
    fn plan_instance(&mut self, declared: &Declared<'a>, at: usize, repeated: Option<&Repeated>) -> Instance {
        let block = declared.block;
        let site = Site { repeated, ..Site::new(declared.path, at) };
        let mut out = Diagnostics::new();
        let mut judged = Judged::passed();
        self.conditions(
            resource_conditions(block, words::PRECONDITION),
            Role::Precondition,
            site,
            &mut judged,
            &mut out,
        );
        let mut planned = None;
        if judged.holds()
            && !self.needs_itself(declared, repeated, &mut out)
            && let Some(arguments) = self.arguments(declared, site, &mut out)
        {
            planned = self.object(declared, at, repeated, &arguments, &mut out);
        }
        if let Some(value) = &planned {
            self.conditions(
                resource_conditions(block, words::POSTCONDITION),
                Role::Postcondition,
                Site { this: Some(value), ..site },
                &mut judged,
                &mut out,
            );
        }
        if !out.is_empty() {
            let address = self.qualified(declared, at, repeated);
            self.take(out, Some(&address));
        }
        let key = repeated.map(|repeated| repeated.key.clone());
        // Postconditions of what is not planned are not judged.
        let is_open = planned.is_none() && resource_conditions(block, words::POSTCONDITION).next().is_some();
        let status = if is_open { judged.status.max(CheckStatus::Unknown) } else { judged.status };
        self.judge(declared.path, declared.id, at, key, status, judged.problems);
        match planned {
            Some(value) if judged.status <= CheckStatus::Unknown => Instance::Planned(value),
            _ => Instance::Failed,
        }
    }

    /// Evaluates the arguments of an instance; `None` if one is wrong, which is reported.
    fn arguments(&self, declared: &Declared<'a>, site: Site<'_>, out: &mut Diagnostics) -> Option<Value> {
        let walked = self.walked(declared.path)?;
        let schema = walked.evaluation.names().resources.get(&declared.address())?.schema.known().cloned();
        let mut evaluate = Bodies { walk: self, site };
        let mut own = Diagnostics::new();
        let forest = self.report.forest;
        let value = match schema.as_deref().filter(|_| declared.is_builtin) {
            Some(schema) => {
                let refuses_ephemeral = declared.mode != ResourceMode::Ephemeral;
                let body = Body { refuses_ephemeral, ..Body::new(forest, declared.block, Some(schema)) };
                let checked = body::check(&body, &mut evaluate, &mut own);
                if checked.is_sound {
                    body::check_builtin_object(
                        &body,
                        self.report.dialect,
                        declared.type_name,
                        &checked.value,
                        &mut own,
                    );
                }
                checked.value
            }
            None => body::open_value(&Body::new(forest, declared.block, None), &mut evaluate, &mut own),
        };
        let failed = own.has_errors();
        out.append(own);
        (!failed).then_some(value)
    }

    /// Plans the object of an instance from its arguments. `None` if that fails, which is reported.
    fn object(
        &mut self,
        declared: &Declared<'a>,
        at: usize,
        repeated: Option<&Repeated>,
        arguments: &Value,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        match declared.mode {
            ResourceMode::Managed => Some(self.managed(declared, at, repeated, arguments, out)?),
            ResourceMode::Data => self.data(declared, at, repeated, arguments, out),
            ResourceMode::Ephemeral | ResourceMode::Action => {
                let known = self.assumed_of(declared, at, repeated).map(|known| known.with_marks(Marks::OPEN));
                let value = known.unwrap_or_else(|| Value::dynamic().with_marks(Marks::INEXACT));
                Some(value.with_marks(Marks::EPHEMERAL))
            }
        }
    }

    fn managed(
        &mut self,
        declared: &Declared<'a>,
        at: usize,
        repeated: Option<&Repeated>,
        arguments: &Value,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let import = match self.import_of(declared, at, repeated, out) {
            Imported::No => None,
            Imported::With(id) => Some(id),
            Imported::Wrong => return None,
        };
        let given = self.assumed_of(declared, at, repeated);
        if let Some(given) = given.as_ref().filter(|_| import.is_none()) {
            assumed::compare(declared, arguments, given, out);
        }
        let (seen, after) = if declared.is_builtin && declared.type_name == "terraform_data" {
            let object = terraform_data(arguments);
            let known = given.as_ref().map(|given| assumed::terraform_data(&object, given));
            let object = known.unwrap_or(object);
            (object.clone(), object)
        } else {
            self.lacks_schema(&declared.provider_name);
            let known = given.as_ref().map(|given| assumed::managed(arguments, given));
            known.unwrap_or_else(|| (open(arguments), shown(arguments)))
        };
        let change = match (import, given) {
            (Some(id), _) if declared.is_builtin => {
                let mut lifecycles = meta_blocks(declared.block, words::LIFECYCLE);
                let creates_first = lifecycles.any(|block| is_set(block, CREATE_BEFORE_DESTROY));
                super::imports::change(&id, arguments, after, creates_first)
            }
            (Some(id), Some(given)) => assumed::imported(id, arguments, given, after),
            (Some(id), None) => {
                let address = self.qualified(declared, at, repeated).into();
                self.missing.push(Missing::Import { address });
                Change { importing: Some(id), ..created(after) }
            }
            (None, _) => created(after),
        };
        let seen = if declared.is_builtin && change.before.is_some() { change.after.clone() } else { seen };
        if change.action != Action::NoOp {
            self.changed.insert(declared.number);
            if let Some(pending) = self.pending.get_mut(declared.number) {
                *pending = true;
            }
        }
        self.list(declared, at, repeated, change);
        Some(seen)
    }

    /// Adds an instance to the plan.
    pub(super) fn list(&mut self, declared: &Declared<'a>, at: usize, repeated: Option<&Repeated>, change: Change) {
        account::grow(size_of::<PlannedResource>() as u64);
        self.resources.push(PlannedResource {
            module: self.module_address(declared.path, at),
            mode: declared.mode,
            type_name: Arc::from(declared.type_name),
            name: Arc::from(declared.name),
            key: repeated.map(|repeated| repeated.key.clone()),
            provider_name: Arc::clone(&declared.provider_name),
            schema_version: 0,
            change,
            arguments: Arc::clone(&declared.arguments),
        });
    }

    /// Records that a resource instance was planned without the schema of its provider.
    pub(super) fn lacks_schema(&mut self, provider: &Arc<str>) {
        account::work(2);
        let known = self.missing.iter_mut().find_map(|missing| match missing {
            Missing::ProviderSchema { provider: found, resources } if found == provider => Some(resources),
            _ => None,
        });
        match known {
            Some(resources) => *resources += 1,
            None => self.missing.push(Missing::ProviderSchema { provider: Arc::clone(provider), resources: 1 }),
        }
    }

    /// Returns the address of an instance.
    pub(super) fn qualified(&self, declared: &Declared<'_>, at: usize, repeated: Option<&Repeated>) -> String {
        let module = self.module_address(declared.path, at);
        let dot = if module.0.is_empty() { "" } else { "." };
        let key = repeated.map_or_else(String::new, |repeated| repeated.key.to_string());
        format!("{module}{dot}{}{key}", declared.address())
    }

    /// Evaluates the arguments of a provider configuration.
    pub(super) fn provider(&mut self, path: usize, block: &'a Block<'a>) -> Visited {
        let mut failed = false;
        for at in 0..self.instance_count(path) {
            let mut out = Diagnostics::new();
            let mut evaluate = Bodies { walk: self, site: Site::new(path, at) };
            body::open_value(&Body::new(self.report.forest, block, None), &mut evaluate, &mut out);
            failed |= self.take(out, None);
        }
        Visited::of(failed)
    }

    /// Whether a data source waits for a change: of something that it names, or that something in its `depends_on` or that
    /// of a call around it needs, or, if it has conditions, that anything needs on which it depends.
    pub(super) fn is_pending(&self, declared: &Declared<'_>) -> bool {
        let Some(walked) = self.walked(declared.path) else { return false };
        let Some(node) = walked.nodes.get(declared.id) else { return false };
        let has_conditions = resource_conditions(declared.block, words::PRECONDITION).next().is_some()
            || resource_conditions(declared.block, words::POSTCONDITION).next().is_some();
        let is_pending = |number: usize| self.pending.get(number) == Some(&true);
        if has_conditions && self.graph.called_by(declared.number).iter().any(|&at| is_pending(at)) {
            return true;
        }
        let named = node.dependencies.iter().any(|dependency| match dependency {
            Dependency::Node(id) => {
                account::work(1);
                let is_resource = walked.nodes.get(*id).is_some_and(|node| {
                    matches!(node.address, ObjectAddr::Resource { mode: ResourceMode::Managed, .. })
                });
                is_resource && self.has_change(declared.path, *id)
            }
            _ => false,
        });
        named || self.depends_on_change(declared.path, declared.block) || self.is_call_pending(declared.path)
    }

    fn is_call_pending(&self, mut path: usize) -> bool {
        while let Some((caller, call)) = self.instances.list.get(path).and_then(|instance| instance.caller) {
            account::work(4);
            let block =
                self.walked(caller).and_then(|walked| walked.module.calls.get(call)).map(|found| found.call.block);
            if block.is_some_and(|block| self.depends_on_change(caller, block)) {
                return true;
            }
            path = caller;
        }
        false
    }

    /// Whether a managed resource has a planned change itself.
    fn has_change(&self, path: usize, id: NodeId) -> bool {
        self.changed.contains(&self.instances.number(path, id))
    }

    fn depends_on_change(&self, path: usize, block: &Block<'_>) -> bool {
        let Some(walked) = self.walked(path) else { return false };
        walked.depends_on_targets(block).iter().any(|dependency| {
            account::work(2);
            self.instances
                .target(path, dependency, false)
                .is_some_and(|number| self.pending.get(number) == Some(&true))
        })
    }
}

/// Evaluates the expressions of bodies.
struct Bodies<'s, 'w, 'e, 'a> {
    walk: &'s Walk<'w, 'e, 'a>,
    site: Site<'s>,
}

impl Evaluate for Bodies<'_, '_, '_, '_> {
    fn evaluate(&mut self, expr: ExprAt, iterators: Option<&Rc<Roots>>, out: &mut Diagnostics) -> Value {
        let (value, _) = self.walk.evaluate_within(expr, self.site, iterators.map(|roots| &**roots), out);
        settled(&value)
    }
}

/// The creation of an object.
pub(super) fn created(after: Value) -> Change {
    Change {
        action: Action::Create,
        before: None,
        after,
        replace_paths: Vec::new(),
        importing: None,
        reason: None,
        prior: None,
    }
}

/// Returns the planned object of a `terraform_data` with these arguments (plan.md, section 4).
fn terraform_data(arguments: &Value) -> Value {
    let part = |name: &str| arguments.get(name).cloned().unwrap_or_else(Value::untyped_null);
    let input = super::scope::without_inexact(&part("input"));
    let output = output_of(&input);
    Value::object(vec![
        (Arc::from("id"), Value::unknown(Type::String).refined_not_null()),
        (Arc::from("input"), input),
        (Arc::from("output"), output),
        (Arc::from("triggers_replace"), super::scope::without_inexact(&part("triggers_replace"))),
    ])
}

/// Returns what `output` is as long as it has not been computed: of the type of the input, or null like it.
pub(super) fn output_of(input: &Value) -> Value {
    let input = input.unmarked();
    if input.is_null() { input } else { Value::unknown(input.ty().clone()) }
}

/// Returns what others see of an object of which only the arguments are known. Nobody knows what the provider makes of an
/// argument that is null, of what type a text is that looks like a number, and whether the order of several elements or
/// blocks counts.
pub(super) fn open(arguments: &Value) -> Value {
    let entries = arguments.entries().unwrap_or_default().iter();
    let entries = entries.map(|(name, value)| {
        account::work(2);
        (Arc::clone(name), as_provided(value))
    });
    Value::object(entries.collect()).with_marks(arguments.marks().and(Marks::OPEN))
}

fn as_provided(value: &Value) -> Value {
    let inexact = || value.clone().with_marks(Marks::INEXACT);
    match value.kind() {
        Kind::Null(_) => Value::dynamic().with_marks(value.marks().and(Marks::INEXACT)),
        Kind::Text(text) if text.parse::<f64>().is_ok() || matches!(&**text, "true" | "false") => inexact(),
        Kind::Tuple(items) | Kind::List(items) | Kind::Set(items) => {
            if items.items().len() > 1 {
                return inexact();
            }
            let items = items.items().iter().map(|item| with_stack(|| as_provided(item))).collect();
            Value::tuple(items).with_marks(value.marks().and(Marks::OPEN))
        }
        Kind::Object(_) | Kind::Map(_) => with_stack(|| open(value)),
        _ => value.clone(),
    }
}

/// Returns the arguments as a plan shows them: what is null may be anything.
pub(super) fn shown(arguments: &Value) -> Value {
    let without_null = |value: &Value| if value.is_null() { Value::dynamic() } else { value.clone() };
    let entries = arguments.entries().unwrap_or_default().iter();
    let entries = entries.map(|(name, value)| (Arc::clone(name), without_null(value))).collect();
    exact(&Value::object(entries).with_marks(arguments.marks()))
}

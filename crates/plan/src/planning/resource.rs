//! Resources, data sources and ephemeral resources (plan.md, sections 3 to 6).

use std::cell::OnceCell;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::bodies::Bodies;
use super::codes;
use super::conditions::{ConditionResults, Role, resource_conditions};
use super::imports::Imported;
use super::lifecycle::PREVENT_DESTROY;
use super::repetition::Instances;
use super::scope::Site;
use super::state::{InstanceRepetition, Kind};
use super::walk::{VisitOutcome, Walk};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_base::written::shared;
use overfold_check::validate::body::{self, Body};
use overfold_check::validate::nodes::NodeId;
use overfold_check::validate::schemas::{Schemas, configuration_of};
use overfold_check::validate::walker::{meta_argument, meta_blocks};
use overfold_dialect::{Behaviour, DialectSpec, words};
use overfold_load::plan::{
    Action, Change, CheckStatus, ModuleAddress, PlannedArgument, PlannedResource, ResourceMode,
};
use overfold_model::config::{Block, ObjectAddr, is_set, repeated_by};
use overfold_model::language::references::AddressWords;
use overfold_model::schema::BodySchema;
use overfold_syntax::ExprAt;
use overfold_value::{Marks, Type, Value};

/// The argument of a lifecycle that decides the order of a replacement.
pub(super) const CREATE_BEFORE_DESTROY: &str = "create_before_destroy";

/// A resource of any mode.
#[derive(Clone)]
pub(super) struct DeclaredResource<'a> {
    pub(super) path: usize,
    /// Its number in the graph.
    pub(super) number: usize,
    pub(super) id: NodeId,
    pub(super) block: &'a Block<'a>,
    pub(super) mode: ResourceMode,
    pub(super) type_name: &'a str,
    pub(super) name: &'a str,
    /// Its type and its name, as all its instances share them.
    pub(super) shared: (Arc<str>, Arc<str>),
    /// The check that contains it.
    pub(super) check: Option<&'a str>,
    /// Where its block sets arguments and has blocks, by name, once that is asked for.
    pub(super) places: Rc<OnceCell<HashMap<&'a str, Span>>>,
    pub(super) provider_name: Arc<str>,
    pub(super) is_builtin: bool,
    /// The schema of its type, if it is known.
    pub(super) schema: Option<Arc<BodySchema>>,
    pub(super) arguments: Arc<[PlannedArgument]>,
    /// The items of its `replace_triggered_by`.
    pub(super) triggers: Arc<[ExprAt]>,
}

impl<'a> DeclaredResource<'a> {
    pub(super) const fn address(&self) -> ObjectAddr<'a> {
        ObjectAddr::Resource { mode: self.mode, type_name: self.type_name, name: self.name }
    }
}

/// What an object is planned from.
#[derive(Clone, Copy)]
pub(super) struct Parts<'p> {
    pub(super) arguments: &'p Value,
    /// The identifier with which it is imported.
    pub(super) import: Option<(&'p Value, &'p Imported)>,
    /// Whether the change of another resource replaces it.
    pub(super) is_triggered: bool,
}

/// What became of one instance.
pub(crate) enum Instance {
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
    ) -> VisitOutcome {
        let ObjectAddr::Resource { mode, type_name, name } = address else { return VisitOutcome::Done };
        let Some(walked) = self.walked(path) else { return VisitOutcome::Done };
        let configuration = configuration_of(walked.module, block);
        let provider_name = walked.module.summary.providers.full_address(&configuration.name);
        let known = walked.evaluation.names().resources.get(&address);
        let mut declared = DeclaredResource {
            path,
            number,
            id,
            block,
            mode,
            type_name,
            name,
            shared: (Arc::from(type_name), Arc::from(name)),
            places: Rc::default(),
            check: known.and_then(|resource| resource.check),
            schema: known.and_then(|resource| resource.schema.known().cloned()),
            is_builtin: Schemas::is_builtin(walked.module, &configuration.name),
            provider_name: provider_name.into(),
            arguments: self.arguments_of(block),
            triggers: Arc::from([]),
        };
        if self.has_failed_provider(path, &configuration) {
            return self.not_reached(&declared);
        }
        if self.changes.is_some() {
            declared.triggers = self.triggers_of(&declared).into();
        }
        self.in_modules(&declared)
    }

    fn arguments_of(&self, block: &Block<'_>) -> Arc<[PlannedArgument]> {
        if !self.options.with_arguments {
            return Arc::from([]);
        }
        super::arguments::planned(self.report.forest, AddressWords::for_dialect(self.report.dialect), block)
    }

    /// Plans the instances of a resource in all instances of its module: what repeats it and imports first, and nothing
    /// else if that is wrong in one of them.
    fn in_modules(&mut self, declared: &DeclaredResource<'a>) -> VisitOutcome {
        let mut out = Diagnostics::new();
        if self.is_repeated_by_itself(declared, &mut out) {
            let address = shared(format_args!("{}", declared.address()));
            self.take(out, Some(&address));
            return self.not_reached(declared);
        }
        self.hide_from_imports(declared);
        let imported = self.imports_into(declared, &mut out);
        let mut failed = self.take(out, None);
        let mut expanded: List<(usize, Kind, Vec<Option<InstanceRepetition>>)> = List::new();
        let (mut is_open, mut is_wrong) = (false, false);
        for at in 0..self.instance_count(declared.path) {
            let mut out = Diagnostics::new();
            if self.names_itself(declared) && !self.report.dialect.has(Behaviour::RepetitionIsNotItsOwn) {
                // What repeats it sees none of its instances.
                let has = |name| meta_argument(declared.block, name).is_some();
                let kind = if has(words::COUNT) { Kind::Count } else { Kind::ForEach };
                if has(words::COUNT) || has(words::FOR_EACH) {
                    self.keep(declared, at, kind.whole(Vec::new()));
                }
            }
            if self.names_itself(declared) && repeated_by(declared.block, words::ENABLED).is_some() {
                // What decides whether it is there sees it as null.
                self.keep(declared, at, Value::null(Type::Dynamic));
            }
            let instances = self.repetition(declared.block, Site::new(declared.path, at), &mut out);
            if !out.is_empty() {
                let address = self.qualified(declared, at, None);
                self.take(out, Some(&address));
            }
            self.note_instances(declared, at, &instances);
            match instances {
                Instances::Known(kind, keys) => {
                    let mut circle = Diagnostics::new();
                    is_wrong |= self.is_circle(declared, at, &keys, &mut circle);
                    self.take(circle, None);
                    expanded.push((at, kind, keys));
                }
                Instances::NotKnownHere(unknown) => {
                    is_open = true;
                    let address = self.qualified(declared, at, None);
                    self.leave_out_resource((declared.path, at), declared.address(), address, &unknown);
                    self.note_open(declared, at);
                    self.keep(declared, at, Value::dynamic().with_marks(Marks::INEXACT));
                }
                Instances::TooMany => {
                    self.leave_out_for_limit(self.qualified(declared, at, None), true);
                    is_wrong = true;
                }
                Instances::Wrong => is_wrong = true,
            }
        }
        if is_wrong {
            return self.not_reached(declared);
        }
        if !(imported.is_empty() || is_open || self.is_open(declared.path)) {
            let mut out = Diagnostics::new();
            let modules: Vec<ModuleAddress> =
                expanded.iter().map(|(at, ..)| self.module_address(declared.path, *at)).collect();
            let all = expanded.iter().zip(&modules).flat_map(|((_, _, keys), module)| {
                keys.iter().map(move |repeated| (module, repeated.as_ref().map(|repeated| &repeated.key)))
            });
            imported.check(declared, &self.instances.names(declared.path), all, &mut out);
            failed |= self.take(out, None);
        }
        for (at, kind, keys) in expanded {
            if failed {
                self.unjudged(declared, at, &keys);
            } else if self.in_module(declared, at, (kind, keys), &imported) == VisitOutcome::Failed {
                is_wrong = true;
            }
        }
        VisitOutcome::from_failed(failed || is_wrong)
    }

    /// Plans the instances of a resource in one instance of its module. If one of them is named by the resource itself, the
    /// others depend on it.
    fn in_module(
        &mut self,
        declared: &DeclaredResource<'a>,
        at: usize,
        (kind, keys): (Kind, Vec<Option<InstanceRepetition>>),
        imported: &Imported,
    ) -> VisitOutcome {
        let first = self.named_instance(declared, &keys);
        if self.names_itself(declared) {
            // Before it is planned, none of its instances is there.
            self.keep(declared, at, kind.whole(Vec::new()));
        }
        let mut values: Vec<Option<Value>> = vec![None; keys.len()];
        let mut failed = false;
        for position in
            first.into_iter().chain((0..keys.len()).filter(|&position| Some(position) != first)).charged(16)
        {
            let Some(repeated) = keys.get(position) else { continue };
            if first.is_some() && failed {
                self.unjudged(declared, at, std::slice::from_ref(repeated));
                continue;
            }
            match self.plan_instance(declared, at, repeated.as_ref(), imported) {
                Instance::Planned(value) => {
                    if let Some(place) = values.get_mut(position) {
                        *place = Some(value);
                    }
                    // Others see it before all are planned.
                    if Some(position) == first {
                        self.keep_one(declared, at, kind, (repeated.as_ref(), &values));
                    }
                }
                Instance::Failed => failed = true,
            }
        }
        if !failed {
            let values = keys.into_iter().zip(values);
            let values = values.filter_map(|(repeated, value)| Some((repeated.map(|repeated| repeated.key), value?)));
            self.keep(declared, at, kind.whole(values.collect()));
        }
        VisitOutcome::from_failed(failed)
    }

    /// Keeps the value of the instance on which the others depend, before these are planned.
    fn keep_one(
        &mut self,
        declared: &DeclaredResource<'a>,
        at: usize,
        kind: Kind,
        (repeated, values): (Option<&InstanceRepetition>, &[Option<Value>]),
    ) {
        let value = match (kind, repeated) {
            (Kind::Count, _) => {
                Value::tuple(values.iter().map(|value| value.clone().unwrap_or_else(Value::dynamic)).collect())
            }
            (Kind::ForEach, Some(repeated)) => {
                let own = values.iter().flatten().next().cloned().unwrap_or_else(Value::dynamic);
                kind.whole(vec![(Some(repeated.key.clone()), own)])
            }
            _ => return,
        };
        self.keep(declared, at, value);
    }

    /// Whether the instances of a module are not all known here.
    fn is_open(&self, mut path: usize) -> bool {
        while let Some((caller, _)) = self.instances.list.get(path).and_then(|instance| instance.caller) {
            let callers = self.expanded.get(path).map_or(&[][..], |expanded| &expanded.of_caller);
            account::work(4 + callers.len() as u64);
            if callers.iter().any(Option::is_none) {
                return true;
            }
            path = caller;
        }
        false
    }

    /// Records that the conditions of these instances are not judged.
    fn unjudged(&mut self, declared: &DeclaredResource<'a>, at: usize, keys: &[Option<InstanceRepetition>]) {
        for repeated in keys.charged(8) {
            let key = repeated.as_ref().map(|repeated| repeated.key.clone());
            self.judge(declared.path, declared.id, at, key, CheckStatus::Unknown, Vec::new());
        }
    }

    /// Records that the conditions of a resource are not judged, because its instances are not planned.
    fn not_reached(&mut self, declared: &DeclaredResource<'a>) -> VisitOutcome {
        if let Some(checked) = self.checks.get_mut(&(declared.path, declared.id)) {
            checked.status = checked.status.max(CheckStatus::Unknown);
        }
        VisitOutcome::Failed
    }

    pub(super) fn keep(&mut self, declared: &DeclaredResource<'a>, at: usize, value: Value) {
        if let Some(instance) = self.instance_mut(declared.path, at) {
            instance.resources.insert(declared.address(), value);
        }
    }

    fn plan_instance(
        &mut self,
        declared: &DeclaredResource<'a>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
        imported: &Imported,
    ) -> Instance {
        let mut out = Diagnostics::new();
        let mut results = ConditionResults::passed();
        let module = self.module_address(declared.path, at);
        let id = imported.get(&module, repeated.map(|repeated| &repeated.key)).map(|id| (id, imported));
        let planned = if self.lacks_provider_instance(declared, (at, repeated), &mut out) {
            results.not_reached(resource_conditions(declared.block, words::PRECONDITION));
            results.not_reached(resource_conditions(declared.block, words::POSTCONDITION));
            None
        } else {
            self.plan_parts(declared, (at, repeated), id, &mut results, &mut out)
        };
        if !out.is_empty() {
            let address = self.qualified(declared, at, repeated);
            self.take(out, Some(&address));
        }
        let key = repeated.map(|repeated| repeated.key.clone());
        self.judge(declared.path, declared.id, at, key, results.status, results.problems);
        match planned {
            Some(value) if results.status <= CheckStatus::Unknown => Instance::Planned(value),
            _ => Instance::Failed,
        }
    }

    /// Plans the parts of an instance in order: references to itself, the import, what triggers a replacement, its
    /// preconditions, its arguments, the planned object, whether it may be destroyed, its postconditions. `None` if one of
    /// the parts before the postconditions is wrong.
    fn plan_parts(
        &mut self,
        declared: &DeclaredResource<'a>,
        (at, repeated): (usize, Option<&InstanceRepetition>),
        import: Option<(&Value, &Imported)>,
        results: &mut ConditionResults,
        out: &mut Diagnostics,
    ) -> Option<Value> {
        let site = Site { repeated, ..Site::new(declared.path, at) };
        let conditions = |keyword| resource_conditions(declared.block, keyword);
        let before = self.resources.len();
        let mut planned = None;
        if self.needs_itself(declared, repeated, out) || self.has_wrong_destroy(declared, out) {
            results.not_reached(conditions(words::PRECONDITION));
        } else {
            let is_triggered = self.is_triggered(declared, at, repeated, out);
            if out.has_errors() {
                results.not_reached(conditions(words::PRECONDITION));
            } else {
                self.conditions(conditions(words::PRECONDITION), Role::Precondition, site, results, out);
                if results.holds()
                    && let Some(arguments) = self.arguments(declared, site, out)
                {
                    let parts = Parts { arguments: &arguments, import, is_triggered };
                    planned = self.object(declared, at, repeated, &parts, out);
                }
            }
            if let Some((id, _)) = import
                && planned.is_none()
                && self.resources.len() == before
            {
                self.list_imported(declared, at, repeated, id);
            }
        }
        let Some(value) = planned else {
            results.not_reached(conditions(words::POSTCONDITION));
            return None;
        };
        let Some(prevents) = self.prevents_destroy(declared, at, out) else {
            results.not_reached(conditions(words::POSTCONDITION));
            return None;
        };
        if self.is_forbidden(declared, before, prevents) {
            let detail = format!(
                "{} would be replaced, which destroys the imported object, but its lifecycle has `prevent_destroy`.",
                self.qualified(declared, at, repeated)
            );
            out.push(Diagnostic::tool(&codes::PREVENT_DESTROY, declared.block.header, detail));
            results.not_reached(conditions(words::POSTCONDITION));
            return None;
        }
        let site = Site { this: Some(&value), object: Some(declared.address()), ..site };
        self.conditions(conditions(words::POSTCONDITION), Role::Postcondition, site, results, out);
        Some(value)
    }

    /// Whether the instance that was planned last would be destroyed although its lifecycle forbids that.
    fn is_forbidden(&self, declared: &DeclaredResource<'a>, before: usize, prevents: bool) -> bool {
        let planned = self.resources.get(before).map(|planned| planned.change.action);
        matches!(planned, Some(Action::Replace | Action::ReplaceAfterCreation))
            && (prevents || meta_blocks(declared.block, words::LIFECYCLE).any(|block| is_set(block, PREVENT_DESTROY)))
    }

    /// Evaluates the arguments of an instance; `None` if one is wrong, which is reported.
    fn arguments(&self, declared: &DeclaredResource<'a>, site: Site<'_>, out: &mut Diagnostics) -> Option<Value> {
        let body = Body::new(self.report.forest, declared.block, declared.schema.as_deref());
        let mut evaluate = Bodies { walk: self, site, body };
        let mut own = Diagnostics::new();
        let value = match body.schema {
            Some(_) => {
                let refuses_ephemeral = declared.mode != ResourceMode::Ephemeral;
                let lifts_ephemeral_parts = self.report.dialect.has(Behaviour::EphemeralPartsAtBody);
                let body = Body { refuses_ephemeral, lifts_ephemeral_parts, ..body };
                let checked = body::check(&body, &mut evaluate, &mut own);
                if checked.is_sound && !declared.is_builtin && self.is_checked_by_provider(declared, &checked.value) {
                    let mut found = Diagnostics::new();
                    body::check_with_provider(&body, &checked.value, &mut found);
                    out.append(self.not_reported_yet((declared.path, declared.id), found));
                }
                if checked.is_sound && declared.is_builtin {
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
            None => body::open_value(&body, &mut evaluate, &mut own),
        };
        let failed = own.has_errors() || self.has_wrong_meta(declared, site, &value, &mut own);
        out.append(own);
        (!failed).then_some(value)
    }

    /// Whether what most providers refuse is looked for in the arguments of an instance. Those of a data source are only
    /// looked at when it is read.
    fn is_checked_by_provider(&self, declared: &DeclaredResource<'a>, arguments: &Value) -> bool {
        self.validated.walk.checks_with_providers
            && match declared.mode {
                ResourceMode::Managed => true,
                ResourceMode::Data => arguments.is_wholly_known() && !self.is_pending(declared),
                ResourceMode::Ephemeral | ResourceMode::Action | ResourceMode::List => false,
            }
    }

    /// Returns what a provider refuses and the validation did not report.
    fn not_reported_yet(&self, (path, id): (usize, NodeId), found: Diagnostics) -> Diagnostics {
        if found.is_empty() {
            return found;
        }
        let before = self.walked(path).and_then(|walked| walked.nodes.get(id)).map_or(&[][..], |node| &node.found);
        let known: HashSet<(&str, Option<Span>)> =
            before.iter().charged(2).map(|known| (known.code.id, known.span)).collect();
        let mut left = Diagnostics::new();
        for finding in found.into_vec().charged(2) {
            if !known.contains(&(finding.code.id, finding.span)) {
                left.push(finding);
            }
        }
        left
    }

    /// Adds an instance to the plan.
    pub(super) fn list(
        &mut self,
        declared: &DeclaredResource<'a>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
        (change, unset): (Change, Vec<Box<str>>),
    ) {
        account::grow(size_of::<PlannedResource>() as u64);
        if !unset.is_empty() {
            *self.defaulting.entry(Arc::clone(&declared.provider_name)).or_default() += 1;
        }
        if !matches!(change.action, Action::AlreadyRead | Action::Open) {
            self.note_change(declared, at, repeated.map(|repeated| &repeated.key));
        }
        let needs = if self.options.with_needs {
            self.needs_of_object(declared, Site { repeated, ..Site::new(declared.path, at) }, &change.after)
        } else {
            Arc::from([])
        };
        let (type_name, name) = &declared.shared;
        let planned = PlannedResource {
            module: self.module_address(declared.path, at),
            mode: declared.mode,
            type_name: Arc::clone(type_name),
            name: Arc::clone(name),
            key: repeated.map(|repeated| repeated.key.clone()),
            provider_name: Arc::clone(&declared.provider_name),
            schema_version: declared.schema.as_ref().map_or(0, |schema| schema.version),
            unset: unset.into(),
            planned: planned_data(self.report.dialect, declared, &change),
            change,
            arguments: Arc::clone(&declared.arguments),
            needs,
        };
        self.resources.push(planned);
    }

    /// Records that a resource instance was planned without the schema of its provider.
    pub(super) fn lacks_schema(&mut self, provider: &Arc<str>) {
        account::touch(provider.len());
        *self.lacking.entry(Arc::clone(provider)).or_default() += 1;
    }

    /// Returns the address of an instance.
    pub(super) fn qualified(
        &self,
        declared: &DeclaredResource<'_>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
    ) -> Arc<str> {
        let module = self.module_address(declared.path, at);
        let dot = if module.0.is_empty() { "" } else { "." };
        let address = declared.address();
        match repeated {
            Some(InstanceRepetition { key, .. }) => shared(format_args!("{module}{dot}{address}{key}")),
            None => shared(format_args!("{module}{dot}{address}")),
        }
    }

    /// Evaluates the arguments of a provider configuration.
    pub(super) fn provider(&mut self, path: usize, id: NodeId, block: &'a Block<'a>) -> VisitOutcome {
        let mut failed = false;
        let module = self.walked(path).map(|walked| walked.module);
        let schema = module.and_then(|module| self.validated.walk.schemas.configuration(module, block));
        for at in (0..self.instance_count(path)).charged(4) {
            let mut out = Diagnostics::new();
            let body = Body::new(self.report.forest, block, schema.as_deref());
            let mut evaluate = Bodies { walk: self, site: Site::new(path, at), body };
            if schema.is_some() {
                let checked = body::check(&body, &mut evaluate, &mut out);
                if checked.is_sound && self.validated.walk.checks_with_providers {
                    let mut found = Diagnostics::new();
                    body::check_with_provider(&body, &checked.value, &mut found);
                    let found = self.not_reported_yet((path, id), found);
                    self.take(found, None);
                }
            } else {
                body::open_value(&body, &mut evaluate, &mut out);
            }
            failed |= self.take(out, None);
        }
        VisitOutcome::from_failed(failed)
    }
}

/// Returns the object of a data source in `planned_values`, where what its schema calls sensitive has no mark there. It is
/// hidden all the same.
fn planned_data(dialect: &DialectSpec, declared: &DeclaredResource<'_>, change: &Change) -> Option<Value> {
    let schema = declared.schema.as_ref().filter(|_| !declared.is_builtin && declared.mode == ResourceMode::Data)?;
    let is_shown = change.action == Action::Read && dialect.has(Behaviour::PlannedDataLacksSchemaMarks);
    is_shown.then(|| confidential(schema, &change.after))
}

fn confidential(schema: &BodySchema, object: &Value) -> Value {
    let Some(entries) = object.as_entries().filter(|_| object.deep_marks().is_sensitive()) else {
        return object.clone();
    };
    account::work(entries.len() as u64 * 2);
    let entries = entries.iter().map(|(name, value)| {
        let is_of_schema = schema.attributes.get(name).is_some_and(|attribute| attribute.sensitive);
        let value = if is_of_schema {
            value.unmarked().with_marks(value.marks().without(Marks::SENSITIVE).and(Marks::CONFIDENTIAL))
        } else {
            value.clone()
        };
        (Arc::clone(name), value)
    });
    Value::object(entries.collect()).with_marks(object.marks())
}

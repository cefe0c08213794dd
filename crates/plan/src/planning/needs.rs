//! What would have to be known for a value to be known here that the tool may know: from an expression back through what
//! it names to what was not given.
//!
//! A value is marked as inexact where it depends on something that was not given ([`overfold_value::Marks::INEXACT`]).
//! Which that is is only asked for where it is said: of the instances that are left out, and in the text for people.

mod omitted_instances;
mod need;

use std::borrow::Cow;
use std::collections::BTreeSet;
use std::rc::Rc;
use std::sync::Arc;

use super::resource::DeclaredResource;
use super::scope::{Site, VisibleNames};
use super::walk::Walk;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Diagnostics;
use overfold_check::validate::body::{self, Body};
pub(crate) use overfold_check::validate::nodes::{Node, NodeKind};
use overfold_check::validate::schemas::{Schemas, configuration_of};
use overfold_check::validate::walker::{ModuleNodes, meta_argument};
use overfold_dialect::words;
use overfold_eval::{self as eval, Absent, functions::WORKING_DIRECTORY};
use overfold_load::plan::ResourceMode;
use overfold_model::config::{Block, ObjectAddr};
use overfold_model::language::references::{InstanceKey, Subject};
use overfold_model::language::required_providers;
use overfold_model::scope::{Language, Reference};
use overfold_syntax::statics::TraversalKey;
use overfold_syntax::{ExprAt, statics};
use overfold_tree::installed;
use overfold_value::{Value, with_stack};

pub(super) use need::Need;
use need::{listed, short};
pub(super) use omitted_instances::{LeftOut, Unknown};

/// The most that is said of one expression.
const MAX_NEEDS: usize = 8;

/// What an expression needs.
pub(super) type Needs = Rc<[Need]>;

/// Needs as they are found.
#[derive(Default)]
struct NeedSet(BTreeSet<Need>);

impl NeedSet {
    fn is_full(&self) -> bool {
        self.0.len() >= MAX_NEEDS
    }

    fn add(&mut self, need: Need) {
        account::grow(need.size());
        if !self.is_full() {
            self.0.insert(need);
        }
    }

    fn add_all(&mut self, needs: &[Need]) {
        for need in needs.charged(4) {
            self.add(need.clone());
        }
    }
}

/// Where an expression stands, and what repeats the object around it.
#[derive(Clone, Copy)]
pub(super) struct NeedSite<'s> {
    pub(super) site: Site<'s>,
    /// The `count` or `for_each` to which `each` and `count` in the expression lead.
    pub(super) repeated_by: Option<ExprAt>,
}

impl NeedSite<'_> {
    /// A place outside of what a block repeats.
    const fn new(path: usize, instance: usize) -> Self {
        Self { site: Site::new(path, instance), repeated_by: None }
    }
}

impl<'a> Walk<'_, '_, 'a> {
    /// Returns what would have to be known for the value of an expression to be known, sorted; a few at most, and nothing
    /// if no reason is found.
    pub(super) fn needs(&self, expr: ExprAt, place: NeedSite<'_>) -> Needs {
        let key = (expr, place.site.path, place.site.instance);
        if let Some(known) = self.needs.borrow().get(&key) {
            return Rc::clone(known);
        }
        account::build(16, 128);
        // What leads back to itself needs nothing more.
        self.needs.borrow_mut().insert(key, Rc::from([]));
        let mut found = NeedSet::default();
        with_stack(|| self.collect(expr, place, &mut found));
        let needs: Needs = found.0.into_iter().collect();
        self.needs.borrow_mut().insert(key, Rc::clone(&needs));
        needs
    }

    fn collect(&self, expr: ExprAt, place: NeedSite<'_>, found: &mut NeedSet) {
        let site = place.site;
        let Some(walked) = self.walked(site.path) else { return };
        for reference in self.references_in(expr, walked).list.iter().charged(8) {
            if found.is_full() {
                return;
            }
            let Some(subject) = &reference.subject else { continue };
            match subject {
                Subject::Path(name) => {
                    let value = self.path_attribute(site.path, name);
                    if value.is_some_and(|value| value.marks().is_inexact()) {
                        found.add(Need::File { path: Arc::from(WORKING_DIRECTORY) });
                    }
                }
                Subject::Each(_) | Subject::Count(_) => {
                    if let Some(outer) = place.repeated_by {
                        found.add_all(&self.needs(outer, NeedSite { repeated_by: None, ..place }));
                    }
                }
                Subject::Module { name, output, .. } => {
                    self.of_module(walked, name, output.as_deref(), reference, site, found);
                }
                _ if !self.marks_of(subject, site).is_inexact() => {}
                Subject::Variable(name) => self.of_variable(name, reference, site, found),
                Subject::Local(name) => {
                    let definitions = walked.evaluation.evaluator.known.definitions;
                    if let Some(id) = definitions.local_named(name) {
                        let expr = self.narrowed(definitions.local(id).expr, own_steps(reference));
                        found.add_all(&self.needs(expr, NeedSite::new(site.path, site.instance)));
                    }
                }
                Subject::Resource { mode, type_name, name, key } => {
                    let address = ObjectAddr::Resource { mode: *mode, type_name, name };
                    self.of_resource(walked, (address, *mode), key.as_ref(), reference, (expr, site), found);
                }
                Subject::Terraform(_) | Subject::This | Subject::Caller => {}
            }
        }
        self.of_functions(expr, site, found);
    }

    /// What the functions in an expression ask for.
    fn of_functions(&self, expr: ExprAt, site: Site<'_>, found: &mut NeedSet) {
        if self.absent.is_empty() {
            return;
        }
        let Some(language) = self.language(site.path) else { return };
        let own = Absent::default();
        let language = Language { absent: Some(&own), ..language.clone() };
        language.evaluate(expr, &VisibleNames { walk: self, site }, &mut Diagnostics::new());
        own.files().into_iter().for_each(|path| found.add(Need::File { path }));
        own.functions().into_iter().for_each(|name| found.add(Need::Function { name }));
        if own.has_time() {
            found.add(Need::Time);
        }
    }

    fn of_variable(&self, name: &str, reference: &Reference<'_>, site: Site<'_>, found: &mut NeedSet) {
        let caller = self.instances.list.get(site.path).and_then(|instance| instance.caller);
        let Some((caller, call)) = caller else {
            return found.add(Need::Variable { name: Arc::from(name) });
        };
        let Some(called) = self.instance(site) else { return };
        let Some(argument) = self.argument(caller, call, name) else { return };
        let block =
            self.walked(caller).and_then(|walked| walked.module.calls.get(call)).map(|found| found.call.block);
        let place = NeedSite {
            site: Site { repeated: called.repeated.as_ref(), ..Site::new(caller, called.caller) },
            repeated_by: block.and_then(repetition_of),
        };
        found.add_all(&self.needs(self.narrowed(argument.expr, own_steps(reference)), place));
    }

    fn of_module(
        &self,
        walked: &ModuleNodes<'a>,
        name: &str,
        output: Option<&str>,
        reference: &Reference<'_>,
        site: Site<'_>,
        found: &mut NeedSet,
    ) {
        let Some(&call) = walked.evaluation.names().calls.get(name) else { return };
        let child = self.instances.list.get(site.path).and_then(|own| own.called.get(call).copied().flatten());
        let Some(child) = child else {
            return found.0.extend(self.module_need(site.path, call));
        };
        if let Some(needs) = self.left_out.of_call(child, site.instance) {
            return found.add_all(needs);
        }
        let Some(&Some((from, to))) = self.expanded.get(child).and_then(|found| found.of_caller.get(site.instance))
        else {
            return;
        };
        let Some(called) = self.walked(child) else { return };
        if let Some(output) = output {
            let node = called.node(ObjectAddr::Output(output)).and_then(|id| called.nodes.get(id));
            if let Some(node) = node {
                self.of_output(node, Some(reference), (child, from, to), found);
            }
            return;
        }
        for node in called.nodes.iter().charged(1) {
            self.of_output(node, None, (child, from, to), found);
            if found.is_full() {
                return;
            }
        }
    }

    /// What an output needs, of which all is named or what a reference goes on to. The instances of its module are those of
    /// one call, from the first to before the last.
    fn of_output(
        &self,
        node: &Node<'a>,
        reference: Option<&Reference<'_>>,
        (path, from, to): (usize, usize, usize),
        found: &mut NeedSet,
    ) {
        let NodeKind::Output(block) = node.kind else { return };
        let Some(value) = block.argument(words::VALUE) else { return };
        let expr = reference.map_or(value.expr, |reference| self.narrowed(value.expr, own_steps(reference)));
        // All instances are alike: the first that does not know its output says why.
        let is_inexact = |at: &usize| {
            let instance = self.instance(Site::new(path, *at));
            let value = instance.and_then(|instance| instance.outputs.get(node.address.name()));
            value.is_some_and(|value| value.deep_marks().is_inexact())
        };
        if let Some(at) = (from..to).charged(1).find(is_inexact) {
            found.add_all(&self.needs(expr, NeedSite::new(path, at)));
        }
    }

    /// The module that a call leads to, which is not there.
    pub(super) fn module_need(&self, path: usize, call: usize) -> Option<Need> {
        let walked = self.walked(path)?;
        let call = &walked.module.calls.get(call)?.call;
        Some(Need::Module {
            address: format!("{}module.{}", self.instances.path(path), call.name).into(),
            source: call.text.clone(),
            version: installed::constraint(walked.module.report, call),
        })
    }

    fn of_resource(
        &self,
        walked: &ModuleNodes<'a>,
        (address, mode): (ObjectAddr<'_>, ResourceMode),
        key: Option<&InstanceKey>,
        reference: &Reference<'_>,
        (expr, site): (ExprAt, Site<'_>),
        found: &mut NeedSet,
    ) {
        let Some(resource) = walked.evaluation.names().resources.get(&address) else { return };
        let Some(node) = walked.nodes.get(resource.node) else { return };
        let NodeKind::Resource(block) = node.kind else { return };
        if let Some(needs) = self.left_out.of_resource(site.path, site.instance, node.address) {
            return found.add_all(needs);
        }
        let whole: Arc<str> = format!("{}{address}", self.instances.path(site.path)).into();
        if mode == ResourceMode::Ephemeral {
            return found.add(Need::Ephemeral { address: whole });
        }
        let attribute = self.attribute(expr, reference);
        let value = self.instance(site).and_then(|own| own.resources.get(&address));
        if let (Some(name), Some(value)) = (&attribute, value) {
            let instances = match (key, repetition_of(block)) {
                (Some(InstanceKey::Text(key)), _) => value.get(key).map_or(&[][..], std::slice::from_ref),
                (Some(InstanceKey::Number(key)), _) => {
                    let item = usize::try_from(*key).ok().and_then(|at| value.items().get(at));
                    item.map_or(&[][..], std::slice::from_ref)
                }
                (None, None) => std::slice::from_ref(value),
                (None, Some(_)) => &[],
            };
            let is_exact =
                |value: &Value| value.is_known() && value.get(name).is_some_and(|own| !own.deep_marks().is_inexact());
            if !instances.is_empty() && instances.iter().all(is_exact) {
                return;
            }
        }
        // An argument needs what its expressions need.
        let mut own = NeedSet::default();
        if let Some(name) = &attribute {
            let place = NeedSite { repeated_by: repetition_of(block), ..NeedSite::new(site.path, site.instance) };
            self.of_argument(block, name, (place, Some(reference)), &mut own);
        }
        if !own.0.is_empty() {
            return found.0.extend(own.0);
        }
        let schema_of = (mode == ResourceMode::Managed && resource.schema.known().is_none())
            .then(|| self.provider_of(walked, block))
            .flatten();
        found.add(Need::Attribute { address: whole, attribute, schema_of, is_read: mode == ResourceMode::Data });
    }

    /// What an argument of a resource, or the blocks of that name in it, need: all of it, or what a reference to it goes on to.
    fn of_argument(
        &self,
        block: &Block<'a>,
        name: &str,
        (place, reference): (NeedSite<'_>, Option<&Reference<'_>>),
        found: &mut NeedSet,
    ) {
        for argument in
            block.arguments.iter().charged_at_once(1).filter(|found| found.spec.is_none() && found.name == name)
        {
            let behind = reference.into_iter().flat_map(|reference| own_steps(reference).skip(1));
            found.add_all(&self.needs(self.narrowed(argument.expr, behind), place));
        }
        let is_generated = |inner: &Block<'_>| inner.labels.first().is_some_and(|label| label.text == name);
        let inner = block.blocks.iter().charged_at_once(1).filter(|inner| {
            inner.spec.is_none() && (inner.keyword == name || inner.keyword == "dynamic" && is_generated(inner))
        });
        for inner in inner {
            for expression in body::expressions(&Body::new(self.report.forest, inner, None)) {
                if found.is_full() {
                    return;
                }
                found.add_all(&self.needs(expression.expr, place));
            }
        }
    }

    /// Returns, for the attributes of an instance that are not known here, what they need, in a few words: name and words.
    pub(super) fn needs_of_object(
        &self,
        declared: &DeclaredResource<'a>,
        site: Site<'_>,
        object: &Value,
    ) -> Arc<[(Arc<str>, Arc<str>)]> {
        let place = NeedSite { site, repeated_by: repetition_of(declared.block) };
        let entries = object.entries().iter();
        let unknown = entries.filter(|(_, value)| !value.is_known() || value.deep_marks().is_inexact());
        let list = unknown.filter(|(_, value)| value.deep_marks().is_inexact()).charged(8).map(|(name, _)| {
            let mut found = NeedSet::default();
            self.of_argument(declared.block, name, (place, None), &mut found);
            let words = if found.0.is_empty() {
                need::schema(&self.short_provider(&declared.provider_name))
            } else {
                short(found.0.iter())
            };
            account::grow(words.len() as u64 + 64);
            (Arc::clone(name), Arc::from(words))
        });
        list.collect()
    }

    /// Returns what the value of an output of the root module needs, in a few words, if that is not known here and the
    /// request wants to know.
    pub(super) fn needs_of_output(&self, block: &Block<'a>, value: &Value) -> Option<Arc<str>> {
        if !(self.options.with_needs && value.deep_marks().is_inexact()) {
            return None;
        }
        let argument = block.argument(words::VALUE)?;
        let needs = self.needs(argument.expr, NeedSite::new(0, 0));
        (!needs.is_empty()).then(|| short(needs.iter()).into())
    }

    /// Returns the address of the provider of a resource, without the registry that is meant if there is none; `None` for
    /// what is built in.
    fn provider_of(&self, walked: &ModuleNodes<'a>, block: &Block<'_>) -> Option<Arc<str>> {
        let configuration = configuration_of(walked.module, block);
        if Schemas::is_builtin(walked.module, &configuration.name) {
            return None;
        }
        let address = walked.module.summary.providers.full_address(&configuration.name);
        Some(self.short_provider(&address).into())
    }

    fn short_provider(&self, address: &str) -> String {
        let registry = required_providers::registry(self.report.dialect).unwrap_or_default();
        let short = address.strip_prefix(registry).and_then(|rest| rest.strip_prefix('/'));
        short.unwrap_or(address).to_owned()
    }

    /// Returns the attribute of a resource that a reference names, also behind a splat or a key.
    fn attribute(&self, expr: ExprAt, reference: &Reference<'_>) -> Option<Arc<str>> {
        if let Some(name) = own_steps(reference).next() {
            return Some(Arc::from(&*name));
        }
        if reference.remaining > 0 {
            return None;
        }
        let mut behind = self.report.forest.expr_span(expr);
        (behind.source == reference.whole.source).then_some(())?;
        behind.start = reference.whole.end;
        account::work(8);
        behind.end = behind.end.min(behind.start.saturating_add(128));
        let text = self.report.forest.sources.text(behind);
        let rest = match text.strip_prefix(".*.") {
            Some(rest) => rest,
            None => text.strip_prefix('[')?.split_once("].")?.1,
        };
        let length = overfold_syntax::native::identifier_length(rest);
        rest.get(..length).filter(|name| !name.is_empty()).map(Arc::from)
    }

    /// Returns the part of an object constructor that steps lead to; the whole expression if it is something else.
    fn narrowed<'s>(&self, expr: ExprAt, steps: impl Iterator<Item = Cow<'s, str>>) -> ExprAt {
        let forest = self.report.forest;
        let mut part = expr;
        for name in steps {
            let Some(items) = statics::written_map(forest, part) else { break };
            account::work(4 * items.len() as u64);
            let is_it = |key: ExprAt| match key {
                ExprAt::Json(..) => forest.json_text(key) == Some(&*name),
                ExprAt::Native(..) => match statics::keyword(forest, key) {
                    Some(word) => word == name,
                    None => eval::constant(forest, key, &mut Diagnostics::new()).as_text() == Some(&*name),
                },
            };
            let Some(&(_, value)) = items.iter().find(|(key, _)| is_it(*key)) else { break };
            part = value;
        }
        part
    }
}

/// Returns the names and keys that follow what a reference names, up to the first step that is neither.
fn own_steps<'r>(reference: &'r Reference<'_>) -> impl Iterator<Item = Cow<'r, str>> {
    let written = reference.written.as_ref();
    let from = written.map_or(0, |written| written.len().saturating_sub(reference.remaining));
    (from..from + reference.remaining).map_while(move |at| match (written?.attr(at), written?.index(at)) {
        (Some(name), _) => Some(Cow::Borrowed(name)),
        (None, Some(TraversalKey::IndexText(key))) => Some(key),
        _ => None,
    })
}

/// Returns what repeats the object of a block.
pub(super) fn repetition_of(block: &Block<'_>) -> Option<ExprAt> {
    let argument = meta_argument(block, words::COUNT).or_else(|| meta_argument(block, words::FOR_EACH));
    argument.map(|argument| argument.expr)
}

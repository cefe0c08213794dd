//! What the changes of a plan depend on (plan.md, section 18): the resources and data sources that are met when references
//! are followed from whatever changes.
//!
//! References are followed without values: to local values, to the arguments of calls and the outputs of called modules,
//! and through resources to the argument that is named. The address of a module is that of the instance from which a
//! reference is followed; where a reference names a repeated call without a key, it has no key either.

mod origins;
mod within_schema;

pub(super) use origins::origins;

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::fmt;
use std::rc::Rc;
use std::sync::Arc;

use foldhash::{HashMap, HashMapExt, HashSet};

use super::configuration::references::{ParsedReference, named, subject};
use overfold_base::account::{self, ChargedIterator, List, Worklist};
use overfold_base::diag::Diagnostics;
use overfold_base::written::{shared, written};
pub(crate) use overfold_check::validate::body::{self, Body, BodyLevel, Reader};
use overfold_check::validate::instances::Instances;
pub(crate) use overfold_check::validate::nodes::NodeKind;
use overfold_check::validate::walker::{ModuleNodes, meta_argument};
use overfold_dialect::Behaviour;
use overfold_dialect::words;
use overfold_dialect::words::DYNAMIC;
use overfold_load::plan::{Action, AttributeStep, ModuleAddress, ModuleStep, PlannedResource, RelevantAttribute};
use overfold_model::config::{Block, ObjectAddr};
use overfold_model::language::references::{AddressWords, InstanceKey, ResourceMode, Subject};
use overfold_model::schema::{BodySchema, Nesting};
use overfold_syntax::ExprAt;
use overfold_syntax::statics::{TraversalKey, TraversalStep};
use overfold_value::{Number, normalized};

/// Returns what the changes of these resources and outputs depend on: sorted, without duplicates, except that
/// `a.b` and `a["b"]` are two in the versions that list paths as they are written. The outputs of called modules count as
/// well as those of the root module; one whose value is null does not change.
pub(super) fn collect(
    instances: &Instances<'_, '_>,
    resources: &[PlannedResource],
    changed_outputs: &[(ModuleAddress, Arc<str>)],
) -> Vec<RelevantAttribute> {
    let mut search = Search::new(instances);
    let mut started: HashSet<(usize, ResourceMode, &str, &str)> = HashSet::default();
    let mut last = LastPlace::default();
    for resource in resources.iter().filter(|resource| is_change(resource.change.action)).charged(2) {
        let Some(place) = last.find(&mut search, &resource.module) else { continue };
        account::touch(resource.type_name.len() + resource.name.len());
        let (mode, type_name, name) = (resource.mode, &*resource.type_name, &*resource.name);
        if started.insert((place, mode, type_name, name)) {
            search.resource(place, ObjectAddr::Resource { mode, type_name, name }, &[]);
        }
    }
    for (module, name) in changed_outputs.charged(2) {
        if let Some(place) = last.find(&mut search, module) {
            search.output(place, name);
        }
    }
    search.follow();
    search.found.into_iter().map(|(found, _)| found).collect()
}

/// The length of a key as far as it matters for what it costs to look it up.
fn key_length(key: &InstanceKey) -> usize {
    match key {
        InstanceKey::Number(_) => 0,
        InstanceKey::Text(text) => text.len(),
    }
}

/// Whether what is done with an instance is a change.
const fn is_change(action: Action) -> bool {
    !matches!(action, Action::NoOp | Action::AlreadyRead | Action::Open)
}

/// A reference in an expression, with its text.
struct FoundReference<'a> {
    named: ParsedReference<'a>,
    text: Rc<str>,
}

type References<'a> = Rc<[Rc<FoundReference<'a>>]>;

/// A module as references lead to it.
struct Container<'a> {
    /// Its position among the calls of the tree.
    at: usize,
    /// Its call; `None` for the root module.
    call: Option<Call<'a>>,
    /// Its address, which is empty for the root module; written when something in it is listed first.
    address: OnceCell<Rc<str>>,
}

/// The last step of a container's address.
#[derive(Clone)]
struct Call<'a> {
    /// The container around it.
    outer: usize,
    name: &'a str,
    key: Option<InstanceKey>,
}

/// A reference that is to be followed.
struct OpenReference<'a> {
    container: usize,
    /// The resource whose `count` or `for_each` it means, if it means one.
    resource: Option<Rc<str>>,
    reference: Rc<FoundReference<'a>>,
}

/// The containers of the steps of a module's address, kept for the next address: instances of one module, and of modules
/// that the same one calls, stand next to each other.
#[derive(Default)]
struct LastPlace<'r> {
    steps: &'r [ModuleStep],
    /// The container after each of the steps, as far as they lead to one.
    places: Vec<usize>,
}

impl<'r> LastPlace<'r> {
    /// Returns the container at the end of an address.
    fn find(&mut self, search: &mut Search<'_, '_, '_>, module: &'r ModuleAddress) -> Option<usize> {
        let steps = &*module.0;
        if !std::ptr::eq(self.steps, steps) {
            let is_same = |(own, other): &(&ModuleStep, &ModuleStep)| {
                Arc::ptr_eq(&own.name, &other.name)
                    && own.key.as_ref().map(key_length) < Some(16)
                    && own.key == other.key
            };
            let shared = self.steps.iter().zip(steps).take_while(is_same).count();
            account::work(1 + shared as u64 / 8);
            self.places.truncate(shared);
            self.steps = steps;
        }
        for step in steps.iter().skip(self.places.len()) {
            let place = search.child(self.places.last().copied().unwrap_or(0), &step.name, step.key.as_ref())?;
            self.places.push(place);
        }
        Some(self.places.last().copied().unwrap_or(0))
    }
}

struct Search<'s, 'w, 'a> {
    instances: &'s Instances<'w, 'a>,
    words: Option<AddressWords>,
    containers: List<Container<'a>>,
    /// The containers by the one around them, the name of the call and the key.
    called: HashMap<(usize, &'a str, Option<InstanceKey>), usize>,
    /// The references in expressions that have been read.
    expressions: HashMap<ExprAt, References<'a>>,
    /// The references in whole resources, by the module of the tree and the address.
    resources: HashMap<(usize, Rc<str>), References<'a>>,
    /// What has been followed, or will be.
    seen: HashSet<(usize, Option<Rc<str>>, Rc<str>)>,
    open: Worklist<OpenReference<'a>>,
    /// Whether paths end where the schema knows no more of them.
    is_cut: bool,
    /// What is listed, and which of its steps are indexes if that makes a difference.
    found: BTreeSet<(RelevantAttribute, Vec<bool>)>,
}

impl<'s, 'w, 'a> Search<'s, 'w, 'a> {
    fn new(instances: &'s Instances<'w, 'a>) -> Self {
        let root = Container { at: 0, call: None, address: OnceCell::from(Rc::from("")) };
        let dialect = instances.walked(0).map(|root| root.module.report.dialect);
        Self {
            instances,
            words: dialect.map(AddressWords::for_dialect),
            is_cut: dialect.is_some_and(|dialect| dialect.has(Behaviour::RelevantAttributesEndBeforeDynamic)),
            containers: List::from(vec![root]),
            called: HashMap::new(),
            expressions: HashMap::new(),
            resources: HashMap::new(),
            seen: HashSet::default(),
            open: Worklist::new(4, []),
            found: BTreeSet::new(),
        }
    }

    fn walked(&self, container: usize) -> Option<&'w ModuleNodes<'a>> {
        self.instances.walked(self.containers.get(container)?.at)
    }

    /// Returns the container that a call leads to.
    fn child(&mut self, container: usize, name: &str, key: Option<&InstanceKey>) -> Option<usize> {
        account::work(4);
        account::touch(2 * (name.len() + key.map_or(0, key_length)));
        let (&name, &call) = self.walked(container)?.evaluation.names().calls.get_key_value(name)?;
        let place = (container, name, key.cloned());
        if let Some(&known) = self.called.get(&place) {
            return Some(known);
        }
        let outer = self.containers.get(container)?;
        let at = self.instances.list.get(outer.at)?.called.get(call).copied().flatten()?;
        account::grow(size_of::<Container<'_>>() as u64);
        let call = Call { outer: container, name, key: key.cloned() };
        self.containers.push(Container { at, call: Some(call), address: OnceCell::new() });
        self.called.insert(place, self.containers.len() - 1);
        Some(self.containers.len() - 1)
    }

    fn address(&self, container: usize) -> Option<&Rc<str>> {
        let found = self.containers.get(container)?;
        Some(found.address.get_or_init(|| {
            let mut calls = Vec::new();
            let mut next = found.call.as_ref();
            while let Some(call) = next {
                account::work(1);
                calls.push(call);
                next = self.containers.get(call.outer).and_then(|outer| outer.call.as_ref());
            }
            let steps = calls.iter().rev().enumerate();
            let address = fmt::from_fn(|out| {
                steps.clone().try_for_each(|(index, Call { name, key, .. })| {
                    write!(out, "{}module.{name}", if index == 0 { "" } else { "." })?;
                    key.as_ref().map_or(Ok(()), |key| write!(out, "{key}"))
                })
            });
            written(format_args!("{address}")).into()
        }))
    }

    /// Follows references until there are no new ones.
    fn follow(&mut self) {
        while let Some(OpenReference { container, resource, reference }) = self.open.pop() {
            let steps = &*reference.named.steps;
            match &reference.named.subject {
                Subject::Variable(name) => self.argument(container, name),
                Subject::Local(name) => self.local(container, name),
                Subject::Module { name, key, output } => {
                    let Some(child) = self.child(container, name, key.as_ref()) else { continue };
                    match output {
                        Some(output) => self.output(child, output),
                        None => self.outputs(child),
                    }
                }
                Subject::Count(_) | Subject::Each(_) => {
                    if let Some(resource) = &resource {
                        self.repetition(container, resource);
                    }
                }
                Subject::Resource { mode, type_name, name, .. } => {
                    self.resource(container, ObjectAddr::Resource { mode: *mode, type_name, name }, steps);
                }
                Subject::Path(_) | Subject::Terraform(_) | Subject::This | Subject::Caller => {}
            }
        }
    }

    /// Takes up references that were found in a container, in a resource of it or elsewhere.
    fn take(&mut self, container: usize, resource: Option<&Rc<str>>, references: &[Rc<FoundReference<'a>>]) {
        for reference in references.charged(4) {
            account::touch(2 * (reference.text.len() + resource.map_or(0, |resource| resource.len())));
            let is_repetition = matches!(reference.named.subject, Subject::Count(_) | Subject::Each(_));
            let resource = resource.filter(|_| is_repetition).cloned();
            let key = (container, resource.clone(), Rc::clone(&reference.text));
            if !self.seen.insert(key) {
                continue;
            }
            account::grow((size_of::<OpenReference<'_>>() * 2) as u64);
            self.list(container, &reference.named);
            self.open.push(OpenReference { container, resource, reference: Rc::clone(reference) });
        }
    }

    /// Lists what a reference names if it is a resource or data source.
    fn list(&mut self, container: usize, named: &ParsedReference<'_>) {
        let Subject::Resource { mode, type_name, name, .. } = &named.subject else { return };
        let address = ObjectAddr::Resource { mode: *mode, type_name, name };
        let schema = if self.is_cut { self.schema(container, address) } else { None };
        let Some(module) = self.address(container) else { return };
        let dot = if module.is_empty() { "" } else { "." };
        let resource = shared(format_args!("{module}{dot}{}", subject(&named.subject)));
        account::grow(64);
        // It is compared with what is listed so far.
        account::touch(8 * resource.len());
        let (attribute, indexes) = match schema {
            Some(schema) => (within_schema::known_part(&schema, &named.steps), Vec::new()),
            None => (
                named.steps.iter().filter_map(attribute_step).collect(),
                named.steps.iter().map(|step| !matches!(step.key, TraversalKey::Attr(_))).collect(),
            ),
        };
        self.found.insert((RelevantAttribute { resource, attribute }, indexes));
    }

    /// Returns the schema of a resource, if it is known.
    fn schema(&self, container: usize, address: ObjectAddr<'_>) -> Option<Arc<BodySchema>> {
        let walked = self.walked(container)?;
        walked.evaluation.names().resources.get(&address)?.schema.known().cloned()
    }

    /// Takes up the references in an expression.
    fn expression(&mut self, container: usize, resource: Option<&Rc<str>>, expr: ExprAt) {
        let references = self.read(container, expr);
        self.take(container, resource, &references);
    }

    fn read(&mut self, container: usize, expr: ExprAt) -> References<'a> {
        if let Some(known) = self.expressions.get(&expr) {
            return Rc::clone(known);
        }
        let (Some(walked), Some(words)) = (self.walked(container), self.words) else { return Rc::from([]) };
        let read = named(walked.module.report.forest, expr, words).into_iter();
        let references: References<'a> =
            read.map(|named| Rc::new(FoundReference { text: Rc::from(named.text()), named })).collect();
        account::grow((references.len() * size_of::<FoundReference<'_>>()) as u64);
        self.expressions.insert(expr, Rc::clone(&references));
        references
    }

    /// Follows a variable to the argument that the call sets it with.
    fn argument(&mut self, container: usize, name: &str) {
        if let Some((outer, expr)) = self.argument_expr(container, name) {
            self.expression(outer, None, expr);
        }
    }

    /// Returns the argument that sets a variable, with the container of the call.
    fn argument_expr(&self, container: usize, name: &str) -> Option<(usize, ExprAt)> {
        let Container { at, call, .. } = self.containers.get(container)?;
        let outer = call.as_ref()?.outer;
        let (_, call) = self.instances.list.get(*at)?.caller?;
        let caller = self.walked(outer)?;
        let node = caller.nodes.get(*caller.inputs.get(&(call, name))?)?;
        match node.kind {
            NodeKind::Input(_, argument) => Some((outer, argument.expr)),
            _ => None,
        }
    }

    fn local(&mut self, container: usize, name: &str) {
        if let Some(expr) = self.local_expr(container, name) {
            self.expression(container, None, expr);
        }
    }

    /// Returns the expression of a local value.
    fn local_expr(&self, container: usize, name: &str) -> Option<ExprAt> {
        let definitions = self.walked(container)?.evaluation.names().definitions;
        Some(definitions.local(definitions.local_named(name)?).expr)
    }

    /// Follows an output to its value.
    fn output(&mut self, container: usize, name: &str) {
        if let Some(block) = self.output_block(container, name) {
            self.value(container, block);
        }
    }

    /// Returns the block of an output.
    fn output_block(&self, container: usize, name: &str) -> Option<&'a Block<'a>> {
        let walked = self.walked(container)?;
        match walked.nodes.get(walked.node(ObjectAddr::Output(name))?)?.kind {
            NodeKind::Output(block) => Some(block),
            _ => None,
        }
    }

    /// Follows all outputs of a module.
    fn outputs(&mut self, container: usize) {
        for block in self.output_blocks(container) {
            self.value(container, block);
        }
    }

    /// Returns the blocks of all outputs of a module.
    fn output_blocks(&self, container: usize) -> Vec<&'a Block<'a>> {
        let Some(walked) = self.walked(container) else { return Vec::new() };
        account::work(walked.nodes.len() as u64);
        let block = |kind: &NodeKind<'a>| match kind {
            NodeKind::Output(block) => Some(*block),
            _ => None,
        };
        walked.nodes.iter().filter_map(|node| block(&node.kind)).collect()
    }

    fn value(&mut self, container: usize, output: &Block<'_>) {
        if let Some(value) = output.argument(words::VALUE) {
            self.expression(container, None, value.expr);
        }
    }

    fn block(&self, container: usize, address: ObjectAddr<'_>) -> Option<&'a Block<'a>> {
        let walked = self.walked(container)?;
        let node = walked.evaluation.names().resources.get(&address)?.node;
        match walked.nodes.get(node)?.kind {
            NodeKind::Resource(block) => Some(block),
            _ => None,
        }
    }

    /// Follows `count` or `each` of a resource to the expression that repeats it.
    fn repetition(&mut self, container: usize, resource: &str) {
        if let Some(expr) = self.repetition_expr(container, resource) {
            self.expression(container, None, expr);
        }
    }

    /// Returns the expression that repeats a resource.
    fn repetition_expr(&self, container: usize, resource: &str) -> Option<ExprAt> {
        let block = self.block(container, address_of(resource)?)?;
        let each = meta_argument(block, words::FOR_EACH);
        Some(each.or_else(|| meta_argument(block, words::COUNT))?.expr)
    }

    /// Follows a resource to what these steps name of it: an argument, single blocks, or all of it.
    fn resource(&mut self, container: usize, address: ObjectAddr<'_>, steps: &[TraversalStep<'a>]) {
        let Some(block) = self.block(container, address) else { return };
        let own: Rc<str> = written(format_args!("{address}")).into();
        let references = match steps {
            [] => self.whole(container, &own, address, block),
            steps => self.part(container, address, block, steps),
        };
        self.take(container, Some(&own), &references);
    }

    /// Returns the references in all arguments and blocks of a resource.
    fn whole(
        &mut self,
        container: usize,
        own: &Rc<str>,
        address: ObjectAddr<'_>,
        block: &'a Block<'a>,
    ) -> References<'a> {
        let Some(walked) = self.walked(container) else { return Rc::from([]) };
        let module = self.instances.list.get(self.containers.get(container).map_or(0, |found| found.at));
        let key = (module.map_or(0, |instance| instance.module), Rc::clone(own));
        if let Some(known) = self.resources.get(&key) {
            return Rc::clone(known);
        }
        let schema = walked.evaluation.names().resources.get(&address).map(|resource| resource.schema.clone());
        let schema = schema.as_ref().and_then(|schema| schema.known());
        let body = Body::new(walked.module.report.forest, block, schema.map(|schema| &**schema));
        let references = self.unbound(container, body::expressions(&body));
        self.resources.insert(key, Rc::clone(&references));
        references
    }

    /// Returns the references in expressions, except those to the iterators around them.
    fn unbound(&mut self, container: usize, expressions: Vec<body::BodyExpr>) -> References<'a> {
        let mut references = Vec::new();
        for found in expressions {
            let read = self.read(container, found.expr);
            account::work((read.len() * (1 + found.bound.len())) as u64);
            let is_free = |reference: &&Rc<FoundReference<'a>>| {
                let root = reference.text.split(['.', '[']).next().unwrap_or_default();
                !found.bound.iter().any(|name| **name == *root)
            };
            references.extend(read.iter().filter(is_free).cloned());
        }
        references.into()
    }

    /// Returns the references in what the steps name. Steps into lists, sets and maps of blocks end at whatever has the
    /// name of the next step in the body around them, as in the tool.
    fn part(
        &mut self,
        container: usize,
        address: ObjectAddr<'_>,
        block: &'a Block<'a>,
        steps: &[TraversalStep<'a>],
    ) -> References<'a> {
        let none = || Rc::from([]);
        let Some(walked) = self.walked(container) else { return none() };
        let schema = walked.evaluation.names().resources.get(&address).map(|resource| resource.schema.clone());
        let schema = schema.as_ref().and_then(|schema| schema.known()).map(|schema| &**schema);
        let body = Body::new(walked.module.report.forest, block, schema);
        let reader = Reader::new(&body);
        let parts = match schema {
            Some(schema) => parts(&reader, schema, steps),
            None => Some(open_parts(&reader, steps)),
        };
        let Some(Parts { bodies, expressions, schema }) = parts else { return none() };
        let mut found: Vec<Rc<FoundReference<'a>>> = Vec::new();
        for expr in expressions {
            found.extend(self.read(container, expr).iter().cloned());
        }
        for place in bodies {
            let inside = body::expressions_at(&reader, place, schema);
            found.extend(self.unbound(container, inside).iter().cloned());
        }
        found.into()
    }
}

/// What steps name of a resource: bodies with a schema, and expressions.
struct Parts<'b> {
    bodies: Vec<BodyLevel>,
    expressions: Vec<ExprAt>,
    schema: Option<&'b BodySchema>,
}

/// Follows steps into a body; `None` if they lead nowhere.
fn parts<'b>(reader: &Reader<'b, '_>, schema: &'b BodySchema, steps: &[TraversalStep<'_>]) -> Option<Parts<'b>> {
    let mut parts = Parts { bodies: vec![BodyLevel::Whole], expressions: Vec::new(), schema: Some(schema) };
    for step in steps {
        if parts.bodies.is_empty() {
            return None;
        }
        let (Some(schema), Some(name)) = (parts.schema, step_name(step)) else { break };
        account::work(4);
        if schema.attributes.contains_key(&*name) {
            for &place in &parts.bodies {
                let content = reader.read(place, Some(schema), true, &mut Diagnostics::new());
                parts.expressions.extend(content.attribute(&name).map(|attribute| attribute.expr));
            }
            parts.bodies.clear();
            parts.schema = None;
            break;
        }
        match schema.blocks.get(&*name) {
            Some(nested) if matches!(nested.nesting, Nesting::Single | Nesting::Group) => {
                let mut inner = Vec::new();
                for &place in &parts.bodies {
                    let content = reader.read(place, Some(schema), true, &mut Diagnostics::new());
                    for block in content.blocks.iter().charged(2) {
                        match block.labels {
                            [made] if block.keyword == DYNAMIC && made.text == &*name => {
                                let (expressions, content) = body::dynamic_parts(reader, block);
                                parts.expressions.extend(expressions);
                                inner.extend(content.map(BodyLevel::Inner));
                            }
                            _ if block.keyword == &*name => inner.push(BodyLevel::Inner(block.body)),
                            _ => {}
                        }
                    }
                }
                parts.bodies = inner;
                parts.schema = Some(&nested.body);
            }
            // The tool stays where it is.
            Some(_) => {}
            None => return None,
        }
    }
    Some(parts)
}

/// Follows the first step into a body without a schema.
fn open_parts<'b>(reader: &Reader<'b, '_>, steps: &[TraversalStep<'_>]) -> Parts<'b> {
    let mut parts = Parts { bodies: Vec::new(), expressions: Vec::new(), schema: None };
    let Some(name) = steps.first().and_then(step_name) else { return parts };
    let content = reader.read(BodyLevel::Whole, None, true, &mut Diagnostics::new());
    parts.expressions.extend(content.attributes.iter().filter(|found| *found.name == *name).map(|found| found.expr));
    for block in content.blocks.iter().filter(|block| *block.keyword == *name) {
        parts.bodies.push(BodyLevel::Inner(block.body));
    }
    parts
}

/// Returns the name that a step selects in a body.
fn step_name(step: &TraversalStep<'_>) -> Option<String> {
    match &step.key {
        TraversalKey::Attr(name) => Some(name.to_string()),
        TraversalKey::IndexText(text) => Some(normalized(text).into_owned()),
        TraversalKey::IndexNumber(digits) => Number::parse(digits).ok()?.to_text().ok(),
        TraversalKey::IndexBool(_) | TraversalKey::IndexNull | TraversalKey::IndexOther => None,
    }
}

/// Returns a step as the document shows it.
fn attribute_step(step: &TraversalStep<'_>) -> Option<AttributeStep> {
    match &step.key {
        TraversalKey::IndexNumber(_) => match InstanceKey::from_traversal(&step.key)? {
            InstanceKey::Number(number) => Some(AttributeStep::Index(number)),
            InstanceKey::Text(_) => None,
        },
        _ => step_name(step).map(|name| AttributeStep::Name(name.into())),
    }
}

/// Reads the address of a resource in its module.
fn address_of(text: &str) -> Option<ObjectAddr<'_>> {
    let (mode, rest) = match text.strip_prefix(ResourceMode::Data.prefix()) {
        Some(rest) => (ResourceMode::Data, rest),
        None => (ResourceMode::Managed, text),
    };
    let (type_name, name) = rest.split_once('.')?;
    Some(ObjectAddr::Resource { mode, type_name, name })
}

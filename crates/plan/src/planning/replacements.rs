//! The expressions of the root module that are replaced by their values.
//!
//! An argument's expression that refers to something and is wholly known is replaced as a whole. In one that is partly known,
//! each known item of a list or an object is, and elsewhere each known reference. These are left alone:
//! - what is sensitive or ephemeral, also outputs that are declared as sensitive and arguments for sensitive variables, or may not be what it seems because something
//!   was not given;
//! - whatever names `each`, `count`, `self` or the iterator of a dynamic block;
//! - the declarations of variables, constants, and everything that must be a bare address, keyword or type;
//! - a condition as a whole, which the tool refuses if it refers to nothing (terraform.md, section 10.2), and references that a
//!   function takes as such;
//! - files with a syntax error.
//!
//! An expression is evaluated once as a whole, and each reference in it at most once more.

mod json;
mod native;

use std::sync::Arc;

use foldhash::HashSet;

use native::Native;

use super::scope::{Site, settled};
use super::walk::Walk;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostics, Secrecy, Span, TextRange};
use overfold_base::written::written;
use overfold_check::validate::walker::ModuleNodes;
use overfold_dialect::{AttrKind, words};
use overfold_eval::Roots;
use overfold_load::replacement::{KeptType, ReplacedPart, Replacement};
use overfold_model::config::effective::EffectiveBody;
use overfold_model::config::{Argument, Block, EffectiveConfig, ObjectAddr, Payload, is_set};
use overfold_syntax::statics::{self, LocatedReference, Traversal, TraversalKey};
use overfold_syntax::{ExprAt, Forest};
use overfold_value::{Value, with_stack};

/// The root names that have a value only in an instance.
const OF_INSTANCES: [&str; 3] = [words::EACH, words::COUNT, "self"];

/// Returns what is replaced in the root module, in the order of the places in each object.
pub(super) fn collect(walk: &Walk<'_, '_, '_>) -> Vec<Replacement> {
    let Some(walked) = walk.walked(0) else { return Vec::new() };
    let report = walked.module.report;
    let config = EffectiveConfig::from_module(&report.module, report.dialect, &report.experiments);
    let mut collector = Collector {
        walk,
        forest: report.forest,
        config: &config,
        failed: walk.failed_names(),
        named: HashSet::default(),
        seen: HashSet::default(),
        found: Vec::new(),
    };
    for element in &report.module.elements {
        collector.note_named(element.block);
    }
    for element in report.module.elements.iter().charged(4) {
        if matches!(element.payload, Payload::Variable(_) | Payload::Requirement(_)) {
            continue;
        }
        let kept = match element.address {
            ObjectAddr::Local(name) if collector.named.contains(name) => TypePreservation::Local,
            ObjectAddr::ModuleCall(name) => TypePreservation::Inputs(name),
            ObjectAddr::Output(_) if is_set(element.block, words::SENSITIVE) => continue,
            address if walk.imports.has(address) => TypePreservation::Everywhere,
            _ => TypePreservation::Nowhere,
        };
        let around = ExprContext { address: element.address, kept, bound: BoundNames::default(), idle: &[] };
        collector.block(element.block, &around);
    }
    collector.found
}

/// Where the types of values must survive.
#[derive(Clone, Copy)]
enum TypePreservation<'a> {
    Nowhere,
    /// In a local value that something names which is left alone.
    Local,
    /// In the arguments of this call whose variables have no type.
    Inputs(&'a str),
    /// In every argument: of an imported object, whose nulls have types.
    Everywhere,
}

/// What the expressions of a body see in addition to the module, and what they belong to.
#[derive(Clone)]
struct ExprContext<'a> {
    address: ObjectAddr<'a>,
    kept: TypePreservation<'a>,
    bound: BoundNames,
    idle: &'static [&'static str],
}

/// The names of iterators, innermost last, and all names that are not replaced, as unknown values.
#[derive(Clone, Default)]
struct BoundNames {
    names: Arc<[Arc<str>]>,
}

impl BoundNames {
    fn with(&self, name: &str) -> Self {
        account::work(1 + self.names.len() as u64);
        Self { names: self.names.iter().map(Arc::clone).chain([Arc::from(name)]).collect() }
    }

    fn has(&self, root: &str) -> bool {
        OF_INSTANCES.contains(&root) || self.names.iter().skimmed(4).any(|name| **name == *root)
    }

    fn roots(&self) -> Roots {
        let names = OF_INSTANCES.iter().map(|name| Arc::from(*name)).chain(self.names.iter().map(Arc::clone));
        names.map(|name| (name, Value::dynamic())).collect()
    }
}

/// An argument whose expression is looked at.
struct ArgumentSite<'p> {
    address: &'p Arc<str>,
    name: Option<&'p str>,
    argument: Span,
    kept: KeptType,
    /// Whether something of the expression must stay: the tool refuses a condition that refers to nothing.
    stays: bool,
    bound: BoundNames,
    roots: &'p Roots,
}

/// The references of an expression, in order.
struct References<'f> {
    list: Vec<LocatedReference<'f>>,
    /// For each, and for the end, the number of references before it that are left alone.
    left_alone: Vec<usize>,
}

impl<'f> References<'f> {
    /// Finds the references; `stays` says which of them are left alone.
    fn new(forest: &'f Forest, expr: ExprAt, stays: impl Fn(&LocatedReference<'f>) -> bool) -> Self {
        let mut list = statics::located_references(forest, expr);
        list.sort_by_key(|found| found.traversal.span.start);
        let mut left_alone = vec![0];
        let mut count = 0;
        for found in list.iter().charged_at_once(2) {
            count += usize::from(stays(found));
            left_alone.push(count);
        }
        Self { list, left_alone }
    }

    /// Returns the positions of the references in a range.
    fn within(&self, range: TextRange) -> std::ops::Range<usize> {
        account::work(4);
        let start = self.list.partition_point(|found| found.traversal.span.start < range.start);
        let end = self.list.partition_point(|found| found.traversal.span.start < range.end);
        start..end.max(start)
    }

    /// Whether any of these is left alone.
    fn has_left_alone(&self, positions: &std::ops::Range<usize>) -> bool {
        self.left_alone.get(positions.start) != self.left_alone.get(positions.end)
    }
}

struct Collector<'c, 'w, 'e, 'a> {
    walk: &'c Walk<'w, 'e, 'a>,
    forest: &'a Forest,
    config: &'c EffectiveConfig<'a>,
    /// The addresses of what has no value because of an error.
    failed: HashSet<Box<str>>,
    /// The local values that conditions name.
    named: HashSet<Box<str>>,
    /// The arguments that have been looked at: an object inside another one is reached twice.
    seen: HashSet<Span>,
    found: Vec<Replacement>,
}

impl<'a> Collector<'_, '_, '_, 'a> {
    fn block(&mut self, written: &'a Block<'a>, around: &ExprContext<'a>) {
        with_stack(|| self.block_here(written, around));
    }

    fn block_here(&mut self, written: &'a Block<'a>, around: &ExprContext<'a>) {
        let EffectiveBody { block, arguments, blocks, idle } = self.config.body(written, around.idle);
        if block.spec.is_some_and(|row| row.constant) {
            return;
        }
        let iterator = self.iterator(block);
        let inside = match &iterator {
            Some(name) => ExprContext { bound: around.bound.with(name), idle, ..around.clone() },
            None => ExprContext { idle, ..around.clone() },
        };
        let own = ExprContext { idle, ..around.clone() };
        let is_dynamic = iterator.is_some();
        // All arguments of a block share the address of the object.
        let mut address: Option<Arc<str>> = None;
        for argument in arguments.iter().map(|&(_, argument)| argument).chain(block.escaped).charged(4) {
            if is_expression(argument, is_dynamic) && self.seen.insert(argument.range) {
                let around = if is_dynamic && argument.name == "content" { &inside } else { &own };
                let address = address.get_or_insert_with(|| around.address.into());
                self.argument(argument, around, is_dynamic, address);
            }
        }
        for nested in blocks {
            let around = if is_dynamic && nested.keyword == "content" { &inside } else { &own };
            match ObjectAddr::of_nested(nested) {
                Some(address) => self.block(nested, &ExprContext { address, ..around.clone() }),
                None => self.block(nested, around),
            }
        }
    }

    /// Returns the name of the iterator of a dynamic block.
    fn iterator(&self, block: &Block<'a>) -> Option<Arc<str>> {
        let [made] = block.labels else { return None };
        if block.keyword != words::DYNAMIC || block.spec.is_some() {
            return None;
        }
        let named = block.argument("iterator");
        let named = named.and_then(|argument| statics::keyword(self.forest, argument.expr));
        Some(named.map_or_else(|| Arc::from(made.text), |name| Arc::from(&*name)))
    }

    fn argument(
        &mut self,
        argument: &'a Argument<'a>,
        around: &ExprContext<'a>,
        is_dynamic: bool,
        address: &Arc<str>,
    ) {
        let source = self.forest.sources.in_file(argument.range).source;
        if argument.broken || self.forest.sources.get(source).is_none_or(|source| source.damaged) {
            return;
        }
        if let TypePreservation::Inputs(call) = around.kept
            && argument.spec.is_none()
            && self.takes_secret(call, argument.name)
        {
            return;
        }
        let is_for_each = argument.name == words::FOR_EACH && (argument.spec.is_some() || is_dynamic);
        let kept = match around.kept {
            _ if is_for_each => KeptType::Sets,
            TypePreservation::Local | TypePreservation::Everywhere => KeptType::All,
            TypePreservation::Inputs(call) if argument.spec.is_none() && self.keeps_types(call, argument.name) => {
                KeptType::All
            }
            TypePreservation::Inputs(_) | TypePreservation::Nowhere => KeptType::Nothing,
        };
        let roots = around.bound.roots();
        let place = ArgumentSite {
            address,
            name: Some(argument.name).filter(|_| !matches!(around.address, ObjectAddr::Local(_))),
            argument: argument.range,
            kept,
            stays: is_condition(argument),
            bound: around.bound.clone(),
            roots: &roots,
        };
        let references = self.references(argument.expr, &place);
        if references.list.is_empty() {
            return;
        }
        let before = self.found.len();
        match argument.expr {
            ExprAt::Native(source, id) => {
                let Some(tree) = self.forest.native(source) else { return };
                let value = if place.stays { None } else { self.evaluate(argument.expr, &place) };
                if place.stays || value.is_some() {
                    let place = &place;
                    let mut native = Native { collector: self, tree, references: &references, place, string: None };
                    native.item(id, value.as_ref());
                }
            }
            ExprAt::Json(source, node) => {
                let Some(tree) = self.forest.json(source) else { return };
                let all = 0..references.list.len();
                let is_known = !place.stays
                    && !references.has_left_alone(&all)
                    && self.evaluate(argument.expr, &place).is_some_and(|value| is_shown(&value));
                self.json(tree, node, &place, is_known);
            }
        }
        // One reference is replaced at a time where the whole stays.
        if place.stays && self.found.len() - before == references.list.len() {
            self.found.truncate(before);
        }
    }

    /// Whether the variable that an argument of a call sets takes values of any type.
    fn keeps_types(&self, call: &str, name: &str) -> bool {
        let called = self.called(call);
        called.and_then(|called| called.module.summary.variables.get(name)).is_some_and(|taken| !taken.has_type())
    }

    /// Whether the variable that an argument of a call sets is secret.
    fn takes_secret(&self, call: &str, name: &str) -> bool {
        let secrets = self.called(call).map(|called| &called.module.report.module.secrets);
        secrets.is_some_and(|secrets| secrets.declares(name) && secrets.variable(name) > Secrecy::Open)
    }

    /// Returns the module to which a call leads.
    fn called(&self, call: &str) -> Option<&ModuleNodes<'a>> {
        let walked = self.walk.walked(0)?;
        let call = *walked.evaluation.names().calls.get(call)?;
        let path = self.walk.instances.list.first()?.called.get(call).copied().flatten()?;
        self.walk.walked(path)
    }

    /// Notes the local values that the conditions of a block name.
    fn note_named(&mut self, block: &'a Block<'a>) {
        account::work(2 + block.arguments.len() as u64);
        for argument in block.arguments.iter().filter(|argument| is_condition(argument)) {
            for reference in statics::references(self.forest, argument.expr) {
                if reference.root == "local"
                    && let Some(TraversalKey::Attr(name)) = reference.steps.first().map(|step| &step.key)
                {
                    account::touch(name.len());
                    self.named.insert(Box::from(&**name));
                }
            }
        }
        for nested in block.blocks {
            with_stack(|| self.note_named(nested));
        }
    }

    fn references(&self, expr: ExprAt, place: &ArgumentSite<'_>) -> References<'a> {
        References::new(self.forest, expr, |found| self.stays(found, place))
    }

    /// Whether a reference is left alone because of what it names: something that has a value only in an instance, or that
    /// has none because of an error.
    fn stays(&self, found: &LocatedReference<'_>, place: &ArgumentSite<'_>) -> bool {
        place.bound.has(&found.traversal.root) || !self.failed.is_empty() && self.has_failed(&found.traversal)
    }

    fn has_failed(&self, reference: &Traversal<'_>) -> bool {
        let step = |at: usize| match reference.steps.get(at).map(|step| &step.key) {
            Some(TraversalKey::Attr(name)) => Some(&**name),
            _ => None,
        };
        let named = match &*reference.root {
            root @ ("data" | "ephemeral") => {
                step(0).zip(step(1)).map(|(kind, name)| written(format_args!("{root}.{kind}.{name}")))
            }
            "resource" => step(0).zip(step(1)).map(|(kind, name)| written(format_args!("{kind}.{name}"))),
            root => step(0).map(|name| written(format_args!("{root}.{name}"))),
        };
        let Some(named) = named else { return false };
        self.failed.contains(&*named)
    }

    /// Evaluates an expression; `None` if that fails.
    fn evaluate(&self, expr: ExprAt, place: &ArgumentSite<'_>) -> Option<Value> {
        let mut out = Diagnostics::new();
        let (value, verdict) = self.walk.evaluate_within(expr, Site::new(0, 0), Some(place.roots), &mut out);
        (!verdict.failed()).then(|| settled(&value))
    }

    /// Returns the name of an argument, shared by all that is replaced in it.
    fn shared_name(&self, name: Option<&str>) -> Option<Arc<str>> {
        let name = name?;
        let known = self.found.last().and_then(|last| last.name.as_ref()).filter(|last| ***last == *name);
        account::touch(2 * name.len());
        Some(known.map_or_else(|| Arc::from(name), Arc::clone))
    }

    fn push(&mut self, place: &ArgumentSite<'_>, at: Span, part: ReplacedPart, string: Option<Span>, value: Value) {
        let kept = if part == ReplacedPart::Reference { KeptType::All } else { place.kept };
        account::grow(size_of::<Replacement>() as u64);
        let (address, name, argument) = (Arc::clone(place.address), self.shared_name(place.name), place.argument);
        account::push(&mut self.found, Replacement { address, name, argument, at, part, string, value, kept });
    }
}

/// Whether a value can replace an expression: it is wholly known, and no part of it is secret.
fn is_shown(value: &Value) -> bool {
    value.is_wholly_known() && value.deep_marks().is_empty()
}

fn is_condition(argument: &Argument<'_>) -> bool {
    argument.spec.is_some_and(|row| matches!(row.kind, AttrKind::Condition))
}

/// Whether an argument is an expression that may refer to anything.
fn is_expression(argument: &Argument<'_>, is_dynamic: bool) -> bool {
    match argument.spec {
        Some(row) => {
            matches!(row.kind, AttrKind::Any | AttrKind::Static(_) | AttrKind::Message | AttrKind::Condition)
        }
        None => !(is_dynamic && argument.name == "iterator"),
    }
}

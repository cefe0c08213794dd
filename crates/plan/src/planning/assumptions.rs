//! What the caller knows of resources and data sources: attributes by address (the option `assume` of a plan).
//!
//! An address without instance keys stands for all instances. Of several that fit, the one with the most keys counts. A
//! configured argument is never replaced; what is given for it is only compared with it.

use std::cell::Cell;
use std::collections::BTreeSet;
use std::fmt::{self, Write as _};
use std::sync::Arc;

use foldhash::HashMap;

use super::codes;
use super::planned_object::{created, open, shown};
use super::resource::DeclaredResource;
use super::state::InstanceRepetition;
use super::terraform_data::STORE;
use super::walk::Walk;
use super::{assumed_object, schema_marks};
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Diagnostic, Diagnostics, Severity, Span};
use overfold_base::written::{shared, written};
use overfold_load::plan::{Action, Change, InstanceKey, ModuleAddress};
use overfold_model::config::{Block, ObjectAddr};
use overfold_model::language::addresses::{self, Target};
use overfold_value::{Kind, Marks, Type, Value, convert, with_stack};

/// All that is known.
#[derive(Default)]
pub(super) struct Assumptions {
    list: Vec<Entry>,
    /// The positions by address.
    by_address: HashMap<String, usize>,
    /// Which steps of addresses have keys, by the address without keys: those with the most first.
    keyed: HashMap<String, BTreeSet<Keyed>>,
}

/// What is known of the instances with an address.
struct Entry {
    target: Target,
    attributes: Value,
    /// Whether there is such an instance.
    is_used: Cell<bool>,
}

/// Which steps of an address have keys.
#[derive(PartialEq, Eq, PartialOrd, Ord)]
struct Keyed {
    /// The number of steps without a key, so that the order is that of precedence.
    open: usize,
    /// For each module step, then for the resource.
    steps: Vec<bool>,
}

impl Assumptions {
    /// Takes attributes by address. A text that is not the address of a resource is left out.
    pub(super) fn new(given: &[(Arc<str>, Value)]) -> Self {
        let mut all = Self::default();
        for (address, attributes) in given.charged(64) {
            account::touch(4 * address.len());
            account::grow(256 + address.len() as u64 * 4);
            let Some(target) = addresses::of_text(address) else { continue };
            let Some(resource) = &target.resource else { continue };
            let steps = target.modules.iter().map(|step| step.key.is_some()).chain([resource.key.is_some()]);
            let steps: Vec<bool> = steps.collect();
            let open = steps.iter().filter(|has_key| !**has_key).count();
            all.keyed.entry(target.without_keys().to_string()).or_default().insert(Keyed { open, steps });
            all.by_address.insert(target.to_string(), all.list.len());
            all.list.push(Entry { target, attributes: attributes.clone(), is_used: Cell::new(false) });
        }
        all
    }

    /// Returns what is known of an instance.
    fn get(&self, module: &ModuleAddress, resource: &ObjectAddr<'_>, key: Option<&InstanceKey>) -> Option<&Value> {
        if self.list.is_empty() {
            return None;
        }
        let write = |has_key: &dyn Fn(usize) -> bool| {
            let mut text = String::new();
            for (at, step) in module.0.iter().enumerate() {
                push(&mut text, format_args!("module.{}", step.name));
                push_key(&mut text, step.key.as_ref().filter(|_| has_key(at)));
                text.push('.');
            }
            push(&mut text, format_args!("{resource}"));
            push_key(&mut text, key.filter(|_| has_key(module.0.len())));
            text
        };
        let mut first = None;
        for keyed in self.keyed.get(&write(&|_| false))?.charged(8) {
            let has_key = |at: usize| keyed.steps.get(at) == Some(&true);
            let found = self.by_address.get(&write(&has_key)).and_then(|&at| self.list.get(at));
            // The entry of an instance without keys is found, too, where others have some.
            let Some(entry) = found else { continue };
            entry.is_used.set(true);
            first = first.or(Some(&entry.attributes));
        }
        first
    }
}

fn push_key(text: &mut String, key: Option<&InstanceKey>) {
    if let Some(key) = key {
        push(text, format_args!("{key}"));
    }
}

/// Appends to an address that is looked up.
fn push(text: &mut String, part: fmt::Arguments<'_>) {
    let before = text.len();
    // Writing to a string never fails.
    let _ = text.write_fmt(part);
    account::touch((text.len() - before) * 4);
}

impl<'a> Walk<'_, '_, 'a> {
    /// Returns what the caller knows of an instance, as the provider would have given it.
    pub(super) fn assumed_of(
        &self,
        declared: &DeclaredResource<'a>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
    ) -> Option<Value> {
        let key = repeated.map(|repeated| &repeated.key);
        let given = self.assumed.get(&self.module_address(declared.path, at), &declared.address(), key)?;
        // The outputs of a state may be of any type, and are what they are.
        if declared.is_builtin {
            return Some(given.clone());
        }
        if let Some(schema) = &declared.schema {
            return Some(schema_marks::marked(schema, &assumed_object::typed(schema, given)));
        }
        let entries = given.entries().iter();
        let entries = entries.map(|(name, value)| (Arc::clone(name), in_lists(value)));
        Some(Value::object(entries.collect()))
    }

    /// Plans a data source of which the caller knows what it gives: it counts as read (plan.md, section 5). Returns what
    /// others see of it.
    pub(super) fn assumed_data(
        &mut self,
        declared: &DeclaredResource<'a>,
        at: usize,
        repeated: Option<&InstanceRepetition>,
        (arguments, given): (&Value, &Value),
        out: &mut Diagnostics,
    ) -> Value {
        compare(declared, arguments, given, out);
        let mut unset = Vec::new();
        let (seen, object) = if declared.is_builtin {
            let known = given.get("outputs").cloned();
            let seen = known.clone().unwrap_or_else(|| Value::dynamic().with_marks(Marks::INEXACT));
            let outputs = known.unwrap_or_else(Value::dynamic);
            (super::data::with_outputs(arguments, &seen), super::data::with_outputs(arguments, &outputs))
        } else if let Some(schema) = &declared.schema {
            let provided = self.provided(
                schema,
                arguments,
                Some(&assumed_object::AssumedObject { object: given, is_read: true }),
            );
            unset = provided.unset;
            (provided.seen, provided.object)
        } else {
            self.lacks_schema(&declared.provider_name);
            // What is computed from something unknown is known once the data source is read.
            let is_open = |value: &Value| value.is_null() || !value.is_known();
            (with(arguments, given, is_open, open), with(arguments, given, is_open, shown))
        };
        let read = Change { prior: Some(object.clone()), ..created(object) };
        let change = if declared.check.is_some() {
            Change { action: Action::Read, reason: Some("read_because_check_nested"), ..read }
        } else {
            Change { action: Action::AlreadyRead, ..read }
        };
        self.list(declared, at, repeated, (change, unset));
        seen
    }

    /// Reports what is known of instances that there are none of.
    pub(super) fn unused_assumptions(&mut self) {
        let mut out = Diagnostics::new();
        let has_errors = self.out.iter().any(|found| found.severity == Severity::Error);
        for entry in self.assumed.list.iter().filter(|entry| !entry.is_used.get()).charged(16) {
            // An instance that is not planned may be there all the same.
            if has_errors && self.is_declared(&entry.target) {
                continue;
            }
            let address = shared(format_args!("{}", entry.target));
            let detail =
                written(format_args!("There is no {address} in the plan, so what is assumed of it has no effect."));
            out.push(Diagnostic::ours(&codes::ASSUMPTION_UNUSED, None, detail).about(address));
        }
        self.take(out, None);
    }
}

/// Reports what is given for an argument that is configured otherwise.
pub(super) fn compare(declared: &DeclaredResource<'_>, arguments: &Value, given: &Value, out: &mut Diagnostics) {
    let computed = if declared.is_builtin { computed(declared.type_name) } else { &[] };
    for (name, value) in given.entries().charged(4) {
        if computed.contains(&&**name) {
            continue;
        }
        match arguments.get(name) {
            Some(configured) if !agrees(configured, value) => {
                let detail = format!(
                    "The configuration sets {name:?} to another value than the one that is assumed. Arguments in the configuration are not replaced."
                );
                out.push(Diagnostic::ours(&codes::ASSUMPTION_IGNORED, place(declared, name), detail));
            }
            None if declared.is_builtin => {
                let detail = format!(
                    "A {} has no attribute {name:?}, so what is assumed of it has no effect.",
                    declared.type_name
                );
                out.push(Diagnostic::ours(&codes::ASSUMPTION_IGNORED, declared.block.header, detail));
            }
            _ => {}
        }
    }
}

/// The attributes that objects of a type that is built in compute.
fn computed(type_name: &str) -> &'static [&'static str] {
    if type_name == "terraform_data" { &["id", "output"] } else { &["outputs"] }
}

/// Returns where the block of a resource sets an argument, or has blocks of that name.
fn place(declared: &DeclaredResource<'_>, name: &str) -> Span {
    let places = declared.places.get_or_init(|| places(declared.block));
    places.get(name.touched()).copied().unwrap_or(declared.block.header)
}

/// Returns where a block sets arguments and has blocks, by name: of several, the first, and arguments before blocks.
fn places<'a>(block: &'a Block<'a>) -> HashMap<&'a str, Span> {
    let arguments = block.arguments.iter().charged_at_once(2).map(|argument| (argument.name, argument.range));
    let blocks = block.blocks.iter().charged_at_once(2).map(|inner| (inner.keyword, inner.header));
    let mut places = HashMap::default();
    for (name, place) in arguments.chain(blocks) {
        places.entry(name).or_insert(place);
    }
    places
}

/// Returns an object of what is given for arguments that are open, or that there are none of, and of the others as
/// `made` makes them.
fn with(arguments: &Value, given: &Value, is_open: fn(&Value) -> bool, made: fn(&Value) -> Value) -> Value {
    let own = arguments.entries();
    let all = given.entries();
    let is_given = |name: &str, value: &Value| is_open(value) && given.get(name).is_some();
    let kept = own.iter().charged_at_once(4).filter(|(name, value)| !is_given(name, value)).cloned();
    let kept = made(&Value::object(kept.collect()).with_marks(arguments.marks()));
    let marks = kept.marks();
    let mut entries = kept.entries().to_vec();
    let added = all.iter().filter(|(name, _)| arguments.get(name).is_none_or(is_open));
    entries.extend(added.cloned());
    Value::object(entries).with_marks(marks)
}

/// Returns what others see of a managed resource, and what is planned. What is not configured is as it is given, or
/// unknown.
pub(super) fn managed(arguments: &Value, given: &Value) -> (Value, Value) {
    (with(arguments, given, Value::is_null, open), with(arguments, given, Value::is_null, shown))
}

/// Returns the planned object of a `terraform_data` with what is given for its computed attributes. The output has the type
/// of the input.
pub(super) fn terraform_data(object: &Value, given: &Value) -> Value {
    let input = object.get("input").filter(|input| !input.is_null()).map(|input| input.ty().clone());
    let entries = object.entries().iter();
    let entries = entries.map(|(name, value)| {
        let wanted = if **name == *"id" { Some(Type::String) } else { input.clone() };
        let found = given.get(name).filter(|_| computed("terraform_data").contains(&&**name));
        let found =
            found.map(|found| wanted.and_then(|ty| convert(found, &ty).ok()).unwrap_or_else(|| found.clone()));
        let value = match found {
            Some(found) => found,
            None if **name == *STORE => given.get(name).map_or_else(|| value.clone(), |given| stored(value, given)),
            None => value.clone(),
        };
        (Arc::clone(name), value)
    });
    Value::object(entries.collect())
}

/// Returns a planned store with what is given for what it computes.
fn stored(planned: &Value, given: &Value) -> Value {
    let Some(entries) = planned.as_entries() else { return planned.clone() };
    let entries = entries.iter().charged_at_once(1).map(|(name, value)| {
        let found = given.get(name).filter(|_| !value.is_known());
        let found = found.map(|found| convert(found, value.ty()).unwrap_or_else(|_| found.clone()));
        (Arc::clone(name), found.map_or_else(|| value.clone(), |found| found.with_marks(value.marks())))
    });
    Value::object(entries.collect()).with_marks(planned.marks())
}

/// Returns the change of an imported object that is known.
pub(super) fn imported(id: Value, arguments: &Value, given: Value, after: Value) -> Change {
    let mut configured = arguments.entries().iter().filter(|(_, value)| !value.is_null());
    let is_same = configured
        .all(|(name, value)| value.is_wholly_known() && given.get(name).is_some_and(|given| agrees(value, given)));
    Change {
        action: if is_same { Action::NoOp } else { Action::Update },
        importing: Some(id),
        prior: Some(given.clone()),
        before: Some(given.clone()),
        ..created(if is_same { given } else { after })
    }
}

/// Whether a value may be what is configured: what is null or unknown in the configuration may be anything, and so may the
/// order of a set.
fn agrees(configured: &Value, given: &Value) -> bool {
    account::work(2);
    if configured.is_null() || !configured.is_known() || matches!(configured.kind(), Kind::Set(_)) {
        return true;
    }
    with_stack(|| match (configured.kind(), given.kind()) {
        (Kind::Object(_) | Kind::Map(_), Kind::Object(_) | Kind::Map(_)) => {
            let mut entries = configured.entries().iter();
            entries.all(|(name, value)| given.get(name).is_none_or(|given| agrees(value, given)))
        }
        (_, Kind::Tuple(_) | Kind::List(_) | Kind::Set(_)) => match (configured.as_items(), given.as_items()) {
            (Some(own), Some(given)) => {
                own.len() == given.len() && own.iter().zip(given).all(|(own, given)| agrees(own, given))
            }
            _ => false,
        },
        _ => {
            let text = |value: &Value| convert(&value.unmarked_deep(), &Type::String).ok();
            match (text(configured), text(given)) {
                (Some(own), Some(given)) => own.as_text() == given.as_text(),
                _ => false,
            }
        }
    })
}

/// Returns what is given of an attribute whose schema is not known: elements of one type are taken to be a list.
fn in_lists(value: &Value) -> Value {
    account::work(2);
    match value.kind() {
        Kind::Tuple(_) => with_stack(|| {
            let items: Vec<Value> = value.items().iter().map(in_lists).collect();
            match items.first().map(|first| first.ty().clone()) {
                Some(ty) if ty != Type::Dynamic && items.iter().all(|item| *item.ty() == ty) => {
                    Value::list(ty, items)
                }
                _ => Value::tuple(items),
            }
        }),
        Kind::Object(_) => with_stack(|| value.map_parts(&in_lists)),
        _ => value.clone(),
    }
}

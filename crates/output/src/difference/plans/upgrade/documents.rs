//! Compares two plan documents member by member: what is different besides the planned values that are listed already.
//!
//! Instances, checks and relevant attributes are paired by what they are about, not by their positions. The masks of what is
//! sensitive or not known are differences of their own kinds, about an instance or an output.

use std::collections::{BTreeMap, BTreeSet};
use std::hash::{DefaultHasher, Hash, Hasher as _};

use std::sync::Arc;

use foldhash::HashSet;
use serde_json::value::RawValue;

use super::{FoundChange, FoundSide, Sink, UpgradeKind, change_of, key_hash};
use crate::plan::plan_document;
use crate::plan::push_step;
use overfold_base::account;
use overfold_base::stack::ensure_sufficient;
use overfold_eval::json_value;
use overfold_module::pipeline::Report;
use overfold_value::{Kind, Value};

/// Compares the documents of two runs. `listed` has the addresses of instances and outputs whose values are listed already.
pub(super) fn compare(before: &Report<'_>, after: &Report<'_>, listed: &HashSet<Box<str>>, sink: Sink<'_>) {
    let texts = [before, after].map(plan_document);
    let [first, second] = texts.each_ref().map(|text| text.as_deref().map(members).unwrap_or_default());
    let [first, second] = different_members([first, second]);
    let [was, is] =
        [(&texts[0], &first), (&texts[1], &second)].map(|(text, document)| text.as_ref().map(|_| document));
    let is_errored = |report: &Report<'_>| report.plan.as_ref().is_some_and(|plan| plan.errored);
    let root = Place { key: 0, shape: 0, part: Part::Document, owner: None };
    let mut walk = Walk {
        listed,
        redacted: [redacted(was), redacted(is)],
        pointers: [String::new(), String::new()],
        names: Vec::new(),
        sink,
    };
    match (was, is) {
        (Some(was), Some(is)) if is_errored(before) == is_errored(after) => walk.members(&root, was, is),
        (Some(was), Some(is)) => {
            walk.step("errored", "errored", |walk| {
                walk.compare(&root, was.get("errored"), is.get("errored"));
            });
        }
        (None, None) => {}
        (was, is) => {
            // The whole document is on one side only: that it is there is what counts.
            let written = Value::bool(true);
            walk.redacted = [BTreeSet::new(), BTreeSet::new()];
            walk.found(&root, [was.map(|_| &written), is.map(|_| &written)]);
        }
    }
}

/// The members of a document, as written.
type Members<'d> = BTreeMap<&'d str, &'d RawValue>;

/// Returns the members of a document.
fn members(document: &[u8]) -> Members<'_> {
    account::touch(document.len() * 4);
    serde_json::from_slice(document).unwrap_or_default()
}

/// Returns two documents as values, with those members alone that are not written alike, and what says which values are not
/// shown: a long document is mostly the same in two versions, and is not taken apart then.
fn different_members([was, is]: [Members<'_>; 2]) -> [Value; 2] {
    let is_other = |name: &str| {
        let texts = [&was, &is].map(|members| members.get(name).map_or("", |text| text.get()));
        account::touch(texts[0].len().min(texts[1].len()));
        texts[0] != texts[1]
    };
    let different: BTreeSet<&str> = was.keys().chain(is.keys()).copied().filter(|name| is_other(name)).collect();
    let is_kept = |name: &str| different.contains(name) || matches!(name, "overfold" | "errored");
    [&was, &is].map(|members| {
        let kept = members.iter().filter(|(name, _)| is_kept(name));
        let entries = kept.filter_map(|(name, text)| {
            account::build(4, 64);
            Some((Arc::from(*name), json_value(text.get()).ok()?))
        });
        Value::object(entries.collect())
    })
}

/// Returns the pointers of what a document does not show.
fn redacted(document: Option<&Value>) -> BTreeSet<Box<str>> {
    let list = document.and_then(|document| document.get("overfold")?.get("redacted"));
    let pointers = list.map_or(&[][..], Value::items).iter().filter_map(Value::as_text);
    let pointers = pointers.map(|pointer| {
        account::text(pointer.len() + 32);
        pointer.into()
    });
    pointers.collect()
}

/// What a part of a document is about.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// Anything.
    Document,
    /// A planned value.
    Value,
    /// A mask, or a part of one.
    Mask(UpgradeKind),
    /// The type of an output.
    Type,
}

/// A place in both documents.
#[derive(Clone)]
struct Place {
    /// A hash of what leads to the place: addresses and names, and positions where there are no others.
    key: u64,
    /// The same without what is different from object to object.
    shape: u64,
    part: Part,
    /// The address that the place belongs to, and the length of the pointer that leads to the top of the value or mask.
    owner: Option<(Box<str>, usize)>,
}

struct Walk<'w, 's> {
    listed: &'w HashSet<Box<str>>,
    redacted: [BTreeSet<Box<str>>; 2],
    /// JSON Pointers into both documents.
    pointers: [String; 2],
    /// The names on the way; positions are `*`.
    names: Vec<Box<str>>,
    sink: Sink<'s>,
}

/// The lists of objects that have addresses.
const ADDRESSED: [&str; 4] = ["resources", "resource_changes", "child_modules", "checks"];

/// The objects whose members have names that the configuration gives them.
const NAMED: [&str; 7] =
    ["outputs", "output_changes", "variables", "module_calls", "provider_config", "expressions", "values"];

impl Walk<'_, '_> {
    /// Compares two objects.
    fn members(&mut self, place: &Place, was: &Value, is: &Value) {
        let (old, new) = (was.entries(), is.entries());
        let (mut first, mut second) = (old.iter().peekable(), new.iter().peekable());
        loop {
            account::work(2);
            let order = match (first.peek(), second.peek()) {
                (Some((own, _)), Some((other, _))) => own.cmp(other),
                (Some(_), None) => std::cmp::Ordering::Less,
                (None, Some(_)) => std::cmp::Ordering::Greater,
                (None, None) => return,
            };
            let own = first.next_if(|_| order.is_le());
            let other = second.next_if(|_| order.is_ge());
            let Some((name, _)) = own.or(other) else { return };
            let sides = [own.map(|(_, value)| value), other.map(|(_, value)| value)];
            self.member(place, name, sides);
        }
    }

    /// Compares a member of two objects.
    fn member(&mut self, place: &Place, name: &str, [was, is]: [Option<&Value>; 2]) {
        let both = was.is_some() && is.is_some();
        let Some(part) = self.part_of(place, name, both) else { return };
        let is_named = self.names.last().is_some_and(|outer| NAMED.contains(&&**outer));
        let owner = self.owner_of(place, name);
        if let (Some((address, _)), false) = (&owner, both)
            && place.owner.is_none()
            && self.listed.contains(address)
        {
            return;
        }
        let begins = part != Part::Document && place.part == Part::Document;
        self.step(name, name, |walk| {
            let at = walk.pointers[1].len();
            let owner = match owner {
                Some((address, _)) if begins => Some((address, at)),
                owner => owner,
            };
            let next = Place {
                key: key_hash(place.key, name),
                shape: key_hash(place.shape, if is_named { "*" } else { name }),
                part,
                owner,
            };
            walk.compare(&next, was, is);
        });
    }

    /// Returns what a member is about; `None` if it is not compared.
    fn part_of(&self, place: &Place, name: &str, both: bool) -> Option<Part> {
        account::work(2);
        if place.part != Part::Document {
            return Some(place.part);
        }
        let outer =
            |back: usize| self.names.len().checked_sub(back).and_then(|at| self.names.get(at)).map(|name| &**name);
        let top = self.names.first().map(|name| &**name);
        let is_listed = place.owner.as_ref().is_some_and(|(address, _)| self.listed.contains(address));
        let is_of_output = outer(2) == Some("outputs");
        let is_left_out = match (top, outer(1), name) {
            // They are always different, or ours.
            (None, _, "terraform_version" | "timestamp" | "overfold")
            | (Some("prior_state"), Some("prior_state"), "terraform_version") => true,
            // The masks and the changes of the same instance or output say it.
            (Some("output_changes"), _, "before_sensitive")
            | (Some("planned_values"), Some("*"), "values" | "sensitive_values") => both,
            (Some("planned_values"), _, "sensitive") => both && is_of_output,
            // What is not known has neither a value nor a type there.
            (Some("planned_values"), _, "value") if is_of_output => both || is_listed,
            (Some("planned_values"), _, "type") if is_of_output => !both && is_listed,
            // What is listed already.
            (Some("prior_state"), _, "values" | "sensitive_values" | "value")
            | (Some("checks"), _, "status" | "instances") => both && is_listed,
            (Some("resource_changes"), Some("change"), "after" | "after_unknown")
            | (Some("output_changes"), _, "after" | "after_unknown") => is_listed,
            _ => false,
        };
        let part = match (top, outer(1), name) {
            (Some("resource_changes"), Some("change"), _) | (Some("output_changes"), ..) => match name {
                "after" => Part::Value,
                "after_unknown" => Part::Mask(UpgradeKind::Unknown),
                "after_sensitive" => Part::Mask(UpgradeKind::Sensitive),
                _ => Part::Document,
            },
            (Some("planned_values" | "prior_state"), _, "type") if is_of_output => Part::Type,
            _ => Part::Document,
        };
        (!is_left_out).then_some(part)
    }

    /// Returns the address that a member belongs to: an output has its name.
    fn owner_of(&self, place: &Place, name: &str) -> Option<(Box<str>, usize)> {
        if place.owner.is_some() || place.part != Part::Document {
            return place.owner.clone();
        }
        let is_output = match &*self.names {
            [top] => **top == *"output_changes",
            [top, _, last] | [top, _, _, last] => {
                matches!(&**top, "planned_values" | "prior_state") && **last == *"outputs"
            }
            [top, last] => matches!(&**top, "planned_values" | "prior_state") && **last == *"outputs",
            _ => false,
        };
        is_output.then(|| {
            account::text(name.len() + 16);
            (format!("output.{name}").into(), 0)
        })
    }

    /// Compares two values of which one may be missing.
    fn compare(&mut self, place: &Place, was: Option<&Value>, is: Option<&Value>) {
        account::work(2);
        match (was, is) {
            (Some(old), Some(new)) if place.part == Part::Type => {
                // A part of a type says little.
                if super::hash_of(old) != super::hash_of(new) {
                    self.found(place, [was, is]);
                }
            }
            (Some(old), Some(new)) => match (old.as_entries(), new.as_entries(), old.as_items(), new.as_items()) {
                (Some(_), Some(_), ..) => ensure_sufficient(|| self.members(place, old, new)),
                (_, _, Some(first), Some(second)) => ensure_sufficient(|| self.lists(place, first, second)),
                _ if are_equal(old, new) => {}
                _ => self.found(place, [was, is]),
            },
            (None, None) => {}
            _ => self.found(place, [was, is]),
        }
    }

    /// Compares two lists.
    fn lists(&mut self, place: &Place, was: &[Value], is: &[Value]) {
        let last = self.names.last().map_or("", |name| &**name);
        let objects = was.iter().chain(is).all(|item| item.as_entries().is_some());
        account::work((was.len() + is.len()) as u64);
        if place.part == Part::Document && objects && (ADDRESSED.contains(&last) || last == "relevant_attributes") {
            return self.paired(place, was, is);
        }
        if place.part == Part::Document && !objects && was.len() != is.len() {
            // A list of names says more as a whole.
            let [was, is] = [was, is].map(|items| Value::tuple(items.to_vec()));
            return self.found(place, [Some(&was), Some(&is)]);
        }
        for at in 0..was.len().max(is.len()) {
            let step = at.to_string();
            let next = Place {
                key: key_hash(place.key, &step),
                shape: key_hash(place.shape, "*"),
                part: place.part,
                owner: place.owner.clone(),
            };
            self.step("*", &step, |walk| walk.compare(&next, was.get(at), is.get(at)));
        }
    }

    /// Compares two lists of objects that are about different things.
    fn paired(&mut self, place: &Place, was: &[Value], is: &[Value]) {
        let mut firsts: BTreeMap<u64, Vec<usize>> = BTreeMap::new();
        for (at, item) in was.iter().enumerate().rev() {
            account::build(4, 64);
            firsts.entry(identity(item)).or_default().push(at);
        }
        let mut pairs: Vec<[Option<usize>; 2]> = Vec::new();
        for (at, item) in is.iter().enumerate() {
            account::work(4);
            let first = firsts.get_mut(&identity(item)).and_then(Vec::pop);
            account::push(&mut pairs, [first, Some(at)]);
        }
        let mut left: Vec<usize> = firsts.into_values().flatten().collect();
        account::work(8 * left.len() as u64);
        left.sort_unstable();
        pairs.extend(left.into_iter().map(|at| [Some(at), None]));
        for [first, second] in pairs {
            let sides = [first.and_then(|at| was.get(at)), second.and_then(|at| is.get(at))];
            let Some(item) = sides[1].or(sides[0]) else { continue };
            let address = address(item);
            // The blocks of the configuration have addresses, too.
            let is_of_plan = self.names.first().is_some_and(|top| **top != *"configuration");
            let is_listed = is_of_plan && address.is_some_and(|address| self.listed.contains(address));
            if is_listed && sides.iter().any(Option::is_none) {
                continue;
            }
            let key = identity(item);
            let owner = address.filter(|_| !item.entries().iter().any(|(name, _)| &**name == "child_modules"));
            let next = Place {
                key: key_hash(place.key, &key),
                shape: key_hash(place.shape, "*"),
                part: place.part,
                owner: owner.map(|address| {
                    account::text(address.len());
                    (address.into(), 0)
                }),
            };
            let [was_step, is_step] = [first, second].map(|at| at.or(second).or(first).unwrap_or(0).to_string());
            self.steps("*", [&was_step, &is_step], |walk| walk.compare(&next, sides[0], sides[1]));
        }
    }

    fn step(&mut self, name: &str, step: &str, inside: impl FnOnce(&mut Self)) {
        self.steps(name, [step, step], inside);
    }

    /// Does something one step further in.
    fn steps(&mut self, name: &str, steps: [&str; 2], inside: impl FnOnce(&mut Self)) {
        let lengths = self.pointers.each_ref().map(String::len);
        for (pointer, step) in self.pointers.iter_mut().zip(steps) {
            account::touch(step.len());
            push_step(pointer, step);
        }
        account::text(name.len());
        self.names.push(name.into());
        inside(self);
        self.names.pop();
        for (pointer, length) in self.pointers.iter_mut().zip(lengths) {
            pointer.truncate(length);
        }
    }

    /// Reports a difference.
    fn found(&mut self, place: &Place, sides: [Option<&Value>; 2]) {
        let is_hidden = (0..2).any(|side| self.hides(side));
        let pointer = if sides[1].is_some() { &self.pointers[1] } else { &self.pointers[0] };
        let change = change_of(&sides);
        let parts = sides.map(|side| side.map(FoundSide::Part));
        let kind = match place.part {
            Part::Document => UpgradeKind::Document,
            Part::Value => UpgradeKind::Value,
            Part::Mask(kind) => kind,
            Part::Type => UpgradeKind::Type,
        };
        let (address, pointer) = match (&place.owner, place.part) {
            (Some((address, at)), Part::Value | Part::Mask(_) | Part::Type) => {
                (&**address, pointer.get(*at..).unwrap_or_default())
            }
            _ => ("", &**pointer),
        };
        (self.sink)(&FoundChange {
            kind,
            address,
            pointer,
            change,
            sides: parts,
            is_hidden,
            place: place.key.max(1),
            shape: place.shape,
        });
    }

    /// Whether a document does not show what stands here, around it or in it.
    fn hides(&self, side: usize) -> bool {
        let (Some(pointer), Some(redacted)) = (self.pointers.get(side), self.redacted.get(side)) else {
            return false;
        };
        if redacted.is_empty() {
            return false;
        }
        account::touch(pointer.len() * 4);
        let mut around = pointer.as_str();
        loop {
            if redacted.contains(around) {
                return true;
            }
            match around.rsplit_once('/') {
                Some((outer, _)) => around = outer,
                None => break,
            }
        }
        let within =
            redacted.range::<str, _>((std::ops::Bound::Excluded(pointer.as_str()), std::ops::Bound::Unbounded));
        within.take(1).any(|next| next.strip_prefix(pointer.as_str()).is_some_and(|rest| rest.starts_with('/')))
    }
}

/// Returns the address of an object in a document.
fn address(item: &Value) -> Option<&str> {
    let own = item.get("address")?;
    own.as_text().or_else(|| own.get("to_display")?.as_text())
}

/// Returns a number that stands for what an object is about: its address, else all that it says.
fn identity(item: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    match address(item) {
        Some(address) => {
            account::touch(address.len());
            address.hash(&mut hasher);
            // What is deposed is listed besides.
            item.get("deposed").and_then(Value::as_text).hash(&mut hasher);
        }
        None => super::hash_of(item).hash(&mut hasher),
    }
    hasher.finish()
}

/// Whether two values without parts are the same.
fn are_equal(was: &Value, is: &Value) -> bool {
    match (was.kind(), is.kind()) {
        (Kind::Bool(own), Kind::Bool(other)) => own == other,
        (Kind::Number(own), Kind::Number(other)) => own.equals(other),
        (Kind::Text(own), Kind::Text(other)) => {
            account::touch(own.len());
            own == other
        }
        (Kind::Null(_), Kind::Null(_)) => true,
        _ => false,
    }
}

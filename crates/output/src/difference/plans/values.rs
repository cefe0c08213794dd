//! Compares planned values, as deep as they differ.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::fmt::Write as _;
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::sync::Arc;

use foldhash::HashMap;

use super::moves::RenamedAddresses;
use super::{ValueChange, ValueSide};
use crate::config::{is_identifier, quoted_literal};
use crate::difference::DifferenceKind;
use overfold_base::account;
use overfold_base::diag::Secrecy;
use overfold_module::plan::{PartOrigin, ResourceOrigin};
use overfold_value::{Kind, Value, with_stack};

/// What decides whether two values are the same.
#[derive(Clone, Copy)]
pub(super) struct ValueRules<'r> {
    /// The highest secrecy of values that may be shown.
    pub(super) shown: Secrecy,
    /// Where the addresses of the first side have moved to.
    pub(super) renamed: &'r RenamedAddresses,
    /// Whether two values that are not known are the same whatever they come from.
    pub(super) ignores_origins: bool,
}

/// Returns the differences between two values: absent and null are the same.
pub(super) fn differences<'r>(
    rules: ValueRules<'_>,
    origins: [&'r [PartOrigin]; 2],
    values: [Option<&'r Value>; 2],
) -> Vec<ValueChange<'r>> {
    let mut comparison = Comparison {
        rules,
        origins,
        places: [Place::default(), Place::default()],
        hides: true,
        limit: usize::MAX,
        found: Vec::new(),
    };
    let [before, after] = values;
    comparison.compare(before, after);
    comparison.found
}

/// Whether two planned objects are the same.
pub(super) fn are_same(rules: ValueRules<'_>, origins: [&ResourceOrigin; 2], [before, after]: [&Value; 2]) -> bool {
    let origins = origins.map(|origin| &*origin.parts);
    differences(rules, origins, [Some(before), Some(after)]).is_empty()
}

/// Where a value is on one side.
#[derive(Clone, Default)]
struct Place {
    /// JSON Pointer into the planned object.
    pointer: String,
    /// Which parts of the pointer are positions, not names.
    positions: Vec<bool>,
    /// The length of the pointer up to the first set: the positions of the elements of a set say nothing of the blocks that
    /// make them.
    ordered: Option<usize>,
}

struct Comparison<'m, 'r> {
    rules: ValueRules<'m>,
    origins: [&'r [PartOrigin]; 2],
    places: [Place; 2],
    /// Whether differences of hidden values are reported for the hidden value as a whole.
    hides: bool,
    /// The number of differences after which the comparison may end.
    limit: usize,
    found: Vec<ValueChange<'r>>,
}

/// Returns a value unless it is null.
fn present(value: Option<&Value>) -> Option<&Value> {
    value.filter(|value| !value.is_null())
}

impl<'r> Comparison<'_, 'r> {
    fn compare(&mut self, before: Option<&'r Value>, after: Option<&'r Value>) {
        account::work(2);
        let (before, after) = (present(before), present(after));
        if self.found.len() >= self.limit || before.is_none() && after.is_none() {
            return;
        }
        let secrecy = |value: Option<&Value>| value.map_or(Secrecy::Open, |value| value.marks().secrecy());
        if self.hides && secrecy(before).max(secrecy(after)) > self.rules.shown {
            if self.differ(before, after) {
                self.push(before, after, true);
            }
            return;
        }
        let (Some(was), Some(is)) = (before, after) else {
            // What nothing sets is the same as what is not there.
            let side = usize::from(before.is_none());
            let is_set = before.or(after).is_some_and(Value::is_known) || self.origin(side).is_some();
            if is_set || self.rules.ignores_origins {
                self.push(before, after, false);
            }
            return;
        };
        match (was.is_known(), is.is_known()) {
            (true, true) => with_stack(|| self.known(was, is)),
            (false, false) if self.have_same_origin(was, is) => {}
            _ => self.changed(was, is),
        }
    }

    /// Compares two values that are known and not null.
    fn known(&mut self, was: &'r Value, is: &'r Value) {
        match (was.kind(), is.kind()) {
            (Kind::Bool(a), Kind::Bool(b)) if a == b => {}
            (Kind::Number(a), Kind::Number(b)) if a.equals(b) => {}
            (Kind::Text(a), Kind::Text(b)) => {
                account::touch(if a.len() == b.len() { a.len() } else { 0 });
                if a != b {
                    self.push(Some(was), Some(is), false);
                }
            }
            (Kind::Set(a), Kind::Set(b)) => self.sets(a.items(), b.items()),
            _ => match (was.as_entries(), is.as_entries(), was.as_items(), is.as_items()) {
                (Some(a), Some(b), ..) => self.entries(a, b),
                (_, _, Some(a), Some(b)) => self.lists(a, b),
                _ => self.changed(was, is),
            },
        }
    }

    /// Reports a change between values of different kinds, or of which one is not known.
    fn changed(&mut self, was: &'r Value, is: &'r Value) {
        let hidden = self.hides && was.deep_marks().and(is.deep_marks()).secrecy() > self.rules.shown;
        self.push(Some(was), Some(is), hidden);
    }

    /// Compares entries, which are sorted by key.
    fn entries(&mut self, before: &'r [(Arc<str>, Value)], after: &'r [(Arc<str>, Value)]) {
        let (mut was, mut is) = (before.iter().peekable(), after.iter().peekable());
        loop {
            let order = match (was.peek(), is.peek()) {
                (Some((own, _)), Some((other, _))) => {
                    account::touch(own.len().min(other.len()));
                    own.cmp(other)
                }
                (Some(_), None) => Ordering::Less,
                (None, Some(_)) => Ordering::Greater,
                (None, None) => return,
            };
            let first = was.next_if(|_| order.is_le());
            let second = is.next_if(|_| order.is_ge());
            let Some((name, _)) = first.or(second) else { return };
            let step = escaped(name);
            self.at([&step, &step], false, |own| {
                own.compare(first.map(|(_, value)| value), second.map(|(_, value)| value));
            });
        }
    }

    /// Compares lists position by position. In lists of different lengths, what is equal at both ends is left out first.
    fn lists(&mut self, before: &'r [Value], after: &'r [Value]) {
        let (mut head, mut tail) = (0, 0);
        if before.len() != after.len() {
            let hashes = [before, after].map(|items| items.iter().map(hash_of).collect::<Vec<_>>());
            let [was, is] = &hashes;
            let most = was.len().min(is.len());
            head = was.iter().zip(is).take_while(|(own, other)| own == other).count();
            let pairs = was.iter().rev().zip(is.iter().rev());
            tail = pairs.take(most - head).take_while(|(own, other)| own == other).count();
        }
        let (first_end, second_end) = (before.len() - tail, after.len() - tail);
        // What looks equal is compared, too: two different values can have one hash.
        for at in 0..first_end.max(second_end).max(head) {
            let (first, second) =
                (before.get(at).filter(|_| at < first_end), after.get(at).filter(|_| at < second_end));
            self.item([at, at], first, second);
        }
        for at in 0..tail {
            let places = [first_end + at, second_end + at];
            self.item(places, before.get(places[0]), after.get(places[1]));
        }
    }

    fn item(&mut self, places: [usize; 2], before: Option<&'r Value>, after: Option<&'r Value>) {
        let [first, second] = places.map(|at| at.to_string());
        self.at([&first, &second], true, |own| own.compare(before, after));
    }

    /// Compares sets: what only one of them has is added or removed.
    fn sets(&mut self, before: &'r [Value], after: &'r [Value]) {
        let mut by_hash: HashMap<u64, Vec<usize>> = HashMap::default();
        for (at, item) in after.iter().enumerate() {
            account::work(2);
            account::grow(32);
            by_hash.entry(hash_of(item)).or_default().push(at);
        }
        let outer = self.places.clone();
        for place in &mut self.places {
            place.ordered.get_or_insert(place.pointer.len());
        }
        let mut is_matched = vec![false; after.len()];
        let mut removed = Vec::new();
        for (at, item) in before.iter().enumerate() {
            account::work(2);
            let candidates = by_hash.get_mut(&hash_of(item));
            let found = candidates.and_then(|candidates| {
                let is_same =
                    |other: &usize| after.get(*other).is_some_and(|other| !self.differ(Some(item), Some(other)));
                let position = candidates.iter().position(is_same)?;
                Some(candidates.swap_remove(position))
            });
            match found.and_then(|other| is_matched.get_mut(other)) {
                Some(flag) => *flag = true,
                None => account::push(&mut removed, (at, item)),
            }
        }
        let added = after.iter().enumerate().zip(&is_matched).filter(|(_, is_matched)| !**is_matched);
        let added: Vec<(usize, &Value)> = added.map(|(item, _)| item).collect();
        let all = removed.iter().chain(&added).map(|(_, item)| item.deep_marks().secrecy());
        let hidden = self.hides && all.max().unwrap_or(Secrecy::Open) > self.rules.shown;
        for (at, item) in removed {
            let step = at.to_string();
            self.at([&step, &step], true, |own| own.push(Some(item), None, hidden));
        }
        for (at, item) in added {
            let step = at.to_string();
            self.at([&step, &step], true, |own| own.push(None, Some(item), hidden));
        }
        self.places = outer;
    }

    /// Does something with the places one step further in, which is to a position or to a name.
    fn at(&mut self, steps: [&str; 2], is_position: bool, inside: impl FnOnce(&mut Self)) {
        let lengths = self.places.each_ref().map(|place| place.pointer.len());
        for (place, step) in self.places.iter_mut().zip(steps) {
            account::touch(step.len());
            // Writing to a string never fails.
            let _ = write!(place.pointer, "/{step}");
            account::push(&mut place.positions, is_position);
        }
        inside(self);
        for (place, length) in self.places.iter_mut().zip(lengths) {
            place.pointer.truncate(length);
            place.positions.pop();
        }
    }

    /// Whether two values differ at all, secrets included.
    fn differ(&mut self, before: Option<&'r Value>, after: Option<&'r Value>) -> bool {
        let found = std::mem::take(&mut self.found);
        let (hides, limit) = (self.hides, self.limit);
        (self.hides, self.limit) = (false, 1);
        self.compare(before, after);
        (self.hides, self.limit) = (hides, limit);
        !std::mem::replace(&mut self.found, found).is_empty()
    }

    /// Whether two values that are not known come from the same kind of place: what nothing sets, or arguments that depend on
    /// the same and say the same about it.
    fn have_same_origin(&self, was: &Value, is: &Value) -> bool {
        if self.rules.ignores_origins {
            return true;
        }
        let limits = |value: &Value| match value.kind() {
            Kind::Unknown { limits, .. } => limits.clone(),
            _ => None,
        };
        match (self.origin(0), self.origin(1)) {
            (None, None) => true,
            (Some(own), Some(other)) => {
                let says_same = match (&own.skeleton, &other.skeleton) {
                    (Some(own), Some(other)) => own == other,
                    _ => true,
                };
                says_same && limits(was) == limits(is) && self.have_same_sources(own, other)
            }
            _ => false,
        }
    }

    fn have_same_sources(&self, own: &PartOrigin, other: &PartOrigin) -> bool {
        account::work(4 * (own.sources.len() + other.sources.len()) as u64);
        if own.sources.len() != other.sources.len() {
            return false;
        }
        let mut moved: Vec<(Cow<'_, str>, &str)> =
            own.sources.iter().map(|source| (self.rules.renamed.address(&source.address), &*source.steps)).collect();
        moved.sort_unstable();
        let others = other.sources.iter().map(|source| (&*source.address, &*source.steps));
        moved.iter().map(|(address, steps)| (&**address, *steps)).eq(others)
    }

    /// Returns the origin of the value at the current place of a side: that of the argument or block around it. Without a
    /// schema, an argument that is null is not known, as if nothing set it.
    fn origin(&self, side: usize) -> Option<&'r PartOrigin> {
        let (place, parts) = (self.places.get(side)?, *self.origins.get(side)?);
        let mut pointer = place.pointer.get(..place.ordered.unwrap_or(place.pointer.len()))?;
        loop {
            account::work(4);
            account::touch(pointer.len());
            if let Ok(at) = parts.binary_search_by(|part| (*part.pointer).cmp(pointer)) {
                return parts.get(at).filter(|part| part.skeleton.as_deref() != Some("null"));
            }
            pointer = pointer.rsplit_once('/')?.0;
        }
    }

    fn push(&mut self, before: Option<&'r Value>, after: Option<&'r Value>, is_hidden: bool) {
        let origins = [self.origin(0), self.origin(1)];
        let [own, other] = origins;
        let side = |value: Option<&'r Value>, origin| Some(ValueSide { value: value?, origin });
        let sides = [side(before, own), side(after, other)];
        let change = match (before, after) {
            (None, _) => DifferenceKind::Added,
            (_, None) => DifferenceKind::Removed,
            _ => DifferenceKind::Changed,
        };
        let [was, is] = &self.places;
        let place = if after.is_some() { is } else { was };
        let (pointer, path) = (place.pointer.as_str(), place.path());
        account::copy(pointer.len());
        account::grow((pointer.len() + path.len()) as u64 + size_of::<ValueChange<'_>>() as u64);
        let (pointer, path) = (pointer.into(), path.into());
        account::push(&mut self.found, ValueChange { pointer, path, change, sides, origins, is_hidden });
    }
}

impl Place {
    /// Returns the place as a person writes it: `tags["a/b"]`, `ingress[0].cidr`.
    fn path(&self) -> String {
        let mut path = String::new();
        let steps = self.pointer.split('/').skip(1);
        for (step, is_position) in steps.zip(&self.positions) {
            account::touch(3 * step.len());
            let name =
                if step.contains('~') { step.replace("~1", "/").replace("~0", "~").into() } else { Cow::from(step) };
            // Writing to a string never fails.
            let _ = match (*is_position, is_identifier(&name)) {
                (true, _) => write!(path, "[{step}]"),
                (false, true) => write!(path, "{}{name}", if path.is_empty() { "" } else { "." }),
                (false, false) => write!(path, "[{}]", quoted_literal(&name)),
            };
        }
        path
    }
}

/// Returns a name as a part of a JSON Pointer.
fn escaped(name: &str) -> Cow<'_, str> {
    account::touch(name.len());
    if name.contains(['~', '/']) { name.replace('~', "~0").replace('/', "~1").into() } else { name.into() }
}

/// Returns a number that is the same for values that are the same, wherever what is not known of them comes from.
pub(super) fn hash_of(value: &Value) -> u64 {
    let mut hasher = DefaultHasher::new();
    add(value, &mut hasher);
    hasher.finish()
}

/// Adds a value to a hash. Entries that are null count as absent.
fn add(value: &Value, hasher: &mut DefaultHasher) {
    account::work(1);
    match value.kind() {
        Kind::Null(_) => 0_u8.hash(hasher),
        Kind::Unknown { .. } => 1_u8.hash(hasher),
        Kind::Bool(value) => (2_u8, value).hash(hasher),
        Kind::Number(number) => (3_u8, number.to_text().unwrap_or_default()).hash(hasher),
        Kind::Text(text) => {
            account::touch(text.len());
            (4_u8, &**text).hash(hasher);
        }
        Kind::Set(sequence) => {
            // The order of a set depends on more than its elements.
            let hashes = sequence.items().iter().map(|item| with_stack(|| hash_of(item)));
            (5_u8, sequence.items().len(), hashes.fold(0_u64, u64::wrapping_add)).hash(hasher);
        }
        Kind::List(sequence) | Kind::Tuple(sequence) => {
            (6_u8, sequence.items().len()).hash(hasher);
            for item in sequence.items() {
                with_stack(|| add(item, hasher));
            }
        }
        Kind::Map(mapping) | Kind::Object(mapping) => {
            7_u8.hash(hasher);
            for (key, entry) in mapping.entries().iter().filter(|(_, entry)| !entry.is_null()) {
                account::touch(key.len());
                key.hash(hasher);
                with_stack(|| add(entry, hasher));
            }
            8_u8.hash(hasher);
        }
    }
}

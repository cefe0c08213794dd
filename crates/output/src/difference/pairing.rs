//! Determines which objects of two sides correspond to each other.
//!
//! Objects correspond by kind and address, after the `moved` blocks of the second side (`renames`). Several objects can
//! share an address, or only have a number; then equal ones correspond first. If their order has no meaning, an equal
//! one may be anywhere, preferably in the same file; otherwise the order is kept (`align`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use foldhash::HashMap;

use super::compare::{ComparedItem, Named, View};
use super::renames::Renames;
use crate::align::{Aligned, align};
use overfold_base::account::{self, List};
use overfold_dialect::{AddressRule, AttrKind};

/// An object and its counterpart; one of them may be missing.
pub(super) type Pair<'r> = (Option<Named<'r>>, Option<Named<'r>>);

/// The objects of both sides that may correspond to each other.
#[derive(Default)]
struct Group<'r> {
    sides: [List<Named<'r>>; 2],
    /// Whether the order of the objects has no meaning.
    is_unordered: bool,
    /// Whether blocks have moved those of the first side to this address.
    is_moved: bool,
}

/// Returns all objects in pairs. `unfolds` is as in `normal::Reading`. Swapping the sides swaps the pairs.
pub(super) fn pairs<'r>(first: &View<'r>, second: &View<'r>, renames: &Renames, unfolds: bool) -> Vec<Pair<'r>> {
    let mut groups: BTreeMap<(String, String), Group<'r>> = BTreeMap::new();
    for (at, view) in [first, second].into_iter().enumerate() {
        let is_list = view.report.module.blocks.is_some();
        for (path, found) in view.outermost(0) {
            let element = view.element(found.origin);
            let rule = element.and_then(|element| element.block.spec).map(|row| row.address);
            let kind =
                element.map_or_else(|| path.first().copied().unwrap_or_default(), |element| element.kind.name());
            let address = element.map_or_else(|| path.join("."), |element| element.address.to_string());
            let (name, is_unordered) = match rule {
                Some(AddressRule::Numbered(word)) => (word.to_owned(), true),
                Some(_) => (address.clone(), false),
                // Labels may contain dots.
                None => (path.join("\0"), is_list),
            };
            let moved = element.filter(|_| at == 0).and_then(|_| renames.address(&address));
            let name = moved.map_or(name, str::to_owned);
            account::grow(2 * (name.len() + kind.len()) as u64 + 64);
            let group = groups.entry((kind.to_owned(), name)).or_default();
            group.is_moved |= moved.is_some();
            group.is_unordered |= is_unordered;
            let named = Named { kind: kind.to_owned(), address, element, found };
            if let Some(side) = group.sides.get_mut(at) {
                side.push(named);
            }
        }
    }
    let mut pairs = List::new();
    for Group { sides: [before, after], is_unordered, is_moved } in groups.into_values() {
        if is_moved && let [to] = &*after {
            // Several objects can become instances of one.
            for from in before {
                account::grow((to.address.len() + to.kind.len()) as u64);
                pairs.push((Some(from), Some(to.clone())));
            }
            continue;
        }
        let aligned = match (&*before, &*after) {
            ([_], [_]) => vec![Aligned::Both(0, 0)],
            ([], _) | (_, []) => align(&texts(first, &before), &texts(second, &after)),
            _ if is_unordered => {
                let sides = [Side { view: first, objects: &before }, Side { view: second, objects: &after }];
                regardless_of_order(&sides, unfolds)
            }
            _ => align(&texts(first, &before), &texts(second, &after)),
        };
        let mut before: Vec<Option<Named<'r>>> = before.into_iter().map(Some).collect();
        let mut after: Vec<Option<Named<'r>>> = after.into_iter().map(Some).collect();
        let take = |side: &mut Vec<Option<Named<'r>>>, at: usize| side.get_mut(at).and_then(Option::take);
        for pair in aligned {
            let pair = match pair {
                Aligned::Both(a, b) => (take(&mut before, a), take(&mut after, b)),
                Aligned::First(a) => (take(&mut before, a), None),
                Aligned::Second(b) => (None, take(&mut after, b)),
            };
            pairs.push(pair);
        }
    }
    pairs.into_vec()
}

fn texts<'v>(view: &'v View<'_>, objects: &[Named<'_>]) -> Vec<&'v [u8]> {
    objects.iter().map(|named| view.text(named.found)).collect()
}

/// The objects of one side.
struct Side<'s, 'r> {
    view: &'s View<'r>,
    objects: &'s [Named<'r>],
}

/// Pairs objects whose order has no meaning: equal ones first, preferably in the same file; then those that are about
/// the same address; then the remaining ones by position.
fn regardless_of_order(sides: &[Side<'_, '_>; 2], unfolds: bool) -> Vec<Aligned> {
    let [first, second] = sides;
    let contents = sides.each_ref().map(|side| {
        let canonical = |named: &Named<'_>| side.view.canonical(named.found.node, unfolds);
        side.objects.iter().map(canonical).collect::<Vec<_>>()
    });
    let mut matching = Matching {
        free: [(0..first.objects.len()).collect(), (0..second.objects.len()).collect()],
        pairs: Vec::new(),
    };
    let content = |at: usize, index: usize| contents.get(at)?.get(index);
    matching.by_key(|at, index| {
        let side = sides.get(at)?;
        let file = side.objects.get(index).and_then(|named| side.view.file(named.found));
        Some((content(at, index)?, file))
    });
    matching.by_key(content);
    let names: BTreeSet<&str> = sides.iter().flat_map(|side| side.objects.iter().flat_map(addressing)).collect();
    let argument = |at: usize, index: usize, name: &str| {
        let side = sides.get(at)?;
        let node = side.view.member(side.objects.get(index)?.found.node, name)?;
        Some(side.view.canonical(node, unfolds))
    };
    matching.by_key(|at, index| Some(names.iter().map(|name| argument(at, index, name)).collect::<Vec<_>>()));
    for name in names {
        matching.by_key(|at, index| argument(at, index, name));
    }
    let Matching { free: [a, b], mut pairs } = matching;
    let text = |side: &Side<'_, '_>, at: usize| side.objects.get(at).map(|named| named.found);
    let rest = |side: &Side<'_, '_>, free: &[usize]| -> Vec<ComparedItem> {
        free.iter().filter_map(|at| text(side, *at)).collect()
    };
    let (was, is) = (rest(first, &a), rest(second, &b));
    let was: Vec<&[u8]> = was.iter().map(|found| first.view.text(*found)).collect();
    let is: Vec<&[u8]> = is.iter().map(|found| second.view.text(*found)).collect();
    let index = |free: &[usize], at: usize| free.get(at).copied().unwrap_or_default();
    pairs.extend(align(&was, &is).into_iter().map(|pair| match pair {
        Aligned::Both(x, y) => Aligned::Both(index(&a, x), index(&b, y)),
        Aligned::First(x) => Aligned::First(index(&a, x)),
        Aligned::Second(y) => Aligned::Second(index(&b, y)),
    }));
    pairs
}

/// Returns the names of the arguments that say which addresses an object is about.
fn addressing(named: &Named<'_>) -> impl Iterator<Item = &'static str> {
    let rows = named.element.and_then(|element| element.block.spec).map_or(&[][..], |spec| spec.attrs);
    rows.iter().filter(|row| matches!(row.kind, AttrKind::Address(_))).map(|row| row.name)
}

/// Objects that are being paired.
struct Matching {
    /// The indexes that have no counterpart yet, ascending.
    free: [Vec<usize>; 2],
    pairs: Vec<Aligned>,
}

impl Matching {
    /// Pairs free objects with the same key, those with one key in order. `key` is called with a side and an index.
    fn by_key<K: Eq + std::hash::Hash>(&mut self, key: impl Fn(usize, usize) -> Option<K>) {
        let [before, after] = &mut self.free;
        account::work(8 * (before.len() + after.len()) as u64);
        let mut places: HashMap<K, VecDeque<usize>> = HashMap::default();
        for &at in &*after {
            if let Some(key) = key(1, at) {
                places.entry(key).or_default().push_back(at);
            }
        }
        let mut taken = BTreeSet::new();
        before.retain(|&at| {
            let found = key(0, at).and_then(|key| places.get_mut(&key)?.pop_front());
            self.pairs.extend(found.map(|other| Aligned::Both(at, other)));
            taken.extend(found);
            found.is_none()
        });
        after.retain(|at| !taken.contains(at));
    }
}

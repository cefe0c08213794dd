//! Finds `moved` blocks that seem to be missing: what was removed and what was added look the same.

use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use foldhash::{HashMap, HashMapExt as _, HashSet};

use super::SuggestedMove;
use super::moves::RenamedAddresses;
use super::values::{ValueRules, are_same, hash_of};
use overfold_base::account;
use overfold_base::diag::Secrecy;
use overfold_module::plan::{Plan, PlannedResource, ResourceMode, ResourceOrigin};

/// One side of a comparison.
#[derive(Clone, Copy)]
pub(super) struct PlanSide<'r> {
    pub(super) plan: &'r Plan,
    pub(super) addresses: &'r [Box<str>],
    /// The positions of the instances that only this side has.
    pub(super) alone: &'r [usize],
}

/// Instances of one resource, by position.
struct Group<'r> {
    type_name: &'r str,
    /// The address without a key.
    address: String,
    instances: Vec<usize>,
    hash: u64,
}

impl<'r> PlanSide<'r> {
    fn resource(self, at: usize) -> Option<&'r PlannedResource> {
        self.plan.resources.get(at).filter(|resource| resource.mode == ResourceMode::Managed)
    }

    fn address(self, at: usize) -> &'r str {
        self.addresses.get(at).map_or("", |address| address)
    }

    /// Returns the address of the resource of an instance.
    fn resource_address(self, at: usize, resource: &PlannedResource) -> &'r str {
        let address = self.address(at);
        account::touch(address.len());
        let key = resource.key.as_ref().map_or_else(String::new, ToString::to_string);
        address.strip_suffix(key.as_str()).unwrap_or(address)
    }

    /// Returns the resources of which every instance is on this side alone.
    fn groups(self) -> Vec<Group<'r>> {
        let mut sizes: HashMap<&str, usize> = HashMap::new();
        for (at, resource) in self.plan.resources.iter().enumerate() {
            account::work(2);
            *sizes.entry(self.resource_address(at, resource)).or_default() += 1;
        }
        let mut groups: Vec<Group<'r>> = Vec::new();
        for &at in self.alone {
            let Some(resource) = self.resource(at) else { continue };
            let address = self.resource_address(at, resource);
            account::grow(16);
            match groups.last_mut().filter(|last| last.address == address) {
                Some(last) => last.instances.push(at),
                None => {
                    let (type_name, address) = (&*resource.type_name, address.to_owned());
                    groups.push(Group { type_name, address, instances: vec![at], hash: 0 });
                }
            }
        }
        groups.retain(|group| sizes.get(group.address.as_str()) == Some(&group.instances.len()));
        for group in &mut groups {
            let mut hasher = DefaultHasher::new();
            for resource in group.instances.iter().filter_map(|at| self.resource(*at)) {
                (&resource.key, hash_of(&resource.change.after)).hash(&mut hasher);
            }
            group.hash = hasher.finish();
        }
        groups
    }
}

/// Returns the blocks that would keep objects, in the order of the first side: each pairs what was removed with the only thing
/// of its type that was added with the same values. Whole resources come before single instances.
pub(super) fn suggested<'r>(
    [before, after]: [PlanSide<'r>; 2],
    renamed: &RenamedAddresses,
    shown: Secrecy,
) -> Vec<SuggestedMove> {
    let rules = ValueRules { shown, renamed, ignores_origins: true };
    let nothing = ResourceOrigin::default();
    let same = |first: usize, second: usize| {
        let (Some(was), Some(is)) = (before.resource(first), after.resource(second)) else { return false };
        are_same(rules, [&nothing, &nothing], [&was.change.after, &is.change.after])
    };
    let (removed, added) = (before.groups(), after.groups());
    let key = |group: &Group<'r>| (group.type_name, group.hash);
    let mut moves: Vec<(usize, SuggestedMove)> = Vec::new();
    let mut taken: [HashSet<usize>; 2] = Default::default();
    for [was, is] in unique_pairs(&removed, &added, key) {
        let pairs = || was.instances.iter().copied().zip(is.instances.iter().copied());
        if was.instances.len() == is.instances.len() && pairs().all(|(first, second)| same(first, second)) {
            account::grow(64 * was.instances.len() as u64);
            taken[0].extend(&was.instances);
            taken[1].extend(&is.instances);
            let first = was.instances.first().copied().unwrap_or_default();
            moves.push((first, suggestion(&was.address, &is.address)));
        }
    }
    let singles = |side: PlanSide<'r>, taken: &HashSet<usize>| -> Vec<(usize, &'r str, u64)> {
        let open = side.alone.iter().copied().filter(|at| !taken.contains(at));
        let single = |at| {
            let resource = side.resource(at)?;
            account::grow(48);
            Some((at, &*resource.type_name, hash_of(&resource.change.after)))
        };
        open.filter_map(single).collect()
    };
    let (removed, added) = (singles(before, &taken[0]), singles(after, &taken[1]));
    for [(first, ..), (second, ..)] in unique_pairs(&removed, &added, |(_, type_name, hash)| (*type_name, *hash)) {
        if same(*first, *second) {
            moves.push((*first, suggestion(before.address(*first), after.address(*second))));
        }
    }
    moves.sort_by_key(|(at, _)| *at);
    moves.into_iter().map(|(_, found)| found).collect()
}

fn suggestion(from: &str, to: &str) -> SuggestedMove {
    account::copy(from.len() + to.len());
    account::grow((from.len() + to.len()) as u64 + 64);
    SuggestedMove { from: from.into(), to: to.into() }
}

/// Pairs the items of two lists whose key no other item of either list has.
fn unique_pairs<'i, T, K: std::hash::Hash + Eq>(
    before: &'i [T],
    after: &'i [T],
    key: impl Fn(&T) -> K,
) -> Vec<[&'i T; 2]> {
    let by_key = |list: &'i [T]| {
        let mut found: HashMap<K, Option<&'i T>> = HashMap::new();
        for item in list {
            account::work(4);
            account::grow(64);
            found.entry(key(item)).and_modify(|known| *known = None).or_insert(Some(item));
        }
        found
    };
    let (firsts, seconds) = (by_key(before), by_key(after));
    let pair = |item: &'i T| {
        account::work(4);
        let key = key(item);
        let first = firsts.get(&key).copied().flatten()?;
        Some([first, seconds.get(&key).copied().flatten()?])
    };
    before.iter().filter_map(pair).collect()
}

//! Follows the `moved` blocks of the second side: where each instance of the first side is now.

use std::borrow::Cow;

use foldhash::{HashMap, HashMapExt as _, HashSet};

use crate::plan::charged;
use overfold_base::account;
use overfold_base::written::written;
use overfold_module::plan::{InstanceKey, ModuleAddress, ModuleStep, Move, Plan, PlannedResource, Removal, Target};

/// The address of an instance.
#[derive(Clone, Debug)]
struct Address {
    modules: Vec<ModuleStep>,
    /// The resource within its module, without a key: `data.TYPE.NAME`.
    resource: Box<str>,
    key: Option<InstanceKey>,
}

impl Address {
    fn of(resource: &PlannedResource) -> Self {
        let modules = resource.module.0.to_vec();
        account::work(2 + modules.len() as u64);
        account::grow(64 + 64 * modules.len() as u64);
        Self { modules, resource: local(resource).into(), key: resource.key.clone() }
    }

    /// Returns the whole address.
    fn text(&self) -> Box<str> {
        self.written(true, true)
    }

    /// Returns the address with the keys of modules and of the instance, or without them.
    fn written(&self, with_module_keys: bool, with_key: bool) -> Box<str> {
        let mut text = if with_module_keys {
            path(&self.modules)
        } else {
            let steps = self.modules.iter().map(|step| written(format_args!("module.{}.", step.name)));
            steps.collect::<String>()
        };
        let key = self.key.as_ref().filter(|_| with_key).map_or_else(String::new, ToString::to_string);
        text.push_str(&self.resource);
        text.push_str(&key);
        charged(text)
    }
}

fn local(resource: &PlannedResource) -> String {
    written(format_args!("{}{}.{}", resource.mode.prefix(), resource.type_name, resource.name))
}

/// Returns the steps of a module instance, each with a dot after it.
fn path(modules: &[ModuleStep]) -> String {
    let mut text = String::new();
    for step in modules {
        text.push_str(&written(format_args!("{step}.")));
    }
    text
}

/// Where addresses of the first side have moved to.
#[derive(Debug, Default)]
pub(super) struct RenamedAddresses {
    /// Of instances, and of resources as a whole.
    by_address: HashMap<Box<str>, Box<str>>,
}

impl RenamedAddresses {
    /// Returns the address on the second side of an instance or resource of the first one.
    pub(super) fn address<'a>(&'a self, address: &'a str) -> Cow<'a, str> {
        account::touch(address.len());
        Cow::Borrowed(self.by_address.get(address).map_or(address, |moved| &**moved))
    }

    fn add(&mut self, from: Box<str>, to: Box<str>) {
        account::grow((from.len() + to.len()) as u64 + 64);
        self.by_address.entry(from).or_insert(to);
    }

    /// Adds an instance, and the forms of its address that references have: a module or a resource without its key stands for
    /// all instances.
    fn add_instance(&mut self, from: &Address, to: &Address) {
        for (with_module_keys, with_key) in [(true, true), (true, false), (false, true), (false, false)] {
            self.add(from.written(with_module_keys, with_key), to.written(with_module_keys, with_key));
        }
    }

    /// Adds a module instance of which nothing is planned, if blocks move it.
    fn add_call(&mut self, address: &ModuleAddress, statements: &Statements<'_>) {
        account::build(4, 64 * address.0.len() as u64);
        let from = Address { modules: address.0.to_vec(), resource: Box::default(), key: None };
        let Some(to) = statements.follow(&from) else { return };
        for with_keys in [true, false] {
            let [from, to] = [&from, &to].map(|address| address.written(with_keys, false));
            self.add(from.trim_end_matches('.').into(), to.trim_end_matches('.').into());
        }
    }

    /// Adds the resources that blocks move, for those of which no instance is known.
    fn add_resources(&mut self, moves: &[Move]) {
        for Move { module, from, to } in moves.iter().filter(|found| !is_of_instances(found)) {
            account::work(8);
            if from.resource.is_some() {
                let base: String = module.iter().map(|name| written(format_args!("module.{name}."))).collect();
                let [from, to] = [from, to].map(|target| charged(written(format_args!("{base}{target}"))));
                self.add(from, to);
            }
        }
    }
}

/// Which instance of the first side is which of the second one.
#[derive(Debug, Default)]
pub(super) struct Pairing {
    /// The instances by position on the first side and on the second one, in the order of the second side; whether it was moved.
    pub(super) both: Vec<(usize, usize, bool)>,
    /// Those of the first side that are gone.
    pub(super) removed: Vec<usize>,
    /// Those of `removed` that a `removed` block of the second side names; whether it destroys them.
    pub(super) named: HashMap<usize, bool>,
    /// Those of the second side that were not there.
    pub(super) added: Vec<usize>,
    /// The addresses that were moved.
    pub(super) renamed: RenamedAddresses,
    /// The addresses of the instances of both sides.
    pub(super) addresses: [Vec<Box<str>>; 2],
}

/// Pairs the instances of two plans.
pub(super) fn pair(before: &Plan, after: &Plan) -> Pairing {
    let [was, is] = [before, after].map(|plan| plan.resources.iter().map(Address::of).collect::<Vec<_>>());
    let addresses = [&was, &is].map(|list| list.iter().map(Address::text).collect::<Vec<_>>());
    let moves = after.origins.as_ref().map_or(&[][..], |origins| &origins.moves);
    let statements = Statements::new(moves);
    let there: HashMap<&str, usize> = addresses[1].iter().enumerate().map(|(at, text)| (&**text, at)).collect();
    let occupied: HashSet<&str> = addresses[0].iter().map(|text| &**text).collect();
    account::work(4 * (was.len() + is.len()) as u64);
    account::grow(48 * (was.len() + is.len()) as u64);
    let mut claimed: Vec<Option<(usize, bool)>> = vec![None; is.len()];
    let mut movers = Vec::new();
    let mut removed = Vec::new();
    for (at, (address, text)) in was.iter().zip(&addresses[0]).enumerate() {
        let moved = statements.follow(address);
        match &moved {
            Some(moved) => account::push(&mut movers, (at, moved.clone())),
            None => match there.get(&**text) {
                Some(&place) => set(&mut claimed, place, (at, false)),
                None => match implied(address, &there, &occupied) {
                    Some(moved) => account::push(&mut movers, (at, moved)),
                    None => account::push(&mut removed, at),
                },
            },
        }
    }
    let mut renamed = RenamedAddresses::default();
    for (at, moved) in movers {
        let to = moved.text();
        let own = addresses[0].get(at);
        let free = |text: &str| there.get(text).copied().filter(|place| claimed.get(*place) == Some(&None));
        // What is taken stays where it is, as the tool leaves it.
        if let Some(place) = free(&to) {
            set(&mut claimed, place, (at, true));
            if let Some(address) = was.get(at) {
                renamed.add_instance(address, &moved);
            }
        } else if let Some(place) = own.and_then(|own| free(own)) {
            set(&mut claimed, place, (at, false));
        } else {
            account::push(&mut removed, at);
        }
    }
    renamed.add_resources(moves);
    for call in before.origins.iter().flat_map(|origins| &origins.calls) {
        renamed.add_call(&call.address, &statements);
    }
    removed.sort_unstable();
    let removals = RemovedAddresses::new(after.origins.as_ref().map_or(&[][..], |origins| &origins.removals));
    let named = removed.iter().filter_map(|at| {
        let address = was.get(*at)?;
        let found = removals.find(address).or_else(|| removals.find(&statements.follow(address)?))?;
        Some((*at, found))
    });
    let named = named.collect();
    let mut pairing = Pairing { removed, named, renamed, addresses, ..Pairing::default() };
    for (place, claim) in claimed.into_iter().enumerate() {
        match claim {
            Some((at, is_moved)) => account::push(&mut pairing.both, (at, place, is_moved)),
            None => account::push(&mut pairing.added, place),
        }
    }
    pairing
}

fn set(claimed: &mut [Option<(usize, bool)>], place: usize, claim: (usize, bool)) {
    if let Some(slot) = claimed.get_mut(place) {
        *slot = Some(claim);
    }
}

/// Returns where an instance goes without any block: the tool takes the single instance of a resource and the first one of
/// `count` for the same.
fn implied(address: &Address, there: &HashMap<&str, usize>, occupied: &HashSet<&str>) -> Option<Address> {
    let key = match &address.key {
        None => Some(InstanceKey::Number(0)),
        Some(InstanceKey::Number(0)) => None,
        Some(_) => return None,
    };
    let other = Address { key, ..address.clone() };
    let text = other.text();
    (there.contains_key(&*text) && !occupied.contains(&*text)).then_some(other)
}

/// The `moved` blocks, by what they move.
struct Statements<'m> {
    moves: &'m [Move],
    by_from: HashMap<String, usize>,
}

/// Returns the key under which a block is found: the calls to its module, and what it moves from there.
fn key<'s>(module: impl Iterator<Item = &'s str>, from: &str) -> String {
    let mut text = String::new();
    for name in module {
        account::touch(name.len());
        text.push_str(name);
        text.push('\n');
    }
    account::touch(from.len());
    text.push('\n');
    text.push_str(from);
    text
}

/// Whether a block moves single instances: one of its addresses has a key.
fn is_of_instances(found: &Move) -> bool {
    let has_key = |target: &Target| match &target.resource {
        Some(step) => step.key.is_some(),
        None => target.modules.last().is_some_and(|step| step.key.is_some()),
    };
    has_key(&found.from) || has_key(&found.to)
}

impl<'m> Statements<'m> {
    fn new(moves: &'m [Move]) -> Self {
        let mut by_from = HashMap::new();
        for (at, found) in moves.iter().enumerate() {
            account::grow(128);
            let from = written(format_args!("{}", found.from));
            by_from.entry(key(found.module.iter().map(|name| &**name), &from)).or_insert(at);
        }
        Self { moves, by_from }
    }

    /// Returns where an instance is after all blocks; `None` if none moves it.
    fn follow(&self, address: &Address) -> Option<Address> {
        if self.moves.is_empty() {
            return None;
        }
        let mut moved: Option<Address> = None;
        // Blocks that lead in a circle are an error.
        for _ in 0..self.moves.len() {
            match self.step(moved.as_ref().unwrap_or(address)) {
                Some(next) => moved = Some(next),
                None => break,
            }
        }
        moved
    }

    /// Returns where the first block that moves an instance leads.
    fn step(&self, address: &Address) -> Option<Address> {
        let modules = &address.modules;
        for outer in 0..=modules.len() {
            let (base, rest) = modules.split_at_checked(outer)?;
            let names = || base.iter().map(|step| &*step.name);
            let find = |text: &str| {
                account::work(8);
                self.by_from.get(&key(names(), text)).and_then(|at| self.moves.get(*at))
            };
            // The resource, as an instance and as a whole.
            let inner = path(rest);
            let whole = written(format_args!("{inner}{}", address.resource));
            let instance = address.key.as_ref().map(|key| written(format_args!("{whole}{key}")));
            if let Some(found) = instance.as_deref().and_then(find).filter(|found| is_of_instances(found)) {
                return Some(resource_at(base, &found.to, None));
            }
            if let Some(found) = find(&whole) {
                match (is_of_instances(found), &address.key) {
                    (false, key) => return Some(resource_at(base, &found.to, key.clone())),
                    (true, None) => return Some(resource_at(base, &found.to, None)),
                    (true, Some(_)) => {}
                }
            }
            // A module around it, likewise.
            for length in (1..=rest.len()).rev() {
                let (around, inside) = rest.split_at_checked(length)?;
                let text = path(around);
                let text = text.trim_end_matches('.');
                let key = around.last().and_then(|step| step.key.clone());
                let without = key.as_ref().and_then(|key| text.strip_suffix(&key.to_string()));
                let found = find(text).filter(|found| key.is_none() || is_of_instances(found));
                let as_whole = || without.and_then(find).filter(|found| !is_of_instances(found));
                let Some(found) = found.or_else(as_whole) else { continue };
                let key = key.filter(|_| !is_of_instances(found));
                return Some(module_at(base, &found.to, key, inside, address));
            }
        }
        None
    }
}

/// The addresses, without keys, of what `removed` blocks name; whether they destroy it.
struct RemovedAddresses(HashMap<Box<str>, bool>);

impl RemovedAddresses {
    fn new(removals: &[Removal]) -> Self {
        let address = |Removal { module, from, destroys }: &Removal| {
            account::build(8, 96);
            let mut text: String = module.iter().map(|name| written(format_args!("module.{name}."))).collect();
            text.push_str(&written(format_args!("{from}")));
            (charged(text), *destroys)
        };
        Self(removals.iter().map(address).collect())
    }

    /// Says whether the block that names a resource, or the outermost module around it, destroys it; `None` if there is no
    /// such block.
    fn find(&self, address: &Address) -> Option<bool> {
        if self.0.is_empty() {
            return None;
        }
        let whole = address.written(false, false);
        account::work(2 + address.modules.len() as u64);
        account::touch(whole.len() * (1 + address.modules.len()));
        let mut end = 0;
        let mut modules = address.modules.iter().filter_map(|step| {
            let start = end + usize::from(end > 0);
            end = start + "module.".len() + step.name.len();
            self.0.get(whole.get(..end)?)
        });
        modules.next().or_else(|| self.0.get(&whole)).copied()
    }
}

/// Returns the module steps of a target.
fn steps(target: &Target) -> impl Iterator<Item = ModuleStep> + '_ {
    account::work(2 * target.modules.len() as u64);
    account::grow(96 * target.modules.len() as u64);
    target.modules.iter().map(|step| ModuleStep { name: step.name.as_str().into(), key: step.key.clone() })
}

/// Returns the address of a resource to which a block moves; `key` is the one that it keeps.
fn resource_at(base: &[ModuleStep], to: &Target, key: Option<InstanceKey>) -> Address {
    let modules = base.iter().cloned().chain(steps(to)).collect();
    let resource = to.resource.as_ref().map_or_else(String::new, |step| {
        written(format_args!("{}{}.{}", step.mode.prefix(), step.type_name, step.name))
    });
    let own = to.resource.as_ref().and_then(|step| step.key.clone());
    Address { modules, resource: resource.into(), key: own.or(key) }
}

/// Returns the address of an instance in a module that a block moves; `key` is the one that the module keeps.
fn module_at(
    base: &[ModuleStep],
    to: &Target,
    key: Option<InstanceKey>,
    inside: &[ModuleStep],
    address: &Address,
) -> Address {
    let mut modules: Vec<ModuleStep> = base.iter().cloned().chain(steps(to)).collect();
    if let (Some(last), Some(key)) = (modules.last_mut(), key) {
        last.key.get_or_insert(key);
    }
    account::work(2 * inside.len() as u64);
    modules.extend(inside.iter().cloned());
    Address { modules, resource: address.resource.clone(), key: address.key.clone() }
}

//! Where the provider configurations come from that the objects of an instance use: a provider block of its module or of
//! one that calls it.

use std::cell::RefCell;
use std::ops::ControlFlow;
use std::rc::Rc;

use foldhash::HashMap;

use super::instances::Instances;
use super::nodes::NodeId;
use super::schemas::Configuration;
use super::walker::ModuleNodes;
use overfold_base::account::{self, ChargedIterator};
use overfold_model::config::ObjectAddr;

/// Where a provider configuration comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Provider {
    /// From a provider block: the instance and its node.
    Declared(usize, NodeId),
    /// From nowhere, which is enough for a default configuration.
    Implied,
    /// From nowhere.
    Missing,
}

/// What has been looked up, so that a chain of calls is followed once and a list of names read once, however many objects
/// use them.
#[derive(Default)]
pub(crate) struct Lookup<'w> {
    /// Where a configuration comes from, by the instance in which it has this name.
    known: RefCell<HashMap<(usize, Configuration), Provider>>,
    /// The names in the calling module of what a call passes, by the calling module and the position of the call.
    passed: RefCell<HashMap<(usize, usize), Names<'w, &'w str>>>,
    /// The first local name of each provider that a module requires, by the address of the provider.
    required: RefCell<HashMap<usize, Names<'w, String>>>,
}

type Names<'w, K> = Rc<HashMap<K, &'w str>>;

impl<'w, 'a> Instances<'w, 'a> {
    /// Finds the provider configuration that a name in an instance leads to.
    pub(crate) fn provider(&self, at: usize, configuration: &Configuration) -> Provider {
        let mut way = Vec::new();
        let mut place = (at, configuration.clone());
        let found = loop {
            account::work(4);
            if let Some(known) = self.lookup.known.borrow().get(&place) {
                break *known;
            }
            let next = self.look_in(place.0, &place.1);
            way.push(place);
            match next {
                ControlFlow::Break(found) => break found,
                ControlFlow::Continue(caller) => place = caller,
            }
        };
        account::grow((way.len() * size_of::<((usize, Configuration), Provider)>()) as u64);
        self.lookup.known.borrow_mut().extend(way.into_iter().map(|place| (place, found)));
        found
    }

    /// Whether a configuration has no block anywhere, which is enough for a default one.
    pub fn is_implied(&self, at: usize, configuration: &Configuration) -> bool {
        self.provider(at, configuration) == Provider::Implied
    }

    /// Looks for a configuration in one instance. Returns where it comes from, or its name in the calling instance.
    fn look_in(&self, at: usize, wanted: &Configuration) -> ControlFlow<Provider, (usize, Configuration)> {
        let missing = ControlFlow::Break(Provider::Missing);
        let (Some(instance), Some(walked)) = (self.list.get(at), self.walked(at)) else { return missing };
        let address = ObjectAddr::Provider { name: &wanted.name, alias: wanted.alias.as_deref() };
        let declared = walked.node(address).map(|node| Provider::Declared(at, node));
        let Some((caller, call)) = instance.caller else {
            let is_passed = || walked.takes_providers && walked.module.summary.providers.is_passed(&wanted.key());
            let implied = if wanted.alias.is_none() || is_passed() { Provider::Implied } else { Provider::Missing };
            return ControlFlow::Break(declared.unwrap_or(implied));
        };
        let Some(calling) = self.list.get(caller).map(|instance| instance.module) else { return missing };
        if let Some(outer) = self.passed(calling, call).get(&*wanted.key()) {
            return ControlFlow::Continue((caller, Configuration::of_key(outer)));
        }
        match declared {
            Some(declared) => ControlFlow::Break(declared),
            None if wanted.alias.is_some() => missing,
            None => ControlFlow::Continue((caller, self.same_provider(walked, calling, &wanted.name))),
        }
    }

    fn passed(&self, module: usize, call: usize) -> Names<'w, &'w str> {
        let read = || {
            let facts = self.walked.get(module).and_then(|walked| walked.module.summary.calls.get(call));
            let passed = facts.map_or(&[][..], |facts| &facts.passed);
            // Of several, the first one counts.
            passed.iter().charged_at_once(2).rev().map(|passed| (&*passed.inner, &*passed.outer)).collect()
        };
        Rc::clone(self.lookup.passed.borrow_mut().entry((module, call)).or_insert_with(|| Rc::new(read())))
    }

    fn required(&self, module: usize) -> Names<'w, String> {
        let read = || {
            let mut names = HashMap::default();
            let Some(walked) = self.walked.get(module) else { return names };
            let providers = &walked.module.summary.providers;
            for (name, _) in providers.required().charged(4) {
                names.entry(providers.full_address(name)).or_insert(name);
            }
            names
        };
        Rc::clone(self.lookup.required.borrow_mut().entry(module).or_insert_with(|| Rc::new(read())))
    }

    /// Returns the default configuration of the calling module for the provider that a local name of the called module
    /// stands for.
    fn same_provider(&self, inner: &ModuleNodes<'a>, outer: usize, name: &str) -> Configuration {
        let wanted = inner.module.summary.providers.full_address(name);
        let named = self.required(outer).get(&wanted).copied();
        let own_name = wanted.rsplit_once('/').map_or(name, |(_, name)| name);
        Configuration { name: named.unwrap_or(own_name).into(), alias: None }
    }
}

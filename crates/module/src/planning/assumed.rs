//! What the caller knows of objects: attributes that only a provider can compute.

use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use super::codes;
use super::resource::Declared;
use super::state::Repeated;
use super::walk::Walk;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Secrecy};
use overfold_value::Value;

/// The attributes that a request assumes, by address.
#[derive(Default)]
pub(super) struct Assumed<'w> {
    by_address: HashMap<&'w str, &'w Value>,
    /// The addresses that objects have.
    used: HashSet<&'w str>,
}

impl<'w> Assumed<'w> {
    pub(super) fn of(list: &'w [(Arc<str>, Value)]) -> Self {
        account::work(list.len() as u64);
        Self {
            by_address: list.iter().map(|(address, value)| (&**address, value)).collect(),
            used: HashSet::default(),
        }
    }

    fn find(&mut self, address: &str) -> Option<&'w Value> {
        let (key, value) = self.by_address.get_key_value(address)?;
        self.used.insert(*key);
        Some(*value)
    }

    /// Returns the addresses that no object has, sorted.
    fn unused(&self) -> Vec<&'w str> {
        let mut unused: Vec<&str> =
            self.by_address.keys().copied().filter(|address| !self.used.contains(address)).collect();
        unused.sort_unstable();
        unused
    }
}

impl<'a> Walk<'_, '_, 'a> {
    /// Returns the attributes that are assumed of an instance: those for its exact address, otherwise those for the address
    /// without keys.
    pub(super) fn assumed_of(
        &mut self,
        declared: &Declared<'a>,
        at: usize,
        repeated: Option<&Repeated>,
    ) -> Option<Value> {
        if self.options.assumed.is_empty() {
            return None;
        }
        let exact = self.qualified(declared, at, repeated);
        let whole = format!("{}{}", self.instances.path(declared.path), declared.address());
        let (exact, whole) = (self.assumed.find(&exact), self.assumed.find(&whole));
        exact.or(whole).cloned()
    }

    /// Reports assumptions about objects that are not there.
    pub(super) fn unused_assumptions(&mut self) {
        let mut out = Diagnostics::new();
        for address in self.assumed.unused() {
            let detail =
                format!("Something is assumed of {address}, but no resource or data source has this address.");
            out.push(Diagnostic::ours(&codes::ASSUMPTION_UNUSED, None, detail));
        }
        self.take(out, None);
    }
}

/// Returns an object with what is assumed of it: arguments that are set keep their values, and a different one is reported.
pub(super) fn with(arguments: &Value, assumed: &Value, declared: &Declared<'_>, out: &mut Diagnostics) -> Value {
    let mut entries: Vec<(Arc<str>, Value)> = Vec::new();
    for (name, value) in assumed.entries().unwrap_or_default() {
        account::work(4);
        match arguments.get(name) {
            Some(set) if !set.is_null() => {
                if set.is_wholly_known() && !set.unmarked_deep().same(value) {
                    let detail = format!(
                        "The value assumed of {name:?} is not the one that {} sets, which is used.",
                        declared.address()
                    );
                    let finding = Diagnostic::ours(&codes::ASSUMPTION_IGNORED, declared.block.header, detail);
                    out.push(finding.quoting(Quotes::Values(Secrecy::Open)));
                }
            }
            _ => entries.push((Arc::clone(name), value.clone())),
        }
    }
    let taken = entries.len();
    for (name, value) in arguments.entries().unwrap_or_default() {
        account::work(1 + taken as u64 / 8);
        if !entries.iter().take(taken).any(|(own, _)| own == name) {
            entries.push((Arc::clone(name), value.clone()));
        }
    }
    Value::object(entries).with_marks(arguments.marks())
}

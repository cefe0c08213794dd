//! Finds the variables that are the reason why values differ.

use std::borrow::Cow;
use std::collections::BTreeSet;

use foldhash::HashSet;

use super::values::{ValueRules, differences};
use overfold_base::account::{self, ChargedIterator};
use overfold_module::plan::configuration::Configuration;
use overfold_module::plan::{PartOrigin, Plan};
use overfold_value::Value;

/// The number of variables that are named for one value.
const SHOWN: usize = 3;

/// The variables that both sides declare, and whose values or defaults are not the same.
#[derive(Default)]
pub(super) struct ChangedVariables {
    /// Their addresses, without keys of modules.
    addresses: HashSet<Box<str>>,
}

impl ChangedVariables {
    /// Compares the values of the variables of the root modules, and the defaults of those of called modules.
    pub(super) fn between([before, after]: [&Plan; 2], rules: ValueRules<'_>) -> Self {
        let mut changed = Self::default();
        let differ = |was: &Value, is: &Value| !differences(rules, [&[], &[]], [Some(was), Some(is)]).is_empty();
        let (mut was, mut is) = (before.variables.iter().peekable(), after.variables.iter().peekable());
        while let (Some(own), Some(other)) = (was.peek(), is.peek()) {
            account::work(4);
            account::touch(own.name.len().min(other.name.len()));
            if own.name == other.name && differ(&own.value, &other.value) {
                changed.add("", &own.name);
            }
            let order = own.name.cmp(&other.name);
            was.next_if(|_| order.is_le());
            is.next_if(|_| order.is_ge());
        }
        changed.add_defaults([&before.configuration, &after.configuration], differ);
        changed
    }

    fn add(&mut self, module: &str, name: &str) {
        account::build(4, (module.len() + name.len()) as u64 + 64);
        self.addresses.insert(format!("{module}var.{name}").into());
    }

    /// Adds the variables of called modules whose defaults differ.
    fn add_defaults(&mut self, sides: [&Configuration; 2], differ: impl Fn(&Value, &Value) -> bool) {
        let mut open = vec![(String::new(), [0, 0])];
        while let Some((path, [first, second])) = open.pop() {
            let [before, after] = sides;
            let (Some(was), Some(is)) = (before.modules.get(first), after.modules.get(second)) else { continue };
            account::work(4);
            if !path.is_empty() {
                for (name, variable) in was.parts.variables.iter().charged(8) {
                    let other = is.parts.variables.binary_search_by(|(other, _)| other.cmp(name)).ok();
                    let other = other.and_then(|at| is.parts.variables.get(at));
                    let defaults = other.map(|(_, other)| [&variable.default, &other.default]);
                    if let Some([Some(own), Some(other)]) = defaults
                        && differ(own, other)
                    {
                        self.add(&path, name);
                    }
                }
            }
            for ((name, _), called) in was.parts.calls.iter().zip(&was.called).charged(8) {
                let at = is.parts.calls.binary_search_by(|(other, _)| other.cmp(name)).ok();
                let other = at.and_then(|at| is.called.get(at).copied().flatten());
                if let (Some(own), Some(other)) = (*called, other) {
                    account::grow((path.len() + name.len()) as u64 + 64);
                    account::push(&mut open, (format!("{path}module.{name}."), [own, other]));
                }
            }
        }
    }

    /// Names the variables that make a value differ, as people are told; `code` marks a name. `None` if there are none.
    pub(super) fn cause(&self, origins: [&PartOrigin; 2], code: impl Fn(&str) -> String) -> Option<String> {
        if self.addresses.is_empty() {
            return None;
        }
        let sources = origins.into_iter().flat_map(|origin| origin.sources.iter()).charged(4);
        let found = sources.filter(|source| self.addresses.contains(&*without_keys(&source.address)));
        let found: BTreeSet<&str> = found.map(|source| &*source.address).collect();
        let mut names: Vec<String> = found.iter().take(SHOWN).map(|name| code(name)).collect();
        if found.len() > SHOWN {
            names.push(format!("{} more", found.len() - SHOWN));
        }
        (!names.is_empty()).then(|| format!(", because of {}", names.join(", ")))
    }
}

/// Returns the address of a variable without the keys of the modules around it.
fn without_keys(address: &str) -> Cow<'_, str> {
    account::touch(address.len());
    let Some((modules, name)) = address.rsplit_once(".var.").filter(|(modules, _)| modules.contains('[')) else {
        return Cow::Borrowed(address);
    };
    let (mut text, mut is_quoted, mut is_key, mut is_escaped) = (String::new(), false, false, false);
    for character in modules.chars() {
        match character {
            '[' if !is_key => is_key = true,
            ']' if is_key && !is_quoted => is_key = false,
            '"' if is_key && !is_escaped => is_quoted = !is_quoted,
            _ if !is_key => text.push(character),
            _ => {}
        }
        is_escaped = character == '\\' && !is_escaped;
    }
    Cow::Owned(format!("{text}.var.{name}"))
}

#[cfg(test)]
mod tests {
    use super::without_keys;

    #[test]
    fn keys_are_left_out() {
        for (address, wanted) in [
            ("var.a", "var.a"),
            ("module.a.var.b", "module.a.var.b"),
            ("module.a[0].module.b[\"x]\\\"[.var.\"].var.c", "module.a.module.b.var.c"),
        ] {
            assert_eq!(without_keys(address), wanted);
        }
    }
}

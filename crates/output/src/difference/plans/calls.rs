//! Compares the calls of modules that were not given. What such a module plans is not known on either side, so all that can
//! be said of a change is that it reaches the module.

use foldhash::HashMap;

use super::moves::RenamedAddresses;
use super::values::{ValueRules, differences};
use super::{InstanceChangeKind, ValueChange};
use crate::plan::charged;
use overfold_base::account;
use overfold_base::written::written;
use overfold_module::plan::{Plan, UnplannedCall};

/// A call that is not the same on both sides.
pub(super) struct CallChange<'r> {
    /// The address on the second side; on the first one, if it is gone.
    pub(super) address: Box<str>,
    /// The address on the first side, if it is another one.
    pub(super) previous_address: Option<Box<str>>,
    pub(super) change: InstanceChangeKind,
    pub(super) sides: [Option<&'r UnplannedCall>; 2],
    pub(super) values: Vec<ValueChange<'r>>,
}

/// Returns the calls that differ, in order of the second side, and then those that are gone. A module that only one side
/// was given is planned there, which is no difference of calls.
pub(super) fn call_changes<'r>(
    [before, after]: [&'r Plan; 2],
    renamed: &RenamedAddresses,
    rules: ValueRules<'_>,
) -> Vec<CallChange<'r>> {
    let list = |plan: &'r Plan| plan.origins.as_ref().map_or(&[][..], |origins| &origins.calls);
    let address = |call: &UnplannedCall| charged(written(format_args!("{}", call.address)));
    let mut firsts: HashMap<Box<str>, &'r UnplannedCall> = HashMap::default();
    for call in list(before) {
        account::build(8, 64);
        let own = address(call);
        firsts.insert(renamed.address(&own).into(), call);
    }
    let mut changes = Vec::new();
    for call in list(after) {
        account::work(8);
        let place = address(call);
        let Some(first) = firsts.remove(&place) else {
            let change = InstanceChangeKind::Added;
            let values = Vec::new();
            let change =
                CallChange { address: place, previous_address: None, change, sides: [None, Some(call)], values };
            account::push(&mut changes, change);
            continue;
        };
        let origins = [&first.origin.parts[..], &call.origin.parts[..]];
        let values = differences(rules, origins, [Some(&first.arguments), Some(&call.arguments)]);
        let previous = Some(address(first)).filter(|previous| *previous != place);
        let change = match (&previous, values.is_empty()) {
            (Some(_), _) => InstanceChangeKind::Moved,
            (None, false) => InstanceChangeKind::Changed,
            (None, true) => continue,
        };
        let sides = [Some(first), Some(call)];
        account::push(&mut changes, CallChange { address: place, previous_address: previous, change, sides, values });
    }
    for call in list(before) {
        account::work(8);
        let own = address(call);
        let is_left = firsts.get(&*renamed.address(&own)).is_some_and(|left| std::ptr::eq(*left, call));
        if is_left {
            let change = InstanceChangeKind::Removed;
            let values = Vec::new();
            let change =
                CallChange { address: own, previous_address: None, change, sides: [Some(call), None], values };
            account::push(&mut changes, change);
        }
    }
    changes
}

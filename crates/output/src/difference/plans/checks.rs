//! Compares the results of conditions.

use foldhash::HashMap;

use super::moves::RenamedAddresses;
use crate::plan::charged;
use overfold_base::account;
use overfold_module::plan::{CheckStatus, CheckedKind, CheckedObject, Plan};

/// Something with conditions whose results are not the same on both sides.
pub(super) struct CheckChange<'r> {
    /// The address on the second side; on the first one, if it is gone.
    pub(super) address: Box<str>,
    pub(super) sides: [Option<&'r CheckedObject>; 2],
}

/// Returns the objects whose status or messages differ. What has no conditions counts as if they hold.
pub(super) fn check_changes<'r>([before, after]: [&'r Plan; 2], renamed: &RenamedAddresses) -> Vec<CheckChange<'r>> {
    account::work(8 * (before.checks.len() + after.checks.len()) as u64);
    account::grow(64 * (before.checks.len() + after.checks.len()) as u64);
    let address = |object: &CheckedObject| charged(object.display());
    let mut firsts: HashMap<Box<str>, &'r CheckedObject> = HashMap::default();
    for object in &before.checks {
        let own = address(object);
        let moved = match object.kind {
            CheckedKind::Resource { .. } => renamed.address(&own).into(),
            _ => own,
        };
        firsts.insert(moved, object);
    }
    let mut changes = Vec::new();
    for object in &after.checks {
        let address = address(object);
        let first = firsts.remove(&address);
        if !are_same(first, Some(object)) {
            account::push(&mut changes, CheckChange { address, sides: [first, Some(object)] });
        }
    }
    for object in &before.checks {
        let address = address(object);
        let is_left = firsts.get(&*renamed.address(&address)).is_some_and(|left| std::ptr::eq(*left, object));
        if is_left && !are_same(Some(object), None) {
            account::push(&mut changes, CheckChange { address, sides: [Some(object), None] });
        }
    }
    changes
}

fn are_same(before: Option<&CheckedObject>, after: Option<&CheckedObject>) -> bool {
    let status = |object: Option<&CheckedObject>| object.map_or(CheckStatus::Pass, |object| object.status);
    let messages = |object: Option<&CheckedObject>| {
        let instances = object.map_or(&[][..], |object| &object.instances);
        let mut messages: Vec<Box<str>> = Vec::new();
        for problem in instances.iter().flat_map(|instance| &instance.problems) {
            let text = problem.as_text().unwrap_or_default();
            account::copy(text.len());
            account::push(&mut messages, text.into());
        }
        messages.sort_unstable();
        messages
    };
    status(before) == status(after) && messages(before) == messages(after)
}

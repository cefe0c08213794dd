//! Determines which variables the tool no longer checks after errors in others.
//!
//! The tool checks the rules of a variable after everything to which they refer, directly or through locals, resources
//! and module calls; if any of that fails, it does not check them at all. A variable that is not checked is treated as
//! failed by those that refer to it.

use foldhash::{HashMap, HashSet};

use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::Diagnostics;
use overfold_dialect::ObjectKind;
use overfold_model::config::{Block, Module, ObjectAddr};
use overfold_model::language::references;
use overfold_model::language::references::{AddressWords, Subject};
use overfold_syntax::{ExprAt, Forest, statics};

/// Returns the addresses of everything whose expressions refer, directly or indirectly, to one of the variables in
/// `failed`. For variables, only the expressions of their rules matter.
pub(super) fn find<'m>(
    module: &'m Module<'m>,
    forest: &Forest,
    words: AddressWords,
    failed: impl Iterator<Item = ObjectAddr<'m>>,
) -> HashSet<ObjectAddr<'m>> {
    let places: HashMap<ObjectAddr<'_>, usize> =
        module.elements.iter().enumerate().map(|(at, element)| (element.address, at)).collect();
    let mut users: Vec<List<ObjectAddr<'_>>> = vec![List::new(); module.elements.len()];
    for element in &module.elements {
        let mut blocks: Vec<&Block<'_>> = Vec::new();
        if element.kind == ObjectKind::Variable {
            blocks.extend(element.block.blocks.iter());
        } else {
            blocks.push(element.block);
        }
        while let Some(block) = blocks.pop() {
            account::work(2 + block.arguments.len() as u64);
            for argument in block.arguments.iter().chain(block.escaped) {
                targets(forest, words, argument.expr, |target| {
                    if let Some(users) = places.get(&target).and_then(|&place| users.get_mut(place)) {
                        users.push(element.address);
                    }
                });
            }
            blocks.extend(block.blocks.iter());
        }
    }
    let mut found = HashSet::default();
    let mut todo: Vec<ObjectAddr<'_>> = failed.collect();
    while let Some(address) = todo.pop() {
        for &user in places.get(&address).and_then(|&place| users.get(place)).into_iter().flatten().charged(1) {
            if user != address && found.insert(user) {
                todo.push(user);
            }
        }
    }
    found
}

/// Passes on the addresses to which an expression refers.
fn targets(forest: &Forest, words: AddressWords, expr: ExprAt, mut found: impl FnMut(ObjectAddr<'_>)) {
    for traversal in statics::references(forest, expr) {
        let Some(reference) = references::reference(&traversal, words, &mut Diagnostics::new()) else { continue };
        found(match &reference.subject {
            Subject::Variable(name) => ObjectAddr::Variable(name),
            Subject::Local(name) => ObjectAddr::Local(name),
            Subject::Module { name, .. } => ObjectAddr::ModuleCall(name),
            Subject::Resource { mode, type_name, name, .. } => ObjectAddr::Resource { mode: *mode, type_name, name },
            _ => continue,
        });
    }
}

//! Determines which variables the tool no longer checks after errors in others.
//!
//! The tool checks the rules of a variable after everything to which they refer, directly or through locals, resources
//! and module calls; if any of that fails, it does not check them at all. A variable that is not checked is treated as
//! failed by those that refer to it.

use std::collections::{HashMap, HashSet};

use crate::account;
use crate::config::{Block, Module};
use crate::diag::Diagnostics;
use crate::language::references;
use crate::language::references::{AddressWords, Subject};
use crate::syntax::{ExprAt, Forest, statics};

/// Returns the addresses of everything whose expressions refer, directly or indirectly, to one of the variables in
/// `failed` (their addresses). For variables, only the expressions of their rules matter.
pub(super) fn of<'m>(
    module: &'m Module<'m>,
    forest: &Forest,
    words: AddressWords,
    failed: impl Iterator<Item = &'m str>,
) -> HashSet<&'m str> {
    let mut users: HashMap<String, Vec<&str>> = HashMap::new();
    for element in &module.elements {
        let mut blocks: Vec<&Block<'_>> = Vec::new();
        if element.kind == "variable" {
            blocks.extend(element.block.blocks.iter());
        } else {
            blocks.push(&element.block);
        }
        while let Some(block) = blocks.pop() {
            account::work(2 + block.arguments.len() as u64);
            for argument in block.arguments.iter().chain(&block.escaped) {
                targets(forest, words, argument.expr, |target| {
                    users.entry(target).or_default().push(&*element.address.0);
                });
            }
            blocks.extend(block.blocks.iter());
        }
    }
    let mut found = HashSet::new();
    let mut todo: Vec<&str> = failed.collect();
    while let Some(address) = todo.pop() {
        for &user in users.get(address).into_iter().flatten() {
            account::work(1);
            if user != address && found.insert(user) {
                todo.push(user);
            }
        }
    }
    found
}

/// Returns the addresses to which an expression refers.
fn targets(forest: &Forest, words: AddressWords, expr: ExprAt, mut found: impl FnMut(String)) {
    for traversal in statics::references(forest, expr) {
        let Some(reference) = references::reference(&traversal, words, &mut Diagnostics::new()) else { continue };
        let target = match reference.subject {
            Subject::Variable(name) => format!("var.{name}"),
            Subject::Local(name) => format!("local.{name}"),
            Subject::Module { name, .. } => format!("module.{name}"),
            Subject::Resource { mode, type_name, name, .. } => format!("{}{type_name}.{name}", mode.prefix()),
            _ => continue,
        };
        account::grow(target.len() as u64 + 32);
        found(target);
    }
}

//! Follows the `moved` blocks of the second side: which object of the first side has which address now.
//!
//! Instances are not told apart: a block that moves single instances leads from the object to the object.

use foldhash::HashMap;

use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Diagnostics;
use overfold_dialect::words;
use overfold_model::config::{Block, ObjectAddr};
use overfold_model::language::addresses::{self, Target};
use overfold_model::language::references::AddressWords;
use overfold_module::pipeline::Report;

/// The keyword of the blocks, and their kind.
pub(super) const MOVED: &str = "moved";

/// Where `moved` blocks have moved the objects of the first side that are there no longer.
pub(super) struct Renames<'r> {
    by_address: HashMap<ObjectAddr<'r>, String>,
}

impl<'r> Renames<'r> {
    /// Finds the objects whose address is only on the first side, and the one to which a block moves them only on the
    /// second.
    pub(super) fn between(before: &'r Report<'r>, after: &Report<'_>) -> Self {
        let blocks = Blocks::of(after);
        let mut by_address = HashMap::default();
        if !blocks.by_from.is_empty() {
            let (was, is) = (addresses_of(before), addresses_of(after));
            for (text, address) in was.iter().charged(4) {
                let to = blocks.follow(text).filter(|to| is.contains_key(*to) && !was.contains_key(*to));
                if let Some(to) = to.filter(|_| !is.contains_key(text)) {
                    account::grow(to.len() as u64 + 64);
                    by_address.insert(*address, to.to_owned());
                }
            }
        }
        Self { by_address }
    }

    /// Returns the address on the second side of an object of the first one, if it has been moved.
    pub(super) fn address(&self, address: ObjectAddr<'r>) -> Option<&str> {
        self.by_address.get(&address).map(String::as_str)
    }
}

/// Returns what blocks can move of a module.
fn addresses_of<'r>(report: &'r Report<'_>) -> HashMap<String, ObjectAddr<'r>> {
    let addresses = report.module.elements.iter().charged(4).map(|element| element.address);
    let addresses =
        addresses.filter(|address| matches!(address, ObjectAddr::Resource { .. } | ObjectAddr::ModuleCall(_)));
    let mut found = HashMap::default();
    for address in addresses {
        let text = address.to_string();
        account::grow(text.len() as u64 + 96);
        found.insert(text, address);
    }
    found
}

/// The `moved` blocks of a module that move one of its own objects to another address in it.
struct Blocks {
    by_from: HashMap<String, String>,
}

impl Blocks {
    fn of(report: &Report<'_>) -> Self {
        let mut by_from = HashMap::default();
        for element in report.module.elements.iter().charged(1) {
            if element.block.keyword != MOVED {
                continue;
            }
            let end = |name| own_address(&end_of(report, element.block, name)?);
            let (Some(from), Some(to)) = (end(words::FROM), end(words::TO)) else { continue };
            if from != to {
                account::grow((from.len() + to.len()) as u64 + 64);
                by_from.entry(from).or_insert(to);
            }
        }
        Self { by_from }
    }

    /// Returns where an object is after all blocks; `None` if none moves it.
    fn follow(&self, address: &str) -> Option<&str> {
        let mut moved = self.by_from.get(address)?;
        // Blocks that lead in a circle are an error.
        for _ in 1..self.by_from.len() {
            account::work(4);
            account::touch(moved.len());
            match self.by_from.get(moved) {
                Some(next) => moved = next,
                None => break,
            }
        }
        Some(moved)
    }
}

fn end_of(report: &Report<'_>, block: &Block<'_>, argument: &str) -> Option<Target> {
    let found = block.usable_argument(argument)?;
    let words = AddressWords::for_dialect(report.dialect);
    addresses::moved(report.forest, found.expr, words, &mut Diagnostics::new())
}

/// Returns the address, without keys, of a resource or a call of the module itself.
fn own_address(target: &Target) -> Option<String> {
    let steps = target.modules.len() + usize::from(target.resource.is_some());
    (steps == 1).then(|| target.without_keys().to_string())
}

//! Several ways to repeat one object that overrides have combined: no block in a single file may have them together,
//! and the tool does not check the merged block (terraform.md, section 7.5; opentofu.md, section 7.2).

use crate::config::{Argument, Block};
use overfold_dialect::{BlockSpec, words};

/// Returns the names of the arguments about repetition that would have no effect in a merged block: an evaluation uses
/// the first one that it looks for. `enabled` is in the lifecycle block.
pub fn idle_repetition(block: &Block<'_>) -> &'static [&'static str] {
    if !block.is_overridden() {
        return &[];
    }
    let mut order = block.spec.map_or(&[][..], BlockSpec::repetition_order);
    while let Some((first, others)) = order.split_first() {
        order = others;
        if repeated_by(block, first).is_some() {
            break;
        }
    }
    order
}

/// Returns the argument of this name that determines how often the block's object exists.
pub fn repeated_by<'b, 'f>(block: &'b Block<'f>, name: &str) -> Option<&'b Argument<'f>> {
    let lifecycle = block.blocks.iter().filter(|inner| inner.spec.is_some() && inner.keyword == words::LIFECYCLE);
    let inner = lifecycle.flat_map(|inner| inner.arguments).filter(|argument| argument.name == words::ENABLED);
    block
        .arguments
        .iter()
        .chain(inner)
        .find(|argument| argument.spec.is_some() && argument.is_listed() && argument.name == name)
}

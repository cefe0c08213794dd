//! The model of a configuration: objects with their arguments and nested blocks. Everything has a source location, and
//! what was overridden is kept next to what replaced it.

mod address;
mod change;
pub mod effective;
mod element;
pub mod folding;
mod open;
mod history;
pub mod repetition;
pub mod secrets;
mod variable;

use overfold_dialect::words;
use overfold_value::Marks;

pub use address::{ObjectAddr, resource_mode};
pub use change::{Change, ChangeKind, MergeRule, Part};
pub use effective::EffectiveConfig;
pub use element::{
    Argument, Block, BlockHistory, Blocks, DecodedArgument, ESCAPE, Element, FileEntry, FileRole, Hcl1Variable,
    LoadedElements, Module, OverrideAt, OverrideFile, OwnVersion, Payload, Requirement,
};
pub use history::History;
pub use open::{blocks_of_property, open_block, whole_block};
pub use repetition::idle_repetition;
pub use repetition::repeated_by;
pub use secrets::Secrets;
pub use variable::{Variable, VariableExprs, VariableParts, stored_default};

/// Whether the block sets a flag to true.
pub fn is_set(block: &Block<'_>, flag: &str) -> bool {
    block.arguments.iter().any(|argument| *argument.name == *flag && argument.decoded == DecodedArgument::Bool(true))
}

/// Returns the marks of a variable whose `sensitive` or `ephemeral` flag cannot be read: the variable may have been
/// meant to be secret. There are none if one of the flags is `false`.
pub fn unread_marks(module: &Module<'_>, element: &Element<'_>) -> Marks {
    let taken_back = element.block.arguments.iter().any(|flag| {
        matches!(flag.name, words::SENSITIVE | words::EPHEMERAL) && flag.decoded == DecodedArgument::Bool(false)
    });
    let name = element.block.labels.first().map_or("", |label| label.text);
    if taken_back { Marks::NONE } else { Marks::from_secrecy(module.secrets.variable(name)) }
}

//! The objects of a merged configuration.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use crate::Span;

/// An object of the merged configuration: what takes effect, and what override files did to it.
#[derive(Deserialize, Serialize, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Object {
    /// What it is, such as `resource`, `data`, `variable` or `module`.
    pub kind: String,
    /// The header of its declaration; in JSON syntax, the bracket that opens the body.
    pub header: Span,
    /// The whole block, or the whole argument if the object is one, such as a local value.
    #[serde(rename = "range")]
    pub span: Span,
    /// The header of each override block that was merged into it or replaced it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overridden_by: Vec<Span>,
    /// Labels that are no part of the address, such as the type of a backend.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub labels: Vec<String>,
    /// The arguments, by name.
    #[serde(default, rename = "attributes")]
    pub arguments: BTreeMap<String, Argument>,
    /// The nested blocks, in their final order.
    #[serde(default)]
    pub blocks: Vec<Block>,
    /// The nested blocks that override files removed, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed_blocks: Vec<Block>,
}

/// A nested block of an [`Object`] or of another block.
#[derive(Deserialize, Serialize, Clone, PartialEq, Debug)]
#[non_exhaustive]
pub struct Block {
    /// The block type, such as `lifecycle`.
    #[serde(rename = "type")]
    pub block_type: String,
    /// The labels, in order.
    pub labels: Vec<String>,
    /// From the type to the last label; in JSON syntax, the bracket that opens the body.
    pub header: Span,
    /// The whole block.
    #[serde(rename = "range")]
    pub span: Span,
    /// The header of each override block that was merged into it, in order.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub overridden_by: Vec<Span>,
    /// The arguments, by name.
    #[serde(rename = "attributes")]
    pub arguments: BTreeMap<String, Argument>,
    /// The nested blocks, in their final order.
    pub blocks: Vec<Block>,
    /// The nested blocks that override files removed, oldest first.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub removed_blocks: Vec<Block>,
}

/// An argument of the merged configuration.
#[derive(Deserialize, Serialize, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Argument {
    /// The source text of the expression that takes effect, exactly as written, so in the syntax of its file (JSON in a
    /// `.json` file); `None` if it is sensitive, or cannot be parsed.
    pub expression: Option<String>,
    /// Where it stands, from the name to the end of the expression.
    #[serde(rename = "range")]
    pub span: Span,
    /// Whether an override file added it.
    #[serde(default)]
    pub added: bool,
    /// What it replaced, oldest first.
    #[serde(default, rename = "previous", skip_serializing_if = "Vec::is_empty")]
    pub replaced: Vec<Replaced>,
}

/// An expression that an override file replaced.
#[derive(Deserialize, Serialize, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Replaced {
    /// Its source text, as that of an [`Argument`].
    pub expression: Option<String>,
    /// Where it stands, from the name to the end of the expression.
    #[serde(rename = "range")]
    pub span: Span,
}

impl Object {
    /// How many blocks may be around one, so that no stack is too small to compare or free them. What is deeper is in the
    /// JSON text of the answer alone.
    pub const MAX_DEPTH: usize = 256;

    /// Iterates over the nested blocks of a type.
    pub fn blocks_of<'b>(&'b self, block_type: &'b str) -> impl Iterator<Item = &'b Block> {
        self.blocks.iter().filter(move |block| block.block_type == block_type)
    }

    /// Leaves out the blocks that are too deep. The caller has the stack that freeing them needs.
    pub(crate) fn leave_out_deep_blocks(&mut self) {
        for blocks in [&mut self.blocks, &mut self.removed_blocks] {
            cut(blocks, Self::MAX_DEPTH);
        }
    }
}

impl Block {
    /// Iterates over the nested blocks of a type.
    pub fn blocks_of<'b>(&'b self, block_type: &'b str) -> impl Iterator<Item = &'b Self> {
        self.blocks.iter().filter(move |block| block.block_type == block_type)
    }
}

/// Leaves out the blocks that have as many blocks around them.
fn cut(blocks: &mut Vec<Block>, levels: usize) {
    let Some(levels) = levels.checked_sub(1) else { return blocks.clear() };
    for block in blocks {
        cut(&mut block.blocks, levels);
        cut(&mut block.removed_blocks, levels);
    }
}

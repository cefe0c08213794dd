//! Blocks as they are written.

use crate::block_list::codes;
use crate::block_list::inferred_schema::BodyKnowledge;
use crate::decode;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, SourceId};
use overfold_dialect::BlockSpec;
use overfold_model::body::content;
use overfold_model::body::content::{BodyAt, ConsumedNames, ContentAttribute, ContentBlock};
use overfold_model::config::{self, Argument, Block};
use overfold_syntax::Forest;

/// Reads one file.
pub(super) struct Reader<'f, 'b> {
    pub(super) forest: &'f Forest,
    /// The start offsets of errors inside expressions, in ascending order.
    pub(super) broken: &'b [u32],
}

impl<'f> Reader<'f, '_> {
    /// Reads the top-level blocks of a file, and notes the arguments next to them.
    pub(super) fn file(&self, source: SourceId, top: BodyKnowledge<'_>, out: &mut Diagnostics) -> Vec<Block<'f>> {
        let Some(body) = BodyAt::of_file(self.forest, source) else { return Vec::new() };
        let content = self.open(body, top);
        for stray in &content.attributes {
            note_stray(stray, body, top, out);
        }
        content.blocks.iter().map(|block| self.block(block, top)).collect()
    }

    /// Reads the content of a body.
    pub(super) fn open(&self, body: BodyAt, place: BodyKnowledge<'_>) -> content::Content<'f> {
        content::open(self.forest, body, &ConsumedNames::NONE, &|name| place.blocks_of_property(name))
    }

    /// Reads a block with everything inside.
    fn block(&self, block: &ContentBlock<'f>, around: BodyKnowledge<'_>) -> Block<'f> {
        config::whole_block(self.forest, block, around, &mut |block, around| {
            let labels: Vec<&str> = block.labels.iter().map(|label| label.text).collect();
            let inside = around.inside(block.keyword, &labels);
            let content = self.open(block.body, inside);
            let arguments = content.attributes.iter().map(|attribute| self.argument(attribute, inside.row()));
            let arguments = self.forest.keep_each(arguments);
            (Block { arguments, ..empty_block(block, inside.row()) }, content.blocks, inside)
        })
    }

    /// Reads an argument; its value stays an expression.
    pub(super) fn argument(&self, attribute: &ContentAttribute<'f>, row: Option<&'static BlockSpec>) -> Argument<'f> {
        account::work(4);
        let broken = decode::is_broken(self.forest, self.broken, attribute.range, attribute.expr);
        Argument { spec: row.and_then(|row| row.attr(attribute.name)), broken, ..Argument::plain(attribute) }
    }
}

/// Returns a block with the header of `block` and an empty body.
pub(super) fn empty_block<'f>(block: &ContentBlock<'f>, row: Option<&'static BlockSpec>) -> Block<'f> {
    let bare = Block::empty(block.keyword, block.labels, block.header);
    Block { spec: row, range: block.range, ..bare }
}

/// Notes an argument outside of any block. A JSON property whose name is a known block type is reported elsewhere.
pub(super) fn note_stray(stray: &ContentAttribute<'_>, body: BodyAt, top: BodyKnowledge<'_>, out: &mut Diagnostics) {
    if body.is_json() && top.inside(stray.name, &[]).row().is_some() {
        return;
    }
    let detail = format!("{:?} is outside of any block, so it is silently ignored.", stray.name);
    out.push(Diagnostic::ours(&codes::STRAY_ARGUMENT, stray.name_span, detail));
}

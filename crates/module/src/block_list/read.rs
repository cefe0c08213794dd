//! Blocks as they are written.

use crate::block_list::codes;
use crate::block_list::inferred_schema::Place;
use crate::decode;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, SourceId, Span};
use overfold_dialect::BlockSpec;
use overfold_model::body::content;
use overfold_model::body::content::{BodyAt, ContentAttribute, ContentBlock, ContentBlocks, ContentLabel, Hidden};
use overfold_model::config::{Argument, Block};
use overfold_syntax::Forest;
use thin_vec::ThinVec;

/// Reads one file.
pub(super) struct Reader<'f, 'b> {
    pub(super) forest: &'f Forest,
    /// The start offsets of errors inside expressions, in ascending order.
    pub(super) broken: &'b [u32],
}

impl<'f> Reader<'f, '_> {
    /// Reads the top-level blocks of a file, and notes the arguments next to them.
    pub(super) fn file(&self, source: SourceId, top: Place<'_>, out: &mut Diagnostics) -> Vec<Block<'f>> {
        let Some(body) = BodyAt::of_file(self.forest, source) else { return Vec::new() };
        let content = self.open(body, top);
        for stray in &content.attributes {
            note_stray(stray, body, top, out);
        }
        self.blocks(content.blocks, top)
    }

    /// Reads the content of a body.
    pub(super) fn open(&self, body: BodyAt, place: Place<'_>) -> content::Content<'f> {
        content::open(self.forest, body, &Hidden::NONE, &|name| place.blocks_of_property(name))
    }

    /// Reads blocks with everything inside, without recursion however deeply they are nested.
    fn blocks(&self, blocks: ContentBlocks<'f>, around: Place<'_>) -> Vec<Block<'f>> {
        // Each block with the index of the block around it, which comes before it.
        let mut found: Vec<(Block<'f>, Option<usize>)> = Vec::new();
        let mut pending: Vec<(ContentBlock<'f>, Place<'_>, Option<usize>)> =
            blocks.into_iter().map(|block| (block, around, None)).collect();
        while !pending.is_empty() {
            for (block, around, outer) in std::mem::take(&mut pending) {
                let labels: Vec<&str> = block.labels.iter().map(|label| label.text).collect();
                let inside = around.inside(block.keyword, &labels);
                let content = self.open(block.body, inside);
                let index = found.len();
                found.push((
                    Block {
                        arguments: content
                            .attributes
                            .iter()
                            .map(|attribute| self.argument(attribute, inside.row()))
                            .collect(),
                        ..empty_block(&block, inside.row())
                    },
                    outer,
                ));
                pending.extend(content.blocks.into_iter().map(|inner| (inner, inside, Some(index))));
            }
        }
        // Innermost and last blocks first, so that each list is filled from its end.
        let mut top = Vec::new();
        while let Some((mut block, outer)) = found.pop() {
            block.blocks.reverse();
            match outer.and_then(|outer| found.get_mut(outer)) {
                Some((outer, _)) => outer.blocks.push(block),
                None => top.push(block),
            }
        }
        top.reverse();
        top
    }

    /// Reads an argument; its value stays an expression.
    pub(super) fn argument(&self, attribute: &ContentAttribute<'f>, row: Option<&'static BlockSpec>) -> Argument<'f> {
        account::work(4);
        let broken = decode::is_broken(self.forest, self.broken, attribute.range, attribute.expr);
        Argument { spec: row.and_then(|row| row.attr(attribute.name)), broken, ..decode::plain(attribute) }
    }
}

/// Returns a block with the header of `block` and an empty body.
pub(super) fn empty_block<'f>(block: &ContentBlock<'f>, row: Option<&'static BlockSpec>) -> Block<'f> {
    let labels = block.labels;
    Block { range: block.range, ..with_header(block.keyword, labels, block.header, row) }
}

/// Returns a block with this header and an empty body.
pub(super) const fn with_header<'f>(
    keyword: &'f str,
    labels: &'f [ContentLabel<'f>],
    header: Span,
    row: Option<&'static BlockSpec>,
) -> Block<'f> {
    Block {
        spec: row,
        keyword,
        labels,
        header,
        range: header,
        arguments: Vec::new(),
        escaped: ThinVec::new(),
        blocks: Vec::new(),
        overridden_by: ThinVec::new(),
        removed_blocks: ThinVec::new(),
    }
}

/// Notes an argument outside of any block. A JSON property whose name is a known block type is reported elsewhere.
pub(super) fn note_stray(stray: &ContentAttribute<'_>, body: BodyAt, top: Place<'_>, out: &mut Diagnostics) {
    if body.is_json() && top.inside(stray.name, &[]).row().is_some() {
        return;
    }
    let detail = format!("{:?} is outside of any block, so the tool silently ignores it.", stray.name);
    out.push(Diagnostic::ours(&codes::STRAY_ARGUMENT, stray.name_span, detail));
}

//! A body that is not written at all: of a provider without a block.

use super::codes;
use super::decode::titled;
use super::read::missing;
use overfold_base::account;
use overfold_base::diag::{Diagnostics, Reporting};
use overfold_model::schema::{BodySchema, Nesting};

/// Reports what a schema requires of a body that is not there. Returns whether there is anything.
pub fn empty_body(schema: &BodySchema, out: &mut Diagnostics) -> bool {
    account::work((schema.attributes.len() + schema.blocks.len()) as u64);
    let ((), verdict) = out.watch(|out| {
        for (name, _) in schema.attributes.iter().filter(|(_, attribute)| attribute.required) {
            out.push(missing(name, None));
        }
        for (keyword, block) in schema.blocks.iter().filter(|(_, block)| block.min_items > 0) {
            let code = match block.nesting {
                Nesting::Single | Nesting::Group => &codes::MISSING_BLOCK,
                Nesting::List | Nesting::Set | Nesting::Map => &codes::FEW_BLOCKS,
            };
            let detail = format!("At least {} {keyword:?} blocks are required, but there are none.", block.min_items);
            out.push(titled(code, None, detail, keyword));
        }
    });
    verdict.failed()
}

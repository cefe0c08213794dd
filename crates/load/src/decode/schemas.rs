//! Schemas that are built from rows to read bodies, once for each row of a table, and kept like the table itself.

use foldhash::HashMap;
use overfold_dialect::{BlockSpec, BodyRule, Required};
use overfold_model::body::content::{ArgumentSchema, BlockSchema, Repeated};
use overfold_model::config::ESCAPE;
use std::ptr;
use std::sync::{LazyLock, PoisonError, RwLock};

/// The permitted content of a row's body.
#[derive(Debug)]
pub(super) struct Schemas {
    pub(super) arguments: Vec<ArgumentSchema<'static>>,
    pub(super) blocks: Vec<BlockSchema<'static>>,
}

/// Returns the schemas of a row's body, for an override file or any other. Rows are never freed, so their addresses
/// identify them.
pub(super) fn for_block(spec: &'static BlockSpec, over: bool) -> &'static Schemas {
    static KNOWN: LazyLock<RwLock<HashMap<(usize, bool), &'static Schemas>>> = LazyLock::new(RwLock::default);
    let key = (ptr::from_ref(spec).addr(), over);
    // The map remains consistent even if a thread panics while it holds the lock, so poisoning is ignored.
    if let Some(known) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return known;
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.entry(key).or_insert_with(|| Box::leak(Box::new(build(spec, over))))
}

fn build(spec: &'static BlockSpec, over: bool) -> Schemas {
    let arguments = spec.attrs.iter().map(|row| ArgumentSchema {
        name: row.name,
        required: row.required == Required::Always || (row.required == Required::InPrimary && !over),
        repeated: if spec.body == BodyRule::Strict { Repeated::LastApplies } else { Repeated::FirstApplies },
    });
    let mut blocks: Vec<BlockSchema<'static>> = spec.blocks.iter().map(block_schema).collect();
    if let BodyRule::Open { escape: Some(_), .. } = spec.body {
        blocks.push(BlockSchema::new(ESCAPE, &[]));
    }
    Schemas { arguments: arguments.collect(), blocks }
}

/// Returns how the header of a block with the row is read.
pub(super) fn block_schema(row: &'static BlockSpec) -> BlockSchema<'static> {
    BlockSchema {
        extra_labels: row.extra_labels,
        ignore_unlabeled: row.ignore_unlabeled,
        ..BlockSchema::new(row.keyword, row.label_names)
    }
}

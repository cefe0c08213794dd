//! Rows in the form that bodies are read by, made once for each row of a table and kept, like the table itself.

use super::blocks::ESCAPE;
use crate::dialect::{BlockSpec, BodyRule, Required};
use crate::hcl::content::{ArgumentSchema, BlockSchema};
use foldhash::HashMap;
use std::ptr;
use std::sync::{LazyLock, PoisonError, RwLock};

/// What the body of a row may hold.
#[derive(Debug)]
pub(super) struct Schemas {
    pub(super) arguments: Vec<ArgumentSchema<'static>>,
    pub(super) blocks: Vec<BlockSchema<'static>>,
}

/// The schemas of a row's body, in an override file or elsewhere. Rows are never given back, so their addresses name
/// them.
pub(super) fn of(spec: &'static BlockSpec, over: bool) -> &'static Schemas {
    static KNOWN: LazyLock<RwLock<HashMap<(usize, bool), &'static Schemas>>> = LazyLock::new(RwLock::default);
    let key = (ptr::from_ref(spec).addr(), over);
    // The map stays whole whatever happens to its holder, so a poisoned lock is as good as another.
    if let Some(known) = KNOWN.read().unwrap_or_else(PoisonError::into_inner).get(&key) {
        return known;
    }
    let mut known = KNOWN.write().unwrap_or_else(PoisonError::into_inner);
    known.entry(key).or_insert_with(|| Box::leak(Box::new(make(spec, over))))
}

fn make(spec: &'static BlockSpec, over: bool) -> Schemas {
    let arguments = spec.attrs.iter().map(|row| ArgumentSchema {
        name: row.name,
        required: row.required == Required::Always || (row.required == Required::InPrimary && !over),
        last_counts: spec.body == BodyRule::Strict,
    });
    let mut blocks: Vec<BlockSchema<'static>> = spec.blocks.iter().map(block_schema).collect();
    if let BodyRule::Open { escape: Some(_), .. } = spec.body {
        blocks.push(BlockSchema::new(ESCAPE, &[]));
    }
    Schemas { arguments: arguments.collect(), blocks }
}

/// How the header of a block of the row is read.
pub(super) fn block_schema(row: &'static BlockSpec) -> BlockSchema<'static> {
    BlockSchema {
        surplus: row.surplus,
        nameless_is_nothing: row.nameless_is_nothing,
        ..BlockSchema::new(row.keyword, row.label_names)
    }
}

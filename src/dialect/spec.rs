//! The types that a dialect's table is made of: structs and closed enums, no logic.

/// One block type of a dialect, as it stands for one version of the tool.
#[derive(Debug)]
pub struct BlockSpec {
    /// The block type as written.
    pub keyword: &'static str,
}

/// One argument of a block type.
#[derive(Debug)]
pub struct AttrSpec {
    /// The name as written.
    pub name: &'static str,
}

/// A dialect's table for one version of the tool.
#[derive(Debug)]
pub struct DialectSpec {
    /// The dialect's name as requests write it.
    pub name: &'static str,
    /// Top-level block types.
    pub blocks: &'static [BlockSpec],
}

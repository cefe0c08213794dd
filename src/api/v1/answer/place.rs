//! Places in files.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

/// A position in a file.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// 1-based; 0 where a tool places a finding in no file (the file name is then empty, and all positions are 0).
    #[schema(example = 1)]
    pub line: u32,
    /// 1-based, in Unicode grapheme clusters.
    #[schema(example = 1)]
    pub column: u32,
    /// 0-based offset into the file as sent.
    #[schema(example = 0)]
    pub byte: u32,
}

/// A half-open range of a file: `end` is the first position after it.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// Path relative to the module directory; with `recursive` relative to the top of the files.
    #[schema(example = "main.tf")]
    pub filename: String,
    /// First position.
    pub start: Position,
    /// First position after the range.
    pub end: Position,
}

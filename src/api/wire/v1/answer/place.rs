//! Places in files.

use serde::Serialize;
use utoipa::ToSchema;

/// A position in a file.
#[derive(Serialize, ToSchema, Debug)]
pub struct Position {
    /// The line, 1-based; 0 if a tool reports a finding in no file (the file name is then empty, and all numbers are
    /// 0).
    #[schema(example = 1)]
    pub line: u32,
    /// The column, 1-based, in Unicode grapheme clusters.
    #[schema(example = 1)]
    pub column: u32,
    /// The byte offset into the file as sent, 0-based.
    #[schema(example = 0)]
    pub byte: u32,
}

/// A half-open range in a file: `end` is the first position after it.
#[derive(Serialize, ToSchema, Debug)]
pub struct Range {
    /// The path relative to the module directory; with `recursive`, relative to the top directory of the files.
    #[schema(example = "main.tf")]
    pub filename: String,
    /// The first position.
    pub start: Position,
    /// The first position after the range.
    pub end: Position,
}

//! Places in files.

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use overfold_base::diag::Span;
use overfold_base::files::{self, Sources};

/// A position in a file.
#[derive(Serialize, ToSchema, Clone, Copy, Debug)]
pub struct Position {
    /// The line, 1-based; 0 if a tool reports a diagnostic in no file (the file name is then empty, and all numbers are
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
#[derive(Serialize, ToSchema, Clone, Copy, Debug)]
pub struct Range<'a> {
    /// The path relative to the module directory; with `recursive`, relative to the top directory of the files.
    #[schema(example = "main.tf")]
    pub filename: &'a str,
    /// The first position.
    pub start: Position,
    /// The first position after the range.
    pub end: Position,
}

impl From<files::Position> for Position {
    fn from(files::Position { line, column, byte }: files::Position) -> Self {
        Self { line, column, byte }
    }
}

impl<'a> Range<'a> {
    /// Returns a range of the file with this name.
    pub(crate) fn new(filename: &'a str, range: files::Range) -> Self {
        Self { filename, start: range.start.into(), end: range.end.into() }
    }

    /// Returns the place of a span; an empty span is widened as the tools print it.
    pub(crate) fn of(sources: &'a Sources, span: Span) -> Self {
        Self::new(sources.name(span.source), sources.range(span).widened())
    }
}

//! Places in files.

use std::fmt;

use serde::Deserialize;

/// A range in a file, half open. In text syntax of messages: `main.tf:2:3-31`.
#[derive(Deserialize, Clone, PartialEq, Eq, Debug)]
#[non_exhaustive]
pub struct Span {
    /// The path of the file, relative to the module directory.
    #[serde(rename = "filename")]
    pub file: String,
    /// The first character.
    pub start: Position,
    /// Behind the last character.
    pub end: Position,
}

/// A position in a file.
#[derive(Deserialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
#[non_exhaustive]
pub struct Position {
    /// The line, 1-based.
    pub line: u32,
    /// The column, 1-based, in grapheme clusters, as Terraform counts them.
    pub column: u32,
    /// The offset, 0-based, in bytes.
    pub byte: u32,
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, start, end } = self;
        write!(f, "{file}:{}:{}-", start.line, start.column)?;
        if start.line != end.line {
            write!(f, "{}:", end.line)?;
        }
        write!(f, "{}", end.column)
    }
}

//! Places in files.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A range in a file, half open. In text syntax of messages: `main.tf:2:3-31`.
#[derive(Deserialize, Serialize, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
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
#[derive(Deserialize, Serialize, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
#[non_exhaustive]
pub struct Position {
    /// The line, 1-based.
    pub line: u32,
    /// The column, 1-based, in grapheme clusters, as Terraform counts them.
    pub column: u32,
    /// The offset, 0-based, in bytes.
    pub byte: u32,
}

/// `2:3`: the line and the column.
impl fmt::Display for Position {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}", self.line, self.column)
    }
}

impl fmt::Display for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { file, start, end } = self;
        write!(f, "{file}:{start}-")?;
        if start.line != end.line {
            write!(f, "{}:", end.line)?;
        }
        write!(f, "{}", end.column)
    }
}

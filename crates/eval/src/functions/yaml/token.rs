//! The tokens of a YAML text.

use super::cursor::Mark;

/// A token. Those that begin and end a block stand for a change of the indentation, not for characters.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) enum Token<'t> {
    /// `%YAML` with a version.
    Version(u8, u8),
    /// `%TAG` with a handle and what it stands for.
    TagHandle(&'t str, String),
    /// `---`.
    DocumentStart,
    /// `...`.
    DocumentEnd,
    /// The end of the text.
    End,
    /// The first entry of a sequence in a block follows.
    BlockSequence,
    /// The first key of a mapping in a block follows.
    BlockMapping,
    /// The block ends.
    BlockEnd,
    /// `[`.
    FlowSequence,
    /// `]`.
    FlowSequenceEnd,
    /// `{`.
    FlowMapping,
    /// `}`.
    FlowMappingEnd,
    /// `,`.
    Comma,
    /// `-`.
    Entry,
    /// `?`, or the place before a key without it.
    Key,
    /// `:`.
    Value,
    /// `*` and a name.
    Alias(&'t str),
    /// `&` and a name.
    Anchor(&'t str),
    /// A tag: its handle, empty if it has none, and the rest.
    Tag(&'t str, String),
    /// A scalar.
    Scalar(String, Style),
}

/// How a scalar is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Style {
    /// Without quotes.
    Plain,
    /// In single or double quotes.
    Quoted,
    /// In the lines below `|` or `>`.
    Block,
}

/// Why a text is not YAML, and where.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    /// The place.
    pub(super) mark: Mark,
    /// What is wrong, as a phrase.
    pub(super) what: &'static str,
}

impl Fault {
    /// Returns a fault at a place.
    pub(super) fn at(mark: Mark, what: &'static str) -> Self {
        Self { mark, what }
    }
}

/// A result of scanning or parsing.
pub(super) type Scanned<T> = Result<T, Fault>;

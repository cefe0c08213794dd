//! Places: byte spans inside the sources of one request.

/// A source text of one request: a file of the file set, a text inside a file (a decoded JSON string), or a text given
/// separately (the value of a `-var` option). The number is an index local to the request, never global.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(u32);

impl SourceId {
    /// No source: its name is empty, and its positions are all zero.
    pub const NOWHERE: Self = Self(u32::MAX);

    /// Creates the id of the source at `index` (0-based) in the request's list of sources.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// Returns the 0-based index into the request's list of sources.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A half-open range of bytes, 0-based, inside a text known from the context (each tree has a single text).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TextRange {
    /// First byte.
    pub start: u32,
    /// First byte after the range.
    pub end: u32,
}

impl TextRange {
    /// Returns the range from `start` up to, but not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// Returns the smallest range that contains both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Returns the number of bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Whether the range is empty.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// Returns the indexes of the bytes.
    pub const fn indexes(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Returns the bytes that a text has in this range; none if the range is not inside the text.
    #[inline]
    pub fn bytes_of(self, text: &[u8]) -> &[u8] {
        text.get(self.indexes()).unwrap_or_default()
    }

    /// Returns what a text has in this range; nothing if the range is not inside the text, or cuts a character in two.
    #[inline]
    pub fn text_of(self, text: &str) -> &str {
        text.get(self.indexes()).unwrap_or_default()
    }

    /// Returns the same range as a span of `source`.
    pub const fn in_source(self, source: SourceId) -> Span {
        Span { source, start: self.start, end: self.end }
    }
}

/// A half-open range of bytes, 0-based, inside one source of the request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The source that contains the bytes.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// First byte after the span.
    pub end: u32,
}

impl Span {
    /// A place in no file: all zero, with an empty file name. Some tools report it instead of no place at all.
    pub const NOWHERE: Self = Self { source: SourceId::NOWHERE, start: 0, end: 0 };

    /// Returns the span without its source.
    pub const fn range(self) -> TextRange {
        TextRange { start: self.start, end: self.end }
    }
}

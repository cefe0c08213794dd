//! Places: byte spans inside the sources of one request.

/// A source text of one request: a file of the file set, or a text inside one (a decoded JSON string) or beside
/// them (the value of a `-var` option). The number is an index local to the request, never global.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct SourceId(u32);

impl SourceId {
    /// No source at all: its name is empty, and its positions are all zero.
    pub const NOWHERE: Self = Self(u32::MAX);

    /// The id of the source at `index` (0-based) of the request's list of sources.
    pub const fn new(index: u32) -> Self {
        Self(index)
    }

    /// The 0-based index into the request's list of sources.
    pub const fn index(self) -> usize {
        self.0 as usize
    }
}

/// A half-open range of bytes, 0-based, inside a text that is known from the context (one tree holds one text).
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Default)]
pub struct TextRange {
    /// First byte.
    pub start: u32,
    /// First byte after the range.
    pub end: u32,
}

impl TextRange {
    /// The range from `start` up to, not including, `end`.
    pub const fn new(start: u32, end: u32) -> Self {
        Self { start, end }
    }

    /// The smallest range that holds both.
    #[must_use]
    pub fn to(self, other: Self) -> Self {
        Self { start: self.start.min(other.start), end: self.end.max(other.end) }
    }

    /// Number of bytes.
    pub const fn len(self) -> usize {
        self.end.saturating_sub(self.start) as usize
    }

    /// Whether the range holds no byte.
    pub const fn is_empty(self) -> bool {
        self.end <= self.start
    }

    /// The indexes of the bytes.
    pub const fn indexes(self) -> std::ops::Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The same range as a span of `source`.
    pub const fn in_source(self, source: SourceId) -> Span {
        Span { source, start: self.start, end: self.end }
    }
}

/// A half-open range of bytes, 0-based, inside one source of the request.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Span {
    /// The source that the bytes are counted in.
    pub source: SourceId,
    /// First byte.
    pub start: u32,
    /// First byte after the span.
    pub end: u32,
}

impl Span {
    /// A place in no file, which some tools give instead of none: all zero, the file name empty.
    pub const NOWHERE: Self = Self { source: SourceId::NOWHERE, start: 0, end: 0 };

    /// The span's bytes without its source.
    pub const fn range(self) -> TextRange {
        TextRange { start: self.start, end: self.end }
    }
}

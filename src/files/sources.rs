//! Sources: every text that a position of this request can point into.

use bytes::Bytes;
use elsa::FrozenVec;
use std::cell::{Cell, OnceCell};

use super::lines::{Counting, LineIndex, Position, Range};
use crate::diag::{SourceId, Span, TextRange};

/// What kind of text a source is; it decides how columns are counted and where positions start.
#[derive(Clone, Debug)]
pub enum SourceKind {
    /// A file in native syntax (or any file that is only shown).
    Native,
    /// A file in JSON syntax: outside strings a tab is two columns and a carriage return none.
    Json,
    /// The decoded text of a JSON string: `offset` is the byte in `parent` right after the opening quote.
    /// Escapes are not counted, as in the tool: positions advance by the decoded text.
    Embedded {
        /// The JSON file that holds the string.
        parent: SourceId,
        /// Byte offset in `parent` where the text's first byte counts as standing.
        offset: u32,
    },
    /// A text that stands in no file, such as the value of an option; starts at 1:1, byte 0.
    Detached,
}

/// What a source is for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SourceRole {
    /// It declares: a configuration or test file, and what stands inside one.
    #[default]
    Configuration,
    /// It assigns values to variables: a definitions file.
    Definitions,
    /// It is a value that came with the request beside the files.
    Given,
}

/// One source text.
#[derive(Debug)]
pub struct Source {
    /// The file name as reported, relative to the module directory, or `<value for var.NAME>`.
    pub name: String,
    /// The text as sent (or decoded, for an embedded one). Not necessarily UTF-8.
    pub text: Bytes,
    /// How positions are counted.
    pub kind: SourceKind,
    /// Offsets, ascending, at which a column begins although the grapheme rules alone would not break there:
    /// columns are counted per token, so a token that begins with a combining mark begins a column.
    pub breaks: Vec<u32>,
    /// What it is for; known only after it was parsed.
    pub role: Cell<SourceRole>,
    /// It has a syntax error: its tree is a recovered one.
    pub damaged: bool,
    /// Offsets, ascending, at which errors inside its expressions begin. Errors of the structure around expressions do
    /// not put these in doubt.
    pub expression_errors: Vec<u32>,
    index: OnceCell<LineIndex>,
}

impl Source {
    /// A source named `name` with this text.
    pub fn new(name: impl Into<String>, text: Bytes, kind: SourceKind) -> Self {
        Self {
            name: name.into(),
            text,
            kind,
            breaks: Vec::new(),
            role: Cell::default(),
            damaged: false,
            expression_errors: Vec::new(),
            index: OnceCell::new(),
        }
    }

    fn line_index(&self, counting: Counting) -> &LineIndex {
        self.index.get_or_init(|| LineIndex::new(&self.text, counting, &self.breaks))
    }
}

/// All sources of one request. Append-only through a shared reference, because embedded texts are found while trees
/// are read.
#[derive(Default)]
pub struct Sources {
    list: FrozenVec<Box<Source>>,
    /// What stands before the names of files: a folder with a slash, or nothing.
    folder: OnceCell<String>,
}

/// How the names of values begin that stand in no file.
pub(crate) const GIVEN: &str = "<value for ";

/// The path of a file below a folder (with its slash); leading `../` of the name go up from there as far as there are
/// folders.
fn below(mut folder: &str, mut name: &str) -> String {
    loop {
        let Some(rest) = name.strip_prefix("./") else {
            let Some(rest) = name.strip_prefix("../") else { break };
            let Some(inner) = folder.strip_suffix('/') else { break };
            folder = inner.rfind('/').map_or("", |at| inner.get(..=at).unwrap_or_default());
            name = rest;
            continue;
        };
        name = rest;
    }
    format!("{folder}{name}")
}

impl Sources {
    /// No sources yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// From now on files are reported by their path below this folder's parent: `folder` (`""` for none) and a slash stand
    /// before the names of those that are added. Can be said once, before the first file.
    pub fn set_folder(&self, folder: &str) {
        if !folder.is_empty() {
            // A second folder would name half of the files differently.
            let _ = self.folder.set(format!("{folder}/"));
        }
    }

    /// What stands before the names of files: a folder with a slash, or `""`.
    pub fn folder(&self) -> &str {
        self.folder.get().map_or("", String::as_str)
    }

    /// Adds a source and gives its id.
    pub fn add(&self, mut source: Source) -> SourceId {
        let is_file = matches!(source.kind, SourceKind::Native | SourceKind::Json);
        if let Some(folder) = self.folder.get()
            && is_file
            && !source.name.starts_with(GIVEN)
        {
            source.name = below(folder, &source.name);
        }
        self.list.push(Box::new(source));
        SourceId::new(u32::try_from(self.list.len()).unwrap_or(u32::MAX).saturating_sub(1))
    }

    /// Says what a source is for.
    pub fn set_role(&self, id: SourceId, role: SourceRole) {
        if let Some(source) = self.get(id) {
            source.role.set(role);
        }
    }

    /// How many sources there are.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.list.len() == 0
    }

    /// The source with this id. Ids come from [`Self::add`] of the same request, so it is always there; an id of
    /// another request gives the empty source.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.list.get(id.index())
    }

    /// The bytes of a span; empty where the span does not lie inside its source.
    pub fn bytes(&self, span: Span) -> &[u8] {
        self.get(span.source)
            .and_then(|source| source.text.get(span.start as usize..span.end as usize))
            .unwrap_or_default()
    }

    /// The text of a span, with U+FFFD for bytes that are not UTF-8.
    pub fn text(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(span))
    }

    /// The name of a source as it is reported.
    pub fn name(&self, id: SourceId) -> &str {
        self.get(id).map_or("", |source| match source.kind {
            SourceKind::Embedded { parent, .. } => self.name(parent),
            _ => &source.name,
        })
    }

    /// Line and column of the byte at `offset` (0-based) in `id`, and the byte as it is reported: for an embedded
    /// text all three count from where it stands in its file.
    pub fn position(&self, id: SourceId, offset: u32) -> Position {
        let Some(source) = self.get(id) else {
            return if id == SourceId::NOWHERE { Position::NOWHERE } else { Position::START };
        };
        let (from, counting) = match source.kind {
            SourceKind::Embedded { parent, offset } => (self.position(parent, offset), Counting::Graphemes),
            SourceKind::Json => (Position::START, Counting::Json),
            SourceKind::Native | SourceKind::Detached => (Position::START, Counting::Graphemes),
        };
        source.line_index(counting).position(from, &source.text, offset, counting, &source.breaks)
    }

    /// The line of the byte at `offset` (0-based) in the text of `id` alone: its number, 1-based, and the offset of its
    /// first byte. Lines end with a line feed.
    pub fn line(&self, id: SourceId, offset: u32) -> (u32, u32) {
        let Some(source) = self.get(id) else { return (1, 0) };
        let counting = if matches!(source.kind, SourceKind::Json) { Counting::Json } else { Counting::Graphemes };
        let (number, start) = source.line_index(counting).line(offset);
        (number + 1, start)
    }

    /// Start and end of a span as reported; an empty span stays empty.
    pub fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.source, span.start), end: self.position(span.source, span.end) }
    }

    /// The span of the file that an embedded span points to, with its bytes as they are reported: what a snippet
    /// shows. A span of a file is given back as it is.
    pub fn in_file(&self, span: Span) -> Span {
        match self.get(span.source).map(|source| &source.kind) {
            Some(&SourceKind::Embedded { parent, offset }) => self.in_file(
                TextRange::new(offset.saturating_add(span.start), offset.saturating_add(span.end)).in_source(parent),
            ),
            _ => span,
        }
    }
}

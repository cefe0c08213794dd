//! Sources: every text into which a position of this request can point.

use bytes::Bytes;
use elsa::FrozenVec;
use std::cell::{Cell, OnceCell, RefCell};

use super::lines::{Counting, LineIndex, Position, Range};
use crate::diag::{SourceId, Span, TextRange};

/// What kind of text a source is, which decides how columns are counted and where positions start.
#[derive(Clone, Debug)]
pub enum SourceKind {
    /// A file in native syntax, or any file that is only shown.
    Native,
    /// A file in JSON syntax: outside strings, a tab is two columns and a carriage return none.
    Json,
    /// The decoded text of a JSON string. Positions advance by the decoded text: escapes are not counted, as in the
    /// tool.
    Embedded {
        /// The JSON file that holds the string.
        parent: SourceId,
        /// The byte offset in `parent` at which the text is taken to start: right after the opening quote.
        offset: u32,
    },
    /// A text that is not in a file, such as the value of an option; starts at 1:1, byte 0.
    Detached,
}

/// What a source is for.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum SourceRole {
    /// Declarations: a configuration or test file, or a text inside one.
    #[default]
    Configuration,
    /// Assignments of values to variables: a variable definitions file.
    Definitions,
    /// A value that was sent with the request in addition to the files.
    Given,
}

/// One source text.
#[derive(Debug)]
pub struct Source {
    /// The file name as reported, relative to the module directory, or `<value for var.NAME>`.
    pub name: String,
    /// The text as sent (or as decoded, if it is embedded). Not necessarily UTF-8.
    pub text: Bytes,
    /// The kind of text, which decides how positions are counted.
    pub kind: SourceKind,
    /// Offsets, ascending, at which a column begins although the grapheme rules alone would not break there: columns
    /// are counted per token, so a token that begins with a combining mark begins a column.
    pub breaks: Vec<u32>,
    /// What the source is for; known only after it has been parsed.
    pub role: Cell<SourceRole>,
    /// Whether the source has a syntax error, so that its tree is a recovered one.
    pub damaged: bool,
    /// Offsets, ascending, at which errors inside the source's expressions begin. Errors in the structure around
    /// expressions do not put the expressions in doubt.
    pub expression_errors: Vec<u32>,
    index: OnceCell<LineIndex>,
}

impl Source {
    /// Creates a source with this name and text.
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

/// All sources of one request. They can be added through a shared reference, because embedded texts are found while
/// trees are read.
#[derive(Default)]
pub struct Sources {
    list: FrozenVec<Box<Source>>,
    /// The prefix of all file names: a folder with a slash, or nothing.
    folder: OnceCell<String>,
    /// The directory of the module whose files are being read, relative to the root module, with a slash; nothing for
    /// the root module itself.
    module: RefCell<String>,
}

/// The beginning of the names of values that are not in a file.
pub const GIVEN: &str = "<value for ";

/// Joins a folder (with its slash) and the name of a file; leading `../` segments of the name go up from the folder for
/// as long as there are parents.
fn below(mut folder: &str, mut name: &str) -> String {
    loop {
        let Some(rest) = name.strip_prefix("./") else {
            let Some(rest) = name.strip_prefix("../") else { break };
            let Some(inner) = folder.strip_suffix('/') else { break };
            folder = inner.rfind('/').map_or("", |at| inner.split_at(at + 1).0);
            name = rest;
            continue;
        };
        name = rest;
    }
    format!("{folder}{name}")
}

impl Sources {
    /// Returns an empty list of sources.
    pub fn new() -> Self {
        Self::default()
    }

    /// Prefixes the names of all files added from now on with `folder` and a slash (`""` for no prefix), so that they
    /// are reported relative to this folder's parent. Can be called once, before the first file.
    pub fn set_folder(&self, folder: &str) {
        if !folder.is_empty() {
            // Changing the folder later would leave the files with inconsistent names.
            let _ = self.folder.set(format!("{folder}/"));
        }
    }

    /// Names all files that are added from now on as those of a called module: `path` is its directory relative to that
    /// of the root module, which may begin with `..`.
    pub fn enter_module(&self, path: &str) {
        *self.module.borrow_mut() = if path.is_empty() { String::new() } else { format!("{path}/") };
    }

    /// Returns the prefix of all file names: a folder with a slash, or `""`.
    pub fn folder(&self) -> &str {
        self.folder.get().map_or("", String::as_str)
    }

    /// Adds a source and returns its id.
    pub fn add(&self, mut source: Source) -> SourceId {
        let is_file = matches!(source.kind, SourceKind::Native | SourceKind::Json) && !source.name.starts_with(GIVEN);
        if is_file {
            let module = self.module.borrow();
            if !module.is_empty() {
                source.name.insert_str(0, &module);
            }
        }
        if let Some(folder) = self.folder.get()
            && is_file
        {
            source.name = below(folder, &source.name);
        }
        self.list.push(Box::new(source));
        SourceId::new(u32::try_from(self.list.len()).unwrap_or(u32::MAX).saturating_sub(1))
    }

    /// Sets what a source is for.
    pub fn set_role(&self, id: SourceId, role: SourceRole) {
        if let Some(source) = self.get(id) {
            source.role.set(role);
        }
    }

    /// Returns the number of sources.
    pub fn len(&self) -> usize {
        self.list.len()
    }

    /// Whether there are no sources.
    pub fn is_empty(&self) -> bool {
        self.list.len() == 0
    }

    /// Returns the source with this id: always `Some` for an id that [`Self::add`] returned for the same request.
    pub fn get(&self, id: SourceId) -> Option<&Source> {
        self.list.get(id.index())
    }

    /// Returns the bytes of a span; empty if the span is not inside its source.
    pub fn bytes(&self, span: Span) -> &[u8] {
        self.get(span.source).map_or(&[], |source| span.range().bytes_of(&source.text))
    }

    /// Returns the text of a span, with U+FFFD for bytes that are not UTF-8.
    pub fn text(&self, span: Span) -> std::borrow::Cow<'_, str> {
        String::from_utf8_lossy(self.bytes(span))
    }

    /// Returns the name of a source as reported.
    pub fn name(&self, id: SourceId) -> &str {
        self.get(id).map_or("", |source| match source.kind {
            SourceKind::Embedded { parent, .. } => self.name(parent),
            _ => &source.name,
        })
    }

    /// Returns the line, column and byte to report for the byte at `offset` (0-based) in `id`. In an embedded text, all
    /// three are counted from where the text is in its file.
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

    /// Returns the line that contains the byte at `offset` (0-based) in the text of `id` itself: its 1-based number,
    /// and the offset of its first byte. Lines end with a line feed.
    pub fn line(&self, id: SourceId, offset: u32) -> (u32, u32) {
        let Some(source) = self.get(id) else { return (1, 0) };
        let counting = if matches!(source.kind, SourceKind::Json) { Counting::Json } else { Counting::Graphemes };
        let (number, start) = source.line_index(counting).line(offset);
        (number + 1, start)
    }

    /// Returns the start and end of a span as reported; an empty span stays empty.
    pub fn range(&self, span: Span) -> Range {
        Range { start: self.position(span.source, span.start), end: self.position(span.source, span.end) }
    }

    /// Returns the span of the file that corresponds to an embedded span, with its bytes as reported: the text that a
    /// snippet shows. A span of a file is returned unchanged.
    pub fn in_file(&self, span: Span) -> Span {
        match self.get(span.source).map(|source| &source.kind) {
            Some(&SourceKind::Embedded { parent, offset }) => self.in_file(
                TextRange::new(offset.saturating_add(span.start), offset.saturating_add(span.end)).in_source(parent),
            ),
            _ => span,
        }
    }
}

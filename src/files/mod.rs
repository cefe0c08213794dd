//! The files of one request: an immutable in-memory set, and the sources made from it while it is read.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod lines;
mod path;
mod sources;

pub use lines::{Position, Range};
pub use path::{ModulePath, PathError};
pub use sources::{Source, SourceKind, Sources};

use bytes::Bytes;

/// One regular file: its path and its bytes, whatever they are.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path relative to the top of the request.
    pub path: ModulePath,
    /// The content as sent.
    pub bytes: Bytes,
}

/// Something in the upload that is not a regular file, kept so that a stage can speak about it.
#[derive(Clone, Debug)]
pub struct SpecialEntry {
    /// Path relative to the top of the request.
    pub path: ModulePath,
    /// What it is.
    pub kind: SpecialKind,
}

/// Kinds of entries that hold no content of their own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialKind {
    /// A folder. Kept because a folder may have the name of a file that a tool wants to read.
    Folder,
    /// A symbolic or hard link.
    Link,
    /// A device, pipe or socket.
    Device,
}

/// All files of a request: sorted by path, no path twice, immutable. No I/O happens after this exists.
#[derive(Clone, Debug, Default)]
pub struct FileSet {
    files: Vec<SourceFile>,
    special: Vec<SpecialEntry>,
}

impl FileSet {
    /// A set of `files` and `special` entries, sorted by path (bytes). Duplicate paths are the caller's to refuse;
    /// of two equal ones both are kept, in the order given.
    pub fn new(mut files: Vec<SourceFile>, mut special: Vec<SpecialEntry>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        special.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files, special }
    }

    /// The files, sorted by path.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Entries that are no regular files, sorted by path.
    pub fn special(&self) -> &[SpecialEntry] {
        &self.special
    }

    /// The file at `path`.
    pub fn get(&self, path: &str) -> Option<&SourceFile> {
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(path)).ok()?;
        self.files.get(at)
    }

    /// Files directly inside `folder` (`""` is the top), sorted by path; not those of its sub-folders.
    pub fn in_folder<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a SourceFile> + 'a {
        self.files.iter().filter(move |file| file.path.folder() == folder)
    }

    /// Whether any entry lies in `folder` or below it. `""` always exists.
    pub fn has_folder(&self, folder: &str) -> bool {
        folder.is_empty()
            || self.files.iter().map(|file| file.path.as_str()).any(|path| is_below(path, folder))
            || self.special.iter().any(|entry| {
                is_below(entry.path.as_str(), folder)
                    || (entry.kind == SpecialKind::Folder && entry.path.as_str() == folder)
            })
    }
}

fn is_below(path: &str, folder: &str) -> bool {
    path.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
}

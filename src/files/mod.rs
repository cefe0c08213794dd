//! The files of one request: an immutable in-memory set, and the sources made from it while it is read.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod lines;
mod path;
mod sources;

pub use lines::{Position, Range};
pub use path::{ModulePath, PathError};
pub use sources::{Source, SourceKind, SourceRole, Sources};

use std::collections::BTreeSet;

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
        below(&self.files, |file| &file.path, folder).iter().filter(move |file| file.path.folder() == folder)
    }

    /// Links, devices and sent folders directly inside `folder`, sorted by path: what a stage looks through for
    /// names that it would have read as files.
    pub fn special_in_folder<'a>(&'a self, folder: &'a str) -> impl Iterator<Item = &'a SpecialEntry> + 'a {
        below(&self.special, |entry| &entry.path, folder).iter().filter(move |entry| entry.path.folder() == folder)
    }

    /// Whether any entry lies in `folder` or below it, or is `folder`. `""` always exists.
    pub fn has_folder(&self, folder: &str) -> bool {
        folder.is_empty()
            || !below(&self.files, |file| &file.path, folder).is_empty()
            || !below(&self.special, |entry| &entry.path, folder).is_empty()
            || self.special.iter().any(|e| e.kind == SpecialKind::Folder && e.path.as_str() == folder)
    }

    /// Every folder that there is, sorted, `""` first: those that files and other entries lie in, those above them,
    /// and those that were sent as entries of their own.
    pub fn folders(&self) -> BTreeSet<&str> {
        let mut folders = BTreeSet::from([""]);
        let mut add = |mut folder| {
            while folders.insert(folder) {
                folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            }
        };
        self.files.iter().for_each(|file| add(file.path.folder()));
        for entry in &self.special {
            add(entry.path.folder());
            if entry.kind == SpecialKind::Folder {
                add(entry.path.as_str());
            }
        }
        folders
    }
}

/// The run of `entries`, sorted by path, that lie below `folder`.
fn below<'a, T>(entries: &'a [T], path: impl Fn(&T) -> &ModulePath, folder: &str) -> &'a [T] {
    if folder.is_empty() {
        return entries;
    }
    // By bytes, `folder/…` stands between `folder/` and `folder0`, the character after the slash.
    let prefix = || folder.bytes();
    let start = entries.partition_point(|entry| path(entry).as_str().bytes().lt(prefix().chain([b'/'])));
    let end = entries.partition_point(|entry| path(entry).as_str().bytes().lt(prefix().chain([b'/' + 1])));
    entries.get(start..end).unwrap_or_default()
}

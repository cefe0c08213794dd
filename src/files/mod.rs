//! The files of one request: an immutable in-memory set, and the sources made from it while it is read.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod lines;
mod path;
mod sources;

pub use lines::{Position, Range};
pub use path::{ModulePath, PathError};
pub(crate) use sources::GIVEN;
pub use sources::{Source, SourceKind, SourceRole, Sources};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

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
///
/// A folder may have a second name, a link to it: what lies in it is found by either, and listed by its own.
#[derive(Clone, Debug, Default)]
pub struct FileSet {
    files: Vec<SourceFile>,
    special: Vec<SpecialEntry>,
    /// Links to folders, and the paths of those, which pass through no link.
    linked: BTreeMap<String, String>,
    /// Files of which only the names are known.
    unread: BTreeSet<String>,
}

impl FileSet {
    /// A set of `files` and `special` entries, sorted by path (bytes). Duplicate paths are the caller's to refuse;
    /// of two equal ones both are kept, in the order given.
    pub fn new(mut files: Vec<SourceFile>, mut special: Vec<SpecialEntry>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        special.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files, special, ..Self::default() }
    }

    /// The same set with links to folders: the path of each link, and the path of the folder without any link in it.
    #[must_use]
    pub fn with_linked_folders(self, linked: BTreeMap<String, String>) -> Self {
        Self { linked, ..self }
    }

    /// The same set, in which the content of the files at these paths is not known: they are listed, and empty.
    #[must_use]
    pub fn with_unread(self, unread: BTreeSet<String>) -> Self {
        Self { unread, ..self }
    }

    /// Whether the content of the file at `path` is not known.
    pub fn is_unread(&self, path: &str) -> bool {
        !self.unread.is_empty() && self.unread.contains(&*self.real(path))
    }

    /// The same set as a folder of a larger one, in which `more` files lie as well. `prefix` is the path of that folder.
    ///
    /// # Errors
    /// When a path gets too long or is not valid below `prefix`.
    pub fn below(&self, prefix: &str, more: Vec<SourceFile>) -> Result<Self, PathError> {
        let below = |path: &str| format!("{prefix}/{path}");
        let mut files = more;
        for file in &self.files {
            let path = ModulePath::parse(&below(file.path.as_str()))?;
            files.push(SourceFile { path, bytes: file.bytes.clone() });
        }
        let mut special = Vec::with_capacity(self.special.len());
        for entry in &self.special {
            special.push(SpecialEntry { path: ModulePath::parse(&below(entry.path.as_str()))?, kind: entry.kind });
        }
        let linked = self.linked.iter().map(|(link, folder)| (below(link), below(folder)));
        let unread = self.unread.iter().map(|path| below(path)).collect();
        Ok(Self::new(files, special).with_linked_folders(linked.collect()).with_unread(unread))
    }

    /// Links to folders with the paths of those, sorted.
    pub fn linked_folders(&self) -> impl Iterator<Item = (&str, &str)> {
        self.linked.iter().map(|(link, folder)| (&**link, &**folder))
    }

    /// The path without links to folders in it.
    pub fn real<'p>(&self, path: &'p str) -> Cow<'p, str> {
        if self.linked.is_empty() {
            return Cow::Borrowed(path);
        }
        let mut real = String::with_capacity(path.len());
        for segment in path.split('/') {
            if !real.is_empty() {
                real.push('/');
            }
            real.push_str(segment);
            if let Some(folder) = self.linked.get(&real) {
                real.clone_from(folder);
            }
        }
        Cow::Owned(real)
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
        let path = self.real(path);
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(&path)).ok()?;
        self.files.get(at)
    }

    /// The entry at `path` that is no regular file.
    pub fn get_special(&self, path: &str) -> Option<&SpecialEntry> {
        let path = self.real(path);
        let at = self.special.binary_search_by(|entry| entry.path.as_str().cmp(&path)).ok()?;
        self.special.get(at)
    }

    /// Files directly inside `folder` (`""` is the top), sorted by path; not those of its sub-folders.
    pub fn in_folder(&self, folder: &str) -> impl Iterator<Item = &SourceFile> {
        directly_in(&self.files, |file| &file.path, &self.real(folder))
    }

    /// Links, devices and sent folders directly inside `folder`, sorted by path: what a stage looks through for
    /// names that it would have read as files.
    pub fn special_in_folder(&self, folder: &str) -> impl Iterator<Item = &SpecialEntry> {
        directly_in(&self.special, |entry| &entry.path, &self.real(folder))
    }

    /// Whether any entry lies in `folder` or below it, or is `folder`. `""` always exists.
    pub fn has_folder(&self, folder: &str) -> bool {
        let real = self.real(folder);
        real.is_empty()
            || !below(&self.files, |file| &file.path, &real).is_empty()
            || !below(&self.special, |entry| &entry.path, &real).is_empty()
            || self.get_special(folder).is_some_and(|entry| entry.kind == SpecialKind::Folder)
    }

    /// The link that a path passes through, or is, and that leads out of the files or nowhere.
    pub fn broken_link(&self, path: &str) -> Option<&str> {
        let ends = memchr::memchr_iter(b'/', path.as_bytes()).chain([path.len()]);
        let mut above = ends.filter_map(|end| self.get_special(path.get(..end)?));
        above.find(|entry| entry.kind == SpecialKind::Link).map(|entry| entry.path.as_str())
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

/// The `entries`, sorted by path, that lie in `folder` and in no folder of it.
fn directly_in<'a, T>(
    entries: &'a [T],
    path: fn(&T) -> &ModulePath,
    folder: &str,
) -> impl Iterator<Item = &'a T> + use<'a, T> {
    let length = folder.len();
    below(entries, path, folder).iter().filter(move |entry| path(entry).folder().len() == length)
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

//! The files of one request: an immutable set in memory, and the sources created while it is read.

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

/// One regular file: its path and its bytes, of whatever kind.
#[derive(Clone, Debug)]
pub struct SourceFile {
    /// Path relative to the top of the request's files.
    pub path: ModulePath,
    /// The content as sent.
    pub bytes: Bytes,
}

/// Something in the upload that is not a regular file, kept so that a stage can report it.
#[derive(Clone, Debug)]
pub struct SpecialEntry {
    /// Path relative to the top of the request's files.
    pub path: ModulePath,
    /// What kind of entry it is.
    pub kind: SpecialKind,
}

/// Kinds of entries that have no content.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum SpecialKind {
    /// A folder. Kept because a folder may have the name of a file that a tool would read.
    Folder,
    /// A symbolic or hard link.
    Link,
    /// A device, pipe or socket.
    Device,
}

/// All files of a request: sorted by path, each path once, immutable. No I/O happens after this exists.
///
/// A folder may have a second name, a link to it: its contents are found under either name, but listed only under its
/// own.
#[derive(Clone, Debug, Default)]
pub struct FileSet {
    files: Vec<SourceFile>,
    special: Vec<SpecialEntry>,
    /// Links to folders, with the paths of those folders, which pass through no link.
    linked: BTreeMap<String, String>,
    /// Files of which only the name is known.
    unread: BTreeSet<String>,
}

impl FileSet {
    /// Creates a set of `files` and `special` entries, sorted by path (bytewise). The caller refuses duplicate paths;
    /// two equal ones would both be kept, in the given order.
    pub fn new(mut files: Vec<SourceFile>, mut special: Vec<SpecialEntry>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        special.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files, special, ..Self::default() }
    }

    /// Returns the same set with links to folders: the path of each link, and the path of its folder without any link
    /// in it.
    #[must_use]
    pub fn with_linked_folders(self, linked: BTreeMap<String, String>) -> Self {
        Self { linked, ..self }
    }

    /// Returns the same set with the content of the files at these paths marked as unknown: the files are listed, but
    /// empty.
    #[must_use]
    pub fn with_unread(self, unread: BTreeSet<String>) -> Self {
        Self { unread, ..self }
    }

    /// Whether the content of the file at `path` is unknown.
    pub fn is_unread(&self, path: &str) -> bool {
        !self.unread.is_empty() && self.unread.contains(&*self.real_path(path))
    }

    /// Returns the same set as the folder `prefix` of a larger one that also contains the files `more`.
    ///
    /// # Errors
    /// Returns [`PathError`] if a path is not valid below `prefix`.
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

    /// Iterates over the links to folders with the paths of those folders, sorted.
    pub fn linked_folders(&self) -> impl Iterator<Item = (&str, &str)> {
        self.linked.iter().map(|(link, folder)| (&**link, &**folder))
    }

    /// Returns the path with every link to a folder in it resolved.
    pub fn real_path<'p>(&self, path: &'p str) -> Cow<'p, str> {
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

    /// Returns the files, sorted by path.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns the entries that are not regular files, sorted by path.
    pub fn special(&self) -> &[SpecialEntry] {
        &self.special
    }

    /// Returns the file at `path`.
    pub fn get(&self, path: &str) -> Option<&SourceFile> {
        let path = self.real_path(path);
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(&path)).ok()?;
        self.files.get(at)
    }

    /// Returns the entry at `path` if it is not a regular file.
    pub fn get_special(&self, path: &str) -> Option<&SpecialEntry> {
        let path = self.real_path(path);
        let at = self.special.binary_search_by(|entry| entry.path.as_str().cmp(&path)).ok()?;
        self.special.get(at)
    }

    /// Iterates over the files directly inside `folder` (`""` is the top), sorted by path; sub-folders are not
    /// searched.
    pub fn in_folder(&self, folder: &str) -> impl Iterator<Item = &SourceFile> {
        directly_in(&self.files, |file| &file.path, &self.real_path(folder))
    }

    /// Iterates over the links, devices and sent folders directly inside `folder`, sorted by path. A stage searches
    /// them for names that it would have read as files.
    pub fn special_in_folder(&self, folder: &str) -> impl Iterator<Item = &SpecialEntry> {
        directly_in(&self.special, |entry| &entry.path, &self.real_path(folder))
    }

    /// Whether any entry is `folder`, is in it, or is below it. `""` always exists.
    pub fn has_folder(&self, folder: &str) -> bool {
        let real = self.real_path(folder);
        real.is_empty()
            || !below(&self.files, |file| &file.path, &real).is_empty()
            || !below(&self.special, |entry| &entry.path, &real).is_empty()
            || self.get_special(folder).is_some_and(|entry| entry.kind == SpecialKind::Folder)
    }

    /// Returns the first link on a path, or the path itself if it is a link, that points outside the files or nowhere.
    pub fn broken_link(&self, path: &str) -> Option<&str> {
        let ends = memchr::memchr_iter(b'/', path.as_bytes()).chain([path.len()]);
        let mut above = ends.filter_map(|end| self.get_special(path.get(..end)?));
        above.find(|entry| entry.kind == SpecialKind::Link).map(|entry| entry.path.as_str())
    }

    /// Returns every folder, sorted, `""` first: the folders of files and other entries, their parents, and the folders
    /// sent as separate entries.
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

/// Iterates over those of `entries` (sorted by path) that are directly in `folder`.
fn directly_in<'a, T>(
    entries: &'a [T],
    path: fn(&T) -> &ModulePath,
    folder: &str,
) -> impl Iterator<Item = &'a T> + use<'a, T> {
    let length = folder.len();
    below(entries, path, folder).iter().filter(move |entry| path(entry).folder().len() == length)
}

/// Returns the run of `entries` (sorted by path) that are below `folder`.
fn below<'a, T>(entries: &'a [T], path: impl Fn(&T) -> &ModulePath, folder: &str) -> &'a [T] {
    if folder.is_empty() {
        return entries;
    }
    // In byte order, `folder/…` sorts between `folder/` and `folder0`, whose last character is the one after the slash.
    let prefix = || folder.bytes();
    let start = entries.partition_point(|entry| path(entry).as_str().bytes().lt(prefix().chain([b'/'])));
    let end = entries.partition_point(|entry| path(entry).as_str().bytes().lt(prefix().chain([b'/' + 1])));
    entries.get(start..end).unwrap_or_default()
}

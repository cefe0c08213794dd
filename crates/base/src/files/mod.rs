//! The files of one request, in memory or read when something asks for them, and the sources created while they are read.

mod lazy;
mod lines;
mod path;
mod sources;

pub use lazy::{FileSource, Listing, Node, SourceError};
pub use lines::{Position, Range};
pub use path::{ModulePath, PathError};
pub use sources::GIVEN;
pub use sources::{Source, SourceKind, SourceRole, Sources};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use bytes::Bytes;

use crate::account::{self, ChargedIterator};
use crate::echo::short;

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
    /// For a link that is not followed: its target as written, if that is a valid text.
    pub target: Option<Box<str>>,
    /// What the system says about a link that cannot be followed, if the files are on this machine.
    pub problem: Option<Box<str>>,
}

impl SpecialEntry {
    /// Returns why the entry cannot be read as a file, as the end of a sentence that starts with its name.
    pub fn why_unreadable(&self) -> String {
        let text = match (self.kind, &self.target) {
            (SpecialKind::Link, Some(text)) if self.problem.is_some() => {
                let problem = self.problem.as_deref().unwrap_or_default();
                return format!("it is a link to {:?}, which cannot be read ({problem})", short(text));
            }
            (SpecialKind::Folder, _) => return "it is a directory".to_owned(),
            (SpecialKind::Device, _) => return "it is a device, a pipe or a socket, not a regular file".to_owned(),
            (SpecialKind::Link, None) => return "it is a link whose target is not a valid path".to_owned(),
            (SpecialKind::Link, Some(text)) => text,
        };
        account::touch(text.len());
        let shown = short(text);
        if leads_outside(self.path.folder(), text) {
            format!(
                "it is a link to {shown:?}, which is outside of the files; send a directory that contains both, with the module's directory as root"
            )
        } else {
            format!("it is a link to {shown:?}, which does not exist, or is a link that leads back to this one")
        }
    }
}

/// Whether the target of a link in `folder` is above the top, or absolute.
fn leads_outside(folder: &str, target: &str) -> bool {
    let mut depth = if folder.is_empty() { 0 } else { folder.split('/').count() };
    if target.starts_with(['/', '\\']) {
        return true;
    }
    for segment in target.split('/') {
        match segment {
            "" | "." => {}
            ".." if depth == 0 => return true,
            ".." => depth -= 1,
            _ => depth += 1,
        }
    }
    false
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

/// All files of a request: sorted by path, each path once, immutable. Either all of them are in memory, as those of an
/// upload, and no I/O happens after this exists; or a [`FileSource`] is asked for what something looks at.
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
    /// What has been read of a source, if the files are not in memory: then the lists above are empty, but for links that
    /// were added.
    lazy: Option<Arc<lazy::LazyFileIndex>>,
}

impl FileSet {
    /// Creates a set of `files` and `special` entries, sorted by path (bytewise). The caller refuses duplicate paths;
    /// two equal ones would both be kept, in the given order.
    pub fn new(mut files: Vec<SourceFile>, mut special: Vec<SpecialEntry>) -> Self {
        files.sort_by(|a, b| a.path.cmp(&b.path));
        special.sort_by(|a, b| a.path.cmp(&b.path));
        Self { files, special, ..Self::default() }
    }

    /// Creates a set that asks `source` for what something looks at. In messages, everything is named from `folder`.
    pub fn lazy(source: Box<dyn FileSource>, folder: &str) -> Self {
        Self { lazy: Some(Arc::new(lazy::LazyFileIndex::new(source, folder))), ..Self::default() }
    }

    /// Takes the first reason for which something could not be read when it was asked for. An answer that was made from
    /// such a set is not worth anything.
    pub fn take_failure(&self) -> Option<SourceError> {
        self.lazy.as_ref()?.take_failure()
    }

    /// Returns a path as a message shows it: from the folder that everything is named from.
    pub fn shown<'p>(&self, path: &'p str) -> &'p str {
        let Some(lazy) = &self.lazy else { return path };
        match path.strip_prefix(&*lazy.folder) {
            Some("") => "",
            Some(rest) if lazy.folder.is_empty() => rest,
            Some(rest) => rest.strip_prefix('/').unwrap_or(path),
            None => path,
        }
    }

    /// Returns the same set with links to folders: the path of each link, and the path of its folder without any link
    /// in it.
    #[must_use]
    pub fn with_linked_folders(self, linked: BTreeMap<String, String>) -> Self {
        Self { linked, ..self }
    }

    /// Whether a path leads through a link that a tool names in another way than by the shortest path, such as by an
    /// absolute one ([`Node::Link`]).
    pub fn is_indirect(&self, path: &str) -> bool {
        let Some(lazy) = &self.lazy else { return false };
        let mut real = String::with_capacity(path.len());
        path.split('/').any(|segment| {
            let separator = if real.is_empty() { "" } else { "/" };
            let link = format!("{real}{separator}{segment}");
            self.descend(&mut real, segment);
            matches!(lazy.node(&link), Node::Link { is_indirect: true, .. })
        })
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

    /// Iterates over the links to folders with the paths of those folders, sorted.
    pub fn linked_folders(&self) -> impl Iterator<Item = (&str, &str)> {
        self.linked.iter().map(|(link, folder)| (&**link, &**folder))
    }

    /// Returns the path with every link to a folder in it resolved.
    pub fn real_path<'p>(&self, path: &'p str) -> Cow<'p, str> {
        let mut lazy = None;
        if self.linked.is_empty() {
            let Some(unlinked) = &self.lazy else { return Cow::Borrowed(path) };
            if let Some(known) = unlinked.resolved(path) {
                return if known == path { Cow::Borrowed(path) } else { Cow::Owned(known.to_owned()) };
            }
            lazy = Some(unlinked);
        }
        let mut real = String::with_capacity(path.len());
        path.split('/').for_each(|segment| self.descend(&mut real, segment));
        if let Some(lazy) = lazy {
            lazy.set_resolved(path, &real);
        }
        Cow::Owned(real)
    }

    /// Appends a segment to a path without links; a link to a folder is replaced by the path of the folder.
    fn descend(&self, real: &mut String, segment: &str) {
        if !real.is_empty() {
            real.push('/');
        }
        real.push_str(segment);
        if !self.linked.is_empty() {
            charge_look_up(self.linked.len(), real.len());
            if let Some(folder) = self.linked.get(real) {
                real.clone_from(folder);
            }
        }
        if let Some(lazy) = &self.lazy
            && let Node::Link { to, .. } = lazy.node(real)
        {
            real.clone_from(to);
        }
    }

    /// Returns the length of all files together, in bytes: those that have been read, if they are read when something asks.
    pub fn content_bytes(&self) -> u64 {
        if let Some(lazy) = &self.lazy {
            return lazy.read().1;
        }
        self.files.iter().map(|file| file.bytes.len() as u64).sum()
    }

    /// Returns the number of files: those that have been read, if they are read when something asks.
    pub fn count(&self) -> u64 {
        self.lazy.as_ref().map_or(self.files.len() as u64, |lazy| lazy.read().0)
    }

    /// Returns the files of a set in memory, sorted by path.
    pub fn files(&self) -> &[SourceFile] {
        &self.files
    }

    /// Returns the entries that are not regular files, sorted by path.
    pub fn special(&self) -> &[SpecialEntry] {
        &self.special
    }

    /// Returns the file at `path`.
    pub fn get(&self, path: &str) -> Option<&SourceFile> {
        self.file_at(&self.real_path(path))
    }

    /// Returns what is at `path`, whose links are resolved once for all questions.
    pub fn look_up(&self, path: &str) -> Place<'_> {
        let real = self.real_path(path);
        if !self.unread.is_empty() {
            charge_look_up(self.unread.len(), real.len());
            if self.unread.contains(&*real) {
                return Place::Unread;
            }
        }
        if let Some(file) = self.file_at(&real) {
            return Place::File(file);
        }
        match self.kind_at(&real) {
            Some(SpecialKind::Folder) => return Place::Folder,
            Some(SpecialKind::Link | SpecialKind::Device) => return Place::Special,
            None => {}
        }
        // Below a segment at which there is nothing there can be nothing either.
        let mut above = String::with_capacity(path.len());
        for segment in path.split('/') {
            self.descend(&mut above, segment);
            if self.file_at(&above).is_some() {
                return Place::BelowFile;
            }
            if !self.has_real_folder(&above) {
                break;
            }
        }
        Place::Nothing
    }

    fn file_at(&self, real: &str) -> Option<&SourceFile> {
        if let Some(lazy) = &self.lazy {
            return lazy.file(real);
        }
        charge_look_up(self.files.len(), real.len());
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(real)).ok()?;
        self.files.get(at)
    }

    fn special_at(&self, real: &str) -> Option<&SpecialEntry> {
        charge_look_up(self.special.len(), real.len());
        let at = self.special.binary_search_by(|entry| entry.path.as_str().cmp(real)).ok()?;
        self.special.get(at)
    }

    /// Returns what is at a path that is neither nothing nor a regular file.
    fn kind_at(&self, real: &str) -> Option<SpecialKind> {
        if let Some(lazy) = &self.lazy {
            return match lazy.node(real) {
                Node::Folder | Node::Link { .. } => Some(SpecialKind::Folder),
                Node::Special { kind, .. } => Some(*kind),
                Node::File | Node::Nothing => None,
            };
        }
        let special = self.special_at(real).map(|entry| entry.kind);
        special.or_else(|| self.has_entries_below(real).then_some(SpecialKind::Folder))
    }

    /// Whether any file or other entry is in a folder, or below it.
    fn has_entries_below(&self, real: &str) -> bool {
        real.is_empty()
            || !below(&self.files, |file| &file.path, real).is_empty()
            || !below(&self.special, |entry| &entry.path, real).is_empty()
    }

    fn has_real_folder(&self, real: &str) -> bool {
        self.kind_at(real) == Some(SpecialKind::Folder)
    }

    /// Iterates over the files directly inside `folder` (`""` is the top), sorted by path; sub-folders are not
    /// searched.
    pub fn in_folder(&self, folder: &str) -> impl Iterator<Item = &SourceFile> {
        let real = self.real_path(folder);
        let files = self.lazy.as_ref().map_or(&self.files, |lazy| &lazy.module(&real).files);
        directly_in(files, |file| &file.path, &real)
    }

    /// Iterates over the links, devices and sent folders directly inside `folder`, sorted by path. A stage searches
    /// them for names that it would have read as files.
    pub fn special_in_folder(&self, folder: &str) -> impl Iterator<Item = &SpecialEntry> {
        let real = self.real_path(folder);
        let special = self.lazy.as_ref().map_or(&self.special, |lazy| &lazy.list(&real).special);
        directly_in(special, |entry| &entry.path, &real)
    }

    /// Returns the files below `folder`, sorted by path: at least those directly in it and, with `deep`, those at any depth.
    /// Their content may be missing: [`Self::look_up`] has it.
    pub fn below(&self, folder: &str, deep: bool) -> &[SourceFile] {
        let real = self.real_path(folder);
        match &self.lazy {
            Some(lazy) if deep => &lazy.tree(&real).files,
            Some(lazy) => &lazy.list(&real).files,
            None => below(&self.files, |file| &file.path, &real),
        }
    }

    /// Returns the files below the folder that everything is named from, sorted by path. Their content may be missing.
    pub fn everything(&self) -> &[SourceFile] {
        self.below(self.lazy.as_ref().map_or("", |lazy| &lazy.folder), true)
    }

    /// Returns the links, devices and sent folders below `folder`, sorted by path: at least those directly in it.
    pub fn special_below(&self, folder: &str) -> &[SpecialEntry] {
        let real = self.real_path(folder);
        match &self.lazy {
            Some(lazy) => &lazy.list(&real).special,
            None => below(&self.special, |entry| &entry.path, &real),
        }
    }

    /// Whether a link to a folder is in `folder` or, with `deep`, below it, or there is more below it than is listed. Without
    /// `deep`, links deeper down may count, too.
    pub fn has_links_below(&self, folder: &str, deep: bool) -> bool {
        if let Some(lazy) = &self.lazy {
            return lazy.has_links(folder, deep);
        }
        let is_below = |link: &str| link.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'));
        self.linked.keys().charged_at_once(1).any(|link| folder.is_empty() || is_below(link))
    }

    /// Whether there may be links to folders.
    pub fn has_links(&self) -> bool {
        self.lazy.is_some() || !self.linked.is_empty()
    }

    /// Whether any entry is `folder`, is in it, or is below it. `""` always exists.
    pub fn has_folder(&self, folder: &str) -> bool {
        self.has_real_folder(&self.real_path(folder))
    }

    /// Returns the first link on a path, or the path itself if it is a link, that points outside the files or nowhere.
    pub fn broken_link(&self, path: &str) -> Option<String> {
        let mut above = String::with_capacity(path.len());
        for segment in path.split('/') {
            self.descend(&mut above, segment);
            if self.kind_at(&above) == Some(SpecialKind::Link) {
                return Some(above);
            }
        }
        None
    }
}

/// What is at a path.
#[derive(Clone, Copy, Debug)]
pub enum Place<'a> {
    /// A regular file.
    File(&'a SourceFile),
    /// A regular file whose content is unknown.
    Unread,
    /// A folder, or a link to one.
    Folder,
    /// A device, or a link that leads nowhere in the files.
    Special,
    /// Nothing.
    Nothing,
    /// Nothing, since the path continues below a regular file.
    BelowFile,
}

/// Iterates over those of `entries` (sorted by path) that are directly in `folder`.
fn directly_in<'a, T>(
    entries: &'a [T],
    path: fn(&T) -> &ModulePath,
    folder: &str,
) -> impl Iterator<Item = &'a T> + use<'a, T> {
    let length = folder.len();
    let below = below(entries, path, folder);
    below.iter().skimmed(4).filter(move |entry| path(entry).folder().len() == length)
}

/// Returns the run of `entries` (sorted by path) that are below `folder`.
fn below<'a, T>(entries: &'a [T], path: impl Fn(&T) -> &ModulePath, folder: &str) -> &'a [T] {
    if folder.is_empty() {
        return entries;
    }
    charge_look_up(entries.len(), 2 * folder.len());
    // In byte order, `folder/…` sorts between `folder/` and `folder0`, whose last character is the one after the slash.
    let start = entries.partition_point(|entry| is_before(path(entry).as_str(), folder, b'/'));
    let end = entries.partition_point(|entry| is_before(path(entry).as_str(), folder, b'/' + 1));
    entries.get(start..end).unwrap_or_default()
}

/// Whether a path sorts before `folder` with one more byte.
fn is_before(path: &str, folder: &str, last: u8) -> bool {
    let (path, folder) = (path.as_bytes(), folder.as_bytes());
    match path.split_at_checked(folder.len()) {
        Some((head, rest)) => head.cmp(folder).then_with(|| rest.cmp(&[last])).is_lt(),
        None => path < folder,
    }
}

/// Charges for finding a path of so many bytes among so many sorted ones: as many comparisons as the number has binary
/// digits, each of which may touch all bytes.
fn charge_look_up(entries: usize, bytes: usize) {
    let comparisons = u64::from(usize::BITS - entries.leading_zeros());
    account::work(1 + comparisons * (bytes as u64 + 256) / 2048);
}

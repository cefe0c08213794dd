//! The files of one request: an immutable set in memory, and the sources created while it is read.

mod growing;
mod lines;
mod path;
mod sources;

pub use growing::{Asked, Known};
pub use lines::{Position, Range};
pub use path::{ModulePath, PathError};
pub use sources::GIVEN;
pub use sources::{Source, SourceKind, SourceRole, Sources};

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, PoisonError};

use bytes::Bytes;

use crate::account;
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
    /// Those of them whose text does not lead straight from the link to its folder.
    indirect: BTreeSet<String>,
    /// Files of which only the name is known.
    unread: BTreeSet<String>,
    /// Those of them that something would have read, if that is observed.
    missed: Option<Arc<Mutex<BTreeSet<String>>>>,
    /// Which part of a disk this is, if what else is there can still be asked for.
    growing: Option<Arc<growing::Growing>>,
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

    /// Returns the same set with these links to folders marked as indirect: a tool that follows them names the folder in
    /// another way than by the shortest path, such as by an absolute one.
    #[must_use]
    pub fn with_indirect_links(self, indirect: BTreeSet<String>) -> Self {
        Self { indirect, ..self }
    }

    /// Whether a path leads through a link that is marked as indirect.
    pub fn is_indirect(&self, path: &str) -> bool {
        if self.indirect.is_empty() {
            return false;
        }
        let mut real = String::with_capacity(path.len());
        path.split('/').any(|segment| {
            let separator = if real.is_empty() { "" } else { "/" };
            let link = format!("{real}{separator}{segment}");
            charge_look_up(self.indirect.len(), link.len());
            self.descend(&mut real, segment);
            self.indirect.contains(&link)
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

    /// Whether the content of any file is unknown.
    pub fn has_unread(&self) -> bool {
        !self.unread.is_empty()
    }

    /// Returns the same set, and the list that will name the files whose content is asked for although it is unknown.
    pub fn observed(&self) -> (Self, Arc<Mutex<BTreeSet<String>>>) {
        let missed = Arc::<Mutex<BTreeSet<String>>>::default();
        (Self { missed: Some(Arc::clone(&missed)), ..self.clone() }, missed)
    }

    /// Returns the same set with the content of files that was unknown before.
    #[must_use]
    pub fn with_content(mut self, content: &BTreeMap<String, Bytes>) -> Self {
        for file in &mut self.files {
            if let Some(bytes) = content.get(file.path.as_str()) {
                file.bytes.clone_from(bytes);
            }
        }
        self.unread.retain(|path| !content.contains_key(path));
        self
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
            let path = ModulePath::parse(&below(entry.path.as_str()))?;
            special.push(SpecialEntry { path, ..entry.clone() });
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
        path.split('/').for_each(|segment| self.descend(&mut real, segment));
        Cow::Owned(real)
    }

    /// Appends a segment to a path without links; a link to a folder is replaced by the path of the folder.
    fn descend(&self, real: &mut String, segment: &str) {
        if !real.is_empty() {
            real.push('/');
        }
        real.push_str(segment);
        if self.linked.is_empty() {
            return;
        }
        charge_look_up(self.linked.len(), real.len());
        if let Some(folder) = self.linked.get(real) {
            real.clone_from(folder);
        }
    }

    /// Returns the length of all files together, in bytes.
    pub fn content_bytes(&self) -> u64 {
        self.files.iter().map(|file| file.bytes.len() as u64).sum()
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
        let real = self.real_path(path);
        self.ask_path(&real);
        self.file_at(&real)
    }

    /// Returns the entry at `path` if it is not a regular file.
    pub fn get_special(&self, path: &str) -> Option<&SpecialEntry> {
        let real = self.real_path(path);
        self.ask_path(&real);
        self.special_at(&real)
    }

    /// Tells a growing set that what is at a path is about to be looked at.
    fn ask_path(&self, real: &str) {
        if let Some(growing) = &self.growing {
            growing.path(real, self.unread.contains(real));
        }
    }

    /// Returns what is at `path`, whose links are resolved once for all questions.
    pub fn look_up(&self, path: &str) -> Place<'_> {
        let real = self.real_path(path);
        self.ask_path(&real);
        if !self.unread.is_empty() {
            charge_look_up(self.unread.len(), real.len());
            if self.unread.contains(&*real) {
                if let Some(missed) = &self.missed {
                    missed.lock().unwrap_or_else(PoisonError::into_inner).insert(real.into_owned());
                }
                return Place::Unread;
            }
        }
        if let Some(file) = self.file_at(&real) {
            return Place::File(file);
        }
        match self.special_at(&real).map(|entry| entry.kind) {
            Some(SpecialKind::Folder) => return Place::Folder,
            Some(SpecialKind::Link | SpecialKind::Device) => return Place::Special,
            None if self.has_entries_below(&real) => return Place::Folder,
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
        charge_look_up(self.files.len(), real.len());
        let at = self.files.binary_search_by(|file| file.path.as_str().cmp(real)).ok()?;
        self.files.get(at)
    }

    fn special_at(&self, real: &str) -> Option<&SpecialEntry> {
        charge_look_up(self.special.len(), real.len());
        let at = self.special.binary_search_by(|entry| entry.path.as_str().cmp(real)).ok()?;
        self.special.get(at)
    }

    /// Whether any file or other entry is in a folder, or below it.
    fn has_entries_below(&self, real: &str) -> bool {
        real.is_empty()
            || !below(&self.files, |file| &file.path, real).is_empty()
            || !below(&self.special, |entry| &entry.path, real).is_empty()
    }

    fn has_real_folder(&self, real: &str) -> bool {
        self.has_entries_below(real) || self.special_at(real).is_some_and(|entry| entry.kind == SpecialKind::Folder)
    }

    /// Iterates over the files directly inside `folder` (`""` is the top), sorted by path; sub-folders are not
    /// searched.
    pub fn in_folder(&self, folder: &str) -> impl Iterator<Item = &SourceFile> {
        let real = self.real_path(folder);
        self.ask_folder(&real);
        directly_in(&self.files, |file| &file.path, &real)
    }

    /// Iterates over the links, devices and sent folders directly inside `folder`, sorted by path. A stage searches
    /// them for names that it would have read as files.
    pub fn special_in_folder(&self, folder: &str) -> impl Iterator<Item = &SpecialEntry> {
        let real = self.real_path(folder);
        self.ask_folder(&real);
        directly_in(&self.special, |entry| &entry.path, &real)
    }

    /// Whether any entry is `folder`, is in it, or is below it. `""` always exists.
    pub fn has_folder(&self, folder: &str) -> bool {
        let real = self.real_path(folder);
        self.ask_path(&real);
        self.has_real_folder(&real)
    }

    /// Returns the first link on a path, or the path itself if it is a link, that points outside the files or nowhere.
    pub fn broken_link(&self, path: &str) -> Option<&str> {
        let mut above = String::with_capacity(path.len());
        for segment in path.split('/') {
            self.descend(&mut above, segment);
            if let Some(entry) = self.special_at(&above)
                && entry.kind == SpecialKind::Link
            {
                return Some(entry.path.as_str());
            }
        }
        None
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
        let lengths = self.files.iter().map(|file| file.path.as_str().len());
        let lengths = lengths.chain(self.special.iter().map(|entry| entry.path.as_str().len()));
        lengths.for_each(|length| charge_look_up(self.files.len() + self.special.len(), 4 * length));
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
    account::work(below.len() as u64 / 4);
    below.iter().filter(move |entry| path(entry).folder().len() == length)
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

//! The checks that every entry passes, whatever its format: limits, path rules, no duplicate paths, the top folder.

use std::cmp::Ordering;
use std::collections::{BTreeMap, BTreeSet};

use bytes::Bytes;

use super::Upload;
use super::error::{ReadError, shortened};
use super::limits::{Limit, Limits};
use super::links::{LinkTarget, Places, Target};
use overfold_base::account;
use overfold_base::files::{FileSet, ModulePath, PathError, SourceFile, SpecialEntry, SpecialKind};

/// Entries on their way to becoming a file set.
#[derive(Debug)]
pub(super) struct Gather {
    limits: Limits,
    entries: Vec<(ModulePath, Node)>,
    /// The number of entries seen, including those that left no trace (the folder `.`).
    count: u64,
    /// The number of bytes in all files so far.
    unpacked: u64,
}

/// What an entry is.
#[derive(Debug)]
pub(super) enum Node {
    File(Bytes),
    Special(SpecialKind),
    /// A link; `None` if its target is not a valid path.
    Link(Option<Target>),
    /// A link that the system cannot follow: its target, and what the system says.
    Broken(Option<Target>, Box<str>),
    /// A file that exists but was not read.
    Unread,
}

impl Gather {
    pub(super) fn new(limits: Limits) -> Self {
        Self { limits, entries: Vec::new(), count: 0, unpacked: 0 }
    }

    pub(super) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Checks the name of the next entry and counts it. Returns `None` for the top itself, which only a folder may be:
    /// an archive created from `.` begins with it.
    ///
    /// # Errors
    /// Fails if a limit is exceeded or the path is not valid.
    pub(super) fn name(&mut self, name: &[u8], folder: bool) -> Result<Option<ModulePath>, ReadError> {
        self.count += 1;
        if self.count > self.limits.entries {
            return Err(ReadError::over_limit(Limit::Entries, &self.limits, None));
        }
        if name.len() as u64 > self.limits.path_bytes {
            return Err(ReadError::over_limit(Limit::PathBytes, &self.limits, Some(name)));
        }
        let Ok(text) = std::str::from_utf8(name) else {
            return Err(ReadError::NotUtf8 { path: shortened(name) });
        };
        let text = if folder && text != "/" { text.strip_suffix('/').unwrap_or(text) } else { text };
        match ModulePath::parse(text) {
            Ok(path) if path.depth() as u64 > self.limits.path_depth => {
                Err(ReadError::over_limit(Limit::PathDepth, &self.limits, Some(name)))
            }
            Ok(path) => Ok(Some(path)),
            Err(PathError::Empty) if folder && !text.is_empty() => Ok(None),
            Err(problem) => Err(ReadError::BadPath { path: shortened(name), problem }),
        }
    }

    /// Returns the most bytes that the next file may have, and the limit that determines this.
    pub(super) fn next_file_limit(&self) -> (u64, Limit) {
        let left = self.limits.unpacked_bytes.saturating_sub(self.unpacked);
        if left < self.limits.file_bytes {
            (left, Limit::UnpackedBytes)
        } else {
            (self.limits.file_bytes, Limit::FileBytes)
        }
    }

    /// Checks that a file of `size` bytes is allowed.
    ///
    /// # Errors
    /// Fails if a limit is exceeded.
    pub(super) fn check_size(&self, name: &[u8], size: u64) -> Result<(), ReadError> {
        // The limit for one file comes first: it is more specific.
        if size > self.limits.file_bytes {
            return Err(ReadError::over_limit(Limit::FileBytes, &self.limits, Some(name)));
        }
        match self.next_file_limit() {
            (room, limit) if size > room => Err(ReadError::over_limit(limit, &self.limits, Some(name))),
            _ => Ok(()),
        }
    }

    /// Adds a file whose name and size have been checked.
    pub(super) fn file(&mut self, path: ModulePath, bytes: Bytes) {
        self.unpacked += bytes.len() as u64;
        self.entries.push((path, Node::File(bytes)));
    }

    /// Adds an entry that is not a file and whose name has been checked.
    pub(super) fn special(&mut self, path: ModulePath, kind: SpecialKind) {
        self.entries.push((path, Node::Special(kind)));
    }

    /// Adds a link whose name has been checked; `target` is `None` if it is not a valid path.
    pub(super) fn link(&mut self, path: ModulePath, target: Option<Target>) {
        self.entries.push((path, Node::Link(target)));
    }

    /// Adds an entry that costs nothing but its name: it does not count towards any limit, and is left out if its name
    /// is not a valid path.
    pub(super) fn add_uncounted(&mut self, name: &[u8], node: Node) {
        let path = std::str::from_utf8(name).ok().and_then(|name| ModulePath::parse(name).ok());
        self.entries.extend(path.map(|path| (path, node)));
    }

    /// Adds files by name.
    ///
    /// # Errors
    /// Returns the errors of [`Self::name`] and [`Self::check_size`].
    pub(super) fn files(&mut self, files: Vec<(String, Bytes)>) -> Result<(), ReadError> {
        for (name, bytes) in files {
            let Some(path) = self.name(name.as_bytes(), false)? else { continue };
            self.check_size(name.as_bytes(), bytes.len() as u64)?;
            self.file(path, bytes);
        }
        Ok(())
    }

    /// Drops leading folders, checks that no path occurs twice, and sorts. If `strip` is `None`, one folder is dropped
    /// if `only_top_folder` is set and everything is below it.
    ///
    /// # Errors
    /// Fails if a path occurs twice, or both as a file and as a folder, if nothing is left, or if the content of links
    /// exceeds a limit.
    pub(super) fn finish(mut self, strip: Option<u16>, only_top_folder: bool) -> Result<Upload, ReadError> {
        let top = if strip.is_none() && only_top_folder { self.top_folder().map(str::to_owned) } else { None };
        let count = strip.unwrap_or(u16::from(top.is_some()));
        if count > 0 && !self.entries.is_empty() {
            self.strip(count);
            if self.entries.is_empty() && top.is_none() {
                return Err(ReadError::NothingLeft { count });
            }
        }
        self.charge_sorting();
        self.entries.sort_by(|(a, _), (b, _)| by_segment(a.as_str(), b.as_str()));
        self.check_places()?;
        let mut found = Places { entries: &self.entries, stripped: count }.follow();
        let entries = std::mem::take(&mut self.entries);
        let (mut files, mut special) = (Vec::with_capacity(entries.len()), Vec::new());
        let (mut folders, mut unread) = (BTreeMap::new(), BTreeSet::new());
        for (at, (path, node)) in entries.into_iter().enumerate() {
            let kind = match node {
                Node::File(bytes) => {
                    files.push(SourceFile { path, bytes });
                    continue;
                }
                Node::Unread => {
                    unread.insert(path.as_str().to_owned());
                    files.push(SourceFile { path, bytes: Bytes::new() });
                    continue;
                }
                Node::Special(kind) => kind,
                Node::Broken(target, problem) => {
                    let (target, problem) = (target.map(Target::into_text), Some(problem));
                    special.push(SpecialEntry { path, kind: SpecialKind::Link, target, problem });
                    continue;
                }
                Node::Link(target) => match found.remove(&at) {
                    // The content counts again under the name of the link.
                    Some(LinkTarget::File(bytes)) => {
                        self.check_size(path.as_str().as_bytes(), bytes.len() as u64)?;
                        self.unpacked += bytes.len() as u64;
                        files.push(SourceFile { path, bytes });
                        continue;
                    }
                    Some(LinkTarget::Folder(folder)) => {
                        folders.insert(path.as_str().to_owned(), folder);
                        SpecialKind::Folder
                    }
                    None => {
                        let target = target.map(Target::into_text);
                        special.push(SpecialEntry { path, kind: SpecialKind::Link, target, problem: None });
                        continue;
                    }
                },
            };
            special.push(SpecialEntry { path, kind, target: None, problem: None });
        }
        Ok(Upload { files: FileSet::new(files, special).with_linked_folders(folders).with_unread(unread), top })
    }

    /// Charges for sorting the entries and comparing neighbours, here and in the file set: each path is compared as many
    /// times as the number of entries has binary digits.
    fn charge_sorting(&self) {
        let comparisons = u64::from(usize::BITS - self.entries.len().leading_zeros());
        let bytes: usize = self.entries.iter().map(|(path, _)| path.as_str().len() + 128).sum();
        account::work(2 * self.entries.len() as u64 + comparisons * bytes as u64 / 1024);
    }

    /// Returns the folder that contains every entry, provided that it contains any.
    fn top_folder(&self) -> Option<&str> {
        let (first, _) = self.entries.first()?;
        let top = first.first_segment();
        let mut under = false;
        for (path, node) in &self.entries {
            let is_top_itself = path.as_str() == top && matches!(node, Node::Special(SpecialKind::Folder));
            if path.first_segment() != top || (path.depth() == 1 && !is_top_itself) {
                return None;
            }
            under |= !is_top_itself;
        }
        under.then_some(top)
    }

    fn strip(&mut self, count: u16) {
        let entries = std::mem::take(&mut self.entries);
        self.entries =
            entries.into_iter().filter_map(|(path, node)| Some((path.without_leading(count)?, node))).collect();
    }

    /// Checks entries sorted by segment, an order in which everything below a path directly follows it. A folder that
    /// occurs several times is one folder.
    fn check_places(&mut self) -> Result<(), ReadError> {
        let is_folder = |node: &Node| matches!(node, Node::Special(SpecialKind::Folder));
        self.entries.dedup_by(|(b, later), (a, earlier)| a == b && is_folder(earlier) && is_folder(later));
        for pair in self.entries.windows(2) {
            let [(a, node_a), (b, node_b)] = pair else { continue };
            if a == b {
                let path = shortened(a.as_str().as_bytes());
                return Err(if is_folder(node_a) || is_folder(node_b) {
                    ReadError::FileAndFolder { path }
                } else {
                    ReadError::DuplicatePath { path }
                });
            }
            if !is_folder(node_a) && b.is_below(a.as_str()) {
                return Err(ReadError::FileAndFolder { path: shortened(a.as_str().as_bytes()) });
            }
        }
        Ok(())
    }
}

/// Compares paths segment by segment: `a`, `a/b`, `a-b` (bytewise, `a-b` would come before `a/b`).
pub(super) fn by_segment(a: &str, b: &str) -> Ordering {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let common = common_length(a, b);
    // No path contains a NUL, so it can stand for the separator and sort before everything else.
    let key = |byte: u8| if byte == b'/' { 0 } else { byte };
    a.get(common).copied().map(key).cmp(&b.get(common).copied().map(key))
}

/// Returns the number of bytes with which both begin. Paths have long common beginnings, so equal runs are compared as
/// a whole.
fn common_length(a: &[u8], b: &[u8]) -> usize {
    const RUN: usize = 32;
    let runs = a.chunks_exact(RUN).zip(b.chunks_exact(RUN)).take_while(|(a, b)| a == b).count() * RUN;
    let rest = a.iter().skip(runs).zip(b.iter().skip(runs));
    runs + rest.take_while(|(a, b)| a == b).count()
}

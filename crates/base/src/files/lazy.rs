//! Files that are read when something asks for them: what is at a path, what is in a folder, what a file contains. What has
//! been read stays as it was.

use std::fmt;
use std::sync::Mutex;
use std::sync::PoisonError;
use std::sync::atomic::{AtomicU64, Ordering};

use bytes::Bytes;
use elsa::sync::FrozenMap;

use super::{ModulePath, SourceFile, SpecialEntry, SpecialKind};
use crate::account;

/// Why something cannot be read, in a message for people.
pub type SourceError = Box<dyn std::error::Error + Send + Sync>;

/// Where files are, such as a disk. Paths are relative to one top, with `/` between their parts, and pass through no link
/// to a folder that [`Node::Link`] tells of. It is asked for everything at most once.
pub trait FileSource: fmt::Debug + Send + Sync {
    /// Returns what is at a path.
    ///
    /// # Errors
    /// Fails if that cannot be told.
    fn node(&self, path: &str) -> Result<Node, SourceError>;

    /// Returns what is directly in a folder, in any order: names and what they are.
    ///
    /// # Errors
    /// Fails if the folder cannot be read.
    fn list(&self, folder: &str) -> Result<Vec<(String, Node)>, SourceError>;

    /// Returns the files below a folder, at any depth.
    ///
    /// # Errors
    /// Fails if a part of it cannot be listed that must not be missing.
    fn tree(&self, folder: &str) -> Result<Listing, SourceError>;

    /// Returns the content of a file.
    ///
    /// # Errors
    /// Fails if it cannot be read, or is over a limit.
    fn read(&self, path: &str) -> Result<Bytes, SourceError>;

    /// Whether a file of this name is read when its folder is listed.
    fn is_wanted(&self, name: &str) -> bool;
}

/// What is at a path of a [`FileSource`].
#[derive(Clone, Debug)]
pub enum Node {
    /// A regular file, or a link to one.
    File,
    /// A folder.
    Folder,
    /// A link to a folder.
    Link {
        /// The path of that folder, which passes through no link.
        to: String,
        /// Whether the text of the link does not lead straight there.
        is_indirect: bool,
    },
    /// Something that cannot be read as a file or a folder.
    Special {
        /// What it is.
        kind: SpecialKind,
        /// For a link that leads nowhere: its target as written, if that is a valid text.
        target: Option<Box<str>>,
        /// What the system says about such a link.
        problem: Option<Box<str>>,
    },
    /// Nothing.
    Nothing,
}

/// The files below a folder of a [`FileSource`].
#[derive(Clone, Debug, Default)]
pub struct Listing {
    /// Their paths, in any order.
    pub paths: Vec<String>,
    /// Whether there may be others: behind links, or because there are too many.
    pub is_partial: bool,
}

/// What is directly in a folder, each list sorted by path.
#[derive(Debug, Default)]
pub(super) struct Folder {
    /// The files. Those that nobody wants at once are empty; [`LazyFileIndex::file`] reads them.
    pub(super) files: Vec<SourceFile>,
    pub(super) special: Vec<SpecialEntry>,
    /// Whether there is a link to a folder.
    has_links: bool,
}

/// The files below a folder, sorted by path; all of them are empty.
#[derive(Debug)]
pub(super) struct Tree {
    pub(super) files: Vec<SourceFile>,
    /// See [`Listing`].
    is_partial: bool,
}

/// The memory, in bytes, that what is known of a path takes beside the path.
const ENTRY: u64 = 160;

/// What has been read of a source.
pub(super) struct LazyFileIndex {
    source: Box<dyn FileSource>,
    /// The folder that everything is named from in messages.
    pub(super) folder: String,
    nodes: FrozenMap<String, Box<Node>>,
    /// Paths that have been asked for, without links to folders.
    resolved: FrozenMap<String, String>,
    folders: FrozenMap<String, Box<Folder>>,
    trees: FrozenMap<String, Box<Tree>>,
    contents: FrozenMap<String, Box<SourceFile>>,
    bytes: AtomicU64,
    count: AtomicU64,
    failure: Mutex<Option<SourceError>>,
}

impl fmt::Debug for LazyFileIndex {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lazy").field("source", &self.source).field("folder", &self.folder).finish_non_exhaustive()
    }
}

impl LazyFileIndex {
    pub(super) fn new(source: Box<dyn FileSource>, folder: &str) -> Self {
        Self {
            source,
            folder: folder.to_owned(),
            nodes: FrozenMap::new(),
            resolved: FrozenMap::new(),
            folders: FrozenMap::new(),
            trees: FrozenMap::new(),
            contents: FrozenMap::new(),
            bytes: AtomicU64::new(0),
            count: AtomicU64::new(0),
            failure: Mutex::new(None),
        }
    }

    /// Returns the number of files that have been read, and their length together, in bytes.
    pub(super) fn read(&self) -> (u64, u64) {
        (self.count.load(Ordering::Relaxed), self.bytes.load(Ordering::Relaxed))
    }

    /// Takes the first reason for which something could not be read.
    pub(super) fn take_failure(&self) -> Option<SourceError> {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).take()
    }

    fn fail(&self, error: SourceError) {
        self.failure.lock().unwrap_or_else(PoisonError::into_inner).get_or_insert(error);
    }

    /// Returns a path without links to folders, if it has been asked for before.
    pub(super) fn resolved(&self, path: &str) -> Option<&str> {
        account::work(1);
        self.resolved.get(path)
    }

    /// Keeps what [`Self::resolved`] then returns.
    pub(super) fn set_resolved(&self, path: &str, real: &str) {
        account::grow(ENTRY + (path.len() + real.len()) as u64);
        self.resolved.insert(path.to_owned(), real.to_owned());
    }

    /// Charges for what becomes known of a path.
    fn charge(path: &str) {
        account::build(8 + path.len() as u64 / 32, ENTRY + path.len() as u64);
    }

    pub(super) fn node(&self, path: &str) -> &Node {
        account::work(1);
        if path.is_empty() {
            return &Node::Folder;
        }
        if let Some(node) = self.nodes.get(path) {
            return node;
        }
        Self::charge(path);
        // Whatever is below something that is no folder is not looked at, although the system may find it there. All
        // folders on the way are mostly known.
        let folder = path.rsplit_once('/').map_or("", |(folder, _)| folder);
        let node = if matches!(self.node(folder), Node::Folder) {
            self.source.node(path).unwrap_or_else(|error| {
                self.fail(error);
                Node::Nothing
            })
        } else {
            Node::Nothing
        };
        self.nodes.insert(path.to_owned(), Box::new(node))
    }

    /// Returns the file at a path, with its content.
    pub(super) fn file(&self, path: &str) -> Option<&SourceFile> {
        if let Some(file) = self.contents.get(path) {
            account::work(1);
            return Some(file);
        }
        if !matches!(self.node(path), Node::File) {
            return None;
        }
        let name = ModulePath::parse(path).ok()?;
        Self::charge(path);
        let bytes = self.source.read(path).unwrap_or_else(|error| {
            self.fail(error);
            Bytes::new()
        });
        account::touch(bytes.len());
        self.bytes.fetch_add(bytes.len() as u64, Ordering::Relaxed);
        self.count.fetch_add(1, Ordering::Relaxed);
        Some(self.contents.insert(path.to_owned(), Box::new(SourceFile { path: name, bytes })))
    }

    /// Returns what is directly in a folder; nothing for what is none.
    pub(super) fn list(&self, folder: &str) -> &Folder {
        if let Some(known) = self.folders.get(folder) {
            account::work(1);
            return known;
        }
        let listed = match self.node(folder) {
            Node::Folder => self.source.list(folder).unwrap_or_else(|error| {
                self.fail(error);
                Vec::new()
            }),
            _ => Vec::new(),
        };
        let mut found = Folder::default();
        for (name, node) in listed {
            let path = if folder.is_empty() { name } else { format!("{folder}/{name}") };
            Self::charge(&path);
            self.add(&path, node, &mut found);
        }
        found.files.sort_by(|a, b| a.path.cmp(&b.path));
        found.special.sort_by(|a, b| a.path.cmp(&b.path));
        self.folders.insert(folder.to_owned(), Box::new(found))
    }

    /// Like [`Self::list`], for the folder of a module. What is allowed grows with what has been read, as for an upload.
    /// Not to be called while an expression is evaluated.
    pub(super) fn module(&self, folder: &str) -> &Folder {
        let found = self.list(folder);
        account::raise(|limits| limits.for_tree(self.read().1));
        found
    }

    fn add(&self, path: &str, node: Node, found: &mut Folder) {
        let Ok(parsed) = ModulePath::parse(path) else { return };
        let special = |kind| SpecialEntry { path: parsed.clone(), kind, target: None, problem: None };
        match &node {
            Node::File | Node::Nothing => {}
            Node::Folder => found.special.push(special(SpecialKind::Folder)),
            Node::Link { .. } => {
                found.has_links = true;
                found.special.push(special(SpecialKind::Folder));
            }
            Node::Special { kind, target, problem } => {
                let (target, problem) = (target.clone(), problem.clone());
                found.special.push(SpecialEntry { target, problem, ..special(*kind) });
            }
        }
        let is_file = matches!(node, Node::File);
        if self.nodes.get(path).is_none() {
            self.nodes.insert(path.to_owned(), Box::new(node));
        }
        if is_file {
            let wanted = self.source.is_wanted(parsed.name()).then(|| self.file(path)).flatten();
            let bytes = wanted.map(|file| file.bytes.clone()).unwrap_or_default();
            found.files.push(SourceFile { path: parsed, bytes });
        }
    }

    /// Returns the files below a folder.
    pub(super) fn tree(&self, folder: &str) -> &Tree {
        if let Some(known) = self.trees.get(folder) {
            account::work(1);
            return known;
        }
        let Listing { paths, is_partial } = match self.node(folder) {
            Node::Folder => self.source.tree(folder).unwrap_or_else(|error| {
                self.fail(error);
                Listing::default()
            }),
            _ => Listing::default(),
        };
        let file = |path: String| {
            Self::charge(&path);
            Some(SourceFile { path: ModulePath::parse(&path).ok()?, bytes: Bytes::new() })
        };
        let mut files: Vec<SourceFile> = paths.into_iter().filter_map(file).collect();
        files.sort_by(|a, b| a.path.cmp(&b.path));
        self.trees.insert(folder.to_owned(), Box::new(Tree { files, is_partial }))
    }

    /// Whether a link to a folder is in a folder or, with `deep`, whether not everything below it is listed.
    pub(super) fn has_links(&self, folder: &str, deep: bool) -> bool {
        if deep { self.tree(folder).is_partial } else { self.list(folder).has_links }
    }
}

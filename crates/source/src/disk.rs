//! Files on this machine that are read when something asks for them, for the command line: a folder, and whatever the
//! configuration in it names, wherever that lies.

#![expect(
    clippy::disallowed_methods,
    reason = "reading what the configuration on the command line names is this module's job"
)]

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fmt;
use std::fs::{self, DirEntry, Metadata};
use std::io::{self, ErrorKind};
use std::path::{Component, Path, PathBuf};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use super::error::{ReadError, shortened};
use super::gather::Gather;
use super::limits::Limits;
use super::regular::{self, TOOL_FOLDERS, is_null, read_file, unreadable};
use overfold_base::files::{FileSet, FileSource, Listing, ModulePath, Node, SourceError, SpecialKind};

/// What a link to a folder stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum FolderLinks {
    /// Another name of that folder, whose own path is what counts.
    Named,
    /// If it leads out of the opened folder: a folder in that place, as if it had been copied there.
    InPlace,
}

/// Files on this machine, named by their path from the top of the system without the first slash.
pub struct Disk {
    /// The opened folder, without links.
    folder: PathBuf,
    links: FolderLinks,
    /// Which files are read when their folder is listed, by their names.
    wanted: Box<dyn Fn(&str) -> bool + Send + Sync>,
    /// Counts what is read towards the limits.
    gather: Mutex<Gather>,
}

impl fmt::Debug for Disk {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Disk").field("folder", &self.folder).field("links", &self.links).finish_non_exhaustive()
    }
}

/// The number of links that one path may pass through, as on Linux (path_resolution(7)).
const MAX_HOPS: u32 = 40;

/// The most entries of folders other than the opened one that are listed: patterns and links may lead to a whole disk.
const MAX_LISTED: usize = 250_000;

impl Disk {
    /// Opens a folder, of which nothing is read yet. In folders that something asks for, the files whose names are
    /// `wanted` are read; others only if something asks for their content.
    ///
    /// # Errors
    /// Fails if there is no such folder, or its path cannot be written as a text.
    pub fn open(
        folder: &Path,
        links: FolderLinks,
        wanted: impl Fn(&str) -> bool + Send + Sync + 'static,
        limits: &Limits,
    ) -> Result<Self, ReadError> {
        let real = real_folder(folder)?;
        let gather = Mutex::new(Gather::new(*limits));
        let disk = Self { folder: real, links, wanted: Box::new(wanted), gather };
        let root = disk.root();
        if root.is_empty() && disk.folder.components().count() > 1 {
            return Err(ReadError::NotUtf8 { path: shortened(folder.as_os_str().as_encoded_bytes()) });
        }
        if !root.is_empty()
            && let Err(problem) = ModulePath::parse(&root)
        {
            return Err(ReadError::BadPath { path: shortened(root.as_bytes()), problem });
        }
        Ok(disk)
    }

    /// Returns the path of the opened folder in the set that [`Self::into_files`] returns.
    pub fn root(&self) -> String {
        name_of(&self.folder).unwrap_or_default()
    }

    /// Returns the path in that set of another folder.
    ///
    /// # Errors
    /// Fails if there is no such folder.
    pub fn name_of(&self, folder: &Path) -> Result<String, ReadError> {
        Ok(name_of(&real_folder(folder)?).unwrap_or_default())
    }

    /// Returns the path by which a file is named from the folder, such as `../common.tfvars`; `None` if it cannot be
    /// written as a text.
    pub fn relative(&self, file: &Path) -> Option<String> {
        let common = common(&self.folder, file);
        let up = self.folder.strip_prefix(&common).ok()?.components().count();
        let down = text_of(file.strip_prefix(&common).ok()?)?;
        Some(format!("{}{down}", "../".repeat(up)))
    }

    /// Returns the files. In messages, they are named from the opened folder.
    pub fn into_files(self) -> FileSet {
        let folder = self.root();
        FileSet::lazy(Box::new(self), &folder)
    }

    /// Finds out what is at a place, given what the system says of it without following a link.
    fn classify(&self, place: &Path, meta: &Metadata) -> Result<Node, ReadError> {
        let special = |kind| Node::Special { kind, target: None, problem: None };
        // Whatever the kernel shows in a folder is none of the files that a configuration is made of.
        if (meta.is_dir() || meta.is_symlink()) && regular::is_of_kernel(place) {
            return Ok(special(SpecialKind::Device));
        }
        if meta.is_dir() {
            return Ok(Node::Folder);
        }
        if meta.is_file() {
            return Ok(Node::File);
        }
        if !meta.is_symlink() {
            return Ok(special(SpecialKind::Device));
        }
        match fs::metadata(place) {
            Ok(meta) if meta.is_dir() => self.folder_link(place),
            Ok(meta) if meta.is_file() || is_null(&meta) => Ok(Node::File),
            Ok(_) => Ok(special(SpecialKind::Device)),
            Err(error) => {
                let (target, problem) = (target_of(place), Some(error.to_string().into()));
                Ok(Node::Special { kind: SpecialKind::Link, target, problem })
            }
        }
    }

    /// Returns what a link to a folder stands for.
    fn folder_link(&self, place: &Path) -> Result<Node, ReadError> {
        let real = fs::canonicalize(place).map_err(|error| unreadable(place, &error))?;
        let to = name_of(&real).unwrap_or_default();
        if self.links == FolderLinks::Named {
            return Ok(Node::Link { to, is_indirect: is_indirect(place, MAX_HOPS) });
        }
        if real.starts_with(&self.folder) && real != self.folder {
            return Ok(Node::Link { to, is_indirect: false });
        }
        let is_tool_folder = place.file_name().is_some_and(is_tool_folder);
        if is_tool_folder || self.is_on_the_way(&real, place) {
            return Ok(Node::Special { kind: SpecialKind::Link, target: target_of(place), problem: None });
        }
        Ok(Node::Folder)
    }

    /// Whether a folder contains the opened one, the one that the link to it is in, or one through which that was found:
    /// reading it would not end.
    fn is_on_the_way(&self, real: &Path, place: &Path) -> bool {
        let above = || place.ancestors().skip(1);
        let links = above().filter(|above| above.is_symlink());
        let mut through = above().take(1).chain(links).filter_map(|above| fs::canonicalize(above).ok());
        self.folder.starts_with(real) || through.any(|earlier| earlier.starts_with(real))
    }

    /// Lists a folder: places, their own names, and what they are. What cannot be listed is an error if `is_strict`, else it
    /// is left out.
    fn entries(&self, folder: &Path, is_strict: bool) -> Result<Vec<(PathBuf, String, Node)>, ReadError> {
        let entries = match fs::read_dir(folder) {
            Err(_) if !is_strict => return Ok(Vec::new()),
            entries => entries.map_err(|error| unreadable(folder, &error))?,
        };
        let mut found = Vec::new();
        for entry in entries {
            match entry.map_err(|error| unreadable(folder, &error)).and_then(|entry| self.entry(&entry)) {
                Ok(entry) => found.extend(entry),
                Err(_) if !is_strict => {}
                Err(error) => return Err(error),
            }
        }
        Ok(found)
    }

    /// Returns an entry of a folder; `None` for a folder whose name is no text, which nothing can name.
    fn entry(&self, entry: &DirEntry) -> Result<Option<(PathBuf, String, Node)>, ReadError> {
        let (place, own_name) = (entry.path(), entry.file_name());
        let meta = entry.metadata().map_err(|error| unreadable(&place, &error))?;
        let Some(name) = own_name.to_str() else {
            if meta.is_dir() {
                return Ok(None);
            }
            return Err(ReadError::NotUtf8 { path: shortened(own_name.as_encoded_bytes()) });
        };
        let node = self.classify(&place, &meta)?;
        if let (Node::File, true, Err(problem)) = (&node, (self.wanted)(name), ModulePath::parse(name)) {
            return Err(ReadError::BadPath { path: shortened(name.as_bytes()), problem });
        }
        Ok(Some((place, name.to_owned(), node)))
    }

    fn read_place(&self, place: &Path) -> Result<Bytes, ReadError> {
        let relative = common(&self.folder, place);
        let name = place.strip_prefix(&relative).unwrap_or(place).as_os_str().as_encoded_bytes().to_vec();
        // A single file may be mounted, too.
        if regular::is_of_kernel(place) {
            return Err(unreadable(place, &io::Error::other("the kernel's own files are not read")));
        }
        let mut gather = self.gather.lock().unwrap_or_else(PoisonError::into_inner);
        let Some(path) = gather.name(&name, false)? else { return Ok(Bytes::new()) };
        let bytes = read_file(place, &name, &gather)?;
        gather.file(path, bytes.clone());
        Ok(bytes)
    }
}

impl FileSource for Disk {
    fn node(&self, path: &str) -> Result<Node, SourceError> {
        let place = place_of(path);
        match fs::symlink_metadata(&place) {
            Ok(meta) => Ok(self.classify(&place, &meta)?),
            // There is nothing, or the system accepts no such name.
            Err(error)
                if matches!(
                    error.kind(),
                    ErrorKind::NotFound
                        | ErrorKind::NotADirectory
                        | ErrorKind::InvalidFilename
                        | ErrorKind::InvalidInput
                ) =>
            {
                Ok(Node::Nothing)
            }
            Err(error) => Err(unreadable(&place, &error).into()),
        }
    }

    fn list(&self, folder: &str) -> Result<Vec<(String, Node)>, SourceError> {
        let entries = self.entries(&place_of(folder), true)?;
        Ok(entries.into_iter().map(|(_, name, node)| (name, node)).collect())
    }

    fn tree(&self, folder: &str) -> Result<Listing, SourceError> {
        let (mut found, mut listed) = (Listing::default(), 0);
        let mut folders = vec![place_of(folder)];
        // Folders behind links come last, level by level: a link may lead to a whole disk.
        let mut linked: VecDeque<PathBuf> = VecDeque::new();
        while let Some((folder, is_linked)) =
            folders.pop().map(|folder| (folder, false)).or_else(|| linked.pop_front().map(|folder| (folder, true)))
        {
            // Of the folder that the command names nothing is left out; it may be as large as it is.
            let is_own = self.links == FolderLinks::InPlace && !is_linked && folder.starts_with(&self.folder);
            for (place, name, node) in self.entries(&folder, is_own)? {
                listed += usize::from(!is_own);
                if listed > MAX_LISTED {
                    found.is_partial = true;
                    return Ok(found);
                }
                match node {
                    Node::File => found.paths.extend(name_of(&place)),
                    Node::Folder if self.links == FolderLinks::InPlace && is_tool_folder(OsStr::new(&name)) => {}
                    Node::Folder if is_linked || place.is_symlink() => linked.push_back(place),
                    Node::Folder => folders.push(place),
                    Node::Link { .. } => found.is_partial = true,
                    Node::Special { .. } | Node::Nothing => {}
                }
            }
        }
        Ok(found)
    }

    fn read(&self, path: &str) -> Result<Bytes, SourceError> {
        Ok(self.read_place(&place_of(path))?)
    }

    fn is_wanted(&self, name: &str) -> bool {
        (self.wanted)(name)
    }
}

/// Returns the place with this name.
fn place_of(path: &str) -> PathBuf {
    Path::new("/").join(path)
}

/// Returns the name of a place; `None` if it cannot be written as a text.
fn name_of(place: &Path) -> Option<String> {
    text_of(place.strip_prefix("/").unwrap_or(place))
}

/// Whether tools keep their own data in a folder of this name.
fn is_tool_folder(name: &OsStr) -> bool {
    TOOL_FOLDERS.iter().any(|kept| name == OsStr::new(kept))
}

/// Returns the target of a link as written, if that is a text.
fn target_of(link: &Path) -> Option<Box<str>> {
    fs::read_link(link).ok().and_then(|target| target.to_str().map(Box::from))
}

/// Returns the path of a folder without links.
fn real_folder(folder: &Path) -> Result<PathBuf, ReadError> {
    let real = fs::canonicalize(folder).map_err(|error| unreadable(folder, &error))?;
    let meta = fs::metadata(&real).map_err(|error| unreadable(folder, &error))?;
    if !meta.is_dir() {
        return Err(unreadable(folder, &ErrorKind::NotADirectory.into()));
    }
    if regular::is_of_kernel(&real) {
        return Err(unreadable(folder, &io::Error::other("the kernel's own folders are not read")));
    }
    Ok(real)
}

/// Returns the deepest folder that contains both places, or is one of them.
fn common(one: &Path, other: &Path) -> PathBuf {
    one.components().zip(other.components()).take_while(|(a, b)| a == b).map(|(part, _)| part).collect()
}

/// Whether the text of a link, in a folder without links, leads in another way to its folder than by the shortest
/// path: it is absolute, or goes up and then down to where it came from. So do links that it leads through.
fn is_indirect(link: &Path, hops: u32) -> bool {
    let (Ok(text), Some(parent), Some(hops)) = (fs::read_link(link), link.parent(), hops.checked_sub(1)) else {
        return true;
    };
    let mut at = parent.to_owned();
    // Where the way up came from last.
    let mut left = None;
    for part in text.components() {
        match part {
            Component::CurDir => {}
            Component::ParentDir => {
                left = at.file_name().map(OsStr::to_owned);
                at.pop();
            }
            Component::Normal(name) if left.as_deref() == Some(name) => return true,
            Component::Normal(name) => {
                left = None;
                at.push(name);
                if at.is_symlink() {
                    // Its text is followed from where it is, which must be the way that has been looked at.
                    let Ok(real) = fs::canonicalize(&at) else { return true };
                    if is_indirect(&at, hops) {
                        return true;
                    }
                    at = real;
                }
            }
            Component::RootDir | Component::Prefix(_) => return true,
        }
    }
    false
}

/// Returns a relative path with `/` between its parts.
fn text_of(path: &Path) -> Option<String> {
    let parts: Option<Vec<&str>> = path.components().map(|part| part.as_os_str().to_str()).collect();
    Some(parts?.join("/"))
}

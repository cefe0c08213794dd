//! Files on this machine that are read as they are asked for, for the command line: a folder, and whatever the
//! configuration in it names, wherever that lies.

#![expect(
    clippy::disallowed_methods,
    reason = "reading what the configuration on the command line names is this module's job"
)]

use std::collections::{BTreeMap, BTreeSet};
use std::ffi::OsStr;
use std::fs::{self, Metadata};
use std::io::ErrorKind;
use std::path::{Component, Path, PathBuf};
use std::sync::{Arc, Mutex};

use bytes::Bytes;

use super::dir::{is_null, read_file, unreadable};
use super::error::{TransportError, shortened};
use super::gather::Gather;
use super::limits::Limits;
use overfold_base::files::{Asked, FileSet, Known, ModulePath, SourceFile, SpecialEntry, SpecialKind};

/// Files on this machine, as far as they have been asked for.
#[derive(Debug)]
pub struct Disk {
    /// The folder from which everything is named, without links.
    folder: PathBuf,
    /// The folder that contains everything that is known, without links.
    top: PathBuf,
    /// What is known to exist, by its path without links to folders.
    entries: BTreeMap<PathBuf, Entry>,
    /// Paths about which it is known what they are, even if that is nothing.
    paths: BTreeSet<PathBuf>,
    /// Folders whose entries are known, and paths that are no folders.
    folders: BTreeSet<PathBuf>,
    /// Folders of which everything below is known.
    trees: BTreeSet<PathBuf>,
    /// Counts what is read towards the limits.
    gather: Gather,
}

/// What is at a path.
#[derive(Clone, Debug)]
enum Entry {
    File(Bytes),
    /// A file whose content is not known.
    Unread,
    Folder,
    /// A link to a folder, by its path without links.
    Link {
        to: PathBuf,
        /// Whether its text does not lead straight there.
        is_indirect: bool,
    },
    /// A link that the system cannot follow: its target, and what the system says.
    Broken(Option<Box<str>>, Box<str>),
    Device,
}

/// The number of links that one path may pass through, as on Linux (path_resolution(7)).
const MAX_HOPS: u32 = 40;

/// The most entries of folders that are listed at once: a pattern may lead to a whole disk.
const MAX_LISTED: usize = 1_000_000;

impl Disk {
    /// Starts with a folder, of which nothing is read yet.
    ///
    /// # Errors
    /// Fails if there is no such folder.
    pub fn of(folder: &Path, limits: &Limits) -> Result<Self, TransportError> {
        let real = real_folder(folder)?;
        Ok(Self {
            folder: real.clone(),
            top: real.clone(),
            entries: BTreeMap::from([(real, Entry::Folder)]),
            paths: BTreeSet::new(),
            folders: BTreeSet::new(),
            trees: BTreeSet::new(),
            gather: Gather::new(*limits),
        })
    }

    /// Makes room for another folder, and returns its path without links, for [`Self::name_of`].
    ///
    /// # Errors
    /// Fails if there is no such folder.
    pub fn include(&mut self, folder: &Path) -> Result<PathBuf, TransportError> {
        let real = real_folder(folder)?;
        self.raise_to(&real);
        self.entries.insert(real.clone(), Entry::Folder);
        Ok(real)
    }

    /// Returns the path of the folder in the set that [`Self::files`] now returns.
    pub fn root(&self) -> String {
        self.name_of(&self.folder)
    }

    /// Returns the path in the set that [`Self::files`] now returns of something that has been included.
    pub fn name_of(&self, real: &Path) -> String {
        self.name(real).unwrap_or_default()
    }

    /// Returns the path by which a file is named from the folder, such as `../common.tfvars`; `None` if it cannot be
    /// written as a text.
    pub fn relative(&self, file: &Path) -> Option<String> {
        let common = common(&self.folder, file);
        let up = self.folder.strip_prefix(&common).ok()?.components().count();
        let down = text_of(file.strip_prefix(&common).ok()?)?;
        Some(format!("{}{down}", "../".repeat(up)))
    }

    /// Returns what is known as a set, and the list that will name what else is asked for.
    pub fn files(&self) -> (FileSet, Arc<Mutex<Asked>>) {
        let (mut files, mut special) = (Vec::new(), Vec::new());
        let (mut unread, mut linked, mut indirect) = (BTreeSet::new(), BTreeMap::new(), BTreeSet::new());
        for (place, entry) in &self.entries {
            let Some(path) = self.name(place).and_then(|name| ModulePath::parse(&name).ok()) else { continue };
            let name = path.as_str().to_owned();
            let mut add =
                |kind, target, problem| special.push(SpecialEntry { path: path.clone(), kind, target, problem });
            match entry {
                Entry::File(bytes) => files.push(SourceFile { path, bytes: bytes.clone() }),
                Entry::Unread => {
                    unread.insert(name);
                    files.push(SourceFile { path, bytes: Bytes::new() });
                }
                Entry::Folder => add(SpecialKind::Folder, None, None),
                Entry::Link { to, is_indirect } => {
                    add(SpecialKind::Folder, None, None);
                    indirect.extend(is_indirect.then(|| name.clone()));
                    linked.extend(self.name(to).map(|to| (name, to)));
                }
                Entry::Broken(target, problem) => {
                    add(SpecialKind::Link, target.clone(), Some(problem.clone()));
                }
                Entry::Device => add(SpecialKind::Device, None, None),
            }
        }
        let names = |places: &BTreeSet<PathBuf>| places.iter().filter_map(|place| self.name(place)).collect();
        let known = Known { paths: names(&self.paths), folders: names(&self.folders), trees: names(&self.trees) };
        let files = FileSet::new(files, special).with_linked_folders(linked).with_indirect_links(indirect);
        files.with_unread(unread).growing(known)
    }

    /// Reads what was asked for of the set that [`Self::files`] returned last. In the folders that are asked for, the
    /// files whose names are `wanted` are read; others are only listed. Returns whether more is known than before.
    ///
    /// # Errors
    /// Fails if something cannot be read, or exceeds a limit.
    pub fn read(&mut self, asked: &Asked, wanted: &dyn Fn(&str) -> bool) -> Result<bool, TransportError> {
        let Asked { paths, folders, trees, above } = asked;
        let top = self.top.clone();
        for _ in 0..*above {
            self.top.pop();
        }
        for path in paths {
            let place = top.join(path);
            if self.look_at(&place)? && !self.folders.contains(&place) {
                // It is a module, whose files are asked for next.
                self.list(&place, wanted)?;
                self.folders.insert(place.clone());
            }
            self.paths.insert(place);
        }
        for path in folders {
            let place = top.join(path);
            if self.look_at(&place)? {
                self.list(&place, wanted)?;
            }
            self.folders.insert(place);
        }
        for path in trees {
            let place = top.join(path);
            if self.look_at(&place)? {
                self.list_tree(&place)?;
            }
            self.trees.insert(place);
        }
        Ok(self.top != top || !(paths.is_empty() && folders.is_empty() && trees.is_empty()))
    }

    /// Returns a path relative to the top; `None` if it is not below it, or cannot be written as a text.
    fn name(&self, place: &Path) -> Option<String> {
        text_of(place.strip_prefix(&self.top).ok()?)
    }

    /// Raises the top as far as is necessary for a place to be below it.
    fn raise_to(&mut self, place: &Path) {
        self.top = common(&self.top, place);
    }

    /// Finds out what is at a place, on the way to which no link is known. Returns whether it is a folder. A link that
    /// is found on the way ends the search: the path is then asked for again, with the link resolved.
    fn look_at(&mut self, place: &Path) -> Result<bool, TransportError> {
        let mut at = self.top.clone();
        let Ok(below) = place.strip_prefix(&at) else { return Ok(false) };
        let below = below.to_owned();
        let mut rest = below.components();
        while let Some(Component::Normal(name)) = rest.next() {
            at.push(name);
            match self.entries.get(&at) {
                Some(Entry::Folder) => continue,
                Some(Entry::Unread) if at == place => {}
                Some(_) => return Ok(false),
                None => {}
            }
            let meta = match fs::symlink_metadata(&at) {
                Ok(meta) => meta,
                Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
                    // It may have been there when its folder was listed.
                    self.entries.remove(&at);
                    return Ok(false);
                }
                // No system accepts such a name, so there is nothing.
                Err(error) if matches!(error.kind(), ErrorKind::InvalidFilename | ErrorKind::InvalidInput) => {
                    return Ok(false);
                }
                Err(error) => return Err(unreadable(&at, &error)),
            };
            if !self.add(&at, &meta, at == place)? {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Adds what is at a place. Returns whether it is a folder that is not behind a link. The content of a file is read
    /// if it is `needed`.
    fn add(&mut self, place: &Path, meta: &Metadata, needed: bool) -> Result<bool, TransportError> {
        let (entry, is_folder) = if meta.is_symlink() {
            match fs::metadata(place) {
                Ok(meta) if meta.is_dir() => {
                    let real = fs::canonicalize(place).map_err(|error| unreadable(place, &error))?;
                    self.raise_to(&real);
                    self.entries.entry(real.clone()).or_insert(Entry::Folder);
                    let is_indirect = is_indirect(place, MAX_HOPS);
                    (Entry::Link { to: real, is_indirect }, false)
                }
                Ok(meta) if meta.is_file() || is_null(&meta) => (self.file(place, needed)?, false),
                Ok(_) => (Entry::Device, false),
                Err(error) => {
                    let target = fs::read_link(place).ok();
                    let target = target.and_then(|target| target.to_str().map(Box::from));
                    (Entry::Broken(target, error.to_string().into()), false)
                }
            }
        } else if meta.is_dir() {
            (Entry::Folder, true)
        } else if meta.is_file() {
            (self.file(place, needed)?, false)
        } else {
            (Entry::Device, false)
        };
        self.entries.insert(place.to_owned(), entry);
        Ok(is_folder)
    }

    fn file(&mut self, place: &Path, needed: bool) -> Result<Entry, TransportError> {
        if !needed {
            return Ok(Entry::Unread);
        }
        let relative = common(&self.folder, place);
        let name = place.strip_prefix(&relative).unwrap_or(place).as_os_str().as_encoded_bytes().to_vec();
        let Some(path) = self.gather.name(&name, false)? else { return Ok(Entry::Unread) };
        let bytes = read_file(place, &name, &self.gather)?;
        self.gather.file(path, bytes.clone());
        Ok(Entry::File(bytes))
    }

    /// Lists a folder.
    fn list(&mut self, folder: &Path, wanted: &dyn Fn(&str) -> bool) -> Result<(), TransportError> {
        for entry in fs::read_dir(folder).map_err(|error| unreadable(folder, &error))? {
            let entry = entry.map_err(|error| unreadable(folder, &error))?;
            let own_name = entry.file_name();
            let Some(name) = own_name.to_str() else {
                return Err(TransportError::NotUtf8 { path: shortened(own_name.as_encoded_bytes()) });
            };
            let place = entry.path();
            let is_wanted = wanted(name);
            match self.entries.get(&place) {
                None => {}
                Some(Entry::Unread) if is_wanted => {}
                Some(_) => continue,
            }
            let meta = entry.metadata().map_err(|error| unreadable(&place, &error))?;
            self.add(&place, &meta, is_wanted)?;
        }
        Ok(())
    }

    /// Lists the names of everything below a folder, except behind links. What cannot be listed is left out.
    fn list_tree(&mut self, folder: &Path) -> Result<(), TransportError> {
        let mut folders = vec![folder.to_owned()];
        let mut count = 0;
        while let Some(folder) = folders.pop() {
            let Ok(entries) = fs::read_dir(&folder) else { continue };
            for entry in entries.filter_map(Result::ok) {
                count += 1;
                if count > MAX_LISTED {
                    return Ok(());
                }
                let place = entry.path();
                let Ok(meta) = entry.metadata() else { continue };
                let is_folder = match self.entries.get(&place) {
                    Some(Entry::Folder) => true,
                    Some(_) => false,
                    None => place.file_name().and_then(OsStr::to_str).is_some() && self.add(&place, &meta, false)?,
                };
                if is_folder {
                    folders.push(place);
                }
            }
        }
        Ok(())
    }
}

/// Returns the path of a folder without links.
fn real_folder(folder: &Path) -> Result<PathBuf, TransportError> {
    let real = fs::canonicalize(folder).map_err(|error| unreadable(folder, &error))?;
    let meta = fs::metadata(&real).map_err(|error| unreadable(folder, &error))?;
    if meta.is_dir() { Ok(real) } else { Err(unreadable(folder, &ErrorKind::NotADirectory.into())) }
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

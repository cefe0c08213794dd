//! A set of files that grows: it knows only a part of a disk, and notes which others are asked for.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, PoisonError};

use super::FileSet;

/// Which part of a disk a set knows. Paths are relative to the top of the set, and pass through no link.
#[derive(Clone, Debug, Default)]
pub struct Known {
    /// Paths of which it is known what they are, even if that is nothing.
    pub paths: BTreeSet<String>,
    /// Folders whose entries are known; for anything else in here, there is nothing to list.
    pub folders: BTreeSet<String>,
    /// Folders of which everything below is known.
    pub trees: BTreeSet<String>,
}

/// What was asked for and is not known.
#[derive(Clone, Debug, Default)]
pub struct Asked {
    /// What is at these paths; if it is a file, its content.
    pub paths: BTreeSet<String>,
    /// The entries of these folders.
    pub folders: BTreeSet<String>,
    /// Everything below these folders.
    pub trees: BTreeSet<String>,
    /// By how many folders at most a path leads out of the top of the set.
    pub above: usize,
}

impl Asked {
    /// Whether everything that was asked for is known.
    pub fn is_empty(&self) -> bool {
        let Self { paths, folders, trees, above } = self;
        paths.is_empty() && folders.is_empty() && trees.is_empty() && *above == 0
    }
}

/// The part of a disk that a set knows, and the list of what else is asked for.
#[derive(Debug, Default)]
pub(super) struct Growing {
    known: Known,
    asked: Arc<Mutex<Asked>>,
}

impl Growing {
    /// Asks what is at a path; `needs_content` says that there is a file whose content is not known.
    pub(super) fn path(&self, real: &str, needs_content: bool) {
        let is_known = || {
            let folder = real.rsplit_once('/').map_or("", |(folder, _)| folder);
            real.is_empty() || self.known.paths.contains(real) || self.covers(folder)
        };
        if needs_content || !is_known() {
            self.note(|asked| &mut asked.paths, real);
        }
    }

    /// Asks for the entries of a folder.
    fn folder(&self, real: &str) {
        if !self.covers(real) {
            self.note(|asked| &mut asked.folders, real);
        }
    }

    /// Whether the entries of a folder are known.
    fn covers(&self, folder: &str) -> bool {
        self.known.folders.contains(folder) || self.is_in_tree(folder)
    }

    /// Asks for everything below a folder.
    fn tree(&self, real: &str) {
        if !self.is_in_tree(real) {
            self.note(|asked| &mut asked.trees, real);
        }
    }

    fn is_in_tree(&self, folder: &str) -> bool {
        let trees = &self.known.trees;
        !trees.is_empty()
            && std::iter::successors(Some(folder), |folder| match folder.rsplit_once('/') {
                Some((above, _)) => Some(above),
                None => (!folder.is_empty()).then_some(""),
            })
            .any(|folder| trees.contains(folder))
    }

    fn note(&self, list: impl FnOnce(&mut Asked) -> &mut BTreeSet<String>, real: &str) {
        list(&mut self.asked.lock().unwrap_or_else(PoisonError::into_inner)).insert(real.to_owned());
    }
}

impl FileSet {
    /// Returns the same set as one that knows only a part of a disk, and the list that will name what else is asked for.
    #[must_use]
    pub fn growing(self, known: Known) -> (Self, Arc<Mutex<Asked>>) {
        let asked = Arc::<Mutex<Asked>>::default();
        let growing = Growing { known, asked: Arc::clone(&asked) };
        (Self { growing: Some(Arc::new(growing)), ..self }, asked)
    }

    /// Tells a growing set that the entries of a folder are about to be looked at.
    pub(super) fn ask_folder(&self, real: &str) {
        if let Some(growing) = &self.growing {
            growing.folder(real);
        }
    }

    /// Tells a growing set that the names of files below a folder are about to be looked at, in the folder itself or,
    /// with `deep`, wherever they are below it.
    pub fn ask_names(&self, folder: &str, deep: bool) {
        let Some(growing) = &self.growing else { return };
        let real = self.real_path(folder);
        if deep {
            growing.tree(&real);
        } else {
            growing.folder(&real);
        }
    }

    /// Tells a growing set that a path leads out of its top by so many folders.
    pub fn ask_above(&self, levels: usize) {
        if let Some(growing) = &self.growing {
            let mut asked = growing.asked.lock().unwrap_or_else(PoisonError::into_inner);
            asked.above = asked.above.max(levels);
        }
    }
}

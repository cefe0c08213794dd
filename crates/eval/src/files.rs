//! The request's files as seen by the functions of the language.

use bytes::Bytes;

use overfold_base::account;
use overfold_base::files::{FileSet, Place};

/// Access to the files that expressions may read. Relative paths start at the root module's folder (expressions.md,
/// section 10).
#[derive(Clone, Debug)]
pub struct FileAccess<'a> {
    /// All files of the request.
    pub files: &'a FileSet,
    /// The root module's folder inside the files; `""` for the top.
    pub root: &'a str,
}

/// What exists at a path.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A regular file with its bytes.
    File(Bytes),
    /// A folder.
    Folder,
    /// A link, device or the like: it exists, but its content is not in the request.
    Special,
    /// Nothing exists at the path.
    Nothing,
    /// Nothing can exist at the path, because it continues below a regular file.
    BelowFile,
    /// Nothing can exist at the path, because no system accepts one of this length.
    TooLong,
    /// The path leads out of the request's files (absolute, or too many `..`), so what it contains is unknown.
    Outside,
}

/// The maximum length of a path in bytes, without `.`, `..` and repeated slashes: that of a Linux system (PATH_MAX), and
/// several times that of any path in a request.
const MAX_PATH: usize = 4095;

impl FileAccess<'_> {
    /// Resolves a path as written in a configuration to a path inside the request: `.` and `..` are resolved, and
    /// repeated slashes are merged. `""` is the top. Returns `None` if the path is absolute or leads out of the files.
    pub fn resolve(&self, path: &str) -> Option<String> {
        super::functions::charge_path(path);
        if path.starts_with(['/', '\\', '~']) {
            return None;
        }
        let mut parts: Vec<&str> = self.root.split('/').filter(|part| !part.is_empty()).collect();
        let mut above = 0;
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => above += usize::from(parts.pop().is_none()),
                part => parts.push(part),
            }
        }
        if above > 0 {
            self.files.ask_above(above);
            return None;
        }
        Some(parts.join("/"))
    }

    /// Returns the names of the files and folders directly in the root module's folder, sorted by bytes, without
    /// duplicates.
    pub fn names(&self) -> Vec<String> {
        let all = self.files.files().iter().map(|file| &file.path);
        let root = self.files.real_path(self.root);
        account::work((self.files.files().len() + self.files.special().len()) as u64);
        let mut names: Vec<&str> = all
            .chain(self.files.special().iter().map(|entry| &entry.path))
            .filter_map(|path| match &*root {
                "" => Some(path.as_str()),
                root => path.as_str().strip_prefix(root)?.strip_prefix('/'),
            })
            .filter_map(|below| below.split('/').next())
            .collect();
        // The names below one folder are adjacent, so that few are left to be sorted.
        names.dedup();
        account::work(names.iter().map(|name| 4 + name.len() as u64 / 8).sum());
        names.sort_unstable();
        names.dedup();
        names.into_iter().map(str::to_owned).collect()
    }

    /// Returns what exists at a path as written in a configuration.
    pub fn entry(&self, path: &str) -> Entry {
        let Some(resolved) = self.resolve(path) else { return Entry::Outside };
        if resolved.len() > MAX_PATH {
            return Entry::TooLong;
        }
        match self.files.look_up(&resolved) {
            Place::File(file) => Entry::File(file.bytes.clone()),
            Place::Folder => Entry::Folder,
            Place::Special | Place::Unread => Entry::Special,
            Place::BelowFile => Entry::BelowFile,
            Place::Nothing => Entry::Nothing,
        }
    }
}

//! The request's files as the functions of the language see them.

use bytes::Bytes;

use crate::account;
use crate::files::{FileSet, SpecialKind};

/// Files that expressions may read. Relative paths start at the root module's folder (expressions.md, section 10).
#[derive(Clone, Debug)]
pub struct FileAccess<'a> {
    /// All files of the request.
    pub files: &'a FileSet,
    /// The root module's folder inside the files, `""` for the top.
    pub root: &'a str,
}

/// What is at a path.
#[derive(Clone, Debug)]
pub enum Entry {
    /// A regular file with its bytes.
    File(Bytes),
    /// A folder.
    Folder,
    /// A link, device or the like: there is something, but its content is not in the request.
    Special,
    /// Nothing.
    Nothing,
    /// Nothing, and there cannot be: the path goes on behind a regular file.
    BelowFile,
    /// The path leads out of the request's files (absolute, or too many `..`): nobody can say what is there.
    Outside,
}

impl FileAccess<'_> {
    /// The path inside the request for a path as a configuration writes it: `.` and `..` are resolved, slashes in a row
    /// are one. `""` is the top. `None`: absolute, or it leads out of the files.
    pub fn resolve(&self, path: &str) -> Option<String> {
        super::functions::charge_path(path);
        if path.starts_with(['/', '\\', '~']) {
            return None;
        }
        let mut parts: Vec<&str> = self.root.split('/').filter(|part| !part.is_empty()).collect();
        for part in path.split('/') {
            match part {
                "" | "." => {}
                ".." => {
                    parts.pop()?;
                }
                part => parts.push(part),
            }
        }
        Some(parts.join("/"))
    }

    /// The names of what lies directly in the root module's folder, files and folders, sorted by bytes, no name twice.
    pub fn names(&self) -> Vec<String> {
        let all = self.files.files().iter().map(|file| &file.path);
        let root = self.files.real(self.root);
        let mut names: Vec<String> = all
            .chain(self.files.special().iter().map(|entry| &entry.path))
            .filter_map(|path| match &*root {
                "" => Some(path.as_str()),
                root => path.as_str().strip_prefix(root)?.strip_prefix('/'),
            })
            .filter_map(|below| below.split('/').next())
            .map(str::to_owned)
            .collect();
        names.sort_unstable();
        names.dedup();
        names
    }

    /// What is at a path as a configuration writes it.
    pub fn entry(&self, path: &str) -> Entry {
        let Some(resolved) = self.resolve(path) else { return Entry::Outside };
        if self.files.is_unread(&resolved) {
            return Entry::Special;
        }
        if let Some(file) = self.files.get(&resolved) {
            return Entry::File(file.bytes.clone());
        }
        if let Some(special) = self.files.get_special(&resolved) {
            return if special.kind == SpecialKind::Folder { Entry::Folder } else { Entry::Special };
        }
        if self.files.has_folder(&resolved) {
            return Entry::Folder;
        }
        let below = memchr::memchr_iter(b'/', resolved.as_bytes()).any(|end| {
            account::touch(end);
            resolved.get(..end).is_some_and(|folder| self.files.get(folder).is_some())
        });
        if below { Entry::BelowFile } else { Entry::Nothing }
    }
}

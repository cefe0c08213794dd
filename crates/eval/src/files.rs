//! The request's files as seen by the functions of the language.

use bytes::Bytes;

use overfold_base::account::{self, ChargedIterator};
use overfold_base::files::{FileSet, ModulePath, Place};

/// Access to the files that expressions may read. Relative paths start at the root module's folder (expressions.md,
/// section 10).
#[derive(Clone, Debug)]
pub struct FileAccess<'a> {
    /// All files of the request.
    pub files: &'a FileSet,
    /// The root module's folder inside the files; `""` for the top.
    pub root: &'a str,
    /// The directory in which the tool is run, as an absolute path without `.`, `..` and repeated slashes: where the root
    /// module's folder is. `None` if nobody has said.
    pub cwd: Option<&'a str>,
    /// What a function reads from a file that is not there.
    pub missing: MissingFile,
}

/// What a function reads from a file that is not there.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum MissingFile {
    /// Nothing, which is an error.
    #[default]
    Error,
    /// Something that is not known, such as an archive that has not been built yet.
    Unknown,
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
    /// Nothing can exist at the path, because no system accepts one of this length, or with a NUL character.
    TooLong,
    /// The path leads out of the request's files (absolute, or too many `..`), so what it contains is unknown.
    Outside,
}

/// The maximum length of a path in bytes, without `.`, `..` and repeated slashes: that of a Linux system (PATH_MAX), and
/// several times that of any path in a request.
const MAX_PATH: usize = 4095;

impl<'a> FileAccess<'a> {
    /// Returns the access to these files, of which a missing one is an error.
    pub const fn new(files: &'a FileSet, root: &'a str) -> Self {
        Self { files, root, cwd: None, missing: MissingFile::Error }
    }

    /// Resolves a path as written in a configuration to a path inside the request: `.` and `..` are resolved, and
    /// repeated slashes are merged. `""` is the top. Returns `None` if the path leads out of the files, or is absolute and
    /// does not begin like the directory in which the tool is run.
    pub fn resolve(&self, path: &str) -> Option<String> {
        super::functions::charge_path(path);
        let inside = self.cwd.and_then(|cwd| from_folder(cwd, path));
        let path = inside.as_deref().unwrap_or(path);
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

    /// Returns the names of the files and folders directly in the root module's folder, sorted by bytes, without
    /// duplicates.
    pub fn names(&self) -> Vec<String> {
        let root = self.files.real_path(self.root);
        let below = |path: &'a ModulePath| match &*root {
            "" => Some(path.as_str()),
            root => path.as_str().strip_prefix(root)?.strip_prefix('/'),
        };
        let files = self.files.below(&root, false);
        let special = self.files.special_below(&root);
        let paths = files
            .iter()
            .charged_at_once(1)
            .map(|file| &file.path)
            .chain(special.iter().charged_at_once(1).map(|entry| &entry.path));
        let mut names: Vec<&str> = paths.filter_map(below).filter_map(|below| below.split('/').next()).collect();
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
        if resolved.len() > MAX_PATH || resolved.contains('\0') {
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

/// Returns an absolute path as one from this folder, with `..` where it leads above it; `None` if both have nothing in
/// common but the top of the system, or `path` is not absolute.
fn from_folder(folder: &str, path: &str) -> Option<String> {
    if !super::functions::is_absolute(path) {
        return None;
    }
    let path = super::functions::clean(path);
    super::functions::charge_path(folder);
    let parts = |text: &str| text.split('/').filter(|part| !part.is_empty()).map(str::to_owned).collect::<Vec<_>>();
    let (own, other) = (parts(folder), parts(&path));
    account::grow((folder.len() + path.len()) as u64 * 2);
    let common = own.iter().zip(&other).take_while(|(own, other)| own == other).count();
    if common == 0 && !own.is_empty() {
        return None;
    }
    let up = std::iter::repeat_n("..", own.len() - common);
    let down = other.iter().skip(common).map(String::as_str);
    Some(up.chain(down).collect::<Vec<_>>().join("/"))
}

#[cfg(test)]
mod tests {
    use super::from_folder;

    #[test]
    fn absolute_paths_are_those_from_the_folder() {
        for (path, wanted) in [
            ("/a/b/c.txt", Some("c.txt")),
            ("/a/b", Some("")),
            ("/a/b/./x//y", Some("x/y")),
            ("/a/b/../x", Some("../x")),
            ("/a/x", Some("../x")),
            ("/a/bc/x", Some("../bc/x")),
            ("/b/x", None),
            ("x", None),
            ("~/x", None),
        ] {
            assert_eq!(from_folder("/a/b", path).as_deref(), wanted, "{path}");
        }
        assert_eq!(from_folder("/", "/x").as_deref(), Some("x"));
        assert_eq!(from_folder("C:/a", "C:/a/x").as_deref(), Some("x"));
    }
}

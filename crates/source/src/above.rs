//! Small files in a folder and those above it, which say what a repository means, such as the version of a tool.

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::limits::read_capped;
use super::regular;

/// The size beyond which such a file is not read, in bytes.
const MAX_FILE: u64 = 64 << 10;

/// A small file in a folder or above it.
#[derive(Debug)]
pub struct FileAbove {
    /// Its name, without folders.
    pub name: &'static str,
    /// Its path, as a message shows it: from the working directory, if it is in it.
    pub path: String,
    /// Its content.
    pub content: Bytes,
}

/// Returns the files with these names in a folder and above it, up to the top of its repository, the nearest first.
/// Outside of a repository only the folder itself counts. What cannot be read, or is too large to be one of them, is none.
pub fn files_above<N: Iterator<Item = &'static str>>(folder: &Path, names: impl Fn() -> N) -> Vec<FileAbove> {
    let Ok(folder) = fs::canonicalize(folder) else { return Vec::new() };
    let own: PathBuf = env::current_dir().and_then(fs::canonicalize).unwrap_or_default();
    let top = folder.ancestors().find(|path| path.join(".git").exists()).unwrap_or(&folder);
    let folders = folder.ancestors().take_while(|path| path.starts_with(top));
    let files = folders.flat_map(|folder| names().map(move |name| (name, folder.join(name))));
    files
        .filter_map(|(name, file)| {
            let content = small_file(&file)?;
            let path = file.strip_prefix(&own).unwrap_or(&file).display().to_string();
            Some(FileAbove { name, path, content })
        })
        .collect()
}

/// Reads a file of at most 64 KiB; `None` if it is none, or cannot be read.
pub fn small_file(path: &Path) -> Option<Bytes> {
    let (file, length) = regular::open(path).ok()??;
    if length > MAX_FILE {
        return None;
    }
    read_capped(file, MAX_FILE, length).ok().map(Bytes::from)
}

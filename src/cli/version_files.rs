//! What a folder and those above it say of the tool: the files that name its version, and which tool it is for.

use std::fs;
use std::io::{self, Write as _};
use std::path::Path;

use overfold_dialect::{self as dialect, DialectSpec};
use overfold_engine::options::Dialect;
use overfold_model::language::required_providers;
use overfold_module::meant_version::{AUTO, VersionFile};
use overfold_module::pipeline::Request;
use overfold_module::version_search::file_names;
use overfold_source::{self as source, FileAbove};

/// The file in which a tool keeps the providers that it has chosen, with their registry.
const LOCK_FILE: &str = ".terraform.lock.hcl";

/// Whether a file of this name may name the version of a tool.
pub(super) fn is_version_file(name: &str) -> bool {
    file_names().any(|known| known == name)
}

/// Follows the version that the repository means unless the request names one. `folder` is the folder that is read, if it is
/// one.
pub(super) fn prefer_meant(request: &mut Request, folder: Option<&Path>) {
    request.version.get_or_insert_with(|| AUTO.to_owned());
    look_above(request, folder);
}

/// Reads the version files in the folder and above it if the request asks for the version that the repository means.
pub(super) fn look_above(request: &mut Request, folder: Option<&Path>) {
    if request.version.as_deref() == Some(AUTO)
        && let Some(folder) = folder
    {
        request.version_files = version_files_in(&folder.join(&request.root)).into();
    }
}

/// Returns the dialect to follow where none is named: another than the default if the folder is plainly one of it, which is
/// then said on standard error.
pub(super) fn dialect(named: Option<Dialect>, folder: &Path) -> Option<Dialect> {
    if named.is_some() {
        return named;
    }
    let versions = version_files_in(folder);
    let others = Dialect::NAMES.iter().filter_map(|(name, dialect)| Some((dialect::rows(name)?, *dialect)));
    let mut others = others.filter(|(rows, _)| rows.version_file.is_some()).skip(1);
    let (rows, sign, dialect) =
        others.find_map(|(rows, dialect)| Some((rows, sign_of(rows, folder, &versions)?, dialect)))?;
    let text = format!("overfold: following {}, because of {sign}; --dialect names another", rows.tool);
    // If this fails, there is nowhere left to report it.
    let _ = writeln!(io::stderr().lock(), "{text}");
    Some(dialect)
}

/// Returns the path of what shows that a folder is one of a tool: a file that no other tool reads, the lock file of its
/// registry, or what names its version, before anything names that of another.
fn sign_of(rows: &DialectSpec, folder: &Path, versions: &[VersionFile]) -> Option<String> {
    let names = fs::read_dir(folder).ok()?.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
    let mut names: Vec<String> = names.filter(|name| !name.starts_with('.')).collect();
    names.sort_unstable();
    let others = || dialect::compared().filter(|name| *name != rows.name);
    let is_own =
        |name: &&String| dialect::may_read(rows.name, name) && !others().any(|other| dialect::may_read(other, name));
    if let Some(name) = names.iter().find(is_own) {
        return Some(folder.join(name).display().to_string());
    }
    let lock = folder.join(LOCK_FILE);
    let registry = dialect::find(rows.name, None).ok().and_then(required_providers::registry).unwrap_or_default();
    if source::small_file(&lock)
        .is_some_and(|text| String::from_utf8_lossy(&text).contains(&format!("\"{registry}/")))
    {
        return Some(lock.display().to_string());
    }
    for file in versions {
        if rows.version_file == Some(&*file.name) {
            return Some(file.path.clone());
        }
        if dialect::version_files().any(|name| name == file.name) {
            return None;
        }
        let text = String::from_utf8_lossy(&file.content);
        let names = |tool: &str| text.lines().any(|line| line.split([' ', '\t', '=']).next() == Some(tool));
        if names(rows.name) && !others().any(names) {
            return Some(file.path.clone());
        }
    }
    None
}

/// Returns the version files in a folder and above it, the nearest first.
fn version_files_in(folder: &Path) -> Vec<VersionFile> {
    let found = source::files_above(folder, file_names).into_iter();
    found.map(|FileAbove { name, path, content }| VersionFile { name: name.to_owned(), path, content }).collect()
}

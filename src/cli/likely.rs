//! What was probably meant by a command line that cannot be carried out: a path without a command, or a file of a module
//! instead of its folder.

use std::ffi::OsStr;
use std::path::Path;

use clap::error::{ContextKind, ContextValue};

use overfold_dialect as dialect;

/// The commands that only a build with the feature `nats` has.
const OF_QUEUES: &[&str] = &["worker", "submit", "collect"];

/// Endings of the names of variable definitions files.
const DEFINITIONS: &[&str] = &[".tfvars", ".tfvars.json"];

/// Returns a line to print after clap's error message; `None` if it is not clear what was meant.
pub(super) fn after(error: &clap::Error) -> Option<String> {
    let text = |kind| match error.get(kind) {
        Some(ContextValue::String(text)) => Some(text.as_str()),
        _ => None,
    };
    // `overfold examples/web`
    let word = text(ContextKind::InvalidSubcommand).or_else(|| text(ContextKind::InvalidArg))?;
    if !cfg!(feature = "nats") && OF_QUEUES.contains(&word) {
        return Some(format!(
            "{word} is not part of this build, which has no queues: the programs of releases and the container image have them, and \
            so has a build with `cargo install --features nats`"
        ));
    }
    let path = Path::new(word);
    if word.starts_with('-') || !path.exists() {
        return None;
    }
    let first = std::env::args().nth(1).unwrap_or_default();
    let has_command = first != word && !first.starts_with('-');
    if !has_command {
        return Some(format!("to merge the module in it, type: overfold merge {}", shown(folder_of(path))));
    }
    // `overfold merge *.tf`, which the shell has replaced by names
    let is_module_file = path.is_file() && is_configuration(path);
    is_module_file.then(|| {
        let folder = shown(folder_of(path));
        format!("a module is read as a folder, not file by file: name the folder, such as {folder}")
    })
}

/// Returns what to type instead of a path that is a file of a module; `None` if it is not.
pub(super) fn instead_of(path: &Path) -> Option<String> {
    if !path.is_file() {
        return None;
    }
    let name = path.file_name()?.to_str()?;
    let folder = shown(folder(path));
    if is_configuration(path) {
        return Some(format!(
            "{} is one file of a module, which is read as a folder; name the folder instead: {folder}",
            path.display()
        ));
    }
    ends_in(name, DEFINITIONS).then(|| {
        format!(
            "{} is a variable definitions file; name the folder of the module and this file: {folder} --var-file {name}",
            path.display()
        )
    })
}

/// Says what to type instead of a path that is a file where a folder is needed.
pub(super) fn folder_instead_of(path: &Path) -> String {
    instead_of(path).unwrap_or_else(|| {
        format!("{} is a file, and a plan is made of a folder: unpack it, and name the root module", path.display())
    })
}

/// Returns the path itself if it is a folder or an archive, otherwise the folder that contains it.
fn folder_of(path: &Path) -> &Path {
    let name = path.to_str().unwrap_or_default();
    if path.is_file() && (is_configuration(path) || ends_in(name, DEFINITIONS)) { folder(path) } else { path }
}

/// Whether the name is one that some dialect reads as a file of a module, definitions of variables aside.
fn is_configuration(path: &Path) -> bool {
    let name = path.file_name().and_then(OsStr::to_str).unwrap_or_default();
    !ends_in(name, DEFINITIONS) && dialect::names().any(|dialect| dialect::may_read(dialect, name))
}

fn folder(path: &Path) -> &Path {
    path.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or_else(|| Path::new("."))
}

fn ends_in(name: &str, endings: &[&str]) -> bool {
    endings.iter().any(|ending| name.ends_with(ending))
}

/// Returns a path as it can be typed in a shell.
fn shown(path: &Path) -> String {
    let text = path.display().to_string();
    let is_plain = |c: char| c.is_alphanumeric() || matches!(c, '/' | '.' | '_' | '-' | '+' | '@' | '%' | ':' | ',');
    if text.chars().all(is_plain) { text } else { format!("'{}'", text.replace('\'', "'\\''")) }
}

//! Variable definitions files outside the folder that is merged, such as `--var-file ../common.tfvars`.

use std::fs;
use std::path::{Component, Path};

use super::Failure;
use overfold_base::files::{FileSet, ModulePath, SourceFile};
use overfold_module::pipeline::{Request, VariableArg};

/// Adds the definitions files that `request` names above `folder`. The folder becomes part of a larger file set, which
/// also contains those files, and the request's root is adjusted.
///
/// # Errors
/// Fails if such a file cannot be read or has more than `most` bytes, if there are not enough folders above, or if one
/// of them has a name that is not valid in a path.
pub(super) fn include(files: FileSet, request: &mut Request, folder: &Path, most: u64) -> Result<FileSet, Failure> {
    let depth = if request.root.is_empty() { 0 } else { request.root.split('/').count() };
    let args = request.variables.iter().flat_map(|variables| &variables.args);
    let outer: Vec<(usize, String)> =
        args.filter_map(|arg| if let VariableArg::VarFile(path) = arg { above(path, depth) } else { None }).collect();
    let Some(levels) = outer.iter().map(|(levels, _)| *levels).max() else { return Ok(files) };
    let failure = |what: &Path, error| Failure::Io { what: what.display().to_string(), error };
    let place = fs::canonicalize(folder).map_err(|error| failure(folder, error))?;
    let names: Vec<&str> = place
        .components()
        .filter_map(|part| if let Component::Normal(name) = part { name.to_str() } else { None })
        .collect();
    let prefix = names.len().checked_sub(levels).and_then(|from| names.get(from..)).map(<[&str]>::to_vec);
    let prefix = prefix
        .ok_or_else(|| Failure::Message(format!("{} has fewer than {levels} parent directories", place.display())))?;
    let path = |text: &str| ModulePath::parse(text).map_err(|error| Failure::Message(format!("{text:?}: {error}")));
    let mut more: Vec<SourceFile> = Vec::new();
    for (up, rest) in outer {
        let on_disk = place.ancestors().nth(up).unwrap_or(&place).join(&rest);
        let inside = prefix.get(..levels - up).unwrap_or_default().join("/");
        let inside = path(if inside.is_empty() { rest } else { format!("{inside}/{rest}") }.as_str())?;
        if more.iter().any(|file| file.path == inside) {
            continue;
        }
        // A missing file becomes a diagnostic, as for any other definitions file.
        let Ok(meta) = fs::metadata(&on_disk) else { continue };
        if meta.len() > most {
            return Err(Failure::Message(format!(
                "{} is over the limit max-file-bytes of {most} bytes",
                on_disk.display()
            )));
        }
        let bytes = fs::read(&on_disk).map_err(|error| failure(&on_disk, error))?;
        more.push(SourceFile { path: inside, bytes: bytes.into() });
    }
    let prefix = prefix.join("/");
    let set = files.below(&prefix, more).map_err(|error| Failure::Message(format!("{prefix:?}: {error}")))?;
    let root = [prefix, request.root.clone()].join("/");
    root.trim_end_matches('/').clone_into(&mut request.root);
    Ok(set)
}

/// Returns how many folders above the merged one a path leads, and its remainder from there; `None` if it stays inside.
/// The module directory is `depth` folders below the merged one.
fn above(path: &str, depth: usize) -> Option<(usize, String)> {
    let mut rest = path;
    let mut up = 0;
    loop {
        if let Some(shorter) = rest.strip_prefix("../") {
            (rest, up) = (shorter, up + 1);
        } else if let Some(shorter) = rest.strip_prefix("./") {
            rest = shorter;
        } else {
            break;
        }
    }
    (up > depth).then(|| (up - depth, rest.to_owned()))
}

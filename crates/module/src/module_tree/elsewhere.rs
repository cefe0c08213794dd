//! Modules that are not local, but whose directories are known: from the request, or because the tool has installed them in
//! the upload.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::calls::{Call, Target};
use crate::loading::Request;
use crate::plan::ModuleSource;
use overfold_base::account;
use overfold_base::diag::Diagnostics;
use overfold_base::files::FileSet;
use overfold_base::versions::{Constraints, Version};
use overfold_dialect::words;
use overfold_model::config::Decoded;
use overfold_syntax::Forest;

/// The file in which the tool notes where it has installed modules, below the root module.
const MANIFEST: &str = ".terraform/modules/modules.json";

/// The host of registry sources that name none.
const REGISTRY: &str = "registry.terraform.io/";

/// What is known of modules that are not local.
#[derive(Default)]
pub(super) struct Elsewhere<'r> {
    sources: &'r [ModuleSource],
    /// The directories of installed modules, by the names of the calls that lead to them, joined by dots.
    installed: BTreeMap<Box<str>, Arc<str>>,
}

/// A manifest, as far as it is read.
#[derive(serde::Deserialize)]
struct Manifest {
    #[serde(rename = "Modules", default)]
    modules: Vec<Installed>,
}

#[derive(serde::Deserialize)]
struct Installed {
    #[serde(rename = "Key")]
    key: Box<str>,
    #[serde(rename = "Dir")]
    dir: Box<str>,
}

impl<'r> Elsewhere<'r> {
    /// Returns what a request says. Only what evaluates the tree needs modules that are not local. `root` is the directory of the root module,
    /// without links.
    pub(super) fn of(request: &'r Request, files: &FileSet, root: &str) -> Self {
        let Some(options) = request.plan.as_deref().or(request.resolve.as_deref()) else { return Self::default() };
        Self { sources: &options.module_sources, installed: installed(files, root) }
    }

    /// Sets the targets of calls whose directories are known. `key` names the calls that lead to the calling module.
    /// Returns for each call where it is installed according to the tool, relative to the root module, if it is not local.
    pub(super) fn redirect(
        &self,
        calls: &mut [Call<'_>],
        forest: &Forest,
        files: &FileSet,
        key: &str,
    ) -> Vec<Option<Arc<str>>> {
        if self.sources.is_empty() && self.installed.is_empty() {
            return vec![None; calls.len()];
        }
        let each = calls.iter_mut().map(|call| {
            account::work(4 + self.sources.len() as u64);
            let text = call.text.as_ref().filter(|_| call.target == Target::Elsewhere)?;
            let own = own_key(key, call.name);
            let found = self.sources.iter().find_map(|source| directory(source, text, call, forest));
            let found = found.or_else(|| self.installed.get(&*own).map(ToString::to_string))?;
            let directory = files.real_path(&found);
            if !files.has_folder(&directory) {
                return None;
            }
            let inner = split(text).1.map_or_else(String::new, |inner| format!("/{inner}"));
            let path: Arc<str> = format!(".terraform/modules/{own}{inner}").into();
            call.target = Target::Directory(Arc::from(&*directory));
            account::grow(path.len() as u64 * 2);
            Some(path)
        });
        each.collect()
    }
}

/// Returns the names of the calls that lead to a module, joined by dots.
pub(super) fn own_key(key: &str, name: &str) -> String {
    if key.is_empty() { name.to_owned() } else { format!("{key}.{name}") }
}

/// Reads where the tool has installed modules. A manifest that cannot be read says nothing.
fn installed(files: &FileSet, root: &str) -> BTreeMap<Box<str>, Arc<str>> {
    let below = |path: &str| if root.is_empty() { path.to_owned() } else { format!("{root}/{path}") };
    let Some(file) = files.get(&below(MANIFEST)) else { return BTreeMap::new() };
    account::touch(file.bytes.len() * 4);
    let Ok(manifest) = serde_json::from_slice::<Manifest>(&file.bytes) else { return BTreeMap::new() };
    let modules = manifest.modules.into_iter().filter(|module| !module.key.is_empty());
    modules
        .map(|module| {
            account::grow((module.key.len() + module.dir.len()) as u64 + 64);
            (module.key, Arc::from(normal(&below(&module.dir))))
        })
        .collect()
}

/// Returns a path without `.` and `..` in it.
fn normal(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

/// Splits a source into the package and the directory in it (`//sub`).
fn split(source: &str) -> (&str, Option<&str>) {
    let from = source.find("://").map_or(0, |at| at + 3);
    let Some(at) = source.get(from..).and_then(|rest| rest.find("//")).map(|at| at + from) else {
        return (source, None);
    };
    let (package, inner) = (source.get(..at).unwrap_or_default(), source.get(at + 2..).unwrap_or_default());
    (package, Some(inner.split('?').next().unwrap_or(inner)))
}

/// Returns the directory to which a call leads according to an entry of the request.
fn directory(entry: &ModuleSource, text: &str, call: &Call<'_>, forest: &Forest) -> Option<String> {
    let plain = |source: &'_ str| source.strip_prefix(REGISTRY).unwrap_or(source).to_owned();
    let (wanted, given) = (plain(text), plain(&entry.source));
    let below = if wanted == given {
        String::new()
    } else {
        let (package, inner) = split(&wanted);
        if package != given {
            return None;
        }
        format!("/{}", inner?)
    };
    if let Some(version) = entry.version.as_deref().and_then(Version::parse) {
        let constraint = call.block.arguments.iter().find(|argument| argument.name == words::VERSION);
        let text = constraint.and_then(|argument| match argument.decoded {
            Decoded::Text(text) => Some(text.to_owned()),
            _ => overfold_eval::constant(forest, argument.expr, &mut Diagnostics::new()).as_text().map(str::to_owned),
        });
        if let Some(constraints) = text.as_deref().and_then(Constraints::parse)
            && !constraints.allow(&version)
        {
            return None;
        }
    }
    Some(normal(&format!("{}{below}", entry.path)))
}

#[cfg(test)]
mod tests {
    use super::{normal, split};

    #[test]
    fn sources_are_split_where_the_package_ends() {
        assert_eq!(split("a/b/c"), ("a/b/c", None));
        assert_eq!(split("a/b/c//modules/x"), ("a/b/c", Some("modules/x")));
        assert_eq!(split("git::https://h/r.git//sub?ref=v1"), ("git::https://h/r.git", Some("sub")));
        assert_eq!(normal("a/./b/../c/"), "a/c");
    }
}

//! Where module calls lead that are not local, in a plan: into directories that the request names, or that the tool has
//! installed among the files.
//!
//! The tool installs the module of a call into `.terraform/modules/KEY` below the root module, where the key is the path of
//! calls (`a.b`), and lists it in `modules.json` there (Terraform 1.11, `internal/modsdir`, `internal/initwd`). What the
//! request names takes precedence, and looks to expressions as if it were installed there, too.

mod manifest;

use std::borrow::Cow;
use std::collections::BTreeMap;
use std::sync::Arc;

use crate::calls::Call;
use crate::loading::{Report, Request};
use manifest::Manifest;
use overfold_base::account;
use overfold_base::diag::Diagnostics;
use overfold_base::files::FileSet;
use overfold_base::versions::{Constraints, Version};
use overfold_dialect::words;
use overfold_eval as eval;
use overfold_model::config::Decoded;
use overfold_model::language::module_source::{PackageAddress, SourceKind};
use overfold_model::language::required_providers;

/// The folder below the root module into which the tool installs modules.
pub(crate) const FOLDER: &str = ".terraform/modules";

/// The modules that are there beside local ones.
pub(crate) struct Installed<'f> {
    files: &'f FileSet,
    /// The directory of the root module within the files.
    root: &'f str,
    /// The host of registry addresses that name none.
    registry: &'static str,
    given: Vec<Given>,
    manifest: Manifest,
}

/// A module that the request names.
struct Given {
    address: PackageAddress,
    version: Option<Version>,
    /// Its directory within the files.
    path: Arc<str>,
}

/// The folder where the tool would have installed a module, and the one where it is, both within the files.
pub(crate) type Link = (String, String);

/// Where a call leads.
pub(crate) struct Found {
    /// The directory within the files, without links.
    pub(crate) directory: Arc<str>,
    /// Its path from the root module, as the tool shows it.
    pub(crate) path: Arc<str>,
    /// Where the files would be, if they are elsewhere.
    pub(crate) link: Option<Link>,
}

impl<'f> Installed<'f> {
    /// Returns what a request that evaluates the tree says of modules that are not local; `None` if that is nothing.
    pub(crate) fn of(report: &Report<'_>, files: &'f FileSet, request: &'f Request) -> Option<Self> {
        let options = request.plan.as_deref().or(request.resolve.as_deref())?;
        let registry = required_providers::registry(report.dialect).unwrap_or_default();
        let given = options.module_sources.iter().filter_map(|source| {
            account::touch(source.source.len() + source.path.len());
            let version = source.version.as_deref();
            Some(Given {
                address: PackageAddress::of(&source.source, registry)?,
                version: version.and_then(Version::parse),
                path: Arc::clone(&source.path),
            })
        });
        let given: Vec<Given> = given.collect();
        let manifest = Manifest::read(files, &joined(&request.root, FOLDER));
        let is_empty = given.is_empty() && manifest.is_empty();
        (!is_empty).then_some(Self { files, root: &request.root, registry, given, manifest })
    }

    /// Returns where a call leads that is not local. `key` is the path of calls that ends with this one: their names,
    /// separated by dots.
    pub(crate) fn find(&self, report: &Report<'_>, call: &Call<'_>, key: &str) -> Option<Found> {
        if call.kind == Some(SourceKind::Local) {
            return None;
        }
        let address = PackageAddress::of(call.text.as_deref()?, self.registry)?;
        let constraint = match constraint(report, call) {
            Some(text) => Some(Constraints::parse(&text)?),
            None => None,
        };
        account::work(8 + self.given.len() as u64);
        self.given(&address, constraint.as_ref(), key).or_else(|| self.listed(&address, constraint.as_ref(), key))
    }

    /// Looks into what the request names: the same folder of a package comes before the whole of it, then the newest
    /// version.
    fn given(&self, address: &PackageAddress, constraint: Option<&Constraints>, key: &str) -> Option<Found> {
        let fits = |given: &&Given| {
            given.address.package == address.package
                && (given.address.sub == address.sub || given.address.sub.is_empty())
                && given.version.as_ref().is_none_or(|version| constraint.is_none_or(|all| all.allow(version)))
        };
        let rank = |given: &Given| (given.address.sub == address.sub, given.version.clone());
        // The first of equal ones.
        let found = self.given.iter().rev().filter(fits).max_by(|a, b| rank(a).cmp(&rank(b)))?;
        let inner = if found.address.sub == address.sub { "" } else { &address.sub };
        let real = |path: &str| self.files.real_path(path).into_owned();
        let directory = real(&joined(&found.path, inner));
        if !self.files.has_folder(&directory) {
            return None;
        }
        let installed = format!("{FOLDER}/{key}");
        // The package itself, where its other folders are, too.
        let package = match address.sub.as_str() {
            "" => Some(directory.as_str()),
            sub => directory.strip_suffix(sub).and_then(|above| match above {
                "" => Some(above),
                above => above.strip_suffix('/'),
            }),
        };
        let (from, to) = match package {
            Some(package) => (installed.clone(), package.to_owned()),
            None => (joined(&installed, &address.sub), directory.clone()),
        };
        let from = joined(&real(self.root), &from);
        account::grow((from.len() + to.len() + installed.len()) as u64);
        Some(Found {
            path: joined(&installed, &address.sub).into(),
            directory: directory.into(),
            link: (from != to).then_some((from, to)),
        })
    }

    /// Looks into what the tool has installed. An entry for another source, or for a version that the call does not allow,
    /// is out of date.
    fn listed(&self, address: &PackageAddress, constraint: Option<&Constraints>, key: &str) -> Option<Found> {
        let entry = self.manifest.get(key)?;
        if PackageAddress::of(&entry.source, self.registry)? != *address {
            return None;
        }
        let version = entry.version.as_deref().and_then(Version::parse);
        if constraint.is_some_and(|all| version.is_none_or(|version| !all.allow(&version))) {
            return None;
        }
        let directory = resolved(self.root, &entry.folder)?;
        let directory: Arc<str> = self.files.real_path(&directory).into();
        self.files.has_folder(&directory).then(|| Found { directory, path: Arc::clone(&entry.folder), link: None })
    }

    /// Returns the path of a called module from the root module, as the tool shows it: from that of the calling module
    /// with a local source, otherwise where it is installed. `None` if it is not there, or the path cannot be told.
    pub(crate) fn path(
        &self,
        report: &Report<'_>,
        call: &Call<'_>,
        (path, key): (Option<&str>, &str),
    ) -> Option<(Arc<str>, Option<Link>)> {
        if call.kind == Some(SourceKind::Local) {
            let target = call.target.directory()?;
            let own = self.files.real_path(self.root);
            return Some((local_path(self.files, &own, path?, (call.text.as_deref()?, target))?, None));
        }
        self.find(report, call, key).map(|found| (found.path, found.link))
    }

    /// Whether modules may be elsewhere than the tool would have installed them.
    pub(crate) fn has_links(&self) -> bool {
        !self.given.is_empty()
    }

    /// Returns the files with the links that make modules found where the tool would have installed them.
    pub(crate) fn linked(&self, links: BTreeMap<String, String>) -> Cow<'f, FileSet> {
        if links.is_empty() {
            return Cow::Borrowed(self.files);
        }
        let count = (self.files.files().len() + self.files.special().len()) as u64;
        account::work(count);
        account::grow(count * 96);
        let known = self.files.linked_folders().map(|(from, to)| (from.to_owned(), to.to_owned()));
        let mut all: BTreeMap<String, String> = known.collect();
        all.extend(links);
        Cow::Owned(self.files.clone().with_linked_folders(all))
    }
}

/// Returns the version constraint of a call, if it has one that can be read.
fn constraint(report: &Report<'_>, call: &Call<'_>) -> Option<Arc<str>> {
    let early = report.early.modules.get(call.name).and_then(|module| module.version.as_ref());
    if let Some(text) = early {
        return Some(Arc::clone(text));
    }
    let mut arguments = call.block.arguments.iter();
    let argument = arguments.find(|argument| argument.name == words::VERSION && !argument.broken)?;
    match argument.decoded {
        Decoded::Text(text) => Some(Arc::from(text)),
        _ => {
            let value = eval::constant(report.forest, argument.expr, &mut Diagnostics::new());
            value.unmarked_deep().as_shared_text().map(Arc::clone)
        }
    }
}

/// Returns a path of calls that is longer by one.
pub(crate) fn longer_key(key: &str, name: &str) -> Arc<str> {
    account::touch(key.len() + name.len());
    if key.is_empty() { Arc::from(name) } else { format!("{key}.{name}").into() }
}

/// Joins the directory of a module and the source that a call in it names, without `.` and, where possible, `..`.
pub(crate) fn below(path: &str, source: &str) -> Arc<str> {
    account::touch(path.len() + source.len());
    let source = source.replace('\\', "/");
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/').chain(source.split('/')) {
        match part {
            "" | "." => {}
            ".." if parts.last().is_some_and(|last| *last != "..") => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    Arc::from(parts.join("/"))
}

/// Returns the path from the root module, in `own`, of a module that one in `path` calls with a local source, as the tool
/// shows it: where links lead. `target` is where the call leads within the files. `None` if the path cannot be told: it
/// depends on the text of a link.
pub(crate) fn local_path(files: &FileSet, own: &str, path: &str, (source, target): (&str, &str)) -> Option<Arc<str>> {
    let written = below(path, source);
    match resolved(own, &written) {
        // What is elsewhere than the tool would have it keeps the path that it would have.
        Some(place) if place != target && files.real_path(&place) == target => {
            let path = relative(own, target);
            let ups = |path: &str| path.split('/').take_while(|part| *part == "..").count();
            // A link does not lead back into the folders above the root module without naming them.
            (ups(&written) <= ups(&path) && !files.is_indirect(&place)).then(|| path.into())
        }
        _ => Some(written),
    }
}

/// Returns the path from one directory to another, both within the files and without links.
pub(crate) fn relative(from: &str, to: &str) -> String {
    account::touch(from.len() + to.len());
    let parts = |path| str::split(path, '/').filter(|part: &&str| !part.is_empty());
    let common = parts(from).zip(parts(to)).take_while(|(a, b)| a == b).count();
    let up = parts(from).skip(common).map(|_| "..");
    up.chain(parts(to).skip(common)).collect::<Vec<_>>().join("/")
}

/// Joins a folder and a path below it.
fn joined(folder: &str, below: &str) -> String {
    match (folder, below) {
        ("", path) | (path, "") => path.to_owned(),
        (folder, below) => format!("{folder}/{below}"),
    }
}

/// Returns the path within the files of one that is relative to the root module; `None` if it leads out of them.
fn resolved(root: &str, path: &str) -> Option<String> {
    account::touch(root.len() + path.len());
    if path.starts_with(['/', '\\']) {
        return None;
    }
    let mut parts: Vec<&str> = Vec::new();
    for part in root.split('/').chain(path.split('/')) {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()?),
            part => parts.push(part),
        }
    }
    Some(parts.join("/"))
}

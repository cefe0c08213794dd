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

use foldhash::HashMap;

use crate::calls::{Call, codes};
use manifest::Manifest;
use overfold_base::account::{self, ChargedIterator, ChargedSort, ChargedText, List};
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_base::files::FileSet;
use overfold_base::versions::{Constraints, Version};
use overfold_dialect::words;
use overfold_eval as eval;
use overfold_load::loading::{Report, Request};
use overfold_model::config::DecodedArgument;
use overfold_model::language::module_source::{PackageAddress, SourceKind};
use overfold_model::language::required_providers;

/// The folder below the root module into which the tool installs modules.
pub(crate) const FOLDER: &str = ".terraform/modules";

/// The modules that are there beside local ones.
pub struct Installed<'f> {
    files: &'f FileSet,
    /// The directory of the root module within the files.
    root: &'f str,
    /// The host of registry addresses that name none.
    registry: &'static str,
    /// What the request names, by package and folder in it: the newest version first, those without one last, and equal
    /// ones in the order of the request.
    given: HashMap<String, HashMap<String, List<RequestedModule>>>,
    manifest: Manifest,
    /// Whether calls that have changed since are reported: the tool does so when it plans.
    reports_changes: bool,
}

/// A module that the request names.
struct RequestedModule {
    version: Option<Version>,
    /// Its directory within the files.
    path: Arc<str>,
}

/// The folder where the tool would have installed a module, and the one where it is, both within the files.
pub(crate) type Link = (String, String);

/// Where a call leads.
pub(crate) struct SourceMatch {
    /// The directory within the files, without links.
    pub(crate) directory: Arc<str>,
    /// Its path from the root module, as the tool shows it.
    pub(crate) path: Arc<str>,
    /// Where the files would be, if they are elsewhere.
    pub(crate) link: Option<Link>,
}

impl<'f> Installed<'f> {
    /// Returns what a request that evaluates the tree says of modules that are not local; `None` if that is nothing.
    pub fn from_request(report: &Report<'_>, files: &'f FileSet, request: &'f Request) -> Option<Self> {
        let options = request.plan.as_deref().or(request.resolve.as_deref())?;
        let registry = required_providers::registry(report.dialect).unwrap_or_default();
        let mut given: HashMap<String, HashMap<String, List<RequestedModule>>> = HashMap::default();
        for source in &options.module_sources {
            let version = source.version.as_deref();
            account::work(32);
            account::touch(8 * (source.source.len() + source.path.len() + version.map_or(0, str::len)));
            let Some(address) = PackageAddress::parse(&source.source, registry) else { continue };
            let named = RequestedModule { version: version.and_then(Version::parse), path: Arc::clone(&source.path) };
            given.entry(address.package).or_default().entry(address.sub).or_default().push(named);
        }
        for list in given.values_mut().flat_map(HashMap::values_mut) {
            list.charged_sort_by(16, |left, right| right.version.cmp(&left.version));
        }
        let manifest = Manifest::read(files, &joined(&request.root, FOLDER));
        let is_empty = given.is_empty() && manifest.is_empty();
        (!is_empty).then_some(Self {
            files,
            root: &request.root,
            registry,
            given,
            manifest,
            reports_changes: request.plan.is_some(),
        })
    }

    /// Returns where a call leads that is not local. `key` is the path of calls that ends with this one: their names,
    /// separated by dots.
    pub(crate) fn find(&self, report: &Report<'_>, call: &Call<'_>, key: &str) -> Option<SourceMatch> {
        if call.kind == Some(SourceKind::Local) {
            return None;
        }
        let source = call.text.as_deref()?;
        account::work(8);
        let address = PackageAddress::parse(source.scanned(8), self.registry)?;
        let constraint = match constraint(report, call) {
            Some(text) => Some(Constraints::parse(&text)?),
            None => None,
        };
        self.provided(&address, constraint.as_ref(), key).or_else(|| self.listed(&address, constraint.as_ref(), key))
    }

    /// Looks into what the request names: the same folder of a package comes before the whole of it, then the newest
    /// version.
    fn provided(&self, address: &PackageAddress, constraint: Option<&Constraints>, key: &str) -> Option<SourceMatch> {
        let of_package = self.given.get(&address.package)?;
        let within = |sub: &str| newest(of_package.get(sub)?, constraint);
        let (found, inner) = match within(&address.sub) {
            Some(found) => (found, ""),
            None => (within("")?, address.sub.as_str()),
        };
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
        Some(SourceMatch {
            path: joined(&installed, &address.sub).into(),
            directory: directory.into(),
            link: (from != to).then_some((from, to)),
        })
    }

    /// Looks into what the tool has installed. An entry for another source, or for a version that the call does not allow,
    /// is out of date.
    fn listed(&self, address: &PackageAddress, constraint: Option<&Constraints>, key: &str) -> Option<SourceMatch> {
        let entry = self.manifest.get(key)?;
        if PackageAddress::parse(&entry.source, self.registry)? != *address {
            return None;
        }
        let version = entry.version.as_deref().and_then(Version::parse);
        if constraint.is_some_and(|all| version.is_none_or(|version| !all.allow(&version))) {
            return None;
        }
        let directory = resolved(self.root, &entry.folder)?;
        let directory: Arc<str> = self.files.real_path(&directory).into();
        self.files.has_folder(&directory).then(|| SourceMatch {
            directory,
            path: Arc::clone(&entry.folder),
            link: None,
        })
    }

    /// Returns what the tool says of a call of a module that it has installed, if the call has changed since. What the request
    /// names counts as installed for the call as it is.
    pub(crate) fn outdated(&self, report: &Report<'_>, call: &Call<'_>, key: &str) -> Vec<Diagnostic> {
        let mut found = Vec::new();
        let source = call.block.argument(words::SOURCE_ARGUMENT);
        let entry = self.manifest.get(key).filter(|_| self.reports_changes);
        let (Some(entry), Some(source)) = (entry, source) else { return found };
        if call.kind == Some(SourceKind::Local) || call.kind.is_none() || self.find(report, call, key).is_some() {
            return found;
        }
        let own = call.text.as_deref().and_then(|text| PackageAddress::parse(text, self.registry));
        let (Some(own), Some(listed)) = (own, PackageAddress::parse(&entry.source, self.registry)) else {
            return found;
        };
        let at = report.forest.expr_span(source.expr);
        account::grow(512);
        if own != listed {
            let detail = format!(
                "The module that is installed for this call comes from {:?}. Install the modules again with `terraform init`.",
                &*entry.source
            );
            found.push(Diagnostic::tool(&codes::SOURCE_CHANGED, at, detail));
        }
        let constraint = constraint(report, call).and_then(|text| Constraints::parse(&text));
        let version = entry.version.as_deref().and_then(Version::parse);
        if constraint.is_some_and(|all| version.is_none_or(|version| !all.allow(&version))) {
            let detail = "The version of the module that is installed for this call is not one that the call allows. Install the modules again with `terraform init`.";
            found.push(Diagnostic::tool(&codes::VERSION_CHANGED, at, detail));
        }
        found
    }

    /// Returns the path of a called module from the root module, as the tool shows it: from that of the calling module
    /// with a local source, otherwise where it is installed. `None` if it is not there, or the path cannot be told.
    pub fn path(
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
    pub fn linked(&self, links: BTreeMap<String, String>) -> Cow<'f, FileSet> {
        if links.is_empty() {
            return Cow::Borrowed(self.files);
        }
        let count = (self.files.files().len() + self.files.special().len()) as u64;
        account::build(count, count * 96);
        let known = self.files.linked_folders().map(|(from, to)| (from.to_owned(), to.to_owned()));
        let mut all: BTreeMap<String, String> = known.collect();
        all.extend(links);
        Cow::Owned(self.files.clone().with_linked_folders(all))
    }
}

/// Returns the newest version that is allowed; one without a version if there is none. The list begins with the newest.
fn newest<'g>(list: &'g [RequestedModule], constraint: Option<&Constraints>) -> Option<&'g RequestedModule> {
    let Some(constraint) = constraint else { return list.first() };
    let (lowest, highest) = constraint.bounds();
    account::work(32 + constraint.list.len() as u64);
    let above = |given: &RequestedModule| {
        highest.is_some_and(|highest| given.version.as_ref().is_some_and(|own| own > highest))
    };
    let not_below =
        |given: &RequestedModule| given.version.as_ref().is_some_and(|own| lowest.is_none_or(|lowest| own >= lowest));
    let mut possible = list.iter().take(list.partition_point(not_below)).skip(list.partition_point(above));
    let allowed = possible.find(|given| given.version.as_ref().is_some_and(|version| constraint.allow(version)));
    allowed.or_else(|| list.get(list.partition_point(|given| given.version.is_some())))
}

/// Returns the version constraint of a call, if it has one that can be read.
pub fn constraint(report: &Report<'_>, call: &Call<'_>) -> Option<Arc<str>> {
    let early = report.early.modules.get(call.name).and_then(|module| module.version.as_ref());
    if let Some(text) = early {
        return Some(Arc::clone(text));
    }
    let mut arguments = call.block.arguments.iter().skimmed(16);
    let argument = arguments.find(|argument| argument.name == words::VERSION && !argument.broken)?;
    match argument.decoded {
        DecodedArgument::Text(text) => Some(Arc::from(text.touched())),
        _ => {
            let value = eval::constant(report.forest, argument.expr, &mut Diagnostics::new());
            value.unmarked_deep().as_shared_text().map(Arc::clone)
        }
    }
}

/// Returns a path of calls that is longer by one.
pub fn longer_key(key: &str, name: &str) -> Arc<str> {
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
pub fn local_path(files: &FileSet, own: &str, path: &str, (source, target): (&str, &str)) -> Option<Arc<str>> {
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
pub fn relative(from: &str, to: &str) -> String {
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

//! Every module directory of an upload, and what ties them together: the calls between them.
//!
//! Each directory is run by itself, with a forest of its own that is dropped before the next one begins; what stays is a
//! summary. Once all are known, the calls are held against the summaries by name, and a directory in which something looks
//! wrong is run once more, to report it at its place. So a repository costs the memory of its largest module.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod arguments;
mod call;
mod check;
pub mod codes;
mod graph;
mod outputs;
mod pairs;
mod providers;
mod summary;

use std::collections::{BTreeMap, BTreeSet};

pub use call::{Call, Target};
use check::{Reached, Surroundings};
use graph::Graph;
pub use pairs::{Pair, Presence, SideError, Sided, run as run_pairs};
use providers::ProviderProblem;
use summary::Summary;

use crate::account;
use crate::diag::Diagnostic;
use crate::dialect::DialectSpec;
use crate::discover;
use crate::files::{FileSet, ModulePath};
use crate::pipeline::{self, Report, RequestError, Stage};
use crate::syntax::{Forest, SyntaxLimits};

/// What is asked of a tree of modules.
#[derive(Clone, Debug)]
pub struct Request {
    /// What is asked of each module. Its `root` is where directories are looked for; its variable values are for the
    /// module there alone, which is the root of a run, and all others are treated as without values.
    pub module: pipeline::Request,
    /// Files of the upload, or of an earlier state of it: only the modules to which they belong are wanted, and those that
    /// depend on them through calls. `None`: all.
    pub paths: Option<Vec<String>>,
    /// The folder that paths are reported relative to, `""` for the top.
    pub top: String,
    /// Stands before the names of all files, as a folder: a normalised relative path, `""` for nothing.
    pub prefix: String,
}

/// A directory that has been run.
pub struct Done<'d> {
    /// Its path relative to [`Request::top`], `.` for that itself.
    pub path: &'d str,
    /// What was found; files are named relative to [`Request::top`], after the prefix.
    pub report: &'d Report<'d>,
    /// The calls of the module, in order of declaration.
    pub calls: &'d [Call<'d>],
    /// The folder that [`Target`] is to be shown relative to.
    pub top: &'d str,
}

/// What is known once all directories have been run.
#[derive(Debug)]
pub struct Outcome {
    /// The dialect that was followed, in the version that was followed.
    pub dialect: &'static DialectSpec,
    /// The version as [`Report::version`].
    pub version: String,
    /// Directories that could not be run, with what is to be said of each: paths as in [`Done`].
    pub left_out: Vec<(String, Diagnostic)>,
}

/// A directory.
struct Directory {
    path: String,
    /// It lies below the root and is wanted.
    listed: bool,
    /// It has been run.
    visited: bool,
    summary: Summary,
}

/// Runs every stage on every module directory at the root of the request and below it. `done` is called with each that
/// is wanted; a later call for the same path replaces an earlier one. Pure: the same input gives the same calls in the same
/// order. Where there is no module directory at all, the root is run.
///
/// # Errors
/// [`RequestError`] when the request cannot be met whatever the files hold.
pub fn run(
    files: &FileSet,
    request: &Request,
    limits: SyntaxLimits,
    begins: &mut dyn FnMut(Stage),
    done: &mut dyn FnMut(&Done<'_>),
) -> Result<Outcome, RequestError> {
    let mut tree = Tree::new(files, request, limits)?;
    let is_whole = request.paths.is_none();
    for at in 0..tree.directories.len() {
        tree.visit(Some(at), begins, |half| {
            if let (true, Half::Run(done_with)) = (is_whole, half) {
                done(done_with);
            }
            Ok(())
        })?;
    }
    tree.visit_rest(begins)?;
    let judged = tree.judge(request.paths.as_deref());
    for at in 0..tree.directories.len() {
        if tree.directories.get(at).is_some_and(|directory| directory.listed)
            && judged.wanted.as_ref().map_or_else(|| judged.is_suspect(at), |wanted| wanted.contains(&at))
        {
            tree.visit_again(Some(at), &judged, begins, |half| {
                if let Half::Run(done_with) = half {
                    done(done_with);
                }
                Ok(())
            })?;
        }
    }
    Ok(tree.outcome())
}

/// What became of a directory.
enum Half<'d> {
    /// It is not there.
    Absent,
    /// It cannot be run; what is to be said of it.
    Refused(&'d Diagnostic),
    Run(&'d Done<'d>),
}

/// What is known of a tree once every directory of it has been run.
struct Judged {
    graph: Graph,
    /// The directories that are asked for, where only some are.
    wanted: Option<BTreeSet<usize>>,
    configures: BTreeSet<usize>,
    reached: Vec<Reached>,
    /// Those whose calls may be wrong.
    suspects: BTreeSet<usize>,
}

impl Judged {
    fn is_suspect(&self, at: usize) -> bool {
        self.suspects.contains(&at)
    }
}

/// All directories, while they are run.
struct Tree<'a> {
    files: &'a FileSet,
    request: &'a Request,
    limits: SyntaxLimits,
    dialect: &'static DialectSpec,
    directories: Vec<Directory>,
    /// Their numbers by path.
    numbers: BTreeMap<String, usize>,
    /// The root is run although it holds no configuration.
    has_bare_root: bool,
    left_out: Vec<(String, Diagnostic)>,
}

impl<'a> Tree<'a> {
    /// The directories at the root of the request and below it, none of which has been run.
    fn new(files: &'a FileSet, request: &'a Request, limits: SyntaxLimits) -> Result<Self, RequestError> {
        let dialect = pipeline::dialect_of(files, &request.module)?;
        let root = files.real(&request.module.root).into_owned();
        let mut found = discover::directories(files, &root, dialect);
        let has_bare_root = found.is_empty() || request.module.variables.is_some() && !found.contains(&root);
        if has_bare_root {
            found.insert(0, root);
        }
        let (directories, numbers) = (Vec::new(), BTreeMap::new());
        let mut tree =
            Self { files, request, limits, dialect, directories, numbers, has_bare_root, left_out: Vec::new() };
        for path in found {
            tree.add(path, true);
        }
        Ok(tree)
    }

    fn add(&mut self, path: String, listed: bool) {
        if !self.numbers.contains_key(&path) {
            account::grow((2 * path.len() + size_of::<Directory>()) as u64);
            self.numbers.insert(path.clone(), self.directories.len());
            self.directories.push(Directory { path, listed, visited: false, summary: Summary::default() });
        }
    }

    /// What is known of all of it.
    fn outcome(self) -> Outcome {
        let version = self.request.module.version.clone();
        Outcome {
            dialect: self.dialect,
            version: version.unwrap_or_else(|| self.dialect.version.to_owned()),
            left_out: self.left_out,
        }
    }

    /// Runs a directory for the first time, gives what became of it to `then`, and keeps a summary. No number: it is not
    /// there.
    fn visit(
        &mut self,
        at: Option<usize>,
        begins: &mut dyn FnMut(Stage),
        then: impl FnOnce(Half<'_>) -> Result<(), RequestError>,
    ) -> Result<(), RequestError> {
        let Some((at, directory)) = at.and_then(|at| Some((at, self.directories.get(at)?))) else {
            return then(Half::Absent);
        };
        let (path, listed) = (directory.path.clone(), directory.listed);
        let mut then = Some(then);
        let mut end = |half: Half<'_>| then.take().map_or(Ok(()), |then| then(half));
        let nothing = |_: &Report<'_>, _: &[Call<'_>]| Vec::new();
        let files = self.files;
        let result = self.module(&path, begins, nothing, |done| {
            end(Half::Run(done)).map(|()| Summary::of(done.report, done.calls, files, &path))
        });
        let summary = match result {
            Ok(summary) => summary?,
            Err(RequestError::SpecialFile(file)) => {
                let finding = refusal(&file);
                end(Half::Refused(&finding))?;
                if listed {
                    self.left_out.push((shown(&path, &self.request.top).to_owned(), finding));
                }
                Summary { refused: true, ..Summary::default() }
            }
            Err(error) => return Err(error),
        };
        let targets = summary.calls.iter().filter_map(|call| call.target.directory().map(str::to_owned));
        for target in targets.collect::<Vec<_>>() {
            self.add(target, false);
        }
        if let Some(directory) = self.directories.get_mut(at) {
            directory.summary = summary;
            directory.visited = true;
        }
        Ok(())
    }

    /// Runs the directories that have not been run: those that others call although they lie elsewhere in the upload.
    fn visit_rest(&mut self, begins: &mut dyn FnMut(Stage)) -> Result<(), RequestError> {
        let mut at = 0;
        while let Some(directory) = self.directories.get(at) {
            if !directory.visited {
                self.visit(Some(at), begins, |_| Ok(()))?;
            }
            at += 1;
        }
        self.hand_down();
        Ok(())
    }

    /// Notes in each module which provider configurations its callers pass.
    fn hand_down(&mut self) {
        let mut handed: Vec<(usize, Box<str>)> = Vec::new();
        for directory in &self.directories {
            for call in &directory.summary.calls {
                let Some(&to) = call.target.directory().and_then(|path| self.numbers.get(path)) else { continue };
                account::work(1 + call.passed.len() as u64);
                handed.extend(call.passed.iter().map(|passed| (to, passed.inner.clone())));
            }
        }
        for (to, name) in handed {
            if let Some(directory) = self.directories.get_mut(to) {
                directory.summary.providers.handed.insert(name);
            }
        }
    }

    /// What all that has been run says of each. `paths` are files as in [`Request::paths`].
    fn judge(&self, paths: Option<&[String]>) -> Judged {
        let graph = self.graph();
        let wanted = paths.map(|paths| self.affected(&graph, paths));
        let configures = self.configures(&graph);
        let reached = self.reached(&graph, &configures);
        let checked = self.dialect.rules.modules.calls_are_checked;
        let all = 0..self.directories.len();
        let suspects = all.filter(|&at| checked && self.is_suspect(&graph, &configures, at)).collect();
        Judged { graph, wanted, configures, reached, suspects }
    }

    /// Runs a directory once more, with its calls held against what they call where something looks wrong, and gives what
    /// became of it to `then`. No number: it is not there.
    fn visit_again(
        &self,
        at: Option<usize>,
        judged: &Judged,
        begins: &mut dyn FnMut(Stage),
        then: impl FnOnce(Half<'_>) -> Result<(), RequestError>,
    ) -> Result<(), RequestError> {
        let Some((at, directory)) = at.and_then(|at| Some((at, self.directories.get(at)?))) else {
            return then(Half::Absent);
        };
        let number = |path: &str| self.numbers.get(path).copied();
        let around = Surroundings {
            summary_of: &|path| number(path).and_then(|at| self.directories.get(at)).map(|found| &found.summary),
            comes_back: &|to| number(to).is_some_and(|to| judged.graph.is_cyclic(at, to)),
            configures: &|to| number(to).is_some_and(|to| judged.configures.contains(&to)),
            top: &self.request.top,
            reached: judged.reached.get(at).copied().unwrap_or_default(),
        };
        let check = |report: &Report<'_>, calls: &[Call<'_>]| {
            if judged.is_suspect(at) {
                check::check(report, self.files, calls, &directory.summary, &around)
            } else {
                Vec::new()
            }
        };
        let mut then = Some(then);
        let mut end = |half: Half<'_>| then.take().map_or(Ok(()), |then| then(half));
        match self.module(&directory.path, begins, check, |done| end(Half::Run(done))) {
            Ok(result) => result,
            Err(RequestError::SpecialFile(file)) => end(Half::Refused(&refusal(&file))),
            Err(error) => Err(error),
        }
    }

    /// Runs one directory, adds to its findings what `check` gives, and gives everything to `then`.
    fn module<T>(
        &self,
        path: &str,
        begins: &mut dyn FnMut(Stage),
        check: impl FnOnce(&Report<'_>, &[Call<'_>]) -> Vec<Diagnostic>,
        then: impl FnOnce(&Done<'_>) -> T,
    ) -> Result<T, RequestError> {
        let request = &self.request.module;
        let is_root = *self.files.real(&request.root) == *path;
        let request = pipeline::Request {
            root: path.to_owned(),
            variables: request.variables.clone().filter(|_| is_root),
            ..request.clone()
        };
        let top = &self.request.top;
        let forest = Forest::new(self.limits);
        let folder = [self.request.prefix.as_str(), relative(path, top)];
        forest
            .sources
            .set_folder(&folder.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("/"));
        let mut report = pipeline::run_watched(&forest, self.files, &request, begins)?;
        let found = check(&report, &call::calls(&report, self.files, path));
        report.diagnostics.extend(found);
        relative(path, top).clone_into(&mut report.root);
        let calls = call::calls(&report, self.files, path);
        Ok(then(&Done { path: shown(path, top), report: &report, calls: &calls, top }))
    }

    fn graph(&self) -> Graph {
        let targets = |directory: &Directory| {
            account::work(1 + directory.summary.calls.len() as u64);
            let calls = directory.summary.calls.iter();
            calls.filter_map(|call| self.numbers.get(call.target.directory()?).copied()).collect()
        };
        Graph::new(self.directories.iter().map(targets).collect())
    }

    /// The directories in which, or below which, providers are configured.
    fn configures(&self, graph: &Graph) -> BTreeSet<usize> {
        let own = self.directories.iter().enumerate();
        let own = own.filter(|(_, directory)| !directory.summary.providers.configured.is_empty());
        graph.with_callers(own.map(|(at, _)| at))
    }

    /// How far the tool comes below each directory.
    fn reached(&self, graph: &Graph, configures: &BTreeSet<usize>) -> Vec<Reached> {
        let mut reached = vec![Reached::ALL; self.directories.len()];
        for group in graph.groups() {
            let mut together = Reached::ALL;
            for &member in group {
                let own = self.own_reach(graph, configures, member);
                let below = graph.called_by(member).iter().filter_map(|&to| reached.get(to));
                together = below.fold(together.and(own), |all, &one| all.and(one));
            }
            for &member in group {
                if let Some(place) = reached.get_mut(member) {
                    *place = together;
                }
            }
        }
        reached
    }

    /// The same, of what a directory itself holds.
    fn own_reach(&self, graph: &Graph, configures: &BTreeSet<usize>, at: usize) -> Reached {
        let Some(Directory { summary, .. }) = self.directories.get(at) else { return Reached::ALL };
        let mut own = Reached { loads: !summary.refused, ..Reached::ALL };
        for call in &summary.calls {
            let Some(to) = call.target.directory().and_then(|path| self.numbers.get(path).copied()) else {
                own.loads &= !matches!(call.target, Target::Nothing(_));
                continue;
            };
            let Some(called) = self.directories.get(to).map(|directory| &directory.summary) else { continue };
            own.loads &= !graph.is_cyclic(at, to);
            let problems = providers::problems(call, summary, called, configures.contains(&to));
            own.has_providers &= !problems.iter().any(ProviderProblem::stops);
            let are_there = !problems.iter().any(|problem| matches!(problem, ProviderProblem::NotThere { .. }));
            own.has_arguments &= are_there
                && check::missing_arguments(call, called).next().is_none()
                && !check::gives_too_much(call, called);
        }
        own
    }

    /// Whether the calls of a directory may be wrong, going by names.
    fn is_suspect(&self, graph: &Graph, configures: &BTreeSet<usize>, at: usize) -> bool {
        let Some(Directory { summary, .. }) = self.directories.get(at) else { return false };
        let mut called = BTreeMap::new();
        for call in &summary.calls {
            let Some(to) = call.target.directory().and_then(|path| self.numbers.get(path).copied()) else {
                if matches!(call.target, Target::Nothing(_)) {
                    return true;
                }
                continue;
            };
            let Some(Directory { summary: of_called, .. }) = self.directories.get(to) else { continue };
            called.insert(&*call.name, of_called);
            if graph.is_cyclic(at, to)
                || !providers::problems(call, summary, of_called, configures.contains(&to)).is_empty()
                || check::missing_arguments(call, of_called).next().is_some()
                || check::gives_too_much(call, of_called)
                || arguments::problems(call, of_called).next().is_some()
            {
                return true;
            }
        }
        summary.references.iter().any(|(call, output)| {
            account::work(2);
            called.get(&**call).is_some_and(|called| !called.outputs.contains(output))
        })
    }

    /// The directories to which files belong, with those that depend on them. A file belongs to the nearest module
    /// directory at or above it, and to the folder in which it lies: a call may lead there, also after all files of it are
    /// gone.
    fn affected(&self, graph: &Graph, paths: &[String]) -> BTreeSet<usize> {
        let mut changed: BTreeSet<usize> = BTreeSet::new();
        let mut gone: BTreeSet<String> = BTreeSet::new();
        let top = &self.request.top;
        for path in paths {
            account::touch(path.len());
            let path = if top.is_empty() { path.clone() } else { format!("{top}/{path}") };
            let path = self.files.real(&path);
            let Ok(path) = ModulePath::parse(&path) else { continue };
            let own = path.folder();
            match self.numbers.get(own) {
                Some(&number) => drop(changed.insert(number)),
                None => drop(gone.insert(own.to_owned())),
            }
            let mut folder = own;
            loop {
                account::touch(folder.len());
                if let Some(&number) = self.numbers.get(folder) {
                    changed.insert(number);
                    break;
                }
                if folder.is_empty() {
                    break;
                }
                folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            }
        }
        for (at, directory) in self.directories.iter().enumerate() {
            let leads_there = |call: &summary::CallFacts| match &call.target {
                Target::Nothing(path) => gone.contains(path),
                Target::Directory(_) | Target::Elsewhere => false,
            };
            if directory.summary.calls.iter().any(leads_there) {
                changed.insert(at);
            }
        }
        graph.with_callers(changed)
    }
}

/// What is said of a directory that cannot be run because of this file.
fn refusal(path: &str) -> Diagnostic {
    let detail = format!(
        "{:?} would be read as configuration, but it is a device, or a link that leads out of the files or nowhere. The \
         directory is left out.",
        crate::echo::short(path)
    );
    Diagnostic::ours(&codes::SPECIAL_FILE, None, detail)
}

/// A path relative to a folder above it; `""` for that itself.
pub fn relative<'p>(path: &'p str, top: &str) -> &'p str {
    match path.strip_prefix(top) {
        Some(rest) if top.is_empty() || rest.is_empty() => rest,
        Some(rest) => rest.strip_prefix('/').unwrap_or(path),
        None => path,
    }
}

/// The same as it is shown: `.` for the folder itself.
pub fn shown<'p>(path: &'p str, top: &str) -> &'p str {
    match relative(path, top) {
        "" => ".",
        path => path,
    }
}

//! Every module directory of an upload, and the calls that connect them.
//!
//! Each directory is run separately, with its own forest, which is dropped before the next run; only a summary is kept.
//! Once all directories have been run, the calls are checked against the summaries by name, and a directory in which
//! something looks wrong is run again to report it at its position. A repository therefore costs the memory of its
//! largest module.

mod pairs;
mod roots;

use overfold_load::meant_version::VersionFrom;
use overfold_tree::version_search::with_meant_version;
use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use overfold_tree::calls::check::{self, CompletedSteps, TreeContext};
use overfold_tree::calls::providers::{self, LocalNames, ProviderProblem};
use overfold_tree::calls::{self, CallFacts, Summary, codes};
pub use overfold_tree::calls::{Call, Target, relative, shown};
use overfold_tree::graph::{Graph, Lists};
pub use pairs::{Pair, PairSide, Presence, SideError, run as run_pairs};
pub use roots::{RootModules, find_roots};

use crate::pipeline::{self, Report, RequestError, Stage, ToolStage};
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Diagnostic, Severities};
use overfold_base::files::{FileSet, ModulePath};
use overfold_check::validate;
use overfold_dialect::{DialectSpec, ObjectKind, words};
use overfold_load::discover;
use overfold_model::config::{Element, is_set};
use overfold_syntax::{Forest, SyntaxLimits};

/// A request about a tree of modules.
#[derive(Clone, Debug)]
pub struct Request {
    /// The request for each module. Directories are searched for at its `root` and below; its variable values apply
    /// only to the module at the root, and every other module is run without values.
    pub module: pipeline::Request,
    /// Files of the upload, or of an earlier state of it: only the modules they belong to are returned, with those that
    /// depend on them through calls. `None` for all modules.
    pub paths: Option<Arc<[String]>>,
    /// The folder that paths are reported relative to, `""` for the top.
    pub top: String,
    /// The folder that is prefixed to the names of all files: a normalised relative path, `""` for none.
    pub prefix: String,
}

impl Request {
    /// Returns the request with the version that the repository means, if it asks for that: one for all directories, found
    /// from the root.
    fn with_meant_version(&self, files: &FileSet) -> Result<Cow<'_, Self>, RequestError> {
        Ok(match with_meant_version(files, &self.module)? {
            Cow::Borrowed(_) => Cow::Borrowed(self),
            Cow::Owned(module) => Cow::Owned(Self { module, ..self.clone() }),
        })
    }
}

/// A directory that has been run.
pub struct DirectoryRun<'d> {
    /// Its path relative to [`Request::top`], `.` for the folder itself.
    pub path: &'d str,
    /// The report; its files are named relative to [`Request::top`], after the prefix.
    pub report: &'d Report<'d>,
    /// The calls of the module, in order of declaration.
    pub calls: &'d [Call<'d>],
    /// The folder that each [`Target`] is shown relative to.
    pub top: &'d str,
}

/// The overall result, once all directories have been run.
#[derive(Debug)]
pub struct Outcome {
    /// The dialect and version that were followed.
    pub dialect: &'static DialectSpec,
    /// The version as in [`Report::version`].
    pub version: String,
    /// Where that was found, as in [`Report::version_from`].
    pub version_from: Option<Arc<VersionFrom>>,
    /// The directories that could not be run, each with the finding that explains it; paths as in [`DirectoryRun`].
    pub left_out: Vec<(String, Diagnostic)>,
    /// The severities with which findings are shown, as in [`Report::severities`].
    pub severities: Arc<Severities>,
}

/// Units of work that a run costs however little its directory contains.
const DIRECTORY: u64 = 200;

/// A directory of the tree.
struct Directory {
    path: String,
    /// Whether it is at the root or below it, and was requested.
    listed: bool,
    /// Whether it has been run.
    visited: bool,
    summary: Summary,
    /// Whether it may be judged differently if another module calls it (validate.md, section 10).
    differs_if_called: bool,
}

/// Runs every stage on every module directory at the root of the request and below it.
///
/// Calls `done` for each requested directory; a later call for the same path replaces an earlier one. If there is no
/// module directory at all, the root is run. Pure: the same input yields the same calls in the same order.
///
/// # Errors
/// [`RequestError`] if the request cannot be met, whatever the files contain.
pub fn run(
    files: &FileSet,
    request: &Request,
    limits: SyntaxLimits,
    on_stage: &mut dyn FnMut(Stage),
    done: &mut dyn FnMut(&DirectoryRun<'_>),
) -> Result<Outcome, RequestError> {
    account::raise(|limits| limits.for_tree(files.content_bytes()));
    let request = &*request.with_meant_version(files)?;
    let mut tree = Tree::new(files, request, limits)?;
    let is_whole = request.paths.is_none();
    for at in 0..tree.directories.len() {
        tree.visit(Some(at), on_stage, |result| {
            if let (true, DirectoryResult::Run(done_with)) = (is_whole, result) {
                done(done_with);
            }
            Ok(())
        })?;
    }
    tree.visit_rest(on_stage)?;
    let outcomes = tree.finalize(request.paths.as_slice());
    for at in 0..tree.directories.len() {
        if tree.directories.get(at).is_some_and(|directory| directory.listed)
            && outcomes.wanted.as_ref().map_or_else(|| outcomes.is_suspect(at), |wanted| wanted.contains(&at))
        {
            tree.rerun(Some(at), &outcomes, on_stage, |result| {
                if let DirectoryResult::Run(done_with) = result {
                    done(done_with);
                }
                Ok(())
            })?;
        }
    }
    Ok(tree.outcome())
}

/// The result of visiting a directory.
enum DirectoryResult<'d> {
    /// There is no such directory.
    Absent,
    /// The directory cannot be run, for the reason in the finding.
    Refused(&'d Diagnostic),
    Run(&'d DirectoryRun<'d>),
}

/// What is known of a tree once every directory of it has been run.
struct ModuleOutcomes {
    graph: Graph,
    /// The requested directories, if not all were requested.
    wanted: Option<BTreeSet<usize>>,
    configures: BTreeSet<usize>,
    completed_steps: Vec<CompletedSteps>,
    /// The directories whose calls may be wrong.
    suspects: BTreeSet<usize>,
}

impl ModuleOutcomes {
    fn is_suspect(&self, at: usize) -> bool {
        self.suspects.contains(&at)
    }
}

/// All directories while they are being run.
struct Tree<'a> {
    files: &'a FileSet,
    request: &'a Request,
    limits: SyntaxLimits,
    dialect: &'static DialectSpec,
    /// The directory at the root of the request, with links resolved.
    root: String,
    directories: Vec<Directory>,
    /// The number of each directory, by path.
    numbers: BTreeMap<String, usize>,
    /// Whether the root is run although it holds no configuration.
    has_bare_root: bool,
    left_out: Vec<(String, Diagnostic)>,
}

impl<'a> Tree<'a> {
    /// Finds the directories at the root of the request and below it; none has been run yet.
    fn new(files: &'a FileSet, request: &'a Request, limits: SyntaxLimits) -> Result<Self, RequestError> {
        let dialect = pipeline::dialect_of(files, &request.module)?;
        let root = files.real_path(&request.module.root).into_owned();
        let mut found = discover::directories(files, &root, dialect);
        let has_bare_root = found.is_empty() || request.module.variables.is_some() && !found.contains(&root);
        if has_bare_root {
            found.insert(0, root.clone());
        }
        let (directories, numbers) = (Vec::new(), BTreeMap::new());
        let mut tree =
            Self { files, request, limits, dialect, root, directories, numbers, has_bare_root, left_out: Vec::new() };
        for path in found {
            tree.add(path, true);
        }
        Ok(tree)
    }

    /// Whether each directory is validated as the root of its own tree, so that its calls have been checked.
    fn is_validated(&self) -> bool {
        self.request.module.stage == ToolStage::Validate && self.dialect.rules.modules.calls_are_checked
    }

    fn add(&mut self, path: String, listed: bool) {
        if !self.numbers.contains_key(&path) {
            account::grow((2 * path.len() + size_of::<Directory>()) as u64);
            self.numbers.insert(path.clone(), self.directories.len());
            self.directories.push(Directory {
                path,
                listed,
                visited: false,
                summary: Summary::default(),
                differs_if_called: false,
            });
        }
    }

    /// Returns the number of a directory.
    fn number(&self, path: &str) -> Option<usize> {
        // Each comparison may touch the whole path.
        account::work(2 + path.len() as u64 / 128);
        self.numbers.get(path).copied()
    }

    /// Returns the number of the directory to which a call leads.
    fn number_of(&self, target: &Target) -> Option<usize> {
        target.directory().and_then(|path| self.number(path))
    }

    /// Returns the overall result.
    fn outcome(self) -> Outcome {
        let version = self.request.module.version.clone();
        Outcome {
            dialect: self.dialect,
            version: version.unwrap_or_else(|| self.dialect.version.to_owned()),
            version_from: self.request.module.version_from.clone(),
            left_out: self.left_out,
            severities: Arc::clone(&self.request.module.severities),
        }
    }

    /// Runs a directory for the first time, passes the result to `then`, and keeps a summary. Without a number there is
    /// no such directory.
    fn visit(
        &mut self,
        at: Option<usize>,
        on_stage: &mut dyn FnMut(Stage),
        then: impl FnOnce(DirectoryResult<'_>) -> Result<(), RequestError>,
    ) -> Result<(), RequestError> {
        let Some((at, directory)) = at.and_then(|at| Some((at, self.directories.get(at)?))) else {
            return then(DirectoryResult::Absent);
        };
        let (path, listed) = (directory.path.clone(), directory.listed);
        let mut then = Some(then);
        let mut end = |result: DirectoryResult<'_>| then.take().map_or(Ok(()), |then| then(result));
        let nothing = |_: &Report<'_>, _: &[Call<'_>]| Vec::new();
        let (files, is_validated) = (self.files, self.is_validated());
        let result = self.module((&path, None), on_stage, nothing, |done| {
            end(DirectoryResult::Run(done)).map(|()| {
                if is_validated {
                    let summary = Summary::declared(done.report, done.calls, false);
                    let differs = differs_if_called(done.report, &summary);
                    (summary, differs)
                } else {
                    (Summary::from_report(done.report, done.calls, files, &path), false)
                }
            })
        });
        let (summary, differs_if_called) = match result {
            Ok(summary) => summary?,
            Err(refused @ RequestError::SpecialFile { .. }) => {
                let finding = refusal(&refused);
                end(DirectoryResult::Refused(&finding))?;
                if listed {
                    self.left_out.push((shown(&path, &self.request.top).to_owned(), finding));
                }
                (Summary { refused: true, ..Summary::default() }, false)
            }
            Err(error) => return Err(error),
        };
        for target in summary.calls.iter().filter_map(|call| call.target.directory()) {
            if self.number(target).is_none() {
                self.add(target.to_owned(), false);
            }
        }
        if let Some(directory) = self.directories.get_mut(at) {
            directory.summary = summary;
            directory.differs_if_called = differs_if_called;
            directory.visited = true;
        }
        Ok(())
    }

    /// Runs the directories that have not been run yet: those elsewhere in the upload that other directories call.
    fn visit_rest(&mut self, on_stage: &mut dyn FnMut(Stage)) -> Result<(), RequestError> {
        let mut at = 0;
        while let Some(directory) = self.directories.get(at) {
            if !directory.visited {
                self.visit(Some(at), on_stage, |_| Ok(()))?;
            }
            at += 1;
        }
        self.record_passed_providers();
        Ok(())
    }

    /// Records in each module that it is called, and which provider configurations its callers pass.
    fn record_passed_providers(&mut self) {
        let mut passed_in: Vec<(usize, Box<str>)> = Vec::new();
        let mut called: Vec<usize> = Vec::new();
        for directory in &self.directories {
            for call in &directory.summary.calls {
                let Some(to) = self.number_of(&call.target) else { continue };
                account::work(1 + call.passed.len() as u64);
                called.push(to);
                passed_in.extend(call.passed.iter().map(|passed| (to, passed.inner.clone())));
            }
        }
        for to in called {
            if let Some(directory) = self.directories.get_mut(to) {
                directory.summary.is_called = true;
            }
        }
        for (to, name) in passed_in {
            if let Some(directory) = self.directories.get_mut(to) {
                directory.summary.providers.passed_in.insert(name);
            }
        }
    }

    /// Draws the outcomes from all summaries. Each list contains files as in [`Request::paths`]; without any list, all
    /// directories are wanted.
    fn finalize(&self, lists: &[Arc<[String]>]) -> ModuleOutcomes {
        let graph = self.graph();
        let wanted = (!lists.is_empty()).then(|| self.affected(&graph, lists.iter().flat_map(|paths| paths.iter())));
        let configures = self.configures(&graph);
        let completed_steps = self.completed_steps(&graph, &configures);
        let checked = self.dialect.rules.modules.calls_are_checked;
        let all = 0..self.directories.len();
        let suspects = all.filter(|&at| checked && self.is_suspect(&graph, &configures, at)).collect();
        ModuleOutcomes { graph, wanted, configures, completed_steps, suspects }
    }

    /// Runs a directory again, checks its calls if something looks wrong, and passes the result to `then`. Without a
    /// number there is no such directory.
    fn rerun(
        &self,
        at: Option<usize>,
        outcomes: &ModuleOutcomes,
        on_stage: &mut dyn FnMut(Stage),
        then: impl FnOnce(DirectoryResult<'_>) -> Result<(), RequestError>,
    ) -> Result<(), RequestError> {
        let Some((at, directory)) = at.and_then(|at| Some((at, self.directories.get(at)?))) else {
            return then(DirectoryResult::Absent);
        };
        let number = |path: &str| self.number(path);
        let around = TreeContext {
            summary_of: &|path| number(path).and_then(|at| self.directories.get(at)).map(|found| &found.summary),
            leads_back: &|to| number(to).is_some_and(|to| outcomes.graph.is_cyclic(at, to)),
            configures: &|to| number(to).is_some_and(|to| outcomes.configures.contains(&to)),
            is_validated: self.is_validated(),
            top: &self.request.top,
            takes_arguments: &|to| {
                let steps = number(to).and_then(|to| outcomes.completed_steps.get(to));
                steps.is_none_or(|steps| steps.takes_arguments)
            },
            completed_steps: outcomes.completed_steps.get(at).copied().unwrap_or_default(),
        };
        let check = |report: &Report<'_>, calls: &[Call<'_>]| {
            if outcomes.is_suspect(at) {
                check::check(report, self.files, calls, &directory.summary, &around)
            } else {
                Vec::new()
            }
        };
        let mut then = Some(then);
        let mut end = |result: DirectoryResult<'_>| then.take().map_or(Ok(()), |then| then(result));
        let summary = &directory.summary;
        let called_with = summary.is_called.then(|| Arc::new(summary.providers.passed_in.clone()));
        match self.module((&directory.path, called_with), on_stage, check, |done| end(DirectoryResult::Run(done))) {
            Ok(result) => result,
            Err(refused @ RequestError::SpecialFile { .. }) => end(DirectoryResult::Refused(&refusal(&refused))),
            Err(error) => Err(error),
        }
    }

    /// Runs one directory, which other modules call or not, adds the findings of `check`, and passes the result to `then`.
    fn module<T>(
        &self,
        (path, called_with): (&str, Option<Arc<BTreeSet<Box<str>>>>),
        on_stage: &mut dyn FnMut(Stage),
        check: impl FnOnce(&Report<'_>, &[Call<'_>]) -> Vec<Diagnostic>,
        then: impl FnOnce(&DirectoryRun<'_>) -> T,
    ) -> Result<T, RequestError> {
        account::work(DIRECTORY);
        let request = &self.request.module;
        let variables = request.variables.as_ref().filter(|_| self.root == path).cloned();
        let request = pipeline::Request { root: path.to_owned(), variables, called_with, ..request.clone() };
        let top = &self.request.top;
        let forest = Forest::new(self.limits);
        let folder = [self.request.prefix.as_str(), relative(path, top)];
        forest
            .sources
            .set_folder(&folder.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("/"));
        let mut report = pipeline::run_watched(&forest, self.files, &request, on_stage)?;
        report.leave_out_called();
        // Calls that lead back are reported for the tree as a whole.
        report.diagnostics.retain(|finding| finding.code != &codes::CYCLE);
        let found = check(&report, &calls::calls(&report, self.files, path));
        report.diagnostics.extend(found);
        relative(path, top).clone_into(&mut report.root);
        let calls = calls::calls(&report, self.files, path);
        Ok(then(&DirectoryRun { path: shown(path, top), report: &report, calls: &calls, top }))
    }

    fn graph(&self) -> Graph {
        let mut edges = Lists::with_capacity(self.directories.len());
        for directory in self.directories.iter().charged_by(|directory| 1 + directory.summary.calls.len() as u64) {
            edges.push(directory.summary.calls.iter().filter_map(|call| self.number_of(&call.target)));
        }
        Graph::new(edges)
    }

    /// Returns the directories in which, or below which, providers are configured.
    fn configures(&self, graph: &Graph) -> BTreeSet<usize> {
        let own = self.directories.iter().enumerate();
        let own = own.filter(|(_, directory)| !directory.summary.providers.configured.is_empty());
        graph.with_callers(own.map(|(at, _)| at))
    }

    /// Determines which steps the tool completes below each directory.
    fn completed_steps(&self, graph: &Graph, configures: &BTreeSet<usize>) -> Vec<CompletedSteps> {
        let mut completed_steps = vec![CompletedSteps::ALL; self.directories.len()];
        for group in graph.groups().iter() {
            let mut together = CompletedSteps::ALL;
            for &member in group {
                let own = self.own_completed_steps(graph, configures, member);
                let below = graph.called_by(member).iter().filter_map(|&to| completed_steps.get(to));
                together = below.fold(together.and(own), |all, &one| all.and(one));
            }
            for &member in group {
                if let Some(place) = completed_steps.get_mut(member) {
                    *place = together;
                }
            }
        }
        completed_steps
    }

    /// Like [`Self::completed_steps`], for the content of the directory itself.
    fn own_completed_steps(&self, graph: &Graph, configures: &BTreeSet<usize>, at: usize) -> CompletedSteps {
        let Some(Directory { summary, .. }) = self.directories.get(at) else { return CompletedSteps::ALL };
        let mut own = CompletedSteps { loads: !summary.refused, ..CompletedSteps::ALL };
        for call in &summary.calls {
            let Some(to) = self.number_of(&call.target) else {
                own.loads &= !matches!(call.target, Target::Nothing(_));
                continue;
            };
            let Some(called) = self.directories.get(to).map(|directory| &directory.summary) else { continue };
            own.loads &= !graph.is_cyclic(at, to);
            let problems = providers::problems(call, summary, called, configures.contains(&to), LocalNames::Resolved);
            own.has_providers &= !problems.iter().any(ProviderProblem::is_fatal);
            let none_missing = !problems.iter().any(|problem| matches!(problem, ProviderProblem::NotInCaller { .. }));
            own.takes_arguments &= check::missing_arguments(call, called).next().is_none()
                && !check::has_extraneous_arguments(call, called);
            own.has_arguments &= none_missing && own.takes_arguments;
        }
        own
    }

    /// Whether the calls of a directory may be wrong, judging by names.
    fn is_suspect(&self, graph: &Graph, configures: &BTreeSet<usize>, at: usize) -> bool {
        let Some(directory) = self.directories.get(at) else { return false };
        let summary = &directory.summary;
        let may_differ = directory.differs_if_called || !summary.providers.passed_in.is_empty();
        if self.is_validated() && summary.is_called && may_differ {
            return true;
        }
        if summary.is_called && summary.providers.has_empty() {
            return true;
        }
        let mut called = BTreeMap::new();
        for call in &summary.calls {
            let Some(to) = self.number_of(&call.target) else {
                if matches!(call.target, Target::Nothing(_)) {
                    return true;
                }
                continue;
            };
            let Some(Directory { summary: of_called, .. }) = self.directories.get(to) else { continue };
            called.insert(&*call.name, of_called);
            if graph.is_cyclic(at, to) {
                return true;
            }
            if self.is_validated() {
                continue;
            }
            if !providers::problems(call, summary, of_called, configures.contains(&to), LocalNames::Resolved)
                .is_empty()
                || check::missing_arguments(call, of_called).next().is_some()
                || check::has_extraneous_arguments(call, of_called)
                || calls::arguments::problems(call, of_called).next().is_some()
            {
                return true;
            }
        }
        !self.is_validated()
            && summary
                .references
                .iter()
                .charged(2)
                .any(|(call, output)| called.get(&**call).is_some_and(|called| !called.outputs.contains(output)))
    }

    /// Returns the directories to which files belong, and those that depend on them. A file belongs to the nearest
    /// module directory at or above it, and to its own folder: a call may lead there even after all its files are gone.
    fn affected<'p>(&self, graph: &Graph, paths: impl Iterator<Item = &'p String>) -> BTreeSet<usize> {
        let mut changed: BTreeSet<usize> = BTreeSet::new();
        let mut gone: BTreeSet<String> = BTreeSet::new();
        let top = &self.request.top;
        for path in paths {
            account::touch(path.len());
            let path = if top.is_empty() { path.clone() } else { format!("{top}/{path}") };
            let path = self.files.real_path(&path);
            let Ok(path) = ModulePath::parse(&path) else { continue };
            let own = path.folder();
            match self.numbers.get(own) {
                Some(&number) => drop(changed.insert(number)),
                None => {
                    account::grow((own.len() + size_of::<String>()) as u64);
                    gone.insert(own.to_owned());
                }
            }
            let mut folder = own;
            loop {
                if let Some(&number) = self.numbers.get(folder.touched()) {
                    changed.insert(number);
                    break;
                }
                if folder.is_empty() {
                    break;
                }
                folder = folder.rsplit_once('/').map_or("", |(above, _)| above);
            }
        }
        let directories = self.directories.iter().enumerate();
        for (at, directory) in directories.charged_by(|(_, directory)| 1 + 4 * directory.summary.calls.len() as u64) {
            let leads_there = |call: &CallFacts| match &call.target {
                Target::Nothing(path) => gone.contains(&**path),
                Target::Directory(_) | Target::Elsewhere => false,
            };
            if directory.summary.calls.iter().any(leads_there) {
                changed.insert(at);
            }
        }
        graph.with_callers(changed)
    }
}

/// Whether a module that has been validated as a root module may be judged differently if another one calls it.
fn differs_if_called(report: &Report<'_>, summary: &Summary) -> bool {
    let elements = &report.module.elements;
    let is_for_root = |element: &Element<'_>| {
        element.kind == ObjectKind::Backend
            || element.block.keyword == words::IMPORT
            || element.kind == ObjectKind::Output && is_set(element.block, words::EPHEMERAL)
    };
    summary.providers.aliases().next().is_some()
        || elements.iter().charged_at_once(1).any(is_for_root)
        || report.diagnostics.iter().any(|found| found.code == &validate::codes::SENSITIVE_OUTPUT)
}

/// Returns the finding for a directory that cannot be run for this reason.
fn refusal(refused: &RequestError) -> Diagnostic {
    let detail = format!("{refused}. The directory is left out.");
    Diagnostic::ours(&codes::SPECIAL_FILE, None, detail)
}

#[cfg(test)]
mod tests;

//! The tree of modules below a root module: every directory that calls lead to, loaded once. Those are local calls, and in
//! a plan also those of modules that are installed.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use crate::calls::codes as calls_codes;
use crate::calls::{Call, Summary, Target, calls};
use crate::installed::{self, Installed, local_path, longer_key, relative};
use crate::loading::{self, Report, Request};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Origin, Phase, Severity};
use overfold_base::files::FileSet;
use overfold_dialect::words;
use overfold_eval::FileAccess;
use overfold_model::config::{Decoded, ObjectAddr, is_set};
use overfold_model::language::module_source::{self, SourceKind};
use overfold_value::{AttributeType, Marks, Type, Value};

/// Units of work that loading a module costs however little its directory contains.
const DIRECTORY: u64 = 200;

/// A called module, loaded.
pub(crate) struct Loaded<'f> {
    /// Its directory within the files, without links.
    directory: Arc<str>,
    /// Its directory relative to that of the root module, as the tool shows it; `None` if that cannot be told.
    path: Option<Arc<str>>,
    /// The names of the calls that lead to it, joined by dots.
    key: Arc<str>,
    report: Report<'f>,
}

/// A directory to be loaded.
struct Next {
    /// The directory within the files, without links.
    directory: Arc<str>,
    /// The directory relative to that of the root module, as the tool shows it; `None` if that cannot be told.
    path: Option<Arc<str>>,
    /// The names of the calls that lead to it, joined by dots.
    key: Arc<str>,
}

/// One module of the tree.
pub(crate) struct TreeModule<'r> {
    pub(crate) report: &'r Report<'r>,
    /// Its directory relative to that of the root module: `.` for the root module itself, otherwise what `path.module`
    /// is in it. `None` if that cannot be told.
    pub(crate) path: Option<Arc<str>>,
    /// Its calls, in order of declaration.
    pub(crate) calls: Vec<TreeCall<'r>>,
    /// Whether a test file runs it as a root module.
    pub(crate) is_tested: bool,
    /// What it declares, and what its calls pass.
    pub(crate) summary: Summary,
    /// The type of all its outputs, which all calls of it share.
    outputs: OnceCell<Type>,
}

/// A call of a module of the tree.
pub(crate) struct TreeCall<'r> {
    pub(crate) call: Call<'r>,
    /// The position of the called module in the tree; `None` if it is not there.
    pub(crate) module: Option<usize>,
}

impl TreeModule<'_> {
    /// Returns the value of `path.module`.
    pub(crate) fn path_value(&self) -> Value {
        self.path.as_deref().map_or_else(|| Value::unknown(Type::String).with_marks(Marks::INEXACT), Value::text)
    }
}

/// Loads every module that the root module calls, directly or through others. A directory that cannot be run is left
/// out, as if it were not in the upload.
pub(crate) fn load<'f>(
    root: &Report<'f>,
    files: &FileSet,
    request: &Request,
    installed: Option<&Installed<'_>>,
) -> Vec<Loaded<'f>> {
    let own = files.real_path(&request.root).into_owned();
    let mut loaded: Vec<Loaded<'f>> = Vec::new();
    let mut known: HashSet<Arc<str>> = std::iter::once(Arc::from(own.as_str())).collect();
    let mut next: Vec<Next> = called(root, files, installed, (&own, &Next::root(&own)));
    next.extend(tested(root, files, &own));
    let mut at = 0;
    loop {
        for Next { directory, path, key } in std::mem::take(&mut next) {
            account::touch(directory.len());
            if !known.insert(Arc::clone(&directory)) {
                continue;
            }
            account::work(DIRECTORY);
            root.forest.sources.enter_module(&shown_path(&directory, path.as_deref(), &own));
            if let Ok(report) = loading::load_called(root, files, request, &directory) {
                account::grow(size_of::<Loaded<'_>>() as u64);
                loaded.push(Loaded { directory, path, key, report });
            }
        }
        let Some(Loaded { directory, path, key, report }) = loaded.get(at) else { break };
        let caller = Next { directory: Arc::clone(directory), path: path.clone(), key: Arc::clone(key) };
        next = called(report, files, installed, (&own, &caller));
        at += 1;
    }
    root.forest.sources.enter_module("");
    loaded
}

impl Next {
    /// The root module itself.
    fn root(directory: &str) -> Self {
        Self { directory: Arc::from(directory), path: Some(Arc::from("")), key: Arc::from("") }
    }
}

/// Returns the calls of a module. Those of installed modules lead to them.
fn calls_of<'r>(
    report: &'r Report<'r>,
    files: &FileSet,
    directory: &str,
    key: &str,
    installed: Option<&Installed<'_>>,
) -> Vec<Call<'r>> {
    let mut calls = calls(report, files, directory);
    if let Some(installed) = installed {
        for call in &mut calls {
            if let Some(found) = installed.find(report, call, &longer_key(key, call.name)) {
                call.target = Target::Directory(found.directory);
            }
        }
    }
    calls
}

/// Returns the directories to which the calls of a module lead. `own` is the directory of the root module.
fn called(
    report: &Report<'_>,
    files: &FileSet,
    installed: Option<&Installed<'_>>,
    (own, caller): (&str, &Next),
) -> Vec<Next> {
    let calls = calls(report, files, &caller.directory);
    let next = calls.iter().filter_map(|call| {
        let key = if installed.is_some() { longer_key(&caller.key, call.name) } else { Arc::from("") };
        match (&call.target, &call.text) {
            (Target::Directory(target), Some(source)) => {
                let path = caller.path.as_deref();
                let path = path.and_then(|path| local_path(files, own, path, (source, target)));
                Some(Next { directory: Arc::clone(target), path, key })
            }
            _ => {
                let found = installed?.find(report, call, &key)?;
                Some(Next { directory: found.directory, path: Some(found.path), key })
            }
        }
    });
    next.collect()
}

/// Returns the path of a module in the names of its files. A module may be elsewhere than the tool would have it.
fn shown_path(directory: &str, path: Option<&str>, own: &str) -> String {
    match path {
        Some(path) if !path.starts_with(installed::FOLDER) => path.to_owned(),
        _ => relative(own, directory),
    }
}

/// Returns the directories of the local modules that the test files of the root module run, with their paths relative
/// to it.
fn tested(root: &Report<'_>, files: &FileSet, own: &str) -> Vec<Next> {
    let access = FileAccess { files, root: own };
    let mut found = Vec::new();
    for run in root.module.tests.iter().flat_map(|file| file.blocks).filter(|block| block.keyword == words::RUN) {
        account::work(2 + run.blocks.len() as u64);
        let module = run.blocks.iter().find(|inner| inner.keyword == words::MODULE && inner.spec.is_some());
        let source = module
            .and_then(|module| module.arguments.iter().find(|argument| argument.name == words::SOURCE_ARGUMENT));
        let Some(Decoded::Text(source)) = source.map(|source| source.decoded) else { continue };
        if matches!(module_source::parse(source), Ok(SourceKind::Local))
            && let Some(path) = access.resolve(&source.replace('\\', "/"))
        {
            let directory = files.real_path(&path);
            if files.has_folder(&directory) {
                let path = local_path(files, own, "", (source, &directory));
                found.push(Next { directory: Arc::from(&*directory), path, key: Arc::from("") });
            }
        }
    }
    found
}

/// How many paths of calls are followed to find where modules would be installed.
const MAX_PATHS: usize = 20_000;

/// Returns the links that make every installed module of a tree found where the tool would have installed it.
pub(crate) fn links(modules: &[TreeModule<'_>], installed: &Installed<'_>) -> BTreeMap<String, String> {
    let mut links = BTreeMap::new();
    let mut next: Vec<(usize, Option<Arc<str>>, Arc<str>)> = vec![(0, Some(Arc::from("")), Arc::from(""))];
    let mut at = 0;
    while let Some((number, path, key)) = next.get(at).cloned().filter(|_| installed.has_links()) {
        let Some(module) = modules.get(number) else { break };
        for found in &module.calls {
            let Some(target) = found.module else { continue };
            let key = longer_key(&key, found.call.name);
            let own = installed.path(module.report, &found.call, (path.as_deref(), &key));
            let (path, link) = own.map_or((None, None), |(path, link)| (Some(path), link));
            account::grow((path.as_deref().map_or(0, str::len) + key.len() + 64) as u64);
            links.extend(link);
            if next.len() < MAX_PATHS {
                next.push((target, path, key));
            }
        }
        at += 1;
    }
    links
}

/// Returns the modules of the tree, the root module first. Their calls refer to each other by position.
pub(crate) fn connect<'r>(
    root: &'r Report<'r>,
    loaded: &'r [Loaded<'r>],
    files: &FileSet,
    request: &Request,
    installed: Option<&Installed<'_>>,
) -> Vec<TreeModule<'r>> {
    let own: Arc<str> = files.real_path(&request.root).into();
    let mut positions: HashMap<&str, usize> = std::iter::once((&*own, 0)).collect();
    positions.extend(loaded.iter().enumerate().map(|(at, module)| (&*module.directory, at + 1)));
    let module = |report: &'r Report<'r>, calls: Vec<Call<'r>>, is_called: bool, path: Option<&str>| {
        let summary = Summary::declared(report, &calls, is_called);
        let calls = calls.into_iter().map(|call| {
            let module = call.target.directory().and_then(|target| positions.get(target)).copied();
            TreeCall { call, module }
        });
        TreeModule {
            report,
            path: path.map(|path| Arc::from(if path.is_empty() { "." } else { path })),
            calls: calls.collect(),
            is_tested: false,
            summary,
            outputs: OnceCell::new(),
        }
    };
    let calls_of =
        |report: &'r Report<'r>, directory: &str, key: &str| calls_of(report, files, directory, key, installed);
    let children: Vec<_> =
        loaded.iter().map(|child| (child, calls_of(&child.report, &child.directory, &child.key))).collect();
    // A module that a test file runs may call the root module.
    let leads_to_root = |call: &Call<'_>| call.target.directory() == Some(&*own);
    let is_root_called = children.iter().any(|(_, calls)| calls.iter().any(leads_to_root));
    let mut modules = vec![module(root, calls_of(root, &own, ""), is_root_called, Some(""))];
    modules
        .extend(children.into_iter().map(|(child, calls)| module(&child.report, calls, true, child.path.as_deref())));
    record_passed_providers(&mut modules);
    for Next { directory, .. } in tested(root, files, &own) {
        let at = positions.get(&*directory).copied().unwrap_or(0);
        if let Some(module) = modules.get_mut(at).filter(|_| at > 0) {
            module.is_tested = true;
        }
    }
    modules
}

/// Records in each module which provider configurations its callers pass, and that it is called.
fn record_passed_providers(modules: &mut [TreeModule<'_>]) {
    let mut passed: Vec<(usize, Vec<Box<str>>)> = Vec::new();
    for module in &*modules {
        for (call, facts) in module.calls.iter().zip(&module.summary.calls) {
            account::work(1 + facts.passed.len() as u64);
            passed
                .extend(call.module.map(|to| (to, facts.passed.iter().map(|passed| passed.inner.clone()).collect())));
        }
    }
    for (to, names) in passed {
        if let Some(module) = modules.get_mut(to) {
            module.summary.is_called = true;
            module.summary.providers.passed_in.extend(names);
        }
    }
}

impl TreeModule<'_> {
    /// Returns the type of an object of all its outputs, of which nothing is known.
    pub(crate) fn outputs(&self) -> &Type {
        self.outputs.get_or_init(|| {
            let attributes = self.summary.outputs.iter();
            Type::object(attributes.map(|name| AttributeType::new(&**name, Type::Dynamic)).collect())
        })
    }

    /// Returns a finding about a value that a call passes for a variable of this module where the tool reports it: that a
    /// value does not have the type of a sensitive variable at the header of the variable (variables.md, section A6.5).
    pub(crate) fn placed(&self, finding: Diagnostic, variable: &str) -> Diagnostic {
        if finding.code != &calls_codes::MISFIT {
            return finding;
        }
        let elements = &self.report.module.elements;
        account::work(elements.len() as u64);
        let declared = elements.iter().find(|element| element.address == ObjectAddr::Variable(variable));
        match declared.filter(|declared| is_set(declared.block, words::SENSITIVE)) {
            Some(declared) => {
                let passed = finding.span;
                let finding = Diagnostic { span: Some(declared.block.header), ..finding };
                match passed {
                    Some(passed) => finding.and("the value", passed),
                    None => finding,
                }
            }
            None => finding,
        }
    }

    /// Whether the tool itself reports an error when it loads this module.
    pub(crate) fn is_refused(&self) -> bool {
        self.report.diagnostics.iter().any(is_load_error)
    }

    /// Whether the tool itself reports an error when it gathers and reads the values of variables, before anything else.
    pub(crate) fn lacks_values(&self) -> bool {
        self.report.diagnostics.iter().any(|finding| {
            finding.severity == Severity::Error
                && finding.origin == Origin::Tool
                && matches!(finding.phase, Some(Phase::Gathering | Phase::Values))
        })
    }

    /// Returns what the tool itself reports when it loads this module.
    pub(crate) fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.report.diagnostics.iter().filter(|finding| finding.origin != Origin::Overfold)
    }

    /// Whether names may be missing because a part of the module could not be read.
    pub(crate) fn is_damaged(&self) -> bool {
        self.report
            .diagnostics
            .iter()
            .any(|finding| finding.severity == Severity::Error && finding.phase.unwrap_or_default() <= Phase::Merging)
    }
}

/// Whether a finding is an error at which the tool stops before it looks at names.
fn is_load_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error
        && finding.origin == Origin::Tool
        && finding.phase.unwrap_or_default() < Phase::Gathering
}

//! The tree of modules below a root module: every directory that calls lead to, loaded once. Those are local calls, and in
//! a plan also those of modules that are installed.

use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::sync::Arc;

use foldhash::{HashMap, HashSet};

use crate::calls::codes as calls_codes;
use crate::calls::{Call, Summary, Target, calls};
use crate::installed::{self, Installed, local_path, longer_key, relative};
use overfold_base::account::{self, ChargedIterator, ChargedText};
use overfold_base::diag::{Diagnostic, Diagnostics, Origin, Phase, Severity};
use overfold_base::files::FileSet;
use overfold_dialect::{Behaviour, ObjectKind, words};
use overfold_eval::{self as eval, FileAccess, TypeConstraint, TypeRules};
use overfold_load::early_eval::PassedValues;
use overfold_load::loading::{self, PassedBy, Report, Request};
use overfold_load::tool_version;
use overfold_model::config::{Block, DecodedArgument, Element, ObjectAddr, is_set};
use overfold_model::language::module_source::{self, SourceKind};
use overfold_value::{AttributeType, Marks, Type, Value, with_stack};

/// Units of work that loading a module costs however little its directory contains.
const DIRECTORY: u64 = 200;

/// A called module, loaded.
pub(crate) struct LoadedModule<'f> {
    /// Its directory within the files, without links.
    directory: Arc<str>,
    /// Its directory relative to that of the root module, as the tool shows it; `None` if that cannot be told.
    path: Option<Arc<str>>,
    /// The names of the calls that lead to it, joined by dots.
    key: Arc<str>,
    /// The first call that leads to it: the position of the calling module in the tree, and its name.
    call: Option<(usize, Box<str>)>,
    report: Report<'f>,
}

/// A tree that is being loaded.
struct TreeLoader<'l, 'f> {
    root: &'l Report<'f>,
    loaded: &'l [LoadedModule<'f>],
    files: &'l FileSet,
    request: &'l Request,
}

/// How many calls around a call are asked for what they pass.
const MAX_DEPTH: usize = 200;

impl TreeLoader<'_, '_> {
    /// Evaluates what a call passes for these variables, and all that it needs of the calls around it.
    fn passed(&self, (number, call): (usize, &str), names: &[Box<str>], depth: usize) -> PassedValues {
        account::work(8);
        let Some(at) = number.checked_sub(1) else {
            let nothing = PassedValues::default();
            return loading::passed_by(self.root, (call, names), self.files, Some(self.request), &nothing).0;
        };
        let Some(LoadedModule { report, call: outer, .. }) = self.loaded.get(at) else {
            return PassedValues::default();
        };
        let known = &report.early.passed;
        let (passed, used) = loading::passed_by(report, (call, names), self.files, None, known);
        let lacking = known.lacking(&used);
        let Some((number, outer)) = outer.as_ref().filter(|_| !lacking.is_empty() && depth < MAX_DEPTH) else {
            return passed;
        };
        let mut all = known.clone();
        all.extend(with_stack(|| self.passed((*number, outer), &lacking, depth + 1)));
        loading::passed_by(report, (call, names), self.files, None, &all).0
    }
}

/// A directory to be loaded.
struct PendingDirectory {
    /// The directory within the files, without links.
    directory: Arc<str>,
    /// The directory relative to that of the root module, as the tool shows it; `None` if that cannot be told.
    path: Option<Arc<str>>,
    /// The names of the calls that lead to it, joined by dots.
    key: Arc<str>,
    /// The position of the calling module in the tree and the name of the call; `None` if a test file leads to it.
    call: Option<(usize, Box<str>)>,
}

/// The called modules of a tree.
pub struct LoadedTree<'f> {
    /// The modules, each once for all calls that pass it the same while it is loaded.
    list: Vec<LoadedModule<'f>>,
    /// The positions in the tree to which calls lead, by the position of the caller and the name of the call, where the
    /// directory alone does not decide.
    targets: HashMap<(usize, Box<str>), usize>,
}

impl LoadedTree<'_> {
    /// Whether the root module calls nothing that is there.
    pub const fn is_empty(&self) -> bool {
        self.list.is_empty()
    }
}

/// How often one directory is loaded for calls that pass it different values.
const MAX_VARIANTS: usize = 64;

/// One module of the tree.
pub struct TreeModule<'r> {
    /// What was loaded.
    pub report: &'r Report<'r>,
    /// Its directory relative to that of the root module: `.` for the root module itself, otherwise what `path.module`
    /// is in it. `None` if that cannot be told.
    pub path: Option<Arc<str>>,
    /// Its calls, in order of declaration.
    pub calls: Vec<TreeCall<'r>>,
    /// Whether a test file runs it as a root module.
    pub is_tested: bool,
    /// What it declares, and what its calls pass.
    pub summary: Summary,
    /// The type of all its outputs, which all calls of it share.
    outputs: OnceCell<Type>,
    /// The types of those of its outputs that declare one, by name.
    output_types: OnceCell<HashMap<Box<str>, TypeConstraint>>,
    /// The outputs that are declared as deprecated.
    deprecated: OnceCell<HashSet<Box<str>>>,
    /// The positions of the variables among its elements, by name, once one is looked for.
    variables: OnceCell<HashMap<Box<str>, usize>>,
}

/// A call of a module of the tree.
pub struct TreeCall<'r> {
    /// The call.
    pub call: Call<'r>,
    /// The position of the called module in the tree; `None` if it is not there.
    pub module: Option<usize>,
    /// What the tool says because the call has changed since its module was installed.
    pub outdated: Vec<Diagnostic>,
}

impl TreeModule<'_> {
    /// Returns the value of `path.module`.
    pub fn path_value(&self) -> Value {
        self.path.as_deref().map_or_else(|| Value::unknown(Type::String).with_marks(Marks::INEXACT), Value::text)
    }
}

/// Loads every module that the root module calls, directly or through others. A directory that cannot be run is left
/// out, as if it were not in the upload.
pub fn load<'f>(
    root: &Report<'f>,
    files: &FileSet,
    request: &Request,
    installed: Option<&Installed<'_>>,
) -> LoadedTree<'f> {
    let own = files.real_path(&request.root).into_owned();
    let mut loaded: Vec<LoadedModule<'f>> = Vec::new();
    let mut targets = HashMap::default();
    let mut known: HashSet<Arc<str>> = std::iter::once(Arc::from(own.as_str())).collect();
    // The positions of the modules that need values while they are loaded, by their directory.
    let mut variants: HashMap<Arc<str>, Vec<usize>> = HashMap::default();
    let mut next: Vec<PendingDirectory> = called(root, files, installed, (&own, &PendingDirectory::root(&own), 0));
    next.extend(tested(root, files, &own));
    let mut at = 0;
    loop {
        let pending = std::mem::take(&mut next).touched_by(|pending| pending.directory.len());
        for PendingDirectory { directory, path, key, call } in pending {
            let is_new = known.insert(Arc::clone(&directory));
            let of_directory = variants.get(&directory);
            if !is_new && of_directory.is_none() {
                continue;
            }
            let tree = TreeLoader { root, loaded: &loaded, files, request };
            let passed_by = |names: &[Box<str>]| match &call {
                Some((number, call)) => tree.passed((*number, call), names, 0),
                None => PassedValues::default(),
            };
            if let Some(of_directory) = of_directory {
                let same = of_directory.iter().copied().find(|&position| {
                    loaded.get(position).is_some_and(|loaded| {
                        passed_by(&loaded.report.early.used).is_same(&loaded.report.early.passed)
                    })
                });
                let same =
                    same.or_else(|| of_directory.last().copied().filter(|_| of_directory.len() >= MAX_VARIANTS));
                if let Some(position) = same {
                    targets.extend(call.map(|call| (call, position + 1)));
                    continue;
                }
            }
            account::work(DIRECTORY);
            root.forest.sources.enter_module(&shown_path(&directory, path.as_deref(), &own));
            let caller: Option<PassedBy<'_>> = if call.is_some() { Some(&passed_by) } else { None };
            if let Ok(report) = loading::load_called(root, caller, files, request, &directory) {
                account::grow(size_of::<LoadedModule<'_>>() as u64);
                if !report.early.used.is_empty() {
                    variants.entry(Arc::clone(&directory)).or_default().push(loaded.len());
                    targets.extend(call.clone().map(|call| (call, loaded.len() + 1)));
                }
                loaded.push(LoadedModule { directory, path, key, call, report });
            }
        }
        let Some(LoadedModule { directory, path, key, report, .. }) = loaded.get(at) else { break };
        let caller = PendingDirectory {
            directory: Arc::clone(directory),
            path: path.clone(),
            key: Arc::clone(key),
            call: None,
        };
        next = called(report, files, installed, (&own, &caller, at + 1));
        at += 1;
    }
    root.forest.sources.enter_module("");
    LoadedTree { list: loaded, targets }
}

impl PendingDirectory {
    /// The root module itself.
    fn root(directory: &str) -> Self {
        Self { directory: Arc::from(directory), path: Some(Arc::from("")), key: Arc::from(""), call: None }
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

/// Returns the directories to which the calls of a module lead. `own` is the directory of the root module, `number` the
/// position of the calling module in the tree.
fn called(
    report: &Report<'_>,
    files: &FileSet,
    installed: Option<&Installed<'_>>,
    (own, caller, number): (&str, &PendingDirectory, usize),
) -> Vec<PendingDirectory> {
    let calls = calls(report, files, &caller.directory);
    let next = calls.iter().filter_map(|call| {
        let key = if installed.is_some() { longer_key(&caller.key, call.name) } else { Arc::from("") };
        let from = Some((number, Box::from(call.name)));
        match (&call.target, &call.text) {
            (Target::Directory(target), Some(source)) => {
                let path = caller.path.as_deref();
                let path = path.and_then(|path| local_path(files, own, path, (source, target)));
                Some(PendingDirectory { directory: Arc::clone(target), path, key, call: from })
            }
            _ => {
                let found = installed?.find(report, call, &key)?;
                Some(PendingDirectory { directory: found.directory, path: Some(found.path), key, call: from })
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
fn tested(root: &Report<'_>, files: &FileSet, own: &str) -> Vec<PendingDirectory> {
    let access = FileAccess::new(files, own);
    let mut found = Vec::new();
    for run in root.module.tests.iter().flat_map(|file| file.blocks).filter(|block| block.keyword == words::RUN) {
        account::work(2 + run.blocks.len() as u64);
        let module = run.blocks.iter().find(|inner| inner.keyword == words::MODULE && inner.spec.is_some());
        let source = module.and_then(|module| module.argument(words::SOURCE_ARGUMENT));
        let Some(DecodedArgument::Text(source)) = source.map(|source| source.decoded) else { continue };
        if matches!(module_source::parse(source), Ok(SourceKind::Local))
            && let Some(path) = access.resolve(&source.replace('\\', "/"))
        {
            let directory = files.real_path(&path);
            if files.has_folder(&directory) {
                let path = local_path(files, own, "", (source, &directory));
                found.push(PendingDirectory {
                    directory: Arc::from(&*directory),
                    path,
                    key: Arc::from(""),
                    call: None,
                });
            }
        }
    }
    found
}

/// How many paths of calls are followed to find where modules would be installed.
const MAX_PATHS: usize = 20_000;

/// Returns the links that make every installed module of a tree found where the tool would have installed it.
pub fn links(modules: &[TreeModule<'_>], installed: &Installed<'_>) -> BTreeMap<String, String> {
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
pub fn connect<'r>(
    root: &'r Report<'r>,
    loaded: &'r LoadedTree<'r>,
    files: &FileSet,
    request: &Request,
    installed: Option<&Installed<'_>>,
) -> Vec<TreeModule<'r>> {
    let own: Arc<str> = files.real_path(&request.root).into();
    let mut positions: HashMap<&str, usize> = std::iter::once((&*own, 0)).collect();
    let LoadedTree { list: loaded, targets } = loaded;
    positions.extend(loaded.iter().enumerate().rev().map(|(at, module)| (&*module.directory, at + 1)));
    let module = |report: &'r Report<'r>,
                  calls: Vec<Call<'r>>,
                  number: usize,
                  is_called: bool,
                  (path, key): (Option<&str>, &str)| {
        let summary = Summary::declared(report, &calls, is_called);
        let calls = calls.into_iter().map(|call| {
            let module = call.target.directory().and_then(|target| positions.get(target)).copied();
            let module = if targets.is_empty() {
                module
            } else {
                targets.get(&(number, Box::from(call.name))).copied().or(module)
            };
            let outdated = installed.map(|installed| installed.outdated(report, &call, &longer_key(key, call.name)));
            TreeCall { call, module, outdated: outdated.unwrap_or_default() }
        });
        TreeModule {
            report,
            path: path.map(|path| Arc::from(if path.is_empty() { "." } else { path })),
            calls: calls.collect(),
            is_tested: false,
            summary,
            outputs: OnceCell::new(),
            output_types: OnceCell::new(),
            deprecated: OnceCell::new(),
            variables: OnceCell::new(),
        }
    };
    let calls_of =
        |report: &'r Report<'r>, directory: &str, key: &str| calls_of(report, files, directory, key, installed);
    let children: Vec<_> =
        loaded.iter().map(|child| (child, calls_of(&child.report, &child.directory, &child.key))).collect();
    // A module that a test file runs may call the root module.
    let leads_to_root = |call: &Call<'_>| call.target.directory() == Some(&*own);
    let is_root_called = children.iter().any(|(_, calls)| calls.iter().any(leads_to_root));
    let mut modules = vec![module(root, calls_of(root, &own, ""), 0, is_root_called, (Some(""), ""))];
    modules.extend(children.into_iter().enumerate().map(|(at, (child, calls))| {
        module(&child.report, calls, at + 1, true, (child.path.as_deref(), &*child.key))
    }));
    record_passed_providers(&mut modules);
    for PendingDirectory { directory, .. } in tested(root, files, &own) {
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
        let calls = module.calls.iter().zip(&module.summary.calls);
        for (call, facts) in calls.charged_by(|(_, facts)| 1 + facts.passed.len() as u64) {
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
    pub fn outputs(&self) -> &Type {
        self.outputs.get_or_init(|| {
            let attributes = self.summary.outputs.iter();
            let of = |name: &str| {
                let constraint = self.output_type(name);
                constraint.map_or(Type::Dynamic, |constraint| constraint.ty.without_optional())
            };
            Type::object(attributes.map(|name| AttributeType::new(&**name, of(name))).collect())
        })
    }

    /// Returns the type that an output declares.
    pub fn output_type(&self, name: &str) -> Option<&TypeConstraint> {
        let types = self.output_types.get_or_init(|| {
            let Report { dialect, forest, module, .. } = self.report;
            if !dialect.has(Behaviour::OutputTypes) {
                return HashMap::default();
            }
            let outputs =
                module.elements.iter().charged_at_once(1).filter(|element| element.kind == ObjectKind::Output);
            let typed = outputs.filter_map(|element| {
                let mut arguments = element.block.arguments.iter();
                let argument =
                    arguments.find(|found| found.spec.is_some() && found.name == words::TYPE && !found.broken)?;
                account::grow(element.address.name().len() as u64 + size_of::<TypeConstraint>() as u64);
                let ty = eval::type_constraint(forest, argument.expr, TypeRules::OUTPUT, &mut Diagnostics::new());
                Some((Box::from(element.address.name()), ty))
            });
            typed.collect()
        });
        types.get(name)
    }

    /// Whether all outputs declare a type that leaves nothing open.
    pub fn is_typed(&self) -> bool {
        self.summary
            .outputs
            .iter()
            .charged(1)
            .all(|name| self.output_type(name).is_some_and(|constraint| !constraint.ty.has_dynamic()))
    }

    /// Whether some of its outputs are deprecated, and mark what they give.
    pub fn marks_deprecated(&self) -> bool {
        self.report.dialect.has(Behaviour::DeprecatedOutputsMarkValues) && !self.deprecated_outputs().is_empty()
    }

    /// Returns the names of the outputs that are declared as deprecated.
    pub fn deprecated_outputs(&self) -> &HashSet<Box<str>> {
        self.deprecated.get_or_init(|| {
            let elements = &self.report.module.elements;
            let outputs = elements.iter().charged_at_once(1).filter(|element| element.kind == ObjectKind::Output);
            let deprecated = outputs.filter(|element| is_deprecated(element.block));
            deprecated
                .map(|element| {
                    account::grow(element.address.name().len() as u64 + 32);
                    Box::from(element.address.name())
                })
                .collect()
        })
    }

    /// Whether a variable is declared as deprecated.
    pub fn is_deprecated_variable(&self, name: &str) -> bool {
        self.variable_element(name).is_some_and(|element| is_deprecated(element.block))
    }

    /// Returns the declaration of a variable.
    fn variable_element(&self, name: &str) -> Option<&Element<'_>> {
        let elements = &self.report.module.elements;
        let variables = self.variables.get_or_init(|| {
            let named =
                elements.iter().charged_at_once(1).enumerate().filter_map(|(at, element)| match element.address {
                    ObjectAddr::Variable(name) => {
                        account::touch(name.len());
                        account::grow(name.len() as u64 + 48);
                        Some((Box::from(name), at))
                    }
                    _ => None,
                });
            // Of several with one name, the first counts.
            named.rev().collect()
        });
        account::work(4);
        variables.get(name.touched()).and_then(|&at| elements.get(at))
    }

    /// Returns a finding about a value that a call passes for a variable of this module where the tool reports it: that a
    /// value does not have the type of a sensitive variable at the header of the variable (variables.md, section A6.5).
    pub fn placed(&self, finding: Diagnostic, variable: &str) -> Diagnostic {
        if finding.code != &calls_codes::MISFIT {
            return finding;
        }
        let declared = self.variable_element(variable);
        let always = self.report.dialect.has(Behaviour::WrongArgumentsAtDeclaration);
        match declared.filter(|declared| always || is_set(declared.block, words::SENSITIVE)) {
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

    /// Whether the tool itself reports an error when it loads this module, before it looks at the constraints of the tree
    /// on its own version.
    pub fn is_refused(&self) -> bool {
        self.is_refused_because(|_| true)
    }

    /// Like [`Self::is_refused`], because of a finding that counts.
    pub fn is_refused_because(&self, counts: impl Fn(&Diagnostic) -> bool) -> bool {
        let dialect = self.report.dialect;
        let mut findings = self.report.diagnostics.iter();
        findings
            .any(|finding| is_load_error(finding) && !tool_version::is_of_tree(finding, dialect) && counts(finding))
    }

    /// Returns what is wrong with the constraints of the module on the version of the tool, which are checked once the whole
    /// tree is loaded.
    pub fn versions(&self) -> impl Iterator<Item = &Diagnostic> {
        self.findings().filter(|finding| tool_version::is_of_tree(finding, self.report.dialect))
    }

    /// Whether the tool itself reports an error when it gathers and reads the values of variables, before anything else.
    pub fn lacks_values(&self) -> bool {
        self.report.diagnostics.iter().any(|finding| {
            finding.severity == Severity::Error
                && finding.origin == Origin::Tool
                && matches!(finding.phase, Some(Phase::Gathering | Phase::Values))
        })
    }

    /// Returns what the tool itself reports when it loads this module.
    pub fn findings(&self) -> impl Iterator<Item = &Diagnostic> {
        self.report.diagnostics.iter().filter(|finding| finding.origin != Origin::Overfold)
    }

    /// Whether names may be missing because a part of the module could not be read.
    pub fn is_damaged(&self) -> bool {
        self.report
            .diagnostics
            .iter()
            .any(|finding| finding.severity == Severity::Error && finding.phase() <= Phase::Merging)
    }
}

/// Whether a variable or an output is declared as deprecated.
pub fn is_deprecated(block: &Block<'_>) -> bool {
    block.arguments.iter().skimmed(16).any(|found| found.spec.is_some() && found.name == words::DEPRECATED)
}

/// Whether a finding is an error at which the tool stops before it looks at names.
fn is_load_error(finding: &Diagnostic) -> bool {
    finding.severity == Severity::Error && finding.origin == Origin::Tool && finding.phase() < Phase::Gathering
}

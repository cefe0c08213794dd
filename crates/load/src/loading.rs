//! Loads one module directory: runs the stages of loading in order, and does nothing else.

mod dialects;
mod listing;
mod older_language;
mod visibility;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::discover::SingleFileError;
use crate::early_eval::{self, EarlyValues, PassedValues};
use crate::meant_version::{VersionFile, VersionFrom};
use crate::merge;
use crate::plan::{Plan, PlanOptions};
use crate::provider_schemas::{self, KnownSchemas};
use crate::replacement::Replacement;
use crate::vars::{self, Variables};
pub use dialects::Dialect;

pub use crate::vars::{VariableArg, VariableInputs};
use overfold_base::diag::{Diagnostics, Phase, Reporting, Severities, SourceId, Span, Tally};
use overfold_base::echo::short;
use overfold_base::files::FileSet;
use overfold_base::named;
use overfold_base::versions::Constraints;
use overfold_dialect::{self as dialect, Behaviour, DialectSpec, NotFound, View};
use overfold_eval::{self as eval, FileAccess, MissingFile};
use overfold_model::config::{FileEntry, Module, Secrets};
use overfold_model::language::references::ResourceMode;
use overfold_model::schema::{ProviderSchemas, StoredSchemas};
use overfold_syntax::Forest;

/// A request about one module directory. A copy costs no more than the paths and names in it.
#[derive(Clone, Debug)]
pub struct Request {
    /// The dialect's name, as in `GET /v1/dialects`.
    pub dialect: String,
    /// The tool version to follow, `1.11` or `1.11.4`; `None` for the newest version that the table knows.
    pub version: Option<String>,
    /// Where the version was found, if it was looked for (`with_meant_version`).
    pub version_from: Option<Arc<VersionFrom>>,
    /// Files above the folders of the request that may name a version, the nearest first.
    pub version_files: Arc<[VersionFile]>,
    /// The module directory within the files, `""` for the top.
    pub root: String,
    /// The single configuration file to read, relative to the module directory, where the dialect's file rules allow
    /// one; `None` to read the directory as the tool does.
    pub config_file: Option<String>,
    /// Variable values; `None` if values are not evaluated. Shared, since they may be as long as the whole request and a
    /// request is copied for each directory of a tree.
    pub variables: Option<Arc<VariableInputs>>,
    /// Whether repetitions are expanded before overrides are merged, where the dialect's view allows it.
    pub expand: bool,
    /// Whether the values of sensitive variables are shown.
    pub reveal_sensitive: bool,
    /// The severities with which findings are shown, where they are not their own.
    pub severities: Arc<Severities>,
    /// How much is checked.
    pub stage: ToolStage,
    /// The schemas of the providers that the modules use, as far as they are known.
    pub provider_schemas: Option<Arc<ProviderSchemas>>,
    /// The schemas that are kept between requests, which say what `provider_schemas` leaves open.
    pub stored_schemas: Option<StoredSchemas>,
    /// Whose checks of the arguments of providers are reported.
    pub provider_checks: ProviderChecks,
    /// How a plan of the tree is made; `None` if there is none. A plan needs `variables`, and the stage `validate`.
    pub plan: Option<Arc<PlanOptions>>,
    /// How the values are computed that replace expressions; `None` if nothing is replaced.
    pub resolve: Option<Arc<PlanOptions>>,
    /// The provider configurations that the callers of the module pass, as `NAME` or `NAME.ALIAS`, if others call it: then it
    /// is not held to what only a root module needs (validate.md, section 10).
    pub called_with: Option<Arc<BTreeSet<Box<str>>>>,
}

impl Request {
    /// Returns what a function reads from a file that is not there: that is an error where nothing else is said.
    pub fn missing_file(&self) -> MissingFile {
        self.plan.as_ref().map(|plan| plan.missing_file).unwrap_or_default()
    }

    /// Returns the schemas of providers that are known. `constraints` returns what the modules require of the versions of
    /// providers, by full address; it is asked only if that can matter.
    pub fn known_schemas<'r>(
        &'r self,
        files: &'r FileSet,
        constraints: impl FnOnce() -> BTreeMap<Box<str>, Vec<Constraints>>,
    ) -> KnownSchemas<'r> {
        let (given, stored) = (self.provider_schemas.as_deref(), self.stored_schemas.as_ref());
        KnownSchemas::new(given, stored, (files, &self.root), constraints)
    }

    /// Returns the plainest request for a dialect: the newest version, the top directory, the stage `load`, without values of
    /// variables or a plan.
    pub fn new(dialect: impl Into<String>) -> Self {
        Self {
            dialect: dialect.into(),
            version: None,
            version_from: None,
            version_files: Arc::from([]),
            root: String::new(),
            config_file: None,
            variables: None,
            expand: false,
            reveal_sensitive: false,
            severities: Arc::default(),
            stage: ToolStage::Load,
            provider_schemas: None,
            stored_schemas: None,
            provider_checks: ProviderChecks::None,
            plan: None,
            resolve: None,
            called_with: None,
        }
    }
}

named! {
    /// How much is checked.
    #[derive(Default)]
    #[schema(as = Stage)]
    pub enum ToolStage {
        /// What is reported when the module is loaded.
        Load = "load",
        /// What `validate` reports in a directory in which everything is installed, as far as the schemas of the
        /// providers are given.
        #[default]
        Validate = "validate",
    }
}

named! {
    /// Whose checks of the arguments of providers are reported, where the schema is known.
    #[derive(Default)]
    pub enum ProviderChecks {
        /// What most providers refuse when they validate: a value for an attribute that only the provider sets, null for a
        /// required one.
        #[default]
        Sdk = "sdk",
        /// None beyond those of the schema.
        None = "none",
    }
}

/// The result of one run; `output` turns it into bytes.
pub struct Report<'f> {
    /// The dialect and version that were followed.
    pub dialect: &'static DialectSpec,
    /// The tool version that was followed: as requested, or the full newest version if the request names none.
    pub version: String,
    /// Where that was found, if the request asks for the version that the repository means.
    pub version_from: Option<Arc<VersionFrom>>,
    /// The module directory, `""` for the top.
    pub root: String,
    /// The texts and trees that positions and expressions point into.
    pub forest: &'f Forest,
    /// The merged module.
    pub module: Module<'f>,
    /// The files of called modules, if they have been loaded.
    pub called: CalledModules,
    /// The experiments that the module opts into.
    pub experiments: Vec<Arc<str>>,
    /// The values evaluated early, from the merged module.
    pub early: EarlyValues,
    /// The values of input variables, if requested.
    pub variables: Option<Variables>,
    /// Whether the values of sensitive variables may be shown.
    pub reveal_sensitive: bool,
    /// Whether repetitions were expanded before overrides were merged.
    pub is_expanded: bool,
    /// Every finding, with its own severity.
    pub diagnostics: Diagnostics,
    /// The severities with which they are shown, where those differ.
    pub severities: Arc<Severities>,
    /// How much was checked.
    pub stage: ToolStage,
    /// The types of resources, data sources and the like whose arguments were not checked, because their schema is not
    /// known.
    pub schemas_missing: BTreeSet<(ResourceMode, Box<str>)>,
    /// The plan, if the request asks for one and the tool gets as far as that.
    pub plan: Option<Plan>,
    /// The expressions that are replaced by their values, if the request asks for that.
    pub replacements: Option<Vec<Replacement>>,
}

/// The files of the modules that a root module calls, in the same forest as its own.
#[derive(Debug, Default)]
pub struct CalledModules {
    /// The numbers of their sources.
    sources: std::ops::Range<usize>,
    /// Which variables contain secrets, in any of the modules.
    pub secrets: Secrets,
}

impl CalledModules {
    /// Creates the description of modules with these sources.
    pub const fn new(sources: std::ops::Range<usize>, secrets: Secrets) -> Self {
        Self { sources, secrets }
    }

    /// Whether a source is the text of such a file.
    pub fn has(&self, source: SourceId) -> bool {
        self.sources.contains(&source.index())
    }
}

impl Report<'_> {
    /// Removes the findings in the files of called modules, which have reports of their own.
    pub fn leave_out_called(&mut self) {
        let Self { forest, called, .. } = self;
        if !called.sources.is_empty() {
            let is_own = |span: Span| !called.has(forest.sources.in_file(span).source);
            self.diagnostics.retain(|finding| finding.span.is_none_or(is_own));
        }
    }

    /// Counts the findings that are shown, and those that would be if there were not so many.
    pub fn tally(&self) -> Tally {
        self.severities.tally(&self.diagnostics)
    }

    /// Returns the number of findings that would be shown if there were not so many.
    pub fn dropped(&self) -> usize {
        self.severities.dropped(&self.diagnostics)
    }
}

/// The reason why a request cannot be met, whatever its files contain.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// There is no dialect of that name.
    #[error("no dialect is named {:?}; the dialects are {known}", short(.0), known = dialect::names().collect::<Vec<_>>().join(", "))]
    UnknownDialect(String),
    /// The dialect's table does not know the version.
    #[error("dialect {dialect} has no version {:?}.{hint} The known versions are {known}", short(asked))]
    UnknownVersion {
        /// The dialect's name.
        dialect: &'static str,
        /// The version from the request.
        asked: String,
        /// The known versions, in words.
        known: String,
        /// What was probably meant, as in [`NotFound::Version`].
        hint: String,
    },
    /// The module directory is not among the files.
    #[error("root {:?} is not in the files", short(.0))]
    NoRoot(String),
    /// The module directory is behind a link that cannot be followed.
    #[error(
        "root {:?} is behind the link {:?}, whose target is missing or outside of the files",
        short(root),
        short(link)
    )]
    LinkedRoot {
        /// The module directory from the request.
        root: String,
        /// The path of the link.
        link: String,
    },
    /// The requested file cannot be read on its own.
    #[error("config_file {:?}: {why}", short(name))]
    ConfigFile {
        /// The file name from the request.
        name: String,
        /// Why.
        why: String,
        /// Whether the file is missing; otherwise the request fails whatever the files are.
        missing: bool,
    },
    /// The dialect's view does not support expanding repetitions.
    #[error("expand: dialect {0} does not support expansion; leave the option out")]
    NotExpanded(&'static str),
    /// The dialect has no input variables.
    #[error("dialect {0} does not support values for variables")]
    NoVariables(&'static str),
    /// The versions of this dialect are not compared.
    #[error("compatibility: versions can be compared only for {known}, not for {0}", known = dialect::compared().collect::<Vec<_>>().join(" and "))]
    NotCompared(&'static str),
    /// The environment names a workspace that cannot exist.
    #[error("TF_WORKSPACE is {:?}, which is not a valid name of a workspace", short(.0))]
    BadWorkspace(String),
    /// A configuration file is a link or a device.
    #[error("{:?} would be read as configuration, but {why}", short(path))]
    SpecialFile {
        /// Its path.
        path: String,
        /// Why it cannot be read, as the end of a sentence.
        why: String,
    },
}

impl RequestError {
    /// Returns the error for a missing table of `dialect` in `version`.
    pub fn not_found(missing: NotFound, dialect: &str, version: Option<&str>) -> Self {
        match missing {
            NotFound::Dialect => Self::UnknownDialect(dialect.to_owned()),
            NotFound::Version { dialect, known, hint } => {
                Self::UnknownVersion { dialect, asked: version.unwrap_or_default().to_owned(), known, hint }
            }
        }
    }
}

/// A stage of a run, as reported to an observer.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Turns files into elements. For a module that is a list of blocks, this is the whole run.
    Load,
    /// Merges override files into the base.
    Merge,
    /// Evaluates what the tool evaluates while loading a module, and checks the merged module.
    Checks,
    /// Resolves the values of input variables.
    Variables,
    /// Looks at the names and expressions of the whole tree of modules.
    Validate,
    /// Plans the whole tree of modules.
    Plan,
}

impl Stage {
    /// The name of what comes after all stages.
    pub const OUTPUT: &'static str = "output";

    /// Returns the name of the stage in metrics.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Load => "load",
            Self::Merge => "merge",
            Self::Checks => "checks",
            Self::Variables => "variables",
            Self::Validate => "validate",
            Self::Plan => "plan",
        }
    }
}

/// Loads one module directory, following this table whatever dialect and version the request names. `on_stage` is called
/// at the start of each stage after the first.
///
/// # Errors
/// [`RequestError`] if the request cannot be met, whatever the files contain.
pub fn load<'f>(
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    files: &FileSet,
    request: &Request,
    on_stage: &mut dyn FnMut(Stage),
) -> Result<Report<'f>, RequestError> {
    load_from(dialect, forest, files, request, None, on_stage)
}

/// Like [`load`], for a module that `caller` leads to.
fn load_from<'f>(
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    files: &FileSet,
    request: &Request,
    caller: Option<PassedBy<'_>>,
    on_stage: &mut dyn FnMut(Stage),
) -> Result<Report<'f>, RequestError> {
    root_of(files, request)?;
    forest.set_grammar(dialect.grammar());
    let mut diagnostics = Diagnostics::in_phase(Phase::Discovery);
    if request.variables.is_some() && dialect.variables.sources.is_empty() {
        return Err(RequestError::NoVariables(dialect.name));
    }
    if request.expand && dialect.view == View::ByAddress {
        return Err(RequestError::NotExpanded(dialect.name));
    }
    let entries = match &request.config_file {
        Some(name) => crate::discover::single_file(files, &request.root, name, dialect)
            .map_err(|problem| config_file(name, &problem))?,
        None => match crate::discover::check_special_entries(
            files,
            &request.root,
            dialect,
            request.variables.is_some(),
            &mut diagnostics,
        ) {
            Some(entry) => {
                let (path, why) = (files.shown(entry.path.as_str()).to_owned(), entry.why_unreadable());
                return Err(RequestError::SpecialFile { path, why });
            }
            None => {
                let mut entries = crate::discover::entries(files, &request.root, dialect);
                if request.plan.is_some() {
                    crate::discover::leave_out_tests(&mut entries);
                }
                crate::discover::report_empty(files, &request.root, &entries, dialect, &mut diagnostics);
                entries
            }
        },
    };
    crate::discover::note_near_misses(&entries, dialect, &mut diagnostics);
    if let View::BlockList { .. } = dialect.view {
        let listed = listing::run(files, request, entries, dialect, forest, &mut diagnostics);
        for found in forest.take_left_out() {
            diagnostics.push_in(Phase::Reading, found);
        }
        eval::report_exhaustion(&mut diagnostics);
        let listing::BlockListing { module, variables } = listed;
        return Ok(Report {
            variables,
            ..report(request, dialect, forest, module, visibility::decide(diagnostics, dialect, forest))
        });
    }
    let loading = ModuleLoader { dialect, forest, files, request, caller };
    Ok(loading.module(entries, diagnostics, on_stage))
}

/// Returns what the call that leads to a module passes for variables of these names.
pub type PassedBy<'c> = &'c dyn Fn(&[Box<str>]) -> PassedValues;

/// Returns the time as RFC 3339, if `timestamp` has a value while a module is loaded and the request says it.
fn clock<'r>(request: &'r Request, dialect: &DialectSpec) -> Option<&'r str> {
    let time = request.plan.as_ref().and_then(|plan| plan.timestamp.as_deref());
    time.filter(|_| dialect.has(Behaviour::TimestampsWhileLoading))
}

/// Evaluates what a call of a loaded module passes for these variables of the called module, and which variables of its own
/// module that needs. `request` is there for the root module, whose variables may have values; otherwise `passed` is what
/// the caller of the module passes.
pub fn passed_by(
    report: &Report<'_>,
    (call, names): (&str, &[Box<str>]),
    files: &FileSet,
    request: Option<&Request>,
    passed: &PassedValues,
) -> (PassedValues, Vec<Box<str>>) {
    let Report { module, dialect, forest, root, .. } = report;
    let access = FileAccess::new(files, root);
    let given = request.and_then(|request| request.variables.as_ref());
    let values = given.map(|given| {
        let (unset_is_unknown, provider_schemas) = (false, None);
        let files = access.clone();
        let inputs = vars::Inputs { module, files, given, dialect, forest, unset_is_unknown, provider_schemas };
        let gathered = vars::gather(&inputs);
        (inputs, gathered)
    });
    let given = values.as_ref().map(|(inputs, gathered)| early_eval::ProvidedValues { inputs, gathered });
    let passed = request.is_none().then_some(passed);
    let clock = request.and_then(|request| clock(request, dialect));
    let inputs = early_eval::Inputs { module, files: access, given, passed, clock, dialect, forest };
    early_eval::pass(&inputs, call, names)
}

/// Loads a module that another module of the tree calls, into the forest of that tree. Its variables have values only
/// while it is loaded, as far as the call is known. `root` is the report of the root module.
///
/// # Errors
/// As [`load`].
pub fn load_called<'f>(
    root: &Report<'f>,
    caller: Option<PassedBy<'_>>,
    files: &FileSet,
    request: &Request,
    directory: &str,
) -> Result<Report<'f>, RequestError> {
    let request = Request {
        root: directory.to_owned(),
        config_file: None,
        variables: None,
        stage: ToolStage::Load,
        provider_schemas: None,
        stored_schemas: None,
        plan: None,
        resolve: None,
        severities: Arc::default(),
        ..request.clone()
    };
    load_from(root.dialect, root.forest, files, &request, caller, &mut |_| {})
}

/// Loads the configuration of a report again from other texts of the same files, into a forest of its own. Nothing of it is
/// checked beyond loading, and none of its variables has a value.
///
/// # Errors
/// As [`load`].
pub fn load_again<'f>(report: &Report<'_>, forest: &'f Forest, files: &FileSet) -> Result<Report<'f>, RequestError> {
    let request = Request {
        version: Some(report.version.clone()),
        expand: report.is_expanded,
        reveal_sensitive: report.reveal_sensitive,
        ..Request::new(report.dialect.name)
    };
    let mut again = load(report.dialect, forest, files, &request, &mut |_| {})?;
    // The called modules are not loaded again.
    again.module.secrets.pass_as(&report.module.secrets);
    Ok(Report { root: report.root.clone(), ..again })
}

/// The loading of one module that is not a list of blocks.
struct ModuleLoader<'f, 'r> {
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    files: &'r FileSet,
    request: &'r Request,
    /// The call that leads to the module, if it is not the root module.
    caller: Option<PassedBy<'r>>,
}

impl<'f> ModuleLoader<'f, '_> {
    /// Loads the files, merges overrides, evaluates and checks what the tool does while it loads the module, and
    /// resolves variables if the request has values.
    fn module(
        &self,
        entries: Vec<FileEntry>,
        mut diagnostics: Diagnostics,
        on_stage: &mut dyn FnMut(Stage),
    ) -> Report<'f> {
        let Self { dialect, forest, files, request, caller } = *self;
        let first = forest.sources.len();
        let mut loaded = crate::decode::load(files, &request.root, entries, dialect, forest, &mut diagnostics);
        let experiments = loaded.experiments.clone();
        let second = std::mem::take(&mut loaded.duplicates);
        on_stage(Stage::Merge);
        diagnostics.enter(Phase::Merging);
        let mut module = merge::merge(loaded, dialect, forest, &mut diagnostics);
        on_stage(Stage::Checks);
        module.secrets = Secrets::since(forest, first, !dialect.reads_hcl1());
        let missing = request.missing_file();
        let access = FileAccess { missing, ..FileAccess::new(files, &request.root) };
        let nothing_given = VariableInputs::default();
        let schemas = request.known_schemas(files, || provider_schemas::constraints_of(&module, forest, dialect));
        let given = request.variables.as_deref();
        let given = given.or_else(|| reads_values(request, caller, dialect).then_some(&nothing_given));
        let values = given.map(|given| {
            let unset_is_unknown = request.plan.as_ref().is_some_and(|plan| plan.unset_is_unknown);
            let files = access.clone();
            let provider_schemas = Some(&schemas);
            let inputs =
                vars::Inputs { module: &module, files, given, dialect, forest, unset_is_unknown, provider_schemas };
            let gathered = vars::gather(&inputs);
            (inputs, gathered)
        });
        let asked = values.as_ref().filter(|_| request.variables.is_some());
        let given = asked.map(|(inputs, gathered)| early_eval::ProvidedValues { inputs, gathered });
        let nothing = PassedValues::default();
        let passed = caller.is_some().then_some(&nothing);
        let clock = clock(request, dialect);
        let inputs =
            early_eval::Inputs { module: &module, files: access.clone(), given, passed, clock, dialect, forest };
        let mut at_install = Diagnostics::in_phase(Phase::Installation);
        diagnostics.enter(Phase::EarlyEvaluation);
        let (mut early, mut found) =
            diagnostics.collect(|found| early_eval::evaluate(&inputs, found, &mut at_install));
        if let Some(caller) = caller.filter(|_| !early.used.is_empty()) {
            let passed = caller(&early.used);
            let files = access.clone();
            let inputs = early_eval::Inputs { passed: Some(&passed), files, ..inputs };
            at_install = Diagnostics::in_phase(Phase::Installation);
            (early, found) = diagnostics.collect(|found| early_eval::evaluate(&inputs, found, &mut at_install));
            early.passed = passed;
        }
        diagnostics.extend(found);
        if caller.is_none() && request.stage == ToolStage::Validate {
            early.settings = early_eval::settings(&inputs, request.plan.is_some());
        }
        crate::module_checks::check_merged(&module, &experiments, second, dialect, forest, &mut diagnostics);
        diagnostics.append(at_install);
        on_stage(Stage::Variables);
        let variables = values.and_then(|(inputs, gathered)| {
            if request.variables.is_some() {
                return Some(vars::resolve(&inputs, gathered, &mut diagnostics));
            }
            vars::check_sources(&inputs, gathered, &mut diagnostics);
            None
        });
        for found in forest.take_left_out() {
            diagnostics.push_in(Phase::Reading, found);
        }
        let mut diagnostics = visibility::decide(diagnostics, dialect, forest);
        let constraints = crate::tool_version::all_constraints(&module).map(|(text, _)| text);
        older_language::hint(constraints, (files, &request.root), dialect, &mut diagnostics);
        Report { experiments, early, variables, ..report(request, dialect, forest, module, diagnostics) }
    }
}

/// Whether the tool reads values of variables from the files that need not be named although none are asked for.
fn reads_values(request: &Request, caller: Option<PassedBy<'_>>, dialect: &DialectSpec) -> bool {
    dialect.has(Behaviour::ValidateReadsValues)
        && request.stage == ToolStage::Validate
        && caller.is_none()
        && request.called_with.is_none()
        && request.plan.is_none()
        && request.resolve.is_none()
}

/// Returns the table that a request asks for, provided that its module directory is among the files.
///
/// # Errors
/// [`RequestError`] about the dialect, the version or the module directory.
pub fn dialect_of(files: &FileSet, request: &Request) -> Result<&'static DialectSpec, RequestError> {
    let dialect = dialect::find(&request.dialect, request.version.as_deref())
        .map_err(|missing| RequestError::not_found(missing, &request.dialect, request.version.as_deref()))?;
    root_of(files, request)?;
    Ok(dialect)
}

/// Checks that the module directory is among the files.
fn root_of(files: &FileSet, request: &Request) -> Result<(), RequestError> {
    if files.has_folder(&request.root) {
        return Ok(());
    }
    let root = files.shown(&request.root).to_owned();
    Err(match files.broken_link(&request.root) {
        Some(link) => RequestError::LinkedRoot { root, link: files.shown(&link).to_owned() },
        None => RequestError::NoRoot(root),
    })
}

fn report<'f>(
    request: &Request,
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    module: Module<'f>,
    diagnostics: Diagnostics,
) -> Report<'f> {
    Report {
        dialect,
        version: request.version.clone().unwrap_or_else(|| dialect.version.to_owned()),
        version_from: request.version_from.clone(),
        root: request.root.clone(),
        forest,
        module,
        called: CalledModules::default(),
        experiments: Vec::new(),
        early: EarlyValues::default(),
        variables: None,
        reveal_sensitive: request.reveal_sensitive,
        is_expanded: request.expand,
        diagnostics,
        severities: Arc::clone(&request.severities),
        stage: if dialect.validate.is_some() { request.stage } else { ToolStage::Load },
        schemas_missing: BTreeSet::new(),
        plan: None,
        replacements: None,
    }
}

fn config_file(name: &str, problem: &SingleFileError) -> RequestError {
    let why = match problem {
        SingleFileError::NotSupported => "this dialect reads only directories".to_owned(),
        SingleFileError::Suffix(known) => format!("the name of a configuration file must end in {known}"),
        SingleFileError::NotFound => "it is not a regular file in root".to_owned(),
    };
    RequestError::ConfigFile { name: name.to_owned(), why, missing: *problem == SingleFileError::NotFound }
}

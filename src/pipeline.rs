//! The order of the stages, and nothing else.

mod listing;
mod visibility;

use std::sync::Arc;

use crate::config::Merged;
use crate::diag::{Diagnostics, Phase};
use crate::dialect::{self, DialectSpec, NotFound, View};
use crate::discover::OnlyProblem;
use crate::early_eval::{self, EarlyValues};
use crate::echo::short;
use crate::eval::{self, FileAccess};
use crate::files::FileSet;
use crate::merge;
use crate::syntax::Forest;
use crate::vars::{self, Variables};
pub use crate::vars::{VariableArg, VariableInputs};

/// What is asked of one module directory.
#[derive(Clone, Debug)]
pub struct Request {
    /// The dialect's name, as in `GET /v1/dialects`.
    pub dialect: String,
    /// The tool version to follow, `1.11` or `1.11.4`; `None`: the newest that the table knows.
    pub version: Option<String>,
    /// The module directory inside the files, `""` for the top.
    pub root: String,
    /// The one configuration file to read, relative to the module directory, where the dialect's file rules allow that;
    /// `None`: the directory as the tool reads it.
    pub config_file: Option<String>,
    /// Variable values; `None`: values are not looked at.
    pub variables: Option<VariableInputs>,
    /// Whether repetitions are evaluated before anything is overridden, where the dialect's view allows that.
    pub expand: bool,
    /// Whether values of sensitive variables are shown.
    pub reveal_sensitive: bool,
}

/// Everything one run gives; `output` turns it into bytes.
pub struct Report<'f> {
    /// The dialect that was followed, in the version that was followed.
    pub dialect: &'static DialectSpec,
    /// The tool version that was followed, as asked for; without a wish the newest in full.
    pub version: String,
    /// The module directory, `""` for the top.
    pub root: String,
    /// Texts and trees: positions and expressions point into it.
    pub forest: &'f Forest,
    /// The merged module.
    pub merged: Merged<'f>,
    /// Experiments that the module opts into.
    pub experiments: Vec<Arc<str>>,
    /// What was evaluated of the merged module.
    pub early: EarlyValues,
    /// Values of input variables, where they were asked for.
    pub variables: Option<Variables>,
    /// Whether values of sensitive variables may be shown.
    pub reveal_sensitive: bool,
    /// Repetitions were evaluated before anything was overridden.
    pub is_expanded: bool,
    /// Every finding.
    pub diagnostics: Diagnostics,
}

/// Why a request is impossible, however its files look.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum RequestError {
    /// No dialect of that name.
    #[error("no dialect is named {:?}; known: {known}", short(.0), known = dialect::names().collect::<Vec<_>>().join(", "))]
    UnknownDialect(String),
    /// The dialect's table does not know the version.
    #[error("dialect {dialect} has no version {:?}; known: {known}", short(asked))]
    UnknownVersion {
        /// Dialect.
        dialect: &'static str,
        /// As in the request.
        asked: String,
        /// What is known, in words.
        known: String,
    },
    /// The module directory is not among the files.
    #[error("root {:?} is not in the files", short(.0))]
    NoRoot(String),
    /// The module directory is behind a link that cannot be followed.
    #[error("root {:?} is behind the link {:?}, which leads out of the files or nowhere", short(root), short(link))]
    LinkedRoot {
        /// As in the request.
        root: String,
        /// The path of the link.
        link: String,
    },
    /// The one file that was asked for cannot be read by itself.
    #[error("config_file {:?}: {why}", short(name))]
    ConfigFile {
        /// As in the request.
        name: String,
        /// Why.
        why: String,
        /// It is not among the files; otherwise no files would help.
        missing: bool,
    },
    /// The dialect's view is not one that repetitions are evaluated in.
    #[error("expand: dialect {0} shows the module as it is written")]
    NotExpanded(&'static str),
    /// The dialect has no input variables.
    #[error("dialect {0} takes no values for variables")]
    NoVariables(&'static str),
    /// The versions of the dialect are not compared with one another.
    #[error("compatibility: versions are compared for {known}, not for {0}", known = dialect::compared().collect::<Vec<_>>().join(" and "))]
    NotCompared(&'static str),
    /// A configuration file is a link or a device.
    #[error(
        "{:?} would be read as configuration, but it is a device, or a link that leads out of the files or nowhere",
        short(.0)
    )]
    SpecialFile(String),
}

impl RequestError {
    /// What it means that there is no table of `dialect` in `version`.
    pub fn not_found(missing: NotFound, dialect: &str, version: Option<&str>) -> Self {
        match missing {
            NotFound::Dialect => Self::UnknownDialect(dialect.to_owned()),
            NotFound::Version { dialect, known } => {
                Self::UnknownVersion { dialect, asked: version.unwrap_or_default().to_owned(), known }
            }
        }
    }
}

/// Runs every stage on one module directory. Pure: the same input gives the same report. `forest` is empty when it begins and
/// holds the texts and trees that the report points into.
///
/// # Errors
/// [`RequestError`] when the request cannot be met whatever the files hold.
pub fn run<'f>(forest: &'f Forest, files: &FileSet, request: &Request) -> Result<Report<'f>, RequestError> {
    run_watched(forest, files, request, |_| {})
}

/// A stage of a run, for those who watch it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stage {
    /// Files to elements. Where the module is a list of blocks, the whole run.
    Load,
    /// Override files into the base.
    Merge,
    /// What is evaluated when a module is loaded, and what is checked of the merged module.
    Checks,
    /// Values of input variables.
    Variables,
}

/// As [`run`]; `begins` is called as each stage begins. The run reads no clock itself.
///
/// # Errors
/// As [`run`].
pub fn run_watched<'f>(
    forest: &'f Forest,
    files: &FileSet,
    request: &Request,
    mut begins: impl FnMut(Stage),
) -> Result<Report<'f>, RequestError> {
    begins(Stage::Load);
    run_by(dialect_of(files, request)?, forest, files, request, begins)
}

/// As [`run`], by this table, whatever the request says of dialect and version; `begins` is called as each stage after
/// the first begins.
///
/// # Errors
/// As [`run`], those about dialect and version aside.
pub fn run_by<'f>(
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    files: &FileSet,
    request: &Request,
    mut begins: impl FnMut(Stage),
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
        Some(name) => crate::discover::only(files, &request.root, name, dialect)
            .map_err(|problem| config_file(name, &problem))?,
        None => match crate::discover::special(
            files,
            &request.root,
            dialect,
            request.variables.is_some(),
            &mut diagnostics,
        ) {
            Some(entry) => return Err(RequestError::SpecialFile(entry.path.to_string())),
            None => {
                let entries = crate::discover::entries(files, &request.root, dialect);
                crate::discover::report_empty(files, &request.root, &entries, dialect, &mut diagnostics);
                entries
            }
        },
    };
    crate::discover::note_near_misses(&entries, dialect, &mut diagnostics);
    if let View::BlockList { .. } = dialect.view {
        let listed = listing::run(files, request, entries, dialect, forest, &mut diagnostics);
        eval::report_exhaustion(&mut diagnostics);
        let listing::Listed { merged, variables } = listed;
        return Ok(Report {
            variables,
            ..report(request, dialect, forest, merged, visibility::decide(diagnostics, dialect, forest))
        });
    }
    let mut loaded = crate::decode::load(files, &request.root, entries, dialect, forest, &mut diagnostics);
    let experiments = loaded.experiments.clone();
    let second = std::mem::take(&mut loaded.duplicates);
    begins(Stage::Merge);
    diagnostics.enter(Phase::Merging);
    let mut module = merge::merge(loaded, dialect, forest, &mut diagnostics);
    begins(Stage::Checks);
    module.secrets = crate::config::Secrets::of(forest, !dialect.reads_hcl1());
    let access = FileAccess { files, root: &request.root };
    let values = request.variables.as_ref().map(|given| {
        let inputs = vars::Inputs { module: &module, files: access.clone(), given, dialect, forest };
        let gathered = vars::gather(&inputs);
        (inputs, gathered)
    });
    let given = values.as_ref().map(|(inputs, gathered)| early_eval::Given { inputs, gathered });
    let inputs = early_eval::Inputs { module: &module, files: access.clone(), given, dialect, forest };
    let mut at_install = Diagnostics::in_phase(Phase::Installation);
    diagnostics.enter(Phase::EarlyEvaluation);
    let early = early_eval::evaluate(&inputs, &mut diagnostics, &mut at_install);
    crate::checks::check_merged(&module, &experiments, second, dialect, forest, &mut diagnostics);
    diagnostics.append(at_install);
    begins(Stage::Variables);
    let variables = values.map(|(inputs, gathered)| vars::resolve(&inputs, gathered, &mut diagnostics));
    eval::report_exhaustion(&mut diagnostics);
    let diagnostics = visibility::decide(diagnostics, dialect, forest);
    Ok(Report {
        experiments,
        early,
        variables,
        ..report(request, dialect, forest, Merged::Objects(module), diagnostics)
    })
}

/// The table that a request asks for, where its module directory is among the files.
///
/// # Errors
/// As [`run`], for either.
pub fn dialect_of(files: &FileSet, request: &Request) -> Result<&'static DialectSpec, RequestError> {
    let dialect = dialect::find(&request.dialect, request.version.as_deref())
        .map_err(|missing| RequestError::not_found(missing, &request.dialect, request.version.as_deref()))?;
    root_of(files, request)?;
    Ok(dialect)
}

/// Whether the module directory is among the files.
fn root_of(files: &FileSet, request: &Request) -> Result<(), RequestError> {
    if files.has_folder(&request.root) {
        return Ok(());
    }
    let root = request.root.clone();
    Err(match files.broken_link(&root).map(str::to_owned) {
        Some(link) => RequestError::LinkedRoot { root, link },
        None => RequestError::NoRoot(root),
    })
}

fn report<'f>(
    request: &Request,
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    merged: Merged<'f>,
    diagnostics: Diagnostics,
) -> Report<'f> {
    Report {
        dialect,
        version: request.version.clone().unwrap_or_else(|| dialect.version.to_owned()),
        root: request.root.clone(),
        forest,
        merged,
        experiments: Vec::new(),
        early: EarlyValues::default(),
        variables: None,
        reveal_sensitive: request.reveal_sensitive,
        is_expanded: request.expand,
        diagnostics,
    }
}

fn config_file(name: &str, problem: &OnlyProblem) -> RequestError {
    let why = match problem {
        OnlyProblem::NotTaken => "this dialect reads directories only".to_owned(),
        OnlyProblem::Suffix(known) => format!("the name of a configuration file ends in {known}"),
        OnlyProblem::NotThere => "it is not a regular file below root".to_owned(),
    };
    RequestError::ConfigFile { name: name.to_owned(), why, missing: *problem == OnlyProblem::NotThere }
}

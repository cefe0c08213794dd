//! The root modules of a tree: those that a tool would be run in.
//!
//! Every directory is loaded, to see what it declares and calls. A root module is a directory that no call reaches and that
//! has what only a root module is given: a backend, `cloud`, a provider block, or a file with values of its variables.

use std::collections::BTreeSet;
use std::sync::Arc;

use super::{DirectoryResult, Request, Tree};
use crate::pipeline::{self, Report, RequestError, Stage, ToolStage};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::Diagnostic;
use overfold_base::files::FileSet;
use overfold_dialect::{DialectSpec, ObjectKind, ValuesName};
use overfold_model::config::ObjectAddr;
use overfold_syntax::SyntaxLimits;

/// The root modules of a tree.
#[derive(Debug)]
pub struct RootModules {
    /// The request for each module, with the version that the repository means.
    pub module: pipeline::Request,
    /// The dialect and version that are followed.
    pub dialect: &'static DialectSpec,
    /// Their directories within the files, in ascending order.
    pub directories: Vec<String>,
    /// Other directories with a configuration that no call reaches, in ascending order: those that a change does not reach,
    /// and those of which nothing says that they are root modules. Of root modules that the request names, only the former.
    pub others: Vec<String>,
    /// The directories that could not be loaded, relative to [`Request::top`], each with the finding that explains it.
    pub left_out: Vec<(String, Diagnostic)>,
}

impl RootModules {
    /// Returns the version that is followed, as in [`Report::version`].
    pub fn version(&self) -> &str {
        self.module.version.as_deref().unwrap_or(self.dialect.version)
    }
}

/// Finds the root modules at the root of a request and below it. `named` has the directories within the files that the
/// request names, which are then taken for its root modules; `called` has those that calls reach although they do not say so.
/// With [`Request::paths`], only those that depend on these files are returned.
///
/// # Errors
/// [`RequestError`] if the request cannot be met, whatever the files contain.
pub fn find_roots(
    files: &FileSet,
    request: &Request,
    (named, called): (Option<&[Arc<str>]>, &BTreeSet<&str>),
    limits: SyntaxLimits,
    on_stage: &mut dyn FnMut(Stage),
) -> Result<RootModules, RequestError> {
    let request = &*request.with_meant_version(files)?;
    let module = request.module.clone();
    let is_whole = request.paths.is_none();
    if let (Some(named), true) = (named, is_whole) {
        let dialect = pipeline::dialect_of(files, &module)?;
        let directories: BTreeSet<String> = named.iter().charged(4).map(ToString::to_string).collect();
        return Ok(RootModules {
            module,
            dialect,
            directories: directories.into_iter().collect(),
            others: Vec::new(),
            left_out: Vec::new(),
        });
    }
    let loaded = Request {
        module: pipeline::Request {
            stage: ToolStage::Load,
            variables: None,
            plan: None,
            resolve: None,
            ..module.clone()
        },
        ..request.clone()
    };
    let mut tree = Tree::new(files, &loaded, limits)?;
    for path in named.into_iter().flatten() {
        tree.add(path.to_string(), true);
    }
    let listed = tree.directories.len();
    let mut signs: List<Sign> = List::new();
    for at in 0..listed {
        let mut sign = Sign::Nothing;
        tree.visit(Some(at), on_stage, |result| {
            if let DirectoryResult::Run(done) = result {
                sign = if is_for_root(done.report) { Sign::Root } else { Sign::Module };
            }
            Ok(())
        })?;
        signs.push(sign);
    }
    tree.visit_rest(on_stage)?;
    let wanted = request.paths.as_ref().map(|paths| tree.affected(&tree.graph(), paths.iter()));
    let is_wanted = |at: usize| wanted.as_ref().is_none_or(|wanted| wanted.contains(&at));
    let named: Option<BTreeSet<&str>> = named.map(|named| named.iter().map(|path| &**path).charged(2).collect());
    let mut directories: BTreeSet<String> = BTreeSet::new();
    let mut others: BTreeSet<String> = BTreeSet::new();
    for (at, directory) in tree.directories.iter().take(listed).enumerate().charged(4) {
        let path = &*directory.path;
        let sign = signs.get(at).copied().unwrap_or(Sign::Nothing);
        let is_root = match &named {
            Some(named) => named.contains(path),
            None => {
                if sign == Sign::Nothing || directory.summary.is_called || called.contains(path) {
                    continue;
                }
                sign == Sign::Root || has_values(files, path, tree.dialect)
            }
        };
        let list = match is_root {
            true if is_wanted(at) => &mut directories,
            false if named.is_some() => continue,
            _ => &mut others,
        };
        account::text(path.len() + 32);
        list.insert(path.to_owned());
    }
    Ok(RootModules {
        module,
        dialect: tree.dialect,
        directories: directories.into_iter().collect(),
        others: others.into_iter().collect(),
        left_out: tree.left_out,
    })
}

/// What a directory says of itself.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Sign {
    /// There is no module, or none that could be loaded.
    Nothing,
    /// There is a module.
    Module,
    /// There is a module with what only a root module is given.
    Root,
}

/// Whether a module has what only a root module is given.
fn is_for_root(report: &Report<'_>) -> bool {
    report.module.elements.iter().charged_at_once(1).any(|element| {
        matches!(element.kind, ObjectKind::Backend | ObjectKind::Cloud)
            || matches!(element.address, ObjectAddr::Provider { .. })
    })
}

/// Whether there are files with values of variables in a directory: those that are read without being named, or any other
/// with the same ending.
fn has_values(files: &FileSet, directory: &str, dialect: &DialectSpec) -> bool {
    let ends = dialect.files.values.iter().filter(|row| !matches!(row.name_is, ValuesName::Whole));
    let endings: Vec<&str> = ends.map(|row| row.name.trim_start_matches(".auto")).collect();
    files.in_folder(directory).charged(2).any(|file| endings.iter().any(|ending| file.path.name().ends_with(ending)))
}

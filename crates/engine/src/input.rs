//! What is asked about which files.

use std::borrow::Cow;
use std::sync::Arc;

use crate::workspace;
use overfold_base::diag::{Severity, Tally};
use overfold_base::files::FileSet;
use overfold_model::schema::StoredSchemas;
use overfold_module::pipeline::{self, RequestError, ToolStage, VariableInputs};
use overfold_module::plan::PlanOptions;
use overfold_module::repository;
use overfold_output::{AnswerOptions, LinkBase, PlanAnswerOptions, ReportOptions};

/// What is asked about a set of files: the options of a request, checked, with defaults filled in.
#[derive(Debug)]
pub struct PreparedRequest {
    /// The request for the pipeline.
    pub request: pipeline::Request,
    /// The options for the writer of the answer.
    pub answer: AnswerOptions,
    /// The options for the writer of the answer about a plan.
    pub plan: PlanAnswerOptions,
    /// The options for the writers of diagnostics alone.
    pub reports: ReportOptions,
    /// The address of the files, for links in a comment.
    pub link_base: Option<LinkBase>,
    /// The lowest severity of a finding that makes the request fail; `None` if no finding does.
    pub fail_on: Option<Severity>,
    /// The options for a tree of modules, if every module below the root is requested.
    pub tree: Option<TreeOptions>,
    /// The new version, if that is what is asked about.
    pub upgrade: Option<Target>,
    /// The number of leading segments to remove from an archive's paths; `None` to determine it automatically.
    pub strip_components: Option<u16>,
}

/// The new version.
#[derive(Clone, Debug)]
pub struct Target {
    /// The dialect.
    pub dialect: String,
    /// The version; the default one of the dialect if there is none.
    pub version: Option<String>,
}

/// What is requested for a tree of modules, in addition to what is requested for each module.
#[derive(Debug)]
pub struct TreeOptions {
    /// Files whose modules, and modules that depend on those, are requested; `None` for all modules.
    pub paths: Option<Arc<[String]>>,
    /// Whether the graph of module calls is requested.
    pub calls: bool,
    /// The root modules of the tree; `None` to find them.
    pub roots: Option<Arc<[RootOptions]>>,
}

/// A root module of a tree.
#[derive(Clone, Debug)]
pub struct RootOptions {
    /// Its directory, from the top of the files.
    pub path: Arc<str>,
    /// The values of its variables; `None` for those of the request.
    pub variables: Option<Arc<VariableInputs>>,
    /// Its workspace; `None` for that of the request.
    pub workspace: Option<Arc<str>>,
}

impl PreparedRequest {
    /// Lets the request use schemas of providers that it does not bring, if it is about more than loading.
    pub fn use_stored_schemas(&mut self, schemas: &StoredSchemas) {
        if self.request.stage == ToolStage::Validate || self.request.plan.is_some() {
            self.request.stored_schemas = Some(schemas.clone());
        }
    }
}

impl From<pipeline::Request> for PreparedRequest {
    /// Asks this with the defaults for everything else: the merged configuration, and no reason to fail.
    fn from(request: pipeline::Request) -> Self {
        Self {
            request,
            answer: AnswerOptions::default(),
            plan: PlanAnswerOptions::default(),
            reports: ReportOptions::default(),
            link_base: None,
            fail_on: None,
            tree: None,
            upgrade: None,
            strip_components: None,
        }
    }
}

/// One side of a use case: files, and what is asked about them.
#[derive(Clone, Copy, Debug)]
pub struct Input<'i> {
    /// The files.
    pub files: &'i FileSet,
    /// What is asked.
    pub prepared: &'i PreparedRequest,
    /// The module directory as it was asked for, which answers show. In `files`, and thus in the request for the
    /// pipeline, it may be further down: on a disk, paths begin at the top of the system.
    pub root: &'i str,
}

impl Input<'_> {
    /// Whether findings like these make the request fail.
    pub fn fails(&self, tally: Tally) -> bool {
        self.prepared.fail_on.is_some_and(|severity| tally.reaches(severity))
    }

    /// Returns the folder that prefixes the names of files, if the request sets a prefix: the prefix and the module
    /// directory. Otherwise `""`.
    pub fn folder(&self) -> String {
        self.prepared.reports.folder(self.root)
    }

    /// Returns the request for the pipeline, with the workspace that is selected if expressions are replaced.
    ///
    /// # Errors
    /// Fails if the environment of the request names a workspace that cannot exist.
    pub(crate) fn request(&self) -> Result<Cow<'_, pipeline::Request>, RequestError> {
        let request = &self.prepared.request;
        match request.resolve.as_deref() {
            Some(options) if options.workspace.is_none() => {
                let workspace = workspace::selected(self.files, request)?;
                let resolve = Some(Arc::new(PlanOptions { workspace, ..options.clone() }));
                Ok(Cow::Owned(pipeline::Request { resolve, ..request.clone() }))
            }
            _ => Ok(Cow::Borrowed(request)),
        }
    }

    /// Returns the request for a tree of modules.
    pub(crate) fn tree(&self) -> repository::Request {
        let PreparedRequest { request, reports, tree, .. } = self.prepared;
        repository::Request {
            module: request.clone(),
            paths: tree.as_ref().and_then(|tree| tree.paths.clone()),
            top: request.root.strip_suffix(self.root).unwrap_or_default().trim_end_matches('/').to_owned(),
            prefix: reports.path_prefix.clone(),
        }
    }
}

//! Which root modules of a tree a request is about, and what is asked about each.

use std::collections::BTreeSet;
use std::sync::Arc;

use crate::input::{Input, RootOptions, TreeOptions};
use crate::refusal::{Refusal, RefusalKind};
use crate::use_case::Context;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::echo::short;
use overfold_module::pipeline::{self, Stage};
use overfold_module::plan::PlanOptions;
use overfold_module::repository::{self, RootModules, find_roots, relative, shown};

/// A search for the root modules of one set of files.
pub(crate) struct RootSearch<'i> {
    input: Input<'i>,
    request: repository::Request,
    /// The directories within the files that the request names, if it names any, with what it says of them.
    named: Option<Vec<(Arc<str>, &'i RootOptions)>>,
}

impl<'i> RootSearch<'i> {
    /// Prepares the search.
    ///
    /// # Errors
    /// Refuses a directory that is not there.
    pub(crate) fn new(input: Input<'i>, tree: &'i TreeOptions) -> Result<Self, Refusal> {
        let request = input.tree();
        let within = |(index, root): (usize, &'i RootOptions)| {
            let path = match (&*request.top, &*root.path) {
                ("", path) => path.to_owned(),
                (top, "") => top.to_owned(),
                (top, path) => format!("{top}/{path}"),
            };
            account::text(path.len());
            if input.files.has_folder(&path) {
                return Ok((Arc::from(input.files.real_path(&path)), root));
            }
            let detail = format!("roots has the path {:?}, which is not a directory in the files", short(&root.path));
            Err(Refusal::new(RefusalKind::RootNotFound, detail).at(format!("/roots/{index}/path")))
        };
        let named = tree.roots.as_ref().map(|roots| roots.iter().enumerate().charged(8).map(within).collect());
        Ok(Self { input, named: named.transpose()?, request })
    }

    /// Finds the root modules.
    ///
    /// # Errors
    /// Refuses a request that cannot be met, whatever the files contain.
    pub(crate) fn run(&self, context: &mut Context<'_>) -> Result<RootModules, Refusal> {
        let named: Option<Vec<Arc<str>>> =
            self.named.as_ref().map(|named| named.iter().map(|(path, _)| Arc::clone(path)).charged(1).collect());
        let sources = self.input.prepared.request.plan.iter().flat_map(|plan| &plan.module_sources);
        let called: BTreeSet<&str> = sources.map(|source| &*source.path).charged(4).collect();
        let mut on_stage = |stage: Stage| context.observer.stage(stage.name());
        let limits = context.limits;
        Ok(find_roots(self.input.files, &self.request, (named.as_deref(), &called), limits, &mut on_stage)?)
    }

    /// Returns the request for the root module in a directory.
    pub(crate) fn request_of(&self, roots: &RootModules, directory: &str) -> pipeline::Request {
        account::work(self.named.as_ref().map_or(1, Vec::len) as u64);
        let named = self.named.iter().flatten().find(|(path, _)| **path == *directory).map(|(_, root)| *root);
        let mut request = pipeline::Request { root: directory.to_owned(), ..roots.module.clone() };
        if let Some(RootOptions { variables, workspace, .. }) = named {
            if variables.is_some() {
                request.variables.clone_from(variables);
            }
            if workspace.is_some() {
                let plan = request.plan.as_deref().cloned().unwrap_or_default();
                request.plan = Some(Arc::new(PlanOptions { workspace: workspace.clone(), ..plan }));
            }
        }
        request
    }

    /// Puts a refusal of the variables of a root module to where the request gives them.
    pub(crate) fn placed(&self, refusal: Refusal, directory: &str) -> Refusal {
        let mut named = self.named.iter().flatten();
        match named.position(|(path, root)| **path == *directory && root.variables.is_some()) {
            Some(index) => refusal.below(&format!("/roots/{index}")),
            None => refusal,
        }
    }

    /// Returns the path of a directory in answers; `.` is the top.
    pub(crate) fn path_of<'d>(&self, directory: &'d str) -> &'d str {
        shown(directory, &self.request.top)
    }

    /// Returns the folder that is prefixed to the names of the files in a directory.
    pub(crate) fn folder_of(&self, directory: &str) -> String {
        let parts = [self.request.prefix.as_str(), relative(directory, &self.request.top)];
        parts.iter().filter(|part| !part.is_empty()).copied().collect::<Vec<_>>().join("/")
    }
}

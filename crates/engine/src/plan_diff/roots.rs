//! Comparing the plans of every root module of two trees.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use crate::diff::{Compared, links, of_side};
use crate::input::{Input, TreeOptions};
use crate::plan::request_of;
use crate::refusal::Refusal;
use crate::root_search::RootSearch;
use crate::use_case::{Context, Facts};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Diagnostics;
use overfold_base::files::FileSet;
use overfold_module::pipeline::{self, Report, Stage};
use overfold_module::plan::PlanOptions;
use overfold_module::repository::RootModules;
use overfold_output::{DifferenceForm, PlanDifferences, RootSide};
use overfold_syntax::Forest;

/// A side of the comparison, and what has been found on it.
struct Side<'i> {
    /// Its index.
    at: usize,
    input: Input<'i>,
    search: RootSearch<'i>,
    roots: RootModules,
    /// The directories of modules that no call reaches, by their paths.
    modules: BTreeMap<String, String>,
    /// The paths of directories that could not be loaded.
    left_out: BTreeSet<String>,
    facts: Facts,
    /// Why the request is refused, once everything has been looked at.
    missing: Option<Refusal>,
}

/// Compares the plans of each root module of either side, one after the other.
pub(super) fn compare(
    inputs: [(Input<'_>, &TreeOptions); 2],
    form: DifferenceForm,
    context: &mut Context<'_>,
) -> Result<Compared, Refusal> {
    let [(was, before_tree), (is, after_tree)] = inputs;
    let mut sides = [Side::new(0, was, before_tree, context)?, Side::new(1, is, after_tree, context)?];
    let paths: BTreeSet<String> = sides.iter().flat_map(Side::root_paths).charged(4).collect();
    let nothing = FileSet::default();
    let mut differences = PlanDifferences::new(form, links([was, is]));
    for path in &paths {
        let forests = [Forest::new(context.limits), Forest::new(context.limits)];
        let [first, second] = &mut sides;
        let (before, after) = (
            first.planned(path, &forests[0], &nothing, context)?,
            second.planned(path, &forests[1], &nothing, context)?,
        );
        context.observer.stage(Stage::OUTPUT);
        differences.take(path, &[&before, &after].map(|(report, exists)| RootSide { report, exists: *exists }));
    }
    let is_limited = before_tree.paths.is_some() || after_tree.paths.is_some();
    let has_nothing = paths.is_empty() && sides.iter().all(|side| side.left_out.is_empty());
    let [first, second] = sides;
    if let Some(missing) = first.missing.or(second.missing) {
        return Err(missing);
    }
    let differs = differences.is_different();
    let bytes = differences.finish([&first.roots, &second.roots], [was.root, is.root]);
    let is_empty = paths.is_empty() && before_tree.paths.is_none() && after_tree.paths.is_none();
    Ok(Compared {
        differs,
        bytes,
        facts: [first.facts, second.facts],
        is_empty,
        reaches_nothing: is_limited && has_nothing,
    })
}

impl<'i> Side<'i> {
    fn new(at: usize, input: Input<'i>, tree: &'i TreeOptions, context: &mut Context<'_>) -> Result<Self, Refusal> {
        let search = RootSearch::new(input, tree).map_err(|refusal| of_side(at, refusal))?;
        let roots = search.run(context).map_err(|refusal| of_side(at, refusal))?;
        let directories = roots.directories.iter().chain(&roots.others).charged(8);
        let modules = directories.map(|directory| {
            account::text(2 * directory.len() + 64);
            (search.path_of(directory).to_owned(), directory.clone())
        });
        let modules = modules.collect();
        let left_out = roots.left_out.iter().charged(8).map(|(path, _)| path.clone()).collect();
        let mut facts = Facts { valid: roots.left_out.is_empty(), ..Facts::new(input.files) };
        for (_, finding) in &roots.left_out {
            facts.tally.add(roots.module.severities.of(finding), 1);
        }
        Ok(Self { at, input, search, roots, modules, left_out, facts, missing: None })
    }

    /// Returns the paths of the root modules that were asked for.
    fn root_paths(&self) -> impl Iterator<Item = String> + '_ {
        self.roots.directories.iter().map(|directory| self.search.path_of(directory).to_owned())
    }

    /// Plans the root module at a path, and says whether there is one; if not, plans `nothing`. A module that the other side alone
    /// takes for a root module is planned here, too, unless something calls it.
    fn planned<'f>(
        &mut self,
        path: &str,
        forest: &'f Forest,
        nothing: &'f FileSet,
        context: &mut Context<'_>,
    ) -> Result<(Report<'f>, bool), Refusal>
    where
        'i: 'f,
    {
        let directory = self.modules.get(path);
        let is_left_out = self.left_out.contains(path);
        let (files, request) = match directory {
            Some(directory) => {
                let request = self.search.request_of(&self.roots, directory);
                let request = request_of(self.input.files, &request, false);
                forest.sources.set_folder(&self.search.folder_of(directory));
                (self.input.files, request.map_err(|refusal| of_side(self.at, refusal))?)
            }
            None => (nothing, self.request_of_nothing(is_left_out)),
        };
        let mut watch = |stage: Stage| context.observer.stage(stage.name());
        let report = pipeline::run_watched(forest, files, &request, &mut watch);
        let mut report = report.map_err(|error| of_side(self.at, error))?;
        path.clone_into(&mut report.root);
        if directory.is_none() {
            // That there is no file says nothing: there need not be one.
            report.diagnostics = Diagnostics::new();
        }
        if let Some(directory) = directory {
            context.observer.module(self.at, &report);
            self.facts.add(&report);
            if let Err(refusal) = context.check_definitions_of(files, &request, &report) {
                let refusal = of_side(self.at, self.search.placed(refusal, directory));
                self.missing = self.missing.take().or(Some(refusal));
            }
        }
        Ok((report, directory.is_some() || is_left_out))
    }

    /// Returns the request for what stands in place of a root module. Of one that could not be loaded there is no plan.
    fn request_of_nothing(&self, is_left_out: bool) -> pipeline::Request {
        let plan = PlanOptions { with_origins: true, ..PlanOptions::default() };
        pipeline::Request {
            root: String::new(),
            variables: None,
            resolve: None,
            plan: (!is_left_out).then(|| Arc::new(plan)),
            ..self.roots.module.clone()
        }
    }
}

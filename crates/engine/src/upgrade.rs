//! What another version of a tool would do with a configuration.
//!
//! The files are loaded, validated and planned as both versions do. Then the rows of the version tables are looked for that are
//! behind what is different (`attribution`). All of it is charged to the one account of the request.

mod attribution;

use std::sync::Arc;

use crate::input::{Input, PreparedRequest, Target, TreeOptions};
use crate::limits::RequestLimits;
use crate::options::{self, UpgradeOptions};
use crate::plan::request_of;
use crate::refusal::{Refusal, RefusalKind};
use crate::root_search::RootSearch;
use crate::use_case::{Context, Facts, Outcome, UseCase};
use overfold_base::account;
use overfold_base::files::FileSet;
use overfold_dialect::without_constraints;
use overfold_module::pipeline::{self, Report, Stage};
use overfold_module::plan::PlanOptions;
use overfold_module::tool_version::codes::UNSUPPORTED_TOOL_VERSION;
use overfold_output::{DifferenceForm, UpgradeDifference, UpgradeDifferences, UpgradeVerdict};
use overfold_syntax::Forest;

/// Finding out what another version does.
#[derive(Debug)]
pub enum Upgrade {}

impl UseCase<1> for Upgrade {
    const NAME: &'static str = "upgrade";
    type Options = UpgradeOptions;
    type Form = DifferenceForm;
    type Verdict = UpgradeVerdict;

    fn prepare(options: UpgradeOptions, limits: &RequestLimits) -> Result<PreparedRequest, Refusal> {
        let UpgradeOptions { plan, to } = options;
        let Some(to) = to else {
            let why = "to is missing: name the new version, such as {\"version\": \"1.11\"}";
            return Err(Refusal::new(RefusalKind::BadOption, why).at("/to"));
        };
        if plan.include.is_some() {
            let why = "include: what another version does has no parts of a plan";
            return Err(Refusal::new(RefusalKind::BadOption, why).at("/include"));
        }
        let mut prepared = options::prepare_plan(plan, limits)?;
        let plan = prepared.request.plan.as_deref().cloned().unwrap_or_default();
        prepared.request.plan = Some(Arc::new(PlanOptions { with_origins: true, ..plan }));
        let dialect =
            to.dialect.map_or_else(|| prepared.request.dialect.clone(), |dialect| dialect.name().to_owned());
        options::check_target(&dialect, to.version.as_deref(), limits)?;
        prepared.upgrade = Some(Target { dialect, version: to.version });
        Ok(prepared)
    }

    fn run(
        [input]: [Input<'_>; 1],
        form: DifferenceForm,
        context: &mut Context<'_>,
    ) -> Result<Outcome<UpgradeVerdict>, Refusal> {
        account::raise(|limits| limits.for_plan(input.files.content_bytes()));
        match &input.prepared.tree {
            Some(tree) => of_tree(input, tree, form, context),
            None => of_root(input, form, context),
        }
    }
}

/// Finds out what the other version does with one root module.
fn of_root(
    input: Input<'_>,
    form: DifferenceForm,
    context: &mut Context<'_>,
) -> Result<Outcome<UpgradeVerdict>, Refusal> {
    let Input { files, prepared, root } = input;
    let request = request_of(files, &prepared.request, false)?;
    let both = BothVersions {
        files,
        request: &request,
        target: prepared.upgrade.as_ref(),
        folder: &input.folder(),
        path: root,
        later: 0,
    };
    let (facts, (verdict, bytes)) = both.compare(context, |difference| {
        let ready = difference.obstacles();
        (difference.verdict(), difference.write(form, &ready, prepared.link_base.as_ref()))
    })?;
    let fails = input.fails(facts.tally);
    Ok(Outcome {
        answer: Ok(bytes),
        facts,
        fails,
        findings: String::new(),
        is_empty: false,
        reaches_nothing: false,
        verdict,
    })
}

/// Finds out what the other version does with every root module of a tree, one after the other. The root modules are
/// those of the old version.
fn of_tree(
    input: Input<'_>,
    tree: &TreeOptions,
    form: DifferenceForm,
    context: &mut Context<'_>,
) -> Result<Outcome<UpgradeVerdict>, Refusal> {
    let Input { files, prepared, .. } = input;
    let search = RootSearch::new(input, tree)?;
    let roots = search.run(context)?;
    let wanted = with_target(&roots.module, prepared.upgrade.as_ref());
    let dialect = pipeline::dialect_of(files, &wanted).map_err(|error| Refusal::from(error).of_side("to"))?;
    let version = wanted.version.as_deref().unwrap_or(dialect.version);
    let mut differences = UpgradeDifferences::new(form, prepared.link_base.as_ref());
    let mut facts = Facts { valid: roots.left_out.is_empty(), ..Facts::new(files) };
    for (_, finding) in &roots.left_out {
        facts.tally.add(roots.module.severities.of(finding), 1);
    }
    for (at, directory) in roots.directories.iter().enumerate() {
        context.observer.progress(at, Some(roots.directories.len()));
        // What is one more is for the writer.
        let later = (roots.directories.len() - at) as u64;
        let request = request_of(files, &search.request_of(&roots, directory), false)?;
        let path = search.path_of(directory);
        let folder = search.folder_of(directory);
        let both = BothVersions {
            files,
            request: &request,
            target: prepared.upgrade.as_ref(),
            folder: &folder,
            path,
            later,
        };
        let compared = both.compare(context, |difference| {
            let ready = difference.obstacles();
            differences.take(path, difference, &ready);
        });
        let (found, ()) = compared.map_err(|refusal| search.placed(refusal, directory))?;
        facts.valid &= found.valid;
        facts.tally += found.tally;
    }
    let verdict = differences.verdict();
    let bytes = differences.finish(&roots, (dialect, version), input.root);
    let is_empty = roots.directories.is_empty();
    let fails = input.fails(facts.tally);
    Ok(Outcome {
        answer: Ok(bytes),
        facts,
        fails,
        findings: String::new(),
        is_empty,
        reaches_nothing: false,
        verdict,
    })
}

/// Returns a request for the new version.
fn with_target(request: &pipeline::Request, target: Option<&Target>) -> pipeline::Request {
    let request = request.clone();
    let Some(Target { dialect, version }) = target.cloned() else { return request };
    pipeline::Request { dialect, version, version_from: None, ..request }
}

/// A root module that two versions run.
struct BothVersions<'r> {
    files: &'r FileSet,
    /// The request of the old version.
    request: &'r pipeline::Request,
    /// The version that it goes to.
    target: Option<&'r Target>,
    /// What the names of files are prefixed with, `""` for nothing.
    folder: &'r str,
    /// The path of the root module, as it is shown.
    path: &'r str,
    /// How many times as much as this root module costs is still to be done after it.
    later: u64,
}

impl BothVersions<'_> {
    /// Runs both versions and compares them. Returns what is known of the new version, and what `then` makes of the difference.
    fn compare<T>(
        &self,
        context: &mut Context<'_>,
        then: impl FnOnce(&mut UpgradeDifference<'_>) -> T,
    ) -> Result<(Facts, T), Refusal> {
        let Self { files, request, folder, path, .. } = *self;
        let spent = account::spent().work;
        let wanted = with_target(request, self.target);
        let forests: [Forest; 4] = std::array::from_fn(|_| Forest::new(context.limits));
        let [was, is, free_was, free_is] = &forests;
        let mut run = |side: usize, forest, request: &pipeline::Request| {
            let mut watch = |stage: Stage| context.observer.stage(stage.name());
            let report = pipeline::run_watched(forest, files, request, &mut watch).map_err(Refusal::from);
            let mut report = report.map_err(|refusal| if side == 1 { refusal.of_side("to") } else { refusal })?;
            path.clone_into(&mut report.root);
            context.observer.module(side, &report);
            context.check_definitions_of(files, request, &report)?;
            Ok::<_, Refusal>(report)
        };
        for forest in &forests {
            forest.sources.set_folder(folder);
        }
        let (before, after) = (run(0, was, request)?, run(1, is, &wanted)?);
        let mut facts = Facts::new(files);
        facts.add(&after);
        // A version that a constraint excludes says little else: what it would say without the constraint is what is compared.
        let free = |report: &Report<'_>, forest, request: &pipeline::Request| {
            let is_excluded = report.diagnostics.iter().any(|finding| finding.code == &UNSUPPORTED_TOOL_VERSION);
            let table = is_excluded.then(|| without_constraints(report.dialect))?;
            let mut free = pipeline::run_with_table(table, forest, files, request, &mut |_| {}).ok()?;
            path.clone_into(&mut free.root);
            free.version.clone_from(&report.version);
            Some(free)
        };
        let (free_before, free_after) = (free(&before, free_was, request), free(&after, free_is, &wanted));
        let compared = [free_before.as_ref().unwrap_or(&before), free_after.as_ref().unwrap_or(&after)];
        let mut difference = UpgradeDifference::of(compared[0], compared[1]);
        difference.instead_of(&before, &after);
        // Another root module is expected to cost as much as this one, and its search begins with a run of its own.
        let kept = (account::spent().work - spent).saturating_mul(3).saturating_mul(self.later);
        let runs = attribution::Runs { files, request, folder, limits: context.limits, kept };
        let (rules, is_searched) = attribution::rules(&runs, &before, &after, &difference);
        difference.explain(&rules, is_searched);
        context.observer.stage(Stage::OUTPUT);
        Ok((facts, then(&mut difference)))
    }
}

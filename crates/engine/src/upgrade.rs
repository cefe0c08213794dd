//! What another version of a tool would do with a configuration.
//!
//! The files are loaded, validated and planned as both versions do. Then the rows of the version tables are looked for that are
//! behind what is different ([`attribution`]). All of it is charged to the one account of the request.

mod attribution;

use std::sync::Arc;

use crate::input::{Input, PreparedRequest, Target};
use crate::limits::RequestLimits;
use crate::options::{self, UpgradeOptions};
use crate::plan::request_of;
use crate::refusal::{Refusal, RefusalKind};
use crate::use_case::{Context, Facts, Outcome, UseCase};
use overfold_base::account;
use overfold_dialect::without_constraints;
use overfold_module::pipeline::{self, Report, Stage};
use overfold_module::plan::PlanOptions;
use overfold_module::tool_version::codes::UNSUPPORTED_TOOL_VERSION;
use overfold_output::{DifferenceForm, UpgradeDifference, UpgradeVerdict};
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
            let why = "to is missing: the version that the configuration goes to, such as {\"version\": \"1.11\"}";
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
        let Input { files, prepared, root } = input;
        account::raise(|limits| limits.for_plan(files.content_bytes()));
        let request = request_of(files, prepared, false)?;
        let target = prepared.upgrade.as_ref();
        let wanted = target.map_or_else(
            || request.clone(),
            |target| pipeline::Request {
                dialect: target.dialect.clone(),
                version: target.version.clone(),
                version_from: None,
                ..request.clone()
            },
        );
        let forests: [Forest; 4] = std::array::from_fn(|_| Forest::new(context.limits));
        let [was, is, free_was, free_is] = &forests;
        let mut run = |side: usize, forest, request: &pipeline::Request| {
            let watch = |stage: Stage| context.observer.stage(stage.name());
            let report = pipeline::run_watched(forest, files, request, watch).map_err(Refusal::from);
            let mut report = report.map_err(|refusal| if side == 1 { refusal.of_side("to") } else { refusal })?;
            root.clone_into(&mut report.root);
            context.observer.module(side, &report);
            context.check_definitions(input, &report)?;
            Ok::<_, Refusal>(report)
        };
        for forest in &forests {
            forest.sources.set_folder(&input.folder());
        }
        let (before, after) = (run(0, was, &request)?, run(1, is, &wanted)?);
        let mut facts = Facts::new(files);
        facts.add(&after);
        // A version that a constraint excludes says little else: what it would say without the constraint is what is compared.
        let free = |report: &Report<'_>, forest, request: &pipeline::Request| {
            let is_excluded = report.diagnostics.iter().any(|finding| finding.code == &UNSUPPORTED_TOOL_VERSION);
            let table = is_excluded.then(|| without_constraints(report.dialect))?;
            let mut free = pipeline::run_with_table(table, forest, files, request, |_| {}).ok()?;
            root.clone_into(&mut free.root);
            free.version.clone_from(&report.version);
            Some(free)
        };
        let (free_before, free_after) = (free(&before, free_was, &request), free(&after, free_is, &wanted));
        let compared = [free_before.as_ref().unwrap_or(&before), free_after.as_ref().unwrap_or(&after)];
        let mut difference = UpgradeDifference::of(compared[0], compared[1]);
        difference.instead_of(&before, &after);
        let runs = attribution::Runs { files, request: &request, folder: &input.folder(), limits: context.limits };
        let (rules, is_searched) = attribution::rules(&runs, &before, &after, &difference);
        difference.explain(&rules, is_searched);
        context.observer.stage(Stage::OUTPUT);
        let ready = difference.obstacles();
        let verdict = difference.verdict();
        let answer = Ok(difference.write(form, &ready, prepared.link_base.as_ref()));
        let fails = input.fails(facts.tally);
        Ok(Outcome { answer, facts, fails, findings: String::new(), is_empty: false, verdict })
    }
}

//! Comparing the plans of two root modules, or of every root module of two trees, instance by instance.

mod roots;

use std::sync::Arc;

use crate::diff::{Compared, DiffVerdict, links, of_side};
use crate::input::{Input, PreparedRequest};
use crate::limits::RequestLimits;
use crate::merge::has_configuration;
use crate::options::{self, PlanOptions as Options};
use crate::plan::request_of;
use crate::refusal::{Refusal, RefusalKind};
use crate::use_case::{Context, Facts, Outcome, UseCase};
use overfold_base::account;
use overfold_module::pipeline::{self, Stage};
use overfold_module::plan::PlanOptions;
use overfold_output::{DifferenceForm, PlanDifference};
use overfold_syntax::Forest;

/// Comparing the plan of the first side with that of the second.
#[derive(Debug)]
pub enum PlanDiff {}

impl UseCase<2> for PlanDiff {
    const NAME: &'static str = "plan-diff";
    type Options = Options;
    type Form = DifferenceForm;
    type Verdict = DiffVerdict;

    fn prepare(options: Options, limits: &RequestLimits) -> Result<PreparedRequest, Refusal> {
        if options.include.is_some() {
            let why = "include: a difference between plans has no parts of a plan";
            return Err(Refusal::new(RefusalKind::BadOption, why).at("/include"));
        }
        let mut prepared = options::prepare_plan(options, limits)?;
        let plan = prepared.request.plan.as_deref().cloned().unwrap_or_default();
        prepared.request.plan = Some(Arc::new(PlanOptions { with_origins: true, ..plan }));
        Ok(prepared)
    }

    fn run(
        sides: [Input<'_>; 2],
        form: DifferenceForm,
        context: &mut Context<'_>,
    ) -> Result<Outcome<DiffVerdict>, Refusal> {
        account::raise(|limits| limits.for_plan(sides.iter().map(|input| input.files.content_bytes()).sum()));
        let [was, is] = sides;
        let compared = match (&was.prepared.tree, &is.prepared.tree) {
            (Some(before), Some(after)) => roots::compare([(was, before), (is, after)], form, context),
            _ => of_modules(sides, form, context),
        };
        Ok(compared?.outcome(sides))
    }
}

/// Compares the plans of the root modules of both sides.
fn of_modules(sides: [Input<'_>; 2], form: DifferenceForm, context: &mut Context<'_>) -> Result<Compared, Refusal> {
    let forests = [Forest::new(context.limits), Forest::new(context.limits)];
    let mut missing: Option<Refusal> = None;
    let mut run = |side: usize, forest, input: Input<'_>| {
        let request =
            request_of(input.files, &input.prepared.request, false).map_err(|refusal| of_side(side, refusal))?;
        let mut watch = |stage: Stage| context.observer.stage(stage.name());
        let report = pipeline::run_watched(forest, input.files, &request, &mut watch);
        let mut report = report.map_err(|error| of_side(side, error))?;
        input.root.clone_into(&mut report.root);
        context.observer.module(side, &report);
        if let Err(refusal) = context.check_definitions(input, &report) {
            missing = missing.take().or_else(|| Some(of_side(side, refusal)));
        }
        let mut facts = Facts::new(input.files);
        facts.add(&report);
        Ok::<_, Refusal>((report, facts))
    };
    for (forest, input) in forests.iter().zip(sides) {
        forest.sources.set_folder(&input.folder());
    }
    let [was, is] = &forests;
    let (before, first) = run(0, was, sides[0])?;
    let (after, second) = run(1, is, sides[1])?;
    if let Some(missing) = missing {
        return Err(missing);
    }
    context.observer.stage(Stage::OUTPUT);
    let difference = PlanDifference::of(&before, &after);
    Ok(Compared {
        differs: difference.is_different(),
        bytes: difference.write(form, links(sides)),
        facts: [first, second],
        is_empty: !has_configuration(&before) && !has_configuration(&after),
        reaches_nothing: false,
    })
}

//! Comparing two modules, or the modules of two trees, by what takes effect.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::input::{Input, PreparedRequest};
use crate::limits::RequestLimits;
use crate::merge::has_configuration;
use crate::options::{self, MergeOptions};
use crate::refusal::Refusal;
use crate::use_case::{AnswerForm, Context, Facts, Outcome, UseCase};
use overfold_base::account;
use overfold_module::pipeline::{self, Stage};
use overfold_module::repository::{self, Presence, SideError};
use overfold_output::{Difference, DifferenceForm, DifferenceLinks, TreeDifference};
use overfold_syntax::Forest;

/// The names of the sides: members of the request object and parts of the form.
pub const SIDES: [&str; 2] = ["before", "after"];

/// Comparing the first side with the second: their modules, or, if the first one asks for a tree, every module of one
/// tree with the module at the same path in the other.
#[derive(Debug)]
pub enum Diff {}

/// Whether there is a difference.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum DiffVerdict {
    /// Nothing differs in effect.
    Same,
    /// Something differs in effect.
    Different,
}

impl UseCase<2> for Diff {
    const NAME: &'static str = "diff";
    type Options = MergeOptions;
    type Form = DifferenceForm;
    type Verdict = DiffVerdict;

    fn prepare(options: MergeOptions, limits: &RequestLimits) -> Result<PreparedRequest, Refusal> {
        options::refuse_parts(&options, "a difference")?;
        options::prepare(options, limits)
    }

    fn run(
        sides: [Input<'_>; 2],
        form: DifferenceForm,
        context: &mut Context<'_>,
    ) -> Result<Outcome<DiffVerdict>, Refusal> {
        let compared = if sides[0].prepared.tree.is_some() {
            of_trees(sides, form, context)
        } else {
            of_modules(sides, form, context)
        };
        Ok(compared?.outcome(sides))
    }
}

impl AnswerForm for DifferenceForm {
    fn name(self) -> &'static str {
        DifferenceForm::name(self)
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Markdown => "text/markdown",
            Self::Text => "text/plain",
        }
    }
}

/// The outcome of a comparison.
pub(crate) struct Compared {
    /// Whether the sides differ in effect.
    pub(crate) differs: bool,
    /// The outcome in the requested form.
    pub(crate) bytes: Vec<u8>,
    /// What is known of each side.
    pub(crate) facts: [Facts; 2],
    /// Whether neither side has anything to compare, although nothing limits what is compared.
    pub(crate) is_empty: bool,
    /// As in [`Outcome`].
    pub(crate) reaches_nothing: bool,
}

impl Compared {
    /// Returns the outcome of the use case.
    pub(crate) fn outcome(self, sides: [Input<'_>; 2]) -> Outcome<DiffVerdict> {
        let Self { differs, bytes, facts: [first, second], is_empty, reaches_nothing } = self;
        let fails = sides[0].fails(first.tally) || sides[1].fails(second.tally);
        let mut facts = Facts { valid: first.valid && second.valid, files: first.files + second.files, ..first };
        facts.tally += second.tally;
        let verdict = if differs { DiffVerdict::Different } else { DiffVerdict::Same };
        Outcome { answer: Ok(bytes), facts, fails, findings: String::new(), is_empty, reaches_nothing, verdict }
    }
}

/// Adds the side to the place that a refusal names.
pub(crate) fn of_side(side: usize, refusal: impl Into<Refusal>) -> Refusal {
    refusal.into().of_side(SIDES.get(side).copied().unwrap_or_default())
}

/// Returns the addresses of the files on both sides, for links in a comment.
pub(crate) fn links(sides: [Input<'_>; 2]) -> DifferenceLinks<'_> {
    sides.map(|input| input.prepared.link_base.as_ref())
}

fn of_modules(sides: [Input<'_>; 2], form: DifferenceForm, context: &mut Context<'_>) -> Result<Compared, Refusal> {
    account::raise(|limits| limits.for_files(sides.iter().map(|input| input.files.content_bytes()).sum()));
    let limits = context.limits;
    let mut missing: Option<Refusal> = None;
    let mut run = |side: usize, forest, input: Input<'_>| {
        let mut facts = Facts::new(input.files);
        let mut watch = |stage: Stage| context.observer.stage(stage.name());
        let mut report = pipeline::run_watched(forest, input.files, &input.prepared.request, &mut watch)
            .map_err(|error| of_side(side, error))?;
        input.root.clone_into(&mut report.root);
        context.observer.module(side, &report);
        if let Err(refusal) = context.check_definitions(input, &report) {
            missing = missing.take().or_else(|| Some(of_side(side, refusal)));
        }
        facts.add(&report);
        Ok::<_, Refusal>((report, facts))
    };
    let [before, after] = sides;
    let [was, is] = [Forest::new(limits), Forest::new(limits)];
    was.sources.set_folder(&before.folder());
    is.sources.set_folder(&after.folder());
    let (before, first) = run(0, &was, before)?;
    let (after, second) = run(1, &is, after)?;
    if let Some(missing) = missing {
        return Err(missing);
    }
    context.observer.stage(Stage::OUTPUT);
    let difference = Difference::of(&before, &after);
    Ok(Compared {
        differs: difference.is_different(),
        bytes: difference.write(form, links(sides)),
        facts: [first, second],
        is_empty: !has_configuration(&before) && !has_configuration(&after),
        reaches_nothing: false,
    })
}

fn of_trees(sides: [Input<'_>; 2], form: DifferenceForm, context: &mut Context<'_>) -> Result<Compared, Refusal> {
    let [was, is] = sides;
    let mut difference = TreeDifference::new(form, links(sides));
    // A module may come a second time; then that is what counts.
    let mut modules: [BTreeMap<Box<str>, Facts>; 2] = Default::default();
    let mut missing: Option<Refusal> = None;
    let mut is_empty = sides.iter().all(|input| input.prepared.tree.as_ref().is_none_or(|tree| tree.paths.is_none()));
    let limits = context.limits;
    let context = RefCell::new(context);
    let outcomes = repository::run_pairs(
        [(was.files, &was.tree()), (is.files, &is.tree())],
        limits,
        &mut |stage| context.borrow_mut().observer.stage(stage.name()),
        &mut |pair| {
            for (at, ((side, input), modules)) in pair.sides.iter().zip(sides).zip(&mut modules).enumerate() {
                if side.presence == Presence::Absent {
                    continue;
                }
                is_empty &= !has_configuration(side.report);
                let mut facts = Facts::new(input.files);
                facts.add(side.report);
                if modules.insert(pair.path.into(), facts).is_none() {
                    context.borrow_mut().observer.module(at, side.report);
                    if let Err(refusal) = context.borrow().check_definitions(input, side.report) {
                        missing = missing.take().or_else(|| Some(of_side(at, refusal)));
                    }
                }
            }
            difference.take(pair);
        },
    )
    .map_err(|SideError { side, error }| of_side(side, error))?;
    if let Some(missing) = missing {
        return Err(missing);
    }
    context.borrow_mut().observer.stage(Stage::OUTPUT);
    let [first, second] = modules;
    let is_limited = sides.iter().any(|input| input.prepared.tree.as_ref().is_some_and(|tree| tree.paths.is_some()));
    let reaches_nothing = is_limited && first.is_empty() && second.is_empty();
    let facts = [(first, was), (second, is)].map(|(modules, input)| {
        let mut facts = Facts::new(input.files);
        for module in modules.values() {
            facts.valid &= module.valid;
            facts.tally += module.tally;
        }
        facts
    });
    let differs = difference.is_different();
    let bytes = difference.finish(&outcomes, sides.map(|input| input.root));
    Ok(Compared { differs, bytes, facts, is_empty, reaches_nothing })
}

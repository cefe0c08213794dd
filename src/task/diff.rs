//! Comparing two modules, or the modules of two trees, by what takes effect.

use std::cell::RefCell;
use std::collections::BTreeMap;

use super::{Facts, Input, Observer};
use overfold_base::account;
use overfold_module::pipeline::{self, Stage};
use overfold_module::repository::{self, Presence, SideError};
use overfold_output::{Difference, DifferenceForm, TreeDifference};
use overfold_syntax::{Forest, SyntaxLimits};

/// The outcome.
#[derive(Debug)]
pub struct Compared {
    /// Whether there is a difference.
    pub differs: bool,
    /// The outcome in the requested form.
    pub bytes: Vec<u8>,
    /// What is known of each side.
    pub facts: [Facts; 2],
}

/// Compares the first side with the second: their modules, or, if the first one asks for a tree, every module of one
/// tree with the module at the same path in the other.
///
/// # Errors
/// [`SideError`] if the request of a side cannot be met, whatever the files contain.
pub fn diff(
    sides: [Input<'_>; 2],
    form: DifferenceForm,
    limits: SyntaxLimits,
    observer: &mut dyn Observer,
) -> Result<Compared, SideError> {
    match sides {
        [Input { prepared, .. }, _] if prepared.tree.is_some() => of_trees(sides, form, limits, observer),
        _ => of_modules(sides, form, limits, observer),
    }
}

fn of_modules(
    sides: [Input<'_>; 2],
    form: DifferenceForm,
    limits: SyntaxLimits,
    observer: &mut dyn Observer,
) -> Result<Compared, SideError> {
    account::raise(|limits| limits.for_files(sides.iter().map(|input| input.files.content_bytes()).sum()));
    let mut run = |side: usize, forest, input: Input<'_>| {
        let mut facts = Facts::new(input.files);
        let watch = |stage: Stage| observer.stage(stage.name());
        let mut report = pipeline::run_watched(forest, input.files, &input.prepared.request, watch)
            .map_err(|error| SideError { side, error })?;
        input.root.clone_into(&mut report.root);
        observer.module(side, &report);
        facts.add(&report);
        Ok((report, facts))
    };
    let [before, after] = sides;
    let [was, is] = [Forest::new(limits), Forest::new(limits)];
    was.sources.set_folder(&before.folder());
    is.sources.set_folder(&after.folder());
    let (before, first) = run(0, &was, before)?;
    let (after, second) = run(1, &is, after)?;
    observer.stage(Stage::OUTPUT);
    let difference = Difference::of(&before, &after);
    Ok(Compared { differs: difference.is_different(), bytes: difference.write(form), facts: [first, second] })
}

fn of_trees(
    sides: [Input<'_>; 2],
    form: DifferenceForm,
    limits: SyntaxLimits,
    observer: &mut dyn Observer,
) -> Result<Compared, SideError> {
    let [was, is] = sides;
    let mut difference = TreeDifference::new(form);
    // A module may come a second time; then that is what counts.
    let mut modules: [BTreeMap<Box<str>, Facts>; 2] = Default::default();
    let observer = RefCell::new(observer);
    let outcomes = repository::run_pairs(
        [(was.files, &was.tree()), (is.files, &is.tree())],
        limits,
        &mut |stage| observer.borrow_mut().stage(stage.name()),
        &mut |pair| {
            for (at, ((side, input), modules)) in pair.sides.iter().zip(sides).zip(&mut modules).enumerate() {
                if side.presence == Presence::Absent {
                    continue;
                }
                let mut facts = Facts::new(input.files);
                facts.add(side.report);
                if modules.insert(pair.path.into(), facts).is_none() {
                    observer.borrow_mut().module(at, side.report);
                }
            }
            difference.take(pair);
        },
    )?;
    observer.borrow_mut().stage(Stage::OUTPUT);
    let [first, second] = modules;
    let facts = [(first, was), (second, is)].map(|(modules, input)| {
        let mut facts = Facts::new(input.files);
        for module in modules.values() {
            facts.valid &= module.valid;
            facts.tally += module.tally;
        }
        facts
    });
    let differs = difference.is_different();
    Ok(Compared { differs, bytes: difference.finish(&outcomes, sides.map(|input| input.root)), facts })
}

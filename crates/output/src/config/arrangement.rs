//! Keeps static and generated blocks of one type in order within one JSON object.
//!
//! The tool reads the properties of a body in order. All static blocks of a type are in one property, all generated
//! ones under `dynamic`. Static blocks before every generated one, or after every one, therefore stay as they are, and
//! the property `dynamic` is moved behind or before theirs. Static blocks in between are written as generated ones with
//! a single element.

use foldhash::HashMap;
use std::cmp::Ordering;

use super::DYNAMIC;
use overfold_base::diag::Span;
use overfold_model::config::{Argument, Block};
use overfold_syntax::ExprAt;

/// The positions of the blocks and arguments of one body.
#[derive(Default)]
pub(super) struct Arrangement<'a> {
    /// For each block, by index, whether it is written as a generated one.
    converted: Vec<bool>,
    /// The properties that cannot be where their name would sort them, and whether they come before `dynamic`.
    moved: HashMap<&'a str, bool>,
}

/// The blocks of one type, as far as they have been read.
#[derive(Default)]
struct Run {
    /// Indexes of the static blocks before the first generated one.
    before: Vec<usize>,
    /// Indexes of the static blocks after the last generated one.
    after: Vec<usize>,
    /// Indexes of the static blocks in between.
    between: Vec<usize>,
    generated: bool,
}

impl<'a> Arrangement<'a> {
    /// Arranges the arguments and nested blocks of one body, given in the order in which the tool reads them.
    pub(super) fn of(arguments: &[(&'a str, &'a Argument<'a>)], blocks: &[&'a Block<'a>]) -> Self {
        let mut runs: HashMap<&str, Run> = HashMap::default();
        if !blocks.iter().any(|block| is_dynamic(block)) {
            return Self::default();
        }
        for (at, block) in blocks.iter().enumerate().filter(|(_, block)| block.spec.is_none()) {
            let run = runs.entry(generated_type(block)).or_default();
            if is_dynamic(block) {
                run.generated = true;
                run.between.append(&mut run.after);
            } else if run.generated {
                run.after.push(at);
            } else {
                run.before.push(at);
            }
        }
        let mut arrangement = Self { converted: vec![false; blocks.len()], moved: HashMap::default() };
        // A `dynamic` without a label is a mistake and stays as it is.
        let convertible = blocks.iter().all(|block| block.keyword != DYNAMIC || is_dynamic(block));
        #[expect(clippy::iter_over_hash_type, reason = "types do not depend on one another")]
        for (made, run) in runs {
            let first = match (run.before.is_empty(), run.after.is_empty()) {
                _ if !run.generated => continue,
                (true, true) if run.between.is_empty() => continue,
                (true, true) => None,
                (before_is_empty, _) => Some(!before_is_empty),
            };
            if let Some(first) = first.filter(|&first| first != (made < DYNAMIC)) {
                arrangement.moved.insert(made, first);
            }
            let inner = run.between.iter().chain(run.after.iter().filter(|_| first == Some(true)));
            for &at in inner.filter(|_| convertible) {
                if let Some(converted) = arrangement.converted.get_mut(at) {
                    *converted = true;
                }
            }
        }
        // JSON properties that could be an argument or blocks.
        let generated: HashMap<&str, Span> = blocks
            .iter()
            .rev()
            .filter(|block| is_dynamic(block))
            .map(|block| (generated_type(block), block.header))
            .collect();
        for &(name, argument) in arguments {
            let ExprAt::Json(source, _) = argument.expr else { continue };
            let Some(generated) = generated.get(name).filter(|header| header.source == source) else { continue };
            let first = argument.range.start < generated.start;
            if first != (name < DYNAMIC) {
                arrangement.moved.insert(name, first);
            }
        }
        arrangement
    }

    /// Returns the property that the block at this index belongs to, and its type if it is written as a generated one.
    pub(super) fn place<'b>(&self, at: usize, block: &'b Block<'b>) -> (&'b str, Option<&'b str>) {
        match self.converted.get(at) {
            Some(true) => (DYNAMIC, Some(block.keyword)),
            _ => (block.keyword, None),
        }
    }

    /// Compares two properties by their position.
    pub(super) fn compare(&self, a: &str, b: &str) -> Ordering {
        if self.moved.is_empty() { a.cmp(b) } else { self.rank(a).cmp(&self.rank(b)) }
    }

    fn rank<'k>(&self, key: &'k str) -> (&'k str, u8, &'k str) {
        match self.moved.get(key) {
            Some(true) => (DYNAMIC, 0, key),
            Some(false) => (DYNAMIC, 2, key),
            None => (key, 1, ""),
        }
    }
}

/// Whether a block generates other blocks.
pub(super) fn is_dynamic(block: &Block<'_>) -> bool {
    block.keyword == DYNAMIC && block.spec.is_none() && block.labels.len() == 1
}

/// The block type that a block contributes to: the generated type for `dynamic`.
pub(super) fn generated_type<'b>(block: &'b Block<'b>) -> &'b str {
    match block.labels.first() {
        Some(label) if is_dynamic(block) => label.text,
        _ => block.keyword,
    }
}

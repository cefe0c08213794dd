//! How one JSON object keeps the order of static and generated blocks of one type.
//!
//! The tool reads the properties of a body in their order. All static blocks of a type stand under one property, all
//! generated ones under `dynamic`; so static ones that come before every generated one, or after every one, stay as they
//! are, and the property `dynamic` comes later or earlier. Static blocks in between are written as generated ones, from
//! a single element.

use foldhash::HashMap;
use std::cmp::Ordering;

use super::DYNAMIC;
use crate::config::{Argument, Block};
use crate::diag::Span;
use crate::syntax::ExprAt;

/// Where the blocks and arguments of one body go.
#[derive(Default)]
pub(super) struct Arrangement<'a> {
    /// By place among the blocks: written as a generated one.
    converted: Vec<bool>,
    /// Properties that cannot stand where their name sorts them, and whether they come before `dynamic`.
    moved: HashMap<&'a str, bool>,
}

/// What is known of one type so far.
#[derive(Default)]
struct Run {
    /// Places of the static blocks before the first generated one.
    before: Vec<usize>,
    /// Places of the static blocks after the last generated one.
    after: Vec<usize>,
    /// Places of the static blocks between.
    between: Vec<usize>,
    generated: bool,
}

impl<'a> Arrangement<'a> {
    /// Of the arguments and nested blocks of one body, in the order in which the tool reads them.
    pub(super) fn of(arguments: &[(&'a str, &'a Argument<'a>)], blocks: &[&'a Block<'a>]) -> Self {
        let mut runs: HashMap<&str, Run> = HashMap::default();
        if !blocks.iter().any(|block| is_dynamic(block)) {
            return Self::default();
        }
        for (at, block) in blocks.iter().enumerate().filter(|(_, block)| block.spec.is_none()) {
            let run = runs.entry(made_type(block)).or_default();
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
        // Where `dynamic` itself has no label, it is a mistake and stays as it is.
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
        // A JSON property of which nobody knows whether it holds blocks.
        let generated: HashMap<&str, Span> = blocks
            .iter()
            .rev()
            .filter(|block| is_dynamic(block))
            .map(|block| (made_type(block), block.header))
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

    /// The property in which the block at this place of the list goes; with its type where it is to be generated.
    pub(super) fn place<'b>(&self, at: usize, block: &'b Block<'b>) -> (&'b str, Option<&'b str>) {
        match self.converted.get(at) {
            Some(true) => (DYNAMIC, Some(block.keyword)),
            _ => (block.keyword, None),
        }
    }

    /// The order of two properties.
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

/// Whether a block generates others.
pub(super) fn is_dynamic(block: &Block<'_>) -> bool {
    block.keyword == DYNAMIC && block.spec.is_none() && block.labels.len() == 1
}

/// The block type that a block stands for: the generated one for `dynamic`.
fn made_type<'b>(block: &'b Block<'b>) -> &'b str {
    match block.labels.first() {
        Some(label) if is_dynamic(block) => label.text,
        _ => block.keyword,
    }
}

//! JSON properties of which nothing says whether they are arguments or blocks: one that could be the blocks of the
//! other side is not a difference.

use super::super::config::ArgumentOrigin;
use super::compare::View;
use super::normal::Reading;
use super::outline::{Origin, Outline};
use overfold_base::account::{ChargedSort, Worklist};

/// A property that the JSON syntax ignores in bodies.
const COMMENT: &str = "//";

/// Whether the JSON property `value`, outlined without origins and read as blocks, is the same as the blocks at or below `node`. A single block may
/// be written with or without an array around it.
pub(super) fn may_be_blocks(
    view: &View<'_>,
    node: usize,
    value: &Outline<'_>,
    reading: impl Fn(ArgumentOrigin) -> Reading,
) -> bool {
    let blocks = &view.outline;
    let mut pairs = Worklist::new(4, [(node, 0)]);
    while let Some((node, other)) = pairs.pop() {
        if let Some(Origin::Argument(argument)) = blocks.origin(node) {
            let reading = reading(argument);
            if blocks.normal(node, reading) != value.normal(other, reading) {
                return false;
            }
            continue;
        }
        let (inner, outer) = (blocks.children(node), value.children(other));
        match (blocks.is_array(node), value.is_array(other)) {
            (true, true) => {
                if inner.len() != outer.len() {
                    return false;
                }
                pairs.extend(inner.iter().copied().zip(outer.iter().copied()));
            }
            (true, false) => match inner {
                [only] => pairs.push((*only, other)),
                _ => return false,
            },
            (false, true) => match outer {
                [only] => pairs.push((node, *only)),
                _ => return false,
            },
            (false, false) => {
                if !blocks.is_object(node) || !value.is_object(other) {
                    return false;
                }
                let mut members: Vec<(Option<&str>, usize)> = outer
                    .iter()
                    .map(|at| (value.name(*at), *at))
                    .filter(|(name, _)| *name != Some(COMMENT))
                    .collect();
                let mut own: Vec<(Option<&str>, usize)> = inner.iter().map(|at| (blocks.name(*at), *at)).collect();
                members.charged_sort_by(8, Ord::cmp);
                own.charged_sort_by(8, Ord::cmp);
                if members.len() != own.len() || own.iter().zip(&members).any(|((a, _), (b, _))| a != b) {
                    return false;
                }
                pairs.extend(own.into_iter().zip(members).map(|((_, a), (_, b))| (a, b)));
            }
        }
    }
    true
}

//! Call stack space for recursive walks over trees.
//!
//! A tree may be as deep as [`super::SyntaxLimits::depth`] allows, thousands of levels, and threads have small stacks.
//! Every recursive walk over a tree calls [`grow`] around its recursive step.

/// The stack space that must be left before another segment is added, in bytes.
const RED_ZONE: usize = 192 * 1024;
/// The size of an added segment, in bytes.
const PIECE: usize = 2 * 1024 * 1024;

/// Runs `step` with at least 192 KB of call stack, adding a heap-allocated segment when the thread's stack is nearly
/// used up. Costs a few nanoseconds when nothing has to be added.
pub fn grow<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, PIECE, step)
}

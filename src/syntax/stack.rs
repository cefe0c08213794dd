//! Room on the call stack for walks over trees.
//!
//! A tree may be as deep as [`super::SyntaxLimits::depth`] allows, thousands of levels, and threads have small stacks.
//! Whoever walks a tree by recursion calls [`grow`] around the recursive step.

/// Bytes that have to be left before another piece of stack is added.
const RED_ZONE: usize = 192 * 1024;
/// Size of an added piece, bytes.
const PIECE: usize = 2 * 1024 * 1024;

/// Runs `step` with at least 192 KB of call stack, adding stack from the heap where the thread's own is used up. Costs
/// a few nanoseconds where nothing has to be added.
pub fn grow<R>(step: impl FnOnce() -> R) -> R {
    stacker::maybe_grow(RED_ZONE, PIECE, step)
}

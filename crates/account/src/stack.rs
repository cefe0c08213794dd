//! Stack space for recursion. Stages walk trees recursively; the depth of a tree is limited (`syntax::SyntaxLimits`),
//! and this module provides a stack on which that depth fits, whatever thread the caller runs on.

/// Bytes of stack on which the deepest tree fits in every stage, even in an unoptimised build. Memory is only committed
/// as it is used.
pub const REQUIRED: usize = 128 << 20;

/// Runs `work` with [`REQUIRED`] bytes of stack: on the thread's own stack if it has them, otherwise on a new one.
pub fn ensure_sufficient<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(REQUIRED, REQUIRED + (1 << 20), work)
}

//! Room for recursion. Stages walk trees by recursion; the depth of a tree is limited (`syntax::SyntaxLimits`), and
//! this gives a stack on which that depth fits, whatever thread the caller has.

/// Bytes of stack on which the deepest tree fits in every stage, also in an unoptimised build. Memory is taken only
/// as far as it is used.
pub const NEEDED: usize = 128 << 20;

/// Runs `work` with [`NEEDED`] bytes of stack: on the thread's own where it has them, else on a new one.
pub fn with_room<T>(work: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(NEEDED, NEEDED + (1 << 20), work)
}

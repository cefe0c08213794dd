//! When a finding is made.

/// The phases of a run, in their order.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Phase {
    /// Which files there are, and what the dialect takes them for.
    #[default]
    Discovery,
    /// Each file by itself: its syntax, its bodies.
    Reading,
    /// The primary files are put together.
    Assembly,
    /// Override files are merged.
    Merging,
    /// What is evaluated while the module is loaded.
    EarlyEvaluation,
    /// The merged module is checked as a whole.
    Checking,
    /// What the tool evaluates only when it installs modules.
    Installation,
    /// Repetitions are evaluated in a list of blocks.
    Expansion,
    /// Input variables get their values.
    Variables,
}

//! When a finding is made.

/// The phases of a run, in the order in which the tool comes to them. Which of them an error keeps the tool from is
/// decided at the end of a run, in one place.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Phase {
    /// The version of the tool that the configuration asks for, where the tool looks at that before anything else.
    OwnVersion,
    /// Options and variable definitions files, where the tool reads them before the configuration.
    Options,
    /// Which files there are, and what the dialect takes them for.
    #[default]
    Discovery,
    /// Each file by itself: its syntax, its bodies.
    Reading,
    /// The headers of all blocks of a module that is a list of blocks.
    Headers,
    /// The variables of such a module.
    Declarations,
    /// The primary files are put together.
    Assembly,
    /// Override files are merged.
    Merging,
    /// What is evaluated while the module is loaded.
    EarlyEvaluation,
    /// The merged module is checked as a whole.
    Checking,
    /// Defaults that may not be evaluated are looked for, where values are those of HCL 1.
    Defaults,
    /// What the tool evaluates only when it installs modules.
    Installation,
    /// Options, definitions files and the environment are read for values.
    Gathering,
    /// Values are read as the type of their variable wants it.
    Values,
    /// Validation rules are checked without values.
    Rules,
    /// Values are converted and validated.
    Resolution,
    /// Repetitions are evaluated in a list of blocks.
    Expansion,
}

//! The phase of a run in which a finding is made.

/// The phases of a run, in the order in which the tool reaches them. A single place, at the end of a run, decides which
/// of them an error keeps the tool from reaching.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Phase {
    /// The tool version that the configuration requires, if the tool checks it before anything else.
    OwnVersion,
    /// Options and variable definitions files, if the tool reads them before the configuration.
    Options,
    /// Which files exist, and what the dialect takes them for.
    #[default]
    Discovery,
    /// Each file on its own: its syntax and its bodies.
    Reading,
    /// The headers of all blocks, in a module that is a list of blocks.
    Headers,
    /// The variables, in a module that is a list of blocks.
    Declarations,
    /// The primary files are assembled into one module.
    Assembly,
    /// Override files are merged.
    Merging,
    /// What is evaluated while the module is loaded.
    EarlyEvaluation,
    /// The merged module is checked as a whole.
    Checking,
    /// The search for defaults that may not be evaluated, where values are those of HCL 1.
    Defaults,
    /// Everything that the tool evaluates only when it installs modules.
    Installation,
    /// Values are read from options, variable definitions files and the environment.
    Gathering,
    /// Each value is parsed as its variable's type requires.
    Values,
    /// Validation rules are checked without values.
    Rules,
    /// Values are converted and validated.
    Resolution,
    /// The evaluation of a tree with values.
    Planning,
    /// Repetitions are expanded in a list of blocks.
    Expansion,
    /// Names and expressions of the whole tree of modules are looked at.
    Tree,
}

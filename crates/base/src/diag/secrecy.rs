//! Secrecy: which values may not be shown, and to whom.

use std::sync::Arc;

/// How secret a value is. When two levels apply, the greater one wins.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Secrecy {
    /// Not secret.
    #[default]
    Open,
    /// Shown only to those who ask for sensitive values.
    Sensitive,
    /// Never shown.
    Ephemeral,
}

/// Whose values the texts of a diagnostic may quote. A stage states the fact; whether it matters is decided where the
/// diagnostic is shown. A text that is fixed in the program quotes nothing, whatever this says.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Quotes {
    /// No values, other than the text at the place of the diagnostic.
    #[default]
    Nothing,
    /// Values of the input variable with this name.
    Variable(Arc<str>),
    /// Values with this level of secrecy.
    Values(Secrecy),
    /// Unknown: a text of the request that may be the value of any variable.
    Anything,
}

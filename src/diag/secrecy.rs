//! Secrets: what may not be shown, and to whom.

use std::sync::Arc;

/// How secret a value is. The greater one covers the lesser.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default, Debug)]
pub enum Secrecy {
    /// Not at all.
    #[default]
    Open,
    /// Shown only to those who ask for sensitive values.
    Sensitive,
    /// Never shown.
    Ephemeral,
}

/// Whose values the texts of a diagnostic may quote. A stage says what is so; whether it matters is decided where the
/// diagnostic is shown. A text that is fixed in the program quotes nothing, whatever stands here.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub enum Quotes {
    /// Nobody's, beyond what stands at the place of the diagnostic.
    #[default]
    Nothing,
    /// Those of the input variable of this name.
    Variable(Arc<str>),
    /// Values that are this secret.
    Values(Secrecy),
    /// Nobody can say: a text of the request that may be the value of any variable.
    Anything,
}

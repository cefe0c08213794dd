//! What this build was made from, as recorded by the build script.

/// The commit it was built from, in hexadecimal; `unknown` if the build was not told.
pub(crate) const COMMIT: &str = env!("OVERFOLD_COMMIT");
/// The version of the program, and the commit in parentheses.
pub(crate) const VERSION: &str = concat!(env!("CARGO_PKG_VERSION"), " (", env!("OVERFOLD_COMMIT"), ")");
/// The profile and the target, such as `release x86_64-unknown-linux-musl`.
pub(crate) const BUILD: &str = env!("OVERFOLD_BUILD");

//! What this build is made of, as the build script found it.

/// The commit it was built from, in hexadecimal; `unknown` where nobody said.
pub(crate) const COMMIT: &str = env!("OVERFOLD_COMMIT");
/// The profile and the target, such as `release x86_64-unknown-linux-musl`.
pub(crate) const BUILD: &str = env!("OVERFOLD_BUILD");

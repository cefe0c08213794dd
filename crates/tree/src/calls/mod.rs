//! Calls of modules: where each leads, what it passes, and whether that is what the called module takes.

pub mod arguments;
pub mod check;
mod call;
pub mod codes;
pub(crate) mod outputs;
pub mod providers;
mod summary;

pub use call::{Call, Target};
pub use call::{calls, inputs};
pub use summary::{CallFacts, Summary};

/// Returns a path relative to a folder above it; `""` for the folder itself.
pub fn relative<'p>(path: &'p str, top: &str) -> &'p str {
    match path.strip_prefix(top) {
        Some(rest) if top.is_empty() || rest.is_empty() => rest,
        Some(rest) => rest.strip_prefix('/').unwrap_or(path),
        None => path,
    }
}

/// Like [`relative`], for display: `.` for the folder itself.
pub fn shown<'p>(path: &'p str, top: &str) -> &'p str {
    match relative(path, top) {
        "" => ".",
        path => path,
    }
}

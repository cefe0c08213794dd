//! What answers contain: views, which borrow from a report, and are written and documented from the same declaration.
//! [`JsonWriter::view`](crate::JsonWriter::view) writes them; the modules beside this one fill them in. A list or an object of
//! unbounded length is made item by item, while it is written.

use std::borrow::Cow;

use serde::Serialize;

mod diagnostics;
#[cfg(feature = "comparisons")]
mod diff;
mod module;
mod objects;
mod overrides;
mod place;
mod plan;
#[cfg(feature = "comparisons")]
mod plan_diff;
mod replacements;
#[cfg(feature = "comparisons")]
mod upgrade;
mod variables;
mod version_from;

pub use diagnostics::*;
#[cfg(feature = "comparisons")]
pub use diff::*;
pub use module::*;
pub use objects::*;
pub use overrides::*;
pub use place::*;
pub use plan::*;
#[cfg(feature = "comparisons")]
pub use plan_diff::*;
pub use replacements::*;
#[cfg(feature = "comparisons")]
pub use upgrade::*;
pub use variables::*;
pub use version_from::*;

/// A source text; `None` if it is hidden, which is written as null.
#[derive(Serialize, Clone, Debug)]
#[serde(transparent)]
pub struct HideableText<'a>(pub Option<Cow<'a, str>>);

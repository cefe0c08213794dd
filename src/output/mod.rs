//! A report to bytes. Reads everything, adds nothing: no diagnostic is made or changed here.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod answer;
mod config;
mod diagnostics;
pub(crate) mod json;
mod objects;
mod objects_alone;
mod overrides;
mod redaction;
pub mod syntax_tree;
mod variables;

pub use answer::{AnswerOptions, ConfigFormat, Include, answer, config_alone, diagnostics_alone};
pub use diagnostics::{Identity as FindingIdentity, ToolFinding, of_the_tool, text};
pub use objects_alone::{WrittenRange, effective_objects, shown_text, written_range};
pub use overrides::overrides_text;

//! A report to bytes. Reads everything, adds nothing: no diagnostic is made or changed here.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod answer;
mod config;
mod diagnostics;
mod difference;
mod json;
mod objects;
mod overrides;
mod plain;
mod redaction;
pub mod syntax_tree;
mod variables;

pub use answer::{AnswerOptions, ConfigFormat, Include, answer, config_alone, diagnostics_alone};
pub use diagnostics::{DiagnosticFormat, FORMATS, ReportOptions, as_text};
pub use difference::{Difference, MOST_MARKDOWN};
pub use overrides::overrides_text;

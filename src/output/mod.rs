//! A report to bytes. Reads everything, adds nothing: no diagnostic is made or changed here.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod answer;
mod config;
mod diagnostics;
mod json;
mod objects;
mod overrides;
mod redaction;
mod repository;
pub mod syntax_tree;
mod variables;

pub use answer::{AnswerOptions, ConfigFormat, Include, answer, config_alone, diagnostics_alone};
pub use diagnostics::{Counts, findings, text};
pub use overrides::overrides_text;
pub use repository::{RepositoryAnswer, Shape};

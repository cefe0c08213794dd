//! A report to bytes. Reads everything, adds nothing: no diagnostic is made or changed here.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod answer;
mod changes;
mod config;
mod diagnostics;
mod json;
mod objects;
mod redaction;
pub mod syntax_tree;
mod variables;

pub use answer::{AnswerOptions, ConfigFormat, Include, answer, config_alone, diagnostics_alone};
pub use changes::changes;
pub use diagnostics::text;

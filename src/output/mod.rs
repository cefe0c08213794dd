//! Turns a report into bytes. This module reads everything and adds nothing: no diagnostic is created or changed here.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod answer;
mod config;
mod diagnostics;
mod difference;
pub(crate) mod json;
mod objects;
mod objects_alone;
mod overrides;
mod plain;
mod redaction;
mod repository;
pub mod syntax_tree;
mod variables;

pub use answer::{AnswerOptions, ConfigFormat, Include, answer, config_alone, diagnostics_alone};
pub use diagnostics::{
    DiagnosticFormat, Document as DiagnosticsDocument, FORMATS, Identity as FindingIdentity, ReportOptions,
    ToolFinding, of_the_tool,
};
pub use difference::{Difference, DifferenceForm, MOST_MARKDOWN, MOST_TEXT, TreeDifference};
pub use objects_alone::{WrittenRange, effective_objects, shown_text, written_range};
pub use overrides::overrides_text;
pub use repository::{RepositoryAnswer, Shape};

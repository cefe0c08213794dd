//! Turns a report into bytes. A writer reads everything and adds nothing: it creates and changes no diagnostic. What a form
//! of the configuration cannot say, [`form_notes()`] tells in advance.

#![cfg_attr(not(feature = "openapi"), expect(unused_imports, reason = "descriptions of types name other types"))]
#![cfg_attr(not(feature = "comparisons"), expect(dead_code, reason = "what two sides need and one does not"))]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod align;
mod answer;
mod bounded;
pub mod codes;
mod comment;
mod config;
mod diagnostics;
#[cfg(feature = "comparisons")]
mod difference;
mod excerpt;
mod extent;
pub mod json;
mod objects;
mod effective_objects;
mod form_notes;
mod overrides;
mod plain;
mod plan;
mod redaction;
mod resolved;
mod repository;
mod variables;
mod summary;
pub mod view;

pub use answer::{AnswerOptions, ConfigFormat, Include, answer, config_only, diagnostics_only};
pub use comment::{LinkBase, MAX_MARKDOWN};
pub use diagnostics::{
    DiagnosticFormat, Document as DiagnosticsDocument, FORMATS, Identity as FindingIdentity, ReportOptions,
    ToolFinding, tool_findings,
};
#[cfg(feature = "comparisons")]
pub use difference::{
    Difference, DifferenceForm, Links as DifferenceLinks, MAX_TEXT, PlanDifference, PlanDifferences, RootSide,
    TreeDifference, UpgradeDifference, UpgradeDifferences, UpgradeKeys, UpgradeKind, UpgradeVerdict, upgrade_keys,
};
pub use effective_objects::{WrittenRange, effective_objects, shown_text, written_range};
pub use form_notes::form_notes;
pub use json::{Container, JsonWriter};
pub use plan::{
    PlanAnswerOptions, RootPlansAnswer, RootPlansText, plan_answer, plan_document, plan_text, policy_mock,
};
pub use repository::{RepositoryAnswer, Shape};
pub use summary::{RepositorySummary, summary};

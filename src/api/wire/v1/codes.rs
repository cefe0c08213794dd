//! The meanings of diagnostic codes, on the wire.

use serde::Serialize;
use utoipa::ToSchema;

use super::{Origin, Severity};
use crate::codes;
use overfold_base::diag::{self, Code};

/// The answer of `GET /v1/diagnostics`: every code that a diagnostic can have, stage by stage.
#[derive(Serialize, ToSchema, Debug)]
pub struct CodeList {
    /// The codes, stage by stage.
    pub diagnostics: Vec<CodeEntry>,
}

/// The meaning of a code.
#[derive(Serialize, ToSchema, Debug)]
pub struct CodeEntry {
    /// The code, which is stable: the stage that reports it and the problem.
    #[schema(example = "override/missing-base")]
    pub code: &'static str,
    /// The title, in the words of the newest version that reports it, if one does. Upper-case words are placeholders
    /// for the parts that vary.
    #[schema(example = "Missing resource to override")]
    pub title: &'static str,
    /// The usual severity.
    pub severity: Severity,
    /// The usual origin; each diagnostic states its own.
    pub origin: Origin,
    /// What the code means and what to do about it.
    pub meaning: &'static str,
    /// The dialects whose recorded cases show the code; absent if none does. Other dialects may report it, too.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = json!(["terraform", "opentofu"]))]
    pub dialects: Option<&'static [String]>,
    /// A small input that shows the code, with the report and what to do; absent if no recorded case is small enough.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub example: Option<CodeExample>,
}

/// A small input that shows a code.
#[derive(Serialize, ToSchema, Debug)]
pub struct CodeExample {
    /// The dialect that reports it.
    #[schema(example = "terraform")]
    pub dialect: &'static str,
    /// The version, if it matters.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "1.11.4")]
    pub version: Option<&'static str>,
    /// The texts of the files by path.
    #[schema(value_type = std::collections::BTreeMap<String, String>)]
    pub files: &'static std::collections::BTreeMap<String, String>,
    /// The place where the code is reported: file, line and column, the latter both 1-based.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "override.tf:1:1")]
    pub at: Option<&'static str>,
    /// The title of the diagnostic.
    pub summary: &'static str,
    /// The detail of the diagnostic: what is wrong here, and what to do.
    pub detail: &'static str,
}

impl CodeList {
    /// Returns all codes.
    pub fn known() -> Self {
        Self { diagnostics: codes::all().map(CodeEntry::of).collect() }
    }
}

impl CodeEntry {
    /// Returns the entry of the code with this id; `None` if there is no such code.
    pub fn find(id: &str) -> Option<Self> {
        codes::find(id).map(Self::of)
    }

    fn of(code: &'static Code) -> Self {
        let example = codes::example(code.id).map(|example| CodeExample {
            dialect: &example.dialect,
            version: example.version.as_deref(),
            files: &example.files,
            at: example.at.as_deref(),
            summary: &example.summary,
            detail: &example.detail,
        });
        Self {
            code: code.id,
            title: code.title,
            severity: match code.severity {
                diag::Severity::Error => Severity::Error,
                diag::Severity::Warning => Severity::Warning,
                diag::Severity::Info => Severity::Info,
            },
            origin: match code.origin {
                diag::Origin::Tool => Origin::Tool,
                diag::Origin::ToolLater => Origin::ToolLater,
                diag::Origin::Overfold => Origin::Overfold,
            },
            meaning: code.about,
            dialects: Some(codes::dialects_with(code.id)).filter(|dialects| !dialects.is_empty()),
            example,
        }
    }
}

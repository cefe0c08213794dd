//! Findings.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::Range;

/// How bad a finding is.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The tool would refuse the configuration.
    Error,
    /// The tool would go on, with a word of warning.
    Warning,
    /// A note of ours about something that the tool does silently.
    Info,
}

/// Who would say it.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The real tool reports this for this input, at this stage.
    Tool,
    /// A note of ours, or a problem that the tool would show only once earlier ones are fixed.
    Overfold,
}

/// One finding, in the shape of `terraform validate -json` with fields of ours.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The kind, stable: the stage that found it and the problem.
    #[schema(example = "override/missing-base")]
    pub code: String,
    /// Whether the real tool would report it here.
    pub origin: Origin,
    /// The tool's own short title where it has one.
    #[schema(example = "Missing resource to override")]
    pub summary: String,
    /// What is wrong, why, and what to do.
    pub detail: String,
    /// The address of the object it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "aws_instance.web")]
    pub address: Option<String>,
    /// Where it is; absent where the tool gives no place. An empty range is widened by one byte and one column.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub range: Option<Range>,
    /// The source lines around the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub snippet: Option<Snippet>,
    /// Further places.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub related: Option<Vec<Related>>,
    /// With `recursive`: the module directory that it is about, `.` for the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "modules/network")]
    pub module: Option<String>,
}

/// Source lines around a place.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Snippet {
    /// The header of the enclosing block, `null` at the top of a file.
    pub context: Option<String>,
    /// Whole lines, joined by line feeds. `(redacted)` stands for what a sensitive or ephemeral value takes up, be it one
    /// line or many.
    #[schema(example = "resource \"aws_instance\" \"web\" {")]
    pub code: String,
    /// The line of the first one, 1-based.
    #[schema(example = 1)]
    pub start_line: u32,
    /// Where the place starts, in bytes of `code`.
    #[schema(example = 0)]
    pub highlight_start_offset: u32,
    /// Where the place ends, in bytes of `code`.
    #[schema(example = 29)]
    pub highlight_end_offset: u32,
    /// Values of the expressions in the place.
    pub values: Vec<SnippetValue>,
}

/// The value of an expression in a snippet.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct SnippetValue {
    /// The expression.
    #[schema(example = "var.size")]
    pub traversal: String,
    /// What is said about its value.
    #[schema(example = "is 3")]
    pub statement: String,
}

/// A second place that belongs to a finding.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Related {
    /// What is there.
    #[schema(example = "first declared here")]
    pub message: String,
    /// Where it is.
    pub range: Range,
}

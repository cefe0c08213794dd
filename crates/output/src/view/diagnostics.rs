//! Diagnostics, as they appear in answers.

use std::borrow::Cow;

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use super::Range;
pub use overfold_base::diag::{Origin, Severity};

/// One diagnostic, in the shape of `terraform validate -json` with additional fields.
#[derive(Serialize, ToSchema, Debug)]
pub struct Diagnostic<'a> {
    /// The severity, as changed by `severities`.
    pub severity: Severity,
    /// Its own severity, if the request changes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub default_severity: Option<Severity>,
    /// The kind of the diagnostic, which is stable: the stage that found it and the problem.
    #[schema(example = "override/missing-base")]
    pub code: &'static str,
    /// Who would report it: Terraform (or the dialect's product), here or later, or only overfold.
    pub origin: Origin,
    /// The short title: that of the dialect's product, if it has one.
    #[schema(example = "Missing resource to override")]
    pub summary: &'a str,
    /// What is wrong, why, and what to do.
    pub detail: Cow<'a, str>,
    /// The address of the object concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "aws_instance.web")]
    pub address: Option<&'a str>,
    /// Where it is; absent if it is reported without a place. An empty range is widened by one byte and one column.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub range: Option<Range<'a>>,
    /// The source lines around the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub snippet: Option<Snippet>,
    /// Further places.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub related: Vec<Related<'a>>,
    /// With `recursive`: the module directory concerned, `.` for the top directory.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "modules/network")]
    pub module: Option<&'a str>,
    /// In the answer of `POST /v1/upgrade`: the row of the version tables that explains why only one version reports it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "block:moved")]
    pub rule: Option<&'static str>,
}

/// Source lines around a place.
#[derive(Serialize, ToSchema, Debug)]
pub struct Snippet {
    /// The header of the enclosing block, `null` at the top of a file.
    pub context: Option<String>,
    /// Whole lines, joined by line feeds. `(redacted)` replaces a sensitive or ephemeral value, however many lines it
    /// takes up.
    #[schema(example = "resource \"aws_instance\" \"web\" {")]
    pub code: String,
    /// The number of the first line, 1-based.
    #[schema(example = 1)]
    pub start_line: u32,
    /// The start of the place, as a byte offset into `code`.
    #[schema(example = 0)]
    pub highlight_start_offset: u32,
    /// The end of the place, as a byte offset into `code`.
    #[schema(example = 29)]
    pub highlight_end_offset: u32,
    /// Values of the expressions at the place.
    pub values: Vec<SnippetValue>,
}

/// The value of an expression in a snippet.
#[derive(Serialize, ToSchema, Debug)]
pub struct SnippetValue {
    /// The expression.
    #[schema(example = "var.size")]
    pub traversal: String,
    /// A statement about its value.
    #[schema(example = "is 3")]
    pub statement: String,
}

/// A further place that belongs to a diagnostic.
#[derive(Serialize, ToSchema, Debug)]
pub struct Related<'a> {
    /// A description of what is there.
    #[schema(example = "first declared here")]
    pub message: &'a str,
    /// Where it is.
    pub range: Range<'a>,
}

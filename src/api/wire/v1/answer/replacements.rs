//! What was replaced by its value: `replacements`.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::Range;

/// An expression, or a part of one, that was replaced by its value.
#[derive(Serialize, ToSchema, Debug)]
#[schema(example = json!({
    "address": "aws_instance.web",
    "pointer": "/resource/aws_instance/web/0/tags",
    "argument": "tags",
    "before": {"expression": "var.env",
               "range": {"filename": "main.tf", "start": {"line": 7, "column": 22, "byte": 101},
                         "end": {"line": 7, "column": 29, "byte": 108}}},
    "after": {"expression": "\"prod\"", "value": "prod"}
}))]
pub struct Replacement {
    /// The address of the object.
    #[schema(example = "aws_instance.web")]
    pub address: String,
    /// JSON pointer (RFC 6901) into `config` in the form `tf-json`, to the argument. Absent if it has no place of its own
    /// there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "/resource/aws_instance/web/0/tags")]
    pub pointer: Option<String>,
    /// The name of the argument. Absent if the object is one itself: a local value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "tags")]
    pub argument: Option<String>,
    /// What was replaced.
    pub before: ReplacedExpression,
    /// What took its place.
    pub after: ReplacingValue,
}

/// What was replaced.
#[derive(Serialize, ToSchema, Debug)]
pub struct ReplacedExpression {
    /// Its source text, as written; null if it is secret.
    #[schema(example = "var.env")]
    pub expression: Option<String>,
    /// `true` if the expression is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// Its place.
    pub range: Range,
}

/// A value that took the place of an expression.
#[derive(Serialize, ToSchema, Debug)]
pub struct ReplacingValue {
    /// The value as an expression in native syntax. Lists, sets and maps are written with `tolist`, `toset` and `tomap`
    /// where it matters that they are.
    #[schema(example = "\"prod\"")]
    pub expression: String,
    /// The value as JSON.
    pub value: Value,
}

//! What was replaced by its value: `replacements`.

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use super::{HideableText, Range};
use crate::json::JsonText;

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
pub struct Replacement<'a> {
    /// The address of the object.
    #[schema(example = "aws_instance.web")]
    pub address: &'a str,
    /// JSON pointer (RFC 6901) into `config` in the form `tf-json`, to the argument. Absent if it has no place of its own
    /// there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "/resource/aws_instance/web/0/tags")]
    pub pointer: Option<&'a str>,
    /// The name of the argument. Absent if the object is one itself: a local value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "tags")]
    pub argument: Option<&'a str>,
    /// What was replaced.
    pub before: ReplacedExpression<'a>,
    /// What took its place.
    pub after: ReplacingValue<'a>,
}

/// What was replaced.
#[derive(Serialize, ToSchema, Debug)]
pub struct ReplacedExpression<'a> {
    /// Its source text, as written; null if it is secret.
    #[schema(value_type = Option<String>, example = "var.env")]
    pub expression: HideableText<'a>,
    /// `true` if the expression is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// Its place.
    pub range: Range<'a>,
}

/// A value that took the place of an expression.
#[derive(Serialize, ToSchema, Debug)]
pub struct ReplacingValue<'a> {
    /// The value as an expression in native syntax. Lists, sets and maps are written with `tolist`, `toset` and `tomap`
    /// where it matters that they are.
    #[schema(example = "\"prod\"")]
    pub expression: &'a str,
    /// The value as JSON.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Value, required = true)]
    pub value: Option<JsonText<'a>>,
}

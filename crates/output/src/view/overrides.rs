//! What overriding changed: the part `overrides`.

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use super::{HideableText, Range};
use crate::json::JsonText;

/// What an override file did to a part of the configuration.
#[derive(Serialize, ToSchema, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum OverrideChange {
    /// An argument replaced another one.
    Replaced,
    /// An argument or nested block was added.
    Added,
    /// An argument, nested block or object was removed and not replaced: it is lost. So is an argument that has no effect
    /// any more because of another one, as `for_each` beside `count`.
    Removed,
    /// A nested block or an object was replaced as a whole.
    BlockReplaced,
    /// An object that no primary file declares was added.
    ObjectAdded,
    /// The override file contains it, but it changed nothing.
    Ignored,
}

/// One change by an override file. Anything that a block loses because it is replaced as a whole is a separate entry.
#[derive(Serialize, ToSchema, Debug)]
pub struct Override<'a> {
    /// The address of the object. In a list of blocks (dialect `tflint`), type and labels joined by dots.
    #[schema(example = "aws_instance.web")]
    pub address: &'a str,
    /// JSON pointer (RFC 6901) into `config` in the form `tf-json`, to the final part, which may come from a later
    /// override file. Absent if nothing of it is left.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "/resource/aws_instance/web/0/ami")]
    pub pointer: Option<&'a str>,
    /// What happened.
    pub change: OverrideChange,
    /// The name of the argument concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "ami")]
    pub argument: Option<&'a str>,
    /// The type of the nested block concerned. If both `argument` and `block` are absent, the object itself is
    /// concerned.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub block: Option<&'a str>,
    /// What was there before. For something ignored: what is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<OverrideSide<'a>>,
    /// What the override file put there. For something ignored: what has no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<OverrideSide<'a>>,
    /// The override file.
    #[schema(example = "override.tf")]
    pub file: &'a str,
    /// The place in the override file that caused the change: the new part, the ignored one, or the block that removed
    /// something.
    pub cause: Range<'a>,
    /// The header of the block that contains the part.
    pub within: Range<'a>,
    /// The reason: the id of the rule in the dialect's table (`GET /v1/dialects/{name}`).
    #[schema(example = "replace")]
    pub rule: &'static str,
}

/// One side of what an override changed.
#[derive(Serialize, ToSchema, Debug)]
pub struct OverrideSide<'a> {
    /// The source text of an argument's expression, as written; null if it is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "\"ami-408c7f28\"")]
    pub expression: Option<HideableText<'a>>,
    /// The value of an expression without references and function calls.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub value: Option<JsonText<'a>>,
    /// `true` if the expression is secret.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// The place from the name of an argument to the end of its expression, or the whole block.
    pub range: Range<'a>,
}

//! What overriding changed: the part `overrides`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::Range;

/// What became of a part of the configuration through an override file.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum OverrideChange {
    /// An argument took the place of one.
    Replaced,
    /// An argument or nested block is new.
    Added,
    /// An argument, nested block or object is gone and nothing took its place: it is lost.
    Removed,
    /// A nested block or an object as a whole took the place of one.
    BlockReplaced,
    /// An object that no primary file declares is new.
    ObjectAdded,
    /// The override file has it, and it changed nothing.
    Ignored,
}

/// One act of an override file. What a block loses because it is replaced as a whole is an entry of its own.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Override {
    /// The object, by its address. In a list of blocks (dialect `tflint`): type and labels joined by dots.
    #[schema(example = "aws_instance.web")]
    pub address: String,
    /// JSON Pointer (RFC 6901) into `config` in the format `tf-json`: to what is there in the end, which a later override file
    /// may have put there. Absent where nothing of it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "/resource/aws_instance/web/0/ami")]
    pub pointer: Option<String>,
    /// What happened.
    pub change: OverrideChange,
    /// The name of the argument that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "ami")]
    pub argument: Option<String>,
    /// The type of the nested block that it is about. Where both are absent it is about the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub block: Option<String>,
    /// What was there. Of something ignored: what is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<OverrideSide>,
    /// What the override file put there. Of something ignored: what has no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<OverrideSide>,
    /// The override file.
    #[schema(example = "override.tf")]
    pub file: String,
    /// What in the override file did it: the new part, the ignored one, or the block that removed something.
    pub cause: Range,
    /// The header of the block around the part.
    pub within: Range,
    /// Why: the id of the rule in the dialect's table (`GET /v1/dialects/{name}`).
    #[schema(example = "replace")]
    pub rule: String,
}

/// One side of what an override changed.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct OverrideSide {
    /// The source text of an argument's expression, as written; null where it is secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "\"ami-408c7f28\"")]
    pub expression: Option<String>,
    /// The value of an expression that refers to nothing and calls nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The expression is secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// From the name of an argument to the end of its expression; the whole of a block.
    pub range: Range,
}

//! The content of the merged module: objects, their arguments and blocks.

use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use super::Range;

/// An object with an address.
#[derive(Serialize, ToSchema, Debug)]
pub struct ConfigObject {
    /// The kind of the object: `resource`, `data`, `variable`, …
    #[schema(example = "resource")]
    pub kind: String,
    /// The header of its declaration, from the keyword to the last label; in JSON, the bracket that opens the body. For
    /// an object that is an argument (a local value, the requirement of a provider), the same place as `range`. For one
    /// that an override replaces as a whole (a local value, a backend), the declaration that takes effect.
    pub header: Range,
    /// The whole block, from the keyword to the closing brace; in JSON, the value that is its body. The whole argument
    /// if the object is one.
    pub range: Range,
    /// The header of each override block that was merged into the object or replaced it, in order; absent if there is
    /// none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overridden_by: Option<Vec<Range>>,
    /// Labels that are not part of the address, such as the type of a backend.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = json!(["s3"]))]
    pub labels: Option<Vec<String>>,
    /// The declared type constraint of a variable or output.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub type_: Option<String>,
    /// The default of a variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// `true` if `default` is not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// For `opentofu`: the evaluated source and version of a module call. Absent if the source could not be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub evaluated: Option<EvaluatedCall>,
    /// For `opentofu`: the keys from the `for_each` of a provider configuration, sorted. Absent if it has none or it
    /// could not be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = json!(["eu", "us"]))]
    pub instance_keys: Option<Vec<String>>,
    /// Arguments by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub attributes: Option<BTreeMap<String, Attribute>>,
    /// Arguments in an escape block `_`, whose names would otherwise be meta-arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub escaped: Option<BTreeMap<String, Attribute>>,
    /// Nested blocks, in final order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub blocks: Option<Vec<Block>>,
    /// Nested blocks that an override removed, oldest first; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub removed_blocks: Option<Vec<Block>>,
    /// `terraform.required_version`: all constraints that apply together. Those of an override replace all earlier
    /// ones, which are listed under `previous` of the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub constraints: Option<Vec<Constraint>>,
}

/// The evaluated source and version of a module call.
#[derive(Serialize, ToSchema, Debug)]
pub struct EvaluatedCall {
    /// The source as text, which may not be a valid address. Null if redacted.
    #[schema(example = "./modules/net")]
    pub source: Option<String>,
    /// The version constraint, if there is one that can be parsed and may be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "~> 3.1")]
    pub version: Option<String>,
    /// `true` if one of them is not shown because it depends on the value of a sensitive or ephemeral variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
}

/// An argument: the expression that takes effect, and what it replaced.
#[derive(Serialize, ToSchema, Debug)]
pub struct Attribute {
    /// The source text of the effective expression, exactly as written; null if redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "\"green\"")]
    pub expression: Option<String>,
    /// `true` if the expression is not shown because it contains a sensitive or ephemeral value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true`, instead of `expression`, if the expression has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// The place from the argument's name to the end of the expression.
    pub range: Range,
    /// The value assigned by an expansion (`expand`). Absent if it assigned none, or if the value is unknown, sensitive
    /// or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// `true` if an override file added the argument to a block that had none with this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub added: Option<bool>,
    /// What the argument replaced, oldest first; absent if nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub previous: Option<Vec<Replaced>>,
}

/// One of several constraints that apply together.
#[derive(Serialize, ToSchema, Debug)]
pub struct Constraint {
    /// The source text exactly as written; null if redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "\">= 1.5\"")]
    pub expression: Option<String>,
    /// `true` if the expression is not shown because it contains a sensitive or ephemeral value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true`, instead of `expression`, if the expression has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// The place from the argument's name to the end of the expression.
    pub range: Range,
    /// What the constraint replaced, oldest first; absent if nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub previous: Option<Vec<Replaced>>,
}

/// An argument that was replaced.
#[derive(Serialize, ToSchema, Debug)]
pub struct Replaced {
    /// The source text exactly as written; null if redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "\"blue\"")]
    pub expression: Option<String>,
    /// `true` if the expression is not shown because it contains a sensitive or ephemeral value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true`, instead of `expression`, if the expression has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// The place from the argument's name to the end of the expression.
    pub range: Range,
}

/// A nested block.
#[derive(Serialize, ToSchema, Debug)]
pub struct Block {
    /// The block type.
    #[serde(rename = "type")]
    #[schema(example = "lifecycle")]
    pub type_: String,
    /// Labels, in order.
    pub labels: Vec<String>,
    /// The place from the keyword to the last label; in JSON, the bracket that opens the body.
    pub header: Range,
    /// The whole block, from the keyword to the closing brace; in JSON, the value that is its body.
    pub range: Range,
    /// The header of each override block that was merged in, in order; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overridden_by: Option<Vec<Range>>,
    /// Arguments by name.
    pub attributes: BTreeMap<String, Attribute>,
    /// Arguments in an escape block `_`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub escaped: Option<BTreeMap<String, Attribute>>,
    /// Nested blocks, in final order.
    #[schema(no_recursion)]
    pub blocks: Vec<Block>,
    /// Nested blocks that an override removed, oldest first; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, no_recursion)]
    pub removed_blocks: Option<Vec<Block>>,
}

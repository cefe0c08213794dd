//! What the merged module consists of: objects, their arguments and blocks.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::Range;

/// A thing with an address.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct ConfigObject {
    /// `resource`, `data`, `variable`, …
    #[schema(example = "resource")]
    pub kind: String,
    /// The header of its declaration. Of an object that an override replaces as a whole (a local value, a backend), of
    /// the declaration that takes effect.
    pub declared: Range,
    /// The same place as `declared`: from the keyword to the last label; in JSON the bracket that opens the body. Absent
    /// where the object is an argument (a local value, the requirement of a provider), which has no header.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub header: Option<Range>,
    /// The whole block, from the keyword to the closing brace; in JSON the value that is its body. The whole argument
    /// where the object is one.
    pub range: Range,
    /// The header of each override block that was merged in or took its place, in order; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overridden: Option<Vec<Range>>,
    /// Labels that the address does not hold, such as the type of a backend.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = json!(["s3"]))]
    pub labels: Option<Vec<String>>,
    /// The type constraint of a variable or output as it is declared.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub type_: Option<String>,
    /// A variable's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// `default` is not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `opentofu`: what the source and version of a module call come to. Absent where the source could not be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolved: Option<ResolvedModule>,
    /// `opentofu`: the keys that the `for_each` of a provider configuration gives, sorted. Absent where there is none or it
    /// could not be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = json!(["eu", "us"]))]
    pub instances: Option<Vec<String>>,
    /// Arguments by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub attributes: Option<BTreeMap<String, Attribute>>,
    /// Arguments of an escape block `_`, whose names would otherwise be meta-arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub escaped: Option<BTreeMap<String, Attribute>>,
    /// Nested blocks in final order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub blocks: Option<Vec<Block>>,
    /// Nested blocks that an override removed, oldest first; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overrode_blocks: Option<Vec<Block>>,
    /// `terraform.required_version`: all constraints that hold together. Those of an override replace all earlier ones,
    /// which stand as `overrode` at the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub constraints: Option<Vec<Constraint>>,
}

/// What the source and version of a module call come to.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct ResolvedModule {
    /// The source as text; it may be no valid address. Null when redacted.
    #[schema(example = "./modules/net")]
    pub source: Option<String>,
    /// The version constraint, where one is given, can be read and may be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "~> 3.1")]
    pub version: Option<String>,
    /// `true`: the value of a sensitive or ephemeral variable takes part in one of them, which is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
}

/// An argument: the winner, and what it replaced.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// The winner's source text exactly as written; null when redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "\"green\"")]
    pub expression: Option<String>,
    /// `true`: the expression is not shown because a sensitive or ephemeral value stands in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true` in place of `expression` where it has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// From the argument's name to the end of the expression.
    pub range: Range,
    /// The value that the step of an expansion gives it (`expand`). Absent where none has, or where it is not known,
    /// sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// `true`: an override file added the argument to a block that had none of its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub added: Option<bool>,
    /// What it replaced, oldest first; absent when there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overrode: Option<Vec<Replaced>>,
}

/// One of several constraints that hold together.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Its source text exactly as written; null when redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "\">= 1.5\"")]
    pub expression: Option<String>,
    /// `true`: the expression is not shown because a sensitive or ephemeral value stands in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true` in place of `expression` where it has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// From the argument's name to the end of the expression.
    pub range: Range,
    /// What it replaced, oldest first; absent when there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overrode: Option<Vec<Replaced>>,
}

/// An argument that was replaced.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Replaced {
    /// Its source text exactly as written; null when redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "\"blue\"")]
    pub expression: Option<String>,
    /// `true`: the expression is not shown because a sensitive or ephemeral value stands in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true` in place of `expression` where it has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// From the argument's name to the end of the expression.
    pub range: Range,
}

/// A nested block.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The block type.
    #[serde(rename = "type")]
    #[schema(example = "lifecycle")]
    pub type_: String,
    /// Labels in order.
    pub labels: Vec<String>,
    /// From the keyword to the last label; in JSON the bracket that opens the body. Absent where that is all there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub header: Option<Range>,
    /// The whole block, from the keyword to the closing brace; in JSON the value that is its body.
    pub range: Range,
    /// The header of each override block that was merged in, in order; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overridden: Option<Vec<Range>>,
    /// Arguments by name.
    pub attributes: BTreeMap<String, Attribute>,
    /// Arguments of an escape block `_`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub escaped: Option<BTreeMap<String, Attribute>>,
    /// Nested blocks in final order.
    #[schema(no_recursion)]
    pub blocks: Vec<Block>,
    /// Nested blocks that an override removed, oldest first; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, no_recursion)]
    pub overrode_blocks: Option<Vec<Block>>,
}

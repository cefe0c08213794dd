//! The content of the merged module: objects, their arguments and blocks.

use std::borrow::Cow;

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use super::{HideableText, Range};
use crate::json::JsonText;
pub(crate) use crate::objects::{Arguments, NestedBlocks};

/// An object with an address.
#[derive(Serialize, ToSchema)]
pub struct ConfigObject<'a> {
    /// The kind of the object: `resource`, `data`, `variable`, …
    #[schema(example = "resource")]
    pub kind: &'static str,
    /// The header of its declaration, from the keyword to the last label; in JSON, the bracket that opens the body. For
    /// an object that is an argument (a local value, the requirement of a provider), the same place as `range`. For one
    /// that an override replaces as a whole (a local value, a backend), the declaration that takes effect.
    pub header: Range<'a>,
    /// The whole block, from the keyword to the closing brace; in JSON, the value that is its body. The whole argument
    /// if the object is one.
    pub range: Range<'a>,
    /// The header of each override block that was merged into the object or replaced it, in order; absent if there is
    /// none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overridden_by: Vec<Range<'a>>,
    /// Labels that are not part of the address, such as the type of a backend.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    #[schema(example = json!(["s3"]))]
    pub labels: Vec<&'a str>,
    /// The declared type constraint of a variable or output.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub type_: Option<Cow<'a, str>>,
    /// The default of a variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub default: Option<JsonText<'a>>,
    /// `true` if `default` is not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// For `opentofu`: the evaluated source and version of a module call. Absent if the source could not be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub evaluated: Option<EvaluatedCall<'a>>,
    /// For `opentofu`: the keys from the `for_each` of a provider configuration, sorted. Absent if it has none or it
    /// could not be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = json!(["eu", "us"]))]
    pub instance_keys: Option<Vec<&'a str>>,
    /// Arguments by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Attribute<'a>>>, nullable = false)]
    pub attributes: Option<Arguments<'a>>,
    /// Arguments in an escape block `_`, whose names would otherwise be meta-arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Attribute<'a>>>, nullable = false)]
    pub escaped: Option<Arguments<'a>>,
    /// Nested blocks, in final order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Block<'a>>>, nullable = false)]
    pub blocks: Option<NestedBlocks<'a>>,
    /// Nested blocks that an override removed, oldest first; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Block<'a>>>, nullable = false)]
    pub removed_blocks: Option<NestedBlocks<'a>>,
    /// `terraform.required_version`: all constraints that apply together. Those of an override replace all earlier
    /// ones, which are listed under `previous` of the first one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub constraints: Option<Vec<Constraint<'a>>>,
}

/// The evaluated source and version of a module call.
#[derive(Serialize, ToSchema, Debug)]
pub struct EvaluatedCall<'a> {
    /// The source as text, which may not be a valid address. Null if redacted.
    #[schema(example = "./modules/net")]
    pub source: Option<&'a str>,
    /// The version constraint, if there is one that can be parsed and may be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "~> 3.1")]
    pub version: Option<&'a str>,
    /// `true` if one of them is not shown because it depends on the value of a sensitive or ephemeral variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
}

/// An argument: the expression that takes effect, and what it replaced.
#[derive(Serialize, ToSchema, Debug)]
pub struct Attribute<'a> {
    /// The source text of the effective expression, exactly as written; null if redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "\"green\"")]
    pub expression: Option<HideableText<'a>>,
    /// `true` if the expression is not shown because it contains a sensitive or ephemeral value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true`, instead of `expression`, if the expression has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// The place from the argument's name to the end of the expression.
    pub range: Range<'a>,
    /// The value assigned by an expansion (`expand`). Absent if it assigned none, or if the value is unknown, sensitive
    /// or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub value: Option<JsonText<'a>>,
    /// `true` if an override file added the argument to a block that had none with this name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub added: Option<bool>,
    /// What the argument replaced, oldest first; absent if nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub previous: Vec<Replaced<'a>>,
}

/// One of several constraints that apply together.
#[derive(Serialize, ToSchema, Debug)]
pub struct Constraint<'a> {
    /// The source text exactly as written; null if redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "\">= 1.5\"")]
    pub expression: Option<HideableText<'a>>,
    /// `true` if the expression is not shown because it contains a sensitive or ephemeral value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true`, instead of `expression`, if the expression has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// The place from the argument's name to the end of the expression.
    pub range: Range<'a>,
    /// What the constraint replaced, oldest first; absent if nothing.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub previous: Vec<Replaced<'a>>,
}

/// An argument that was replaced.
#[derive(Serialize, ToSchema, Debug)]
pub struct Replaced<'a> {
    /// The source text exactly as written; null if redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "\"blue\"")]
    pub expression: Option<HideableText<'a>>,
    /// `true` if the expression is not shown because it contains a sensitive or ephemeral value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true`, instead of `expression`, if the expression has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// The place from the argument's name to the end of the expression.
    pub range: Range<'a>,
}

/// A nested block.
#[derive(Serialize, ToSchema)]
pub struct Block<'a> {
    /// The block type.
    #[serde(rename = "type")]
    #[schema(example = "lifecycle")]
    pub type_: &'a str,
    /// Labels, in order.
    pub labels: Vec<&'a str>,
    /// The place from the keyword to the last label; in JSON, the bracket that opens the body.
    pub header: Range<'a>,
    /// The whole block, from the keyword to the closing brace; in JSON, the value that is its body.
    pub range: Range<'a>,
    /// The header of each override block that was merged in, in order; absent if there is none.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub overridden_by: Vec<Range<'a>>,
    /// Arguments by name.
    #[schema(value_type = BTreeMap<String, Attribute<'a>>)]
    pub attributes: Arguments<'a>,
    /// Arguments in an escape block `_`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Attribute<'a>>>, nullable = false)]
    pub escaped: Option<Arguments<'a>>,
    /// Nested blocks, in final order.
    #[schema(value_type = Vec<Block<'a>>, no_recursion)]
    pub blocks: NestedBlocks<'a>,
    /// Nested blocks that an override removed, oldest first; absent if there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Block<'a>>>, nullable = false, no_recursion)]
    pub removed_blocks: Option<NestedBlocks<'a>>,
}

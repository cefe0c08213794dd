//! Input variables: the part `variables`.

use std::borrow::Cow;

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use crate::json::JsonText;
pub use overfold_module::vars::ValueState;

/// An input variable.
#[derive(Serialize, ToSchema, Default, Debug)]
pub struct Variable<'a> {
    /// The type constraint as declared.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "list(string)")]
    pub type_: Option<Cow<'a, str>>,
    /// The declared default.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub default: Option<JsonText<'a>>,
    /// `true` if `value` and `default` are not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// Whether the declaration marks it as sensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sensitive: Option<bool>,
    /// Whether the variable accepts null as a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub nullable: Option<bool>,
    /// The final value. `null`, with `redacted`, if it is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub value: Option<JsonText<'a>>,
    /// What is known about the value; absent if values were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub state: Option<ValueState>,
    /// The type of the final value in cty's JSON form. Null if the value is redacted and the declaration leaves its
    /// type open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>, example = json!(["list", "string"]))]
    pub value_type: Option<JsonText<'a>>,
    /// Where the value comes from: one source, or the list of all sources of a map merged from several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub from: Option<ValueSources<'a>>,
    /// The sources that were superseded, highest precedence first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub superseded: Option<Vec<ValueSource<'a>>>,
}

/// Where a value comes from.
#[derive(Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum ValueSources<'a> {
    /// One source.
    One(ValueSource<'a>),
    /// The sources of a map merged from several, lowest precedence first.
    Merged(Vec<ValueSource<'a>>),
}

/// A source of a variable's value.
#[derive(Serialize, ToSchema, Default, Debug)]
pub struct ValueSource<'a> {
    /// The kind of source: `default`, `env`, `file`, `var`, `var_file` or `value`.
    #[schema(example = "env")]
    pub kind: &'static str,
    /// The name of the environment variable, for `env`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "TF_VAR_region")]
    pub name: Option<&'a str>,
    /// The 0-based index into `args`, for `var`, `var_file` and `value`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub index: Option<u32>,
    /// The path of the variable definitions file, for `file` and `var_file`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<&'a str>,
    /// The value from this source, if it was superseded; `null` if it is not known or not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>)]
    pub value: Option<JsonText<'a>>,
    /// `true` if the value is not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
}

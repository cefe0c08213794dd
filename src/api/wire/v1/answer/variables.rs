//! Input variables: the part `variables`.

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

/// What is known about a variable's value.
#[derive(Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ValueState {
    /// The value is known.
    Known,
    /// The value depends on something that is known only during a run.
    Unknown,
    /// The value is invalid; a diagnostic explains why.
    Error,
}

/// An input variable.
#[derive(Serialize, ToSchema, Debug)]
pub struct Variable {
    /// The type constraint as declared.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "list(string)")]
    pub type_: Option<String>,
    /// The declared default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The final value. `null`, with `redacted`, if it is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// What is known about the value; absent if values were not requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub state: Option<ValueState>,
    /// The type of the final value in cty's JSON form. Null if the value is redacted and the declaration leaves its
    /// type open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = json!(["list", "string"]))]
    pub value_type: Option<Value>,
    /// Whether the declaration marks it as sensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sensitive: Option<bool>,
    /// Whether the variable accepts null as a value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub nullable: Option<bool>,
    /// `true` if `value` and `default` are not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// Where the value comes from: one source, or the list of all sources of a map merged from several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub from: Option<ValueSources>,
    /// The sources that were superseded, highest precedence first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub superseded: Option<Vec<ValueSource>>,
}

/// Where a value comes from.
#[derive(Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum ValueSources {
    /// One source.
    One(ValueSource),
    /// The sources of a map merged from several, lowest precedence first.
    Merged(Vec<ValueSource>),
}

/// A source of a variable's value.
#[derive(Serialize, ToSchema, Debug)]
pub struct ValueSource {
    /// The kind of source: `default`, `env`, `file`, `var`, `var_file` or `value`.
    #[schema(example = "env")]
    pub kind: String,
    /// The name of the environment variable, for `env`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "TF_VAR_region")]
    pub name: Option<String>,
    /// The path of the variable definitions file, for `file` and `var_file`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
    /// The 0-based index into `args`, for `var`, `var_file` and `value`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub index: Option<u32>,
    /// The value from this source, if it was superseded; `null` if it is not known or not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// `true` if the value is not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
}

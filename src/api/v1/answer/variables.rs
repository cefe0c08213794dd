//! Input variables: the part `variables`.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

/// What is known of a variable's value.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ValueState {
    /// The value is known.
    Known,
    /// The value depends on something that is only known in a run.
    Unknown,
    /// The value is wrong; a diagnostic says how.
    Error,
}

/// An input variable.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// The type constraint as it is declared.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "list(string)")]
    pub type_: Option<String>,
    /// The declared default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The final value. `null` with `redacted` where it is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// What is known of the value; absent when values were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub state: Option<ValueState>,
    /// The final value's type in cty's JSON form. Null where the value is redacted and the declaration leaves its type
    /// open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = json!(["list", "string"]))]
    pub value_type: Option<Value>,
    /// Whether the declaration marks it as sensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sensitive: Option<bool>,
    /// Whether null is a value that it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub nullable: Option<bool>,
    /// `value` and `default` are not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// Where the value comes from: a source, or the list of all sources of a map merged from several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub from: Option<ValueSources>,
    /// The sources that it hid, highest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hid: Option<Vec<ValueSource>>,
}

/// Where a value comes from.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum ValueSources {
    /// One source.
    One(ValueSource),
    /// The sources of a map that was merged from several, lowest first.
    Merged(Vec<ValueSource>),
}

/// A source of a variable's value.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
pub struct ValueSource {
    /// `default`, `env`, `file`, `var`, `var_file` or `value`.
    #[schema(example = "env")]
    pub kind: String,
    /// The environment variable, for `env`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "TF_VAR_region")]
    pub name: Option<String>,
    /// The definitions file, for `file` and `var_file`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
    /// 0-based index into `args`, for `var`, `var_file` and `value`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub index: Option<u32>,
    /// The value that this source gives, for a hidden one; `null` where it is not known or not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The value is not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
}

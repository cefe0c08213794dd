//! The requests of `POST /v1/diff`.

use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::MergeOptions;
use overfold_engine::json::Object;

/// The body of `POST /v1/diff` as `application/json`.
#[derive(Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'a"))]
#[schema(example = json!({
    "before": {"files": {"main.tf": "resource \"terraform_data\" \"web\" {\n  input = \"blue\"\n}\n"}},
    "after": {"files": {"main.tf": "resource \"terraform_data\" \"web\" {\n  input = \"green\"\n}\n"}}
}))]
pub struct DiffRequest<'a> {
    /// The first side: a request object as for `POST /v1/merge`, without `include` and `config_format`, since a
    /// difference has no parts of a module. With `path_prefix`, file names start with that prefix and are relative to
    /// the upload. With `fail_on`, the status is 422 if this side has such a finding.
    #[serde(borrow)]
    #[schema(value_type = Object)]
    pub before: &'a RawValue,
    /// The second side. Without `files`, it uses the files of `before`, but none of its options, so the same files can
    /// be compared in two dialects or versions, or with two roots or sets of values. `recursive` must be the same on
    /// both sides; `paths` of either side applies to both.
    #[serde(borrow)]
    #[schema(value_type = Object)]
    pub after: &'a RawValue,
}

/// The part `options` of the form of `POST /v1/diff`.
#[derive(Deserialize, ToSchema, Debug, Default)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({"before": {"version": "1.5"}, "after": {"version": "1.11"}}))]
pub struct DiffOptions {
    /// Options for the part `before`.
    #[serde(default, deserialize_with = "side")]
    #[schema(value_type = Option<MergeOptions>, nullable = false)]
    pub before: Option<MergeOptions>,
    /// Options for the part `after`. If they are given, that part may be left out; the archive `before` is then used
    /// for both sides.
    #[serde(default, deserialize_with = "side")]
    #[schema(value_type = Option<MergeOptions>, nullable = false)]
    pub after: Option<MergeOptions>,
}

/// Deserializes an object that may be missing, but not `null`.
fn side<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<MergeOptions>, D::Error> {
    Object::deserialize(deserializer).map(|Object(options)| Some(options))
}

/// The body of `POST /v1/diff` as `multipart/form-data`.
#[derive(ToSchema, Debug)]
#[expect(dead_code, reason = "documentation only: wire::form reads the parts")]
pub struct DiffForm {
    /// One archive: tar, tar.gz, tar.zst or zip.
    #[schema(value_type = String, format = Binary)]
    before: Vec<u8>,
    /// Another archive. It may be left out if `options` has `after`.
    #[schema(required = false, value_type = String, format = Binary)]
    after: Vec<u8>,
    /// The options for both sides as `application/json`.
    #[schema(required = false)]
    options: DiffOptions,
    /// The option `provider_schemas` of both sides, as a part of its own.
    #[schema(required = false, value_type = Object)]
    provider_schemas: (),
}

//! The requests of `POST /v1/diff` and `POST /v1/plan-diff`.

use serde::Deserialize;
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{MergeOptions, PlanOptions};
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
    /// the upload. With `fail_on`, the status is 422 if this side has such a diagnostic.
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

/// The part `options` of a form with two sides.
#[derive(Deserialize, Debug)]
#[serde(deny_unknown_fields, bound(deserialize = "O: Deserialize<'de>"))]
pub(crate) struct PairOptions<O> {
    /// Options for the part `before`.
    #[serde(default = "none", deserialize_with = "side")]
    pub(crate) before: Option<O>,
    /// Options for the part `after`.
    #[serde(default = "none", deserialize_with = "side")]
    pub(crate) after: Option<O>,
}

const fn none<O>() -> Option<O> {
    None
}

/// Deserializes an object that may be missing, but not `null`.
fn side<'de, D: serde::Deserializer<'de>, O: Deserialize<'de>>(deserializer: D) -> Result<Option<O>, D::Error> {
    Object::deserialize(deserializer).map(|Object(options)| Some(options))
}

/// The part `options` of the form of `POST /v1/diff`.
#[derive(Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "documentation only: PairOptions is what is read")]
#[schema(example = json!({"before": {"version": "1.5"}, "after": {"version": "1.11"}}))]
pub struct DiffOptions {
    /// Options for the part `before`.
    #[schema(value_type = Option<MergeOptions>, nullable = false)]
    before: Option<MergeOptions>,
    /// Options for the part `after`. If they are given, that part may be left out; the archive `before` is then used
    /// for both sides.
    #[schema(value_type = Option<MergeOptions>, nullable = false)]
    after: Option<MergeOptions>,
}

/// The part `options` of the form of `POST /v1/plan-diff`.
#[derive(Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
#[expect(dead_code, reason = "documentation only: PairOptions is what is read")]
#[schema(example = json!({"before": {"unset_variables": "unknown"}, "after": {"unset_variables": "unknown"}}))]
pub struct PlanDiffOptions {
    /// Options for the part `before`.
    #[schema(value_type = Option<PlanOptions>, nullable = false)]
    before: Option<PlanOptions>,
    /// Options for the part `after`. If they are given, that part may be left out; the archive `before` is then used
    /// for both sides.
    #[schema(value_type = Option<PlanOptions>, nullable = false)]
    after: Option<PlanOptions>,
}

/// The body of `POST /v1/plan-diff` as `application/json`.
#[derive(Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'a"))]
#[expect(dead_code, reason = "documentation only: both routes with two sides read a DiffRequest")]
#[schema(example = json!({
    "before": {"files": {"main.tf": "resource \"terraform_data\" \"web\" {\n  input = \"blue\"\n}\n"}},
    "after": {"files": {"main.tf": "resource \"terraform_data\" \"site\" {\n  input = \"blue\"\n}\n"}}
}))]
pub struct PlanDiffRequest<'a> {
    /// The first side: a request object as for `POST /v1/plan`, without `include`, since a difference has no parts of a
    /// plan. With `path_prefix`, file names start with that prefix and are relative to the upload. With `fail_on`, the
    /// status is 422 if this side has such a diagnostic.
    #[serde(borrow)]
    #[schema(value_type = Object)]
    before: &'a RawValue,
    /// The second side. Without `files`, it uses the files of `before`, but none of its options, so the same files can be
    /// compared with two roots, sets of values or workspaces.
    #[serde(borrow)]
    #[schema(value_type = Object)]
    after: &'a RawValue,
}

/// The body of `POST /v1/plan-diff` as `multipart/form-data`.
#[derive(ToSchema, Debug)]
#[expect(dead_code, reason = "documentation only: wire::form reads the parts")]
pub struct PlanDiffForm {
    /// One archive: tar, tar.gz, tar.zst or zip.
    #[schema(value_type = String, format = Binary)]
    before: Vec<u8>,
    /// Another archive. It may be left out if `options` has `after`.
    #[schema(required = false, value_type = String, format = Binary)]
    after: Vec<u8>,
    /// The options for both sides as `application/json`.
    #[schema(required = false)]
    options: PlanDiffOptions,
    /// The option `provider_schemas` of both sides, as a part of its own.
    #[schema(required = false, value_type = Object)]
    provider_schemas: (),
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

//! What `POST /v1/diff` takes and gives.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{Diagnostic, Dialect, MergeOptions, Range};

/// The body of `POST /v1/diff` as `application/json`.
#[derive(Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields, bound(deserialize = "'de: 'a"))]
#[schema(example = json!({
    "before": {"files": {"main.tf": "resource \"terraform_data\" \"web\" {\n  input = \"blue\"\n}\n"}},
    "after": {"files": {"main.tf": "resource \"terraform_data\" \"web\" {\n  input = \"green\"\n}\n"}}
}))]
pub struct DiffRequest<'a> {
    /// What is compared: a request object as for `POST /v1/merge`, without `include` and `config_format`, since a difference has
    /// no parts of a module. With `path_prefix` files are named from the top of the upload, after the prefix. With `fail_on`
    /// the status is 422 when this side has such a finding.
    #[serde(borrow)]
    #[schema(value_type = Object)]
    pub before: &'a RawValue,
    /// What it is compared with. Without `files` those of `before` are taken, and nothing else of it: so the same files
    /// are compared between two dialects, versions, roots or values. `recursive` goes for both sides or for none; `paths` of
    /// either side counts for both.
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
    /// Options for the part `after`. Where they are given, that part may be left out: then it is the archive `before`.
    #[serde(default, deserialize_with = "side")]
    #[schema(value_type = Option<MergeOptions>, nullable = false)]
    pub after: Option<MergeOptions>,
}

/// An object that may be missing, but not `null`.
fn side<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<MergeOptions>, D::Error> {
    crate::api::json::Object::deserialize(deserializer).map(|crate::api::json::Object(options)| Some(options))
}

/// The body of `POST /v1/diff` as `multipart/form-data`.
#[derive(ToSchema, Debug)]
#[expect(dead_code, reason = "documentation only: api::form reads the parts")]
pub struct DiffForm {
    /// One archive: tar, tar.gz, tar.zst or zip.
    #[schema(value_type = String, format = Binary)]
    before: Vec<u8>,
    /// Another one.
    #[schema(required = false, value_type = String, format = Binary)]
    after: Vec<u8>,
    /// The options of both as `application/json`.
    #[schema(required = false)]
    options: DiffOptions,
}

/// The answer of `POST /v1/diff`.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct DiffAnswer {
    /// Whether the configurations differ in effect. What has only moved to another file is no difference, and neither are
    /// diagnostics; modules that were added or removed, or cannot be compared, are.
    pub different: bool,
    /// What was compared.
    pub before: DiffModule,
    /// What it was compared with.
    pub after: DiffModule,
    /// The objects that are not the same, sorted by address and place. With `recursive` there is `modules` in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changes: Option<Vec<DiffChange>>,
    /// With `recursive`: the module directories in which anything differs or is reported, by path below the root of either
    /// side, `.` for that itself. All file names are relative to the top of the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub modules: Option<BTreeMap<String, DiffModulePair>>,
    /// With `recursive`: how many module directories there are.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub module_counts: Option<DiffModuleCounts>,
    /// How many objects differ.
    pub counts: DiffCounts,
    /// The findings of both sides; with `recursive` each module has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics: Option<DiffDiagnostics>,
}

/// Two module directories of the same path.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct DiffModulePair {
    /// What happened to it.
    pub change: DiffModuleAct,
    /// What was compared; absent where the module was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffModule>,
    /// What it was compared with; absent where the module was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffModule>,
    /// The objects that are not the same, sorted by address and place: all of them where the module is on one side alone.
    pub changes: Vec<DiffChange>,
    /// How many there are.
    pub counts: DiffCounts,
    /// The findings of both sides.
    pub diagnostics: DiffDiagnostics,
}

/// What happened to a module.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum DiffModuleAct {
    /// It is there after and was not there before.
    Added,
    /// It was there before and is gone.
    Removed,
    /// It differs in effect.
    Changed,
    /// It does not differ in effect.
    Unchanged,
    /// A side cannot be run; its diagnostics say why.
    NotCompared,
}

/// How many module directories there are, those that are not listed among them.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct DiffModuleCounts {
    /// Modules that are added.
    pub added: u32,
    /// Modules that are removed.
    pub removed: u32,
    /// Modules that differ in effect.
    pub changed: u32,
    /// Modules that do not differ in effect.
    pub unchanged: u32,
    /// Modules of which a side cannot be run.
    pub not_compared: u32,
}

/// One side of a comparison.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct DiffModule {
    /// No diagnostic has severity `error`.
    pub valid: bool,
    /// Whose rules were followed.
    pub dialect: Dialect,
    /// The tool version that was followed.
    pub version: String,
    /// The module directory inside the files, `.` for the top.
    pub path: String,
    /// How many more findings there are than the answer lists; absent when it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics_dropped: Option<u32>,
}

/// What happened from one side to the other.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum DiffAct {
    /// It is there after and was not there before.
    Added,
    /// It was there before and is gone.
    Removed,
    /// It says something else.
    Changed,
    /// An object says the same and stands in another file. No difference in effect.
    Moved,
    /// The same things come in another order, where that counts.
    Reordered,
}

/// An object that is not the same on both sides.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct DiffChange {
    /// Its address; in a list of blocks type and labels joined by dots, which several blocks may have in common.
    #[schema(example = "aws_instance.web")]
    pub address: String,
    /// What it is: `resource`, `variable`, …; in a list of blocks the type.
    #[schema(example = "resource")]
    pub kind: String,
    /// What happened to it.
    pub change: DiffAct,
    /// Where it stood, where it was there before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffSide>,
    /// Where it stands, where it is there after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffSide>,
    /// The override files that brought it in, where such a file did.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub override_: Option<DiffOverride>,
    /// Of a changed object: its arguments and nested blocks that are not the same, in the order of `config`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub parts: Option<Vec<DiffPart>>,
}

/// An argument or nested block that is not the same on both sides.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct DiffPart {
    /// The name of the argument; of a block its type and labels. Those of the nested blocks around it come before, all
    /// joined by dots. Empty where the order of all that the object holds differs.
    #[schema(example = "ami")]
    pub name: String,
    /// Whether it is an argument or a block; what is an argument on one side and a block on the other is an argument.
    pub part: DiffPartKind,
    /// What happened to it.
    pub change: DiffAct,
    /// What it was.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffSide>,
    /// What it is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffSide>,
    /// The override files that are the cause, where such a file is.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub override_: Option<DiffOverride>,
}

/// What a part is.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum DiffPartKind {
    /// An argument.
    Argument,
    /// A nested block.
    Block,
}

/// Where something stands on one side.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct DiffSide {
    /// JSON Pointer (RFC 6901) into `config` in the format `tf-json` of that side.
    #[schema(example = "/resource/aws_instance/web/0/ami")]
    pub pointer: String,
    /// Of an argument: its source text. `null` with `redacted` where it holds a secret on either side.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "\"foo\"")]
    pub expression: Option<String>,
    /// `true` where the expression may not be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true` where the expression has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// From the name of an argument to the end of its expression, or the whole block. Absent for what stands in no single
    /// place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub range: Option<Range>,
}

/// The override files that are the cause of what is there on each side: where the part that counts comes from one, or
/// where one has taken the part away.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct DiffOverride {
    /// The file, before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<String>,
    /// The file, after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<String>,
}

/// How many objects there are in `changes`.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct DiffCounts {
    /// Objects that are added.
    pub added: u32,
    /// Objects that are removed.
    pub removed: u32,
    /// Objects that are changed.
    pub changed: u32,
    /// Objects that have moved to another file.
    pub moved: u32,
    /// Arguments and nested blocks that are not the same, of all changed objects.
    pub parts: u32,
}

/// The findings of both sides.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct DiffDiagnostics {
    /// Indexes (0-based) into `after` of findings that were not there before, wherever they stand: another severity, code,
    /// text or address.
    pub appeared: Vec<u32>,
    /// Indexes (0-based) into `before` of findings that are not there after.
    pub vanished: Vec<u32>,
    /// Every finding before, as `POST /v1/merge` lists them.
    pub before: Vec<Diagnostic>,
    /// Every finding after.
    pub after: Vec<Diagnostic>,
}

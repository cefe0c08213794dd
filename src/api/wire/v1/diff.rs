//! The requests and answers of `POST /v1/diff`.

use super::VersionFrom;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use super::{Diagnostic, Dialect, MergeOptions, Range};
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

/// The answer of `POST /v1/diff`.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffAnswer {
    /// Whether the configurations differ in effect. Anything that has only moved to another file does not count as a
    /// difference, and neither do diagnostics; modules that were added or removed, or that cannot be compared, do.
    pub different: bool,
    /// The first side.
    pub before: DiffModule,
    /// The second side.
    pub after: DiffModule,
    /// The objects that are not the same, sorted by address and place. With `recursive`, `modules` replaces them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub changes: Option<Vec<DiffChange>>,
    /// With `recursive`: the module directories in which anything differs or is reported, by path below the root of
    /// each side, `.` for the root itself. All file names are relative to the top directory of the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub modules: Option<BTreeMap<String, DiffModulePair>>,
    /// With `recursive`: the numbers of module directories.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub module_counts: Option<DiffModuleCounts>,
    /// With `recursive`: the modules that do not differ themselves, but call one that does, directly or through others: for
    /// each path the calls that lead there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub affected: Option<BTreeMap<String, Vec<DiffAffectedCall>>>,
    /// The numbers of objects that differ.
    pub counts: DiffCounts,
    /// The findings of both sides; with `recursive`, each module has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics: Option<DiffDiagnostics>,
}

/// A call that leads to a module that differs, or that calls one that does.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffAffectedCall {
    /// The address of the call.
    #[schema(example = "module.net")]
    pub address: String,
    /// The path of the called module.
    #[schema(example = "modules/net")]
    pub path: String,
}

/// Two module directories with the same path.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffModulePair {
    /// What happened to the module.
    pub change: DiffModuleAct,
    /// The first side; absent if the module was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffModule>,
    /// The second side; absent if the module was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffModule>,
    /// The objects that are not the same, sorted by address and place: all of them if only one side has the module.
    pub changes: Vec<DiffChange>,
    /// The numbers of objects in `changes`.
    pub counts: DiffCounts,
    /// The findings of both sides.
    pub diagnostics: DiffDiagnostics,
}

/// What happened to a module.
#[derive(Serialize, ToSchema, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum DiffModuleAct {
    /// The module exists only after the change.
    Added,
    /// The module existed only before the change.
    Removed,
    /// The module differs in effect.
    Changed,
    /// The module does not differ in effect.
    Unchanged,
    /// One side cannot be processed; its diagnostics say why.
    NotCompared,
}

/// The numbers of module directories, including those that are not listed.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffModuleCounts {
    /// Modules that were added.
    pub added: u32,
    /// Modules that were removed.
    pub removed: u32,
    /// Modules that differ in effect.
    pub changed: u32,
    /// Modules that do not differ in effect.
    pub unchanged: u32,
    /// Modules that cannot be processed on one of the sides.
    pub not_compared: u32,
}

/// One side of a comparison.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffModule {
    /// Whether no diagnostic has severity `error`.
    pub valid: bool,
    /// The dialect whose rules were followed.
    pub dialect: Dialect,
    /// The version that was followed.
    pub version: String,
    /// With `version: "auto"`: where that version was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_from: Option<VersionFrom>,
    /// The module directory inside the files, `.` for the top directory.
    pub path: String,
    /// The number of further findings that the answer does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics_dropped: Option<u32>,
}

/// What happened from one side to the other.
#[derive(Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum DiffAct {
    /// It exists only after the change.
    Added,
    /// It existed only before the change.
    Removed,
    /// Its content differs.
    Changed,
    /// An object has the same content in another file, which makes no difference in effect.
    Moved,
    /// The same items are in a different order, where the order matters.
    Reordered,
}

/// An object that is not the same on both sides.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffChange {
    /// The address of the object; in a list of blocks, type and labels joined by dots, which several blocks may have in
    /// common.
    #[schema(example = "aws_instance.web")]
    pub address: String,
    /// The kind of the object: `resource`, `variable`, …; in a list of blocks, the type.
    #[schema(example = "resource")]
    pub kind: String,
    /// What happened to the object.
    pub change: DiffAct,
    /// Its place before, if it existed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffSide>,
    /// Its place after, if it exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffSide>,
    /// The override files that introduced it, if such a file did.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub override_: Option<DiffOverride>,
    /// The parts of a changed object that are not the same: labels that are not in its address first, then arguments and
    /// nested blocks in the order of `config`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub parts: Option<Vec<DiffPart>>,
    /// The arguments and nested blocks of an object that was added or removed, in the order of `config`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub body: Option<Vec<DiffPart>>,
    /// The number of further arguments and blocks that `body` does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub body_dropped: Option<u32>,
}

/// An argument, nested block or label that is not the same on both sides.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffPart {
    /// The name of an argument, or the type and labels of a block, preceded by those of the enclosing nested blocks,
    /// all joined by dots; or the name of a label, such as the `type` of a backend. Empty if the order of the whole
    /// content of the object differs.
    #[schema(example = "ami")]
    pub name: String,
    /// Whether it is an argument or a block; what is an argument on one side and a block on the other counts as an
    /// argument.
    pub part: DiffPartKind,
    /// What happened to the part.
    pub change: DiffAct,
    /// The part before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffSide>,
    /// The part after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffSide>,
    /// The override files that caused the change, if such a file did.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub override_: Option<DiffOverride>,
    /// The arguments and nested blocks of a block that was added or removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, no_recursion)]
    pub body: Option<Vec<Self>>,
    /// The number of further arguments and blocks that `body` does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub body_dropped: Option<u32>,
    /// The items that differ, if both sides write out a list or an object with items in common.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub items: Option<Vec<DiffItem>>,
}

/// An item of a list or an object that is not the same on both sides.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffItem {
    /// The key of an item of an object, as written; absent for an item of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub key: Option<String>,
    /// What happened to the item.
    pub change: DiffAct,
    /// The item before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffItemSide>,
    /// The item after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffItemSide>,
}

/// An item of a list or an object on one side.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffItemSide {
    /// The source text.
    #[schema(example = "\"10.0.0.0/8\"")]
    pub expression: String,
    /// The place of the expression.
    pub range: Range,
}

/// The kind of a part.
#[derive(Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum DiffPartKind {
    /// An argument.
    Argument,
    /// A nested block.
    Block,
    /// A label of the object that is not in its address.
    Label,
}

/// The place of something on one side.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffSide {
    /// JSON pointer (RFC 6901) into `config` of that side in the form `tf-json`.
    #[schema(example = "/resource/aws_instance/web/0/ami")]
    pub pointer: String,
    /// The source text of an argument or label. `null`, with `redacted`, if it contains a secret on either side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "\"foo\"")]
    pub expression: Option<String>,
    /// `true` if the expression may not be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true` if the expression has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// The place from the name of an argument to the end of its expression, the label, or the whole block. Absent for anything
    /// without a single place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub range: Option<Range>,
}

/// The override files that determine what each side has: the effective part comes from such a file, or such a file
/// removed the part.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffOverride {
    /// The file on the first side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<String>,
    /// The file on the second side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<String>,
}

/// The numbers of objects in `changes`.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffCounts {
    /// Objects that were added.
    pub added: u32,
    /// Objects that were removed.
    pub removed: u32,
    /// Objects that were changed.
    pub changed: u32,
    /// Objects that were moved to another file.
    pub moved: u32,
    /// Arguments, nested blocks and labels that are not the same, over all changed objects.
    pub parts: u32,
}

/// The findings of both sides.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffDiagnostics {
    /// Indexes (0-based) into `after` of findings that were not there before, regardless of their place: the severity,
    /// code, text or address is new.
    pub appeared: Vec<u32>,
    /// Indexes (0-based) into `before` of findings that are not there after.
    pub vanished: Vec<u32>,
    /// Every finding of the first side, as `POST /v1/merge` lists them.
    pub before: Vec<Diagnostic>,
    /// Every finding of the second side.
    pub after: Vec<Diagnostic>,
}

//! The answer of `POST /v1/diff`.

use std::borrow::Cow;

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use super::{Diagnostic, Dialect, HideableText, Range, VersionFrom};
use crate::diagnostics::DiagnosticList;
use crate::difference::{AffectedModules, Changes, DifferenceKind, ModuleChangeKind, PartKind, Parts, WrittenPairs};

/// The answer of `POST /v1/diff`.
#[derive(Serialize, ToSchema)]
pub struct DiffAnswer<'a> {
    /// Whether the configurations differ in effect. Anything that has only moved to another file does not count as a
    /// difference, and neither do diagnostics; modules that were added or removed, or that cannot be compared, do.
    pub different: bool,
    /// The first side.
    pub before: DiffModule<'a>,
    /// The second side.
    pub after: DiffModule<'a>,
    /// The objects that are not the same, sorted by address and place. With `recursive`, `modules` replaces them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<DiffChange<'a>>>, nullable = false)]
    pub changes: Option<Changes<'a>>,
    /// With `recursive`: the module directories in which anything differs or is reported, by path below the root of
    /// each side, `.` for the root itself. All file names are relative to the top directory of the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, DiffModulePair<'a>>>, nullable = false)]
    pub modules: Option<WrittenPairs<'a>>,
    /// With `recursive`: the modules that do not differ themselves, but call one that does, directly or through others: for
    /// each path the calls that lead there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Vec<DiffAffectedCall<'a>>>>, nullable = false)]
    pub affected: Option<AffectedModules<'a>>,
    /// With `recursive`: the numbers of module directories.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub module_counts: Option<DiffModuleCounts>,
    /// The numbers of objects that differ.
    pub counts: DiffCounts,
    /// The diagnostics of both sides; with `recursive`, each module has its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics: Option<DiffDiagnostics<'a>>,
}

/// A call that leads to a module that differs, or that calls one that does.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffAffectedCall<'a> {
    /// The address of the call.
    #[schema(example = "module.net")]
    pub address: String,
    /// The path of the called module.
    #[schema(example = "modules/net")]
    pub path: &'a str,
}

/// Two module directories with the same path.
#[derive(Serialize, ToSchema)]
pub struct DiffModulePair<'a> {
    /// What happened to the module.
    pub change: ModuleChangeKind,
    /// The first side; absent if the module was added.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffModule<'a>>,
    /// The second side; absent if the module was removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffModule<'a>>,
    /// The objects that are not the same, sorted by address and place: all of them if only one side has the module.
    #[schema(value_type = Vec<DiffChange<'a>>)]
    pub changes: Changes<'a>,
    /// The numbers of objects in `changes`.
    pub counts: DiffCounts,
    /// The diagnostics of both sides.
    pub diagnostics: DiffDiagnostics<'a>,
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
pub struct DiffModule<'a> {
    /// Whether no diagnostic has severity `error`.
    pub valid: bool,
    /// The dialect whose rules were followed.
    #[schema(value_type = Dialect)]
    pub dialect: &'static str,
    /// The version that was followed.
    pub version: &'a str,
    /// With `version: "auto"`: where that version was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_from: Option<VersionFrom<'a>>,
    /// The module directory inside the files, `.` for the top directory.
    pub path: &'a str,
    /// The number of further diagnostics that the answer does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics_dropped: Option<u32>,
}

/// An object that is not the same on both sides.
#[derive(Serialize, ToSchema)]
pub struct DiffChange<'a> {
    /// The address of the object; in a list of blocks, type and labels joined by dots, which several blocks may have in
    /// common.
    #[schema(example = "aws_instance.web")]
    pub address: &'a str,
    /// The address before, if `moved` blocks of the second side have moved the object; the parts then say what differs
    /// besides.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "aws_instance.server", nullable = false)]
    pub previous_address: Option<&'a str>,
    /// The kind of the object: `resource`, `variable`, …; in a list of blocks, the type.
    #[schema(example = "resource")]
    pub kind: &'a str,
    /// What happened to the object.
    pub change: DifferenceKind,
    /// Its place before, if it existed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffSide<'a>>,
    /// Its place after, if it exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffSide<'a>>,
    /// The override files that introduced it, if such a file did.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub override_: Option<DiffOverride<'a>>,
    /// The parts of a changed object that are not the same: labels that are not in its address first, then arguments and
    /// nested blocks in the order of `config`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<DiffPart<'a>>>, nullable = false)]
    pub parts: Option<Parts<'a>>,
    /// The arguments and nested blocks of an object that was added or removed, in the order of `config`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<DiffPart<'a>>>, nullable = false)]
    pub body: Option<Parts<'a>>,
    /// The number of further arguments and blocks that `body` does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub body_dropped: Option<u32>,
}

/// An argument, nested block or label that is not the same on both sides.
#[derive(Serialize, ToSchema)]
pub struct DiffPart<'a> {
    /// The name of an argument, or the type and labels of a block, preceded by those of the enclosing nested blocks,
    /// all joined by dots; or the name of a label, such as the `type` of a backend. Empty if the order of the whole
    /// content of the object differs.
    #[schema(example = "ami")]
    pub name: &'a str,
    /// Whether it is an argument or a block; what is an argument on one side and a block on the other counts as an
    /// argument.
    pub part: PartKind,
    /// What happened to the part.
    pub change: DifferenceKind,
    /// The part before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffSide<'a>>,
    /// The part after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffSide<'a>>,
    /// The override files that caused the change, if such a file did.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub override_: Option<DiffOverride<'a>>,
    /// The arguments and nested blocks of a block that was added or removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<DiffPart<'a>>>, nullable = false, no_recursion)]
    pub body: Option<Parts<'a>>,
    /// The number of further arguments and blocks that `body` does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub body_dropped: Option<u32>,
    /// The items that differ, if both sides write out a list or an object with items in common.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub items: Option<Vec<DiffItem<'a>>>,
}

/// An item of a list or an object that is not the same on both sides.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffItem<'a> {
    /// The key of an item of an object, as written; absent for an item of a list.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub key: Option<&'a str>,
    /// What happened to the item.
    pub change: DifferenceKind,
    /// The item before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<DiffItemSide<'a>>,
    /// The item after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<DiffItemSide<'a>>,
}

/// An item of a list or an object on one side.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffItemSide<'a> {
    /// The source text.
    #[schema(example = "\"10.0.0.0/8\"")]
    pub expression: Cow<'a, str>,
    /// The place of the expression.
    pub range: Range<'a>,
}

/// The place of something on one side.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffSide<'a> {
    /// JSON pointer (RFC 6901) into `config` of that side in the form `tf-json`.
    #[schema(example = "/resource/aws_instance/web/0/ami")]
    pub pointer: &'a str,
    /// The source text of an argument or label. `null`, with `redacted`, if it contains a secret on either side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<String>, example = "\"foo\"")]
    pub expression: Option<HideableText<'a>>,
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
    pub range: Option<Range<'a>>,
}

/// The override files that determine what each side has: the effective part comes from such a file, or such a file
/// removed the part.
#[derive(Serialize, ToSchema, Debug)]
pub struct DiffOverride<'a> {
    /// The file on the first side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<&'a str>,
    /// The file on the second side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<&'a str>,
}

/// The diagnostics of both sides.
#[derive(Serialize, ToSchema)]
pub struct DiffDiagnostics<'a> {
    /// Indexes (0-based) into `after` of diagnostics that were not there before, regardless of their place: the
    /// severity, code, text or address is new.
    pub appeared: &'a [u32],
    /// Indexes (0-based) into `before` of diagnostics that are not there after.
    pub vanished: &'a [u32],
    /// Every diagnostic of the first side, as `POST /v1/merge` lists them.
    #[schema(value_type = Vec<Diagnostic<'a>>)]
    pub before: DiagnosticList<'a>,
    /// Every diagnostic of the second side.
    #[schema(value_type = Vec<Diagnostic<'a>>)]
    pub after: DiagnosticList<'a>,
}

/// The numbers of objects in `changes`.
#[derive(Serialize, ToSchema, Clone, Copy, Default, Debug)]
pub struct DiffCounts {
    /// Objects that were added.
    pub added: u32,
    /// Objects that were removed.
    pub removed: u32,
    /// Objects that were changed.
    pub changed: u32,
    /// Objects that were moved to another file, or to another address by a `moved` block, and are the same
    /// otherwise.
    pub moved: u32,
    /// Arguments, nested blocks and labels that are not the same, over all changed objects.
    pub parts: u32,
}

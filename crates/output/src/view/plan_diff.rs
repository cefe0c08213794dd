//! The answer of `POST /v1/plan-diff`.

use std::borrow::Cow;

use overfold_base::openapi::ToSchema;
use serde::Serialize;

use super::{Dialect, DiffDiagnostics, Range, VersionFrom};
use crate::difference::{
    CallChanges, CheckChanges, DifferenceKind, InstanceChangeKind, InstanceChanges, OutputChanges, SuggestedMoves,
    ValueChanges,
};
use crate::json::JsonText;
use crate::plan::{MissingInputs, WrittenPlans};
use crate::view::MissingInput;

/// The answer of `POST /v1/plan-diff`.
#[derive(Serialize, ToSchema)]
pub struct PlanDiffAnswer<'a> {
    /// Whether instances, outputs, the results of conditions or calls of modules that were not given differ; with
    /// `recursive`, in any root module. Diagnostics do not count. If one side has no plan, nothing is compared, and this
    /// is `true`.
    pub different: bool,
    /// `false` if one side has no plan, or one with errors, so that nothing is compared; its diagnostics say why. Otherwise
    /// absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub compared: Option<bool>,
    /// The first side.
    pub before: PlanDiffSide<'a>,
    /// The second side.
    pub after: PlanDiffSide<'a>,
    /// The numbers of instances; with `recursive`, in all root modules.
    pub counts: PlanDiffCounts,
    /// The instances of resources and data sources that are not the same: in the order of the second plan, and then those
    /// that are gone, in the order of the first one. Absent with `recursive`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<PlanDiffInstance<'a>>>, nullable = false)]
    pub instances: Option<InstanceChanges<'a>>,
    /// The outputs of the root module that are not the same, by name. One that is null counts as absent.
    /// Absent with `recursive`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<PlanDiffOutput<'a>>>, nullable = false)]
    pub outputs: Option<OutputChanges<'a>>,
    /// The checks, and whatever else has conditions, whose status or messages are not the same. Absent with `recursive`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<PlanDiffCheck<'a>>>, nullable = false)]
    pub checks: Option<CheckChanges<'a>>,
    /// The calls of modules that were not given (`missing`) which are not the same: what that does to the objects of those
    /// modules is not known. Absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<PlanDiffCall<'a>>>, nullable = false)]
    pub calls: Option<CallChanges<'a>>,
    /// `moved` blocks that would keep objects which are otherwise destroyed and created: each pairs what was removed with
    /// the only thing of its type that was added with the same configured values. Absent with
    /// `recursive`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<PlanDiffMove<'a>>>, nullable = false)]
    pub suggested_moves: Option<SuggestedMoves<'a>>,
    /// With `recursive`: by the directory of each root module of either side, the answer for it, without this member. A side
    /// that lacks the root module plans nothing there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, PlanDiffAnswer<'a>>>, nullable = false, no_recursion)]
    pub plans: Option<WrittenPlans<'a>>,
    /// The diagnostics of both sides; with `recursive`, those about directories that could not be loaded.
    pub diagnostics: DiffDiagnostics<'a>,
}

/// One side of a comparison of plans.
#[derive(Serialize, ToSchema)]
pub struct PlanDiffSide<'a> {
    /// Whether no diagnostic has severity `error`.
    pub valid: bool,
    /// The dialect whose rules were followed.
    #[schema(value_type = Dialect)]
    pub dialect: &'static str,
    /// The version that was followed.
    #[schema(example = "1.11.4")]
    pub version: &'a str,
    /// With `version: "auto"`: where that version was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_from: Option<VersionFrom<'a>>,
    /// The directory of the root module inside the files, `.` for the top directory.
    pub path: &'a str,
    /// With `recursive`: `false` if this side does not have the root module. Otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub exists: Option<bool>,
    /// Whether no part of the plan depends on something that was not given.
    pub exact: bool,
    /// Missing inputs.
    #[schema(value_type = Vec<MissingInput<'a>>)]
    pub missing: MissingInputs<'a>,
    /// The number of further diagnostics that the answer does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics_dropped: Option<u32>,
}

/// The numbers of instances.
#[derive(Serialize, ToSchema, Clone, Copy, Default, Debug)]
pub struct PlanDiffCounts {
    /// Instances that were added.
    pub added: u32,
    /// Instances that were removed.
    pub removed: u32,
    /// Instances whose values differ.
    pub changed: u32,
    /// Instances that were moved, whether their values differ or not.
    pub moved: u32,
    /// Instances that are the same.
    pub unchanged: u32,
}

impl PlanDiffCounts {
    /// Adds those of another root module.
    pub(crate) const fn add(&mut self, other: Self) {
        self.added += other.added;
        self.removed += other.removed;
        self.changed += other.changed;
        self.moved += other.moved;
        self.unchanged += other.unchanged;
    }
}

/// An instance that is not the same on both sides.
#[derive(Serialize, ToSchema)]
pub struct PlanDiffInstance<'a> {
    /// The address: on the second side, or on the first one if it is gone.
    #[schema(example = "module.a.aws_vpc.this[0]")]
    pub address: &'a str,
    /// The address on the first side, if it was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "aws_vpc.main")]
    pub previous_address: Option<&'a str>,
    /// What happened to it.
    pub change: InstanceChangeKind,
    /// For a removed instance: `true` if a `removed` block says that the object is dropped from the state and not
    /// destroyed. Otherwise absent.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub forgotten: Option<bool>,
    /// `managed` or `data`.
    #[schema(example = "managed")]
    pub mode: &'static str,
    /// The type.
    #[serde(rename = "type")]
    #[schema(example = "aws_vpc")]
    pub type_: &'a str,
    /// The name.
    #[schema(example = "this")]
    pub name: &'a str,
    /// The full address of the provider.
    #[schema(example = "registry.terraform.io/hashicorp/aws")]
    pub provider_name: &'a str,
    /// Its place before, if it existed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<PlanDiffPlace<'a>>,
    /// Its place after, if it exists.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<PlanDiffPlace<'a>>,
    /// The values that are not the same, in the order of their names; absent if none differs, and for an instance that was
    /// added or removed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<PlanDiffValue<'a>>>, nullable = false)]
    pub values: Option<ValueChanges<'a>>,
}

/// The place of an instance.
#[derive(Serialize, ToSchema, Debug)]
pub struct PlanDiffPlace<'a> {
    /// The header of the block of its resource.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub range: Option<Range<'a>>,
}

/// A call of a module that was not given which is not the same on both sides.
#[derive(Serialize, ToSchema)]
pub struct PlanDiffCall<'a> {
    /// The address of the module instance: on the second side, or on the first one if it is gone.
    #[schema(example = "module.vpc")]
    pub address: &'a str,
    /// The address on the first side, if it was moved.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "module.network")]
    pub previous_address: Option<&'a str>,
    /// What happened to it.
    pub change: InstanceChangeKind,
    /// The location of the call before, if there was one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<PlanDiffPlace<'a>>,
    /// The location of the call after, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<PlanDiffPlace<'a>>,
    /// The arguments that differ, `source` and `version` included.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<PlanDiffValue<'a>>>, nullable = false)]
    pub values: Option<ValueChanges<'a>>,
}

/// A value that is not the same on both sides.
#[derive(Serialize, ToSchema)]
pub struct PlanDiffValue<'a> {
    /// JSON pointer (RFC 6901) into the planned values of the second side; of the first one, if the value is gone. The elements
    /// of a set have the positions that they have there.
    #[schema(example = "/cidr_block")]
    pub pointer: &'a str,
    /// What happened to the value. Null counts as no value.
    pub change: DifferenceKind,
    /// The value before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<PlanDiffValueSide<'a>>,
    /// The value after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<PlanDiffValueSide<'a>>,
    /// The override files that set the value.
    #[serde(rename = "override", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub override_: Option<PlanDiffOverride<'a>>,
}

/// A value on one side.
#[derive(Serialize, ToSchema, Debug)]
pub struct PlanDiffValueSide<'a> {
    /// The value. Absent if it is not known, or may not be shown; parts that are not known are left out of it, and parts that
    /// may not be shown are null.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Value>, nullable = false, example = "10.0.0.0/16")]
    pub value: Option<JsonText<'a>>,
    /// `true` if the value, or a part of it, is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub unknown: Option<bool>,
    /// `true` if the value may not be shown, because it is sensitive on either side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// The place of the argument that set the value, from its name to the end of its expression, or of the header of the block.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub range: Option<Range<'a>>,
}

/// The override files that set a value.
#[derive(Serialize, ToSchema, Debug)]
pub struct PlanDiffOverride<'a> {
    /// The file on the first side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<Cow<'a, str>>,
    /// The file on the second side.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "dev_override.tf")]
    pub after: Option<Cow<'a, str>>,
}

/// An output that is not the same on both sides.
#[derive(Serialize, ToSchema)]
pub struct PlanDiffOutput<'a> {
    /// The address.
    #[schema(example = "output.id")]
    pub address: String,
    /// What happened to it.
    pub change: DifferenceKind,
    /// Its value before.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<PlanDiffValueSide<'a>>,
    /// Its value after.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<PlanDiffValueSide<'a>>,
}

/// Something with conditions whose results are not the same on both sides.
#[derive(Serialize, ToSchema)]
pub struct PlanDiffCheck<'a> {
    /// The address, without instance keys.
    #[schema(example = "check.health")]
    pub address: &'a str,
    /// The results before, if it had conditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<PlanDiffCheckSide<'a>>,
    /// The results after, if it has conditions.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<PlanDiffCheckSide<'a>>,
}

/// The results of conditions on one side.
#[derive(Serialize, ToSchema, Debug)]
pub struct PlanDiffCheckSide<'a> {
    /// The worst status of its instances: `pass`, `unknown`, `fail` or `error`.
    #[schema(example = "fail")]
    pub status: &'static str,
    /// The messages of conditions that do not hold; null for one that may not be shown. Absent if there are none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub messages: Option<Vec<Option<&'a str>>>,
}

/// A `moved` block that would keep an object.
#[derive(Serialize, ToSchema, Debug)]
pub struct PlanDiffMove<'a> {
    /// The address of what was removed.
    #[schema(example = "aws_vpc.main")]
    pub from: &'a str,
    /// The address of what was added.
    #[schema(example = "aws_vpc.this")]
    pub to: &'a str,
}

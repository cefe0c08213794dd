//! The content of an answer about a plan. `output` writes it; these types document it.

use super::VersionFrom;
use std::collections::BTreeMap;

use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;

use crate::api::wire::v1::{Diagnostic, Dialect, Range};

/// The answer of `POST /v1/plan`: status 200 whenever the files could be read, however broken the configuration is.
#[derive(Serialize, ToSchema, Debug)]
pub struct PlanAnswer {
    /// Whether no diagnostic has severity `error`.
    pub valid: bool,
    /// The dialect whose rules were followed.
    pub dialect: Dialect,
    /// The version that was followed: as requested, or the newest known one.
    #[schema(example = "1.11.4")]
    pub version: String,
    /// With `version: "auto"`: where that version was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_from: Option<VersionFrom>,
    /// Whether no part of the plan depends on something that was not given.
    pub exact: bool,
    /// What was not given, so that the plan may differ from a real one.
    pub missing: Vec<MissingInput>,
    /// The plan in the form of `terraform show -json`; null where Terraform or OpenTofu makes none. Absent unless the part `plan` is
    /// requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<PlanDocument>,
    /// The planned instances of resources and data sources, in the order of `resource_changes`. Absent unless the part
    /// `instances` is requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub instances: Option<Vec<PlannedInstance>>,
    /// Every finding, sorted by file, then by position.
    pub diagnostics: Vec<Diagnostic>,
    /// The number of further findings that the answer does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics_dropped: Option<u32>,
}

/// Something that was not given.
#[derive(Serialize, ToSchema, Debug)]
pub struct MissingInput {
    /// What it is: `provider-schema`, `module`, `data-source`, `remote-state`, `variable`, `file`, `provider-function`,
    /// `import`, `instances`, `timestamp` or `version-unrecorded`. A later release may add kinds.
    #[schema(example = "module")]
    pub kind: String,
    /// The full address of the provider whose schema is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "registry.terraform.io/hashicorp/aws")]
    pub provider: Option<String>,
    /// The number of resource instances for which that schema is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resources: Option<u64>,
    /// The address of the module call, data source, instance, or object whose instances are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "module.vpc")]
    pub address: Option<String>,
    /// The source of a module, if it is constant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "terraform-aws-modules/vpc/aws")]
    pub source: Option<String>,
    /// The name of a variable or function.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<String>,
    /// The path of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
    /// What would have to be known of an object whose instances are left out: attributes and arguments, each with the
    /// option that gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "data.aws_azs.all.names (give --assume data.aws_azs.all.names=JSON)")]
    pub needs: Option<String>,
    /// The version whose rules were not recorded by running it, or the version constraint of a module.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version: Option<String>,
}

/// A plan in the form of `terraform show -json`. It has every member of the original document; only those that are
/// always present are listed here. Sensitive values are null, unless the request reveals them.
#[derive(Serialize, ToSchema, Debug)]
pub struct PlanDocument {
    /// The version of the format.
    #[schema(example = "1.2")]
    pub format_version: String,
    /// The version of Terraform or OpenTofu that was followed.
    #[schema(example = "1.11.4")]
    pub terraform_version: String,
    /// What every object and output will be, by module.
    #[schema(value_type = Object)]
    pub planned_values: Value,
    /// The configuration, without values.
    #[schema(value_type = Object)]
    pub configuration: Value,
    /// Always `false`: nothing can be applied here.
    pub applyable: bool,
    /// Whether no object is left out that would be planned or would fail.
    pub complete: bool,
    /// Whether there was an error while values were computed.
    pub errored: bool,
    /// What the original document does not have: the version of this program, `exact` and `missing` as in the answer,
    /// `complete` (which documents of old versions lack), the version whose plans were recorded, and, as JSON pointers, which values are hidden.
    #[schema(value_type = Object)]
    pub overfold: Value,
}

/// A planned instance of a resource or data source.
#[derive(Serialize, ToSchema, Debug)]
pub struct PlannedInstance {
    /// The address.
    #[schema(example = "module.a.aws_vpc.this[0]")]
    pub address: String,
    /// The address of the module instance; absent in the root module.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "module.a")]
    pub module_address: Option<String>,
    /// `managed` or `data`.
    #[schema(example = "managed")]
    pub mode: String,
    /// The type.
    #[serde(rename = "type")]
    #[schema(example = "aws_vpc")]
    pub type_: String,
    /// The name.
    #[schema(example = "this")]
    pub name: String,
    /// The key: a number or a text; absent if the resource has neither `count` nor `for_each`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Value, example = 0)]
    pub index: Option<Value>,
    /// The full address of the provider.
    #[schema(example = "registry.terraform.io/hashicorp/aws")]
    pub provider_name: String,
    /// What is planned, such as `create`.
    #[schema(example = json!(["create"]))]
    pub actions: Vec<String>,
    /// The planned values, without those that are unknown.
    pub values: Value,
    /// Which values are unknown: `true` in their places.
    pub after_unknown: Value,
    /// Which values are sensitive: `true` in their places.
    pub after_sensitive: Value,
    /// The arguments that the configuration sets, by JSON pointer into `values`.
    pub arguments: BTreeMap<String, InstanceArgument>,
}

/// An argument of a planned instance.
#[derive(Serialize, ToSchema, Debug)]
pub struct InstanceArgument {
    /// The place from its name to the end of its expression.
    pub range: Range,
    /// What the expression refers to.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = json!(["var.cidr"]))]
    pub references: Option<Vec<String>>,
    /// `true` if an override file set it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overridden: Option<bool>,
}

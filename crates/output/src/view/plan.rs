//! The answer of `POST /v1/plan`. The plan itself, whose shape is that of the tool, has a writer of its own.

use overfold_base::openapi::ToSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Diagnostic, Dialect, Range, VersionFrom};
use crate::diagnostics::DiagnosticList;
use crate::json::{JsonText, Streamed};
use crate::plan::{InstanceArguments, InstanceNeeds, MissingInputs, WrittenPlans};

/// The answer of `POST /v1/plan`: status 200 whenever the files could be read, however broken the configuration is.
#[derive(Serialize, ToSchema)]
pub struct PlanAnswer<'a> {
    /// Whether no diagnostic has severity `error`.
    pub valid: bool,
    /// The dialect whose rules were followed.
    #[schema(value_type = Dialect)]
    pub dialect: &'static str,
    /// The version that was followed: as requested, or the newest known one.
    #[schema(example = "1.11.4")]
    pub version: &'a str,
    /// With `version: "auto"`: where that version was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_from: Option<VersionFrom<'a>>,
    /// Whether no part of the plan depends on something that was not given.
    pub exact: bool,
    /// Missing inputs, because of which the plan may differ from a real one.
    #[schema(value_type = Vec<MissingInput<'a>>)]
    pub missing: MissingInputs<'a>,
    /// The plan in the form of `terraform show -json`; null where Terraform or OpenTofu makes none. Absent unless the part `plan` is
    /// requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<PlanDocument>)]
    pub plan: Option<Streamed>,
    /// The planned instances of resources and data sources, in the order of `resource_changes`. Absent unless the part
    /// `instances` is requested.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<PlannedInstance<'a>>>, nullable = false)]
    pub instances: Option<Streamed>,
    /// With `recursive`: the plan of each root module, by its directory; these members then replace `plan`, `instances` and
    /// `missing`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, RootPlan<'a>>>, nullable = false)]
    pub plans: Option<WrittenPlans<'a>>,
    /// Every diagnostic, sorted by file, then by position. With `recursive`: those about directories that could not be
    /// read; each plan has its own.
    #[schema(value_type = Vec<Diagnostic<'a>>)]
    pub diagnostics: DiagnosticList<'a>,
    /// The number of further diagnostics that the answer does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics_dropped: Option<u32>,
}

/// The plan of one root module of a tree.
#[derive(Serialize, ToSchema)]
pub struct RootPlan<'a> {
    /// Whether no diagnostic has severity `error`.
    pub valid: bool,
    /// Whether no part of the plan depends on something that was not given.
    pub exact: bool,
    /// Missing inputs, because of which the plan may differ from a real one.
    #[schema(value_type = Vec<MissingInput<'a>>)]
    pub missing: MissingInputs<'a>,
    /// As in the answer about a single root module.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<PlanDocument>)]
    pub plan: Option<Streamed>,
    /// As in the answer about a single root module.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<PlannedInstance<'a>>>, nullable = false)]
    pub instances: Option<Streamed>,
    /// Every diagnostic, sorted by file, then by position.
    #[schema(value_type = Vec<Diagnostic<'a>>)]
    pub diagnostics: DiagnosticList<'a>,
    /// The number of further diagnostics that the answer does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics_dropped: Option<u32>,
}

/// Something that was not given.
#[derive(Serialize, ToSchema, Default, Debug)]
pub struct MissingInput<'a> {
    /// What it is: `provider-schema`, `module`, `data-source`, `remote-state`, `variable`, `file`, `provider-function`,
    /// `import`, `instances`, `provider-default`, `timestamp` or `version-unrecorded`. A later release may add kinds.
    #[schema(example = "module")]
    pub kind: &'static str,
    /// The full address of the provider whose schema is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "registry.terraform.io/hashicorp/aws")]
    pub provider: Option<&'a str>,
    /// The number of resource instances for which that schema is missing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resources: Option<u64>,
    /// Why that schema is missing although the service keeps a document for it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub problem: Option<&'a str>,
    /// The address of the module call, data source, instance, or object whose instances are left out.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "module.vpc")]
    pub address: Option<&'a str>,
    /// The source of a module, if it is constant.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "terraform-aws-modules/vpc/aws")]
    pub source: Option<&'a str>,
    /// The name of a variable or function.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub name: Option<&'a str>,
    /// The path of a file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<&'a str>,
    /// What would have to be known of an object whose instances are left out: attributes and arguments, each with the
    /// option that gives it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "data.aws_azs.all.names (give --assume data.aws_azs.all.names=JSON)")]
    pub needs: Option<&'a str>,
    /// The version whose rules were not recorded by running it, or the version constraint of a module.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version: Option<&'a str>,
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
    /// Whether every object that would be planned or would fail is included.
    pub complete: bool,
    /// Whether there was an error while values were computed.
    pub errored: bool,
    /// What the original document does not have: the version of this program, `exact` and `missing` as in the answer,
    /// `complete` (which documents of old versions lack), the version whose plans were recorded, and, as JSON pointers, which values are hidden.
    #[schema(value_type = Object)]
    pub overfold: Value,
}

/// A planned instance of a resource or data source.
#[derive(Serialize, ToSchema)]
pub struct PlannedInstance<'a> {
    /// The address.
    #[schema(example = "module.a.aws_vpc.this[0]")]
    pub address: String,
    /// The address of the module instance; absent in the root module.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "module.a")]
    pub module_address: Option<String>,
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
    /// The key: a number or a text; absent if the resource has neither `count` nor `for_each`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Value, example = 0)]
    pub index: Option<JsonText<'a>>,
    /// The full address of the provider.
    #[schema(example = "registry.terraform.io/hashicorp/aws")]
    pub provider_name: &'a str,
    /// What is planned, such as `create`.
    #[schema(example = json!(["create"]))]
    pub actions: &'static [&'static str],
    /// The planned values, without those that are unknown.
    #[schema(value_type = Value)]
    pub values: Streamed,
    /// Which values are unknown: `true` in their places.
    #[schema(value_type = Value)]
    pub after_unknown: Streamed,
    /// Which values are sensitive: `true` in their places.
    #[schema(value_type = Value)]
    pub after_sensitive: Streamed,
    /// The arguments that the configuration sets, by JSON pointer into `values`.
    #[schema(value_type = BTreeMap<String, InstanceArgument<'a>>)]
    pub arguments: InstanceArguments<'a>,
    /// What values that are unknown here depend on, although Terraform or OpenTofu would know them or learn them from
    /// the provider, by JSON pointer into `values`; absent if there are none.
    #[serde(skip_serializing_if = "InstanceNeeds::is_empty")]
    #[schema(value_type = BTreeMap<String, String>, nullable = false, required = false, example = json!({"/ami": "var.ami"}))]
    pub needs: InstanceNeeds<'a>,
}

/// An argument of a planned instance.
#[derive(Serialize, ToSchema, Debug)]
pub struct InstanceArgument<'a> {
    /// The place from its name to the end of its expression.
    pub range: Range<'a>,
    /// What the expression refers to.
    #[schema(value_type = Vec<String>, example = json!(["var.cidr"]))]
    pub references: &'a [Box<str>],
    /// `true` if an override file set it.
    pub overridden: bool,
}

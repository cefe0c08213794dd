//! The options of a plan.

#[cfg(feature = "program")]
use super::names;
use super::{
    Assumed, Dialect, FileContent, Level, ModuleSource, RootModule, SchemaText, SeverityRule, Variables, bounded,
    module_sources, options, present, present_object, present_rules, root_modules,
};
use overfold_base::diag::Severity;
use overfold_base::named;
use overfold_module::pipeline::ProviderChecks;
use overfold_module::plan::{EmulatedDataSource, ProviderDefaults};

named! {
    /// How to treat a required variable without a value.
    #[derive(Default)]
    pub enum UnsetVariables {
        /// An error, as for Terraform and OpenTofu.
        #[default]
        Error = "error",
        /// An unknown value of its type.
        Unknown = "unknown",
    }
}

named! {
    /// How to treat a missing file that a function reads.
    #[derive(Default)]
    pub enum MissingFiles {
        /// An error, as for Terraform and OpenTofu.
        #[default]
        Error = "error",
        /// Something unknown.
        Unknown = "unknown",
    }
}

named! {
    /// A part of the answer about a plan that can be requested.
    pub enum PlanPart {
        /// The plan, in the form of `terraform show -json`.
        Plan = "plan",
        /// Every planned instance, with the places of its arguments.
        Instances = "instances",
    }
}

/// The form of a plan that tests of policies read.
#[derive(Debug)]
pub struct PolicyMockForm {
    /// Its name among the formats.
    pub name: &'static str,
    /// Its media type, which nobody has registered.
    pub media_type: &'static str,
    /// What it is, for help texts.
    pub about: &'static str,
}

/// Mock data for tests of Sentinel policies.
pub const POLICY_MOCK: PolicyMockForm = PolicyMockForm {
    name: "sentinel-mock",
    media_type: "text/x-sentinel",
    about: "Mock data for tests of Sentinel policies: mock-tfplan-v2.sentinel, for the import tfplan/v2",
};

options! {
    /// The body of `POST /v1/plan` as `application/json`.
    #[schema(example = json!({
        "files": {
            "main.tf": "variable \"size\" {\n  type = number\n}\n\nresource \"terraform_data\" \"web\" {\n  count = var.size\n  input = \"web-${count.index}\"\n}\n"
        },
        "variables": {"args": [{"var": "size=2"}]}
    }))]
    pub struct PlanRequest;

    /// The request object of `POST /v1/plan` without `files`: the options sent with an archive, as an object or as query
    /// parameters with the same names; the command line has most of them as flags.
    #[schema(example = json!({"variables": {"args": [{"var": "size=2"}]}, "unset_variables": "unknown"}))]
    pub struct PlanOptions;

    /// The dialect to follow: `terraform` or `opentofu`; the others are an error (status 422). Default:
    /// `terraform`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Dialect>, nullable = false)]
    pub dialect: Option<Dialect> {
        #[param(value_type = Option<Dialect>, inline)]
        #[arg(long, env = "OVERFOLD_DIALECT", value_parser = names::<Dialect>(), value_name = "NAME")]
    }
    /// The version to follow: `1.11` (its last patch release) or `1.11.4`. Default: the newest version known for
    /// the dialect.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = "1.11")]
    pub version: Option<String> {
        #[arg(long = "version", id = "tool_version", env = "OVERFOLD_TOOL_VERSION", value_name = "VERSION")]
    }
    /// The directory of the root module inside the files. Default: `.`.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = ".")]
    pub root: Option<String> {
        #[arg(skip)]
    }
    /// Plan every root module at `root` and below it; `plans` in the answer has them by directory. Default: `false`.
    #[serde(default)]
    pub recursive: bool {
        #[param(required = false)]
        #[arg(long, env = "OVERFOLD_RECURSIVE")]
    }
    /// With `recursive`: the root modules. Default: the directories that no call reaches and that have a backend, `cloud`, a
    /// provider block or a variable definitions file. As a query parameter: the list as JSON text.
    #[serde(default, deserialize_with = "root_modules")]
    #[schema(value_type = Option<Vec<RootModule>>, nullable = false)]
    pub roots: Option<Vec<RootModule>> {
        #[param(value_type = Option<String>)]
        #[arg(skip)]
    }
    /// With `recursive`: paths of files in the upload, such as those that a pull request changes or removes. Only the root
    /// modules are planned that contain them or depend on them through local module calls. Default: all. As a query
    /// parameter: repeated, one path each.
    #[serde(default, deserialize_with = "bounded::texts")]
    #[schema(value_type = Option<Vec<String>>, nullable = false, example = json!(["modules/network/main.tf"]))]
    pub paths: Option<Vec<String>> {
        #[arg(long, env = "OVERFOLD_PATHS", value_delimiter = ',', value_name = "PATHS")]
    }
    /// Values for input variables. Default: `{}`, since a plan always needs values. As a query parameter: the object as
    /// JSON text, such as `{"env":{"TF_VAR_region":"eu-west-1"}}`.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Option<Variables>, nullable = false)]
    pub variables: Option<Variables> {
        #[param(value_type = Option<String>)]
        #[arg(skip)]
    }
    /// How to treat a required variable without a value: `error`, as for Terraform and OpenTofu, or `unknown`: an
    /// unknown value of its type, which `missing` lists. Default: `error`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<UnsetVariables>, nullable = false)]
    pub unset_variables: Option<UnsetVariables> {
        #[param(value_type = Option<UnsetVariables>, inline)]
        #[arg(long, env = "OVERFOLD_UNSET_VARIABLES", value_parser = names::<UnsetVariables>(), value_name = "WHAT",
            num_args = 0..=1, default_missing_value = "unknown")]
    }
    /// How to treat a missing file that a function reads, such as an archive that has not been built yet: `error`, as
    /// for Terraform and OpenTofu, or `unknown`: something unknown, which `missing` lists. Default: `error`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<MissingFiles>, nullable = false)]
    pub missing_files: Option<MissingFiles> {
        #[param(value_type = Option<MissingFiles>, inline)]
        #[arg(long, env = "OVERFOLD_MISSING_FILES", value_parser = names::<MissingFiles>(), value_name = "WHAT",
            num_args = 0..=1, default_missing_value = "unknown")]
    }
    /// Where to find modules that are not local. `.terraform/modules/modules.json` in the root module is honoured after
    /// these. As a query parameter: the list as JSON text.
    #[serde(default, deserialize_with = "module_sources")]
    #[schema(value_type = Option<Vec<ModuleSource>>, nullable = false)]
    pub module_sources: Option<Vec<ModuleSource>> {
        #[param(value_type = Option<String>)]
        #[arg(skip)]
    }
    /// The schemas of the providers that the modules use: the document that `terraform providers schema -json` prints,
    /// or a part of it. Not a query parameter: with an archive, it is a part of a form.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Object>, nullable = false)]
    pub provider_schemas: Option<SchemaText> {
        #[param(ignore)]
        #[arg(skip)]
    }
    /// `sdk`: report also what most providers refuse when they validate, with origin `overfold`, where their schema is
    /// known; `none`: do not. Default: `sdk`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<ProviderChecks>, nullable = false)]
    pub provider_checks: Option<ProviderChecks> {
        #[param(value_type = Option<ProviderChecks>, inline)]
        #[arg(long, env = "OVERFOLD_PROVIDER_CHECKS", value_parser = names::<ProviderChecks>(), value_name = "CHECKS")]
    }
    /// The value of an optional argument or block that is not set, where the schema of the provider is known. In the
    /// plan it is null or empty, as the schema says. `unknown`: `overfold.provider_defaults` in the plan lists it, and
    /// it is unknown wherever an expression refers to it, since the provider may fill it in; `none`: the schema is the
    /// whole truth. Default: `unknown`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<ProviderDefaults>, nullable = false)]
    pub provider_defaults: Option<ProviderDefaults> {
        #[param(value_type = Option<ProviderDefaults>, inline)]
        #[arg(long, env = "OVERFOLD_PROVIDER_DEFAULTS", value_parser = names::<ProviderDefaults>(), value_name = "DEFAULTS")]
    }
    /// Attributes to assume for resources and data sources, from a state or from the mocks of a test: addresses, each
    /// with an object of attributes. An address without instance keys stands for every instance; an exact one takes
    /// precedence. A data source counts as read; of a managed resource, the attributes that it computes are known, and
    /// those that are left out are not. Arguments in the configuration are never replaced. As a query parameter: the
    /// object as JSON text.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<BTreeMap<String, Object>>, nullable = false,
        example = json!({"data.aws_ami.base": {"id": "ami-1"}, "module.a.aws_vpc.this[0]": {"id": "vpc-1"}}))]
    pub assume: Option<Assumed> {
        #[param(value_type = Option<String>)]
        #[arg(skip)]
    }
    /// Data sources to compute as their provider would; possible only for those that contact no API.
    /// `overfold.emulated` in the plan says which version is imitated. What the provider would refuse is not computed:
    /// the data source is then listed in `missing`. As a query parameter: separated by commas or repeated.
    /// Default: none.
    #[serde(default, deserialize_with = "bounded::names")]
    #[schema(value_type = Option<Vec<EmulatedDataSource>>, nullable = false, example = json!(["aws_iam_policy_document"]))]
    pub emulate: Option<Vec<EmulatedDataSource>> {
        #[param(value_type = Option<String>)]
        #[arg(long, env = "OVERFOLD_EMULATE", value_parser = names::<EmulatedDataSource>(), value_delimiter = ',',
            value_name = "TYPES")]
    }
    /// The selected workspace. Default: `TF_WORKSPACE` among the environment variables in `variables`, else what
    /// `.terraform/environment` in the root module says, else `default`.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = "staging")]
    pub workspace: Option<String> {
        #[arg(long, env = "OVERFOLD_WORKSPACE", value_name = "NAME")]
    }
    /// The time of the plan as defined by RFC 3339: `timestamp` in the plan, and the value of `plantimestamp()`. Default:
    /// none; the function's value is then unknown.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = "2025-03-06T12:00:00Z")]
    pub timestamp: Option<String> {
        #[arg(long, env = "OVERFOLD_TIMESTAMP", value_name = "TIME")]
    }
    /// The working directory of the plan, as `path.cwd` shows it: an absolute path. Absolute paths below it are
    /// those of the files, relative to `root`. Default: none; what depends on it is then unknown. (On the command line:
    /// the folder of the root module.)
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = "/srv/infra/prod")]
    pub cwd: Option<String> {
        #[arg(long, env = "OVERFOLD_CWD", value_name = "PATH")]
    }
    /// The parts to answer with. Default: `plan`; diagnostics are always included. As a query parameter: separated by
    /// commas or repeated, such as `plan,instances`.
    #[serde(default, deserialize_with = "bounded::names")]
    #[schema(value_type = Option<Vec<PlanPart>>, nullable = false, example = json!(["plan", "instances"]))]
    pub include: Option<Vec<PlanPart>> {
        #[param(value_type = Option<String>)]
        #[arg(long, env = "OVERFOLD_PLAN_INCLUDE", value_parser = names::<PlanPart>(), value_delimiter = ',', value_name = "PARTS")]
    }
    /// Show the values of sensitive variables and attributes, their expressions and source lines. Ephemeral values are
    /// never shown. Default: `false`.
    #[serde(default)]
    pub reveal_sensitive: bool {
        #[param(required = false)]
        #[arg(long, env = "OVERFOLD_REVEAL_SENSITIVE")]
    }
    /// A prefix for file names in every format of the diagnostics alone, where names are relative to the upload: the path
    /// of the uploaded folder in its repository, such as `infra/prod`.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = "infra/prod")]
    pub path_prefix: Option<String> {
        #[arg(long, env = "OVERFOLD_PATH_PREFIX", value_name = "PATH")]
    }
    /// The address of the files in the repository, such as `https://code.example.org/o/r/blob/1a2b3c/`: in the comment
    /// about a difference (`markdown`), the locations on this side are links to it, with `path_prefix` and the name of
    /// the file, then `#L` and the line. Default: locations are not links.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = "https://code.example.org/o/r/blob/1a2b3c/")]
    pub link_base: Option<String> {
        #[arg(long, env = "OVERFOLD_LINK_BASE", value_name = "URL")]
    }
    /// Answer with status 422, and the same body, if there is a diagnostic of this severity or worse. On the command
    /// line, exit with code 1; by default, only errors cause that.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Severity>, nullable = false)]
    pub fail_on: Option<Severity> {
        #[param(value_type = Option<Severity>, inline)]
        #[arg(long, env = "OVERFOLD_FAIL_ON", value_parser = names::<Severity>(), value_name = "SEVERITY")]
    }
    /// The severity with which diagnostics are shown, by code, as for `POST /v1/merge`. As a query parameter: the
    /// object as JSON text, or `CODE=LEVEL`, separated by commas or repeated.
    #[serde(default, deserialize_with = "present_rules")]
    #[schema(value_type = Option<BTreeMap<String, Level>>, nullable = false, example = json!({"override/content-lost": "error"}))]
    pub severities: Option<Vec<SeverityRule>> {
        #[param(value_type = Option<String>)]
        #[arg(long = "severity", env = "OVERFOLD_SEVERITY", value_delimiter = ',', value_name = "CODE=LEVEL")]
    }
    /// The number of leading segments to remove from each path. Default: one for an archive whose entries are all below
    /// one folder, else none.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<u16>, nullable = false, maximum = 65535)]
    pub strip_components: Option<u16> {
        #[param(maximum = 65535)]
        #[arg(skip)]
    }
}

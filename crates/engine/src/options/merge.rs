//! The options of a merge, of each side of a difference, and of a comparison of versions.

#[cfg(feature = "program")]
use super::names;
use super::{
    ConfigFormat, Dialect, FileContent, Level, Part, ProviderChecks, SchemaText, SeverityRule, Variables, bounded,
    options, present, present_object, present_rules,
};
use overfold_base::diag::Severity;
use overfold_module::pipeline::ToolStage;

options! {
    /// The body of `POST /v1/merge` as `application/json`.
    #[schema(example = json!({
        "files": {
            "main.tf": "resource \"terraform_data\" \"web\" {\n  input = \"blue\"\n}\n",
            "override.tf": "resource \"terraform_data\" \"web\" {\n  input = \"green\"\n}\n"
        },
        "version": "1.11",
        "include": ["config", "objects"]
    }))]
    pub struct MergeRequest;

    /// The request object without `files`: the options sent with an archive, as an object or as query parameters
    /// with the same names; the command line has the same options as flags.
    #[schema(example = json!({"include": ["config", "variables"], "variables": {}}))]
    pub struct MergeOptions;

    /// The dialect to follow. Default: `terraform`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Dialect>, nullable = false)]
    pub dialect: Option<Dialect> {
        #[param(value_type = Option<Dialect>, inline)]
        #[arg(long, env = "OVERFOLD_DIALECT", value_parser = names::<Dialect>(), value_name = "NAME")]
    }
    /// The version to follow: `1.11` (its last patch release), `1.11.4`, or `auto`: the version that the repository means,
    /// which `version_from` in the answer explains. Default: the newest version known for the dialect; on the command line
    /// `auto`.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = "1.11")]
    pub version: Option<String> {
        #[arg(long = "version", id = "tool_version", env = "OVERFOLD_TOOL_VERSION", value_name = "VERSION")]
    }
    /// The module directory inside the files. Default: `.`.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = ".")]
    pub root: Option<String> {
        #[arg(long, env = "OVERFOLD_ROOT", value_name = "PATH")]
    }
    /// Merge every directory at `root` and below it that contains configuration files; hidden folders such as
    /// `.terraform` are left out. The answer has `modules` instead of `module`, file names are relative to the upload,
    /// and calls of local modules are checked against the called module. `variables` applies only to the module in
    /// `root`. Default: `false`.
    #[serde(default)]
    pub recursive: bool {
        #[param(required = false)]
        #[arg(long, env = "OVERFOLD_RECURSIVE")]
    }
    /// With `recursive`: paths of files in the upload, such as those that a pull request changes or removes. The answer
    /// is limited to the module directories that contain them and those that depend on these through local module
    /// calls. Default: all directories. As a query parameter: repeated, one path each.
    #[serde(default, deserialize_with = "bounded::texts")]
    #[schema(value_type = Option<Vec<String>>, nullable = false, example = json!(["modules/network/main.tf"]))]
    pub paths: Option<Vec<String>> {
        #[arg(long, env = "OVERFOLD_PATHS", value_delimiter = ',', value_name = "PATHS")]
    }
    /// Values for input variables. If this is present, even as `{}`, values are processed. As a query parameter: the
    /// object as JSON text, such as `{"env":{"TF_VAR_region":"eu-west-1"}}`.
    #[serde(default, deserialize_with = "present_object")]
    #[schema(value_type = Option<Variables>, nullable = false)]
    pub variables: Option<Variables> {
        #[param(value_type = Option<String>)]
        #[arg(skip)]
    }
    /// The parts to answer with. Default: `config`; diagnostics are always included. As a query parameter: separated by
    /// commas or repeated, such as `config,objects`.
    #[serde(default, deserialize_with = "bounded::names")]
    #[schema(value_type = Option<Vec<Part>>, nullable = false, example = json!(["config", "objects"]))]
    pub include: Option<Vec<Part>> {
        #[param(value_type = Option<String>)]
        #[arg(long, env = "OVERFOLD_INCLUDE", value_parser = names::<Part>(), value_delimiter = ',', value_name = "PARTS")]
    }
    /// The form of `config`. Default: `tf-json`. `files` together with `expand` is an error (status 422).
    #[serde(default)]
    pub config_format: ConfigFormat {
        #[param(required = false, inline)]
        #[arg(long, env = "OVERFOLD_CONFIG_FORMAT", value_parser = names::<ConfigFormat>(), value_name = "FORM", default_value = "tf-json")]
    }
    /// In `config`, replace expressions with their values. An argument's expression that refers to something becomes
    /// its value if it is wholly known; if it is partly known, its known references do. What is sensitive, ephemeral or
    /// unknown stays an expression, and so do `each`, `count`, `self` and iterators, defaults, and arguments that must
    /// be bare addresses. `replacements` in the answer lists what was replaced. Needs `variables`, and one of the
    /// dialects `terraform` and `opentofu`; otherwise, `true` is an error (status 400). With `recursive`, only the
    /// module in `root` has values for its variables. Default: `false`.
    #[serde(default)]
    pub resolve: bool {
        #[param(required = false)]
        #[arg(long, env = "OVERFOLD_RESOLVE")]
    }
    /// With `resolve`: the selected workspace. Default: `TF_WORKSPACE` among the environment variables in `variables`, else
    /// what `.terraform/environment` in the root module says, else `default`.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false, example = "staging")]
    pub workspace: Option<String> {
        #[arg(long, env = "OVERFOLD_WORKSPACE", value_name = "NAME")]
    }
    /// Evaluate `count`, `for_each` and `dynamic` before overriding (dialect `tflint` only; otherwise status 400).
    /// Default: `false`.
    #[serde(default)]
    pub expand: bool {
        #[param(required = false)]
        #[arg(long, env = "OVERFOLD_EXPAND")]
    }
    /// Read only this configuration file, relative to `root`, as Sentinel does with `-config` (dialect `sentinel` only;
    /// otherwise status 400).
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub config_file: Option<String> {
        #[arg(long, env = "OVERFOLD_CONFIG_FILE", value_name = "PATH")]
    }
    /// How much is checked. `load`: what is reported while the module is loaded. `validate`: also what `validate`
    /// reports about names and expressions in an initialised directory, as far as `provider_schemas` allows. Values are
    /// checked only with `variables`. Default: `validate` for the dialects `terraform` and `opentofu`, except in a
    /// comparison of versions; otherwise `load`, and `validate` is an error (status 400).
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<ToolStage>, nullable = false)]
    pub stage: Option<ToolStage> {
        #[param(value_type = Option<ToolStage>, inline)]
        #[arg(long, env = "OVERFOLD_STAGE", value_parser = names::<ToolStage>(), value_name = "STAGE")]
    }
    /// The schemas of the providers that the modules use: the document that `terraform providers schema -json` prints,
    /// or a part of it. Used at the stage `validate`. Not a query parameter: with an archive, it is a part of a form.
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
    /// Show the values of sensitive variables, their expressions and source lines. Ephemeral values are never shown.
    /// Default: `false`.
    #[serde(default)]
    pub reveal_sensitive: bool {
        #[param(required = false)]
        #[arg(long, env = "OVERFOLD_REVEAL_SENSITIVE")]
    }
    /// A prefix for file names in every format of the diagnostics alone (`Accept`), where names are relative to the
    /// upload: the path of the uploaded folder in its repository, such as `infra/prod`.
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
    /// The severity with which diagnostics are shown, by code, such as `{"override/content-lost": "error"}`;
    /// `override/*` stands for all codes of that stage, and `off` leaves diagnostics out. This changes every format,
    /// and what `fail_on` looks for, but never `valid`; a changed diagnostic has its own severity as
    /// `default_severity`. As a query parameter: the object as JSON text, or `CODE=LEVEL`, separated by commas or
    /// repeated.
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
        #[arg(long, env = "OVERFOLD_STRIP_COMPONENTS", value_name = "COUNT")]
    }
}

//! The content of a request. Unknown fields, repeated names, `null` and wrong types are errors, never ignored.

use std::collections::BTreeMap;
use std::fmt;

use super::bounded::{self, MAX_VARIABLES, Text};
use super::name_parser::NameParser;
use super::options::{named, options};
use super::schema_text::SchemaText;
use clap::builder::TypedValueParser;
use overfold_base::account;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, Visitor};
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;
use utoipa::ToSchema;

use crate::api::wire::json::Object;
use overfold_base::diag::Severity;
use overfold_base::echo::short;
use overfold_module::pipeline::ToolStage;

named! {
    /// The tool whose rules are followed.
    pub enum Dialect {
        /// Terraform 1.x.
        Terraform = "terraform",
        /// OpenTofu 1.x.
        OpenTofu = "opentofu",
        /// The configuration as TFLint's rules see it.
        TfLint = "tflint",
        /// The configuration of the Sentinel command line.
        Sentinel = "sentinel",
        /// Terraform 0.11, with its older grammar.
        Terraform011 = "terraform-0.11",
    }
}

named! {
    /// A part of the answer that can be requested.
    pub enum Part {
        /// The merged configuration.
        Config = "config",
        /// Every object with its arguments, where each one comes from, and what it replaced. For the dialect `tflint`, the
        /// answer has `content` in its place: the list of blocks that a rule would see, with the same details for each.
        Objects = "objects",
        /// The input variables.
        Variables = "variables",
        /// The files of the module directory, and what became of each.
        Files = "files",
        /// What overriding changed.
        Overrides = "overrides",
        /// The graph of module calls (with `recursive`).
        Calls = "calls",
    }
}

named! {
    /// The form of the part `config`.
    #[derive(Default)]
    pub enum ConfigFormat {
        /// Terraform's JSON configuration syntax; the tool itself can load it.
        #[default]
        TfJson = "tf-json",
        /// The form that hcl2json and conftest's `hcl2` parser produce.
        Hcl2Json = "hcl2json",
        /// Native syntax, as a single text.
        Hcl = "hcl",
        /// The primary files, with the overrides folded into them in place.
        Files = "files",
    }
}

named! {
    /// The command of the tool whose problems are reported.
    pub enum Stage {
        /// What the tool reports when it loads the module.
        Load = "load",
        /// What `validate` reports in a directory in which everything is installed, as far as the schemas of the
        /// providers are given.
        Validate = "validate",
    }
}

impl Stage {
    /// Returns the stage for the pipeline.
    pub(crate) const fn of_tool(self) -> ToolStage {
        match self {
            Self::Load => ToolStage::Load,
            Self::Validate => ToolStage::Validate,
        }
    }
}

named! {
    /// The lowest severity of a finding that makes a request fail.
    pub enum FailOn {
        /// An error.
        Error = "error",
        /// A warning or an error.
        Warning = "warning",
        /// Any finding, even a note.
        Info = "info",
    }
}

impl FailOn {
    /// Returns the severity.
    pub(crate) const fn severity(self) -> Severity {
        match self {
            Self::Error => Severity::Error,
            Self::Warning => Severity::Warning,
            Self::Info => Severity::Info,
        }
    }
}

/// Values for input variables. If this is present, even as `{}`, values are processed: the module is then treated as
/// the root module of a run.
#[derive(Deserialize, ToSchema, Clone, Debug, Default)]
#[serde(deny_unknown_fields)]
#[schema(example = json!({
    "env": {"TF_VAR_region": "eu-west-1"},
    "args": [{"var_file": "prod.tfvars"}, {"var": "size=3"}, {"name": "tags", "value": {"team": "net"}}]
}))]
pub struct Variables {
    /// Environment variables: names such as `TF_VAR_…`, and their texts.
    #[serde(default)]
    #[schema(value_type = BTreeMap<String, String>, required = false)]
    pub env: Env,
    /// Options in order, as on a command line; if two of them set the same variable, the later one wins.
    #[serde(default, deserialize_with = "some_args")]
    pub args: Vec<VariableArg>,
}

/// Environment variables by name; a repeated name is an error. At most `MAX_VARIABLES` plus one are kept.
#[derive(Clone, Debug, Default)]
pub struct Env(pub(crate) BTreeMap<String, String>);

impl<'de> Deserialize<'de> for Env {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Pairs;
        impl<'de> Visitor<'de> for Pairs {
            type Value = Env;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("an object of environment variables")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Env, A::Error> {
                let mut pairs = BTreeMap::new();
                while let Some(name) = map.next_key::<String>()? {
                    if pairs.contains_key(&name) {
                        return Err(A::Error::custom(format_args!("duplicate key {:?}", short(&name))));
                    }
                    account::touch(name.len());
                    if pairs.len() > MAX_VARIABLES {
                        map.next_value::<IgnoredAny>()?;
                    } else {
                        let text: String = map.next_value()?;
                        account::touch(text.len());
                        pairs.insert(name, text);
                    }
                }
                Ok(Env(pairs))
            }
        }
        deserializer.deserialize_map(Pairs)
    }
}

/// Deserializes options in order. At most [`MAX_VARIABLES`] plus one are kept.
fn some_args<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<VariableArg>, D::Error> {
    bounded::at_most(deserializer, MAX_VARIABLES, "a list of options", |Object(arg)| arg)
}

/// One option: exactly one of `var`, `var_file`, or `name` together with `value`.
#[derive(Deserialize, ToSchema, Clone, Debug)]
#[serde(deny_unknown_fields)]
pub struct VariableArg {
    /// The text `NAME=TEXT`, as after `-var`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<String>, nullable = false, example = "size=3")]
    pub var: Option<String>,
    /// The path of a variable definitions file among the files, relative to `root`.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub var_file: Option<String>,
    /// The name of a variable whose value is given as JSON in `value`.
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub name: Option<String>,
    /// The value as JSON; no text in it is parsed, and numbers keep all their digits.
    #[serde(default, deserialize_with = "raw")]
    #[schema(value_type = Option<serde_json::Value>)]
    pub value: Option<Box<RawValue>>,
}

/// Deserializes a field that may be missing, but not `null`.
pub(super) fn present<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Deserializes an object that may be missing, but not `null`.
pub(super) fn present_object<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    Object::deserialize(deserializer).map(|Object(value)| Some(value))
}

/// Deserializes a JSON text that may be missing; `null` is a text.
fn raw<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Box<RawValue>>, D::Error> {
    Box::<RawValue>::deserialize(deserializer).map(Some)
}

/// Returns a command-line parser for the values of an option that is one of a list of names.
pub(crate) fn names<T: Copy + Send + Sync + 'static>(
    names: &'static [(&'static str, T)],
) -> impl TypedValueParser<Value = T> {
    NameParser(names)
}

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

    /// The tool whose rules are followed. Default: `terraform`.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Dialect>, nullable = false)]
    pub dialect: Option<Dialect> {
        #[param(value_type = Option<Dialect>, inline)]
        #[arg(long, env = "OVERFOLD_DIALECT", value_parser = names(Dialect::NAMES), value_name = "NAME")]
    }
    /// The tool version to follow: `1.11` (its last patch release) or `1.11.4`. Default: the newest version known for
    /// the dialect.
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
        #[arg(long, env = "OVERFOLD_INCLUDE", value_parser = names(Part::NAMES), value_delimiter = ',', value_name = "PARTS")]
    }
    /// The form of `config`. Default: `tf-json`. `files` together with `expand` is an error (status 422).
    #[serde(default)]
    pub config_format: ConfigFormat {
        #[param(required = false, inline)]
        #[arg(long, env = "OVERFOLD_CONFIG_FORMAT", value_parser = names(ConfigFormat::NAMES), value_name = "FORM", default_value = "tf-json")]
    }
    /// In `config`, replace expressions by their values: an argument's expression that refers to something and is wholly
    /// known by its value, and in one that is partly known each reference that is. What is sensitive, ephemeral or unknown
    /// stays an expression, and so do `each`, `count`, `self` and iterators, defaults, and arguments that must be bare
    /// addresses. `replacements` in the answer lists what was replaced. Needs `variables`, and one of the dialects
    /// `terraform` and `opentofu`; otherwise, `true` is an error (status 400). With `recursive`, only the module in `root`
    /// has values for its variables. Default: `false`.
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
    /// Read only this configuration file, relative to `root`, as the tool does with `-config` (dialect `sentinel` only;
    /// otherwise status 400).
    #[serde(default, deserialize_with = "bounded::text")]
    #[schema(value_type = Option<String>, nullable = false)]
    pub config_file: Option<String> {
        #[arg(long, env = "OVERFOLD_CONFIG_FILE", value_name = "PATH")]
    }
    /// How far problems are looked for: `load`, what the tool reports when it loads the module; or `validate`, in
    /// addition what `validate` reports about names and expressions in an initialised directory, as far as
    /// `provider_schemas` allows. Values are judged only with `variables`. Default: `validate` for the dialects
    /// `terraform` and `opentofu`, except in a comparison of versions; otherwise `load`, and `validate` is an error
    /// (status 400).
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Stage>, nullable = false)]
    pub stage: Option<Stage> {
        #[param(value_type = Option<Stage>, inline)]
        #[arg(long, env = "OVERFOLD_STAGE", value_parser = names(Stage::NAMES), value_name = "STAGE")]
    }
    /// The schemas of the providers that the modules use: the document that `terraform providers schema -json` prints,
    /// or a part of it. Used at the stage `validate`. Not a query parameter: with an archive, it is a part of a form.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<Object>, nullable = false)]
    pub provider_schemas: Option<SchemaText> {
        #[param(ignore)]
        #[arg(skip)]
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
    /// Answer with status 422, and the same body, if there is a finding of this severity or worse. On the command line,
    /// exit with code 1; by default, only errors cause that.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<FailOn>, nullable = false)]
    pub fail_on: Option<FailOn> {
        #[param(value_type = Option<FailOn>, inline)]
        #[arg(long, env = "OVERFOLD_FAIL_ON", value_parser = names(FailOn::NAMES), value_name = "SEVERITY")]
    }
    /// The severity with which findings are shown, by code, such as `{"override/content-lost": "error"}`; `override/*`
    /// stands for all codes of that stage, and `off` leaves findings out. This changes every format, and what `fail_on`
    /// looks for, but never `valid`; a changed finding has its own severity as `default_severity`. As a query parameter:
    /// the object as JSON text, or `CODE=LEVEL`, separated by commas or repeated.
    #[serde(default, deserialize_with = "present_rules")]
    #[schema(value_type = Option<BTreeMap<String, Level>>, nullable = false, example = json!({"override/content-lost": "error"}))]
    pub severities: Option<Vec<SeverityRule>> {
        #[param(value_type = Option<String>)]
        #[arg(long = "severity", env = "OVERFOLD_SEVERITY", value_delimiter = ',', value_name = "CODE=LEVEL")]
    }
    /// The number of leading segments to remove from each path. Default: one for an archive whose entries are all below
    /// one folder, else none.
    #[serde(default, deserialize_with = "present")]
    #[schema(value_type = Option<u32>, nullable = false)]
    pub strip_components: Option<u32> {
        #[arg(long, env = "OVERFOLD_STRIP_COMPONENTS", value_name = "COUNT")]
    }
}

named! {
    /// The severity that a request gives to findings.
    pub enum Level {
        /// An error.
        Error = "error",
        /// A warning.
        Warning = "warning",
        /// A note.
        Info = "info",
        /// Not shown.
        Off = "off",
    }
}

/// One entry of `severities`, as written; neither of the names has been checked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct SeverityRule {
    /// A code, or a stage followed by `/*`.
    pub(crate) code: Box<str>,
    /// The name of a level.
    pub(crate) level: Box<str>,
}

impl SeverityRule {
    /// The most entries that a request may have; there are fewer codes.
    pub(crate) const MOST: usize = 1000;

    /// The number of bytes that are kept of a name; no code has so many.
    const MAX_NAME: usize = 256;

    /// Takes an entry. Of a name that is too long to exist, only the start is kept.
    pub(crate) fn new(code: &str, level: &str) -> Self {
        let kept = |text: &str| text.get(..text.floor_char_boundary(Self::MAX_NAME)).unwrap_or_default().into();
        Self { code: kept(code), level: kept(level) }
    }
}

impl std::str::FromStr for SeverityRule {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let (code, level) =
            text.split_once('=').ok_or("it must be CODE=LEVEL, such as override/content-lost=error")?;
        Ok(Self::new(code.trim(), level.trim()))
    }
}

/// Like [`severity_rules`], but for a member that may be missing.
pub(super) fn present_rules<'de, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<Vec<SeverityRule>>, D::Error> {
    severity_rules(deserializer).map(Some)
}

/// Reads the entries of `severities` from an object; a repeated name is an error. At most [`SeverityRule::MOST`] plus
/// one are kept.
pub(crate) fn severity_rules<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<SeverityRule>, D::Error> {
    type Name = Text<{ SeverityRule::MAX_NAME }>;
    struct Rules;
    impl<'de> Visitor<'de> for Rules {
        type Value = Vec<SeverityRule>;

        fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
            f.write_str("an object of severities by code")
        }

        fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Vec<SeverityRule>, A::Error> {
            let mut rules = BTreeMap::new();
            while let Some(Text(code)) = map.next_key::<Name>()? {
                if rules.contains_key(&code) {
                    return Err(A::Error::custom(format_args!("duplicate key {:?}", short(&code))));
                }
                if rules.len() > SeverityRule::MOST {
                    map.next_value::<IgnoredAny>()?;
                } else {
                    let Text(level) = map.next_value::<Name>()?;
                    rules.insert(code, level);
                }
            }
            Ok(rules
                .into_iter()
                .map(|(code, level)| SeverityRule { code: code.into(), level: level.into() })
                .collect())
        }
    }
    deserializer.deserialize_map(Rules)
}

/// A file's content: text, or bytes as base64.
#[derive(Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum FileContent {
    /// UTF-8 text.
    Text(String),
    /// Bytes that need not be UTF-8.
    Bytes {
        /// The bytes in base64 (RFC 4648, section 4), padded.
        base64: String,
    },
}

/// The bytes of an archive, as the body of `POST /v1/merge`.
#[derive(ToSchema, Debug)]
#[schema(value_type = String, format = Binary)]
#[expect(dead_code, reason = "documentation only: wire::upload reads the bytes")]
pub struct Archive(Vec<u8>);

/// The body of `POST /v1/merge` as `multipart/form-data`: either `archive`, or any number of `files`.
#[derive(ToSchema, Debug)]
#[expect(dead_code, reason = "documentation only: wire::upload reads the parts")]
pub struct MergeForm {
    /// One archive: tar, tar.gz, tar.zst or zip.
    #[schema(required = false, value_type = String, format = Binary)]
    archive: Vec<u8>,
    /// Files; the file name of each part is the file's path.
    #[schema(required = false, value_type = Vec<String>, format = Binary)]
    files: Vec<Vec<u8>>,
    /// The options as `application/json`.
    #[schema(required = false)]
    options: MergeOptions,
    /// The option `provider_schemas`, as a part of its own.
    #[schema(required = false, value_type = Object)]
    provider_schemas: (),
}

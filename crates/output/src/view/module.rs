//! The answer of `POST /v1/merge`, and the parts that each module in it has.

use std::borrow::Cow;
use std::collections::BTreeMap;

use overfold_base::openapi::ToSchema;
use serde::Serialize;
use serde_json::Value;

use super::{Block, ConfigObject, Diagnostic, Override, Range, Replacement, Variable, VersionFrom};
use crate::diagnostics::DiagnosticList;
use crate::json::Streamed;
use crate::objects::{NestedBlocks, Objects};
use crate::overrides::Overrides;
use crate::repository::{WrittenCalls, WrittenModules};
use crate::resolved::Replacements;
use crate::variables::Variables;
pub use overfold_model::language::module_source::SourceKind;
pub use overfold_module::pipeline::Dialect;

/// The answer of `POST /v1/merge`: status 200 whenever the files could be read, however broken the configuration is.
#[derive(Serialize, ToSchema)]
#[schema(example = json!({
    "valid": true,
    "dialect": "terraform",
    "version": "1.11",
    "module": {
        "path": ".",
        "config": {"resource": {"terraform_data": {"web": [{"input": "green"}]}}},
        "objects": {
            "terraform_data.web": {
                "kind": "resource",
                "header": {"filename": "main.tf", "start": {"line": 1, "column": 1, "byte": 0},
                           "end": {"line": 1, "column": 32, "byte": 31}},
                "range": {"filename": "main.tf", "start": {"line": 1, "column": 1, "byte": 0},
                          "end": {"line": 3, "column": 2, "byte": 52}},
                "overridden_by": [{"filename": "override.tf", "start": {"line": 1, "column": 1, "byte": 0},
                                   "end": {"line": 1, "column": 32, "byte": 31}}],
                "attributes": {
                    "input": {
                        "expression": "\"green\"",
                        "range": {"filename": "override.tf", "start": {"line": 2, "column": 3, "byte": 36},
                                  "end": {"line": 2, "column": 18, "byte": 51}},
                        "previous": [{
                            "expression": "\"blue\"",
                            "range": {"filename": "main.tf", "start": {"line": 2, "column": 3, "byte": 36},
                                      "end": {"line": 2, "column": 17, "byte": 50}}
                        }]
                    }
                },
                "blocks": []
            }
        }
    },
    "diagnostics": []
}))]
pub struct MergeAnswer<'a> {
    /// Whether no diagnostic has severity `error`.
    pub valid: bool,
    /// The dialect whose rules were followed.
    #[schema(value_type = Dialect)]
    pub dialect: &'static str,
    /// The version that was followed: as requested, or the newest known one.
    #[schema(example = "1.11")]
    pub version: &'a str,
    /// With `version: "auto"`: where that version was found.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub version_from: Option<VersionFrom<'a>>,
    /// The merged module. With `recursive`, `modules` replaces it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub module: Option<Module<'a>>,
    /// With `recursive`: each module directory by its path inside the files, `.` for the top directory. All file names
    /// are relative to the top directory, also in `diagnostics`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Module<'a>>>, nullable = false)]
    pub modules: Option<WrittenModules<'a>>,
    /// The graph of module calls (part `calls`, with `recursive`), sorted by calling directory, then by order of
    /// declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<ModuleCall<'a>>>, nullable = false)]
    pub calls: Option<WrittenCalls<'a>>,
    /// Every diagnostic, sorted by file, then by position.
    #[schema(value_type = Vec<Diagnostic<'a>>)]
    pub diagnostics: DiagnosticList<'a>,
    /// The number of further diagnostics that the answer does not list; absent if it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics_dropped: Option<u32>,
}

/// A call of a module.
#[derive(Serialize, ToSchema, Debug)]
pub struct ModuleCall<'a> {
    /// The directory of the calling module, `.` for the top directory.
    #[schema(example = "examples/simple")]
    pub from: &'a str,
    /// The address of the call; absent if a syntax error makes its name uncertain.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "module.network")]
    pub address: Option<String>,
    /// The source: its text if it is a constant or could be evaluated, else the expression. Null if there is none or it
    /// is not shown.
    #[schema(example = "../../modules/network")]
    pub source: Option<Cow<'a, str>>,
    /// `true` if the source is not shown because it may contain a sensitive value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// The kind of the source; absent if the source is not valid or not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub kind: Option<SourceKind>,
    /// The directory of the called module, if it is among the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "modules/network")]
    pub to: Option<&'a str>,
    /// The header of the call.
    pub range: Range<'a>,
}

/// A merged module directory. Each part is present if `include` asks for it.
#[derive(Serialize, ToSchema)]
pub struct Module<'a> {
    /// The module directory inside the files, `.` for the top directory.
    #[schema(example = ".")]
    pub path: &'a str,
    /// Part `files`: the files of the module directory, and what became of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub files: Option<Vec<File<'a>>>,
    /// Part `config`: the merged configuration in the form named by `config_format`. A sensitive or ephemeral default
    /// is left out; the comment `"//"` in its place names it, and a diagnostic has its position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Configuration>, nullable = false)]
    pub config: Option<Streamed>,
    /// With `resolve`: what was replaced by its value in `config`, sorted by place. Anything that is not here is in `config`
    /// as it is written.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Replacement<'a>>>, nullable = false)]
    pub replacements: Option<Replacements<'a>>,
    /// Part `objects`: the objects by address.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, ConfigObject<'a>>>, nullable = false)]
    pub objects: Option<Objects<'a>>,
    /// Part `content`, for the dialect `tflint` instead of `objects`: the blocks that a rule would see, in order. If a
    /// diagnostic has severity `error`, TFLint shows none of them.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Block<'a>>>, nullable = false)]
    pub content: Option<NestedBlocks<'a>>,
    /// Part `overrides`: what overriding changed, sorted by override file and position.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Vec<Override<'a>>>, nullable = false)]
    pub overrides: Option<Overrides<'a>>,
    /// Part `variables`: the variables by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<BTreeMap<String, Variable<'a>>>, nullable = false)]
    pub variables: Option<Variables<'a>>,
}

/// The merged configuration: text in the form `hcl`, an object in the other forms. In the form `files`, the object maps
/// file names to texts (`{"base64": …}` for a file that is not UTF-8).
#[derive(Serialize, ToSchema, Debug)]
#[serde(untagged)]
#[schema(examples(
    json!({"resource": {"terraform_data": {"web": [{"input": "green"}]}}}),
    json!("resource \"terraform_data\" \"web\" {\n  input = \"green\"\n}\n"),
    json!({"main.tf": "resource \"terraform_data\" \"web\" {\n  input = \"green\"\n}\n"})
))]
pub enum Configuration {
    /// The forms `tf-json`, `hcl2json` and `files`.
    Object(BTreeMap<String, Value>),
    /// The form `hcl`.
    Text(String),
}

/// The role of a file in its dialect.
#[derive(Serialize, ToSchema, Clone, Copy, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Loaded first.
    Primary,
    /// Merged into the primary files, in order.
    Override,
    /// Variable definitions.
    Values,
    /// A test file, not part of the module.
    Test,
    /// Not read.
    Ignored,
}

/// How a file is read.
#[derive(Serialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Syntax {
    /// HCL native syntax.
    Native,
    /// HCL JSON syntax.
    Json,
}

/// A file of the module directory.
#[derive(Serialize, ToSchema, Debug)]
pub struct File<'a> {
    /// The path relative to the module directory; with `recursive`, relative to the top directory of the files.
    #[schema(example = "override.tf")]
    pub path: Cow<'a, str>,
    /// The role of the file in its dialect.
    pub role: Role,
    /// The 1-based position among the override files, in merge order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order: Option<u32>,
    /// How the file is read; absent for an ignored file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub syntax: Option<Syntax>,
    /// The reason for which the file is ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "hidden file")]
    pub reason: Option<&'static str>,
}

//! What an answer holds. `output` writes it straight from the trees to bytes; these types document it.

mod diagnostics;
mod objects;
mod overrides;
mod place;
mod variables;

pub use diagnostics::*;
pub use objects::*;
pub use overrides::*;
pub use place::*;
pub use variables::*;

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::Dialect;

/// The answer of `POST /v1/merge`: 200 whenever the files could be read, however broken the configuration is.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
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
                "declared": {"filename": "main.tf", "start": {"line": 1, "column": 1, "byte": 0},
                             "end": {"line": 1, "column": 32, "byte": 31}},
                "header": {"filename": "main.tf", "start": {"line": 1, "column": 1, "byte": 0},
                           "end": {"line": 1, "column": 32, "byte": 31}},
                "range": {"filename": "main.tf", "start": {"line": 1, "column": 1, "byte": 0},
                          "end": {"line": 3, "column": 2, "byte": 52}},
                "overridden": [{"filename": "override.tf", "start": {"line": 1, "column": 1, "byte": 0},
                                "end": {"line": 1, "column": 32, "byte": 31}}],
                "attributes": {
                    "input": {
                        "expression": "\"green\"",
                        "range": {"filename": "override.tf", "start": {"line": 2, "column": 3, "byte": 36},
                                  "end": {"line": 2, "column": 18, "byte": 51}},
                        "overrode": [{
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
pub struct MergeAnswer {
    /// No diagnostic has severity `error`.
    pub valid: bool,
    /// Whose rules were followed.
    pub dialect: Dialect,
    /// The tool version that was followed, as asked for, or the newest known.
    #[schema(example = "1.11")]
    pub version: String,
    /// The merged module. With `recursive` there is `modules` in its place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub module: Option<Module>,
    /// With `recursive`: each module directory by its path inside the files, `.` for the top. All file names are relative to
    /// the top of the files, in `diagnostics` too.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub modules: Option<BTreeMap<String, Module>>,
    /// Part `calls`, with `recursive`: the graph of module calls, by the calling directory, then in order of declaration.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub calls: Option<Vec<ModuleCall>>,
    /// Every finding, sorted by file, then position.
    pub diagnostics: Vec<Diagnostic>,
    /// How many more findings there are than the answer lists; absent when it lists all.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub diagnostics_dropped: Option<u32>,
}

/// A call of a module.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct ModuleCall {
    /// The directory of the calling module, `.` for the top.
    #[schema(example = "examples/simple")]
    pub from: String,
    /// The address of the call; absent where a syntax error leaves open what its name is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "module.network")]
    pub address: Option<String>,
    /// The source: its text where that is a constant or could be evaluated, else the expression. Null where there is none
    /// or it is not shown.
    #[schema(example = "../../modules/network")]
    pub source: Option<String>,
    /// The source is not shown because it may hold a sensitive value.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// What kind of source it is; absent where it is not a valid one or is not known.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub kind: Option<CallKind>,
    /// The directory of the called module, where that is in the files.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "modules/network")]
    pub to: Option<String>,
    /// The header of the call.
    pub range: Range,
}

/// Kinds of module sources.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum CallKind {
    /// A directory relative to the module.
    Local,
    /// A module of a registry.
    Registry,
    /// Something to download.
    Remote,
}

/// A merged module directory. The parts are there when `include` asks for them.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Module {
    /// The module directory inside the files, `.` for the top.
    #[schema(example = ".")]
    pub path: String,
    /// Part `files`: the files of the module directory and what became of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub files: Option<Vec<File>>,
    /// Part `config`: the merged configuration in the shape `config_format` names. A default that is sensitive or
    /// ephemeral is null there; the comment `"//"` beside it names the argument.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(value_type = Option<Configuration>, nullable = false)]
    pub config: Option<Value>,
    /// Part `objects`: address → object.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub objects: Option<BTreeMap<String, ConfigObject>>,
    /// Part `content`, of the dialect `tflint` in place of `objects`: the blocks that a rule would see, in order. Where
    /// a finding has severity `error` the tool shows none of it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub content: Option<Vec<Block>>,
    /// Part `overrides`: what the overriding changed, sorted by override file and place in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overrides: Option<Vec<Override>>,
    /// Part `variables`: name → variable.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub variables: Option<BTreeMap<String, Variable>>,
}

/// The merged configuration: a text in the form `hcl`, an object in the others. In `files` its members are the texts of the
/// files by their names (`{"base64": …}` for one that is not UTF-8).
#[derive(Serialize, Deserialize, ToSchema, Debug)]
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

/// What a file is to the dialect.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// Loaded first.
    Primary,
    /// Merged into the primary ones, in order.
    Override,
    /// Variable definitions.
    Values,
    /// A test file, not part of the module.
    Test,
    /// Not read.
    Ignored,
}

/// How a file is read.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Syntax {
    /// HCL native syntax.
    Native,
    /// HCL JSON syntax.
    Json,
}

/// A file of the module directory.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct File {
    /// Path relative to the module directory; with `recursive` relative to the top of the files.
    #[schema(example = "override.tf")]
    pub path: String,
    /// What it is to the dialect.
    pub role: Role,
    /// 1-based place among the override files, in the order of merging.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub order: Option<u32>,
    /// How it is read; absent for an ignored file.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub syntax: Option<Syntax>,
    /// Why it is ignored.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "hidden file")]
    pub reason: Option<String>,
}

//! What an answer holds. `output` writes it straight from the trees to bytes; these types document it.

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

/// What became of a part of the configuration through an override file.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "kebab-case")]
pub enum OverrideChange {
    /// An argument took the place of one.
    Replaced,
    /// An argument or nested block is new.
    Added,
    /// An argument, nested block or object is gone and nothing took its place: it is lost.
    Removed,
    /// A nested block or an object as a whole took the place of one.
    BlockReplaced,
    /// An object that no primary file declares is new.
    ObjectAdded,
    /// The override file has it, and it changed nothing.
    Ignored,
}

/// One act of an override file. What a block loses because it is replaced as a whole is an entry of its own.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Override {
    /// The object, by its address. In a list of blocks (dialect `tflint`): type and labels joined by dots.
    #[schema(example = "aws_instance.web")]
    pub address: String,
    /// JSON Pointer (RFC 6901) into `config` in the format `tf-json`: to what is there in the end, which a later override file
    /// may have put there. Absent where nothing of it is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "/resource/aws_instance/web/0/ami")]
    pub pointer: Option<String>,
    /// What happened.
    pub change: OverrideChange,
    /// The name of the argument that it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "ami")]
    pub argument: Option<String>,
    /// The type of the nested block that it is about. Where both are absent it is about the object.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub block: Option<String>,
    /// What was there. Of something ignored: what is kept.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub before: Option<OverrideSide>,
    /// What the override file put there. Of something ignored: what has no effect.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub after: Option<OverrideSide>,
    /// The override file.
    #[schema(example = "override.tf")]
    pub file: String,
    /// What in the override file did it: the new part, the ignored one, or the block that removed something.
    pub cause: Range,
    /// The header of the block around the part.
    pub within: Range,
    /// Why: the id of the rule in the dialect's table (`GET /v1/dialects/{name}`).
    #[schema(example = "replace")]
    pub rule: String,
}

/// One side of what an override changed.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct OverrideSide {
    /// The source text of an argument's expression, as written; null where it is secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(example = "\"ami-408c7f28\"")]
    pub expression: Option<String>,
    /// The value of an expression that refers to nothing and calls nothing.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The expression is secret.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// From the name of an argument to the end of its expression; the whole of a block.
    pub range: Range,
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

/// A position in a file.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Position {
    /// 1-based; 0 where a tool places a finding in no file (the file name is then empty, and all positions are 0).
    #[schema(example = 1)]
    pub line: u32,
    /// 1-based, in Unicode grapheme clusters.
    #[schema(example = 1)]
    pub column: u32,
    /// 0-based offset into the file as sent.
    #[schema(example = 0)]
    pub byte: u32,
}

/// A half-open range of a file: `end` is the first position after it.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Range {
    /// Path relative to the module directory; with `recursive` relative to the top of the files.
    #[schema(example = "main.tf")]
    pub filename: String,
    /// First position.
    pub start: Position,
    /// First position after the range.
    pub end: Position,
}

/// A thing with an address.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct ConfigObject {
    /// `resource`, `data`, `variable`, …
    #[schema(example = "resource")]
    pub kind: String,
    /// The header of its declaration. Of an object that an override replaces as a whole (a local value, a backend), of
    /// the declaration that takes effect.
    pub declared: Range,
    /// The same place as `declared`: from the keyword to the last label; in JSON the bracket that opens the body. Absent
    /// where the object is an argument (a local value, the requirement of a provider), which has no header.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub header: Option<Range>,
    /// The whole block, from the keyword to the closing brace; in JSON the value that is its body. The whole argument
    /// where the object is one.
    pub range: Range,
    /// The header of each override block that was merged in or took its place, in order; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overridden: Option<Vec<Range>>,
    /// Labels that the address does not hold, such as the type of a backend.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = json!(["s3"]))]
    pub labels: Option<Vec<String>>,
    /// The type constraint of a variable or output as it is declared.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub type_: Option<String>,
    /// A variable's default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// `default` is not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `opentofu`: what the source and version of a module call come to. Absent where the source could not be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub resolved: Option<ResolvedModule>,
    /// `opentofu`: the keys that the `for_each` of a provider configuration gives, sorted. Absent where there is none or it
    /// could not be evaluated.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = json!(["eu", "us"]))]
    pub instances: Option<Vec<String>>,
    /// Arguments by name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub attributes: Option<BTreeMap<String, Attribute>>,
    /// Arguments of an escape block `_`, whose names would otherwise be meta-arguments.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub escaped: Option<BTreeMap<String, Attribute>>,
    /// Nested blocks in final order.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub blocks: Option<Vec<Block>>,
    /// Nested blocks that an override removed, oldest first; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overrode_blocks: Option<Vec<Block>>,
    /// `terraform.required_version`: all constraints that hold together. Those of an override replace all earlier ones,
    /// which stand as `overrode` at the first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub constraints: Option<Vec<Constraint>>,
}

/// What the source and version of a module call come to.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct ResolvedModule {
    /// The source as text; it may be no valid address. Null when redacted.
    #[schema(example = "./modules/net")]
    pub source: Option<String>,
    /// The version constraint, where one is given, can be read and may be shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "~> 3.1")]
    pub version: Option<String>,
    /// `true`: the value of a sensitive or ephemeral variable takes part in one of them, which is not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
}

/// An argument: the winner, and what it replaced.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Attribute {
    /// The winner's source text exactly as written; null when redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "\"green\"")]
    pub expression: Option<String>,
    /// `true`: the expression is not shown because a sensitive or ephemeral value stands in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true` in place of `expression` where it has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// From the argument's name to the end of the expression.
    pub range: Range,
    /// The value that the step of an expansion gives it (`expand`). Absent where none has, or where it is not known,
    /// sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// `true`: an override file added the argument to a block that had none of its name.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub added: Option<bool>,
    /// What it replaced, oldest first; absent when there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overrode: Option<Vec<Replaced>>,
}

/// One of several constraints that hold together.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    /// Its source text exactly as written; null when redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "\">= 1.5\"")]
    pub expression: Option<String>,
    /// `true`: the expression is not shown because a sensitive or ephemeral value stands in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true` in place of `expression` where it has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// From the argument's name to the end of the expression.
    pub range: Range,
    /// What it replaced, oldest first; absent when there is nothing.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overrode: Option<Vec<Replaced>>,
}

/// An argument that was replaced.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Replaced {
    /// Its source text exactly as written; null when redacted.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = "\"blue\"")]
    pub expression: Option<String>,
    /// `true`: the expression is not shown because a sensitive or ephemeral value stands in it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// `true` in place of `expression` where it has a syntax error.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub broken: Option<bool>,
    /// From the argument's name to the end of the expression.
    pub range: Range,
}

/// A nested block.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Block {
    /// The block type.
    #[serde(rename = "type")]
    #[schema(example = "lifecycle")]
    pub type_: String,
    /// Labels in order.
    pub labels: Vec<String>,
    /// From the keyword to the last label; in JSON the bracket that opens the body. Absent where that is all there is.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub header: Option<Range>,
    /// The whole block, from the keyword to the closing brace; in JSON the value that is its body.
    pub range: Range,
    /// The header of each override block that was merged in, in order; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub overridden: Option<Vec<Range>>,
    /// Arguments by name.
    pub attributes: BTreeMap<String, Attribute>,
    /// Arguments of an escape block `_`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub escaped: Option<BTreeMap<String, Attribute>>,
    /// Nested blocks in final order.
    #[schema(no_recursion)]
    pub blocks: Vec<Block>,
    /// Nested blocks that an override removed, oldest first; absent when there is none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, no_recursion)]
    pub overrode_blocks: Option<Vec<Block>>,
}

/// What is known of a variable's value.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum ValueState {
    /// The value is known.
    Known,
    /// The value depends on something that is only known in a run.
    Unknown,
    /// The value is wrong; a diagnostic says how.
    Error,
}

/// An input variable.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Variable {
    /// The type constraint as it is declared.
    #[serde(rename = "type", skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "list(string)")]
    pub type_: Option<String>,
    /// The declared default.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub default: Option<Value>,
    /// The final value. `null` with `redacted` where it is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// What is known of the value; absent when values were not asked for.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub state: Option<ValueState>,
    /// The final value's type in cty's JSON form. Null where the value is redacted and the declaration leaves its type
    /// open.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(example = json!(["list", "string"]))]
    pub value_type: Option<Value>,
    /// Whether the declaration marks it as sensitive.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub sensitive: Option<bool>,
    /// Whether null is a value that it takes.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub nullable: Option<bool>,
    /// `value` and `default` are not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
    /// Where the value comes from: a source, or the list of all sources of a map merged from several.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub from: Option<ValueSources>,
    /// The sources that it hid, highest first.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hid: Option<Vec<ValueSource>>,
}

/// Where a value comes from.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum ValueSources {
    /// One source.
    One(ValueSource),
    /// The sources of a map that was merged from several, lowest first.
    Merged(Vec<ValueSource>),
}

/// A source of a variable's value.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
pub struct ValueSource {
    /// `default`, `env`, `file`, `var`, `var_file` or `value`.
    #[schema(example = "env")]
    pub kind: String,
    /// The environment variable, for `env`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "TF_VAR_region")]
    pub name: Option<String>,
    /// The definitions file, for `file` and `var_file`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub path: Option<String>,
    /// 0-based index into `args`, for `var`, `var_file` and `value`.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub index: Option<u32>,
    /// The value that this source gives, for a hidden one; `null` where it is not known or not shown.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub value: Option<Value>,
    /// The value is not shown because the variable is sensitive or ephemeral.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub redacted: Option<bool>,
}

/// How bad a finding is.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Severity {
    /// The tool would refuse the configuration.
    Error,
    /// The tool would go on, with a word of warning.
    Warning,
    /// A note of ours about something that the tool does silently.
    Info,
}

/// Who would say it.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(rename_all = "lowercase")]
pub enum Origin {
    /// The real tool reports this for this input, at this stage.
    Tool,
    /// A note of ours, or a problem that the tool would show only once earlier ones are fixed.
    Overfold,
}

/// One finding, in the shape of `terraform validate -json` with fields of ours.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Diagnostic {
    /// How bad it is.
    pub severity: Severity,
    /// The kind, stable: the stage that found it and the problem.
    #[schema(example = "override/missing-base")]
    pub code: String,
    /// Whether the real tool would report it here.
    pub origin: Origin,
    /// The tool's own short title where it has one.
    #[schema(example = "Missing resource to override")]
    pub summary: String,
    /// What is wrong, why, and what to do.
    pub detail: String,
    /// The address of the object it is about.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "aws_instance.web")]
    pub address: Option<String>,
    /// Where it is; absent where the tool gives no place. An empty range is widened by one byte and one column.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub range: Option<Range>,
    /// The source lines around the place.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub snippet: Option<Snippet>,
    /// Further places.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub related: Option<Vec<Related>>,
    /// With `recursive`: the module directory that it is about, `.` for the top.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "modules/network")]
    pub module: Option<String>,
}

/// Source lines around a place.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Snippet {
    /// The header of the enclosing block, `null` at the top of a file.
    pub context: Option<String>,
    /// Whole lines, joined by line feeds. `(redacted)` stands for what a sensitive or ephemeral value takes up, be it one
    /// line or many.
    #[schema(example = "resource \"aws_instance\" \"web\" {")]
    pub code: String,
    /// The line of the first one, 1-based.
    #[schema(example = 1)]
    pub start_line: u32,
    /// Where the place starts, in bytes of `code`.
    #[schema(example = 0)]
    pub highlight_start_offset: u32,
    /// Where the place ends, in bytes of `code`.
    #[schema(example = 29)]
    pub highlight_end_offset: u32,
    /// Values of the expressions in the place.
    pub values: Vec<SnippetValue>,
}

/// The value of an expression in a snippet.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct SnippetValue {
    /// The expression.
    #[schema(example = "var.size")]
    pub traversal: String,
    /// What is said about its value.
    #[schema(example = "is 3")]
    pub statement: String,
}

/// A second place that belongs to a finding.
#[derive(Serialize, Deserialize, ToSchema, Debug)]
#[serde(deny_unknown_fields)]
pub struct Related {
    /// What is there.
    #[schema(example = "first declared here")]
    pub message: String,
    /// Where it is.
    pub range: Range,
}

//! The tables of the dialects on the wire. `rows` creates them from the rows that the stages follow.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

use super::ToolStage;

/// The answer of `GET /v1/dialects`: every dialect that can be requested, the default first.
#[derive(Serialize, ToSchema, Debug)]
pub struct DialectList {
    /// The dialects.
    pub dialects: Vec<DialectSummary>,
}

/// A description of a dialect.
#[derive(Serialize, ToSchema, Debug)]
pub struct DialectSummary {
    /// The name, as written in requests.
    #[schema(example = "terraform")]
    pub name: &'static str,
    /// The name for people.
    #[schema(example = "Terraform")]
    pub title: &'static str,
    /// A short description.
    pub about: &'static str,
    /// The version that is followed if a request names none.
    #[schema(example = "1.15.9")]
    pub default_version: &'static str,
    /// The versions that can be requested, oldest first. `1.11` stands for the last one that starts with it.
    pub versions: Vec<String>,
    /// How much can be checked; the last stage is the default.
    pub stages: Vec<ToolStage>,
}

/// The query of `GET /v1/dialects/{name}`.
#[derive(IntoParams, Debug)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only: the route reads the query strictly, by hand")]
pub struct DialectQuery {
    /// Only the rows that apply in this version, such as `1.11` or `1.11.4`. Default: every row, with the releases in
    /// which it applies.
    #[param(required = false, example = "1.11")]
    version: String,
}

/// The answer of `GET /v1/dialects/{name}`: the table that every stage follows. Without `?version=`, it contains the
/// rows of all versions, each with the releases in which it applies.
#[derive(Serialize, ToSchema, Debug)]
pub struct DialectTable {
    /// A description of the dialect.
    #[serde(flatten)]
    pub dialect: DialectSummary,
    /// With `?version=`: the full version to which these rows apply.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "1.11.4")]
    pub version: Option<&'static str>,
    /// The structure of the merged module.
    pub view: TableRule,
    /// Which files form a module.
    pub files: TableFiles,
    /// How input variables get their values.
    pub variables: TableVariables,
    /// The block types at the top level.
    pub blocks: Vec<TableBlock>,
    /// Behaviours of the module as a whole.
    pub rules: Vec<TableRuleRow>,
    /// Names that are built in.
    pub builtins: Vec<TableBuiltins>,
    /// Summaries of diagnostics that differ from those of the code or row.
    pub titles: Vec<TableTitle>,
    /// Decisions, in a sentence each, where the documentation of the product leaves a rule open or only implies it.
    pub decisions: &'static [&'static str],
    /// The meanings of the names of rules and of other words in this table: field → name → meaning. A rule inside
    /// another rule is listed under the name it has there.
    #[schema(example = json!({"merge": {"or": "True when either is true."}}))]
    pub terms: BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>,
}

/// The releases in which a row applies; if both fields are absent, all releases.
#[derive(Serialize, ToSchema, Debug, Default)]
pub struct TableReleases {
    /// The first release in which it applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "1.10.0")]
    pub since: Option<String>,
    /// The first later release in which it no longer applies.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "1.14.0")]
    pub until: Option<String>,
}

/// A rule: its name, and next to it its parameters: titles, words, and rules inside it. Titles are summaries of
/// diagnostics; `{0}` and `{1}` stand for labels, `{name}` for the name.
#[derive(Serialize, ToSchema, Debug)]
#[schema(example = json!({"rule": "refuse-unless-empty", "title": "Unsupported override"}))]
pub struct TableRule {
    /// The name of the rule; `terms` of the table explains it.
    pub rule: &'static str,
    /// The parameters of the rule, each as a separate field next to `rule`.
    #[serde(flatten)]
    pub given: BTreeMap<&'static str, TableValue>,
}

/// A parameter of a rule.
#[derive(Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum TableValue {
    /// A boolean.
    Flag(bool),
    /// A title, a name, a release, or a word of `terms`.
    Text(Cow<'static, str>),
    /// A list of words.
    Words(Vec<&'static str>),
    /// Another rule.
    #[schema(no_recursion)]
    Rule(Box<TableRule>),
    /// The row of the object that an argument produces.
    #[schema(no_recursion)]
    Block(Box<TableBlock>),
}

/// A rule, and the releases in which it applies.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableRuleRow {
    /// The rule.
    #[serde(flatten)]
    pub rule: TableRule,
    /// The releases in which it applies.
    #[serde(flatten)]
    pub when: TableReleases,
}

/// Names that are built in, from the same releases on.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableBuiltins {
    /// What the names stand for, a word of `terms`.
    #[schema(example = "function")]
    pub built_in: &'static str,
    /// The names, sorted.
    #[schema(example = json!(["endswith", "startswith", "timecmp"]))]
    pub names: &'static [&'static str],
    /// The releases that know them.
    #[serde(flatten)]
    pub when: TableReleases,
}

/// Which files of a directory form a module, and in which role.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableFiles {
    /// Configuration files, by the ends of their names. The longest matching suffix decides.
    pub suffixes: Vec<TableSuffix>,
    /// A file is an override file if its name without the suffix is this word …
    #[schema(example = "override")]
    pub override_name: &'static str,
    /// … or ends in this.
    #[schema(example = "_override")]
    pub override_end: &'static str,
    /// Variable definitions files that are read without being named.
    pub values: Vec<TableValuesFile>,
    /// Names of files that are primary only if no file is primary by its suffix: the first one that exists is used.
    pub alone: Vec<TableNamedFile>,
    /// How test files are read; absent if they are not read.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tests: Option<TableTests>,
    /// Ends of the names of files that a request may name in `config_file`, to be read on their own.
    pub by_request: Vec<TableNamedFile>,
}

/// How test files are read.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableTests {
    /// The folder in the module directory whose test files come before those next to the module.
    #[schema(example = "tests")]
    pub folder: &'static str,
    /// What a test file may contain, as the row of a block whose body is the file.
    pub file: TableBlock,
    /// The files in the directory that `source` of a mock provider names; absent if it names none.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub mocks: Option<TableMocks>,
}

/// How the files with the data of mock providers are read.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableMocks {
    /// The ends of their names.
    pub names: Vec<TableNamedFile>,
    /// What they may contain, as the row of a block whose body is the file.
    pub file: TableBlock,
}

/// A kind of configuration file.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableSuffix {
    /// The end of the name, with its dot; case-sensitive.
    #[schema(example = ".tf.json")]
    pub suffix: &'static str,
    /// The syntax, a word of `terms`.
    #[schema(example = "json")]
    pub syntax: &'static str,
    /// The purpose of such files, a word of `terms`.
    #[serde(rename = "use")]
    #[schema(example = "config")]
    pub usage: &'static str,
    /// If there is a file with the same name but this suffix, it is opened instead.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hidden_by: Option<&'static str>,
    /// The releases in which it applies.
    #[serde(flatten)]
    pub when: TableReleases,
}

/// Variable definitions files that are read without being named.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableValuesFile {
    /// The whole name, or its end.
    #[schema(example = ".auto.tfvars")]
    pub name: &'static str,
    /// Whether `name` is the whole name or its end, a word of `terms`.
    #[schema(example = "end")]
    pub name_is: &'static str,
    /// The syntax, a word of `terms`.
    #[schema(example = "native")]
    pub syntax: &'static str,
}

/// A file recognised by its name.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableNamedFile {
    /// The whole name, or its end.
    pub name: &'static str,
    /// The syntax, a word of `terms`.
    pub syntax: &'static str,
    /// The releases in which it applies.
    #[serde(flatten)]
    pub when: TableReleases,
}

/// How input variables get their values.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableVariables {
    /// The sources of values, lowest precedence first.
    pub sources: Vec<TableRule>,
    /// What values are, and how those from several sources are combined, a word of `terms`.
    pub model: &'static str,
    /// The functions that expressions may call, a word of `terms`.
    pub functions: &'static str,
    /// The version of that function set, if its versions are not those of the dialect.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "1.11")]
    pub functions_version: Option<String>,
    /// What becomes of a declared variable without a value, a word of `terms`.
    pub unset: &'static str,
}

/// A block type.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableBlock {
    /// The block type as written.
    #[serde(rename = "type")]
    #[schema(example = "resource")]
    pub keyword: &'static str,
    /// The kind of its objects in answers.
    #[schema(example = "resource")]
    pub kind: &'static str,
    /// The releases in which the row applies.
    #[serde(flatten)]
    pub when: TableReleases,
    /// Its labels, in order.
    pub labels: Vec<TableLabel>,
    /// If the first label decides about the rest: one row for each label.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub by_first_label: Option<TableKinds>,
    /// The object that the block produces.
    pub address: TableRule,
    /// How its body is read.
    pub body: TableRule,
    /// Arguments with rows of their own; in an open body, these are the meta-arguments.
    pub arguments: Vec<TableArgument>,
    /// Nested blocks with rows of their own.
    #[schema(no_recursion)]
    pub blocks: Vec<TableBlock>,
    /// What a second block means: at the top level, one with the same address among the primary files; inside a block,
    /// one of the same type.
    pub repeat: TableRule,
    /// What the block does in an override file.
    #[serde(rename = "override")]
    pub over: TableRule,
    /// Rules that involve several parts of the block.
    pub rules_checked: Vec<TableRuleRow>,
    /// Whether any other number of labels is an error, in a list of blocks.
    pub labels_are_counted: bool,
    /// What labels beyond those in `labels` mean.
    pub further_labels: &'static str,
    /// Whether a block without any label is silently ignored.
    pub ignore_unlabeled: bool,
    /// Titles of diagnostics in such a block, if they differ. `{0}` and `{1}` stand for its labels, `{key}` for the
    /// text at the place, `{place}` for the line and column of the place.
    pub titles: Vec<TableTitle>,
    /// Whether its body is read without variables; in JSON, its strings are then literal, not templates.
    pub constant: bool,
    /// Nested blocks that are not listed with the object.
    pub unlisted: Vec<&'static str>,
    /// Whether the block is not listed with the enclosing object when it is empty.
    pub omit_if_empty: bool,
    /// The sections of the specification on which the row is based.
    #[schema(example = "sections 4, 5, 6, 7")]
    pub source: &'static str,
}

/// A label of a block type.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableLabel {
    /// The name of the label in messages.
    #[schema(example = "name")]
    pub name: &'static str,
    /// The title of the diagnostic if the text is not an identifier. Absent if any text is allowed.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Invalid resource name")]
    pub identifier: Option<&'static str>,
}

/// Rows chosen by the first label.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableKinds {
    /// The rows by label.
    #[schema(no_recursion)]
    pub rows: BTreeMap<&'static str, TableBlock>,
    /// The title of the diagnostic for any other label.
    pub title: &'static str,
}

/// An argument.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableArgument {
    /// The name as written.
    #[schema(example = "depends_on")]
    pub name: &'static str,
    /// The releases in which the row applies.
    #[serde(flatten)]
    pub when: TableReleases,
    /// Whether the argument is required, a word of `terms`.
    #[schema(example = "no")]
    pub required: &'static str,
    /// How its expression is read.
    pub kind: TableRule,
    /// What the argument in an override file does to the existing one.
    pub merge: TableRule,
}

/// A summary of a diagnostic that differs from the usual one.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableTitle {
    /// The code of the diagnostic.
    #[schema(example = "load/duplicate")]
    pub code: &'static str,
    /// The title that is replaced.
    pub title: &'static str,
    /// The title that is used instead.
    pub says: &'static str,
    /// The releases in which it applies.
    #[serde(flatten)]
    pub when: TableReleases,
}

//! The tables of the dialects on the wire. `rows` makes them from the rows that the stages follow.

use std::borrow::Cow;
use std::collections::BTreeMap;

use serde::Serialize;
use utoipa::{IntoParams, ToSchema};

/// The answer of `GET /v1/dialects`: every dialect that can be asked for, the default first.
#[derive(Serialize, ToSchema, Debug)]
pub struct DialectList {
    /// The dialects.
    pub dialects: Vec<DialectSummary>,
}

/// What a dialect is.
#[derive(Serialize, ToSchema, Debug)]
pub struct DialectSummary {
    /// Its name, as requests write it.
    #[schema(example = "terraform")]
    pub name: &'static str,
    /// Its name for people.
    #[schema(example = "Terraform")]
    pub title: &'static str,
    /// What it is.
    pub about: &'static str,
    /// The tool version that is followed when a request names none.
    #[schema(example = "1.15.9")]
    pub default_version: &'static str,
    /// The tool versions that can be asked for, oldest first. `1.11` stands for the last one that begins so.
    pub versions: Vec<String>,
}

/// The query of `GET /v1/dialects/{name}`.
#[derive(IntoParams, Debug)]
#[into_params(parameter_in = Query)]
#[expect(dead_code, reason = "documentation only: the route reads the query strictly, by hand")]
pub struct DialectQuery {
    /// Only the rows that hold in this version, such as `1.11` or `1.11.4`. Default: every row, with the releases in
    /// which it holds.
    #[param(required = false, example = "1.11")]
    version: String,
}

/// The answer of `GET /v1/dialects/{name}`: the table that every stage follows. Without `?version=` it holds the rows of
/// all versions, each with the releases in which it holds.
#[derive(Serialize, ToSchema, Debug)]
pub struct DialectTable {
    /// What the dialect is.
    #[serde(flatten)]
    pub dialect: DialectSummary,
    /// With `?version=`: the version of these rows, in full.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "1.11.4")]
    pub version: Option<&'static str>,
    /// What the merged module is.
    pub view: TableRule,
    /// Which files make a module.
    pub files: TableFiles,
    /// How input variables get their values.
    pub variables: TableVariables,
    /// The block types of the top level.
    pub blocks: Vec<TableBlock>,
    /// Behaviours of the module as a whole.
    pub rules: Vec<TableRuleRow>,
    /// Summaries of diagnostics that differ from the one that the code or row gives.
    pub titles: Vec<TableTitle>,
    /// Where the tool's documents leave a rule open or only let one infer it: what is done here, a sentence each.
    pub decisions: &'static [&'static str],
    /// What the names of rules and the words of this table mean: field in which one stands → name → meaning. A rule inside
    /// a rule is listed under the name it has there.
    #[schema(example = json!({"merge": {"or": "True when either is true."}}))]
    pub terms: BTreeMap<&'static str, BTreeMap<&'static str, &'static str>>,
}

/// The releases in which a row holds; without both fields: all.
#[derive(Serialize, ToSchema, Debug, Default)]
pub struct TableReleases {
    /// The first release with it.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "1.10.0")]
    pub since: Option<String>,
    /// The first release without it again.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "1.14.0")]
    pub until: Option<String>,
}

/// A rule: its name, and beside it what it is given: titles, words, rules inside it. Titles are summaries of
/// diagnostics; `{0}` and `{1}` stand for labels, `{name}` for the name.
#[derive(Serialize, ToSchema, Debug)]
#[schema(example = json!({"rule": "refuse-unless-empty", "title": "Unsupported override"}))]
pub struct TableRule {
    /// Its name; `terms` of the table says what it means.
    pub rule: &'static str,
    /// What it is given, each thing a field of its own beside `rule`.
    #[serde(flatten)]
    pub given: BTreeMap<&'static str, TableValue>,
}

/// What a rule is given.
#[derive(Serialize, ToSchema, Debug)]
#[serde(untagged)]
pub enum TableValue {
    /// Yes or no.
    Flag(bool),
    /// A title, a name, a release, or a word of `terms`.
    Text(Cow<'static, str>),
    /// Words.
    Words(Vec<&'static str>),
    /// Another rule.
    #[schema(no_recursion)]
    Rule(Box<TableRule>),
    /// The row of the object that an argument makes.
    #[schema(no_recursion)]
    Block(Box<TableBlock>),
}

/// A rule, and when it holds.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableRuleRow {
    /// The rule.
    #[serde(flatten)]
    pub rule: TableRule,
    /// When it holds.
    #[serde(flatten)]
    pub when: TableReleases,
}

/// Which files of a directory make a module, and in which role.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableFiles {
    /// Configuration files, by the end of their names. The longest suffix that fits decides.
    pub suffixes: Vec<TableSuffix>,
    /// A file is an override file when its name without the suffix is this word …
    #[schema(example = "override")]
    pub override_name: &'static str,
    /// … or ends in this.
    #[schema(example = "_override")]
    pub override_end: &'static str,
    /// Files of variable values that are read without being named.
    pub values: Vec<TableValuesFile>,
    /// Names of files that are primary only where no file is by its suffix: the first of them that is there.
    pub alone: Vec<TableNamedFile>,
    /// How test files are read. Absent: they are not.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub tests: Option<TableTests>,
    /// Ends of the names of files that a request may ask for by `config_file`, to be read by themselves.
    pub by_request: Vec<TableNamedFile>,
}

/// How test files are read.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableTests {
    /// The folder in the module directory whose test files come before those beside the module.
    #[schema(example = "tests")]
    pub folder: &'static str,
    /// What a test file may hold, as the row of a block of which the file is the body.
    pub file: TableBlock,
}

/// A kind of configuration file.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableSuffix {
    /// The end of the name, with its dot. Case counts.
    #[schema(example = ".tf.json")]
    pub suffix: &'static str,
    /// A word: the syntax.
    #[schema(example = "json")]
    pub syntax: &'static str,
    /// A word: what such files are for.
    #[serde(rename = "use")]
    #[schema(example = "config")]
    pub usage: &'static str,
    /// A file is not opened when one of the same name but this suffix is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub hidden_by: Option<&'static str>,
    /// When it holds.
    #[serde(flatten)]
    pub when: TableReleases,
}

/// Files of variable values that are read without being named.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableValuesFile {
    /// The whole name, or its end.
    #[schema(example = ".auto.tfvars")]
    pub name: &'static str,
    /// A word: which of the two.
    #[schema(example = "end")]
    pub name_is: &'static str,
    /// A word: the syntax.
    #[schema(example = "native")]
    pub syntax: &'static str,
}

/// A file recognised by its name.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableNamedFile {
    /// The whole name, or its end.
    pub name: &'static str,
    /// A word: the syntax.
    pub syntax: &'static str,
    /// When it holds.
    #[serde(flatten)]
    pub when: TableReleases,
}

/// How input variables get their values.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableVariables {
    /// The sources of values, the lowest first.
    pub sources: Vec<TableRule>,
    /// A word: what values are, and how those of several sources go together.
    pub model: &'static str,
    /// A word: whose functions expressions may call.
    pub functions: &'static str,
    /// The version of that function set, where the tool's versions are not its own.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "1.11")]
    pub functions_version: Option<String>,
    /// A word: what a declared variable is that nothing gives a value.
    pub unset: &'static str,
}

/// A block type.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableBlock {
    /// The block type as written.
    #[serde(rename = "type")]
    #[schema(example = "resource")]
    pub keyword: &'static str,
    /// What its objects are in answers.
    #[schema(example = "resource")]
    pub kind: &'static str,
    /// When the row holds.
    #[serde(flatten)]
    pub when: TableReleases,
    /// Its labels, in order.
    pub labels: Vec<TableLabel>,
    /// Where the first label decides about the rest: one row for each.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false)]
    pub by_first_label: Option<TableKinds>,
    /// Which object it makes.
    pub address: TableRule,
    /// How its body is read.
    pub body: TableRule,
    /// Arguments with rows of their own; in an open body these are the meta-arguments.
    pub arguments: Vec<TableArgument>,
    /// Nested blocks with rows of their own.
    #[schema(no_recursion)]
    pub blocks: Vec<TableBlock>,
    /// What a second one means: at top level of the same address among the primary files, inside a block of the same type.
    pub repeat: TableRule,
    /// What one in an override file does.
    #[serde(rename = "override")]
    pub over: TableRule,
    /// Rules across its parts.
    pub checks: Vec<TableRuleRow>,
    /// In a list of blocks: another number of labels is an error.
    pub labels_are_counted: bool,
    /// What labels beyond those here mean.
    pub further_labels: &'static str,
    /// One without any label is passed over without a word.
    pub nameless_is_nothing: bool,
    /// Titles of what is found in such a block, where they differ. `{0}` and `{1}` stand for its labels, `{key}` for the
    /// text at the place, `{place}` for line and column of the place.
    pub titles: Vec<TableTitle>,
    /// Its body is read without variables; in JSON its strings stand for themselves and are no templates.
    pub constant: bool,
    /// Nested blocks that the tool's own account of the object leaves out.
    pub unlisted: Vec<&'static str>,
    /// The tool's own account of the object around it has the block only with something in it.
    pub nothing_when_empty: bool,
    /// The sections of the specification that it comes from.
    #[schema(example = "sections 4, 5, 6, 7")]
    pub source: &'static str,
}

/// A label of a block type.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableLabel {
    /// What the tool calls it.
    #[schema(example = "name")]
    pub name: &'static str,
    /// The title when the text is no identifier. Absent: any text.
    #[serde(skip_serializing_if = "Option::is_none")]
    #[schema(nullable = false, example = "Invalid resource name")]
    pub identifier: Option<&'static str>,
}

/// Rows chosen by the first label.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableKinds {
    /// Label → row.
    #[schema(no_recursion)]
    pub rows: BTreeMap<&'static str, TableBlock>,
    /// The title for any other label.
    pub title: &'static str,
}

/// An argument.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableArgument {
    /// The name as written.
    #[schema(example = "depends_on")]
    pub name: &'static str,
    /// When the row holds.
    #[serde(flatten)]
    pub when: TableReleases,
    /// A word: whether it has to be there.
    #[schema(example = "no")]
    pub required: &'static str,
    /// How its expression is read.
    pub kind: TableRule,
    /// What one in an override file does to the one that is there.
    pub merge: TableRule,
}

/// A summary of a diagnostic that differs.
#[derive(Serialize, ToSchema, Debug)]
pub struct TableTitle {
    /// The code of the diagnostic.
    #[schema(example = "load/duplicate")]
    pub code: &'static str,
    /// The title that it replaces.
    pub title: &'static str,
    /// What is said instead.
    pub says: &'static str,
    /// When it holds.
    #[serde(flatten)]
    pub when: TableReleases,
}

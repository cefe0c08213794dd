//! The formats of the diagnostics alone, as answers of `POST /v1/merge`: their media types, each with an example, which
//! is the service's answer to a small request.

use serde_json::{Value, json};

use super::tree::Node;
use crate::files::{FileSet, ModulePath, SourceFile};
use crate::output::{DiagnosticFormat, FORMATS, ReportOptions};
use crate::pipeline::{self, Request};
use crate::syntax::{Forest, SyntaxLimits};

/// Files with an error, a warning that can be fixed mechanically, and a note.
const FILES: &[(&str, &str)] = &[
    (
        "main.tf",
        "resource \"terraform_data\" \"web\" {\n  input      = \"blue\"\n  depends_on = [\"terraform_data.net\"]\n}\n",
    ),
    ("override.tf", "resource \"terraform_data\" \"wbe\" {\n  input = \"green\"\n}\n"),
];

/// Adds the formats to the document.
pub(super) fn add(document: &mut Node) {
    let files: Value = FILES.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
    let request = json!({"files": files, "path_prefix": "infra/prod"});
    let content = document.at(&["paths", "/v1/merge", "post", "requestBody", "content", "application/json"]);
    content
        .at(&["examples", "diagnostics"])
        .set("summary", json!("Only the diagnostics, with `Accept: application/sarif+json` or a similar format"));
    content.at(&["examples", "diagnostics"]).set("value", request);
    let responses = document.at(&["paths", "/v1/merge", "post", "responses"]);
    for status in ["200", "422"] {
        let content = responses.at(&[status, "content"]);
        if status == "422" {
            content.set("application/json", json!({"schema": {"$ref": "#/components/schemas/MergeAnswer"}}));
        }
        for format in FORMATS {
            content.at(&[format.media_type]).set("schema", schema(format));
            if let (true, Some(example)) = (status == "200", example(format)) {
                content.at(&[format.media_type]).set("example", example);
            }
        }
    }
}

fn schema(format: &DiagnosticFormat) -> Value {
    let [error, warning, note] = format.severities;
    let about = format!(
        "Only the diagnostics: {} (`--format {}`). Columns: {}. An error is {error}, a warning {warning}, a note {note}.",
        format.about, format.name, format.columns
    );
    if format.is_json() {
        // An object or an array: the format's own schema describes it better than could be repeated here.
        return json!({"description": about});
    }
    json!({"type": "string", "description": about})
}

fn example(format: &'static DiagnosticFormat) -> Option<Node> {
    let file = |(path, text): &(&str, &'static str)| {
        Some(SourceFile { path: ModulePath::parse(path).ok()?, bytes: text.as_bytes().into() })
    };
    let files = FileSet::new(FILES.iter().filter_map(file).collect(), Vec::new());
    let request = Request {
        dialect: super::super::v1::Dialect::Terraform.name().to_owned(),
        version: None,
        root: String::new(),
        config_file: None,
        variables: None,
        expand: false,
        reveal_sensitive: false,
    };
    let forest = Forest::new(SyntaxLimits::default());
    let report = pipeline::run(&forest, &files, &request).ok()?;
    let options = ReportOptions { path_prefix: "infra/prod".to_owned(), ..ReportOptions::default() };
    let text = String::from_utf8(format.write(&report, &options)).ok()?;
    if format.is_json() { serde_json::from_str(&text).ok() } else { Some(Value::from(text).into()) }
}

//! The formats of the diagnostics alone, as answers of `POST /v1/merge/report`: their names and media types, each with an
//! example, which is the service's answer to a small request.

use serde_json::{Value, json};

use super::tree::Node;
use overfold_base::files::{FileSet, ModulePath, SourceFile};
use overfold_module::pipeline::{self, Request};
use overfold_output::{DiagnosticFormat, FORMATS, ReportOptions};
use overfold_syntax::{Forest, SyntaxLimits};

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
    let operation = document.at(&["paths", "/v1/merge/report", "post"]);
    let lines: Vec<String> = FORMATS.iter().map(|format| format!("- `{}`: {}", format.name, format.about)).collect();
    let names: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    report(operation, &names, &format!("The format of the report:\n\n{}", lines.join("\n")));
    let content = operation.at(&["requestBody", "content", "application/json"]);
    content.at(&["examples", "diagnostics"]).set("summary", json!("An error, a warning and a note"));
    content.at(&["examples", "diagnostics"]).set("value", request);
    let responses = operation.at(&["responses"]);
    for status in ["200", "422"] {
        let content = responses.at(&[status, "content"]);
        for format in FORMATS {
            let example = example(format);
            content.at(&[format.media_type]).set("schema", schema(format, example.as_ref()));
            if let (true, Some(example)) = (status == "200", example) {
                content.at(&[format.media_type]).set("example", example);
            }
        }
        content.move_to_front(&["text/plain"]);
    }
    gated(document.at(&["paths", "/v1/merge", "post"]), "MergeAnswer");
}

/// Describes the parameter `format` of a route for reports.
pub(super) fn report(operation: &mut Node, names: &[&str], about: &str) {
    for parameter in operation.at(&["parameters"]).items() {
        if parameter.find(&["name"]).is_some_and(|name| *name == Node::from(json!("format"))) {
            parameter.set("description", json!(about));
            parameter.set("schema", json!({"type": "string", "enum": names}));
            parameter.set("example", json!(names.first()));
        }
    }
}

/// Describes the answers with status 422 of a route that answers with JSON: because of `fail_on`, the answer of a 200.
/// Clients that tell answers apart by their status alone find both types under the first media type.
pub(super) fn gated(operation: &mut Node, answer: &str) {
    let content = operation.at(&["responses", "422", "content"]);
    let schema = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    content.set("application/json", json!({"schema": {"anyOf": [schema(answer), schema("Problem")]}}));
    content.move_to_front(&["application/json"]);
}

/// Describes an answer in a format for diagnostics alone.
pub(super) fn schema(format: &DiagnosticFormat, example: Option<&Node>) -> Value {
    let [error, warning, note] = format.severities;
    let about = format!(
        "Only the diagnostics: {} (`--format {}`). Columns: {}. An error is {error}, a warning {warning}, a note {note}.",
        format.about, format.name, format.columns
    );
    if format.is_json() {
        // The format's own schema describes it better than could be repeated here.
        return match example {
            Some(Node::List(_)) => json!({"type": "array", "items": {"type": "object"}, "description": about}),
            _ => json!({"type": "object", "description": about}),
        };
    }
    json!({"type": "string", "description": about})
}

/// Returns the answer to the example's request in a format, if that is text or JSON.
pub(super) fn example(format: &'static DiagnosticFormat) -> Option<Node> {
    let file = |(path, text): &(&str, &'static str)| {
        Some(SourceFile { path: ModulePath::parse(path).ok()?, bytes: text.as_bytes().into() })
    };
    let files = FileSet::new(FILES.iter().filter_map(file).collect(), Vec::new());
    let request = Request {
        stage: pipeline::ToolStage::default(),
        ..Request::new(crate::api::wire::v1::Dialect::Terraform.name())
    };
    let forest = Forest::new(SyntaxLimits::default());
    let report = pipeline::run(&forest, &files, &request).ok()?;
    let options = ReportOptions { path_prefix: "infra/prod".to_owned(), ..ReportOptions::default() };
    let text = String::from_utf8(format.write(&report, &options)).ok()?;
    if format.is_json() { serde_json::from_str(&text).ok() } else { Some(Value::from(text).into()) }
}

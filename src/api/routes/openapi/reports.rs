//! The formats of reports: their names, and their media types, each with the service's answer to a small request.

use serde_json::{Value, json};

use super::tree::Node;
use crate::api::wire::formats::DIFF_REPORTS;
use crate::api::wire::v1::Dialect;
use overfold_base::files::{FileSet, ModulePath, SourceFile};
use overfold_engine::AnswerForm as _;
use overfold_engine::options::POLICY_MOCK;
use overfold_engine::plan::Form;
use overfold_module::pipeline::{self, Request};
use overfold_output::{DiagnosticFormat, FORMATS, ReportOptions};
use overfold_syntax::{Forest, SyntaxLimits};

/// Adds the formats to the document.
pub(super) fn add(document: &mut Node) {
    let listed = |names: &[&str], own: fn(&str) -> Option<&'static str>| {
        let about = |name: &str| {
            let shared = || FORMATS.iter().find(|format| format.name == name).map(|format| format.about);
            own(name).or_else(shared).unwrap_or_default()
        };
        let lines: Vec<String> = names.iter().map(|name| format!("- `{name}`: {}", about(name))).collect();
        format!("The format of the report:\n\n{}", lines.join("\n"))
    };
    let of_plan = |name: &str| match name {
        "document" => Some("the bare plan document on one line"),
        "text" => Some("the plan and the diagnostics, for people"),
        _ => None,
    };
    let merge: Vec<&str> = FORMATS.iter().map(|format| format.name).collect();
    let plan: Vec<&str> = Form::reports().map(|(name, _)| name).collect();
    let diff = DIFF_REPORTS.map(|(name, _)| name);
    let about_diff = "The format of the report: a comment for a pull request, or text for a terminal.".to_owned();
    for (path, names, about) in [
        ("/v1/merge/report", &*merge, listed(&merge, |_| None)),
        ("/v1/plan/report", &plan, listed(&plan, of_plan)),
        ("/v1/diff/report", &diff, about_diff.clone()),
        ("/v1/plan-diff/report", &diff, about_diff.clone()),
        ("/v1/upgrade/report", &diff, about_diff),
    ] {
        let operation = document.at(&["paths", path, "post"]);
        let format = Node::from(json!("format"));
        for parameter in operation.at(&["parameters"]).items() {
            if *parameter.at(&["name"]) == format {
                let schema = json!({"type": "string", "enum": names});
                let example = names.first();
                parameter.merge(json!({"description": about, "schema": schema, "example": example}).into());
            }
        }
        for status in ["200", "422"] {
            let content = operation.at(&["responses", status, "content"]);
            if path.ends_with("diff/report") || path == "/v1/upgrade/report" {
                for (_, form) in DIFF_REPORTS {
                    content.at(&[form.media_type()]).set("schema", json!({"type": "string"}));
                }
                continue;
            }
            if path == "/v1/plan/report" {
                let about = format!("{} (`--format {}`).", POLICY_MOCK.about, POLICY_MOCK.name);
                content.at(&[POLICY_MOCK.media_type]).set("schema", json!({"type": "string", "description": about}));
            }
            for format in FORMATS {
                let example = example(format);
                content.at(&[format.media_type]).set("schema", schema(format, example.as_ref()));
                if let ("/v1/merge/report", "200", Some(example)) = (path, status, example) {
                    content.at(&[format.media_type]).set("example", example);
                }
            }
        }
    }
}

/// Describes an answer in a format for diagnostics alone.
fn schema(format: &DiagnosticFormat, example: Option<&Node>) -> Value {
    let [error, warning, note] = format.severities;
    let about = format!(
        "Only the diagnostics: {} (`--format {}`). Columns: {}. An error is {error}, a warning {warning}, a note {note}.",
        format.about, format.name, format.columns
    );
    // A JSON format's own schema describes it better than could be repeated here.
    match (format.is_json(), example) {
        (false, _) => json!({"type": "string", "description": about}),
        (true, Some(Node::List(_))) => json!({"type": "array", "items": {"type": "object"}, "description": about}),
        (true, _) => json!({"type": "object", "description": about}),
    }
}

/// Returns the diagnostics of a module with an error, a warning that can be fixed mechanically, and a note, in a format;
/// `None` if that is neither text nor JSON.
fn example(format: &'static DiagnosticFormat) -> Option<Node> {
    const MAIN: &str = "resource \"terraform_data\" \"web\" {\n  input      = \"blue\"\n  depends_on = [\"terraform_data.net\"]\n}\n";
    const OVERRIDE: &str = "resource \"terraform_data\" \"wbe\" {\n  input = \"green\"\n}\n";
    let file = |(path, text): (&str, &'static str)| {
        Some(SourceFile { path: ModulePath::parse(path).ok()?, bytes: text.as_bytes().into() })
    };
    let files = [("main.tf", MAIN), ("override.tf", OVERRIDE)].into_iter().filter_map(file).collect();
    let forest = Forest::new(SyntaxLimits::default());
    let request = Request { stage: pipeline::ToolStage::default(), ..Request::new(Dialect::Terraform.name()) };
    let files = FileSet::new(files, Vec::new());
    let report = pipeline::run(&forest, &files, &request).ok()?;
    let options = ReportOptions { path_prefix: "infra/prod".to_owned(), ..ReportOptions::default() };
    let text = String::from_utf8(format.write(&report, &options)).ok()?;
    if format.is_json() { serde_json::from_str(&text).ok() } else { Some(Value::from(text).into()) }
}

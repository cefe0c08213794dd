//! Plans: examples of requests, and the formats of the reports.

use serde_json::json;

use super::diagnostics::{example, gated, report, schema};
use super::examples::uploads;
use super::tree::Node;
use overfold_engine::plan::Form;
use overfold_output::FORMATS;

/// The configuration of the example: two instances, and a variable without a default.
const MAIN: &str = "variable \"size\" {\n  type = number\n}\n\nresource \"terraform_data\" \"web\" {\n  count = var.size\n  input = \"web-${count.index}\"\n}\n";

/// Adds the examples and the formats to the document.
pub(super) fn add(document: &mut Node) {
    for (path, query) in [("/v1/plan", "include=plan,instances"), ("/v1/plan/report", "format=document")] {
        let content = document.at(&["paths", path, "post", "requestBody", "content"]);
        let examples = content.at(&["application/json", "examples"]);
        examples.at(&["plan"]).set("summary", json!("Two instances, by a value for a variable"));
        examples
            .at(&["plan"])
            .set("value", json!({"files": {"main.tf": MAIN}, "variables": {"args": [{"var": "size=2"}]}}));
        examples.at(&["unset"]).set("summary", json!("A variable without a value is unknown"));
        examples.at(&["unset"]).set("value", json!({"files": {"main.tf": MAIN}, "unset_variables": "unknown"}));
        uploads(content, path.trim_start_matches("/v1/"), query);
    }
    gated(document.at(&["paths", "/v1/plan", "post"]), "PlanAnswer");
    described(document.at(&["components", "schemas", "PlanAnswer", "properties", "plan"]));
    reports(document.at(&["paths", "/v1/plan/report", "post"]));
}

/// Moves the description of a field that may be null from the alternative that it is not to the field.
fn described(field: &mut Node) {
    let alternatives = field.at(&["oneOf"]).items();
    let about = alternatives.iter_mut().find_map(|alternative| alternative.members().shift_remove("description"));
    if let Some(about) = about {
        field.set("description", about);
    }
}

/// Describes the formats of the reports.
fn reports(operation: &mut Node) {
    let names: Vec<&str> = Form::reports().map(|(name, _)| name).collect();
    let about = |name: &str| match name {
        "document" => "the bare plan document on one line",
        "text" => "the plan and the diagnostics, for people",
        name => FORMATS.iter().find(|format| format.name == name).map_or("", |format| format.about),
    };
    let lines: Vec<String> = names.iter().map(|name| format!("- `{name}`: {}", about(name))).collect();
    report(operation, &names, &format!("The format of the report:\n\n{}", lines.join("\n")));
    let responses = operation.at(&["responses"]);
    for status in ["200", "422"] {
        let content = responses.at(&[status, "content"]);
        content.at(&["application/json"]).set("schema", json!({"$ref": "#/components/schemas/PlanDocument"}));
        for format in FORMATS {
            content.at(&[format.media_type]).set("schema", schema(format, example(format).as_ref()));
        }
        content.move_to_front(&["text/plain"]);
    }
}

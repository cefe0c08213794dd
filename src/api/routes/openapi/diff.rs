//! Examples of comparisons: two modules, two trees of modules, and the same files in two versions; and the service's
//! answers in each media type, as received by a test.

use serde_json::{Value, json};

use super::diagnostics::{gated, report};
use super::tree::Node;
use crate::api::wire::formats::DIFF_REPORTS;
use overfold_engine::AnswerForm as _;

/// The answers, by example and media type. If the file could not be parsed, the test that compares it would fail.
const EXAMPLE_ANSWER: &str = include_str!("diff.json");

/// Returns the requests: the name, the summary and the body of each.
fn requests() -> [(&'static str, &'static str, Value); 3] {
    let main = |input: &str| format!("resource \"terraform_data\" \"web\" {{\n  input = {input}\n}}\n");
    [
        (
            "module",
            "What an override file changes in effect",
            json!({
                "before": {"files": {"main.tf": main("\"blue\"")}, "path_prefix": "infra/prod"},
                "after": {
                    "files": {"main.tf": main("\"blue\""), "override.tf": main("\"green\"")},
                    "path_prefix": "infra/prod",
                },
            }),
        ),
        (
            "recursive",
            "Every module directory of a repository",
            json!({
                "before": {
                    "files": {"main.tf": main("1"), "modules/a/main.tf": main("1"), "modules/b/main.tf": main("1")},
                    "recursive": true,
                },
                "after": {
                    "files": {"main.tf": main("1"), "modules/a/main.tf": main("2"), "modules/c/main.tf": main("1")},
                    "recursive": true,
                },
            }),
        ),
        (
            "versions",
            "The same files in two versions",
            json!({"before": {"files": {"main.tf": main("1")}, "version": "1.3"}, "after": {"version": "1.11"}}),
        ),
    ]
}

/// Adds the examples to the document.
pub(super) fn add(document: &mut Node) {
    let answered: Value = serde_json::from_str(EXAMPLE_ANSWER).unwrap_or_default();
    for path in ["/v1/diff", "/v1/diff/report"] {
        let operation = document.at(&["paths", path, "post"]);
        for (name, summary, request) in requests() {
            let example = operation.at(&["requestBody", "content", "application/json", "examples", name]);
            example.set("summary", json!(summary));
            example.set("value", request);
        }
        let content = operation.at(&["responses", "200", "content"]);
        for (name, by_media) in answered.as_object().into_iter().flatten() {
            for (media, body) in by_media.as_object().into_iter().flatten() {
                if let Some(form) = content.find(&[media]) {
                    form.at(&["examples", name]).set("value", body.clone());
                }
            }
        }
    }
    gated(document.at(&["paths", "/v1/diff", "post"]), "DiffAnswer");
    let operation = document.at(&["paths", "/v1/diff/report", "post"]);
    let names: Vec<&str> = DIFF_REPORTS.iter().map(|(name, _)| *name).collect();
    report(operation, &names, "The format of the report: a comment for a pull request, or text for a terminal.");
    for (_, form) in DIFF_REPORTS {
        operation.at(&["responses", "422", "content", form.media_type()]).set("schema", json!({"type": "string"}));
    }
    operation.at(&["responses", "422", "content"]).move_to_front(&["text/markdown", "text/plain"]);
}

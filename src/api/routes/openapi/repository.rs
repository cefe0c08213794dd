//! A whole repository in one request: an example, and the answer to it as received by a test.

use serde_json::{Value, json};

use super::tree::Node;

/// The answer to [`request`]; a test compares it.
const EXAMPLE_ANSWER: &str = include_str!("repository.json");

/// Returns a request with two modules, one of which calls the other with a value of the wrong type.
fn request() -> Value {
    json!({
        "files": {
            "live/main.tf": "module \"net\" {\n  source = \"../modules/net\"\n  size   = \"large\"\n}\n",
            "modules/net/main.tf": "variable \"size\" {\n  type = number\n}\n\nresource \"terraform_data\" \"net\" {\n  input = var.size\n}\n",
            "modules/net/override.tf": "resource \"terraform_data\" \"net\" {\n  input = 2\n}\n",
        },
        "version": "1.11",
        "recursive": true,
        "paths": ["modules/net/override.tf"],
        "include": ["config", "overrides", "calls"],
    })
}

/// Adds the request and the answer to the document.
pub(super) fn add(document: &mut Node) {
    const ABOUT: &str = "A whole repository: the modules affected by a changed file, and the graph of module calls";
    let operation = document.at(&["paths", "/v1/merge", "post"]);
    let asked = operation.at(&["requestBody", "content", "application/json", "examples", "recursive"]);
    asked.set("summary", json!(ABOUT));
    asked.set("value", request());
    // If the file could not be parsed, the test that compares it would fail.
    let answered: Value = serde_json::from_str(EXAMPLE_ANSWER).unwrap_or_default();
    let answer = operation.at(&["responses", "200", "content", "application/json", "examples", "recursive"]);
    answer.set("summary", json!(ABOUT));
    answer.set("value", answered);
}

//! Examples of requests: one for each dialect, and one for each form of an upload. Tests send them.

use serde_json::{Value, json};

use super::tree::Node;
use crate::api::wire::v1;

/// Media types of archives, each with the command that creates one.
const ARCHIVES: &[(&str, &str)] = &[
    ("application/x-tar", "tar -c -C examples/web ."),
    ("application/gzip", "tar -cz -C examples/web ."),
    ("application/x-gzip", "tar -cz -C examples/web ."),
    ("application/x-tar+gzip", "tar -cz -C examples/web ."),
    ("application/zstd", "tar -c --zstd -C examples/web ."),
    ("application/zip", "(cd examples/web && zip -qr - .)"),
];

/// Adds the examples to the document.
pub(super) fn add(document: &mut Node) {
    let content = document.at(&["paths", "/v1/merge", "post", "requestBody", "content"]);
    for (name, summary, request) in v1::example_requests() {
        content.at(&["application/json", "examples", name]).set("summary", json!(summary));
        content.at(&["application/json", "examples", name]).set("value", request);
    }
    uploads(content, "merge", "include=config,objects");
    content.at(&["multipart/form-data"]).set("examples", forms());
    let reports = document.at(&["paths", "/v1/merge/report", "post", "requestBody", "content"]);
    uploads(reports, "merge/report", "format=text");
    compatibility(document);
}

/// Describes uploads as an archive or a form: the media types, with a command for each archive.
pub(super) fn uploads(content: &mut Node, path: &str, query: &str) {
    for (media, pack) in ARCHIVES {
        let curl = format!(
            "```sh\n{pack} | curl -s 'http://127.0.0.1:8080/v1/{path}?{query}' \\\n    \
             -H 'Content-Type: {media}' --data-binary @-\n```"
        );
        content.set(
            media,
            json!({
                "schema": {"$ref": "#/components/schemas/Archive"},
                "examples": {"curl": {
                    "summary": "A folder, sent as an archive",
                    "description": curl,
                    "value": "(the bytes of the archive)",
                }},
            }),
        );
    }
    content.at(&["multipart/form-data"]).set(
        "encoding",
        json!({
            "archive": {"contentType": "application/x-tar, application/gzip, application/zstd, application/zip"},
            "files": {"contentType": "application/octet-stream"},
            "options": {"contentType": "application/json"},
        }),
    );
}

/// Adds a request that compares versions, and its answer as received by a test.
fn compatibility(document: &mut Node) {
    const EXAMPLE_ANSWER: &str = include_str!("compatibility.json");
    let operation = document.at(&["paths", "/v1/compatibility", "post"]);
    operation.at(&["requestBody", "content", "application/json"]).set(
        "example",
        json!({
            "files": {
                "main.tf": "terraform {\n  required_version = \">= 1.9\"\n}\n\nephemeral \"random_password\" \"db\" {\n  length = 16\n}\n",
            },
        }),
    );
    // If the file could not be parsed, the test that compares it would fail.
    let answered: Value = serde_json::from_str(EXAMPLE_ANSWER).unwrap_or_default();
    operation.at(&["responses", "200", "content", "application/json"]).set("example", answered);
}

fn forms() -> Value {
    json!({
        "archive": {
            "summary": "An archive with options",
            "description": "```sh\ncurl -s http://127.0.0.1:8080/v1/merge -F archive=@web.tar.gz \\\n    \
                            -F 'options={\"include\": [\"config\", \"objects\"]};type=application/json'\n```",
            "value": {"archive": "(the bytes of the archive)", "options": {"include": ["config", "objects"]}},
        },
        "files": {
            "summary": "Files, each in its own part",
            "description": "```sh\ncurl -s http://127.0.0.1:8080/v1/merge \\\n    \
                            -F 'files=@main.tf;filename=main.tf' -F 'files=@override.tf;filename=override.tf'\n```",
            "value": {"files": ["(the bytes of main.tf)", "(the bytes of override.tf)"]},
        },
    })
}

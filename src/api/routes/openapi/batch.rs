//! The batch in the document: lines of JSON, which a schema can express only as embedded text. To clients they are
//! bytes, which they can send and read piece by piece.

use serde_json::json;

use super::tree::Node;
use crate::api::routes::batch::MEDIA_TYPE;

/// The requests in the example of a batch. A test sends them.
const REQUESTS: &str = include_str!("batch_requests.ndjson");
/// The answers to them, as received by a test, in the order of the lines.
const ANSWERS: &str = include_str!("batch_answers.ndjson");

/// Adds the schemas of the lines and the examples for both sides.
pub(super) fn add(document: &mut Node) {
    lines(document.at(&["components", "schemas"]));
    answer(document.at(&["components", "schemas"]));
    let operation = document.at(&["paths", "/v1/batch", "post"]);
    let sides: [(&[&str], &str, &str); 2] = [
        (&["requestBody", "content", MEDIA_TYPE], "BatchLine", REQUESTS),
        (&["responses", "200", "content", MEDIA_TYPE], "BatchAnswer", ANSWERS),
    ];
    for (path, schema, example) in sides {
        let content = operation.at(path);
        content.set(
            "schema",
            json!({
                "type": "string",
                "format": "binary",
                "description": format!("One `{schema}` per line."),
                "contentMediaType": MEDIA_TYPE,
                "contentSchema": {"$ref": format!("#/components/schemas/{schema}")},
            }),
        );
        content.set("example", json!(example));
    }
}

/// Adds the schemas of request lines: those of the request objects, with an id and the operation.
fn lines(schemas: &mut Node) {
    let operations = [
        ("MergeRequest", "BatchMergeLine", "merge"),
        ("DiffRequest", "BatchDiffLine", "diff"),
        ("PlanRequest", "BatchPlanLine", "plan"),
    ];
    for (request, name, operation) in operations {
        let mut line = schemas.at(&[request]).clone();
        own(&mut line, operation);
        schemas.set(name, line);
    }
    let references = operations.map(|(_, name, _)| json!({"$ref": format!("#/components/schemas/{name}")}));
    schemas.set(
        "BatchLine",
        json!({
            "description": "A line of the body of `POST /v1/batch`.",
            "anyOf": references,
        }),
    );
}

/// Describes the answer inside a line: that of the operation.
fn answer(schemas: &mut Node) {
    let field = schemas.at(&["BatchAnswer", "properties", "answer"]);
    let about = field.members().shift_remove("description");
    let answers = ["MergeAnswer", "DiffAnswer", "PlanAnswer"];
    *field = json!({"anyOf": answers.map(|name| json!({"$ref": format!("#/components/schemas/{name}")}))}).into();
    if let Some(about) = about {
        field.set("description", about);
    }
}

/// Adds the members that a line has beside those of the request object.
fn own(line: &mut Node, operation: &str) {
    line.set(
        "description",
        json!(format!(
            "A line of the body of `POST /v1/batch`: the body of `POST /v1/{operation}`, with an `id` and the operation."
        )),
    );
    let is_default = operation == "merge";
    let example = line.at(&["example"]);
    example.set("id", json!("web"));
    if !is_default {
        example.set("operation", json!(operation));
        line.at(&["required"]).items().push(json!("operation").into());
    }
    line.at(&["example"]).move_to_front(&["id", "operation"]);
    let properties = line.at(&["properties"]);
    properties.set(
        "operation",
        json!({
            "type": "string",
            "enum": [operation],
            "description": format!("What the line asks for.{}", if is_default { " Default: `merge`." } else { "" }),
        }),
    );
    properties.set(
        "id",
        json!({
            "type": ["string", "number"],
            "description": "An id that is copied unchanged into the answer to this line, at most 256 bytes of JSON text. Default: \
                            the number of the line, 1-based.",
            "example": "web",
        }),
    );
    properties.move_to_front(&["id", "operation"]);
}

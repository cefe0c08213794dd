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
    line(document.at(&["components", "schemas"]));
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

/// Adds the schema of a request line: that of the request object, with an id.
fn line(schemas: &mut Node) {
    let mut line = schemas.at(&["MergeRequest"]).clone();
    line.set(
        "description",
        json!("A line of the body of `POST /v1/batch`: the body of `POST /v1/merge`, with an `id`."),
    );
    let example = line.at(&["example"]);
    example.set("id", json!("web"));
    example.move_to_front(&["id"]);
    let properties = line.at(&["properties"]);
    properties.set(
        "id",
        json!({
            "type": ["string", "number"],
            "description": "An id that is copied unchanged into the answer to this line, at most 256 bytes of JSON text. Default: \
                            the number of the line, 1-based.",
            "example": "web",
        }),
    );
    properties.move_to_front(&["id"]);
    schemas.set("BatchLine", line);
}

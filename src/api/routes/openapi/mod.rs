//! The OpenAPI document: what the routes declare, `additions.json`, which is merged into it, and what tables of the program
//! say.

mod reports;
mod responses;
mod tree;

use serde_json::json;
use utoipa::OpenApi;

use self::tree::Node;
use crate::api::wire::kind;
use crate::api::wire::v1::BatchAnswer;
use crate::codes;
use crate::settings::BodySettings;
use overfold_server::error::Kind;

/// The title, the licence and the tags.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "overfold",
        description = "Takes a Terraform, OpenTofu, TFLint or Sentinel configuration directory and returns the merged \
                       configuration and every diagnostic. Nothing is executed, fetched or written to disk.",
        contact(name = "overfold"),
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    servers((url = ".", description = "This service, at its own path")),
    components(schemas(BatchAnswer<'static>)),
    tags(
        (name = "merge", description = "Merging configurations"),
        (name = "plan", description = "Planning configurations without a state"),
        (name = "dialects", description = "The rules of each dialect, as data"),
        (name = "diagnostics", description = "The meaning of each diagnostic code"),
        (name = "service", description = "The service itself"),
    ),
)]
pub(crate) struct ApiDoc;

/// What is written by hand, and the service's answers to the requests in it, which tests record.
const ADDITIONS: [&str; 6] = [
    include_str!("additions.json"),
    include_str!("answers/merge.json"),
    include_str!("answers/diff.json"),
    include_str!("answers/plan_diff.json"),
    include_str!("answers/upgrade.json"),
    include_str!("answers/compatibility.json"),
];

/// The routes that take archives.
const UPLOADS: [&str; 7] = [
    "/v1/merge",
    "/v1/merge/report",
    "/v1/plan",
    "/v1/plan/report",
    "/v1/upgrade",
    "/v1/upgrade/report",
    "/v1/compatibility",
];

/// Returns the document as text: pretty-printed JSON with one line feed at the end.
pub(super) fn text(routes: &utoipa::openapi::OpenApi) -> String {
    // A document of plain structs cannot fail to serialize; an empty text would fail the test that compares it.
    let plain = routes.to_json().unwrap_or_default();
    let mut document: Node = serde_json::from_str(&plain).unwrap_or_default();
    for additions in ADDITIONS {
        document.merge(serde_json::from_str(additions).unwrap_or_default());
    }
    reports::add(&mut document);
    for path in UPLOADS {
        upload(&mut document, path);
    }
    batch(&mut document);
    names(&mut document);
    responses::complete(&mut document);
    describe(document.at(&["components", "schemas", "PlanAnswer", "properties", "plan"]));
    describe(document.at(&["components", "schemas", "RootPlan", "properties", "plan"]));
    document.at(&["paths"]).sort_media_types();
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// Adds what is the same of all routes that take archives: how one is sent, and the types of the parts of a form.
fn upload(document: &mut Node, path: &str) {
    let encoding = json!({
        "archive": {"contentType": "application/x-tar, application/gzip, application/zstd, application/zip"},
        "files": {"contentType": "application/octet-stream"},
        "options": {"contentType": "application/json"},
    });
    let content = document.at(&["paths", path, "post", "requestBody", "content"]);
    for (media_type, body) in content.members() {
        match &**media_type {
            "application/json" => {}
            "multipart/form-data" => body.set("encoding", encoding.clone()),
            archive => {
                let name = archive.trim_start_matches("application/").replace('+', "-");
                let example = json!({"$ref": format!("#/components/examples/{name}")});
                body.set("examples", json!({"curl": example}));
            }
        }
    }
}

/// Describes the lines of a batch: request objects with an id and the operation. To clients, a batch is bytes, which they
/// can send and read piece by piece.
fn batch(document: &mut Node) {
    for (request, name, operation) in [
        ("MergeRequest", "BatchMergeLine", "merge"),
        ("DiffRequest", "BatchDiffLine", "diff"),
        ("PlanRequest", "BatchPlanLine", "plan"),
        ("PlanDiffRequest", "BatchPlanDiffLine", "plan-diff"),
        ("UpgradeRequest", "BatchUpgradeLine", "upgrade"),
    ] {
        let schemas = document.at(&["components", "schemas"]);
        let mut line = schemas.at(&[request]).clone();
        let is_default = operation == "merge";
        if !is_default {
            line.at(&["example"]).set("operation", json!(operation));
            line.at(&["required"]).items().push(json!("operation").into());
        }
        let default = if is_default { " Default: `merge`." } else { "" };
        let route = format!("the body of `POST /v1/{operation}`, with an `id` and the operation.");
        line.merge(
            json!({
                "description": format!("A line of the body of `POST /v1/batch`: {route}"),
                "properties": {
                    "id": {"$ref": "#/components/schemas/BatchLineId"},
                    "operation": {
                        "type": "string",
                        "enum": [operation],
                        "description": format!("What the line asks for.{default}"),
                    },
                },
                "example": {"id": "web"},
            })
            .into(),
        );
        schemas.set(name, line);
    }
    let operation = document.at(&["paths", "/v1/batch", "post"]);
    let requests = operation.at(&["requestBody", "content", "application/x-ndjson"]);
    requests.set("example", json!(include_str!("answers/batch_requests.ndjson")));
    let answers = operation.at(&["responses", "200", "content", "application/x-ndjson"]);
    answers.set("example", json!(include_str!("answers/batch_answers.ndjson")));
}

/// Moves the description of a field that may be null from the alternative that it is not to the field.
fn describe(field: &mut Node) {
    let alternatives = field.at(&["oneOf"]).items().iter_mut();
    if let Some(about) = alternatives.filter_map(|one| one.members().shift_remove("description")).last() {
        field.set("description", about);
    }
}

/// Adds the registered codes and the actual limits.
fn names(document: &mut Node) {
    let codes: Vec<&str> = codes::all().map(|code| code.id).collect();
    let kinds: Vec<&str> = kind::all().into_iter().map(Kind::code).collect();
    let limit = BodySettings::MAX_REQUEST_BYTES;
    let detail = format!("the request body as sent is over the limit max-request-bytes of {limit} bytes");
    document.at(&["components", "schemas"]).merge(
        json!({
            "DiagnosticCode": {"enum": codes},
            "ProblemCode": {"enum": kinds},
            "Limit": {"properties": {"value": {"example": limit}}},
            "Problem": {"properties": {"detail": {"example": detail}}},
        })
        .into(),
    );
}

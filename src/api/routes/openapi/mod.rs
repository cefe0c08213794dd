//! The OpenAPI document: what each route declares, and what is true of every route, written once.

mod batch;
mod diagnostics;
mod diff;
mod examples;
mod plan;
mod repository;
mod responses;
mod tree;

use serde_json::json;
use utoipa::OpenApi;

use self::tree::Node;
use overfold_server::error::Kind;

use crate::api::wire::kind;
use crate::api::wire::v1::BatchAnswer;
use crate::codes;
use crate::settings::BodySettings;

/// The title, the licence and the tags.
#[derive(OpenApi)]
#[openapi(
    info(
        title = "overfold",
        description = "Takes a configuration directory of the Terraform family, and returns the merged configuration and \
                       every diagnostic. Nothing is executed, fetched or written to disk.",
        contact(name = "overfold"),
        license(name = "Apache-2.0", identifier = "Apache-2.0"),
    ),
    servers((url = ".", description = "This service, at whatever path it is served")),
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

/// Returns the document as text: pretty-printed JSON with one line feed at the end.
pub(super) fn text(routes: &utoipa::openapi::OpenApi) -> String {
    // A document of plain structs cannot fail to serialize; an empty text would fail the test that compares it.
    let plain = routes.to_json().unwrap_or_default();
    let mut document: Node = serde_json::from_str(&plain).unwrap_or(Node::List(Vec::new()));
    responses::complete(&mut document);
    examples::add(&mut document);
    repository::add(&mut document);
    diagnostics::add(&mut document);
    diff::add(&mut document);
    plan::add(&mut document);
    schemas(&mut document);
    batch::add(&mut document);
    security(&mut document);
    order(&mut document);
    let mut text = serde_json::to_string_pretty(&document).unwrap_or_default();
    text.push('\n');
    text
}

/// Adds what types cannot express: the registered codes and the actual limits.
fn schemas(document: &mut Node) {
    let schemas = document.at(&["components", "schemas"]);
    let codes: Vec<&str> = codes::all().map(|code| code.id).collect();
    schemas.set("DiagnosticCode", json!({
        "type": "string",
        "description": "The code of a diagnostic: the stage that found it and the problem. A code never changes its \
                        meaning; a later release may add codes.",
        "enum": codes,
        "example": "override/missing-base",
    }));
    let kinds: Vec<&str> = kind::all().into_iter().map(Kind::code).collect();
    schemas.set(
        "ProblemCode",
        json!({
            "type": "string",
            "description": "The code of a request problem. A later release may add codes.",
            "enum": kinds,
            "example": "over-limit",
        }),
    );
    for (schema, code) in
        [("Diagnostic", "DiagnosticCode"), ("CodeEntry", "DiagnosticCode"), ("Problem", "ProblemCode")]
    {
        if let Some(field) = schemas.find(&[schema, "properties", "code"]) {
            let about = field.members().shift_remove("description");
            let mut reference = Node::from(json!({"$ref": format!("#/components/schemas/{code}")}));
            if let Some(about) = about {
                reference.set("description", about);
            }
            *field = reference;
        }
    }
    let side = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
    let sides = schemas.at(&["DiffRequest", "properties"]);
    for (name, schema) in
        [("before", side("MergeRequest")), ("after", json!({"oneOf": [side("MergeRequest"), side("MergeOptions")]}))]
    {
        let about = sides.at(&[name]).members().shift_remove("description");
        sides.set(name, schema);
        if let Some(about) = about {
            sides.at(&[name]).set("description", about);
        }
    }
    let limit = BodySettings::MAX_REQUEST_BYTES;
    schemas.at(&["Limit", "properties", "value"]).set("example", json!(limit));
    let detail = format!("the request body as sent is over the limit max-request-bytes of {limit} bytes");
    schemas.at(&["Problem", "properties", "detail"]).set("example", json!(detail));
    schemas.set(
        "Archive",
        json!({
            "type": "string",
            "format": "binary",
            "description": "The bytes of an archive.",
        }),
    );
}

/// The name of the security scheme.
const BEARER: &str = "bearer";

/// Adds the security scheme: how requests present their token. Each route that never needs one says so. Generators of
/// clients take a requirement of a single route to mean that it always needs one.
fn security(document: &mut Node) {
    // Without tokens everyone may call, hence the empty alternative.
    document.set("security", json!([{}, {BEARER: []}]));
    document.at(&["components", "securitySchemes"]).set(
        BEARER,
        json!({
            "type": "http",
            "scheme": "bearer",
            "description": "A token of the service (`--token-file`) or a JWT of an issuer that it knows (`--jwks`), if it requires one. \
                            A JWT needs the scope that each route names, in `scope` or `scp`.",
        }),
    );
}

/// Sorts the routes, the most important first, and the request formats, JSON first: tools show the first one.
fn order(document: &mut Node) {
    document.at(&["paths"]).move_to_front(&[
        "/v1/merge",
        "/v1/merge/report",
        "/v1/diff",
        "/v1/diff/report",
        "/v1/plan",
        "/v1/plan/report",
        "/v1/compatibility",
        "/v1/batch",
        "/v1/dialects",
        "/v1/dialects/{name}",
        "/v1/versions",
        "/v1/diagnostics",
        "/v1/diagnostics/{code}",
        "/livez",
        "/readyz",
        "/metrics",
        "/version",
        "/openapi.json",
        "/docs",
        "/",
    ]);
    for path in ["/v1/merge", "/v1/merge/report", "/v1/plan", "/v1/plan/report", "/v1/compatibility"] {
        document.at(&["paths", path, "post", "requestBody", "content"]).move_to_front(&[
            "application/json",
            "multipart/form-data",
            "application/x-tar",
            "application/gzip",
            "application/x-gzip",
            "application/x-tar+gzip",
            "application/zstd",
            "application/zip",
        ]);
    }
}

//! What every route can answer in addition to its own answers: refusals, failures, and the headers of all answers.

use serde_json::{Value, json};

use super::tree::Node;
use crate::api::routes::needs::NEEDS;
use crate::api::routes::paths::role;
use crate::api::wire::kind;
use crate::settings::BodySettings;
use overfold_server::auth::Need;
use overfold_server::error::{ApiError, Kind};
use overfold_server::problem::PROBLEM_JSON;
use overfold_server::problem::Problem;

/// Problems that any route may answer, each with a representative kind and a description.
const COMMON_PROBLEMS: &[(Kind, &str)] = &[
    (kind::BAD_HOST, "The request is not valid, or does not say which host it is for."),
    (kind::TOKEN_NEEDED, "The service requires a token, and the request has no valid one."),
    (
        kind::CROSS_ORIGIN,
        "A web page of another origin sent the request, it is addressed to another host, or the token does not have the scope that the route needs.",
    ),
    (kind::METHOD_NOT_ALLOWED, "The path does not support the method; `Allow` lists those it supports."),
    (kind::TIMEOUT, "The request did not arrive, or was not answered, within the time that it may take."),
    (kind::TARGET_TOO_LONG, "The path and query are longer than 65,534 bytes."),
    (kind::EXPECTATION_FAILED, "The request expects something other than `100-continue`."),
    (
        kind::CALLER_RATE,
        "The caller sends more requests than it may, or holds more than its share; `Retry-After` says when to try again.",
    ),
    (kind::HEAD_TOO_LARGE, "The head of the request is over 64 KiB or has more than 100 fields."),
    (kind::INTERNAL, "The service failed internally. The log has details under the request id."),
    (kind::UNSUPPORTED_TRANSFER_CODING, "The body has a transfer coding other than `chunked`."),
    (kind::OVERLOADED, "The service is overloaded or shutting down; `Retry-After` says when to try again."),
];

/// The kinds that serve as the example for their status.
const EXAMPLES: &[Kind] = &[
    kind::MALFORMED_BODY,
    kind::TOKEN_NEEDED,
    kind::CROSS_ORIGIN,
    kind::NOT_FOUND,
    kind::METHOD_NOT_ALLOWED,
    kind::NOT_ACCEPTABLE,
    kind::TIMEOUT,
    kind::OVER_LIMIT,
    kind::TARGET_TOO_LONG,
    kind::UNSUPPORTED_MEDIA_TYPE,
    kind::EXPECTATION_FAILED,
    kind::UNKNOWN_VERSION,
    kind::CALLER_RATE,
    kind::HEAD_TOO_LARGE,
    kind::INTERNAL,
    kind::UNSUPPORTED_TRANSFER_CODING,
    kind::OVERLOADED,
];

/// Returns the headers that are described once: name, schema, description.
fn headers() -> Vec<(&'static str, Value, &'static str)> {
    let text = |example: &str| json!({"type": "string", "example": example});
    vec![
        (
            "Accept-Encoding",
            text("gzip, zstd, br, deflate"),
            "The supported content encodings, if that of the request is not supported.",
        ),
        ("Allow", text("GET,HEAD"), "The methods that the path supports."),
        (
            "Cache-Status",
            text("overfold; hit"),
            "What the cache had to do with the answer (RFC 9211), if the service has one.",
        ),
        ("Cache-Control", text("no-store"), "How long the answer may be cached."),
        (
            "Content-Encoding",
            text("zstd"),
            "`zstd` or `gzip`, if `Accept-Encoding` allows it and the answer is long enough.",
        ),
        ("ETag", text("\"2f0c…\""), "A strong entity tag: the same tag means the same bytes."),
        ("Location", text("docs/"), "The location of the page, relative to the request."),
        ("Repr-Digest", text("sha-256=:…:"), "The SHA-256 digest of the body as sent (RFC 9530)."),
        (
            "Retry-After",
            json!({"type": "integer", "minimum": 1, "example": 1}),
            "The number of seconds after which it is worth trying again.",
        ),
        ("Vary", text("accept-encoding"), "The request headers that the answer depends on."),
        (
            "WWW-Authenticate",
            text("Bearer"),
            "The challenge, as defined by RFC 6750; with status 403 only if a scope is missing, which it names.",
        ),
        (
            "X-Request-Id",
            text("5f0c2f9a77b0c1de-2a"),
            "The id of the request: the client's own, if it sent a usable one.",
        ),
        (
            "Overfold-Valid",
            json!({"type": "string", "enum": ["true", "false"]}),
            "Whether the configuration is valid; for a comparison, whether both sides are.",
        ),
    ]
}

/// Describes the header by which a client names its request.
fn named_by_the_client() -> Value {
    json!({
        "name": "X-Request-Id",
        "in": "header",
        "required": false,
        "description": "An id for the request: 1 to 128 visible ASCII characters. The answer and the log repeat it. Without a \
                        usable one, the service makes one up.",
        "schema": {"type": "string"},
    })
}

/// Describes the requirements and answers of the layers around the routes.
pub(super) fn complete(document: &mut Node) {
    document.at(&["components", "parameters"]).set("X-Request-Id", named_by_the_client());
    for (name, schema, about) in headers() {
        document.at(&["components", "headers"]).set(name, json!({"description": about, "schema": schema}));
    }
    for (kind, about) in COMMON_PROBLEMS {
        let response = problem(kind.status().as_u16(), about);
        document.at(&["components", "responses"]).set(kind.code(), response);
    }
    for (path, item) in document.at(&["paths"]).members() {
        let open = role(path).is_open();
        for method in ["get", "post"] {
            let Some(operation) = item.find(&[method]) else { continue };
            if open {
                operation.set("security", json!([]));
            }
            if let Some((_, Need::Scope(scope))) = NEEDS.iter().find(|(route, _)| route == path)
                && let Some(Node::Plain(Value::String(about))) = operation.find(&["description"])
            {
                about.push_str("\n\nScope of an identity: `");
                about.push_str(scope.name());
                about.push_str("`.");
            }
            if method == "post" {
                let named = json!({"$ref": "#/components/parameters/X-Request-Id"});
                operation.at(&["parameters"]).items().push(named.into());
            }
            let responses = operation.at(&["responses"]);
            for (kind, _) in COMMON_PROBLEMS.iter().filter(|(kind, _)| !(open && needs_token(*kind))) {
                let shared = json!({"$ref": format!("#/components/responses/{}", kind.code())});
                responses.add(kind.status().as_str(), shared);
            }
            for (status, response) in responses.members() {
                finish(status, response);
            }
            responses.members().sort_keys();
        }
    }
}

/// Whether only callers with a token meet a problem.
fn needs_token(kind: Kind) -> bool {
    matches!(kind, kind::TOKEN_NEEDED | kind::CALLER_RATE)
}

/// Adds headers and an example to an answer that a route describes itself.
fn finish(status: &str, response: &mut Node) {
    if response.find(&["$ref"]).is_some() {
        return;
    }
    let Ok(number) = status.parse::<u16>() else { return };
    // A header named by a route gets the shared description.
    let named = response.at(&["headers"]).members();
    let shared = |own: &str| headers().into_iter().map(|row| row.0).find(|name| name.eq_ignore_ascii_case(own));
    let own: Vec<String> =
        named.keys().filter(|own| shared(own).is_some_and(|name| name != own.as_str())).cloned().collect();
    for name in own {
        named.shift_remove(&name);
        if let Some(name) = shared(&name) {
            named.insert(name.to_owned(), reference(name).into());
        }
    }
    // Only what is computed for a request has a digest of its own.
    if number == 200 && named.contains_key("Repr-Digest") {
        named.insert("Cache-Status".to_owned(), reference("Cache-Status").into());
    }
    if matches!(number, 200 | 304) && (named.contains_key("ETag") || number == 304) {
        for name in ["ETag", "Vary"] {
            named.insert(name.to_owned(), reference(name).into());
        }
        if number == 200 {
            named.insert("Content-Encoding".to_owned(), reference("Content-Encoding").into());
        }
    }
    for name in names(number) {
        response.at(&["headers"]).add(name, reference(name));
    }
    if let Some(content) = response.find(&["content", PROBLEM_JSON])
        && let Some(example) = example(number)
    {
        content.set("example", example);
    }
}

/// Returns the headers that every answer with a given status has.
fn names(status: u16) -> Vec<&'static str> {
    let mut names = vec!["Cache-Control", "X-Request-Id"];
    names.extend(match status {
        401 | 403 => Some("WWW-Authenticate"),
        405 => Some("Allow"),
        415 => Some("Accept-Encoding"),
        429 | 503 => Some("Retry-After"),
        _ => None,
    });
    names
}

fn reference(header: &str) -> Value {
    json!({"$ref": format!("#/components/headers/{header}")})
}

/// Returns the description of a problem as an answer.
fn problem(status: u16, about: &str) -> Node {
    let headers: serde_json::Map<String, Value> =
        names(status).into_iter().map(|name| (name.to_owned(), reference(name))).collect();
    let mut content = json!({"schema": {"$ref": "#/components/schemas/Problem"}});
    if let (Some(example), Value::Object(content)) = (example(status), &mut content) {
        content.insert("example".to_owned(), example);
    }
    json!({"description": about, "headers": headers, "content": {PROBLEM_JSON: content}}).into()
}

/// Returns an example of a problem with this status.
fn example(status: u16) -> Option<Value> {
    let kind = *EXAMPLES.iter().find(|kind| kind.status().as_u16() == status)?;
    let detail = match kind {
        kind::MALFORMED_BODY => "EOF while parsing an object at line 1 column 11",
        kind::TOKEN_NEEDED => "this service requires a token: `Authorization: Bearer …`",
        kind::CROSS_ORIGIN => "a browser sent this request for a page of another origin",
        kind::NOT_FOUND => "no route has this path; GET /docs lists the routes",
        kind::METHOD_NOT_ALLOWED => "the Allow header lists the methods of this path",
        kind::NOT_ACCEPTABLE => "this route can answer only with: application/json",
        kind::TIMEOUT => "no answer within 30 seconds, the time limit for a request",
        kind::TARGET_TOO_LONG => "the path and query of a request must fit into 65534 bytes",
        kind::UNSUPPORTED_MEDIA_TYPE => "the Content-Type is \"text/csv\"; this route reads: application/json, …",
        kind::EXPECTATION_FAILED => "the only expectation that this service can meet is 100-continue",
        kind::UNSUPPORTED_TRANSFER_CODING => "the only Transfer-Encoding that this service understands is chunked",
        kind::UNKNOWN_VERSION => {
            "dialect terraform has no version \"0.9\"; the known versions are 1.0.0 to 1.0.11, …"
        }
        kind::CALLER_RATE => "this caller sends more requests than it may (--caller-rate); try again in 1 s",
        kind::HEAD_TOO_LARGE => "the head of a request can have at most 65536 bytes and 100 header fields",
        kind::OVERLOADED => "requests of this size would wait too long for their turn; try again in 1 s",
        _ => "",
    };
    let limit = BodySettings::MAX_REQUEST_BYTES;
    let error = match kind {
        kind::OVER_LIMIT => ApiError::over_limit("the request body as sent", "max-request-bytes", limit),
        kind::INTERNAL => ApiError::internal(),
        kind::UNKNOWN_VERSION => ApiError::new(kind, detail).at("/version"),
        _ => ApiError::new(kind, detail),
    };
    serde_json::to_value(Problem::new(&error, status, "5f0c2f9a77b0c1de-2a")).ok()
}

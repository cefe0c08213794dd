//! The HTTP layer: every route, status and content type, requested through the router itself; connections and shutdown
//! with real sockets.

mod access;
mod access_log;
mod account;
mod answers;
mod archives;
mod batch;
mod batch_sockets;
mod bodies;
mod cache;
mod connections;
mod depth;
mod dialects;
mod startup_and_access;
mod echo;
mod explorer;
mod gate;
mod identities;
mod limits;
mod metrics;
mod noise;
mod options;
mod plan;
mod quotas;
mod recursive;
mod refusals;
mod reports;
mod resolve;
mod scopes;
mod shutdown;
mod stage;
mod tls;

use axum::Router;
use axum::body::Body;
use axum::http::{HeaderMap, HeaderValue, Method, Request, StatusCode};
use http_body_util::BodyExt as _;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::Value;
use tower::ServiceExt as _;

/// A complete answer.
pub(crate) struct Answer {
    pub(crate) status: StatusCode,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Vec<u8>,
}

impl Answer {
    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).map_err(|_| String::from_utf8_lossy(&self.body)).unwrap()
    }

    pub(crate) fn header(&self, name: &str) -> &str {
        self.headers.get(name).ok_or(name).unwrap().to_str().unwrap()
    }

    /// Checks that this is a well-formed problem, and returns it.
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        let body = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status.as_u16(), status, "{body}");
        assert_eq!(self.header("content-type"), "application/problem+json", "{body}");
        let problem = self.json();
        assert_eq!(problem["code"], code, "{body}");
        assert_eq!(problem["status"], status);
        assert_eq!(problem["type"], format!("urn:overfold:problem:{code}"));
        assert_eq!(problem["instance"], self.header("x-request-id"));
        assert!(problem["title"].as_str().is_some_and(|text| !text.is_empty()));
        assert!(problem["detail"].as_str().is_some_and(|text| !text.is_empty()));
        problem
    }
}

pub(crate) fn app() -> Router {
    router(&AppState::new(Settings::for_testing()))
}

/// Sends a request, with this machine as its host if it names none.
pub(crate) async fn send(app: &Router, mut request: Request<Body>) -> Answer {
    request.headers_mut().entry("host").or_insert(HeaderValue::from_static("localhost"));
    let response = app.clone().oneshot(request).await.unwrap();
    let (parts, body) = response.into_parts();
    let body = body.collect().await.unwrap().to_bytes().to_vec();
    Answer { status: parts.status, headers: parts.headers, body }
}

pub(crate) async fn get(path: &str) -> Answer {
    send(&app(), Request::get(path).body(Body::empty()).unwrap()).await
}

pub(crate) async fn post(content_type: &str, body: impl Into<Body>) -> Answer {
    post_to("/v1/merge", content_type, body).await
}

pub(crate) async fn post_to(path: &str, content_type: &str, body: impl Into<Body>) -> Answer {
    send(&app(), Request::post(path).header("content-type", content_type).body(body.into()).unwrap()).await
}

#[tokio::test]
async fn probes_and_version_answer() {
    for path in ["/livez", "/readyz"] {
        let answer = get(path).await;
        assert_eq!((answer.status, &answer.json()["status"]), (StatusCode::OK, &Value::from("ok")), "{path}");
    }
    let version = get("/version").await.json();
    assert_eq!((&version["name"], &version["version"]), (&"overfold".into(), &env!("CARGO_PKG_VERSION").into()));
    let commit = version["commit"].as_str().unwrap();
    assert!(commit == "unknown" || commit.chars().all(|c| c.is_ascii_alphanumeric()), "{commit}");
    assert!(version["build"].as_str().is_some_and(|build| build.split(' ').count() == 2), "{version}");
}

#[tokio::test]
async fn a_draining_service_is_alive_but_not_ready() {
    let state = AppState::new(Settings::for_testing());
    let app = router(&state);
    state.start_draining();
    let ready = send(&app, Request::get("/readyz").body(Body::empty()).unwrap()).await;
    ready.problem(503, "draining");
    assert_eq!(ready.header("retry-after"), "1");
    let alive = send(&app, Request::get("/livez").body(Body::empty()).unwrap()).await;
    assert_eq!(alive.status, StatusCode::OK);
}

#[tokio::test]
async fn unknown_paths_are_problems() {
    for path in ["/v1", "/v1/merge/", "/v1/nothing", "/docs/nothing.js"] {
        get(path).await.problem(404, "not-found");
    }
}

#[tokio::test]
async fn wrong_methods_are_problems_that_list_the_allowed_ones() {
    for (method, path, allow) in [
        (Method::GET, "/v1/merge", "POST"),
        (Method::GET, "/v1/diff", "POST"),
        (Method::GET, "/v1/merge/report?format=sarif", "POST"),
        (Method::PUT, "/v1/diff/report?format=text", "POST"),
        (Method::GET, "/v1/plan", "POST"),
        (Method::PUT, "/v1/plan/report?format=document", "POST"),
        (Method::GET, "/v1/plan-diff", "POST"),
        (Method::PUT, "/v1/plan-diff/report?format=text", "POST"),
        (Method::GET, "/v1/upgrade", "POST"),
        (Method::PUT, "/v1/upgrade/report?format=text", "POST"),
        (Method::PUT, "/v1/batch", "POST"),
        (Method::POST, "/v1/dialects", "GET,HEAD"),
        (Method::POST, "/v1/dialects/terraform", "GET,HEAD"),
        (Method::POST, "/livez", "GET,HEAD"),
        (Method::POST, "/readyz", "GET,HEAD"),
        (Method::DELETE, "/version", "GET,HEAD"),
        (Method::POST, "/metrics", "GET,HEAD"),
        (Method::PUT, "/openapi.json", "GET,HEAD"),
        (Method::POST, "/docs", "GET,HEAD"),
        (Method::POST, "/docs/", "GET,HEAD"),
        (Method::POST, "/", "GET,HEAD"),
        (Method::POST, "/v1/diagnostics", "GET,HEAD"),
        (Method::POST, "/v1/diagnostics/load/duplicate", "GET,HEAD"),
    ] {
        let answer = send(&app(), Request::builder().method(method).uri(path).body(Body::empty()).unwrap()).await;
        answer.problem(405, "method-not-allowed");
        assert_eq!(answer.header("allow"), allow, "{path}");
    }
}

#[tokio::test]
async fn a_report_has_no_head() {
    for path in ["/v1/merge/report?format=text", "/v1/diff/report?format=text", "/v1/plan/report?format=text"] {
        let answer = send(&app(), Request::head(path).body(Body::empty()).unwrap()).await;
        assert_eq!((answer.status.as_u16(), answer.header("allow"), answer.body.len()), (405, "POST", 0), "{path}");
    }
}

#[tokio::test]
async fn the_documentation_needs_no_network() {
    let page = get("/docs/").await;
    assert_eq!(page.status, StatusCode::OK);
    for name in ["index.html", "swagger-initializer.js"] {
        let file = get(&format!("/docs/{name}")).await;
        assert_eq!(file.status, StatusCode::OK, "{name}");
        let text = String::from_utf8(file.body).unwrap();
        assert!(!text.contains("https://") && !text.contains("http://"), "{name} points elsewhere: {text}");
        // A proxy may serve everything below a path.
        assert!(!text.contains("\"/") && !text.contains("'/"), "{name} has an address from the root: {text}");
    }
    let answer = get("/docs").await;
    assert_eq!((answer.status.as_u16(), answer.header("location")), (303, "docs/"));
    let page = String::from_utf8(get("/docs/").await.body).unwrap();
    for name in page
        .split(['"', '\''])
        .filter(|text| text.ends_with(".js") || text.ends_with(".css") || text.ends_with(".png"))
    {
        let file = get(&format!("/docs/{}", name.trim_start_matches("./"))).await;
        assert_eq!(file.status, StatusCode::OK, "{name}");
    }
    let bundle = Request::get("/docs/swagger-ui-bundle.js").header("accept-encoding", "gzip").body(Body::empty());
    assert_eq!(send(&app(), bundle.unwrap()).await.header("content-encoding"), "gzip");
    let document = get("/openapi.json").await.json();
    assert_eq!((&document["openapi"], &document["servers"][0]["url"]), (&"3.1.0".into(), &".".into()));
}

/// Documents that do not depend on requests are created once and need not be sent twice.
#[tokio::test]
async fn documents_can_be_cached() {
    for path in ["/openapi.json", "/docs/", "/docs/swagger-ui-bundle.js", "/docs/swagger-ui.css", "/v1/diagnostics"] {
        let ask = async |name: &str, value: &str| {
            send(&app(), Request::get(path).header(name, value).body(Body::empty()).unwrap()).await
        };
        let plain = ask("accept-encoding", "identity").await;
        assert_eq!(plain.header("vary"), "accept-encoding", "{path}");
        assert_eq!(plain.header("cache-control"), "public, max-age=300", "{path}");
        let again = ask("if-none-match", plain.header("etag")).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{path}");
        assert_eq!(ask("if-none-match", "\"other\"").await.body, plain.body, "{path}");
        let mut tags = vec![plain.header("etag").to_owned()];
        for coding in ["zstd", "gzip"] {
            let packed = ask("accept-encoding", coding).await;
            if plain.body.len() < 1024 {
                continue;
            }
            assert_eq!(packed.header("content-encoding"), coding, "{path}");
            let unpacked = match coding {
                "zstd" => zstd::decode_all(&*packed.body).unwrap(),
                _ => {
                    let mut bytes = Vec::new();
                    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*packed.body), &mut bytes).unwrap();
                    bytes
                }
            };
            assert!(unpacked == plain.body, "{path}: {coding}");
            tags.push(packed.header("etag").to_owned());
        }
        tags.dedup();
        assert!(tags.len() != 2, "{path}: {tags:?}");
    }
}

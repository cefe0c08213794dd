//! Who may call the service, and the policies that every answer sets for browsers.

use std::fs;
use std::path::PathBuf;

use axum::Router;
use axum::body::Body;
use axum::http::{Method, Request, StatusCode, Version};
use base64::Engine as _;
use overfold_cli::api::{AppState, NewToken, router};
use overfold_cli::settings::Settings;
use sha2::{Digest as _, Sha256};
use tempfile::TempDir;
use tower::ServiceExt as _;

use super::bodies::form;
use super::{Answer, app, get, post, send};

const MERGE: &str = r#"{"files": {"main.tf": ""}}"#;

/// Every GET route, and a path that is not a route.
const PATHS: [&str; 10] = [
    "/livez",
    "/readyz",
    "/version",
    "/v1/dialects",
    "/v1/dialects/terraform",
    "/v1/versions",
    "/openapi.json",
    "/docs/",
    "/",
    "/nothing",
];

fn with(change: impl FnOnce(&mut Settings)) -> Router {
    let mut settings = Settings::for_testing();
    change(&mut settings);
    router(&AppState::new(settings))
}

/// Sends a request with these headers; a header without a value is not sent.
async fn ask(app: &Router, method: Method, path: &str, headers: &[(&str, &str)]) -> Answer {
    let mut request = Request::builder().method(method.clone()).uri(path);
    for (name, value) in headers {
        request = request.header(*name, *value);
    }
    let body = if method == Method::POST {
        request = request.header("content-type", "application/json");
        Body::from(MERGE)
    } else {
        Body::empty()
    };
    send(app, request.body(body).unwrap()).await
}

fn tokens(lines: &[&str]) -> (TempDir, PathBuf) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens");
    fs::write(&file, lines.join("\n")).unwrap();
    (folder, file)
}

fn guarded(lines: &[&str]) -> (TempDir, Router) {
    let (folder, file) = tokens(lines);
    let mut settings = Settings::for_testing();
    settings.access.token_file = Some(file);
    let state = AppState::new(settings);
    state.load_files().unwrap();
    (folder, router(&state))
}

#[tokio::test]
async fn with_tokens_only_the_probes_and_the_documentation_are_open() {
    let token = NewToken::generate("ci").unwrap();
    let (_folder, app) = guarded(&[&token.line]);
    let bearer = format!("Bearer {}", token.token);
    for path in PATHS {
        let without = ask(&app, Method::GET, path, &[]).await;
        let known = ask(&app, Method::GET, path, &[("authorization", &bearer)]).await;
        assert_eq!(known.status == StatusCode::NOT_FOUND, path == "/nothing", "{path}");
        if matches!(path, "/livez" | "/readyz" | "/openapi.json" | "/docs/" | "/") {
            assert_eq!(without.status, StatusCode::OK, "{path}");
        } else {
            without.problem(401, "token-needed");
            assert_eq!(without.header("www-authenticate"), "Bearer realm=\"overfold\"", "{path}");
        }
    }
    for path in
        ["/v1/merge", "/v1/merge/report", "/v1/compatibility", "/v1/diff", "/v1/diff/report?format=text", "/v1/batch"]
    {
        ask(&app, Method::POST, path, &[]).await.problem(401, "token-needed");
    }
    assert_eq!(ask(&app, Method::POST, "/v1/merge", &[("authorization", &bearer)]).await.status, StatusCode::OK);
}

#[tokio::test]
async fn tokens_are_parsed_according_to_rfc_6750() {
    let (a, b) = (NewToken::generate("a").unwrap(), NewToken::generate("b").unwrap());
    let (_folder, app) = guarded(&["# for two", "", &a.line, &b.line]);
    let merge = async |value: &str| ask(&app, Method::POST, "/v1/merge", &[("authorization", value)]).await;
    for good in [
        format!("Bearer {}", a.token),
        format!("Bearer {}", b.token),
        format!("bearer {}", a.token),
        format!("BEARER   {}", a.token),
    ] {
        assert_eq!(merge(&good).await.status, StatusCode::OK, "{good}");
    }
    for none in ["", "Basic YTpi", &a.token, "Bearerx y"] {
        merge(none).await.problem(401, "token-needed");
    }
    let mut nearly = a.token.clone();
    nearly.pop();
    for wrong in
        ["Bearer", "Bearer ", "Bearer x", &format!("Bearer {nearly}"), &format!("Bearer {} {}", a.token, b.token)]
    {
        let answer = merge(wrong).await;
        answer.problem(401, "invalid-token");
        assert_eq!(
            answer.header("www-authenticate"),
            "Bearer realm=\"overfold\", error=\"invalid_token\"",
            "{wrong}"
        );
        assert!(!String::from_utf8(answer.body).unwrap().contains(&nearly), "{wrong}");
    }
    // The digest of a token is not a token.
    let digest = a.line.rsplit(':').next().unwrap();
    merge(&format!("Bearer {digest}")).await.problem(401, "invalid-token");
    let two = [("authorization", &*format!("Bearer {}", a.token)), ("authorization", "Bearer x")];
    let answer = ask(&app, Method::POST, "/v1/merge", &two).await;
    answer.problem(400, "bad-request");
    assert!(answer.header("www-authenticate").ends_with("error=\"invalid_request\""));
    let query = format!("/v1/dialects?access_token={}", a.token);
    ask(&app, Method::GET, &query, &[]).await.problem(401, "token-needed");
}

/// A service with a token file that has not been read yet accepts no one.
#[tokio::test]
async fn an_unread_token_file_admits_no_one() {
    let token = NewToken::generate("ci").unwrap();
    let (_folder, file) = tokens(&[&token.line]);
    let app = with(|settings| settings.access.token_file = Some(file));
    let bearer = format!("Bearer {}", token.token);
    ask(&app, Method::POST, "/v1/merge", &[("authorization", &bearer)]).await.problem(401, "invalid-token");
}

/// With tokens, a page gains nothing from its own name for this machine; without tokens, it would gain everything.
#[tokio::test]
async fn on_a_loopback_address_requests_are_for_this_machine() {
    let app = app();
    for host in ["localhost", "localhost:8080", "127.0.0.1", "127.0.0.1:1", "[::1]:8080", "LocalHost", "127.1.2.3"] {
        assert_eq!(ask(&app, Method::POST, "/v1/merge", &[("host", host)]).await.status, StatusCode::OK, "{host}");
    }
    for host in ["evil.test", "evil.test:8080", "localhost.evil.test", "127.0.0.1.nip.io", "10.0.0.1", "0.0.0.0"] {
        ask(&app, Method::POST, "/v1/merge", &[("host", host)]).await.problem(403, "host-not-allowed");
        ask(&app, Method::GET, "/v1/dialects", &[("host", host)]).await.problem(403, "host-not-allowed");
        ask(&app, Method::GET, "/docs/", &[("host", host)]).await.problem(403, "host-not-allowed");
        // Monitoring calls the service by an address that it need not know.
        assert_eq!(ask(&app, Method::GET, "/livez", &[("host", host)]).await.status, StatusCode::OK);
    }
    let named = with(|settings| settings.access.allowed_host = vec!["overfold.test".to_owned()]);
    let everywhere = with(|settings| settings.listen.listen = ([0, 0, 0, 0], 0).into());
    let token = NewToken::generate("ci").unwrap();
    let (_folder, guarded) = guarded(&[&token.line]);
    for (app, host, status) in [
        (&named, "overfold.test:8080", 200),
        (&named, "localhost", 200),
        (&named, "evil.test", 403),
        (&everywhere, "overfold.test", 200),
        (&guarded, "overfold.test", 200),
    ] {
        let headers = [("host", host), ("authorization", &*format!("Bearer {}", token.token))];
        assert_eq!(ask(app, Method::POST, "/v1/merge", &headers).await.status, status, "{host}");
    }
    let narrow = with(|settings| {
        settings.listen.listen = ([0, 0, 0, 0], 0).into();
        settings.access.allowed_host = vec!["overfold.test".to_owned()];
    });
    ask(&narrow, Method::POST, "/v1/merge", &[("host", "evil.test")]).await.problem(403, "host-not-allowed");
}

#[tokio::test]
async fn the_host_of_the_request_target_is_the_one_that_counts() {
    let app = app();
    for (target, host, status) in [
        ("http://localhost/livez", "localhost", 200),
        ("http://localhost:8080/v1/dialects", "evil.test", 200),
        ("http://evil.test/v1/dialects", "localhost", 403),
    ] {
        assert_eq!(ask(&app, Method::GET, target, &[("host", host)]).await.status, status, "{target} {host}");
    }
}

#[tokio::test]
async fn a_request_has_one_host() {
    let app = app();
    for path in PATHS {
        ask(&app, Method::GET, path, &[("host", "localhost"), ("host", "localhost")]).await.problem(400, "bad-host");
        for host in ["", "a b", "user@localhost", "http://localhost", "localhost/x"] {
            ask(&app, Method::GET, path, &[("host", host)]).await.problem(400, "bad-host");
        }
    }
    // Without a connection, the router sees what a connection would pass to it: HTTP/1.0 needs no host, and HTTP/2 has
    // it elsewhere.
    for (version, path, status) in [
        (Version::HTTP_11, "/livez", 400),
        (Version::HTTP_10, "/livez", 200),
        (Version::HTTP_10, "/version", 403),
        (Version::HTTP_2, "http://localhost/version", 200),
        (Version::HTTP_2, "/version", 400),
    ] {
        let request = Request::get(path).version(version).body(Body::empty()).unwrap();
        let answer = app.clone().oneshot(request).await.unwrap();
        assert_eq!(answer.status(), status, "{version:?} {path}");
    }
}

#[tokio::test]
async fn pages_of_other_origins_may_not_call() {
    let app = app();
    let own = ("host", "localhost:8080");
    for headers in [
        &[("sec-fetch-site", "cross-site")][..],
        &[("sec-fetch-site", "same-site")],
        &[("sec-fetch-site", "nonsense")],
        &[("sec-fetch-site", "")],
        &[("sec-fetch-site", "same-origin"), ("sec-fetch-site", "cross-site")],
        &[("sec-fetch-site", "cross-site"), ("origin", "http://localhost:8080")],
        &[("origin", "http://evil.test")],
        &[("origin", "null")],
        &[("origin", "")],
        &[("origin", "http://localhost")],
        &[("origin", "http://localhost:8081")],
        &[("origin", "http://localhost:8080.evil.test")],
        &[("origin", "http://localhost:8080"), ("origin", "http://evil.test")],
        // Like following a link, but not to a page, or not into a window.
        &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "iframe")],
        &[("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "no-cors"), ("sec-fetch-dest", "document")],
    ] {
        let headers = [&[own], headers].concat();
        for path in PATHS {
            ask(&app, Method::GET, path, &headers).await.problem(403, "cross-origin");
        }
        for method in [Method::POST, Method::OPTIONS, Method::PUT] {
            let answer = ask(&app, method, "/v1/merge", &headers).await;
            answer.problem(403, "cross-origin");
            assert!(answer.headers.keys().all(|name| !name.as_str().starts_with("access-control")), "{headers:?}");
        }
    }
    for headers in [
        &[][..],
        &[("sec-fetch-site", "same-origin")],
        &[("sec-fetch-site", "none")],
        &[("sec-fetch-site", "same-origin"), ("origin", "http://localhost:8080")],
        &[("origin", "http://localhost:8080")],
        &[("origin", "https://localhost:8080")],
    ] {
        let headers = [&[own], headers].concat();
        assert_eq!(ask(&app, Method::POST, "/v1/merge", &headers).await.status, StatusCode::OK, "{headers:?}");
    }
}

#[tokio::test]
async fn cross_site_links_reach_only_the_pages() {
    let app = app();
    let link = [("sec-fetch-site", "cross-site"), ("sec-fetch-mode", "navigate"), ("sec-fetch-dest", "document")];
    assert_eq!(ask(&app, Method::GET, "/docs/", &link).await.status, StatusCode::OK);
    assert_eq!(ask(&app, Method::GET, "/", &link).await.status, StatusCode::OK);
    assert_eq!(ask(&app, Method::GET, "/docs", &link).await.status, StatusCode::SEE_OTHER);
    for path in ["/version", "/v1/dialects", "/openapi.json", "/livez", "/nothing", "/docsx"] {
        ask(&app, Method::GET, path, &link).await.problem(403, "cross-origin");
    }
    for path in ["/docs/", "/v1/merge"] {
        ask(&app, Method::POST, path, &link).await.problem(403, "cross-origin");
    }
}

/// What a page can send without a preflight request: a form, or text. As sent by a browser without fetch metadata, and
/// by one that does not reveal the origin.
#[tokio::test]
async fn simple_requests_from_other_origins_are_refused_before_any_work() {
    let (multipart, body) = form(&[("files", Some("main.tf"), b"locals {}")]);
    let requests = [
        (&*multipart, body, 403),
        ("text/plain", MERGE.as_bytes().to_vec(), 403),
        ("application/x-www-form-urlencoded", MERGE.as_bytes().to_vec(), 403),
    ];
    for (content_type, body, status) in requests {
        for header in [("origin", "http://evil.test"), ("origin", "null"), ("sec-fetch-site", "cross-site")] {
            let request = Request::post("/v1/merge").header("content-type", content_type).header(header.0, header.1);
            let answer = send(&app(), request.body(Body::from(body.clone())).unwrap()).await;
            assert_eq!(answer.status, status, "{content_type} {header:?}");
        }
    }
    for content_type in ["text/plain", "application/x-www-form-urlencoded"] {
        post(content_type, MERGE).await.problem(415, "unsupported-media-type");
    }
}

#[tokio::test]
async fn every_answer_is_closed_to_other_pages() {
    let mut answers = Vec::new();
    for path in PATHS {
        answers.push((path, get(path).await));
    }
    answers.push(("/docs/swagger-ui-bundle.js", get("/docs/swagger-ui-bundle.js").await));
    answers.push(("/docs/nothing.js", get("/docs/nothing.js").await));
    answers.push(("/", get("/").await));
    answers.push(("/explorer/nothing.js", get("/explorer/nothing.js").await));
    answers.push(("200", post("application/json", MERGE).await));
    answers.push(("415", post("text/plain", MERGE).await));
    answers.push(("403", ask(&app(), Method::GET, "/version", &[("origin", "null")]).await));
    answers.push(("405", ask(&app(), Method::DELETE, "/version", &[]).await));
    for (path, answer) in answers {
        for (name, value) in [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("x-frame-options", "DENY"),
            ("cross-origin-resource-policy", "same-origin"),
            ("cross-origin-opener-policy", "same-origin"),
        ] {
            assert_eq!(answer.header(name), value, "{path}");
        }
        assert!(!answer.headers.contains_key("server") && answer.headers.contains_key("cache-control"), "{path}");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'none'; "), "{path}: {policy}");
        assert!(policy.contains("frame-ancestors 'none'") && !policy.contains("unsafe"), "{path}: {policy}");
        assert_eq!(policy.contains("script-src 'self'"), is_page(path), "{path}: {policy}");
        assert_eq!(policy.contains("'sha256-"), path.starts_with("/docs/"), "{path}: {policy}");
    }
}

fn is_page(path: &str) -> bool {
    path == "/" || path.starts_with("/docs/") || path.starts_with("/explorer/")
}

/// The policy of the pages only allows files of this service, so nothing may be inline.
#[tokio::test]
async fn the_pages_keep_their_own_policy() {
    let page = String::from_utf8(get("/docs/").await.body).unwrap();
    for script in page.split("<script").skip(1) {
        let (tag, rest) = script.split_once('>').unwrap();
        assert!(tag.contains(" src=\"./"), "{tag}");
        assert!(rest.split("</script>").next().unwrap().trim().is_empty(), "a script in the page: {rest}");
    }
    // The style of the logo, which a script inserts into the page.
    let policy = get("/docs/").await.header("content-security-policy").to_owned();
    let script = String::from_utf8(get("/docs/swagger-ui-standalone-preset.js").await.body).unwrap();
    let style = script.split("\"style\",null,\"").nth(1).and_then(|rest| rest.split('"').next()).unwrap();
    let digest = base64::prelude::BASE64_STANDARD.encode(Sha256::digest(style));
    assert!(policy.contains(&format!("'sha256-{digest}'")), "{style}: sha256-{digest}");
    assert!(!page.contains("<style") && !page.contains(" style=") && !page.contains(" onload="), "{page}");
}

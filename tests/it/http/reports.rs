//! `POST /v1/merge/report` and `POST /v1/diff/report`: the same answers as with `Accept`, in every form of a request, and
//! what is rejected.

use axum::body::Body;
use axum::http::Request;
use overfold_cli::output::FORMATS;
use serde_json::{Value, json};

use super::archives::{bodies, tar};
use super::bodies::form;
use super::{Answer, app, post_to, send};

const MAIN: &str = "resource \"terraform_data\" \"a\" {\n  depends_on = [\"terraform_data.b\"]\n}\n";
const LOST: &str = "output \"o\" {\n  value = 1\n}\n";

fn files() -> Value {
    json!({"m/main.tf": MAIN, "m/override.tf": LOST})
}

async fn accepting(path: &str, accept: &str, content_type: &str, body: impl Into<Body>) -> Answer {
    let request = Request::post(path).header("content-type", content_type).header("accept", accept);
    send(&app(), request.body(body.into()).unwrap()).await
}

/// Checks that a report is the answer that `Accept` selects on the other route.
fn check(report: &Answer, other: &Answer, what: &str) {
    let text = String::from_utf8_lossy(&report.body);
    assert_eq!((report.status, &text), (other.status, &String::from_utf8_lossy(&other.body)), "{what}");
    for name in ["content-type", "repr-digest", "etag", "cache-control"] {
        assert_eq!(report.header(name), other.header(name), "{what}: {name}");
    }
    assert_eq!(report.header("vary"), "accept-encoding", "{what}");
    assert_eq!(other.header("vary"), "accept, accept-encoding", "{what}");
    assert!(!other.headers.contains_key("overfold-valid"), "{what}");
}

#[tokio::test]
async fn a_report_is_what_accept_selects() {
    for format in FORMATS {
        let path = format!("/v1/merge/report?format={}", format.name);
        for (options, valid) in [
            (json!({"root": "m"}), "false"),
            (json!({"root": "m", "path_prefix": "infra", "fail_on": "warning"}), "false"),
            (json!({"recursive": true, "path_prefix": "infra"}), "false"),
            (json!({"recursive": true, "fail_on": "error"}), "false"),
            (json!({}), "true"),
        ] {
            let mut request = options;
            request["files"] = files();
            let report = post_to(&path, "application/json", request.to_string()).await;
            let other = accepting("/v1/merge", format.media_type, "application/json", request.to_string()).await;
            let what = format!("{} {request}", format.name);
            check(&report, &other, &what);
            assert_eq!(report.header("overfold-valid"), valid, "{what}");
            assert_eq!(report.status.as_u16(), if request["fail_on"].is_null() { 200 } else { 422 }, "{what}");
        }
    }
}

#[tokio::test]
async fn every_form_of_an_upload_gets_the_report() {
    let entries = [("m/main.tf", MAIN.as_bytes()), ("m/override.tf", LOST.as_bytes())];
    let request = json!({"files": files(), "root": "m", "path_prefix": "a b", "fail_on": "error"});
    let same = post_to("/v1/merge/report?format=text", "application/json", request.to_string()).await;
    assert!(String::from_utf8_lossy(&same.body).contains("a b/m/override.tf:1:1"));
    for (content_type, body) in bodies(&entries) {
        for path in [
            "/v1/merge/report?format=text&root=m&path_prefix=a+b&fail_on=error&strip_components=0",
            "/v1/merge/report?strip_components=0&root=m&path_prefix=a%20b&fail_on=error&format=text",
        ] {
            let answer = post_to(path, content_type, body.clone()).await;
            assert_eq!(String::from_utf8_lossy(&answer.body), String::from_utf8_lossy(&same.body), "{content_type}");
            assert_eq!((answer.status.as_u16(), answer.header("overfold-valid")), (422, "false"), "{content_type}");
        }
    }
    let options = br#"{"root": "m", "path_prefix": "a b", "fail_on": "error", "strip_components": 0}"#;
    let archive = tar(&entries);
    let of_archive = form(&[("archive", Some("m.tar"), &archive), ("options", None, options)]);
    let of_files = form(&[
        ("files", Some("m/main.tf"), MAIN.as_bytes()),
        ("files", Some("m/override.tf"), LOST.as_bytes()),
        ("options", None, br#"{"root": "m", "path_prefix": "a b", "fail_on": "error"}"#),
    ]);
    for (content_type, body) in [of_archive, of_files] {
        let answer = post_to("/v1/merge/report?format=text", &content_type, body).await;
        assert_eq!(String::from_utf8_lossy(&answer.body), String::from_utf8_lossy(&same.body));
        assert_eq!((answer.status.as_u16(), answer.header("overfold-valid")), (422, "false"));
    }
}

#[tokio::test]
async fn a_report_on_a_difference_is_what_accept_selects() {
    let side = |text: &str, more: &Value| {
        let mut side = json!({"stage": "load", "files": {"m/main.tf": text}});
        for (name, value) in more.as_object().unwrap() {
            side[name] = value.clone();
        }
        side
    };
    for (name, media) in [("markdown", "text/markdown"), ("text", "text/plain")] {
        let path = format!("/v1/diff/report?format={name}");
        for (before, after, valid, status) in [
            (side(MAIN, &json!({"root": "m"})), side("", &json!({"root": "m"})), "true", 200),
            (
                side(MAIN, &json!({"root": "m"})),
                side("x = 1", &json!({"root": "m", "fail_on": "error"})),
                "false",
                422,
            ),
            (side("x = 1", &json!({"root": "m"})), side(MAIN, &json!({"root": "m"})), "false", 200),
            (side(MAIN, &json!({"recursive": true})), side("", &json!({"recursive": true})), "true", 200),
            (side(MAIN, &json!({"root": "m"})), json!({"stage": "load", "root": "m", "version": "1.5"}), "true", 200),
        ] {
            let body = json!({"before": before, "after": after});
            let report = post_to(&path, "application/json", body.to_string()).await;
            let other = accepting("/v1/diff", media, "application/json", body.to_string()).await;
            check(&report, &other, &format!("{name} {body}"));
            assert_eq!((report.header("overfold-valid"), report.status.as_u16()), (valid, status), "{name} {body}");
        }
        let [before, after] =
            [("main.tf", MAIN), ("main.tf", "")].map(|(name, text)| tar(&[(name, text.as_bytes())]));
        let (kind, body) = form(&[("before", Some("a.tar"), &before), ("after", Some("b.tar"), &after)]);
        let report = post_to(&path, &kind, body.clone()).await;
        check(&report, &accepting("/v1/diff", media, &kind, body).await, name);
        assert!(String::from_utf8_lossy(&report.body).contains("terraform_data.a"));
    }
}

/// The query alone decides: tools send all kinds of `Accept`.
#[tokio::test]
async fn accept_makes_no_difference_to_a_report() {
    let body = json!({"files": files()}).to_string();
    let pair = json!({"before": {"files": files()}, "after": {}}).to_string();
    for accept in ["application/json", "text/html", "application/sarif+json;q=0", "nonsense"] {
        let answer = accepting("/v1/merge/report?format=sarif", accept, "application/json", body.clone()).await;
        assert_eq!(
            (answer.status.as_u16(), answer.header("content-type")),
            (200, "application/sarif+json"),
            "{accept}"
        );
        let answer = accepting("/v1/diff/report?format=text", accept, "application/json", pair.clone()).await;
        assert_eq!(answer.header("content-type"), "text/plain; charset=utf-8", "{accept}");
    }
}

#[tokio::test]
async fn a_report_is_compressed_like_any_answer() {
    let many = "variable \"v\" {\n  x = 1\n}\n".repeat(50);
    let request = Request::post("/v1/merge/report?format=junit").header("content-type", "application/json");
    let request = request.header("accept-encoding", "gzip");
    let answer =
        send(&app(), request.body(Body::from(json!({"files": {"main.tf": many}}).to_string())).unwrap()).await;
    assert_eq!((answer.header("content-encoding"), answer.header("content-type")), ("gzip", "application/junit+xml"));
    assert!(answer.header("etag").ends_with("-gzip\""));
}

#[tokio::test]
async fn what_is_wrong_with_a_report_is_a_problem() {
    let body = json!({"files": files()}).to_string();
    let ask =
        async |query: &str| post_to(&format!("/v1/merge/report{query}"), "application/json", body.clone()).await;
    for query in ["", "?", "?format=", "?format=nonsense", "?FORMAT=sarif"] {
        let problem = ask(query).await.problem(400, "bad-option");
        assert_eq!(problem["pointer"], "/format", "{problem}");
        let detail = problem["detail"].as_str().unwrap();
        assert!(FORMATS.iter().all(|format| detail.contains(format.name)), "{detail}");
    }
    let problem = ask("?format=sarf").await.problem(400, "bad-option");
    assert!(problem["detail"].as_str().unwrap().ends_with("Did you mean \"sarif\"?"), "{problem}");
    ask("?format=sarif&format=sarif").await.problem(400, "duplicate-key");
    // The options of a request object stay in it.
    let problem = ask("?format=sarif&root=m").await.problem(400, "unknown-option");
    assert!(problem["detail"].as_str().unwrap().contains("other than format"), "{problem}");
    let archive = tar(&[("main.tf", b"")]);
    for query in ["?format=sarif&nonsense=1", "?format=sarif&files=1"] {
        let answer = post_to(&format!("/v1/merge/report{query}"), "application/x-tar", archive.clone()).await;
        answer.problem(400, "unknown-option");
    }
    let path = "/v1/merge/report?format=sarif";
    post_to(path, "application/json", r#"{"files": {}, "format": "sarif"}"#).await.problem(400, "unknown-option");
    post_to(path, "text/csv", "").await.problem(415, "unsupported-media-type");
    let impossible = post_to(path, "application/json", r#"{"files": {}, "root": "nowhere"}"#).await;
    impossible.problem(422, "root-not-found");
    assert!(!impossible.headers.contains_key("overfold-valid"));

    let diff = async |query: &str| post_to(&format!("/v1/diff/report{query}"), "application/json", "{}").await;
    for (query, hint) in [
        ("", "markdown, text."),
        ("?format=sarif", "POST /v1/merge/report has the format sarif."),
        ("?format=json", "The answer of POST /v1/diff is JSON."),
        ("?format=markdwon", "Did you mean \"markdown\"?"),
    ] {
        let problem = diff(query).await.problem(400, "bad-option");
        assert!(problem["detail"].as_str().unwrap().ends_with(hint), "{problem}");
    }
    diff("?format=text&root=m").await.problem(400, "unknown-option");
    post_to("/v1/diff/report?format=text", "application/x-tar", archive).await.problem(415, "unsupported-media-type");

    // Elsewhere, a format is pointed to these routes.
    for (path, kind) in
        [("/v1/merge", "application/json"), ("/v1/merge", "application/x-tar"), ("/v1/diff", "application/json")]
    {
        let problem = post_to(&format!("{path}?format=sarif"), kind, "{}").await.problem(400, "unknown-option");
        assert!(problem["detail"].as_str().unwrap().contains("POST /v1/merge/report"), "{problem}");
    }
}

/// Metrics count the routes by name, without what the query says.
#[tokio::test]
async fn reports_are_counted_by_route() {
    let app = app();
    for path in ["/v1/merge/report?format=text", "/v1/merge/report?format=none"] {
        let request = Request::post(path).header("content-type", "application/json");
        send(&app, request.body(Body::from(r#"{"files": {}}"#)).unwrap()).await;
    }
    let metrics = send(&app, Request::get("/metrics").body(Body::empty()).unwrap()).await;
    let text = String::from_utf8(metrics.body).unwrap();
    for status in [200, 400] {
        let row =
            format!("overfold_requests_total{{route=\"/v1/merge/report\",method=\"POST\",status=\"{status}\"}} 1");
        assert!(text.contains(&row), "{row}\n{text}");
    }
}

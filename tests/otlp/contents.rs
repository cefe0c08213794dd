//! Nothing of the content of a request is in a span, wherever a secret was in the request.

use std::collections::BTreeSet;

use serde_json::{Value, json};

use super::collector::{Collector, spans};
use super::{SAMPLED, start, stop, traced};

/// The secret, which is also a valid name.
const PLANTED: &str = "planted";

/// Returns a request with the secret in its header and the values of its header; the request id is what the client calls
/// the request.
fn request(method: &str, path: &str, media: &str, body: &str) -> String {
    format!(
        "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{}User-Agent: {PLANTED}\r\n\
         Authorization: Bearer {PLANTED}\r\nCookie: {PLANTED}={PLANTED}\r\nX-{PLANTED}: {PLANTED}\r\nbaggage: {PLANTED}={PLANTED}\r\n\
         X-Forwarded-For: {PLANTED}\r\nX-Request-Id: id-7\r\nContent-Type: {media}\r\nContent-Length: {}\r\n\r\n{body}",
        traced(SAMPLED),
        body.len()
    )
}

/// Returns the files of a module with the secret in paths, names, values, comments and mistakes.
fn files() -> Value {
    json!({
        "planted/main.tf": "# planted\nvariable \"planted\" {\n  sensitive = true\n}\nlocals {\n  planted = \"planted ${var.planted}\"\n}\n\
             resource \"planted\" \"planted\" {\n  planted = var.absent_planted\n}\noutput \"planted\" {\n  value = planted.planted\n}\n",
        "planted/planted_override.tf": "locals {\n  planted = planted(\n}\n",
        "planted/planted.auto.tfvars": "planted = \"planted\"\n",
    })
}

#[test]
fn no_part_of_a_request_is_in_a_span() {
    let collector = Collector::start();
    let service = start(&collector, &[]);
    let one = json!({"files": files(), "root": "planted", "variables": {"args": [{"var": "planted=planted"}]}});
    let good = json!({"files": {"main.tf": "locals {\n  planted = \"planted\"\n}\n"}});
    let plan = json!({"files": {"main.tf": "output \"planted\" {\n  value = \"planted\"\n}\n"}});
    let two = json!({"before": {"files": files(), "root": "planted"}, "after": good});
    let json = "application/json";
    let mut statuses = BTreeSet::new();
    for (method, path, media, body) in [
        ("POST", "/v1/merge", json, one.to_string()),
        ("POST", "/v1/merge", json, good.to_string()),
        ("POST", "/v1/merge", json, one.to_string().replace("\"root\"", "\"planted\"")),
        ("POST", "/v1/merge", json, "planted".to_owned()),
        ("POST", "/v1/merge", "planted/planted", "planted".to_owned()),
        ("POST", "/v1/merge?planted=planted", json, good.to_string()),
        ("POST", "/v1/merge?root=planted", "application/x-tar", "planted".to_owned()),
        ("POST", "/v1/merge/report?format=sarif", json, one.to_string()),
        ("POST", "/v1/merge/report?format=planted", json, one.to_string()),
        ("POST", "/v1/diff", json, two.to_string()),
        ("POST", "/v1/plan", json, plan.to_string()),
        ("POST", "/v1/plan", json, one.to_string()),
        ("POST", "/v1/compatibility", json, one.to_string()),
        ("POST", "/v1/batch", "application/x-ndjson", format!("{one}\n{good}\n\"planted\"\n")),
        ("GET", "/v1/diagnostics/planted/planted", json, String::new()),
        ("GET", "/v1/dialects/planted?planted=planted", json, String::new()),
        ("GET", "/planted/planted?planted=planted", json, String::new()),
        ("PLANTED", "/v1/merge", json, String::new()),
        ("DELETE", "/planted", json, String::new()),
    ] {
        statuses.insert(service.ask(request(method, path, media, &body)).status());
    }
    assert!([200, 400, 404, 405, 415].into_iter().all(|status| statuses.contains(&status)), "{statuses:?}");
    stop(service);
    let batches = collector.rest_of_bytes();
    let all: Vec<_> = batches.iter().flat_map(|batch| spans(batch)).collect();
    assert_eq!(all.iter().filter(|span| span.kind == 2).count(), 19);
    for batch in &batches {
        let text = String::from_utf8_lossy(batch).to_lowercase();
        assert!(!text.contains(PLANTED), "{text}");
    }
    // Beyond this secret: every text is one of ours.
    let routes = openapi_paths();
    let codes = problem_codes();
    for span in &all {
        let attributes = span.attributes.as_object().unwrap();
        if span.kind == 1 {
            assert!(
                attributes.is_empty() && span.name.bytes().all(|b| b.is_ascii_lowercase() || b == b'-'),
                "{span:?}"
            );
            continue;
        }
        let (method, route) = span.name.split_once(' ').unwrap_or((&span.name, ""));
        assert!(["GET", "POST", "DELETE", "HTTP"].contains(&method), "{span:?}");
        assert!(route.is_empty() || routes.contains(route), "{span:?}");
        for (name, value) in attributes {
            let Some(value) = value.as_str() else { continue };
            let known = match name.as_str() {
                "http.request.method" => value == method || (value, method) == ("_OTHER", "HTTP"),
                "http.route" => value == route,
                "url.scheme" => value == "http",
                "network.protocol.version" => value == "1.1",
                "overfold.request_id" => value == "id-7",
                "error.type" => codes.contains(value),
                _ => false,
            };
            assert!(known, "{name} = {value:?}: {span:?}");
        }
    }
}

fn openapi() -> Value {
    serde_json::from_str(include_str!("../../openapi/openapi.json")).unwrap()
}

fn openapi_paths() -> BTreeSet<String> {
    let mut paths: BTreeSet<String> = openapi()["paths"].as_object().unwrap().keys().cloned().collect();
    paths.insert("/v1/diagnostics/{stage}/{problem}".to_owned());
    paths
}

/// Returns the texts in the document that may be codes of problems.
fn problem_codes() -> BTreeSet<String> {
    openapi()["components"]["schemas"]["ProblemCode"]["enum"]
        .as_array()
        .into_iter()
        .flatten()
        .filter_map(|code| Some(code.as_str()?.to_owned()))
        .collect()
}

//! Whatever a problem quotes from a request is short, and contains nothing that a terminal would interpret.

use std::io::Write as _;

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use super::bodies::form;
use super::{Answer, app, post, post_to, send};

/// Returns a text far longer than any message should show, with an escape sequence at both ends.
fn long() -> String {
    format!("\u{1b}[31m{}\u{1b}[0m", "A".repeat(50_000))
}

/// Like [`long`], but without control characters, for places where HTTP allows none.
fn long_visible() -> String {
    "A".repeat(50_000)
}

#[track_caller]
fn assert_short(answer: &Answer, what: &str) {
    let body = String::from_utf8(answer.body.clone()).unwrap();
    assert!((400..500).contains(&answer.status.as_u16()), "{what}: {} {body:.300}", answer.status);
    assert!(body.len() < 2000, "{what}: {} bytes: {body:.300}", body.len());
    assert!(!body.contains(&"A".repeat(100)), "{what}: {body}");
    assert!(!body.contains("\\u001b"), "{what}: a control character as it came: {body}");
    let detail = answer.json()["detail"].as_str().unwrap().to_owned();
    assert!(!detail.contains(char::is_control), "{what}: {detail:?}");
    for (name, value) in &answer.headers {
        assert!(value.len() < 500, "{what}: the header {name}");
    }
}

#[tokio::test]
async fn problems_shorten_quotes_from_a_request_object() {
    let long = &*long();
    let file = json!({"a.tf": ""});
    let mut requests = vec![
        json!({"files": {(format!("../{long}")): ""}}),
        json!({"files": {(format!("a\0{long}")): ""}}),
        json!({"files": {(long): 1}}),
        json!({"files": {(long): {"base64": "!"}}}),
        json!({"files": {(long): {(long): "!"}}}),
        json!({"files": {(long): "", (format!("./{long}")): ""}}),
        json!({"files": long}),
        json!({(long): 1, "files": {}}),
        json!({"files": file, "variables": {(long): 1}}),
        json!({"files": file, "variables": {"env": {(long): 1}}}),
        json!({"files": file, "variables": {"env": long}}),
        json!({"files": file, "variables": {"args": [{(long): 1}]}}),
        json!({"files": file, "variables": {"args": [{"var": 1, (long): 1}]}}),
        json!({"files": file, "variables": {"args": [long]}}),
        json!({"files": file, "include": [long]}),
        json!({"files": file, "dialect": "sentinel", "config_file": long}),
        json!({"files": file, "dialect": "sentinel", "config_file": format!("../{long}")}),
    ];
    let options = [
        "version",
        "dialect",
        "root",
        "recursive",
        "paths",
        "variables",
        "include",
        "config_format",
        "expand",
        "config_file",
        "reveal_sensitive",
        "path_prefix",
        "fail_on",
        "severities",
        "strip_components",
    ];
    requests.extend(options.map(|option| json!({"files": file, (option): long})));
    requests.push(json!({"files": file, "root": format!("../{long}")}));
    for request in requests {
        let answer = post("application/json", request.to_string()).await;
        assert_short(&answer, &format!("{request:.80}"));
    }
    let quoted = serde_json::to_string(long).unwrap();
    for text in [
        format!("{{\"files\":{{}},\"strip_components\":{}}}", "9".repeat(50_000)),
        format!("{{\"files\":{{{quoted}:\"\",{quoted}:\"\"}}}}"),
        format!("{{\"files\":{{}},\"variables\":{{\"env\":{{{quoted}:\"\",{quoted}:\"\"}}}}}}"),
        format!(
            "{{\"files\":{{}},\"variables\":{{\"args\":[{{\"name\":\"a\",\"value\":{{{quoted}:1,{quoted}:1}}}}]}}}}"
        ),
        format!("{{\"files\":{{}}}} {quoted}"),
        long.to_owned(),
    ] {
        assert_short(&post("application/json", text.clone()).await, &format!("{text:.80}"));
    }
}

/// The pointer of a problem is valid, or it is that of an enclosing value.
#[tokio::test]
async fn pointers_are_never_cut() {
    let path = format!("{}/../x", "d".repeat(100));
    let request = json!({"files": {(&path): ""}}).to_string();
    let problem = post("application/json", request).await.problem(400, "bad-path");
    assert_eq!(problem["pointer"], format!("/files/{}", path.replace('/', "~1")));
    let request = json!({"files": {(format!("../{}", long())): ""}}).to_string();
    assert_eq!(post("application/json", request).await.json()["pointer"], "/files");
}

#[tokio::test]
async fn problems_shorten_quotes_from_a_query() {
    let long = format!("%1b%5B31m{}", "A".repeat(20_000));
    let names = [
        "version",
        "dialect",
        "root",
        "recursive",
        "paths",
        "variables",
        "include",
        "config_format",
        "expand",
        "config_file",
        "reveal_sensitive",
        "path_prefix",
        "fail_on",
        "severities",
        "strip_components",
    ];
    let mut queries: Vec<String> = names.iter().map(|name| format!("{name}={long}")).collect();
    queries.push(format!("{long}=1"));
    queries.push(format!("{long}=1&{long}=1"));
    queries.push(format!("root=..%2F{long}"));
    for query in queries {
        assert_short(
            &post_to(&format!("/v1/merge?{query}"), "application/x-tar", tar("a.tf")).await,
            &format!("{query:.40}"),
        );
    }
    for path in ["/v1/dialects/", "/v1/dialects/terraform?version=", "/v1/dialects/terraform?x", "/v1/dialects?", "/"]
    {
        let request = Request::get(format!("{path}{long}")).body(Body::empty()).unwrap();
        assert_short(&send(&app(), request).await, path);
    }
}

#[tokio::test]
async fn problems_shorten_quotes_from_the_header() {
    let long = long_visible();
    for (name, value) in [
        ("content-type", long.clone()),
        ("content-type", format!("text/{long}")),
        ("content-type", format!("application/json; charset={long}")),
        ("content-type", format!("multipart/form-data; x={long}")),
        ("content-encoding", long.clone()),
        ("accept", format!("text/{long}")),
        ("x-request-id", long.clone()),
        ("host", long.clone()),
        ("host", format!("a {long}")),
        ("origin", format!("https://{long}")),
        ("sec-fetch-site", long.clone()),
        ("authorization", long.clone()),
    ] {
        let mut request = Request::post("/v1/merge").header(name, &value);
        if name != "content-type" {
            request = request.header("content-type", "application/json");
        }
        assert_short(&send(&app(), request.body(Body::from("[]")).unwrap()).await, &format!("{name}: {value:.40}"));
    }
}

#[tokio::test]
async fn problems_shorten_quotes_from_forms_and_archives() {
    let long = long_visible();
    for (name, file) in [(&*long, None), (&long, Some("a.tf")), ("files", Some(&*format!("../{long}")))] {
        let (content_type, body) = form(&[(name, file, b"")]);
        assert_short(&post(&content_type, body).await, "a form");
    }
    for name in [format!("../{long}"), long.clone(), format!("{}/x", "A/".repeat(100))] {
        assert_short(&post("application/x-tar", tar(&name)).await, "a tar");
        let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
        zip.start_file(&*name, zip::write::SimpleFileOptions::default()).unwrap();
        zip.write_all(b"").unwrap();
        assert_short(&post("application/zip", zip.finish().unwrap().into_inner()).await, "a zip");
    }
}

fn tar(name: &str) -> Vec<u8> {
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(0);
    header.set_cksum();
    // A name that is too long for its field is put into an entry of its own (GNU).
    if name.len() > 90 || name.contains("..") {
        let mut extra = tar::Header::new_gnu();
        extra.set_entry_type(tar::EntryType::GNULongName);
        extra.set_size(name.len() as u64);
        extra.set_path("././@LongLink").unwrap();
        extra.set_cksum();
        tar.append(&extra, name.as_bytes()).unwrap();
        tar.append(&header, &b""[..]).unwrap();
    } else {
        tar.append_data(&mut header, name, &b""[..]).unwrap();
    }
    tar.into_inner().unwrap()
}

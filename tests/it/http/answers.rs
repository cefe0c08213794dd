//! Answers: formats, headers, reproducibility.

use axum::body::Body;
use axum::http::Request;
use base64::Engine as _;
use serde_json::json;
use sha2::Digest as _;

use super::{Answer, app, get, post, send};

const REQUEST: &str = r#"{"files": {"main.tf": "locals {\n  a = 1\n}\n"}}"#;

async fn accept(accept: &str) -> Answer {
    let request = Request::post("/v1/merge")
        .header("content-type", "application/json")
        .header("accept", accept)
        .body(Body::from(REQUEST))
        .unwrap();
    send(&app(), request).await
}

#[tokio::test]
async fn the_format_follows_accept() {
    for offered in ["application/json", "*/*", "application/*;q=0.2", "text/html, application/json;q=0.1"] {
        let answer = accept(offered).await;
        assert_eq!(answer.status, 200, "{offered}");
        assert_eq!(answer.header("content-type"), "application/json");
        assert!(answer.header("vary").contains("accept"));
    }
    for other in ["text/html", "text/markdown", "application/yaml", "application/json;q=0", "image/*"] {
        let problem = accept(other).await.problem(406, "not-acceptable");
        assert!(problem["detail"].as_str().unwrap().contains("application/json"), "{problem}");
    }
}

#[tokio::test]
async fn the_digest_is_that_of_the_body() {
    let answer = post("application/json", REQUEST).await;
    let digest = base64::prelude::BASE64_STANDARD.encode(sha2::Sha256::digest(&answer.body));
    assert_eq!(answer.header("repr-digest"), format!("sha-256=:{digest}:"));
}

#[tokio::test]
async fn equal_requests_give_equal_bytes_and_different_ones_different_tags() {
    let base = json!({"files": {"a.tf": "locals {\n}\n", "b.tf": ""}});
    let first = post("application/json", base.to_string()).await;
    for same in [
        json!({"files": {"b.tf": "", "a.tf": "locals {\n}\n"}}),
        json!({"files": {"./b.tf": {"base64": ""}, "a.tf": "locals {\n}\n"}}),
        json!({"files": {"b.tf": "", "a.tf": "locals {\n}\n"}, "root": ".", "dialect": "terraform"}),
        json!({"files": {"b.tf": "", "a.tf": "locals {\n}\n"}, "include": ["config", "config"]}),
    ] {
        let answer = post("application/json", same.to_string()).await;
        assert_eq!(answer.header("etag"), first.header("etag"), "{same}");
        assert_eq!(answer.body, first.body, "{same}");
    }
    let tag = first.header("etag");
    assert!(tag.starts_with('"') && tag.len() == 66, "{tag} is no strong tag of a SHA-256");
    for other in [
        json!({"files": {"a.tf": "locals {\n}\n"}}),
        json!({"files": {"a.tf": "locals {\n}\n", "b.tf": " "}}),
        json!({"files": {"a.tf": "locals {\n}\n", "c.tf": ""}}),
        json!({"files": {"a.tf": "locals {\n}\n", "b.tf": ""}, "include": ["files"]}),
        json!({"files": {"a.tf": "locals {\n}\n", "b.tf": ""}, "variables": {}}),
        json!({"files": {"a.tf": "locals {\n}\n", "b.tf": ""}, "variables": {"env": {"TF_VAR_a": "1"}}}),
        json!({"files": {"a.tf": "locals {\n}\n", "b.tf": ""}, "reveal_sensitive": true}),
        json!({"files": {"a.tf": "locals {\n}\n", "b.tf": ""}, "version": "1.11"}),
    ] {
        let answer = post("application/json", other.to_string()).await;
        assert_eq!(answer.status, 200, "{other}");
        assert_ne!(answer.header("etag"), tag, "{other}");
    }
}

#[tokio::test]
async fn a_broken_configuration_is_a_normal_answer() {
    let answer = post("application/json", r#"{"files": {"main.tf": "resource {"}}"#).await;
    assert_eq!(answer.status, 200);
    let json = answer.json();
    assert_eq!(json["valid"], false, "{json}");
    assert_eq!(json["diagnostics"][0]["severity"], "error");
}

#[tokio::test]
async fn every_answer_has_a_request_id_and_is_not_sniffed() {
    for path in ["/livez", "/nothing", "/openapi.json", "/docs/"] {
        let answer = get(path).await;
        assert!(!answer.header("x-request-id").is_empty(), "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff", "{path}");
    }
    let request = Request::get("/livez").header("x-request-id", "mine-1").body(Body::empty()).unwrap();
    assert_eq!(send(&app(), request).await.header("x-request-id"), "mine-1");
}

async fn packed(accept_encoding: &str) -> Answer {
    let files = json!({"files": {"main.tf": "locals {\n  a = 1\n}\n".repeat(200)}, "include": ["objects"]});
    let request = Request::post("/v1/merge")
        .header("content-type", "application/json")
        .header("accept-encoding", accept_encoding)
        .body(Body::from(files.to_string()))
        .unwrap();
    send(&app(), request).await
}

#[tokio::test]
async fn an_answer_is_packed_when_the_client_can_unpack_it() {
    let plain = packed("identity").await;
    assert!(plain.headers.get("content-encoding").is_none());
    let gzip = packed("gzip;q=0.9, br").await;
    assert_eq!(gzip.header("content-encoding"), "gzip");
    let zstd = packed("gzip, zstd").await;
    assert_eq!(zstd.header("content-encoding"), "zstd");
    let mut unpacked = Vec::new();
    std::io::Read::read_to_end(&mut flate2::read::GzDecoder::new(&*gzip.body), &mut unpacked).unwrap();
    assert_eq!(unpacked, plain.body);
    assert_eq!(zstd::decode_all(&*zstd.body).unwrap(), plain.body);
    let tags = [plain.header("etag"), gzip.header("etag"), zstd.header("etag")];
    assert!(tags[0] != tags[1] && tags[1] != tags[2] && tags[0] != tags[2], "other bytes, other strong tag");
    for answer in [&plain, &gzip, &zstd] {
        let digest = base64::prelude::BASE64_STANDARD.encode(sha2::Sha256::digest(&answer.body));
        assert_eq!(answer.header("repr-digest"), format!("sha-256=:{digest}:"));
        assert!(answer.header("vary").contains("accept-encoding"));
    }
    for none in ["", "br", "gzip;q=0", "*;q=0"] {
        assert!(packed(none).await.headers.get("content-encoding").is_none(), "{none}");
    }
    assert_eq!(packed("*").await.header("content-encoding"), "zstd");
}

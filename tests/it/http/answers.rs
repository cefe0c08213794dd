//! Answers: formats, headers, reproducibility.

use axum::body::Body;
use axum::http::Request;
use base64::Engine as _;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::{LimitSettings, Settings};
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

/// Requests that differ in one option at a time, with texts chosen so that they run into each other where lengths are
/// not part of the digest.
#[tokio::test]
async fn no_two_different_requests_share_a_tag() {
    let files = json!({"files": {"main.tf": "", "policy.hcl": ""}});
    let mut tags = std::collections::BTreeMap::new();
    for options in [
        json!({}),
        json!({"version": "1.11"}),
        json!({"version": "1.11.4"}),
        json!({"dialect": "opentofu"}),
        json!({"dialect": "tflint"}),
        json!({"dialect": "tflint", "expand": true}),
        json!({"dialect": "sentinel"}),
        json!({"dialect": "sentinel", "config_file": "policy.hcl"}),
        json!({"reveal_sensitive": true}),
        json!({"fail_on": "error"}),
        json!({"fail_on": "warning"}),
        json!({"fail_on": "info"}),
        json!({"severities": {"override/content-lost": "error"}}),
        json!({"severities": {"override/content-lost": "info"}}),
        json!({"path_prefix": "a"}),
        json!({"path_prefix": "a/b"}),
        json!({"include": []}),
        json!({"include": ["objects"]}),
        json!({"include": ["files"]}),
        json!({"include": ["overrides"]}),
        json!({"include": ["variables"]}),
        json!({"config_format": "hcl"}),
        json!({"config_format": "hcl2json"}),
        json!({"config_format": "files"}),
        json!({"recursive": true}),
        json!({"recursive": true, "include": ["config", "calls"]}),
        json!({"recursive": true, "paths": []}),
        json!({"recursive": true, "paths": ["ab"]}),
        json!({"recursive": true, "paths": ["a", "b"]}),
        json!({"variables": {}}),
        json!({"variables": {"env": {"a": "b"}}}),
        json!({"variables": {"env": {"ab": ""}}}),
        json!({"variables": {"env": {"a": "", "b": ""}}}),
        json!({"variables": {"args": [{"var": "a=b"}]}}),
        json!({"variables": {"args": [{"var": "a="}, {"var": "b="}]}}),
        json!({"variables": {"args": [{"var": "b="}, {"var": "a="}]}}),
        json!({"variables": {"args": [{"var_file": "main.tf"}]}}),
        json!({"variables": {"args": [{"name": "a", "value": "b"}]}}),
        json!({"variables": {"args": [{"name": "a", "value": ["b"]}]}}),
        json!({"variables": {"args": [{"name": "ab", "value": ""}]}}),
    ] {
        let mut request = files.clone();
        request.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        let answer = post("application/json", request.to_string()).await;
        assert!([200, 422].contains(&answer.status.as_u16()), "{options}: {}", answer.status);
        if let Some(other) = tags.insert(answer.header("etag").to_owned(), options.clone()) {
            panic!("{other} and {options} share a tag");
        }
    }
}

/// A device or a folder in the place of a file whose content is the name of what it is.
#[tokio::test]
async fn files_and_other_entries_do_not_share_a_tag() {
    let entry = |kind: tar::EntryType, text: &str| {
        let mut tar = tar::Builder::new(Vec::new());
        for (name, kind, text) in [("main.tf", tar::EntryType::Regular, ""), ("z", kind, text)] {
            let mut header = tar::Header::new_gnu();
            header.set_entry_type(kind);
            header.set_size(text.len() as u64);
            header.set_mode(0o644);
            header.set_cksum();
            tar.append_data(&mut header, name, text.as_bytes()).unwrap();
        }
        tar.into_inner().unwrap()
    };
    let mut tags = std::collections::BTreeSet::new();
    for body in [
        entry(tar::EntryType::Regular, "Device"),
        entry(tar::EntryType::Fifo, ""),
        entry(tar::EntryType::Regular, "Folder"),
        entry(tar::EntryType::Directory, ""),
    ] {
        let answer = post("application/x-tar", body).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        assert!(tags.insert(answer.header("etag").to_owned()));
    }
}

/// The limits show in findings about what they cut short, so answers under other limits are other answers.
#[tokio::test]
async fn limits_are_part_of_the_tag() {
    let mut tags = std::collections::BTreeSet::new();
    let change: [fn(&mut LimitSettings); 5] = [
        |_| {},
        |limits| limits.request.max_syntax_depth = 100,
        |limits| limits.request.max_syntax_tokens = 1000,
        |limits| limits.cost.max_work_units += 1,
        |limits| limits.cost.max_memory_bytes += 1,
    ];
    for change in change {
        let mut settings = Settings::for_testing();
        change(&mut settings.limits);
        let request = Request::post("/v1/merge").header("content-type", "application/json").body(REQUEST.into());
        let answer = send(&router(&AppState::new(settings)), request.unwrap()).await;
        assert!(tags.insert(answer.header("etag").to_owned()));
    }
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

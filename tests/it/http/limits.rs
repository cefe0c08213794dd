//! Every limit reports its name and value; the service reports when it is overloaded.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes};
use axum::http::Request;
use http_body::Frame;
use overfold_cli::api::{AppState, router};
use overfold_cli::engine::RequestLimits;
use overfold_cli::settings::{LimitSettings, Settings};
use serde_json::json;

use super::bodies::{form, gzip};
use super::{Answer, app, post, post_to, send};

fn limits() -> LimitSettings {
    Settings::for_testing().limits
}

pub(super) fn assert_over(answer: &Answer, name: &str, value: u64) {
    let problem = answer.problem(413, "over-limit");
    assert_eq!(problem["limit"], json!({"name": name, "value": value}), "{problem}");
    let detail = problem["detail"].as_str().unwrap();
    assert!(detail.contains(name) && detail.contains(&value.to_string()), "{detail}");
}

/// A body without a stated length: its bytes, then its end, or nothing ever again.
pub(super) struct Slow {
    pub(super) bytes: Option<Bytes>,
    pub(super) ends: bool,
}

impl http_body::Body for Slow {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(mut self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        match self.bytes.take() {
            Some(bytes) => Poll::Ready(Some(Ok(Frame::data(bytes)))),
            None if self.ends => Poll::Ready(None),
            None => Poll::Pending,
        }
    }
}

fn merge(content_type: &str, body: Body) -> Request<Body> {
    Request::post("/v1/merge").header("content-type", content_type).body(body).unwrap()
}

fn file_of(bytes: usize) -> String {
    json!({"files": {"main.tf": "#".repeat(bytes)}}).to_string()
}

#[tokio::test]
async fn the_body_as_sent_is_limited_with_and_without_a_stated_length() {
    let limit = limits().body.max_request_bytes;
    let large = vec![b' '; usize::try_from(limit).unwrap() + 1];
    assert_over(&post("application/json", large.clone()).await, "max-request-bytes", limit);
    let body = Body::new(Slow { bytes: Some(large.clone().into()), ends: true });
    assert_over(&send(&app(), merge("application/json", body)).await, "max-request-bytes", limit);
    let (content_type, form) = form(&[("files", Some("main.tf"), &large)]);
    let body = Body::new(Slow { bytes: Some(form.into()), ends: true });
    assert_over(&send(&app(), merge(&content_type, body)).await, "max-request-bytes", limit);
}

#[tokio::test]
async fn the_body_unpacked_is_limited_however_well_it_packs() {
    let limit = limits().body.max_unpacked_bytes;
    let packed = gzip(&vec![b' '; usize::try_from(limit).unwrap() * 4]);
    assert!((packed.len() as u64) < limits().body.max_request_bytes);
    for content_type in ["application/json", "application/x-tar", "multipart/form-data; boundary=XX"] {
        let mut request = merge(content_type, packed.clone().into());
        request.headers_mut().insert("content-encoding", "gzip".parse().unwrap());
        assert_over(&send(&app(), request).await, "max-unpacked-bytes", limit);
    }
}

#[tokio::test]
async fn one_file_is_limited() {
    let limit = limits().request.max_file_bytes;
    let fits = usize::try_from(limit).unwrap();
    assert_eq!(post("application/json", file_of(fits)).await.status, 200);
    assert_over(&post("application/json", file_of(fits + 1)).await, "max-file-bytes", limit);
    let large = vec![b'#'; fits + 1];
    let (content_type, body) = form(&[("files", Some("main.tf"), &large)]);
    assert_over(&post(&content_type, body).await, "max-file-bytes", limit);
}

#[tokio::test]
async fn the_number_of_files_is_limited() {
    let limit = limits().request.max_entries;
    let files = |count: u64| (0..count).map(|n| (format!("f{n}.tf"), json!(""))).collect::<serde_json::Map<_, _>>();
    assert_eq!(post("application/json", json!({"files": files(limit)}).to_string()).await.status, 200);
    let over = post("application/json", json!({"files": files(limit + 1)}).to_string()).await;
    assert_over(&over, "max-entries", limit);
    let names: Vec<String> = files(limit + 1).into_iter().map(|(name, _)| name).collect();
    let parts: Vec<_> = names.iter().map(|name| ("files", Some(name.as_str()), &b""[..])).collect();
    let (content_type, body) = form(&parts);
    assert_over(&post(&content_type, body).await, "max-entries", limit);
}

#[tokio::test]
async fn length_and_depth_of_a_path_are_limited() {
    let RequestLimits { max_path_bytes, max_path_depth, .. } = limits().request;
    let long = "a".repeat(usize::try_from(max_path_bytes).unwrap() + 1);
    let deep = vec!["a"; usize::try_from(max_path_depth).unwrap() + 1].join("/");
    for (path, name, value) in [(long, "max-path-bytes", max_path_bytes), (deep, "max-path-depth", max_path_depth)] {
        assert_over(&post("application/json", json!({"files": {&path: ""}}).to_string()).await, name, value);
        let (content_type, body) = form(&[("files", Some(&path), b"")]);
        assert_over(&post(&content_type, body).await, name, value);
    }
}

#[tokio::test]
async fn a_request_that_takes_too_long_is_a_408() {
    let mut settings = Settings::for_testing();
    settings.work.timeout_seconds = 1;
    let app = router(&AppState::new(settings));
    let body = Body::new(Slow { bytes: None, ends: false });
    send(&app, merge("application/json", body)).await.problem(408, "timeout");
}

#[tokio::test]
async fn the_number_of_variables_is_limited() {
    let limit = limits().request.max_variables;
    let args = |count: u64| vec![json!({"var": "a=1"}); usize::try_from(count).unwrap()];
    let env = |count: u64| (0..count).map(|n| (format!("TF_VAR_{n}"), json!("1"))).collect::<serde_json::Map<_, _>>();
    for variables in [
        json!({"args": args(limit + 1)}),
        json!({"env": env(limit + 1)}),
        json!({"args": args(limit), "env": env(1)}),
        json!({"args": args(200_000)}),
    ] {
        let body = json!({"files": {"main.tf": ""}, "variables": variables}).to_string();
        let packed = gzip(body.as_bytes());
        let mut request = merge("application/json", packed.into());
        request.headers_mut().insert("content-encoding", "gzip".parse().unwrap());
        let mut settings = Settings::for_testing();
        settings.limits.body.max_unpacked_bytes = 16 << 20;
        let answer = send(&router(&AppState::new(settings)), request).await;
        assert_over(&answer, "max-variables", limit);
    }
}

/// Every option that is a path or a name, in every form of a request, far longer than what is kept of it, too.
#[tokio::test]
async fn options_that_are_paths_or_names_are_limited_in_length() {
    let RequestLimits { max_path_bytes, max_name_bytes, .. } = limits().request;
    let (path, name) = (("max-path-bytes", max_path_bytes), ("max-name-bytes", u64::from(max_name_bytes)));
    for length in [usize::try_from(max_path_bytes.max(name.1)).unwrap() + 1, 70_000] {
        let long = "a".repeat(length);
        // A line feed is escaped in JSON, which is another way through the reader.
        let escaped = "a\n".repeat(length / 2 + 1);
        for text in [&long, &escaped] {
            for (options, pointer, (limit, most)) in [
                (json!({"root": text}), "/root", path),
                (json!({"config_file": text, "dialect": "sentinel"}), "/config_file", path),
                (json!({"path_prefix": text}), "/path_prefix", path),
                (json!({"recursive": true, "paths": ["a.tf", text]}), "/paths/1", path),
                (json!({"variables": {"args": [{"var_file": text}]}}), "/variables/args/0/var_file", path),
                (json!({"variables": {"args": [{"name": text, "value": 1}]}}), "/variables/args/0/name", name),
                (json!({"variables": {"args": [{"var": format!("{text}=1")}]}}), "/variables/args/0/var", name),
                (json!({"variables": {"args": [{"var": text}]}}), "/variables/args/0/var", name),
                (json!({"variables": {"env": {text: "1"}}}), "/variables/env", name),
            ] {
                let mut request = options.clone();
                request["files"] = json!({"main.tf": ""});
                let answer = post("application/json", request.to_string()).await;
                assert_over(&answer, limit, most);
                assert_eq!(answer.problem(413, "over-limit")["pointer"], pointer);
                let both = json!({"before": request, "after": options}).to_string();
                let answer = post_to("/v1/diff", "application/json", both).await;
                assert_over(&answer, limit, most);
                assert_eq!(answer.problem(413, "over-limit")["pointer"], format!("/before{pointer}"));
                let (content_type, body) =
                    form(&[("files", Some("main.tf"), b""), ("options", None, options.to_string().as_bytes())]);
                assert_over(&post(&content_type, body).await, limit, most);
                let line = post_to("/v1/batch", "application/x-ndjson", request.to_string()).await.json();
                assert_eq!((&line["status"], &line["problem"]["limit"]["name"]), (&json!(413), &json!(limit)));
            }
        }
    }
}

#[tokio::test]
async fn a_version_of_any_length_is_an_unknown_one() {
    for version in ["1".repeat(100_000), "1.".repeat(50_000), format!("1.11{}", " ".repeat(100_000))] {
        let request = json!({"files": {"main.tf": ""}, "version": version}).to_string();
        post("application/json", request).await.problem(422, "unknown-version");
    }
}

#[tokio::test]
async fn the_number_of_paths_is_limited() {
    let limit = limits().request.max_entries;
    let paths = |count: u64| vec!["a.tf"; usize::try_from(count).unwrap()];
    let tree = |count: u64| json!({"recursive": true, "paths": paths(count)});
    let request = |count: u64| {
        let mut request = tree(count);
        request["files"] = json!({"main.tf": ""});
        request
    };
    assert_eq!(post("application/json", request(limit).to_string()).await.status, 200);
    for count in [limit + 1, 10_000] {
        let answer = post("application/json", request(count).to_string()).await;
        assert_over(&answer, "max-entries", limit);
        assert_eq!(answer.problem(413, "over-limit")["pointer"], "/paths");
        let both = json!({"before": request(1), "after": tree(count)}).to_string();
        assert_over(&post_to("/v1/diff", "application/json", both).await, "max-entries", limit);
        let (content_type, body) =
            form(&[("files", Some("main.tf"), b""), ("options", None, tree(count).to_string().as_bytes())]);
        assert_over(&post(&content_type, body).await, "max-entries", limit);
    }
    let query = format!("/v1/merge?recursive=true{}", "&paths=a.tf".repeat(usize::try_from(limit).unwrap() + 1));
    let tar = tar::Builder::new(Vec::new()).into_inner().unwrap();
    assert_over(&post_to(&query, "application/x-tar", tar).await, "max-entries", limit);
}

/// Names that are unknown anyway are not copied, whatever their length.
#[tokio::test]
async fn names_in_a_large_json_text_are_limited() {
    let mut settings = Settings::for_testing();
    settings.limits.body.max_request_bytes = 16 << 20;
    settings.limits.body.max_unpacked_bytes = 16 << 20;
    let app = router(&AppState::new(settings));
    let name = format!("\"{}\\\"{}\"", "x".repeat(1 << 20), "y".repeat(1 << 20));
    for body in [
        format!("{{\"files\":{{}},{name}:1}}"),
        format!("{{\"files\":{{}},\"variables\":{{\"env\":{{{name} \n : \"\"}}}}}}"),
        format!("{{\"files\":{{}},\"variables\":{{\"args\":[{{\"name\":\"a\",\"value\":{{{name}:1}}}}]}}}}"),
    ] {
        send(&app, merge("application/json", body.into())).await.problem(413, "over-limit");
    }
    // A value of that length is fine.
    let body = format!("{{\"files\":{{\"a.tf\":\"\"}},\"variables\":{{\"env\":{{\"TF_VAR_a\":{name}}}}}}}");
    assert_eq!(send(&app, merge("application/json", body.into())).await.status, 200);
}

#[tokio::test]
async fn names_in_a_value_are_charged() {
    let mut settings = Settings::for_testing();
    settings.limits.body.max_request_bytes = 16 << 20;
    settings.limits.body.max_unpacked_bytes = 16 << 20;
    settings.limits.cost.max_memory_bytes = 8 << 20;
    let names = (0..200_000).map(|n| format!("\"{n:x}\":0")).collect::<Vec<_>>().join(",");
    let body = format!(
        "{{\"files\":{{\"a.tf\":\"\"}},\"variables\":{{\"args\":[{{\"name\":\"a\",\"value\":{{{names}}}}}]}}}}"
    );
    let answer = send(&router(&AppState::new(settings)), merge("application/json", body.into())).await;
    assert_over(&answer, "max-memory-bytes", 8 << 20);
}

#[tokio::test]
async fn parts_may_be_named_any_number_of_times() {
    let parts = vec!["config"; 20_000];
    let request = json!({"files": {"main.tf": ""}, "include": parts}).to_string();
    let once = post("application/json", json!({"files": {"main.tf": ""}, "include": ["config"]}).to_string()).await;
    let answer = post("application/json", request).await;
    assert_eq!((answer.status.as_u16(), &answer.body), (200, &once.body));
}

/// A file that is too deep or too long is a problem of the configuration, not of the request.
#[tokio::test]
async fn depth_and_tokens_of_a_file_are_limited_by_diagnostics() {
    let mut settings = Settings::for_testing();
    settings.limits.request.max_syntax_depth = 20;
    settings.limits.request.max_syntax_tokens = 1000;
    let app = router(&AppState::new(settings));
    for (text, code) in [
        (format!("locals {{\n  a = {}1{}\n}}\n", "(".repeat(50), ")".repeat(50)), "syntax/too-deep"),
        ("locals {\n  a = 1\n}\n".repeat(1000), "syntax/too-many-tokens"),
    ] {
        let body = json!({"files": {"main.tf": text}}).to_string();
        let answer = send(&app, merge("application/json", body.into())).await;
        assert_eq!(answer.status, 200);
        assert_eq!(answer.json()["valid"], false);
        let codes: Vec<String> =
            answer.json()["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].to_string()).collect();
        assert!(codes.iter().any(|found| found.contains(code)), "{code}: {codes:?}");
    }
}

/// What has a name that is too long is left out of the module, whatever kind of name it is and in each syntax.
#[tokio::test]
async fn a_long_name_in_a_file_is_a_diagnostic_and_its_block_is_left_out() {
    let most = usize::try_from(limits().request.max_name_bytes).unwrap();
    let (long, fits) = ("n".repeat(most + 1), "f".repeat(most));
    let native = |text: String| ("main.tf", text);
    let nested = json!({"resource": {"a_b": {"c": {"d": [{&long: 1}, {"e": 1}]}}}}).to_string();
    for (dialect, (file, text), count) in [
        ("terraform", native(format!("resource \"a_b\" \"{long}\" {{\n}}\n")), 1),
        ("terraform", native(format!("resource {long} \"{long}\" {{\n}}\n")), 2),
        ("terraform", native(format!("resource \"a_b\" \"\\u006e{fits}\" {{\n}}\n")), 1),
        ("terraform", native(format!("locals {{\n  x = 1\n  {long} = 1\n}}\n")), 1),
        ("terraform", native(format!("locals {{ {long} = 1 }}\n")), 1),
        ("terraform", native(format!("{long} {{\n}}\n")), 1),
        ("terraform", native(format!("resource \"a_b\" \"c\" {{\n  {long} {{\n  }}\n}}\n")), 1),
        ("opentofu", native(format!("variable \"{long}\" {{\n}}\n")), 1),
        ("tflint", native(format!("variable \"{long}\" {{\n  default = 1\n}}\n")), 1),
        ("sentinel", ("sentinel.hcl", format!("policy \"{long}\" {{\n  source = \"a\"\n}}\n")), 1),
        ("terraform", ("a.tf.json", json!({"resource": {"a_b": {&long: {}}}}).to_string()), 1),
        ("terraform", ("a.tf.json", json!({"locals": {&long: 1, "x": 1}}).to_string()), 1),
        ("terraform", ("a.tf.json", json!({&long: {}, "output": {&long: {"value": 1}}}).to_string()), 2),
        ("terraform", ("a.tf.json", json!({"resource": {"a_b": {"c": {&long: 1}}}}).to_string()), 1),
        ("opentofu", ("a.tf.json", nested), 0),
        // A key in a value is no name.
        ("terraform", ("a.tf.json", json!({"locals": {"x": {&long: 1}}}).to_string()), 0),
        ("terraform", native(format!("locals {{\n  x = {{ {long} = 1 }}\n}}\n")), 0),
        ("terraform", native(format!("output \"{fits}\" {{\n  value = 1\n}}\n")), 0),
    ] {
        let other = if dialect == "terraform" || dialect == "opentofu" { "locals {\n  other = 1\n}\n" } else { "" };
        let files = if other.is_empty() { json!({file: text}) } else { json!({file: text, "z.tf": other}) };
        let request = json!({"dialect": dialect, "files": files, "stage": "load", "include": ["objects"]});
        let answer = post("application/json", request.to_string()).await;
        assert_eq!(answer.status, 200, "{text:.80}");
        let answer = answer.json();
        let of_ours = |found: &&serde_json::Value| found["code"] == "syntax/name-too-long";
        let found: Vec<_> = answer["diagnostics"].as_array().unwrap().iter().filter(of_ours).collect();
        assert_eq!(found.len(), count, "{text:.80}: {}", answer["diagnostics"]);
        for finding in found {
            assert_eq!((&finding["origin"], &finding["severity"]), (&json!("overfold"), &json!("error")));
            assert_eq!(finding["range"]["filename"], file, "{finding}");
        }
        let objects = answer["module"].to_string();
        assert!(count == 0 || !objects.contains(&long), "{text:.80}");
        assert!(other.is_empty() || objects.contains("local.other"), "{text:.80}: {objects}");
    }
}

#[tokio::test]
async fn a_long_instance_key_is_a_diagnostic_and_its_object_is_not_planned() {
    let most = usize::try_from(limits().request.max_name_bytes).unwrap();
    for (length, is_planned) in [(most, true), (most + 1, false)] {
        let key = "k".repeat(length);
        for text in [
            "resource \"terraform_data\" \"a\" {\n  for_each = toset([file(\"k\")])\n}\n",
            "resource \"terraform_data\" \"a\" {\n  for_each = { (file(\"k\")) = 1 }\n}\n",
            "module \"a\" {\n  source = \"./m\"\n  for_each = toset([file(\"k\")])\n}\n",
        ] {
            let other = "resource \"terraform_data\" \"other\" {\n}\n";
            let files = json!({"main.tf": format!("{text}{other}"), "k": key, "m/main.tf": other});
            let answer = post_to("/v1/plan", "application/json", json!({"files": files}).to_string()).await;
            assert_eq!(answer.status, 200);
            let answer = answer.json();
            let found = answer["diagnostics"].as_array().unwrap().iter();
            let is_found = found.clone().any(|found| {
                found["code"] == "plan/key-too-long" && found["origin"] == "overfold" && found["range"].is_object()
            });
            assert_eq!(is_found, !is_planned, "{}", answer["diagnostics"]);
            let changes = answer["plan"]["resource_changes"].as_array().unwrap();
            assert_eq!(changes.len(), if is_planned { 2 } else { 1 }, "{text}");
        }
    }
}

//! `POST /v1/plan` and `POST /v1/plan/report`: options in every form of a request, what is refused, and the formats.

use axum::body::Body;
use axum::http::Request;
use overfold_cli::output::FORMATS;
use serde_json::{Value, json};

use super::archives::{bodies, tar};
use super::bodies::form;
use super::{Answer, app, get, post_to, send};

const MAIN: &str = "variable \"size\" {\n  type = number\n}\n\noutput \"size\" {\n  value = var.size\n}\n";

async fn plan(request: &Value) -> Answer {
    post_to("/v1/plan", "application/json", request.to_string()).await
}

/// Returns a request with these options for a module that needs a value.
fn with(options: Value) -> Value {
    let mut request = options;
    if request["files"].is_null() {
        request["files"] = json!({"main.tf": MAIN});
    }
    request
}

/// Returns the codes of the errors in an answer.
fn errors(answer: &Answer) -> Vec<String> {
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let answer = answer.json();
    let all = answer["diagnostics"].as_array().unwrap().iter();
    all.filter(|found| found["severity"] == "error").map(|found| found["code"].as_str().unwrap().to_owned()).collect()
}

#[tokio::test]
async fn an_answer_says_what_was_planned() {
    let answer = plan(&with(json!({"variables": {"args": [{"var": "size=2"}]}}))).await;
    assert_eq!(answer.status, 200);
    assert_eq!(answer.header("content-type"), "application/json");
    let body = answer.json();
    assert_eq!((&body["valid"], &body["dialect"]), (&json!(true), &json!("terraform")));
    assert!(body["exact"].is_boolean() && body["missing"].is_array(), "{body}");
    assert!(body.as_object().unwrap().contains_key("plan"), "{body}");
    assert!(body["instances"].is_null());
    let both =
        plan(&with(json!({"variables": {"args": [{"var": "size=2"}]}, "include": ["instances"]}))).await.json();
    assert!(both["instances"].is_array() && !both.as_object().unwrap().contains_key("plan"), "{both}");
}

#[tokio::test]
async fn variables_are_always_resolved() {
    assert_eq!(errors(&plan(&with(json!({}))).await), ["variable/not-set"]);
    assert_eq!(errors(&plan(&with(json!({"variables": {}}))).await), ["variable/not-set"]);
    let given = json!({"variables": {"env": {"TF_VAR_size": "3"}}});
    assert_eq!(errors(&plan(&with(given)).await), [""; 0]);
    let missing = json!({"variables": {"args": [{"var_file": "no.tfvars"}]}});
    plan(&with(missing)).await.problem(422, "var-file-not-found");
}

#[tokio::test]
async fn the_same_request_is_the_same_in_every_form() {
    let entries = [("m/main.tf", MAIN.as_bytes()), ("m/x/y.txt", b"z".as_slice())];
    let options = json!({
        "root": "m", "strip_components": 0, "variables": {"args": [{"var": "size=2"}]}, "unset_variables": "unknown",
        "module_sources": [{"source": "a/b/c", "version": "1.2.3", "path": "m/x"}], "workspace": "w",
        "assume": {"data.a_b.c": {"id": 1.50}}, "timestamp": "2025-03-06T12:00:00Z", "cwd": "/srv/m", "include": ["plan", "instances"],
        "provider_checks": "none", "fail_on": "error", "path_prefix": "p", "severities": {"override/*": "off"},
    });
    let mut request = options.clone();
    request["files"] = json!({"m/main.tf": MAIN, "m/x/y.txt": "z"});
    let same = plan(&request).await;
    assert_eq!(same.status, 200, "{}", String::from_utf8_lossy(&same.body));
    let encoded: Vec<String> = options
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, value)| {
            let text = match value {
                Value::String(text) => text.clone(),
                Value::Array(items) if name == "include" => {
                    items.iter().map(|item| item.as_str().unwrap()).collect::<Vec<_>>().join(",")
                }
                value => value.to_string(),
            };
            format!("{name}={}", percent_encoding::utf8_percent_encode(&text, percent_encoding::NON_ALPHANUMERIC))
        })
        .collect();
    let mut answers = Vec::new();
    for (content_type, body) in bodies(&entries) {
        answers.push(post_to(&format!("/v1/plan?{}", encoded.join("&")), content_type, body).await);
    }
    let archive = tar(&entries);
    let text = options.to_string();
    for parts in [
        vec![("archive", Some("m.tar"), archive.as_slice()), ("options", None, text.as_bytes())],
        vec![
            ("files", Some("m/main.tf"), MAIN.as_bytes()),
            ("files", Some("m/x/y.txt"), b"z".as_slice()),
            ("options", None, text.as_bytes()),
        ],
    ] {
        let (content_type, body) = form(&parts);
        answers.push(post_to("/v1/plan", &content_type, body).await);
    }
    for answer in answers {
        assert_eq!(String::from_utf8_lossy(&answer.body), String::from_utf8_lossy(&same.body));
        assert_eq!(answer.header("etag"), same.header("etag"));
    }
}

#[tokio::test]
async fn every_option_is_part_of_the_tag() {
    let mut tags = vec![plan(&with(json!({}))).await.header("etag").to_owned()];
    for options in [
        json!({"unset_variables": "unknown"}),
        json!({"missing_files": "unknown"}),
        json!({"module_sources": [{"source": "a/b/c", "path": "."}]}),
        json!({"module_sources": [{"source": "a/b/c", "path": ".", "version": "1.0.0"}]}),
        json!({"assume": {"a_b.c": {}}}),
        json!({"assume": {"a_b.c": {"id": 1}}}),
        json!({"workspace": "w"}),
        json!({"cwd": "/srv/a"}),
        json!({"timestamp": "2025-03-06T12:00:00Z"}),
        json!({"include": ["instances"]}),
        json!({"reveal_sensitive": true}),
    ] {
        let answer = plan(&with(options.clone())).await;
        assert_eq!(answer.status, 200, "{options}");
        tags.push(answer.header("etag").to_owned());
    }
    let merged = post_to("/v1/merge", "application/json", with(json!({"variables": {}})).to_string()).await;
    tags.push(merged.header("etag").to_owned());
    let count = tags.len();
    tags.sort();
    tags.dedup();
    assert_eq!(tags.len(), count);
    // What is the default makes no difference, and neither does how an address is written.
    let spelled = json!({"unset_variables": "error", "missing_files": "error", "include": ["plan"], "dialect": "terraform", "variables": {}});
    assert_eq!(plan(&with(spelled)).await.header("etag"), plan(&with(json!({}))).await.header("etag"));
    let other = plan(&with(json!({"assume": {"a_b . c": {}}}))).await;
    assert_eq!(other.header("etag"), plan(&with(json!({"assume": {"a_b.c": {}}}))).await.header("etag"));
}

#[tokio::test]
async fn what_cannot_be_planned_is_refused() {
    for (options, status, code, pointer) in [
        (json!({"unknown": 1}), 400, "unknown-option", ""),
        (json!({"config_format": "hcl"}), 400, "unknown-option", ""),
        (json!({"stage": "load"}), 400, "unknown-option", ""),
        (json!({"include": ["config"]}), 400, "bad-option", "/include/0"),
        (json!({"unset_variables": "none"}), 400, "bad-option", "/unset_variables"),
        (json!({"unset_variables": null}), 400, "bad-option", "/unset_variables"),
        (json!({"missing_files": "ignore"}), 400, "bad-option", "/missing_files"),
        (json!({"provider_checks": "all"}), 400, "bad-option", "/provider_checks"),
        (json!({"workspace": ""}), 400, "bad-option", "/workspace"),
        (json!({"workspace": "a b"}), 400, "bad-option", "/workspace"),
        (json!({"variables": {"env": {"TF_WORKSPACE": "a/b"}}}), 400, "bad-option", "/variables/env/TF_WORKSPACE"),
        (json!({"timestamp": "now"}), 400, "bad-timestamp", "/timestamp"),
        (json!({"timestamp": "2025-02-30T00:00:00Z"}), 400, "bad-timestamp", "/timestamp"),
        (json!({"timestamp": "2025-02-03 00:00:00Z"}), 400, "bad-timestamp", "/timestamp"),
        (json!({"assume": []}), 400, "bad-option", "/assume"),
        (json!({"assume": {"a_b": {}}}), 400, "bad-address", "/assume/a_b"),
        (json!({"assume": {"module.a": {}}}), 400, "bad-address", "/assume/module.a"),
        (json!({"assume": {"a_b.c[": {}}}), 400, "bad-address", "/assume/a_b.c["),
        (json!({"assume": {"a_b.c[x]": {}}}), 400, "bad-address", "/assume/a_b.c[x]"),
        (json!({"assume": {"ephemeral.a_b.c": {}}}), 400, "bad-address", "/assume/ephemeral.a_b.c"),
        (json!({"assume": {"a_b.c.d": {}}}), 400, "bad-address", "/assume/a_b.c.d"),
        (json!({"assume": {"": {}}}), 400, "bad-address", "/assume/"),
        (json!({"assume": {"a_b.c": 1}}), 400, "bad-option", "/assume/a_b.c"),
        (json!({"assume": {"a_b.c": {}, "a_b .c": {}}}), 400, "duplicate-key", "/assume/a_b.c"),
        (json!({"module_sources": {}}), 400, "bad-option", "/module_sources"),
        (json!({"module_sources": [{"source": "a/b/c"}]}), 400, "bad-option", "/module_sources/0"),
        (
            json!({"module_sources": [{"source": "a/b/c", "path": ".", "x": 1}]}),
            400,
            "unknown-option",
            "/module_sources/0",
        ),
        (json!({"module_sources": [{"source": "./a", "path": "."}]}), 400, "bad-option", "/module_sources/0/source"),
        (json!({"module_sources": [{"source": "a/b/c", "path": "../a"}]}), 400, "bad-path", "/module_sources/0/path"),
        (
            json!({"module_sources": [{"source": "a/b/c", "path": ".", "version": "~> 1"}]}),
            400,
            "bad-option",
            "/module_sources/0/version",
        ),
        (
            json!({"module_sources": [{"source": "a/b/c", "path": "."}, {"source": "a/b/d", "path": "x"}]}),
            422,
            "module-source-not-found",
            "/module_sources/1/path",
        ),
        (json!({"dialect": "tflint"}), 422, "plan-not-for-dialect", "/dialect"),
        (json!({"dialect": "sentinel"}), 422, "plan-not-for-dialect", "/dialect"),
        (json!({"dialect": "terraform-0.11"}), 422, "plan-not-for-dialect", "/dialect"),
        (json!({"paths": ["main.tf"]}), 400, "bad-option", "/paths"),
        (json!({"roots": [{"path": "."}]}), 400, "bad-option", "/roots"),
        (json!({"recursive": true, "roots": [{"path": "a"}]}), 422, "root-not-found", "/roots/0/path"),
        (json!({"recursive": true, "roots": [{"path": "../a"}]}), 400, "bad-path", "/roots/0/path"),
        (json!({"recursive": true, "roots": [{"path": "."}, {"path": "./"}]}), 400, "duplicate-key", "/roots/1/path"),
        (
            json!({"recursive": true, "roots": [{"path": ".", "workspace": " "}]}),
            400,
            "bad-option",
            "/roots/0/workspace",
        ),
        (
            json!({"recursive": true, "roots": [{"path": ".", "variables": {"args": [{"var_file": "no.tfvars"}]}}]}),
            422,
            "var-file-not-found",
            "/roots/0/variables/args",
        ),
        (json!({"emulate": ["aws_ami"]}), 400, "bad-option", "/emulate/0"),
        (json!({"root": "nowhere"}), 422, "root-not-found", "/root"),
        (json!({"version": "0.9"}), 422, "unknown-version", "/version"),
    ] {
        let problem = plan(&with(options.clone())).await.problem(status, code);
        if !pointer.is_empty() && code != "unknown-option" {
            assert_eq!(problem["pointer"], pointer, "{options}");
        }
    }
    let twice = r#"{"files": {}, "assume": {"a_b.c": {}, "a_b.c": {}}}"#;
    post_to("/v1/plan", "application/json", twice).await.problem(400, "duplicate-key");
    let inner = r#"{"files": {}, "assume": {"a_b.c": {"id": 1, "id": 2}}}"#;
    post_to("/v1/plan", "application/json", inner).await.problem(400, "duplicate-key");
    let many: serde_json::Map<String, Value> = (0..=1000).map(|n| (format!("a_b.c{n}"), json!({}))).collect();
    let problem = plan(&with(json!({"assume": many}))).await.problem(413, "over-limit");
    assert_eq!(problem["limit"], json!({"name": "max-instances", "value": 1000}));
    let deep = "[".repeat(4001) + &"]".repeat(4001);
    let deep = format!(r#"{{"files": {{}}, "assume": {{"a_b.c": {{"x": {deep}}}}}}}"#);
    let problem = post_to("/v1/plan", "application/json", deep).await.problem(413, "over-limit");
    assert_eq!(problem["limit"]["name"], "max-syntax-depth");
}

#[tokio::test]
async fn addresses_may_have_keys_and_modules() {
    for address in [
        "a_b.c",
        "data.a_b.c",
        "a_b.c[0]",
        "a_b.c[\"x y\"]",
        "module.m.a_b.c",
        "module.m[\"k\"].module.n[2].data.a_b.c[\"$${x}\"]",
    ] {
        let answer = plan(&with(json!({"assume": {address: {"id": "x"}}, "unset_variables": "unknown"}))).await;
        assert_eq!(answer.status, 200, "{address}: {}", String::from_utf8_lossy(&answer.body));
    }
}

#[tokio::test]
async fn only_json_is_offered() {
    for accept in ["text/plain", "application/sarif+json"] {
        let request = Request::post("/v1/plan").header("content-type", "application/json").header("accept", accept);
        let answer = send(&app(), request.body(Body::from(with(json!({})).to_string())).unwrap()).await;
        answer.problem(406, "not-acceptable");
    }
    post_to("/v1/plan?format=document", "application/json", with(json!({})).to_string())
        .await
        .problem(400, "unknown-option");
    post_to("/v1/plan", "text/csv", "a").await.problem(415, "unsupported-media-type");
}

#[tokio::test]
async fn reports_have_the_formats_of_the_command() {
    let request = with(json!({})).to_string();
    for format in FORMATS {
        let path = format!("/v1/plan/report?format={}", format.name);
        let report = post_to(&path, "application/json", request.clone()).await;
        let text = String::from_utf8_lossy(&report.body).into_owned();
        assert_eq!((report.status.as_u16(), report.header("overfold-valid")), (200, "false"), "{text}");
        assert_eq!(report.header("content-type"), format.content_type());
        assert!(text.contains("main.tf"), "{}: {text}", format.name);
    }
    let failing = with(json!({"fail_on": "error"})).to_string();
    assert_eq!(post_to("/v1/plan/report?format=junit", "application/json", failing).await.status, 422);
    let archive = tar(&[("main.tf", MAIN.as_bytes())]);
    let report = post_to("/v1/plan/report?unset_variables=unknown&format=sarif", "application/x-tar", archive).await;
    assert_eq!((report.status.as_u16(), report.header("overfold-valid")), (200, "true"));
}

#[tokio::test]
async fn a_configuration_without_a_plan_has_no_document() {
    let broken = with(json!({"files": {"main.tf": "output \"o\" {"}})).to_string();
    let answer = post_to("/v1/plan/report?format=document", "application/json", broken).await;
    let problem = answer.problem(422, "no-plan");
    assert_eq!((&problem["valid"], problem["diagnostics"].as_array().unwrap().is_empty()), (&json!(false), false));
}

#[tokio::test]
async fn formats_are_checked() {
    let request = || with(json!({})).to_string();
    for (query, code, hint) in [
        ("", "bad-option", "must be one of: document, sentinel-mock, sarif"),
        ("?format=", "bad-option", "must be one of"),
        ("?format=documnt", "bad-option", "Did you mean \"document\"?"),
        ("?format=json", "bad-option", "The answer of POST /v1/plan is JSON."),
        ("?format=markdown", "bad-option", "POST /v1/diff/report has the format markdown."),
        ("?format=text&root=a", "unknown-option", "other than format"),
    ] {
        let problem = post_to(&format!("/v1/plan/report{query}"), "application/json", request()).await;
        let problem = problem.problem(400, code);
        assert!(problem["detail"].as_str().unwrap().contains(hint), "{query}: {problem}");
    }
}

#[tokio::test]
async fn a_line_of_a_batch_may_ask_for_a_plan() {
    let plain = plan(&with(json!({}))).await.json();
    let both = json!({"before": {"files": {"main.tf": MAIN}}, "after": {}});
    let newer = json!({"files": {"main.tf": MAIN}, "version": "1.5", "to": {"version": "1.9"}});
    let alone = [("plan-diff", &both), ("upgrade", &newer)];
    let mut lines = String::new();
    for (operation, request) in alone {
        let mut line = request.clone();
        line["id"] = json!(operation);
        line["operation"] = json!(operation);
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    for line in [
        json!({"id": "plan", "operation": "plan", "files": {"main.tf": MAIN}}),
        json!({"id": "merge", "operation": "merge", "files": {"main.tf": MAIN}}),
        json!({"id": "diff", "operation": "diff", "before": {"files": {"main.tf": MAIN}}, "after": {}}),
        json!({"id": "no version", "operation": "upgrade", "files": {"main.tf": MAIN}}),
        json!({"id": "one side", "operation": "plan-diff", "files": {"main.tf": MAIN}}),
        json!({"id": "bad", "operation": "plans", "files": {}}),
        json!({"id": "null", "operation": null, "files": {}}),
        json!({"id": "mixed", "operation": "plan", "files": {}, "config_format": "hcl"}),
    ] {
        lines.push_str(&line.to_string());
        lines.push('\n');
    }
    lines.push_str("{\"id\": \"escaped\", \"op\\u0065ration\": \"plan\", \"files\": {\"main.tf\": \"\"}}\n");
    lines.push_str("{\"id\": \"twice\", \"operation\": \"plan\", \"operation\": \"plan\", \"files\": {}}\n");
    let answer = post_to("/v1/batch", "application/x-ndjson", lines).await;
    let text = String::from_utf8(answer.body).unwrap();
    let answers: std::collections::BTreeMap<String, Value> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|line| (line["id"].to_string(), line))
        .collect();
    let of = |id: &str| &answers[&format!("\"{id}\"")];
    assert_eq!(of("plan")["answer"], plain);
    assert!(of("merge")["answer"]["module"].is_object());
    assert_eq!(of("diff")["answer"]["different"], false);
    for (operation, request) in alone {
        let answer = post_to(&format!("/v1/{operation}"), "application/json", request.to_string()).await;
        assert_eq!(of(operation)["answer"], answer.json(), "{text}");
    }
    assert!(of("no version")["problem"]["detail"].as_str().unwrap().contains("to"), "{text}");
    assert_eq!(of("one side")["status"], 400, "{text}");
    assert!(of("escaped")["answer"].as_object().unwrap().contains_key("exact"), "{text}");
    assert_eq!(of("mixed")["problem"]["code"], "unknown-option");
    for bad in ["bad", "null"] {
        let problem = &of(bad)["problem"];
        assert_eq!(
            (&problem["code"], &problem["pointer"]),
            (&json!("bad-option"), &json!("/operation")),
            "{problem}"
        );
    }
    assert!(answers.values().any(|line| line["problem"]["code"] == "duplicate-key"), "{text}");
}

#[tokio::test]
async fn the_time_of_a_plan_is_measured() {
    let app = app();
    let send_to = async |path: &str, body: String| {
        let request = Request::post(path).header("content-type", "application/json");
        send(&app, request.body(Body::from(body)).unwrap()).await
    };
    send_to("/v1/plan", with(json!({"unset_variables": "unknown"})).to_string()).await;
    let metrics = send(&app, Request::get("/metrics").body(Body::empty()).unwrap()).await;
    let text = String::from_utf8(metrics.body).unwrap();
    assert!(text.contains("overfold_stage_duration_seconds_count{stage=\"plan\"}"), "{text}");
    assert!(text.contains("route=\"/v1/plan\""), "{text}");
    assert_eq!(get("/v1/plan").await.status, 405);
}

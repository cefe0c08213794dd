//! `POST /v1/upgrade` and `overfold upgrade`: the answer as JSON, which rows are named, what is refused, and exit codes. What
//! differs between versions is held against the record in tests/cases/upgrades.rs.

use std::fs;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::cli::{path, run};
use crate::difference::{is_golden, tar};
use crate::http::{Answer, app, get, post_to, send};
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;

async fn upgrade(body: &Value) -> Answer {
    post_to("/v1/upgrade", "application/json", body.to_string()).await
}

/// Answers for one file between two versions of Terraform.
async fn of(text: &str, from: &str, to: &str) -> Value {
    let body = json!({"files": {"main.tf": text}, "version": from, "to": {"version": to}});
    let answer = upgrade(&body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// The examples in the OpenAPI document are valid requests with their answers.
#[tokio::test]
async fn golden_examples_of_upgrades() {
    let document: Value = serde_json::from_str(&overfold_cli::api::openapi_json()).unwrap();
    let [operation, report] = ["/v1/upgrade", "/v1/upgrade/report"].map(|path| &document["paths"][path]["post"]);
    assert_eq!(operation["requestBody"]["content"], report["requestBody"]["content"]);
    let requests = operation["requestBody"]["content"]["application/json"]["examples"].as_object().unwrap();
    let validator = crate::openapi::validator("UpgradeAnswer");
    let mut patch = json!({});
    for (name, request) in requests {
        let answered = upgrade(&request["value"]).await;
        assert_eq!(answered.status, 200, "{}", String::from_utf8_lossy(&answered.body));
        let answered = answered.json();
        crate::openapi::check(&validator, &answered, name);
        let mut set = |path: &str, media: &str, value: Value| {
            patch["paths"][path]["post"]["responses"]["200"]["content"][media]["examples"][name]["value"] = value;
        };
        set("/v1/upgrade", "application/json", answered);
        for (format, media) in [("markdown", "text/markdown"), ("text", "text/plain")] {
            let route = format!("/v1/upgrade/report?format={format}");
            let answer = post_to(&route, "application/json", request["value"].to_string()).await;
            set("/v1/upgrade/report", media, json!(String::from_utf8(answer.body).unwrap()));
        }
    }
    is_golden("src/api/routes/openapi/answers/upgrade.json", &format!("{patch:#}\n"));
}

#[tokio::test]
async fn nothing_changes_between_versions_that_plan_alike() {
    let found = of("output \"id\" {\n  value = 1\n}\n", "1.14", "1.15").await;
    assert_eq!(found["verdict"], "same", "{found}");
    for list in [&found["changes"], &found["rules"], &found["ready"], &found["diagnostics"]["added"]] {
        assert_eq!(list, &json!([]));
    }
    assert_eq!((&found["unexplained"], &found["searched"]), (&json!(0), &Value::Null));
    assert_eq!((&found["from"]["version"], &found["to"]["version"]), (&json!("1.14"), &json!("1.15")));
}

#[tokio::test]
async fn a_block_that_an_older_version_lacks_is_its_row() {
    let text = "check \"c\" {\n  assert {\n    condition     = terraform.workspace == \"default\"\n    error_message = \"No.\"\n  }\n}\n";
    let found = of(text, "1.5.7", "1.4.7").await;
    assert_eq!(found["verdict"], "breaks");
    let added = &found["diagnostics"]["added"];
    assert_eq!((&added[0]["summary"], &added[0]["rule"]), (&json!("Unsupported block type"), &json!("block:check")));
    assert!(found["rules"].as_array().unwrap().iter().any(|rule| rule["id"] == "block:check"
        && rule["ranges"]["terraform"] == json!([{"from": "1.5.0"}])
        && rule["source"].as_str().is_some_and(|source| !source.is_empty())));
    let found = of(text, "1.4.7", "1.5.7").await;
    assert_eq!((&found["verdict"], &found["diagnostics"]["added"]), (&json!("changes"), &json!([])));
    assert_eq!(found["diagnostics"]["removed"][0]["rule"], "block:check");
}

#[tokio::test]
async fn a_value_that_changes_has_its_row() {
    let found = of("output \"text\" {\n  value = format(\"%v\", null)\n}\n", "1.9", "1.12").await;
    let change = &found["changes"][0];
    assert_eq!((&change["kind"], &change["address"]), (&json!("unknown"), &json!("output.text")), "{found}");
    assert_eq!(change["rule"], "formats-untyped-null");
    assert_eq!(change["before"], json!({"unknown": true, "range": change["before"]["range"]}));
    assert_eq!(change["after"]["value"], "null");
    assert_eq!(found["verdict"], "changes");
}

#[tokio::test]
async fn a_constraint_stands_in_the_way_and_is_no_row() {
    let text = "terraform {\n  required_version = \"~> 1.3.0\"\n}\n";
    let found = of(text, "1.3", "1.9").await;
    assert_eq!(found["verdict"], "breaks");
    assert_eq!(found["diagnostics"]["added"][0]["code"], "load/unsupported-tool-version");
    assert_eq!(found["diagnostics"]["added"][0]["rule"], Value::Null);
    let ready = &found["ready"][0];
    assert_eq!((&ready["kind"], &ready["edits"][0]["text"]), (&json!("required-version"), &json!("~> 1.9.0")));
    let range = &ready["edits"][0]["range"];
    let [start, end] = ["start", "end"].map(|end| range[end]["byte"].as_u64().unwrap() as usize);
    assert_eq!(text.get(start..end), Some("~> 1.3.0"));
}

#[tokio::test]
async fn secrets_are_not_shown() {
    let text = "variable \"s\" {\n  default   = \"hidden-value\"\n  sensitive = true\n}\n\
                output \"o\" {\n  value     = format(\"%s%v\", var.s, null)\n  sensitive = true\n}\n";
    let found = of(text, "1.9", "1.12").await;
    assert!(!found["changes"].as_array().unwrap().is_empty());
    assert!(!found.to_string().contains("hidden-value"), "{found}");
}

/// Root modules that all change in the same way, planned with so many units of work.
async fn of_many_roots(work_units: u64) -> Answer {
    let mut files = json!({"m/main.tf": "resource \"terraform_data\" \"a\" {\n  count = 20\n  input = format(\"%v\", null)\n}\n"});
    for at in 0..12 {
        files[format!("r{at}/main.tf")] = json!("provider \"x\" {}\nmodule \"m\" {\n  source = \"../m\"\n}\n");
    }
    let body = json!({"files": files, "recursive": true, "version": "1.5", "to": {"version": "1.15"}}).to_string();
    let mut settings = Settings::for_testing();
    settings.limits.cost.max_work_units = work_units;
    let request = Request::post("/v1/upgrade").header("content-type", "application/json");
    send(&router(&AppState::new(settings)), request.body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn a_search_that_the_limits_end_says_so_and_the_rest_of_the_answer_is_whole() {
    let whole = of_many_roots(20_000_000).await.json();
    assert_eq!((&whole["searched"], &whole["unexplained"]), (&Value::Null, &json!(0)), "{whole}");
    let cut = of_many_roots(900_000).await;
    assert_eq!(cut.status, 200, "{}", String::from_utf8_lossy(&cut.body));
    let cut = cut.json();
    assert_eq!(cut["searched"], false, "{cut}");
    assert!(cut["unexplained"].as_u64().unwrap() > 0, "{cut}");
    // What differs is the same; only the rows behind it are not all known.
    let bare = |mut answer: Value| {
        for plan in answer["plans"].as_object_mut().unwrap().values_mut() {
            for change in plan["changes"].as_array_mut().unwrap() {
                change["rule"] = Value::Null;
            }
            for name in ["searched", "unexplained", "rules"] {
                plan.as_object_mut().unwrap().remove(name);
            }
        }
        answer["plans"].take()
    };
    assert_eq!(bare(whole), bare(cut));
    of_many_roots(100_000).await.problem(413, "over-limit");
}

#[tokio::test]
async fn the_rows_of_an_answer_are_those_of_the_version_tables() {
    let found = of("output \"t\" {\n  value = format(\"%v\", null)\n}\n", "1.9", "1.12").await;
    let known = get("/v1/versions").await.json();
    let known = known["differences"].as_array().unwrap();
    let rules = found["rules"].as_array().unwrap();
    assert!(!rules.is_empty(), "{found}");
    let document = fs::read_to_string("docs/versions.md").unwrap();
    for rule in rules {
        let row = known.iter().find(|row| row["id"] == rule["id"]);
        let row = row.unwrap_or_else(|| panic!("{rule} is no row"));
        for (member, own) in rule.as_object().unwrap() {
            assert_eq!(&row[member], own, "{member} of {rule}");
        }
        assert!(document.contains(rule["summary"].as_str().unwrap()), "{rule} is not in docs/versions.md");
    }
}

#[tokio::test]
async fn impossible_upgrades_are_refused_with_their_place() {
    let files = json!({"main.tf": ""});
    for (body, status, code, pointer) in [
        (json!({"files": files}), 400, "bad-option", json!("/to")),
        (json!({"files": files, "to": {"version": "1.99"}}), 422, "unknown-version", json!("/to/version")),
        (json!({"files": files, "to": {"dialect": "tflint"}}), 422, "plan-not-for-dialect", json!("/to/dialect")),
        (
            json!({"files": files, "to": {"version": "1.9"}, "include": ["plan"]}),
            400,
            "bad-option",
            json!("/include"),
        ),
        (
            json!({"files": files, "to": {"version": "1.9"}, "recursive": true, "roots": [{"path": "x"}]}),
            422,
            "root-not-found",
            json!("/roots/0/path"),
        ),
        (json!({"files": files, "to": {"versions": "1.9"}}), 400, "unknown-option", json!("/to/versions")),
    ] {
        let answer = upgrade(&body).await;
        let problem = answer.json();
        assert_eq!((answer.status.as_u16(), &problem["code"]), (status, &json!(code)), "{body}: {problem}");
        assert_eq!(problem["pointer"], pointer, "{body}: {problem}");
    }
    let twice = r#"{"files": {}, "to": {"version": "1.9"}, "to": {"version": "1.9"}}"#;
    assert_eq!(post_to("/v1/upgrade", "application/json", twice.to_owned()).await.status, 400);
}

/// An archive, with the version as a query parameter, is the same request.
#[tokio::test]
async fn archives_and_lines_are_the_same_request() {
    let text = "output \"text\" {\n  value = format(\"%v\", null)\n}\n";
    let plain = of(text, "1.9", "1.12").await;
    let request = Request::post("/v1/upgrade?version=1.9&to=%7B%22version%22%3A%221.12%22%7D")
        .header("content-type", "application/x-tar")
        .body(Body::from(tar(&[("main.tf", text)])))
        .unwrap();
    assert_eq!(send(&app(), request).await.json(), plain);
    let line = json!({"id": 1, "operation": "upgrade", "files": {"main.tf": text}, "version": "1.9", "to": {"version": "1.12"}});
    let batch = post_to("/v1/batch", "application/x-ndjson", format!("{line}\n")).await;
    let answered: Value = serde_json::from_slice(&batch.body).unwrap();
    assert_eq!(answered["answer"], plain, "{answered}");
}

#[test]
fn exit_codes_and_the_version_that_is_meant() {
    let folder = tempfile::tempdir().unwrap();
    let write = |text: &str| fs::write(folder.path().join("main.tf"), text).unwrap();
    let upgrade = |arguments: &[&str]| {
        let (code, text, _) = run(&[&["upgrade", path(&folder)], arguments].concat());
        (Some(code), text)
    };
    fs::write(folder.path().join(".terraform-version"), "1.4.7\n").unwrap();
    write(
        "check \"c\" {\n  assert {\n    condition     = terraform.workspace == \"default\"\n    error_message = \"No.\"\n  }\n}\n",
    );
    let (code, text) = upgrade(&["--to", "1.5", "--format", "text"]);
    assert_eq!(code, Some(0), "{text}");
    assert!(text.starts_with("Terraform 1.4.7 -> Terraform 1.5.7: something changes"), "{text}");
    assert_eq!(upgrade(&["--to", "1.3", "--from", "1.5"]).0, Some(1));
    write("terraform {\n  required_version = \"~> 1.4.0\"\n}\n");
    let (code, text) = upgrade(&["--to", "1.5", "--format", "text"]);
    assert_eq!(code, Some(1));
    assert!(text.contains("! required_version does not allow Terraform 1.5.7"), "{text}");
    assert_eq!(upgrade(&[]).0, Some(2));
    assert_eq!(upgrade(&["--to", "9.9"]).0, Some(2));
}

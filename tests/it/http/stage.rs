//! The options `stage` and `provider_schemas`, on every route and in every form of a request.

use axum::http::Request;
use serde_json::{Value, json};

use super::archives::tar;
use super::{Answer, app, post, post_to, send};
use crate::cli::{folder, path, run};
use crate::difference::form;

const JSON: &str = "application/json";
const FORM: &str = "multipart/form-data; boundary=XX";
const MAIN: &str = "locals {\n  a = 1\n}\n";

/// A document of schemas without any.
const SCHEMAS: &str = r#"{"format_version": "1.0", "provider_schemas": {}}"#;

/// Returns the request object with these options.
fn with(options: &Value) -> Value {
    let mut request = json!({"files": {"main.tf": MAIN}});
    for (name, value) in options.as_object().unwrap() {
        request[name] = value.clone();
    }
    request
}

async fn ask(path: &str, request: &Value) -> Answer {
    post_to(path, JSON, request.to_string()).await
}

/// Returns the `ETag`, in which everything shows that determines an answer.
async fn tag(path: &str, request: &Value) -> String {
    let answer = ask(path, request).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.header("etag").to_owned()
}

#[tokio::test]
async fn two_dialects_are_validated_unless_loading_alone_is_asked_for() {
    for (dialect, usual, validates) in [
        (None, "validate", true),
        (Some("terraform"), "validate", true),
        (Some("opentofu"), "validate", true),
        (Some("tflint"), "load", false),
        (Some("sentinel"), "load", false),
        (Some("terraform-0.11"), "load", false),
    ] {
        let mut options = json!({});
        if let Some(dialect) = dialect {
            options["dialect"] = dialect.into();
        }
        let default = tag("/v1/merge", &with(&options)).await;
        for stage in ["load", "validate"] {
            options["stage"] = stage.into();
            if stage == "validate" && !validates {
                let problem = ask("/v1/merge", &with(&options)).await.problem(400, "bad-option");
                assert_eq!(problem["pointer"], "/stage", "{dialect:?}");
                assert!(problem["detail"].as_str().unwrap().contains(dialect.unwrap()), "{problem}");
                continue;
            }
            let asked = tag("/v1/merge", &with(&options)).await;
            assert_eq!(asked == default, stage == usual, "{dialect:?} {stage}");
        }
    }
}

#[tokio::test]
async fn wrong_values_are_reported_with_their_place() {
    for (options, code, pointer) in [
        (json!({"stage": "plan"}), "bad-option", "/stage"),
        (json!({"stage": "Load"}), "bad-option", "/stage"),
        (json!({"stage": null}), "bad-option", "/stage"),
        (json!({"stage": ["load"]}), "bad-option", "/stage"),
        (json!({"provider_schemas": null}), "bad-option", "/provider_schemas"),
        (json!({"provider_schemas": []}), "bad-option", "/provider_schemas"),
        (json!({"provider_schemas": "{}"}), "bad-option", "/provider_schemas"),
        (json!({"provider_schemas": true}), "bad-option", "/provider_schemas"),
        (json!({"provider_schemas": 1}), "bad-option", "/provider_schemas"),
    ] {
        for path in ["/v1/merge", "/v1/compatibility", "/v1/merge/report?format=text"] {
            let problem = ask(path, &with(&options)).await.problem(400, code);
            assert_eq!(problem["pointer"], pointer, "{options} {problem}");
        }
        let line = post_to("/v1/batch", "application/x-ndjson", with(&options).to_string()).await.json();
        assert_eq!((&line["status"], &line["problem"]["pointer"]), (&json!(400), &json!(pointer)), "{line}");
        for side in ["before", "after"] {
            let mut sides = json!({"before": with(&json!({})), "after": with(&json!({}))});
            sides[side] = with(&options);
            for path in ["/v1/diff", "/v1/diff/report?format=markdown"] {
                let problem = ask(path, &sides).await.problem(400, code);
                assert_eq!(problem["pointer"], format!("/{side}{pointer}"), "{options} {problem}");
            }
        }
    }
    for twice in [r#""stage": "load", "stage": "load""#, r#""provider_schemas": {}, "provider_schemas": {}"#] {
        post(JSON, format!(r#"{{"files": {{}}, {twice}}}"#)).await.problem(400, "duplicate-key");
    }
    let problem = ask("/v1/merge", &with(&json!({"stage": "plan"}))).await.json();
    assert!(problem["detail"].as_str().unwrap().contains("load, validate"), "{problem}");
}

#[tokio::test]
async fn schemas_that_cannot_be_read_are_an_impossible_request() {
    for schemas in [json!({"provider_schemas": []}), json!({"format_version": 1}), json!({"format_version": "99.0"})]
    {
        for stage in ["load", "validate"] {
            let request = with(&json!({"provider_schemas": schemas, "stage": stage}));
            for path in ["/v1/merge", "/v1/compatibility", "/v1/merge/report?format=text"] {
                let problem = ask(path, &request).await.problem(422, "schema-unreadable");
                assert_eq!(problem["pointer"], "/provider_schemas", "{problem}");
            }
            let line = post_to("/v1/batch", "application/x-ndjson", request.to_string()).await.json();
            assert_eq!((&line["status"], &line["problem"]["code"]), (&json!(422), &json!("schema-unreadable")));
            let sides = json!({"before": with(&json!({})), "after": request});
            let problem = ask("/v1/diff", &sides).await.problem(422, "schema-unreadable");
            assert_eq!(problem["pointer"], "/after/provider_schemas", "{problem}");
        }
        let document = schemas.to_string();
        let parts =
            form(&[("archive", &tar(&[("main.tf", MAIN.as_bytes())])), ("provider_schemas", document.as_bytes())]);
        post(FORM, parts).await.problem(422, "schema-unreadable");
    }
}

/// The same request has the same tag in every form.
#[tokio::test]
async fn every_form_of_a_request_has_the_options() {
    let archive = tar(&[("main.tf", MAIN.as_bytes())]);
    let schemas: Value = serde_json::from_str(SCHEMAS).unwrap();
    // Not the same text; the tag is that of the text.
    let written = schemas.to_string();
    let plain = tag("/v1/merge", &with(&json!({}))).await;
    let load = tag("/v1/merge", &with(&json!({"stage": "load"}))).await;
    let known = tag("/v1/merge", &with(&json!({"provider_schemas": schemas}))).await;
    let known_load = tag("/v1/merge", &with(&json!({"provider_schemas": schemas, "stage": "load"}))).await;
    let mut all = vec![&plain, &load, &known, &known_load];
    all.sort();
    all.dedup();
    assert_eq!(all.len(), 4, "each of the options counts");
    for (query, wanted) in [("", &plain), ("?stage=validate", &plain), ("?stage=load", &load)] {
        let answer = post_to(&format!("/v1/merge{query}"), "application/x-tar", archive.clone()).await;
        assert_eq!(answer.header("etag"), wanted, "{query}");
    }
    let both = format!(r#"{{"provider_schemas": {written}, "stage": "load"}}"#);
    let only = format!(r#"{{"provider_schemas": {written}}}"#);
    for (options, part, wanted) in [
        (None, None, &plain),
        (Some(r#"{"stage": "load"}"#), None, &load),
        (None, Some(&written), &known),
        (Some(&*only), None, &known),
        (Some(&*both), None, &known_load),
        (Some(r#"{"stage": "load"}"#), Some(&written), &known_load),
    ] {
        let mut parts: Vec<(&str, &[u8])> = vec![("archive", &archive)];
        parts.extend(part.map(|text| ("provider_schemas", text.as_bytes())));
        parts.extend(options.map(|text| ("options", text.as_bytes())));
        let answer = post(FORM, form(&parts)).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        assert_eq!(answer.header("etag"), wanted, "{options:?} {part:?}");
    }
}

#[tokio::test]
async fn a_query_has_no_room_for_schemas() {
    let archive = tar(&[("main.tf", MAIN.as_bytes())]);
    let problem = post_to("/v1/merge?provider_schemas=%7B%7D", "application/x-tar", archive.clone()).await;
    let detail = problem.problem(400, "unknown-option")["detail"].as_str().unwrap().to_owned();
    assert!(detail.contains("multipart/form-data"), "{detail}");
    let problem = post_to("/v1/merge?stage=plan", "application/x-tar", archive.clone()).await;
    assert_eq!(problem.problem(400, "bad-option")["pointer"], "/stage");
    let answer = post_to("/v1/merge/report?format=text&stage=load", "application/x-tar", archive).await;
    assert_eq!(answer.status, 200);
}

#[tokio::test]
async fn the_part_of_a_form_is_read_as_strictly_as_the_field() {
    let archive = tar(&[("main.tf", MAIN.as_bytes())]);
    for (schemas, code) in [
        (&b"null"[..], "bad-option"),
        (b"[]", "bad-option"),
        (b"", "malformed-body"),
        (b"{", "malformed-body"),
        (b"{} {}", "malformed-body"),
        (b"{\"a\": \"\xff\"}", "not-utf8"),
    ] {
        let problem =
            post(FORM, form(&[("archive", &archive), ("provider_schemas", schemas)])).await.problem(400, code);
        assert!(code != "bad-option" || problem["pointer"] == "/provider_schemas", "{problem}");
    }
    let part = ("provider_schemas", SCHEMAS.as_bytes());
    let options: &[u8] = br#"{"provider_schemas": {}}"#;
    for parts in
        [form(&[("archive", &archive), part, part]), form(&[("archive", &archive), part, ("options", options)])]
    {
        post(FORM, parts).await.problem(400, "duplicate-key");
    }
}

#[tokio::test]
async fn both_sides_of_a_difference_have_the_options() {
    let side = |options: Value| with(&options);
    let sides = |before: Value, after: Value| json!({"before": side(before), "after": side(after)});
    let schemas: Value = serde_json::from_str(SCHEMAS).unwrap();
    let plain = tag("/v1/diff", &sides(json!({}), json!({}))).await;
    assert_eq!(tag("/v1/diff", &sides(json!({"stage": "validate"}), json!({}))).await, plain);
    for options in [json!({"stage": "load"}), json!({"provider_schemas": schemas})] {
        let before = tag("/v1/diff", &sides(options.clone(), json!({}))).await;
        let after = tag("/v1/diff", &sides(json!({}), options)).await;
        assert!(before != plain && after != plain && before != after);
    }
    let known = json!({"provider_schemas": schemas});
    let both = tag("/v1/diff", &sides(known.clone(), known)).await;
    // `after` has the files of `before`, but none of its options.
    let mut shared = sides(json!({"provider_schemas": schemas, "stage": "load"}), json!({"stage": "load"}));
    let without = tag("/v1/diff", &shared).await;
    shared["after"].as_object_mut().unwrap().remove("files");
    assert_eq!(tag("/v1/diff", &shared).await, without);
    let archive = tar(&[("main.tf", MAIN.as_bytes())]);
    let written = schemas.to_string();
    let parts: &[(&str, &[u8])] =
        &[("before", &archive), ("after", &archive), ("provider_schemas", written.as_bytes())];
    let answer = post_to("/v1/diff", FORM, form(parts)).await;
    assert_eq!(answer.header("etag"), both, "the part of the form is for both sides");
    let own: &[u8] = br#"{"after": {"provider_schemas": {}}}"#;
    let parts = [parts, &[("options", own)]].concat();
    let problem = post_to("/v1/diff", FORM, form(&parts)).await.problem(400, "duplicate-key");
    assert_eq!(problem["pointer"], "/after/provider_schemas");
}

#[tokio::test]
async fn a_comparison_of_versions_loads_by_default_and_names_the_stage() {
    for (asked, stage) in [(None, "load"), (Some("load"), "load"), (Some("validate"), "validate")] {
        let options = asked.map_or_else(|| json!({}), |stage| json!({"stage": stage}));
        let answer = ask("/v1/compatibility", &with(&options)).await.json();
        assert_eq!(answer["stage"], stage, "{answer}");
        for tool in answer["tools"].as_array().unwrap() {
            let ranges = tool["ranges"].as_array().unwrap();
            assert!(!ranges.is_empty() && ranges.iter().all(|range| range["stage"] == stage), "{answer}");
        }
        let summary = answer["required_version"]["summary"].as_str().unwrap();
        assert!(summary.contains(&format!("every known version of terraform {stage}s it")), "{summary}");
    }
    let default = tag("/v1/compatibility", &with(&json!({}))).await;
    assert_eq!(tag("/v1/compatibility", &with(&json!({"stage": "load"}))).await, default);
    assert_ne!(tag("/v1/compatibility", &with(&json!({"stage": "validate"}))).await, default);
    let request = with(&json!({"stage": "validate", "dialect": "tflint"}));
    assert_eq!(ask("/v1/compatibility", &request).await.problem(400, "bad-option")["pointer"], "/stage");
}

#[tokio::test]
async fn texts_say_what_was_looked_at() {
    for (options, nothing, suffix) in [
        (json!({"version": "1.11.4"}), "no problems found by the checks of `terraform validate` 1.11.4\n", ""),
        (
            json!({"version": "1.11.4", "stage": "load"}),
            "no problems found while loading with Terraform 1.11.4 (stage load)\n",
            " (stage load)",
        ),
        (
            json!({"dialect": "opentofu", "version": "1.11.0"}),
            "no problems found by the checks of `tofu validate` 1.11.0\n",
            "",
        ),
        (json!({"dialect": "tflint"}), "0 errors, 0 warnings, 0 notes\n", ""),
        (json!({"dialect": "tflint", "stage": "load"}), "0 errors, 0 warnings, 0 notes\n", ""),
    ] {
        for recursive in [false, true] {
            let mut request = with(&options);
            request["recursive"] = recursive.into();
            let text = ask("/v1/merge/report?format=text", &request).await;
            assert_eq!(String::from_utf8(text.body).unwrap(), nothing, "{options}");
            request["files"] = json!({"main.tf": "locals {"});
            let text = String::from_utf8(ask("/v1/merge/report?format=text", &request).await.body).unwrap();
            assert!(text.ends_with(&format!("\n1 error, 0 warnings, 0 notes{suffix}\n")), "{options}: {text}");
        }
    }
}

#[test]
fn the_command_says_what_was_looked_at() {
    let folder = folder(&[("main.tf", MAIN)]);
    for (args, verdict) in [
        (&["--stage", "validate"][..], "passes the checks of `terraform validate` 1.11.4"),
        (&["--stage", "load"], "loads with Terraform 1.11.4 (stage load; `terraform validate` may report more)"),
        (&["--stage", "validate", "--dialect", "opentofu"], "passes the checks of `tofu validate` 1.11.4"),
        (
            &["--stage", "load", "--dialect", "opentofu"],
            "loads with OpenTofu 1.11.4 (stage load; `tofu validate` may report more)",
        ),
    ] {
        let (code, out, _) =
            run(&[&["merge", path(&folder), "--format", "text", "--version", "1.11.4"], args].concat());
        assert_eq!((code, out), (0, format!("nothing is overridden\nthe configuration {verdict}\n")), "{args:?}");
    }
    let (_, out, _) = run(&["merge", path(&folder), "--format", "text", "--dialect", "tflint", "--stage", "load"]);
    assert!(out.contains("the configuration loads with TFLint "), "{out}");
    assert!(!out.contains("stage"), "{out}");
}

#[tokio::test]
async fn the_list_of_dialects_names_their_stages() {
    let list = super::get("/v1/dialects").await.json();
    for row in list["dialects"].as_array().unwrap() {
        let name = row["name"].as_str().unwrap();
        let both = matches!(name, "terraform" | "opentofu");
        assert_eq!(row["stages"], if both { json!(["load", "validate"]) } else { json!(["load"]) }, "{name}");
    }
}

#[tokio::test]
async fn the_lines_of_a_batch_have_the_options() {
    let schemas: Value = serde_json::from_str(SCHEMAS).unwrap();
    let lines = [
        with(&json!({"id": "a", "stage": "load"})),
        with(&json!({"id": "b", "stage": "validate", "provider_schemas": schemas})),
        with(&json!({"id": "c", "stage": "validate", "dialect": "sentinel"})),
    ];
    let body = lines.map(|line| format!("{line}\n")).concat();
    let head = Request::post("/v1/batch").header("content-type", "application/x-ndjson");
    let answer = send(&app(), head.body(body.into()).unwrap()).await;
    let text = String::from_utf8(answer.body).unwrap();
    let mut answered: Vec<(String, u64)> = text
        .lines()
        .map(|line| serde_json::from_str::<Value>(line).unwrap())
        .map(|line| (line["id"].as_str().unwrap().to_owned(), line["status"].as_u64().unwrap()))
        .collect();
    answered.sort();
    assert_eq!(answered, [("a".to_owned(), 200), ("b".to_owned(), 200), ("c".to_owned(), 400)]);
}

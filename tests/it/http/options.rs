//! Options: their permitted values, and what is reported for others.

use serde_json::{Value, json};

use super::{Answer, post};

async fn with(options: Value) -> Answer {
    let mut request = json!({"files": {"main.tf": "", "sub/main.tf": ""}});
    for (name, value) in options.as_object().unwrap() {
        request[name] = value.clone();
    }
    post("application/json", request.to_string()).await
}

#[tokio::test]
async fn bad_options_name_their_place() {
    for (options, code, pointer) in [
        (json!({"nonsense": 1}), "unknown-option", "/nonsense"),
        (json!({"variables": {"nonsense": 1}}), "unknown-option", "/variables/nonsense"),
        (json!({"variables": {"args": [{"nonsense": 1}]}}), "unknown-option", "/variables/args/0/nonsense"),
        (json!({"dialect": "cobol"}), "bad-option", "/dialect"),
        (json!({"dialect": null}), "bad-option", "/dialect"),
        (json!({"version": 1.11}), "bad-option", "/version"),
        (json!({"root": 1}), "bad-option", "/root"),
        (json!({"root": "../x"}), "bad-path", "/root"),
        (json!({"root": "/x"}), "bad-path", "/root"),
        (json!({"root": ""}), "bad-path", "/root"),
        (json!({"recursive": "yes"}), "bad-option", "/recursive"),
        (json!({"recursive": null}), "bad-option", "/recursive"),
        (json!({"paths": ["a.tf"]}), "bad-option", "/paths"),
        (json!({"recursive": true, "paths": ["b.tf", "../a.tf"]}), "bad-path", "/paths/1"),
        (json!({"recursive": true, "paths": "a.tf"}), "bad-option", "/paths"),
        (json!({"recursive": true, "config_file": "a.hcl"}), "bad-option", "/config_file"),
        (json!({"include": ["calls"]}), "bad-option", "/include"),
        (json!({"variables": null}), "bad-option", "/variables"),
        (json!({"variables": {"env": {"TF_VAR_a": 1}}}), "bad-option", "/variables/env/TF_VAR_a"),
        (json!({"variables": []}), "bad-option", "/variables"),
        (json!({"variables": [{"TF_VAR_a": "1"}, []]}), "bad-option", "/variables"),
        (json!({"variables": {"args": [["a=1"]]}}), "bad-option", "/variables/args/0"),
        (json!({"variables": {"args": {}}}), "bad-option", "/variables/args"),
        (json!({"variables": {"args": [{}]}}), "bad-option", "/variables/args/0"),
        (
            json!({"variables": {"args": [{"var": "a=1"}, {"var": "a=1", "var_file": "x"}]}}),
            "bad-option",
            "/variables/args/1",
        ),
        (json!({"variables": {"args": [{"name": "a"}]}}), "bad-option", "/variables/args/0"),
        (json!({"variables": {"args": [{"value": 1}]}}), "bad-option", "/variables/args/0"),
        (json!({"variables": {"args": [{"var": null}]}}), "bad-option", "/variables/args/0/var"),
        (json!({"include": "config"}), "bad-option", "/include"),
        (json!({"include": ["nothing"]}), "bad-option", "/include/0"),
        (json!({"config_format": "yaml"}), "bad-option", "/config_format"),
        (json!({"strip_components": -1}), "bad-option", "/strip_components"),
    ] {
        let answer = with(options.clone()).await;
        let problem = answer.json();
        assert_eq!(problem["code"], code, "{options} {problem}");
        assert_eq!(problem["pointer"], pointer, "{options} {problem}");
        answer.problem(400, code);
    }
}

#[tokio::test]
async fn repeated_names_are_reported_everywhere() {
    for body in [
        r#"{"files": {"a.tf": ""}, "files": {}}"#,
        r#"{"files": {"a.tf": ""}, "root": ".", "root": "."}"#,
        r#"{"files": {"a.tf": {"base64": "", "base64": ""}}}"#,
        r#"{"files": {"a.tf": ""}, "variables": {"env": {}, "env": {}}}"#,
        r#"{"files": {"a.tf": ""}, "variables": {"env": {"A": "1", "A": "1"}}}"#,
        r#"{"files": {"a.tf": ""}, "variables": {"env": {"A": "1", "\u0041": "1"}}}"#,
        r#"{"files": {"a.tf": ""}, "variables": {"args": [{"var": "a=1", "var": "a=1"}]}}"#,
        r#"{"files": {"a.tf": ""}, "variables": {"args": [{"name": "a", "value": {"x": [{"k": 1, "k": 2}]}}]}}"#,
    ] {
        let answer = post("application/json", body).await;
        assert_eq!(answer.json()["code"], "duplicate-key", "{body} {}", answer.json());
        answer.problem(400, "duplicate-key");
    }
    let problem = post("application/json", r#"{"files": {"a.tf": "", "a.tf": ""}}"#).await.json();
    assert_eq!(problem["pointer"], "/files/a.tf");
    for body in [r#"{"files": {"a.tf": "", "a.tf": ""}}"#, r#"{"files": {"a.tf": "", "./a.tf": ""}}"#] {
        post("application/json", body).await.problem(400, "duplicate-path");
    }
}

#[tokio::test]
async fn paths_that_are_not_allowed_are_reported() {
    for path in ["", ".", "/a.tf", "../a.tf", "a/../b.tf", "a//b.tf", "C:/a.tf", "a\\b.tf", "a\u{0}.tf", "a/"] {
        let body = json!({"files": {path: ""}}).to_string();
        post("application/json", body).await.problem(400, "bad-path");
    }
}

#[tokio::test]
async fn invalid_base64_is_reported() {
    for (content, code, pointer) in [
        (json!({"base64": "***"}), "bad-base64", "/files/m~1a.tf"),
        (json!({"base64": 1}), "bad-option", "/files/m~1a.tf/base64"),
        (json!({}), "bad-option", "/files/m~1a.tf"),
        (json!(1), "bad-option", "/files/m~1a.tf"),
        (json!(null), "bad-option", "/files/m~1a.tf"),
        (json!({"text": "x"}), "unknown-option", "/files/m~1a.tf/text"),
    ] {
        let body = json!({"files": {"m/a.tf": content}}).to_string();
        let problem = post("application/json", body).await.problem(400, code);
        assert_eq!(problem["pointer"], pointer, "{problem}");
    }
}

#[tokio::test]
async fn impossible_requests_are_a_422() {
    for (options, code, pointer) in [
        (json!({"root": "nowhere"}), "root-not-found", "/root"),
        (json!({"version": "0.1"}), "unknown-version", "/version"),
        (json!({"version": "99.9"}), "unknown-version", "/version"),
        (json!({"version": "x"}), "unknown-version", "/version"),
    ] {
        let answer = with(options.clone()).await;
        assert_eq!(answer.json()["code"], code, "{options}: {}", answer.json());
        let problem = answer.problem(422, code);
        assert!(problem["pointer"].as_str().unwrap().starts_with(pointer), "{problem}");
    }
    let missing = json!([{"var_file": "no.tfvars"}, {"var_file": "../no.tfvars"}, {"var_file": "sub"}]);
    let problem = with(json!({"variables": {"args": missing}})).await.problem(422, "var-file-not-found");
    assert!(problem["detail"].as_str().unwrap().contains("no.tfvars"), "{problem}");
    assert_eq!(problem["valid"], false);
    assert_eq!(problem["diagnostics"].as_array().unwrap().len(), 3, "the tool's own report is included: {problem}");
    assert_eq!(problem["diagnostics"][0]["summary"], "Failed to read variables file");
    let known = with(json!({"version": "99.9"})).await.json()["detail"].as_str().unwrap().to_owned();
    assert!(known.contains("1.11") || known.contains("1.0"), "the known versions are not listed: {known}");
}

#[tokio::test]
async fn the_form_of_config_is_chosen() {
    for (form, is_text) in [("tf-json", false), ("hcl2json", false), ("hcl", true), ("files", false)] {
        let answer = with(json!({"config_format": form})).await.json();
        assert_eq!(answer["module"]["config"].is_string(), is_text, "{form}: {answer}");
        assert_eq!(answer["module"]["config"].is_object(), !is_text, "{form}: {answer}");
    }
    let expanded = json!({"dialect": "tflint", "expand": true, "config_format": "files"});
    with(expanded).await.problem(422, "form-impossible");
    assert!(
        with(json!({"dialect": "tflint", "expand": true, "config_format": "hcl"})).await.json()["module"]["config"]
            .is_string()
    );
}

#[tokio::test]
async fn the_root_may_be_written_in_several_ways() {
    for (root, path) in [(".", "."), ("./", "."), ("./.", "."), ("sub", "sub"), ("./sub", "sub"), ("sub/", "sub")] {
        let answer = with(json!({"root": root})).await;
        assert_eq!(answer.json()["module"]["path"], path, "{root}");
    }
}

#[tokio::test]
async fn values_keep_their_digits() {
    let body = r#"{"files": {"main.tf": "variable \"a\" {}\n"}, "include": ["variables"],
        "variables": {"args": [{"name": "a", "value": 12345678901234567890.123456789}]}}"#;
    let answer = post("application/json", body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
}

#[tokio::test]
async fn objects_cannot_be_written_as_lists_of_fields() {
    let problem = post("application/json", r#"[{"a.tf": ""}, "terraform"]"#).await.problem(400, "bad-option");
    assert_eq!(problem["detail"], "invalid type: sequence, expected an object at line 1 column 0");
}

#[tokio::test]
async fn a_place_inside_a_part_is_not_reported_as_one_of_the_body() {
    let answer = with(json!({"variables": {"args": [{"name": "a", "value": {"k": 1}}]}})).await;
    assert_eq!(answer.status, 200);
    let body = r#"{"files": {}, "variables": {"args": [{"name": "a", "value": {"k": 1, "k": 2}}]}}"#;
    let problem = post("application/json", body).await.problem(400, "duplicate-key");
    assert_eq!(problem["detail"], "an object in the value has a duplicate key");
    assert_eq!(problem["pointer"], "/variables/args/0/value");
}

#[tokio::test]
async fn keys_of_a_sensitive_map_are_not_reported() {
    for (sensitive, reported) in [(true, false), (false, true)] {
        let declared = format!("variable \"s\" {{\n  type = map(number)\n  sensitive = {sensitive}\n}}\n");
        let request = json!({"stage": "load", "files": {"main.tf": declared}, "include": ["variables"],
            "variables": {"args": [{"name": "s", "value": {"hush": "x"}}]}});
        let answer = post("application/json", request.to_string()).await;
        assert_eq!(answer.json()["diagnostics"][0]["code"], "variable/misfit");
        assert_eq!(String::from_utf8_lossy(&answer.body).contains("hush"), reported);
    }
}

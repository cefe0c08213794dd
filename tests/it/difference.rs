//! `POST /v1/diff` and `overfold diff`: what counts as a difference, how it is shown, and what is refused.

use std::fs;
use std::path::Path;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::http::{Answer, app, post_to, send};

async fn diff(body: &Value) -> Answer {
    post_to("/v1/diff", "application/json", body.to_string()).await
}

async fn diff_as(accept: &str, body: &Value) -> Answer {
    let request = Request::post("/v1/diff").header("content-type", "application/json").header("accept", accept);
    send(&app(), request.body(Body::from(body.to_string())).unwrap()).await
}

/// The changes from one `main.tf` to another.
async fn changes(dialect: &str, before: &str, after: &str) -> Vec<Value> {
    let side = |text: &str| json!({"dialect": dialect, "files": {"main.tf": text}});
    let answer = diff(&json!({"before": side(before), "after": side(after)})).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let answer = answer.json();
    assert_eq!(answer["different"], answer["changes"].as_array().is_some_and(|list| !list.is_empty()), "{answer:#}");
    answer["changes"].as_array().unwrap().clone()
}

/// What happened to what, in one line each.
fn lines(changes: &[Value]) -> Vec<String> {
    let line = |change: &Value| {
        let parts = change["parts"].as_array().into_iter().flatten();
        let parts: Vec<String> = parts
            .map(|part| format!("{} {}", part["change"].as_str().unwrap(), part["name"].as_str().unwrap()))
            .collect();
        let (act, address) = (change["change"].as_str().unwrap(), change["address"].as_str().unwrap());
        format!("{act} {address} {}", parts.join(", ")).trim_end().to_owned()
    };
    changes.iter().map(line).collect()
}

#[tokio::test]
async fn the_way_it_is_written_is_no_difference() {
    let same = [
        ("locals {\n  a = 1\n  b = 2\n}\n", "# why\nlocals { b=2 }\nlocals { a = 1 }\n"),
        ("locals { a = var.x  +  1 }", "locals { a = var.x+1 }"),
        ("locals { a = \"x\" }", "locals { a = \"\\u0078\" }"),
        ("locals { a = f(1,\n 2) }", "locals {\n  a = f(1, 2)\n}"),
        (
            "resource \"a\" \"b\" {\n  x = 1\n  y {\n    z = 1\n  }\n}",
            "resource a b {\n  y {\n    z = 1\n  }\n  x = 1\n}",
        ),
        ("variable \"v\" { type = list( string ) }", "variable \"v\" { type = list(string) }"),
    ];
    for (before, after) in same {
        assert_eq!(lines(&changes("terraform", before, after).await), [""; 0], "{before} / {after}");
    }
    let body = json!({
        "before": {"files": {"main.tf": "resource \"a\" \"b\" {\n  x = var.y  + 1\n  z = \"t\"\n}\n"}},
        "after": {"files": {"main.tf.json":
            "{\"resource\": {\"a\": {\"b\": {\"z\": \"t\", \"x\": \"${var.y + 1}\"}}}}"}},
    });
    let answer = diff(&body).await.json();
    assert_eq!(
        (&answer["different"], &answer["changes"][0]["change"]),
        (&json!(false), &json!("moved")),
        "{answer:#}"
    );
}

#[tokio::test]
async fn what_says_something_else_is_a_difference() {
    let cases: [(&str, &str, &str, &[&str]); 9] = [
        ("terraform", "locals { a = 1 }", "locals { a = 2 }", &["changed local.a changed value"]),
        ("terraform", "locals { a = \"x  y\" }", "locals { a = \"x y\" }", &["changed local.a changed value"]),
        ("terraform", "locals { a = 1 }", "locals { b = 1 }", &["removed local.a", "added local.b"]),
        (
            "terraform",
            "resource \"a\" \"b\" {\n  x = 1\n  s {}\n}",
            "resource \"a\" \"b\" {\n  y = 1\n  s { q = 1 }\n  s {}\n}",
            &["changed a.b added s, removed x, added y"],
        ),
        (
            "terraform",
            "resource \"a\" \"b\" {\n  s {\n    x = 1\n  }\n}",
            "resource \"a\" \"b\" {\n  s {\n    x = 2\n  }\n}",
            &["changed a.b changed s.x"],
        ),
        (
            "terraform",
            "moved {\n  from = a.b\n  to = a.c\n}",
            "moved {\n  from = a.x\n  to = a.y\n}\nmoved {\n  from = a.b\n  to = a.c\n}",
            &["added moved[0]"],
        ),
        ("tflint", "locals { a = 1 }\nlocals { b = 1 }\n", "locals { b = 1 }\n", &["removed locals"]),
        (
            "terraform-0.11",
            "variable \"a\" { default = \"x\" }",
            "variable \"a\" { default = \"y\" }",
            &["changed var.a changed default"],
        ),
        ("sentinel", "policy \"a\" { source = \"x\" }", "policy \"a\" { source = \"y\" }", &[]),
    ];
    for (dialect, before, after, expected) in cases {
        assert_eq!(lines(&changes(dialect, before, after).await), expected, "{dialect}: {before} / {after}");
    }
    let side = |source: &str| json!({"dialect": "sentinel", "files": {"sentinel.hcl": format!("policy \"a\" {{\n  source = \"{source}\"\n}}\n")}});
    let answer = diff(&json!({"before": side("x"), "after": side("y")})).await.json();
    assert_eq!(lines(answer["changes"].as_array().unwrap()), ["changed policy.a changed source"]);
}

/// Two bundles that show one of everything.
fn example() -> Value {
    json!({
        "before": {"files": {
            "main.tf": "resource \"a\" \"b\" {\n  x = \"one\"\n  y = 1\n\n  s {\n    z = 1\n  }\n}\n\nlocals {\n  gone = true\n}\n\nlocals {\n  walks = 1\n}\n",
            "override.tf": "resource \"a\" \"b\" {\n  x = \"two\"\n}\n",
        }},
        "after": {"files": {
            "main.tf": "resource \"a\" \"b\" {\n  x = \"one\"\n  y = 1 | 2\n\n  s {\n    z = 2\n  }\n}\n\nvariable \"new\" {\n  default = \"`|<b>\"\n}\n",
            "other.tf": "locals {\n  walks = 1\n}\n",
            "override.tf": "resource \"a\" \"b\" {\n  y = 3\n}\n",
        }},
    })
}

/// With `OVERFOLD_GOLDEN=write` in the environment the files are written anew.
#[tokio::test]
async fn golden_answers() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/diff");
    for (accept, name) in
        [("application/json", "example.json"), ("text/markdown", "example.md"), ("text/plain", "example.txt")]
    {
        let answer = diff_as(accept, &example()).await;
        assert!(answer.header("content-type").starts_with(accept));
        let found = match name {
            "example.json" => format!("{:#}\n", answer.json()),
            _ => String::from_utf8(answer.body).unwrap(),
        };
        let path = folder.join(name);
        if std::env::var("OVERFOLD_GOLDEN").is_ok_and(|mode| mode == "write") {
            fs::write(path, found).unwrap();
        } else {
            assert_eq!(fs::read_to_string(path).unwrap(), found, "{name}");
        }
    }
}

#[tokio::test]
async fn an_override_is_named_as_the_cause() {
    let answer = diff(&example()).await.json();
    let changes = answer["changes"].as_array().unwrap();
    let object = changes.iter().find(|change| change["address"] == "a.b").unwrap();
    let part =
        |name: &str| object["parts"].as_array().unwrap().iter().find(|part| part["name"] == name).unwrap().clone();
    let x = part("x");
    assert_eq!(x["override"], json!({"before": "override.tf"}), "{x:#}");
    assert_eq!((&x["before"]["expression"], &x["after"]["expression"]), (&json!("\"two\""), &json!("\"one\"")));
    assert_eq!(x["before"]["range"]["filename"], "override.tf");
    assert_eq!(x["before"]["pointer"], "/resource/a/b/0/x");
    assert_eq!(part("y")["override"], json!({"after": "override.tf"}));
    assert_eq!(part("s.z")["after"]["pointer"], "/resource/a/b/0/s/0/z");
}

#[tokio::test]
async fn the_same_files_are_compared_in_two_dialects_and_versions() {
    let files = json!({"main.tf": "locals {\n  a = 1\n}\n", "main.tofu": "locals {\n  a = 2\n}\n"});
    let answer = diff(&json!({"before": {"files": files}, "after": {"dialect": "opentofu"}})).await.json();
    assert_eq!(lines(answer["changes"].as_array().unwrap()), ["changed local.a changed value"], "{answer:#}");
    assert_eq!(
        (&answer["before"]["dialect"], &answer["after"]["dialect"]),
        (&json!("terraform"), &json!("opentofu"))
    );
    let import = json!({"main.tf": "import {\n  to = a.b\n  id = \"x\"\n}\nresource \"a\" \"b\" {}\n"});
    let answer =
        diff(&json!({"before": {"files": import, "version": "1.4"}, "after": {"version": "1.11"}})).await.json();
    assert_eq!((&answer["before"]["version"], &answer["after"]["version"]), (&json!("1.4"), &json!("1.11")));
    assert_eq!(answer["diagnostics"]["vanished"], json!([0]), "{answer:#}");
}

#[tokio::test]
async fn secrets_are_compared_and_never_shown() {
    let side = |default: &str, sensitive: bool| {
        let mark = if sensitive { "  sensitive = true\n" } else { "" };
        json!({"files": {"main.tf": format!("variable \"p\" {{\n{mark}  default = \"{default}\"\n}}\n")}})
    };
    for (was, is) in [(true, true), (true, false), (false, true)] {
        let body = json!({"before": side("hunter2aaa", was), "after": side("hunter2bbb", is)});
        for accept in ["application/json", "text/markdown", "text/plain"] {
            let answer = diff_as(accept, &body).await;
            let text = String::from_utf8(answer.body).unwrap();
            assert!(text.contains("var.p") && text.contains("default"), "{accept}: {text}");
            assert!(!text.contains("hunter2"), "{accept}: {text}");
        }
        let part = &diff(&body).await.json()["changes"][0]["parts"][0];
        assert_eq!((&part["change"], &part["before"]["redacted"]), (&json!("changed"), &json!(true)), "{part:#}");
    }
    let mut body = json!({"before": side("hunter2aaa", true), "after": side("hunter2bbb", true)});
    body["before"]["reveal_sensitive"] = json!(true);
    body["after"]["reveal_sensitive"] = json!(true);
    assert!(String::from_utf8(diff(&body).await.body).unwrap().contains("hunter2aaa"));
}

#[tokio::test]
async fn what_cannot_be_compared_is_refused_with_its_place() {
    let files = json!({"main.tf": ""});
    let cases = [
        (json!({"before": {"files": files}}), 400, "bad-option", None),
        (json!({"before": {"files": files}, "after": {}, "x": 1}), 400, "unknown-option", Some("/x")),
        (json!({"before": {}, "after": {"files": files}}), 400, "bad-option", Some("/before")),
        (json!({"before": {"files": files, "x": 1}, "after": {}}), 400, "unknown-option", Some("/before/x")),
        (json!({"before": {"files": files}, "after": {"x": 1}}), 400, "unknown-option", Some("/after/x")),
        (json!({"before": {"files": files}, "after": {"files": null}}), 400, "unknown-option", Some("/after/files")),
        (
            json!({"before": {"files": files, "recursive": true}, "after": {}}),
            422,
            "not-implemented-yet",
            Some("/before/recursive"),
        ),
        (json!({"before": {"files": files}, "after": []}), 400, "bad-option", Some("/after")),
        (
            json!({"before": {"files": files}, "after": {"version": "0.1"}}),
            422,
            "unknown-version",
            Some("/after/version"),
        ),
        (json!({"before": {"files": files}, "after": {"root": "x"}}), 422, "root-not-found", Some("/after/root")),
        (json!({"before": {"files": {"../a": ""}}, "after": {}}), 400, "bad-path", Some("/before/files/..~1a")),
    ];
    for (body, status, code, pointer) in cases {
        let problem = diff(&body).await.problem(status, code);
        if let Some(pointer) = pointer {
            assert_eq!(problem["pointer"], pointer, "{problem:#}");
        }
    }
    diff_as("application/sarif+json", &example()).await.problem(406, "not-acceptable");
    post_to("/v1/diff", "application/gzip", "x").await.problem(415, "unsupported-media-type");
    post_to("/v1/diff?dialect=tflint", "application/json", "{}").await.problem(400, "unknown-option");
}

fn tar(files: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (name, text) in files {
        let mut header = tar::Header::new_ustar();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        header.set_cksum();
        builder.append_data(&mut header, name, text.as_bytes()).unwrap();
    }
    builder.into_inner().unwrap()
}

fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
    let mut body = Vec::new();
    for (name, content) in parts {
        body.extend_from_slice(format!("--XX\r\nContent-Disposition: form-data; name=\"{name}\"\r\n\r\n").as_bytes());
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--XX--\r\n");
    body
}

#[tokio::test]
async fn two_archives_come_in_a_form() {
    const FORM: &str = "multipart/form-data; boundary=XX";
    let (before, after) = (tar(&[("main.tf", "locals { a = 1 }\n")]), tar(&[("main.tf", "locals { a = 2 }\n")]));
    let answer = post_to("/v1/diff", FORM, form(&[("before", &before), ("after", &after)])).await.json();
    assert_eq!(lines(answer["changes"].as_array().unwrap()), ["changed local.a changed value"]);
    let options = br#"{"before": {"version": "1.5"}, "after": {"version": "1.11"}}"#;
    let answer = post_to("/v1/diff", FORM, form(&[("before", &before), ("options", options)])).await.json();
    assert_eq!((&answer["different"], &answer["before"]["version"]), (&json!(false), &json!("1.5")));
    let refused =
        async |parts: &[(&str, &[u8])], code: &str| post_to("/v1/diff", FORM, form(parts)).await.problem(400, code);
    refused(&[("before", &before)], "malformed-body").await;
    refused(&[("after", &after)], "malformed-body").await;
    refused(&[("before", &before), ("before", &before)], "duplicate-key").await;
    refused(&[("before", &before), ("files", &after)], "unknown-option").await;
    let problem = refused(&[("before", &before), ("options", br#"{"after": {"x": 1}}"#)], "unknown-option").await;
    assert_eq!(problem["pointer"], "/after/x");
}

#[test]
fn a_long_comment_is_cut_at_whole_rows() {
    let many = |value: usize| {
        let folder = tempfile::tempdir().unwrap();
        let lines = (0..3000).map(|at| format!("  a{at} = \"{value} | `` {}\"\n", "x".repeat(50)));
        let locals = lines.collect::<Vec<_>>().concat();
        fs::write(folder.path().join("main.tf"), format!("locals {{\n{locals}}}\n")).unwrap();
        folder
    };
    let (one, other) = (many(1), many(2));
    let folders = [&one, &other].map(|folder| folder.path().to_str().unwrap());
    let (code, text, _) = crate::cli::run(&["diff", folders[0], folders[1], "--format", "markdown"]);
    assert_eq!(code, 1);
    assert!(text.chars().count() <= 65_536 && text.chars().count() > 60_000, "{}", text.chars().count());
    let rows = text.lines().filter(|line| line.starts_with("| changed |")).count();
    assert!(text.ends_with(&format!("\n{} more entries are not shown.\n", 3000 - rows)), "{rows}");
}

#[test]
fn the_command_compares_and_says_so_by_its_exit_code() {
    let folder = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("main.tf"), text).unwrap();
        folder
    };
    let (one, other) = (folder("locals {\n  a = 1\n}\n"), folder("locals {\n  a = 2\n}\n"));
    let (one, other) = (one.path().to_str().unwrap(), other.path().to_str().unwrap());
    let (code, out, _) = crate::cli::run(&["diff", one, other]);
    assert_eq!((code, &serde_json::from_str::<Value>(&out).unwrap()["counts"]["changed"]), (1, &json!(1)));
    assert_eq!(crate::cli::run(&["diff", one, one]).0, 0);
    let (code, out, _) = crate::cli::run(&["diff", one, "--after-dialect", "opentofu", "--format", "markdown"]);
    assert_eq!(code, 0);
    assert!(out.contains("no difference in effect"), "{out}");
    let (code, out, _) = crate::cli::run(&["diff", one, other, "--format", "text"]);
    assert_eq!(code, 1);
    assert!(out.starts_with("~ local.a (main.tf:2)\n    ~ value: 1 (main.tf:2) -> 2 (main.tf:2)\n"), "{out}");
    assert_eq!(crate::cli::run(&["diff", one, "/nowhere/at/all"]).0, 2);
    assert_eq!(crate::cli::run(&["diff", "-", "-"]).0, 2);
}

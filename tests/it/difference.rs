//! `POST /v1/diff` and `overfold diff`: what is considered a difference, how it is shown, and what is rejected.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use crate::http::{Answer, app, post_to, send};
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;

pub(crate) async fn diff(body: &Value) -> Answer {
    post_to("/v1/diff", "application/json", body.to_string()).await
}

pub(crate) async fn diff_as(accept: &str, body: &Value) -> Answer {
    let request = Request::post("/v1/diff").header("content-type", "application/json").header("accept", accept);
    send(&app(), request.body(Body::from(body.to_string())).unwrap()).await
}

/// Describes each change in one line.
pub(crate) fn lines(changes: &[Value]) -> Vec<String> {
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

/// Returns two bundles that together contain every kind of difference.
fn example() -> Value {
    json!({
        "before": {"stage": "load", "files": {
            "main.tf": "resource \"a\" \"b\" {\n  x = \"one\"\n  y = 1\n\n  s {\n    z = 1\n  }\n}\n\nlocals {\n  gone = true\n}\n\nlocals {\n  walks = 1\n}\n",
            "override.tf": "resource \"a\" \"b\" {\n  x = \"two\"\n}\n",
        }},
        "after": {"stage": "load", "files": {
            "main.tf": "resource \"a\" \"b\" {\n  x = \"one\"\n  y = 1 | 2\n\n  s {\n    z = 2\n  }\n}\n\nvariable \"new\" {\n  default = \"`|<b>\"\n}\n",
            "other.tf": "locals {\n  walks = 1\n}\n",
            "override.tf": "resource \"a\" \"b\" {\n  y = 3\n}\n",
        }},
    })
}

/// Compares a text with a golden file. With `OVERFOLD_GOLDEN=write` in the environment the file is rewritten.
pub(crate) fn is_golden(name: &str, found: &str) {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    if std::env::var("OVERFOLD_GOLDEN").is_ok_and(|mode| mode == "write") {
        fs::write(path, found).unwrap();
    } else {
        assert!(
            fs::read_to_string(path).unwrap_or_default() == found,
            "{name} is not what is answered now:\n{found}"
        );
    }
}

/// Checks that `tests/golden/diff/NAME.json`, `.md` and `.txt` are the answers to a request.
pub(crate) async fn are_golden(name: &str, request: &Value) {
    for (accept, extension) in [("application/json", "json"), ("text/markdown", "md"), ("text/plain", "txt")] {
        let answer = diff_as(accept, request).await;
        assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
        assert!(answer.header("content-type").starts_with(accept));
        let found = match extension {
            "json" => format!("{:#}\n", answer.json()),
            _ => String::from_utf8(answer.body).unwrap(),
        };
        is_golden(&format!("tests/golden/diff/{name}.{extension}"), &found);
    }
}

#[tokio::test]
async fn golden_answers() {
    are_golden("example", &example()).await;
}

/// The comment in each dialect, for native and JSON syntax, with a secret, and with texts that would be Markdown.
#[tokio::test]
async fn the_comment_is_golden_in_every_dialect() {
    let declared = |secret: &str| {
        let sensitive =
            "variable \"p\" {\n  sensitive = true\n  default   = \"SECRET\"\n}\n".replace("SECRET", secret);
        format!("{sensitive}locals {{\n  a = \"@team | `code` <b> #{} **x**\"\n}}\n", secret.len())
    };
    let old = |value: &str| format!("variable \"v\" {{\n  default = \"{value}\"\n}}\n");
    let json = |value: &str| json!({"locals": {"b": value, "@team|<i>": "`"}}).to_string();
    let policy = |value: &str| format!("policy \"p|@x\" {{\n  source = \"{value}\"\n}}\n");
    let both = |native: String, json: String| json!({"main.tf": native, "more.tf.json": json});
    let cases = [
        ("terraform", both(declared("hunter2"), json("1")), both(declared("hunter23"), json("2"))),
        ("opentofu", both(declared("hunter2"), json("1")), both(declared("hunter23"), json("2"))),
        ("tflint", both(declared("hunter2"), json("1")), both(declared("hunter23"), json("2"))),
        (
            "terraform-0.11",
            both(old("@x|y"), json!({"variable": {"w": {"default": "1"}}}).to_string()),
            both(old("z"), json!({"variable": {"w": {"default": "2"}}}).to_string()),
        ),
        ("sentinel", json!({"sentinel.hcl": policy("a")}), json!({"sentinel.hcl": policy("b")})),
    ];
    let mut all = String::new();
    for (dialect, before, after) in cases {
        let side = |files: Value| json!({"dialect": dialect, "stage": "load", "files": files});
        let answer = diff_as("text/markdown", &json!({"before": side(before), "after": side(after)})).await;
        let text = String::from_utf8(answer.body).unwrap();
        assert!(!text.contains("hunter2"), "{text}");
        writeln!(all, "<!-- {dialect} -->\n{text}").unwrap();
    }
    is_golden("tests/golden/diff/dialects.md", &all);
}

/// A long list is collapsed, and the closing tag is always present, however early the comment is cut.
#[tokio::test]
async fn a_long_list_is_collapsed() {
    let locals = |count: usize, value: &str| {
        let lines = (0..count).map(|at| format!("  a{at:04} = \"{value}{}\"\n", "x".repeat(60)));
        json!({"stage": "load", "files": {"main.tf": format!("locals {{\n{}}}\n", lines.collect::<String>())}})
    };
    for (count, is_long) in [(20, false), (21, true), (700, true)] {
        let body = json!({"before": locals(count, "1"), "after": locals(count, "2")});
        let text = String::from_utf8(diff_as("text/markdown", &body).await.body).unwrap();
        assert_eq!(text.contains(&format!("\n| `local` | {count} changed |\n")), is_long, "{text}");
        let rest = format!(
            "\n  - `value`: `\"1{0}\"` → `\"2{0}\"` (`main.tf:21`)\n\n<details><summary>More changes ({1})</summary>\n\n- `local.a0020`\n",
            "x".repeat(60),
            count.max(20) - 20
        );
        assert_eq!(text.contains(&rest), is_long, "{text}");
        assert_eq!(text.matches("</details>").count(), usize::from(is_long));
        assert!(text.chars().count() <= 65_536);
    }
}

#[tokio::test]
async fn fail_on_applies_to_the_side_that_sets_it() {
    let (bad, fine) = (json!({"main.tf": "a =\n"}), json!({"main.tf": ""}));
    let warns = json!({"main.tf": "resource \"a\" \"b\" {\n  depends_on = [\"a.c\"]\n}\n"});
    let side = |files: &Value, gate: Option<&str>| {
        let mut side = json!({"stage": "load", "files": files});
        if let Some(gate) = gate {
            side["fail_on"] = json!(gate);
        }
        side
    };
    for (before, after, status) in [
        (side(&bad, None), side(&bad, None), 200),
        (side(&bad, Some("error")), side(&fine, None), 422),
        (side(&fine, None), side(&bad, Some("error")), 422),
        (side(&bad, None), side(&fine, Some("error")), 200),
        (side(&fine, Some("error")), side(&warns, Some("error")), 200),
        (side(&fine, Some("error")), side(&warns, Some("warning")), 422),
    ] {
        for recursive in [false, true] {
            let (mut before, mut after) = (before.clone(), after.clone());
            before["recursive"] = json!(recursive);
            after["recursive"] = json!(recursive);
            let body = json!({"before": before, "after": after});
            for accept in ["application/json", "text/markdown", "text/plain"] {
                let answer = diff_as(accept, &body).await;
                assert_eq!(answer.status, status, "{accept} {body}");
                assert!(answer.header("content-type").starts_with(accept));
            }
        }
    }
}

#[tokio::test]
async fn the_prefix_is_added_to_file_names() {
    let body = json!({
        "before": {"stage": "load", "files": {"a/main.tf": "locals {\n  x = 1\n}\n"}, "root": "a", "path_prefix": "infra/prod"},
        "after": {"stage": "load", "files": {"a/main.tf": "locals {\n  x = 1\n}\n", "a/override.tf": "locals {\n  x = 2\n  y = 1\n}\n"},
                  "root": "a", "path_prefix": "infra/prod"},
    });
    let answer = diff(&body).await.json();
    let part = &answer["changes"][0]["parts"][0];
    assert_eq!(part["before"]["range"]["filename"], "infra/prod/a/main.tf", "{answer:#}");
    assert_eq!(part["after"]["range"]["filename"], "infra/prod/a/override.tf");
    assert_eq!(part["override"], json!({"after": "infra/prod/a/override.tf"}));
    assert_eq!(answer["diagnostics"]["after"][0]["range"]["filename"], "infra/prod/a/override.tf");
    for accept in ["text/markdown", "text/plain"] {
        let text = String::from_utf8(diff_as(accept, &body).await.body).unwrap();
        assert!(text.contains("infra/prod/a/override.tf:2") && text.contains("infra/prod/a/main.tf:2"), "{text}");
    }
}

/// The limits apply to the contents of both sides together.
#[tokio::test]
async fn limits_apply_to_both_sides_together() {
    const FORM: &str = "multipart/form-data; boundary=XX";
    let mut settings = Settings::for_testing();
    settings.limits.request.max_entries = 3;
    settings.limits.body.max_unpacked_bytes = 8000;
    let app = router(&AppState::new(settings));
    let ask = async |media: &str, body: Vec<u8>| {
        let request = Request::post("/v1/diff").header("content-type", media);
        send(&app, request.body(Body::from(body)).unwrap()).await
    };
    let json = |before: &Value, after: &Value| {
        json!({"before": {"stage": "load", "files": before}, "after": {"stage": "load", "files": after}})
            .to_string()
            .into_bytes()
    };
    let two = json!({"a.tf": "", "b.tf": ""});
    assert_eq!(ask("application/json", json(&two, &json!({"a.tf": ""}))).await.status, 200);
    let problem = ask("application/json", json(&two, &two)).await.problem(413, "over-limit");
    assert_eq!((&problem["limit"]["name"], &problem["pointer"]), (&json!("max-entries"), &json!("/after/files")));
    assert_eq!(problem["limit"]["value"], 3);
    let packed = |text: &str| {
        let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        std::io::Write::write_all(&mut writer, &tar(&[("a.tf", text)])).unwrap();
        writer.finish().unwrap()
    };
    let (small, large) = (packed(""), packed(&format!("# {}\n", "x".repeat(5000))));
    let pair = |before: &[u8], after: &[u8]| form(&[("before", before), ("after", after)]);
    assert_eq!(ask(FORM, pair(&large, &small)).await.status, 200);
    let problem = ask(FORM, pair(&large, &large)).await.problem(413, "over-limit");
    assert_eq!((&problem["limit"]["name"], &problem["pointer"]), (&json!("max-unpacked-bytes"), &json!("/after")));
    // Files that both sides share count once.
    let body = json!({"before": {"stage": "load", "files": two}, "after": {"stage": "load", "version": "1.5"}})
        .to_string()
        .into_bytes();
    assert_eq!(ask("application/json", body).await.status, 200);
}

/// The examples in the OpenAPI document are valid requests with their answers.
#[tokio::test]
async fn golden_examples_of_the_document() {
    let document: Value = serde_json::from_str(&overfold_cli::api::openapi_json()).unwrap();
    let [operation, report] = ["/v1/diff", "/v1/diff/report"].map(|path| &document["paths"][path]["post"]);
    assert_eq!(operation["requestBody"]["content"], report["requestBody"]["content"]);
    let requests = operation["requestBody"]["content"]["application/json"]["examples"].as_object().unwrap();
    let mut patch = json!({});
    for (name, request) in requests {
        for media in ["application/json", "text/markdown", "text/plain"] {
            let answer = diff_as(media, &request["value"]).await;
            assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
            let (path, answered) = match media {
                "application/json" => ("/v1/diff", answer.json()),
                _ => ("/v1/diff/report", json!(String::from_utf8(answer.body).unwrap())),
            };
            patch["paths"][path]["post"]["responses"]["200"]["content"][media]["examples"][name]["value"] = answered;
        }
    }
    is_golden("src/api/routes/openapi/answers/diff.json", &format!("{patch:#}\n"));
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
async fn secrets_are_compared_and_never_shown() {
    let side = |default: &str, sensitive: bool| {
        let mark = if sensitive { "  sensitive = true\n" } else { "" };
        json!({"stage": "load", "files": {"main.tf": format!("variable \"p\" {{\n{mark}  default = \"{default}\"\n}}\n")}})
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
async fn impossible_comparisons_are_refused_with_their_place() {
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
            400,
            "bad-option",
            Some("/after/recursive"),
        ),
        (
            json!({"before": {"files": files}, "after": {"recursive": true}}),
            400,
            "bad-option",
            Some("/after/recursive"),
        ),
        (
            json!({"before": {"files": files, "include": ["config"]}, "after": {}}),
            400,
            "bad-option",
            Some("/before/include"),
        ),
        (
            json!({"before": {"files": files}, "after": {"config_format": "hcl"}}),
            400,
            "bad-option",
            Some("/after/config_format"),
        ),
        (json!({"before": {"files": files}, "after": {"paths": ["a.tf"]}}), 400, "bad-option", Some("/after/paths")),
        (json!({"before": {"files": files, "expand": true}, "after": {}}), 400, "bad-option", Some("/before/expand")),
        (
            json!({"before": {"files": files, "path_prefix": "../x"}, "after": {}}),
            400,
            "bad-path",
            Some("/before/path_prefix"),
        ),
        (
            json!({"before": {"files": files}, "after": {"fail_on": "note"}}),
            400,
            "bad-option",
            Some("/after/fail_on"),
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

pub(crate) fn tar(files: &[(&str, &str)]) -> Vec<u8> {
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

pub(crate) fn form(parts: &[(&str, &[u8])]) -> Vec<u8> {
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
    let rows = text.lines().filter(|line| line.starts_with("  - `value`: ")).count();
    let end = format!("\n</details>\n\n{} more entries are not shown.\n\n<sub>overfold ", 3000 - rows);
    assert!(text.contains(&end), "{rows}");
}

#[test]
fn the_command_reports_differences_by_its_exit_code() {
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
    assert!(out.starts_with("### No effective changes\n\n<sub>overfold "), "{out}");
    let (code, out, _) = crate::cli::run(&["diff", one, other, "--format", "text"]);
    assert_eq!(code, 1);
    assert!(out.starts_with("~ local.a (main.tf:2)\n    ~ value: 1 (main.tf:2) -> 2 (main.tf:2)\n"), "{out}");
    assert_eq!(crate::cli::run(&["diff", one, "/nowhere/at/all"]).0, 2);
    assert_eq!(crate::cli::run(&["diff", "-", "-"]).0, 2);
    for flags in [["--include", "config"], ["--config-format", "hcl"]] {
        let (code, _, message) = crate::cli::run(&["diff", one, other, flags[0], flags[1]]);
        assert!(code == 2 && message.contains("does not apply to a difference"), "{code} {message}");
    }
    let (code, out, _) = crate::cli::run(&["diff", one, other, "--format", "text", "--path-prefix", "infra/a"]);
    assert!(code == 1 && out.starts_with("~ local.a (infra/a/main.tf:2)\n"), "{out}");
}

#[test]
fn the_command_fails_on_findings_of_either_side_on_request() {
    let folder = |text: &str| {
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("main.tf"), text).unwrap();
        folder
    };
    let (bad, fine) = (folder("a =\n"), folder("locals {\n  a = 1\n}\n"));
    let warns = folder("resource \"a\" \"b\" {\n  depends_on = [\"a.c\"]\n}\n");
    let [bad, fine, warns] = [&bad, &fine, &warns].map(|folder| folder.path().to_str().unwrap());
    for (before, after, gate, code) in [
        (bad, bad, None, 0),
        (bad, bad, Some("error"), 3),
        (bad, fine, Some("error"), 3),
        (fine, bad, Some("error"), 3),
        (fine, warns, Some("error"), 1),
        (fine, warns, Some("warning"), 3),
        (fine, fine, Some("warning"), 0),
    ] {
        for tree in [false, true] {
            let mut args = vec!["diff", before, after];
            args.extend(gate.iter().flat_map(|gate| ["--fail-on", gate]));
            args.extend(tree.then_some("--recursive"));
            let (found, out, _) = crate::cli::run(&args);
            assert_eq!(found, code, "{args:?}");
            assert!(serde_json::from_str::<Value>(&out).is_ok(), "{out}");
        }
    }
}

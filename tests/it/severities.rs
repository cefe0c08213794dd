//! The option `severities`: how serious findings are shown and taken to be, in every form of an answer, over HTTP and
//! on the command line; and what it never changes.

use axum::body::Body;
use axum::http::Request;
use overfold_cli::output::FORMATS;
use serde_json::{Value, json};

use crate::cli;
use crate::difference::{form, tar};
use crate::http::{Answer, app, post_to, send};

/// An override that silently loses the encryption of a disk, and one that replaces another kind of setting.
const FILES: &[(&str, &str)] = &[
    (
        "main.tf",
        "terraform {\n  backend \"s3\" {}\n}\nresource \"aws_instance\" \"web\" {\n  ami = \"a\"\n  root_block_device {\n    encrypted = true\n  }\n}\n",
    ),
    (
        "x_override.tf",
        "terraform {\n  cloud {\n    organization = \"o\"\n  }\n}\nresource \"aws_instance\" \"web\" {\n  root_block_device {\n    volume_size = 8\n  }\n}\n",
    ),
];
const LOST: &str = "override/content-lost";
const DISPLACED: &str = "override/setting-displaced";
const MISFIT: &[(&str, &str)] = &[("main.tf", "locals {\n  a = 1\n  a = 2\n}\n")];

fn request(files: &[(&str, &str)], options: &Value) -> Value {
    let files: serde_json::Map<String, Value> =
        files.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
    let mut request = json!({"stage": "load", "files": files});
    request.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
    request
}

async fn ask(path: &str, accept: &str, request: &Value) -> Answer {
    let head = Request::post(path).header("content-type", "application/json").header("accept", accept);
    send(&app(), head.body(Body::from(request.to_string())).unwrap()).await
}

async fn merged(files: &[(&str, &str)], options: Value) -> Answer {
    ask("/v1/merge", "application/json", &request(files, &options)).await
}

/// Returns a word for each finding in a form, in its order.
fn words(format: &str, body: &str) -> Vec<String> {
    let document = || serde_json::from_str::<Value>(body).unwrap();
    let each = |list: &Value, key: &str| -> Vec<String> {
        list.as_array().unwrap().iter().map(|one| one[key].as_str().unwrap().to_owned()).collect()
    };
    let lines = |starts: &[&str]| -> Vec<String> {
        let found = body.lines().filter_map(|line| starts.iter().find(|start| line.starts_with(**start)));
        found.map(|start| start.trim_end().to_owned()).collect()
    };
    match format {
        "sarif" => {
            let document = document();
            let rules = &document["runs"][0]["tool"]["driver"]["rules"];
            let results = each(&document["runs"][0]["results"], "level");
            for (result, level) in document["runs"][0]["results"].as_array().unwrap().iter().zip(&results) {
                let rule = &rules[usize::try_from(result["ruleIndex"].as_u64().unwrap()).unwrap()];
                assert_eq!(rule["defaultConfiguration"]["level"], **level, "{document:#}");
            }
            results
        }
        "rdjson" => each(&document()["diagnostics"], "severity"),
        "github-annotations" => each(&document(), "annotation_level"),
        "gitlab-codequality" => each(&document(), "severity"),
        "junit" => {
            body.split("<failure type=\"").skip(1).map(|rest| rest.split('"').next().unwrap().to_owned()).collect()
        }
        "text" => lines(&["error: ", "warning: ", "note: "]),
        "github-commands" => lines(&["::error ", "::warning ", "::notice "]),
        _ => unreachable!("a new format: {format}"),
    }
}

#[tokio::test]
async fn every_form_shows_the_severity_that_is_asked_for() {
    for format in FORMATS {
        let of = |severity: usize| match (format.name, severity) {
            ("junit", 0) => "error",
            ("junit", 1) => "warning",
            ("junit", _) => "info",
            ("text", number) => ["error:", "warning:", "note:"][number],
            (_, number) => format.severities[number].trim_matches('`'),
        };
        for (level, expected) in [("error", Some(0)), ("warning", Some(1)), ("info", Some(2)), ("off", None)] {
            for extra in [json!({}), json!({"recursive": true})] {
                let mut options = json!({"severities": {LOST: level, DISPLACED: "off"}, "fail_on": "info"});
                options.as_object_mut().unwrap().extend(extra.as_object().unwrap().clone());
                let answer = ask("/v1/merge", format.media_type, &request(FILES, &options)).await;
                let body = String::from_utf8(answer.body.clone()).unwrap();
                let expected: Vec<_> = expected.iter().map(|number| of(*number).to_owned()).collect();
                assert_eq!(words(format.name, &body), expected, "{} {level}: {body}", format.name);
                assert_eq!(answer.status, if level == "off" { 200 } else { 422 }, "{} {level}", format.name);
            }
        }
    }
}

#[tokio::test]
async fn fail_on_looks_at_the_severity_that_is_shown() {
    for (level, gate, status) in [
        ("error", "error", 422),
        ("warning", "error", 200),
        ("warning", "warning", 422),
        ("info", "warning", 200),
        ("info", "info", 422),
        ("off", "info", 200),
    ] {
        let options = json!({"severities": {"override/*": level}, "fail_on": gate});
        let mut tree = options.clone();
        tree["recursive"] = json!(true);
        for options in [&options, &tree] {
            let request = request(FILES, options);
            assert_eq!(ask("/v1/merge", "*/*", &request).await.status, status, "{options}");
            let side = json!({"before": &request, "after": &request});
            assert_eq!(ask("/v1/diff", "*/*", &side).await.status, status, "{options}");
            let line = ask("/v1/batch", "*/*", &request).await;
            assert_eq!(line.status, 415);
            let line = post_to("/v1/batch", "application/x-ndjson", request.to_string()).await.json();
            assert_eq!(line["status"], status, "{options}");
        }
        let folder = cli::folder(FILES);
        let severity = format!("override/*={level}");
        for extra in [&[][..], &["--recursive"]] {
            let args = [&["merge", cli::path(&folder), "--severity", &severity, "--fail-on", gate], extra].concat();
            assert_eq!(cli::run(&args).0, i32::from(status == 422), "{args:?}");
        }
    }
}

#[tokio::test]
async fn differences_and_versions_show_it_too() {
    let options = json!({"severities": {LOST: "error", DISPLACED: "off"}});
    let after = request(FILES, &options);
    let before = request(&FILES[..1], &options);
    let answer = ask("/v1/diff", "application/json", &json!({"before": before, "after": after})).await.json();
    let found = &answer["diagnostics"];
    assert_eq!((&found["appeared"], found["after"].as_array().unwrap().len()), (&json!([0]), 1), "{found:#}");
    assert_eq!(
        (&found["after"][0]["severity"], &found["after"][0]["default_severity"]),
        (&json!("error"), &json!("warning"))
    );
    assert_eq!(answer["after"]["valid"], true);
    let text = ask("/v1/diff", "text/plain", &json!({"before": before, "after": after})).await;
    let text = String::from_utf8_lossy(&text.body).into_owned();
    let markdown = ask("/v1/diff", "text/markdown", &json!({"before": before, "after": after})).await;
    let markdown = String::from_utf8_lossy(&markdown.body).into_owned();
    for text in [text, markdown] {
        assert!(
            text.contains("error: Override loses part of the original block") || text.contains("+1 diagnostic"),
            "{text}"
        );
        assert!(!text.contains(DISPLACED), "{text}");
    }

    let duplicate = merged(MISFIT, json!({})).await.json()["diagnostics"][0]["code"].as_str().unwrap().to_owned();
    for (level, gate, status) in
        [("error", "error", 422), ("warning", "error", 200), ("warning", "warning", 422), ("off", "info", 200)]
    {
        let options = json!({"severities": {(&duplicate): level}, "fail_on": gate});
        let answer = ask("/v1/compatibility", "*/*", &request(MISFIT, &options)).await;
        assert_eq!(answer.status, status, "{options}");
        let answer = answer.json();
        let first = &answer["tools"][0];
        assert_eq!((&answer["loads"], &first["ranges"][0]["loads"]), (&json!(false), &json!(false)));
        let shown: Vec<_> = first["diagnostics"].as_array().unwrap().iter().map(|one| &one["severity"]).collect();
        assert_eq!(shown, vec![level; usize::from(level != "off")]);
    }
}

#[tokio::test]
async fn it_can_be_given_in_every_way() {
    let expected = merged(FILES, json!({"severities": {LOST: "error", "override/*": "off"}})).await.json();
    let archive = tar(FILES);
    for query in [
        "severities=%7B%22override/content-lost%22:%22error%22,%22override/*%22:%22off%22%7D",
        "severities=override/content-lost=error,override/*=off",
        "severities=override/*=off&severities=override/content-lost=off&severities=override/content-lost=error",
        "severities=override%2Fcontent-lost%3Derror%2Coverride%2F*%3Doff",
    ] {
        let path = format!("/v1/merge?stage=load&{query}");
        let answer = post_to(&path, "application/x-tar", archive.clone()).await;
        assert_eq!(answer.json()["diagnostics"], expected["diagnostics"], "{query}");
    }
    let options = json!({"stage": "load", "severities": {LOST: "error", "override/*": "off"}}).to_string();
    let parts = form(&[("archive", &archive), ("options", options.as_bytes())]);
    let answer = post_to("/v1/merge", "multipart/form-data; boundary=XX", parts).await.json();
    assert_eq!(answer["diagnostics"], expected["diagnostics"]);
    let folder = cli::folder(FILES);
    let many = [
        "--severity",
        "override/*=off",
        "--severity",
        "override/content-lost=off",
        "--severity",
        "override/content-lost=error",
    ];
    for flags in [&many[..], &["--severity", "override/content-lost=error,override/*=off"]] {
        let (code, out, err) = cli::run(&[&["merge", cli::path(&folder)], flags].concat());
        let answer: Value = serde_json::from_str(&out).unwrap();
        assert_eq!((code, &answer["diagnostics"], &answer["valid"]), (1, &expected["diagnostics"], &json!(true)));
        assert!(err.starts_with("error: Override loses part of the original block"), "{err}");
    }
    let mut command = cli::overfold();
    command.args(["merge", cli::path(&folder)]).env("OVERFOLD_SEVERITY", "override/*=off");
    let output = command.output().unwrap();
    assert_eq!((output.status.code(), output.stderr.as_slice()), (Some(0), &[][..]));
    for (command, code) in [("diff", 3), ("compatibility", 0)] {
        let args = [command, cli::path(&folder), "--severity", "override/content-lost=error", "--fail-on", "error"];
        assert_eq!(cli::run(&args).0, code, "{command}");
    }
}

#[tokio::test]
async fn names_that_do_not_exist_are_refused_with_a_suggestion() {
    for (severities, code, pointer, said) in [
        (
            json!({"content-lost": "off"}),
            "bad-severity",
            "/severities/content-lost",
            "Did you mean \"override/content-lost\"?",
        ),
        (
            json!({"override/content-lots": "off"}),
            "bad-severity",
            "/severities/override~1content-lots",
            "Did you mean \"override/content-lost\"?",
        ),
        (json!({"overide/*": "off"}), "bad-severity", "/severities/overide~1*", "Did you mean \"override/*\"?"),
        (json!({LOST: "warn"}), "bad-severity", "/severities/override~1content-lost", "Did you mean \"warning\"?"),
        (json!({LOST: "fatal"}), "bad-severity", "/severities/override~1content-lost", "error, warning, info, off"),
        (json!({"*": "off"}), "bad-severity", "/severities/*", "stands for no codes"),
        (json!({LOST: null}), "bad-option", "/severities/override~1content-lost", ""),
        (json!([]), "bad-option", "/severities", ""),
        (json!("off"), "bad-option", "/severities", ""),
        (json!(null), "bad-option", "/severities", ""),
    ] {
        let problem = merged(FILES, json!({"severities": severities})).await.problem(400, code);
        assert_eq!(problem["pointer"], pointer, "{problem}");
        assert!(problem["detail"].as_str().unwrap().contains(said), "{problem}");
    }
    let twice = r#"{"files": {}, "severities": {"load/*": "off", "load/*": "off"}}"#;
    post_to("/v1/merge", "application/json", twice).await.problem(400, "duplicate-key");
    let side = json!({"before": request(FILES, &json!({})), "after": {"severities": {"x/*": "off"}}});
    let problem = ask("/v1/diff", "*/*", &side).await.problem(400, "bad-severity");
    assert_eq!(problem["pointer"], "/after/severities/x~1*");
    let archive = tar(FILES);
    for query in ["severities=load", "severities=%7B", "severities=load/*"] {
        let answer = post_to(&format!("/v1/merge?{query}"), "application/x-tar", archive.clone()).await;
        assert_eq!(answer.status, 400, "{query}");
    }
    let folder = cli::folder(FILES);
    for (flag, said) in [
        ("content-lost=off", "Did you mean \"override/content-lost\"?"),
        ("override/content-lost=warn", "Did you mean \"warning\"?"),
        ("override/content-lost", "CODE=LEVEL"),
    ] {
        let (code, out, err) = cli::run(&["merge", cli::path(&folder), "--severity", flag]);
        assert_eq!((code, out.as_str()), (2, ""), "{flag}");
        assert!(err.contains(said), "{err}");
    }
}

#[tokio::test]
async fn it_is_bounded_and_part_of_the_tag() {
    let many: serde_json::Map<String, Value> = (0..1001).map(|n| (format!("load/x{n}"), json!("off"))).collect();
    let problem = merged(FILES, json!({"severities": many})).await.problem(400, "bad-severity");
    assert_eq!(problem["pointer"], "/severities");
    let long = "x".repeat(100_000);
    for severities in [json!({(&long): "off"}), json!({LOST: long}), json!({(format!("{long}/*")): "off"})] {
        let answer = merged(FILES, json!({"severities": severities})).await;
        assert!(answer.body.len() < 2000);
        answer.problem(400, "bad-severity");
    }
    let tag =
        async |severities: Value| merged(FILES, json!({"severities": severities})).await.header("etag").to_owned();
    let off = tag(json!({LOST: "off"})).await;
    assert_ne!(off, tag(json!({LOST: "error"})).await);
    assert_ne!(off, tag(json!({DISPLACED: "off"})).await);
    assert_ne!(off, tag(json!({})).await);
    assert_eq!(off, tag(json!({LOST: "off"})).await);
}

//! The formats in which diagnostics are returned alone, for a whole repository: over HTTP and on the command line.

use std::collections::BTreeSet;
use std::fs;

use axum::body::Body;
use axum::http::Request;
use overfold_cli::output::{DiagnosticFormat, FORMATS};
use serde_json::{Value, json};

use crate::cli;
use crate::difference::is_golden;
use crate::http::{app, send};

/// A repository: the same error in two modules, a call with a missing argument, a warning, a note, and a module without
/// findings.
const FILES: &[(&str, &str)] = &[
    ("main.tf", "module \"a\" {\n  source = \"./modules/a\"\n}\n"),
    ("modules/a/main.tf", "variable \"needed\" {}\n\nlocals {\n  x = 1\n  x = 2\n}\n"),
    ("modules/b/main.tf", "variable \"v\" {}\n\nlocals {\n  x = 1\n  x = 2\n}\n"),
    ("modules/c d/main.tf", "resource \"terraform_data\" \"a\" {\n  depends_on = [\"terraform_data.b\"]\n}\n"),
    ("modules/fine/main.tf", "locals {\n  x = 1\n}\n"),
    ("modules/fine/x_override.tf", "locals {\n  x = 2\n}\n"),
];

fn request() -> Value {
    let files: serde_json::Map<String, Value> =
        FILES.iter().map(|(name, text)| ((*name).to_owned(), json!(text))).collect();
    json!({"stage": "load", "files": files, "recursive": true, "path_prefix": "infra/50% live", "version": "1.11.4"})
}

async fn in_form(format: &DiagnosticFormat, request: &Value) -> String {
    let head = Request::post("/v1/merge").header("content-type", "application/json");
    let head = head.header("accept", format.media_type);
    let answer = send(&app(), head.body(Body::from(request.to_string())).unwrap()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    String::from_utf8(answer.body).unwrap()
}

fn readable(format: &DiagnosticFormat, text: &str) -> String {
    if format.is_json() {
        return format!("{:#}\n", serde_json::from_str::<Value>(text).unwrap());
    }
    format!("{}\n", text.trim_end_matches('\n'))
}

/// `tests/golden/diagnostics-recursive/<form>.<extension>` is the output of the service and of the command line for
/// [`FILES`].
#[tokio::test]
async fn every_form_matches_the_golden_files() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in FILES {
        let path = folder.path().join(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    for format in FORMATS {
        let made = readable(format, &in_form(format, &request()).await);
        is_golden(&format!("tests/golden/diagnostics-recursive/{}.{}", format.name, format.extension), &made);
        if format.name == "text" {
            continue;
        }
        let options = ["--recursive", "--path-prefix", "infra/50% live", "--version", "1.11.4"];
        let (code, out, _) = cli::run(&[&["merge", path, "--format", format.name], &options[..]].concat());
        assert_eq!((code, readable(format, &out)), (1, made), "{}", format.name);
    }
}

/// Identical findings in two modules have different fingerprints, which stay the same when another module is added.
#[tokio::test]
async fn fingerprints_differ_between_modules() {
    let gitlab = FORMATS.iter().find(|format| format.name == "gitlab-codequality").unwrap();
    let prints = async |request: &Value| -> Vec<(String, String)> {
        let found: Value = serde_json::from_str(&in_form(gitlab, request).await).unwrap();
        let list = found.as_array().unwrap().iter();
        let text = |one: &Value, pointer: &str| one.pointer(pointer).unwrap().as_str().unwrap().to_owned();
        list.map(|one| (text(one, "/location/path"), text(one, "/fingerprint"))).collect()
    };
    let first = prints(&request()).await;
    let unique: BTreeSet<&String> = first.iter().map(|(_, print)| print).collect();
    assert_eq!(unique.len(), first.len(), "{first:#?}");
    for module in ["a", "b"] {
        let file = format!("infra/50% live/modules/{module}/main.tf");
        assert!(first.iter().any(|(path, _)| *path == file), "{first:#?}");
    }
    let mut more = request();
    more["files"]["modules/0/main.tf"] = more["files"]["modules/a/main.tf"].clone();
    let second = prints(&more).await;
    assert!(first.iter().all(|one| second.contains(one)), "{first:#?} {second:#?}");
    // A single module has the same fingerprints.
    let mut one = request();
    one["recursive"] = json!(false);
    one["root"] = json!("modules/b");
    let alone = prints(&one).await;
    assert!(!alone.is_empty() && alone.iter().all(|one| first.contains(one)), "{alone:#?} {first:#?}");
}

/// In a JUnit report, warnings are failures if the request fails on them.
#[tokio::test]
async fn warnings_fail_in_junit_on_request() {
    let junit = FORMATS.iter().find(|format| format.name == "junit").unwrap();
    let warning = |text: &str| text.matches("<failure type=\"warning\"").count();
    let made = in_form(junit, &request()).await;
    assert_eq!(warning(&made), 0);
    assert!(made.contains("<system-out>warning: "), "{made}");
    let mut files = request();
    files["files"] = json!({"modules/c/main.tf": FILES[3].1});
    files["fail_on"] = json!("warning");
    let head = Request::post("/v1/merge").header("content-type", "application/json");
    let head = head.header("accept", junit.media_type);
    let answer = send(&app(), head.body(Body::from(files.to_string())).unwrap()).await;
    assert_eq!((answer.status.as_u16(), warning(&String::from_utf8_lossy(&answer.body))), (422, 1));
}

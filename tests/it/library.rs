//! The library says what the service says, byte for byte.

use std::fs;
use std::path::Path;

use axum::http::StatusCode;
use overfold::{ErrorKind, Merge, Plan, Source};
use serde_json::json;

use crate::http::post_to;

/// Returns the files of a folder, if all of them are text.
fn files(folder: &Path) -> Option<Vec<(String, String)>> {
    fn add(folder: &Path, prefix: &str, files: &mut Vec<(String, String)>) -> Option<()> {
        for entry in fs::read_dir(folder).ok()? {
            let entry = entry.ok()?;
            let name = format!("{prefix}{}", entry.file_name().to_str()?);
            match entry.file_type().ok()? {
                kind if kind.is_dir() => add(&entry.path(), &format!("{name}/"), files)?,
                kind if kind.is_file() => files.push((name, fs::read_to_string(entry.path()).ok()?)),
                _ => return None,
            }
        }
        Some(())
    }
    let mut found = Vec::new();
    add(folder, "", &mut found)?;
    found.sort();
    Some(found)
}

/// Returns the inputs of every `step`th recorded case of a suite.
fn inputs(suite: &str, step: usize) -> Vec<Vec<(String, String)>> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance").join(suite);
    let mut cases: Vec<_> = fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path().join("input")).collect();
    cases.sort();
    cases.iter().step_by(step).filter_map(|input| files(input)).filter(|files| !files.is_empty()).collect()
}

#[tokio::test]
async fn merges_are_those_of_the_service() {
    let mut compared = 0;
    for suite in ["terraform", "validate", "variables"] {
        for files in inputs(suite, 4) {
            let source = Source::from_files(files.clone()).unwrap();
            let object: serde_json::Map<_, _> = files.into_iter().map(|(path, text)| (path, text.into())).collect();
            let include = ["config", "objects", "variables", "overrides"];
            for with_values in [false, true] {
                let mut request = json!({"files": object, "include": include});
                let mut merge = Merge::new();
                if with_values {
                    request["variables"] =
                        json!({"env": {"TF_VAR_a": "1"}, "args": [{"name": "b", "value": [1.50]}]});
                    merge = merge.environment("TF_VAR_a", "1").variable("b", json!([1.50]));
                }
                let answer = post_to("/v1/merge", "application/json", request.to_string()).await;
                match merge.run(&source) {
                    Ok(report) => {
                        assert_eq!(answer.status, StatusCode::OK, "{suite}");
                        assert_eq!(report.to_json().as_bytes(), answer.body, "{suite}");
                        assert_eq!(json!(report.is_valid()), answer.json()["valid"]);
                        compared += 1;
                    }
                    Err(error) => {
                        assert!(answer.status != StatusCode::OK && error.kind() != ErrorKind::Form, "{error}");
                    }
                }
            }
        }
    }
    assert!(compared > 100, "{compared}");
}

#[tokio::test]
async fn plans_are_those_of_the_service() {
    let mut compared = 0;
    for files in inputs("plan", 9) {
        let source = Source::from_files(files.clone()).unwrap();
        let object: serde_json::Map<_, _> = files.into_iter().map(|(path, text)| (path, text.into())).collect();
        let request = json!({"files": object, "unset_variables": "unknown", "timestamp": "2026-01-31T12:00:00Z"});
        let answer = post_to("/v1/plan", "application/json", request.to_string()).await;
        let plan = Plan::new().unset_variables_are_unknown().timestamp("2026-01-31T12:00:00Z").run(&source);
        let Ok(plan) = plan else {
            assert_ne!(answer.status, StatusCode::OK);
            continue;
        };
        assert_eq!((answer.status, plan.to_json().as_bytes()), (StatusCode::OK, &*answer.body));
        let instances = answer.json()["plan"]["resource_changes"].as_array().map_or(0, Vec::len);
        assert_eq!(plan.resources().len(), instances);
        compared += 1;
    }
    assert!(compared > 20, "{compared}");
}

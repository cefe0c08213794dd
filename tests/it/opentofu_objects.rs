//! Objects of the dialect `opentofu` that no recorded case covers (opentofu.md, sections 5, 7 and 10; details missing
//! there were taken from the tool's code).

mod provider_references;
mod resources;
mod variables_and_outputs;

use serde_json::{Value, json};

use crate::http::post;

/// The last release of each series.
pub(crate) const SERIES: [&str; 7] = ["1.6", "1.7", "1.8", "1.9", "1.10", "1.11", "1.12"];

pub(crate) async fn ask(version: &str, files: &[(&str, &str)]) -> Value {
    ask_as("opentofu", version, files).await
}

async fn ask_as(dialect: &str, version: &str, files: &[(&str, &str)]) -> Value {
    let files: serde_json::Map<String, Value> =
        files.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
    let request = json!({"stage": "load", "files": files, "dialect": dialect, "version": version, "include": ["config", "objects", "files"]});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

fn lines(answer: &Value, origin: &str) -> Vec<String> {
    let mut out = Vec::new();
    for found in answer["diagnostics"].as_array().unwrap() {
        if found["origin"] != *origin {
            continue;
        }
        let (range, title) = (&found["range"], found["summary"].as_str().unwrap());
        let warning = if found["severity"] == "warning" { "warning: " } else { "" };
        let Some(name) = range["filename"].as_str() else {
            out.push(format!("{warning}{title}"));
            continue;
        };
        let (start, end) = (&range["start"], &range["end"]);
        let end = if start["line"] == end["line"] {
            end["column"].to_string()
        } else {
            format!("{}:{}", end["line"], end["column"])
        };
        out.push(format!("{name}:{}:{}-{end} {warning}{title}", start["line"], start["column"]));
    }
    out
}

/// Returns `FILE:LINE:COLUMN-END TITLE` for everything that the tool reports, in order.
pub(crate) fn reported(answer: &Value) -> Vec<String> {
    lines(answer, "tool")
}

/// Returns the same for our notes.
pub(crate) fn notes(answer: &Value) -> Vec<String> {
    lines(answer, "overfold")
}

/// Returns what the tool reports for a single primary file.
pub(crate) async fn of_main(version: &str, main: &str) -> Vec<String> {
    reported(&ask(version, &[("main.tf", main)]).await)
}

/// Returns what the tool reports for a single JSON file.
pub(crate) async fn of_json(version: &str, main: &str) -> Vec<String> {
    reported(&ask(version, &[("main.tf.json", main)]).await)
}

fn expression<'a>(answer: &'a Value, address: &str, name: &str) -> &'a str {
    answer["module"]["objects"][address]["attributes"][name]["expression"].as_str().unwrap_or("none")
}

/// Returns the expressions of the lifecycle block, as `NAME=EXPRESSION`.
fn lifecycle(answer: &Value, address: &str) -> Vec<String> {
    let blocks = answer["module"]["objects"][address]["blocks"].as_array().cloned().unwrap_or_default();
    blocks
        .iter()
        .filter(|block| block["type"] == "lifecycle")
        .flat_map(|block| block["attributes"].as_object().unwrap().clone())
        .map(|(name, attribute)| format!("{name}={}", attribute["expression"].as_str().unwrap()))
        .collect()
}

/// Since 1.9 (opentofu.md, section 7.5).
#[tokio::test]
async fn instances_of_a_provider_outlive_what_uses_them() {
    let provider = |expr: &str| {
        format!(
            "provider \"a\" {{\n  alias    = \"x\"\n  for_each = {expr}\n}}\nvariable \"r\" {{\n  default = {{}}\n}}\n"
        )
    };
    let resource =
        |expr: &str, used: &str| format!("resource \"a_b\" \"c\" {{\n  for_each = {expr}\n  provider = {used}\n}}\n");
    let module =
        "module \"m\" {\n  source   = \"./m\"\n  for_each = var.r\n  providers = {\n    a = a.x[each.key]\n  }\n}\n";
    let title = "Provider configuration for_each matches";
    for (own, rest, wanted) in [
        ("var.r", resource("var.r", "a.x[each.key]"), Some("resource")),
        ("(var.r)", resource("var . r", "a.x[each.key]"), Some("resource")),
        (
            "toset(concat(keys(var.r), [\"a\"]))",
            resource("toset(concat(keys(var.r), [\"a\"]))", "a.x[each.key]"),
            Some("resource"),
        ),
        (
            "{ for k, v in var.r : k => v if k != \"\" }",
            resource("{for k, v in var.r : k => v if k != \"\"}", "a.x[each.key]"),
            Some("resource"),
        ),
        (
            "{ for k, v in var.r : k => v if k != \"\" }",
            resource("{for k, v in var.r : k => v}", "a.x[each.key]"),
            None,
        ),
        ("var.r", resource("var.r", "a.x[\"b\"]"), Some("resource")),
        ("var.r", resource("var.r", "a.x"), None),
        ("var.r", resource("var.s", "a.x[each.key]"), None),
        ("toset([\"a\"])", resource("toset([\"a\"])", "a.x[each.key]"), None),
        ("toset(keys(var.r)[*])", resource("toset(keys(var.r)[*])", "a.x[each.key]"), None),
        ("var.r", resource("var.r", "a.x[each.key]").replace("resource", "data"), None),
        ("var.r", module.to_owned(), Some("module")),
    ] {
        let text = provider(own) + &rest;
        for (version, holds) in [("1.8", false), ("1.9", true), ("1.12", true)] {
            let request = json!({"stage": "load", "files": {"main.tf": text, "m/main.tf": ""}, "dialect": "opentofu", "version": version});
            let answer = post("application/json", request.to_string()).await.json();
            let found: Vec<&str> = answer["diagnostics"]
                .as_array()
                .unwrap()
                .iter()
                .filter_map(|found| found["summary"].as_str().unwrap().strip_prefix(title))
                .map(str::trim)
                .collect();
            let wanted: Vec<&str> = wanted.filter(|_| holds).into_iter().collect();
            assert_eq!(found, wanted, "{version}: {text}: {answer:#}");
        }
    }
}

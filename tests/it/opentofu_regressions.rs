//! Differences that random modules revealed in the dialect `opentofu` when the tool's own loader read them too; each
//! test is one of these differences.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::http::post;

async fn ask(dialect: &str, main: &str) -> Value {
    let request = json!({"stage": "load", "files": {"main.tf": main}, "dialect": dialect, "include": ["objects"]});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns `LINE:COLUMN-COLUMN TITLE` for every diagnostic of the tool, one per line, in order.
fn reported(answer: &Value) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap().iter().filter(|found| found["origin"] == "tool") {
        let (start, end) = (&found["range"]["start"], &found["range"]["end"]);
        let title = found["summary"].as_str().unwrap();
        writeln!(out, "{}:{}-{} {title}", start["line"], start["column"], end["column"]).unwrap();
    }
    out
}

#[tokio::test]
async fn the_second_lifecycle_block_of_a_removed_block_is_not_read() {
    let main = "removed {\n  from = a.b\n  lifecycle {\n    destroy = false\n  }\n  lifecycle {\n    destroy = 1\n    nonsense = 1\n    more {}\n  }\n}\n";
    let answer = ask("opentofu", main).await;
    assert_eq!(reported(&answer), "6:3-12 Duplicate lifecycle block\n");
    let blocks = answer["module"]["objects"]["removed[0]"]["blocks"].as_array().unwrap();
    assert_eq!(blocks.len(), 2, "both are listed: {blocks:?}");
    assert_eq!(blocks[1]["attributes"]["destroy"]["expression"], "1");
}

//! The space for copies of overrides is counted as documented: expressions twice, plus a fixed amount for each block
//! and argument.

use serde_json::json;

use crate::changes::report;
use crate::http::post;

/// The space for all further copies, and the fixed amount for a block or an argument.
const ROOM: usize = 32 << 20;
const PART: usize = 256;
/// The number of copies after the first one.
const FURTHER: usize = 1024;
const EACH: usize = ROOM / FURTHER;

/// Whether every copy of the override fits.
fn fits(base: &str, over: &str) -> bool {
    report("tflint", &[("main.tf", base), ("override.tf", over)], |report| {
        !report.diagnostics.iter().any(|found| found.code.id == "override/copies-over-limit")
    })
}

/// Returns a quoted string with this many bytes.
fn text(bytes: usize) -> String {
    format!("\"{}\"", "x".repeat(bytes - 2))
}

#[test]
fn arguments_of_settings() {
    let base = "terraform {}\n".repeat(FURTHER + 1);
    let over = |bytes: usize| format!("terraform {{\n  a = {}\n}}\n", text(bytes));
    let most = (EACH - 2 * PART) / 2;
    assert!(fits(&base, &over(most)));
    assert!(!fits(&base, &over(most + 1)));
}

#[test]
fn blocks_in_settings_with_labels_and_arguments() {
    let base = "terraform {}\n".repeat(FURTHER + 1);
    let over = |label: &str, bytes: usize| {
        format!("terraform {{\n  backend \"{label}\" {{\n    a = {}\n  }}\n}}\n", text(bytes))
    };
    // The settings, the backend and its argument.
    let most = (EACH - 3 * PART - 4) / 2;
    assert!(fits(&base, &over("four", most)));
    assert!(!fits(&base, &over("fives", most)));
    assert!(!fits(&base, &over("four", most + 1)));
}

#[test]
fn entries_that_several_blocks_have() {
    let base = "locals {\n  a = 1\n}\n".repeat(FURTHER + 1);
    let over = |bytes: usize| format!("locals {{\n  a = {}\n}}\n", text(bytes));
    let most = (EACH - PART) / 2;
    assert!(fits(&base, &over(most)));
    assert!(!fits(&base, &over(most + 1)));
}

#[test]
fn arguments_of_blocks_in_a_resource() {
    let base = |count: usize| format!("resource \"a\" \"t\" {{\n{}}}\n", "  lifecycle {}\n".repeat(count));
    let over = |bytes: usize| format!("resource \"a\" \"t\" {{\n  lifecycle {{\n    a = {}\n  }}\n}}\n", text(bytes));
    let most = (EACH - 2 * PART) / 2;
    assert!(fits(&base(FURTHER + 1), &over(most)));
    assert!(!fits(&base(FURTHER + 1), &over(most + 1)));
}

/// Values that expansion adds to an override are copied as well.
#[tokio::test]
async fn values_of_an_expansion() {
    let base = format!("resource \"a\" \"t\" {{\n  count = 1\n{}}}\n", "  lifecycle {}\n".repeat(2_000));
    let fits = async |items: usize| {
        let over = format!(
            "resource \"a\" \"t\" {{\n  count = 1\n  lifecycle {{\n    x = range(count.index + {items})\n  }}\n}}\n"
        );
        let request = json!({
            "stage": "load", "files": {"main.tf": base, "override.tf": over}, "dialect": "tflint", "expand": true, "include": ["objects"],
        });
        let answer = post("application/json", request.to_string()).await;
        assert_eq!(answer.status, 200);
        !answer.json()["diagnostics"].to_string().contains("override/copies-over-limit")
    };
    assert!(fits(10).await);
    assert!(!fits(1_000).await);
}

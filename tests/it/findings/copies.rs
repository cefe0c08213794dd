//! The room for copies of overrides is counted as it is documented: text twice, and a fixed part for each block and argument.

use crate::changes::report;

/// What all further copies may take, and what a block or an argument takes beside its text.
const ROOM: usize = 32 << 20;
const PART: usize = 256;
/// Copies beside the first one.
const FURTHER: usize = 1024;
const EACH: usize = ROOM / FURTHER;

/// Whether every copy of the override fits.
fn fits(base: &str, over: &str) -> bool {
    report("tflint", &[("main.tf", base), ("override.tf", over)], |report| {
        !report.diagnostics.iter().any(|found| found.code.id == "override/copies-over-limit")
    })
}

/// A string in quotes of so many bytes.
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
    // One block alone is no copy.
    assert!(fits("terraform {}\n", &over(ROOM)));
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
    assert!(fits("locals {\n  a = 1\n}\n", &over(ROOM)));
    assert!(fits("locals {\n  a = 1\n}\nlocals {\n  b = 1\n}\n", &over(ROOM)));
}

#[test]
fn arguments_of_blocks_in_a_resource() {
    let base = |count: usize| format!("resource \"a\" \"t\" {{\n{}}}\n", "  lifecycle {}\n".repeat(count));
    let over = |bytes: usize| format!("resource \"a\" \"t\" {{\n  lifecycle {{\n    a = {}\n  }}\n}}\n", text(bytes));
    let most = (EACH - 2 * PART) / 2;
    assert!(fits(&base(FURTHER + 1), &over(most)));
    assert!(!fits(&base(FURTHER + 1), &over(most + 1)));
    assert!(fits(&base(1), &over(ROOM)));
}

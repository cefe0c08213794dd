//! A small request cannot cause much time or space to be used: without limits these would not end, or not fit.

use std::fmt::Write as _;

use serde_json::json;

use super::{directly, noted, plain, reported};

#[test]
fn copies_beyond_the_limit_are_refused_block_by_block() {
    let doubled = "  dynamic \"d\" {\n    for_each = [1, 2]\n    content {\n".repeat(40) + &"    }\n  }\n".repeat(40);
    let text = format!(
        "resource \"a\" \"huge\" {{\n  count = 1000000000\n}}\nresource \"a\" \"heavy\" {{\n  count = 100000\n  x = 1\n  y = 2\n  z = 3\n}}\n\
         module \"m\" {{\n  for_each = toset([for i in range(1000) : tostring(i)])\n  dynamic \"d\" {{\n    for_each = range(1000)\n    content {{\n      v = d.value\n    }}\n  }}\n}}\n\
         data \"a\" \"doubled\" {{\n  n = 1\n{doubled}}}\n\
         resource \"a\" \"fine\" {{\n  count = 2\n}}\n"
    );
    let answer = directly(true, &json!({"main.tf": text}));
    assert_eq!(
        plain(&answer),
        "data a doubled { n=1; }\nresource a fine { count=2 -> 2; }\nresource a fine { count=2 -> 2; }\n"
    );
    let reported = reported(&answer, "overfold");
    assert_eq!(reported.matches("error Expansion limit exceeded").count(), 4, "{reported}");
    assert!(answer["diagnostics"].to_string().contains("expansion-bytes"));
}

#[test]
fn one_override_into_many_blocks_is_bounded() {
    let mut over = String::new();
    for i in 0..2_000 {
        writeln!(over, "terraform {{\n  a{i} = 1\n  backend \"b\" {{}}\n}}").unwrap();
    }
    let answer = noted(&json!({"main.tf": "terraform {}\n".repeat(2_000), "override.tf": over}));
    assert_eq!(reported(&answer, "overfold").matches("error Too many copies of an override").count(), 1);
    assert!(answer["diagnostics"].to_string().contains("copies-bytes"));
    // Ordinary numbers are far below the limit.
    let few = directly(
        false,
        &json!({"main.tf": "terraform {}\n".repeat(50), "override.tf": "terraform {\n  a = 1\n  backend \"b\" {}\n}\n".repeat(20)}),
    );
    assert_eq!(few["diagnostics"], json!([]));
    assert_eq!(plain(&few), "terraform { a=1; backend b { } }\n".repeat(50));
}

#[test]
fn many_overrides_are_merged_in_linear_time() {
    let mut base = String::new();
    let mut over = String::new();
    for i in 0..3_000 {
        writeln!(
            base,
            "moved {{}}\nlocals {{\n  a{i} = 1\n}}\nresource \"a\" \"r{i}\" {{\n  lifecycle {{}}\n  disk {{}}\n}}"
        )
        .unwrap();
        writeln!(over, "moved {{\n  b{i} = 1\n}}\nlocals {{\n  a{i} = 2\n  c{i} = 1\n}}\nresource \"a\" \"r{i}\" {{\n  disk {{}}\n}}").unwrap();
        writeln!(over, "resource \"a\" \"r0\" {{\n  x{i} = 1\n  disk {{}}\n  lifecycle {{\n    y{i} = 1\n  }}\n}}")
            .unwrap();
    }
    let answer = noted(&json!({"main.tf": base, "a_override.tf": over, "b_override.tf": over}));
    assert_eq!(answer["valid"], true);
}

#[test]
fn deep_and_long_inputs_are_accepted() {
    let deep = format!("resource \"a\" \"b\" {{\n  count = 1\n{}{}}}\n", "x {\n".repeat(40), "}\n".repeat(40));
    let labels = format!("widget {}{{}}\n", "\"a\" ".repeat(20_000));
    let mut chain = String::from("locals {\n");
    for i in 0..20_000 {
        writeln!(chain, "  l{i} = local.l{}", i + 1).unwrap();
    }
    chain.push_str("  l20000 = 2\n}\nresource \"a\" \"c\" {\n  count = local.l0\n}\n");
    let answer = directly(true, &json!({"a.tf": deep, "b.tf": labels, "c.tf": chain}));
    assert_eq!(reported(&answer, "tool"), "");
    assert_eq!(answer["module"]["content"].as_array().unwrap().len(), 5);
}

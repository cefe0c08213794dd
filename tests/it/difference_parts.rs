//! What a comparison considers a difference beyond the values of arguments: labels that are not in an address, the form
//! of a part, the order of objects; and that a long value is cut so that its difference is visible.

use std::collections::BTreeMap;

use overfold_cli::dialect::{AddressRule, BlockSpec, BodyRule, Kinds};
use serde_json::{Map, Value, json};

use crate::difference::{diff, diff_as, lines};

async fn compared(dialect: &str, before: Value, after: Value) -> Value {
    let side = |files: Value| json!({"dialect": dialect, "files": files});
    let answer = diff(&json!({"before": side(before), "after": side(after)})).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let answer = answer.json();
    assert!(answer["changes"].is_array());
    answer
}

async fn changes(dialect: &str, before: Value, after: Value) -> Vec<String> {
    let answer = compared(dialect, before, after).await;
    lines(answer["changes"].as_array().unwrap())
}

fn main(text: &str) -> Value {
    json!({"main.tf": text})
}

fn main_json(value: &Value) -> Value {
    json!({"main.tf.json": value.to_string()})
}

// Labels.

#[tokio::test]
async fn the_type_of_a_backend_is_part_of_the_comparison() {
    let native = |kind: &str| main(&format!("terraform {{\n  backend \"{kind}\" {{\n    bucket = \"b\"\n  }}\n}}\n"));
    let json = |kind: &str| main_json(&json!({"terraform": {"backend": {kind: {"bucket": "b"}}}}));
    for dialect in ["terraform", "opentofu", "terraform-0.11"] {
        for (before, after) in [
            (native("s3"), native("gcs")),
            (native("s3"), json("gcs")),
            (json("s3"), native("gcs")),
            (json("s3"), json("gcs")),
        ] {
            let answer = compared(dialect, before, after).await;
            assert_eq!(answer["different"], true, "{dialect}");
            assert_eq!(lines(answer["changes"].as_array().unwrap()), ["changed terraform.backend changed type"]);
            let part = &answer["changes"][0]["parts"][0];
            assert_eq!(part["part"], "label");
            assert_eq!(
                (&part["before"]["expression"], &part["after"]["expression"]),
                (&json!("\"s3\""), &json!("\"gcs\""))
            );
            assert!(part["before"]["pointer"].as_str().unwrap().starts_with("/terraform/"), "{part:#}");
            assert!(part["before"]["range"].is_object() && part["after"]["range"].is_object(), "{part:#}");
        }
    }
    // The type comes first, then the arguments.
    let before = "terraform {\n  backend \"s3\" {\n    a = 1\n    z = 1\n  }\n}\n";
    let after = "terraform {\n  backend gcs {\n    b = 1\n    z = 2\n  }\n}\n";
    assert_eq!(
        changes("terraform", main(before), main(after)).await,
        ["changed terraform.backend changed type, removed a, added b, changed z"]
    );
    // An override changes it.
    let mut overridden = native("s3");
    overridden["override.tf"] = native("gcs")["main.tf"].clone();
    let answer = compared("terraform", native("s3"), overridden).await;
    assert_eq!(lines(answer["changes"].as_array().unwrap()), ["changed terraform.backend changed type"]);
    assert_eq!(answer["changes"][0]["parts"][0]["override"], json!({"after": "override.tf"}));
    // Quotes make no difference.
    let bare = main("terraform {\n  backend s3 {\n    bucket = \"b\"\n  }\n}\n");
    assert_eq!(changes("terraform", native("s3"), bare).await, [""; 0]);
}

#[tokio::test]
async fn the_type_is_shown_to_people() {
    let side = |kind: &str| json!({"files": {"main.tf": format!("terraform {{\n  backend \"{kind}\" {{}}\n}}\n")}});
    let body = json!({"before": side("s3"), "after": side("gcs")});
    let text = String::from_utf8(diff_as("text/plain", &body).await.body).unwrap();
    assert!(text.contains("    ~ type (label): \"s3\" (main.tf:2) -> \"gcs\" (main.tf:2)\n"), "{text}");
    let text = String::from_utf8(diff_as("text/markdown", &body).await.body).unwrap();
    let entry = "- `terraform.backend`\n  - `type` label: `\"s3\"` → `\"gcs\"` (`main.tf:2`)\n";
    assert!(text.starts_with("### State moves to `gcs`\n") && text.contains(entry), "{text}");
}

/// Every label of every kind of object, in every table: another label is another object or a difference.
#[tokio::test]
async fn no_label_of_any_kind_of_object_goes_unnoticed() {
    let mut examined = BTreeMap::new();
    for dialect in overfold_cli::dialect::names() {
        let (versions, _) = overfold_cli::dialect::versions(dialect).unwrap();
        // The oldest and the newest table have every kind of object between them.
        for version in [versions.first(), versions.last()].into_iter().flatten() {
            let spec = overfold_cli::dialect::find(dialect, Some(version)).unwrap();
            let mut rows: Vec<(Option<&str>, &BlockSpec)> = Vec::new();
            for row in spec.blocks {
                rows.push((None, row));
                if row.address == AddressRule::None {
                    rows.extend(row.blocks.iter().map(|inner| (Some(row.keyword), inner)));
                }
            }
            let is_object = |row: &BlockSpec| {
                !matches!(row.body, BodyRule::Dropped | BodyRule::Refused { .. }) && !row.labels.is_empty()
            };
            for (holder, row) in rows.into_iter().filter(|(_, row)| is_object(row)) {
                let fixed = match row.kinds {
                    Kinds::ByFirstLabel { rows, .. } => rows.iter().map(|row| row.label).collect(),
                    Kinds::One => Vec::new(),
                };
                let label = |at: usize, name: &'static str| match (at, fixed.as_slice()) {
                    (0, [first, other, ..]) => {
                        if name == "x" {
                            other
                        } else {
                            first
                        }
                    }
                    _ => name,
                };
                for changed in 0..row.labels.len() {
                    let text = |name: &'static str| {
                        let labels: Vec<String> = (0..row.labels.len())
                            .map(|at| format!("\"{}\"", label(at, if at == changed { name } else { "same" })))
                            .collect();
                        let block = format!("{} {} {{\n}}\n", row.keyword, labels.join(" "));
                        holder.map_or_else(|| block.clone(), |holder| format!("{holder} {{\n{block}}}\n"))
                    };
                    let name = if dialect == "sentinel" { "sentinel.hcl" } else { "main.tf" };
                    let side = |text: String| json!({"dialect": dialect, "version": version, "files": {name: text}});
                    let body = json!({"before": side(text("w")), "after": side(text("x"))});
                    let answer = diff(&body).await.json();
                    let key = format!("{dialect} {} {}", row.keyword, row.labels[changed].name);
                    examined.insert(key.clone(), version.clone());
                    assert_eq!(answer["different"], true, "{key} {version}: {body} {answer:#}");
                }
            }
        }
    }
    assert!(examined.len() > 40, "{examined:#?}");
}

#[tokio::test]
async fn objects_of_different_kinds_with_one_address_are_different_objects() {
    let before = main("variable \"x\" {}\n");
    let after = main("resource \"var\" \"x\" {}\n");
    assert_eq!(changes("terraform", before, after).await, ["added var.x", "removed var.x"]);
    let before = main("resource \"a.b\" \"c\" {}\n");
    let after = main("resource \"a\" \"b.c\" {}\n");
    assert_eq!(
        changes("terraform", before.clone(), after.clone()).await,
        ["changed a.b.c changed type, changed name"]
    );
    assert_eq!(changes("tflint", before, after).await, ["added resource.a.b.c", "removed resource.a.b.c"]);
}

// Arguments and blocks.

#[tokio::test]
async fn a_block_that_becomes_an_argument_is_a_difference() {
    let object = |body: &str| main(&format!("resource \"t\" \"a\" {{\n{body}\n}}\n"));
    let block = object("m {\n  k = 1\n}");
    let cases: [(&str, &str, &str); 6] = [
        ("m {\n  k = 1\n}", "m = {\n  k = 1\n}", "changed t.a changed m"),
        ("m {\n  k = 1\n}", "m = [{\n  k = 1\n}]", "changed t.a changed m"),
        ("m {\n  k = 1\n}\nm {\n  k = 2\n}", "m = [{ k = 1 }, { k = 2 }]", "changed t.a changed m"),
        ("m {}", "m = {}", "changed t.a changed m"),
        ("o {\n  m {\n    k = 1\n  }\n}", "o {\n  m = {\n    k = 1\n  }\n}", "changed t.a changed o.m"),
        ("m {\n  k {\n    x = 1\n  }\n}", "m {\n  k = [{ x = 1 }]\n}", "changed t.a changed m.k"),
    ];
    for (was, is, expected) in cases {
        for dialect in ["terraform", "opentofu", "tflint"] {
            let expected =
                if dialect == "tflint" { expected.replace("t.a", "resource.t.a") } else { expected.into() };
            assert_eq!(changes(dialect, object(was), object(is)).await, [&*expected], "{dialect} {was} / {is}");
            assert_eq!(changes(dialect, object(is), object(was)).await, [&*expected], "{dialect} {is} / {was}");
        }
    }
    // In HCL 1, they are the same.
    assert_eq!(changes("terraform-0.11", block, object("m = {\n  k = 1\n}")).await, [""; 0]);
    let side = |files: Value| json!({"files": files});
    let body = json!({"before": side(object("m {\n  k = 1\n}")), "after": side(object("m = {\n  k = 1\n}"))});
    let text = String::from_utf8(diff_as("text/plain", &body).await.body).unwrap();
    assert!(text.contains("    ~ m: a block (main.tf:2) -> { k = 1 } (main.tf:2)\n"), "{text}");
    let text = String::from_utf8(diff_as("text/markdown", &body).await.body).unwrap();
    assert!(text.contains("  - `m`: a block → `{ k = 1 }` (`main.tf:2`)\n"), "{text}");
}

// Order.

#[tokio::test]
async fn the_order_of_blocks_without_a_name_is_no_difference() {
    let targets = "resource \"t\" \"b\" {}\nresource \"t\" \"d\" {}\n";
    let moved = |from: &str, to: &str| format!("moved {{\n  from = t.{from}\n  to   = t.{to}\n}}\n");
    let removed =
        |from: &str| format!("removed {{\n  from = t.{from}\n  lifecycle {{\n    destroy = false\n  }}\n}}\n");
    let import = |to: &str, id: &str| format!("import {{\n  to = t.{to}\n  id = \"{id}\"\n}}\n");
    let kinds = [
        (moved("a", "b"), moved("c", "d"), "moved"),
        (removed("e"), removed("f"), "removed"),
        (import("b", "1"), import("d", "2"), "import"),
    ];
    for (one, other, word) in kinds {
        for dialect in ["terraform", "opentofu", "tflint"] {
            let before = main(&format!("{targets}{one}{other}"));
            let swapped = main(&format!("{targets}{other}{one}"));
            assert_eq!(changes(dialect, before.clone(), swapped).await, [""; 0], "{dialect} {word}");
            // In other files, and formatted otherwise.
            let files = json!({"main.tf": format!("{targets}{other}"), "z.tf": one.replace(" = ", "=")});
            let answer = compared(dialect, before.clone(), files).await;
            assert_eq!(answer["different"], false, "{dialect} {word}: {answer:#}");
            let moves = answer["changes"].as_array().unwrap();
            assert_eq!((moves.len(), &moves[0]["change"]), (1, &json!("moved")), "{answer:#}");
            // Copies count.
            let twice = main(&format!("{targets}{one}{other}{one}"));
            let answer = compared(dialect, before.clone(), twice.clone()).await;
            assert_eq!(answer["counts"]["added"], 1, "{dialect} {word}: {answer:#}");
            let answer = compared(dialect, twice.clone(), main(&format!("{targets}{one}{one}{other}"))).await;
            assert_eq!(answer["changes"], json!([]), "{dialect} {word}");
            let answer = compared(dialect, twice, main(&format!("{targets}{one}{other}{other}"))).await;
            assert_eq!(answer["different"], true, "{dialect} {word}");
        }
    }
    // Also in JSON, and between the two syntaxes.
    let native = main(&format!("{targets}{}{}", moved("a", "b"), moved("c", "d")));
    let json = main_json(&json!({
        "resource": {"t": {"b": {}, "d": {}}},
        "moved": [{"from": "t.c", "to": "t.d"}, {"from": "t.a", "to": "t.b"}],
    }));
    assert_eq!(compared("terraform", native, json).await["different"], false);
}

#[tokio::test]
async fn numbered_addresses_belong_to_their_own_side() {
    let moved = |from: &str, to: &str| format!("moved {{\n  from = t.{from}\n  to   = t.{to}\n}}\n");
    let cases = [
        // The one about the same address is the one that changed.
        (vec![("a", "b"), ("c", "d")], vec![("c", "d"), ("a", "x")], vec!["changed moved[1] changed to"]),
        (vec![("a", "b"), ("c", "d")], vec![("x", "d"), ("a", "b")], vec!["changed moved[0] changed from"]),
        (vec![("a", "b"), ("c", "d"), ("e", "f")], vec![("e", "f"), ("c", "d")], vec!["removed moved[0]"]),
        (vec![("c", "d")], vec![("a", "b"), ("c", "d")], vec!["added moved[0]"]),
        (vec![("a", "b"), ("c", "d")], vec![("d", "e"), ("c", "d"), ("a", "b")], vec!["added moved[0]"]),
    ];
    for (before, after, expected) in cases {
        let text = |list: &[(&str, &str)]| list.iter().map(|(from, to)| moved(from, to)).collect::<String>();
        let answer = compared("terraform", main(&text(&before)), main(&text(&after))).await;
        assert_eq!(lines(answer["changes"].as_array().unwrap()), expected, "{before:?} / {after:?}");
        for change in answer["changes"].as_array().unwrap() {
            let side = if change["after"].is_object() { "after" } else { "before" };
            let number = change["address"].as_str().unwrap().replace("moved[", "/moved/").replace(']', "");
            assert_eq!(change[side]["pointer"], number, "{change:#}");
        }
    }
}

// Long values.

/// Returns the only value before and after the change, each with its place, in both forms for people.
async fn shown(before: Value, after: Value) -> Vec<(String, String)> {
    let body = json!({"before": {"files": before}, "after": {"files": after}});
    let text = String::from_utf8(diff_as("text/plain", &body).await.body).unwrap();
    let line = text.lines().find(|line| line.starts_with("    ~ ")).unwrap();
    let (_, values) = line.split_once(": ").unwrap();
    let (was, is) = values.split_once(" -> ").unwrap();
    let first = (was.to_owned(), is.to_owned());
    let text = String::from_utf8(diff_as("text/markdown", &body).await.body).unwrap();
    // The lines of a comment that differ, or its only line.
    let side = |sign: &str| {
        let lines = text.lines().filter_map(|line| line.strip_prefix(sign));
        lines.collect::<Vec<_>>().join("\n") + " (main.tf"
    };
    let second = match text.split_once("  - `value`: ").map(|(_, rest)| rest.split_once(" → ").unwrap()) {
        Some((was, is)) => (format!("{was} (main.tf"), is.lines().next().unwrap().replace(" (`main.tf", " (main.tf")),
        None => (side("    - "), side("    + ")),
    };
    vec![first, second]
}

fn without_place(cell: &str) -> &str {
    cell.split_once(" (main.tf").unwrap().0
}

#[tokio::test]
async fn before_and_after_never_look_the_same() {
    let long = "abcdefghi ".repeat(200);
    let list = |change: &str| {
        let mut lines: Vec<String> = (0..100).map(|at| format!("    \"item number {at}\",\n")).collect();
        lines[60] = format!("    {change},\n");
        format!("[\n{}  ]", lines.concat())
    };
    let quoted = |text: &str| format!("\"{text}\"");
    let cases = [
        (quoted(&format!("{long}a")), quoted(&format!("{long}b"))),
        (quoted(&format!("{long}a{long}")), quoted(&format!("{long}b{long}"))),
        (quoted(&format!("a{long}")), quoted(&format!("b{long}"))),
        (quoted(&long), quoted(&format!("{long}{long}"))),
        (list("80"), list("81")),
        (list("\"|\""), list("\"\\\\|\"")),
        (quoted(&format!("{long}``")), quoted(&format!("{long}```"))),
        (quoted(&format!("{long}a  b{long}")), quoted(&format!("{long}a b{long}"))),
        (quoted(&format!("{long}\u{200b}{long}")), quoted(&format!("{long}\u{200d}{long}"))),
        (format!("<<E\n{long}\n  x\nE\n"), format!("<<E\n{long}\n x\nE\n")),
        (quoted(&format!("{}1", "\\u00e9".repeat(300))), quoted(&format!("{}2", "\\u00e9".repeat(300)))),
        (quoted(&format!("{}1", "👩‍👩‍👧".repeat(300))), quoted(&format!("{}2", "👩‍👩‍👧".repeat(300)))),
        (quoted("a\\\\|"), quoted("a\\\\ |")),
    ];
    for (was, is) in cases {
        let local = |value: &str| main(&format!("locals {{\n  x = {value}\n}}\n"));
        for (before, after) in shown(local(&was), local(&is)).await {
            let (before, after) = (without_place(&before), without_place(&after));
            assert_ne!(before, after, "{was} / {is}");
            for side in [before, after] {
                assert!(!side.is_empty() && side.chars().count() < 220, "{side}");
            }
        }
    }
    let json = |value: &str| main_json(&json!({"locals": {"x": {"long": long, "port": value}}}));
    for (before, after) in shown(json("80"), json("81")).await {
        assert!(before.contains("80") && after.contains("81"), "{before} {after}");
    }
}

#[tokio::test]
async fn a_value_that_is_equal_in_the_text_only_says_so() {
    let files = |base: &str| {
        json!({
            "main.tf": format!("variable \"v\" {{\n  type = object({{ a = optional(string, \"{base}\") }})\n}}\n"),
            "override.tf": "variable \"v\" {\n  type = object({ a = optional(string) })\n}\n",
        })
    };
    let body = json!({"before": {"files": files("x")}, "after": {"files": files("y")}});
    for accept in ["text/plain", "text/markdown"] {
        let text = String::from_utf8(diff_as(accept, &body).await.body).unwrap();
        assert!(text.contains("(the same text with another value)"), "{text}");
    }
}

/// Paths are not cut so that two places look the same.
#[tokio::test]
async fn long_paths_remain_distinguishable() {
    let side = |name: &str| {
        json!({"files": {format!("{}{name}", "x".repeat(60)): "locals {\n  a = 1\n}\n"},
                                    "path_prefix": "deep/".repeat(20)})
    };
    let body = json!({"before": side("a.tf"), "after": side("b.tf")});
    let text = String::from_utf8(diff_as("text/markdown", &body).await.body).unwrap();
    assert!(text.contains("a.tf:2") && text.contains("b.tf:2"), "{text}");
}

#[tokio::test]
async fn a_comment_of_long_values_stays_within_its_limit() {
    let locals = |value: &str| {
        let lines = (0..300).map(|at| (format!("a{at}"), json!(format!("{}{value}`|`", "x|` ".repeat(40)))));
        main_json(&json!({"locals": Value::Object(lines.collect::<Map<_, _>>())}))
    };
    let body = json!({"before": {"files": locals("1")}, "after": {"files": locals("2")}});
    let text = String::from_utf8(diff_as("text/markdown", &body).await.body).unwrap();
    assert!(text.chars().count() <= 65_536 && text.chars().count() > 60_000, "{} {text:.300}", text.chars().count());
    let lines = |sign: &str| text.lines().filter_map(|line| line.strip_prefix(sign)).collect::<Vec<_>>();
    let (was, is) = (lines("    - "), lines("    + "));
    assert!(was.len() > 100 && was.len() == is.len(), "{}", was.len());
    assert!(was.iter().zip(is).all(|(was, is)| *was != is), "{text}");
}

//! Settings of the dialect `opentofu` that no recorded case covers (opentofu.md, sections 1 to 4, and the requirements
//! of opentofu.md, section 7.6).

mod encryption;
mod files_and_versions;
mod language;

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::http::post;

async fn answer(version: &str, files: Value) -> Value {
    let request = json!({"stage": "load", "files": files, "dialect": "opentofu", "version": version,
        "include": ["config", "objects", "files"]});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns `FILE:LINE:COLUMN TITLE` for the diagnostics of one origin, one per line, in order.
fn reported(answer: &Value, origin: &str) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap().iter().filter(|found| found["origin"] == origin) {
        let (range, title) = (&found["range"], found["summary"].as_str().unwrap());
        match range["filename"].as_str() {
            Some(name) => {
                writeln!(out, "{name}:{}:{} {title}", range["start"]["line"], range["start"]["column"]).unwrap();
            }
            None => writeln!(out, "{title}").unwrap(),
        }
    }
    out
}

/// Returns what the tool reports.
async fn says(version: &str, files: Value) -> String {
    reported(&answer(version, files).await, "tool")
}

fn object<'a>(answer: &'a Value, address: &str) -> &'a Value {
    &answer["module"]["objects"][address]
}

/// Returns the expression of each argument of the only block of a type, as `name = expression`, and those of its nested
/// blocks in braces.
fn outline(block: &Value) -> String {
    let mut parts: Vec<String> = block["attributes"]
        .as_object()
        .unwrap()
        .iter()
        .map(|(name, argument)| format!("{name} = {}", argument["expression"].as_str().unwrap_or("?")))
        .collect();
    for inner in block["blocks"].as_array().unwrap() {
        let mut header = inner["type"].as_str().unwrap().to_owned();
        for label in inner["labels"].as_array().unwrap() {
            write!(header, " {}", label.as_str().unwrap()).unwrap();
        }
        parts.push(format!("{header} {{{}}}", outline(inner)));
    }
    parts.join("; ")
}

#[tokio::test]
async fn backend_and_cloud_follow_their_precedence() {
    let backend = |path: &str| format!("terraform {{\n  backend \"local\" {{\n    path = \"{path}\"\n  }}\n}}\n");
    let cloud = |name: &str| format!("terraform {{\n  cloud {{\n    organization = \"{name}\"\n  }}\n}}\n");
    for version in ["1.6", "1.12"] {
        // One override with both: cloud wins, whatever their order.
        for text in [backend("o") + &cloud("o"), cloud("o") + &backend("o")] {
            let answer = answer(version, json!({"main.tf": backend("b"), "override.tf": text})).await;
            assert_eq!(reported(&answer, "tool"), "");
            assert!(object(&answer, "terraform.backend").is_null());
            assert_eq!(outline(object(&answer, "terraform.cloud")), "organization = \"o\"");
        }
        // Two of one kind in one override file: neither applies; the other kind in the same file does.
        let files = json!({"main.tf": backend("b"), "override.tf": cloud("x") + &cloud("y")});
        let two = answer(version, files).await;
        assert_eq!(reported(&two, "tool"), "override.tf:7:3 Duplicate cloud configurations\n");
        assert_eq!(outline(object(&two, "terraform.backend")), "path = \"b\"");
        let files = json!({"main.tf": cloud("b"), "override.tf": backend("x") + &backend("y") + &backend("z")});
        let three = answer(version, files).await;
        assert_eq!(reported(&three, "tool"), "override.tf:7:3 Duplicate backend configuration\n");
        assert_eq!(outline(object(&three, "terraform.cloud")), "organization = \"b\"");
        // A later file wins over an earlier one.
        let files = json!({"main.tf": "", "a_override.tf": cloud("a"), "b_override.tf": backend("z")});
        let later = answer(version, files).await;
        assert!(object(&later, "terraform.cloud").is_null());
        assert_eq!(outline(object(&later, "terraform.backend")), "path = \"z\"");
        // A base with both is an error, reported once for each file from there on; the override's is the result.
        let files = json!({"a.tf": backend("b"), "b.tf": cloud("b"), "c.tf": "", "override.tf": cloud("o")});
        let both = answer(version, files).await;
        let line = "a.tf:2:3 Both a backend and a cloud configuration are present\n";
        assert_eq!(reported(&both, "tool"), line.repeat(2));
        assert_eq!(outline(object(&both, "terraform.cloud")), "organization = \"o\"");
        assert!(object(&both, "terraform.backend").is_null());
    }
}

#[tokio::test]
async fn backend_arguments_are_templates_since_1_8() {
    // A literal string in native syntax must be written in JSON as the release reads it there.
    let files = json!({"main.tf": "terraform {\n  backend \"s3\" {\n    bucket = \"$${x}\"\n  }\n}\n"});
    for (version, wanted) in [("1.7", "${x}"), ("1.8", "$${x}")] {
        let answer = answer(version, files.clone()).await;
        assert_eq!(answer["module"]["config"]["terraform"][0]["backend"]["s3"][0]["bucket"], wanted, "{version}");
    }
}

#[tokio::test]
async fn a_faulty_required_providers_block_counts_since_patch_releases() {
    let files = json!({
        "a.tf": "terraform {\n  required_providers {\n    x = \"1.0\"\n    y {}\n  }\n}\n",
        "b.tf": "terraform {\n  required_providers {\n    z = \"1.0\"\n  }\n}\n",
    });
    for (version, counts) in [
        ("1.6", false),
        ("1.7.7", false),
        ("1.7.8", true),
        ("1.8.8", false),
        ("1.8.9", true),
        ("1.9.0", false),
        ("1.9.1", true),
        ("1.10.0", true),
        ("1.12", true),
    ] {
        let answer = answer(version, files.clone()).await;
        let mut wanted = "a.tf:4:5 Unexpected \"y\" block\n".to_owned();
        if counts {
            wanted += "b.tf:2:3 Duplicate required providers configuration\n";
        }
        assert_eq!(reported(&answer, "tool"), wanted, "{version}");
        assert!(object(&answer, "terraform.required_providers.x").is_null());
        assert_eq!(object(&answer, "terraform.required_providers.z").is_null(), counts, "{version}");
    }
}

#[tokio::test]
async fn a_faulty_provider_meta_block_is_dropped_since_1_10() {
    let files = json!({"main.tf": "terraform {\n  provider_meta \"a\" {\n    x = var.y\n  }\n  provider_meta \"B\" {\n  }\n  provider_meta \"c\" {\n    z {}\n  }\n}\n"});
    let wanted = "main.tf:3:9 Variables not allowed\nmain.tf:5:3 Invalid provider local name\nmain.tf:8:5 Unexpected \"z\" block\n";
    for (version, kept) in [("1.9", true), ("1.10", false)] {
        let answer = answer(version, files.clone()).await;
        assert_eq!(reported(&answer, "tool"), wanted, "{version}");
        for name in ["a", "B"] {
            let address = format!("terraform.provider_meta.{name}");
            assert_eq!(!object(&answer, &address).is_null(), kept, "{version} {name}");
        }
        assert!(object(&answer, "terraform.provider_meta.c").is_null());
    }
}

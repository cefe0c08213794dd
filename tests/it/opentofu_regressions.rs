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

/// A quoted reference is read with the tokens of the language. Its positions do not count escapes.
#[tokio::test]
async fn mistakes_inside_quoted_references() {
    for (text, wanted) in [
        ("git::https", "4:9-11 Invalid character\n4:5-17 "),
        ("aws == x", "4:10-12 Invalid character\n4:5-15 "),
        ("aws...", "4:9-12 Invalid character\n4:5-13 "),
        ("aws & x", "4:10-11 Unsupported operator\n4:10-11 Invalid character\n4:5-14 "),
        ("aws[1", "4:11-12 Unclosed index brackets\n4:5-12 "),
        ("aws[\\\"k", "4:12-13 Unterminated string literal\n4:12-13 Unclosed index brackets\n4:5-14 "),
        ("aws[\\\"a$${b}\\\"]", "4:12-14 Invalid string literal\n4:5-22 "),
        ("aws[1.5.2]", "4:10-15 Invalid number literal\n4:5-17 "),
        ("aws[\\\"k\\\"] ;", "4:15-16 Invalid character\n4:15-16 Invalid character\n4:5-19 "),
        ("aws.", "4:10-11 Attribute name required\n4:5-11 "),
        ("aws/*c*/.x\\n.y", "4:5-21 "),
    ] {
        let main = format!("module \"m\" {{\n  source = \"./m\"\n  depends_on = [\n    \"{text}\",\n  ]\n}}\n");
        let answer = ask("opentofu", &main).await;
        let wanted = format!("{wanted}Quoted references are deprecated\n");
        let sorted = |reported: &str| {
            let mut lines: Vec<String> = reported.lines().map(str::to_owned).collect();
            lines.sort();
            lines
        };
        assert_eq!(sorted(&reported(&answer)), sorted(&wanted), "{text}");
    }
}

/// Functions that only the fork has, and one that accepts more there.
#[tokio::test]
async fn functions_of_the_fork() {
    for (call, source) in [
        ("urldecode(\"%2E%2Fa+b\")", "./a b"),
        ("base64gunzip(base64gzip(\"./packed\"))", "./packed"),
        ("cidrcontains(\"10.0.0.0/8\", \"10.1.2.3\") ? \"./in\" : \"./out\"", "./in"),
        ("cidrcontains(\"10.0.0.0/8\", \"10.0.0.0/7\") ? \"./in\" : \"./out\"", "./out"),
        ("templatestring(\"./$${x}\", { x = \"y\" })", "./y"),
    ] {
        let main = format!("module \"m\" {{\n  source = {call}\n}}\n");
        let answer = ask("opentofu", &main).await;
        assert_eq!(reported(&answer), "", "{call}");
        assert_eq!(answer["module"]["objects"]["module.m"]["evaluated"]["source"], source, "{call}");
    }
    for call in ["urldecode(\"%2\")", "base64gunzip(\"YQ==\")", "cidrcontains(\"10.0.0.0/8\", \"::1\")"] {
        let main = format!("module \"m\" {{\n  source = {call}\n}}\n");
        let name = call.split('(').next().unwrap();
        let wanted = format!("2:12-{} Error in function call\n", 13 + name.len());
        assert_eq!(reported(&ask("opentofu", &main).await), wanted, "{call}");
    }
}

#[tokio::test]
async fn a_faulty_for_each_is_also_reported_for_its_type() {
    let main = "provider \"p\" {\n  alias = \"a\"\n  for_each = \"a\" ? 1 : 2\n}\n";
    let answer = ask("opentofu", main).await;
    let wanted =
        "3:14-17 Incorrect condition type\n3:14-25 Invalid for_each argument\n3:14-25 Invalid for_each argument\n";
    assert_eq!(reported(&answer), wanted);
}

/// The tool from which the language originates reports the same.
#[tokio::test]
async fn a_dot_in_a_key_of_a_required_provider() {
    let main = "terraform {\n  required_providers {\n    null = { aws.x = 1 }\n  }\n}\n";
    for dialect in ["opentofu", "terraform"] {
        assert_eq!(reported(&ask(dialect, main).await), "3:14-19 Ambiguous attribute key\n", "{dialect}");
    }
}

/// A null of the base's type that cannot be converted to the override's type is reported for both. The tool from which
/// the language originates does the same.
#[tokio::test]
async fn a_null_default_that_fits_neither_type_nor_nullable() {
    let main = "variable \"v\" {\n  type     = object({ a = string })\n  default  = null\n  nullable = false\n}\n";
    for (ty, count) in [("list(string)", 2), ("map(string)", 1)] {
        let over = format!("variable \"v\" {{\n  type = {ty}\n}}\n");
        for dialect in ["opentofu", "terraform"] {
            let request =
                json!({"stage": "load", "files": {"main.tf": main, "override.tf": over}, "dialect": dialect});
            let answer = post("application/json", request.to_string()).await.json();
            let reported = reported(&answer);
            let wanted = "1:1-13 Invalid default value for variable\n".repeat(count);
            assert_eq!(reported, format!("3:14-18 Invalid default value for variable\n{wanted}"), "{dialect} {ty}");
        }
    }
}

/// The namespace of providers that predate namespaces belongs to the tool's own registry.
#[tokio::test]
async fn the_old_namespace_of_providers() {
    for (dialect, own, other) in [
        ("opentofu", "registry.opentofu.org", "registry.terraform.io"),
        ("terraform", "registry.terraform.io", "registry.opentofu.org"),
    ] {
        let main = format!(
            "terraform {{\n  required_providers {{\n    a = {{ source = \"{own}/-/x\" }}\n    b = {{ source = \"-/x\" }}\n    c = {{ source = \"{other}/-/x\" }}\n  }}\n}}\n"
        );
        assert_eq!(reported(&ask(dialect, &main).await), "5:20-47 Invalid provider namespace\n", "{dialect}");
    }
}

#[tokio::test]
async fn a_requirement_with_an_invalid_name_is_dropped() {
    let main = "terraform {\n  required_providers {\n    x- = \"1\"\n    y  = \"newest\"\n  }\n}\n";
    let answer = ask("opentofu", main).await;
    assert_eq!(reported(&answer), "3:10-13 Invalid provider name\n4:10-18 Invalid version constraint\n");
    let names: Vec<&String> = answer["module"]["objects"].as_object().unwrap().keys().collect();
    assert_eq!(names, ["terraform.required_providers.y"]);
}

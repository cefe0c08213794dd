//! Loading and overriding in the dialect `terraform-0.11`, native and JSON. The specification says little of it
//! (variables.md, sections B1 and B5); the rest (terraform-0.11.md) is what the program, release 0.11.11, does.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::http::post;

async fn answer_of(files: Value, version: &str) -> Value {
    let request = json!({"files": files, "dialect": "terraform-0.11", "version": version, "include": ["config", "objects", "files"]});
    let answer = post("application/json", request.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

async fn answer(files: Value) -> Value {
    answer_of(files, "0.11.15").await
}

/// `FILE:LINE:COLUMN TITLE` of every diagnostic but notes, one a line; those of ours in brackets.
fn reported(answer: &Value) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] != "info") {
        let (range, title) = (&found["range"], found["summary"].as_str().unwrap());
        let (file, start) = (range["filename"].as_str().unwrap(), &range["start"]);
        let line = format!("{file}:{}:{} {title}", start["line"], start["column"]);
        match found["origin"].as_str().unwrap() {
            "tool" => writeln!(out, "{line}").unwrap(),
            _ => writeln!(out, "({line})").unwrap(),
        }
    }
    out
}

/// Content of the base that a replaced block does not repeat.
const LOST: &str = "override/content-lost";

/// Codes of the notes.
fn notes(answer: &Value) -> Vec<&str> {
    let all = answer["diagnostics"].as_array().unwrap().iter();
    all.filter(|found| found["severity"] == "info").map(|found| found["code"].as_str().unwrap()).collect()
}

fn config(answer: &Value) -> &Value {
    &answer["module"]["config"]
}

#[tokio::test]
async fn files_are_chosen_by_name_and_read_by_content() {
    let found = answer(json!({
        "a.tf": "{\"variable\": {\"a\": {}}}", "b.tf.json": "variable \"b\" {}\n", "x_override.tf": "variable \"a\" {}\n",
        "override.tf.json": "{}", ".h.tf": "x", "c.tf~": "x", "#d.tf#": "x", "overrides.tf": "", "terraform.tfvars": "a = 1\n",
    }))
    .await;
    assert_eq!(reported(&found), "");
    let files: Vec<String> = found["module"]["files"]
        .as_array()
        .unwrap()
        .iter()
        .map(|file| {
            let text = |name: &str| file[name].as_str().unwrap_or("-").to_owned();
            format!("{} {} {}", text("path"), text("role"), text("syntax"))
        })
        .collect();
    assert_eq!(
        files,
        [
            "a.tf primary json",
            "b.tf.json primary native",
            "overrides.tf primary native",
            "override.tf.json override json",
            "x_override.tf override native",
            "terraform.tfvars values native",
            "#d.tf# ignored -",
            ".h.tf ignored -",
            "c.tf~ ignored -",
        ]
    );
    assert_eq!(config(&found), &json!({"variable": {"a": {}, "b": {}}}));
}

#[tokio::test]
async fn every_block_type_is_read_alike_in_both_forms() {
    let native = r#"
        terraform { required_version = ">= 0.11" backend "s3" { bucket = "b" } }
        atlas { name = "x/y" }
        variable "v" { type = "map" default { a = "1" } description = "d" }
        locals { l = "${var.v}" m = { a = 1 } }
        output "o" { value = "${local.l}" sensitive = true }
        module "m" { source = "./m" providers { aws = "aws.w" } list = [1, "a"] }
        provider "aws" { alias = "w" region = "r" version = "~> 1.0" }
        resource "t" "r" {
          count = 2
          tags { Name = "n" }
          lifecycle { ignore_changes = ["tags"] }
          provisioner "local-exec" { command = "c" when = "destroy" }
        }
        data "t" "d" { x = 1.5 }
    "#;
    let json = r#"{
        "terraform": {"required_version": ">= 0.11", "backend": {"s3": {"bucket": "b"}}},
        "atlas": {"name": "x/y"},
        "variable": {"v": {"type": "map", "default": {"a": "1"}, "description": "d"}},
        "locals": {"l": "${var.v}", "m": {"a": 1}},
        "output": {"o": {"value": "${local.l}", "sensitive": true}},
        "module": {"m": {"source": "./m", "providers": {"aws": "aws.w"}, "list": [1, "a"]}},
        "provider": {"aws": {"alias": "w", "region": "r", "version": "~> 1.0"}},
        "resource": {"t": {"r": {
          "count": 2,
          "tags": {"Name": "n"},
          "lifecycle": {"ignore_changes": ["tags"]},
          "provisioner": [{"local-exec": {"command": "c", "when": "destroy"}}]
        }}},
        "data": {"t": {"d": {"x": 1.5}}}
    }"#;
    let (native, json) = (answer(json!({"m.tf": native})).await, answer(json!({"m.tf.json": json})).await);
    for found in [&native, &json] {
        assert_eq!(reported(found), "");
        let mut addresses: Vec<&String> = found["module"]["objects"].as_object().unwrap().keys().collect();
        addresses.sort();
        assert_eq!(
            addresses,
            [
                "atlas",
                "data.t.d",
                "local.l",
                "local.m",
                "module.m",
                "output.o",
                "provider.aws.w",
                "t.r",
                "terraform.backend",
                "terraform.required_version",
                "var.v"
            ]
        );
    }
    // What stands in braces is a block or an argument as it is written, which says the same.
    let same = |found: &Value| config(found).to_string().replace("[{\"Name\":\"n\"}]", "{\"Name\":\"n\"}");
    assert_eq!(same(&native), same(&json));
    assert_eq!(
        config(&native)["resource"]["t"]["r"]["provisioner"],
        json!([{"local-exec": {"command": "c", "when": "destroy"}}])
    );
}

#[tokio::test]
async fn what_is_answered_loads_again() {
    for text in [
        "locals { a = { x = { y = 1 } } b { z { w = true } } }\n",
        "output \"o\" { value = { a = { b = \"c\" } } }\n",
        "resource \"t\" \"r\" { tags = { a = 1 } }\nresource \"t\" \"s\" { x { a = 1 } x { a = 2 } }\n",
        "resource \"t\" \"r\" { lifecycle { prevent_destroy = true } }\nresource \"t\" \"s\" {}\n",
        "variable \"v\" { default = { a = { b = 1 } } }\nvariable \"w\" { default { a = 1 } default { b = 2 } }\n",
        "provider \"a\" { x = 1 }\nprovider \"a\" { alias = \"b\" }\nprovider \"a\" { alias = \"c\" y { z = 1 } }\n",
        "terraform { backend \"s3\" {} }\nmodule \"m\" { source = \"./m\" }\n",
        "data \"t\" \"r\" { l = [true, 0x10, 010, \"${a(\"b\")}\", \"\\u00e9\\n$${x}\"] }\n",
        "module \"m\" { source = \"./m\" h = <<E\na\n E\n}\n",
    ] {
        let first = answer(json!({"m.tf": text})).await;
        assert_eq!(reported(&first), "", "{text}");
        let again = answer(json!({"m.tf.json": config(&first).to_string()})).await;
        assert_eq!(reported(&again), "", "{text}");
        assert_eq!(notes(&again), Vec::<&str>::new(), "{text}");
        let addresses = |found: &Value| {
            let mut all: Vec<String> = found["module"]["objects"].as_object().unwrap().keys().cloned().collect();
            all.sort();
            all
        };
        assert_eq!(addresses(&first), addresses(&again), "{text}");
        assert_eq!(config(&first), config(&again), "{text}");
    }
}

#[tokio::test]
async fn what_is_wrong_with_a_file_is_reported_at_its_place() {
    for (text, wanted) in [
        (
            "variable \"x\" {\n  default = y\n}\n",
            "m.tf:2:13 Error parsing m.tf: At 2:13: Unknown token: 2:13 IDENT y\n",
        ),
        ("resources \"a\" \"b\" {}\n", "m.tf:1:1 Unknown root level key: resources\n"),
        ("x = 1\n", "m.tf:1:1 Unknown root level key: x\n"),
        // Names and labels.
        ("variable {}\n", "m.tf:1:10 1:10: \"variable\" must be followed by a name\n"),
        ("variable = 1\n", "m.tf:1:12 1:12: \"variable\" must be a configuration block\n"),
        ("module = {}\n", "m.tf:1:10 1:10: \"module\" must be followed by a name\n"),
        (
            "variable \"a\" \"b\" {}\n",
            "m.tf:1:14 position 1:14: 'variable' must be followed by exactly one strings: a name\n",
        ),
        (
            "variable \"a.b\" {}\n",
            "m.tf:1:10 position 1:10: 'variable' name must match regular expression: (?i)\\A[A-Z0-9_][A-Z0-9\\-\\_]*\\z\n",
        ),
        (
            "variable \"-a\" {}\n",
            "m.tf:1:10 position 1:10: 'variable' name must match regular expression: (?i)\\A[A-Z0-9_][A-Z0-9\\-\\_]*\\z\n",
        ),
        (
            "resource \"a\" {}\n",
            "m.tf:1:14 position 1:14: resource must be followed by exactly two strings, a type and a name\n",
        ),
        (
            "resource \"a\" \"b\" \"c\" {}\n",
            "m.tf:1:18 position 1:18: resource must be followed by exactly two strings, a type and a name\n",
        ),
        (
            "data \"a\" {}\n",
            "m.tf:1:10 position 1:10: 'data' must be followed by exactly two strings: a type and a name\n",
        ),
        (
            "module \"a b\" {\n  source = \"./m\"\n}\n",
            "m.tf:1:8 module \"a b\": module name must be a letter or underscore followed by only letters, numbers, dashes, and underscores\n",
        ),
        ("locals \"x\" {}\n", "m.tf:1:8 locals block at 1:8 should not have label x\n"),
        ("locals = 1\n", "m.tf:1:10 locals value at 1:10 should be a block\n"),
        ("locals {\n  a \"b\" {}\n}\n", "m.tf:2:9 local declaration at 2:9 may not be a block\n"),
        // Arguments.
        ("variable \"x\" {\n  nullable = true\n}\n", "m.tf:2:3 variable[x]: invalid key: nullable\n"),
        ("output \"x\" {\n  value = 1\n  a = 1\n}\n", "m.tf:3:3 output \"x\": invalid keys: a\n"),
        ("output \"x\" {}\n", "m.tf:1:1 output \"x\": missing required 'value' argument\n"),
        (
            "output \"x\" {\n  value = 1\n  sensitive = \"true\"\n}\n",
            "m.tf:3:15 output \"x\": value for 'sensitive' must be boolean\n",
        ),
        (
            "module \"m\" {\n  source = \"${var.x}\"\n}\n",
            "m.tf:2:12 module \"m\": module source cannot contain interpolations\n",
        ),
        ("provider \"p\" {\n  version = \"x\"\n}\n", "m.tf:2:13 Invalid provider version constraint\n"),
        ("resource \"t\" \"r\" {\n  count = \"x\"\n}\n", "m.tf:2:11 t.r: resource count must be an integer\n"),
        ("resource \"t\" \"r\" {\n  count = [1]\n}\n", "m.tf:2:11 Error parsing count for t[r]\n"),
        (
            "resource \"t\" \"r\" {\n  depends_on = [\"${t.s}\"]\n}\n",
            "m.tf:2:17 t.r: depends on value cannot contain interpolations: ${t.s}\n",
        ),
        (
            "resource \"t\" \"r\" {\n  lifecycle {\n    ignore_changes = [\"${t.s}\"]\n  }\n}\n",
            "m.tf:3:23 t.r: lifecycle ignore_changes cannot contain interpolations\n",
        ),
        ("resource \"t\" \"r\" {\n  lifecycle {\n    x = 1\n  }\n}\n", "m.tf:3:5 t[r]: invalid key: x\n"),
        (
            "resource \"t\" \"r\" {\n  lifecycle {}\n  lifecycle {}\n}\n",
            "m.tf:3:3 t[r]: Multiple lifecycle blocks found, expected one\n",
        ),
        (
            "resource \"t\" \"r\" {\n  provisioner \"p\" {\n    when = \"x\"\n  }\n}\n",
            "m.tf:3:12 position 3:12: 'provisioner' when must be 'create' or 'destroy'\n",
        ),
        (
            "resource \"t\" \"r\" {\n  provisioner \"p\" {\n    on_failure = \"x\"\n  }\n}\n",
            "m.tf:3:18 position 3:18: 'provisioner' on_failure must be 'continue' or 'fail'\n",
        ),
        (
            "resource \"t\" \"r\" {\n  provisioner {}\n}\n",
            "m.tf:2:15 2:15: \"provisioner\" must be followed by a name\n",
        ),
        ("data \"t\" \"r\" {\n  provisioner \"p\" {}\n}\n", "m.tf:2:3 data sources cannot have provisioners\n"),
        // Settings.
        ("terraform {}\nterraform {}\n", "m.tf:2:1 only one 'terraform' block allowed per module\n"),
        ("atlas {}\natlas {}\n", "m.tf:2:1 only one 'atlas' block allowed\n"),
        ("terraform {\n  backend \"a\" {}\n  backend \"b\" {}\n}\n", "m.tf:3:3 only one 'backend' block allowed\n"),
        (
            "terraform {\n  backend \"a\" {\n    x = \"${var.y}\"\n  }\n}\n",
            "m.tf:3:9 terraform.backend: configuration cannot contain interpolations\n",
        ),
        (
            "terraform {\n  required_version = \"${var.x}\"\n}\n",
            "m.tf:2:22 terraform.required_version: cannot contain interpolations\n",
        ),
        ("terraform {\n  required_version = \"x\"\n}\n", "m.tf:2:22 terraform.required_version: invalid syntax: x\n"),
        (
            "terraform {\n  required_version = \">= 0.12\"\n}\n",
            "m.tf:2:3 The currently running version of Terraform doesn't meet the version requirements explicitly specified by the configuration.\n",
        ),
        // The same thing twice.
        (
            "variable \"x\" {}\nvariable \"x\" {}\n",
            "m.tf:2:1 Variable 'x': duplicate found. Variable names must be unique.\n",
        ),
        (
            "locals {\n  x = 1\n}\nlocals {\n  x = 2\n}\n",
            "m.tf:5:3 x: duplicate local. local value names must be unique\n",
        ),
        ("locals {\n  x = 1\n  x = 2\n}\n", "m.tf:3:3 x: duplicate local. local value names must be unique\n"),
        (
            "output \"x\" {\n  value = 1\n}\noutput \"x\" {\n  value = 1\n}\n",
            "m.tf:4:1 output \"x\": an output of this name was already defined\n",
        ),
        (
            "module \"x\" {\n  source = \"./a\"\n}\nmodule \"x\" {\n  source = \"./a\"\n}\n",
            "m.tf:4:1 module \"x\": module repeated multiple times\n",
        ),
        ("resource \"t\" \"r\" {}\nresource \"t\" \"r\" {}\n", "m.tf:2:1 t.r: resource repeated multiple times\n"),
        ("data \"t\" \"r\" {}\ndata \"t\" \"r\" {}\n", "m.tf:2:1 data.t.r: resource repeated multiple times\n"),
        (
            "provider \"p\" {}\nprovider \"p\" {}\n",
            "m.tf:2:1 provider.p: multiple configurations present; only one configuration is allowed per provider\n",
        ),
        (
            "provider \"p\" {\n  alias = \"a\"\n}\nprovider \"p\" {\n  alias = \"a\"\n}\n",
            "m.tf:4:1 provider.p.a: multiple configurations present; only one configuration is allowed per provider\n",
        ),
        ("provider \"p\" {}\nprovider \"p\" {\n  alias = \"a\"\n}\n", ""),
        ("resource \"t\" \"r\" {}\ndata \"t\" \"r\" {}\n", ""),
    ] {
        assert_eq!(reported(&answer(json!({"m.tf": text})).await), wanted, "{text}");
    }
}

#[tokio::test]
async fn json_is_unfolded_as_the_tool_does() {
    for (text, wanted, addresses) in [
        // Nothing but objects in it: its parts become labels, and are put back.
        (r#"{"resource": {"t": {"r": {"lifecycle": {"prevent_destroy": true}}}}}"#, "", "t.r"),
        (r#"{"variable": {"v": {"default": {"a": 1}}}}"#, "", "var.v"),
        (r#"{"terraform": {"backend": {"s3": {"bucket": "b"}}}}"#, "", "terraform.backend"),
        (r#"{"provider": [{"a": {"x": 1}}, {"a": {"alias": "b"}}]}"#, "", "provider.a provider.a.b"),
        // Two such parts are two resources for the tool.
        (
            r#"{"resource": {"t": {"r": {"lifecycle": {}, "connection": {}}}}}"#,
            "m.tf.json:1:58 t.r: resource repeated multiple times\n",
            "t.r",
        ),
        // Not unfolded, because an array stands in the way.
        (
            r#"{"resource": {"t": {"r": [{"x": 1}]}}}"#,
            "m.tf.json:1:20 position 1:20: resource must be followed by exactly two strings, a type and a name\n",
            "",
        ),
        (
            r#"{"data": {"t": {"r": {"x": {"y": 1}}}}}"#,
            "m.tf.json:1:23 position 1:23: 'data' must be followed by exactly two strings: a type and a name\n",
            "",
        ),
        (r#"{"locals": {"a": {"b": 1}}}"#, "m.tf.json:1:13 locals block at 1:13 should not have label a\n", ""),
        (r#"{"x": 1}"#, "m.tf.json:1:3 Unknown root level key: x\n", ""),
        (r#"{"variable": {"v": {"x": 1}}}"#, "m.tf.json:1:22 variable[v]: invalid key: x\n", "var.v"),
        (r#"{"a": "#, "", ""),
        (r#"{"variable": x}"#, "m.tf.json:1:14 Error parsing m.tf.json: 1:14: illegal char\n", ""),
    ] {
        let found = answer(json!({"m.tf.json": text})).await;
        assert_eq!(reported(&found), wanted, "{text}");
        let mut found: Vec<&str> =
            found["module"]["objects"].as_object().unwrap().keys().map(String::as_str).collect();
        found.sort_unstable();
        assert_eq!(found.join(" "), addresses, "{text}");
    }
}

#[tokio::test]
async fn the_tool_reports_one_mistake_of_reading_and_looks_no_further() {
    let found = answer(json!({
        // Variables are read before outputs, whatever stands first.
        "a.tf": "output {}\nvariable \"x\" {\n  y = 1\n  z = 1\n}\n",
        "b.tf": "variable \"x\" {}\nx = y\n",
    }))
    .await;
    assert_eq!(
        reported(&found),
        "(a.tf:1:8 1:8: \"output\" must be followed by a name)\n\
         a.tf:3:3 variable[x]: invalid key: y\n\
         (a.tf:4:3 variable[x]: invalid key: z)\n\
         (b.tf:1:1 Variable 'x': duplicate found. Variable names must be unique.)\n\
         (b.tf:2:1 Unknown root level key: x)\n\
         (b.tf:2:5 Error parsing b.tf: At 2:5: Unknown token: 2:5 IDENT y)\n"
    );
}

#[tokio::test]
async fn what_the_tool_passes_over_is_noted() {
    for (text, wanted) in [
        ("terraform {\n  cloud {}\n  x = 1\n}\n", &["load/forgotten-argument"; 2][..]),
        ("resource {}\n", &["load/nameless-block-not-read"]),
        ("module \"a\" \"b\" {\n  source = \"./m\"\n}\n", &["load/label-not-read"]),
        ("resource \"t\" \"r\" {\n  count = 1\n  count = 2\n}\n", &["load/given-again"]),
    ] {
        let found = answer(json!({"m.tf": text})).await;
        assert_eq!(reported(&found), "", "{text}");
        assert_eq!(notes(&found), wanted, "{text}");
    }
    let found = answer(json!({
        "a.tf": "terraform {\n  required_version = \">= 0.11\"\n  backend \"a\" {}\n}\natlas {\n  name = \"a\"\n}\n",
        "b.tf": "terraform {\n  required_version = \">= 0.10\"\n  backend \"b\" {}\n}\natlas {\n  name = \"b\"\n}\n",
    }))
    .await;
    assert_eq!(notes(&found), ["load/replaced-by-later-file"; 3]);
    assert_eq!(
        config(&found),
        &json!({"atlas": {"name": "b"}, "terraform": {"backend": {"b": {}}, "required_version": ">= 0.10"}})
    );
}

#[tokio::test]
async fn versions_have_their_words() {
    for (version, wanted) in [
        ("0.11.0", "m.tf:1:1 x: output is missing required 'value' key\n"),
        ("0.11.1", "m.tf:1:1 output \"x\": missing required 'value' argument\n"),
    ] {
        assert_eq!(reported(&answer_of(json!({"m.tf": "output \"x\" {}\n"}), version).await), wanted);
    }
    for (version, wanted) in [
        ("0.11.0", "m.tf:2:1 x: duplicate output. output names must be unique.\n"),
        ("0.11.11", "m.tf:2:1 output \"x\": an output of this name was already defined\n"),
    ] {
        let text = "output \"x\" { value = 1 }\noutput \"x\" { value = 1 }\n";
        assert_eq!(reported(&answer_of(json!({"m.tf": text}), version).await), wanted);
    }
}

// ---- overriding -----------------------------------------------------------------------------------------------------

/// Base and override, each native and as JSON, give this.
async fn merged(base: &str, over: &str, wanted: &Value, wanted_notes: &[&str]) {
    let plain = answer(json!({"m.tf": base})).await;
    let json_base = config(&plain).to_string();
    let json_over = config(&answer(json!({"m.tf": over})).await).to_string();
    for files in [
        json!({"m.tf": base, "override.tf": over}),
        json!({"m.tf.json": json_base, "override.tf": over}),
        json!({"m.tf": base, "a_override.tf.json": json_over}),
        json!({"m.tf.json": json_base, "a_override.tf.json": json_over}),
    ] {
        let found = answer(files.clone()).await;
        assert_eq!(reported(&found), "", "{files}");
        // A map of one is written as an array where it would be torn apart otherwise.
        assert_eq!(config(&found), wanted, "{files}");
        let mut found = notes(&found);
        found.sort_unstable();
        assert_eq!(found, wanted_notes, "{files}");
    }
}

#[tokio::test]
async fn resources_are_overridden_name_by_name() {
    merged(
        "resource \"t\" \"r\" {\n  a = 1\n  b = 2\n  m = { x = 1 }\n}\n",
        "resource \"t\" \"r\" {\n  b = 3\n  c = 4\n  m = { y = 2 }\n}\n",
        &json!({"resource": {"t": {"r": {"a": 1, "b": 3, "c": 4, "m": {"y": 2}}}}}),
        &[],
    )
    .await;
    // All blocks of a name, and an argument of that name, take each other's place.
    merged(
        "resource \"t\" \"r\" {\n  z = 1\n  n { a = 1 }\n  n { a = 2 }\n  o { b = 1 }\n}\n",
        "resource \"t\" \"r\" {\n  n { c = 3 }\n  n { c = 4 }\n}\n",
        &json!({"resource": {"t": {"r": {"n": [{"c": 3}, {"c": 4}], "o": [{"b": 1}], "z": 1}}}}),
        &[LOST, LOST],
    )
    .await;
    let found = answer(json!({
        "m.tf": "resource \"t\" \"r\" {\n  tags {\n    a = 1\n  }\n  n = []\n}\n",
        "override.tf": "resource \"t\" \"r\" {\n  tags = {\n    b = 1\n  }\n  n {\n    c = 1\n  }\n}\n",
    }))
    .await;
    let merged = &found["module"]["objects"]["t.r"];
    assert_eq!(config(&found), &json!({"resource": {"t": {"r": {"n": [{"c": 1}], "tags": {"b": 1}}}}}));
    assert_eq!(merged["attributes"].as_object().unwrap().keys().collect::<Vec<_>>(), ["tags"]);
    assert_eq!(merged["blocks"][0]["type"], "n");
    assert_eq!(merged["overrode_blocks"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn what_the_tool_singles_out_in_a_resource_is_not_merged() {
    let ignored = "override/argument-ignored";
    merged(
        "resource \"t\" \"r\" {\n  depends_on = [\"a.b\"]\n  provider = \"p.a\"\n  lifecycle { prevent_destroy = true }\n}\n",
        "resource \"t\" \"r\" {\n  depends_on = [\"c.d\"]\n  provider = \"p.b\"\n  lifecycle { prevent_destroy = false }\n}\n",
        &json!({"resource": {"t": {"r": {"depends_on": ["a.b"], "lifecycle": [{"prevent_destroy": true}], "provider": "p.a"}}}}),
        &[ignored, ignored, "override/block-dropped"],
    )
    .await;
    for (count, wanted, wanted_notes) in [
        ("1", json!(3), &[ignored][..]),
        ("\"1\"", json!(3), &[ignored]),
        ("2", json!(2), &[]),
        ("\"${local.x}\"", json!("${local.x}"), &[]),
    ] {
        merged(
            "resource \"t\" \"r\" {\n  count = 3\n}\n",
            &format!("resource \"t\" \"r\" {{\n  count = {count}\n}}\n"),
            &json!({"resource": {"t": {"r": {"count": wanted}}}}),
            wanted_notes,
        )
        .await;
    }
}

#[tokio::test]
async fn provisioners_are_replaced_together_with_their_connection() {
    let base = "resource \"t\" \"r\" {\n  connection { user = \"a\" }\n  provisioner \"p\" { x = 1 }\n  provisioner \"q\" { x = 2 }\n}\n";
    let provisioner = |name: &str, x: u8| json!({name: {"x": x}});
    merged(
        base,
        "resource \"t\" \"r\" {\n  provisioner \"p\" { x = 3 }\n}\n",
        &json!({"resource": {"t": {"r": {"provisioner": [provisioner("p", 3)]}}}}),
        &[LOST],
    )
    .await;
    merged(
        base,
        "resource \"t\" \"r\" {\n  connection { user = \"b\" }\n  provisioner \"p\" { x = 3 }\n}\n",
        &json!({"resource": {"t": {"r": {"connection": [{"user": "b"}], "provisioner": [provisioner("p", 3)]}}}}),
        &[LOST],
    )
    .await;
    merged(
        base,
        "resource \"t\" \"r\" {\n  a = 1\n  connection { user = \"b\" }\n}\n",
        &json!({"resource": {"t": {"r": {"a": 1, "connection": [{"user": "a"}], "provisioner": [provisioner("p", 1), provisioner("q", 2)]}}}}),
        &["override/block-dropped"],
    )
    .await;
}

#[tokio::test]
async fn what_has_no_base_is_added() {
    merged(
        "variable \"a\" {}\n",
        "variable \"b\" {}\nresource \"t\" \"r\" { x = 1 }\ndata \"t\" \"r\" { x = 1 }\nmodule \"m\" { source = \"./m\" }\n\
         provider \"p\" { alias = \"q\" }\noutput \"o\" { value = 1 }\nlocals { l = 1 }\n\
         terraform { required_version = \"> 0.1\" }\natlas { name = \"n\" }\n",
        &json!({
            "atlas": {"name": "n"}, "data": {"t": {"r": {"x": 1}}}, "locals": {"l": 1}, "module": {"m": {"source": "./m"}},
            "output": {"o": {"value": 1}}, "provider": {"p": {"alias": "q"}}, "resource": {"t": {"r": {"x": 1}}},
            "terraform": {"required_version": "> 0.1"}, "variable": {"a": {}, "b": {}},
        }),
        &[],
    )
    .await;
}

#[tokio::test]
async fn a_second_block_in_one_override_file_is_a_duplicate() {
    for (block, title) in [
        ("variable \"x\" {}\n", "Variable 'x': duplicate found. Variable names must be unique."),
        ("resource \"t\" \"r\" {}\n", "t.r: resource repeated multiple times"),
        ("output \"o\" { value = 1 }\n", "output \"o\": an output of this name was already defined"),
        ("module \"m\" { source = \"./m\" }\n", "module \"m\": module repeated multiple times"),
        ("locals { x = 1 }\n", "x: duplicate local. local value names must be unique"),
    ] {
        for base in ["", if block.starts_with("locals") { "" } else { block }] {
            let found = answer(json!({"m.tf": base, "override.tf": block.repeat(2)})).await;
            let column = if block.starts_with("locals") { 10 } else { 1 };
            assert_eq!(reported(&found), format!("override.tf:2:{column} {title}\n"), "{block}");
        }
        // In files of their own they merge, except locals.
        let found = answer(json!({"a_override.tf": block, "b_override.tf": block})).await;
        let wanted =
            if block.starts_with("locals") { format!("b_override.tf:1:10 {title}\n") } else { String::new() };
        assert_eq!(reported(&found), wanted, "{block}");
    }
}

#[tokio::test]
async fn local_values_cannot_be_overridden() {
    let found = answer(json!({"m.tf": "locals { x = 1 }\n", "override.tf": "locals { x = 2 y = 3 }\n"})).await;
    assert_eq!(reported(&found), "override.tf:1:10 x: duplicate local. local value names must be unique\n");
    assert_eq!(config(&found), &json!({"locals": {"x": 1, "y": 3}}));
}

#[tokio::test]
async fn outputs_lose_what_an_override_does_not_repeat() {
    let base =
        "output \"o\" {\n  value = 1\n  sensitive = true\n  description = \"d\"\n  depends_on = [\"a.b\"]\n}\n";
    let found = answer(json!({"m.tf": base, "override.tf": "output \"o\" {\n  value = 2\n}\n"})).await;
    assert_eq!(config(&found), &json!({"output": {"o": {"sensitive": true, "value": 2}}}));
    let lost: Vec<&Value> = found["diagnostics"].as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert_eq!(lost, ["override/argument-lost"; 2]);
    merged(
        base,
        "output \"o\" {\n  sensitive = false\n  description = \"e\"\n  depends_on = []\n}\n",
        &json!({"output": {"o": {"depends_on": [], "description": "e", "sensitive": false, "value": 1}}}),
        &[],
    )
    .await;
}

#[tokio::test]
async fn modules_keep_their_version_and_providers() {
    let ignored = "override/argument-ignored";
    merged(
        "module \"m\" {\n  source = \"./a\"\n  version = \"1\"\n  providers = { p = \"p.a\" }\n  x = 1\n}\n",
        "module \"m\" {\n  source = \"./b\"\n  version = \"2\"\n  providers = { p = \"p.b\" }\n  x = 2\n  y = 3\n}\n",
        &json!({"module": {"m": {"providers": {"p": "p.a"}, "source": "./b", "version": "1", "x": 2, "y": 3}}}),
        &[ignored, ignored],
    )
    .await;
    merged(
        "module \"m\" {\n  source = \"./a\"\n}\n",
        "module \"m\" {\n  source = \"\"\n}\n",
        &json!({"module": {"m": {"source": "./a"}}}),
        &[ignored],
    )
    .await;
}

#[tokio::test]
async fn providers_are_found_by_their_name_alone() {
    merged(
        "provider \"p\" {\n  x = 1\n  version = \"~> 1.0\"\n}\n",
        "provider \"p\" {\n  x = 2\n  version = \"~> 2.0\"\n}\n",
        &json!({"provider": {"p": {"version": "~> 1.0", "x": 2}}}),
        &["override/argument-ignored"],
    )
    .await;
    // The first of the name takes it, and the alias with it.
    merged(
        "provider \"p\" {\n  x = 1\n}\nprovider \"p\" {\n  alias = \"a\"\n  y = 1\n}\n",
        "provider \"p\" {\n  alias = \"b\"\n  x = 2\n}\n",
        &json!({"provider": [{"p": {"alias": "b", "x": 2}}, {"p": {"alias": "a", "y": 1}}]}),
        &["override/first-of-name"],
    )
    .await;
    let base = "provider \"p\" {\n  x = 1\n}\nprovider \"p\" {\n  alias = \"a\"\n}\n";
    let found = answer(json!({"m.tf": base, "override.tf": "provider \"p\" {\n  alias = \"a\"\n}\n"})).await;
    assert_eq!(
        reported(&found),
        "m.tf:4:1 provider.p.a: multiple configurations present; only one configuration is allowed per provider\n"
    );
    // A second one in the same file is added.
    let found = answer(json!({
        "m.tf": "provider \"p\" {}\n",
        "override.tf": "provider \"p\" {\n  x = 1\n}\nprovider \"p\" {\n  alias = \"a\"\n}\n",
    }))
    .await;
    assert_eq!(reported(&found), "");
    assert_eq!(config(&found), &json!({"provider": [{"p": {"x": 1}}, {"p": {"alias": "a"}}]}));
}

#[tokio::test]
async fn settings_are_replaced_one_by_one() {
    merged(
        "terraform {\n  required_version = \"> 0.1\"\n  backend \"a\" { x = 1 }\n}\natlas {\n  name = \"a\"\n  x = 1\n}\n",
        "terraform {\n  backend \"b\" { y = 2 }\n}\natlas {\n  name = \"b\"\n}\n",
        &json!({"atlas": {"name": "b"}, "terraform": {"backend": {"b": {"y": 2}}, "required_version": "> 0.1"}}),
        &[LOST],
    )
    .await;
    merged(
        "terraform {\n  required_version = \"> 0.1\"\n}\n",
        "terraform {\n  required_version = \"> 0.2\"\n}\n",
        &json!({"terraform": {"required_version": "> 0.2"}}),
        &[],
    )
    .await;
    merged(
        "terraform {\n  required_version = \"> 0.1\"\n}\n",
        "terraform {\n  required_version = \"\"\n}\nvariable \"v\" {}\n",
        &json!({"terraform": {"required_version": "> 0.1"}, "variable": {"v": {}}}),
        &[],
    )
    .await;
}

#[tokio::test]
async fn variables_are_overridden_part_by_part() {
    merged(
        "variable \"v\" {\n  type = \"string\"\n  default = \"a\"\n  description = \"d\"\n}\n",
        "variable \"v\" {\n  default = \"b\"\n  description = \"\"\n}\n",
        &json!({"variable": {"v": {"default": "b", "description": "d", "type": "string"}}}),
        &["override/argument-ignored"],
    )
    .await;
    merged(
        "variable \"v\" {\n  default = { a = 1 }\n}\n",
        "variable \"v\" {\n  default { b = 2 }\n}\n",
        &json!({"variable": {"v": {"default": [{"b": 2}]}}}),
        &[],
    )
    .await;
}

#[tokio::test]
async fn override_files_apply_by_name_and_a_broken_one_costs_itself() {
    let found = answer(json!({
        "m.tf": "resource \"t\" \"r\" {\n  a = 0\n  b = 0\n}\n",
        "z_override.tf": "resource \"t\" \"r\" {\n  a = 3\n}\n",
        "override.tf": "resource \"t\" \"r\" {\n  a = 2\n  b = x\n  c = 1\n}\n",
        "a_override.tf": "resource \"t\" \"r\" {\n  a = 1\n}\n",
    }))
    .await;
    assert_eq!(reported(&found), "override.tf:3:7 Error parsing override.tf: At 3:7: Unknown token: 3:7 IDENT x\n");
    let merged = &found["module"]["objects"]["t.r"]["attributes"];
    let overrode = merged["a"]["overrode"].as_array().unwrap().iter();
    let old: Vec<&Value> = overrode.map(|old| &old["expression"]).collect();
    assert_eq!((&merged["a"]["expression"], old), (&json!("3"), vec![&json!("0"), &json!("1"), &json!("2")]));
    assert_eq!(merged["c"]["expression"], "1");
}

// ---- any configuration ------------------------------------------------------------------------------------------------

fn piece() -> impl proptest::strategy::Strategy<Value = &'static str> {
    proptest::sample::select(vec![
        "variable ",
        "resource ",
        "data ",
        "module ",
        "provider ",
        "output ",
        "locals ",
        "terraform ",
        "atlas ",
        "\"a\" ",
        "\"b\" ",
        "a ",
        "lifecycle ",
        "provisioner ",
        "connection ",
        "backend ",
        "count ",
        "default ",
        "type ",
        "source ",
        "alias ",
        "value ",
        "depends_on ",
        "required_version ",
        "tags ",
        "{ ",
        "} ",
        "}\n",
        "= ",
        "[ ",
        "] ",
        ", ",
        "1 ",
        "\"${var.x}\" ",
        "true ",
        "<<E\nx\nE\n",
        "\n",
        "{\"resource\":",
        "\"t\":",
        "null",
    ])
}

proptest::proptest! {
    #![proptest_config(proptest::test_runner::Config::with_cases(64))]
    #[test]
    fn any_configuration_gets_an_answer_and_one_tool_mistake_of_reading(
        base in proptest::collection::vec(piece(), 0..60),
        over in proptest::collection::vec(piece(), 0..60),
    ) {
        let files = json!({"m.tf": base.concat(), "override.tf": over.concat()});
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let found = runtime.block_on(answer(files));
        let errors = found["diagnostics"].as_array().unwrap().iter().filter(|one| one["severity"] == "error");
        let (of_tool, ours): (Vec<&Value>, Vec<&Value>) = errors.partition(|one| one["origin"] == "tool");
        proptest::prop_assert!(!of_tool.is_empty() || ours.is_empty());
        let unread = of_tool.iter().any(|one| one["code"].as_str().unwrap().starts_with("syntax/"));
        proptest::prop_assert!(!unread || of_tool.len() == 1);
        proptest::prop_assert!(config(&found).is_object());
    }
}

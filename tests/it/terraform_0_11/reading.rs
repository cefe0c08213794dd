//! What the loader reads, and the mistakes that it reports.

use serde_json::{Value, json};

use super::{answer, answer_of, config, notes, reported};

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
    // Something in braces is a block or an argument as written, which means the same.
    let same = |found: &Value| config(found).to_string().replace("[{\"Name\":\"n\"}]", "{\"Name\":\"n\"}");
    assert_eq!(same(&native), same(&json));
    assert_eq!(
        config(&native)["resource"]["t"]["r"]["provisioner"],
        json!([{"local-exec": {"command": "c", "when": "destroy"}}])
    );
}

#[tokio::test]
async fn the_answered_configuration_loads_again() {
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
async fn faults_of_a_file_are_reported_at_their_position() {
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
        // The same thing declared twice.
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
        // It contains only objects: its parts become labels, and are put back.
        (r#"{"resource": {"t": {"r": {"lifecycle": {"prevent_destroy": true}}}}}"#, "", "t.r"),
        (r#"{"variable": {"v": {"default": {"a": 1}}}}"#, "", "var.v"),
        (r#"{"terraform": {"backend": {"s3": {"bucket": "b"}}}}"#, "", "terraform.backend"),
        (r#"{"provider": [{"a": {"x": 1}}, {"a": {"alias": "b"}}]}"#, "", "provider.a provider.a.b"),
        // Two such parts are two resources to the tool.
        (
            r#"{"resource": {"t": {"r": {"lifecycle": {}, "connection": {}}}}}"#,
            "m.tf.json:1:58 t.r: resource repeated multiple times\n",
            "t.r",
        ),
        // Not unfolded, because there is an array in between.
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
async fn the_tool_stops_at_the_first_reading_mistake() {
    let found = answer(json!({
        // Variables are read before outputs, whatever comes first.
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
async fn what_the_tool_skips_is_noted() {
    for (text, wanted) in [
        ("terraform {\n  cloud {}\n  x = 1\n}\n", &["load/forgotten-argument"; 2][..]),
        ("resource {}\n", &["load/nameless-block-not-read"]),
        ("module \"a\" \"b\" {\n  source = \"./m\"\n}\n", &["load/label-not-read"]),
        ("resource \"t\" \"r\" {\n  count = 1\n  count = 2\n}\n", &["load/argument-set-twice"]),
        (
            "terraform {\n  required_version = \"> 0.1\"\n  required_version = \"> 0.2\"\n}\n",
            &["load/argument-set-twice"],
        ),
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
async fn wording_depends_on_the_version() {
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

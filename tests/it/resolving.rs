//! `resolve`: which expressions are replaced by their values in each form of the configuration, and which are left alone.

use std::sync::Arc;

use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::output::{AnswerOptions, ConfigFormat, Include, answer};
use overfold_cli::pipeline::{ProviderChecks, Request, ToolStage, VariableArg, VariableInputs, run};
use overfold_cli::plan::PlanOptions;
use overfold_cli::syntax::Forest;
use serde_json::{Value, json};

fn request(args: &[&str]) -> Request {
    let args = args.iter().map(|text| VariableArg::Var((*text).to_owned())).collect();
    Request {
        dialect: "terraform".to_owned(),
        version: Some("1.11.4".to_owned()),
        root: String::new(),
        config_file: None,
        variables: Some(VariableInputs { env: Vec::new(), args }.into()),
        expand: false,
        reveal_sensitive: false,
        severities: Arc::default(),
        stage: ToolStage::Validate,
        provider_schemas: None,
        stored_schemas: None,
        provider_checks: ProviderChecks::None,
        plan: None,
        resolve: Some(Arc::new(PlanOptions::default())),
        called_with: None,
        version_from: None,
        version_files: std::sync::Arc::from([]),
    }
}

fn module_of(files: &[(&str, &str)], request: &Request, config_format: ConfigFormat) -> Value {
    let files = files.iter().map(|(path, text)| SourceFile {
        path: ModulePath::parse(path).unwrap(),
        bytes: text.as_bytes().to_vec().into(),
    });
    let forest = Forest::default();
    let report = run(&forest, &FileSet::new(files.collect(), Vec::new()), request).unwrap();
    let include = Include { config: true, ..Include::default() };
    let mut answer: Value =
        serde_json::from_slice(&answer(&report, AnswerOptions { include, config_format })).unwrap();
    let module = answer["module"].take();
    for entry in module["replacements"].as_array().unwrap() {
        let range = &entry["before"]["range"];
        assert!(range["end"]["byte"].as_u64() >= range["start"]["byte"].as_u64(), "{entry}");
        if config_format == ConfigFormat::TfJson {
            let pointer = entry["pointer"].as_str().unwrap();
            assert!(module["config"].pointer(pointer).is_some(), "{entry} leads nowhere");
        }
    }
    module
}

/// Returns what a file in native syntax becomes.
fn text(main: &str, args: &[&str]) -> String {
    let module = module_of(&[("main.tf", main)], &request(args), ConfigFormat::Files);
    module["config"]["main.tf"].as_str().unwrap().to_owned()
}

/// Returns what a file in JSON becomes.
fn json_text(main: &Value, args: &[&str]) -> Value {
    let main = main.to_string();
    let module = module_of(&[("main.tf.json", &main)], &request(args), ConfigFormat::Files);
    serde_json::from_str(module["config"]["main.tf.json"].as_str().unwrap()).unwrap()
}

/// Variables of every kind: `s` is text, `n` a number, `b` true, `l` a list, `t` a set, `m` a map, `o` an object.
const VARIABLES: &str = r#"variable "s" {
  default = "prod"
}
variable "n" {
  default = 3
}
variable "b" {
  default = true
}
variable "l" {
  type    = list(string)
  default = ["x", "y"]
}
variable "t" {
  type    = set(string)
  default = ["q", "p"]
}
variable "m" {
  type    = map(number)
  default = { one = 1, "two words" = 2 }
}
variable "o" {
  type    = object({ a = optional(string), b = number })
  default = { b = 2 }
}
variable "secret" {
  sensitive = true
}
resource "terraform_data" "u" {
}
"#;

/// Returns the arguments of a resource, one a line, once they are resolved.
fn arguments(lines: &str) -> String {
    let main = format!("{VARIABLES}resource \"x_y\" \"z\" {{\n{lines}\n}}\n");
    let text = text(&main, &["secret=hush"]);
    let (declared, rest) = text.split_once("resource \"x_y\" \"z\" {\n").unwrap();
    assert_eq!(declared, VARIABLES, "declarations stay");
    rest.strip_suffix("\n}\n").unwrap().to_owned()
}

#[test]
fn what_is_wholly_known_becomes_its_value() {
    for (before, after) in [
        ("a = var.s", r#"a = "prod""#),
        ("a = var.n", "a = 3"),
        ("a = -var.n", "a = -3"),
        ("a = var.b", "a = true"),
        ("a = !var.b", "a = false"),
        ("a = var.l", r#"a = ["x", "y"]"#),
        ("a = var.t", r#"a = ["p", "q"]"#),
        ("a = var.m", r#"a = { one = 1, "two words" = 2 }"#),
        ("a = var.o", "a = { a = null, b = 2 }"),
        ("a = var.o.a", "a = null"),
        ("a = var.l[*]", r#"a = ["x", "y"]"#),
        ("a = var.l[var.n - 3]", r#"a = "x""#),
        (r#"a = "${var.s}""#, r#"a = "prod""#),
        (r#"a = "${var.n}""#, "a = 3"),
        (r#"a = "x${var.n}""#, r#"a = "x3""#),
        ("a = [for x in var.l : upper(x)]", r#"a = ["X", "Y"]"#),
        ("a = { for k, v in var.m : k => v + 1 }", r#"a = { one = 2, "two words" = 3 }"#),
        (r#"a = var.b ? "yes" : "no""#, r#"a = "yes""#),
        ("a = var.b ? var.s : terraform_data.u.id", r#"a = "prod""#),
        ("a = jsonencode({ n = var.n })", r#"a = "{\"n\":3}""#),
        ("a = var.n / 8", "a = 0.375"),
        ("a = var.n * 100000000000000000000", "a = 300000000000000000000"),
        ("a = join(\"-\", var.t)", r#"a = "p-q""#),
        ("a = terraform.workspace", r#"a = "default""#),
        (r#"a = "${path.module}/x""#, r#"a = "./x""#),
        ("a = <<-E\n    a: ${var.s}\n    E\n  b = 1", "a = \"a: prod\\n\"\n  b = 1"),
        ("b {\n    a = var.s\n  }", "b {\n    a = \"prod\"\n  }"),
    ] {
        assert_eq!(arguments(&format!("  {before}")), format!("  {after}"), "{before}");
    }
}

#[test]
fn in_what_is_partly_known_each_known_reference_does() {
    for (before, after) in [
        (r#"a = "${var.s}-${terraform_data.u.id}""#, r#"a = "prod-${terraform_data.u.id}""#),
        (r#"a = "${terraform_data.u.id}${~ var.s ~} b""#, r#"a = "${terraform_data.u.id}${~ "prod" ~} b""#),
        (r#"a = "${terraform_data.u.id}${upper(var.s)}""#, r#"a = "${terraform_data.u.id}${upper("prod")}""#),
        (
            r#"a = "%{if var.b}${terraform_data.u.id}%{else}${var.s}%{endif}""#,
            r#"a = "%{if true}${terraform_data.u.id}%{else}${"prod"}%{endif}""#,
        ),
        ("a = [var.s, terraform_data.u.id, var.l]", r#"a = ["prod", terraform_data.u.id, ["x", "y"]]"#),
        (
            "a = { k = var.s, (var.s) = terraform_data.u.id, v = \"${var.s}x\" }",
            r#"a = { k = "prod", ("prod") = terraform_data.u.id, v = "prodx" }"#,
        ),
        (
            "a = { k = var.m, u = terraform_data.u.id }",
            r#"a = { k = { one = 1, "two words" = 2 }, u = terraform_data.u.id }"#,
        ),
        ("a = concat(var.l, [terraform_data.u.id])", r#"a = concat(tolist(["x", "y"]), [terraform_data.u.id])"#),
        ("a = contains(var.t, terraform_data.u.id)", r#"a = contains(toset(["p", "q"]), terraform_data.u.id)"#),
        (
            "a = lookup(var.m, terraform_data.u.id)",
            r#"a = lookup(tomap({ one = 1, "two words" = 2 }), terraform_data.u.id)"#,
        ),
        ("a = length(terraform_data.u.id) + -var.n", "a = length(terraform_data.u.id) + -3"),
        ("a = terraform_data.u.id == var.s ? var.s : var.n", r#"a = terraform_data.u.id == "prod" ? "prod" : 3"#),
        (
            "a = [for x in var.l : \"${x}-${var.s}-${terraform_data.u.id}\"]",
            r#"a = [for x in tolist(["x", "y"]) : "${x}-prod-${terraform_data.u.id}"]"#,
        ),
        (
            "a = [for s in var.l : \"${s}-${terraform_data.u.id}\"]",
            r#"a = [for s in tolist(["x", "y"]) : "${s}-${terraform_data.u.id}"]"#,
        ),
        (
            "a = <<-E\n    one ${var.s}\n    ${var.s}\n    ${terraform_data.u.id}\n  E",
            "a = <<-E\n    one prod\n    ${\"prod\"}\n    ${terraform_data.u.id}\n  E",
        ),
        ("a = terraform_data.u.id", "a = terraform_data.u.id"),
        ("a = uuid()", "a = uuid()"),
        ("a = upper(\"a\")", "a = upper(\"a\")"),
    ] {
        assert_eq!(arguments(&format!("  {before}")), format!("  {after}"), "{before}");
    }
}

#[test]
fn negative_numbers_stay_one_operand() {
    let main = "variable \"n\" {\n  default = -3\n}\nresource \"terraform_data\" \"u\" {\n}\noutput \"o\" {\n  value = 1 - var.n - length(terraform_data.u.id)\n}\n";
    assert!(text(main, &[]).contains("value = 1 - (-3) - length(terraform_data.u.id)"), "{}", text(main, &[]));
}

#[test]
fn some_things_are_left_alone() {
    for line in [
        "a = var.secret",
        r#"a = "${var.secret}-x""#,
        "a = [for x in [1] : var.secret]",
        "a = sensitive(\"a\")",
        "count = length(terraform_data.u.id)",
        "a = count.index",
        "a = self.b",
        "depends_on = [terraform_data.u]",
        "provider = aws.west",
        "lifecycle {\n    ignore_changes = [a]\n    replace_triggered_by = [terraform_data.u]\n  }",
        "lifecycle {\n    precondition {\n      condition     = var.s == \"prod\"\n      error_message = \"no\"\n    }\n  }",
    ] {
        assert_eq!(arguments(&format!("  {line}")), format!("  {line}"));
    }
    assert_eq!(arguments("  a = [var.secret, var.s]"), "  a = [var.secret, \"prod\"]");
    assert_eq!(
        arguments("  count = var.n\n  a = \"${count.index}-${var.s}\""),
        "  count = 3\n  a = \"${count.index}-prod\""
    );
    assert_eq!(
        arguments("  for_each = var.t\n  a = \"${each.key}-${var.s}\"\n  b = each.value"),
        "  for_each = toset([\"p\", \"q\"])\n  a = \"${each.key}-prod\"\n  b = each.value"
    );
    let dynamic = "  dynamic \"rule\" {\n    for_each = var.l\n    iterator = it\n    content {\n      a = it.value\n      b = \"${it.key}-${var.s}\"\n    }\n  }";
    let after = "  dynamic \"rule\" {\n    for_each = [\"x\", \"y\"]\n    iterator = it\n    content {\n      a = it.value\n      b = \"${it.key}-prod\"\n    }\n  }";
    assert_eq!(arguments(dynamic), after);
    let condition = "  lifecycle {\n    postcondition {\n      condition     = self.a == var.s\n      error_message = \"not ${var.s}\"\n    }\n  }";
    assert_eq!(arguments(condition), condition.replace("== var.s", "== \"prod\"").replace("${var.s}", "prod"));
}

#[test]
fn other_blocks_are_resolved_as_well() {
    let main = format!(
        "{VARIABLES}locals {{\n  a = \"${{var.s}}-x\"\n  b = local.a\n}}\nprovider \"x\" {{\n  region = local.b\n}}\n\
         output \"o\" {{\n  value = local.b\n}}\ncheck \"c\" {{\n  assert {{\n    condition     = local.b == terraform_data.u.id\n    error_message = local.b\n  }}\n}}\n\
         moved {{\n  from = terraform_data.v\n  to   = terraform_data.u\n}}\n"
    );
    let expected = main
        .replace("\"${var.s}-x\"", "\"prod-x\"")
        .replace("= local.a", "= \"prod-x\"")
        .replace("= local.b", "= \"prod-x\"");
    assert_eq!(text(&main, &["secret=hush"]), expected);
}

#[test]
fn values_come_from_the_request() {
    let main = "variable \"env\" {\n  type = string\n}\nlocals {\n  e = var.env\n}\n";
    assert!(text(main, &["env=1"]).contains("e = \"1\""));
    // Nobody knows what is not set.
    assert_eq!(text(main, &[]), main);
}

#[test]
fn strings_of_json_files_are_templates() {
    let main = json!({
        "variable": {"s": {"default": "prod"}, "odd": {"default": "a\"${b}\\\n"}, "t": {"type": "set(string)", "default": ["b", "a"]}},
        "locals": {
            "whole": "${var.s}",
            "text": "x-${var.s}",
            "odd": "${var.odd}",
            "escaped": "$${var.s} ${var.s}",
            "untouched": "$${var.s}",
            "object": {"${var.s}": ["${var.s}", 1, "$${x}"], "none": null},
        },
        "resource": {"terraform_data": {
            "u": {},
            "a": {"for_each": "${var.t}", "input": {"k": "${each.key}-${var.s}", "u": "${terraform_data.u.id}${var.odd}"},
                  "depends_on": ["terraform_data.u"]},
        }},
    });
    let after = json_text(&main, &[]);
    assert_eq!(
        after["locals"],
        json!({
            "whole": "prod",
            "text": "x-prod",
            "odd": "a\"$${b}\\\n",
            "escaped": "$${var.s} prod",
            "untouched": "$${var.s}",
            "object": {"prod": ["prod", 1, "$${x}"], "none": null},
        })
    );
    assert_eq!(
        after["resource"]["terraform_data"]["a"],
        json!({
            "for_each": "${toset([\"a\", \"b\"])}",
            "input": {"k": "${each.key}-prod", "u": "${terraform_data.u.id}a\"$${b}\\\n"},
            "depends_on": ["terraform_data.u"],
        })
    );
    assert_eq!(after["variable"], main["variable"]);
}

#[test]
fn every_form_shows_values() {
    let files = [
        (
            "main.tf",
            "variable \"s\" {\n  default = \"prod\"\n}\nresource \"terraform_data\" \"a\" {\n  input = \"old\"\n}\n",
        ),
        ("override.tf", "resource \"terraform_data\" \"a\" {\n  input = { env = var.s, t = var.s == \"prod\" }\n}\n"),
    ];
    let config = |form| module_of(&files, &request(&[]), form)["config"].take();
    let input = json!({"env": "prod", "t": true});
    assert_eq!(config(ConfigFormat::TfJson)["resource"]["terraform_data"]["a"][0]["input"], input);
    assert_eq!(config(ConfigFormat::Hcl2Json)["resource"]["terraform_data"]["a"][0]["input"], input);
    let text = "resource \"terraform_data\" \"a\" {\n  input = { env = \"prod\", t = true }\n}\n";
    assert!(config(ConfigFormat::Hcl).as_str().unwrap().ends_with(text));
    assert!(config(ConfigFormat::Files)["main.tf"].as_str().unwrap().ends_with(text));
}

#[test]
fn what_was_replaced_is_listed() {
    let main = "variable \"s\" {\n  default = \"prod\"\n}\nresource \"x_y\" \"z\" {\n  a = \"${var.s}-${x_y.u.id}\"\n  b = [var.s]\n}\nresource \"x_y\" \"u\" {\n}\n";
    let module = module_of(&[("main.tf", main)], &request(&[]), ConfigFormat::TfJson);
    let list: Vec<Value> = module["replacements"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let start = &entry["before"]["range"]["start"];
            let (line, column) = (&start["line"], &start["column"]);
            json!([
                entry["address"],
                entry["pointer"],
                entry["argument"],
                line,
                column,
                entry["before"]["expression"],
                entry["after"]
            ])
        })
        .collect();
    assert_eq!(
        list,
        [
            json!(["x_y.z", "/resource/x_y/z/0/a", "a", 5, 10, "var.s", {"expression": "\"prod\"", "value": "prod"}]),
            json!(["x_y.z", "/resource/x_y/z/0/b", "b", 6, 7, "[var.s]", {"expression": "[\"prod\"]", "value": ["prod"]}]),
        ]
    );
    let nothing = module_of(&[("main.tf", "locals {\n  a = 1\n}\n")], &request(&[]), ConfigFormat::Files);
    assert_eq!(
        (&nothing["replacements"], &nothing["config"]["main.tf"]),
        (&json!([]), &json!("locals {\n  a = 1\n}\n"))
    );
}

#[test]
fn secrets_are_never_written() {
    let child = "variable \"p\" {\n}\noutput \"plain\" {\n  value = \"plain\"\n}\noutput \"hidden\" {\n  value     = \"planted\"\n  sensitive = true\n}\n";
    let main = "variable \"secret\" {\n  sensitive = true\n}\nvariable \"gone\" {\n  ephemeral = true\n}\nlocals {\n  a = \"${var.secret}x\"\n  b = { k = var.secret }\n  c = var.gone\n  d = module.m.hidden\n  e = module.m.plain\n}\nmodule \"m\" {\n  source = \"./m\"\n  p      = local.a\n}\noutput \"o\" {\n  value     = \"${module.m.plain}-planted\"\n  sensitive = true\n}\n";
    for reveal_sensitive in [false, true] {
        let request = Request { reveal_sensitive, ..request(&["secret=planted", "gone=planted"]) };
        for form in [ConfigFormat::TfJson, ConfigFormat::Hcl2Json, ConfigFormat::Hcl, ConfigFormat::Files] {
            let module = module_of(&[("main.tf", main), ("m/main.tf", child)], &request, form);
            let text = module.to_string();
            // What is written for the sensitive output is itself a secret.
            let shown = usize::from(reveal_sensitive);
            assert_eq!(text.matches("planted").count(), shown, "{form:?}: {text}");
            assert_eq!(text.matches("${module.m.plain}-planted").count(), shown, "{form:?}: {text}");
            assert_eq!(module["replacements"].as_array().unwrap().len(), 1, "{form:?}: {text}");
        }
    }
}

#[test]
fn secrets_of_other_states_are_never_written() {
    let main = "variable \"secret\" {\n  sensitive = true\n}\ndata \"terraform_remote_state\" \"s\" {\n  backend  = \"local\"\n  defaults = { d = var.secret }\n  config   = { path = \"s.tfstate\" }\n}\nlocals {\n  p = data.terraform_remote_state.s.outputs.p\n  q = data.terraform_remote_state.s.outputs.q\n  d = data.terraform_remote_state.s.outputs.d\n}\n";
    let state = r#"{"version":4,"outputs":{"p":{"value":"planted","type":"string","sensitive":true},"q":{"value":1,"type":"number"}},"resources":[]}"#;
    let files = [("main.tf", main), ("s.tfstate", state)];
    let module = module_of(&files, &request(&["secret=planted"]), ConfigFormat::Files);
    assert_eq!(module["config"]["main.tf"], main.replace("data.terraform_remote_state.s.outputs.q", "1"));
}

#[test]
fn a_variable_that_any_declaration_hides_is_secret() {
    let main =
        "variable \"secret\" {\n  sensitive = true\n}\nvariable \"secret\" {\n}\nlocals {\n  a = var.secret\n}\n";
    assert_eq!(text(main, &["secret=planted"]), main);
}

#[test]
fn arguments_of_calls_are_resolved_and_their_types_kept() {
    let main = "variable \"l\" {\n  type    = list(string)\n  default = [\"x\"]\n}\nmodule \"m\" {\n  source = \"./m\"\n  typed  = var.l\n  any    = var.l\n}\nmodule \"gone\" {\n  source = \"acme/net/aws\"\n  cidrs  = var.l\n}\n";
    let child = "variable \"typed\" {\n  type = list(string)\n}\nvariable \"any\" {\n}\n";
    let module = module_of(&[("main.tf", main), ("m/main.tf", child)], &request(&[]), ConfigFormat::TfJson);
    let calls = &module["config"]["module"];
    assert_eq!(calls["m"][0]["typed"], json!(["x"]));
    assert_eq!(calls["m"][0]["any"], "${tolist([\"x\"])}");
    assert_eq!(calls["gone"][0]["cidrs"], json!(["x"]));
}

#[test]
fn files_with_errors_stay_as_they_are() {
    let files = [
        ("a.tf", "variable \"s\" {\n  default = \"prod\"\n}\nlocals {\n  a = var.s\n}\n"),
        ("b.tf", "locals {\n  b = var.s\n"),
    ];
    let module = module_of(&files, &request(&[]), ConfigFormat::Files);
    assert_eq!(module["config"]["b.tf"], files[1].1);
    assert!(module["config"]["a.tf"].as_str().unwrap().contains("a = \"prod\""), "{module}");
}

#[test]
fn names_in_objects_of_json_are_escaped() {
    let main = json!({
        "variable": {"m": {"type": "map(number)", "default": {"//x": 1}}},
        "locals": {"a": "${merge(var.m, {\"//\" = 1, \"$${x}\" = 2, for = 3})}"},
    });
    let after = json_text(&main, &[]);
    assert_eq!(after["locals"]["a"], "${{ \"$${x}\" = 2, \"//\" = 1, \"//x\" = 1, \"for\" = 3 }}");
}

#[test]
fn what_has_no_value_because_of_an_error_is_not_replaced_by_a_fallback() {
    let main = "variable \"a\" {\n  default = 1\n}\nmodule \"m\" {\n  source = \"./m\"\n}\nlocals {\n  x = try(module.m.o, \"none\")\n  y = [local.x, var.a]\n  z = var.a\n}\n";
    let replaced = main.replace("[local.x, var.a]", "[local.x, 1]").replace("z = var.a", "z = 1");
    let failing = "resource \"terraform_data\" \"r\" {\n  lifecycle {\n    precondition {\n      condition     = terraform.workspace == \"x\"\n      error_message = \"no\"\n    }\n  }\n}\noutput \"o\" {\n  value      = 1\n  depends_on = [terraform_data.r]\n}\n";
    for (main, child) in [
        (main.to_owned(), failing),
        // The tool does not get as far as values.
        (format!("{main}output \"o\" {{\n  value = local.nowhere\n}}\n"), "output \"o\" {\n  value = 1\n}\n"),
    ] {
        let module = module_of(&[("main.tf", &main), ("m/main.tf", child)], &request(&[]), ConfigFormat::Files);
        let text = module["config"]["main.tf"].as_str().unwrap();
        assert!(text.starts_with(&replaced), "{text}");
    }
    let module = module_of(
        &[("main.tf", main), ("m/main.tf", "output \"o\" {\n  value = 7\n}\n")],
        &request(&[]),
        ConfigFormat::Files,
    );
    assert!(module["config"]["main.tf"].as_str().unwrap().contains("x = 7\n  y = [7, 1]"), "{module}");
}

#[test]
fn installed_modules_are_followed() {
    let main = "module \"m\" {\n  source = \"acme/net/aws\"\n}\nlocals {\n  x = module.m.o\n}\n";
    let manifest = r#"{"Modules":[{"Key":"m","Source":"registry.terraform.io/acme/net/aws","Version":"2.2.0","Dir":".terraform/modules/m"}]}"#;
    let files = [
        ("main.tf", main),
        (".terraform/modules/modules.json", manifest),
        (".terraform/modules/m/main.tf", "output \"o\" {\n  value = 7\n}\n"),
    ];
    let text =
        |files: &[(&str, &str)]| module_of(files, &request(&[]), ConfigFormat::Files)["config"]["main.tf"].take();
    assert_eq!(text(&files), main.replace("module.m.o", "7"));
    assert_eq!(text(&files[..1]), main);
}

//! What a plan takes from the caller: where modules are, and what objects are.

use std::sync::Arc;

use overfold_cli::files::{FileSet, ModulePath, SourceFile};
use overfold_cli::output::{PlanAnswerOptions, plan_answer};
use overfold_cli::pipeline::{Request, ToolStage, VariableInputs, run};
use overfold_cli::plan::{ModuleSource, PlanOptions};
use overfold_cli::syntax::Forest;
use serde_json::{Value, json};

fn planned(files: &[(&str, &str)], options: PlanOptions) -> Value {
    let files = files.iter().map(|(path, text)| SourceFile {
        path: ModulePath::parse(path).unwrap(),
        bytes: text.as_bytes().to_vec().into(),
    });
    let request = Request {
        version: Some("1.11.4".to_owned()),
        variables: Some(VariableInputs::default().into()),
        stage: ToolStage::Validate,
        plan: Some(options.into()),
        ..Request::new("terraform")
    };
    let forest = Forest::default();
    let report = run(&forest, &FileSet::new(files.collect(), Vec::new()), &request).unwrap();
    serde_json::from_slice(&plan_answer(&report, PlanAnswerOptions { plan: true, instances: false })).unwrap()
}

fn assumed(list: &[(&str, &str)]) -> PlanOptions {
    let assumed = list
        .iter()
        .map(|(address, text)| (Arc::from(*address), overfold_cli::eval::json_value(text).unwrap()))
        .collect();
    PlanOptions { assumed, ..PlanOptions::default() }
}

fn codes(answer: &Value) -> Vec<&str> {
    answer["diagnostics"].as_array().unwrap().iter().map(|found| found["code"].as_str().unwrap()).collect()
}

const CALL: &str = "module \"net\" {\n  source  = \"acme/net/aws//inner\"\n  version = \"~> 2.1\"\n}\noutput \"path\" {\n  value = module.net.path\n}\n";
const CALLED: &str = "output \"path\" {\n  value = path.module\n}\n";

#[test]
fn a_module_that_the_request_names_is_followed() {
    let source = |version: Option<&str>| ModuleSource {
        source: "registry.terraform.io/acme/net/aws".into(),
        version: version.map(Into::into),
        path: "vendor/net".into(),
    };
    let files = [("main.tf", CALL), ("vendor/net/inner/main.tf", CALLED)];
    for (version, is_found) in [(None, true), (Some("2.3.0"), true), (Some("3.0.0"), false)] {
        let answer = planned(&files, PlanOptions { module_sources: vec![source(version)], ..PlanOptions::default() });
        let path = &answer["plan"]["planned_values"]["outputs"]["path"]["value"];
        if is_found {
            assert_eq!(path, ".terraform/modules/net/inner", "{version:?}");
            assert_eq!(answer["missing"], json!([]), "{version:?}");
        } else {
            assert_eq!(path, &Value::Null, "{version:?}");
            assert_eq!(answer["missing"][0]["kind"], "module", "{version:?}");
            assert_eq!(codes(&answer), ["plan/module-missing"], "{version:?}");
        }
    }
}

#[test]
fn a_module_that_the_tool_has_installed_is_followed() {
    let manifest = r#"{"Modules":[{"Key":"","Source":"","Dir":"."},{"Key":"net","Source":"registry.terraform.io/acme/net/aws//inner","Version":"2.2.0","Dir":".terraform/modules/net/inner"}]}"#;
    let files = [
        ("main.tf", CALL),
        (".terraform/modules/modules.json", manifest),
        (".terraform/modules/net/inner/main.tf", CALLED),
    ];
    let answer = planned(&files, PlanOptions::default());
    assert_eq!(answer["plan"]["planned_values"]["outputs"]["path"]["value"], ".terraform/modules/net/inner");
    assert_eq!(answer["exact"], true);
}

#[test]
fn what_is_assumed_of_a_data_source_counts_as_read() {
    let text = "data \"aws_zones\" \"all\" {\n  state = \"up\"\n}\n\nresource \"terraform_data\" \"a\" {\n  for_each = toset(data.aws_zones.all.names)\n  input    = data.aws_zones.all.other\n}\n";
    let files = [("main.tf", text)];
    let without = planned(&files, PlanOptions::default());
    assert_eq!(codes(&without), ["plan/instances-not-known-here"]);
    let answer = planned(&files, assumed(&[("data.aws_zones.all", r#"{"names": ["a", "b"], "state": "down"}"#)]));
    assert_eq!(codes(&answer), ["plan/assumption-ignored"]);
    let changes = answer["plan"]["resource_changes"].as_array().unwrap();
    let addresses: Vec<&str> = changes.iter().map(|change| change["address"].as_str().unwrap()).collect();
    assert_eq!(addresses, ["terraform_data.a[\"a\"]", "terraform_data.a[\"b\"]"]);
    assert_eq!(changes[0]["change"]["after_unknown"]["input"], true);
    let read = &answer["plan"]["prior_state"]["values"]["root_module"]["resources"][0];
    assert_eq!(read["values"], json!({"names": ["a", "b"], "state": "up"}));
}

#[test]
fn an_exact_address_takes_precedence_over_one_without_keys() {
    let text = "resource \"terraform_data\" \"a\" {\n  count = 2\n}\n\noutput \"ids\" {\n  value = terraform_data.a[*].id\n}\n";
    let options = assumed(&[
        ("terraform_data.a", r#"{"id": "any"}"#),
        ("terraform_data.a[1]", r#"{"id": "one"}"#),
        ("terraform_data.b", r#"{"id": "none"}"#),
    ]);
    let answer = planned(&[("main.tf", text)], options);
    assert_eq!(answer["plan"]["planned_values"]["outputs"]["ids"]["value"], json!(["any", "one"]));
    assert_eq!(codes(&answer), ["plan/assumption-unused"]);
}

const OF_A_PROVIDER: &str = r#"
terraform {
  required_providers {
    tool = {
      source = "acme/tool"
    }
  }
}

locals {
  names = yamldecode(provider::tool::render("a"))
}

resource "terraform_data" "name" {
  for_each = toset(local.names)
}

resource "terraform_data" "later" {
  count = provider::tool::size(terraform_data.other.id)
}

resource "terraform_data" "other" {
}
"#;

#[test]
fn what_a_function_of_a_provider_returns_is_not_known_here() {
    let answer = planned(&[("main.tf", OF_A_PROVIDER)], PlanOptions::default());
    // The tool does not call the second one, whose argument it does not know.
    assert_eq!(codes(&answer), ["plan/instances-not-known-here", "validate/invalid-count"]);
    let left_out =
        json!({"kind": "instances", "address": "terraform_data.name", "needs": "provider::tool::render(…)"});
    let function = json!({"kind": "provider-function", "name": "provider::tool::render"});
    assert_eq!(answer["missing"], json!([function, left_out]));
}

#[test]
fn the_time_of_a_plan_that_was_not_given_is_not_known_here() {
    let text = "resource \"terraform_data\" \"name\" {\n  count = tonumber(formatdate(\"YYYY\", plantimestamp())) > 2020 ? 1 : 0\n}\n";
    let answer = planned(&[("main.tf", text)], PlanOptions::default());
    assert_eq!(codes(&answer), ["plan/instances-not-known-here"]);
    let needs = "the time of the plan (give --timestamp TIME)";
    let left_out = json!({"kind": "instances", "address": "terraform_data.name", "needs": needs});
    assert_eq!(answer["missing"], json!([left_out, {"kind": "timestamp"}]));
    let options = PlanOptions { timestamp: Some("2025-03-01T12:00:00Z".into()), ..PlanOptions::default() };
    let answer = planned(&[("main.tf", text)], options);
    assert_eq!(codes(&answer), [""; 0]);
    assert_eq!(answer["exact"], true);
}

#[test]
fn a_merge_of_nothing_but_nulls_of_an_object_is_an_error() {
    let merged = |text: &str| {
        let text = format!("output \"merged\" {{\n  value = {text}\n}}\n");
        let answer = planned(&[("main.tf", &text)], PlanOptions::default());
        (codes(&answer).len(), answer["plan"]["planned_values"]["outputs"]["merged"]["value"].clone())
    };
    for text in ["merge(false ? { a = 1 } : null)", "merge(false ? { a = 1 } : null, false ? { a = 2 } : null)"] {
        assert_eq!(merged(text).0, 1, "{text}");
    }
    for text in ["merge(null)", "merge(false ? { a = 1 } : null, null)", "merge(false ? tomap({ a = 1 }) : null)"] {
        assert_eq!(merged(text), (0, json!({})), "{text}");
    }
    assert_eq!(merged("merge(false ? { a = 1 } : null, { a = 2 })"), (0, json!({"a": 2})));
}

#[test]
fn compressed_text_is_not_known_here() {
    let text = "output \"packed\" {\n  value = base64gzip(\"text\")\n}\n";
    let answer = planned(&[("main.tf", text)], PlanOptions::default());
    assert_eq!(answer["plan"]["planned_values"]["outputs"]["packed"], json!({"sensitive": false}));
    assert_eq!(answer["missing"], json!([{"kind": "provider-function", "name": "base64gzip"}]));
}

/// An import is the only way to a replacement without a state.
#[test]
fn create_before_destroy_decides_the_order_of_a_replacement() {
    let resource = |flag: &str| {
        format!(
            "resource \"terraform_data\" \"a\" {{\n  triggers_replace = 1\n{flag}}}\nimport {{\n  to = terraform_data.a\n  id = \"x\"\n}}\n"
        )
    };
    let lifecycle = |flag: bool| format!("  lifecycle {{\n    create_before_destroy = {flag}\n  }}\n");
    for (flag, actions) in [
        (String::new(), ["delete", "create"]),
        (lifecycle(false), ["delete", "create"]),
        (lifecycle(true), ["create", "delete"]),
    ] {
        let answer = planned(&[("main.tf", &resource(&flag))], PlanOptions::default());
        assert_eq!(answer["plan"]["resource_changes"][0]["change"]["actions"], json!(actions), "{answer}");
    }
}

//! The part `overrides`: what overriding changed, as reported in the answer.

use overfold_cli::output::{AnswerOptions, Include, answer};
use serde_json::{Value, json};

use crate::changes::report;

fn merged(dialect: &str, files: &[(&str, &str)]) -> Value {
    report(dialect, files, |report| {
        let include = Include { config: true, overrides: true, ..Include::default() };
        let bytes = answer(report, AnswerOptions { include, ..AnswerOptions::default() });
        let mut answer: Value = serde_json::from_slice(&bytes).unwrap();
        answer["module"].take()
    })
}

/// Returns `ADDRESS PART CHANGE BEFORE -> AFTER (RULE)`, and the value at the pointer.
fn reported(module: &Value) -> Vec<String> {
    let text = |side: &Value| match (&side["expression"], &side["redacted"]) {
        (_, Value::Bool(true)) => "(secret)".to_owned(),
        (Value::String(text), _) => text.clone(),
        _ if side.is_null() => "-".to_owned(),
        _ => format!("{}:{}", side["range"]["filename"].as_str().unwrap(), side["range"]["start"]["line"]),
    };
    let entry = |entry: &Value| {
        let part = ["argument", "block"].into_iter().find_map(|name| entry[name].as_str()).unwrap_or("object");
        let at = entry["pointer"].as_str().map_or_else(
            || "nowhere".to_owned(),
            |pointer| format!("{pointer} = {}", module["config"].pointer(pointer).unwrap()),
        );
        format!(
            "{} {part} {} {} -> {} ({}) {at}",
            entry["address"].as_str().unwrap(),
            entry["change"].as_str().unwrap(),
            text(&entry["before"]),
            text(&entry["after"]),
            entry["rule"].as_str().unwrap(),
        )
    };
    module["overrides"].as_array().unwrap().iter().map(entry).collect()
}

#[test]
fn every_kind_of_change_has_its_positions_and_rule() {
    let base = "resource \"a\" \"t\" {\n  n = 1\n  disk {\n    size = 5\n  }\n  disk {}\n}\nlocals {\n  l = [1]\n}\n";
    let over = "resource \"a\" \"t\" {\n  n = 2\n  m = var.x\n  disk {\n    kind = 1\n  }\n  gpu {}\n}\n\
                locals {\n  l = \"new\"\n}\n";
    let module = merged("terraform", &[("main.tf", base), ("override.tf", over)]);
    assert_eq!(
        reported(&module),
        [
            "a.t n replaced 1 -> 2 (replace) /resource/a/t/0/n = 2",
            "a.t m added - -> var.x (replace) /resource/a/t/0/m = \"${var.x}\"",
            "a.t disk block-replaced main.tf:3 -> override.tf:4 (by-type-and-dynamic) /resource/a/t/0/disk/0 = {\"kind\":1}",
            "a.t size removed 5 -> - (by-type-and-dynamic) nowhere",
            "a.t disk removed main.tf:6 -> - (by-type-and-dynamic) nowhere",
            "a.t gpu added - -> override.tf:7 (by-type-and-dynamic) /resource/a/t/0/gpu/0 = {}",
            "local.l object block-replaced [1] -> \"new\" (replace-whole) /locals/0/l = \"new\"",
        ]
    );
    let first = &module["overrides"][0];
    assert_eq!((&first["before"]["value"], &first["after"]["value"]), (&json!(1), &json!(2)));
    assert_eq!(module["overrides"][1]["after"].get("value"), None);
    assert_eq!(first["file"], "override.tf");
    assert_eq!(first["within"]["filename"], "main.tf");
    assert_eq!(first["cause"]["start"], json!({"line": 2, "column": 3, "byte": 21}));
}

#[test]
fn pointers_lead_to_the_final_values() {
    let text = |n: u32| format!("resource \"a\" \"t\" {{\n  n = {n}\n}}\n");
    let module =
        merged("terraform", &[("main.tf", &text(1)), ("a_override.tf", &text(2)), ("b_override.tf", &text(3))]);
    assert_eq!(
        reported(&module),
        [
            "a.t n replaced 1 -> 2 (replace) /resource/a/t/0/n = 3",
            "a.t n replaced 2 -> 3 (replace) /resource/a/t/0/n = 3",
        ]
    );
}

#[test]
fn json_and_settings_have_pointers_too() {
    let base = r#"{"terraform": {"required_providers": {"p": {"source": "a/p", "version": "1"}}, "backend": {"s3": {"key": "k"}}},
        "variable": {"v": {"type": "string", "default": "x"}}}"#;
    let over = r#"{"terraform": [{"required_providers": {"p": {"source": "b/p"}}}, {"backend": {"local": {}}}],
        "variable": {"v": {"default": "y"}}}"#;
    let module = merged("terraform", &[("main.tf.json", base), ("override.tf.json", over)]);
    let reported = reported(&module);
    assert!(
        reported.contains(
            &"var.v default replaced \"x\" -> \"y\" (variable-default) /variable/v/0/default = \"y\"".to_owned()
        ),
        "{reported:#?}"
    );
    assert!(reported.iter().any(|entry| entry.starts_with("terraform.required_providers.p ")), "{reported:#?}");
    assert!(reported.iter().any(|entry| entry.contains("/terraform/0/backend/local/0 = {}")), "{reported:#?}");
}

#[test]
fn secrets_are_not_shown() {
    let base = "variable \"v\" {\n  default = \"old-secret\"\n  sensitive = true\n}\n";
    let over = "variable \"v\" {\n  default = \"new-secret\"\n}\n";
    let module = merged("terraform", &[("main.tf", base), ("override.tf", over)]);
    assert!(!module.to_string().contains("secret\""), "{module}");
    assert_eq!(reported(&module), ["var.v default replaced (secret) -> (secret) (variable-default) nowhere"]);
}

#[test]
fn other_dialects_report_overrides_too() {
    let module = merged(
        "terraform-0.11",
        &[
            ("main.tf", "resource \"a\" \"t\" {\n  n = 1\n}\n"),
            ("override.tf", "resource \"a\" \"t\" {\n  n = 2\n}\n"),
        ],
    );
    assert_eq!(reported(&module), ["a.t n replaced 1 -> 2 (replace) /resource/a/t/n = 2"]);
    let module = merged(
        "tflint",
        &[
            ("main.tf", "resource \"a\" \"t\" {\n  n = 1\n}\n"),
            ("override.tf", "resource \"a\" \"t\" {\n  n = 2\n}\n"),
        ],
    );
    assert_eq!(reported(&module), ["resource.a.t n replaced 1 -> 2 (first) /resource/a/t/0/n = 2"]);
    let module = merged(
        "sentinel",
        &[
            ("sentinel.hcl", "policy \"p\" {\n  source = \"./a.sentinel\"\n}\n"),
            ("override.hcl", "policy \"p\" {\n  enforcement_level = \"advisory\"\n}\n"),
        ],
    );
    assert!(reported(&module).iter().any(|entry| entry.contains("enforcement_level added")), "{module}");
}

/// Of several ways to repeat an object, the tool uses only one.
#[test]
fn what_another_repetition_displaces_is_removed_or_ignored() {
    let each = "  for_each = toset([\"a\"])\n";
    let object = |kind: &str, body: &str| format!("{kind} {{\n  source = \"./x\"\n{body}}}\n");
    for (kind, address, pointer) in [
        ("module \"m\"", "module.m", "/module/m/0"),
        ("resource \"t\" \"r\"", "t.r", "/resource/t/r/0"),
        ("data \"t\" \"r\"", "data.t.r", "/data/t/r/0"),
    ] {
        let over = |body: &str| format!("{kind} {{\n{body}}}\n");
        for dialect in ["terraform", "opentofu"] {
            let base = object(kind, each);
            let module = merged(dialect, &[("main.tf", &base), ("override.tf", &over("  count = 1\n"))]);
            assert_eq!(
                reported(&module),
                [
                    format!("{address} count added - -> 1 (replace) {pointer}/count = 1"),
                    format!("{address} for_each removed toset([\"a\"]) -> - (replace) nowhere"),
                ],
                "{dialect}"
            );
            let base = object(kind, "  count = 1\n");
            let module = merged(dialect, &[("main.tf", &base), ("override.tf", &over(each))]);
            assert_eq!(
                reported(&module),
                [format!("{address} for_each ignored 1 -> toset([\"a\"]) (replace) {pointer}/count = 1")],
                "{dialect}"
            );
            // In several steps: displaced once, ignored afterwards, and not mentioned again.
            let files = [
                ("main.tf", object(kind, each)),
                ("a_override.tf", over("  count = 1\n")),
                ("b_override.tf", over("  for_each = {}\n")),
                ("c_override.tf", over("  count = 2\n")),
            ];
            let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, &**text)).collect();
            assert_eq!(
                reported(&merged(dialect, &files)),
                [
                    format!("{address} count added - -> 1 (replace) {pointer}/count = 2"),
                    format!("{address} for_each removed toset([\"a\"]) -> - (replace) nowhere"),
                    format!("{address} for_each ignored 1 -> {{}} (replace) {pointer}/count = 2"),
                    format!("{address} count replaced 1 -> 2 (replace) {pointer}/count = 2"),
                ],
                "{dialect}"
            );
        }
    }
    // In JSON.
    let base = r#"{"module": {"m": {"source": "./x", "for_each": "${toset([])}"}}}"#;
    let over = r#"{"module": {"m": {"count": 1}}}"#;
    let module = merged("terraform", &[("main.tf.json", base), ("override.tf.json", over)]);
    assert_eq!(reported(&module).len(), 2, "{module:#}");
    assert_eq!(module["overrides"][1]["change"], "removed");
}

#[test]
fn enabled_takes_part_in_it() {
    let base = "resource \"t\" \"r\" {\n  lifecycle {\n    enabled = false\n  }\n}\n";
    let over = |body: &str| format!("resource \"t\" \"r\" {{\n  {body}\n}}\n");
    let module = merged("opentofu", &[("main.tf", base), ("override.tf", &over("count = 1"))]);
    assert_eq!(
        reported(&module),
        [
            "t.r count added - -> 1 (replace) /resource/t/r/0/count = 1",
            "t.r enabled removed false -> - (replace) nowhere",
        ]
    );
    let module = merged("opentofu", &[("main.tf", base), ("override.tf", &over("for_each = {}"))]);
    assert_eq!(
        reported(&module),
        ["t.r for_each ignored false -> {} (replace) /resource/t/r/0/lifecycle/0/enabled = false"]
    );
}

/// Blocks that are refused or ignored while an override file is read.
#[test]
fn what_is_refused_is_ignored() {
    let condition = "    condition = true\n    error_message = \"x\"\n";
    let inner =
        |kind: &str, name: &str| format!("{kind} {{\n  lifecycle {{\n    {name} {{\n{condition}    }}\n  }}\n}}\n");
    let base = "resource \"t\" \"r\" {}\noutput \"o\" {\n  value = 1\n}\nvariable \"v\" {}\n";
    let over = [
        inner("resource \"t\" \"r\"", "postcondition"),
        inner("resource \"t\" \"r\"", "precondition"),
        format!("output \"o\" {{\n  precondition {{\n{condition}  }}\n}}\n"),
        format!("variable \"v\" {{\n  validation {{\n{condition}  }}\n}}\n"),
        format!("check \"c\" {{\n  assert {{\n{condition}  }}\n}}\n"),
        "moved {\n  from = t.a\n  to   = t.r\n}\n".to_owned(),
        "import {\n  to = t.r\n  id = \"1\"\n}\n".to_owned(),
        "removed {\n  from = t.z\n  lifecycle {\n    destroy = false\n  }\n}\n".to_owned(),
        "ephemeral \"t\" \"e\" {}\n".to_owned(),
        "terraform {\n  provider_meta \"p\" {\n    a = 1\n  }\n}\n".to_owned(),
    ];
    let module = merged("terraform", &[("main.tf", base), ("override.tf", &over.concat())]);
    let found: Vec<String> = module["overrides"]
        .as_array()
        .unwrap()
        .iter()
        .map(|entry| {
            let part = entry["block"].as_str().unwrap_or("object");
            format!("{} {part} {}", entry["address"].as_str().unwrap(), entry["change"].as_str().unwrap())
        })
        .filter(|line| line.ends_with("ignored"))
        .collect();
    assert_eq!(
        found,
        [
            "t.r postcondition ignored",
            "t.r precondition ignored",
            "output.o precondition ignored",
            "var.v validation ignored",
            "check.c object ignored",
            "moved object ignored",
            "import object ignored",
            "removed object ignored",
            "ephemeral.t.e object ignored",
            "terraform.provider_meta.p object ignored",
        ]
    );
    let json =
        r#"{"resource": {"t": {"r": {"lifecycle": {"postcondition": {"condition": true, "error_message": "x"}}}}}}"#;
    let module = merged("terraform", &[("main.tf", base), ("override.tf.json", json)]);
    assert!(reported(&module).iter().any(|line| line.starts_with("t.r postcondition ignored")), "{module:#}");
}

#[test]
fn a_replaced_map_of_the_old_language_has_its_pointer() {
    let base = "variable \"m\" {\n  default = {\n    a = 1\n  }\n}\n";
    let over = "variable \"m\" {\n  default = {\n    b = 2\n  }\n}\n";
    let module = merged("terraform-0.11", &[("main.tf", base), ("override.tf", over)]);
    let entry = &module["overrides"][0];
    let pointer = entry["pointer"].as_str().unwrap_or_else(|| panic!("{entry:#}"));
    assert!(module["config"].pointer(pointer).unwrap().to_string().contains("\"b\":2"), "{module:#}");
    let block = "variable \"m\" {\n  default {\n    b = 2\n  }\n}\n";
    let module = merged("terraform-0.11", &[("main.tf", base), ("override.tf", block)]);
    assert!(module["overrides"][0]["pointer"].is_string(), "{module:#}");
}

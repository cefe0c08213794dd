//! variables.md, section B1: declarations, their types and defaults, and override files.

use serde_json::json;

use super::{Run, check, default_of};

#[tokio::test]
async fn scalars_are_texts_at_any_depth() {
    for (written, value) in [
        ("true", json!("1")),
        ("false", json!("0")),
        ("\"true\"", json!("true")),
        ("0x1F", json!("31")),
        ("0X1f", json!("31")),
        ("017", json!("15")),
        ("-0x10", json!("-16")),
        ("-5", json!("-5")),
        ("1.50", json!("1.5")),
        ("1.0", json!("1")),
        ("1e3", json!("1000")),
        ("1E-3", json!("0.001")),
        ("1.5e2", json!("150")),
        (".5", json!("0.5")),
        ("1e21", json!("1000000000000000000000")),
        ("9223372036854775807", json!("9223372036854775807")),
        ("-9223372036854775808", json!("-9223372036854775808")),
        ("\"1.50\"", json!("1.50")),
        ("[true, 1.50, 0x10, \"a\"]", json!(["1", "1.5", "16", "a"])),
        ("{ a = true, b = [false], c = { d = 010 } }", json!({"a": "1", "b": ["0"], "c": {"d": "8"}})),
        ("[[1, [2]], { a = 3 }]", json!([["1", ["2"]], {"a": "3"}])),
        ("\"e\u{301} \u{e9}\"", json!("e\u{301} \u{e9}")),
        ("\"a\\tb\\n\\\"c\\\"\"", json!("a\tb\n\"c\"")),
        ("\"$${stays}\"", json!("$${stays}")),
        ("{ \"$${k}\" = \"50%\" }", json!({"$${k}": "50%"})),
        ("<<EOF\n  $${a}\nEOF\n", json!("  $${a}\n")),
        ("\"\"", json!("")),
        ("[]", json!([])),
        ("{}", json!({})),
    ] {
        let declaration = format!("variable \"x\" {{\n  default = {written}\n}}\n");
        assert_eq!(default_of(&declaration).await, value, "{written}");
    }
}

#[tokio::test]
async fn a_default_may_be_written_in_many_ways() {
    for (body, value) in [
        ("default { a = 1 }", json!({"a": "1"})),
        // Repeated braces are merged, and later keys win; a nested block is replaced by the later one.
        (
            "default { a = 1 b = 1 }\n default = { b = 2 c = 2 }\n default { c = 3 }",
            json!({"a": "1", "b": "2", "c": "3"}),
        ),
        ("default { a { x = 1 } a { y = 2 } }", json!({"a": {"y": "2"}})),
        ("default = \"one\"\n default = \"two\"", json!("two")),
        ("default = [1]\n default = [2]", json!(["1", "2"])),
        // A string keeps a number as it is written.
        ("default = \"one\"\n default = 0x10", json!("0x10")),
        ("default = 1\n default = \"0x10\"", json!("16")),
        ("default \"a\" { x = 1 }", json!({"a": {"x": "1"}})),
        ("type = \"list\"\n default = []\n type = \"map\"\n default = []\n type = \"list\"", json!([])),
        ("\"default\" = \"quoted\"", json!("quoted")),
        ("default = 1,", json!("1")),
        ("type = \"\"\n default = []", json!([])),
    ] {
        let declaration = format!("variable \"x\" {{\n {body}\n}}\n");
        assert_eq!(default_of(&declaration).await, value, "{body}");
    }
    for (text, value) in [
        (r#"{"variable": {"x": {"default": null}}}"#, json!("")),
        (r#"{"variable": {"x": {"default": [true, "a", false, 1]}}}"#, json!(["a", "1"])),
        (r#"{"variable": {"x": {"default": {"a": true, "b": null}}}}"#, json!({"a": "1", "b": ""})),
        (
            r#"{"variable": {"x": {"type": "map", "default": {"a": {"k": 1}, "b": {"k": 2}}}}}"#,
            json!({"a": {"k": "1"}, "b": {"k": "2"}}),
        ),
        (r#"{"variable": [{"x": {"default": "listed"}}]}"#, json!("listed")),
        // An array of objects is equivalent to repeated braces.
        (r#"{"variable": {"x": {"default": [{"a": 1}, {"b": 2}]}}}"#, json!({"a": "1", "b": "2"})),
        (r#"{"variable": {"x": {"default": "\u00e9 $${a}"}}}"#, json!("\u{e9} $${a}")),
    ] {
        let files = [("main.tf.json", text)];
        let answer = Run { files: &files, ..Run::default() }.answer().await;
        assert_eq!(answer["valid"], true, "{text}: {}", answer["diagnostics"]);
        assert_eq!(answer["module"]["variables"]["x"]["value"], value, "{text}");
    }
}

#[tokio::test]
async fn json_objects_of_only_objects_are_unfolded() {
    // A variable with only a default of two maps therefore becomes two variables.
    let files = [("main.tf.json", r#"{"variable": {"x": {"default": {"a": {"k": 1}, "b": {"k": 2}}}}}"#)];
    let answer = Run { files: &files, ..Run::default() }.answer().await;
    let reported = super::findings(&answer);
    assert!(reported.contains("Variable 'x': duplicate found"), "{reported}");
}

#[tokio::test]
async fn a_default_fits_the_type_of_its_own_block() {
    for (body, wanted) in [
        (
            "type = \"list\"\n  default = {}",
            "main.tf:3:13 'x' has a default value which is not of type 'list' (got 'map')",
        ),
        (
            "type = \"map\"\n  default = []",
            "main.tf:3:13 'x' has a default value which is not of type 'map' (got 'list')",
        ),
        (
            "type = \"map\"\n  default = 1",
            "main.tf:3:13 'x' has a default value which is not of type 'map' (got 'string')",
        ),
        (
            "type = \"string\"\n  default = []",
            "main.tf:3:13 'x' has a default value which is not of type 'string' (got 'list')",
        ),
        (
            "type = \"List\"",
            "main.tf:2:10 Variable 'x' type must be one of [string, list, map] - 'List' is not a valid type",
        ),
        ("type = 5", "main.tf:2:10 Variable 'x' type must be one of [string, list, map] - '5' is not a valid type"),
        ("type = [\"list\"]", "main.tf:2:10 The value cannot be decoded"),
        ("default = \"a\"\n  default = []", "main.tf:3:13 The value cannot be decoded"),
        ("default = []\n  default { a = 1 }", "main.tf:3:11 The value cannot be decoded"),
        ("default = \"${var.y}\"", "main.tf:2:3 variable \"x\": default may not contain interpolations"),
        ("default = [{ a = \"$${b} ${c}\" }]", "main.tf:2:3 variable \"x\": default may not contain interpolations"),
        ("default = { \"${k}\" = 1 }", "main.tf:2:3 variable \"x\": default may not contain interpolations"),
    ] {
        let text = format!("variable \"x\" {{\n  {body}\n}}\n");
        let files = [("main.tf", text.as_str())];
        let reported = Run { files: &files, ..Run::default() }.answer().await;
        let reported = super::findings(&reported);
        assert!(reported.lines().any(|line| line == format!("error {wanted}")), "{body}\n{reported}");
    }
}

#[tokio::test]
async fn wrong_defaults_are_reported_once_and_an_override_may_correct_them() {
    let base = "variable \"x\" {\n  type = \"list\"\n  default = 1\n}\n";
    let wrong = "error main.tf:3:13 'x' has a default value which is not of type 'list' (got 'string')\n";
    check(Run { files: &[("main.tf", base)], ..Run::default() }, &format!("x: list null < default\n{wrong}")).await;
    // The tool does not get this far.
    let over = ("override.tf", "variable \"x\" { default = [2] }\n");
    let files = [("main.tf", base), over];
    check(Run { files: &files, ..Run::default() }, &format!("x: list [\"2\"] < default\n{wrong}")).await;
    // Interpolations are searched for only in the merged module.
    let files = [("main.tf", "variable \"x\" { default = \"${y}\" }\n"), over];
    check(Run { files: &files, ..Run::default() }, "x: list [\"2\"] < default\n").await;
}

#[tokio::test]
async fn an_empty_default_is_a_default() {
    check(
        Run { files: &[("main.tf", "variable \"x\" { default = \"\" }\nvariable \"y\" {}\n")], ..Run::default() },
        r#"
        x: string "" < default
        y: string null < nothing
        error main.tf:2:1 Required variable not set: y
        "#,
    )
    .await;
}

#[tokio::test]
async fn overrides_replace_type_default_and_description_one_by_one() {
    let base = "variable \"x\" {\n  type = \"map\"\n  default = { a = 1 }\n}\n";
    for (over, wanted) in [
        ("variable \"x\" { default = { b = 2 } }\n", "x: map {\"b\":\"2\"} < default\n"),
        ("variable \"x\" { description = \"new\" }\n", "x: map {\"a\":\"1\"} < default\n"),
        ("variable \"x\" {}\n", "x: map {\"a\":\"1\"} < default\n"),
        ("variable \"x\" { default = {} }\n", "x: map {} < default\n"),
        // Type and default from different files are not checked against each other; the value then has the wrong type.
        (
            "variable \"x\" { default = \"text\" }\n",
            "x: map null < default\nerror main.tf:1:1 variable x should be type map, got string\n",
        ),
        (
            "variable \"x\" { type = \"list\" }\n",
            "x: list null < default\nerror main.tf:1:1 variable x should be type list, got map\n",
        ),
        ("variable \"y\" { default = [1] }\n", "x: map {\"a\":\"1\"} < default\ny: list [\"1\"] < default\n"),
    ] {
        check(Run { files: &[("main.tf", base), ("x_override.tf", over)], ..Run::default() }, wanted).await;
    }
    // The inferred type follows the final default.
    let files = [
        ("main.tf", "variable \"x\" {}\n"),
        ("a_override.tf", "variable \"x\" { default = [] }\n"),
        ("override.tf.json", r#"{"variable": {"x": {"default": {"k": true}}}}"#),
    ];
    check(Run { files: &files, ..Run::default() }, "x: map {\"k\":\"1\"} < default\n").await;
    // If a variable is only in override files, later ones override the first.
    let files = [
        ("a_override.tf", "variable \"x\" { default = \"a\" }\n"),
        ("b_override.tf", "variable \"x\" { type = \"string\" }\n"),
    ];
    check(Run { files: &files, ..Run::default() }, "x: string \"a\" < default\n").await;
}

#[tokio::test]
async fn tool_crashes_are_reported_as_our_errors() {
    // A string whose default is a list, whatever value is given.
    let files =
        [("main.tf", "variable \"x\" { type = \"string\" }\n"), ("override.tf", "variable \"x\" { default = [] }\n")];
    check(
        Run { files: &files, ..Run::default() },
        "x: string null < default\nerror !main.tf:1:1 variable x should be type string, got list\n",
    )
    .await;
    // A map given over a default that is not a map. A list is simply replaced.
    let files = [
        ("main.tf", "variable \"m\" { type = \"map\" }\nvariable \"l\" { type = \"list\" }\n"),
        ("override.tf", "variable \"m\" { default = \"text\" }\nvariable \"l\" { default = \"text\" }\n"),
    ];
    check(
        Run { files: &files, env: &[("TF_VAR_m", "{ a = 1 }"), ("TF_VAR_l", "[1]")], ..Run::default() },
        r#"
        l: list ["1"] < env TF_VAR_l / default "text"
        m: map null < default + env TF_VAR_m
        error !main.tf:1:1 variable m should be type map, got string
        "#,
    )
    .await;
}

#[tokio::test]
async fn a_default_apart_from_its_declared_type_is_printed_otherwise() {
    // The program converts a default together with the type in the same block; otherwise it prints it later, by other
    // rules.
    for (base, over, value) in [
        ("type = \"string\"\n default = true", "", "1"),
        ("type = \"string\"", "default = true", "true"),
        ("type = \"string\"", "default = 1.5", "1.500000"),
        ("type = \"string\"", "default = 0x10", "16"),
        ("default = false", "type = \"string\"", "false"),
        ("default = false", "default = 2.50", "2.5"),
        ("", "type = \"string\"\n default = 1.5", "1.5"),
    ] {
        let base = format!("variable \"x\" {{\n {base}\n}}\n");
        let over = format!("variable \"x\" {{\n {over}\n}}\n");
        let files = [("main.tf", base.as_str()), ("override.tf", over.as_str())];
        check(Run { files: &files, ..Run::default() }, &format!("x: string \"{value}\" < default\n")).await;
    }
}

#[tokio::test]
async fn answers_without_values_contain_only_declarations() {
    let request = json!({
        "files": {"main.tf": "variable \"x\" { default = [true] }\nvariable \"y\" {}\n", "terraform.tfvars": "x = ["},
        "dialect": "terraform-0.11", "include": ["variables", "objects"],
    });
    let answer = crate::http::post("application/json", request.to_string()).await.json();
    assert_eq!(answer["valid"], true, "{}", answer["diagnostics"]);
    assert_eq!(
        answer["module"]["variables"],
        json!({"x": {"type": "list", "default": ["1"], "sensitive": false}, "y": {"type": "string", "sensitive": false}})
    );
    assert_eq!(answer["module"]["objects"]["var.x"]["default"], json!(["1"]));
}

#[tokio::test]
async fn names_that_module_blocks_keep_are_noted() {
    let text = "variable \"source\" { default = 1 }\nvariable \"providers\" { default = 2 }\nvariable \"count\" { default = 3 }\n";
    check(
        Run { files: &[("main.tf", text)], args: &["source=4"], ..Run::default() },
        r#"
        count: string "3" < default
        providers: string "2" < default
        source: string "4" < -var 0 / default "1"
        info !main.tf:1:10 Variable that no caller can set
        info !main.tf:2:10 Variable that no caller can set
        "#,
    )
    .await;
}

//! variables.md, section B2: sources and how their maps are merged.

use serde_json::json;

use super::{Run, check};

#[tokio::test]
async fn strings_and_lists_are_replaced_and_the_hidden_value_is_reported() {
    let files = [
        ("main.tf", "variable \"s\" { default = \"d\" }\nvariable \"l\" { default = [\"d\"] }\n"),
        ("terraform.tfvars", "s = \"t\"\nl = [\"t\"]\n"),
        ("a.auto.tfvars.json", "{\"s\": \"a\", \"l\": [\"a\"]}"),
        ("f.tfvars", "s = \"f\"\nl = [\"f\"]\n"),
    ];
    let env = [("TF_VAR_s", "e"), ("TF_VAR_l", "[\"e\"]")];
    check(
        Run { files: &files, env: &env, args: &["s=v", "l=[\"v\"]", "@f.tfvars"] },
        r#"
        l: list ["f"] < -var-file 2 f.tfvars / var 1 ["v"], a.auto.tfvars.json ["a"], terraform.tfvars ["t"], env TF_VAR_l ["e"], default ["d"]
        s: string "f" < -var-file 2 f.tfvars / var 0 "v", a.auto.tfvars.json "a", terraform.tfvars "t", env TF_VAR_s "e", default "d"
        "#
        .replace("var 1", "-var 1")
        .replace("var 0", "-var 0")
        .as_str(),
    )
    .await;
}

#[tokio::test]
async fn maps_of_all_sources_are_merged_key_by_key() {
    let files = [
        ("main.tf", "variable \"m\" { default = { d = 1, e = 1, t = 1, a = 1 } }\n"),
        ("terraform.tfvars", "m = { t = 3, a = 3, n = { x = 1 } }\n"),
        ("a.auto.tfvars", "m = { a = 4, n = { y = 1 } }\n"),
    ];
    let env = [("TF_VAR_m", "{ e = 2, t = 2 }")];
    check(
        Run { files: &files, env: &env, ..Run::default() },
        r#"m: map {"a":"4","d":"1","e":"2","n":{"y":"1"},"t":"3"} < default + env TF_VAR_m + terraform.tfvars + a.auto.tfvars"#,
    )
    .await;
    // The command line replaces the files as a whole, even with an empty map, and nothing removes a key.
    for (option, value, from) in [
        ("m={ t = 5 }", r#"{"a":"1","d":"1","e":"2","t":"5"}"#, "-var 0"),
        ("m={}", r#"{"a":"1","d":"1","e":"2","t":"2"}"#, "-var 0"),
    ] {
        check(
            Run { files: &files, env: &env, args: &[option] },
            &format!(
                r#"m: map {value} < default + env TF_VAR_m + {from} / a.auto.tfvars {{"a":"4","n":{{"y":"1"}}}}, terraform.tfvars {{"a":"3","n":{{"x":"1"}},"t":"3"}}
                info !a.auto.tfvars:1:5 Map from automatic files not merged"#
            ),
        )
        .await;
    }
}

#[tokio::test]
async fn command_line_values_merge_in_order() {
    let files = [("main.tf", "variable \"m\" { type = \"map\" }\n"), ("f.tfvars", "m { k = \"f\" f = 1 }\n")];
    check(
        Run { files: &files, args: &["m={k=\"1\"}", "@f.tfvars", "m={v=\"2\"}", "@f.tfvars"], ..Run::default() },
        r#"m: map {"f":"1","k":"f","v":"2"} < -var 0 + -var-file 1 f.tfvars + -var 2 + -var-file 3 f.tfvars"#,
    )
    .await;
    // A value that is not a map replaces the maps before it, and maps after it replace it.
    check(
        Run { files: &files, args: &["m={a=\"1\"}", "m=x", "m={b=\"2\"}"], ..Run::default() },
        r#"m: map {"b":"2"} < -var 2 / -var 1 "x", -var 0 {"a":"1"}"#,
    )
    .await;
    check(
        Run { files: &files, args: &["m={a=\"1\"}", "m=x"], ..Run::default() },
        "m: map null < -var 1 / -var 0 {\"a\":\"1\"}\nerror main.tf:1:1 variable m should be type map, got string",
    )
    .await;
}

#[tokio::test]
async fn a_list_or_map_under_a_key_is_replaced() {
    let files = [
        ("main.tf", "variable \"m\" { default = { l = [1, 2], m = { a = 1 }, s = 1 } }\n"),
        ("a.auto.tfvars", "m = { l = [3], m = { b = 2 }, s = [4] }\n"),
        ("b.auto.tfvars.json", "{\"m\": {\"m\": {\"c\": 3}, \"x\": 1}}"),
    ];
    check(
        Run { files: &files, ..Run::default() },
        r#"m: map {"l":["3"],"m":{"c":"3"},"s":["4"],"x":"1"} < default + a.auto.tfvars + b.auto.tfvars.json"#,
    )
    .await;
}

#[tokio::test]
async fn maps_for_another_type_are_merged_and_then_refused() {
    let files = [
        ("main.tf", "variable \"l\" { default = [] }\nvariable \"s\" {}\n"),
        ("a.auto.tfvars", "l = { a = 1 }\ns = { a = 1 }\n"),
        ("b.auto.tfvars", "l = { b = 1 }\ns = { b = 1 }\n"),
    ];
    check(
        Run { files: &files, ..Run::default() },
        r"
        l: list null < a.auto.tfvars + b.auto.tfvars / default []
        s: string null < a.auto.tfvars + b.auto.tfvars
        error a.auto.tfvars:1:5 variable l should be type list, got map
        error a.auto.tfvars:2:5 variable s should be type string, got map
        ",
    )
    .await;
}

#[tokio::test]
async fn other_values_cannot_be_merged_into_a_map() {
    let files = [("main.tf", "variable \"m\" { default = {} }\n"), ("terraform.tfvars", "m = [1]\n")];
    check(
        Run { files: &files, ..Run::default() },
        "m: map null < terraform.tfvars / default {}\nerror terraform.tfvars:1:5 variable \"m\" should be type map, got list",
    )
    .await;
    // If the variable has no map yet, this is a value of the wrong type.
    let files = [("main.tf", "variable \"m\" { type = \"map\" }\n"), ("terraform.tfvars", "m = [1]\n")];
    check(
        Run { files: &files, ..Run::default() },
        "m: map null < terraform.tfvars\nerror terraform.tfvars:1:5 variable m should be type map, got list",
    )
    .await;
}

#[tokio::test]
async fn undeclared_names_are_ignored_with_a_note() {
    let files = [
        ("main.tf", "variable \"m\" { default = { k = 1 } }\n"),
        ("terraform.tfvars", "one = 1\n\"m.k\" = 2\n"),
        ("f.tfvars", "two { a = 1 }\n"),
    ];
    check(
        Run { files: &files, env: &[("TF_VAR_three", "["), ("OTHER", "x")], args: &["@f.tfvars", "m.k=3", "four=["] },
        r#"
        m: map {"k":"1"} < default
        error Cannot parse value for variable ("[") as valid HCL: At 1:6: unexpected token while parsing list: EOF
        info !Value for undeclared variable ignored
        info !Value for undeclared variable ignored
        info !f.tfvars:1:5 Value for undeclared variable ignored
        info !terraform.tfvars:1:7 Value for undeclared variable ignored
        "#,
    )
    .await;
    let answer = Run { files: &files[..1], args: &["m.k=3"], ..Run::default() }.answer().await;
    let detail = answer["diagnostics"][0]["detail"].as_str().unwrap();
    assert!(detail.contains("`m = { k = … }`"), "{detail}");
}

#[tokio::test]
async fn json_values_are_merged_like_the_command_line() {
    let request = json!({
        "files": {
            "main.tf": "variable \"m\" { default = { a = 1 } }\nvariable \"l\" { type = \"list\" }\nvariable \"s\" {}\nvariable \"n\" {}\n",
            "terraform.tfvars": "m = { t = 1 }",
        },
        "dialect": "terraform-0.11", "include": ["variables"],
        "variables": {"args": [
            {"name": "m", "value": {"b": true, "c": {"d": null}}},
            {"var": "m={e = 2}"},
            {"name": "l", "value": [true, [1.50, null], {"x": 1e3}]},
            {"name": "s", "value": 0.10},
            {"name": "n", "value": null},
        ]},
    });
    let answer = crate::http::post("application/json", request.to_string()).await.json();
    let variables = &answer["module"]["variables"];
    assert_eq!(answer["valid"], true, "{answer}");
    assert_eq!(variables["m"]["value"], json!({"a": "1", "b": "1", "c": {"d": ""}, "e": "2"}));
    assert_eq!(
        variables["m"]["from"],
        json!([{"kind": "default"}, {"kind": "value", "index": 0}, {"kind": "var", "index": 1}])
    );
    // None of the losses that JSON files suffer.
    assert_eq!(variables["l"]["value"], json!(["1", ["1.5", ""], {"x": "1000"}]));
    assert_eq!((&variables["s"]["value"], &variables["n"]["value"]), (&json!("0.1"), &json!("")));
}

//! What override files do to a base.

use serde_json::{Value, json};

use super::{answer, config, notes, reported};

/// The code for content of the base that a replacing block does not repeat.
const LOST: &str = "override/content-lost";

/// Checks the result of a base and an override, each in native syntax and in JSON.
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
        // A map with one entry is written as an array where it would otherwise be torn apart.
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
    // All blocks of a name, and an argument of that name, replace one another.
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
    assert_eq!(merged["removed_blocks"].as_array().unwrap().len(), 2);
}

#[tokio::test]
async fn special_arguments_of_a_resource_are_not_merged() {
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
        // In separate files they merge, except for locals.
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
    let base = "output \"o\" {\n  value = \"${path.module}\"\n  sensitive = true\n  description = \"d\"\n  depends_on = [\"a.b\"]\n}\n";
    let found = answer(json!({"m.tf": base, "override.tf": "output \"o\" {\n  value = \"${path.root}\"\n}\n"})).await;
    assert_eq!(config(&found), &json!({"output": {"o": {"sensitive": true, "value": "${path.root}"}}}));
    let lost: Vec<&Value> = found["diagnostics"].as_array().unwrap().iter().map(|found| &found["code"]).collect();
    assert_eq!(lost, ["override/argument-lost"; 2]);
    merged(
        base,
        "output \"o\" {\n  sensitive = false\n  description = \"e\"\n  depends_on = []\n}\n",
        &json!({"output": {"o": {"depends_on": [], "description": "e", "sensitive": false, "value": "${path.module}"}}}),
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
    // The first one of the name takes it, and the alias with it.
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
async fn override_files_apply_by_name_and_a_broken_one_is_skipped() {
    let found = answer(json!({
        "m.tf": "resource \"t\" \"r\" {\n  a = 0\n  b = 0\n}\n",
        "z_override.tf": "resource \"t\" \"r\" {\n  a = 3\n}\n",
        "override.tf": "resource \"t\" \"r\" {\n  a = 2\n  b = x\n  c = 1\n}\n",
        "a_override.tf": "resource \"t\" \"r\" {\n  a = 1\n}\n",
    }))
    .await;
    assert_eq!(reported(&found), "override.tf:3:7 Error parsing override.tf: At 3:7: Unknown token: 3:7 IDENT x\n");
    let merged = &found["module"]["objects"]["t.r"]["attributes"];
    let previous = merged["a"]["previous"].as_array().unwrap().iter();
    let old: Vec<&Value> = previous.map(|old| &old["expression"]).collect();
    assert_eq!((&merged["a"]["expression"], old), (&json!("3"), vec![&json!("0"), &json!("1"), &json!("2")]));
    assert_eq!(merged["c"]["expression"], "1");
}

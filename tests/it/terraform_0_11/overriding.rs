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

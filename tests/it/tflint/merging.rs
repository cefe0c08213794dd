//! What an override keeps and what it loses (tflint.md, sections 3 and 4). Most rules are compared with a plain model;
//! these are the records of what was replaced, and the notes about what is dropped silently.

use serde_json::json;

use super::{answer, merged, plain, reported};

#[tokio::test]
async fn replaced_values_are_kept_with_the_winning_one() {
    let answer = merged(json!({
        "main.tf": "resource \"a\" \"b\" {\n  n = 1\n  disk {}\n  nic {}\n  disk {\n    x = 1\n  }\n}\n",
        "a_override.tf": "resource \"a\" \"b\" {\n  n = 2\n}\n",
        "b_override.tf": "resource \"a\" \"b\" {\n  n = 3\n  nic {}\n  disk {}\n}\n",
    }))
    .await;
    let block = &answer["module"]["content"][0];
    assert_eq!(block["overridden_by"][0]["filename"], "a_override.tf");
    assert_eq!(block["overridden_by"][1]["filename"], "b_override.tf");
    let n = &block["attributes"]["n"];
    assert_eq!(n["expression"], "3");
    assert_eq!(n["previous"][0]["expression"], "1");
    assert_eq!(n["previous"][1]["range"]["filename"], "a_override.tf");
    let gone: Vec<&serde_json::Value> =
        block["removed_blocks"].as_array().unwrap().iter().map(|gone| &gone["range"]["start"]["line"]).collect();
    assert_eq!(gone, [3, 4, 5], "in the order in which they stood");
}

#[tokio::test]
async fn what_the_tool_drops_is_noted() {
    for (base, over, wanted) in [
        (
            "",
            "provider \"p\" {}\nmoved {}\nlocals {\n  a = 1\n}\nterraform {\n  backend \"x\" {}\n}\n",
            "1:1 Override block has no effect\n2:1 Override block has no effect\n3:1 Override block has no effect\n6:1 Override block has no effect\n",
        ),
        // A lifecycle without a base, and conditions in one with a base.
        (
            "resource \"a\" \"b\" {}\nresource \"a\" \"c\" {\n  lifecycle {}\n}\n",
            "resource \"a\" \"b\" {\n  lifecycle {\n    prevent_destroy = true\n  }\n}\nresource \"a\" \"c\" {\n  lifecycle {\n    precondition {}\n  }\n}\n",
            "2:3 Part of an override has no effect\n8:5 Part of an override has no effect\n",
        ),
        // Only resources have their lifecycle blocks merged.
        (
            "data \"a\" \"b\" {\n  lifecycle {}\n}\n",
            "data \"a\" \"b\" {\n  lifecycle {\n    postcondition {}\n  }\n}\n",
            "",
        ),
        (
            "terraform {}\n",
            "terraform {\n  required_providers {\n    p = \"1\"\n  }\n}\n",
            "2:3 Part of an override has no effect\n",
        ),
        // The second occurrence of an entry, if several blocks contain entries.
        (
            "terraform {\n  required_providers {\n    p = \"1\"\n  }\n  required_providers {\n    p = \"2\"\n    q = \"2\"\n  }\n}\n",
            "terraform {\n  required_providers {\n    p = \"3\"\n  }\n  required_providers {\n    p = \"4\"\n    q = \"4\"\n  }\n}\n",
            "6:5 Part of an override has no effect\n",
        ),
        (
            "moved {}\nmoved {}\nprovider \"p\" {}\nprovider \"p\" {\n  alias = \"x\"\n}\n",
            "moved {}\nprovider \"p\" {\n  alias = \"x\"\n}\n",
            "1:1 Override changes the first block only\n2:1 Override changes the first block only\n",
        ),
        (
            "a = 1\nwidget {}\n",
            "b = 2\nwidget {}\n",
            "1:1 Argument outside of any block\n1:1 Argument outside of any block\n",
        ),
        ("output \"o\" {\n  value = 1\n}\n", "output \"o\" {\n  value = 2\n}\n", ""),
    ] {
        let answer = merged(json!({"main.tf": base, "override.tf": over})).await;
        let notes =
            reported(&answer, "overfold").replace("override.tf:", "").replace("main.tf:", "").replace("info ", "");
        assert_eq!(notes, wanted, "{base}---\n{over}");
        assert_eq!(reported(&answer, "tool"), "");
        assert_eq!(answer["valid"], true);
    }
}

#[tokio::test]
async fn only_later_files_see_the_blocks_that_a_file_adds() {
    let answer = merged(json!({
        "main.tf": "locals {\n  a = 1\n}\nlocals {\n  b = 1\n}\n",
        // The second block of this file does not see what the first one adds.
        "a_override.tf": "locals {\n  c = 2\n}\nlocals {\n  c = 3\n  a = 3\n}\n",
        "b_override.tf": "locals {\n  c = 4\n}\n",
    }))
    .await;
    assert_eq!(plain(&answer), "locals { a=3; }\nlocals { b=1; }\nlocals { c=4; }\nlocals { c=4; }\n");
}

#[tokio::test]
async fn objects_are_the_content_and_config_is_the_merged_list() {
    let files = json!({
        "main.tf": "resource \"a\" \"b\" {\n  x = 1\n  depends_on = [a.c]\n}\nlocals {\n  l = \"${var.x}-$${y}\"\n}\nlocals {\n  m = 1\n}\n",
        "override.tf": "resource \"a\" \"b\" {\n  x = 2\n}\n",
    });
    let one = answer(files, json!({"include": ["objects", "config"]})).await;
    assert!(one["module"]["content"].is_array(), "{one}");
    assert!(one["module"].get("objects").is_none());
    assert_eq!(
        one["module"]["config"],
        json!({
            "locals": [{"l": "${var.x}-$${y}"}, {"m": 1}],
            "resource": {"a": {"b": [{"depends_on": ["a.c"], "x": 2}]}},
        })
    );
}

#[tokio::test]
async fn every_release_gives_the_same() {
    let files = json!({"main.tf": "moved {}\n", "override.tf": "moved {\n  from = a.b\n}\n"});
    for version in ["0.54", "0.54.0", "0.55.1", "0.58", "0.63.1", "0.64"] {
        let answer = answer(files.clone(), json!({"version": version})).await;
        assert_eq!(plain(&answer), "moved { from=a.b; }\n");
    }
    let refused = super::ask(files, json!({"version": "0.53.0"})).await;
    let problem = refused.problem(422, "unknown-version");
    assert!(problem["detail"].as_str().unwrap().contains("0.64.0"), "{problem}");
}

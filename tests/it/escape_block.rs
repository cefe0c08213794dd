//! The escape block `_ {}` (terraform.md, section 5.4), in situations that no recorded case covers. Verified with the
//! real tool.

use serde_json::{Value, json};

use crate::http::post;

async fn answer(files: Value) -> Value {
    let request = json!({"stage": "load", "files": files, "version": "1.11.4", "include": ["config", "objects"]});
    post("application/json", request.to_string()).await.json()
}

/// The tool appends the content of the escape block to the body: its blocks come last wherever it is, and if an
/// argument is in both, the outer one applies.
#[tokio::test]
async fn the_content_of_an_escape_block_comes_last_and_does_not_replace() {
    let native = "resource \"a\" \"t\" {\n  input = 1\n  _ {\n    input = 5\n    more = 6\n    blk {\n      a = 1\n    }\n  }\n  blk {\n    a = 2\n  }\n}\n";
    let answer = answer(json!({"main.tf": native})).await;
    let config = &answer["module"]["config"]["resource"]["a"]["t"][0];
    assert_eq!(*config, json!({"blk": [{"a": 2}, {"a": 1}], "input": 1, "more": 6}));
    let found = answer["diagnostics"].as_array().unwrap();
    assert_eq!(found.len(), 1, "{found:?}");
    assert_eq!((&found[0]["code"], &found[0]["severity"]), (&json!("load/escaped-twice"), &json!("warning")));
    assert_eq!(found[0]["range"]["start"]["line"], 4);
    assert_eq!(answer["valid"], true);
}

#[tokio::test]
async fn an_override_replaces_arguments_of_an_escape_block() {
    let base = "resource \"a\" \"t\" {\n  _ {\n    input = 5\n    blk {\n      a = 1\n    }\n  }\n  blk {\n    a = 2\n  }\n}\n";
    let over = "resource \"a\" \"t\" {\n  input = 7\n  blk {\n    a = 3\n  }\n}\n";
    let answer = answer(json!({"main.tf": base, "override.tf": over})).await;
    let config = &answer["module"]["config"]["resource"]["a"]["t"][0];
    assert_eq!(*config, json!({"blk": [{"a": 3}], "input": 7}));
}

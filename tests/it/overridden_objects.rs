//! What `objects` reports about overriding, and the notes about what `config` cannot express.

use serde_json::{Value, json};

use crate::http::post;

async fn ask(dialect: &str, version: &str, files: Value) -> Value {
    let request = json!({"stage": "load", "files": files, "dialect": dialect, "version": version,
                         "include": ["config", "objects", "variables"]});
    post("application/json", request.to_string()).await.json()
}

fn lines(range: &Value) -> (u64, u64) {
    (range["start"]["line"].as_u64().unwrap(), range["end"]["line"].as_u64().unwrap())
}

#[tokio::test]
async fn lost_blocks_are_shown_whole_and_additions_as_such() {
    let base = "resource \"a\" \"t\" {\n  n = 1\n  disk {\n    size = 5\n    zone {}\n  }\n}\n";
    let over = "resource \"a\" \"t\" {\n  n = 2\n  m = 3\n  disk {}\n}\n";
    let answer = ask("terraform", "1.11.4", json!({"main.tf": base, "override.tf": over})).await;
    let object = &answer["module"]["objects"]["a.t"];
    assert_eq!((lines(&object["header"]), lines(&object["range"])), ((1, 1), (1, 7)));
    let gone = &object["removed_blocks"][0];
    assert_eq!((lines(&gone["header"]), lines(&gone["range"])), ((3, 3), (3, 6)));
    assert_eq!(gone["attributes"]["size"]["expression"], "5");
    assert_eq!(gone["blocks"][0]["type"], "zone");
    assert_eq!(object["attributes"]["m"]["added"], true);
    assert!(object["attributes"]["n"].get("added").is_none());
}

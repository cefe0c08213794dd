//! Rules of the dialect `sentinel` that no recorded case covers (sentinel.md); where the document leaves something
//! open, the dialect's table decides.

use std::fmt::Write as _;

use serde_json::{Value, json};

use crate::http::{Answer, post};

async fn ask(files: Value, more: Value) -> Answer {
    let mut request = json!({"files": files, "dialect": "sentinel", "include": ["config", "objects", "files"]});
    for (name, value) in more.as_object().unwrap() {
        request[name] = value.clone();
    }
    post("application/json", request.to_string()).await
}

async fn answer(files: Value, version: &str) -> Value {
    let answer = ask(files, json!({"version": version})).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

/// Returns `FILE:LINE:COLUMN TITLE` for every diagnostic, one per line, in order.
fn reported(answer: &Value) -> String {
    let mut out = String::new();
    for found in answer["diagnostics"].as_array().unwrap() {
        let (range, title) = (&found["range"], found["summary"].as_str().unwrap());
        match range["filename"].as_str() {
            Some(name) => {
                writeln!(out, "{name}:{}:{} {title}", range["start"]["line"], range["start"]["column"]).unwrap();
            }
            None => writeln!(out, "{title}").unwrap(),
        }
    }
    out
}

#[tokio::test]
async fn merged_blocks_are_judged_as_a_whole() {
    for (base, over, wanted) in [
        // An override may complete or correct its base, and may itself be wrong.
        ("policy \"p\" {}\n", "policy \"p\" {\n  source = \"./p\"\n}\n", ""),
        (
            "policy \"p\" {\n  source = \"./p\"\n  enforcement_level = \"x\"\n}\n",
            "policy \"p\" {\n  enforcement_level = \"advisory\"\n}\n",
            "",
        ),
        (
            "policy \"p\" {\n  source = \"./p\"\n}\n",
            "policy \"p\" {\n  enforcement_level = \"strict\"\n}\n",
            "override.hcl:2:23 Unsupported enforcement level\n",
        ),
        (
            "import \"static\" \"s\" {\n  source = \"./s\"\n  format = \"yaml\"\n}\n",
            "",
            "main.hcl:3:12 Unsupported static import format\n",
        ),
        (
            "import \"static\" \"s\" {}\n",
            "",
            "main.hcl:1:1 Missing required argument\nmain.hcl:1:1 Missing required argument\n",
        ),
        (
            "import \"plugin\" \"time\" {\n  config = {}\n}\n",
            "import \"plugin\" \"time\" {\n  source = \"./t\"\n}\n",
            "override.hcl:2:12 Standard import cannot be replaced\n",
        ),
        (
            "import \"module\" \"time\" {\n  source = \"./t\"\n}\n",
            "",
            "main.hcl:2:12 Standard import cannot be replaced\n",
        ),
        ("import \"plugin\" \"own\" {\n  config = {}\n}\n", "", "main.hcl:1:1 Missing required argument\n"),
        ("import \"plugin\" \"tfplan/v2\" {\n  config = {}\n}\n", "", ""),
        ("import \"http\" \"h\" {}\n", "", "main.hcl:1:8 Unsupported import kind\n"),
        (
            "mock \"m\" {\n  module {\n    source = \"./m\"\n  }\n}\n",
            "mock \"m\" {\n  data = {}\n}\n",
            "main.hcl:1:1 Conflicting mock forms\n",
        ),
        ("mock \"m\" {\n  module {}\n}\n", "", "main.hcl:2:3 Missing required argument\n"),
        ("mock \"m\" {\n  module {}\n}\n", "mock \"m\" {\n  module {\n    source = \"./m\"\n  }\n}\n", ""),
        ("mock \"m\" {}\n", "", ""),
        (
            "param \"p\" {}\nglobal \"g\" {}\n",
            "",
            "main.hcl:1:1 Missing required argument\nmain.hcl:2:1 Missing required argument\n",
        ),
        // Constants of the wrong type are errors; a value that is not a constant is kept.
        ("policy \"p\" {\n  source = [\"./p\"]\n}\n", "", "main.hcl:2:12 Unsuitable value type\n"),
        ("policy \"p\" {\n  source = null\n}\n", "", "main.hcl:2:12 Unsuitable value type\n"),
        ("policy \"p\" {\n  source = var.p\n  params = merge({}, {})\n}\n", "", ""),
        (
            "sentinel {\n  features = true\n}\ntest {\n  rules = []\n}\n",
            "",
            "main.hcl:2:14 Unsuitable value type\nmain.hcl:5:11 Unsuitable value type\n",
        ),
        (
            "import \"plugin\" \"x\" {\n  source = \"./x\"\n  args = \"a\"\n  env = {a = []}\n}\n",
            "",
            "main.hcl:3:10 Unsuitable value type\nmain.hcl:4:9 Unsuitable value type\n",
        ),
        // Unusual cases.
        ("policy \"p\" {\n  source = \"./p\"\n  level = \"x\"\n}\n", "", "main.hcl:3:3 Unsupported argument\n"),
        ("generator \"p\" {}\n", "", "main.hcl:1:1 Unsupported block type\n"),
        (
            "param \"p\" {\n  value = 1\n}\nparam \"p\" {\n  value = 2\n}\n",
            "",
            "main.hcl:4:1 Duplicate param block\n",
        ),
        ("test {}\ntest {}\n", "", "main.hcl:2:1 Duplicate test block\n"),
        // A block that an earlier override tried to add is not a base.
        (
            "",
            "param \"p\" {\n  value = 1\n}\nparam \"p\" {\n  value = 2\n}\n",
            "override.hcl:1:1 Missing base param block to override\noverride.hcl:4:1 Missing base param block to override\n",
        ),
        (
            "module \"m\" {\n  source = \"./m\"\n}\n",
            "import \"module\" \"m\" {}\nsentinel {}\n",
            "override.hcl:1:1 Missing base import block to override\noverride.hcl:2:1 Missing base sentinel block to override\n",
        ),
    ] {
        let found = answer(json!({"main.hcl": base, "override.hcl": over}), "0.41.0").await;
        assert_eq!(reported(&found), wanted, "{base}\n{over}");
    }
}

#[tokio::test]
async fn json_is_reported_at_the_brace_and_its_strings_are_literal() {
    let over = r#"{"policy": {"p": {"source": "./${x}"}}, "mock": {"m": {"module": {"source": "./n"}}}, "param": {"q": {}}}"#;
    let base = "policy \"p\" {}\nmock \"m\" {\n  module {\n    source = \"./m\"\n  }\n}\n";
    let found = answer(json!({"main.hcl": base, "x_override.json": over}), "0.40").await;
    assert_eq!(reported(&found), "x_override.json:1:102 Missing base param block to override\n");
    let config = &found["module"]["config"];
    assert_eq!(config["mock"]["m"][0]["module"][0]["source"], "./n", "{config}");
}

#[tokio::test]
async fn features_depend_on_the_version() {
    let collection = json!({"main.hcl": "import \"plugin\" \"collection\" {\n  source = \"./c\"\n}\n"});
    assert_eq!(reported(&answer(collection.clone(), "0.25").await), "");
    assert_eq!(reported(&answer(collection, "0.26.0").await), "main.hcl:2:12 Standard import cannot be replaced\n");
    let block = json!({"main.hcl": "sentinel {}\n"});
    assert_eq!(reported(&answer(block.clone(), "0.21").await), "main.hcl:1:1 Unsupported block type\n");
    assert_eq!(reported(&answer(block, "0.22.0").await), "");
    let params = json!({"main.hcl": "policy \"p\" {\n  source = \"./p\"\n  params = {}\n}\n"});
    assert_eq!(reported(&answer(params.clone(), "0.20").await), "main.hcl:3:3 Unsupported argument\n");
    assert_eq!(reported(&answer(params, "0.21.0").await), "");
    // One file, no overrides, and the old form of import.
    let old = json!({
        "sentinel.hcl": "policy \"p\" {\n  source = \"./p\"\n}\nimport \"x\" {\n  path = \"./x\"\n}\n",
        "more.hcl": "?", "override.hcl": "?", "sentinel.json": "?",
    });
    let notes = "Fallback file not read\nOverride file of a later version\n";
    assert_eq!(reported(&answer(old.clone(), "0.18.11").await), notes);
    assert_eq!(
        reported(&answer(old.clone(), "0.18.10").await),
        format!("{notes}sentinel.hcl:1:1 Missing required argument\n")
    );
    let alone = json!({"sentinel.hcl": old["sentinel.hcl"]});
    assert_eq!(reported(&answer(alone.clone(), "0.18").await), "");
    assert_eq!(reported(&answer(alone, "0.19").await), "sentinel.hcl:4:12 Missing name for import\n");
}

#[tokio::test]
async fn the_json_file_of_the_default_name_is_read_when_it_is_alone() {
    let text = r#"{"policy": {"p": {"source": "./p"}}}"#;
    let over = "policy \"p\" {\n  enforcement_level = \"advisory\"\n}\n";
    let found = answer(json!({"sentinel.json": text, "data.json": "[]", "override.hcl": over}), "0.40").await;
    assert_eq!(reported(&found), "");
    assert_eq!(found["module"]["config"]["policy"]["p"][0]["enforcement_level"], "advisory", "{found}");
    let found = answer(json!({"sentinel.json": text, "a.hcl": ""}), "0.40").await;
    assert_eq!(reported(&found), "Fallback file not read\n");
    assert_eq!(found["valid"], true);
}

#[tokio::test]
async fn early_versions_read_a_single_file() {
    let files = json!({
        "sentinel.hcl": "?", "sentinel.json": "?", "override.hcl": "?",
        "test/p/pass.hcl": "test {\n  rules = {\n    main = true\n  }\n}\n",
        "test/p/fail.json": r#"{"test": {"rules": {"main": false}}}"#,
    });
    for name in ["test/p/pass.hcl", "./test/p/fail.json"] {
        let answer = ask(files.clone(), json!({"config_file": name})).await;
        assert_eq!(answer.status, 200);
        assert_eq!(reported(&answer.json()), "", "{name}");
        assert!(answer.json()["module"]["objects"]["test"].is_object());
    }
    let below = ask(files.clone(), json!({"config_file": "pass.hcl", "root": "test/p"})).await.json();
    assert_eq!(reported(&below), "");
    ask(files.clone(), json!({"config_file": "none.hcl"})).await.problem(422, "config-file-not-found");
    ask(files.clone(), json!({"config_file": "test"})).await.problem(400, "bad-option");
    ask(files.clone(), json!({"config_file": "../x.hcl"})).await.problem(400, "bad-path");
    ask(files.clone(), json!({"config_file": "sentinel.hcl", "dialect": "terraform"}))
        .await
        .problem(400, "bad-option");
    ask(files, json!({"variables": {}})).await.problem(400, "bad-option");
}

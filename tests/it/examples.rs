//! The example is accurate: `examples/request.json` contains the files of `examples/web`, and the answer to it is the
//! one described in `examples/README.md`.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use overfold_cli::source::{Limits, read_path};
use serde_json::{Value, json};

use crate::http::post;

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/web");
const REQUEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/request.json");

/// The part of the request other than the files.
const OPTIONS: &str = r#"  "variables": {
    "env": { "TF_VAR_region": "eu-central-1" },
    "args": [ { "var": "instances=3" }, { "name": "alarm_token", "value": "example" } ]
  },
  "include": ["config", "objects", "variables", "files"]
"#;

/// Returns the request object with the files from the disk.
fn request() -> String {
    let upload = read_path(
        Path::new(FOLDER),
        None,
        &|name| overfold_cli::dialect::may_read("terraform", name),
        &Limits::default(),
    )
    .unwrap();
    let mut text = "{\n  \"files\": {\n".to_owned();
    let files = upload.files.files();
    for (at, file) in files.iter().enumerate() {
        let quoted = |bytes: &[u8]| serde_json::to_string(std::str::from_utf8(bytes).unwrap()).unwrap();
        let comma = if at + 1 < files.len() { "," } else { "" };
        writeln!(text, "    {}: {}{comma}", quoted(file.path.as_str().as_bytes()), quoted(&file.bytes)).unwrap();
    }
    text + "  },\n" + OPTIONS + "}\n"
}

#[test]
fn the_request_holds_the_files() {
    let wanted = request();
    if fs::read_to_string(REQUEST).unwrap_or_default() != wanted {
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("request.json");
        fs::write(&made, wanted).unwrap();
        panic!("examples/request.json is not made from examples/web any more: cp {} {REQUEST}", made.display());
    }
}

#[tokio::test]
async fn the_answer_matches_the_readme() {
    let answer = post("application/json", fs::read(REQUEST).unwrap()).await.json();
    assert_eq!(answer["valid"], true, "{}", answer["diagnostics"]);
    let at = |pointer: &str| answer["module"].pointer(pointer).unwrap_or(&Value::Null).clone();

    assert_eq!(at("/config/terraform/0/backend"), json!({"local": [{"path": "localstack.tfstate"}]}));
    assert_eq!(at("/config/terraform/0/required_version"), ">= 1.5");

    let provider = at("/config/provider/aws/0");
    for argument in ["region", "default_tags", "endpoints", "skip_credentials_validation"] {
        assert!(!provider[argument].is_null(), "{argument} of {provider}");
    }

    let web = at("/config/resource/aws_instance/web/0");
    assert_eq!(web["instance_type"], "t3.small");
    assert_eq!(web["root_block_device"], json!([{"volume_size": 10}]));
    assert_eq!(web["lifecycle"], json!([{"create_before_destroy": true, "ignore_changes": ["ami"]}]));
    let previous = at("/objects/aws_instance.web/attributes/instance_type/previous");
    assert_eq!(previous[0]["expression"], "\"m6i.large\"");

    let instances = at("/config/variable/instances/0");
    assert_eq!((&instances["type"], &instances["default"]), (&json!("number"), &json!(1)));
    assert_eq!(at("/config/locals/0/name"), "${var.environment}-web");
    assert!(at("/config/locals/0/tags").is_string());
    assert_eq!(at("/config/module/alarm/0/source"), "./modules/alarm");
    assert_eq!(at("/config/module/alarm/0/threshold"), json!(0.95));
    assert_eq!(at("/config/output/addresses/0/value"), "${aws_instance.web[*].public_ip}");
    assert!(at("/config/output/addresses/0/description").is_string());

    for (name, value, from) in [
        ("region", json!("eu-central-1"), json!({"kind": "env", "name": "TF_VAR_region"})),
        ("instances", json!(3), json!({"kind": "var", "index": 0})),
        ("environment", json!("dev"), json!({"kind": "file", "path": "terraform.tfvars"})),
        ("allowed_cidrs", json!(["192.0.2.0/24"]), json!({"kind": "file", "path": "terraform.tfvars"})),
        ("extra_tags", json!({"Team": "web"}), json!({"kind": "file", "path": "team.auto.tfvars.json"})),
        ("alarm_token", Value::Null, json!({"kind": "value", "index": 1})),
    ] {
        let variable = at(&format!("/variables/{name}"));
        assert_eq!((&variable["value"], &variable["from"]), (&value, &from), "{name}");
    }
    assert_eq!(at("/variables/instances/superseded/0/value"), 1);
    assert_eq!(at("/variables/alarm_token/redacted"), true);

    let roles: Vec<String> = at("/files")
        .as_array()
        .into_iter()
        .flatten()
        .filter(|file| file["role"] == "override")
        .map(|file| format!("{} {}", file["order"], file["path"].as_str().unwrap()))
        .collect();
    assert_eq!(roles, ["1 localstack_override.tf", "2 sizes_override.tf.json", "3 team_override.tf"]);
}

/// The examples of the explorer, one for each dialect: each is valid, and an override file changes something in it.
#[tokio::test]
async fn the_examples_of_the_explorer_show_overriding_in_each_dialect() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("examples");
    let list: Value = serde_json::from_slice(&fs::read(folder.join("explorer.json")).unwrap()).unwrap();
    let mut named = Vec::new();
    for example in list.as_array().unwrap() {
        let (name, dialect) = (example["folder"].as_str().unwrap(), example["dialect"].as_str().unwrap());
        let may_read = |name: &str| overfold_cli::dialect::may_read(dialect, name);
        let upload = read_path(&folder.join(name), None, &may_read, &Limits::default()).unwrap();
        let files: serde_json::Map<String, Value> = upload
            .files
            .files()
            .iter()
            .map(|file| (file.path.as_str().to_owned(), json!(std::str::from_utf8(&file.bytes).unwrap())))
            .collect();
        let mut request = json!({"dialect": dialect, "files": files, "include": ["overrides"]});
        if example["values"] == true {
            let given = example["rows"].as_array().unwrap().iter().filter(|row| row["kind"] == "var");
            let text = |row: &Value, part: &str| row[part].as_str().unwrap().to_owned();
            let args: Vec<Value> =
                given.map(|row| json!({"var": format!("{}={}", text(row, "name"), text(row, "text"))})).collect();
            request["variables"] = json!({"args": args});
        }
        let answer = post("application/json", request.to_string()).await.json();
        assert_eq!(answer["valid"], true, "{name}: {}", answer["diagnostics"]);
        assert!(!answer["module"]["overrides"].as_array().unwrap().is_empty(), "{name}: nothing is overridden");
        named.push(dialect.to_owned());
    }
    named.sort();
    let mut known: Vec<&str> = overfold_cli::dialect::names().collect();
    known.sort_unstable();
    assert_eq!(named, known);
}

/// The requests in docs/dialects.md are answered as described there; the page shows only parts of the answers.
#[tokio::test]
async fn the_answers_of_the_dialects_match_their_page() {
    let page = fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/docs/dialects.md")).unwrap();
    let texts: Vec<&str> = page.split("```json\n").skip(1).map(|rest| rest.split("```").next().unwrap()).collect();
    let mut named = Vec::new();
    for pair in texts.chunks(2) {
        let request: Value = serde_json::from_str(pair[0]).unwrap();
        let said: Value = serde_json::from_str(pair[1]).unwrap();
        let answer = post("application/json", pair[0].to_owned()).await.json();
        let mut wrong = Vec::new();
        part("", &said, &answer, &mut wrong);
        assert!(wrong.is_empty(), "{request}\n{}", wrong.join("\n"));
        named.push(request["dialect"].as_str().unwrap().to_owned());
    }
    let mut known: Vec<&str> = overfold_cli::dialect::names().collect();
    named.sort();
    known.sort_unstable();
    assert_eq!(named, known);
}

/// Records where `whole` lacks something in `said`. Lists must be complete; their items may be partial.
fn part(at: &str, said: &Value, whole: &Value, wrong: &mut Vec<String>) {
    match (said, whole) {
        (Value::Object(said), Value::Object(whole)) => {
            for (name, value) in said {
                part(&format!("{at}/{name}"), value, whole.get(name).unwrap_or(&Value::Null), wrong);
            }
        }
        (Value::Array(said), Value::Array(whole)) if said.len() == whole.len() => {
            said.iter()
                .zip(whole)
                .enumerate()
                .for_each(|(index, (a, b))| part(&format!("{at}/{index}"), a, b, wrong));
        }
        _ if said == whole => {}
        _ => wrong.push(format!("{at}: {said} is {whole}")),
    }
}

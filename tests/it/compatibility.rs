//! `POST /v1/compatibility` and `overfold compatibility`: ranges, boundaries, the module's own constraints.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::run;
use crate::http::{Answer, post_to};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_path_buf()
}

/// Compares a text with a golden file. With `OVERFOLD_GOLDEN=write` in the environment the file is rewritten.
fn is_golden(path: &str, text: &str) {
    let path = root().join(path);
    if std::env::var("OVERFOLD_GOLDEN").is_ok_and(|word| word == "write") {
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == text, "{} is not what is answered now:\n{text}", path.display());
}

fn pretty(json: &Value) -> String {
    format!("{}\n", serde_json::to_string_pretty(json).unwrap())
}

async fn ask(request: &Value) -> Answer {
    post_to("/v1/compatibility", "application/json", request.to_string()).await
}

async fn answer(request: &Value) -> Value {
    let answer = ask(request).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

fn realistic() -> Value {
    let read = |name: &str| fs::read_to_string(root().join("tests/data/compatibility").join(name)).unwrap();
    json!({"main.tf": read("main.tf"), "override.tf": read("override.tf")})
}

/// Returns `FROM TO LOADS` for each range of a tool.
fn ranges(answer: &Value, tool: &str) -> Vec<String> {
    let tools = answer["tools"].as_array().unwrap();
    let tool = tools.iter().find(|of| of["dialect"] == tool).unwrap();
    let word = |range: &Value, key: &str| range[key].as_str().unwrap().to_owned();
    let ranges = tool["ranges"].as_array().unwrap().iter();
    ranges.map(|range| format!("{} {} {}", word(range, "from"), word(range, "to"), range["loads"])).collect()
}

#[tokio::test]
async fn a_module_for_many_versions_is_golden() {
    let answered = answer(&json!({"files": realistic()})).await;
    is_golden("tests/golden/compatibility/realistic.json", &pretty(&answered));
    assert_eq!(ranges(&answered, "terraform").first().unwrap(), "1.0.0 1.9.8 false");
    let first = &answered["tools"][0];
    let boundaries = first["boundaries"].as_array().unwrap();
    for at in ["1.5.0", "1.7.0", "1.10.0"] {
        let boundary = boundaries.iter().find(|boundary| boundary["at"] == at).unwrap();
        assert!(!boundary["vanish"].as_array().unwrap().is_empty(), "{boundary:#}");
    }
    let required = &answered["required_version"];
    assert_eq!(required["constraints"][0]["constraint"], ">= 1.5, < 1.12");
    assert_eq!(required["constraints"][0]["range"]["start"]["line"], 2);
    assert_eq!(required["too_wide"], json!([{"from": "1.5.0", "to": "1.9.8"}]));
    assert_eq!(required["too_narrow"][0]["from"], "1.12.0");
}

#[test]
fn the_table_is_golden() {
    let folder = root().join("tests/data/compatibility");
    let folder = folder.to_str().unwrap();
    let (code, out, err) = run(&["compatibility", folder]);
    assert_eq!((code, err.as_str()), (0, ""), "{out}");
    is_golden("tests/golden/compatibility/realistic.txt", &out);
    let (code, _, _) = run(&["compatibility", folder, "--version", "1.9"]);
    assert_eq!(code, 1, "the asked version does not load it");
    let (code, out, _) = run(&["compatibility", folder, "--format", "json"]);
    let golden = fs::read_to_string(root().join("tests/golden/compatibility/realistic.json")).unwrap();
    assert_eq!(code, 0);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap(), serde_json::from_str::<Value>(&golden).unwrap());
    let (code, _, err) = run(&["compatibility", folder, "--dialect", "tflint"]);
    assert!(code == 2 && err.contains("tflint"), "{err}");
}

#[tokio::test]
async fn constraints_are_compared_with_the_versions_that_load() {
    let files = |constraint: &str| json!({"main.tf": format!("terraform {{\n  required_version = \"{constraint}\"\n}}\nephemeral \"a\" \"b\" {{}}\n")});
    for (constraint, wide, narrow) in
        [(">= 1.10", 0, 0), (">= 1.9", 1, 0), (">= 1.11", 0, 1), (">= 1.9, != 1.10.0", 1, 1)]
    {
        let answered = answer(&json!({"files": files(constraint)})).await;
        let required = &answered["required_version"];
        let counts = ["too_wide", "too_narrow"].map(|key| required[key].as_array().unwrap().len());
        assert_eq!(counts, [wide, narrow], "{constraint}: {required:#}");
        // The constraint has no influence on which versions load the module.
        assert_eq!(ranges(&answered, "terraform")[0], "1.0.0 1.9.8 false");
        assert_eq!(ranges(&answered, "terraform").len(), 2);
    }
    let answered = answer(&json!({"files": {"main.tf": "locals {\n  a = 1\n}\n"}})).await;
    assert_eq!(answered["required_version"]["constraints"], json!([]));
    assert_eq!((ranges(&answered, "terraform").len(), ranges(&answered, "opentofu").len()), (1, 1));
    for tool in answered["tools"].as_array().unwrap() {
        assert_eq!(tool["boundaries"], json!([]));
    }
}

/// OpenTofu reads constraints in other places from 1.12 on; each version is compared with those that it reads.
#[tokio::test]
async fn each_version_is_compared_with_the_constraints_it_reads() {
    let files = json!({"main.tofu": "terraform {\n  required_version = \"< 1.9\"\n}\n"});
    let answered = answer(&json!({"files": files, "dialect": "opentofu", "version": "1.12"})).await;
    assert_eq!(answered["required_version"]["constraints"][0]["constraint"], "< 1.9", "{answered:#}");
    let files = json!({"main.tf": "terraform {\n  required_version = \"< 1.9\"\n}\n"});
    let answered = answer(&json!({"files": files, "dialect": "opentofu", "version": "1.12"})).await;
    assert_eq!(answered["required_version"]["constraints"], json!([]));
    let narrow = answered["required_version"]["too_narrow"].as_array().unwrap();
    assert_eq!((narrow.len(), &narrow[0]["from"]), (1, &json!("1.9.0")), "{answered:#}");
    assert!(narrow[0]["to"].as_str().unwrap().starts_with("1.11."), "{answered:#}");
}

#[tokio::test]
async fn impossible_requests_are_problems() {
    let files = json!({"main.tf": ""});
    for dialect in ["tflint", "sentinel", "terraform-0.11"] {
        ask(&json!({"files": files, "dialect": dialect})).await.problem(400, "bad-option");
    }
    ask(&json!({"files": files, "version": "9.9"})).await.problem(422, "unknown-version");
    ask(&json!({"files": files, "root": "nowhere"})).await.problem(422, "root-not-found");
    ask(&json!({"files": files, "nothing": 1})).await.problem(400, "unknown-option");
    ask(&json!({"files": files, "variables": {"args": [{"var_file": "no.tfvars"}]}}))
        .await
        .problem(422, "var-file-not-found");
}

/// All forms of an upload, with the options next to them.
#[tokio::test]
async fn archives_are_read() {
    let mut tar = tar::Builder::new(Vec::new());
    let text = b"ephemeral \"a\" \"b\" {}\n";
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    header.set_mode(0o644);
    header.set_cksum();
    tar.append_data(&mut header, "main.tf", &text[..]).unwrap();
    let answered =
        post_to("/v1/compatibility?dialect=opentofu&version=1.11", "application/x-tar", tar.into_inner().unwrap())
            .await;
    assert_eq!(answered.status, 200);
    assert_eq!((&answered.json()["dialect"], &answered.json()["version"]), (&json!("opentofu"), &json!("1.11")));
}

/// What is secret in any version is hidden in all: variables could only become ephemeral in a late version, but their
/// values are hidden for earlier ones as well.
#[tokio::test]
async fn nothing_secret_is_shown() {
    let files = json!({
        "main.tf": "variable \"p\" {\n  type = string\n  default = \"Secret1\"\n  ephemeral = true\n  sensitive = true\n}\nvariable \"e\" {\n  default = [\"Secret2\"]\n  ephemeral = true\n}\nresource \"a\" \"b\" {\n  x = 1\n}\n",
        "x_override.tf": "variable \"p\" {\n  default = \"Secret3\"\n}\n",
    });
    for variables in [json!(null), json!({"args": [{"var": "p=Secret4"}]})] {
        let mut request = json!({"files": files});
        if !variables.is_null() {
            request["variables"] = variables;
        }
        let text = answer(&request).await.to_string();
        assert!(text.contains("var.e") && !text.contains("Secret"), "{text}");
    }
}

/// The examples in the OpenAPI document are a valid request and its answer.
#[tokio::test]
async fn the_example_of_the_document_is_true() {
    let document: Value = serde_json::from_str(&overfold::api::openapi_json()).unwrap();
    let operation = &document["paths"]["/v1/compatibility"]["post"];
    let request = &operation["requestBody"]["content"]["application/json"]["example"];
    let answered = answer(request).await;
    is_golden("src/api/openapi/compatibility.json", &pretty(&answered));
    assert_eq!(operation["responses"]["200"]["content"]["application/json"]["example"], answered);
}

/// More work than one request may cause is rejected, whichever table it occurs in.
#[tokio::test]
async fn all_versions_share_one_work_limit() {
    let blocks: Vec<String> = (0..40_000).map(|n| format!("resource \"a\" \"n{n}\" {{\n  x = {n}\n}}\n")).collect();
    let text = blocks.concat();
    let problem = ask(&json!({"files": {"main.tf": text}})).await.problem(413, "over-limit");
    assert!(problem["limit"]["name"].as_str().unwrap().starts_with("max-"), "{problem}");
}

#[tokio::test]
async fn inapplicable_options_are_refused() {
    let with = |name: &str, value: Value| {
        let mut request = json!({"files": {"main.tf": ""}});
        request[name] = value;
        request
    };
    for (name, value, status, code) in [
        ("include", json!(["config"]), 400, "bad-option"),
        ("config_format", json!("hcl"), 400, "bad-option"),
        ("paths", json!(["main.tf"]), 400, "bad-option"),
        ("recursive", json!(true), 422, "not-implemented-yet"),
        ("resolve", json!(true), 422, "not-implemented-yet"),
        ("expand", json!(true), 400, "bad-option"),
    ] {
        let problem = ask(&with(name, value)).await.problem(status, code);
        assert_eq!(problem["pointer"], format!("/{name}"), "{problem}");
    }
    for flags in [["--include", "config"], ["--config-format", "files"], ["--paths", "main.tf"]] {
        assert_eq!(run(&["compatibility", "tests/data/compatibility", flags[0], flags[1]]).0, 2, "{flags:?}");
    }
    assert_eq!(run(&["compatibility", "tests/data/compatibility", "--recursive"]).0, 2);
}

/// The answer is JSON; there is no other form.
#[tokio::test]
async fn other_forms_are_not_acceptable() {
    let forms = overfold::output::FORMATS.iter().map(|format| format.media_type);
    for media in forms.chain(["text/markdown", "text/html"]) {
        let body = json!({"files": {"main.tf": ""}}).to_string();
        let asked = axum::http::Request::post("/v1/compatibility").header("content-type", "application/json");
        let asked = asked.header("accept", media).body(axum::body::Body::from(body)).unwrap();
        crate::http::send(&crate::http::app(), asked).await.problem(406, "not-acceptable");
    }
}

#[tokio::test]
async fn fail_on_applies_to_the_requested_version() {
    let import = "import {\n  to = a.b\n  id = \"x\"\n}\nresource \"a\" \"b\" {}\n";
    let warns = "resource \"a\" \"b\" {\n  depends_on = [\"a.c\"]\n}\n";
    for (text, version, gate, status, code) in [
        (import, "1.4", None, 200, 1),
        (import, "1.4", Some("error"), 422, 1),
        (import, "1.11", Some("warning"), 200, 0),
        (warns, "1.11", Some("error"), 200, 0),
        (warns, "1.11", Some("warning"), 422, 1),
    ] {
        let mut request = json!({"files": {"main.tf": text}, "version": version});
        let open = answer(&request).await;
        let folder = tempfile::tempdir().unwrap();
        fs::write(folder.path().join("main.tf"), text).unwrap();
        let mut args = vec!["compatibility", folder.path().to_str().unwrap(), "--version", version];
        if let Some(gate) = gate {
            request["fail_on"] = json!(gate);
            args.extend(["--fail-on", gate]);
        }
        let gated = ask(&request).await;
        assert_eq!(gated.status, status, "{request}");
        assert_eq!(gated.json(), open, "the same body");
        assert_eq!(run(&args).0, code, "{args:?}");
    }
}

#[tokio::test]
async fn the_prefix_is_added_to_file_names() {
    let request = json!({"files": {"a/main.tf": "x =\n"}, "root": "a", "path_prefix": "infra"});
    let answered = answer(&request).await;
    assert_eq!(answered["tools"][0]["diagnostics"][0]["range"]["filename"], "infra/a/main.tf", "{answered:#}");
}

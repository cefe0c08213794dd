//! `POST /v1/compatibility` and `overfold compatibility`: ranges, boundaries, the module's own constraints.

use std::fs;
use std::path::{Path, PathBuf};

use serde_json::{Value, json};

use crate::cli::run;
use crate::http::{Answer, post_to};
use crate::meant_version::last;

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
    assert_eq!(required["could_include"], json!([]));
    assert_eq!((&answered["loads"], &first["ranges"][2]["excluded"]), (&json!(false), &json!(true)));
}

#[test]
fn the_table_is_golden() {
    let folder = root().join("tests/data/compatibility");
    let folder = folder.to_str().unwrap();
    let (code, out, err) = run(&["compatibility", folder]);
    assert_eq!((code, err.as_str()), (1, ""), "the newest version does not meet the constraint: {out}");
    let (code, _, _) = run(&["compatibility", folder, "--version", "1.11"]);
    assert_eq!(code, 0, "the asked version loads it");
    is_golden("tests/golden/compatibility/realistic.txt", &out);
    let (code, _, _) = run(&["compatibility", folder, "--version", "1.9"]);
    assert_eq!(code, 1, "the asked version does not load it");
    let (code, out, _) = run(&["compatibility", folder, "--format", "json"]);
    let golden = fs::read_to_string(root().join("tests/golden/compatibility/realistic.json")).unwrap();
    assert_eq!(code, 1);
    assert_eq!(serde_json::from_str::<Value>(&out).unwrap(), serde_json::from_str::<Value>(&golden).unwrap());
    let (code, _, err) = run(&["compatibility", folder, "--dialect", "tflint"]);
    assert!(code == 2 && err.contains("tflint"), "{err}");
}

#[tokio::test]
async fn constraints_are_compared_with_the_versions_that_load() {
    let files = |constraint: &str| json!({"main.tf": format!("terraform {{\n  required_version = \"{constraint}\"\n}}\nephemeral \"a\" \"b\" {{}}\n")});
    for (constraint, wide, narrow, could, relaxed) in [
        (">= 1.10", 0, 0, 0, ""),
        (">= 1.9", 1, 0, 0, ""),
        (">= 1.11", 0, 0, 1, "\">= 1.10.0\""),
        (">= 1.9, != 1.10.0", 1, 0, 1, "also excludes terraform 1.10.0,"),
        (">= 1.11, < 1.14", 0, 1, 1, "\">= 1.10.0, < 1.14.0\""),
        ("< 1.9", 1, 1, 0, ""),
        ("> 99", 0, 1, 0, ""),
    ] {
        let answered = answer(&json!({"files": files(constraint)})).await;
        let required = &answered["required_version"];
        let counts = ["too_wide", "too_narrow", "could_include"].map(|key| required[key].as_array().unwrap().len());
        assert_eq!(counts, [wide, narrow, could], "{constraint}: {required:#}");
        // The choice of the author is no fault: only the note speaks of it.
        let note = required["note"].as_str().unwrap_or_default();
        assert!(note.contains(relaxed) && note.is_empty() == relaxed.is_empty(), "{constraint}: {required:#}");
        let summary = required["summary"].as_str().unwrap();
        assert_eq!(summary.contains("too narrow"), narrow > 0, "{constraint}: {summary}");
        assert_eq!(ranges(&answered, "terraform")[0], "1.0.0 1.9.8 false");
    }
    // A release that the constraint excludes does not load the module, and nothing but the constraint is the reason.
    let answered = answer(&json!({"files": files(">= 1.11, < 1.14")})).await;
    let excluded = |range: &Value| range["excluded"].as_bool().unwrap();
    let all = answered["tools"][0]["ranges"].as_array().unwrap();
    assert_eq!(all.iter().map(excluded).collect::<Vec<_>>(), [false, true, false, true]);
    assert_eq!(ranges(&answered, "terraform")[2], "1.11.0 1.13.5 true");
    assert_eq!(answered["loads"], false);
    let answered = answer(&json!({"files": {"main.tf": "locals {\n  a = 1\n}\n"}})).await;
    assert_eq!(answered["required_version"]["constraints"], json!([]));
    assert_eq!((ranges(&answered, "terraform").len(), ranges(&answered, "opentofu").len()), (1, 1));
    for tool in answered["tools"].as_array().unwrap() {
        assert_eq!(tool["boundaries"], json!([]));
    }
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
async fn golden_example_of_the_document() {
    let document: Value = serde_json::from_str(&overfold_cli::api::openapi_json()).unwrap();
    let operation = &document["paths"]["/v1/compatibility"]["post"];
    let request = &operation["requestBody"]["content"]["application/json"]["example"];
    let answered = answer(request).await;
    let mut patch = json!({});
    patch["paths"]["/v1/compatibility"]["post"]["responses"]["200"]["content"]["application/json"]["example"] =
        answered;
    is_golden("src/api/routes/openapi/answers/compatibility.json", &pretty(&patch));
}

/// More work than one request may cause is rejected, whichever table it occurs in.
#[tokio::test]
async fn all_versions_share_one_work_limit() {
    let blocks: Vec<String> = (0..40_000).map(|n| format!("resource \"a\" \"n{n}\" {{\n  x = {n}\n}}\n")).collect();
    let text = blocks.concat();
    let problem = ask(&json!({"files": {"main.tf": text}})).await.problem(413, "over-limit");
    assert!(problem["limit"]["name"].as_str().unwrap().starts_with("max-"), "{problem}");
}

/// The answer is JSON; there is no other form.
#[tokio::test]
async fn other_forms_are_not_acceptable() {
    let forms = overfold_cli::output::FORMATS.iter().map(|format| format.media_type);
    for media in forms.chain(["text/markdown", "text/html"]) {
        let body = json!({"files": {"main.tf": ""}}).to_string();
        let asked = axum::http::Request::post("/v1/compatibility").header("content-type", "application/json");
        let asked = asked.header("accept", media).body(axum::body::Body::from(body)).unwrap();
        crate::http::send(&crate::http::app(), asked).await.problem(406, "not-acceptable");
    }
}

/// Returns the first release of a tool that loads this file, `none` if there is none, and the findings of the oldest.
async fn first_that_loads(tool: &str, name: &str, text: &str) -> (String, Vec<String>) {
    let answered = answer(&json!({"files": {name: text}})).await;
    let tools = answered["tools"].as_array().unwrap();
    let tool = tools.iter().find(|of| of["dialect"] == tool).unwrap();
    let found = tool["ranges"].as_array().unwrap().iter().find(|range| range["loads"] == true);
    let first = found.map_or("none", |range| range["from"].as_str().unwrap()).to_owned();
    let summaries = tool["diagnostics"].as_array().unwrap().iter();
    (first, summaries.map(|found| found["summary"].as_str().unwrap().to_owned()).collect())
}

/// What is built into some versions only (terraform.md, section 13; opentofu.md, section 11).
#[tokio::test]
async fn built_in_names_have_boundaries() {
    for (call, terraform, opentofu) in [
        ("upper(\"\")", "1.0.0", "1.6.0"),
        ("endswith(\"a\", \"b\")", "1.3.0", "1.6.0"),
        ("timecmp(\"\", \"\")", "1.3.0", "1.6.0"),
        ("\"x${\"%{ if startswith(\"a\", \"b\") }y%{ endif }\"}\"", "1.3.0", "1.6.0"),
        ("plantimestamp()", "1.5.0", "1.6.0"),
        ("[for endswith in [1] : strcontains(\"a\", \"b\")]", "1.5.0", "1.6.0"),
        ("[for endswith in [1] : endswith]", "1.0.0", "1.6.0"),
        ("issensitive(1)", "1.8.0", "1.7.0"),
        ("core::upper(\"\")", "1.8.0", "1.7.0"),
        ("core::templatestring(local.b, {})", "1.9.0", "1.7.0"),
        ("ephemeralasnull(1)", "1.10.0", "1.11.0"),
        ("convert([], list(object({a = optional(string)})))", "1.15.0", "none"),
        ("cidrcontains(\"\", \"\")", "none", "1.7.0"),
        ("urldecode(\"\")", "none", "1.7.0"),
        ("base64gunzip(\"\")", "none", "1.7.0"),
        ("terraform.applying", "1.10.0", "1.11.0"),
        ("[for terraform in [{}] : terraform.applying]", "1.0.0", "1.6.0"),
        ("tofu.workspace", "none", "1.9.0"),
        ("path.cwd", "1.0.0", "1.6.0"),
        ("path.nothing", "none", "none"),
        ("no_such_function()", "none", "none"),
    ] {
        let native = format!("locals {{\n  b = \"\"\n  a = {call}\n}}\n");
        let json = json!({"locals": {"b": "", "a": format!("${{{call}}}")}}).to_string();
        for (name, text) in [("main.tf", &native), ("main.tf.json", &json)] {
            assert_eq!(first_that_loads("terraform", name, text).await.0, terraform, "{name}: {call}");
            assert_eq!(first_that_loads("opentofu", name, text).await.0, opentofu, "{name}: {call}");
        }
    }
}

#[tokio::test]
async fn built_in_types_have_boundaries() {
    let requires = |entries: &str| format!("terraform {{\n  required_providers {{\n    {entries}\n  }}\n}}\n");
    let other = requires("terraform = { source = \"acme/terraform\" }");
    let renamed = requires("tf = { source = \"terraform.io/builtin/terraform\" }");
    let test = requires("test = { source = \"terraform.io/builtin/test\" }");
    for (text, terraform, opentofu, title) in [
        ("resource \"terraform_data\" \"a\" {}\n".to_owned(), "1.4.0", "1.6.0", "Invalid resource type"),
        (format!("{other}resource \"terraform_data\" \"a\" {{}}\n"), "1.0.0", "1.6.0", ""),
        ("resource \"terraform_data\" \"a\" {\n  provider = acme\n}\n".to_owned(), "1.0.0", "1.6.0", ""),
        (
            format!("{renamed}resource \"terraform_data\" \"a\" {{\n  provider = tf\n}}\n"),
            "1.4.0",
            "1.6.0",
            "Invalid resource type",
        ),
        (
            format!("{renamed}locals {{\n  a = provider::tf::encode_expr(1)\n}}\n"),
            "1.8.0",
            "1.7.0",
            "Missing newline after argument",
        ),
        ("data \"terraform_remote_state\" \"a\" {}\n".to_owned(), "1.0.0", "1.6.0", ""),
        ("data \"terraform_nothing\" \"a\" {}\n".to_owned(), "none", "none", "Invalid data source"),
        (format!("{test}resource \"test_assertions\" \"a\" {{}}\n"), "1.0.0", "none", ""),
        ("terraform {\n  backend \"oci\" {}\n}\n".to_owned(), "1.12.0", "none", "Unsupported backend type"),
        ("terraform {\n  backend \"etcd\" {}\n}\n".to_owned(), "1.0.0", "none", ""),
        ("terraform {\n  backend \"s3\" {}\n}\n".to_owned(), "1.0.0", "1.6.0", ""),
    ] {
        let (first, found) = first_that_loads("terraform", "main.tf", &text).await;
        assert_eq!(first, terraform, "{text}");
        assert_eq!(found.first().map_or("", String::as_str), title, "{text}");
        assert_eq!(first_that_loads("opentofu", "main.tf", &text).await.0, opentofu, "{text}");
    }
    // A backend that was removed has an end.
    let answered = answer(&json!({"files": {"main.tf": "terraform {\n  backend \"etcd\" {}\n}\n"}})).await;
    assert_eq!(
        ranges(&answered, "terraform"),
        ["1.0.0 1.2.9 true".to_owned(), format!("1.3.0 {} false", last("terraform"))]
    );
    for (inner, first) in [
        ("key_provider \"pbkdf2\" \"a\" {}", "1.7.0"),
        ("key_provider \"external\" \"a\" {}", "1.10.0"),
        ("key_provider \"azure_vault\" \"a\" {}", "1.11.0"),
        ("method \"external\" \"a\" {}", "1.10.0"),
        ("method \"nothing\" \"a\" {}", "none"),
    ] {
        let text = format!("terraform {{\n  encryption {{\n    {inner}\n  }}\n}}\n");
        assert_eq!(first_that_loads("opentofu", "main.tf", &text).await.0, first, "{inner}");
    }
}

/// Terraform 1.15 refuses a source from a variable that is not constant when it installs modules.
#[tokio::test]
async fn what_installation_refuses_counts() {
    let text = |keyword: &str| {
        format!("variable \"s\" {{\n  default = \"./x\"\n  {keyword}\n}}\nmodule \"m\" {{\n  source = var.s\n}}\n")
    };
    let (first, _) = first_that_loads("terraform", "main.tf", &text("")).await;
    assert_eq!(first, "none");
    assert_eq!(first_that_loads("terraform", "main.tf", &text("const = true")).await.0, "1.15.0");
    assert_eq!(first_that_loads("opentofu", "main.tf", &text("")).await.0, "1.8.0");
}

/// The evaluator knows the same functions as the table of the version.
#[tokio::test]
async fn the_evaluator_follows_the_table() {
    let request = |version: &str, call: &str| {
        let text = format!(
            "variable \"a\" {{\n  default = 1\n  validation {{\n    condition = {call}\n    error_message = \"No.\"\n  }}\n}}\n"
        );
        json!({"files": {"main.tf": text}, "version": version, "variables": {}})
    };
    for (version, call, known) in [
        ("1.2", "endswith(\"ab\", \"b\") && var.a == 1", false),
        ("1.3", "endswith(\"ab\", \"b\") && var.a == 1", true),
        ("1.14", "convert(var.a, string) == \"1\"", false),
        ("1.15", "convert(var.a, string) == \"1\"", true),
        ("1.15", "length(convert([var.a], map(string))) == 0", true),
    ] {
        let answer = post_to("/v1/merge", "application/json", request(version, call).to_string()).await.json();
        let found: Vec<&str> =
            answer["diagnostics"].as_array().unwrap().iter().map(|found| found["code"].as_str().unwrap()).collect();
        assert_eq!(found.contains(&"evaluation/unknown-function"), !known, "{version} {call}: {found:?}");
        let misfit = call.contains("map(");
        assert_eq!(found.contains(&"evaluation/invalid-argument"), misfit, "{version} {call}: {found:?}");
    }
}

#[test]
fn the_table_ends_with_the_verdict_and_lists_an_error_once() {
    let folder = crate::cli::folder(&[
        ("main.tf", "variable \"a\" {\n  bogus = 1\n}\n"),
        ("x.tf", "action \"a\" \"b\" {\n}\n"),
    ]);
    let (code, out, err) = run(&["compatibility", crate::cli::path(&folder), "--version", "1.11.4"]);
    assert_eq!((code, err.as_str()), (1, ""));
    let last = out.lines().last().unwrap();
    assert_eq!(last, "verdict: terraform 1.11.4 does not load the module; it has no required_version", "{out}");
    let lines: Vec<&str> = out.lines().filter(|line| line.contains("main.tf:2:3")).collect();
    assert_eq!(lines.len(), 1, "{out}");
    assert!(out.contains("in every version\n  error: "), "{out}");
    // What ends in one tool is listed there, with the version from which it is gone.
    assert!(out.contains(", until 1.13.0"), "{out}");
}

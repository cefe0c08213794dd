//! Whole repositories in every form: golden files, what changed paths affect, links, prefixes, and every dialect.

use std::fs;
use std::path::PathBuf;

use overfold_cli::output::FORMATS;
use serde_json::{Value, json};

use crate::cli::{folder, path, run};
use crate::http::{Answer, app, post_to, send};
use axum::body::Body;
use axum::http::Request;

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Compares a text with a golden file. With `OVERFOLD_GOLDEN=write` in the environment the file is rewritten.
fn is_golden(name: &str, text: &str) {
    let path = root().join(name);
    if std::env::var("OVERFOLD_GOLDEN").is_ok_and(|word| word == "write") {
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
    }
    let expected = fs::read_to_string(&path).unwrap_or_default();
    assert!(expected == text, "{} differs from the answer:\n{text}", path.display());
}

fn pretty(json: &Value) -> String {
    format!("{}\n", serde_json::to_string_pretty(json).unwrap())
}

/// A repository with an override, valid and invalid calls, a module that nothing calls, and a secret.
const FILES: &[(&str, &str)] = &[
    (
        "live/main.tf",
        "module \"net\" {\n  source = \"../modules/net\"\n  size   = \"large\"\n  sise   = 1\n}\n\nmodule \"gone\" {\n  source = \"../modules/gone\"\n}\n\n\
         module \"web\" {\n  source  = \"example/web/any\"\n  version = \"~> 1.0\"\n}\n",
    ),
    ("live/terraform.tfvars", "token = \"SECRET\"\n"),
    (
        "modules/net/main.tf",
        "variable \"size\" {\n  type = number\n}\n\nvariable \"token\" {\n  sensitive = true\n  default   = \"SECRET\"\n}\n\n\
         resource \"terraform_data\" \"net\" {\n  input = var.size\n}\n",
    ),
    ("modules/net/a_override.tf", "resource \"terraform_data\" \"net\" {\n  input = 2\n}\n"),
    ("modules/net/files/motd.tftpl", "hello\n"),
    ("alone/main.tf", "locals {\n  a = 1\n  a = 2\n}\n"),
    ("docs/readme.md", "nothing\n"),
    (".terraform/modules/x/main.tf", "broken {\n"),
];

fn files() -> Value {
    FILES.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect()
}

async fn ask(accept: &str, request: &Value) -> Answer {
    let head = Request::post("/v1/merge").header("content-type", "application/json").header("accept", accept);
    send(&app(), head.body(Body::from(request.to_string())).unwrap()).await
}

async fn answer(request: &Value) -> Value {
    let answer = ask("application/json", request).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    answer.json()
}

fn modules(answer: &Value) -> Vec<&str> {
    answer["modules"].as_object().unwrap().keys().map(String::as_str).collect()
}

/// Collects every string at one of these keys in a JSON value.
fn at_keys<'v>(value: &'v Value, keys: &[&str], found: &mut Vec<&'v str>) {
    match value {
        Value::Object(map) => {
            for (key, value) in map {
                match value.as_str() {
                    Some(text) if keys.contains(&key.as_str()) => found.push(text),
                    _ => at_keys(value, keys, found),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| at_keys(value, keys, found)),
        _ => {}
    }
}

#[tokio::test]
async fn every_form_matches_the_golden_files() {
    let request = json!({"stage": "load", "files": files(), "version": "1.11.4", "recursive": true, "path_prefix": "infra",
        "include": ["config", "objects", "variables", "files", "overrides", "calls"]});
    let whole = answer(&request).await;
    is_golden("tests/golden/repository/answer.json", &pretty(&whole));
    for format in FORMATS {
        let answer = ask(format.media_type, &request).await;
        assert_eq!(answer.status, 200, "{}", format.name);
        let text = String::from_utf8(answer.body).unwrap();
        assert!(!text.contains("SECRET"), "{}", format.name);
        let text = if format.is_json() { pretty(&serde_json::from_str(&text).unwrap()) } else { text };
        is_golden(&format!("tests/golden/repository/{}.{}", format.name, format.extension), &text);
    }
}

#[tokio::test]
async fn the_prefix_is_added_to_every_file() {
    let request = json!({"stage": "load", "files": files(), "recursive": true, "path_prefix": "infra/prod", "variables": {},
        "include": ["config", "objects", "variables", "files", "overrides", "calls"]});
    let answer = answer(&request).await;
    let mut names = Vec::new();
    at_keys(&answer["modules"], &["filename"], &mut names);
    at_keys(&answer["diagnostics"], &["filename"], &mut names);
    at_keys(&answer["calls"], &["filename"], &mut names);
    for module in answer["modules"].as_object().unwrap().values() {
        let files = module["files"].as_array().unwrap().iter();
        names.extend(files.map(|file| file["path"].as_str().unwrap()));
    }
    assert!(names.len() > 30);
    assert!(names.iter().all(|name| name.starts_with("infra/prod/")), "{names:?}");
    // Modules are named by their position in the upload.
    assert_eq!(modules(&answer), [".", "alone", "live", "modules/net"]);
}

/// The example in the OpenAPI document is a valid request with its answer.
#[tokio::test]
async fn golden_example_of_the_document() {
    let document: Value = serde_json::from_str(&overfold_cli::api::openapi_json()).unwrap();
    let operation = &document["paths"]["/v1/merge"]["post"];
    let request = &operation["requestBody"]["content"]["application/json"]["examples"]["recursive"]["value"];
    let answered = answer(request).await;
    let mut patch = json!({});
    let example =
        &mut patch["paths"]["/v1/merge"]["post"]["responses"]["200"]["content"]["application/json"]["examples"];
    example["recursive"]["value"] = answered;
    is_golden("src/api/routes/openapi/answers/merge.json", &pretty(&patch));
}

#[tokio::test]
async fn any_changed_file_selects_its_module_and_callers() {
    for (changed, expected) in [
        // Configuration of a called module, even if it has been removed.
        ("modules/net/main.tf", &["live", "modules/net"][..]),
        ("modules/net/removed.tf", &["live", "modules/net"]),
        // Files that a function or a provisioner may read are below the module.
        ("modules/net/files/motd.tftpl", &["live", "modules/net"]),
        ("modules/net/files/deep/er/removed.json", &["live", "modules/net"]),
        // Values of variables belong to their module.
        ("live/terraform.tfvars", &["live"]),
        ("live/prod.tfvars.json", &["live"]),
        // A removed module has its callers.
        ("modules/gone/main.tf", &["live"]),
        // In no module directory.
        ("docs/readme.md", &[]),
        ("README.md", &[]),
        // Hidden folders are not modules; a file in one belongs to the directory above it.
        (".terraform/modules/x/main.tf", &[]),
        (".github/workflows/ci.yml", &[]),
        ("alone/.terraform.lock.hcl", &["alone"]),
    ] {
        let request =
            json!({"stage": "load", "files": files(), "recursive": true, "paths": [changed], "include": ["calls"]});
        assert_eq!(modules(&answer(&request).await), expected, "{changed}");
    }
    // If the root is a module, every file that is in no other module belongs to it.
    let mut files = files();
    files["main.tf"] = json!("");
    for (changed, expected) in
        [("docs/readme.md", &["."][..]), ("alone/x.sh", &["alone"]), (".github/ci.yml", &["."])]
    {
        let request = json!({"stage": "load", "files": files, "recursive": true, "paths": [changed], "include": []});
        assert_eq!(modules(&answer(&request).await), expected, "{changed}");
    }
}

fn tar(files: &[(&str, &str)], links: &[(&str, &str)]) -> Vec<u8> {
    let mut builder = tar::Builder::new(Vec::new());
    for (path, text) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    for (path, target) in links {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(tar::EntryType::Symlink);
        header.set_size(0);
        builder.append_link(&mut header, path, target).unwrap();
    }
    builder.into_inner().unwrap()
}

/// A linked directory is the one that the link leads to, and is listed once. Links of values files that lead nowhere
/// are common, since their targets are kept out of version control; they only matter if values are requested.
#[tokio::test]
async fn links_are_followed_and_those_of_values_are_not_needed() {
    let archive = tar(
        &[
            ("repo-1/modules/net/main.tf", "variable \"n\" {\n  type = number\n}\n"),
            ("repo-1/live/main.tf", "module \"net\" {\n  source = \"./net\"\n  n = [1]\n}\n"),
        ],
        &[
            ("repo-1/live/net", "../modules/net"),
            ("repo-1/live/terraform.tfvars", "../terraform.tfvars"),
            ("repo-1/live/x.auto.tfvars", "../x.auto.tfvars"),
        ],
    );
    let ask = async |query: &str| {
        post_to(&format!("/v1/merge?stage=load&{query}"), "application/x-tar", archive.clone()).await
    };
    let answer = ask("recursive=true&include=calls").await.json();
    assert_eq!(modules(&answer), ["live", "modules/net"]);
    assert_eq!(answer["calls"][0]["to"], "modules/net");
    let errors: Vec<&str> = answer["diagnostics"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|found| found["severity"] == "error")
        .map(|found| found["code"].as_str().unwrap())
        .collect();
    assert_eq!(errors, ["calls/misfit"]);
    for (changed, expected) in
        [("live/net/main.tf", &["live", "modules/net"][..]), ("live/terraform.tfvars", &["live"])]
    {
        let answer = ask(&format!("recursive=true&include=calls&paths={changed}")).await.json();
        assert_eq!(modules(&answer), expected, "{changed}");
    }
    assert_eq!(ask("root=live").await.status, 200);
    ask("root=live&variables=%7B%7D").await.problem(400, "unsupported-entry");
}

#[tokio::test]
async fn every_dialect_answers_about_a_repository() {
    let hcl = json!({
        "a/main.tf": "module \"b\" {\n  source = \"../b\"\n  nope = 1\n}\n",
        "b/main.tf": "resource \"x_y\" \"web\" {\n  input = \"blue\"\n}\n",
        "b/override.tf": "resource \"x_y\" \"web\" {\n  input = \"green\"\n}\n",
    });
    let sentinel = json!({
        "a/sentinel.hcl": "policy \"p\" {\n  source = \"./p.sentinel\"\n}\n",
        "b/sentinel.hcl": "policy \"p\" {\n  source = \"./p.sentinel\"\n  enforcement_level = \"advisory\"\n}\n",
        "b/z_override.hcl": "policy \"p\" {\n  enforcement_level = \"hard-mandatory\"\n}\n",
    });
    for (dialect, files) in
        [("terraform", &hcl), ("opentofu", &hcl), ("tflint", &hcl), ("terraform-0.11", &hcl), ("sentinel", &sentinel)]
    {
        let include = json!(["config", "objects", "files", "overrides", "calls"]);
        let request =
            json!({"stage": "load", "files": files, "dialect": dialect, "recursive": true, "include": include});
        let found = answer(&request).await;
        assert_eq!(modules(&found), ["a", "b"], "{dialect}");
        let b = &found["modules"]["b"];
        assert!(
            b["config"].to_string().contains(if dialect == "sentinel" { "hard-mandatory" } else { "green" }),
            "{b}"
        );
        assert_eq!(b["overrides"].as_array().map(Vec::len), Some(1), "{dialect} {b}");
        let is_checked = found["diagnostics"].to_string().contains("does not declare a variable");
        assert_eq!(is_checked, ["terraform", "opentofu"].contains(&dialect), "{dialect}");
        let calls = found["calls"].as_array().unwrap();
        assert_eq!(calls.len(), usize::from(dialect != "sentinel"), "{dialect}");
        assert!(calls.iter().all(|call| call["to"] == "b"), "{dialect}");
    }
}

#[test]
fn golden_forms_of_a_repository_on_the_command_line() {
    let folder = folder(FILES);
    let prefix = format!("{}/", path(&folder));
    let ask = |format: &str| {
        let args = ["merge", "--recursive", "--version", "1.11.4", path(&folder), "--format", format];
        let (code, out, err) = run(&args);
        assert_eq!(code, 1, "{format}: {err}");
        assert!(!out.contains("SECRET") && !err.contains("SECRET"), "{format}");
        (out.replace(&prefix, ""), err.replace(&prefix, ""))
    };
    let (out, err) = ask("text");
    is_golden("tests/golden/repository/command-line.txt", &format!("{out}\n-- standard error --\n{err}"));
    for format in ["json", "config"] {
        let (out, err) = ask(format);
        let out: Value = serde_json::from_str(&out).unwrap();
        let modules = if format == "json" { &out["modules"] } else { &out };
        assert_eq!(modules.as_object().unwrap().len(), 3, "{format}");
        assert!(err.contains("live/main.tf:3") && err.contains("alone/main.tf:3"), "{format}: {err}");
    }
    for format in FORMATS.iter().filter(|format| format.name != "text") {
        let (out, err) = ask(format.name);
        assert!(err.is_empty(), "{}: {err}", format.name);
        assert!(out.contains("live/main.tf") && out.contains("alone/main.tf"), "{}: {out}", format.name);
        if format.is_json() {
            serde_json::from_str::<Value>(&out).unwrap();
        }
    }
}

#[test]
fn a_text_says_what_matters_about_a_repository_first() {
    let fine = "output \"o\" {\n  value = 1\n}\n";
    let folder = folder(&[
        ("a/main.tf", fine),
        ("b/main.tf", fine),
        ("b/b_override.tf", "output \"o\" {\n  value = 2\n}\n"),
        ("c/main.tf", "output \"o\" {\n"),
        ("d/main.tf", fine),
    ]);
    let (code, out, _) = run(&["merge", path(&folder), "--recursive", "--format", "text", "--version", "1.11.4"]);
    let lines: Vec<&str> = out.lines().collect();
    assert_eq!(code, 1, "{out}");
    assert_eq!(
        lines.get(..3).unwrap(),
        [
            "4 module directories, 1 with override files",
            "1 of them does not load with Terraform 1.11.4 (stage load): c",
            "not listed: 2 module directories in which nothing is overridden or wrong",
        ],
        "{out}"
    );
    let headings: Vec<&str> = lines.into_iter().filter(|line| line.starts_with("== ")).collect();
    assert_eq!(headings, ["== b", "== c"]);
}

#[test]
fn a_text_lists_values_with_their_sources() {
    let long = format!("long = [{}]\n", "\"0123456789\", ".repeat(20));
    let folder = folder(&[
        (
            "main.tf",
            "variable \"given\" {}\nvariable \"kept\" {\n  default = 1\n}\nvariable \"long\" {}\nvariable \"named\" {}\nvariable \"none\" {}\nvariable \"secret\" {\n  default   = \"hush\"\n  sensitive = true\n}\n",
        ),
        ("terraform.tfvars", &long),
    ]);
    let arguments = ["--format", "text", "--values", "--var", "given=x", "--env", "TF_VAR_named=y"];
    let (code, out, _) = run(&[&["merge", path(&folder)], &arguments[..]].concat());
    let (_, listed) = out.split_once("variables\n").unwrap();
    let listed: Vec<&str> = listed.lines().take(6).collect();
    assert_eq!(code, 1, "{out}");
    assert_eq!(listed.first(), Some(&"  given = \"x\" (--var)"), "{out}");
    assert_eq!(listed.get(1), Some(&"  kept = 1 (its default)"), "{out}");
    assert!(
        listed.get(2).unwrap().starts_with("  long = [\"0123456789\",")
            && listed.get(2).unwrap().ends_with(" … (terraform.tfvars)"),
        "{out}"
    );
    assert_eq!(
        listed.get(3..).unwrap(),
        [
            "  named = \"y\" (environment variable TF_VAR_named)",
            "  none = (not set)",
            "  secret = (redacted) (its default)"
        ],
        "{out}"
    );
    assert!(!out.contains("hush"), "{out}");
}

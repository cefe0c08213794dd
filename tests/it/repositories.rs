//! Whole repositories in every form: golden files, what changed paths affect, links, prefixes, and every dialect.

use std::fs;
use std::path::PathBuf;

use overfold::output::FORMATS;
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
async fn the_example_of_the_document_is_true() {
    let document: Value = serde_json::from_str(&overfold::api::openapi_json()).unwrap();
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

/// A root in the middle: only modules below it are returned, but modules elsewhere that it calls are considered, and so
/// are changes to them.
#[tokio::test]
async fn a_nested_root_sees_the_modules_around_it() {
    let request = |more: Value| {
        let mut request =
            json!({"stage": "load", "files": files(), "root": "live", "recursive": true, "include": ["calls"]});
        request.as_object_mut().unwrap().extend(more.as_object().unwrap().clone());
        request
    };
    let all = answer(&request(json!({}))).await;
    assert_eq!(modules(&all), ["live"]);
    assert_eq!(all["calls"][0]["to"], "modules/net");
    let codes: Vec<&str> =
        all["diagnostics"].as_array().unwrap().iter().map(|found| found["code"].as_str().unwrap()).collect();
    assert!(codes.contains(&"calls/misfit") && codes.contains(&"load/unsupported-argument"), "{codes:?}");
    let changed = answer(&request(json!({"paths": ["modules/net/main.tf"]}))).await;
    assert_eq!(modules(&changed), ["live"]);
    assert_eq!(changed["diagnostics"], all["diagnostics"]);
    assert_eq!(modules(&answer(&request(json!({"paths": ["alone/main.tf"]}))).await), [] as [&str; 0]);
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
fn the_command_line_has_every_form_of_a_repository() {
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

/// Returns `CODE ORIGIN FILE:LINE` for each error and warning of a whole tree, sorted.
async fn findings_of(files: &[(&str, &str)], dialect: &str) -> Vec<String> {
    let files: Value = files.iter().map(|(name, text)| ((*name).to_owned(), Value::from(*text))).collect();
    let answered = answer(&json!({"stage": "load", "files": files, "recursive": true, "dialect": dialect})).await;
    let mut found = Vec::new();
    for finding in answered["diagnostics"].as_array().unwrap() {
        if finding["severity"] != "info" {
            let word = |key: &str| finding[key].as_str().unwrap();
            let range = &finding["range"];
            let at = format!("{}:{}", range["filename"].as_str().unwrap_or("-"), range["start"]["line"]);
            found.push(format!("{} {} {at}", word("code"), word("origin")));
        }
    }
    found.sort();
    found
}

/// Empty provider blocks of called modules (Terraform 1.11.4).
#[tokio::test]
async fn empty_provider_blocks_of_called_modules_are_redundant() {
    const CALL: &str = "module \"m\" {\n  source = \"./m\"\n}\n";
    const EMPTY: &str = "calls/provider-empty tool";
    for (inner, wanted) in [
        ("provider \"a\" {}\n", vec![format!("{EMPTY} m/main.tf:1")]),
        ("provider \"a\" {\n  region = 1\n}\n", vec![]),
        ("provider \"a\" {\n  inner {}\n}\n", vec![]),
        ("provider \"a\" {\n  version = \"1\"\n}\n", vec!["load/version-in-provider tool m/main.tf:2".to_owned()]),
        (
            "provider \"a\" {\n  alias = \"x\"\n}\nprovider \"a\" {}\nprovider \"b\" {}\n",
            vec![format!("{EMPTY} m/main.tf:1"), format!("{EMPTY} m/main.tf:5")],
        ),
    ] {
        for dialect in ["terraform", "opentofu"] {
            let mut found = findings_of(&[("main.tf", CALL), ("m/main.tf", inner)], dialect).await;
            found.retain(|found| found.starts_with("calls/"));
            let wanted: Vec<&String> = wanted.iter().filter(|found| found.starts_with("calls/")).collect();
            assert_eq!(found.iter().collect::<Vec<_>>(), wanted, "{dialect}: {inner}");
            // Nothing calls it.
            assert_eq!(
                findings_of(&[("m/main.tf", inner)], dialect)
                    .await
                    .iter()
                    .filter(|found| found.starts_with("calls/"))
                    .count(),
                0
            );
        }
    }
    let json = r#"{"provider": {"a": [{}, {"alias": "x"}]}}"#;
    assert_eq!(findings_of(&[("main.tf", CALL), ("m/main.tf.json", json)], "terraform").await.len(), 1);
    // What doesn't load hides it.
    let broken = [("main.tf", CALL), ("m/main.tf", "provider \"a\" {}\nlocals {\n  a = 1\n  a = 2\n}\n")];
    assert!(
        findings_of(&broken, "terraform").await.contains(&"calls/provider-empty tool-later m/main.tf:1".to_owned())
    );
}

/// A called module passes on what it neither configures nor gets (Terraform 1.11.4): once each time.
#[tokio::test]
async fn inherited_provider_configurations_are_passed() {
    const REQUIRES: &str = "terraform {\n  required_providers {\n    foo = { source = \"acme/foo\" }\n  }\n}\n";
    let passes =
        |name: &str| format!("module \"{name}\" {{\n  source = \"./n\"\n  providers = {{\n    foo = foo\n  }}\n}}\n");
    let top = format!("{REQUIRES}module \"m\" {{\n  source = \"./m\"\n}}\n");
    let gives = format!("{REQUIRES}module \"m\" {{\n  source = \"./m\"\n  providers = {{\n    foo = foo\n  }}\n}}\n");
    let configured = format!("{REQUIRES}provider \"foo\" {{\n  a = 1\n}}\n{}", passes("a"));
    for (top, inner, count) in [
        (&top, format!("{REQUIRES}{}", passes("a")), 1),
        (&top, format!("{REQUIRES}{}{}", passes("a"), passes("b")), 2),
        (&gives, format!("{REQUIRES}{}", passes("a")), 0),
        (&top, configured, 0),
        (&top, format!("{REQUIRES}{}", passes("a").replace("= foo", "= foo.x")), 0),
    ] {
        for dialect in ["terraform", "opentofu"] {
            let files = [("main.tf", top.as_str()), ("m/main.tf", inner.as_str()), ("m/n/main.tf", REQUIRES)];
            let found = findings_of(&files, dialect).await;
            let wanted = "calls/provider-not-inherited tool main.tf:6";
            assert_eq!(found.iter().filter(|found| *found == wanted).count(), count, "{dialect}: {inner}: {found:?}");
        }
    }
}

/// The tool checks the calls inside a called module first, and stops at the first mistake (Terraform 1.11.4).
#[tokio::test]
async fn the_innermost_missing_argument_is_the_tools() {
    let call = |path: &str| format!("variable \"x\" {{}}\nmodule \"a\" {{\n  source = \"./{path}\"\n}}\n");
    let files = [
        ("main.tf", call("a").replace("variable \"x\" {}\n", "\n")),
        ("a/main.tf", call("b")),
        ("a/b/main.tf", call("c")),
        ("a/b/c/main.tf", "variable \"x\" {}\n".to_owned()),
    ];
    let files: Vec<(&str, &str)> = files.iter().map(|(name, text)| (*name, text.as_str())).collect();
    let found = findings_of(&files, "terraform").await;
    let code = "load/missing-required-argument";
    assert_eq!(
        found,
        [
            format!("{code} tool a/b/main.tf:2"),
            format!("{code} tool-later a/main.tf:2"),
            format!("{code} tool-later main.tf:2")
        ]
    );
    // A sibling is reached or not, in random order.
    let top = "module \"a\" {\n  source = \"./a\"\n}\nmodule \"b\" {\n  source = \"./b\"\n}\n";
    let found = findings_of(
        &[("main.tf", top), ("a/main.tf", "variable \"x\" {}\n"), ("b/main.tf", "variable \"x\" {}\n")],
        "terraform",
    )
    .await;
    assert_eq!(found, [format!("{code} tool main.tf:1"), format!("{code} tool main.tf:4")]);
}

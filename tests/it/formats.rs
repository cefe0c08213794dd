//! The formats in which diagnostics are returned alone: what each contains for one module (golden files), the schemas
//! that their authors publish, columns, prefixes, and the gate `fail_on`.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use axum::body::Body;
use axum::http::Request;
use overfold_cli::output::{DiagnosticFormat, FORMATS};
use serde_json::{Value, json};

use crate::cli;
use crate::http::{Answer, app, send};

/// Returns a module with an error, a warning, a note, fixes, secondary positions, and characters of every width.
fn module() -> Value {
    json!({
        "main.tf": "resource \"terraform_data\" \"web\" {\n\tinput      = \"漢😀e\u{301}\" // 👩\u{200D}👩\u{200D}👧\n  depends_on = [\"terraform_data.net\"]\n}\n\
                    resource \"terraform_data\" \"web\" {\n}\n",
        "größe & <1>.tf": "variable \"漢😀e\u{301}\" {\r\n  type = \"string\"\r\n}\r\n\
                           locals { a = \"漢😀e\u{301}\" + b ]\r\n}\r\n",
        "bom.tf": "\u{FEFF}variable \"x\" {\n  defualt = \"100%\"\n}\n",
        "a_override.tf": "locals {\n  never = 1\n}\n\nresource \"terraform_data\" \"net\" {\n  input = 1\n}\n\
                          output \"o\" {\n  value = 1\n}\n",
    })
}

async fn ask(accept: &str, request: &Value) -> Answer {
    let head = Request::post("/v1/merge").header("content-type", "application/json").header("accept", accept);
    send(&app(), head.body(Body::from(request.to_string())).unwrap()).await
}

async fn in_form(format: &DiagnosticFormat, request: &Value) -> String {
    let answer = ask(format.media_type, request).await;
    let body = String::from_utf8(answer.body.clone()).unwrap();
    assert_eq!(answer.status, 200, "{}: {body}", format.name);
    let media = answer.header("content-type");
    assert_eq!(media.split(';').next().unwrap(), format.media_type);
    assert_eq!(media.contains("charset=utf-8"), format.media_type.starts_with("text/"), "{media}");
    body
}

fn form(name: &str) -> &'static DiagnosticFormat {
    FORMATS.iter().find(|format| format.name == name).unwrap()
}

async fn json_form(name: &str, request: &Value) -> Value {
    serde_json::from_str(&in_form(form(name), request).await).unwrap()
}

fn golden_folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/golden/diagnostics")
}

/// Formats JSON in lines, so that diffs are readable.
fn readable(format: &DiagnosticFormat, body: &str) -> String {
    if !format.is_json() {
        return body.to_owned();
    }
    let value: Value = serde_json::from_str(body).unwrap();
    serde_json::to_string_pretty(&value).unwrap() + "\n"
}

/// Checks that `tests/golden/diagnostics/<form>.<extension>` is the service's answer about [`module`]. With
/// `OVERFOLD_GOLDEN=write` in the environment the files are rewritten instead.
#[tokio::test]
async fn every_form_matches_the_golden_files() {
    let write = std::env::var("OVERFOLD_GOLDEN").is_ok_and(|mode| mode == "write");
    let request = json!({"stage": "load", "files": module(), "path_prefix": "infra/prod"});
    fs::create_dir_all(golden_folder()).unwrap();
    for format in FORMATS {
        let made = readable(format, &in_form(format, &request).await);
        let path = golden_folder().join(format!("{}.{}", format.name, format.extension));
        if write {
            fs::write(path, made).unwrap();
            continue;
        }
        let golden = fs::read_to_string(&path).unwrap_or_default();
        assert_eq!(
            golden, made,
            "{}; if that is meant: OVERFOLD_GOLDEN=write cargo test --test it golden",
            format.name
        );
    }
    let files = fs::read_dir(golden_folder()).unwrap().count();
    assert_eq!(files, FORMATS.len(), "a golden file belongs to no form");
}

fn schema(name: &str) -> jsonschema::Validator {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/data/schemas").join(name);
    jsonschema::validator_for(&serde_json::from_str(&fs::read_to_string(path).unwrap()).unwrap()).unwrap()
}

/// Returns the requests for the tests of schemas: the module above, one for each dialect, one without findings, one
/// without files, and one whose only finding has no position.
fn requests() -> Vec<Value> {
    let mut requests = vec![
        json!({"stage": "load", "files": module(), "path_prefix": "infra/prod"}),
        json!({"stage": "load", "files": {"main.tf": "locals {\n  a = 1\n}\n"}}),
        json!({"stage": "load", "files": {"sub/readme.txt": ""}, "root": "sub"}),
        json!({"stage": "load", "files": {"main.tf": "variable \"a\" {}\n"}, "variables": {"args": [{"var": "b=1"}, {"var": "c"}]}}),
        json!({"stage": "load", "files": {"main.tf.json": "{\"variable\": {\"a\": {\"default\": \"\\u00e9${nope(}\", \"type\": 5}}}"}}),
    ];
    for dialect in ["opentofu", "tflint", "terraform-0.11"] {
        requests.push(json!({"stage": "load", "files": module(), "dialect": dialect}));
        requests.push(
            json!({"stage": "load", "files": {"main.tf.json": "{\"variable\": [1], \"é\": }"}, "dialect": dialect}),
        );
    }
    requests.push(json!({"dialect": "sentinel", "stage": "load", "files": {
        "sentinel.hcl": "policy \"😀\" {\n  sourc = \"./x\"\n}\n", "override.hcl": "policy \"b\" {\n}\n"}}));
    requests
}

#[tokio::test]
async fn json_forms_match_their_published_schemas() {
    for (name, file) in
        [("sarif", "sarif-2.1.0.json"), ("rdjson", "rdjson.json"), ("gitlab-codequality", "gitlab-codequality.json")]
    {
        let validator = schema(file);
        for request in requests() {
            let made = json_form(name, &request).await;
            let errors: Vec<String> =
                validator.iter_errors(&made).map(|error| format!("{}: {error}", error.instance_path())).collect();
            assert!(errors.is_empty(), "{name}: {}\n{made:#}", errors.join("\n"));
        }
        assert!(!validator.is_valid(&json!({"version": "2.1.0", "runs": [5], "diagnostics": 5})), "{name}");
    }
}

/// Every format lists what the answer lists, with the same texts.
#[tokio::test]
async fn every_form_lists_every_diagnostic() {
    for request in requests() {
        let answer = ask("application/json", &request).await.json();
        let wanted: Vec<&str> =
            answer["diagnostics"].as_array().unwrap().iter().map(|d| d["code"].as_str().unwrap()).collect();
        let codes = |found: &Value, list: &str, pointer: &str| -> Vec<String> {
            let found = found.pointer(list).unwrap().as_array().unwrap();
            found.iter().map(|one| one.pointer(pointer).unwrap().as_str().unwrap().to_owned()).collect()
        };
        assert_eq!(codes(&json_form("sarif", &request).await, "/runs/0/results", "/ruleId"), wanted);
        assert_eq!(codes(&json_form("rdjson", &request).await, "/diagnostics", "/code/value"), wanted);
        assert_eq!(codes(&json_form("gitlab-codequality", &request).await, "", "/check_name"), wanted);
        let annotations = json_form("github-annotations", &request).await;
        assert_eq!(annotations.as_array().unwrap().len(), wanted.len());
        let commands = in_form(form("github-commands"), &request).await;
        assert_eq!(commands.lines().count(), wanted.len(), "{commands}");
        assert!(commands.lines().all(|line| line.starts_with("::")), "{commands}");
        let junit = in_form(form("junit"), &request).await;
        assert_eq!(junit.matches("<testcase ").count(), wanted.len().max(1));
    }
}

/// Compares the columns of the secondary position in each format with the text itself.
#[tokio::test]
async fn each_form_counts_columns_in_its_own_unit() {
    let line = "locals { \u{61} = \"漢😀e\u{301}\t\" + }";
    for (before, ending) in [("", "\n"), ("# é\r\n", "\r\n"), ("\u{FEFF}", "\n")] {
        let request = json!({"stage": "load", "files": {"main.tf": format!("{before}{line}{ending}")}});
        let answer = ask("application/json", &request).await.json();
        let range = &answer["diagnostics"][0]["range"];
        let at = range["start"]["byte"].as_u64().unwrap() as usize;
        let text = format!("{before}{line}{ending}");
        let before_it = text.get(..at).unwrap();
        let column = before_it.rsplit('\n').next().unwrap();
        assert!(column.contains('😀'), "{range}");
        let (bytes, utf16) = (column.len() + 1, column.trim_start_matches('\u{FEFF}').encode_utf16().count() + 1);
        let rdjson = json_form("rdjson", &request).await;
        assert_eq!(rdjson["diagnostics"][0]["location"]["range"]["start"]["column"], bytes);
        let sarif = json_form("sarif", &request).await;
        let region = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["region"];
        assert_eq!((&region["startColumn"], &region["startLine"]), (&json!(utf16), &range["start"]["line"]));
        assert_eq!(sarif["runs"][0]["columnKind"], "utf16CodeUnits");
        let annotations = json_form("github-annotations", &request).await;
        assert_eq!(annotations[0]["start_column"], utf16);
        assert!(in_form(form("github-commands"), &request).await.contains(&format!(",col={utf16},")));
        let graphemes = format!("main.tf:{}:{}", range["start"]["line"], range["start"]["column"]);
        assert!(in_form(form("text"), &request).await.contains(&graphemes));
        assert!(in_form(form("junit"), &request).await.contains(&graphemes));
    }
}

/// Applying a suggestion leaves a file without the diagnostic.
#[tokio::test]
async fn suggestions_resolve_their_findings() {
    let mut text = "variable \"x\" {\n  type    = \"list\"\n  defualt = [\"漢😀\"] // é\n}\n\
                    resource \"terraform_data\" \"a\" {\n  depends_on = [\"terraform_data.b\", \"terraform_data.c\"]\n  \
                    lifecycle {\n    ignore_changes = [\"input\"]\n  }\n}\n\
                    resource \"terraform_data\" \"b\" {\n}\nresource \"terraform_data\" \"c\" {\n}\n"
        .to_owned();
    for round in 0.. {
        let found = json_form("rdjson", &json!({"stage": "load", "files": {"main.tf": text}})).await;
        let diagnostics = found["diagnostics"].as_array().unwrap();
        let Some(one) = diagnostics.first() else {
            assert!(round >= 4, "only {round} suggestions");
            assert!(text.contains("type    = list(any)") && text.contains("default = [\"漢😀\"]"), "{text}");
            assert!(text.contains("[terraform_data.b, terraform_data.c]"), "{text}");
            return;
        };
        let suggestion = &one["suggestions"][0];
        let offset = |end: &str| {
            let spot = &suggestion["range"][end];
            let line = spot["line"].as_u64().unwrap_or_else(|| panic!("{one}")) as usize;
            let start: usize = text.split_inclusive('\n').take(line - 1).map(str::len).sum();
            start + spot["column"].as_u64().unwrap() as usize - 1
        };
        let (start, end) = (offset("start"), offset("end"));
        text.replace_range(start..end, suggestion["text"].as_str().unwrap());
    }
}

#[tokio::test]
async fn names_in_use_are_not_suggested() {
    let text = "variable \"x\" {\n  default = 1\n  defualt = 2\n}\n";
    let found = json_form("rdjson", &json!({"stage": "load", "files": {"main.tf": text}})).await;
    assert_eq!(found["diagnostics"][0]["code"]["value"], "load/unsupported-argument");
    assert!(found["diagnostics"][0]["suggestions"].is_null(), "{found}");
    // An escape inside the quotes and a heredoc are left to people.
    let text = "resource \"terraform_data\" \"a\" {\n  depends_on = [\"terraform_\\u0064ata.b\"]\n}\n";
    let found = json_form("rdjson", &json!({"stage": "load", "files": {"main.tf": text}})).await;
    assert!(!found.to_string().contains("suggestions"), "{found}");
}

#[tokio::test]
async fn file_names_are_relative_to_the_upload_and_prefixed() {
    let broken = "a = \n";
    let request = |options: Value| {
        let mut request = json!({"stage": "load", "files": {"mod ä/x:1.tf": broken, "sub/main.tf": broken}});
        request.as_object_mut().unwrap().extend(options.as_object().unwrap().clone());
        request
    };
    let path = async |options: Value| {
        let found = json_form("gitlab-codequality", &request(options)).await;
        found[0]["location"]["path"].as_str().unwrap().to_owned()
    };
    assert_eq!(path(json!({"root": "sub"})).await, "sub/main.tf");
    assert_eq!(path(json!({"root": "./sub/", "path_prefix": "./infra/prod/"})).await, "infra/prod/sub/main.tf");
    assert_eq!(path(json!({"root": "sub", "path_prefix": ""})).await, "sub/main.tf");
    let sarif = json_form("sarif", &request(json!({"root": "mod ä", "path_prefix": "50% #1?"}))).await;
    let uri = &sarif["runs"][0]["results"][0]["locations"][0]["physicalLocation"]["artifactLocation"]["uri"];
    assert_eq!(uri, "50%25%20%231%3F/mod%20%C3%A4/x%3A1.tf");
    let commands = in_form(form("github-commands"), &request(json!({"root": "mod ä", "path_prefix": "50%"}))).await;
    assert!(commands.starts_with("::error file=50%25/mod ä/x%3A1.tf,line=1,"), "{commands}");
    for wrong in ["/abs", "../up", "a//b", "C:/x", "a\\b"] {
        let answer = ask("application/json", &request(json!({"path_prefix": wrong}))).await;
        assert_eq!(answer.problem(400, "bad-path")["pointer"], "/path_prefix");
    }
    let long = ask("application/json", &request(json!({"path_prefix": "a/".repeat(2000)}))).await;
    assert_eq!(long.problem(413, "over-limit")["limit"]["name"], "max-path-bytes");
}

#[tokio::test]
async fn fingerprints_are_unique_and_survive_moved_lines() {
    let text = "resource \"terraform_data\" \"a\" {\n  nput = 1\n}\nvariable \"v\" {\n  x = 1\n  x1 = 1\n}\n\
                variable \"w\" {\n  x = 1\n}\nresource \"a\" {}\nresource \"a\" {}\nresource \"a\" {}\n";
    let prints = async |text: &str| {
        let found = json_form("gitlab-codequality", &json!({"stage": "load", "files": {"main.tf": text}})).await;
        let list = found.as_array().unwrap().iter().map(|one| one["fingerprint"].as_str().unwrap().to_owned());
        list.collect::<Vec<_>>()
    };
    let first = prints(text).await;
    assert!(first.len() > 5, "{first:?}");
    assert_eq!(first.iter().collect::<BTreeSet<_>>().len(), first.len(), "{first:?}");
    assert_eq!(prints(&format!("# one more line\n\n{text}")).await, first);
    let sarif = json_form("sarif", &json!({"stage": "load", "files": {"main.tf": text}})).await;
    let of_sarif = sarif["runs"][0]["results"].as_array().unwrap();
    assert_eq!(
        of_sarif.iter().map(|r| r["partialFingerprints"]["overfold/v1"].as_str().unwrap()).collect::<Vec<_>>(),
        first
    );
    assert!(of_sarif.iter().all(|r| r["partialFingerprints"]["primaryLocationLineHash"].is_string()));
}

/// No format shows a secret, and no line hash is computed from one.
#[tokio::test]
async fn no_form_contains_secrets() {
    let text = "variable \"p\" {\n  type      = string\n  sensitive = true\n  default   = \"hunter2xyz\" }\n}\n\
                variable \"q\" {\n  type = object({a = optional(number, \"hunter2xyz\")})\n  sensitive = true\n}\n";
    let request = json!({
        "stage": "load", "files": {"main.tf": text, "terraform.tfvars": "p = \"hunter2xyz\"\nq = { a = \"hunter2xyz\" \"hunter2xyz\" }\nundeclared = \"hunter2xyz\"\n"},
        "variables": {"args": [{"var": "p=hunter2xyz"}, {"var": "q=hunter2xyz"}, {"var": "r=hunter2xyz"}]},
    });
    for format in FORMATS {
        let body = in_form(format, &request).await;
        assert!(!body.contains("hunter2") && !body.contains("er2xyz"), "{}: {body}", format.name);
        assert!(!body.contains("primaryLocationLineHash"), "{body}");
    }
}

#[tokio::test]
async fn fail_on_answers_the_same_body_with_another_status() {
    let bad = json!({"main.tf": "a = \n"});
    let warns = json!({"main.tf": "resource \"terraform_data\" \"a\" {\n  depends_on = [\"terraform_data.b\"]\n}\n"});
    let fine = json!({"main.tf": ""});
    for (files, gate, status) in [
        (&bad, "error", 422),
        (&bad, "warning", 422),
        (&warns, "error", 200),
        (&warns, "warning", 422),
        (&fine, "warning", 200),
    ] {
        for media in std::iter::once("application/json").chain(FORMATS.iter().map(|format| format.media_type)) {
            let open = ask(media, &json!({"stage": "load", "files": files})).await;
            let gated = ask(media, &json!({"stage": "load", "files": files, "fail_on": gate})).await;
            assert_eq!(gated.status.as_u16(), status, "{media} {gate}");
            assert_eq!(open.status, 200);
            let mut headers = vec!["content-type", "vary"];
            // If warnings are to fail, a JUnit report marks each of them as a failure.
            if (media, gate) == ("application/junit+xml", "warning") && files == &warns {
                let failures = |answer: &Answer| String::from_utf8_lossy(&answer.body).matches("<failure").count();
                assert_eq!((failures(&open), failures(&gated)), (0, 1));
            } else {
                assert_eq!(gated.body, open.body, "{media}");
                headers.push("repr-digest");
            }
            for header in headers {
                assert_eq!(gated.header(header), open.header(header));
            }
        }
    }
    ask("*/*", &json!({"files": fine, "fail_on": "note"})).await.problem(400, "bad-option");
    ask("text/html", &json!({"stage": "load", "files": fine})).await.problem(406, "not-acceptable");
}

#[test]
fn the_command_prints_only_the_requested_form() {
    let folder = tempfile::tempdir().unwrap();
    for (name, text) in module().as_object().unwrap() {
        fs::write(folder.path().join(name), text.as_str().unwrap()).unwrap();
    }
    let path = folder.path().to_str().unwrap();
    for format in FORMATS.iter().filter(|format| format.name != "text") {
        let (code, out, err) = cli::run(&["merge", path, "--format", format.name, "--path-prefix", "infra/prod"]);
        assert_eq!((code, err.as_str()), (1, ""), "{}", format.name);
        let golden = golden_folder().join(format!("{}.{}", format.name, format.extension));
        assert_eq!(readable(format, &out), fs::read_to_string(golden).unwrap(), "{}", format.name);
    }
    // What two of them were called before still works, and is not shown.
    for (former, now) in [("github", "github-commands"), ("gitlab", "gitlab-codequality")] {
        let [old, new] = [former, now].map(|name| cli::run(&["merge", path, "--format", name]));
        assert_eq!(old, new, "{former}");
    }
    let help = cli::run(&["merge", "--help"]).1;
    assert!(!help.contains("- github:") && !help.contains("- gitlab:"), "{help}");
    assert!(FORMATS.iter().all(|format| help.contains(format.name)), "{help}");
}

#[test]
fn the_command_fails_on_warnings_on_request() {
    let folder = tempfile::tempdir().unwrap();
    let text = "resource \"terraform_data\" \"a\" {\n  depends_on = [\"terraform_data.b\"]\n}\n";
    fs::write(folder.path().join("main.tf"), text).unwrap();
    let path = folder.path().to_str().unwrap();
    assert_eq!(cli::run(&["merge", path]).0, 0);
    assert_eq!(cli::run(&["merge", path, "--fail-on", "error"]).0, 0);
    assert_eq!(cli::run(&["merge", path, "--fail-on", "warning"]).0, 1);
    fs::write(folder.path().join("main.tf"), "a =\n").unwrap();
    assert_eq!(cli::run(&["merge", path, "--fail-on", "error"]).0, 1);
    assert_eq!(cli::run(&["merge", path, "--fail-on", "note"]).0, 2);
}

/// A JUnit report can be read by an XML parser, whatever the files contain.
#[tokio::test]
async fn junit_is_well_formed() {
    for request in requests() {
        let made = in_form(form("junit"), &request).await;
        let mut reader = quick_xml::Reader::from_str(&made);
        reader.config_mut().check_end_names = true;
        loop {
            match reader.read_event().unwrap() {
                quick_xml::events::Event::Eof => break,
                quick_xml::events::Event::Start(tag) | quick_xml::events::Event::Empty(tag) => {
                    for attribute in tag.attributes() {
                        attribute.unwrap();
                    }
                }
                _ => {}
            }
        }
    }
}

/// The table in docs/formats.md has a row for each format.
#[test]
fn the_documents_list_every_form() {
    let page = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/formats.md")).unwrap();
    let missing: Vec<String> = FORMATS
        .iter()
        .map(|format| {
            let [error, warning, note] = format.severities;
            let (name, media, about, columns) = (format.name, format.media_type, format.about, format.columns);
            format!("| `{name}` | `{media}` | {about} | {columns} | {error}, {warning}, {note} |")
        })
        .filter(|row| !page.contains(row))
        .collect();
    assert!(missing.is_empty(), "docs/formats.md lacks:\n{}", missing.join("\n"));
}

/// The example of each format in the OpenAPI document is the answer to the example request.
#[tokio::test]
async fn examples_of_the_document_are_answers() {
    let document: Value = serde_json::from_str(&overfold_cli::api::openapi_json()).unwrap();
    let merge = &document["paths"]["/v1/merge/report"]["post"];
    let request = &merge["requestBody"]["content"]["application/json"]["examples"]["diagnostics"]["value"];
    for format in FORMATS {
        let body = in_form(format, request).await;
        let example = &merge["responses"]["200"]["content"][format.media_type]["example"];
        let wanted = if format.is_json() { serde_json::from_str(&body).unwrap() } else { Value::from(body) };
        assert_eq!(example, &wanted, "{}", format.name);
        assert!(merge["responses"]["422"]["content"][format.media_type].is_object());
    }
}

//! The OpenAPI document: committed, complete, and consistent with real answers.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use axum::body::Body;
use axum::http::Request;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::{Value, json};

use crate::http::{app, get, post, send};

fn document() -> Value {
    serde_json::from_str(&overfold_cli::api::openapi_json()).unwrap()
}

#[test]
fn the_committed_document_is_the_generated_one() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json");
    let committed = fs::read_to_string(path).unwrap();
    assert!(
        committed == overfold_cli::api::openapi_json(),
        "openapi/openapi.json is out of date; run: cargo run -- openapi > openapi/openapi.json"
    );
}

#[tokio::test]
async fn the_served_document_is_the_generated_one() {
    assert_eq!(get("/openapi.json").await.body, overfold_cli::api::openapi_json().as_bytes());
}

/// Every path in the document responds to its methods, so that there is no documented route that does not exist.
#[tokio::test]
async fn every_documented_route_exists() {
    let document = document();
    assert_eq!(document["openapi"], "3.1.0");
    for (path, item) in document["paths"].as_object().unwrap() {
        for method in item.as_object().unwrap().keys().filter(|key| ["get", "post"].contains(&key.as_str())) {
            let path = path.replace("{name}", "terraform").replace("{code}", "load%2Fduplicate");
            let request = Request::builder().method(method.to_uppercase().as_str()).uri(&path);
            let status = send(&app(), request.body(Body::empty()).unwrap()).await.status.as_u16();
            assert!(status != 404 && status != 405, "{method} {path} is {status}");
        }
    }
}

/// Everything that the schemas refer to exists, and everything has a description.
#[test]
fn every_schema_and_field_is_described() {
    let document = document();
    let mut wrong = Vec::new();
    for (name, schema) in document["components"]["schemas"].as_object().unwrap() {
        if schema["description"].is_null() {
            wrong.push(name.clone());
        }
        for (field, schema) in schema["properties"].as_object().into_iter().flatten() {
            let described = !schema["description"].is_null() || !schema["$ref"].is_null();
            if !described {
                wrong.push(format!("{name}.{field}"));
            }
        }
    }
    assert!(wrong.is_empty(), "without description: {wrong:?}");
    check_references(&document, &document);
}

fn check_references(at: &Value, document: &Value) {
    match at {
        Value::Object(map) => {
            if let Some(target) = map.get("$ref").and_then(Value::as_str) {
                assert!(document.pointer(target.trim_start_matches('#')).is_some(), "{target} is nowhere");
            }
            map.values().for_each(|value| check_references(value, document));
        }
        Value::Array(list) => list.iter().for_each(|value| check_references(value, document)),
        _ => {}
    }
}

/// The schemas of answers in which every field is documented.
const STRICT: &[&str] = &[
    "Attribute",
    "Block",
    "CodeEntry",
    "CodeExample",
    "CodeList",
    "ConfigObject",
    "DiffAnswer",
    "DiffChange",
    "DiffCounts",
    "DiffDiagnostics",
    "DiffModule",
    "DiffModuleCounts",
    "DiffModulePair",
    "DiffOverride",
    "DiffPart",
    "DiffSide",
    "Diagnostic",
    "File",
    "Limit",
    "MergeAnswer",
    "Module",
    "ModuleCall",
    "Override",
    "OverrideSide",
    "PlanDiffAnswer",
    "PlanDiffCheck",
    "PlanDiffCheckSide",
    "PlanDiffCounts",
    "PlanDiffInstance",
    "PlanDiffMove",
    "PlanDiffOutput",
    "PlanDiffOverride",
    "PlanDiffPlace",
    "PlanDiffSide",
    "PlanDiffValue",
    "PlanDiffValueSide",
    "Position",
    "Problem",
    "Range",
    "Related",
    "Replaced",
    "EvaluatedCall",
    "Snippet",
    "SnippetValue",
    "Variable",
];

pub(crate) fn validator(schema: &str) -> jsonschema::Validator {
    let mut root = document();
    // Clients must accept unknown fields; here each field must be a documented one.
    for name in STRICT {
        let schema = &mut root["components"]["schemas"][name];
        assert!(schema["properties"].is_object(), "{name}");
        assert!(schema["additionalProperties"].is_null(), "{name} is not open for new fields");
        schema["additionalProperties"] = json!(false);
    }
    root["$ref"] = json!(format!("#/components/schemas/{schema}"));
    root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
    jsonschema::validator_for(&root).unwrap()
}

pub(crate) fn check(validator: &jsonschema::Validator, instance: &Value, what: &str) {
    let errors: Vec<String> =
        validator.iter_errors(instance).map(|error| format!("{}: {error}", error.instance_path())).collect();
    assert!(errors.is_empty(), "{what}: {}\n{instance:#}", errors.join("\n"));
}

const ALL: &[&str] = &["config", "objects", "variables", "files"];

/// Answers about these recorded cases have the documented shape.
#[tokio::test]
async fn real_answers_have_the_documented_shape() {
    let validator = validator("MergeAnswer");
    let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let mut checked = 0;
    for suite in ["terraform", "variables", "tflint"] {
        let mut cases: Vec<_> = fs::read_dir(suites.join(suite)).unwrap().map(|e| e.unwrap().path()).collect();
        cases.sort();
        for case in cases.into_iter().filter(|case| case.is_dir()) {
            let mut files = serde_json::Map::new();
            read_folder(&case.join("input"), "", &mut files);
            let asked: Value = serde_json::from_slice(&fs::read(case.join("case.json")).unwrap()).unwrap();
            let mut request = json!({"stage": "load", "files": files, "include": ALL});
            if suite == "tflint" {
                request["dialect"] = json!(suite);
                request["expand"] = asked.get("expand").cloned().unwrap_or(json!(false));
            }
            if suite == "variables" {
                request["variables"] = json!({
                    "env": asked.get("env").cloned().unwrap_or(json!({})),
                    "args": asked.get("args").cloned().unwrap_or(json!([])),
                });
            }
            let answer = post("application/json", request.to_string()).await;
            // A number that this test's JSON reader cannot represent (1e400) is not a wrong answer.
            if let (true, Ok(json)) = (answer.status == 200, serde_json::from_slice(&answer.body)) {
                check(&validator, &json, &case.display().to_string());
                checked += 1;
            }
        }
    }
    assert!(checked > 150, "only {checked} answers were checked");
}

/// Comparisons of these recorded cases with themselves without their override files have the documented shape, both as
/// a single module and as a tree.
#[tokio::test]
async fn real_differences_have_the_documented_shape() {
    let validator = validator("DiffAnswer");
    let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    let (mut checked, mut changes) = (0, 0);
    for suite in ["terraform", "opentofu", "tflint", "sentinel"] {
        let mut cases: Vec<_> = fs::read_dir(suites.join(suite)).unwrap().map(|e| e.unwrap().path()).collect();
        cases.sort();
        for case in cases.into_iter().filter(|case| case.join("input").is_dir()).step_by(3) {
            let mut files = serde_json::Map::new();
            read_folder(&case.join("input"), "", &mut files);
            let mut fewer = files.clone();
            fewer.retain(|name, _| !name.contains("override"));
            for recursive in [false, true] {
                let side = |files: &serde_json::Map<String, Value>| json!({"stage": "load", "files": files, "dialect": suite, "recursive": recursive});
                let body = json!({"before": side(&fewer), "after": side(&files)});
                let answer = crate::difference::diff(&body).await;
                // A number that this test's JSON reader cannot represent (1e400) is not a wrong answer.
                if let (true, Ok(json)) = (answer.status == 200, serde_json::from_slice::<Value>(&answer.body)) {
                    check(&validator, &json, &case.display().to_string());
                    assert_eq!(json["modules"].is_object(), recursive);
                    assert_eq!(json["changes"].is_array(), !recursive);
                    checked += 1;
                    changes += json["changes"].as_array().map_or(0, Vec::len);
                }
            }
        }
    }
    assert!(checked > 150 && changes > 50, "only {checked} answers with {changes} changes were checked");
}

fn read_folder(folder: &Path, prefix: &str, into: &mut serde_json::Map<String, Value>) {
    use base64::Engine as _;
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let name = format!("{prefix}{}", path.file_name().unwrap().to_str().unwrap());
        if path.is_dir() {
            read_folder(&path, &format!("{name}/"), into);
        } else {
            let bytes = base64::prelude::BASE64_STANDARD.encode(fs::read(&path).unwrap());
            into.insert(name, json!({"base64": bytes}));
        }
    }
}

/// Answers about whole repositories do too: each recorded case of a dialect is a directory.
#[tokio::test]
async fn answers_about_repositories_have_the_documented_shape() {
    let validator = validator("MergeAnswer");
    let suites = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/conformance");
    for (suite, dialect) in
        [("terraform", "terraform"), ("opentofu", "opentofu"), ("tflint", "tflint"), ("sentinel", "sentinel")]
    {
        let mut files = serde_json::Map::new();
        for case in fs::read_dir(suites.join(suite)).unwrap().map(|entry| entry.unwrap().path()) {
            if case.join("input").is_dir() {
                let name = case.file_name().unwrap().to_str().unwrap();
                read_folder(&case.join("input"), &format!("{name}/"), &mut files);
            }
        }
        files.insert("zz/m.tf".to_owned(), json!("variable \"n\" {\n  type = number\n}\n"));
        files.insert(
            "zz/call/m.tf".to_owned(),
            json!("module \"x\" {\n  source = \"../\"\n  n = \"x\"\n}\nmodule \"y\" {\n  source = \"a/b/c\"\n}\n"),
        );
        files.insert("zz/p.hcl".to_owned(), json!(""));
        let include = json!(["config", "objects", "variables", "files", "overrides", "calls"]);
        let request =
            json!({"stage": "load", "files": files, "dialect": dialect, "recursive": true, "include": include});
        let mut settings = Settings::for_testing();
        settings.limits.body.max_request_bytes = 32 << 20;
        settings.limits.body.max_unpacked_bytes = 32 << 20;
        settings.limits.request.max_entries = 50_000;
        settings.limits.request.max_file_bytes = 4 << 20;
        settings.limits.request.max_path_depth = 64;
        settings.limits.request.max_path_bytes = 1024;
        let post = Request::post("/v1/merge").header("content-type", "application/json");
        let body = Body::from(request.to_string());
        let answer = send(&router(&AppState::new(settings)), post.body(body).unwrap()).await;
        assert_eq!(answer.status, 200, "{dialect}");
        let json = serde_json::from_slice(&answer.body).unwrap();
        check(&validator, &json, dialect);
        assert!(json["modules"].as_object().unwrap().len() > 10, "{dialect}");
    }
}

#[tokio::test]
async fn dialects_have_the_documented_shape() {
    let list = get("/v1/dialects").await.json();
    check(&validator("DialectList"), &list, "/v1/dialects");
    let validator = validator("DialectTable");
    for dialect in list["dialects"].as_array().unwrap() {
        let path = format!("/v1/dialects/{}", dialect["name"].as_str().unwrap());
        check(&validator, &get(&path).await.json(), &path);
        let path = format!("{path}?version={}", dialect["default_version"].as_str().unwrap());
        check(&validator, &get(&path).await.json(), &path);
    }
}

#[tokio::test]
async fn real_problems_have_the_documented_shape() {
    let validator = validator("Problem");
    for body in ["", "{}", r#"{"files": {"a.tf": ""}, "root": "nowhere"}"#, r#"{"files": {"../a.tf": ""}}"#] {
        let problem = post("application/json", body).await.json();
        check(&validator, &problem, body);
    }
    check(&validator, &get("/nothing").await.json(), "404");
    let large = "x".repeat(1 << 20);
    check(&validator, &post("application/json", large).await.json(), "413");
}

/// The examples in the document can be sent as they are, and match their schemas.
#[tokio::test]
async fn the_examples_are_true() {
    let document = document();
    let example = &document["components"]["schemas"]["MergeRequest"]["example"];
    check(&validator("MergeRequest"), example, "the example of MergeRequest");
    let answer = post("application/json", example.to_string()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let answered = &document["components"]["schemas"]["MergeAnswer"]["example"];
    assert_eq!(&answer.json(), answered, "the example of MergeAnswer is not what the example of MergeRequest gets");
    check(&validator("MergeAnswer"), answered, "the example of MergeAnswer");
    check(&validator("MergeOptions"), &document["components"]["schemas"]["MergeOptions"]["example"], "MergeOptions");
    check(&validator("Variables"), &document["components"]["schemas"]["Variables"]["example"], "Variables");
}

/// There is an example for each dialect, and each is a valid request that matches the schema.
#[tokio::test]
async fn every_dialect_has_an_example_that_can_be_sent() {
    let document = document();
    let examples = document["paths"]["/v1/merge"]["post"]["requestBody"]["content"]["application/json"]["examples"]
        .as_object()
        .unwrap();
    // One more shows a whole repository.
    let is_other = |name: &str| name == "recursive";
    let names: std::collections::BTreeSet<&str> =
        examples.keys().map(String::as_str).filter(|name| !is_other(name)).collect();
    assert_eq!(names, overfold_cli::dialect::names().collect());
    let (request, answer) = (validator("MergeRequest"), validator("MergeAnswer"));
    for (name, example) in examples {
        check(&request, &example["value"], name);
        let answered = post("application/json", example["value"].to_string()).await;
        assert_eq!(answered.status, 200, "{name}: {}", String::from_utf8_lossy(&answered.body));
        let json = answered.json();
        let (valid, dialect) = if is_other(name) { (false, "terraform") } else { (true, &**name) };
        assert_eq!((&json["valid"], &json["dialect"]), (&json!(valid), &json!(dialect)), "{json:#}");
        check(&answer, &json, name);
    }
}

/// The forms of an upload: JSON first, since tools show the first one, and archives as bytes.
#[test]
fn uploads_are_bytes_and_json_comes_first() {
    let text = fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi/openapi.json")).unwrap();
    let document = document();
    let content = document["paths"]["/v1/merge"]["post"]["requestBody"]["content"].as_object().unwrap();
    let body = text.split("\"requestBody\"").nth(1).unwrap();
    let at = |name: &str| body.find(&format!("\"{name}\": {{")).unwrap();
    for (media, form) in content {
        assert!(at("application/json") <= at(media), "{media} is listed before JSON");
        assert!(!form["examples"].as_object().unwrap().is_empty(), "{media} has no example");
        if media != "application/json" && media != "multipart/form-data" {
            let archive = &document["components"]["schemas"]["Archive"];
            assert_eq!(form["schema"]["$ref"], "#/components/schemas/Archive", "{media}");
            assert_eq!((&archive["type"], &archive["format"]), (&json!("string"), &json!("binary")));
        }
    }
    for media in ["x-tar", "gzip", "x-gzip", "x-tar+gzip", "zstd", "zip"] {
        assert!(content.contains_key(&format!("application/{media}")), "{media}");
    }
}

/// Every problem status has an example, which is a problem with that status, and the headers that accompany it.
#[test]
fn every_problem_status_has_an_example_and_its_headers() {
    let document = document();
    let problem = validator("Problem");
    let mut statuses = std::collections::BTreeSet::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            for (status, response) in operation["responses"].as_object().unwrap() {
                let pointer = response["$ref"].as_str().map(|target| target.trim_start_matches('#'));
                let response = pointer.map_or(response, |pointer| document.pointer(pointer).unwrap());
                let what = format!("{method} {path} {status}");
                assert!(response["headers"]["X-Request-Id"].is_object(), "{what}");
                for (of, header) in [
                    (&["401", "403"][..], "WWW-Authenticate"),
                    (&["405"], "Allow"),
                    (&["415"], "Accept-Encoding"),
                    (&["429", "503"], "Retry-After"),
                ] {
                    let wanted = of.contains(&status.as_str());
                    assert_eq!(response["headers"][header].is_object(), wanted, "{what}: {header}");
                }
                let content = &response["content"]["application/problem+json"];
                if !content.is_object() {
                    continue;
                }
                check(&problem, &content["example"], &what);
                assert_eq!(content["example"]["status"].to_string(), *status, "{what}");
                statuses.insert(status.clone());
            }
        }
    }
    assert_eq!(statuses.len(), 17, "{statuses:?}");
}

/// The codes that clients may encounter are listed, and the limit in examples is the real one.
#[test]
fn codes_and_limits_are_the_real_ones() {
    let document = document();
    let schemas = &document["components"]["schemas"];
    let listed: Vec<&str> =
        schemas["DiagnosticCode"]["enum"].as_array().unwrap().iter().map(|code| code.as_str().unwrap()).collect();
    assert_eq!(listed, overfold_cli::codes::all().map(|code| code.id).collect::<Vec<_>>());
    assert!(schemas["ProblemCode"]["enum"].as_array().unwrap().len() > 30);
    let limit = overfold_cli::settings::BodySettings::MAX_REQUEST_BYTES;
    assert_eq!(schemas["Limit"]["properties"]["value"]["example"], limit);
    let problem = &schemas["Problem"]["properties"]["detail"]["example"];
    assert!(problem.as_str().unwrap().contains(&limit.to_string()), "{problem}");
}

/// A route requires a token or says that it requires none.
#[test]
fn every_route_says_whether_it_needs_a_token() {
    let document = document();
    assert_eq!(document["security"], json!([{}, {"bearer": []}]));
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let open = matches!(path.as_str(), "/livez" | "/readyz" | "/openapi.json" | "/docs" | "/");
            let wanted = if open { json!([]) } else { Value::Null };
            assert_eq!(operation["security"], wanted, "{method} {path}");
        }
    }
}

/// A route that answers with JSON has that as its one type, so that generated clients have a type for its answer; the
/// routes for reports name their formats.
#[test]
fn every_answer_has_one_type_and_every_report_a_name() {
    let (document, text) = (document(), overfold_cli::api::openapi_json());
    let keys = |value: &Value| value.as_object().unwrap().keys().cloned().collect::<Vec<_>>();
    for (path, item) in document["paths"].as_object().unwrap() {
        let Some(operation) = item["post"].as_object() else { continue };
        let contents = ["200", "422"].map(|status| &operation["responses"][status]["content"]);
        let parameters = operation["parameters"].as_array().unwrap();
        let formats = parameters.iter().find(|parameter| parameter["name"] == "format");
        assert_eq!(formats.is_some(), path.ends_with("/report"), "{path}");
        let Some(formats) = formats else {
            let kind = if path == "/v1/batch" { "application/x-ndjson" } else { "application/json" };
            assert_eq!(keys(contents[0]), [kind], "{path}");
            continue;
        };
        assert_eq!((&formats["required"], &formats["in"]), (&json!(true), &json!("query")), "{path}");
        let names = formats["schema"]["enum"].as_array().unwrap().len();
        assert_eq!(keys(contents[0]).len(), names, "{path}");
        assert_eq!(keys(contents[1]).len(), names + 1, "{path}");
        // Generators that know one type of an answer take the first: text holds every format.
        for status in ["200", "422"] {
            let marks = [format!("\"{path}\": {{"), format!("\"{status}\": {{"), "\"content\": {".to_owned()];
            let first = marks.iter().fold(&*text, |text, mark| text.split_once(mark).unwrap().1);
            assert!(first.trim_start().starts_with("\"text/"), "{path} {status}");
        }
        let json = path.trim_end_matches("/report");
        let bodies = [path, json].map(|path| keys(&document["paths"][path]["post"]["requestBody"]["content"]));
        assert_eq!(bodies[0], bodies[1], "{path}");
        for content in contents.iter().flat_map(|content| content.as_object().unwrap().values()) {
            let schema = &content["schema"];
            assert!(schema["type"].is_string() || schema["$ref"].is_string(), "{path}: {schema}");
        }
    }
    for (path, answer) in [("/v1/merge", "MergeAnswer"), ("/v1/diff", "DiffAnswer")] {
        let content = &document["paths"][path]["post"]["responses"]["422"]["content"];
        assert_eq!(keys(content), ["application/json", "application/problem+json"], "{path}");
        let types = &content["application/json"]["schema"]["anyOf"];
        let reference = |name: &str| json!({"$ref": format!("#/components/schemas/{name}")});
        assert_eq!(*types, json!([reference(answer), reference("Problem")]), "{path}");
    }
}

/// Every option is documented in each place where it may appear.
#[test]
fn the_query_has_the_options_of_the_request_object() {
    let document: Value = serde_json::from_str(include_str!("../../openapi/openapi.json")).unwrap();
    let parameters = document["paths"]["/v1/merge"]["post"]["parameters"].as_array().unwrap();
    let query: BTreeSet<&str> = parameters
        .iter()
        .filter(|parameter| parameter["in"] == "query")
        .map(|parameter| parameter["name"].as_str().unwrap())
        .collect();
    let properties = |schema: &str| -> BTreeSet<&str> {
        let schema = &document["components"]["schemas"][schema]["properties"];
        schema.as_object().unwrap().keys().map(String::as_str).collect()
    };
    assert!(query.len() > 10, "{query:?}");
    let mut options = properties("MergeOptions");
    let mut request = properties("MergeRequest");
    assert!(request.remove("files"));
    assert_eq!(options, request);
    assert!(options.remove("provider_schemas"), "too long for a query");
    assert_eq!(query, options);
}

//! Schemas of providers that are kept between requests: which one is chosen, what answers say of it, and what happens when
//! files are damaged or change.

use std::fs;
use std::path::Path;
use std::time::Duration;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;

use crate::cli::{folder, path, run};
use crate::http::send;

const ADDRESS: &str = "registry.terraform.io/acme/cloud";

/// Returns a document in which the only type has a computed attribute of this name.
fn document(address: &str, attribute: &str) -> String {
    let block = json!({"attributes": {
        "name": {"type": "string", "optional": true},
        attribute: {"type": "string", "computed": true},
    }});
    let resources = json!({"cloud_net": {"version": 0, "block": block}});
    json!({"format_version": "1.0", "provider_schemas": {address: {"resource_schemas": resources}}}).to_string()
}

fn add(store: &TempDir, file: &str, content: &[u8]) {
    let file = store.path().join(file);
    fs::create_dir_all(file.parent().unwrap()).unwrap();
    fs::write(file, content).unwrap();
}

fn service(place: &Path) -> Router {
    let mut settings = Settings::for_testing();
    settings.schemas.provider_schemas = Some(place.to_owned());
    router(&AppState::new(settings))
}

/// Returns a module that requires these versions of the provider.
fn module(constraint: &str) -> String {
    format!(
        "terraform {{\n  required_providers {{\n    cloud = {{\n      source = \"acme/cloud\"\n      version = \"{constraint}\"\n    }}\n  }}\n}}\nresource \"cloud_net\" \"n\" {{\n  name = \"x\"\n}}\n"
    )
}

async fn plan(app: &Router, body: Value) -> (Value, String) {
    let request = Request::post("/v1/plan").header("host", "localhost").header("content-type", "application/json");
    let answer = send(app, request.body(Body::from(body.to_string())).unwrap()).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let tag = answer.headers["etag"].to_str().unwrap().to_owned();
    (serde_json::from_slice(&answer.body).unwrap(), tag)
}

/// Returns the name of the attribute that the chosen schema makes unknown, and where the schema comes from.
fn outcome(answer: &Value) -> (String, Value) {
    let unknown = answer["plan"]["resource_changes"][0]["change"]["after_unknown"].as_object().unwrap();
    let names: Vec<&str> = unknown.keys().map(String::as_str).collect();
    (names.join(" "), answer["plan"]["overfold"]["provider_schemas"].clone())
}

fn chosen(version: &str, by: &str) -> Value {
    json!({ADDRESS: {"version": version, "chosen_by": by}})
}

#[tokio::test]
async fn the_version_follows_from_the_lock_file_and_the_constraints() {
    let store = TempDir::new().unwrap();
    for version in ["1.0.0", "1.9.0", "1.10.0", "2.0.0-beta1"] {
        let attribute = format!("v{}", version.replace(['.', '-'], "_"));
        add(&store, &format!("{ADDRESS}/{version}.json"), document(ADDRESS, &attribute).as_bytes());
    }
    let app = service(store.path());
    let of = |files: Value| json!({"files": files, "provider_defaults": "none"});
    for (constraint, version, attribute) in [
        (">= 1.0", "1.10.0", "v1_10_0"),
        ("~> 1.9.0", "1.9.0", "v1_9_0"),
        ("< 1.5, != 0.9", "1.0.0", "v1_0_0"),
        ("2.0.0-beta1", "2.0.0-beta1", "v2_0_0_beta1"),
    ] {
        let (answer, _) = plan(&app, of(json!({"main.tf": module(constraint)}))).await;
        assert_eq!(outcome(&answer), (attribute.to_owned(), chosen(version, "constraints")), "{constraint}");
        assert_eq!(answer["exact"], true, "{constraint}");
    }
    // The tool keeps to what it has installed, in whatever registry.
    for host in ["registry.terraform.io", "registry.opentofu.org"] {
        let lock = format!("provider \"{host}/acme/cloud\" {{\n  version = \"1.9.0\"\n  hashes = []\n}}\n");
        let (answer, _) = plan(&app, of(json!({"main.tf": module(">= 1.0"), ".terraform.lock.hcl": lock}))).await;
        assert_eq!(outcome(&answer), ("v1_9_0".to_owned(), chosen("1.9.0", "lock-file")), "{host}");
    }
    // All modules of the tree have to agree.
    let call = "\nmodule \"m\" {\n  source = \"./m\"\n}\n";
    let files = json!({"main.tf": module(">= 1.0") + call, "m/main.tf": module("< 1.10")});
    let (answer, _) = plan(&app, of(files)).await;
    assert_eq!(outcome(&answer).1, chosen("1.9.0", "constraints"));
    let (answer, _) = plan(&app, of(json!({"main.tf": module("> 3.0")}))).await;
    assert_eq!(answer["missing"][0]["kind"], "provider-schema");
    assert_eq!(outcome(&answer).1, Value::Null);
}

#[tokio::test]
async fn the_request_comes_first_and_registries_stand_for_each_other() {
    let store = TempDir::new().unwrap();
    let tofu = "registry.opentofu.org/acme/cloud";
    add(&store, &format!("{tofu}/1.0.0.json"), document(tofu, "kept").as_bytes());
    let app = service(store.path());
    let files = json!({"main.tf": module(">= 1.0")});
    let (answer, _) = plan(&app, json!({"files": files, "provider_defaults": "none"})).await;
    assert_eq!(outcome(&answer), ("kept".to_owned(), chosen("1.0.0", "constraints")));
    for address in [ADDRESS, tofu] {
        let own: Value = serde_json::from_str(&document(address, "brought")).unwrap();
        let (answer, _) =
            plan(&app, json!({"files": files, "provider_defaults": "none", "provider_schemas": own})).await;
        assert_eq!(outcome(&answer), ("brought".to_owned(), json!({ADDRESS: {"chosen_by": "request"}})), "{address}");
    }
}

#[tokio::test]
async fn a_document_says_the_same_wherever_it_is() {
    // The second attribute cannot be read, so nothing is known about the type; the third document has no such type.
    let readable = document(ADDRESS, "id");
    let wrong = readable.replacen("\"string\"", "\"strung\"", 1);
    let other = readable.replace("cloud_net", "cloud_web");
    for text in [readable, wrong, other] {
        let store = TempDir::new().unwrap();
        add(&store, &format!("{ADDRESS}/1.0.0.json"), text.as_bytes());
        let files = json!({"main.tf": module(">= 1.0")});
        let without_origin = |mut answer: Value| {
            if let Some(own) = answer["plan"]["overfold"].as_object_mut() {
                own.remove("provider_schemas");
            }
            answer
        };
        let (kept, _) = plan(&service(store.path()), json!({"files": files})).await;
        let kept = without_origin(kept);
        let sent = json!({"files": files, "provider_schemas": serde_json::from_str::<Value>(&text).unwrap()});
        let alone = router(&AppState::new(Settings::for_testing()));
        assert_eq!(without_origin(plan(&alone, sent.clone()).await.0), kept, "{text}");
        // As a line of a batch, and as both sides of a comparison, which then have nothing to tell.
        let line = format!("{{\"operation\": \"plan\", {}\n", sent.to_string().split_once('{').unwrap().1);
        let request = |route: &str, kind: &str| {
            Request::post(route).header("host", "localhost").header("content-type", kind.to_owned())
        };
        let answered = request("/v1/batch", "application/x-ndjson").body(Body::from(line)).unwrap();
        let answered: Value = serde_json::from_slice(&send(&alone, answered).await.body).unwrap();
        assert_eq!(without_origin(answered["answer"].clone()), kept, "{text}");
        let sides = json!({"before": sent, "after": {"provider_schemas": sent["provider_schemas"]}}).to_string();
        let compared = request("/v1/plan-diff", "application/json").body(Body::from(sides)).unwrap();
        let compared = send(&alone, compared).await;
        assert_eq!(compared.status, 200, "{}", String::from_utf8_lossy(&compared.body));
        let compared: Value = serde_json::from_slice(&compared.body).unwrap();
        // What cannot be planned cannot be compared either.
        assert_eq!(compared["different"] == false, kept["valid"] == true, "{compared}");
        assert_eq!(compared["diagnostics"]["before"], kept["diagnostics"], "{compared}");
        assert_eq!(compared["diagnostics"]["after"], kept["diagnostics"], "{compared}");
    }
}

#[tokio::test]
async fn validation_uses_what_is_kept_and_loading_does_not() {
    let store = TempDir::new().unwrap();
    add(&store, "schemas.json", document(ADDRESS, "id").as_bytes());
    let app = service(&store.path().join("schemas.json"));
    let wrong = module(">= 1.0").replace("name =", "nam =");
    for (stage, errors) in [("validate", 1), ("load", 0)] {
        let body = json!({"files": {"main.tf": wrong}, "stage": stage}).to_string();
        let request =
            Request::post("/v1/merge").header("host", "localhost").header("content-type", "application/json");
        let answer = send(&app, request.body(Body::from(body)).unwrap()).await;
        let answer: Value = serde_json::from_slice(&answer.body).unwrap();
        assert_eq!(answer["diagnostics"].as_array().unwrap().len(), errors, "{stage}: {answer}");
    }
}

#[tokio::test]
async fn damaged_files_are_told_and_changed_ones_read_again() {
    let store = TempDir::new().unwrap();
    let file = format!("{ADDRESS}/1.0.0.json.zst");
    let body = json!({"files": {"main.tf": module(">= 1.0")}, "provider_defaults": "none"});
    let app = service(store.path());
    let mut tags = Vec::new();
    let packed = |text: String| zstd::encode_all(text.as_bytes(), 3).unwrap();
    let half = |text: String| packed(text)[..20].to_vec();
    for (content, problem) in [
        (half(document(ADDRESS, "id")), "damaged"),
        (b"{}".to_vec(), "damaged"),
        (packed("{}".to_owned()), "provider_schemas"),
        (packed("{\"provider_schemas\": {}}".to_owned()), "no schemas of this provider"),
        (packed(document(ADDRESS, "id")), ""),
        (packed(document(ADDRESS, "number")), ""),
    ] {
        add(&store, &file, &content);
        // As long as a listing is taken for what is there.
        tokio::time::sleep(Duration::from_millis(1100)).await;
        let (answer, tag) = plan(&app, body.clone()).await;
        assert!(!tags.contains(&tag), "{problem}");
        tags.push(tag);
        let missing = answer["missing"].as_array().unwrap();
        if problem.is_empty() {
            assert_eq!(missing.len(), 0, "{answer}");
        } else {
            assert!(missing[0]["problem"].as_str().unwrap().contains(problem), "{problem}: {}", missing[0]);
        }
    }
    let (answer, _) = plan(&app, body).await;
    assert_eq!(outcome(&answer).0, "number");
}

#[test]
fn a_folder_is_filled_and_listed() {
    let work = folder(&[
        ("p/schemas.json", &document(ADDRESS, "id")),
        ("p/main.tf", &module("~> 1.0")),
        ("q/.terraform.lock.hcl", "provider \"registry.opentofu.org/acme/cloud\" {\n  version = \"1.2.3\"\n}\n"),
        ("q/schemas.json", &document(ADDRESS, "number")),
    ]);
    let at = |name: &str| format!("{}/{name}", path(&work));
    let store = at("store");
    let (code, out, err) = run(&["schemas", "add", &at("p/schemas.json"), "--provider-schemas", &store]);
    assert_eq!((code, out.as_str()), (2, ""));
    assert!(err.contains(&format!("--version {ADDRESS}=VERSION")), "{err}");
    let version = format!("{ADDRESS}=1.1.0");
    let (code, out, err) =
        run(&["schemas", "add", &at("p/schemas.json"), "--provider-schemas", &store, "--version", &version]);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, format!("{store}/{ADDRESS}/1.1.0.json.zst\n"));
    let (code, _, err) = run(&["schemas", "add", &at("q/schemas.json"), "--provider-schemas", &store]);
    assert_eq!((code, err.as_str()), (0, ""));
    let (code, out, err) = run(&["schemas", "list", "--provider-schemas", &store]);
    let row = |version: &str| format!("{ADDRESS} {version}: 1 resource types, 0 data sources\n");
    assert_eq!((code, out, err.as_str()), (0, row("1.2.3") + &row("1.1.0"), ""));
    let args = ["plan", &at("p"), "--format", "json", "--provider-defaults", "none", "--provider-schemas", &store];
    let (code, out, err) = run(&args);
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(outcome(&serde_json::from_str(&out).unwrap()), ("number".to_owned(), chosen("1.2.3", "constraints")));
    // What cannot be used is told, and the rest is.
    fs::write(format!("{store}/{ADDRESS}/1.3.0.json"), "}").unwrap();
    fs::write(format!("{store}/{ADDRESS}/new.json"), "{}").unwrap();
    fs::write(format!("{store}/stray.json"), "{}").unwrap();
    let (code, out, err) = run(&["schemas", "list", "--provider-schemas", &store]);
    assert_eq!((code, out), (1, row("1.2.3") + &row("1.1.0")));
    for part in
        ["1.3.0.json: the document is not valid JSON", "\"new\" is not a version", "stray.json is not at HOST"]
    {
        assert!(err.contains(part), "{part}: {err}");
    }
}

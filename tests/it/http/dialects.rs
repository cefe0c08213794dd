//! `GET /v1/dialects`, `GET /v1/dialects/{name}`: the tables as data.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};

use super::{app, get, send};

#[tokio::test]
async fn the_list_names_every_dialect_and_version() {
    let list = get("/v1/dialects").await.json();
    let dialects = list["dialects"].as_array().unwrap();
    assert_eq!(dialects[0]["name"], "terraform");
    assert_eq!(dialects[0]["title"], "Terraform");
    let known: Vec<_> = overfold_cli::dialect::names().collect();
    assert_eq!(dialects.len(), known.len());
    for dialect in dialects {
        let name = dialect["name"].as_str().unwrap();
        assert!(known.contains(&name), "{name}");
        assert!(dialect["versions"].as_array().unwrap().contains(&dialect["default_version"]), "{dialect}");
        assert!(dialect["about"].as_str().unwrap().len() > 20, "{dialect}");
    }
}

fn row<'a>(rows: &'a Value, key: &str, name: &str) -> &'a Value {
    rows.as_array().unwrap().iter().find(|row| row[key] == name).unwrap_or(&Value::Null)
}

#[tokio::test]
async fn a_table_shows_the_rows_with_their_releases() {
    let table = get("/v1/dialects/terraform").await.json();
    assert_eq!(table["name"], "terraform");
    assert_eq!(table.get("version"), None);
    assert_eq!(table["files"]["override_end"], "_override");
    let tf = row(&table["files"]["suffixes"], "suffix", ".tf");
    assert_eq!(tf, &json!({"suffix": ".tf", "syntax": "native", "use": "config"}));
    let resource = row(&table["blocks"], "type", "resource");
    assert_eq!(resource["labels"][0], json!({"name": "type", "identifier": "Invalid resource type name"}));
    assert_eq!(
        resource["override"],
        json!({"rule": "merge", "missing": {"rule": "error", "title": "Missing resource to override"}})
    );
    assert_eq!(resource["repeat"]["keeps"], "first");
    let depends_on = row(&resource["arguments"], "name", "depends_on");
    assert_eq!(depends_on["merge"], json!({"rule": "refuse-unless-empty", "title": "Unsupported override"}));
    assert_eq!((&depends_on["until"], depends_on.get("since")), (&json!("1.14.0"), None));
    let lifecycle = row(&resource["blocks"], "type", "lifecycle");
    assert_eq!(row(&lifecycle["blocks"], "type", "precondition")["override"]["rule"], "refused");
    assert_eq!(row(&resource["blocks"], "type", "provisioner")["override"]["rule"], "all-replace");
    assert_eq!(row(&table["blocks"], "type", "ephemeral")["since"], "1.10.0");
    assert_eq!(row(&table["variables"]["sources"], "rule", "environment")["prefix"], "TF_VAR_");
    assert!(table["titles"].as_array().unwrap().len() > 3);
    assert!(resource["source"].as_str().unwrap().starts_with("section"));
}

#[tokio::test]
async fn with_a_version_only_its_rows_are_listed() {
    let old = get("/v1/dialects/terraform?version=1.9").await.json();
    assert_eq!(old["version"], "1.9.8");
    assert!(row(&old["blocks"], "type", "ephemeral").is_null());
    let new = get("/v1/dialects/terraform?version=1.10.0").await.json();
    assert_eq!(new["version"], "1.10.0");
    assert!(row(&new["blocks"], "type", "ephemeral").is_object());
    for table in [old, new] {
        let resource = row(&table["blocks"], "type", "resource")["arguments"].as_array().unwrap();
        assert_eq!(resource.iter().filter(|argument| argument["name"] == "depends_on").count(), 1);
    }
}

/// Every rule and keyword of a table is explained in it, and nothing else is.
#[tokio::test]
async fn every_term_is_explained() {
    for name in overfold_cli::dialect::names() {
        let table = get(&format!("/v1/dialects/{name}")).await.json();
        let mut met = BTreeSet::new();
        terms("", &table, &mut met);
        let mut explained = BTreeSet::new();
        for (field, terms) in table["terms"].as_object().unwrap() {
            for (term, meaning) in terms.as_object().unwrap() {
                assert!(meaning.as_str().unwrap().ends_with('.'), "{field}/{term}: {meaning}");
                explained.insert((field.clone(), term.clone()));
            }
        }
        let wrong: Vec<_> = met.symmetric_difference(&explained).collect();
        assert!(wrong.is_empty(), "{name}: used and not explained, or the other way: {wrong:?}");
    }
}

/// Fields that contain a keyword.
const WORDS: &[&str] = &[
    "syntax",
    "use",
    "name_is",
    "model",
    "functions",
    "unset",
    "further_labels",
    "required",
    "keeps",
    "nested",
    "text",
    "undeclared",
    "form",
    "of",
    "for",
    "built_in",
];

fn terms(field: &str, value: &Value, met: &mut BTreeSet<(String, String)>) {
    match value {
        Value::Object(fields) => {
            if let Some(rule) = fields.get("rule") {
                met.insert((field.to_owned(), rule.as_str().unwrap().to_owned()));
            }
            for (name, value) in fields.iter().filter(|(name, _)| *name != "terms") {
                let name = name.strip_suffix("_in_file").unwrap_or(name);
                match value {
                    Value::String(word) if WORDS.contains(&name) => {
                        met.insert((name.to_owned(), word.clone()));
                    }
                    _ => terms(name, value, met),
                }
            }
        }
        Value::Array(list) => list.iter().for_each(|value| terms(field, value, met)),
        _ => {}
    }
}

#[tokio::test]
async fn unknown_entries_are_problems() {
    let problem = get("/v1/dialects/pulumi").await.problem(404, "not-found");
    assert!(problem["detail"].as_str().unwrap().contains("terraform"), "{problem}");
    for version in ["1.99", "", "latest"] {
        let path = format!("/v1/dialects/terraform?version={version}");
        let problem = get(&path).await.problem(422, "unknown-version");
        assert!(problem["detail"].as_str().unwrap().contains("1.11.0 to 1.11.4"), "{problem}");
    }
    get("/v1/dialects/terraform?release=1.11").await.problem(400, "unknown-option");
    get("/v1/dialects/terraform?version=1.11&version=1.12").await.problem(400, "duplicate-key");
    get("/v1/dialects/terraform?version=%ff").await.problem(400, "not-utf8");
    get("/v1/dialects/terraform/blocks").await.problem(404, "not-found");
    get("/v1/dialects/%ff").await.problem(400, "bad-request");
    get("/v1/dialects?version=1.11").await.problem(400, "unknown-option");
}

#[tokio::test]
async fn tables_can_be_cached() {
    let ask = async |name: &str, value: &str| {
        let request = Request::get("/v1/dialects/terraform").header(name, value).body(Body::empty());
        send(&app(), request.unwrap()).await
    };
    let plain = ask("accept-encoding", "identity").await;
    assert_eq!(plain.header("cache-control"), "public, max-age=300");
    let tag = plain.header("etag");
    for known in [tag, "*", &format!("\"other\", W/{tag}")] {
        let again = ask("if-none-match", known).await;
        assert_eq!((again.status.as_u16(), again.body.len()), (304, 0), "{known}");
        assert_eq!(again.header("etag"), tag);
    }
    assert_eq!(ask("if-none-match", "\"other\"").await.status, 200);
    let packed = ask("accept-encoding", "gzip").await;
    assert_eq!(packed.header("content-encoding"), "gzip");
    assert_ne!(packed.header("etag"), tag);
    assert!(packed.body.len() * 4 < plain.body.len());
}

#[tokio::test]
async fn codes_are_explained() {
    let list = get("/v1/diagnostics").await.json();
    let list = list["diagnostics"].as_array().unwrap();
    assert_eq!(list.len(), overfold_cli::codes::all().count());
    for entry in list.iter().step_by(40).chain(list.iter().filter(|entry| entry["code"] == "override/missing-base")) {
        let code = entry["code"].as_str().unwrap();
        for path in [format!("/v1/diagnostics/{code}"), format!("/v1/diagnostics/{}", code.replace('/', "%2F"))] {
            assert_eq!(&get(&path).await.json(), entry, "{path}");
        }
    }
    get("/v1/diagnostics/load/nothing").await.problem(404, "not-found");
    get("/v1/diagnostics/load").await.problem(404, "not-found");
    get("/v1/diagnostics?stage=load").await.problem(400, "unknown-option");
    get("/v1/diagnostics/load/duplicate?x=1").await.problem(400, "unknown-option");
    let tagged = get("/v1/diagnostics/load/duplicate").await;
    let again = Request::get("/v1/diagnostics/load/duplicate").header("if-none-match", tagged.header("etag"));
    assert_eq!(send(&app(), again.body(Body::empty()).unwrap()).await.status, 304);
}

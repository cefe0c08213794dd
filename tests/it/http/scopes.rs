//! What an identity may do: the scope that each route needs.

use std::collections::BTreeSet;
use std::fs;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::{Value, json};
use tempfile::TempDir;

use super::{Answer, send};
use crate::issuer::{AUDIENCE, ISSUER, Signer, changed, claims, jwks};

/// Returns a service that accepts the usual identities.
pub(crate) fn identified(change: impl FnOnce(&mut Settings)) -> (TempDir, Router) {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("jwks.json");
    fs::write(&file, jwks(&[Signer::usual().jwk()])).unwrap();
    let mut settings = Settings::for_testing();
    settings.access.jwks = Some(file);
    settings.access.jwt_issuer = Some(ISSUER.to_owned());
    settings.access.jwt_audience = Some(AUDIENCE.to_owned());
    change(&mut settings);
    let state = AppState::new(settings);
    state.load_files().unwrap();
    (folder, router(&state))
}

async fn call(app: &Router, method: &str, path: &str, media: &str, body: &str, token: &str) -> Answer {
    let request = Request::builder().method(method).uri(path).header("content-type", media);
    let request = request.header("authorization", format!("Bearer {token}"));
    send(app, request.body(Body::from(body.to_owned())).unwrap()).await
}

const SCOPES: [&str; 3] = ["overfold:merge", "overfold:plan", "overfold:metrics"];

/// The documented routes: method, path, and the scope that the document names.
fn routes() -> Vec<(String, String, Option<String>)> {
    let document: Value = serde_json::from_str(&overfold_cli::api::openapi_json()).unwrap();
    let mut routes = Vec::new();
    for (path, item) in document["paths"].as_object().unwrap() {
        for (method, operation) in item.as_object().unwrap() {
            let about = operation["description"].as_str().unwrap();
            let scope =
                about.rsplit_once("Scope of an identity: `").map(|(_, rest)| rest.trim_end_matches("`.").to_owned());
            routes.push((method.to_uppercase(), path.clone(), scope));
        }
    }
    assert!(routes.len() > 15, "the routes were not found");
    routes
}

#[tokio::test]
async fn every_documented_route_needs_the_scope_that_it_names() {
    let (_folder, app) = identified(|_| {});
    let mut seen = BTreeSet::new();
    for (method, path, scope) in routes() {
        let concrete = path.replace("{name}", "terraform").replace("{code}", "load%2Fduplicate");
        for granted in
            SCOPES.iter().copied().chain(["", "overfold", "merge", "OVERFOLD:MERGE", "overfold:mergeoverfold:plan"])
        {
            let token = Signer::usual().token(&claims(granted));
            let answer = call(&app, &method, &concrete, "application/json", "{}", &token).await;
            match &scope {
                Some(scope) if scope != granted => {
                    answer.problem(403, "insufficient-scope");
                    let challenge =
                        format!("Bearer realm=\"overfold\", error=\"insufficient_scope\", scope=\"{scope}\"");
                    assert_eq!(answer.header("www-authenticate"), challenge, "{path} with {granted:?}");
                }
                _ => assert!(!matches!(answer.status.as_u16(), 401 | 403), "{path} with {granted:?}"),
            }
        }
        let open = call(&app, &method, &concrete, "application/json", "{}", "no.such.token").await;
        assert_eq!(
            open.status == 401,
            scope.is_some(),
            "{path}: the document and the service disagree about what is open"
        );
        seen.extend(scope);
    }
    assert_eq!(seen, SCOPES.iter().map(|scope| (*scope).to_owned()).collect());
}

/// Routes with another form of the same path, and paths without a route.
#[tokio::test]
async fn undocumented_paths_are_not_a_way_around() {
    let (_folder, app) = identified(|_| {});
    let get = async |path: &str, scope: &str| {
        let token = Signer::usual().token(&claims(scope));
        call(&app, "GET", path, "text/plain", "", &token).await.status.as_u16()
    };
    assert_eq!(get("/v1/diagnostics/load/duplicate", "overfold:plan").await, 403);
    assert!(get("/v1/diagnostics/load/duplicate", "overfold:merge").await != 403);
    for path in ["/docs/", "/docs/index.html", "/explorer/nothing"] {
        assert_ne!(get(path, "").await, 403, "{path}");
    }
    assert_eq!(get("/nothing", "").await, 404);
    assert_eq!(get("/v1/plan/", "overfold:merge").await, 404);
    assert_eq!(get("/V1/plan", "overfold:merge").await, 404);
    // Another method of a route is no exception, either.
    assert_eq!(get("/v1/plan", "overfold:merge").await, 403);
    assert_eq!(get("/v1/plan", "overfold:plan").await, 405);
}

#[tokio::test]
async fn lines_of_a_batch_need_the_scope_of_what_they_ask_for() {
    let (_folder, app) = identified(|_| {});
    let files = json!({"main.tf": ""});
    let lines = [
        json!({"id": "merge", "files": files}),
        json!({"id": "plan", "operation": "plan", "files": files}),
        json!({"id": "diff", "operation": "diff", "before": {"files": files}, "after": {"files": files}}),
        json!({"id": "upgrade", "operation": "upgrade", "files": files, "to": {"version": "1.9"}}),
        json!({"id": "plan-diff", "operation": "plan-diff", "before": {"files": files}, "after": {"files": files}}),
    ];
    let body = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    for (scope, plan) in [("overfold:merge", 403), ("overfold:merge overfold:plan", 200)] {
        let token = Signer::usual().token(&claims(scope));
        let answer = call(&app, "POST", "/v1/batch", "application/x-ndjson", &body, &token).await;
        assert_eq!(answer.status, 200);
        let text = String::from_utf8(answer.body).unwrap();
        let answers: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        assert_eq!(answers.len(), lines.len());
        for answer in answers {
            let wanted = match answer["id"].as_str().unwrap() {
                "merge" | "diff" => 200,
                _ => plan,
            };
            assert_eq!(answer["status"], wanted, "{scope}: {answer}");
            if wanted == 403 {
                assert_eq!(answer["problem"]["code"], "insufficient-scope");
                assert!(answer["problem"]["detail"].as_str().unwrap().contains("overfold:plan"), "{answer}");
            }
        }
    }
    let token = Signer::usual().token(&claims("overfold:plan"));
    call(&app, "POST", "/v1/batch", "application/x-ndjson", &body, &token).await.problem(403, "insufficient-scope");
}

#[tokio::test]
async fn without_its_file_nobody_may_call() {
    let mut settings = Settings::for_testing();
    settings.access.jwks = Some("nothing".into());
    settings.access.jwt_issuer = Some(ISSUER.to_owned());
    settings.access.jwt_audience = Some(AUDIENCE.to_owned());
    let app = router(&AppState::new(settings));
    let token = Signer::usual().token(&changed(&json!({})));
    call(&app, "GET", "/v1/dialects", "text/plain", "", &token).await.problem(401, "invalid-token");
    call(&app, "GET", "/v1/dialects", "text/plain", "", "").await.problem(401, "invalid-token");
}

//! A repository of 1,600 module directories through the HTTP layer, in one call and in one call per directory:
//! `cargo bench --bench repository`.

#![expect(clippy::unwrap_used, reason = "a benchmark that cannot go on says so by panicking")]

use std::collections::BTreeMap;

use axum::Router;
use axum::body::Body;
use axum::http::{Request, header};
use divan::Bencher;
use http_body_util::BodyExt as _;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use tower::ServiceExt as _;

const DIRECTORIES: usize = 1_600;

fn main() {
    divan::main();
}

/// Returns the files of the directory with this number; every fourth calls the one before it.
fn directory(number: usize) -> BTreeMap<String, String> {
    let call = if number % 4 == 3 {
        format!("module \"m\" {{\n  source = \"../d{}\"\n  size   = 1\n}}\n", number - 1)
    } else {
        String::new()
    };
    let main = format!(
        "variable \"size\" {{\n  type = number\n}}\n\nresource \"terraform_data\" \"a\" {{\n  input = var.size\n}}\n\n{call}"
    );
    let over = "resource \"terraform_data\" \"a\" {\n  input = 2\n}\n";
    BTreeMap::from([("main.tf".to_owned(), main), ("override.tf".to_owned(), over.to_owned())])
}

fn app() -> Router {
    let mut settings = Settings::for_testing();
    settings.limits.body.max_request_bytes = 32 << 20;
    settings.limits.body.max_unpacked_bytes = 32 << 20;
    settings.limits.request.max_entries = 100_000;
    router(&AppState::new(settings))
}

async fn post(app: &Router, body: String) -> usize {
    let request = Request::post("/v1/merge")
        .header(header::HOST, "localhost")
        .header(header::CONTENT_TYPE, "application/json")
        .body(Body::from(body))
        .unwrap();
    let response = app.clone().oneshot(request).await.unwrap();
    assert!(response.status().is_success(), "{}", response.status());
    response.into_body().collect().await.unwrap().to_bytes().len()
}

fn runtime() -> tokio::runtime::Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().unwrap()
}

#[divan::bench]
fn in_one_call(bencher: Bencher<'_, '_>) {
    let files: BTreeMap<String, String> = (0..DIRECTORIES)
        .flat_map(|number| {
            directory(number).into_iter().map(move |(name, text)| (format!("modules/d{number}/{name}"), text))
        })
        .collect();
    let body = serde_json::json!({"stage": "load", "files": files, "recursive": true}).to_string();
    let (runtime, app) = (runtime(), app());
    bencher.bench(|| runtime.block_on(post(&app, body.clone())));
}

#[divan::bench]
fn in_one_call_for_each_directory(bencher: Bencher<'_, '_>) {
    let bodies: Vec<String> = (0..DIRECTORIES)
        .map(|number| serde_json::json!({"stage": "load", "files": directory(number)}).to_string())
        .collect();
    let (runtime, app) = (runtime(), app());
    bencher.bench(|| {
        runtime.block_on(async {
            let mut bytes = 0;
            for body in &bodies {
                bytes += post(&app, body.clone()).await;
            }
            bytes
        })
    });
}

//! Requests for plans, answered in this process.

use std::fs;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use bytes::Bytes;
use http_body_util::BodyExt as _;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use tempfile::TempDir;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt as _;

use crate::made::{Configuration, Provider};

/// Where the schemas for a plan are.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Case {
    /// Nowhere.
    Without,
    /// The service keeps them, and has read what the configuration uses.
    Kept,
    /// The service has them in a file that it has not read.
    First,
    /// In the request.
    Sent,
}

impl Case {
    pub(crate) const ALL: [Self; 4] = [Self::Without, Self::Kept, Self::First, Self::Sent];

    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::Without => "without",
            Self::Kept => "kept",
            Self::First => "first",
            Self::Sent => "sent",
        }
    }
}

/// A service that answers one request in each of the cases.
pub(crate) struct Service {
    runtime: Runtime,
    without: Router,
    with: Router,
    folder: TempDir,
    body: Bytes,
    with_schemas: Bytes,
}

impl Service {
    pub(crate) fn new(provider: &Provider, configuration: &Configuration) -> Self {
        let folder = TempDir::new().unwrap();
        let below = folder.path().join(provider.address);
        fs::create_dir_all(&below).unwrap();
        fs::write(below.join(provider.file), &provider.packed).unwrap();
        let mut service = Self {
            runtime: Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap(),
            without: router(&AppState::new(settings())),
            with: kept(&folder),
            body: body(configuration, None),
            with_schemas: body(configuration, Some(&provider.text)),
            folder,
        };
        service.ask(Case::Kept);
        service
    }

    /// Returns how long the answer takes.
    pub(crate) fn ask(&mut self, case: Case) -> Duration {
        let (router, body) = match case {
            Case::Without => (self.without.clone(), self.body.clone()),
            Case::Kept => (self.with.clone(), self.body.clone()),
            Case::First => (kept(&self.folder), self.body.clone()),
            Case::Sent => (self.without.clone(), self.with_schemas.clone()),
        };
        let request =
            Request::post("/v1/plan").header("host", "localhost").header("content-type", "application/json");
        let request = request.body(Body::from(body)).unwrap();
        let begun = Instant::now();
        let answer = self.runtime.block_on(async {
            let answer = router.oneshot(request).await.unwrap();
            let status = answer.status();
            let answer = answer.into_body().collect().await.unwrap().to_bytes();
            assert!(status.is_success(), "{status}: {}", String::from_utf8_lossy(&answer));
            answer
        });
        let taken = begun.elapsed();
        let (head, _) = answer.split_at(answer.len().min(16));
        assert!(head.starts_with(b"{\"valid\":true"), "{}", String::from_utf8_lossy(&answer).split_at(2000).0);
        taken
    }
}

fn settings() -> Settings {
    let mut settings = Settings::for_testing();
    settings.limits.body.max_request_bytes = 32 << 20;
    settings.limits.body.max_unpacked_bytes = 32 << 20;
    settings.limits.request.max_file_bytes = 8 << 20;
    settings.limits.request.max_syntax_tokens = 10_000_000;
    settings.limits.request.max_instances = 100_000;
    settings.work.max_answers_bytes = 256 << 20;
    settings
}

/// Returns a service that has not read yet what is in the folder.
fn kept(folder: &TempDir) -> Router {
    let mut settings = settings();
    settings.schemas.provider_schemas = Some(folder.path().to_owned());
    router(&AppState::new(settings))
}

fn body(configuration: &Configuration, schemas: Option<&str>) -> Bytes {
    let file = |(path, text): &(String, String)| format!("{}:{}", quoted(path), quoted(text));
    let files: Vec<String> = configuration.files.iter().map(file).collect();
    let schemas = schemas.map(|text| format!(",\"provider_schemas\":{text}")).unwrap_or_default();
    format!("{{\"dialect\":\"terraform\",\"files\":{{{}}}{schemas}}}", files.join(",")).into()
}

fn quoted(text: &str) -> String {
    serde_json::to_string(text).unwrap()
}

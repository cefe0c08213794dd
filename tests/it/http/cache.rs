//! Answers that were computed before: what is kept, what is not, and that nothing depends on it.

use std::net::TcpListener;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::{Value, json};

use super::{Answer, send};
use crate::service::{PATIENCE, Reply, Service};

const MODULE: &str =
    "variable \"v\" {\n  type      = string\n  default   = \"s3cret\"\n  sensitive = true\n}\nlocals {\n  a = 1\n}\n";

fn kept(bytes: u64) -> Router {
    let mut settings = Settings::for_testing();
    settings.cache.cache_bytes = bytes;
    router(&AppState::new(settings))
}

async fn post(app: &Router, path: &str, body: &Value, more: &[(&str, &str)]) -> Answer {
    let mut request = Request::post(path).header("host", "localhost").header("content-type", "application/json");
    for (name, value) in more {
        request = request.header(*name, *value);
    }
    send(app, request.body(Body::from(body.to_string())).unwrap()).await
}

fn status(answer: &Answer) -> Option<&str> {
    answer.headers.get("cache-status").map(|value| value.to_str().unwrap())
}

/// Checks that two answers differ in nothing but what each request has of its own.
#[track_caller]
fn assert_same(one: &Answer, other: &Answer) {
    assert_eq!(one.status, other.status);
    assert_eq!(one.body, other.body);
    let fields = |answer: &Answer| -> Vec<(String, String)> {
        let own = ["x-request-id", "cache-status", "date"];
        let all = answer.headers.iter().filter(|(name, _)| !own.contains(&name.as_str()));
        all.map(|(name, value)| (name.to_string(), value.to_str().unwrap().to_owned())).collect()
    };
    assert_eq!(fields(one), fields(other));
}

#[tokio::test]
async fn the_second_answer_is_the_first_one_again() {
    let app = kept(1 << 20);
    let plain = router(&AppState::new(Settings::for_testing()));
    let files = json!({"main.tf": MODULE});
    let one = json!({"files": files});
    let both = json!({"before": {"files": files}, "after": {"files": {"main.tf": "locals {\n  a = 2\n}\n"}}});
    let newer = json!({"files": files, "version": "1.5", "to": {"version": "1.9"}});
    for (path, body) in [
        ("/v1/merge", &one),
        ("/v1/merge/report?format=sarif", &one),
        ("/v1/merge/report?format=junit", &one),
        ("/v1/plan", &one),
        ("/v1/plan/report?format=document", &one),
        ("/v1/compatibility", &one),
        ("/v1/diff", &both),
        ("/v1/diff/report?format=markdown", &both),
        ("/v1/plan-diff", &both),
        ("/v1/plan-diff/report?format=markdown", &both),
        ("/v1/upgrade", &newer),
        ("/v1/upgrade/report?format=text", &newer),
    ] {
        for coding in ["identity", "gzip", "zstd"] {
            let sent = [("accept-encoding", coding)];
            let usual = post(&plain, path, body, &sent).await;
            let first = post(&app, path, body, &sent).await;
            let second = post(&app, path, body, &sent).await;
            assert_eq!(usual.status, 200, "{path}");
            assert_eq!(status(&usual), None);
            assert_eq!(status(&first), Some("overfold; fwd=miss; stored"), "{path} {coding}");
            assert_eq!(status(&second), Some("overfold; hit"), "{path} {coding}");
            assert_same(&usual, &first);
            assert_same(&first, &second);
        }
    }
}

#[tokio::test]
async fn the_same_request_in_another_form_is_the_same() {
    let app = kept(1 << 20);
    post(&app, "/v1/merge", &json!({"files": {"a.tf": "locals {\n}\n", "main.tf": MODULE}}), &[]).await;
    let other = json!({"dialect": "terraform", "files": {"main.tf": MODULE, "a.tf": {"base64": "bG9jYWxzIHsKfQo="}}});
    assert_eq!(status(&post(&app, "/v1/merge", &other, &[]).await), Some("overfold; hit"));
    for different in [
        json!({"files": {"a.tf": "locals {\n}\n", "main.tf": MODULE}, "config_format": "hcl"}),
        json!({"files": {"a.tf": "locals {\n}\n", "main.tf": MODULE}, "stage": "load"}),
        json!({"files": {"a.tf": "locals {\n}\n", "main.tf": MODULE}, "provider_schemas": {"format_version": "1.0", "provider_schemas": {}}}),
        json!({"files": {"a.tf": "locals { \n}\n", "main.tf": MODULE}}),
    ] {
        assert_eq!(
            status(&post(&app, "/v1/merge", &different, &[]).await),
            Some("overfold; fwd=miss; stored"),
            "{different}"
        );
    }
}

#[tokio::test]
async fn other_sides_and_other_versions_are_other_requests() {
    let app = kept(1 << 20);
    let files = json!({"main.tf": MODULE});
    let (one, other) = (json!({"files": files}), json!({"files": {"main.tf": "locals {\n  a = 2\n}\n"}}));
    let mut tags = std::collections::BTreeSet::new();
    for (path, request) in [
        ("/v1/plan-diff", json!({"before": one, "after": other})),
        ("/v1/plan-diff", json!({"before": other, "after": one})),
        ("/v1/plan-diff", json!({"before": one, "after": {}})),
        ("/v1/plan-diff", json!({"before": one, "after": {"files": other["files"], "workspace": "w"}})),
        ("/v1/diff", json!({"before": one, "after": other})),
        ("/v1/upgrade", json!({"files": files, "version": "1.5", "to": {"version": "1.9"}})),
        ("/v1/upgrade", json!({"files": files, "version": "1.5", "to": {"version": "1.8"}})),
        ("/v1/upgrade", json!({"files": files, "version": "1.4", "to": {"version": "1.9"}})),
        ("/v1/upgrade", json!({"files": files, "version": "1.5", "to": {"dialect": "opentofu", "version": "1.9"}})),
    ] {
        let answer = post(&app, path, &request, &[]).await;
        assert_eq!((answer.status.as_u16(), status(&answer)), (200, Some("overfold; fwd=miss; stored")), "{request}");
        assert!(tags.insert(answer.header("etag").to_owned()), "{request}");
        // The same side, said in other words.
        let mut same = request.clone();
        for side in ["before", "after"] {
            if let Some(side) = same.get_mut(side) {
                side["dialect"] = json!("terraform");
            }
        }
        let again = post(&app, path, &same, &[]).await;
        assert_eq!(status(&again), Some("overfold; hit"), "{same}");
        assert_same(&answer, &again);
    }
}

#[tokio::test]
async fn secrets_and_failures_are_never_kept() {
    let app = kept(1 << 20);
    let revealed =
        json!({"files": {"main.tf": MODULE}, "variables": {}, "include": ["variables"], "reveal_sensitive": true});
    for _ in 0..2 {
        let answer = post(&app, "/v1/merge", &revealed, &[]).await;
        assert!(String::from_utf8_lossy(&answer.body).contains("s3cret"));
        assert_eq!(status(&answer), Some("overfold; fwd=bypass"));
    }
    let broken = json!({"files": {"main.tf": "locals {"}, "fail_on": "error"});
    for _ in 0..2 {
        let answer = post(&app, "/v1/merge", &broken, &[]).await;
        assert_eq!(answer.status, 422);
        assert_eq!(status(&answer), Some("overfold; fwd=miss"));
    }
    let impossible = json!({"files": {"main.tf": ""}, "version": "0.1"});
    assert_eq!(status(&post(&app, "/v1/merge", &impossible, &[]).await), None);
    let revealing = json!({"before": revealed, "after": {"files": {"main.tf": MODULE}}});
    for _ in 0..2 {
        assert_ne!(status(&post(&app, "/v1/diff", &revealing, &[]).await), Some("overfold; hit"));
    }
    let revealed = json!({"files": {"main.tf": MODULE}, "reveal_sensitive": true});
    let newer =
        json!({"files": {"main.tf": MODULE}, "reveal_sensitive": true, "version": "1.5", "to": {"version": "1.9"}});
    for (path, request) in [
        ("/v1/plan-diff", json!({"before": revealed, "after": {"files": {"main.tf": MODULE}}})),
        ("/v1/plan-diff", json!({"before": {"files": {"main.tf": MODULE}}, "after": revealed})),
        ("/v1/upgrade", newer),
    ] {
        for _ in 0..2 {
            let answer = post(&app, path, &request, &[]).await;
            assert_eq!((answer.status.as_u16(), status(&answer)), (200, Some("overfold; fwd=bypass")), "{request}");
        }
    }
}

#[tokio::test]
async fn what_is_broken_but_answered_is_kept_with_its_outcome() {
    let app = kept(1 << 20);
    let broken = json!({"files": {"main.tf": "locals {"}});
    let first = post(&app, "/v1/merge/report?format=text", &broken, &[]).await;
    let second = post(&app, "/v1/merge/report?format=text", &broken, &[]).await;
    assert_eq!(status(&second), Some("overfold; hit"));
    assert_eq!(second.header("overfold-valid"), "false");
    assert_same(&first, &second);
}

#[tokio::test]
async fn lines_of_a_batch_share_the_cache() {
    let app = kept(1 << 20);
    let line = json!({"id": "a", "files": {"main.tf": MODULE}}).to_string();
    let batch = |body: String| {
        let request =
            Request::post("/v1/batch").header("host", "localhost").header("content-type", "application/x-ndjson");
        request.body(Body::from(body)).unwrap()
    };
    let first = send(&app, batch(line.clone())).await;
    let second = send(&app, batch(line)).await;
    assert_eq!(first.status, 200);
    assert_eq!(first.body, second.body);
    let metrics = send(&app, Request::get("/metrics").header("host", "localhost").body(Body::empty()).unwrap()).await;
    let text = String::from_utf8(metrics.body).unwrap();
    for (name, count) in [("hits", 1), ("misses", 1), ("stored", 1), ("failures", 0)] {
        assert!(text.contains(&format!("overfold_cache_{name}_total {count}\n")), "{name}: {text}");
    }
}

/// A Redis server on a free port, ended with the test.
struct RedisServer {
    process: Child,
    port: u16,
    _folder: tempfile::TempDir,
}

impl RedisServer {
    /// Starts a server; `None`, loudly, if there is none here.
    fn start(port: Option<u16>) -> Option<Self> {
        Self::start_with(port, &[])
    }

    /// As [`Self::start`], with TLS alone; the folder is that of [`certificates`].
    fn start_with_tls(folder: &Path) -> Option<Self> {
        let file = |name: &str| folder.join(name).to_str().unwrap().to_owned();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let [certificate, key] = ["redis.pem", "redis.key"].map(file);
        let options = ["--tls-cert-file", &certificate, "--tls-key-file", &key, "--tls-auth-clients", "no"];
        Self::start_with(Some(port), &[&options[..], &["--tls-port", &port.to_string()]].concat())
    }

    #[expect(clippy::print_stderr, reason = "nobody may miss that something is not tested")]
    fn start_with(port: Option<u16>, options: &[&str]) -> Option<Self> {
        let port = port.unwrap_or_else(|| TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port());
        let folder = tempfile::tempdir().unwrap();
        let mut command = Command::new("redis-server");
        // With TLS, the other port is closed.
        let plain = if options.is_empty() { port } else { 0 };
        command.args(["--port", &plain.to_string(), "--bind", "127.0.0.1", "--save", "", "--appendonly", "no"]);
        command.args(options).arg("--dir").arg(folder.path()).stdout(Stdio::null()).stderr(Stdio::null());
        let Ok(process) = command.spawn() else {
            eprintln!("SKIPPED: redis-server is not installed; the shared cache has NOT been tested");
            return None;
        };
        let server = Self { process, port, _folder: folder };
        let end = Instant::now() + PATIENCE;
        while std::net::TcpStream::connect(("127.0.0.1", port)).is_err() {
            assert!(Instant::now() < end, "redis-server does not listen");
            std::thread::sleep(Duration::from_millis(20));
        }
        Some(server)
    }

    fn address(&self) -> String {
        format!("redis://127.0.0.1:{}/0", self.port)
    }
}

impl Drop for RedisServer {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn ask(service: &Service) -> Reply {
    let body = json!({"files": {"main.tf": MODULE}}).to_string();
    let head = format!(
        "POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nConnection: close\r\nContent-Length: {}\r\n\r\n",
        body.len()
    );
    service.ask(head + &body)
}

#[test]
fn replicas_share_a_cache_in_redis_and_do_without_it() {
    let Some(redis) = RedisServer::start(None) else { return };
    let address = redis.address();
    let args = ["--cache-redis", address.as_str(), "--cache-seconds", "600"];
    let (one, other) = (Service::start(&args), Service::start(&args));
    let first = ask(&one);
    assert_eq!(first.header("cache-status"), Some("overfold; fwd=miss; stored"));
    let second = ask(&other);
    assert_eq!(second.header("cache-status"), Some("overfold; hit"));
    assert_eq!(first.body, second.body);
    assert_eq!(first.header("etag"), second.header("etag"));
    let port = redis.port;
    drop(redis);
    let start = Instant::now();
    let without = ask(&one);
    assert_eq!((without.status(), without.header("cache-status")), (200, Some("overfold; fwd=miss")));
    assert_eq!(without.body, first.body);
    assert!(start.elapsed() < Duration::from_secs(10));
    one.line("the cache does not answer; requests do without it");
    // It comes back empty.
    let Some(_again) = RedisServer::start(Some(port)) else { return };
    let end = Instant::now() + PATIENCE;
    while ask(&one).header("cache-status") != Some("overfold; hit") {
        assert!(Instant::now() < end, "the cache is not used again");
        std::thread::sleep(Duration::from_millis(200));
    }
}

/// Makes an authority and a certificate for 127.0.0.1 signed by it, in a folder: `ca.pem`, `redis.pem`, `redis.key`.
fn certificates(folder: &Path) {
    let new = |name: &str| {
        let mut made = rcgen::CertificateParams::new(vec![name.to_owned()]).unwrap();
        made.distinguished_name.push(rcgen::DnType::CommonName, name);
        (made, rcgen::KeyPair::generate().unwrap())
    };
    let (mut authority, authority_key) = new("authority");
    authority.is_ca = rcgen::IsCa::Ca(rcgen::BasicConstraints::Unconstrained);
    let (own, own_key) = new("127.0.0.1");
    let ca = authority.self_signed(&authority_key).unwrap();
    let issuer = rcgen::Issuer::new(authority, authority_key);
    let own = own.signed_by(&own_key, &issuer).unwrap();
    std::fs::write(folder.join("ca.pem"), ca.pem()).unwrap();
    std::fs::write(folder.join("redis.pem"), own.pem()).unwrap();
    std::fs::write(folder.join("redis.key"), own_key.serialize_pem()).unwrap();
}

#[test]
fn redis_is_reached_with_tls_and_only_if_its_certificate_is_right() {
    let (folder, other) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    certificates(folder.path());
    certificates(other.path());
    let Some(redis) = RedisServer::start_with_tls(folder.path()) else { return };
    let address = format!("rediss://127.0.0.1:{}", redis.port);
    let with_ca = |folder: &Path| {
        let ca = folder.join("ca.pem");
        Service::start(&["--cache-redis", &address, "--cache-redis-ca", ca.to_str().unwrap()])
    };
    let service = with_ca(folder.path());
    let end = Instant::now() + PATIENCE;
    while ask(&service).header("cache-status") != Some("overfold; hit") {
        assert!(Instant::now() < end, "the cache is not used");
        std::thread::sleep(Duration::from_millis(200));
    }
    let stranger = with_ca(other.path());
    assert_eq!(ask(&stranger).header("cache-status"), Some("overfold; fwd=miss"));
    stranger.line("the cache does not answer; requests do without it");
}

#[test]
fn a_cache_that_never_answers_costs_a_moment() {
    // It accepts connections, and says nothing.
    let silent = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("redis://127.0.0.1:{}", silent.local_addr().unwrap().port());
    let service = Service::start(&["--cache-redis", &address]);
    let start = Instant::now();
    for _ in 0..5 {
        assert_eq!(ask(&service).header("cache-status"), Some("overfold; fwd=miss"));
    }
    assert!(start.elapsed() < Duration::from_secs(20), "{:?}", start.elapsed());
    drop(silent);
}

#[test]
fn addresses_of_caches_are_checked_and_never_shown() {
    let run = |args: &[&str]| {
        let ended = Command::new(env!("CARGO_BIN_EXE_overfold")).arg("serve").args(args).output().unwrap();
        assert!(!ended.status.success(), "{args:?}");
        String::from_utf8(ended.stderr).unwrap()
    };
    assert!(run(&["--cache-redis", "http://cache"]).contains("not the URL of a Redis server"));
    assert!(run(&["--cache-redis", "rediss://cache/#insecure"]).contains("not the URL of a Redis server"));
    assert!(run(&["--cache-redis-ca", "ca.pem"]).contains("--cache-redis <URL>"));
    let missing =
        run(&["--listen", "127.0.0.1:0", "--cache-redis", "rediss://cache", "--cache-redis-ca", "/nowhere/ca.pem"]);
    assert!(missing.contains("/nowhere/ca.pem: "), "{missing}");
    assert!(run(&["--cache-redis", "redis://cache", "--cache-bytes", "1"]).contains("cannot be used with"));
    let help = Command::new(env!("CARGO_BIN_EXE_overfold"))
        .args(["serve", "--help"])
        .env("OVERFOLD_CACHE_REDIS", "redis://:p4ssword@cache")
        .output()
        .unwrap();
    assert!(!String::from_utf8(help.stdout).unwrap().contains("p4ssword"));
}

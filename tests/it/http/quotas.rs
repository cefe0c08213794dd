//! What one caller may take, and that others have their part.

use std::fs;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use overfold_cli::api::NewToken;
use serde_json::{Value, json};

use super::scopes::identified;
use super::{Answer, send};
use crate::issuer::{Signer, changed};
use crate::service::{Reply, Service, UNLIMITED, slow};

fn token(subject: &str) -> String {
    Signer::usual().token(&changed(&json!({"sub": subject, "scope": "overfold:merge overfold:metrics"})))
}

async fn get(app: &Router, path: &str, token: &str) -> Answer {
    let request = Request::get(path).header("authorization", format!("Bearer {token}"));
    send(app, request.body(Body::empty()).unwrap()).await
}

#[tokio::test]
async fn a_caller_over_its_rate_is_told_when_to_come_back() {
    let (_folder, app) = identified(|settings| {
        settings.callers.caller_rate = 1;
        settings.callers.caller_burst = Some(3);
    });
    let (a, b) = (token("a"), token("b"));
    let start = Instant::now();
    for _ in 0..3 {
        assert_eq!(get(&app, "/v1/dialects/terraform", &a).await.status, 200);
    }
    let refused = get(&app, "/v1/dialects/terraform", &a).await;
    assert!(start.elapsed() < Duration::from_secs(1), "the machine is too slow for this test");
    refused.problem(429, "caller-rate");
    assert_eq!(refused.header("retry-after"), "1");
    // What is not the caller's is not counted, nor what needs no caller.
    assert_eq!(get(&app, "/v1/dialects/terraform", "no.such.token").await.status, 401);
    for _ in 0..10 {
        assert_eq!(get(&app, "/livez", &a).await.status, 200);
        assert_eq!(get(&app, "/openapi.json", &a).await.status, 200);
    }
    // Others are not affected, nor the same caller with another token.
    assert_eq!(get(&app, "/v1/dialects/terraform", &b).await.status, 200);
    let another = Signer::usual().token(&changed(&json!({"sub": "a", "jti": "another"})));
    get(&app, "/v1/dialects/terraform", &another).await.problem(429, "caller-rate");
    let metrics = get(&app, "/metrics", &b).await;
    let text = String::from_utf8(metrics.body).unwrap();
    assert!(text.contains("overfold_requests_limited_total{reason=\"caller-rate\"} 2\n"), "{text}");
    assert!(text.contains("overfold_requests_limited_total{reason=\"caller-share\"} 0\n"), "{text}");
    tokio::time::sleep(Duration::from_millis(1100)).await;
    assert_eq!(get(&app, "/v1/dialects/terraform", &a).await.status, 200);
}

#[tokio::test]
async fn lines_of_a_batch_count_and_wait() {
    let (_folder, app) = identified(|settings| {
        settings.callers.caller_rate = 20;
        settings.callers.caller_burst = Some(4);
    });
    let body: String = (0..20).map(|_| "{\"files\": {\"main.tf\": \"\"}}\n").collect();
    let start = Instant::now();
    let request = Request::post("/v1/batch")
        .header("content-type", "application/x-ndjson")
        .header("authorization", format!("Bearer {}", token("a")));
    let answer = send(&app, request.body(Body::from(body)).unwrap()).await;
    let took = start.elapsed();
    let text = String::from_utf8(answer.body).unwrap();
    let statuses: Vec<Value> =
        text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap()["status"].clone()).collect();
    assert_eq!(statuses, vec![json!(200); 20]);
    // One half of the burst is for others, and one request was the batch itself.
    assert!(took > Duration::from_millis(850), "{took:?}");
    // What is left to requests that come by themselves is there at once.
    assert_eq!(get(&app, "/version", &token("a")).await.status, 200);
}

/// A caller that fills its share, with a service that has room for more.
#[test]
fn a_caller_over_its_share_is_turned_away_and_another_is_served() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens");
    let (a, b) = (NewToken::generate("a").unwrap(), NewToken::generate("b").unwrap());
    fs::write(&file, format!("{}\n{}\n", a.line, b.line)).unwrap();
    // Two places and the one for small requests: a caller has two of them, and one more of its requests may wait.
    let mut args = vec!["--token-file", file.to_str().unwrap(), "--caller-share", "50"];
    args.extend(["--concurrency", "2", "--queue", "2", "--timeout-seconds", "60"]);
    args.extend(UNLIMITED);
    let service = Service::start(&args);
    let by = |request: &str, token: &str| {
        request.replacen(
            "\r\nHost: localhost",
            &format!("\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {token}"),
            1,
        )
    };
    let quick = |token: &str| service.ask(by(&crate::service::merge("locals {\n}\n"), token));
    let metric = |name: &str| {
        let text = service.ask(by("GET /metrics HTTP/1.1\r\nHost: localhost\r\n\r\n", &b.token));
        let text = String::from_utf8(text.body).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' '));
        line.unwrap().parse::<f64>().unwrap()
    };
    let working = || {
        ["small", "medium", "large"]
            .map(|class| metric(&format!("overfold_work_in_progress{{class=\"{class}\"}}")))
            .iter()
            .sum::<f64>()
    };
    let busy: Vec<_> = (0..2).map(|n| service.send(by(&slow(&format!("a{n}")), &a.token))).collect();
    let start = Instant::now();
    while working() < 2.0 {
        assert!(start.elapsed() < crate::service::PATIENCE, "the work does not begin");
    }
    let mut waiting = service.send(by(&crate::service::merge("locals {\n}\n"), &a.token));
    // Until that one has arrived, this one may take its place, and then waits itself.
    std::thread::sleep(Duration::from_millis(500));
    let refused = quick(&a.token);
    refused.problem(429, "caller-share");
    assert_eq!(refused.header("retry-after"), Some("1"));
    assert!(metric("overfold_requests_limited_total{reason=\"caller-share\"}") >= 1.0);
    for _ in 0..5 {
        assert_eq!(quick(&b.token).status(), 200);
    }
    // The place of a client that leaves is free again.
    drop(busy);
    assert_eq!(Reply::all(&mut waiting).status(), 200);
    let start = Instant::now();
    while quick(&a.token).status() != 200 {
        assert!(start.elapsed() < crate::service::PATIENCE, "the share is not given back");
    }
}

/// Bodies that are still arriving count, too.
#[test]
fn a_caller_does_not_fill_the_room_for_bodies() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens");
    let (a, b) = (NewToken::generate("a").unwrap(), NewToken::generate("b").unwrap());
    fs::write(&file, format!("{}\n{}\n", a.line, b.line)).unwrap();
    let mut args = vec!["--token-file", file.to_str().unwrap(), "--caller-share", "40"];
    // A share of 40 MiB; a body with its overhead has up to 24 MiB.
    args.extend([
        "--max-bodies-bytes",
        "104857600",
        "--max-request-bytes",
        "8388608",
        "--max-unpacked-bytes",
        "8388608",
        "--body-gap-seconds",
        "120",
    ]);
    let service = Service::start(&args);
    let upload = |token: &str| {
        let length = 8 << 20;
        let head = format!(
            "POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n"
        );
        let mut bytes = head.into_bytes();
        bytes.resize(bytes.len() + length - 100, b' ');
        bytes
    };
    // They never end, so they hold their room.
    let held: Vec<_> = (0..5).map(|_| service.send(upload(&a.token))).collect();
    let start = Instant::now();
    let refused = loop {
        let mut stream = service.send(upload(&a.token));
        stream.set_read_timeout(Some(Duration::from_secs(8))).unwrap();
        let mut first = [0; 12];
        if std::io::Read::read_exact(&mut stream, &mut first).is_ok() {
            break first;
        }
        assert!(start.elapsed() < crate::service::PATIENCE, "nothing is refused");
    };
    assert_eq!(&refused, b"HTTP/1.1 429");
    let small = crate::service::merge("locals {\n}\n");
    let small = small.replacen(
        "\r\nHost: localhost",
        &format!("\r\nHost: localhost\r\nConnection: close\r\nAuthorization: Bearer {}", b.token),
        1,
    );
    assert_eq!(service.ask(small).status(), 200);
    drop(held);
}

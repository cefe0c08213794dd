//! What requests may hold together, and what happens to requests for which there is no room.

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::{Request, Response};
use http_body_util::BodyExt as _;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::json;
use tower::ServiceExt as _;

use super::limits::Slow;
use super::{Answer, send};

fn merge(body: impl Into<Body>) -> Request<Body> {
    let request = Request::post("/v1/merge").header("host", "localhost").header("content-type", "application/json");
    request.body(body.into()).unwrap()
}

fn file_of(bytes: usize) -> String {
    json!({"files": {"main.tf": format!("locals {{\n  a = \"{}\"\n}}\n", "x".repeat(bytes))}}).to_string()
}

async fn get(app: &Router, path: &str) -> Answer {
    send(app, Request::get(path).body(Body::empty()).unwrap()).await
}

fn assert_turned_away(answer: &Answer) {
    answer.problem(503, "overloaded");
    assert!(answer.header("retry-after").parse::<u64>().is_ok_and(|seconds| (1..=3600).contains(&seconds)));
}

/// Sends requests whose bodies begin with these bytes and never end, each waiting for more.
async fn unfinished(app: &Router, count: usize, begin: Option<Bytes>) -> Vec<tokio::task::JoinHandle<Answer>> {
    let requests = (0..count).map(|_| {
        let (app, bytes) = (app.clone(), begin.clone());
        tokio::spawn(async move { send(&app, merge(Body::new(Slow { bytes, ends: false }))).await })
    });
    let requests = requests.collect();
    for _ in 0..count + 10 {
        tokio::task::yield_now().await;
    }
    requests
}

async fn give_up(requests: Vec<tokio::task::JoinHandle<Answer>>) {
    for request in requests {
        request.abort();
        let _ = request.await;
    }
}

#[tokio::test]
async fn requests_without_their_bodies_hold_no_room() {
    let app = router(&AppState::new(Settings::for_testing()));
    let waiting = unfinished(&app, 200, None).await;
    assert_eq!(send(&app, merge(file_of(10))).await.status, 200);
    assert_eq!(get(&app, "/readyz").await.status, 200);
    give_up(waiting).await;
}

#[tokio::test]
async fn unfinished_bodies_hold_only_what_has_arrived() {
    let mut settings = Settings::for_testing();
    settings.work.max_bodies_bytes = 636 << 10;
    let app = router(&AppState::new(settings));
    let waiting = unfinished(&app, 10, Some(Bytes::from(vec![b' '; 31 << 10]))).await;
    assert_turned_away(&send(&app, merge(file_of(40 << 10))).await);
    let ready = get(&app, "/readyz").await;
    assert!(ready.problem(503, "overloaded")["detail"].as_str().unwrap().contains("bodies"));
    assert_eq!(get(&app, "/livez").await.status, 200);
    assert_eq!(get(&app, "/metrics").await.status, 200);
    give_up(waiting).await;
    assert_eq!(send(&app, merge(file_of(40 << 10))).await.status, 200);
    assert_eq!(get(&app, "/readyz").await.status, 200);
}

#[tokio::test]
async fn answers_that_are_not_read_leave_less_room_for_work() {
    let mut settings = Settings::for_testing();
    settings.limits.request.max_file_bytes = 4 << 20;
    settings.limits.body.max_request_bytes = 4 << 20;
    settings.limits.body.max_unpacked_bytes = 4 << 20;
    settings.limits.cost.max_memory_bytes = 8 << 20;
    settings.work.max_answers_bytes = 0;
    settings.work.concurrency = Some(1);
    let app = router(&AppState::new(settings));
    let mut unread: Vec<Response<Body>> = Vec::new();
    let turned_away = loop {
        let response = app.clone().oneshot(merge(file_of(1 << 20))).await.unwrap();
        if response.status() != 200 {
            break response;
        }
        unread.push(response);
        assert!(unread.len() < 20, "answers are not counted");
    };
    assert_eq!(turned_away.status(), 503);
    let body = turned_away.into_body().collect().await.unwrap().to_bytes();
    assert!(String::from_utf8_lossy(&body).contains("answers that have not been read"), "{body:?}");
    // A place for small requests is never closed.
    assert_eq!(get(&app, "/readyz").await.status, 200);
    assert_eq!(send(&app, merge(file_of(10))).await.status, 200);
    drop(unread);
    assert_eq!(send(&app, merge(file_of(1 << 20))).await.status, 200);
}

#[tokio::test(flavor = "multi_thread")]
async fn concurrent_requests_are_served_or_turned_away_without_leaks() {
    let state = AppState::new(Settings::for_testing());
    let app = router(&state);
    let requests = (0..100).map(|n| {
        let (app, body) = (app.clone(), file_of(if n % 3 == 0 { 50_000 } else { 100 }));
        tokio::spawn(async move { send(&app, merge(body)).await })
    });
    let mut served = 0;
    for request in requests.collect::<Vec<_>>() {
        let answer = request.await.unwrap();
        match answer.status.as_u16() {
            200 => served += 1,
            _ => assert_turned_away(&answer),
        }
    }
    assert!(served > 0);
    let metrics = String::from_utf8(get(&app, "/metrics").await.body).unwrap();
    for gauge in [
        "overfold_work_queue{class=\"small\"} 0",
        "overfold_work_in_progress{class=\"small\"} 0",
        "overfold_work_in_progress{class=\"medium\"} 0",
        "overfold_bodies_held_bytes 0",
        "overfold_answers_held_bytes 0",
    ] {
        assert!(metrics.contains(gauge), "{gauge}\n{metrics}");
    }
}

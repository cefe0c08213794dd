//! Traces: what a collector receives. These tests need the feature, so they have a binary of their own:
//! `cargo test --features otlp --test otlp`.

#![expect(clippy::unwrap_used, clippy::indexing_slicing, reason = "a test that cannot go on says so by panicking")]

mod collector;
mod contents;
#[path = "../it/service.rs"]
#[expect(dead_code, reason = "the tests of the service use the rest")]
mod service;
mod settings;

use std::collections::BTreeSet;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use self::collector::{Collector, Span};
use crate::service::{Reply, Service, UNLIMITED, head, slow};

/// A trace that its caller wants to have, and the same that it does not.
const SAMPLED: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const UNSAMPLED: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00";

/// Returns a merge request that ends its connection.
fn merge(more: &str) -> String {
    let body = json!({"files": {"main.tf": "locals {\n  a = 1\n}\n", "main_override.tf": ""}}).to_string();
    format!("{}\r\n{body}", head(body.len(), &format!("Connection: close\r\n{more}")))
}

fn get(path: &str, more: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{more}\r\n")
}

fn traced(traceparent: &str) -> String {
    format!("traceparent: {traceparent}\r\n")
}

fn start(collector: &Collector, more: &[&str]) -> Service {
    Service::start(&[&["--otlp-endpoint", &collector.url()], more].concat())
}

fn stop(mut service: Service) -> Duration {
    service.signal("TERM");
    let (status, took) = service.end();
    assert!(status.success());
    took
}

#[test]
fn a_traced_request_is_a_span_with_its_stages() {
    let collector = Collector::start();
    let service = start(&collector, &[]);
    let more = format!("{}tracestate: one=1,two=2\r\nX-Request-Id: id-7\r\n", traced(SAMPLED));
    let reply = service.ask(merge(&more));
    assert_eq!(reply.status(), 200);
    let line = service.line("request");
    assert_eq!(
        (&line["trace_id"], &line["traceparent"]),
        (&"0af7651916cd43dd8448eb211c80319c".into(), &SAMPLED.into())
    );

    let spans = collector.next();
    let own = spans.iter().find(|span| span.kind == 2).unwrap();
    assert_eq!((&*own.name, &*own.trace), ("POST /v1/merge", "0af7651916cd43dd8448eb211c80319c"));
    assert_eq!((&*own.parent, &*own.state), ("b7ad6b7169203331", "one=1,two=2"));
    assert_eq!(own.service, "overfold");
    assert_eq!(reply.header("traceresponse"), Some(&*format!("00-{}-{}-01", own.trace, own.id)));
    let (sent, received) = (merge(&more).split_once("\r\n\r\n").unwrap().1.len(), reply.body.len());
    assert_eq!(
        own.attributes,
        json!({"http.request.method": "POST", "http.route": "/v1/merge", "http.response.status_code": 200,
            "url.scheme": "http", "network.protocol.version": "1.1", "overfold.request_id": "id-7",
            "http.request.body.size": sent, "http.response.body.size": received})
    );
    let stages: Vec<&Span> = spans.iter().filter(|span| span.kind == 1).collect();
    assert_eq!(stages.len() + 1, spans.len());
    let names: BTreeSet<&str> = stages.iter().map(|stage| &*stage.name).collect();
    for name in ["body", "queue", "transport", "load", "merge", "checks", "validate", "output", "answer"] {
        assert!(names.contains(name), "{name}: {names:?}");
    }
    for stage in &stages {
        assert_eq!((&stage.trace, &stage.parent, &stage.attributes), (&own.trace, &own.id, &json!({})), "{stage:?}");
        assert!(
            own.began <= stage.began && stage.began <= stage.ended && stage.ended <= own.ended,
            "{stage:?}\n{own:?}"
        );
    }
    assert_eq!(spans.iter().map(|span| &span.id).collect::<BTreeSet<_>>().len(), spans.len(), "{spans:?}");

    let metrics = String::from_utf8(service.get("/metrics").body).unwrap();
    let exemplar = format!("# {{trace_id=\"{}\"}}", own.trace);
    let mut found = metrics.lines().filter(|line| line.contains(&exemplar));
    assert!(
        found.next().is_some_and(|line| line.starts_with("overfold_request_duration_seconds_bucket")),
        "{metrics}"
    );
    let exported = format!("overfold_trace_spans_total{{outcome=\"exported\"}} {}\n", spans.len());
    assert!(metrics.contains(&exported), "{metrics}");
}

#[test]
fn the_caller_decides_what_is_traced() {
    let collector = Collector::start();
    let service = start(&collector, &[]);
    for more in ["", "traceparent: 01\r\n", &traced(UNSAMPLED), &[traced(SAMPLED), traced(SAMPLED)].concat()] {
        let reply = service.ask(merge(more));
        assert_eq!((reply.status(), reply.header("traceresponse")), (200, None), "{more}");
        assert!(service.line("request")["trace_id"].is_null(), "{more}");
    }
    assert_eq!(service.ask(get("/nothing", &traced(SAMPLED))).status(), 404);
    stop(service);
    let spans = collector.rest();
    let own = spans.iter().find(|span| span.kind == 2).unwrap();
    assert_eq!((&*own.name, &own.attributes["error.type"]), ("GET", &"not-found".into()));
    assert!(own.attributes["http.route"].is_null() && own.status == 0, "{own:?}");
    assert_eq!(spans.iter().filter(|span| span.kind == 2).count(), 1, "{spans:?}");
}

#[test]
fn a_part_of_the_other_requests_is_traced_on_request() {
    let collector = Collector::start();
    let mut command = Command::new(env!("CARGO_BIN_EXE_overfold"));
    command.args(["serve", "--otlp-ratio", "1"]);
    command.env("OTEL_EXPORTER_OTLP_ENDPOINT", collector.url()).env("OTEL_SERVICE_NAME", "mine");
    let service = Service::start_as(command);
    service.get("/livez");
    service.ask(merge(&traced(UNSAMPLED)));
    let first = service.ask(merge(""));
    service.ask(merge(""));
    stop(service);
    let spans = collector.rest();
    let own: Vec<&Span> = spans.iter().filter(|span| span.kind == 2).collect();
    assert_eq!(own.len(), 2, "{own:?}");
    assert!(own.iter().all(|span| span.parent.is_empty() && span.service == "mine"), "{own:?}");
    assert_ne!(own[0].trace, own[1].trace);
    assert_eq!(first.header("traceresponse"), Some(&*format!("00-{}-{}-01", own[0].trace, own[0].id)));
}

#[test]
fn the_lines_of_a_batch_are_spans_up_to_a_bound() {
    let collector = Collector::start();
    let service = start(&collector, &[]);
    let batch = |lines: usize| {
        let body = format!("{}\n", json!({"files": {"main.tf": ""}})).repeat(lines);
        let more = format!("Content-Length: {}\r\n{}", body.len(), traced(SAMPLED));
        let head = "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nConnection: close\r\n";
        assert_eq!(service.ask(format!("{head}{more}\r\n{body}")).status(), 200);
    };
    batch(2);
    let spans = collector.next();
    let own = spans.iter().find(|span| span.kind == 2).unwrap();
    let lines: Vec<&Span> = spans.iter().filter(|span| span.name == "line").collect();
    assert!(lines.len() == 2 && lines.iter().all(|line| line.parent == own.id), "{spans:?}");
    for line in lines {
        let within: Vec<&str> = spans.iter().filter(|span| span.parent == line.id).map(|span| &*span.name).collect();
        assert!(within.contains(&"queue") && within.contains(&"merge"), "{within:?}");
    }
    batch(300);
    stop(service);
    let spans = collector.rest();
    let own = spans.iter().find(|span| span.kind == 2).unwrap();
    assert_eq!(spans.len(), 128);
    assert!(own.attributes["overfold.stages_left_out"].as_u64().is_some_and(|count| count > 170), "{own:?}");
}

#[test]
fn a_request_whose_client_leaves_is_traced_with_the_stage_that_it_was_in() {
    let collector = Collector::start();
    let service = start(&collector, &UNLIMITED);
    let request = slow("gone").replace("X-Request-Id", &format!("{}X-Request-Id", traced(SAMPLED)));
    let stream = service.send(request);
    std::thread::sleep(Duration::from_secs(1));
    drop(stream);
    assert_eq!(service.line("request")["outcome"], "aborted");
    let spans = collector.next();
    let own = spans.iter().find(|span| span.kind == 2).unwrap();
    assert_eq!(own.attributes["error.type"], "aborted");
    assert!(own.attributes["http.response.status_code"].is_null(), "{own:?}");
    let last = spans.iter().filter(|span| span.kind == 1).max_by_key(|span| span.began).unwrap();
    assert_eq!(last.ended, own.ended, "{spans:?}");
}

#[test]
fn a_collector_that_is_away_costs_a_warning() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let service = Service::start(&["--otlp-endpoint", &format!("http://{closed}")]);
    for _ in 0..3 {
        assert_eq!(service.ask(merge(&traced(SAMPLED))).status(), 200);
        std::thread::sleep(Duration::from_millis(1500));
    }
    service.line("the collector does not take traces");
    let metrics = String::from_utf8(service.get("/metrics").body).unwrap();
    let failed =
        metrics.lines().find_map(|line| line.strip_prefix("overfold_trace_spans_total{outcome=\"failed\"} "));
    assert!(failed.unwrap().parse::<u64>().unwrap() >= 10, "{metrics}");
    let mut service = service;
    service.signal("TERM");
    assert!(service.end().0.success());
    let warnings = service.rest_of_log().into_iter().filter(|line| line["level"] == "WARN");
    assert_eq!(warnings.collect::<Vec<_>>(), Vec::<serde_json::Value>::new(), "it is said once a minute");
}

#[test]
fn a_collector_that_does_not_answer_delays_nothing() {
    let silent = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let endpoint = format!("http://{}", silent.local_addr().unwrap());
    let service = Service::start(&["--otlp-endpoint", &endpoint, "--grace-seconds", "1"]);
    // A batch is on its way when the others come.
    assert_eq!(service.ask(merge(&traced(SAMPLED))).status(), 200);
    let (mut connection, _) = silent.accept().unwrap();
    let mut first = [0; 16];
    std::io::Read::read_exact(&mut connection, &mut first).unwrap();
    assert_eq!(&first, b"POST /v1/traces ");
    let begin = Instant::now();
    for _ in 0..3 {
        assert_eq!(service.ask(merge(&traced(SAMPLED))).status(), 200);
    }
    assert!(begin.elapsed() < Duration::from_secs(9), "{:?}", begin.elapsed());
    // More than have room in the queue, even if the exporter gives up some batches meanwhile.
    let mut stream = service.connect();
    let one = get("/version", &traced(SAMPLED)).replace("close", "keep-alive");
    for _ in 0..40 {
        std::io::Write::write_all(&mut stream, one.repeat(100).as_bytes()).unwrap();
        for _ in 0..100 {
            assert_eq!(Reply::one(&mut stream).status(), 200);
        }
    }
    drop(stream);
    let metrics = String::from_utf8(service.get("/metrics").body).unwrap();
    let dropped =
        metrics.lines().find_map(|line| line.strip_prefix("overfold_trace_spans_total{outcome=\"dropped\"} "));
    assert!(dropped.unwrap().parse::<u64>().unwrap() > 100, "{metrics}");
    assert!(stop(service) < Duration::from_secs(5));
}

#[test]
fn what_is_queued_is_sent_before_the_service_ends() {
    let collector = Collector::start();
    let service = start(&collector, &[]);
    let mut stream = service.connect();
    for _ in 0..40 {
        std::io::Write::write_all(
            &mut stream,
            get("/version", &traced(SAMPLED)).replace("close", "keep-alive").as_bytes(),
        )
        .unwrap();
        assert_eq!(Reply::one(&mut stream).status(), 200);
    }
    drop(stream);
    stop(service);
    assert_eq!(collector.rest().iter().filter(|span| span.kind == 2).count(), 40);
}

#[test]
fn a_refusal_of_the_collector_is_no_failure_of_a_request() {
    let collector = Collector::refusing();
    let service = start(&collector, &[]);
    assert_eq!(service.ask(merge(&traced(SAMPLED))).status(), 200);
    let line = service.line("the collector does not take traces");
    assert!(line["error"].as_str().is_some_and(|error| error.contains("400")), "{line}");
}

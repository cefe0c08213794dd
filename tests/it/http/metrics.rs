//! `GET /metrics`, as a monitoring system reads it.

use std::collections::{BTreeMap, BTreeSet};

use axum::body::Body;
use axum::http::Request;
use serde_json::json;

use super::{app, send};

/// Reads samples from OpenMetrics text, by name and labels as written. Checks the format: every family has a type and a
/// help text before its samples, names and labels are well-formed, no sample occurs twice, and the end is marked.
fn samples(text: &str) -> BTreeMap<String, f64> {
    let body = text.strip_suffix("# EOF\n").ok_or("the end is not marked").unwrap();
    let mut families = BTreeMap::new();
    let mut helped = BTreeSet::new();
    let mut samples = BTreeMap::new();
    for line in body.lines() {
        if let Some(rest) = line.strip_prefix("# ") {
            let mut words = rest.splitn(3, ' ');
            let (keyword, name, rest) = (words.next().unwrap(), words.next().unwrap(), words.next().unwrap());
            match keyword {
                "TYPE" => assert!(families.insert(name, rest).is_none(), "two types: {line}"),
                "HELP" => assert!(!rest.is_empty() && helped.insert(name), "two helps: {line}"),
                "UNIT" => assert!(name.ends_with(&format!("_{rest}")), "{line}"),
                _ => unreachable!("{line}"),
            }
            continue;
        }
        let (series, value) = line.rsplit_once(' ').unwrap();
        let name = series.split('{').next().unwrap();
        assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{line}");
        let family = families
            .iter()
            .find(|(family, kind)| {
                let suffixes: &[&str] = match **kind {
                    "counter" => &["_total"],
                    "gauge" => &[""],
                    "info" => &["_info"],
                    "histogram" => &["_bucket", "_sum", "_count"],
                    other => unreachable!("type {other}"),
                };
                name.strip_prefix(**family).is_some_and(|rest| suffixes.contains(&rest))
            })
            .ok_or_else(|| format!("no type: {line}"))
            .unwrap();
        assert!(helped.contains(family.0), "no help: {line}");
        if let Some((_, labels)) = series.split_once('{') {
            let labels = labels.strip_suffix('}').unwrap();
            for label in labels.split(',') {
                let (name, value) = label.split_once('=').unwrap();
                assert!(name.chars().all(|c| c.is_ascii_lowercase() || c == '_'), "{line}");
                assert!(value.len() >= 2 && value.starts_with('"') && value.ends_with('"'), "{line}");
            }
        }
        assert!(samples.insert(series.to_owned(), value.parse().unwrap()).is_none(), "twice: {line}");
    }
    samples
}

#[tokio::test]
async fn what_was_done_is_counted() {
    let app = app();
    let post = |body: String| Request::post("/v1/merge").header("content-type", "application/json").body(body.into());
    let good = json!({"files": {"main.tf": "variable \"planted\" {}\nlocals {\n  a = \"planted\"\n}\n"},
        "variables": {"args": [{"var": "planted=secret"}]}});
    let broken = json!({"files": {"main.tf": "locals {", "planted.tf": ""}});
    assert_eq!(send(&app, post(good.to_string()).unwrap()).await.status, 200);
    assert_eq!(send(&app, post(broken.to_string()).unwrap()).await.status, 200);
    assert_eq!(send(&app, post("{".to_owned()).unwrap()).await.status, 400);
    for path in ["/planted", "/v1/planted?planted"] {
        let request = Request::builder().method("PLANTED").uri(path).body(Body::empty()).unwrap();
        send(&app, request).await;
    }
    let request = || Request::get("/metrics").body(Body::empty()).unwrap();
    send(&app, request()).await;
    let answer = send(&app, request()).await;
    assert_eq!(answer.status, 200);
    assert!(answer.header("content-type").starts_with("application/openmetrics-text"));
    let text = String::from_utf8(answer.body).unwrap();
    assert!(!text.to_lowercase().contains("planted"), "contents, paths and methods of requests are no labels");
    let samples = samples(&text);
    let value = |series: &str| *samples.get(series).unwrap_or_else(|| panic!("{series} is not in\n{text}"));
    let close = |series: &str, expected: f64| assert!((value(series) - expected).abs() < 1e-9, "{series}\n{text}");
    close(r#"overfold_requests_total{route="/v1/merge",method="POST",status="200"}"#, 2.0);
    close(r#"overfold_requests_total{route="/v1/merge",method="POST",status="400"}"#, 1.0);
    close(r#"overfold_requests_total{route="none",method="other",status="404"}"#, 2.0);
    close(r#"overfold_requests_total{route="/metrics",method="GET",status="200"}"#, 1.0);
    close("overfold_requests_in_flight", 1.0);
    close("overfold_files_total", 3.0);
    close(r#"overfold_work_wait_seconds_count{class="small"}"#, 3.0);
    close(r#"overfold_work_duration_seconds_count{class="small"}"#, 3.0);
    close(r#"overfold_stage_duration_seconds_count{stage="transport"}"#, 3.0);
    close(r#"overfold_stage_duration_seconds_count{stage="load"}"#, 2.0);
    close(r#"overfold_stage_duration_seconds_count{stage="output"}"#, 2.0);
    close(r#"overfold_requests_shed_total{reason="expected-wait"}"#, 0.0);
    assert!(samples.keys().any(|series| series.starts_with("overfold_diagnostics_total{code=\"syntax/")));
    let sent = good.to_string().len() + broken.to_string().len() + 1;
    close("overfold_request_body_bytes_total", f64::from(u32::try_from(sent).unwrap()));
    assert!(value("overfold_response_body_bytes_total") > 100.0);
    if cfg!(target_os = "linux") {
        assert!(value("overfold_resident_memory_bytes") > 1e6);
    }
}

/// Every route has a label of its own, whatever is asked.
#[tokio::test]
async fn routes_that_plan_are_told_apart() {
    let app = app();
    let files = json!({"files": {"main.tf": ""}});
    let both = json!({"before": files, "after": {}});
    let newer = json!({"files": {"main.tf": ""}, "version": "1.5", "to": {"version": "1.9"}});
    let asked = [
        ("/v1/plan", "", &files),
        ("/v1/plan-diff", "", &both),
        ("/v1/plan-diff/report", "?format=text", &both),
        ("/v1/upgrade", "", &newer),
        ("/v1/upgrade/report", "?format=markdown", &newer),
    ];
    for (route, query, body) in asked {
        let request = Request::post(format!("{route}{query}")).header("content-type", "application/json");
        assert_eq!(send(&app, request.body(body.to_string().into()).unwrap()).await.status, 200, "{route}");
    }
    let answer = send(&app, Request::get("/metrics").body(Body::empty()).unwrap()).await;
    let samples = samples(std::str::from_utf8(&answer.body).unwrap());
    for (route, ..) in asked {
        let series = format!(r#"overfold_requests_total{{route="{route}",method="POST",status="200"}}"#);
        assert_eq!(samples.get(&series), Some(&1.0), "{series}");
    }
}

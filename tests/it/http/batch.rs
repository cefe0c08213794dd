//! `POST /v1/batch` through the router: lines, ids, statuses and rejected requests.

use std::collections::BTreeMap;
use std::io::Write as _;

use axum::Router;
use axum::body::{Body, Bytes};
use axum::http::Request;
use futures_util::stream;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use serde_json::{Value, json};

use super::{Answer, app, post_to, send};

const NDJSON: &str = "application/x-ndjson";

fn module(text: &str) -> Value {
    json!({"main.tf": text})
}

async fn batch(body: impl Into<Body>) -> Answer {
    let answer = post_to("/v1/batch", NDJSON, body).await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    assert_eq!(answer.header("content-type"), NDJSON);
    answer
}

/// Returns the lines of an answer, each checked for the common properties.
fn lines(answer: &Answer) -> Vec<Value> {
    let text = std::str::from_utf8(&answer.body).unwrap();
    assert!(text.is_empty() || text.ends_with('\n'), "{text}");
    let lines = text.lines().map(|line| serde_json::from_str::<Value>(line).unwrap());
    lines
        .inspect(|line| {
            assert!(line["line"].is_u64() && line["id"] != json!([]), "{line}");
            assert_ne!(line["answer"].is_object(), line["problem"].is_object(), "{line}");
            if line["problem"].is_object() {
                assert_eq!(line["problem"]["status"], line["status"], "{line}");
                assert_eq!(line["problem"]["instance"], answer.header("x-request-id"), "{line}");
            }
        })
        .collect()
}

/// Returns the lines by number.
fn by_line(answer: &Answer) -> BTreeMap<u64, Value> {
    let all = lines(answer);
    let map: BTreeMap<u64, Value> = all.iter().map(|line| (line["line"].as_u64().unwrap(), line.clone())).collect();
    assert_eq!(map.len(), all.len(), "a line is answered twice");
    map
}

#[tokio::test]
async fn a_line_is_answered_like_a_single_request() {
    let requests = [
        json!({"files": module("locals {\n  a = 1\n}\n")}),
        json!({"files": module("locals {"), "fail_on": "error"}),
        json!({"files": module(""), "root": "nowhere"}),
        json!({"files": {"../a.tf": ""}}),
        json!({"files": module(""), "unknown": 1}),
        json!({"files": module(""), "include": 7}),
        json!({"files": module("variable \"a\" {\n}\n"), "variables": {"args": [{"name": "a", "value": [1.50, "x"]}]},
            "include": ["variables", "objects", "files", "overrides"]}),
        json!({"files": module("a b c"), "dialect": "sentinel"}),
        json!({"files": {"main.tf": "variable \"a\" {\n}\n", "sub/main.tf": ""}, "recursive": true}),
        json!([]),
    ];
    let body = requests.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let answers = by_line(&batch(body).await);
    assert_eq!(answers.len(), requests.len());
    for (number, request) in (1..).zip(&requests) {
        let alone = post_to("/v1/merge", "application/json", request.to_string()).await;
        let line = &answers[&number];
        assert_eq!((&line["id"], &line["status"]), (&json!(number), &json!(alone.status.as_u16())), "{line}");
        let mut expected = alone.json();
        if line["answer"].is_object() {
            assert_eq!(line["answer"], expected, "{request}");
        } else {
            expected["instance"] = line["problem"]["instance"].clone();
            assert_eq!(line["problem"], expected, "{request}");
        }
    }
}

#[tokio::test]
async fn ids_are_returned_unchanged_and_a_bad_line_affects_only_itself() {
    let files = module("").to_string();
    let wide = "x".repeat(300);
    let body = format!(
        "{{\"id\":\"a\\u0062 \u{e9}\",\"files\":{files}}}\n\
         \n  \r\n\
         {{\"id\":-1.50e400,\"files\":{files}}}\r\n\
         {{\"files\":\n\
         {{\"files\":{files},\"files\":{files}, \"id\": 7}}\n\
         {{\"id\":1,\"id\":1,\"files\":{files}}}\n\
         {{\"id\":null,\"files\":{files}}}\n\
         {{\"id\":\"{wide}\",\"files\":{files}}}\n\
         {{\"files\":{files},\"id\":0}}"
    );
    let answer = batch(body).await;
    let text = std::str::from_utf8(&answer.body).unwrap();
    assert!(text.contains("{\"id\":\"a\\u0062 \u{e9}\",\"line\":1,\"status\":200,"), "{text}");
    assert!(text.contains("{\"id\":-1.50e400,\"line\":4,\"status\":200,"), "{text}");
    let found: BTreeMap<u64, (String, u64, Value)> = text
        .lines()
        .map(|line| {
            // This test's JSON reader cannot represent the number.
            let line: Value = serde_json::from_str(&line.replace("-1.50e400", "\"huge\"")).unwrap();
            let code = line["problem"]["code"].clone();
            (line["line"].as_u64().unwrap(), (line["id"].to_string(), line["status"].as_u64().unwrap(), code))
        })
        .collect();
    let expected = [
        (1, "\"ab \u{e9}\"", 200, Value::Null),
        (4, "\"huge\"", 200, Value::Null),
        (5, "5", 400, json!("malformed-body")),
        (6, "7", 400, json!("duplicate-key")),
        (7, "7", 400, json!("duplicate-key")),
        (8, "8", 400, json!("bad-option")),
        (9, "9", 400, json!("bad-option")),
        (10, "0", 200, Value::Null),
    ];
    let expected = expected.map(|(line, id, status, code)| (line, (id.to_owned(), status, code)));
    assert_eq!(found, expected.into_iter().collect());
    let answer = batch(format!("{{\"id\":[],\"files\":{files}}}\n")).await;
    assert_eq!(lines(&answer)[0]["problem"]["pointer"], "/id");
}

#[tokio::test]
async fn bytes_that_are_not_utf8_are_a_400_of_their_line() {
    let mut body = b"{\"id\": \"\xff\", \"files\": {}}\n{\"id\": \"a\", \"files\": {\"a.tf\": \"\xfe\"}}\n".to_vec();
    body.extend_from_slice(b"{\"id\": \"b\", \"files\": {}}");
    let answers = by_line(&batch(body).await);
    let code = |line: u64| answers[&line]["problem"]["code"].clone();
    assert_eq!((code(1), code(2)), (json!("not-utf8"), json!("not-utf8")));
    assert_eq!((&answers[&1]["id"], &answers[&2]["id"]), (&json!(1), &json!("a")));
    assert_eq!((&answers[&3]["id"], &answers[&3]["status"]), (&json!("b"), &json!(200)));
}

#[tokio::test]
async fn a_line_over_the_limit_is_skipped_to_its_end() {
    let small = json!({"files": module("")}).to_string();
    let long = "x".repeat((256 << 10) + 1);
    let just = format!("{small}{}", " ".repeat((256 << 10) - small.len()));
    for body in [format!("{small}\n{long}\n{just}\n{small}\n{long}"), format!("{long}\n{long}\n{small}\n")] {
        let answers = by_line(&batch(body.clone()).await);
        for (number, line) in (1..).zip(body.lines()) {
            let answer = &answers[&number];
            if line == long {
                assert_eq!((&answer["status"], &answer["id"]), (&json!(413), &json!(number)), "{answer}");
                assert_eq!(answer["problem"]["limit"], json!({"name": "max-request-bytes", "value": 256 << 10}));
            } else {
                assert_eq!(answer["status"], 200, "{answer}");
            }
        }
    }
}

#[tokio::test]
async fn batches_of_lines_without_answers_are_bounded() {
    let small = json!({"files": module("")}).to_string();
    // Beyond the limit, only as many bytes of blank and overlong lines are read as there were useful ones.
    let newlines = "\n".repeat((1 << 20) + 1000);
    post_to("/v1/batch", NDJSON, newlines.clone()).await.problem(413, "over-limit");
    let endless = " ".repeat((1 << 20) + 1);
    post_to("/v1/batch", NDJSON, endless).await.problem(413, "over-limit");
    let long = "x".repeat(2 << 20);
    for (junk, own) in [(newlines, 0), (long, 1)] {
        let answer = batch(format!("{small}\n{junk}\n{small}\n")).await;
        let all = lines(&answer);
        assert_eq!(all.len(), 2 + own, "{all:?}");
        let last = all.last().unwrap();
        assert_eq!((&last["id"], &last["status"]), (&Value::Null, &json!(413)), "{last}");
        assert_eq!(last["problem"]["limit"]["name"], "max-unpacked-bytes");
    }
}

#[tokio::test]
async fn a_body_that_breaks_ends_the_batch_with_a_last_line() {
    let line = Bytes::from(format!("{}\n", json!({"id": "a", "files": module("")})));
    let broken = || std::io::Error::new(std::io::ErrorKind::InvalidData, "broken");
    let pieces = vec![Ok(line), Ok(Bytes::from("{\"id\": ")), Err(broken())];
    let all = lines(&batch(Body::from_stream(stream::iter(pieces))).await);
    assert_eq!((all.len(), &all[0]["id"], &all[0]["status"]), (2, &json!("a"), &json!(200)));
    assert_eq!((&all[1]["id"], &all[1]["line"], &all[1]["status"]), (&Value::Null, &json!(2), &json!(400)));
    let pieces: Vec<std::io::Result<Bytes>> = vec![Ok(Bytes::from("{\"id\": ")), Err(broken())];
    post_to("/v1/batch", NDJSON, Body::from_stream(stream::iter(pieces))).await.problem(400, "malformed-body");
}

#[tokio::test]
async fn bodies_may_be_packed() {
    let line = format!("{}\n", json!({"id": "a", "files": module("")}));
    let text = line.repeat(100);
    let gzip = super::bodies::gzip(text.as_bytes());
    let zstd = zstd::encode_all(text.as_bytes(), 3).unwrap();
    let mut brotli = Vec::new();
    brotli::CompressorWriter::new(&mut brotli, 4096, 5, 22).write_all(text.as_bytes()).unwrap();
    let ask = async |coding: &str, body: Vec<u8>| {
        let request = Request::post("/v1/batch").header("content-type", NDJSON).header("content-encoding", coding);
        send(&app(), request.body(body.into()).unwrap()).await
    };
    for (coding, body) in [("gzip", &gzip), ("zstd", &zstd), ("br", &brotli)] {
        let all = lines(&ask(coding, body.clone()).await);
        assert_eq!(all.len(), 100, "{coding}");
        assert!(all.iter().all(|line| line["status"] == 200), "{coding}");
    }
    let all = lines(&ask("gzip", [gzip.clone(), b"junk".to_vec()].concat()).await);
    assert_eq!((all.len(), &all[100]["id"], &all[100]["status"]), (101, &Value::Null, &json!(400)));
    ask("gzip", b"junk".to_vec()).await.problem(400, "malformed-body");
    ask("lzma", gzip).await.problem(415, "unsupported-encoding");
}

#[tokio::test]
async fn invalid_batch_requests_are_refused_as_a_whole() {
    post_to("/v1/batch", "application/json", "{}").await.problem(415, "unsupported-media-type");
    post_to("/v1/batch", "application/x-ndjson; charset=latin1", "{}").await.problem(415, "unsupported-media-type");
    post_to("/v1/batch?include=config", NDJSON, "{}").await.problem(400, "unknown-option");
    let request = Request::post("/v1/batch").header("content-type", NDJSON).header("accept", "application/json");
    send(&app(), request.body(Body::from("{}")).unwrap()).await.problem(406, "not-acceptable");
    assert!(batch("").await.body.is_empty(), "nothing is asked, nothing is answered");
    assert!(batch("\n\r\n  ").await.body.is_empty());
}

#[tokio::test]
async fn nothing_sensitive_is_answered() {
    let text = "variable \"a\" {\n  default   = \"hush-hush\"\n  sensitive = true\n}\nlocals {\n  b = var.a\n}\n";
    let request = json!({"id": 1, "files": module(text), "variables": {"env": {"TF_VAR_a": "hush-hush"}},
        "include": ["config", "objects", "variables", "overrides"]});
    let wrong = json!({"id": 2, "files": module(""), "variables": {"env": {"TF_VAR_a": 7}, "args": "hush-hush"}});
    let answer = batch(format!("{request}\n{wrong}\n")).await;
    let text = String::from_utf8(answer.body.clone()).unwrap();
    assert!(!text.contains("hush"), "{text}");
    assert_eq!(lines(&answer).len(), 2);
}

fn small_app(change: impl FnOnce(&mut Settings)) -> Router {
    let mut settings = Settings::for_testing();
    change(&mut settings);
    router(&AppState::new(settings))
}

async fn metrics(app: &Router) -> String {
    String::from_utf8(send(app, Request::get("/metrics").body(Body::empty()).unwrap()).await.body).unwrap()
}

/// However many lines there are, they wait for each other instead of being rejected, count as merges, and leave nothing
/// behind.
#[tokio::test(flavor = "multi_thread")]
async fn each_of_ten_thousand_lines_is_answered() {
    const LINES: u64 = 10_000;
    let app = small_app(|settings| settings.work.queue = 0);
    let pieces = stream::iter((0..LINES).map(|n| {
        let line = json!({"id": n, "files": {"main.tf": format!("locals {{\n  a = {n}\n}}\n")}});
        Ok::<_, std::io::Error>(Bytes::from(format!("{line}\n")))
    }));
    let request = Request::post("/v1/batch").header("content-type", NDJSON).body(Body::from_stream(pieces)).unwrap();
    let answer = send(&app, request).await;
    let answers = by_line(&answer);
    assert_eq!(answers.len() as u64, LINES);
    for (number, line) in answers {
        assert_eq!((&line["id"], &line["status"]), (&json!(number - 1), &json!(200)), "{line}");
        assert_eq!(line["answer"]["module"]["config"]["locals"][0]["a"], number - 1, "{line}");
    }
    let metrics = metrics(&app).await;
    for series in [
        "overfold_requests_total{route=\"/v1/batch\",method=\"POST\",status=\"200\"} 1\n",
        "overfold_batch_lines_total{status=\"200\"} 10000\n",
        "overfold_files_total 10000\n",
        "overfold_work_queue{class=\"small\"} 0\n",
        "overfold_work_in_progress{class=\"small\"} 0\n",
        "overfold_bodies_held_bytes 0\n",
        "overfold_answers_held_bytes 0\n",
    ] {
        assert!(metrics.contains(series), "{series}\n{metrics}");
    }
}

#[tokio::test]
async fn a_line_waits_for_room_and_is_then_refused_alone() {
    let app = small_app(|settings| {
        settings.work.max_bodies_bytes = 100 << 10;
        settings.work.timeout_seconds = 1;
    });
    let large = json!({"files": module(&" ".repeat(90 << 10))}).to_string();
    let small = json!({"files": module("")}).to_string();
    let request = Request::post("/v1/batch").header("content-type", NDJSON);
    let answer = send(&app, request.body(Body::from(format!("{small}\n{large}\n{small}\n"))).unwrap()).await;
    let answers = by_line(&answer);
    assert_eq!((&answers[&1]["status"], &answers[&3]["status"]), (&json!(200), &json!(200)));
    assert_eq!((&answers[&2]["status"], &answers[&2]["problem"]["code"]), (&json!(503), &json!("overloaded")));
    assert!(answers[&2]["retry_after"].as_u64().is_some_and(|seconds| seconds >= 1));
}

/// The examples in the document are accurate requests and answers.
#[tokio::test]
async fn golden_examples_of_the_document() {
    let document: Value = serde_json::from_str(&overfold_cli::api::openapi_json()).unwrap();
    let operation = &document["paths"]["/v1/batch"]["post"];
    let asked = operation["requestBody"]["content"][NDJSON]["example"].as_str().unwrap();
    let request = Request::post("/v1/batch").header("content-type", NDJSON).header("x-request-id", "example");
    let answer = send(&app(), request.body(Body::from(asked.to_owned())).unwrap()).await;
    let mut answered: Vec<&str> = std::str::from_utf8(&answer.body).unwrap().lines().collect();
    answered.sort_by_key(|line| serde_json::from_str::<Value>(line).unwrap()["line"].as_u64());
    let answered = answered.join("\n") + "\n";
    if std::env::var_os("OVERFOLD_GOLDEN").is_some_and(|value| value == "write") {
        let file = concat!(env!("CARGO_MANIFEST_DIR"), "/src/api/routes/openapi/answers/batch_answers.ndjson");
        return std::fs::write(file, answered).unwrap();
    }
    assert_eq!(operation["responses"]["200"]["content"][NDJSON]["example"], answered.as_str());
    let lines = |schema: &str, text: &str| {
        let mut root = document.clone();
        root["$ref"] = json!(format!("#/components/schemas/{schema}"));
        root["$schema"] = json!("https://json-schema.org/draft/2020-12/schema");
        let validator = jsonschema::validator_for(&root).unwrap();
        for line in text.lines() {
            let line: Value = serde_json::from_str(line).unwrap();
            let errors: Vec<String> = validator.iter_errors(&line).map(|error| error.to_string()).collect();
            assert!(errors.is_empty(), "{schema}: {errors:?}\n{line:#}");
        }
    };
    lines("BatchLine", asked);
    lines("BatchAnswer", &answered);
}

/// A problem is much longer than a line that means nothing.
#[tokio::test]
async fn the_answer_to_many_bad_lines_is_in_proportion() {
    for (line, count) in
        [("x\n", 50_000), ("{}\n", 50_000), ("{\"a\":1}\n", 20_000), ("\"\u{1}\"\r\n", 50_000), ("1 1\n", 30_000)]
    {
        let sent = line.repeat(count);
        let answer = batch(sent.clone()).await;
        let most = 17 * sent.len() + (70 << 10);
        assert!(answer.body.len() < most, "{line:?}: {} bytes for {}", answer.body.len(), sent.len());
        let all = lines(&answer);
        let last = all.last().unwrap();
        assert_eq!(
            (&last["id"], &last["problem"]["code"]),
            (&Value::Null, &json!("malformed-body")),
            "{line:?}: {last}"
        );
    }
    // Requests that are wrong are all answered, however many there are.
    let wrong = json!({"files": {"main.tf": "locals {\n}\n"}, "roots": "."}).to_string() + "\n";
    let answer = batch(wrong.repeat(1000)).await;
    assert_eq!(by_line(&answer).len(), 1000);
    assert!(lines(&answer).iter().all(|line| line["status"] == 400 && line["id"] != Value::Null));
}

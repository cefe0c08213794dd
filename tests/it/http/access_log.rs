//! The log: one line for every request, whatever its outcome.

use std::io::Write as _;
use std::process::Command;
use std::time::Duration;

use serde_json::{Value, json};

use crate::service::{Reply, Service, UNLIMITED, head, large, merge, slow};

const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";

fn fields(line: &Value, names: &[&str]) -> Value {
    names.iter().map(|name| ((*name).to_owned(), line[*name].clone())).collect::<serde_json::Map<_, _>>().into()
}

#[test]
fn a_merge_logs_its_result() {
    let service = Service::start(&[]);
    let body = json!({"files": {
        "main.tf": "resource \"a\" \"b\" {\n}\nresource \"a\" \"b\" {\n}\nhush = 1\n",
        "other.tf": "locals {\n}\n"}})
    .to_string();
    let more =
        format!("traceparent: {TRACE}\r\ntracestate: hush=hush\r\nX-Request-Id: id-7\r\nConnection: close\r\n");
    let reply = service.ask(format!("{}\r\n{body}", head(body.len(), &more)));
    let answer = reply.json();
    let severity = |name: &str| {
        answer["diagnostics"].as_array().unwrap().iter().filter(|found| found["severity"] == name).count()
    };
    assert!(severity("error") >= 2, "{answer}");
    let line = service.line("request");
    let names = ["outcome", "method", "route", "status", "request_id", "traceparent", "bytes_in", "bytes_out"];
    assert_eq!(
        fields(&line, &names),
        json!({"outcome": "answered", "method": "POST", "route": "/v1/merge", "status": 200, "request_id": "id-7",
            "traceparent": TRACE, "bytes_in": body.len(), "bytes_out": reply.body.len()})
    );
    assert_eq!(
        fields(&line, &["valid", "errors", "warnings", "infos", "files"]),
        json!({"valid": false, "errors": severity("error"), "warnings": severity("warning"),
            "infos": severity("info"), "files": 2})
    );
    assert!(line["ms"].is_u64() && line["code"].is_null() && !line.to_string().contains("hush"), "{line}");
    let costs = |line: &Value| ["work_units", "memory_bytes"].map(|name| line[name].as_u64().expect("a number"));
    let first = costs(&line);

    service.ask(merge("locals {\n}\n").replace("\r\nHost: localhost", "\r\nHost: localhost\r\nConnection: close"));
    let line = service.line("request");
    assert_eq!(fields(&line, &["valid", "errors", "files"]), json!({"valid": true, "errors": 0, "files": 1}));
    let second = costs(&line);
    assert!(second[0] > 0 && first[0] > second[0] && first[1] > second[1], "{first:?} {second:?}");
}

#[test]
fn other_answers_have_their_code_and_no_counts() {
    let service = Service::start(&[]);
    assert_eq!(service.get("/nothing?hush=hush").status(), 404);
    let line = service.line("request");
    assert_eq!(
        fields(&line, &["outcome", "status", "code", "route", "valid", "bytes_in"]),
        json!({"outcome": "answered", "status": 404, "code": "not-found", "route": "none", "valid": null, "bytes_in": 0})
    );
    assert!(!line.to_string().contains("hush"), "{line}");
    let reply =
        service.ask("HEAD /livez HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\ntraceparent: hush\r\n\r\n");
    assert_eq!((reply.status(), reply.body.len()), (200, 0));
    let line = service.line("request");
    assert_eq!(
        fields(&line, &["outcome", "status", "bytes_out"]),
        json!({"outcome": "answered", "status": 200, "bytes_out": 0})
    );
    assert!(line["traceparent"].is_null(), "{line}");
}

#[test]
fn a_body_as_sent_is_counted_as_far_as_it_is_read() {
    let service = Service::start(&["--max-request-bytes", "100"]);
    let packed = super::bodies::gzip(
        b"{\"files\":{\"a.tf\":\"                                                                      \"}}",
    );
    let request = format!("{}\r\n", head(packed.len(), "Content-Encoding: gzip\r\nConnection: close\r\n"));
    assert_eq!(service.ask([request.as_bytes(), &packed].concat()).status(), 200);
    assert_eq!(service.line("request")["bytes_in"], packed.len());
    service.ask(format!("{}\r\n{}", head(101, "Connection: close\r\n"), " ".repeat(101))).problem(413, "over-limit");
    assert_eq!(service.line("request")["bytes_in"], 0, "nothing of it was read");
}

#[test]
fn disconnected_clients_leave_a_log_line() {
    let service = Service::start(&UNLIMITED);
    // In the middle of the body.
    let sent = format!("{}\r\n{{\"files", head(1000, "X-Request-Id: in-body\r\n"));
    drop(service.send(sent));
    let line = service.line("request");
    assert_eq!(
        fields(&line, &["outcome", "request_id", "bytes_in"]),
        json!({"outcome": "aborted", "request_id": "in-body", "bytes_in": 7})
    );
    // While the request is being processed.
    let request = slow("in-work");
    let body = request.split_once("\r\n\r\n").unwrap().1.len();
    let stream = service.send(request);
    std::thread::sleep(Duration::from_secs(1));
    drop(stream);
    let line = service.line("request");
    assert_eq!(
        fields(&line, &["outcome", "request_id", "status", "bytes_in", "bytes_out"]),
        json!({"outcome": "aborted", "request_id": "in-work", "status": null, "bytes_in": body, "bytes_out": 0})
    );
    // While the answer is being sent.
    let mut stream = service.send(large(40));
    std::io::Read::read_exact(&mut stream, &mut [0; 100]).unwrap();
    assert_eq!(service.line("request")["outcome"], "answered");
    drop(stream);
    let last = loop {
        let line = service.line("request");
        if line["outcome"] != "answered" {
            break line;
        }
    };
    assert_eq!(
        fields(&last, &["outcome", "status", "method"]),
        json!({"outcome": "aborted", "status": 200, "method": "GET"})
    );
}

#[test]
fn each_request_of_a_connection_has_its_log_line() {
    let service = Service::start(&[]);
    let mut stream = service.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".repeat(3));
    for _ in 0..3 {
        Reply::one(&mut stream);
        assert_eq!(service.line("request")["outcome"], "answered");
    }
    stream.write_all(b"GET /version HTTP/1.1\r\nHost: localhost\r\n\r\n").unwrap();
    Reply::one(&mut stream);
    assert_eq!(service.line("request")["route"], "/version");
}

/// Libraries log what they are given, such as the pattern of a glob.
#[test]
fn only_our_own_lines_are_logged_whatever_the_filter_asks_for() {
    let module = "variable \"p\" {\n  type      = string\n  sensitive = true\n  validation {\n    \
                  condition     = length(fileset(var.p, \"*\")) + length(fileset(\".\", var.p)) == 9\n    \
                  error_message = \"Bad.\"\n  }\n}\n";
    let body = json!({"files": {"main.tf": module}, "variables": {"env": {"TF_VAR_p": "hush[a-z]**{x,hush}"}}});
    let body = body.to_string();
    for filter in ["trace", "info,globset=debug", "debug,globset=trace,log=trace,hyper=trace,[request]=trace"] {
        let mut command = Command::new(env!("CARGO_BIN_EXE_overfold"));
        command.arg("serve").env("OVERFOLD_LOG", filter);
        let mut service = Service::start_as(command);
        let reply = service.ask(format!("{}\r\n{body}", head(body.len(), "Connection: close\r\n")));
        assert_eq!(reply.json()["valid"], false, "{reply:?}");
        service.signal("TERM");
        service.end();
        let log = service.rest_of_log();
        assert!(!log.is_empty());
        for line in log {
            let target = line["target"].as_str().unwrap_or_default();
            let name = target.split("::").next().unwrap();
            assert!(["overfold_cli", "overfold_server"].contains(&name), "{filter}: {line}");
            assert!(!line.to_string().contains("hush"), "{filter}: {line}");
        }
    }
}

//! Requests that the HTTP library rejects by itself: they get a problem and a line in the log, like everything else.

use std::net::Shutdown;
use std::time::{Duration, Instant};

use crate::service::{Reply, Service, UNLIMITED, slow};

#[test]
fn heads_that_cannot_be_read_are_problems_and_logged() {
    let service = Service::start(&[]);
    let header = |count: usize, length: usize| {
        let fields: Vec<String> = (0..count).map(|n| format!("a{n}: {}\r\n", "x".repeat(length))).collect();
        format!("GET /livez HTTP/1.1\r\nHost: localhost\r\n{}\r\n", fields.concat())
    };
    let get = |rest: &str| format!("GET /livez HTTP/1.1\r\nHost: localhost\r\n{rest}\r\n\r\n");
    let target = |length: usize| format!("GET /{} HTTP/1.1\r\nHost: localhost\r\n\r\n", "a".repeat(length));
    for (head, status, code) in [
        ("nonsense\r\n\r\n".to_owned(), 400, "bad-request"),
        ("GET /livez\r\n\r\n".to_owned(), 400, "bad-request"),
        ("GET /livez HTTP/9.9\r\n\r\n".to_owned(), 400, "bad-request"),
        ("\u{16}\u{3}\u{1}\u{2}".to_owned(), 400, "bad-request"),
        ("PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n".to_owned(), 400, "bad-request"),
        (get("Content-Length: -1"), 400, "bad-request"),
        (get("Content-Length: 1\r\nContent-Length: 2"), 400, "bad-request"),
        (get("Transfer-Encoding: hush-hush"), 400, "bad-request"),
        (get("A: b\r\n folded"), 400, "bad-request"),
        (target(65_600), 414, "target-too-long"),
        (target(200_000), 414, "target-too-long"),
        (header(101, 1), 431, "head-too-large"),
        (header(1, 66_000), 431, "head-too-large"),
        (header(1, 1_000_000), 431, "head-too-large"),
    ] {
        let shown = head.get(..40).unwrap_or(&head);
        let reply = service.ask(&head);
        reply.problem(status, code);
        assert_eq!(reply.header("connection"), Some("close"), "{shown}");
        assert_eq!(reply.header("cache-control"), Some("no-store"), "{shown}");
        assert_eq!(reply.head.matches("HTTP/1.1").count(), 1, "{shown}");
        let line = service.line("request");
        assert_eq!((&line["outcome"], &line["status"]), (&"refused".into(), &status.into()), "{shown}: {line}");
        assert_eq!((&line["code"], line["request_id"].as_str()), (&code.into(), reply.header("x-request-id")));
        assert!(line["bytes_out"].as_u64() > Some(100), "{line}");
        assert!(!line.to_string().contains("hush"), "{line}");
    }
    for head in [header(95, 100), header(1, 60_000), target(60_000)] {
        let mut stream = service.send(&head);
        let status = Reply::one(&mut stream).status();
        assert!(matches!(status, 200 | 404), "within the limits: {status}");
    }
}

/// The first request on a connection is answered by the service, the second is rejected by the library.
#[test]
fn a_refusal_follows_an_answer_on_the_same_connection() {
    let service = Service::start(&[]);
    let reply = service.ask("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\nnonsense\r\n\r\n");
    let text = String::from_utf8(reply.body).unwrap();
    let (first, second) = text.split_once("HTTP/1.1 400 Bad Request\r\n").unwrap();
    assert_eq!((reply.head.get(..12), first), (Some("HTTP/1.1 200"), "{\"status\":\"ok\"}"));
    assert!(second.contains("\"code\":\"bad-request\""), "{second}");
    assert_eq!(service.line("request")["outcome"], "answered");
    assert_eq!(service.line("request")["outcome"], "refused");
}

#[test]
fn broken_chunks_are_problems_and_logged() {
    let service = Service::start(&[]);
    let head = "POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
    for chunks in ["zz\r\n", "fffffffffffffffff\r\n", "3\r\nabcdef\r\n", &format!("1;{}\r\n", "x".repeat(100_000))] {
        let reply = service.ask(format!("{head}{chunks}"));
        reply.problem(400, "malformed-body");
        let line = service.line("request");
        assert_eq!((&line["outcome"], &line["status"]), (&"answered".into(), &400.into()), "{line}");
    }
}

#[test]
fn an_interim_answer_passes() {
    let service = Service::start(&[]);
    let body = "{\"files\":{\"a.tf\":\"\"}}";
    let mut stream = service.send(format!(
        "POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\
         Expect: 100-continue\r\nConnection: close\r\n\r\n",
        body.len()
    ));
    let mut interim = [0; 25];
    std::io::Read::read_exact(&mut stream, &mut interim).unwrap();
    assert_eq!(&interim, b"HTTP/1.1 100 Continue\r\n\r\n");
    std::io::Write::write_all(&mut stream, body.as_bytes()).unwrap();
    assert_eq!(Reply::all(&mut stream).status(), 200);
}

const BODY: &str = "{\"files\":{\"a.tf\":\"\"}}";

/// Returns a merge request with these header fields; the body is a single chunk.
fn chunked(version: &str, fields: &str) -> String {
    format!(
        "POST /v1/merge HTTP/{version}\r\nContent-Type: application/json\r\n{fields}\r\n{:x}\r\n{BODY}\r\n0\r\n\r\n",
        BODY.len()
    )
}

#[test]
fn transfer_codings_and_expectations_that_are_not_understood_are_refused() {
    let service = Service::start(&[]);
    let host = "Host: localhost\r\nConnection: close\r\n";
    for (coding, status, code) in [
        ("chunked", 200, ""),
        ("Chunked", 200, ""),
        ("\tchunked ", 200, ""),
        ("chunked, chunked", 400, "bad-request"),
        ("chunked\r\nTransfer-Encoding: chunked", 400, "bad-request"),
        ("gzip, chunked", 501, "unsupported-transfer-coding"),
        ("gzip\r\nTransfer-Encoding: chunked", 501, "unsupported-transfer-coding"),
        ("x-hush, chunked", 501, "unsupported-transfer-coding"),
        ("identity, chunked", 501, "unsupported-transfer-coding"),
        // The end of these bodies is unknown (RFC 9112, 6.3).
        ("chunked, gzip", 400, "bad-request"),
        ("identity", 400, "bad-request"),
        ("gzip", 400, "bad-request"),
    ] {
        let reply = service.ask(chunked("1.1", &format!("{host}Transfer-Encoding: {coding}\r\n")));
        assert_eq!(reply.status(), status, "{coding:?}: {reply:?}");
        if status != 200 {
            reply.problem(status, code);
        }
    }
    let expecting = |value: &str| {
        let length = BODY.len();
        format!(
            "POST /v1/merge HTTP/1.1\r\nContent-Type: application/json\r\n{host}Content-Length: {length}\r\nExpect: {value}\r\n\r\n{BODY}"
        )
    };
    for value in ["200-ok", "100-continue, 200-ok", "100", "100-continue;q=1", "100-continue\r\nExpect: x"] {
        service.ask(expecting(value)).problem(417, "expectation-failed");
    }
    for value in ["100-continue", "100-Continue"] {
        let reply = service.ask(expecting(value));
        let text = format!("{}{}", reply.head, String::from_utf8_lossy(&reply.body));
        assert!(text.contains("HTTP/1.1 200 OK"), "{text}");
    }
    service.ask(format!("GET /livez HTTP/1.1\r\n{host}Expect: tea\r\n\r\n")).problem(417, "expectation-failed");
}

#[test]
fn a_host_that_is_none_is_refused_on_every_route() {
    let service = Service::start(&[]);
    for path in ["/livez", "/version", "/nothing"] {
        for (fields, good) in [
            ("Host: localhost\r\n", true),
            ("Host: localhost:\r\n", true),
            ("Host: localhost:65535\r\n", true),
            ("Host: [::1]:8080\r\n", true),
            ("", false),
            ("Host:\r\n", false),
            ("Host: localhost\r\nHost: localhost\r\n", false),
            ("Host: localhost:65536\r\n", false),
            ("Host: localhost:port\r\n", false),
            ("Host: localhost:80:80\r\n", false),
            ("Host: localhost:-1\r\n", false),
            ("Host: a@localhost\r\n", false),
            ("Host: localhost/a\r\n", false),
            ("Host: local host\r\n", false),
            ("Host: localhost, localhost\r\n", false),
            ("Host: local%zzhost\r\n", false),
            ("Host: [::1\r\n", false),
            ("Host: [localhost]\r\n", false),
            ("Host: http://localhost\r\n", false),
            ("Host: l\u{f6}calhost\r\n", false),
        ] {
            let reply = service.ask(format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{fields}\r\n"));
            if good {
                assert_eq!(
                    reply.status(),
                    if path == "/nothing" { 404 } else { 200 },
                    "{path} {fields:?}: {reply:?}"
                );
            } else {
                reply.problem(400, "bad-host");
            }
        }
    }
    for (target, good) in
        [("localhost:80", true), ("localhost:65536", false), ("a@localhost", false), ("localhost:x", false)]
    {
        let reply = service
            .ask(format!("GET http://{target}/version HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"));
        assert_eq!(reply.status(), if good { 200 } else { 400 }, "{target}: {reply:?}");
    }
}

/// A client that has sent everything may say so, and still gets its answer.
#[test]
fn a_connection_that_is_closed_in_one_direction_is_answered() {
    let service = Service::start(&["--max-work-units", "3000000"]);
    let length = BODY.len();
    let post = |version: &str| {
        format!(
            "POST /v1/merge HTTP/{version}\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n\r\n{BODY}"
        )
    };
    let get = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n".to_owned();
    let line = format!("{BODY}\n").repeat(100);
    let batch = format!(
        "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\nContent-Length: {}\r\n\r\n{line}",
        line.len()
    );
    for (request, answers) in [
        (post("1.1"), 1),
        (get.clone(), 1),
        (get.repeat(20), 20),
        (post("1.1").repeat(5), 5),
        (chunked("1.1", "Host: localhost\r\nTransfer-Encoding: chunked\r\n"), 1),
        (batch, 1),
    ] {
        for _ in 0..5 {
            let mut stream = service.send(&request);
            stream.shutdown(Shutdown::Write).unwrap();
            let reply = Reply::all(&mut stream);
            let all = [reply.head.as_bytes(), &reply.body].concat();
            let found = all.windows(12).filter(|at| at.starts_with(b"HTTP/1.") && at.ends_with(b" 200")).count();
            assert_eq!(found, answers, "{request:.60}: {}", String::from_utf8_lossy(&all));
        }
    }
    // Work that takes a while; there may be an interim answer.
    let mut stream = service.send(slow("a"));
    stream.shutdown(Shutdown::Write).unwrap();
    let reply = Reply::all(&mut stream);
    let all = format!("{}{}", reply.head, String::from_utf8_lossy(&reply.body));
    assert!(all.contains("HTTP/1.1 200 OK\r\n"), "{all:.300}");
    // A request that is not complete is none.
    let mut stream = service.send(post("1.1").trim_end_matches('}'));
    stream.shutdown(Shutdown::Write).unwrap();
    Reply::all(&mut stream).problem(400, "malformed-body");
}

/// The end of what a client sends looks the same when it leaves, but then nobody takes an interim answer.
#[test]
fn work_ends_when_its_client_leaves() {
    let service = Service::start(&UNLIMITED);
    let stream = service.send(slow("gone"));
    std::thread::sleep(Duration::from_millis(300));
    drop(stream);
    let left = Instant::now();
    let line = service.line("request");
    assert_eq!((&line["outcome"], &line["request_id"]), (&"aborted".into(), &"gone".into()), "{line}");
    assert!(left.elapsed() < Duration::from_secs(5), "{:?}", left.elapsed());
}

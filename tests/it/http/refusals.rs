//! Requests that the HTTP library rejects by itself: they get a problem and a line in the log, like everything else.

use crate::service::{Reply, Service};

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

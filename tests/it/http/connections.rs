//! Connections: their time-outs, their limit, and what happens to those beyond it. With real sockets.

use std::io::{Read as _, Write as _};
use std::net::TcpStream;
use std::process::Command;
use std::time::{Duration, Instant};

use serde_json::json;

use crate::service::{LARGE, PATIENCE, Reply, Service, head, is_closed, large, merge};

const LIVEZ: &str = "GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n";

#[test]
fn a_head_that_does_not_end_is_a_408() {
    let service = Service::start(&["--header-seconds", "1"]);
    let mut silent = service.connect();
    let mut half = service.send("GET /livez HTTP/1.1\r\nHost: localhost\r\nA: ");
    // A byte now and then does not help.
    for _ in 0..4 {
        std::thread::sleep(Duration::from_millis(200));
        half.write_all(b"a").unwrap();
    }
    let reply = Reply::all(&mut half);
    let problem = reply.problem(408, "timeout");
    assert!(problem["detail"].as_str().unwrap().contains("1 seconds"), "{problem}");
    assert_eq!(reply.header("connection"), Some("close"));
    assert!(reply.header("date").is_some());
    let line = service.line("request");
    assert_eq!(
        (&line["outcome"], &line["status"], &line["code"]),
        (&"refused".into(), &408.into(), &"timeout".into())
    );
    assert_eq!(line["request_id"].as_str(), reply.header("x-request-id"));
    assert!(is_closed(&mut silent), "who says nothing is reported nothing");
}

#[test]
fn the_second_head_on_a_connection_has_the_same_time() {
    let service = Service::start(&["--header-seconds", "1", "--idle-seconds", "3"]);
    let mut stream = service.send(LIVEZ);
    assert_eq!(Reply::one(&mut stream).status(), 200);
    std::thread::sleep(Duration::from_millis(1500));
    stream.write_all(b"GET /livez").unwrap();
    Reply::all(&mut stream).problem(408, "timeout");
}

#[test]
fn idle_connections_can_be_used_until_their_timeout() {
    let service = Service::start(&["--idle-seconds", "1", "--header-seconds", "20"]);
    let mut stream = service.send(LIVEZ);
    for _ in 0..3 {
        assert_eq!(Reply::one(&mut stream).status(), 200);
        std::thread::sleep(Duration::from_millis(100));
        stream.write_all(LIVEZ.as_bytes()).unwrap();
    }
    assert_eq!(Reply::one(&mut stream).status(), 200);
    let start = Instant::now();
    assert!(is_closed(&mut stream));
    assert!(start.elapsed() < Duration::from_secs(10), "{:?}", start.elapsed());
}

#[test]
fn a_stalled_body_of_any_form_is_a_408() {
    let service = Service::start(&["--body-gap-seconds", "1", "--timeout-seconds", "30"]);
    let plain = format!("{}\r\n{{", head(100, ""));
    let gzip = format!("{}\r\n", head(100, "Content-Encoding: gzip\r\n"));
    let gzip = [gzip.as_bytes(), &[0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 3]].concat();
    let form = "POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nContent-Type: multipart/form-data; boundary=XX\r\n\
                Content-Length: 1000\r\n\r\n--XX\r\nContent-Disposition: form-data; name=\"files\"; filename=\"a.tf\"\r\n\r\na";
    let chunked = "POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\n\
                   Transfer-Encoding: chunked\r\n\r\n5\r\n{\"fil";
    for request in [plain.as_bytes(), &gzip, form.as_bytes(), chunked.as_bytes()] {
        let start = Instant::now();
        let problem = service.ask(request).problem(408, "timeout");
        assert!(problem["detail"].as_str().unwrap().contains("body"), "{problem}");
        assert!(start.elapsed() < Duration::from_secs(15));
        let line = service.line("request");
        assert_eq!((&line["outcome"], &line["status"]), (&"answered".into(), &408.into()), "{line}");
    }
}

#[test]
fn a_slow_body_is_accepted_while_it_makes_progress() {
    let service = Service::start(&["--body-gap-seconds", "2"]);
    let request = merge("locals {\n}\n");
    let (first, rest) = request.split_at(request.len() - 5);
    let mut stream = service.send(first);
    for byte in rest.bytes() {
        std::thread::sleep(Duration::from_millis(600));
        stream.write_all(&[byte]).unwrap();
    }
    assert_eq!(Reply::one(&mut stream).status(), 200);
}

/// More answers than the socket buffers hold, however large the system lets them grow.
const MANY: usize = 40;

#[test]
fn a_client_that_does_not_read_its_answer_is_disconnected() {
    let service = Service::start(&["--write-seconds", "1"]);
    let whole = service.get(LARGE).body.len() as u64;
    assert!(whole > 1 << 20, "{whole}");
    let stream = service.send(large(MANY));
    let mut line = service.line("request");
    let mut answered = 0;
    while line["outcome"] == "answered" {
        assert_eq!(line["bytes_out"], whole, "{line}");
        answered += 1;
        assert!(answered < MANY, "all of it was buffered");
        line = service.line("request");
    }
    assert_eq!((&line["outcome"], &line["status"]), (&"aborted".into(), &200.into()), "{line}");
    assert!(line["bytes_out"].as_u64().unwrap() < whole, "{line}");
    drop(stream);
}

#[test]
fn a_slow_reader_gets_its_answers() {
    let service = Service::start(&["--write-seconds", "1"]);
    let whole = service.get(LARGE).body.len();
    assert_eq!(service.line("request")["outcome"], "answered");
    let mut stream = service.send(large(MANY));
    let mut taken = 0;
    let mut piece = vec![0; 4 << 20];
    // Several seconds in total, but never a second without data.
    while taken < MANY * whole {
        std::thread::sleep(Duration::from_millis(100));
        let read = stream.read(&mut piece).unwrap();
        assert_ne!(read, 0, "cut off after {taken} bytes");
        taken += read;
    }
    for _ in 0..MANY {
        assert_eq!(service.line("request")["outcome"], "answered");
    }
}

/// Starts a service with little room for answers.
fn with_room_for(answers: &str) -> Service {
    Service::start(&[
        "--max-answers-bytes",
        answers,
        "--max-memory-bytes",
        "67108864",
        "--concurrency",
        "2",
        "--queue-patience",
        "1000",
    ])
}

/// A request for an answer of some 17 MB, more than the system's buffers hold.
fn request_for_much() -> String {
    let body = json!({"stage": "load", "files": {"main.tf": format!("locals {{\n  a = \"{}\"\n}}\n", "x".repeat(8 << 20))},
        "include": ["config", "objects", "variables"], "config_format": "files"});
    let body = body.to_string();
    format!("{}\r\n{body}", head(body.len(), ""))
}

/// Clients that do not read large answers cost others nothing: neither small requests nor, after a moment, large ones.
#[test]
fn answers_that_nobody_reads_do_not_shut_out_others() {
    let service = with_room_for("8388608");
    let mut slow = Vec::new();
    for _ in 0..8 {
        slow.push(service.send(request_for_much()));
        // It has been read and is at work, or has been turned away.
        std::thread::sleep(Duration::from_millis(100));
        let small = merge("locals {\n}\n").replace("\r\nHost", "\r\nConnection: close\r\nHost");
        let reply = service.ask(small);
        assert_eq!(reply.status(), 200, "{reply:?}");
        assert_eq!(service.get("/readyz").status(), 200);
    }
    // Large requests take the memory of answers that have hardly been read.
    let end = Instant::now() + PATIENCE;
    loop {
        let more = request_for_much().replace("\r\nHost", "\r\nConnection: close\r\nHost");
        let reply = service.ask(more);
        if reply.status() == 200 {
            assert!(reply.json()["valid"] == true);
            break;
        }
        // On a slow machine the time-out comes first.
        let _ = if reply.status() == 408 { reply.problem(408, "timeout") } else { reply.problem(503, "overloaded") };
        assert!(Instant::now() < end, "large requests are shut out");
        std::thread::sleep(Duration::from_millis(300));
    }
    drop(slow);
}

/// The more memory an answer holds, the faster it has to be read.
#[test]
fn a_large_answer_must_not_be_read_in_sips() {
    let service = Service::start(&["--write-seconds", "1"]);
    let mut stream = service.send(request_for_much());
    let mut piece = vec![0; 128 << 10];
    let began = Instant::now();
    // 128 KiB in each second are enough for a small answer.
    let mut taken = 0;
    let cut_off = loop {
        match stream.read(&mut piece) {
            Ok(0) | Err(_) => break true,
            Ok(read) => taken += read,
        }
        // The system buffers some of the answer, but not all of it.
        std::thread::sleep(Duration::from_millis(500));
        if began.elapsed() > PATIENCE {
            break false;
        }
    };
    assert!(cut_off, "{taken} bytes");
    let line = service.line("request");
    assert_eq!((&line["outcome"], &line["status"]), (&"aborted".into(), &200.into()), "{line}");
}

#[test]
fn beyond_the_cap_only_probes_are_answered() {
    let service = Service::start(&["--max-connections", "2"]);
    let mut held: Vec<TcpStream> = (0..2).map(|_| service.send(LIVEZ)).collect();
    for stream in &mut held {
        assert_eq!(Reply::one(stream).status(), 200);
        service.line("request");
    }
    for path in ["/livez", "/readyz"] {
        assert_eq!(
            service.ask(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\n\r\n")).status(),
            200,
            "{path}, and closed"
        );
        service.line("request");
    }
    let reply = service.ask(merge(""));
    reply.problem(503, "overloaded");
    assert_eq!((reply.header("retry-after"), reply.header("connection")), (Some("1"), Some("close")));
    let line = service.line("request");
    assert_eq!((&line["status"], &line["code"]), (&503.into(), &"overloaded".into()), "{line}");
    // Connections within the limit continue, and a slot that is given up is free again.
    held[0].write_all(merge("").as_bytes()).unwrap();
    assert_eq!(Reply::one(&mut held[0]).status(), 200);
    held.clear();
    let end = Instant::now() + PATIENCE;
    while service.get("/version").status() != 200 {
        assert!(Instant::now() < end, "no place is freed");
    }
}

#[test]
fn probes_are_answered_despite_many_silent_connections() {
    let service = Service::start(&["--max-connections", "4"]);
    let mut held = Vec::new();
    for _ in 0..200 {
        held.push(service.send("GET /livez HTT"));
        if held.len() % 20 == 0 {
            assert_eq!(service.get("/livez").status(), 200, "with {} open connections", held.len());
        }
    }
}

/// The limit on open files is set so that the service cannot raise it.
#[cfg(target_os = "linux")]
#[test]
fn connections_fit_into_the_limit_of_open_files() {
    let mut command = Command::new("sh");
    command.args(["-c", "ulimit -n 160 && exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_overfold")]);
    let service = Service::start_by(command, &[]);
    let line = service.line("fewer connections than configured: the process cannot open more files");
    assert_eq!(line["connections"], 160 - 32 - 64, "{line}");
    let held: Vec<TcpStream> = (0..400).map(|_| service.send("G")).collect();
    assert_eq!(service.get("/livez").status(), 200);
    drop(held);
}

#[cfg(target_os = "linux")]
#[test]
fn running_out_of_descriptors_closes_silent_connections() {
    let service = Service::start(&["--max-connections", "1000"]);
    // Lowered without the service noticing.
    let limited = Command::new("prlimit").args(["--pid", &service.id().to_string(), "--nofile=100:100"]).status();
    if !limited.is_ok_and(|status| status.success()) {
        return;
    }
    let held: Vec<TcpStream> = (0..300).map(|_| service.send("G")).collect();
    assert_eq!(service.get("/livez").status(), 200);
    assert!(service.line("connections cannot be accepted")["ended"].as_u64().unwrap() > 0);
    drop(held);
}

#[test]
fn an_answer_before_the_body_reaches_a_client_that_is_still_sending() {
    let service = Service::start(&["--max-request-bytes", "1000"]);
    let mut stream = service.send(format!("{}\r\n", head(50 << 20, "")));
    // The service does not read the rest, but must not reset the connection because of it.
    let piece = vec![b' '; 64 << 10];
    for _ in 0..16 {
        if stream.write_all(&piece).is_err() {
            break;
        }
    }
    let problem = Reply::all(&mut stream).problem(413, "over-limit");
    assert_eq!(problem["limit"], json!({"name": "max-request-bytes", "value": 1000}));
}

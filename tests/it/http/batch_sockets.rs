//! `POST /v1/batch` on a connection: what is streamed, what waits for what, and what ends it. With real sockets.

use std::io::{BufRead as _, BufReader, ErrorKind, Read as _, Write as _};
use std::net::TcpStream;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use crate::service::{Reply, Service, UNLIMITED, merge, slow};

const HEAD: &str = "POST /v1/batch HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-ndjson\r\n\
                    Transfer-Encoding: chunked\r\nConnection: close\r\n\r\n";

fn small(id: impl Into<Value>) -> String {
    json!({"id": id.into(), "files": {"main.tf": "locals {\n}\n"}}).to_string()
}

/// Returns a line that keeps a worker busy for minutes, with [`UNLIMITED`].
fn endless(id: &str) -> String {
    let request = slow("");
    let mut body: Value = serde_json::from_str(request.split_once("\r\n\r\n").unwrap().1).unwrap();
    body["id"] = json!(id);
    body.to_string()
}

/// A batch in progress.
struct Batch {
    to: TcpStream,
    from: BufReader<TcpStream>,
}

impl Batch {
    fn open(service: &Service) -> Self {
        let to = service.send(HEAD);
        let from = BufReader::new(to.try_clone().unwrap());
        Self { to, from }
    }

    fn send(&mut self, bytes: &str) {
        write!(self.to, "{:x}\r\n{bytes}\r\n", bytes.len()).unwrap();
    }

    fn line(&mut self, line: &str) {
        self.send(&format!("{line}\n"));
    }

    fn end(&mut self) {
        self.to.write_all(b"0\r\n\r\n").unwrap();
    }

    fn text(&mut self) -> String {
        let mut text = String::new();
        self.from.read_line(&mut text).unwrap();
        text
    }

    fn head(&mut self) -> String {
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            let line = self.text();
            assert!(!line.is_empty(), "the connection has ended: {head}");
            head += &line;
        }
        assert!(
            head.starts_with("HTTP/1.1 200 ") && head.contains("content-type: application/x-ndjson\r\n"),
            "{head}"
        );
        head
    }

    /// Reads the next line: the service sends each as a chunk.
    fn answer(&mut self) -> Option<Value> {
        let size = usize::from_str_radix(self.text().trim(), 16).unwrap();
        let mut chunk = vec![0; size + 2];
        self.from.read_exact(&mut chunk).unwrap();
        if size == 0 {
            return None;
        }
        assert!(chunk.ends_with(b"}\n\r\n"), "{}", String::from_utf8_lossy(&chunk));
        Some(serde_json::from_slice(&chunk).unwrap())
    }

    /// Reads the last line and the end of the answer.
    fn last(&mut self, status: u16, code: &str) -> Value {
        let last = self.answer().unwrap();
        assert_eq!((&last["id"], &last["status"]), (&Value::Null, &json!(status)), "{last}");
        assert_eq!(last["problem"]["code"], code, "{last}");
        assert_eq!(self.answer(), None);
        last
    }
}

#[test]
fn answers_are_sent_as_soon_as_they_are_ready() {
    let service = Service::start(&[]);
    let mut batch = Batch::open(&service);
    // Head and answers arrive while the body continues, the client may wait for them, and chunks need not be lines.
    for n in 0..3 {
        let (first, rest) = (small(n), small(n + 10) + "\n");
        let (begin, end) = first.split_at(9);
        batch.send(begin);
        batch.send(&format!("{end}\n\n{rest}"));
        if n == 0 {
            batch.head();
        }
        let mut ids = [batch.answer().unwrap()["id"].clone(), batch.answer().unwrap()["id"].clone()];
        ids.sort_by_key(Value::as_u64);
        assert_eq!(ids, [json!(n), json!(n + 10)]);
    }
    batch.end();
    assert_eq!(batch.answer(), None);
    let line = service.line("request");
    assert_eq!(
        (&line["outcome"], &line["route"], &line["lines"], &line["lines_refused"]),
        (&json!("answered"), &json!("/v1/batch"), &json!(6), &json!(0)),
        "{line}"
    );
}

#[test]
fn a_slow_line_does_not_delay_quick_ones() {
    let service = Service::start(&[&UNLIMITED[..], &["--concurrency", "2", "--timeout-seconds", "3"]].concat());
    let mut batch = Batch::open(&service);
    let began = Instant::now();
    batch.line(&endless("slow"));
    for n in 0..50 {
        batch.line(&small(n));
    }
    batch.line("{\"id\": \"bad\"");
    batch.end();
    batch.head();
    let mut quick: Vec<Value> = (0..51).map(|_| batch.answer().unwrap()["id"].clone()).collect();
    assert!(quick.contains(&json!(52)), "the bad line: {quick:?}");
    quick.retain(|id| *id != json!(52));
    quick.sort_by_key(Value::as_u64);
    assert_eq!(quick, (0..50).map(|n| json!(n)).collect::<Vec<_>>());
    let slow = batch.answer().unwrap();
    assert_eq!((&slow["id"], &slow["line"], &slow["status"]), (&json!("slow"), &json!(1), &json!(408)), "{slow}");
    assert!(began.elapsed() >= Duration::from_secs(3));
    assert_eq!(batch.answer(), None);
}

#[test]
fn a_client_that_does_not_read_is_not_read_from() {
    let service = Service::start(&["--write-seconds", "15", "--body-gap-seconds", "1"]);
    let mut batch = Batch::open(&service);
    // Answers are larger than their lines, so answers cannot pile up unnoticed.
    let line = json!({"files": {"main.tf": "locals {\n}\n".repeat(500)}, "include": ["objects", "config", "files"]});
    let line = format!("{line}\n");
    let chunk = format!("{:x}\r\n{line}\r\n", line.len());
    batch.to.set_write_timeout(Some(Duration::from_secs(2))).unwrap();
    let mut sent = 0;
    let blocked = loop {
        match batch.to.write_all(chunk.as_bytes()) {
            Ok(()) => sent += 1,
            Err(error) => break error,
        }
        assert!(sent * chunk.len() < 256 << 20, "whatever is sent is taken");
    };
    assert!(matches!(blocked.kind(), ErrorKind::WouldBlock | ErrorKind::TimedOut), "{blocked}");
    // Lines that have been accepted are completed, and no others begin; the client is dropped later.
    let began = Instant::now();
    wait_until("work goes on for a client that does not read", || !busy(&service));
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let metrics = String::from_utf8(service.get("/metrics").body).unwrap();
    let gauge = |name: &str| {
        let line = metrics.lines().find(|line| line.starts_with(name)).unwrap();
        line.rsplit_once(' ').unwrap().1.parse::<u64>().unwrap()
    };
    assert_eq!(
        gauge("overfold_work_in_progress{class=\"small\"}"),
        0,
        "work goes on for a client that does not read"
    );
    assert!(gauge("overfold_bodies_held_bytes") < 1 << 20);
    assert!(gauge("overfold_answers_held_bytes") < 64 << 20);
    // Finally the client is dropped.
    let line = loop {
        let line = service.line("request");
        if line["route"] == "/v1/batch" {
            break line;
        }
    };
    assert_eq!((&line["outcome"], &line["status"]), (&json!("aborted"), &json!(200)), "{line}");
    assert!(line["lines"].as_u64().unwrap() < sent as u64, "{line}");
}

#[test]
fn a_late_reader_gets_everything() {
    let service = Service::start(&["--body-gap-seconds", "1", "--write-seconds", "60"]);
    let mut batch = Batch::open(&service);
    let line = json!({"files": {"main.tf": "locals {\n}\n".repeat(500)}, "include": ["objects", "config", "files"]});
    let mut to = batch.to.try_clone().unwrap();
    let lines = 1000;
    let sender = std::thread::spawn(move || {
        let chunk = format!("{:x}\r\n{line}\n\r\n", line.to_string().len() + 1);
        for _ in 0..lines {
            to.write_all(chunk.as_bytes()).unwrap();
        }
        to.write_all(b"0\r\n\r\n").unwrap();
    });
    std::thread::sleep(Duration::from_secs(3));
    batch.head();
    for _ in 0..lines {
        assert_eq!(batch.answer().unwrap()["status"], 200);
    }
    assert_eq!(batch.answer(), None);
    sender.join().unwrap();
}

fn busy(service: &Service) -> bool {
    let metrics = String::from_utf8(service.get("/metrics").body).unwrap();
    metrics.lines().any(|line| line.starts_with("overfold_work_in_progress{") && !line.ends_with(" 0"))
}

fn wait_until(what: &str, condition: impl Fn() -> bool) {
    let began = Instant::now();
    while !condition() {
        assert!(began.elapsed() < Duration::from_secs(20), "{what}");
        std::thread::sleep(Duration::from_millis(50));
    }
}

#[test]
fn a_client_that_leaves_cancels_the_work() {
    let service = Service::start(&[&UNLIMITED[..], &["--concurrency", "2", "--timeout-seconds", "600"]].concat());
    // At most as many lines as are accepted at once: with more, the service would not have read to the end of the body.
    for (lines, end) in [(1, false), (1, true), (4, false), (4, true)] {
        let mut batch = Batch::open(&service);
        for n in 0..lines {
            batch.line(&endless(&n.to_string()));
        }
        if end {
            batch.end();
        }
        batch.head();
        wait_until("nothing begins", || busy(&service));
        drop(batch);
        wait_until(&format!("{lines} lines, body ended: {end}: the work goes on"), || !busy(&service));
        let line = loop {
            let line = service.line("request");
            if line["route"] == "/v1/batch" {
                break line;
            }
        };
        assert_eq!(line["outcome"], "aborted", "{line}");
    }
}

#[test]
fn silence_ends_a_batch_unless_the_client_waits_for_an_answer() {
    let args = ["--concurrency", "2", "--body-gap-seconds", "1", "--timeout-seconds", "4"];
    let service = Service::start(&[&UNLIMITED[..], &args].concat());
    let mut batch = Batch::open(&service);
    batch.line(&endless("slow"));
    batch.head();
    assert_eq!(batch.answer().unwrap()["status"], 408, "the line has its own time");
    batch.line(&small("next"));
    assert_eq!(batch.answer().unwrap()["status"], 200, "the client was not silent, it waited");
    batch.send("{\"id\"");
    let last = batch.last(408, "timeout");
    assert_eq!(last["line"], 3, "{last}");
    // Bytes that do not form a line keep the batch alive only for a limited time.
    let mut batch = Batch::open(&service);
    batch.line(&small("first"));
    batch.head();
    assert_eq!(batch.answer().unwrap()["id"], "first");
    let began = Instant::now();
    let mut to = batch.to.try_clone().unwrap();
    let dripping = std::thread::spawn(move || {
        for _ in 0..100 {
            if to.write_all(b"1\r\n\n\r\n").is_err() {
                return;
            }
            std::thread::sleep(Duration::from_millis(200));
        }
    });
    let last = batch.last(408, "timeout");
    assert!(last["problem"]["detail"].as_str().unwrap().contains("line"), "{last}");
    assert!(began.elapsed() < Duration::from_secs(15));
    drop(batch);
    dripping.join().unwrap();
    // Without a first line the answer is an ordinary problem.
    let mut stream = service.send(HEAD);
    Reply::all(&mut stream).problem(408, "timeout");
}

#[test]
fn a_busy_service_makes_a_batch_wait_and_not_others() {
    let args = ["--concurrency", "1", "--queue", "0", "--timeout-seconds", "30"];
    let service = Service::start(&args);
    let mut batch = Batch::open(&service);
    let line = json!({"files": {"main.tf": "locals {\n}\n".repeat(2000)}}).to_string();
    let mut to = batch.to.try_clone().unwrap();
    let sender = std::thread::spawn(move || {
        for _ in 0..400 {
            let _ = write!(to, "{:x}\r\n{line}\n\r\n", line.len() + 1);
        }
        let _ = to.write_all(b"0\r\n\r\n");
    });
    batch.head();
    let mut stream = service.send("");
    for n in 0..400 {
        assert_eq!(batch.answer().unwrap()["status"], 200, "answer {n}");
        if n % 20 == 0 {
            stream.write_all(merge("locals {\n}\n").as_bytes()).unwrap();
            assert_eq!(Reply::one(&mut stream).status(), 200, "other requests are served meanwhile");
        }
    }
    assert_eq!(batch.answer(), None);
    sender.join().unwrap();
}

#[test]
fn a_stopping_service_stops_reading_and_reports_it() {
    let mut service = Service::start(&["--grace-seconds", "10"]);
    let mut batch = Batch::open(&service);
    batch.line(&small("first"));
    batch.head();
    assert_eq!(batch.answer().unwrap()["id"], "first");
    service.signal("TERM");
    let last = batch.last(503, "draining");
    assert_eq!(last["line"], 2, "{last}");
    let (status, took) = service.end();
    assert!(status.success() && took < Duration::from_secs(9), "{status} after {took:?}");

    let args = [&UNLIMITED[..], &["--grace-seconds", "4", "--timeout-seconds", "600"]].concat();
    let mut service = Service::start(&args);
    let mut batch = Batch::open(&service);
    batch.line(&endless("slow"));
    batch.head();
    service.signal("TERM");
    let slow = batch.answer().unwrap();
    assert_eq!((&slow["id"], &slow["status"]), (&json!("slow"), &json!(503)), "what is under way is told");
    batch.last(503, "draining");
    assert!(service.end().0.success());
}

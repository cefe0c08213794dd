//! Shutdown: what is in progress, what is not, and how long it takes.

use std::io::Write as _;
use std::net::TcpStream;
use std::time::{Duration, Instant};

use crate::service::{Reply, Service, UNLIMITED, head, is_closed, merge, slow};

/// The time that the machine may add to a stated time.
const SLACK: Duration = Duration::from_secs(15);

fn idle(service: &Service) -> TcpStream {
    let mut stream = service.send("GET /livez HTTP/1.1\r\nHost: localhost\r\n\r\n");
    Reply::one(&mut stream);
    stream
}

#[test]
fn idle_connections_do_not_delay_shutdown() {
    for signal in ["TERM", "INT"] {
        let mut service = Service::start(&["--grace-seconds", "30"]);
        let mut open = [service.connect(), idle(&service)];
        service.signal(signal);
        let (status, took) = service.end();
        assert!(status.success() && took < SLACK, "{signal}: {status} after {took:?}");
        assert!(open.iter_mut().all(is_closed));
        assert!(service.rest_of_log().iter().any(|line| line["message"] == "stopped"));
    }
}

#[test]
fn a_request_under_way_is_answered_and_the_connection_closed() {
    let mut service = Service::start(&["--grace-seconds", "30"]);
    let request = merge("locals {\n  a = 1\n}\n");
    let (first, rest) = request.split_at(request.len() - 3);
    let mut stream = service.send(first);
    std::thread::sleep(Duration::from_millis(300));
    service.signal("TERM");
    service.line("stopping: no longer accepting connections");
    stream.write_all(rest.as_bytes()).unwrap();
    let reply = Reply::all(&mut stream);
    assert_eq!((reply.status(), reply.header("connection")), (200, Some("close")));
    let (status, took) = service.end();
    assert!(status.success() && took < SLACK, "{status} after {took:?}");
}

#[test]
fn a_draining_service_is_not_ready_but_answers() {
    let mut service = Service::start(&["--drain-seconds", "2"]);
    let mut kept = idle(&service);
    service.signal("TERM");
    service.line("stopping: no longer ready");
    service.get("/readyz").problem(503, "draining");
    assert_eq!(service.get("/livez").status(), 200);
    kept.write_all(merge("").as_bytes()).unwrap();
    let reply = Reply::all(&mut kept);
    assert_eq!((reply.status(), reply.header("connection")), (200, Some("close")));
    service.line("stopping: no longer accepting connections");
    assert!(service.end().0.success());
    assert!(TcpStream::connect(service.address).is_err());
}

#[test]
fn an_unfinished_request_delays_shutdown_briefly() {
    let mut service = Service::start(&["--grace-seconds", "60", "--timeout-seconds", "120"]);
    let mut half_head = service.send("GET /livez HTTP/1.1\r\nHost");
    let mut half_body = service.send(format!("{}\r\n{{", head(100, "")));
    std::thread::sleep(Duration::from_millis(300));
    service.signal("TERM");
    let (status, took) = service.end();
    assert!(status.success() && took < Duration::from_secs(2) + SLACK, "{status} after {took:?}");
    assert!(is_closed(&mut half_head));
    Reply::all(&mut half_body).problem(503, "draining");
    let lines: Vec<_> = service.rest_of_log().into_iter().filter(|line| line["message"] == "request").collect();
    assert!(lines.iter().any(|line| line["status"] == 503), "{lines:?}");
}

#[test]
fn work_that_outlives_the_grace_is_given_up() {
    let mut service = Service::start(&[&["--grace-seconds", "1", "--concurrency", "1"], &UNLIMITED[..]].concat());
    let mut streams: Vec<TcpStream> = ["at-work", "waiting"].map(|id| service.send(slow(id))).into();
    std::thread::sleep(Duration::from_millis(500));
    service.signal("TERM");
    let (status, took) = service.end();
    assert!(status.success() && took < Duration::from_secs(2) + SLACK, "{status} after {took:?}");
    for stream in &mut streams {
        Reply::all(stream).problem(503, "draining");
    }
    assert!(service.rest_of_log().iter().any(|line| line["message"] == "stopped"));
}

#[test]
fn a_second_signal_stops_the_service_at_once() {
    for drain in ["0", "60"] {
        let mut service =
            Service::start(&[&["--drain-seconds", drain, "--grace-seconds", "60"], &UNLIMITED[..]].concat());
        let stream = service.send(slow("late"));
        std::thread::sleep(Duration::from_millis(300));
        service.signal("TERM");
        service.line("stopping: no longer ready");
        std::thread::sleep(Duration::from_millis(200));
        service.signal("TERM");
        let (status, took) = service.end();
        assert!(took < SLACK, "after {took:?}");
        assert_eq!(status.code(), Some(1));
        drop(stream);
    }
}

/// A worker becomes free soon after its client has left.
#[test]
fn work_whose_client_has_left_is_cancelled() {
    let service = Service::start(&[&["--concurrency", "1", "--timeout-seconds", "60"], &UNLIMITED[..]].concat());
    for id in ["first", "second", "third"] {
        let stream = service.send(slow(id));
        std::thread::sleep(Duration::from_secs(1));
        drop(stream);
    }
    let start = Instant::now();
    let mut stream = service.send(merge("locals {\n}\n"));
    assert_eq!(Reply::one(&mut stream).status(), 200);
    // The work of the third alone would take a minute.
    assert!(start.elapsed() < Duration::from_secs(30), "{:?}", start.elapsed());
}

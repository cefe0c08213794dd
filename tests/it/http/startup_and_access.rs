//! Access rules of the real process: how it starts, what it logs, how tokens change while it runs.

use std::fs;
use std::io::BufRead as _;
use std::time::{Duration, Instant};

use serde_json::Value;

use crate::cli::{Service, overfold, run, stop};

fn request(head: &str, body: &str) -> String {
    format!(
        "{head}\r\nConnection: close\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n{body}",
        body.len()
    )
}

fn merge(token: &str) -> String {
    let head = format!("POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nAuthorization: Bearer {token}");
    request(&head, r#"{"files": {"main.tf": ""}}"#)
}

fn status(answer: &str) -> &str {
    answer.split(' ').nth(1).unwrap_or_default()
}

/// Returns a token and its line, as the command prints them.
fn token(name: &str) -> (String, String) {
    let (code, line, token) = run(&["token", name]);
    assert_eq!(code, 0, "{token}");
    assert!(line.starts_with(&format!("{name}:sha256:")) && line.ends_with('\n'), "{line}");
    (token.trim_end().to_owned(), line)
}

#[test]
fn listening_on_all_addresses_needs_an_explicit_choice() {
    for address in ["0.0.0.0:0", "[::]:0", "[::ffff:0.0.0.0]:0"] {
        let (code, _, err) = run(&["serve", "--listen", address]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains("--token-file") && err.contains("--allow-anonymous"), "{err}");
    }
    let (mut service, _log) = Service::start(&["--listen", "0.0.0.0:0", "--allow-anonymous"]);
    let port = service.address.port();
    service.address = ([127, 0, 0, 1], port).into();
    assert_eq!(status(&service.ask(&request("GET /version HTTP/1.1\r\nHost: any.test", ""))), "200");
    let (code, _, err) = run(&["serve", "--allow-anonymous", "--token-file", "x"]);
    assert!(code == 2 && err.contains("one of them"), "{err}");
    // A value that switches the setting off is equivalent to leaving it out.
    let off = overfold().args(["serve", "--listen", "0.0.0.0:0"]).env("OVERFOLD_ALLOW_ANONYMOUS", "false").output();
    assert_eq!(off.unwrap().status.code(), Some(2));
}

#[test]
fn unusable_token_files_are_reported_at_startup() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens");
    let path = file.to_str().unwrap();
    let (_, line) = token("a");
    for (content, word) in [
        (None, "tokens"),
        (Some(String::new()), "contains no token"),
        (Some("# nothing\n".to_owned()), "contains no token"),
        (Some(format!("{line}\nhush-hush\n")), "line 3"),
        (Some(format!("{line}{line}")), "line 2"),
        (Some("x".repeat((1 << 20) + 1)), "1048576 bytes"),
    ] {
        match content {
            Some(content) => fs::write(&file, content).unwrap(),
            None => assert!(!file.exists()),
        }
        let (code, _, err) = run(&["serve", "--listen", "127.0.0.1:0", "--token-file", path]);
        assert_eq!(code, 2, "{err}");
        assert!(err.contains(word) && err.contains(path) && !err.contains("hush"), "{err}");
    }
    let (code, _, err) = run(&["serve", "--token-file", folder.path().to_str().unwrap()]);
    assert!(code == 2 && err.contains("regular file"), "{err}");
}

#[test]
fn tokens_come_and_go_while_the_service_runs() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("tokens");
    let ((old, old_line), (new, new_line)) = (token("old"), token("new"));
    fs::write(&file, &old_line).unwrap();
    let (mut service, log) = Service::start(&["--listen", "127.0.0.1:0", "--token-file", file.to_str().unwrap()]);
    let ask = |token: &str| status(&service.ask(&merge(token))).to_owned();
    let until = |token: &str, wanted: &str| {
        let start = Instant::now();
        while ask(token) != wanted {
            assert!(start.elapsed() < Duration::from_mins(1), "still not {wanted}");
            std::thread::sleep(Duration::from_millis(100));
        }
    };
    assert_eq!((ask(&old), ask(&new), ask("hush-hush")), ("200".into(), "401".into(), "401".into()));
    assert_eq!(run(&["healthcheck", "--listen", &service.address.to_string()]).0, 0);

    fs::write(&file, format!("{old_line}{new_line}")).unwrap();
    until(&new, "200");
    assert_eq!(ask(&old), "200");
    // Of the same length as before.
    fs::write(&file, format!("{new_line}# {}\n", "x".repeat(old_line.len() - 3))).unwrap();
    until(&old, "401");
    assert_eq!(ask(&new), "200");
    // A broken or missing file changes nothing.
    fs::write(&file, "hush-hush\n").unwrap();
    std::thread::sleep(Duration::from_secs(5));
    assert_eq!(ask(&new), "200");
    fs::remove_file(&file).unwrap();
    std::thread::sleep(Duration::from_secs(3));
    assert_eq!(ask(&new), "200");
    // A file without tokens does.
    fs::write(&file, "# nobody\n").unwrap();
    until(&new, "401");

    stop(&service.process);
    assert!(service.process.wait().unwrap().success());
    let log: Vec<String> = log.lines().map(Result::unwrap).collect();
    let text = log.join("\n");
    assert!(!text.contains("hush") && !text.contains(&old) && !text.contains(&new), "{text}");
    let digest = |line: &str| line.trim_end().rsplit(':').next().unwrap().to_owned();
    assert!(!text.contains(&digest(&old_line)), "{text}");
    let lines: Vec<Value> = log.iter().map(|line| serde_json::from_str(line).unwrap()).collect();
    let errors = |word: &str| {
        lines.iter().filter(|line| line["level"] == "ERROR" && line["error"].as_str().unwrap().contains(word)).count()
    };
    assert_eq!((errors("line 1"), errors("tokens")), (1, 2), "each is reported once: {text}");
    let callers: Vec<&str> = lines.iter().filter_map(|line| line["caller"].as_str()).collect();
    assert!(callers.contains(&"old") && callers.contains(&"new"), "{text}");
    let refused: Vec<&Value> = lines.iter().filter(|line| line["status"] == 401).collect();
    assert!(!refused.is_empty() && refused.iter().all(|line| line["caller"].is_null()), "{text}");
}

/// The reader of the log has gone; clients need not notice.
#[test]
fn an_unread_log_does_not_stop_answers() {
    let (service, log) = Service::start(&["--listen", "127.0.0.1:0"]);
    drop(log);
    for _ in 0..3 {
        assert_eq!(status(&service.ask(&request("GET /version HTTP/1.1\r\nHost: localhost", ""))), "200");
    }
}

#[test]
fn hosts_and_origins_are_checked_on_the_wire() {
    let (service, _log) = Service::start(&["--listen", "127.0.0.1:0", "--allowed-host", "a.test,[2001:db8::1]"]);
    for (head, wanted) in [
        ("GET /version HTTP/1.1\r\nHost: localhost", "200"),
        ("GET /version HTTP/1.1\r\nHost: a.test:80", "200"),
        ("GET /version HTTP/1.1\r\nHost: [2001:db8::1]", "200"),
        ("GET /version HTTP/1.1\r\nHost: evil.test", "403"),
        ("GET /version HTTP/1.1", "400"),
        ("GET /livez HTTP/1.1", "400"),
        ("GET /livez HTTP/1.0", "200"),
        ("GET /version HTTP/1.0", "403"),
        ("GET /version HTTP/1.1\r\nHost: localhost\r\nHost: localhost", "400"),
        ("GET /version HTTP/1.1\r\nHost: localhost\r\nHost: evil.test", "400"),
        ("GET /version HTTP/1.1\r\nHost:", "400"),
        ("GET http://evil.test/version HTTP/1.1\r\nHost: localhost", "403"),
        ("GET http://localhost/version HTTP/1.1\r\nHost: localhost", "200"),
        ("GET /version HTTP/1.1\r\nHost: localhost\r\nOrigin: http://evil.test", "403"),
        ("POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: cross-site", "403"),
        ("POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nSec-Fetch-Site: same-origin", "200"),
        ("OPTIONS * HTTP/1.1\r\nHost: evil.test", "403"),
    ] {
        let answer = service.ask(&request(head, r#"{"files": {}}"#));
        assert_eq!(status(&answer), wanted, "{head}\n{answer}");
        assert!(answer.contains("\r\nx-frame-options: DENY\r\n") && !answer.contains("\r\nserver:"), "{answer}");
    }
}

#[test]
fn a_collector_of_traces_must_be_one_that_can_be_used() {
    for wrong in ["localhost:4318", "https://collector", "http://user:password@collector"] {
        let (code, _, err) = run(&["serve", "--otlp-endpoint", wrong]);
        assert!(code == 2 && err.contains("--otlp-endpoint"), "{err}");
    }
    assert_eq!(run(&["serve", "--otlp-ratio", "2"]).0, 2);
}

#[cfg(not(feature = "otlp"))]
#[test]
fn a_program_without_traces_says_so() {
    let (code, _, err) = run(&["serve", "--otlp-endpoint", "http://localhost:4318"]);
    assert!(code == 2 && err.contains("--otlp-endpoint") && err.contains("built without traces"), "{err}");
}

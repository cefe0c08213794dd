//! A service for tests that need a socket or a signal: the real program, with access to its log.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::Value;

/// Longer than anything here takes, even on a busy machine.
pub(crate) const PATIENCE: Duration = Duration::from_mins(1);

/// A running service, killed at the end of the test.
pub(crate) struct Service {
    process: Child,
    pub(crate) address: SocketAddr,
    log: Receiver<Value>,
    /// The lines of the log before it listens.
    beginning: Vec<Value>,
}

impl Service {
    pub(crate) fn start(args: &[&str]) -> Self {
        Self::start_by(Command::new(env!("CARGO_BIN_EXE_overfold")), args)
    }

    /// Starts the service by another command that ends up as the service.
    pub(crate) fn start_by(mut command: Command, args: &[&str]) -> Self {
        command.args(["serve", "--listen", "127.0.0.1:0"]).args(args);
        Self::start_as(command)
    }

    /// Starts the service by a complete command; unless the command says otherwise, the service listens on a free port
    /// of this machine.
    pub(crate) fn start_as(mut command: Command) -> Self {
        for (name, _) in std::env::vars().filter(|(name, _)| name.starts_with("OVERFOLD_")) {
            command.env_remove(name);
        }
        command.env("OVERFOLD_LISTEN", "127.0.0.1:0").env("OVERFOLD_LOG_FORMAT", "json");
        let mut process = command.stderr(Stdio::piped()).spawn().unwrap();
        let lines = BufReader::new(process.stderr.take().unwrap()).lines();
        let (send, log) = channel();
        thread::spawn(move || {
            for line in lines.map_while(Result::ok) {
                let value = serde_json::from_str(&line).unwrap_or(Value::String(line));
                if send.send(value).is_err() {
                    return;
                }
            }
        });
        // The lines before it describe the resulting settings.
        let mut beginning = Vec::new();
        let listening = loop {
            let line = log.recv_timeout(PATIENCE).unwrap();
            if line["message"] == "listening" {
                break line;
            }
            beginning.push(line);
        };
        let address = listening["address"].as_str().unwrap().parse().unwrap();
        Self { process, address, log, beginning }
    }

    pub(crate) fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        stream
    }

    /// Connects and sends these bytes.
    pub(crate) fn send(&self, bytes: impl AsRef<[u8]>) -> TcpStream {
        let mut stream = self.connect();
        stream.write_all(bytes.as_ref()).unwrap();
        stream
    }

    /// Sends these bytes and reads until the connection ends.
    pub(crate) fn ask(&self, bytes: impl AsRef<[u8]>) -> Reply {
        Reply::all(&mut self.send(bytes))
    }

    pub(crate) fn get(&self, path: &str) -> Reply {
        self.ask(format!("GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"))
    }

    /// Returns the line of the log with this message from before the service listens.
    pub(crate) fn before_listening(&self, message: &str) -> &Value {
        let found = self.beginning.iter().find(|line| line["message"] == message);
        found.ok_or_else(|| format!("no line {message:?}: {:?}", self.beginning)).unwrap()
    }

    /// Returns the next line of the log with this message.
    pub(crate) fn line(&self, message: &str) -> Value {
        let end = Instant::now() + PATIENCE;
        loop {
            let line = self.log.recv_timeout(end.saturating_duration_since(Instant::now()));
            let line = line.map_err(|_| format!("no line {message:?}")).unwrap();
            if line["message"] == message {
                return line;
            }
        }
    }

    pub(crate) fn signal(&self, name: &str) {
        let status = Command::new("kill").args([&format!("-{name}"), &self.process.id().to_string()]).status();
        assert!(status.unwrap().success());
    }

    /// Waits for the service to end, and returns its status and how long that took.
    pub(crate) fn end(&mut self) -> (ExitStatus, Duration) {
        let start = Instant::now();
        loop {
            if let Some(status) = self.process.try_wait().unwrap() {
                return (status, start.elapsed());
            }
            assert!(start.elapsed() < 2 * PATIENCE, "the service does not end");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns the id of its process.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns the rest of the log once the service has ended.
    pub(crate) fn rest_of_log(&self) -> Vec<Value> {
        self.log.iter().collect()
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// What was received on a connection.
#[derive(Debug)]
pub(crate) struct Reply {
    pub(crate) head: String,
    pub(crate) body: Vec<u8>,
}

impl Reply {
    /// Reads until the service ends the connection.
    pub(crate) fn all(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        let mut piece = vec![0; 64 << 10];
        loop {
            let read = match stream.read(&mut piece) {
                Err(error) if error.kind() == std::io::ErrorKind::ConnectionReset => 0,
                read => read.unwrap(),
            };
            if read == 0 {
                break;
            }
            bytes.extend_from_slice(&piece[..read]);
        }
        Self::of(&bytes)
    }

    /// Reads one answer, on a connection that stays open.
    pub(crate) fn one(stream: &mut TcpStream) -> Self {
        let mut bytes = Vec::new();
        let mut byte = [0];
        while !bytes.ends_with(b"\r\n\r\n") {
            stream.read_exact(&mut byte).unwrap();
            bytes.push(byte[0]);
        }
        let mut reply = Self::of(&bytes);
        let length = reply.header("content-length").unwrap().parse().unwrap();
        reply.body = vec![0; length];
        stream.read_exact(&mut reply.body).unwrap();
        reply
    }

    fn of(bytes: &[u8]) -> Self {
        let end = bytes.windows(4).position(|four| four == b"\r\n\r\n").map_or(bytes.len(), |at| at + 4);
        let head = String::from_utf8(bytes[..end].to_vec()).unwrap();
        Self { head, body: bytes[end..].to_vec() }
    }

    /// Returns the status, or 0 if nothing was received.
    pub(crate) fn status(&self) -> u16 {
        self.head.get(9..12).map_or(0, |status| status.parse().unwrap())
    }

    pub(crate) fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| {
            let (found, value) = line.split_once(": ")?;
            found.eq_ignore_ascii_case(name).then_some(value)
        })
    }

    pub(crate) fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap()
    }

    /// Checks that this is a well-formed problem, and returns it.
    pub(crate) fn problem(&self, status: u16, code: &str) -> Value {
        assert_eq!(self.status(), status, "{self:?}");
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{self:?}");
        let problem = self.json();
        assert_eq!((&problem["status"], &problem["code"]), (&status.into(), &code.into()), "{problem}");
        assert_eq!(problem["instance"].as_str(), self.header("x-request-id"), "{problem}");
        assert_ne!(problem["detail"], "", "{problem}");
        problem
    }
}

/// Returns a merge request for one file; the connection stays open.
pub(crate) fn merge(main: &str) -> String {
    let body = serde_json::json!({"files": {"main.tf": main}}).to_string();
    format!("{}\r\n{body}", head(body.len(), ""))
}

/// Returns a merge request with this id that keeps a worker busy for minutes, if the service was started with
/// [`UNLIMITED`].
pub(crate) fn slow(id: &str) -> String {
    let loops = "length([for a in range(1000) : length([for b in range(1000) : length(range(1000))])])";
    let condition = format!("length([for a in range(1000) : {loops}]) > 0");
    let variables: Vec<String> = (0..100)
        .map(|n| {
            format!(
                "variable \"v{n}\" {{\n  default = 1\n  validation {{\n    condition = {condition}\n    \
                 error_message = \"No.\"\n  }}\n}}\n"
            )
        })
        .collect();
    let body = serde_json::json!({"files": {"main.tf": variables.concat()}, "variables": {}}).to_string();
    format!("{}\r\n{body}", head(body.len(), &format!("X-Request-Id: {id}\r\n")))
}

/// Settings that remove the limits on the cost of a request.
pub(crate) const UNLIMITED: [&str; 4] =
    ["--max-work-units", "18446744073709551615", "--max-memory-bytes", "18446744073709551615"];

/// The path of an answer that costs the service nothing and is larger than a mebibyte.
pub(crate) const LARGE: &str = "/docs/swagger-ui-bundle.js";

/// Returns this many requests for [`LARGE`], for a single connection.
pub(crate) fn large(count: usize) -> String {
    format!("GET {LARGE} HTTP/1.1\r\nHost: localhost\r\n\r\n").repeat(count)
}

/// Returns the head of a merge request without its empty line; `more` are additional header fields.
pub(crate) fn head(length: usize, more: &str) -> String {
    format!(
        "POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {length}\r\n{more}"
    )
}

/// Whether the service has ended a connection on which it had nothing to send.
pub(crate) fn is_closed(stream: &mut TcpStream) -> bool {
    matches!(stream.read(&mut [0]), Ok(0))
}

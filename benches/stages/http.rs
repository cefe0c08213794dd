//! Requests: decoded, answered in this process, and answered over HTTP by the server binary.

use std::hint::black_box;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use bytes::Bytes;
use http_body_util::BodyExt as _;
use overfold_cli::api::{AppState, router};
use overfold_cli::settings::Settings;
use overfold_cli::source::{ArchiveFormat, JsonFiles, Limits, Payload, read};
use serde::de::DeserializeSeed as _;
use serde_json::value::RawValue;
use tokio::runtime::{Builder, Runtime};
use tower::ServiceExt as _;

use crate::inputs::Input;
use crate::parts::Part;
use crate::recorder::Recorder;

/// One module as a request, with the means to answer it.
pub(crate) struct HttpClient {
    json: Bytes,
    tar: Bytes,
    runtime: Runtime,
    router: Router,
    service: Service,
}

impl HttpClient {
    pub(crate) fn new(input: &Input) -> Self {
        let runtime = Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
        let mut settings = Settings::for_testing();
        let limits = Limits::default();
        settings.limits.body.max_request_bytes = limits.request_bytes;
        settings.limits.body.max_unpacked_bytes = limits.unpacked_bytes;
        settings.limits.request.max_file_bytes = limits.file_bytes;
        settings.limits.request.max_syntax_tokens = 10_000_000;
        let router = router(&AppState::new(settings));
        Self { json: json(input), tar: tar(input), runtime, router, service: Service::start() }
    }

    /// Decodes the bytes of a body to files.
    pub(crate) fn decode(&self, recorder: &mut impl Recorder) {
        #[derive(serde::Deserialize)]
        struct Whole<'a> {
            #[serde(borrow)]
            files: &'a RawValue,
        }
        let limits = Limits::default();
        recorder.skip();
        let whole: Whole<'_> = serde_json::from_slice(&self.json).unwrap();
        let mut files = serde_json::Deserializer::from_str(whole.files.get());
        let files = JsonFiles::seed(&limits).deserialize(&mut files).unwrap();
        let upload = read(Payload::json(files), &limits).unwrap();
        recorder.lap(Part::JsonBody);
        drop(black_box(upload));
        recorder.skip();
        let upload =
            read(Payload::archive(ArchiveFormat::sniff(&self.tar).unwrap(), self.tar.clone()), &limits).unwrap();
        recorder.lap(Part::TarBody);
        drop(black_box(upload));
    }

    /// Sends the request through the router with all of its layers.
    pub(crate) fn in_process(&self, recorder: &mut impl Recorder) {
        for (part, path, kind, body) in [
            (Part::InProcess, "/v1/merge", "application/json", &self.json),
            (Part::InProcessTar, "/v1/merge?stage=load", "application/gzip", &self.tar),
        ] {
            let request = Request::post(path).header("host", "localhost").header("content-type", kind);
            let request = request.body(Body::from(body.clone())).unwrap();
            recorder.skip();
            let answer = self.runtime.block_on(async {
                let answer = self.router.clone().oneshot(request).await.unwrap();
                assert!(answer.status().is_success(), "{}", answer.status());
                answer.into_body().collect().await.unwrap().to_bytes()
            });
            drop(black_box(answer));
            recorder.lap(part);
        }
    }

    /// Sends the request to the server on a connection that stays open.
    pub(crate) fn over_http(&mut self, recorder: &mut impl Recorder) {
        recorder.skip();
        self.service.ask(&self.json);
        recorder.lap(Part::Http);
    }
}

/// The server process, stopped when it is dropped.
struct Service {
    process: Child,
    connection: BufReader<TcpStream>,
    answer: Vec<u8>,
}

impl Service {
    fn start() -> Self {
        let mut process = Command::new(env!("CARGO_BIN_EXE_overfold"))
            .args(["serve", "--listen", "127.0.0.1:0", "--log-format", "json"])
            .stderr(Stdio::piped())
            .spawn()
            .unwrap();
        let mut log = BufReader::new(process.stderr.take().unwrap());
        let address = loop {
            let mut line = String::new();
            assert!(log.read_line(&mut line).unwrap() > 0, "the service has not started");
            let line: serde_json::Value = serde_json::from_str(&line).unwrap();
            let member = |name: &str| line.get(name).and_then(serde_json::Value::as_str);
            if let (Some("listening"), Some(address)) = (member("message"), member("address")) {
                break address.to_owned();
            }
        };
        // The log must be read, or the server would block.
        std::thread::spawn(move || std::io::copy(&mut log, &mut std::io::sink()));
        let connection = TcpStream::connect(address).unwrap();
        connection.set_nodelay(true).unwrap();
        Self { process, connection: BufReader::with_capacity(1 << 16, connection), answer: Vec::new() }
    }

    fn ask(&mut self, body: &[u8]) {
        let head = format!(
            "POST /v1/merge HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/json\r\nContent-Length: {}\r\n\r\n",
            body.len()
        );
        let mut sent = self.connection.get_ref();
        sent.write_all(head.as_bytes()).unwrap();
        sent.write_all(body).unwrap();
        let mut line = String::new();
        self.connection.read_line(&mut line).unwrap();
        assert!(line.starts_with("HTTP/1.1 200"), "{line}");
        let mut length = 0;
        while line != "\r\n" {
            line.clear();
            self.connection.read_line(&mut line).unwrap();
            if let Some((_, value)) =
                line.split_once(": ").filter(|(name, _)| name.eq_ignore_ascii_case("content-length"))
            {
                length = value.trim().parse().unwrap();
            }
        }
        self.answer.resize(length, 0);
        self.connection.read_exact(&mut self.answer).unwrap();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

fn json(input: &Input) -> Bytes {
    let text = |bytes: &[u8]| serde_json::to_string(std::str::from_utf8(bytes).unwrap()).unwrap();
    let file = |file: &overfold_cli::files::SourceFile| {
        format!("{}:{}", text(file.path.as_str().as_bytes()), text(&file.bytes))
    };
    let files: Vec<String> = input.files.files().iter().map(file).collect();
    format!("{{\"dialect\":\"terraform\",\"stage\":\"load\",\"files\":{{{}}}}}", files.join(",")).into()
}

fn tar(input: &Input) -> Bytes {
    let mut archive = tar::Builder::new(flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default()));
    for file in input.files.files() {
        let mut header = tar::Header::new_gnu();
        header.set_size(file.bytes.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, file.path.as_str(), file.bytes.as_ref()).unwrap();
    }
    archive.into_inner().unwrap().finish().unwrap().into()
}

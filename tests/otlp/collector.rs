//! A collector that remembers what it receives.

use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{SocketAddr, TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;
use std::time::Duration;

use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::common::v1::KeyValue;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use prost::Message as _;
use serde_json::json;

use crate::service::PATIENCE;

/// A span as received; ids are in hexadecimal.
#[derive(Clone, Debug)]
pub(super) struct Span {
    pub(super) service: String,
    pub(super) name: String,
    pub(super) trace: String,
    pub(super) id: String,
    /// The id of the span that it is part of, or nothing.
    pub(super) parent: String,
    pub(super) state: String,
    /// 1 within the process, 2 for a request.
    pub(super) kind: i32,
    /// 0 unset, 2 error.
    pub(super) status: i32,
    /// Nanoseconds.
    pub(super) began: u64,
    pub(super) ended: u64,
    pub(super) attributes: serde_json::Value,
}

/// A collector.
pub(super) struct Collector {
    address: SocketAddr,
    received: Receiver<Vec<u8>>,
}

impl Collector {
    /// Starts a collector that accepts everything.
    pub(super) fn start() -> Self {
        Self::answering("HTTP/1.1 200 OK\r\nContent-Type: application/x-protobuf\r\nContent-Length: 0\r\n\r\n")
    }

    /// Starts a collector that refuses everything.
    pub(super) fn refusing() -> Self {
        Self::answering("HTTP/1.1 400 Bad Request\r\nContent-Length: 0\r\n\r\n")
    }

    fn answering(answer: &'static str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let (send, received) = channel();
        thread::spawn(move || {
            for stream in listener.incoming() {
                receive(&stream.unwrap(), answer, &send);
            }
        });
        Self { address, received }
    }

    pub(super) fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Returns the spans of the next batch.
    pub(super) fn next(&self) -> Vec<Span> {
        spans(&self.received.recv_timeout(PATIENCE).unwrap())
    }

    /// Returns the bytes of all batches, once the service has ended.
    pub(super) fn rest_of_bytes(&self) -> Vec<Vec<u8>> {
        let mut all = Vec::new();
        while let Ok(batch) = self.received.recv_timeout(Duration::from_millis(200)) {
            all.push(batch);
        }
        all
    }

    /// Returns the spans of all batches, once the service has ended.
    pub(super) fn rest(&self) -> Vec<Span> {
        self.rest_of_bytes().iter().flat_map(|batch| spans(batch)).collect()
    }
}

/// Reads one request, and answers it.
fn receive(mut stream: &TcpStream, answer: &str, to: &Sender<Vec<u8>>) {
    let mut reader = BufReader::new(stream);
    let mut head = Vec::new();
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line).unwrap() == 0 {
            return;
        }
        if line == "\r\n" {
            break;
        }
        head.push(line.to_lowercase());
    }
    assert_eq!(head[0], "post /v1/traces http/1.1\r\n");
    assert!(head.contains(&"content-type: application/x-protobuf\r\n".to_owned()), "{head:?}");
    let length = head.iter().find_map(|line| line.strip_prefix("content-length: ")).unwrap().trim().parse().unwrap();
    let mut body = vec![0; length];
    reader.read_exact(&mut body).unwrap();
    stream.write_all(answer.as_bytes()).unwrap();
    // The test may have ended.
    let _ = to.send(body);
}

/// Decodes a batch.
pub(super) fn spans(batch: &[u8]) -> Vec<Span> {
    let request = ExportTraceServiceRequest::decode(batch).unwrap();
    let hexadecimal = |bytes: &[u8]| {
        let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
        digits.map(|digit| char::from(b"0123456789abcdef"[usize::from(digit)])).collect::<String>()
    };
    let mut all = Vec::new();
    for resource in request.resource_spans {
        let service = attributes(&resource.resource.unwrap().attributes)["service.name"].as_str().unwrap().to_owned();
        for span in resource.scope_spans.into_iter().flat_map(|scope| scope.spans) {
            assert!(span.events.is_empty() && span.links.is_empty(), "{span:?}");
            all.push(Span {
                service: service.clone(),
                attributes: attributes(&span.attributes),
                trace: hexadecimal(&span.trace_id),
                id: hexadecimal(&span.span_id),
                parent: hexadecimal(&span.parent_span_id),
                state: span.trace_state,
                kind: span.kind,
                status: span.status.map_or(0, |status| status.code),
                began: span.start_time_unix_nano,
                ended: span.end_time_unix_nano,
                name: span.name,
            });
        }
    }
    all
}

fn attributes(list: &[KeyValue]) -> serde_json::Value {
    let value = |attribute: &KeyValue| match attribute.value.as_ref().unwrap().value.as_ref().unwrap() {
        Value::StringValue(text) => json!(text),
        Value::IntValue(number) => json!(number),
        other => unreachable!("{other:?}"),
    };
    list.iter().map(|attribute| (attribute.key.clone(), value(attribute))).collect::<serde_json::Map<_, _>>().into()
}

//! Writes one log line for every request, whether it was answered or not.
//!
//! A [`Record`] is opened when a request arrives and written when the request is over: once the answer has been sent
//! or, with the outcome `aborted`, when the record is dropped before that. The record accompanies the request: first in
//! the handler, then with the body of the answer, and on a real connection finally in the [`Watch`], which knows when
//! the socket has taken the last byte. A client that vanishes at any of these stages therefore still leaves its line.

use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::Ordering;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::{Request, State};
use axum::http::HeaderName;
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};

use crate::body::client_left;
use crate::error::ApiError;
use crate::record::{Answer, BodyProgress, Findings, LineFacts, Record};
use crate::traces::{Trace, Traces};
use crate::watch::Watch;
use overfold_account::Usage;

/// The header that tells the caller of its trace (W3C Trace Context, level 2).
const TRACE_RESPONSE: HeaderName = HeaderName::from_static("traceresponse");

/// The layer that logs. It is inside the layer that assigns the request id.
pub(crate) async fn log(State(traces): State<Traces>, mut request: Request, next: Next) -> Response {
    let watch = request.extensions().get::<Watch>().cloned();
    let mut record = Record::open(&request, &traces);
    request.extensions_mut().insert(record.caller.clone());
    request.extensions_mut().insert::<Trace>(record.trace.clone());
    let received = Arc::clone(&record.received);
    request = request.map(|body| Body::new(CountedBody { body, received }));
    let mut response = next.run(request).await;
    if let Some(value) = record.trace.response_header() {
        response.headers_mut().insert(TRACE_RESPONSE, value);
    }
    record.answering = Some(record.trace.begin("answer"));
    record.answer = Some(Answer {
        status: response.status(),
        code: response.extensions().get::<ApiError>().map(|error| error.kind.code()),
        findings: response.extensions().get::<Findings>().copied(),
        spent: response.extensions().get::<Usage>().copied(),
        lines: response.extensions().get::<LineFacts>().cloned(),
        handed_out: 0,
    });
    response.map(|body| Body::new(LoggedBody { body, record: Some(record), watch }))
}

/// A request body that counts the bytes read from it.
struct CountedBody {
    body: Body,
    received: Arc<BodyProgress>,
}

impl HttpBody for CountedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        match &polled {
            Poll::Ready(Some(Ok(frame))) => {
                let bytes = frame.data_ref().map_or(0, Bytes::len) as u64;
                self.received.bytes.fetch_add(bytes, Ordering::Relaxed);
            }
            Poll::Ready(Some(Err(error))) if client_left(error) => {
                self.received.cut_off.store(true, Ordering::Relaxed);
            }
            _ => {}
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// The body of an answer, together with the record of its request.
struct LoggedBody {
    body: Body,
    /// The record, present until the body is dropped.
    record: Option<Record>,
    watch: Option<Watch>,
}

impl HttpBody for LoggedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        if let Poll::Ready(Some(Ok(frame))) = &polled {
            let bytes = frame.data_ref().map_or(0, Bytes::len) as u64;
            if let Some(answer) = self.record.as_mut().and_then(|record| record.answer.as_mut()) {
                answer.handed_out = answer.handed_out.saturating_add(bytes);
            }
        }
        polled
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for LoggedBody {
    fn drop(&mut self) {
        let Some(record) = self.record.take() else { return };
        match &self.watch {
            Some(watch) => watch.keep(record),
            // Without a connection, as in a test, the caller has received all of it.
            None => record.answered(),
        }
    }
}

//! The log line of a request, and the record of what it says.
//!
//! Neither header values (except the request id and a valid `traceparent`) nor query strings nor bodies are logged:
//! they may contain secrets.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

use axum::extract::{MatchedPath, Request};
use axum::http::{HeaderMap, Method, StatusCode};

use crate::auth::Caller;
use crate::error::ApiError;
use crate::request_id::RequestId;
use crate::traces::{RequestEnd, Span, Trace, Traces};
use overfold_account::Usage;

/// Counts of the lines of a batch, for the log. The answer carries them as an extension; they are updated while it is
/// sent.
#[derive(Clone, Debug, Default)]
pub struct LineFacts(Arc<LineCounts>);

#[derive(Debug, Default)]
struct LineCounts {
    answered: AtomicU64,
    refused: AtomicU64,
}

impl LineFacts {
    /// Counts an answered line, which may be a problem.
    pub fn count(&self, is_problem: bool) {
        self.0.answered.fetch_add(1, Ordering::Relaxed);
        self.0.refused.fetch_add(is_problem.into(), Ordering::Relaxed);
    }
}

/// What an answer says of what was asked about, for the log. The answer carries it as an extension.
#[derive(Clone, Copy, Debug)]
pub struct Findings {
    /// Whether it is free of errors.
    pub valid: bool,
    /// The number of errors.
    pub errors: u64,
    /// The number of warnings.
    pub warnings: u64,
    /// The number of notes.
    pub infos: u64,
    /// The number of files.
    pub files: u64,
}

/// The data to log for one request. If dropped before [`Record::answered`], it is logged as aborted.
#[derive(Debug)]
pub(crate) struct Record {
    started: Instant,
    method: Method,
    route: Option<MatchedPath>,
    id: Option<RequestId>,
    traceparent: Option<String>,
    pub(super) trace: Trace,
    /// The sending of the answer, as a stage.
    pub(super) answering: Option<Span>,
    pub(super) caller: Caller,
    pub(super) received: Arc<BodyProgress>,
    pub(super) answer: Option<Answer>,
    written: bool,
}

/// How much of a body has arrived.
#[derive(Default, Debug)]
pub(super) struct BodyProgress {
    pub(super) bytes: AtomicU64,
    /// Whether the client left before the end.
    pub(super) cut_off: AtomicBool,
}

/// What was answered.
#[derive(Debug)]
pub(super) struct Answer {
    pub(super) status: StatusCode,
    pub(super) code: Option<&'static str>,
    pub(super) findings: Option<Findings>,
    /// What an answer from the work on a request has cost; none for a problem or a batch.
    pub(super) spent: Option<Usage>,
    /// The counts of a batch.
    pub(super) lines: Option<LineFacts>,
    /// Bytes of the body that were handed to the connection.
    pub(super) handed_out: u64,
}

impl Record {
    /// Opens the record of a request.
    pub(super) fn open(request: &Request, traces: &Traces) -> Self {
        let traceparent = traceparent(request.headers());
        Self {
            started: Instant::now(),
            method: request.method().clone(),
            route: request.extensions().get::<MatchedPath>().cloned(),
            id: request.extensions().get::<RequestId>().cloned(),
            traceparent: traceparent.map(str::to_owned),
            trace: traces.open(request, traceparent),
            answering: None,
            caller: Caller::default(),
            received: Arc::default(),
            answer: None,
            written: false,
        }
    }

    /// Logs that the whole answer has been sent, as far as can be known.
    pub(crate) fn answered(mut self) {
        self.write(true, u64::MAX);
    }

    /// Logs that the connection ended before the whole answer was sent, after taking at most `sent` bytes of it.
    pub(crate) fn aborted(mut self, sent: u64) {
        self.write(false, sent);
    }

    fn write(&mut self, whole: bool, sent: u64) {
        self.written = true;
        let answer = self.answer.as_ref();
        let findings = answer.and_then(|answer| answer.findings);
        let spent = answer.and_then(|answer| answer.spent);
        let lines = answer.and_then(|answer| answer.lines.as_ref()).map(|lines| &lines.0);
        // If the client left before the request was complete, nobody reads the answer.
        let answered = whole && !self.received.cut_off.load(Ordering::Relaxed);
        let (bytes_in, bytes_out) =
            (self.received.bytes.load(Ordering::Relaxed), answer.map_or(0, |answer| answer.handed_out.min(sent)));
        drop(self.answering.take());
        self.trace.end(RequestEnd {
            status: answer.map(|answer| answer.status.as_u16()),
            code: answer.and_then(|answer| answer.code),
            answered,
            bytes_in,
            bytes_out,
        });
        tracing::info!(
            outcome = if answered { "answered" } else { "aborted" },
            method = self.method.as_str(),
            route = self.route.as_ref().map_or("none", MatchedPath::as_str),
            status = answer.map(|answer| answer.status.as_u16()),
            code = answer.and_then(|answer| answer.code),
            ms = milliseconds(self.started),
            request_id = self.id.as_ref().map_or("", RequestId::as_str),
            traceparent = self.traceparent,
            trace_id = self.trace.id(),
            caller = self.caller.name(),
            scope = self.caller.scope(),
            token_refused = self.caller.refused(),
            bytes_in,
            bytes_out,
            valid = findings.map(|findings| findings.valid),
            errors = findings.map(|findings| findings.errors),
            warnings = findings.map(|findings| findings.warnings),
            infos = findings.map(|findings| findings.infos),
            files = findings.map(|findings| findings.files),
            work_units = spent.map(|spent| spent.work),
            memory_bytes = spent.map(|spent| spent.memory),
            lines = lines.map(|lines| lines.answered.load(Ordering::Relaxed)),
            lines_refused = lines.map(|lines| lines.refused.load(Ordering::Relaxed)),
            "request"
        );
    }
}

impl Drop for Record {
    fn drop(&mut self) {
        if !self.written {
            self.write(false, u64::MAX);
        }
    }
}

/// Logs something that never became a request because its head could not be read.
pub(crate) fn refused(error: &ApiError, id: &RequestId, started: Instant, bytes_out: usize) {
    tracing::info!(
        outcome = "refused",
        status = error.kind.status().as_u16(),
        code = error.kind.code(),
        ms = milliseconds(started),
        request_id = id.as_str(),
        bytes_out,
        "request"
    );
}

fn milliseconds(started: Instant) -> u64 {
    u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX)
}

/// Returns the caller's trace and span (W3C Trace Context) if the header occurs once and is well-formed. Nothing else
/// that a client may put there reaches the log; of a later version, only the part that version 00 also has.
fn traceparent(headers: &HeaderMap) -> Option<&str> {
    let mut values = headers.get_all("traceparent").iter();
    let (Some(value), None) = (values.next(), values.next()) else { return None };
    let text = value.to_str().ok()?;
    let (known, more) = text.split_at_checked(55)?;
    let fields: Vec<&str> = known.split('-').collect();
    let [version, trace, span, flags] = fields.as_slice() else { return None };
    let hexadecimal = |field: &str, length: usize| {
        field.len() == length && field.bytes().all(|b| matches!(b, b'0'..=b'9' | b'a'..=b'f'))
    };
    let zero = |field: &str| field.bytes().all(|b| b == b'0');
    let ends = if *version == "00" { more.is_empty() } else { more.is_empty() || more.starts_with('-') };
    let valid = hexadecimal(version, 2)
        && *version != "ff"
        && hexadecimal(trace, 32)
        && !zero(trace)
        && hexadecimal(span, 16)
        && !zero(span)
        && hexadecimal(flags, 2)
        && ends;
    valid.then_some(known)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_traceparent_is_logged_when_it_is_one() {
        const TRACE: &str = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
        let seen = |values: &[&str]| {
            let headers: HeaderMap = values
                .iter()
                .map(|value| (axum::http::HeaderName::from_static("traceparent"), value.parse().unwrap()))
                .collect();
            traceparent(&headers).map(str::to_owned)
        };
        assert_eq!(seen(&[TRACE]).as_deref(), Some(TRACE));
        let later = TRACE.replacen("00", "01", 1);
        assert_eq!(
            seen(&[&format!("{later}-secret")]),
            Some(later.clone()),
            "what a later version adds is not logged"
        );
        assert_eq!(seen(&[&later]), Some(later));
        for wrong in [
            "",
            "hush-hush",
            &TRACE.to_uppercase(),
            TRACE.strip_suffix('1').unwrap(),
            &format!("{TRACE}-x"),
            &format!("{TRACE}0"),
            &TRACE.replacen("00", "ff", 1),
            &TRACE.replace("0af7651916cd43dd8448eb211c80319c", "00000000000000000000000000000000"),
            &TRACE.replace("b7ad6b7169203331", "0000000000000000"),
            &TRACE.replace('-', "_"),
        ] {
            assert_eq!(seen(&[wrong]), None, "{wrong}");
        }
        assert_eq!(seen(&[TRACE, TRACE]), None);
        assert_eq!(seen(&[]), None);
    }
}

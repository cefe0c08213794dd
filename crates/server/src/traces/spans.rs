//! Writes the spans of a request, named after the conventions of OpenTelemetry for HTTP.

use std::time::Instant;

use axum::extract::MatchedPath;
use axum::http::{Method, Version};
use opentelemetry::trace::{SpanContext, SpanId, SpanKind, Status, TraceFlags, TraceId, TraceState};
use opentelemetry::{InstrumentationScope, KeyValue};
use opentelemetry_sdk::trace::{SpanData, SpanEvents, SpanLinks};

use super::RequestEnd;
use super::request::{FinishedRequest, Stage};
use crate::request_id::RequestId;

/// Writes spans for the collector.
#[derive(Debug)]
pub(super) struct Writer {
    scope: InstrumentationScope,
    /// `http` or `https`.
    scheme: &'static str,
}

impl Writer {
    /// Returns a writer for a service that is reached in this way.
    pub(super) fn new(scheme: &'static str) -> Self {
        let scope = InstrumentationScope::builder("overfold").with_version(env!("CARGO_PKG_VERSION")).build();
        Self { scope, scheme }
    }

    /// Writes the spans of a request: its own, then those of its stages.
    pub(super) fn write(&self, finished: &FinishedRequest, into: &mut Vec<SpanData>) {
        let own = SpanId::from_bytes(finished.head.span_id.to_be_bytes());
        let route = finished.head.route.as_ref().map(MatchedPath::as_str);
        let method = method(&finished.head.method);
        let named = match method {
            "_OTHER" => "HTTP",
            known => known,
        };
        into.push(SpanData {
            parent_span_id: finished.head.caller.map_or(SpanId::INVALID, SpanId::from_bytes),
            parent_span_is_remote: finished.head.caller.is_some(),
            span_kind: SpanKind::Server,
            attributes: self.attributes(finished, method, route),
            status: status(finished.ended),
            ..self.span(
                finished,
                own,
                route.map_or_else(|| named.to_owned(), |route| format!("{named} {route}")),
                (finished.head.began, finished.over),
            )
        });
        for (index, stage) in finished.stages.iter().enumerate() {
            let Stage { name, within, began, ended } = *stage;
            into.push(SpanData {
                parent_span_id: within.map_or(own, |index| finished.stage_id(index)),
                ..self.span(
                    finished,
                    finished.stage_id(index),
                    name.to_owned(),
                    (began, ended.unwrap_or(finished.over)),
                )
            });
        }
    }

    /// Returns a span without attributes within the process.
    fn span(
        &self,
        finished: &FinishedRequest,
        id: SpanId,
        name: String,
        (began, ended): (Instant, Instant),
    ) -> SpanData {
        let trace_id = TraceId::from_bytes(finished.head.trace_id);
        let state = finished.head.state.as_deref().and_then(|text| text.parse::<TraceState>().ok());
        let at = |time: Instant| finished.head.began_at + time.saturating_duration_since(finished.head.began);
        SpanData {
            span_context: SpanContext::new(trace_id, id, TraceFlags::SAMPLED, false, state.unwrap_or_default()),
            parent_span_id: SpanId::INVALID,
            parent_span_is_remote: false,
            span_kind: SpanKind::Internal,
            name: name.into(),
            start_time: at(began),
            end_time: at(ended),
            attributes: Vec::new(),
            dropped_attributes_count: 0,
            events: SpanEvents::default(),
            links: SpanLinks::default(),
            status: Status::Unset,
            instrumentation_scope: self.scope.clone(),
        }
    }

    /// Returns the attributes of a request. The path is left out (`url.path`): a client chooses it.
    fn attributes(&self, finished: &FinishedRequest, method: &'static str, route: Option<&str>) -> Vec<KeyValue> {
        let RequestEnd { status, code, answered, bytes_in, bytes_out } = finished.ended;
        let mut all = vec![
            KeyValue::new("http.request.method", method),
            KeyValue::new("url.scheme", self.scheme),
            KeyValue::new("http.request.body.size", number(bytes_in)),
            KeyValue::new("http.response.body.size", number(bytes_out)),
        ];
        all.extend(route.map(|route| KeyValue::new("http.route", route.to_owned())));
        all.extend(version(finished.head.version).map(|version| KeyValue::new("network.protocol.version", version)));
        all.extend(status.map(|status| KeyValue::new("http.response.status_code", i64::from(status))));
        let id = finished.head.request_id.as_ref().map(RequestId::as_str);
        all.extend(id.map(|id| KeyValue::new("overfold.request_id", id.to_owned())));
        let error = if answered { code } else { Some("aborted") };
        all.extend(error.map(|error| KeyValue::new("error.type", error)));
        if finished.left_out > 0 {
            all.push(KeyValue::new("overfold.stages_left_out", number(finished.left_out as u64)));
        }
        all
    }
}

impl FinishedRequest {
    fn stage_id(&self, index: usize) -> SpanId {
        let number = self.head.span_id.wrapping_add(1 + index as u64);
        // 0 is no id; the number before the request's is not taken by any of its few stages.
        let number = if number == 0 { self.head.span_id.wrapping_sub(1) } else { number };
        SpanId::from_bytes(number.to_be_bytes())
    }
}

/// Returns the status of a request: only a failure of the service is an error of its span.
fn status(ended: RequestEnd) -> Status {
    match ended.status {
        Some(500..) => Status::error(ended.code.unwrap_or_default()),
        _ => Status::Unset,
    }
}

/// Returns the name of a method; all methods that no route uses share one.
fn method(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "DELETE" => "DELETE",
        "PATCH" => "PATCH",
        "OPTIONS" => "OPTIONS",
        _ => "_OTHER",
    }
}

fn version(version: Version) -> Option<&'static str> {
    match version {
        Version::HTTP_10 => Some("1.0"),
        Version::HTTP_11 => Some("1.1"),
        Version::HTTP_2 => Some("2"),
        _ => None,
    }
}

fn number(count: u64) -> i64 {
    i64::try_from(count).unwrap_or(i64::MAX)
}

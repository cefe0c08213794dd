//! Counts every request, including those that no route answers and those whose client leaves.

use std::sync::Arc;
use std::time::{Instant, SystemTime};

use axum::body::{Body, HttpBody as _};
use axum::extract::{MatchedPath, Request, State};
use axum::middleware::Next;
use axum::response::Response;
use http_body_util::BodyExt as _;

use super::Metrics;
use super::labels::{RequestLabels, Route, TraceId, method};
use crate::traces::Trace;

/// A request in progress; if dropped without an answer, it was aborted.
struct InFlight {
    metrics: Metrics,
    answered: bool,
}

impl Drop for InFlight {
    fn drop(&mut self) {
        self.metrics.0.in_flight.dec();
        if !self.answered {
            self.metrics.0.aborted.inc();
        }
    }
}

/// Counts a request, its bytes and its answer.
pub(crate) async fn count_requests(State(metrics): State<Metrics>, request: Request, next: Next) -> Response {
    let began = Instant::now();
    let method = method(request.method());
    let route: Arc<str> =
        request.extensions().get::<MatchedPath>().map_or_else(|| "none".into(), |path| path.as_str().into());
    let trace = Trace::of(request.extensions());
    metrics.0.in_flight.inc();
    let mut in_flight = InFlight { metrics: metrics.clone(), answered: false };
    let received = metrics.0.received.clone();
    let request = request.map(|body| {
        Body::new(body.map_frame(move |frame| {
            received.inc_by(frame.data_ref().map_or(0, |data| data.len() as u64));
            frame
        }))
    });
    let response = next.run(request).await;
    in_flight.answered = true;
    metrics.0.sent.inc_by(response.body().size_hint().exact().unwrap_or(0));
    let (took, exemplar) = (began.elapsed().as_secs_f64(), trace.id().map(|trace_id| TraceId { trace_id }));
    let at = exemplar.as_ref().map(|_| SystemTime::now());
    metrics.0.duration.get_or_create(&Route { route: route.clone() }).observe(took, exemplar, at);
    metrics.0.requests.get_or_create(&RequestLabels { route, method, status: response.status().as_u16() }).inc();
    response
}

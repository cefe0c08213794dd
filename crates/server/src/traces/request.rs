//! What is kept of a request that is traced, until it is over.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Instant, SystemTime};

use axum::extract::MatchedPath;
use axum::http::{Extensions, HeaderValue, Method, Version};

use super::RequestEnd;
use super::export::Queue;
use crate::request_id::RequestId;

/// The most spans in a request besides its own; the lines of a batch are many. Further ones are left out and counted.
const MOST_STAGES: usize = 127;

/// The trace of a request, if it is traced; within one of its stages, or directly within the request. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Trace {
    request: Option<Arc<TracedRequest>>,
    within: Option<usize>,
}

/// A stage in progress; it ends when this is dropped, at the latest with the request.
#[derive(Debug)]
pub struct Span(Option<(Arc<TracedRequest>, usize)>);

#[derive(Debug)]
struct TracedRequest {
    queue: Queue,
    head: Head,
    stages: Mutex<Stages>,
}

/// What is known of a traced request from its beginning.
#[derive(Clone, Debug)]
pub(super) struct Head {
    pub(super) trace_id: [u8; 16],
    /// The caller's span, if the trace is the caller's.
    pub(super) caller: Option<[u8; 8]>,
    /// What the caller's tracing system wants to find in the span (`tracestate`).
    pub(super) state: Option<String>,
    /// The id of the request's span; those of its stages follow it.
    pub(super) span_id: u64,
    pub(super) began: Instant,
    pub(super) began_at: SystemTime,
    pub(super) method: Method,
    pub(super) version: Version,
    pub(super) route: Option<MatchedPath>,
    pub(super) request_id: Option<RequestId>,
}

#[derive(Default, Debug)]
struct Stages {
    list: Vec<Stage>,
    left_out: usize,
}

/// A stage of a request.
#[derive(Clone, Copy, Debug)]
pub(super) struct Stage {
    pub(super) name: &'static str,
    /// The index of the stage that it is part of; `None` directly within the request.
    pub(super) within: Option<usize>,
    pub(super) began: Instant,
    pub(super) ended: Option<Instant>,
}

/// A traced request that is over.
#[derive(Debug)]
pub(super) struct FinishedRequest {
    pub(super) head: Head,
    pub(super) stages: Vec<Stage>,
    /// How many stages are not in the list because they are too many.
    pub(super) left_out: usize,
    pub(super) over: Instant,
    pub(super) ended: RequestEnd,
}

impl FinishedRequest {
    /// Returns the number of its spans.
    pub(super) const fn spans(&self) -> usize {
        self.stages.len() + 1
    }
}

impl Trace {
    /// Begins the trace of a request.
    pub(super) fn new(queue: Queue, head: Head) -> Self {
        // As many stages as a request has that is neither a batch nor a tree of modules.
        let stages = Stages { list: Vec::with_capacity(16), left_out: 0 };
        Self { request: Some(Arc::new(TracedRequest { queue, head, stages: Mutex::new(stages) })), within: None }
    }

    /// Returns the trace that a request carries.
    pub fn of(extensions: &Extensions) -> Self {
        extensions.get::<Self>().cloned().unwrap_or_default()
    }

    /// Returns the id of the trace in hexadecimal, if the request is traced.
    pub(crate) fn id(&self) -> Option<String> {
        self.request.as_ref().map(|request| format!("{:032x}", u128::from_be_bytes(request.head.trace_id)))
    }

    /// Returns the value of the header that tells the caller of the trace, if the request is traced.
    pub(crate) fn response_header(&self) -> Option<HeaderValue> {
        let Head { trace_id, span_id, .. } = &self.request.as_ref()?.head;
        HeaderValue::try_from(format!("00-{:032x}-{span_id:016x}-01", u128::from_be_bytes(*trace_id))).ok()
    }

    /// Begins a stage.
    pub fn begin(&self, name: &'static str) -> Span {
        Span(self.request.as_ref().and_then(|request| {
            let index = request.begin(name, self.within)?;
            Some((Arc::clone(request), index))
        }))
    }

    /// Begins a stage, and returns it with the trace within it.
    pub fn begin_within(&self, name: &'static str) -> (Span, Self) {
        let span = self.begin(name);
        // If the stage is left out, so are those within it.
        let within = span.0.as_ref().map(|(request, index)| (Arc::clone(request), *index));
        let (request, within) = within.unzip();
        (span, Self { request, within })
    }

    /// Ends the trace: its spans are sent to the collector.
    pub(crate) fn end(&self, ended: RequestEnd) {
        if let Some(request) = &self.request {
            let Stages { list: stages, left_out } = std::mem::take(&mut *request.stages());
            let head = request.head.clone();
            request.queue.push(FinishedRequest { head, stages, left_out, over: Instant::now(), ended });
        }
    }
}

impl TracedRequest {
    fn stages(&self) -> MutexGuard<'_, Stages> {
        // Nothing done under the lock can panic halfway.
        self.stages.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn begin(&self, name: &'static str, within: Option<usize>) -> Option<usize> {
        let mut stages = self.stages();
        let index = stages.list.len();
        if index == MOST_STAGES {
            stages.left_out += 1;
            return None;
        }
        stages.list.push(Stage { name, within, began: Instant::now(), ended: None });
        Some(index)
    }
}

impl Drop for Span {
    fn drop(&mut self) {
        if let Some((request, index)) = &self.0 {
            // It is not there any more if the request ended first.
            if let Some(stage) = request.stages().list.get_mut(*index) {
                stage.ended.get_or_insert_with(Instant::now);
            }
        }
    }
}

//! Decides which requests are traced, and sends their spans to the collector: in batches, from a queue of a bounded size.
//!
//! The exporter is that of the SDK, the queue is not: `BatchSpanProcessor` keeps to itself how many spans it drops, which the
//! metric `trace_spans` says, exports on a thread without the runtime that the client needs, and drops spans of a request
//! one by one, so that traces arrive without their roots.

use std::io;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, SystemTime};

use axum::extract::{MatchedPath, Request};
use axum::http::HeaderMap;
use opentelemetry::KeyValue;
use opentelemetry_otlp::{Protocol, SpanExporter, WithExportConfig as _, WithHttpConfig as _};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::SpanExporter as _;
use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::registry::Registry;
use tokio::sync::{mpsc, oneshot};
use tokio::task::JoinHandle;
use tokio::time::{Instant, sleep_until, timeout_at};

use super::collector::Collector;
use super::request::{FinishedRequest, Head, Trace};
use super::spans::Writer;
use crate::request_id::RequestId;
use crate::settings::Settings;

/// The most requests in the queue.
const QUEUED_REQUESTS: usize = 2048;
/// The most spans of all requests in the queue.
const QUEUED_SPANS: usize = 16_384;
/// How many spans are sent at once, apart from those of the last request of a batch.
const BATCH_SPANS: usize = 512;
/// How long the first request of a batch waits for others.
const BATCH_WAIT: Duration = Duration::from_secs(1);
/// How long the exporter tries to send a batch.
const EXPORT_TIMEOUT: Duration = Duration::from_secs(10);
/// How often the log says that the collector takes nothing.
const WARN_EVERY: Duration = Duration::from_mins(1);
/// The longest value of `tracestate` that is passed on, as the specification has it.
const LONGEST_STATE: usize = 512;

/// Counts of spans, for the metrics. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct SpanCounts {
    /// Spans that the collector took.
    exported: Counter,
    /// Spans that found no room in the queue.
    dropped: Counter,
    /// Spans that the collector did not take.
    failed: Counter,
}

/// What became of a span.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
struct Outcome {
    outcome: &'static str,
}

impl SpanCounts {
    /// Registers the counters, and returns them.
    pub(crate) fn registered(registry: &mut Registry) -> Self {
        let all: Family<Outcome, Counter> = Family::default();
        let about =
            "Spans of traces: exported, dropped for lack of room, or failed because the collector did not take them";
        registry.register("trace_spans", about, all.clone());
        let of = |outcome| all.get_or_create_owned(&Outcome { outcome });
        Self { exported: of("exported"), dropped: of("dropped"), failed: of("failed") }
    }
}

/// The traces of a service. Clones share them.
#[derive(Clone, Debug)]
pub(crate) struct Traces(Option<Arc<Inner>>);

#[derive(Debug)]
struct Inner {
    settings: Settings,
    queue: Queue,
    task: Mutex<Task>,
}

/// The task that exports.
#[derive(Debug)]
enum Task {
    Ahead(mpsc::Receiver<FinishedRequest>),
    Running(oneshot::Sender<()>, JoinHandle<()>),
    Over,
}

/// The entrance of the queue. Clones share it.
#[derive(Clone, Debug)]
pub(super) struct Queue {
    entrance: mpsc::Sender<FinishedRequest>,
    /// The number of spans in the queue.
    spans: Arc<AtomicUsize>,
    counts: SpanCounts,
}

impl Queue {
    /// Queues a request, or drops it if there is no room. Never waits.
    pub(super) fn push(&self, finished: FinishedRequest) {
        let spans = finished.spans();
        let has_room = self.spans.fetch_add(spans, Ordering::Relaxed) + spans <= QUEUED_SPANS;
        if !has_room || self.entrance.try_send(finished).is_err() {
            self.spans.fetch_sub(spans, Ordering::Relaxed);
            self.counts.dropped.inc_by(spans as u64);
        }
    }
}

impl Traces {
    /// Returns the traces of a service with these settings. Nothing is sent before [`Self::start`].
    pub(crate) fn new(settings: &Settings, counts: &SpanCounts) -> Self {
        Self(settings.traces.address().map(|_| {
            let (entrance, exit) = mpsc::channel(QUEUED_REQUESTS);
            let queue = Queue { entrance, spans: Arc::default(), counts: counts.clone() };
            Arc::new(Inner { settings: settings.clone(), queue, task: Mutex::new(Task::Ahead(exit)) })
        }))
    }

    /// Begins to send. Must be called in the runtime.
    ///
    /// # Errors
    /// Fails if an option of the exporter in one of its standard variables (`OTEL_EXPORTER_OTLP_…`) cannot be used.
    pub(crate) fn start(&self) -> io::Result<()> {
        let Some(inner) = &self.0 else { return Ok(()) };
        let Some(address) = inner.settings.traces.address() else { return Ok(()) };
        let mut exporter = SpanExporter::builder()
            .with_http()
            .with_http_client(Collector)
            .with_protocol(Protocol::HttpBinary)
            .with_endpoint(&address)
            .with_timeout(EXPORT_TIMEOUT)
            .build()
            .map_err(|error| io::Error::other(format!("traces: {error}")))?;
        exporter.set_resource(
            &Resource::builder()
                .with_service_name(inner.settings.traces.service_name().to_owned())
                .with_attribute(KeyValue::new("service.version", env!("CARGO_PKG_VERSION")))
                .build(),
        );
        tracing::info!(address, ratio = inner.settings.traces.otlp_ratio, "traces are sent");
        let scheme = if inner.settings.tls.tls_certificate.is_some() { "https" } else { "http" };
        let mut task = inner.task.lock().unwrap_or_else(PoisonError::into_inner);
        if let Task::Ahead(exit) = std::mem::replace(&mut *task, Task::Over) {
            let (stop, stopped) = oneshot::channel();
            let sending = Sending {
                exporter,
                writer: Writer::new(scheme),
                exit,
                queue: inner.queue.clone(),
                batch: Vec::new(),
                failing: None,
            };
            *task = Task::Running(stop, tokio::spawn(sending.run(stopped)));
        }
        Ok(())
    }

    /// Sends what is in the queue, until this time at the latest. Nothing more enters the queue.
    pub(crate) async fn stop(&self, until: Instant) {
        let Some(inner) = &self.0 else { return };
        let task = std::mem::replace(&mut *inner.task.lock().unwrap_or_else(PoisonError::into_inner), Task::Over);
        if let Task::Running(stop, mut task) = task {
            // If nobody listens, the task has ended.
            let _ = stop.send(());
            if timeout_at(until, &mut task).await.is_err() {
                task.abort();
                tracing::warn!(
                    spans = inner.queue.spans.load(Ordering::Relaxed),
                    "stopping before all traces were sent"
                );
            }
        }
    }

    /// Begins the trace of a request if it is to be traced. `traceparent` is the caller's, if it is valid.
    pub(crate) fn open(&self, request: &Request, traceparent: Option<&str>) -> Trace {
        let Some(inner) = &self.0 else { return Trace::default() };
        inner.head(request, traceparent).map_or_else(Trace::default, |head| Trace::new(inner.queue.clone(), head))
    }
}

impl Inner {
    fn head(&self, request: &Request, traceparent: Option<&str>) -> Option<Head> {
        let route = request.extensions().get::<MatchedPath>().cloned();
        let caller = match traceparent {
            Some(text) => Some(sampled(text)?),
            // Probes and documents say nothing about the work.
            None if !route.as_ref().is_some_and(|route| route.as_str().starts_with("/v1/")) => return None,
            None if !chosen(self.settings.traces.otlp_ratio) => return None,
            None => None,
        };
        let (trace_id, caller) = caller.unzip();
        Some(Head {
            trace_id: trace_id.map_or_else(random, Some)?,
            state: caller.and_then(|_| tracestate(request.headers())),
            caller,
            span_id: u64::from_be_bytes(random()?).max(1),
            began: std::time::Instant::now(),
            began_at: SystemTime::now(),
            method: request.method().clone(),
            version: request.version(),
            route,
            request_id: request.extensions().get::<RequestId>().cloned(),
        })
    }
}

/// Returns the ids of the trace and of the span in a valid `traceparent` that has the sampled flag.
fn sampled(traceparent: &str) -> Option<([u8; 16], [u8; 8])> {
    let mut fields = traceparent.split('-').skip(1);
    let (trace, span, flags) = (fields.next()?, fields.next()?, fields.next()?);
    let flags = u8::from_str_radix(flags, 16).ok()?;
    let ids =
        (u128::from_str_radix(trace, 16).ok()?.to_be_bytes(), u64::from_str_radix(span, 16).ok()?.to_be_bytes());
    (flags & 1 == 1).then_some(ids)
}

/// Returns the caller's `tracestate`, if it is not too long.
fn tracestate(headers: &HeaderMap) -> Option<String> {
    let values: Option<Vec<&str>> = headers.get_all("tracestate").iter().map(|value| value.to_str().ok()).collect();
    let state = values?.join(",");
    (!state.is_empty() && state.len() <= LONGEST_STATE).then_some(state)
}

/// Whether a request is among those that this part of all stands for.
fn chosen(part: f64) -> bool {
    // Not asked at all, if it does not matter.
    part > 0.0
        && random().is_some_and(|bytes| f64::from(u32::from_be_bytes(bytes)) < part * (f64::from(u32::MAX) + 1.0))
}

/// Returns random bytes; `None` if the system has none.
fn random<const N: usize>() -> Option<[u8; N]> {
    let mut bytes = [0; N];
    getrandom::fill(&mut bytes).ok()?;
    Some(bytes)
}

/// What the task that exports needs.
struct Sending {
    exporter: SpanExporter,
    writer: Writer,
    exit: mpsc::Receiver<FinishedRequest>,
    queue: Queue,
    batch: Vec<opentelemetry_sdk::trace::SpanData>,
    failing: Option<FailingCollector>,
}

/// The collector takes nothing.
struct FailingCollector {
    /// When the log said so last.
    said: Instant,
    /// The spans that were lost since it began.
    lost: u64,
}

impl Sending {
    /// Exports until `stopped` says that the service stops and the queue is empty.
    async fn run(mut self, mut stopped: oneshot::Receiver<()>) {
        let mut stopping = false;
        loop {
            tokio::select! {
                next = self.exit.recv() => match next {
                    Some(finished) => self.take(&finished),
                    None => return,
                },
                _ = &mut stopped, if !stopping => {
                    stopping = true;
                    self.exit.close();
                    continue;
                }
            }
            let until = Instant::now() + BATCH_WAIT;
            while self.batch.len() < BATCH_SPANS {
                tokio::select! {
                    next = self.exit.recv() => match next {
                        Some(finished) => self.take(&finished),
                        None => break,
                    },
                    () = sleep_until(until) => break,
                    _ = &mut stopped, if !stopping => {
                        stopping = true;
                        self.exit.close();
                    }
                }
            }
            self.send().await;
        }
    }

    fn take(&mut self, finished: &FinishedRequest) {
        self.queue.spans.fetch_sub(finished.spans(), Ordering::Relaxed);
        self.writer.write(finished, &mut self.batch);
    }

    async fn send(&mut self) {
        let batch = std::mem::take(&mut self.batch);
        let spans = batch.len() as u64;
        match self.exporter.export(batch).await {
            Ok(()) => {
                self.queue.counts.exported.inc_by(spans);
                if let Some(FailingCollector { lost, .. }) = self.failing.take() {
                    tracing::info!(lost, "the collector takes traces again");
                }
            }
            Err(error) => {
                self.queue.counts.failed.inc_by(spans);
                let now = Instant::now();
                let failing = self.failing.get_or_insert(FailingCollector { said: now, lost: 0 });
                let says = failing.lost == 0 || now.duration_since(failing.said) >= WARN_EVERY;
                failing.lost += spans;
                if says {
                    failing.said = now;
                    tracing::warn!(%error, lost = failing.lost, "the collector does not take traces");
                }
            }
        }
    }
}

//! The metrics of the service, served by `GET /metrics`.
//!
//! Every label comes from a fixed table (routes, methods, codes, classes), so the number of series is bounded whatever
//! is sent. No part of a request's content is a label.

mod cache;
mod connections;
mod files;
mod labels;
mod layer;
mod stages;

use std::fmt::{self, Debug};
use std::hash::Hash;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::EncodeLabelSet;
use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::exemplar::HistogramWithExemplars;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Metric, Registry, Unit};

use self::files::FileCounts;
#[cfg(feature = "jobs")]
use self::labels::Outcome;
use self::labels::{Class, FindingLabel, Limit, Reason, RequestLabels, StageLabel, Status, TraceId};
use crate::class::SizeClass;
use crate::settings::Settings;
use crate::traces::{SpanCounts, Trace, Traces};
use overfold_account::Stop;

pub(crate) use self::cache::CacheCounts;
pub use self::connections::{Connections, OpenConnection};
pub(crate) use self::files::{Reloads, ValidityGauges};
pub(crate) use self::layer::count_requests;
pub(crate) use self::stages::StageClock;

/// The media type of the answer to `GET /metrics`.
pub const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Counters and measurements of one service. Clones share them. Those of one request also know its trace.
#[derive(Clone)]
pub struct Metrics(Arc<Inner>, Trace);

struct Inner {
    registry: Registry,
    requests: Family<RequestLabels, Counter>,
    duration: Family<labels::Route, HistogramWithExemplars<TraceId>, fn() -> HistogramWithExemplars<TraceId>>,
    in_flight: Gauge,
    aborted: Counter,
    batch_lines: Family<Status, Counter>,
    #[cfg(feature = "jobs")]
    jobs: Family<Outcome, Counter>,
    received: Counter,
    sent: Counter,
    queued: Family<Class, Gauge>,
    at_work: Family<Class, Gauge>,
    wait: Durations<Class>,
    service: Durations<Class>,
    shed: Family<Reason, Counter>,
    limited: Family<Reason, Counter>,
    cancelled: Counter,
    exhausted: Family<Limit, Counter>,
    files: Counter,
    file_bytes: Counter,
    diagnostics: Family<FindingLabel, Counter>,
    stages: Durations<StageLabel>,
    body_bytes: Gauge,
    answer_bytes: Gauge,
    resident: Gauge,
    memory_need: Gauge,
    connections: Connections,
    cache: CacheCounts,
    watched: FileCounts,
    spans: SpanCounts,
}

/// Registers a metric, and returns it.
fn counted<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, about: &str) -> M {
    let metric = M::default();
    registry.register(name, about, metric.clone());
    metric
}

/// Registers a metric with a unit, and returns it.
fn measured<M: Metric + Clone + Default>(registry: &mut Registry, name: &str, about: &str, unit: Unit) -> M {
    let metric = M::default();
    registry.register_with_unit(name, about, unit, metric.clone());
    metric
}

/// Durations in seconds, by label.
type Durations<L> = Family<L, Histogram, fn() -> Histogram>;

/// Registers durations, and returns them.
fn timed<L: EncodeLabelSet + Clone + Hash + Eq + Debug + Send + Sync + 'static>(
    registry: &mut Registry,
    name: &str,
    about: &str,
) -> Durations<L> {
    let metric: Durations<L> = Family::new_with_constructor(seconds);
    registry.register_with_unit(name, about, Unit::Seconds, metric.clone());
    metric
}

/// The limits of the buckets of durations, in seconds.
const BUCKETS: [f64; 16] =
    [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0];

/// Returns a histogram with buckets from half a millisecond to a minute, in seconds.
fn seconds() -> Histogram {
    Histogram::new(BUCKETS)
}

/// Registers the durations of requests, and returns them. Each bucket names the trace of a request in it, if there is one.
fn durations(
    registry: &mut Registry,
) -> Family<labels::Route, HistogramWithExemplars<TraceId>, fn() -> HistogramWithExemplars<TraceId>> {
    let new: fn() -> HistogramWithExemplars<TraceId> = || HistogramWithExemplars::new(BUCKETS.into_iter());
    let metric = Family::new_with_constructor(new);
    let about = "Time from the request head to the answer";
    registry.register_with_unit("request_duration", about, Unit::Seconds, metric.clone());
    metric
}

impl Metrics {
    /// Returns metrics of a build from a commit, with nothing counted yet. `shed_reasons` are the reasons for which requests are turned away,
    /// `limit_reasons` those for which single callers are.
    pub(crate) fn new(
        settings: &Settings,
        commit: &'static str,
        shed_reasons: &[&'static str],
        limit_reasons: &[&'static str],
    ) -> Self {
        let mut registry = Registry::with_prefix("overfold");
        let it = &mut registry;
        let build = Info::new([("version", env!("CARGO_PKG_VERSION")), ("commit", commit)]);
        it.register("build", "Build information", build);
        let places = Gauge::<i64>::default();
        places.set(i64::try_from(settings.work.concurrency()).unwrap_or(i64::MAX));
        it.register(
            "work_places",
            "Requests that can be worked on at a time; small ones have one more place",
            places,
        );
        let inner = Inner {
            requests: counted(it, "requests", "Requests answered"),
            duration: durations(it),
            in_flight: counted(it, "requests_in_flight", "Requests without an answer yet"),
            aborted: counted(it, "requests_aborted", "Requests whose client left before the answer"),
            batch_lines: counted(it, "batch_lines", "Lines of batches answered"),
            #[cfg(feature = "jobs")]
            jobs: counted(it, "jobs", "Requests from a queue, by what became of them"),
            received: measured(it, "request_body", "Request bodies as sent", Unit::Bytes),
            sent: measured(it, "response_body", "Answer bodies", Unit::Bytes),
            queued: counted(it, "work_queue", "Requests waiting for their turn"),
            at_work: counted(it, "work_in_progress", "Requests being worked on"),
            wait: timed(it, "work_wait", "Time spent waiting for a turn"),
            service: timed(it, "work_duration", "Time spent working on a request"),
            shed: counted(it, "requests_shed", "Requests turned away with 503"),
            limited: counted(
                it,
                "requests_limited",
                "Requests turned away with 429, because of what their caller takes",
            ),
            cancelled: counted(it, "work_cancelled", "Work cancelled because nobody was waiting for it any more"),
            exhausted: counted(it, "work_over_limit", "Work stopped at its work or memory limit"),
            files: counted(it, "files", "Files in requests"),
            file_bytes: measured(it, "files", "Bytes of files in requests", Unit::Bytes),
            diagnostics: counted(it, "diagnostics", "Diagnostics"),
            stages: timed(it, "stage_duration", "Time in each stage"),
            body_bytes: measured(it, "bodies_held", "Request bodies in memory", Unit::Bytes),
            answer_bytes: measured(it, "answers_held", "Answers that have not been sent yet", Unit::Bytes),
            resident: measured(it, "resident_memory", "Memory of the process", Unit::Bytes),
            memory_need: measured(it, "memory_need", "Memory that the process needs at most", Unit::Bytes),
            connections: Connections::registered(it),
            cache: CacheCounts::registered(it),
            watched: FileCounts::registered(it, settings.tls.tls_certificate.is_some()),
            spans: SpanCounts::registered(it),
            registry,
        };
        // All series exist from the start, so that rates over them are correct.
        for class in SizeClass::ALL {
            drop(inner.queued.get_or_create(&Class::new(class)));
            drop(inner.at_work.get_or_create(&Class::new(class)));
        }
        for &reason in shed_reasons {
            drop(inner.shed.get_or_create(&Reason { reason }));
        }
        for &reason in limit_reasons {
            drop(inner.limited.get_or_create(&Reason { reason }));
        }
        Self(Arc::new(inner), Trace::default())
    }

    /// Returns the traces of the service.
    pub(crate) fn traces(&self, settings: &Settings) -> Traces {
        Traces::new(settings, &self.0.spans)
    }

    /// Returns the same metrics, for one request: its stages belong to its trace, too.
    #[must_use]
    pub fn of_request(&self, trace: Trace) -> Self {
        Self(Arc::clone(&self.0), trace)
    }

    /// Changes the number of waiting requests of a class by one, up or down.
    pub(crate) fn queued(&self, class: SizeClass, change: i64) {
        self.0.queued.get_or_create(&Class::new(class)).inc_by(change);
    }

    /// Records that the turn of a request has come.
    pub(crate) fn started(&self, class: SizeClass, waited: Duration) {
        self.0.at_work.get_or_create(&Class::new(class)).inc();
        self.0.wait.get_or_create(&Class::new(class)).observe(waited.as_secs_f64());
    }

    /// Records that the work on a request is over.
    pub(crate) fn finished(&self, class: SizeClass, took: Duration) {
        self.0.at_work.get_or_create(&Class::new(class)).dec();
        self.0.service.get_or_create(&Class::new(class)).observe(took.as_secs_f64());
    }

    /// Says how much memory the process needs at most, in bytes.
    pub(crate) fn set_memory_need(&self, bytes: u64) {
        self.0.memory_need.set(bytes.cast_signed());
    }

    /// Counts a request that was turned away.
    pub(crate) fn shed(&self, reason: &'static str) {
        self.0.shed.get_or_create(&Reason { reason }).inc();
    }

    /// Counts a request that was turned away because of what its caller takes.
    pub(crate) fn limited(&self, reason: &'static str) {
        self.0.limited.get_or_create(&Reason { reason }).inc();
    }

    /// Counts an answered line of a batch.
    pub fn line(&self, status: u16) {
        self.0.batch_lines.get_or_create(&Status { status }).inc();
    }

    /// Counts a request from a queue.
    #[cfg(feature = "jobs")]
    pub(crate) fn job(&self, outcome: &'static str) {
        self.0.jobs.get_or_create(&Outcome { outcome }).inc();
    }

    /// Counts bytes handed out of an answer whose length was not known when it began.
    pub fn streamed(&self, bytes: usize) {
        self.0.sent.inc_by(bytes as u64);
    }

    /// Counts work that was stopped.
    pub fn stopped(&self, why: Stop) {
        match why.limit() {
            Some((limit, _)) => self.exhausted(limit),
            None => {
                self.0.cancelled.inc();
            }
        }
    }

    /// Counts a request whose account reached a limit; `limit` is the setting's name.
    pub(crate) fn exhausted(&self, limit: &'static str) {
        self.0.exhausted.get_or_create(&Limit { limit }).inc();
    }

    /// Counts the files of a request and their total bytes.
    pub fn read(&self, files: usize, bytes: u64) {
        self.0.files.inc_by(files as u64);
        self.0.file_bytes.inc_by(bytes);
    }

    /// Counts the findings of a run: the code and the severity of each, from closed sets.
    pub fn found(&self, findings: impl Iterator<Item = (&'static str, &'static str)>) {
        for (code, severity) in findings {
            self.0.diagnostics.get_or_create(&FindingLabel { code, severity }).inc();
        }
    }

    /// Returns the counters of connections.
    pub(crate) fn connections(&self) -> &Connections {
        &self.0.connections
    }

    /// Returns the counters of the cache.
    pub(crate) fn cache(&self) -> &CacheCounts {
        &self.0.cache
    }

    /// Returns the counters of the files of a setting, which are read again when they change.
    pub(crate) fn reloads(&self, setting: &'static str) -> Reloads {
        self.0.watched.of(setting)
    }

    /// Returns what says until when the certificate of the service is valid; `None` if it has none.
    pub(crate) fn validity(&self) -> Option<ValidityGauges> {
        self.0.watched.validity()
    }

    /// Returns a clock for the stages of one request.
    pub fn stage_clock(&self) -> StageClock<'_> {
        StageClock::new(&self.0.stages, &self.1)
    }

    /// Returns all metrics in the text format, with the bytes that the gates currently hold.
    pub fn text(&self, (bodies, answers): (u64, u64)) -> String {
        self.0.body_bytes.set(bodies.cast_signed());
        self.0.answer_bytes.set(answers.cast_signed());
        self.0.resident.set(resident_bytes().unwrap_or(0).cast_signed());
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.0.registry);
        text
    }
}

impl fmt::Debug for Metrics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("Metrics")
    }
}

/// Returns the resident memory of the process in bytes, if the system reports it.
fn resident_bytes() -> Option<u64> {
    let status = std::fs::read_to_string("/proc/self/status").ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"))?;
    line.trim().trim_end_matches("kB").trim().parse::<u64>().ok()?.checked_mul(1024)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn work_that_stops_is_counted_by_what_stopped_it() {
        let metrics = Metrics::new(&Settings::for_testing(), "unknown", &[], &[]);
        metrics.stopped(Stop::Work(1));
        metrics.stopped(Stop::Memory(1));
        metrics.stopped(Stop::Memory(1));
        metrics.stopped(Stop::Cancelled);
        let text = metrics.text((0, 0));
        for series in [
            "overfold_work_over_limit_total{limit=\"max-work-units\"} 1\n",
            "overfold_work_over_limit_total{limit=\"max-memory-bytes\"} 2\n",
            "overfold_work_cancelled_total 1\n",
        ] {
            assert!(text.contains(series), "{series}\n{text}");
        }
    }
}

//! The metrics of the service, served by `GET /metrics`.
//!
//! Every label comes from a fixed table (routes, methods, codes, classes), so the number of series is bounded whatever
//! is sent. No part of a request's content is a label.

mod connections;
mod labels;
mod layer;
mod stages;

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use prometheus_client::encoding::text::encode;
use prometheus_client::metrics::counter::Counter;
use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::gauge::Gauge;
use prometheus_client::metrics::histogram::Histogram;
use prometheus_client::metrics::info::Info;
use prometheus_client::registry::{Registry, Unit};

use self::labels::{Answered, Class, Found, Limit, Reason, StageLabel, Status};
use super::gate::SizeClass;
use crate::settings::Settings;
use overfold_base::account::Stop;
use overfold_base::diag::Diagnostics;

pub use self::connections::{Connections, OpenConnection};
pub(crate) use self::layer::count_requests;
pub(crate) use self::stages::StageClock;

/// The media type of the answer to `GET /metrics`.
pub(crate) const OPENMETRICS: &str = "application/openmetrics-text; version=1.0.0; charset=utf-8";

/// Counters and measurements of one service. Clones share them.
#[derive(Clone)]
pub(crate) struct Metrics(Arc<Inner>);

struct Inner {
    registry: Registry,
    requests: Family<Answered, Counter>,
    duration: Family<labels::Route, Histogram, fn() -> Histogram>,
    in_flight: Gauge,
    aborted: Counter,
    batch_lines: Family<Status, Counter>,
    received: Counter,
    sent: Counter,
    queued: Family<Class, Gauge>,
    at_work: Family<Class, Gauge>,
    wait: Family<Class, Histogram, fn() -> Histogram>,
    service: Family<Class, Histogram, fn() -> Histogram>,
    shed: Family<Reason, Counter>,
    cancelled: Counter,
    exhausted: Family<Limit, Counter>,
    files: Counter,
    file_bytes: Counter,
    diagnostics: Family<Found, Counter>,
    stages: Family<StageLabel, Histogram, fn() -> Histogram>,
    body_bytes: Gauge,
    answer_bytes: Gauge,
    resident: Gauge,
    connections: Connections,
}

/// Returns a histogram with buckets from half a millisecond to a minute, in seconds.
fn seconds() -> Histogram {
    Histogram::new([0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0, 60.0])
}

impl Metrics {
    /// Returns metrics with nothing counted yet.
    pub(crate) fn new(settings: &Settings) -> Self {
        let mut inner = Inner {
            registry: Registry::with_prefix("overfold"),
            requests: Family::default(),
            duration: Family::new_with_constructor(seconds),
            in_flight: Gauge::default(),
            aborted: Counter::default(),
            batch_lines: Family::default(),
            received: Counter::default(),
            sent: Counter::default(),
            queued: Family::default(),
            at_work: Family::default(),
            wait: Family::new_with_constructor(seconds),
            service: Family::new_with_constructor(seconds),
            shed: Family::default(),
            cancelled: Counter::default(),
            exhausted: Family::default(),
            files: Counter::default(),
            file_bytes: Counter::default(),
            diagnostics: Family::default(),
            stages: Family::new_with_constructor(seconds),
            body_bytes: Gauge::default(),
            answer_bytes: Gauge::default(),
            resident: Gauge::default(),
            connections: Connections::default(),
        };
        inner.register(settings);
        // All series exist from the start, so that rates over them are correct.
        for class in SizeClass::ALL {
            drop(inner.queued.get_or_create(&Class::of(class)));
            drop(inner.at_work.get_or_create(&Class::of(class)));
        }
        for reason in super::gate::SHED_REASONS {
            drop(inner.shed.get_or_create(&Reason { reason }));
        }
        Self(Arc::new(inner))
    }

    /// Changes the number of waiting requests of a class by one, up or down.
    pub(crate) fn queued(&self, class: SizeClass, change: i64) {
        self.0.queued.get_or_create(&Class::of(class)).inc_by(change);
    }

    /// Records that the turn of a request has come.
    pub(crate) fn started(&self, class: SizeClass, waited: Duration) {
        self.0.at_work.get_or_create(&Class::of(class)).inc();
        self.0.wait.get_or_create(&Class::of(class)).observe(waited.as_secs_f64());
    }

    /// Records that the work on a request is over.
    pub(crate) fn finished(&self, class: SizeClass, took: Duration) {
        self.0.at_work.get_or_create(&Class::of(class)).dec();
        self.0.service.get_or_create(&Class::of(class)).observe(took.as_secs_f64());
    }

    /// Counts a request that was turned away.
    pub(crate) fn shed(&self, reason: &'static str) {
        self.0.shed.get_or_create(&Reason { reason }).inc();
    }

    /// Counts an answered line of a batch.
    pub(crate) fn line(&self, status: u16) {
        self.0.batch_lines.get_or_create(&Status { status }).inc();
    }

    /// Counts bytes handed out of an answer whose length was not known when it began.
    pub(crate) fn streamed(&self, bytes: usize) {
        self.0.sent.inc_by(bytes as u64);
    }

    /// Counts work that was stopped.
    pub(crate) fn stopped(&self, why: Stop) {
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
    pub(crate) fn read(&self, files: usize, bytes: u64) {
        self.0.files.inc_by(files as u64);
        self.0.file_bytes.inc_by(bytes);
    }

    /// Counts the findings of a run.
    pub(crate) fn found(&self, diagnostics: &Diagnostics) {
        for found in diagnostics {
            self.0.diagnostics.get_or_create(&Found::of(found)).inc();
        }
    }

    /// Returns the counters of connections.
    pub(crate) fn connections(&self) -> &Connections {
        &self.0.connections
    }

    /// Returns a clock for the stages of one request.
    pub(crate) fn stage_clock(&self) -> StageClock<'_> {
        StageClock::new(&self.0.stages)
    }

    /// Returns all metrics in the text format, with the bytes that the gates currently hold.
    pub(crate) fn text(&self, (bodies, answers): (u64, u64)) -> String {
        self.0.body_bytes.set(bodies.cast_signed());
        self.0.answer_bytes.set(answers.cast_signed());
        self.0.resident.set(resident_bytes().unwrap_or(0).cast_signed());
        let mut text = String::new();
        // Writing to a string cannot fail.
        let _ = encode(&mut text, &self.0.registry);
        text
    }
}

impl Inner {
    fn register(&mut self, settings: &Settings) {
        let places = Gauge::<i64>::default();
        places.set(i64::try_from(settings.work.concurrency()).unwrap_or(i64::MAX));
        let build = Info::new([("version", env!("CARGO_PKG_VERSION")), ("commit", super::build::COMMIT)]);
        let it = &mut self.registry;
        it.register("build", "Build information", build);
        it.register("requests", "Requests answered", self.requests.clone());
        it.register_with_unit(
            "request_duration",
            "Time from the request head to the answer",
            Unit::Seconds,
            self.duration.clone(),
        );
        it.register("requests_in_flight", "Requests without an answer yet", self.in_flight.clone());
        it.register("requests_aborted", "Requests whose client left before the answer", self.aborted.clone());
        it.register("batch_lines", "Lines of batches answered", self.batch_lines.clone());
        it.register_with_unit("request_body", "Request bodies as sent", Unit::Bytes, self.received.clone());
        it.register_with_unit("response_body", "Answer bodies", Unit::Bytes, self.sent.clone());
        it.register(
            "work_places",
            "Requests that can be worked on at a time; small ones have one more place",
            places,
        );
        it.register("work_queue", "Requests waiting for their turn", self.queued.clone());
        it.register("work_in_progress", "Requests being worked on", self.at_work.clone());
        it.register_with_unit("work_wait", "Time spent waiting for a turn", Unit::Seconds, self.wait.clone());
        it.register_with_unit(
            "work_duration",
            "Time spent working on a request",
            Unit::Seconds,
            self.service.clone(),
        );
        it.register("requests_shed", "Requests turned away with 503", self.shed.clone());
        it.register(
            "work_cancelled",
            "Work cancelled because nobody was waiting for it any more",
            self.cancelled.clone(),
        );
        it.register("work_over_limit", "Work stopped at its work or memory limit", self.exhausted.clone());
        it.register("files", "Files in requests", self.files.clone());
        it.register_with_unit("files", "Bytes of files in requests", Unit::Bytes, self.file_bytes.clone());
        it.register("diagnostics", "Findings", self.diagnostics.clone());
        it.register_with_unit("stage_duration", "Time in each stage", Unit::Seconds, self.stages.clone());
        it.register_with_unit("bodies_held", "Request bodies in memory", Unit::Bytes, self.body_bytes.clone());
        it.register_with_unit(
            "answers_held",
            "Answers that have not been sent yet",
            Unit::Bytes,
            self.answer_bytes.clone(),
        );
        it.register_with_unit("resident_memory", "Memory of the process", Unit::Bytes, self.resident.clone());
        self.connections.register(it);
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
        let metrics = Metrics::new(&Settings::for_testing());
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

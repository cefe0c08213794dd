//! Measures the time in each stage of a request's work. The stages themselves read no clock: they only report that they
//! begin.

use std::time::Instant;

use prometheus_client::metrics::family::Family;
use prometheus_client::metrics::histogram::Histogram;

use super::labels::StageLabel;
use crate::traces::{Span, Trace};

/// Measures the stages of one request, one after the other; the last one ends when this is dropped.
pub struct StageClock<'a> {
    stages: &'a Family<StageLabel, Histogram, fn() -> Histogram>,
    trace: &'a Trace,
    now: Option<(&'static str, Instant, Span)>,
}

impl<'a> StageClock<'a> {
    pub(super) fn new(stages: &'a Family<StageLabel, Histogram, fn() -> Histogram>, trace: &'a Trace) -> Self {
        Self { stages, trace, now: None }
    }

    /// Ends the current stage and begins the next one.
    pub fn begin(&mut self, stage: &'static str) {
        self.end();
        self.now = Some((stage, Instant::now(), self.trace.begin(stage)));
    }

    fn end(&mut self) {
        if let Some((stage, since, _span)) = self.now.take() {
            self.stages.get_or_create(&StageLabel { stage }).observe(since.elapsed().as_secs_f64());
        }
    }
}

impl Drop for StageClock<'_> {
    fn drop(&mut self) {
        self.end();
    }
}

//! Laps of a run: their duration or their allocations.

use std::time::{Duration, Instant};

use counting::Counts;

use crate::parts::Part;

/// Records the laps of one run.
pub(crate) trait Recorder {
    /// Starts a new lap; what came before belongs to no part.
    fn skip(&mut self);
    /// Assigns everything since the last call to this part.
    fn lap(&mut self, part: Part);
}

/// Measures time and keeps the minimum of all runs.
pub(crate) struct Watch {
    begun: Instant,
    pub(crate) least: [Duration; Part::COUNT],
}

impl Watch {
    pub(crate) fn new() -> Self {
        Self { begun: Instant::now(), least: [Duration::MAX; Part::COUNT] }
    }

    /// Records a time measured by another clock.
    pub(crate) fn add(&mut self, part: Part, time: Duration) {
        if let Some(least) = self.least.get_mut(part as usize) {
            *least = time.min(*least);
        }
    }
}

impl Recorder for Watch {
    fn skip(&mut self) {
        self.begun = Instant::now();
    }

    fn lap(&mut self, part: Part) {
        self.add(part, self.begun.elapsed());
        self.begun = Instant::now();
    }
}

/// Counts allocations.
pub(crate) struct Counter {
    pub(crate) counts: [Counts; Part::COUNT],
}

impl Counter {
    pub(crate) fn start() -> Self {
        counting::start();
        Self { counts: [Counts::default(); Part::COUNT] }
    }
}

impl Recorder for Counter {
    fn skip(&mut self) {
        counting::lap();
    }

    fn lap(&mut self, part: Part) {
        let counts = counting::lap();
        if let Some(place) = self.counts.get_mut(part as usize) {
            *place = counts;
        }
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        counting::stop();
    }
}

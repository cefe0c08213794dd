//! Limits a rate: what may be taken at once is refilled steadily. There is no clock here: the time is an argument.
//!
//! The crate governor has no request that leaves a part of the burst to others, as bulk work does.

use std::time::{Duration, Instant};

/// How much of a request may be missing: rounding must not make one that has waited come too early again and again.
const SLACK: f64 = 1e-3;

/// What a caller may still ask for.
#[derive(Debug)]
pub(super) struct Bucket {
    /// Requests per second.
    rate: f64,
    /// The most requests at once.
    burst: f64,
    left: f64,
    at: Instant,
}

impl Bucket {
    /// Returns a full bucket; `rate` is above 0, `burst` at least 1.
    pub(super) const fn new(rate: f64, burst: f64, now: Instant) -> Self {
        Self { rate, burst, left: burst, at: now }
    }

    fn refill(&mut self, now: Instant) {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left = (self.left + passed * self.rate).min(self.burst);
        self.at = self.at.max(now);
    }

    /// Takes one request; bulk work leaves one half of the bucket.
    ///
    /// # Errors
    /// Returns how long it takes until there is one.
    pub(super) fn take(&mut self, bulk: bool, now: Instant) -> Result<(), Duration> {
        self.refill(now);
        let needed = if bulk { (1.0 + self.burst / 2.0).min(self.burst) } else { 1.0 };
        if self.left >= needed - SLACK {
            self.left -= 1.0;
            return Ok(());
        }
        Err(Duration::try_from_secs_f64((needed - self.left) / self.rate).unwrap_or(Duration::MAX))
    }

    /// Whether nothing has been taken that has not been refilled.
    pub(super) fn is_full(&self, now: Instant) -> bool {
        let passed = now.saturating_duration_since(self.at).as_secs_f64();
        self.left + passed * self.rate >= self.burst
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_burst_is_allowed_and_then_the_rate() {
        let start = Instant::now();
        let mut bucket = Bucket::new(2.0, 4.0, start);
        for _ in 0..4 {
            bucket.take(false, start).unwrap();
        }
        let wait = bucket.take(false, start).unwrap_err();
        assert_eq!(wait, Duration::from_millis(500));
        assert!(bucket.take(false, start + Duration::from_millis(400)).is_err());
        bucket.take(false, start + wait).unwrap();
        assert!(bucket.take(false, start + wait).is_err());
        // A pause is worth no more than the burst.
        let later = start + Duration::from_hours(1);
        assert!(bucket.is_full(later));
        assert_eq!((0..10).filter(|_| bucket.take(false, later).is_ok()).count(), 4);
        // The clock of a thread may be a little behind.
        assert!(bucket.take(false, start).is_err());
    }

    #[test]
    fn bulk_work_leaves_half() {
        let start = Instant::now();
        let mut bucket = Bucket::new(10.0, 10.0, start);
        assert_eq!((0..10).filter(|_| bucket.take(true, start).is_ok()).count(), 5);
        assert_eq!((0..10).filter(|_| bucket.take(false, start).is_ok()).count(), 5);
        // Even of a bucket for one request there is something for it.
        let mut bucket = Bucket::new(0.5, 1.0, start);
        bucket.take(true, start).unwrap();
        let wait = bucket.take(true, start).unwrap_err();
        bucket.take(true, start + wait).unwrap();
    }
}

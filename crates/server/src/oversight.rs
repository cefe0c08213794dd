//! Watches what the requests at work hold, from outside.
//!
//! Work looks at its own memory with every charge. A thread of the service looks at it, too, every few milliseconds, for
//! work that does not charge: it cancels what stays over its limit, and answers for work that does not stop then. Work that
//! goes on allocating is held back by the allocator before it becomes dangerous. Its thread and what it holds are lost, and
//! that is a bug to be mended; but the process lives, and others find a place. If too much is lost, the service stops as
//! after SIGTERM, so that whoever started it starts it anew.
//!
//! The same thread gives back to the system what large requests have freed.

use std::collections::BTreeMap;
use std::sync::{Condvar, LazyLock, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use overfold_account::{self as account, Cancel};

/// How often the requests at work are looked at. A thread fills some 10 MB in that time.
const EVERY: Duration = Duration::from_millis(5);
/// How long work may be a little over its limit, for instance because its thread finds no processor, before it is cancelled;
/// work that holds a half more than it may is cancelled at once.
const PATIENCE: Duration = Duration::from_millis(200);
/// How long cancelled work may take to stop before it is answered for.
const UNTIL_ANSWERED: Duration = Duration::from_millis(300);
/// How much more than the limit a request must hold for its thread to be held back: work that charges never comes near.
const BEYOND: u64 = 192 << 20;
/// How much may be lost before the service stops.
const MOST_LOST: u64 = 1 << 30;
/// What a request must have held, or an answer, for the memory to be given back right after it.
const LARGE: u64 = 16 << 20;
/// How long nothing must be at work for the rest to be given back, too.
const IDLE: Duration = Duration::from_secs(1);

/// What is done for work that does not stop.
pub(crate) trait StuckHandler: Send {
    /// Answers for the work, which has not stopped although it has been cancelled.
    fn answer(&mut self);

    /// Frees the place of work that will never go on.
    fn release(&mut self);
}

struct Job {
    cancel: Cancel,
    stuck: Box<dyn StuckHandler>,
    /// The most bytes that it has been seen to hold.
    peak: u64,
    over_since: Option<Instant>,
    cancelled: Option<Instant>,
    is_answered: bool,
}

#[derive(Default)]
struct Jobs {
    at_work: BTreeMap<u64, Job>,
    next: u64,
    /// Whether something large has been freed.
    is_large_freed: bool,
    /// Whether something has been freed since memory was last given back.
    is_any_freed: bool,
    lost: u64,
}

struct Overseer {
    jobs: Mutex<Jobs>,
    changed: Condvar,
}

static OVERSEER: LazyLock<Option<&'static Overseer>> = LazyLock::new(|| {
    let overseer = &*Box::leak(Box::new(Overseer { jobs: Mutex::default(), changed: Condvar::new() }));
    match thread::Builder::new().name("oversight".to_owned()).spawn(|| overseer.run()) {
        Ok(_) => Some(overseer),
        Err(error) => {
            tracing::error!(%error, "no thread is available to watch the memory of requests");
            None
        }
    }
});

/// A request at work. To be dropped by the thread at work, at its end.
#[derive(Debug)]
pub(crate) struct WatchGuard(u64);

/// Watches work from now on; `stuck` is what is done if it does not stop when it has to.
pub(crate) fn watch(cancel: &Cancel, limit: u64, stuck: Box<dyn StuckHandler>) -> Option<WatchGuard> {
    let overseer = (*OVERSEER)?;
    cancel.hold_back_at(limit.saturating_add(BEYOND));
    let mut jobs = overseer.jobs();
    let number = jobs.next;
    jobs.next += 1;
    let job = Job { cancel: cancel.clone(), stuck, peak: 0, over_since: None, cancelled: None, is_answered: false };
    jobs.at_work.insert(number, job);
    drop(jobs);
    overseer.changed.notify_one();
    Some(WatchGuard(number))
}

impl Drop for WatchGuard {
    fn drop(&mut self) {
        let Some(overseer) = *OVERSEER else { return };
        let mut jobs = overseer.jobs();
        let ended = jobs.at_work.remove(&self.0);
        jobs.is_any_freed = true;
        jobs.is_large_freed |= ended.is_some_and(|job| job.peak >= LARGE);
    }
}

/// Gives the memory back of something of this many bytes that has just been freed.
pub(crate) fn freed(bytes: u64) {
    if bytes >= LARGE
        && let Some(overseer) = *OVERSEER
    {
        overseer.jobs().is_large_freed = true;
        overseer.changed.notify_one();
    }
}

impl Overseer {
    fn jobs(&self) -> MutexGuard<'_, Jobs> {
        // Every step leaves the list consistent.
        self.jobs.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn run(&self) {
        loop {
            let mut jobs = self.jobs();
            if jobs.at_work.is_empty() && !jobs.is_large_freed {
                if jobs.is_any_freed {
                    let waited = self.changed.wait_timeout(jobs, IDLE);
                    let (mut quiet, waited) = waited.unwrap_or_else(PoisonError::into_inner);
                    if waited.timed_out() && quiet.at_work.is_empty() {
                        quiet.is_any_freed = false;
                        quiet.is_large_freed = true;
                    }
                } else {
                    drop(self.changed.wait(jobs).unwrap_or_else(PoisonError::into_inner));
                }
                continue;
            }
            let gives_back = std::mem::take(&mut jobs.is_large_freed);
            let lost = jobs.check(Instant::now());
            drop(jobs);
            if lost {
                self.stop_if_too_much_is_lost();
            }
            if gives_back {
                account::give_back();
            }
            thread::sleep(EVERY);
        }
    }

    fn stop_if_too_much_is_lost(&self) {
        let bytes = self.jobs().lost;
        tracing::error!(
            bytes,
            "a request was held back: it allocated without looking at its limit. Please report this"
        );
        if bytes >= MOST_LOST {
            tracing::error!(bytes, "too much memory is lost to requests that were held back; the service stops");
            stop_service();
        }
    }
}

impl Jobs {
    /// Looks at everything at work. Returns whether something has been lost.
    fn check(&mut self, now: Instant) -> bool {
        let before = self.lost;
        let mut gone = Vec::new();
        for (number, job) in &mut self.at_work {
            job.check(now);
            if job.cancel.is_held_back() {
                job.answer();
                job.stuck.release();
                self.lost = self.lost.saturating_add(job.peak);
                gone.push(*number);
            }
        }
        for number in gone {
            self.at_work.remove(&number);
        }
        self.lost > before
    }
}

impl Job {
    fn check(&mut self, now: Instant) {
        let held = self.cancel.held();
        self.peak = self.peak.max(held);
        let Some(excess) = self.cancel.excess() else {
            self.over_since = None;
            return;
        };
        let since = *self.over_since.get_or_insert(now);
        if now.saturating_duration_since(since) >= PATIENCE || excess > held / 3 {
            let cancelled = *self.cancelled.get_or_insert(now);
            self.cancel.cancel_for_memory();
            if now.saturating_duration_since(cancelled) >= UNTIL_ANSWERED {
                self.answer();
            }
        }
    }

    fn answer(&mut self) {
        self.cancel.cancel_for_memory();
        if !std::mem::replace(&mut self.is_answered, true) {
            self.stuck.answer();
        }
    }
}

/// Stops the service in an orderly way.
#[cfg(unix)]
fn stop_service() {
    let _ = rustix::process::kill_process(rustix::process::getpid(), rustix::process::Signal::TERM);
}

#[cfg(not(unix))]
fn stop_service() {
    std::process::exit(1);
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc::{Sender, channel};

    use super::*;
    use overfold_account::{Limits, Stop, open, work};

    const LIMIT: Limits = Limits { work: u64::MAX, memory: 8 << 20 };
    /// Where work ends that nothing ends: a test then fails, and the machine has memory left.
    const MOST_PIECES: usize = 20_000;

    struct SentAnswers(Sender<&'static str>);

    impl StuckHandler for SentAnswers {
        fn answer(&mut self) {
            let _ = self.0.send("answered");
        }

        fn release(&mut self) {
            let _ = self.0.send("released");
        }
    }

    #[test]
    fn work_that_only_looks_at_its_cancellation_is_ended_with_the_reason() {
        let (tell, told) = channel();
        let cancel = Cancel::new();
        let watched = watch(&cancel, LIMIT.memory, Box::new(SentAnswers(tell)));
        assert!(watched.is_some());
        let stopped = open(LIMIT, &cancel, || {
            let mut held = Vec::new();
            while !cancel.is_cancelled() && held.len() < MOST_PIECES {
                held.push(vec![1_u8; 1 << 16]);
                thread::sleep(Duration::from_micros(20));
            }
            drop(held);
            work(1 << 20);
        });
        assert_eq!(stopped, Err(Stop::Memory(8 << 20)));
        drop(watched);
        assert_eq!(told.recv().ok(), None, "it was not stuck");
    }

    #[test]
    fn work_that_looks_at_nothing_is_answered_for_and_its_place_is_free() {
        let (tell, told) = channel();
        let cancel = Cancel::new();
        let watched = watch(&cancel, LIMIT.memory, Box::new(SentAnswers(tell)));
        let at_work = cancel.clone();
        thread::spawn(move || {
            let _watched = watched;
            open(LIMIT, &at_work, || {
                let mut held = Vec::new();
                while held.len() < MOST_PIECES {
                    held.push(vec![0_u8; 1 << 16]);
                    thread::sleep(Duration::from_micros(200));
                }
            })
        });
        assert_eq!((told.recv(), told.recv()), (Ok("answered"), Ok("released")));
        assert!(told.recv().is_err(), "nobody watches what will never go on");
        assert!(cancel.is_held_back());
    }
}

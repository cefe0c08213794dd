//! Decides which request works next: keeps the line of each size class, the places, and the expected durations. There
//! is no clock and no waiting here: the time is an argument.
//!
//! - Places: as many as configured, and one more that only small requests may take. Large requests also leave one of
//!   the configured places free, unless there is only one. So there is always a place that no larger class can hold.
//! - Among requests that may start, the one that has waited longest in proportion to its usual duration goes first
//!   (highest response ratio next). Short work is preferred, but waiting long work eventually overtakes any stream of
//!   short work.
//! - While more requests come than can be processed, a request that has waited too long in that proportion is turned
//!   away even so: a late answer costs as much as a timely one, and delays the next one as well.
//! - Each place in use may take the memory that the settings allow for one request, and its answer keeps what it needs
//!   of that until it has been sent. While unread answers hold memory, fewer places are open, but always the one for small
//!   requests: if its memory is held, too, unread answers are dropped.

use std::collections::VecDeque;
use std::time::{Duration, Instant};

use crate::class::{PerClass, SizeClass, Weight};

/// The size of the queue and of its places.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Capacity {
    /// The number of places for work, in addition to the one for small requests.
    pub(crate) places: usize,
    /// The most requests that may wait.
    pub(crate) queue: usize,
    /// How long a request may wait, as a multiple of its usual duration.
    pub(crate) patience: f64,
    /// The most bytes that one request being processed may take.
    pub(crate) work_bytes: u64,
    /// Bytes of answers that may wait to be sent while every place is in use.
    pub(crate) answer_bytes: u64,
}

/// An expected wait shorter than this is no reason to turn a request away.
const NEGLIGIBLE: Duration = Duration::from_millis(2);
/// An actual wait of up to this is no reason, either.
const NEGLIGIBLE_WAITED: Duration = Duration::from_millis(5);
/// How far the actual wait may exceed the one that patience allows, as a factor, before a request is turned away.
const LATE_FACTOR: f64 = 3.0;
/// How long more requests may come than patience allows, as long as there is room in the queue: a burst, not an
/// overload.
const BURST: Duration = Duration::from_millis(100);
/// An overload is over when for this long no request has come that would have had to wait too long.
const CALM_PERIOD: Duration = Duration::from_secs(1);
/// The weight of the newest measurement in an average.
const NEWEST_WEIGHT: f64 = 0.1;
/// The weight of the newest measurement if it is a longer gap between two starts than usual: requests admitted while
/// the estimate is too optimistic wait too long, whereas those turned away can come again.
const SLOWER_WEIGHT: f64 = 0.4;

/// Why a request is turned away.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub(crate) enum Shed {
    /// As many requests are waiting as the settings allow.
    QueueFull,
    /// Its turn would come too late.
    TooLate,
    /// Unread answers hold the memory.
    Answers,
    /// Bodies hold the memory.
    Bodies,
}

/// The names of all reasons, for metrics.
pub(crate) const SHED_REASONS: [&str; 4] =
    [Shed::QueueFull.name(), Shed::TooLate.name(), Shed::Answers.name(), Shed::Bodies.name()];

impl Shed {
    /// Returns the name in metrics.
    pub(crate) const fn name(self) -> &'static str {
        match self {
            Self::QueueFull => "queue-full",
            Self::TooLate => "expected-wait",
            Self::Answers => "answers",
            Self::Bodies => "bodies",
        }
    }
}

/// A request in line; `wake` wakes it.
#[derive(Debug)]
struct WaitingRequest<T> {
    ticket: u64,
    since: Instant,
    bytes: u64,
    wake: T,
}

/// What happens to a request that has waited; `wake` wakes it.
#[derive(Debug)]
pub(crate) enum WaitOutcome<T> {
    /// Its turn has come, after waiting for `waited`.
    Start { wake: T, weight: Weight, waited: Duration },
    /// It has waited too long and is turned away; another request that came now would have to wait for `wait`.
    Late { wake: T, wait: Duration },
}

/// The line of one class, and what is known about its work.
#[derive(Debug)]
struct Line<T> {
    waiting: VecDeque<WaitingRequest<T>>,
    at_work: usize,
    /// The usual processor time of its work, in seconds.
    service: f64,
    /// The usual processor time per byte, in seconds.
    service_of_byte: f64,
    /// The usual time between two starts while requests are waiting, in seconds. `None` if no request has had to wait
    /// lately.
    gap: Option<f64>,
    last_start: Option<Instant>,
    /// When the overload began and when it was last observed, if there is one.
    overload: Option<(Instant, Instant)>,
}

impl<T> Line<T> {
    /// Returns the usual processor time of a request of `bytes` bytes, in seconds.
    fn usual(&self, bytes: u64) -> f64 {
        // Precise enough for a ratio: sizes are below 2^53.
        #[expect(clippy::cast_precision_loss, reason = "a size in bytes, for an estimate")]
        let bytes = bytes as f64;
        (self.service_of_byte * bytes).max(1e-6)
    }

    /// Whether more requests have been coming for a while than can be processed.
    fn is_in_overload(&self, now: Instant) -> bool {
        self.overload.is_some_and(|(began, seen)| {
            seen.saturating_duration_since(began) >= BURST && now.saturating_duration_since(seen) < CALM_PERIOD
        })
    }

    /// Returns the index of the request that has waited longest in proportion to its work, and that proportion.
    fn next(&self, now: Instant) -> Option<(usize, f64)> {
        let age = |waiting: &WaitingRequest<T>| {
            now.saturating_duration_since(waiting.since).as_secs_f64() / self.usual(waiting.bytes)
        };
        let ages = self.waiting.iter().map(age).enumerate();
        // Among equals, the first one wins.
        ages.reduce(|oldest, next| if next.1 > oldest.1 { next } else { oldest })
    }

    /// Whether a request that comes now is one too many; `too_long` says whether it would have to wait too long.
    fn is_overloaded(&mut self, too_long: bool, now: Instant) -> bool {
        if !too_long {
            self.overload = self.overload.filter(|(_, seen)| now.saturating_duration_since(*seen) < CALM_PERIOD);
            return false;
        }
        let began = self.overload.map_or(now, |(began, _)| began);
        self.overload = Some((began, now));
        now.saturating_duration_since(began) >= BURST
    }
}

/// The lines and the places.
#[derive(Debug)]
pub(crate) struct Queue<T> {
    capacity: Capacity,
    lines: PerClass<Line<T>>,
    /// Bytes of answers that have not been sent yet.
    unsent: u64,
    /// The part of them whose connections have been told to end.
    leaving: u64,
    next_ticket: u64,
}

impl<T> Queue<T> {
    /// Creates an empty queue.
    pub(crate) fn new(capacity: Capacity) -> Self {
        // Initial guesses, which lose their influence after a few requests.
        let lines = PerClass::from_fn(|class| Line {
            waiting: VecDeque::new(),
            at_work: 0,
            service: match class {
                SizeClass::Small => 0.002,
                SizeClass::Medium => 0.05,
                SizeClass::Large => 0.5,
            },
            service_of_byte: 2e-7,
            gap: None,
            last_start: None,
            overload: None,
        });
        Self { capacity, lines, unsent: 0, leaving: 0, next_ticket: 0 }
    }

    fn sum(&self, count: impl Fn(&Line<T>) -> usize) -> usize {
        SizeClass::ALL.into_iter().map(|class| count(self.lines.get(class))).sum()
    }

    /// Returns the number of requests in line.
    pub(crate) fn waiting(&self) -> usize {
        self.sum(|line| line.waiting.len())
    }

    /// Returns the bytes of answers that have not been sent yet.
    pub(crate) const fn unsent(&self) -> u64 {
        self.unsent
    }

    /// Returns the number of open places while answers hold `unsent` bytes: all places except those whose memory they hold.
    /// The one for small requests is always open, see [`Self::excess`].
    fn open_places(&self, unsent: u64) -> usize {
        let all = self.capacity.places.saturating_add(1);
        let over = unsent.saturating_sub(self.capacity.answer_bytes);
        let held = over.div_ceil(self.capacity.work_bytes.max(1));
        all.saturating_sub(usize::try_from(held).unwrap_or(usize::MAX)).max(1)
    }

    /// Returns the number of places that requests of a class and of larger ones may take together while answers hold
    /// `unsent` bytes.
    fn places_for(&self, class: SizeClass, unsent: u64) -> usize {
        let open = self.open_places(unsent);
        match class {
            SizeClass::Small => open,
            SizeClass::Medium => open - 1,
            // One of several is left to medium ones.
            SizeClass::Large => (open - 1).min(self.capacity.places.saturating_sub(1).max(1)),
        }
    }

    fn may_start(&self, class: SizeClass) -> bool {
        if self.needed_room(class) > 0 {
            return false;
        }
        // The place for small requests: larger ones that began when answers held less do not take it.
        if class == SizeClass::Small && self.lines.get(class).at_work == 0 {
            return true;
        }
        // A place taken by a larger request is taken for every smaller class as well.
        SizeClass::ALL
            .into_iter()
            .filter(|of| *of <= class)
            .all(|of| self.at_work_from(of) < self.places_for(of, self.unsent))
    }

    /// Returns the number of requests of a class and of larger ones that are at work.
    fn at_work_from(&self, class: SizeClass) -> usize {
        SizeClass::ALL.into_iter().filter(|of| *of >= class).map(|of| self.lines.get(of).at_work).sum()
    }

    /// Returns how many bytes of answers have to be freed before a request of this class may start, whatever else is at
    /// work: then answers and places together hold no more than they ever may.
    fn needed_room(&self, class: SizeClass) -> u64 {
        let Capacity { places, work_bytes, answer_bytes, .. } = self.capacity;
        // Small requests do not wait for larger ones, which may be at work in some of the other places.
        let others = match class {
            SizeClass::Small => places.saturating_sub(self.at_work_from(SizeClass::Medium)),
            SizeClass::Medium | SizeClass::Large => places.saturating_sub(1),
        };
        self.unsent.saturating_sub(answer_bytes.saturating_add((others as u64).saturating_mul(work_bytes)))
    }

    /// Returns how many bytes of answers still have to leave so that a request of this class may start, in addition to those
    /// that are leaving.
    pub(crate) fn excess(&self, class: SizeClass) -> u64 {
        self.needed_room(class).saturating_sub(self.leaving)
    }

    /// Records that the connections of answers that hold this many bytes have been told to end.
    pub(crate) fn leaves(&mut self, bytes: u64) {
        self.leaving = self.leaving.saturating_add(bytes);
    }

    /// Whether a request that came now would start at once, no other request is waiting, and a place would be left for
    /// the next one.
    pub(crate) fn has_places_to_spare(&self, class: SizeClass) -> bool {
        let at_work = self.sum(|line| line.at_work);
        self.waiting() == 0 && self.may_start(class) && at_work.saturating_add(1) < self.open_places(self.unsent)
    }

    /// Returns how long a request that comes now is likely to wait for its turn.
    pub(crate) fn expected_wait(&self, class: SizeClass, now: Instant) -> Duration {
        let line = self.lines.get(class);
        if line.waiting.is_empty() && self.may_start(class) {
            return Duration::ZERO;
        }
        let unhindered = line.service / places(self.places_for(class, self.unsent));
        let gap = line.gap.unwrap_or(unhindered).max(unhindered);
        // The first request in line has already waited this long, whatever is usual.
        let head = line.waiting.front().map_or(Duration::ZERO, |head| now.saturating_duration_since(head.since));
        seconds(gap * count(line.waiting.len() + 1)).max(head)
    }

    /// Checks whether a request that comes now is admitted, with `left` until its deadline.
    ///
    /// # Errors
    /// Returns why it would be turned away, and how long the line needs until it would be admitted.
    pub(crate) fn admits(&mut self, class: SizeClass, left: Duration, now: Instant) -> Result<(), (Shed, Duration)> {
        let wait = self.expected_wait(class, now);
        if self.excess(class) > 0 {
            return Err((Shed::Answers, wait.max(Duration::from_secs(2))));
        }
        if wait.is_zero() {
            return Ok(());
        }
        if self.waiting() >= self.capacity.queue {
            return Err((Shed::QueueFull, wait));
        }
        let patience = self.capacity.patience;
        let line = self.lines.get_mut(class);
        let too_long = wait > seconds(line.service * patience).max(NEGLIGIBLE);
        if line.is_overloaded(too_long, now) || wait.saturating_add(seconds(line.service)) > left {
            return Err((Shed::TooLate, wait));
        }
        Ok(())
    }

    /// Returns why the smallest requests are currently being turned away, if they are.
    pub(crate) fn saturated(&self, now: Instant) -> Option<Shed> {
        if self.excess(SizeClass::Small) > 0 {
            return Some(Shed::Answers);
        }
        if self.waiting() >= self.capacity.queue && !self.may_start(SizeClass::Small) {
            return Some(Shed::QueueFull);
        }
        let overload = self.lines.get(SizeClass::Small).is_in_overload(now);
        overload.then_some(Shed::TooLate)
    }

    /// Puts a request into the line of its class and returns its ticket.
    pub(crate) fn push(&mut self, weight: Weight, wake: T, now: Instant) -> u64 {
        let ticket = self.next_ticket;
        self.next_ticket += 1;
        let waiting = WaitingRequest { ticket, since: now, bytes: weight.bytes, wake };
        self.lines.get_mut(weight.class).waiting.push_back(waiting);
        ticket
    }

    /// Takes a request out of the line; does nothing if its turn has already come.
    pub(crate) fn leave(&mut self, class: SizeClass, ticket: u64) {
        let waiting = &mut self.lines.get_mut(class).waiting;
        if let Some(at) = waiting.iter().position(|waiting| waiting.ticket == ticket) {
            waiting.remove(at);
        }
    }

    /// Gives a free place to the next request, or turns away one that has waited too long; `None` if no request can
    /// start.
    pub(crate) fn next(&mut self, now: Instant) -> Option<WaitOutcome<T>> {
        let candidates = SizeClass::ALL.into_iter().filter(|class| self.may_start(*class));
        let ages = candidates.filter_map(|class| self.lines.get(class).next(now).map(|(at, age)| (class, at, age)));
        // Among equals, the smaller class wins.
        let (class, at, age) = ages.reduce(|oldest, next| if next.2 > oldest.2 { next } else { oldest })?;
        let wait = self.expected_wait(class, now);
        let late = age > LATE_FACTOR * self.capacity.patience;
        let line = self.lines.get_mut(class);
        let WaitingRequest { since, bytes, wake, .. } = line.waiting.remove(at)?;
        let waited = now.saturating_duration_since(since);
        if late && waited > NEGLIGIBLE_WAITED && line.is_in_overload(now) {
            return Some(WaitOutcome::Late { wake, wait });
        }
        // If no request was ahead of it, the time since the last start says nothing about how fast the line moves.
        if let Some(last) = line.last_start.filter(|last| *last >= since) {
            let gap = now.saturating_duration_since(last).as_secs_f64();
            line.gap = Some(line.gap.map_or(gap, |usual| {
                let weight = if gap > usual { SLOWER_WEIGHT } else { NEWEST_WEIGHT };
                average(usual, gap, weight)
            }));
        } else if line.waiting.is_empty() {
            line.gap = None;
        }
        line.last_start = Some(now);
        line.at_work += 1;
        Some(WaitOutcome::Start { wake, weight: Weight { class, bytes }, waited })
    }

    /// Frees the place of a request. `took` is the duration of its work, `None` if it was given up; `answer` is the
    /// size of its answer in bytes, which is counted until [`sent`](Self::sent).
    pub(crate) fn finish(&mut self, weight: Weight, took: Option<Duration>, answer: u64) {
        let line = self.lines.get_mut(weight.class);
        line.at_work = line.at_work.saturating_sub(1);
        if let Some(took) = took {
            let took = took.as_secs_f64();
            line.service = average(line.service, took, NEWEST_WEIGHT);
            #[expect(clippy::cast_precision_loss, reason = "a size in bytes, for an estimate")]
            let bytes = weight.bytes.max(1) as f64;
            line.service_of_byte = average(line.service_of_byte, took / bytes, NEWEST_WEIGHT);
        }
        self.unsent = self.unsent.saturating_add(answer);
    }

    /// Records that an answer of this many bytes has been sent, or is no longer wanted; `was_leaving` says whether its
    /// connection had been told to end.
    pub(crate) fn sent(&mut self, answer: u64, was_leaving: bool) {
        self.unsent = self.unsent.saturating_sub(answer);
        if was_leaving {
            self.leaving = self.leaving.saturating_sub(answer);
        }
    }
}

fn average(usual: f64, newest: f64, weight: f64) -> f64 {
    usual + (newest - usual) * weight
}

fn seconds(seconds: f64) -> Duration {
    Duration::try_from_secs_f64(seconds).unwrap_or(Duration::MAX)
}

fn count(requests: usize) -> f64 {
    u32::try_from(requests).unwrap_or(u32::MAX).into()
}

fn places(places: usize) -> f64 {
    count(places.max(1))
}

#[cfg(test)]
mod tests;

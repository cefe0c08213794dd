//! Admission control: limits what requests may hold and decides which works next, so that the total is bounded whatever
//! is sent.
//!
//! A request passes three gates. Its body is read under `Bodies`, a limit on the total number of bytes. Once it has
//! arrived, the request waits in the line of its size class for one of the places (`queue`), or is turned away at
//! once if its turn would come too late. Its answer is counted until its last byte has been sent ([`UnsentAnswer`]), and
//! meanwhile leaves less room for new work. A client that merely connects holds none of the gates.

mod bulk;
mod bodies;
mod memory;
mod queue;
mod unread;

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use axum::body::Bytes;
use tokio::sync::{Notify, oneshot};
use tokio::time::timeout;

use self::bodies::Bodies;
use self::queue::{Capacity, Queue, Shed, WaitOutcome};
use self::unread::{LEAST_TIME, UnreadAnswers};
use crate::class::{PerClass, SizeClass, Weight};
use crate::error::{ApiError, kind};
use crate::metrics::Metrics;
use crate::oversight::{self, StuckHandler};
use crate::quota::{OwnPlace, Quota};
use crate::settings::Settings;
use crate::watch::Watch;
use crate::work::{self, CancelOnDrop};
use overfold_account::{self as account, Cancel, Limits, Stop};

pub use self::bodies::{BodiesFull, Collected, Share};
pub use self::memory::MemoryNeed;
pub(crate) use self::queue::SHED_REASONS;

/// How often a request in line checks whether answers that nobody reads are in its way.
const LOOK_EVERY: Duration = Duration::from_millis(500);

/// The gates of a service. Clones share their state.
#[derive(Clone, Debug)]
pub struct Gate(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    bodies: Bodies,
    /// Locked before `unread`.
    queue: Mutex<Queue<oneshot::Sender<Turn>>>,
    unread: Mutex<UnreadAnswers<Watch>>,
    /// Wakes requests that wait beside the line, see [`bulk`].
    bulk: PerClass<Notify>,
    metrics: Metrics,
}

impl Gate {
    /// Creates gates with these settings.
    pub(crate) fn new(settings: &Settings, metrics: Metrics) -> Self {
        let work = &settings.work;
        let capacity = Capacity {
            places: work.concurrency(),
            queue: work.queue,
            patience: f64::from(work.queue_patience),
            work_bytes: settings.cost.max_memory_bytes,
            answer_bytes: work.max_answers_bytes,
        };
        Self(Arc::new(Inner {
            bodies: Bodies::new(work.max_bodies_bytes),
            queue: Mutex::new(Queue::new(capacity)),
            unread: Mutex::new(UnreadAnswers::new()),
            bulk: PerClass::from_fn(|_| Notify::new()),
            metrics,
        }))
    }

    fn queue(&self) -> MutexGuard<'_, Queue<oneshot::Sender<Turn>>> {
        // Nothing panics while the lock is held; and the counts are consistent after every step anyway.
        self.0.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn unread(&self) -> MutexGuard<'_, UnreadAnswers<Watch>> {
        // Nothing panics while the lock is held.
        self.0.unread.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// If unread answers leave no place for a class, drops those that have been read least. A small request is served
    /// whatever it takes; for a larger one, every client has a moment to read first.
    fn make_room(&self, class: SizeClass) {
        let mut queue = self.queue();
        let excess = queue.excess(class);
        if excess == 0 {
            return;
        }
        let age = if class == SizeClass::Small { Duration::ZERO } else { LEAST_TIME };
        let bytes = self.unread().drop_least_read(excess, age, Instant::now());
        queue.leaves(bytes);
        drop(queue);
        if bytes > 0 {
            tracing::warn!(bytes, "answers that were hardly read have been dropped, to make room for other requests");
        }
    }

    /// Returns an empty share of the room for bodies, for one of this caller.
    pub fn share(&self, caller: Option<Quota>) -> Share {
        self.0.bodies.share(caller)
    }

    /// Returns the answer to a request whose body found no room.
    pub fn bodies_full(&self, full: &BodiesFull) -> ApiError {
        if let BodiesFull::Caller(caller) = full {
            return caller.over_share();
        }
        let wait = self.queue().expected_wait(SizeClass::Large, Instant::now());
        self.shed(Shed::Bodies, wait)
    }

    /// Whether a request of this class would be admitted if its body were here now.
    ///
    /// # Errors
    /// 503 if it would be turned away.
    pub fn would_admit(&self, class: SizeClass, deadline: Instant) -> Result<(), ApiError> {
        self.make_room(class);
        let now = Instant::now();
        let admits = self.queue().admits(class, deadline.saturating_duration_since(now), now);
        admits.map_err(|(why, wait)| self.shed(why, wait))
    }

    /// Waits for the turn of a request whose body has arrived. Dropping the future leaves the line. If its caller may not
    /// hold more places, it waits for one of these first, outside of the line: there it would be in the way of others.
    ///
    /// # Errors
    /// 503 immediately if the turn would come too late, or later if it turns out to; 429 if the caller has too many
    /// requests.
    pub async fn turn(&self, weight: Weight, body: Share, deadline: Instant) -> Result<WorkPermit, ApiError> {
        let own = match body.caller() {
            Some(caller) => Some(caller.place(deadline).await?),
            None => None,
        };
        let place = self.place(weight, deadline).await.map_err(|(why, wait)| self.shed(why, wait))?;
        Ok(WorkPermit { place, began: None, _body: body, _own: own })
    }

    /// Waits in the line of a class until a place is free.
    ///
    /// # Errors
    /// Returns why there is none, and how long another request would have to wait.
    async fn place(&self, weight: Weight, deadline: Instant) -> Result<OccupiedPlace, (Shed, Duration)> {
        let class = weight.class;
        self.make_room(class);
        let now = Instant::now();
        let (wake, mut turn) = oneshot::channel();
        let ticket = {
            let mut queue = self.queue();
            queue.admits(class, deadline.saturating_duration_since(now), now)?;
            queue.push(weight, wake, now)
        };
        self.0.metrics.queued(class, 1);
        let in_line = QueuedRequest { gate: self, class, ticket };
        self.start_waiting();
        let place = loop {
            if let Ok(place) = timeout(LOOK_EVERY, &mut turn).await {
                break place;
            }
            // Nothing tells when answers have been there for long enough to be dropped.
            self.make_room(class);
            self.start_waiting();
        };
        drop(in_line);
        // The sender is dropped only after it has sent: the request itself keeps it in the line.
        match place {
            Ok(Turn::Place(place)) => Ok(place),
            Ok(Turn::Late(wait)) => Err((Shed::TooLate, wait)),
            Err(_) => Err((Shed::TooLate, Duration::ZERO)),
        }
    }

    /// Returns why the smallest requests are being turned away; `None` if they are served.
    pub fn saturated(&self) -> Option<&'static str> {
        if self.0.bodies.is_full() {
            return Some("request bodies use all of the memory reserved for them");
        }
        self.queue().saturated(Instant::now()).map(|why| match why {
            Shed::Answers => "answers that have not been read use all of the memory reserved for work",
            _ => "more requests arrive than can be handled: even small ones would wait too long for their turn",
        })
    }

    /// Returns the bytes held by bodies, and by answers that have not been sent.
    pub fn held(&self) -> (u64, u64) {
        (self.0.bodies.held(), self.queue().unsent())
    }

    /// Assigns free places to waiting requests, as long as there are both.
    fn start_waiting(&self) {
        loop {
            let next = self.queue().next(Instant::now());
            let Some(next) = next else { return self.wake_bulk() };
            let (wake, turn) = match next {
                WaitOutcome::Start { wake, weight, waited } => {
                    self.0.metrics.started(weight.class, waited);
                    (
                        wake,
                        Turn::Place(OccupiedPlace { gate: self.clone(), weight, since: Instant::now(), done: None }),
                    )
                }
                WaitOutcome::Late { wake, wait } => (wake, Turn::Late(wait)),
            };
            // A place whose request has left in the meantime comes back and is freed at once.
            drop(wake.send(turn));
        }
    }

    /// Turns a request away; `wait` is how long it would have had to wait.
    fn shed(&self, why: Shed, wait: Duration) -> ApiError {
        self.0.metrics.shed(why.name());
        let seconds = wait.as_secs().saturating_add(u64::from(wait.subsec_nanos() > 0)).clamp(1, 3600);
        let detail = match why {
            Shed::QueueFull => "the queue of waiting requests is full",
            Shed::TooLate => "requests of this size would wait too long for their turn",
            Shed::Answers => "answers that have not been read occupy the memory needed for further work",
            Shed::Bodies => "the bodies of other requests occupy the memory needed for this one",
        };
        ApiError {
            retry_after: Some(seconds),
            ..ApiError::new(kind::OVERLOADED, format!("{detail}; try again in {seconds} s"))
        }
    }
}

/// A request in line; dropped when its turn has come or it is no longer awaited.
struct QueuedRequest<'a> {
    gate: &'a Gate,
    class: SizeClass,
    ticket: u64,
}

impl Drop for QueuedRequest<'_> {
    fn drop(&mut self) {
        self.gate.queue().leave(self.class, self.ticket);
        self.gate.0.metrics.queued(self.class, -1);
    }
}

/// The outcome of waiting in line.
#[derive(Debug)]
enum Turn {
    Place(OccupiedPlace),
    /// The request has waited too long; another one would have to wait this long.
    Late(Duration),
}

/// A place that is in use.
#[derive(Debug)]
struct OccupiedPlace {
    gate: Gate,
    weight: Weight,
    since: Instant,
    /// The time that the work took and the bytes of its answer, once it is done.
    done: Option<(Duration, u64)>,
}

impl Drop for OccupiedPlace {
    fn drop(&mut self) {
        let answer = self.done.map_or(0, |(_, answer)| answer);
        self.gate.queue().finish(self.weight, self.done.map(|(took, _)| took), answer);
        self.gate.0.metrics.finished(self.weight.class, self.since.elapsed());
        self.gate.start_waiting();
    }
}

/// The right to use a processor for one request. The work itself holds it, so that work whose client has left still
/// counts.
#[derive(Debug)]
pub struct WorkPermit {
    place: OccupiedPlace,
    /// The thread's processor time when the work began.
    began: Option<Duration>,
    _body: Share,
    /// Its place among those of its caller.
    _own: Option<OwnPlace>,
}

impl WorkPermit {
    /// Does the work of a request: `job` on a thread for work under an account with these limits, then `end` with what came
    /// of it. The work is cancelled when this future is dropped: when the deadline has passed, or when the client has left.
    /// The permit ends with the work, not before.
    ///
    /// # Errors
    /// 413 if the work holds too much memory and does not stop when told to; 500 if it panics or there is no thread for it.
    pub async fn run<T, U: Send + 'static>(
        self,
        limits: Limits,
        job: impl FnOnce() -> T + Send + 'static,
        end: impl FnOnce(Self, Result<T, Stop>) -> U + Send + 'static,
    ) -> Result<U, ApiError> {
        let class = self.place.weight.class;
        let cancel = Cancel::new();
        let _unwanted = CancelOnDrop(cancel.clone());
        let (tell, told) = oneshot::channel();
        let permit = Arc::new(Mutex::new(Some(self)));
        let stuck = StuckWork { tell: Some(tell), permit: Arc::clone(&permit), cancel: cancel.clone() };
        let watched = oversight::watch(&cancel, limits.most_memory(), Box::new(stuck));
        let done = work::run(class, move || {
            let _watched = watched;
            if let Some(permit) = lock(&permit).as_mut() {
                permit.began = work::processor_time();
            }
            let made = account::open(limits, &cancel, job);
            let permit = lock(&permit).take();
            permit.map(|permit| end(permit, made))
        });
        tokio::select! {
            biased;
            done = done => done?.ok_or_else(ApiError::internal),
            Ok(stop) = told => Err(stop.into()),
        }
    }

    /// Returns the duration of the work: in processor time if that is known, because the usual value of a class then
    /// does not depend on the load.
    fn took(&self) -> Duration {
        let used = self.began.and_then(|began| work::processor_time()?.checked_sub(began));
        used.unwrap_or_else(|| self.place.since.elapsed())
    }

    /// Ends the work: frees the place and the body; the answer is counted from now on. `reader` is the connection that it is
    /// for, if there is one.
    pub fn finish(mut self, answer: Vec<u8>, reader: Option<Watch>) -> UnsentAnswer {
        let held = answer.capacity() as u64;
        self.place.done = Some((self.took(), held));
        let gate = self.place.gate.clone();
        let bytes = answer.len() as u64;
        if let Some(reader) = &reader {
            reader.holds(bytes);
        }
        let number = gate.unread().add(held, reader.clone(), Instant::now());
        UnsentAnswer { answer, number, bytes, reader, gate }
    }

    /// Ends work that was done but has no separate answer.
    pub fn fail(mut self) {
        self.place.done = Some((self.took(), 0));
    }
}

/// A permit that the work and those who watch it share.
type SharedPermit = Arc<Mutex<Option<WorkPermit>>>;

fn lock(permit: &SharedPermit) -> MutexGuard<'_, Option<WorkPermit>> {
    // It is there or not.
    permit.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Stands in for work that does not stop.
struct StuckWork {
    tell: Option<oneshot::Sender<Stop>>,
    permit: SharedPermit,
    cancel: Cancel,
}

impl StuckHandler for StuckWork {
    fn answer(&mut self) {
        let stop = Stop::Memory(self.cancel.memory_limit());
        if let Some(permit) = &*lock(&self.permit) {
            permit.place.gate.0.metrics.stopped(stop);
        }
        if let Some(tell) = self.tell.take() {
            // Nobody waits for it if the client has left.
            let _ = tell.send(stop);
        }
    }

    fn release(&mut self) {
        let permit = lock(&self.permit).take();
        drop(permit);
    }
}

/// An answer that is counted until its last byte has been sent.
#[derive(Debug)]
pub struct UnsentAnswer {
    answer: Vec<u8>,
    /// Its number among the unread answers.
    number: u64,
    bytes: u64,
    reader: Option<Watch>,
    gate: Gate,
}

impl UnsentAnswer {
    /// Returns the answer as a body. It is counted until the last reference to its bytes is dropped, when the
    /// connection has written them or is gone.
    pub fn into_bytes(self) -> Bytes {
        Bytes::from_owner(self)
    }
}

impl AsRef<[u8]> for UnsentAnswer {
    fn as_ref(&self) -> &[u8] {
        &self.answer
    }
}

impl Drop for UnsentAnswer {
    fn drop(&mut self) {
        // The memory is freed first: the request that starts next may need it.
        self.answer = Vec::new();
        oversight::freed(self.bytes);
        if let Some(reader) = &self.reader {
            reader.releases(self.bytes);
        }
        let (held, was_leaving) = self.gate.unread().remove(self.number);
        self.gate.queue().sent(held, was_leaving);
        self.gate.start_waiting();
    }
}

#[cfg(test)]
mod tests {
    use std::future::Future;

    use super::*;

    const MEDIUM: Weight = Weight::from_size(100_000, false);

    fn gate(change: impl FnOnce(&mut Settings)) -> Gate {
        let mut settings = Settings::for_testing();
        settings.work.concurrency = Some(1);
        settings.work.queue_patience = 1_000_000;
        change(&mut settings);
        Gate::new(&settings, Metrics::new(&settings, "unknown", &[], &[]))
    }

    fn turn(gate: &Gate) -> impl Future<Output = Result<WorkPermit, ApiError>> + '_ {
        gate.turn(MEDIUM, gate.share(None), Instant::now() + Duration::from_hours(1))
    }

    async fn polled<T>(future: &mut std::pin::Pin<Box<impl Future<Output = T>>>) -> Option<T> {
        tokio::time::timeout(Duration::ZERO, future).await.ok()
    }

    #[tokio::test]
    async fn requests_wait_for_their_turn_and_those_that_left_do_not() {
        let gate = gate(|_| {});
        let first = turn(&gate).await.unwrap();
        let (mut gone, mut next) = (Box::pin(turn(&gate)), Box::pin(turn(&gate)));
        assert!(polled(&mut gone).await.is_none());
        assert!(polled(&mut next).await.is_none());
        assert_eq!(gate.queue().waiting(), 2);
        drop(gone);
        assert_eq!(gate.queue().waiting(), 1);
        drop(first);
        let next = next.await.unwrap();
        // A turn that comes while it is not polled gives its place back.
        let mut third = Box::pin(turn(&gate));
        assert!(polled(&mut third).await.is_none());
        drop(next);
        drop(third);
        assert!(turn(&gate).await.is_ok());
    }

    #[tokio::test]
    async fn the_queue_has_an_end_and_the_answer_says_when_to_come_back() {
        let gate = gate(|settings| settings.work.queue = 1);
        let _first = turn(&gate).await.unwrap();
        let mut second = Box::pin(turn(&gate));
        assert!(polled(&mut second).await.is_none());
        let refused = turn(&gate).await.unwrap_err();
        assert_eq!(refused.kind, kind::OVERLOADED);
        assert!(refused.retry_after.is_some_and(|seconds| seconds >= 1));
        let soon = gate.turn(MEDIUM, gate.share(None), Instant::now()).await;
        assert!(soon.is_err(), "nothing is left of its time");
    }

    #[tokio::test]
    async fn an_answer_counts_until_its_bytes_are_dropped() {
        let gate = gate(|_| {});
        let body = turn(&gate).await.unwrap().finish(vec![7; 1000], None).into_bytes();
        let part = body.slice(0..10);
        drop(body);
        assert_eq!(gate.held(), (0, 1000));
        drop(part);
        assert_eq!(gate.held(), (0, 0));
    }
}

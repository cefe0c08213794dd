//! A worker: takes requests from the queue, answers them, and stores the answers.
//!
//! The order is what makes it safe to end at any moment: the answer is stored, then the entry that names it, and only then
//! is the request taken off the queue. Whoever ends before that leaves the request to another worker, who finds it
//! answered or answers it again, with the same result.

use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::consumer::PullConsumer;
use async_nats::jetstream::{AckKind, Message};
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::QueueError;
use super::answers::{Current, NewAnswer, StoreOutcome};
use super::job::{Job, digest_in};
use super::place::{Queue, Watcher};
use crate::api::{AppState, JobAnswer, JobRequest, Jobs, Room};
use crate::settings::QueueSettings;

/// How many requests are held for each place for work: while one is processed, the next one is fetched or stored.
const REQUESTS_PER_PLACE: usize = 2;
/// How long the server waits for something to give. When a worker is told to stop, it still takes what it has asked for.
const FETCH: Duration = Duration::from_secs(2);
/// How long to wait when the server does not answer.
const PAUSE: Duration = Duration::from_secs(1);
/// How long a worker tries to store an answer.
const STORING: Duration = Duration::from_mins(10);
/// The longest pause before a request that could not be answered is tried again; the first is a second, then twice as long
/// each time.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// Works until the process is told to stop, and then ends what is in progress within the grace period. What is not done by
/// then goes back to the queue.
pub async fn work(state: AppState, settings: QueueSettings) {
    const GONE: &str = "there is no connection to the queue";
    state.set_obstacle(Some(GONE));
    let watched = state.clone();
    let watcher = Arc::new(move |is_there: bool| watched.set_obstacle((!is_there).then_some(GONE)));
    let queue = tokio::select! {
        queue = opened(&settings, watcher) => queue,
        () = state.told_to_stop() => return,
    };
    let places = state.settings().work.concurrency() * REQUESTS_PER_PLACE;
    tracing::info!(queue = queue.name, requests = places, "working: requests at a time");
    let grace = Duration::from_secs(state.settings().listen.grace_seconds);
    let (limits, work) = (state.limits(), &state.settings().work);
    // Each needs room for the body as it was sent, and again for what becomes of it, of the room for large bodies. Whoever has
    // the first must get the second, or all would wait.
    let room = work.max_bodies_bytes / 4 * 3;
    let each = limits.body.max_request_bytes.saturating_add(limits.body.max_unpacked_bytes);
    let at_a_time = usize::try_from(room / each).unwrap_or(places).clamp(1, places);
    let bundles_at_a_time = Semaphore::new(at_a_time);
    let worker = Arc::new(Worker { jobs: Jobs::new(&state), queue, state: state.clone(), bundles_at_a_time });
    let mut slots = JoinSet::new();
    let run = |slots: &mut JoinSet<()>| {
        let worker = Arc::clone(&worker);
        slots.spawn(async move { worker.run().await });
    };
    (0..places).for_each(|_| run(&mut slots));
    let also = Arc::clone(&worker);
    let lost = tokio::spawn(async move { also.handle_lost().await });
    loop {
        tokio::select! {
            // A panic, which is logged.
            Some(Err(_)) = slots.join_next() => run(&mut slots),
            () = state.told_to_stop() => break,
        }
    }
    lost.abort();
    let ended = async { while slots.join_next().await.is_some() {} };
    if timeout(grace, ended).await.is_err() {
        tracing::warn!("stopping with requests in progress: the grace period is over; they go to other workers");
    }
    // What has been said to the server is sent.
    let _ = timeout(PAUSE, worker.queue.context.client().flush()).await;
}

/// Returns the next message of a consumer; `None` if there is none yet. `what` says what is taken.
///
/// # Errors
/// Fails if the server does not answer.
pub(super) async fn next_of(consumer: &PullConsumer, what: &'static str) -> Result<Option<Message>, QueueError> {
    let asked = consumer.batch().max_messages(1).expires(FETCH).messages();
    let mut batch = asked.await.map_err(QueueError::because(what))?;
    match timeout(FETCH * 2, batch.next()).await {
        Ok(next) => next.transpose().map_err(QueueError::when(what)),
        Err(_) => Err(QueueError::when(what)("the server does not answer")),
    }
}

/// Returns the queue, as soon as the server can be used.
async fn opened(settings: &QueueSettings, watcher: Watcher) -> Queue {
    loop {
        match Queue::open(settings, Some(Arc::clone(&watcher))).await {
            Ok(queue) => return queue,
            Err(error) => tracing::warn!(%error, "the queue cannot be used"),
        }
        sleep(PAUSE).await;
    }
}

/// What all slots of a worker share.
pub(super) struct Worker {
    pub(super) queue: Queue,
    pub(super) state: AppState,
    jobs: Jobs,
    /// Turns to read a body from the object store.
    bundles_at_a_time: Semaphore,
}

/// How a message is finished with.
enum End {
    /// It is answered.
    Done(StoreOutcome),
    /// It could not be answered, and is tried again after a pause.
    Retry,
}

impl Worker {
    /// Takes one request after the other.
    async fn run(&self) {
        while !self.state.is_draining() {
            if !self.queue.is_connected() {
                // What is asked meanwhile would be sent later, when nobody waits for it.
                self.pause().await;
                continue;
            }
            match next_of(&self.queue.consumer, "the next request").await {
                Ok(Some(message)) => self.handle(&message).await,
                Ok(None) => {}
                Err(error) => self.warn_and_pause(&error).await,
            }
        }
    }

    /// Says that the server does not answer, unless it is known to be gone, and waits a moment, unless the process is told to
    /// stop.
    pub(super) async fn warn_and_pause(&self, error: &QueueError) {
        if self.queue.is_connected() {
            tracing::warn!(%error, "the queue does not answer");
        }
        self.pause().await;
    }

    /// Waits a moment, unless the process is told to stop.
    pub(super) async fn pause(&self) {
        tokio::select! { () = sleep(PAUSE) => {}, () = self.state.told_to_stop() => {} }
    }

    /// Answers a request, while the server is told every now and then that it is in progress.
    async fn handle(&self, message: &Message) {
        let every = self.queue.patience() / 3;
        let in_progress = async {
            loop {
                sleep(every).await;
                if let Err(error) = message.ack_with(AckKind::Progress).await {
                    tracing::debug!(%error, "the server was not told that a request is in progress");
                }
            }
        };
        let ended = tokio::select! {
            ended = self.answer(message) => ended,
            never = in_progress => never,
        };
        let delivery = message.info().map_or(1, |info| info.delivered);
        let said = match &ended {
            Ok(End::Done(kept)) => {
                self.state.job(if *kept == StoreOutcome::Stored { "stored" } else { "known" });
                message.double_ack().await
            }
            Ok(End::Retry) => {
                self.state.job("retried");
                message.ack_with(AckKind::Nak(Some(pause_after(delivery)))).await
            }
            Err(error) => {
                tracing::warn!(%error, "the queue does not answer; a request is tried again");
                self.state.job("retried");
                message.ack_with(AckKind::Nak(Some(pause_after(delivery)))).await
            }
        };
        if let Err(error) = said {
            // The server gives the request to a worker again, who finds it answered.
            tracing::warn!(%error, "the server was not told how a request ended");
        }
    }

    /// Answers a request and stores the answer.
    ///
    /// # Errors
    /// Fails if the server does not answer.
    async fn answer(&self, message: &Message) -> Result<End, QueueError> {
        let info = message.info().map_err(QueueError::when("a request"))?;
        let delivery = u64::try_from(info.delivered).unwrap_or(1);
        let is_last = delivery >= self.queue.deliveries();
        let header = message.headers.as_ref();
        let (digest, job) = match Job::read(header) {
            Ok(job) => (job.digest.clone(), Ok(job)),
            Err(why) => (digest_in(header).unwrap_or_else(|| nameless(info.stream_sequence)), Err(why)),
        };
        let replaced = self.queue.current(&digest).await?;
        let replaces = job.as_ref().ok().and_then(|job| job.replaces);
        if replaced.as_ref().is_some_and(|found| Some(found.revision) != replaces) {
            self.drop_bundle(job.as_ref().ok()).await;
            return Ok(End::Done(StoreOutcome::Known));
        }
        let began = Instant::now();
        let answer = match &job {
            // It may be what ended those to whom it was given before.
            Ok(_) if is_last => {
                tracing::error!(request_id = digest, delivery, "no worker has answered a request");
                JobAnswer::gave_up(delivery, &digest)
            }
            Ok(job) => self.ask(job, message.payload.clone()).await?,
            Err(why) => {
                JobAnswer::not_a_request(&format!("the message in the queue is not a request: {why}"), &digest)
            }
        };
        if answer.is_transient() && (self.state.is_draining() || delivery + 1 < self.queue.deliveries()) {
            return Ok(End::Retry);
        }
        let made = NewAnswer { digest: &digest, answer: &answer, took: began.elapsed(), delivery };
        let kept = self.keep(made, replaced.as_ref()).await?;
        self.drop_bundle(job.as_ref().ok()).await;
        Ok(End::Done(kept))
    }

    /// Stores an answer. While the server does not take it, nobody else could store one either, so this worker waits.
    async fn keep(&self, made: NewAnswer<'_>, replaced: Option<&Current>) -> Result<StoreOutcome, QueueError> {
        let until = Instant::now() + STORING;
        loop {
            match self.queue.keep(made, replaced).await {
                Err(error) if Instant::now() < until && !self.state.is_draining() => {
                    self.warn_and_pause(&error).await;
                }
                ended => return ended,
            }
        }
    }

    /// Deletes the body of a request that has been answered, if it is in the object store.
    pub(super) async fn drop_bundle(&self, job: Option<&Job>) {
        if let Some(Job { bundle: Some(bundle), .. }) = job {
            self.queue.bundles.delete(bundle).await;
        }
    }

    /// Returns the answer to a request.
    async fn ask(&self, job: &Job, payload: Bytes) -> Result<JobAnswer, QueueError> {
        let limits = self.state.limits();
        let (body, _room) = match &job.bundle {
            None => (payload, None),
            Some(bundle) => {
                let Some(object) = self.queue.bundles.find(bundle).await? else {
                    return Ok(JobAnswer::without_body(&job.digest));
                };
                let bytes = object.size as u64;
                if bytes > limits.body.max_request_bytes {
                    return Ok(JobAnswer::over_limit(limits, &job.digest));
                }
                let turn = self.bundles_at_a_time.acquire().await.map_err(QueueError::when("a turn"))?;
                let room = match Room::wait_for(bytes, &self.state, &job.digest).await {
                    Ok(room) => room,
                    Err(busy) => return Ok(busy),
                };
                (self.queue.bundles.read(&object).await?, Some((turn, room)))
            }
        };
        if !job.is_of(&body) {
            // Under this digest, the answer would be taken for that to another request.
            let why = "its digest is that of another request";
            return Ok(JobAnswer::not_a_request(why, &job.digest));
        }
        let Job { digest: id, route, query, content_type, .. } = job.clone();
        let request = JobRequest { route, query, content_type, id, body };
        let until = Instant::now() + self.state.settings().work.timeout();
        loop {
            let answer = self.jobs.answer(request.clone()).await;
            // Only the other requests of this worker can keep it busy, so it is better to wait than to let others try.
            if answer.status != 503 || Instant::now() >= until || self.state.is_draining() {
                return Ok(answer);
            }
            sleep(PAUSE).await;
        }
    }
}

/// Returns the pause before a request is tried again that was given to workers so often.
fn pause_after(deliveries: i64) -> Duration {
    let doublings = deliveries.clamp(1, 10).unsigned_abs() - 1;
    Duration::from_secs(1 << doublings).min(LONGEST_PAUSE)
}

/// Returns the name under which the answer to a message without a digest is stored.
pub(super) fn nameless(sequence: u64) -> String {
    format!("message-{sequence}")
}

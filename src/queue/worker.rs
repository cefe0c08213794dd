//! A worker: takes requests from the queue, answers them, and stores the answers.
//!
//! The order is what makes it safe to end at any moment: the answer is stored, then the entry that names it, and only then
//! is the request taken off the queue. Whoever ends before that leaves the request to another worker, who finds it
//! answered or answers it again, with the same result.

use std::io;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_nats::jetstream::{AckKind, Message};
use bytes::Bytes;
use futures_util::StreamExt as _;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;
use tokio::time::{sleep, timeout};

use super::QueueError;
use super::answers::Kept;
use super::job::{Job, digest_in};
use super::place::Queue;
use crate::api::{AppState, JobAnswer, JobRequest, Jobs, Room};
use crate::settings::QueueSettings;

/// How many requests are held for each place for work: while one is processed, the next one is fetched or stored.
const REQUESTS_PER_PLACE: usize = 2;
/// How long the server waits for a request to give. When a worker is told to stop, it still takes what it has asked for.
const FETCH: Duration = Duration::from_secs(2);
/// How long to wait when the server does not answer.
const PAUSE: Duration = Duration::from_secs(1);
/// The longest pause before a request that could not be answered is tried again; the first is a second, then twice as long
/// each time.
const LONGEST_PAUSE: Duration = Duration::from_mins(1);

/// Works until the process is told to stop, and then ends what is in progress within the grace period. What is not done by
/// then goes back to the queue.
///
/// # Errors
/// Fails if the queue cannot be used at all.
pub async fn work(state: AppState, settings: QueueSettings) -> io::Result<()> {
    const GONE: &str = "there is no connection to the queue";
    state.set_obstacle(Some(GONE));
    let watched = state.clone();
    let watcher = Arc::new(move |is_there: bool| watched.set_obstacle((!is_there).then_some(GONE)));
    let opened = tokio::select! {
        opened = Queue::open(&settings, Some(watcher)) => opened,
        () = state.told_to_stop() => return Ok(()),
    };
    let queue = opened.map_err(io::Error::other)?;
    let places = state.settings().work.concurrency() * REQUESTS_PER_PLACE;
    tracing::info!(queue = queue.name, requests = places, "working: requests at a time");
    let grace = Duration::from_secs(state.settings().listen.grace_seconds);
    let settings = state.settings();
    // Each needs room as it was sent and again as it is unpacked, of that for large bodies. Those that have the one must find
    // the other.
    let room = settings.work.max_bodies_bytes / 4 * 3;
    let each = settings.limits.max_request_bytes.saturating_add(settings.limits.max_unpacked_bytes);
    let at_a_time = usize::try_from(room / each).unwrap_or(places).clamp(1, places);
    let bundles_at_a_time = Semaphore::new(at_a_time);
    let worker = Arc::new(Worker { jobs: Jobs::new(&state), queue, state: state.clone(), bundles_at_a_time });
    let mut slots = JoinSet::new();
    for _ in 0..places {
        let worker = Arc::clone(&worker);
        slots.spawn(async move { worker.run().await });
    }
    let also = Arc::clone(&worker);
    slots.spawn(async move { also.attend_to_lost().await });
    state.told_to_stop().await;
    let ended = async { while slots.join_next().await.is_some() {} };
    if timeout(grace, ended).await.is_err() {
        tracing::warn!("stopping with requests in progress: the grace period is over; they go to other workers");
    }
    // The last words to the server are sent.
    let _ = timeout(PAUSE, worker.queue.context.client().flush()).await;
    Ok(())
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
    Done(Kept),
    /// It could not be answered, and is tried again after a pause.
    Again,
}

impl Worker {
    /// Takes one request after the other.
    async fn run(&self) {
        while !self.state.is_draining() {
            match self.fetch().await {
                Ok(Some(message)) => self.attend_to(&message).await,
                Ok(None) => {}
                Err(error) => self.complain(&error).await,
            }
        }
    }

    /// Says that the server does not answer, unless it is known to be gone, and waits a moment, unless the process is told to
    /// stop.
    pub(super) async fn complain(&self, error: &QueueError) {
        if self.queue.is_connected() {
            tracing::warn!(%error, "the queue does not answer");
        }
        tokio::select! { () = sleep(PAUSE) => {}, () = self.state.told_to_stop() => {} }
    }

    /// Returns the next request; `None` if there is none yet.
    async fn fetch(&self) -> Result<Option<Message>, QueueError> {
        const WHAT: &str = "the next request";
        let asked = self.queue.consumer.batch().max_messages(1).expires(FETCH).messages();
        let mut batch = asked.await.map_err(QueueError::because(WHAT))?;
        match timeout(FETCH * 2, batch.next()).await {
            Ok(next) => next.transpose().map_err(QueueError::when(WHAT)),
            Err(_) => Err(QueueError::when(WHAT)("the server does not answer")),
        }
    }

    /// Answers a request, while the server is told every now and then that it is in progress.
    async fn attend_to(&self, message: &Message) {
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
                self.state.job(if *kept == Kept::Stored { "stored" } else { "known" });
                message.double_ack().await
            }
            Ok(End::Again) => {
                self.state.job("again");
                message.ack_with(AckKind::Nak(Some(pause_after(delivery)))).await
            }
            Err(error) => {
                tracing::warn!(%error, "the queue does not answer; a request is tried again");
                self.state.job("again");
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
        if self.queue.marker(&digest).await?.is_some() {
            self.drop_bundle(job.as_ref().ok()).await;
            return Ok(End::Done(Kept::Known));
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
        if answer.may_pass() && delivery + 1 < self.queue.deliveries() {
            return Ok(End::Again);
        }
        let microseconds = u64::try_from(began.elapsed().as_micros()).unwrap_or(u64::MAX);
        let kept = self.queue.keep(&digest, &answer, microseconds, delivery).await?;
        self.drop_bundle(job.as_ref().ok()).await;
        Ok(End::Done(kept))
    }

    /// Deletes the body of a request that has been answered, if it is in the object store.
    pub(super) async fn drop_bundle(&self, job: Option<&Job>) {
        if let Some(Job { bundle: Some(bundle), .. }) = job {
            self.queue.bundles.delete(bundle).await;
        }
    }

    /// Returns the answer to a request.
    async fn ask(&self, job: &Job, payload: Bytes) -> Result<JobAnswer, QueueError> {
        let limits = &self.state.settings().limits;
        let (body, _room) = match &job.bundle {
            None => (payload, None),
            Some(bundle) => {
                let Some(object) = self.queue.bundles.find(bundle).await? else {
                    let why = "its body is not in the object store; submit it again under another run";
                    return Ok(JobAnswer::not_a_request(why, &job.digest));
                };
                let bytes = object.size as u64;
                if bytes > limits.max_request_bytes {
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

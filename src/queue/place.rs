//! The streams and buckets of a queue on a NATS server.

use std::sync::Arc;
use std::time::Duration;

use async_nats::connection::State;
use async_nats::jetstream::consumer::{AckPolicy, PullConsumer, pull};
use async_nats::jetstream::object_store;
use async_nats::jetstream::stream::{self, DiscardPolicy, RetentionPolicy, Stream};
use async_nats::jetstream::{self, Context, kv};
use async_nats::{ConnectOptions, Event};

use super::QueueError;
use super::objects::Objects;
use crate::build_info::VERSION;
use crate::settings::QueueSettings;

/// How long the server may take to answer.
const TIMEOUT: Duration = Duration::from_secs(10);
/// For how long the server remembers the ids of messages, so that an interrupted submission that is repeated puts little into the
/// queue twice. What is there twice is answered once.
const DUPLICATE_WINDOW: Duration = Duration::from_mins(10);
/// What refers to an object is gone before the object is.
const OBJECTS_STAY: Duration = Duration::from_hours(24);
/// How many workers, or places of workers, may wait for a request at the same time.
const MAX_WAITING: i64 = 1 << 16;
/// The name of the consumer that all workers share: a work queue can have only one.
const CONSUMER: &str = "workers";

/// A queue on a server. Clones share the connection.
#[derive(Clone, Debug)]
pub struct Queue {
    /// The queue's name, with which the names of everything on the server begin.
    pub(super) name: String,
    pub(super) context: Context,
    /// The requests that have not been answered.
    pub(super) stream: Stream,
    /// How workers take them.
    pub(super) consumer: PullConsumer,
    pub(super) bundles: Objects,
    pub(super) answers: Objects,
    pub(super) answered: kv::Store,
    pub(super) runs: kv::Store,
    /// What the server says of requests that nobody answered.
    pub(super) lost: PullConsumer,
}

impl Queue {
    /// Connects to the server, and makes what is missing there. If somebody wants to know, the server is waited for, and
    /// `watcher` is told whenever the connection is there or gone.
    ///
    /// # Errors
    /// Fails if the server has no JetStream or does not answer, or, unless it is waited for, refuses the connection.
    pub async fn open(settings: &QueueSettings, watcher: Option<Watcher>) -> Result<Self, QueueError> {
        let client = connect(settings, watcher).await?;
        let context = jetstream::ContextBuilder::new().timeout(TIMEOUT).ack_timeout(TIMEOUT).build(client);
        let name = settings.nats_queue.clone();
        let keep = Duration::from_secs(u64::from(settings.nats_keep_days) * 24 * 60 * 60);
        let num_replicas = settings.nats_replicas;
        let stream = context
            .get_or_create_stream(stream::Config {
                name: name.clone(),
                subjects: vec![format!("{name}.requests")],
                retention: RetentionPolicy::WorkQueue,
                duplicate_window: DUPLICATE_WINDOW,
                num_replicas,
                ..stream::Config::default()
            })
            .await
            .map_err(QueueError::because("the stream of requests"))?;
        let found = &stream.cached_info().config;
        if found.retention != RetentionPolicy::WorkQueue || found.subjects != [format!("{name}.requests")] {
            // Its messages would be answered, and with that deleted.
            let why = format!("a stream with the name {name:?} is there, and it is not that of a queue");
            return Err(QueueError::when("the stream of requests")(why));
        }
        let consumer = stream
            .get_or_create_consumer(
                CONSUMER,
                pull::Config {
                    durable_name: Some(CONSUMER.to_owned()),
                    ack_policy: AckPolicy::Explicit,
                    ack_wait: Duration::from_secs(settings.nats_ack_seconds),
                    max_deliver: i64::from(settings.nats_deliveries),
                    // As many workers as there are may each hold some.
                    max_ack_pending: -1,
                    max_waiting: MAX_WAITING,
                    ..pull::Config::default()
                },
            )
            .await
            .map_err(QueueError::because("the consumer of requests"))?;
        let bucket = async |of: &str| {
            const WHAT: &str = "the bucket of answers or runs";
            let bucket = format!("{name}-{of}");
            // As the client would make it (ADR-8 of NATS), but without its question about the account, to which servers before
            // 2.10 have no answer that it can read.
            let config = stream::Config {
                name: format!("KV_{bucket}"),
                subjects: vec![format!("$KV.{bucket}.>")],
                max_messages_per_subject: 1,
                max_age: keep,
                discard: DiscardPolicy::New,
                allow_rollup: true,
                deny_delete: true,
                allow_direct: true,
                num_replicas,
                ..stream::Config::default()
            };
            context.get_or_create_stream(config).await.map_err(QueueError::because(WHAT))?;
            context.get_key_value(bucket).await.map_err(QueueError::because(WHAT))
        };
        let objects = async |of: &str| {
            let (bucket, max_age) = (format!("{name}-{of}"), keep + OBJECTS_STAY);
            let config = object_store::Config { bucket, max_age, num_replicas, ..object_store::Config::default() };
            Box::pin(Objects::open(&context, config)).await
        };
        let lost = context
            .get_or_create_stream(stream::Config {
                name: format!("{name}-lost"),
                subjects: vec![format!("$JS.EVENT.ADVISORY.CONSUMER.MAX_DELIVERIES.{name}.{CONSUMER}")],
                retention: RetentionPolicy::WorkQueue,
                num_replicas,
                ..stream::Config::default()
            })
            .await
            .map_err(QueueError::because("the stream of lost requests"))?;
        let lost = lost
            .get_or_create_consumer(
                CONSUMER,
                pull::Config {
                    durable_name: Some(CONSUMER.to_owned()),
                    ack_policy: AckPolicy::Explicit,
                    ack_wait: TIMEOUT * 3,
                    max_waiting: MAX_WAITING,
                    ..pull::Config::default()
                },
            )
            .await
            .map_err(QueueError::because("the consumer of lost requests"))?;
        let (answered, runs) = (bucket("answered").await?, bucket("runs").await?);
        let (bundles, answers) = (objects("bundles").await?, objects("answers").await?);
        Ok(Self { name, context, stream, consumer, bundles, answers, answered, runs, lost })
    }

    /// Whether there is a connection to the server.
    pub(super) fn is_connected(&self) -> bool {
        self.context.client().connection_state() == State::Connected
    }

    /// Returns how often a request is given to a worker.
    pub(super) fn deliveries(&self) -> u64 {
        u64::try_from(self.consumer.cached_info().config.max_deliver).unwrap_or(u64::MAX)
    }

    /// Returns how long a worker may say nothing about a request.
    pub(super) fn patience(&self) -> Duration {
        self.consumer.cached_info().config.ack_wait
    }
}

/// Is told whenever the connection is there (`true`) or gone.
pub(super) type Watcher = Arc<dyn Fn(bool) + Send + Sync>;

async fn connect(settings: &QueueSettings, watcher: Option<Watcher>) -> Result<async_nats::Client, QueueError> {
    let waits = watcher.is_some();
    let tell = move |is_there| {
        if let Some(watcher) = &watcher {
            watcher(is_there);
        }
    };
    let mut options = ConnectOptions::new()
        .name(format!("overfold {VERSION}"))
        .connection_timeout(TIMEOUT)
        .request_timeout(Some(TIMEOUT))
        .event_callback(move |event| {
            match event {
                Event::Connected => {
                    tell(true);
                    tracing::info!("connected to NATS");
                }
                Event::Disconnected => {
                    tell(false);
                    tracing::warn!("the connection to NATS is lost");
                }
                event => tracing::warn!("NATS: {event}"),
            }
            std::future::ready(())
        });
    if let Some(file) = &settings.nats_ca {
        options = options.add_root_certificates(file.clone());
    }
    if let (Some(certificate), Some(key)) = (&settings.nats_certificate, &settings.nats_key) {
        options = options.add_client_certificate(certificate.clone(), key.clone());
    }
    if waits {
        options = options.retry_on_initial_connect();
    }
    let client = options.connect(settings.nats.addresses()).await.map_err(QueueError::because("NATS"))?;
    if waits {
        // Requests that are sent before there is a connection would be forgotten with their time-out.
        while client.connection_state() != State::Connected {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }
    Ok(client)
}

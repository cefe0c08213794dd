//! Settings of the service: one struct per concern; every flag is also an environment variable `OVERFOLD_…`.
//!
//! They are read once, at program start; nothing else reads the environment.

use std::path::PathBuf;

#[cfg(feature = "nats")]
use clap::builder::RangedU64ValueParser;
use clap::{Args, ValueEnum};

use overfold_engine::RequestLimits;
use overfold_model::schema::{MOST_MEMORY, SchemaStore};
use overfold_server::settings as server;
use overfold_source::{Limits, SchemaFolder};

pub use overfold_server::settings::{
    AccessSettings, BodySettings, CacheSettings, CallerSettings, ConnectionSettings, CostSettings, ListenSettings,
    RedisAddress, TlsSettings, TraceSettings, WorkSettings,
};

/// Everything that can be set for `overfold serve`.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Where the service listens.
    #[command(flatten)]
    pub listen: ListenSettings,
    /// How many connections are allowed, and how long each may be idle.
    #[command(flatten)]
    pub connections: ConnectionSettings,
    /// How large a request may be.
    #[command(flatten)]
    pub limits: LimitSettings,
    /// How much work runs at the same time.
    #[command(flatten)]
    pub work: WorkSettings,
    /// Who may call.
    #[command(flatten)]
    pub access: AccessSettings,
    /// How much one caller may take.
    #[command(flatten)]
    pub callers: CallerSettings,
    /// How connections are encrypted.
    #[command(flatten)]
    pub tls: TlsSettings,
    /// Which answers are kept.
    #[command(flatten)]
    pub cache: CacheSettings,
    /// Where the schemas of providers are.
    #[command(flatten)]
    pub schemas: SchemaSettings,
    /// What is logged.
    #[command(flatten)]
    pub log: LogSettings,
    /// Where traces go.
    #[command(flatten)]
    pub traces: TraceSettings,
}

/// The schemas of providers that are known to every request.
#[derive(Args, Clone, Default, Debug)]
#[command(next_help_heading = "Schemas of providers")]
pub struct SchemaSettings {
    /// Where the schemas of providers are that a request does not bring: a folder with files HOST/NAMESPACE/NAME/VERSION.json
    /// (also .json.zst and .json.xz), or one file with what `terraform providers schema -json` prints. They are read when
    /// first used, and again when they change
    #[arg(long, env = "OVERFOLD_PROVIDER_SCHEMAS", value_name = "PATH")]
    pub provider_schemas: Option<PathBuf>,
}

impl SchemaSettings {
    /// Returns what the schemas are read from; `None` if nothing is set.
    pub fn store(&self) -> Option<SchemaStore> {
        self.provider_schemas.clone().map(|place| SchemaStore::new(SchemaFolder::new(place)))
    }

    /// Checks that there is something.
    ///
    /// # Errors
    /// Returns a message for people if there is neither a file nor a folder.
    fn check(&self) -> Result<(), String> {
        let Some(place) = &self.provider_schemas else { return Ok(()) };
        SchemaFolder::check(place).map_err(|error| format!("--provider-schemas: {}: {error}", place.display()))
    }
}

/// How large a request may be. When a limit is exceeded, the answer names it.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Limits of a request")]
pub struct LimitSettings {
    /// How large its body may be.
    #[command(flatten)]
    pub body: BodySettings,
    /// How large what it asks about may be.
    #[command(flatten)]
    pub request: RequestLimits,
    /// What the work on it may cost.
    #[command(flatten)]
    pub cost: CostSettings,
}

impl LimitSettings {
    /// Returns the limits that apply when uploads are read.
    pub fn source(&self) -> Limits {
        Limits {
            request_bytes: self.body.max_request_bytes,
            unpacked_bytes: self.body.max_unpacked_bytes,
            entries: self.request.max_entries,
            file_bytes: self.request.max_file_bytes,
            path_bytes: self.request.max_path_bytes,
            path_depth: self.request.max_path_depth,
        }
    }
}

/// The queue of requests, on a NATS server with JetStream.
#[cfg(feature = "nats")]
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Queue")]
pub struct QueueSettings {
    /// NATS server, such as nats://nats:4222 or tls://USER:PASSWORD@nats:4222; several with commas between them. Whoever can
    /// write to its streams decides what the answers are
    #[arg(long, env = "OVERFOLD_NATS", value_name = "URL", hide_env_values = true, value_parser = NatsServers::parse)]
    pub nats: NatsServers,
    /// File with the certificates of the authorities that sign the server's certificate, in addition to the system's
    #[arg(long, env = "OVERFOLD_NATS_CA", value_name = "FILE")]
    pub nats_ca: Option<PathBuf>,
    /// File with the certificate that the server asks its clients for
    #[arg(long, env = "OVERFOLD_NATS_CERTIFICATE", value_name = "FILE", requires = "nats_key")]
    pub nats_certificate: Option<PathBuf>,
    /// File with the private key of that certificate
    #[arg(long, env = "OVERFOLD_NATS_KEY", value_name = "FILE", requires = "nats_certificate")]
    pub nats_key: Option<PathBuf>,
    /// Name of the queue: its streams and buckets begin with it, so that one server can have several
    #[arg(long, env = "OVERFOLD_NATS_QUEUE", default_value = "overfold", value_name = "NAME", value_parser = queue_name)]
    pub nats_queue: String,
    /// Days for which answers are kept; this and the next three take effect only when the queue is used for the first
    /// time
    #[arg(long, env = "OVERFOLD_NATS_KEEP_DAYS", default_value_t = 30, value_name = "DAYS",
        value_parser = clap::value_parser!(u32).range(1..=3650))]
    pub nats_keep_days: u32,
    /// Servers of the cluster that hold a copy of everything
    #[arg(long, env = "OVERFOLD_NATS_REPLICAS", default_value_t = 1, value_name = "COUNT",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=5))]
    pub nats_replicas: usize,
    /// How often a request is given to a worker, if those before did not answer it; the last one answers with a problem
    #[arg(long, env = "OVERFOLD_NATS_DELIVERIES", default_value_t = 5, value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(2..=1000))]
    pub nats_deliveries: u32,
    /// Seconds after which a request is given to another worker if the first one goes silent
    #[arg(long, env = "OVERFOLD_NATS_ACK_SECONDS", default_value_t = 30, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(2..=86_400))]
    pub nats_ack_seconds: u64,
}

/// Addresses of NATS servers, perhaps with a password or a token, which are never shown.
#[cfg(feature = "nats")]
#[derive(Clone)]
pub struct NatsServers(Vec<async_nats::ServerAddr>);

#[cfg(feature = "nats")]
impl NatsServers {
    /// Parses URLs with commas between them: `nats://[USER:PASSWORD@]HOST[:PORT]`, or `tls://` for TLS.
    ///
    /// # Errors
    /// Returns a message for people, without the URL.
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "not the URL of a NATS server, such as nats://nats:4222 or tls://nats:4222".to_owned();
        let servers = text.split(',').map(|url| {
            let is_known = ["nats://", "tls://"].iter().any(|scheme| url.starts_with(scheme));
            url.parse::<async_nats::ServerAddr>().ok().filter(|_| is_known).ok_or_else(wrong)
        });
        servers.collect::<Result<_, _>>().map(Self)
    }

    /// Returns the servers.
    pub(crate) fn addresses(&self) -> &[async_nats::ServerAddr] {
        &self.0
    }
}

#[cfg(feature = "nats")]
impl std::fmt::Debug for NatsServers {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("NatsServers")
    }
}

/// Parses the name of a queue. `-lost` is the end of the name of a stream that belongs to another one.
#[cfg(feature = "nats")]
fn queue_name(text: &str) -> Result<String, String> {
    let name = nats_name(text, 32)?;
    if name.ends_with("-lost") { Err("a name must not end with `-lost`".to_owned()) } else { Ok(name) }
}

/// Parses the name of a run.
///
/// # Errors
/// Returns a message for people.
#[cfg(feature = "nats")]
pub(crate) fn run_name(text: &str) -> Result<String, String> {
    nats_name(text, 64)
}

/// Parses a name that NATS accepts in the names of streams, in subjects and in keys, of at most `max` bytes.
#[cfg(feature = "nats")]
fn nats_name(text: &str, max: usize) -> Result<String, String> {
    let is_name = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    if (1..=max).contains(&text.len()) && text.bytes().all(is_name) {
        return Ok(text.to_owned());
    }
    Err(format!("a name must consist of 1 to {max} ASCII letters, digits, `-` or `_`"))
}

/// What is logged, to standard error: never file contents or variable values.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Log")]
pub struct LogSettings {
    /// Format of the log lines
    #[arg(long, env = "OVERFOLD_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text, value_name = "FORMAT")]
    pub log_format: LogFormat,
    /// What is logged: error, warn, info, debug, trace, or a filter in the syntax of tracing-subscriber; events of libraries
    /// are never logged
    #[arg(long, env = "OVERFOLD_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,
}

/// The format of the log lines.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// One line of text for people.
    Text,
    /// One JSON object per line.
    Json,
}

impl Settings {
    /// Returns what the server needs of them.
    pub fn server(&self) -> server::Settings {
        server::Settings {
            listen: self.listen.clone(),
            connections: self.connections.clone(),
            body: self.limits.body,
            cost: self.limits.cost,
            work: self.work.clone(),
            access: self.access.clone(),
            callers: self.callers.clone(),
            tls: self.tls.clone(),
            cache: self.cache.clone(),
            traces: self.traces.clone(),
            kept_bytes: if self.schemas.provider_schemas.is_some() { MOST_MEMORY } else { 0 },
        }
    }

    /// Checks what no single setting can show.
    ///
    /// # Errors
    /// Returns a message for people if settings contradict each other, or would let everyone call without explicit
    /// consent.
    pub fn check(&self) -> Result<(), String> {
        self.schemas.check()?;
        self.server().check()
    }

    /// Returns settings for tests: any free port, limits small enough for a test to reach, two requests at a time.
    pub fn for_testing() -> Self {
        let server::Settings {
            listen,
            connections,
            body,
            cost,
            work,
            access,
            callers,
            tls,
            cache,
            traces,
            kept_bytes: _,
        } = server::Settings::for_testing();
        let limits = LimitSettings { body, request: RequestLimits::for_testing(), cost };
        let log = LogSettings { log_format: LogFormat::Text, log: "off".to_owned() };
        let schemas = SchemaSettings::default();
        Self { listen, connections, limits, work, access, callers, tls, cache, schemas, log, traces }
    }
}

#[cfg(all(test, feature = "nats"))]
mod tests {
    use super::*;

    #[test]
    fn names_for_nats_are_names_there() {
        for name in ["overfold", "a-b_C9", &"x".repeat(32)] {
            assert!(queue_name(name).is_ok() && run_name(name).is_ok(), "{name}");
        }
        for wrong in ["", "a.b", "a b", "ä", "*", ">", &"x".repeat(65)] {
            assert!(queue_name(wrong).is_err() && run_name(wrong).is_err(), "{wrong}");
        }
        assert!(queue_name(&"x".repeat(33)).is_err() && run_name(&"x".repeat(64)).is_ok());
        assert!(queue_name("a-lost").is_err() && run_name("a-lost").is_ok());
    }

    #[test]
    fn servers_of_nats_are_urls_that_are_never_shown() {
        for text in ["nats://a", "tls://u:p4ss@a:4222,nats://b", "nats://[::1]:4222"] {
            let servers = NatsServers::parse(text).unwrap();
            assert_eq!(servers.addresses().len(), text.split(',').count());
            assert!(!format!("{servers:?}").contains("p4ss"));
        }
        for wrong in ["", "a:4222", "http://a", "ws://a", "nats://a,"] {
            assert!(NatsServers::parse(wrong).is_err(), "{wrong}");
        }
    }
}

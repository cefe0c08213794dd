//! Settings of the server: one struct per concern; every flag is also an environment variable `OVERFOLD_…`.
//!
//! They are read once, at program start; nothing else reads the environment.

use std::net::{IpAddr, Ipv4Addr, SocketAddr, ToSocketAddrs as _};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;
use clap::builder::{BoolishValueParser, NonEmptyStringValueParser, RangedU64ValueParser};

use overfold_account as account;

/// Everything that can be set for the server.
#[derive(Clone, Debug)]
pub struct Settings {
    /// Where the service listens.
    pub listen: ListenSettings,
    /// How many connections are allowed, and how long each may be idle.
    pub connections: ConnectionSettings,
    /// How large the body of a request may be.
    pub body: BodySettings,
    /// What the work on a request may cost.
    pub cost: CostSettings,
    /// How much work runs at the same time.
    pub work: WorkSettings,
    /// Who may call.
    pub access: AccessSettings,
    /// How much one caller may take.
    pub callers: CallerSettings,
    /// How connections are encrypted.
    pub tls: TlsSettings,
    /// Which answers are kept.
    pub cache: CacheSettings,
    /// Where traces go.
    pub traces: TraceSettings,
    /// The most memory that the program keeps between requests beside the cache, in bytes.
    pub kept_bytes: u64,
}

impl Settings {
    /// Checks what no single setting can show.
    ///
    /// # Errors
    /// Returns a message for people if settings contradict each other, or would let everyone call without explicit
    /// consent.
    pub fn check(&self) -> Result<(), String> {
        if self.traces.otlp_endpoint.is_some() && !cfg!(feature = "otlp") {
            return Err("--otlp-endpoint: this program was built without traces (the feature otlp of its package); the image and the releases have them"
                .to_owned());
        }
        let AccessSettings { token_file, jwks, jwt_issuer, jwt_audience, allow_anonymous, .. } = &self.access;
        if *allow_anonymous && self.tls.client_ca.is_some() {
            return Err("--client-ca requires a certificate from every caller and --allow-anonymous from none; use only one of them"
                .to_owned());
        }
        if jwks.is_some() && (jwt_issuer.is_none() || jwt_audience.is_none()) {
            return Err(
                "--jwks needs --jwt-issuer and --jwt-audience: an issuer makes tokens for other services, too"
                    .to_owned(),
            );
        }
        if jwks.is_none() && (jwt_issuer.is_some() || jwt_audience.is_some()) {
            return Err("--jwt-issuer and --jwt-audience have no effect without --jwks; set it, too".to_owned());
        }
        match (token_file.is_some() || jwks.is_some(), allow_anonymous) {
            (true, true) => Err("--token-file and --jwks require a token from every caller and --allow-anonymous from none; use only one of them"
                .to_owned()),
            (false, false) if self.tls.client_ca.is_some() => Ok(()),
            (false, false) if !self.listen.listen.ip().to_canonical().is_loopback() => Err(format!(
                "anyone who can reach {} could call the service: set --token-file (`overfold token NAME` creates a token) or --jwks, or --allow-anonymous if that is intended",
                self.listen.listen
            )),
            _ => Ok(()),
        }
    }

    /// Returns settings for tests: any free port, limits small enough for a test to reach, two requests at a time.
    pub fn for_testing() -> Self {
        Self {
            listen: ListenSettings {
                listen: SocketAddr::from(([127, 0, 0, 1], 0)),
                drain_seconds: 0,
                grace_seconds: 10,
            },
            connections: ConnectionSettings {
                max_connections: 64,
                header_seconds: 10,
                body_gap_seconds: 10,
                write_seconds: 10,
                idle_seconds: 10,
            },
            body: BodySettings { max_request_bytes: 256 << 10, max_unpacked_bytes: 1 << 20 },
            cost: CostSettings {
                max_work_units: account::Limits::DEFAULT.work,
                max_memory_bytes: account::Limits::DEFAULT.memory,
            },
            access: AccessSettings::default(),
            callers: CallerSettings { caller_rate: 0, caller_burst: None, caller_share: 100 },
            tls: TlsSettings::default(),
            cache: CacheSettings { cache_bytes: 0, cache_redis: None, cache_redis_ca: None, cache_seconds: 60 },
            work: WorkSettings {
                concurrency: Some(2),
                queue: 2,
                queue_patience: 4,
                max_bodies_bytes: 64 << 20,
                max_answers_bytes: 8 << 20,
                // Test machines have much else to do; tests of the deadline set a shorter one.
                timeout_seconds: 120,
            },
            traces: TraceSettings::default(),
            kept_bytes: 0,
        }
    }
}

/// Where the service listens, and how it stops.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Address and shutdown")]
pub struct ListenSettings {
    /// Address and port to listen on; `localhost:8080` is accepted too, and `:8080` stands for every IPv4 address of
    /// this machine
    #[arg(long, env = "OVERFOLD_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT",
        value_parser = address)]
    pub listen: SocketAddr,
    /// Seconds between reporting "not ready" on SIGTERM and refusing connections, so that load balancers can notice
    #[arg(long, env = "OVERFOLD_DRAIN_SECONDS", default_value_t = 0, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(..=MAX_SECONDS))]
    pub drain_seconds: u64,
    /// Seconds that requests in progress have left once connections are refused; those not done by then get a 503
    #[arg(long, env = "OVERFOLD_GRACE_SECONDS", default_value_t = 20, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(..=MAX_SECONDS))]
    pub grace_seconds: u64,
}

/// Parses an address and a port: `127.0.0.1:8080`, `[::1]:8080`, a host name such as `localhost:8080`, or `:8080` for
/// every IPv4 address of this machine.
///
/// # Errors
/// Returns a message for people.
pub fn address(text: &str) -> Result<SocketAddr, String> {
    if let Ok(address) = text.parse() {
        return Ok(address);
    }
    let (host, port) = text.rsplit_once(':').ok_or("not an address and a port, such as 127.0.0.1:8080")?;
    let port: u16 = port.parse().map_err(|_| "the port is not a number from 0 to 65535")?;
    match host {
        "" => Ok(SocketAddr::from((Ipv4Addr::UNSPECIFIED, port))),
        "localhost" => Ok(SocketAddr::from((Ipv4Addr::LOCALHOST, port))),
        _ => {
            let found = (host, port).to_socket_addrs().ok().and_then(|mut found| found.next());
            found.ok_or_else(|| "the host name cannot be resolved".to_owned())
        }
    }
}

/// Who may call.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Access")]
pub struct AccessSettings {
    /// File of tokens, one per line as `overfold token` prints it; with this set, every request needs one of them
    #[arg(long, env = "OVERFOLD_TOKEN_FILE", value_name = "FILE")]
    pub token_file: Option<PathBuf>,
    /// File of public keys (JWKS, RFC 7517); with this set, every request needs a JWT signed with one of them, or a token of
    /// the token file
    #[arg(long, env = "OVERFOLD_JWKS", value_name = "FILE")]
    pub jwks: Option<PathBuf>,
    /// Issuer that a JWT must name (`iss`)
    #[arg(long, env = "OVERFOLD_JWT_ISSUER", value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub jwt_issuer: Option<String>,
    /// Audience that a JWT must be for (`aud`)
    #[arg(long, env = "OVERFOLD_JWT_AUDIENCE", value_name = "TEXT", value_parser = NonEmptyStringValueParser::new())]
    pub jwt_audience: Option<String>,
    /// Let anyone who can reach the address call the service, even from other machines
    #[arg(long, env = "OVERFOLD_ALLOW_ANONYMOUS", value_parser = BoolishValueParser::new())]
    pub allow_anonymous: bool,
    /// Host name or address, without port, that requests may be addressed to in addition to localhost; may be repeated
    #[arg(long, env = "OVERFOLD_ALLOWED_HOST", value_delimiter = ',', value_name = "HOST", value_parser = host)]
    pub allowed_host: Vec<String>,
}

/// How connections are encrypted. The files are PEM, and are read again when they change.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "TLS")]
pub struct TlsSettings {
    /// File with the certificate of the service, followed by those that lead to its authority; with this set, the service is
    /// reached with TLS only
    #[arg(long, env = "OVERFOLD_TLS_CERTIFICATE", value_name = "FILE", requires = "tls_key")]
    pub tls_certificate: Option<PathBuf>,
    /// File with the private key of the certificate
    #[arg(long, env = "OVERFOLD_TLS_KEY", value_name = "FILE", requires = "tls_certificate")]
    pub tls_key: Option<PathBuf>,
    /// File with the certificates of the authorities that sign client certificates; with this set, every request needs a
    /// client certificate, or a token if there are tokens
    #[arg(long, env = "OVERFOLD_CLIENT_CA", value_name = "FILE", requires = "tls_certificate")]
    pub client_ca: Option<PathBuf>,
}

/// How much one caller may take. Callers are told apart by their tokens or certificates; those without are not limited.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Callers")]
pub struct CallerSettings {
    /// Maximum number of requests per second of one caller, lines of batches included; any more get a 429, lines wait; 0 for
    /// no limit
    #[arg(long, env = "OVERFOLD_CALLER_RATE", default_value_t = 0, value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(..=1_000_000))]
    pub caller_rate: u32,
    /// Requests that a caller may send at once after a pause [default: twice as many as per second]
    #[arg(long, env = "OVERFOLD_CALLER_BURST", value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    pub caller_burst: Option<u32>,
    /// Percentage of the places for work, of the queue and of the memory for bodies that one caller may hold at a time; any
    /// more requests get a 429, lines of batches wait; 100 for no limit
    #[arg(long, env = "OVERFOLD_CALLER_SHARE", default_value_t = 100, value_name = "PERCENT",
        value_parser = clap::value_parser!(u8).range(1..=100))]
    pub caller_share: u8,
}

/// Parses a host name or address without a port. The result is in lower case, an IPv6 address without brackets.
fn host(text: &str) -> Result<String, String> {
    let bare = text.strip_prefix('[').and_then(|text| text.strip_suffix(']')).unwrap_or(text);
    let name =
        |text: &str| text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_' | b'.'));
    if !bare.is_empty() && (bare.parse::<IpAddr>().is_ok() || name(bare)) {
        return Ok(bare.to_ascii_lowercase());
    }
    Err("not a host name or an address (without a port)".to_owned())
}

/// How many connections are allowed, and how long each may be idle.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Connections")]
pub struct ConnectionSettings {
    /// Maximum number of connections at the same time; fewer if the process may not open that many files
    #[arg(long, env = "OVERFOLD_MAX_CONNECTIONS", default_value_t = 1024, value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(1..))]
    pub max_connections: u32,
    /// Seconds within which the head of a request must arrive, counted from its first byte (for the first request on a
    /// connection, from connecting)
    #[arg(long, env = "OVERFOLD_HEADER_SECONDS", default_value_t = 10, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..=MAX_SECONDS))]
    pub header_seconds: u64,
    /// Maximum number of seconds between two pieces of a request body
    #[arg(long, env = "OVERFOLD_BODY_GAP_SECONDS", default_value_t = 10, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..=MAX_SECONDS))]
    pub body_gap_seconds: u64,
    /// Seconds within which a client must accept a tenth of its answer and at least 64 KiB, or all that is left of it
    #[arg(long, env = "OVERFOLD_WRITE_SECONDS", default_value_t = 30, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..=MAX_SECONDS))]
    pub write_seconds: u64,
    /// Seconds that a connection is kept open between two requests
    #[arg(long, env = "OVERFOLD_IDLE_SECONDS", default_value_t = 60, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..=MAX_SECONDS))]
    pub idle_seconds: u64,
}

/// The longest timeout that can be set: a year.
const MAX_SECONDS: u64 = 365 * 24 * 60 * 60;

/// How large the body of a request may be. When a limit is exceeded, the answer names it.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits of a request")]
pub struct BodySettings {
    /// Maximum size of a request body as sent, in bytes
    #[arg(long, env = "OVERFOLD_MAX_REQUEST_BYTES", default_value_t = Self::MAX_REQUEST_BYTES, value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub max_request_bytes: u64,
    /// Maximum size of an unpacked request, in bytes: of its body without Content-Encoding, and of all its files
    #[arg(long, env = "OVERFOLD_MAX_UNPACKED_BYTES", default_value_t = 64 << 20, value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub max_unpacked_bytes: u64,
}

impl BodySettings {
    /// The default maximum size of a request body as sent, in bytes.
    pub const MAX_REQUEST_BYTES: u64 = 32 << 20;
}

/// What the work on a request may cost. When a limit is exceeded, the answer names it.
#[derive(Args, Clone, Copy, Debug)]
#[command(next_help_heading = "Limits of a request")]
pub struct CostSettings {
    /// Maximum work for one request, in units of some 50 nanoseconds; half of it may be spent on expressions
    #[arg(long, env = "OVERFOLD_MAX_WORK_UNITS", default_value_t = account::Limits::DEFAULT.work, value_name = "UNITS",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub max_work_units: u64,
    /// Maximum memory for the work on one request, in bytes
    #[arg(long, env = "OVERFOLD_MAX_MEMORY_BYTES", default_value_t = account::Limits::DEFAULT.memory, value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub max_memory_bytes: u64,
}

impl CostSettings {
    /// Returns what the work on one request may cost.
    pub fn account(&self) -> account::Limits {
        account::Limits { work: self.max_work_units, memory: self.max_memory_bytes }
    }
}

/// How much work runs at the same time.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Work and memory")]
pub struct WorkSettings {
    /// Maximum number of requests processed at the same time [default: the number of processors, at least 2]
    #[arg(long, env = "OVERFOLD_CONCURRENCY", value_name = "COUNT",
        value_parser = RangedU64ValueParser::<usize>::new().range(1..=1024))]
    pub concurrency: Option<usize>,
    /// Maximum number of requests waiting to be processed; any more get a 503
    #[arg(long, env = "OVERFOLD_QUEUE", default_value_t = 64, value_name = "COUNT",
        value_parser = RangedU64ValueParser::<usize>::new().range(..=1_000_000))]
    pub queue: usize,
    /// How long a request may wait, as a multiple of the usual processing time of requests of its size; while the load
    /// stays too high for that, and not only in a short burst, requests that would wait longer get a 503
    #[arg(long, env = "OVERFOLD_QUEUE_PATIENCE", default_value_t = 1, value_name = "TIMES",
        value_parser = clap::value_parser!(u32).range(1..=1000))]
    pub queue_patience: u32,
    /// Maximum total size of request bodies in memory, without Content-Encoding, in bytes; a request that finds no room
    /// gets a 503
    #[arg(long, env = "OVERFOLD_MAX_BODIES_BYTES", default_value_t = 512 << 20, value_name = "BYTES",
        value_parser = clap::value_parser!(u64).range(1..))]
    pub max_bodies_bytes: u64,
    /// Total size of unsent answers in memory, in bytes, above which fewer requests are processed at the same time, and
    /// answers that are hardly read are dropped to make room
    #[arg(long, env = "OVERFOLD_MAX_ANSWERS_BYTES", default_value_t = 256 << 20, value_name = "BYTES")]
    pub max_answers_bytes: u64,
    /// Seconds after which a client is told that its request took too long
    #[arg(long, env = "OVERFOLD_TIMEOUT_SECONDS", default_value_t = 30, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..=86_400))]
    pub timeout_seconds: u64,
}

impl WorkSettings {
    /// Returns the number of requests processed at the same time, at least one. It is two by default even on a single
    /// processor, so that a large request leaves a place that no other large one takes.
    pub fn concurrency(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get).max(2);
        self.concurrency.unwrap_or_else(processors).max(1)
    }

    /// Returns how long a request may take before its client is told that it took too long.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds)
    }
}

/// Which answers are kept, to be given again to the same request. None, unless one of the first two is set.
#[derive(Args, Clone, Debug)]
#[command(next_help_heading = "Cache")]
pub struct CacheSettings {
    /// Maximum total size of answers kept in the memory of the process, in bytes; 0 keeps none
    #[arg(long, env = "OVERFOLD_CACHE_BYTES", default_value_t = 0, value_name = "BYTES")]
    pub cache_bytes: u64,
    /// Redis server that keeps answers for all replicas, such as redis://cache:6379, or rediss://cache:6379 for TLS; whoever
    /// can write to it decides what the service answers
    #[arg(long, env = "OVERFOLD_CACHE_REDIS", value_name = "URL", hide_env_values = true, conflicts_with = "cache_bytes",
        value_parser = RedisAddress::parse)]
    pub cache_redis: Option<RedisAddress>,
    /// File with the certificates of the authorities that sign the certificate of the Redis server, if they are not those that
    /// the system trusts
    #[arg(long, env = "OVERFOLD_CACHE_REDIS_CA", value_name = "FILE", requires = "cache_redis")]
    pub cache_redis_ca: Option<PathBuf>,
    /// Seconds for which an answer is kept
    #[arg(long, env = "OVERFOLD_CACHE_SECONDS", default_value_t = 86_400, value_name = "SECONDS",
        value_parser = clap::value_parser!(u64).range(1..=MAX_SECONDS))]
    pub cache_seconds: u64,
}

/// The address of a Redis server, perhaps with a password, which is never shown.
#[derive(Clone)]
pub struct RedisAddress(redis::ConnectionInfo);

impl RedisAddress {
    /// Parses a URL: `redis://[[USER]:PASSWORD@]HOST[:PORT][/DATABASE]`, the same with `rediss://` for TLS, or
    /// `unix:///PATH`.
    ///
    /// # Errors
    /// Returns a message for people, without the URL.
    fn parse(text: &str) -> Result<Self, String> {
        let wrong = || "not the URL of a Redis server, such as redis://cache:6379 or rediss://cache:6379".to_owned();
        let is_known = ["redis://", "rediss://", "unix://"].iter().any(|scheme| text.starts_with(scheme));
        // A fragment would turn the verification of certificates off.
        let info =
            redis::IntoConnectionInfo::into_connection_info(text).ok().filter(|_| is_known && !text.contains('#'));
        info.map(Self).ok_or_else(wrong)
    }

    /// Returns how to connect.
    pub(crate) const fn info(&self) -> &redis::ConnectionInfo {
        &self.0
    }
}

impl std::fmt::Debug for RedisAddress {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("RedisAddress")
    }
}

/// Where traces go, and of which requests. A program built without the feature `otlp` has no traces.
#[derive(Args, Clone, Debug, Default)]
#[command(next_help_heading = "Traces")]
pub struct TraceSettings {
    /// URL of a collector for traces, such as `http://localhost:4318`, to which OTLP is sent over HTTP at /v1/traces below
    /// it; requests whose `traceparent` has the sampled flag are traced, never anything of their content
    #[arg(long, env = "OVERFOLD_OTLP_ENDPOINT", value_name = "URL", value_parser = collector)]
    pub otlp_endpoint: Option<String>,
    /// Which part of the requests to /v1 without a `traceparent` is traced too, from 0 to 1
    #[arg(long, env = "OVERFOLD_OTLP_RATIO", default_value_t = 0.0, value_name = "PART", value_parser = part)]
    pub otlp_ratio: f64,
    /// Name of the service in its traces [default: overfold]
    #[arg(long, env = "OVERFOLD_OTLP_SERVICE_NAME", value_name = "NAME")]
    pub otlp_service_name: Option<String>,
    /// Where traces are sent according to the standard variables of OpenTelemetry, see [`Self::with_standard_variables`]
    #[arg(skip)]
    pub standard_address: Option<String>,
}

impl TraceSettings {
    /// The path below an endpoint to which traces are sent.
    const TRACES: &str = "/v1/traces";

    /// Returns these settings with the standard variables of OpenTelemetry for what they leave open:
    /// `OTEL_EXPORTER_OTLP_TRACES_ENDPOINT`, `OTEL_EXPORTER_OTLP_ENDPOINT`, `OTEL_SERVICE_NAME`. A program without traces
    /// does not heed them, since they may have been set for every program of a machine.
    ///
    /// # Errors
    /// Returns a message for people if the address in such a variable cannot be used.
    pub fn with_standard_variables(mut self, of: impl Fn(&str) -> Option<String>) -> Result<Self, String> {
        let of = |name: &str| of(name).filter(|value| !value.is_empty());
        if self.otlp_endpoint.is_none() && cfg!(feature = "otlp") {
            let exactly = ("OTEL_EXPORTER_OTLP_TRACES_ENDPOINT", "");
            for (name, below) in [exactly, ("OTEL_EXPORTER_OTLP_ENDPOINT", Self::TRACES)] {
                if self.standard_address.is_none()
                    && let Some(value) = of(name)
                {
                    let url = collector(&value).map_err(|why| format!("{name}: {why}"))?;
                    self.standard_address = Some(url + below);
                }
            }
        }
        self.otlp_service_name = self.otlp_service_name.or_else(|| of("OTEL_SERVICE_NAME"));
        Ok(self)
    }

    /// Returns the address to which traces are sent, if there is one.
    pub fn address(&self) -> Option<String> {
        let ours = self.otlp_endpoint.as_ref().map(|endpoint| format!("{endpoint}{}", Self::TRACES));
        ours.or_else(|| self.standard_address.clone())
    }

    /// Returns the name of the service in its traces.
    pub fn service_name(&self) -> &str {
        self.otlp_service_name.as_deref().unwrap_or("overfold")
    }
}

/// Parses the URL of a collector. The result does not end with a slash.
fn collector(text: &str) -> Result<String, String> {
    let uri: hyper::Uri = text.parse().map_err(|_| "not a URL".to_owned())?;
    match (uri.scheme_str(), uri.authority()) {
        (Some("http"), Some(place)) if place.host().is_empty() || place.as_str().contains('@') => {
            Err("the URL must have a host, and no user".to_owned())
        }
        (Some("http"), Some(_)) if uri.query().is_some() => Err("the URL must not have a query".to_owned()),
        (Some("http"), Some(_)) => Ok(text.trim_end_matches('/').to_owned()),
        (Some("https"), _) => {
            Err("traces are sent over http only; let a collector beside the service forward them over TLS".to_owned())
        }
        _ => Err("not a URL that begins with http://".to_owned()),
    }
}

/// Parses a number from 0 to 1.
fn part(text: &str) -> Result<f64, String> {
    let number = text.parse().ok().filter(|number| (0.0..=1.0).contains(number));
    number.ok_or_else(|| "not a number from 0 to 1".to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_url_of_a_collector_has_a_host_and_nothing_secret() {
        for (text, url) in [
            ("http://localhost:4318", "http://localhost:4318"),
            ("http://[::1]:4318/", "http://[::1]:4318"),
            ("http://collector/below/", "http://collector/below"),
        ] {
            assert_eq!(collector(text).as_deref(), Ok(url));
        }
        for wrong in ["", "localhost:4318", "https://a", "http://", "http://u:p@a", "http://a?key=b", "ftp://a", "/a"]
        {
            assert!(collector(wrong).is_err(), "{wrong}");
        }
        assert!(["0", "1", "0.25"].into_iter().all(|text| part(text).is_ok()));
        assert!(["", "-0.1", "1.1", "NaN", "inf", "1%"].into_iter().all(|text| part(text).is_err()));
    }
}

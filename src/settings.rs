//! Settings of the service: one struct per concern, every flag also an environment variable `OVERFOLD_…`.
//!
//! Read once, where the program starts; nothing below looks at the environment again.

use std::net::SocketAddr;
use std::time::Duration;

use clap::{Args, ValueEnum};

use crate::syntax::SyntaxLimits;
use crate::transport::Limits;

/// Everything that `overfold serve` can be told.
#[derive(Args, Clone, Debug)]
pub struct Settings {
    /// Where the service listens.
    #[command(flatten)]
    pub listen: ListenSettings,
    /// How large a request may be.
    #[command(flatten)]
    pub limits: LimitSettings,
    /// How much work runs at a time.
    #[command(flatten)]
    pub work: WorkSettings,
    /// What is logged.
    #[command(flatten)]
    pub log: LogSettings,
}

/// Where the service listens and how it stops.
#[derive(Args, Clone, Debug)]
pub struct ListenSettings {
    /// Address and port to listen on
    #[arg(long, env = "OVERFOLD_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT")]
    pub listen: SocketAddr,
    /// Seconds between "not ready" on SIGTERM and closing the door, for load balancers to notice
    #[arg(long, env = "OVERFOLD_DRAIN_SECONDS", default_value_t = 0, value_name = "SECONDS")]
    pub drain_seconds: u64,
}

/// How large a request may be. Each limit that is passed names itself in the answer.
#[derive(Args, Clone, Debug)]
pub struct LimitSettings {
    /// Bytes of a request body as sent
    #[arg(long, env = "OVERFOLD_MAX_REQUEST_BYTES", default_value_t = 32 << 20, value_name = "BYTES")]
    pub max_request_bytes: u64,
    /// Bytes of a request once unpacked: of its body without Content-Encoding, and of all its files
    #[arg(long, env = "OVERFOLD_MAX_UNPACKED_BYTES", default_value_t = 128 << 20, value_name = "BYTES")]
    pub max_unpacked_bytes: u64,
    /// Files, folders and other entries of a request
    #[arg(long, env = "OVERFOLD_MAX_ENTRIES", default_value_t = 50_000, value_name = "COUNT")]
    pub max_entries: u64,
    /// Bytes of one file
    #[arg(long, env = "OVERFOLD_MAX_FILE_BYTES", default_value_t = 32 << 20, value_name = "BYTES")]
    pub max_file_bytes: u64,
    /// Bytes of a file's path
    #[arg(long, env = "OVERFOLD_MAX_PATH_BYTES", default_value_t = 1024, value_name = "BYTES")]
    pub max_path_bytes: u64,
    /// Segments of a file's path
    #[arg(long, env = "OVERFOLD_MAX_PATH_DEPTH", default_value_t = 64, value_name = "COUNT")]
    pub max_path_depth: u64,
    /// Variables in the environment and options of a request
    #[arg(long, env = "OVERFOLD_MAX_VARIABLES", default_value_t = 10_000, value_name = "COUNT")]
    pub max_variables: u64,
    /// Levels of nesting in a file; deeper ones are diagnostics of that file, at most 4000
    #[arg(long, env = "OVERFOLD_MAX_SYNTAX_DEPTH", default_value_t = 4000, value_name = "COUNT",
        value_parser = clap::value_parser!(u32).range(1..=4000))]
    pub max_syntax_depth: u32,
    /// Tokens in a file; what follows them is not read, and a diagnostic of that file says so
    #[arg(long, env = "OVERFOLD_MAX_SYNTAX_TOKENS", default_value_t = 10_000_000, value_name = "COUNT")]
    pub max_syntax_tokens: u32,
}

impl LimitSettings {
    /// The limits that files are parsed with.
    pub fn syntax(&self) -> SyntaxLimits {
        SyntaxLimits { depth: self.max_syntax_depth, tokens: self.max_syntax_tokens }
    }

    /// The limits that uploads are read with.
    pub fn transport(&self) -> Limits {
        Limits {
            request_bytes: self.max_request_bytes,
            unpacked_bytes: self.max_unpacked_bytes,
            entries: self.max_entries,
            file_bytes: self.max_file_bytes,
            path_bytes: self.max_path_bytes,
            path_depth: self.max_path_depth,
        }
    }
}

/// How much work runs at a time.
#[derive(Args, Clone, Debug)]
pub struct WorkSettings {
    /// Requests worked on at the same time [default: the number of processors]
    #[arg(long, env = "OVERFOLD_CONCURRENCY", value_name = "COUNT")]
    pub concurrency: Option<usize>,
    /// Requests that may wait for their turn; more are turned away with 503
    #[arg(long, env = "OVERFOLD_QUEUE", default_value_t = 16, value_name = "COUNT")]
    pub queue: usize,
    /// Seconds until a client is told that its request took too long
    #[arg(long, env = "OVERFOLD_TIMEOUT_SECONDS", default_value_t = 30, value_name = "SECONDS")]
    pub timeout_seconds: u64,
}

impl WorkSettings {
    /// Requests worked on at the same time, at least one.
    pub fn concurrency(&self) -> usize {
        let processors = || std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
        self.concurrency.unwrap_or_else(processors).max(1)
    }

    /// Until a client is told that its request took too long.
    pub fn timeout(&self) -> Duration {
        Duration::from_secs(self.timeout_seconds)
    }
}

/// What is logged, to standard error. File contents and variable values never are.
#[derive(Args, Clone, Debug)]
pub struct LogSettings {
    /// How log lines look
    #[arg(long, env = "OVERFOLD_LOG_FORMAT", value_enum, default_value_t = LogFormat::Text, value_name = "FORMAT")]
    pub log_format: LogFormat,
    /// What is logged: error, warn, info, debug, trace, or a filter as of tracing-subscriber
    #[arg(long, env = "OVERFOLD_LOG", default_value = "info", value_name = "FILTER")]
    pub log: String,
}

/// How log lines look.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum LogFormat {
    /// One line for people.
    Text,
    /// One JSON object a line.
    Json,
}

impl Settings {
    /// Settings for tests: any free port, small limits that a test can reach, two requests at a time.
    pub fn for_testing() -> Self {
        Self {
            listen: ListenSettings { listen: SocketAddr::from(([127, 0, 0, 1], 0)), drain_seconds: 0 },
            limits: LimitSettings {
                max_request_bytes: 256 << 10,
                max_unpacked_bytes: 1 << 20,
                max_entries: 100,
                max_file_bytes: 64 << 10,
                max_path_bytes: 128,
                max_path_depth: 8,
                max_variables: 10,
                max_syntax_depth: 4000,
                max_syntax_tokens: 100_000,
            },
            work: WorkSettings { concurrency: Some(2), queue: 2, timeout_seconds: 10 },
            log: LogSettings { log_format: LogFormat::Text, log: "off".to_owned() },
        }
    }
}

//! A cache in Redis, or what speaks its protocol, shared by the replicas of the service.

mod connection;
mod reply;

use std::fmt;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use bytes::Bytes;
use redis::cmd;

use self::connection::Connection;
use super::{Key, MAX_ENTRY_BYTES, Store, StoreError};
use crate::packing::hexadecimal;
use crate::settings::RedisAddress;

/// The most that a request waits in all: to connect, to ask, and to be answered to the last byte. Redis answers within a
/// millisecond; the work that a hit saves rarely takes longer than this.
const PATIENCE: Duration = Duration::from_millis(200);
/// What the names of all entries begin with.
const PREFIX: &str = "overfold:";

/// Entries in Redis.
pub(super) struct Redis {
    address: RedisAddress,
    /// The authorities of the server's certificate, if they are not those that the system trusts.
    ca: Option<PathBuf>,
    seconds: u64,
    /// Connections that nobody uses: at most as many as there have been requests at work at a time.
    free: Mutex<Vec<Connection>>,
}

/// Why Redis did not answer. Nothing of what was sent or received is included.
#[derive(Debug, thiserror::Error)]
enum Failure {
    #[error("{0}")]
    Io(std::io::ErrorKind),
    #[error("the answer took too long")]
    TooSlow,
    #[error("the answer is longer than an entry can be")]
    TooLong,
    #[error("the answer is not one to the question")]
    Unexpected,
    #[error("the server refused the question")]
    Refused,
    #[error("TLS cannot be used: {0}")]
    Tls(&'static str),
}

impl From<std::io::Error> for Failure {
    fn from(error: std::io::Error) -> Self {
        match error.kind() {
            // A socket whose time is over says the first of these on Unix.
            std::io::ErrorKind::WouldBlock | std::io::ErrorKind::TimedOut => Self::TooSlow,
            kind => Self::Io(kind),
        }
    }
}

impl Redis {
    /// Creates a store at this address, which keeps each entry for `lifetime`. It is connected when it is first asked.
    pub(super) fn new(address: RedisAddress, ca: Option<PathBuf>, lifetime: Duration) -> Self {
        Self { address, ca, seconds: lifetime.as_secs().max(1), free: Mutex::new(Vec::new()) }
    }

    /// Asks a question on a connection, which is kept if it works. Returns the text of the answer, empty if there is none.
    fn ask(&self, question: &[u8]) -> Result<Vec<u8>, StoreError> {
        let until = Instant::now() + PATIENCE;
        let failed = |error: Failure| StoreError(format!("Redis: {error}"));
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut connection = match free {
            Some(connection) => connection,
            None => Connection::open(self.address.info(), self.ca.as_deref(), until).map_err(failed)?,
        };
        let answer = connection.ask(question, MAX_ENTRY_BYTES, until).map_err(failed)?;
        // What comes after the answer would be taken for the next one.
        if connection.is_quiet() {
            self.free.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        }
        Ok(answer)
    }
}

impl fmt::Debug for Redis {
    /// The address may contain a password.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Redis").field("seconds", &self.seconds).finish_non_exhaustive()
    }
}

fn name(key: &Key) -> String {
    format!("{PREFIX}{}", hexadecimal(&key.0))
}

impl Store for Redis {
    fn get(&self, key: &Key) -> Result<Option<Bytes>, StoreError> {
        // No more than an entry may have, whatever is there; of what is not there, nothing comes.
        let last = MAX_ENTRY_BYTES - 1;
        let found = self.ask(&cmd("GETRANGE").arg(name(key)).arg(0).arg(last).get_packed_command())?;
        Ok(Some(Bytes::from(found)).filter(|found| !found.is_empty()))
    }

    fn put(&self, key: &Key, entry: Vec<u8>) -> Result<(), StoreError> {
        let question = cmd("SET").arg(name(key)).arg(&entry[..]).arg("EX").arg(self.seconds).get_packed_command();
        drop(entry);
        self.ask(&question).map(drop)
    }
}

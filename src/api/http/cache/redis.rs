//! A cache in Redis, or what speaks its protocol, shared by the replicas of the service.

use std::fmt;
use std::fs;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use redis::{Client, Connection, RedisError, TlsCertificates, cmd};

use super::{Key, MAX_ENTRY_BYTES, Store, StoreError};
use crate::api::http::packing::hexadecimal;
use crate::settings::RedisAddress;

/// The most that a request waits: to connect, to ask, and to be answered. Redis answers within a millisecond; the work that a
/// hit saves rarely takes longer than this.
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

impl Redis {
    /// Creates a store at this address, which keeps each entry for `lifetime`. It is connected when it is first asked.
    pub(super) fn new(address: RedisAddress, ca: Option<PathBuf>, lifetime: Duration) -> Self {
        Self { address, ca, seconds: lifetime.as_secs().max(1), free: Mutex::new(Vec::new()) }
    }

    /// Asks on a connection, which is kept if it works.
    fn on_connection<T>(&self, ask: impl FnOnce(&mut Connection) -> Result<T, RedisError>) -> Result<T, StoreError> {
        // A message of the library may quote what was sent.
        let failed = |error: RedisError| StoreError(format!("Redis: {}", error.category()));
        let free = self.free.lock().unwrap_or_else(PoisonError::into_inner).pop();
        let mut connection = match free {
            Some(connection) => connection,
            None => self.connect().map_err(failed)?,
        };
        let answer = ask(&mut connection).map_err(failed)?;
        self.free.lock().unwrap_or_else(PoisonError::into_inner).push(connection);
        Ok(answer)
    }

    fn connect(&self) -> Result<Connection, RedisError> {
        let info = self.address.info().clone();
        let client = match &self.ca {
            // Read each time, because connections last, and the file may have been replaced.
            Some(ca) => {
                let root_cert = Some(fs::read(ca)?);
                Client::build_with_tls(info, TlsCertificates { client_tls: None, root_cert })?
            }
            None => Client::open(info)?,
        };
        let connection = client.get_connection_with_timeout(PATIENCE)?;
        connection.set_read_timeout(Some(PATIENCE))?;
        connection.set_write_timeout(Some(PATIENCE))?;
        Ok(connection)
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
        let found = self.on_connection(|connection| {
            cmd("GETRANGE").arg(name(key)).arg(0).arg(last).query::<Vec<u8>>(connection)
        })?;
        Ok(Some(Bytes::from(found)).filter(|found| !found.is_empty()))
    }

    fn put(&self, key: &Key, entry: Vec<u8>) -> Result<(), StoreError> {
        self.on_connection(|connection| {
            cmd("SET").arg(name(key)).arg(&entry[..]).arg("EX").arg(self.seconds).query::<()>(connection)
        })
    }
}

//! What a question may cost.

use overfold_base::account;
use overfold_engine::RequestLimits;
use overfold_source as source;

/// How large what is asked about may be, and what the work on it may cost. The defaults are those of the service and the
/// command, whose names for the limits [`Error::limit`](crate::Error::limit) has.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Limits {
    /// Units of work (`max-work-units`); ten million are about half a second of one processor.
    pub work: u64,
    /// Bytes of memory that the work may charge (`max-memory-bytes`). Long files raise it: by 64 bytes for each of theirs, up to three quarters.
    pub memory: u64,
    /// Files, folders, links and other entries of a source (`max-entries`).
    pub entries: u64,
    /// Bytes of all files of a source together (`max-unpacked-bytes`).
    pub bytes: u64,
    /// Bytes of one file (`max-file-bytes`).
    pub file_bytes: u64,
    /// Instances of modules, resources and data sources in a plan. Beyond that, the plan has an error, and is not made: the
    /// diagnostic `plan/too-many-instances`.
    pub instances: usize,
}

impl Default for Limits {
    fn default() -> Self {
        let account::Limits { work, memory } = account::Limits::DEFAULT;
        let source = source::Limits::default();
        Self {
            work,
            memory,
            entries: source.entries,
            bytes: source.unpacked_bytes,
            file_bytes: source.file_bytes,
            instances: RequestLimits::DEFAULT.max_instances,
        }
    }
}

impl Limits {
    /// Returns the defaults.
    pub fn new() -> Self {
        Self::default()
    }

    /// Sets [`Self::work`].
    #[must_use]
    pub const fn with_work(mut self, units: u64) -> Self {
        self.work = units;
        self
    }

    /// Sets [`Self::memory`].
    #[must_use]
    pub const fn with_memory(mut self, bytes: u64) -> Self {
        self.memory = bytes;
        self
    }

    /// Sets [`Self::entries`].
    #[must_use]
    pub const fn with_entries(mut self, count: u64) -> Self {
        self.entries = count;
        self
    }

    /// Sets [`Self::bytes`].
    #[must_use]
    pub const fn with_bytes(mut self, bytes: u64) -> Self {
        self.bytes = bytes;
        self
    }

    /// Sets [`Self::file_bytes`].
    #[must_use]
    pub const fn with_file_bytes(mut self, bytes: u64) -> Self {
        self.file_bytes = bytes;
        self
    }

    /// Sets [`Self::instances`].
    #[must_use]
    pub const fn with_instances(mut self, count: usize) -> Self {
        self.instances = count;
        self
    }

    pub(crate) const fn account(&self) -> account::Limits {
        account::Limits { work: self.work, memory: self.memory }
    }

    pub(crate) fn source(&self) -> source::Limits {
        source::Limits {
            unpacked_bytes: self.bytes,
            entries: self.entries,
            file_bytes: self.file_bytes,
            ..source::Limits::default()
        }
    }

    pub(crate) const fn request(&self) -> RequestLimits {
        RequestLimits {
            max_entries: self.entries,
            max_file_bytes: self.file_bytes,
            max_instances: self.instances,
            ..RequestLimits::DEFAULT
        }
    }
}

/// Ends work on another thread, within milliseconds. Clones share it.
#[derive(Clone, Default, Debug)]
pub struct Cancel(account::Cancel);

impl Cancel {
    /// Creates one that has not been used.
    pub fn new() -> Self {
        Self::default()
    }

    /// Ends the work: it returns an error of the kind [`Cancelled`](crate::ErrorKind::Cancelled).
    pub fn cancel(&self) {
        self.0.cancel();
    }

    /// Whether the work has to end.
    pub fn is_cancelled(&self) -> bool {
        self.0.is_cancelled()
    }

    pub(crate) const fn inner(&self) -> &account::Cancel {
        &self.0
    }
}

//! A file that says who may call: read at start, and again when it has changed.

use std::borrow::Cow;
use std::path::PathBuf;
use std::sync::{Arc, PoisonError, RwLock};

use sha2::{Digest as _, Sha256};

use crate::metrics::{Metrics, Reloads};
use crate::watched_files;

/// What is read from a file. The default is what is known before it has been read: nothing.
pub(super) trait Content: Default + Send + Sync + 'static {
    /// The setting that names the file, in metrics.
    const SETTING: &'static str;
    /// What the file is called in messages.
    const FILE: &'static str;
    /// What it contains.
    const ITEM: &'static str;
    /// How one gets such an item.
    const HINT: &'static str;
    /// The most bytes in such a file.
    const MOST_BYTES: u64;

    /// Reads the bytes of a file.
    ///
    /// # Errors
    /// Says what is wrong with which part, without its content.
    fn parse(content: &[u8]) -> Result<Self, Fault>;

    /// Returns the number of items.
    fn count(&self) -> usize;
}

/// What is wrong with the content of a file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Fault {
    /// Where in the file, such as `line 3`.
    pub(super) place: String,
    /// What is wrong there.
    pub(super) problem: Cow<'static, str>,
}

/// Why a file that says who may call cannot be used. None of its content is included.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum AccessFileError {
    /// The file cannot be read.
    #[error("the {what} {file}: {problem}")]
    Unreadable {
        /// What the file is for: `token file` or `JWKS file`.
        what: &'static str,
        /// The path of the file.
        file: String,
        /// The system's message.
        problem: String,
    },
    /// A part of the file is not valid.
    #[error("the {what} {file}, {place}: {problem}")]
    Faulty {
        /// What the file is for.
        what: &'static str,
        /// The path of the file.
        file: String,
        /// The part of the file, such as `line 3`; lines and keys are counted from 1.
        place: String,
        /// What is wrong with it.
        problem: Cow<'static, str>,
    },
    /// When the service starts, the file contains nothing, so nobody could call by it.
    #[error("the {what} {file} contains no {item}; {hint}")]
    Empty {
        /// What the file is for.
        what: &'static str,
        /// The path of the file.
        file: String,
        /// What it should contain.
        item: &'static str,
        /// How one gets it.
        hint: &'static str,
    },
}

/// The content of a file as last read.
#[derive(Debug)]
pub(super) struct WatchedFile<T> {
    file: PathBuf,
    known: RwLock<WatchedContent<T>>,
    reloads: Reloads,
}

#[derive(Debug, Default)]
struct WatchedContent<T> {
    content: Arc<T>,
    /// The digest of the file as last read, whether it was usable or not.
    digest: Option<[u8; 32]>,
    /// What was wrong with the file then.
    problem: Option<AccessFileError>,
}

impl<T: Content> WatchedFile<T> {
    /// Returns the content of this file before it has been read: nothing.
    pub(super) fn unloaded(file: PathBuf, metrics: &Metrics) -> Self {
        Self { file, known: RwLock::default(), reloads: metrics.reloads(T::SETTING) }
    }

    /// Returns what is known now.
    pub(super) fn get(&self) -> Arc<T> {
        Arc::clone(&self.known.read().unwrap_or_else(PoisonError::into_inner).content)
    }

    /// Reads the file for the first time.
    ///
    /// # Errors
    /// Fails if the file cannot be read or contains nothing.
    pub(super) fn load(&self) -> Result<(), AccessFileError> {
        self.reload()?;
        if self.get().count() == 0 {
            let file = self.file.display().to_string();
            return Err(AccessFileError::Empty { what: T::FILE, file, item: T::ITEM, hint: T::HINT });
        }
        self.reloads.succeeded();
        Ok(())
    }

    /// Reads the file if it has changed, and returns the number of items in it in that case. A file that cannot be
    /// used changes nothing, and fails until it is changed again; one without items takes effect: nobody may call by
    /// it any more.
    fn reload(&self) -> Result<Option<usize>, AccessFileError> {
        let content = watched_files::read(&self.file, T::MOST_BYTES).map_err(|problem| {
            let file = self.file.display().to_string();
            AccessFileError::Unreadable { what: T::FILE, file, problem }
        })?;
        let digest = Sha256::digest(&content).into();
        {
            let known = self.known.read().unwrap_or_else(PoisonError::into_inner);
            if known.digest == Some(digest) {
                return known.problem.clone().map_or(Ok(None), Err);
            }
        }
        // Requests go on with what is known while the file is parsed.
        let parsed = T::parse(&content);
        let mut known = self.known.write().unwrap_or_else(PoisonError::into_inner);
        known.digest = Some(digest);
        match parsed {
            Ok(parsed) => {
                let count = parsed.count();
                (known.content, known.problem) = (Arc::new(parsed), None);
                Ok(Some(count))
            }
            Err(Fault { place, problem }) => {
                let file = self.file.display().to_string();
                let problem = AccessFileError::Faulty { what: T::FILE, file, place, problem };
                known.problem = Some(problem.clone());
                Err(problem)
            }
        }
    }

    /// Checks the file periodically.
    pub(super) async fn watch(self: &Arc<Self>) {
        let watched = Arc::clone(self);
        let changed = |count| match count {
            0 => tracing::warn!(
                "the {} no longer contains a {}, so nobody can call the service by it",
                T::FILE,
                T::ITEM
            ),
            _ => tracing::info!(count, "the {} has been read again", T::FILE),
        };
        let cannot = format!("the {} cannot be read again; what it contained before stays valid", T::FILE);
        watched_files::watch(move || watched.reload(), changed, &cannot, &self.reloads).await;
    }
}

//! Why an upload cannot be read.

use std::borrow::Cow;

use super::archive_formats::ArchiveFormat;
use super::limits::{Limit, Limits};
use overfold_base::echo::short;
use overfold_base::files::PathError;

/// Why an upload cannot be read. Paths in it have at most [`MAX_NAME_BYTES`] bytes; the message shows them shortened and
/// quoted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ReadError {
    /// One of the [`Limits`] is exceeded.
    #[error("{}{} is over the limit {} of {value}{}", limit.subject(), about(path.as_deref()), limit.setting(), limit.unit())]
    OverLimit {
        /// The limit.
        limit: Limit,
        /// Its value.
        value: u64,
        /// The entry that exceeded it, if it was a single one.
        path: Option<String>,
    },
    /// A path that is not allowed for an entry.
    #[error("{:?}: {problem}", short(path))]
    BadPath {
        /// The path as sent.
        path: String,
        /// What is wrong with it.
        problem: PathError,
    },
    /// An entry name that is not UTF-8.
    #[error("the name {:?} is not valid UTF-8", short(path))]
    NotUtf8 {
        /// The name, with U+FFFD in place of what is not UTF-8.
        path: String,
    },
    /// Two entries with the same path, perhaps written differently (`./a` and `a`).
    #[error("{:?} occurs twice", short(path))]
    DuplicatePath {
        /// The normalised path.
        path: String,
    },
    /// One entry is a file (or a link or device), and another one treats its path as a folder.
    #[error("{:?} is both a file and a directory", short(path))]
    FileAndFolder {
        /// The normalised path.
        path: String,
    },
    /// The archive ends too early.
    #[error("the {format} is truncated{}", at(path.as_deref()))]
    Truncated {
        /// The archive format.
        format: ArchiveFormat,
        /// The entry at which the archive ends.
        path: Option<String>,
    },
    /// The archive contradicts itself or its format.
    #[error("the {format} cannot be read{}: {problem}", at(path.as_deref()))]
    Damaged {
        /// The archive format.
        format: ArchiveFormat,
        /// The entry concerned.
        path: Option<String>,
        /// What is wrong.
        problem: Cow<'static, str>,
    },
    /// The archive uses a feature that is not supported.
    #[error("the {format} uses an unsupported feature{}: {feature}", at(path.as_deref()))]
    UnsupportedEntry {
        /// The archive format.
        format: ArchiveFormat,
        /// The entry concerned.
        path: Option<String>,
        /// The feature.
        feature: Cow<'static, str>,
    },
    /// A file that is in none of the known archive formats.
    #[error("the file is neither a tar archive (plain, gzip or zstd) nor a zip archive")]
    UnknownFormat,
    /// The content of a file in a JSON object is not valid base64.
    #[error("{:?}: the content is not valid Base64", short(path))]
    BadBase64 {
        /// The path as sent.
        path: String,
    },
    /// `strip_components` drops every entry.
    #[error("no entry has more than {count} path segments, so nothing is left with strip_components={count}")]
    NothingLeft {
        /// How many segments are dropped.
        count: u16,
    },
    /// A folder or archive file on this machine cannot be read (command line only).
    #[error("{path}: {problem}")]
    Io {
        /// The path.
        path: String,
        /// The system's message.
        problem: String,
    },
}

/// Who is at fault, and how: the basis for choosing an HTTP status.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorClass {
    /// The upload cannot be read as what it claims to be.
    BadRequest,
    /// The upload exceeds a limit.
    TooLarge,
    /// The upload is readable, but what it asks for is impossible.
    Unprocessable,
    /// The upload is in an unsupported format.
    Unsupported,
}

impl ReadError {
    /// Returns the stable name of the error, in kebab-case.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::OverLimit { .. } => "over-limit",
            Self::BadPath { .. } => "bad-path",
            Self::NotUtf8 { .. } => "not-utf8",
            Self::DuplicatePath { .. } => "duplicate-path",
            Self::FileAndFolder { .. } => "file-and-folder",
            Self::Truncated { .. } => "truncated-archive",
            Self::Damaged { .. } => "malformed-archive",
            Self::UnsupportedEntry { .. } => "unsupported-entry",
            Self::UnknownFormat => "unknown-archive-format",
            Self::BadBase64 { .. } => "bad-base64",
            Self::NothingLeft { .. } => "nothing-left",
            Self::Io { .. } => "unreadable",
        }
    }

    /// Returns the class from which an HTTP status is chosen.
    pub const fn class(&self) -> ErrorClass {
        match self {
            Self::OverLimit { .. } => ErrorClass::TooLarge,
            Self::BadPath { .. }
            | Self::NotUtf8 { .. }
            | Self::DuplicatePath { .. }
            | Self::FileAndFolder { .. }
            | Self::Truncated { .. }
            | Self::Damaged { .. }
            | Self::UnsupportedEntry { .. }
            | Self::BadBase64 { .. }
            | Self::Io { .. } => ErrorClass::BadRequest,
            Self::NothingLeft { .. } => ErrorClass::Unprocessable,
            Self::UnknownFormat => ErrorClass::Unsupported,
        }
    }

    /// Returns the path of the entry concerned, if there is a single one.
    pub fn path(&self) -> Option<&str> {
        match self {
            Self::OverLimit { path, .. }
            | Self::Truncated { path, .. }
            | Self::Damaged { path, .. }
            | Self::UnsupportedEntry { path, .. } => path.as_deref(),
            Self::BadPath { path, .. }
            | Self::NotUtf8 { path }
            | Self::DuplicatePath { path }
            | Self::FileAndFolder { path }
            | Self::BadBase64 { path }
            | Self::Io { path, .. } => Some(path),
            Self::UnknownFormat | Self::NothingLeft { .. } => None,
        }
    }

    pub(super) fn over_limit(limit: Limit, limits: &Limits, name: Option<&[u8]>) -> Self {
        Self::OverLimit { limit, value: limit.value_in(limits), path: name.map(shortened) }
    }

    pub(super) fn damaged(format: ArchiveFormat, name: Option<&[u8]>, problem: impl Into<Cow<'static, str>>) -> Self {
        Self::Damaged { format, path: name.map(shortened), problem: problem.into() }
    }

    pub(super) fn unsupported(
        format: ArchiveFormat,
        name: Option<&[u8]>,
        feature: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::UnsupportedEntry { format, path: name.map(shortened), feature: feature.into() }
    }
}

/// The most bytes of a name that an error keeps; a name in an archive may have millions.
pub const MAX_NAME_BYTES: usize = 1024;

/// Returns a name as errors keep it: valid UTF-8, and not longer than [`MAX_NAME_BYTES`] bytes or their replacements.
pub(super) fn shortened(name: &[u8]) -> String {
    let Some((head, rest)) = name.split_at_checked(MAX_NAME_BYTES) else {
        return String::from_utf8_lossy(name).into_owned();
    };
    if rest.is_empty() {
        return String::from_utf8_lossy(head).into_owned();
    }
    // A character cut in two would look like damage in the name.
    let whole = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    if whole.len() + 4 > MAX_NAME_BYTES {
        format!("{whole}…")
    } else {
        format!("{}…", String::from_utf8_lossy(head))
    }
}

fn about(path: Option<&str>) -> String {
    path.map_or_else(String::new, |path| format!(" ({:?})", short(path)))
}

fn at(path: Option<&str>) -> String {
    path.map_or_else(String::new, |path| format!(" at {:?}", short(path)))
}

//! Why an upload is not read.

use std::borrow::Cow;

use super::limits::{Limit, Limits};
use super::packed::ArchiveFormat;
use crate::echo::short;
use crate::files::PathError;

/// Why an upload is not read. Paths in it hold at most [`KEPT`] bytes; as text it shows them shortened and quoted.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum TransportError {
    /// Over one of the [`Limits`].
    #[error("{}{} is over the limit {} of {value}{}", limit.subject(), about(path.as_deref()), limit.setting(), limit.unit())]
    OverLimit {
        /// Which one.
        limit: Limit,
        /// Its value.
        value: u64,
        /// The entry that went over it, where it is one.
        path: Option<String>,
    },
    /// A path that no entry may have.
    #[error("{:?}: {problem}", short(path))]
    BadPath {
        /// As sent.
        path: String,
        /// What is wrong with it.
        problem: PathError,
    },
    /// A path that is not UTF-8.
    #[error("the name {:?} is not valid UTF-8", short(path))]
    NotUtf8 {
        /// With U+FFFD for what is not UTF-8.
        path: String,
    },
    /// Two entries of one path, perhaps written differently (`./a` beside `a`).
    #[error("{:?} is given twice", short(path))]
    DuplicatePath {
        /// The normalised path.
        path: String,
    },
    /// One entry is a file (or link, or device), and another one has its path as a folder.
    #[error("{:?} is given both as a file and as a directory", short(path))]
    FileAndFolder {
        /// The normalised path.
        path: String,
    },
    /// The archive ends too early.
    #[error("the {format} is cut off{}", at(path.as_deref()))]
    Truncated {
        /// Its form.
        format: ArchiveFormat,
        /// The entry at the cut.
        path: Option<String>,
    },
    /// The archive contradicts itself or its format.
    #[error("the {format} cannot be read{}: {problem}", at(path.as_deref()))]
    Damaged {
        /// Its form.
        format: ArchiveFormat,
        /// The entry.
        path: Option<String>,
        /// What is wrong.
        problem: Cow<'static, str>,
    },
    /// The archive uses something that is not read.
    #[error("the {format} uses an unsupported feature{}: {feature}", at(path.as_deref()))]
    UnsupportedEntry {
        /// Its form.
        format: ArchiveFormat,
        /// The entry.
        path: Option<String>,
        /// What it is.
        feature: Cow<'static, str>,
    },
    /// A file that is none of the known archive forms.
    #[error("the file is neither a tar archive (plain, gzip or zstd) nor a zip archive")]
    UnknownFormat,
    /// The bytes of a file in a JSON object are not base64.
    #[error("{:?}: the content is not valid Base64", short(path))]
    BadBase64 {
        /// As sent.
        path: String,
    },
    /// `strip_components` drops every entry.
    #[error("no entry has more than {count} path segments, so nothing is left with strip_components={count}")]
    NothingLeft {
        /// How many segments are dropped.
        count: u32,
    },
    /// A folder or archive file on this machine cannot be read (command line only).
    #[error("{path}: {problem}")]
    Io {
        /// The path.
        path: String,
        /// The system's words.
        problem: String,
    },
}

/// Whose fault and of what kind: what an HTTP status is chosen from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ErrorClass {
    /// The upload cannot be read as what it claims to be.
    BadRequest,
    /// Over a limit.
    TooLarge,
    /// Readable, but what is asked of it is impossible.
    Unprocessable,
    /// Of a form that is not read.
    Unsupported,
}

impl TransportError {
    /// Stable name, kebab-case.
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

    /// What an HTTP status is chosen from.
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

    /// The path of the entry it is about, where it is one.
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

    pub(super) fn over(limit: Limit, limits: &Limits, name: Option<&[u8]>) -> Self {
        Self::OverLimit { limit, value: limit.of(limits), path: name.map(shown) }
    }

    pub(super) fn damaged(format: ArchiveFormat, name: Option<&[u8]>, problem: impl Into<Cow<'static, str>>) -> Self {
        Self::Damaged { format, path: name.map(shown), problem: problem.into() }
    }

    pub(super) fn unsupported(
        format: ArchiveFormat,
        name: Option<&[u8]>,
        feature: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::UnsupportedEntry { format, path: name.map(shown), feature: feature.into() }
    }
}

/// Most bytes of a name that an error keeps; a name of an archive may have millions.
pub const KEPT: usize = 1024;

/// A name as errors keep it: valid UTF-8, and not longer than [`KEPT`] bytes or their replacements.
pub(super) fn shown(name: &[u8]) -> String {
    let Some((head, rest)) = name.split_at_checked(KEPT) else { return String::from_utf8_lossy(name).into_owned() };
    if rest.is_empty() {
        return String::from_utf8_lossy(head).into_owned();
    }
    // A character cut in two would show as damage that is not there.
    let whole = head.utf8_chunks().next().map_or("", |chunk| chunk.valid());
    if whole.len() + 4 > KEPT { format!("{whole}…") } else { format!("{}…", String::from_utf8_lossy(head)) }
}

fn about(path: Option<&str>) -> String {
    path.map_or_else(String::new, |path| format!(" ({:?})", short(path)))
}

fn at(path: Option<&str>) -> String {
    path.map_or_else(String::new, |path| format!(" at {:?}", short(path)))
}

//! How large an upload may be, and a reader that stops at a limit.

use overfold_base::account;
use std::io::Read;

/// How large an upload may be. Each limit is a separate setting.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Limits {
    /// Bytes of a body or archive file as sent, that is, compressed.
    pub request_bytes: u64,
    /// Bytes after unpacking: for a tar, its length with headers and padding; for any other format, the sum of all
    /// files.
    pub unpacked_bytes: u64,
    /// Files, folders, links and other entries.
    pub entries: u64,
    /// Bytes of one file.
    pub file_bytes: u64,
    /// Bytes of a path, as sent.
    pub path_bytes: u64,
    /// Segments of a path, including the file's own name.
    pub path_depth: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            request_bytes: 64 << 20,
            unpacked_bytes: 64 << 20,
            entries: 50_000,
            file_bytes: 32 << 20,
            path_bytes: 1024,
            path_depth: 64,
        }
    }
}

/// One of the [`Limits`].
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Limit {
    /// [`Limits::request_bytes`].
    RequestBytes,
    /// [`Limits::unpacked_bytes`].
    UnpackedBytes,
    /// [`Limits::entries`].
    Entries,
    /// [`Limits::file_bytes`].
    FileBytes,
    /// [`Limits::path_bytes`].
    PathBytes,
    /// [`Limits::path_depth`].
    PathDepth,
}

impl Limit {
    /// Returns the name of the setting.
    pub const fn setting(self) -> &'static str {
        match self {
            Self::RequestBytes => "max-request-bytes",
            Self::UnpackedBytes => "max-unpacked-bytes",
            Self::Entries => "max-entries",
            Self::FileBytes => "max-file-bytes",
            Self::PathBytes => "max-path-bytes",
            Self::PathDepth => "max-path-depth",
        }
    }

    /// Returns what is limited, as the subject of a sentence.
    pub(super) const fn subject(self) -> &'static str {
        match self {
            Self::RequestBytes => "the request as sent",
            Self::UnpackedBytes => "the unpacked content",
            Self::Entries => "the number of entries",
            Self::FileBytes => "a file",
            Self::PathBytes => "the length of a path",
            Self::PathDepth => "the depth of a path",
        }
    }

    pub(super) const fn unit(self) -> &'static str {
        match self {
            Self::RequestBytes | Self::UnpackedBytes | Self::FileBytes | Self::PathBytes => " bytes",
            Self::Entries => "",
            Self::PathDepth => " segments",
        }
    }

    pub(super) const fn value_in(self, limits: &Limits) -> u64 {
        match self {
            Self::RequestBytes => limits.request_bytes,
            Self::UnpackedBytes => limits.unpacked_bytes,
            Self::Entries => limits.entries,
            Self::FileBytes => limits.file_bytes,
            Self::PathBytes => limits.path_bytes,
            Self::PathDepth => limits.path_depth,
        }
    }
}

/// Bytes unpacked between two charges to the account.
const STEP: usize = 256 << 10;

/// Reads at most `cap + 1` bytes: a result longer than `cap` means that there is more. `expected` is an estimate of the
/// length; memory is reserved for it only up to the cap.
pub(super) fn read_capped(reader: impl Read, cap: u64, expected: u64) -> std::io::Result<Vec<u8>> {
    let max = cap.saturating_add(1);
    let room = usize::try_from(expected.min(max)).unwrap_or(0);
    let mut bytes = Vec::with_capacity(room);
    let mut reader = reader.take(max);
    loop {
        let before = bytes.len();
        reader.by_ref().take(STEP as u64).read_to_end(&mut bytes)?;
        // Afterwards, since only now is it known how much there was; most files are far shorter than a step.
        let read = bytes.len() - before;
        account::touch(4 * read);
        if read < STEP {
            return Ok(bytes);
        }
    }
}

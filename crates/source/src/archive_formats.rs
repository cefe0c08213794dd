//! Archive formats: recognising them, and decompressing them.

use std::fmt;
use std::io::{ErrorKind, Read};

use bytes::Bytes;

use super::error::ReadError;
use super::gather::Gather;
use super::limits::{Limit, read_capped};
use super::{tar, zip};

/// A supported archive format.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ArchiveFormat {
    /// tar: V7, ustar, pax or GNU.
    Tar,
    /// A tar compressed with gzip.
    TarGzip,
    /// A tar compressed with Zstandard.
    TarZstd,
    /// zip with stored or deflated entries.
    Zip,
}

impl ArchiveFormat {
    /// Every format.
    const ALL: [Self; 4] = [Self::Tar, Self::TarGzip, Self::TarZstd, Self::Zip];

    /// Returns the media type, without parameters.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Tar => "application/x-tar",
            Self::TarGzip => "application/gzip",
            Self::TarZstd => "application/zstd",
            Self::Zip => "application/zip",
        }
    }

    /// Returns the format with this media type, which must be in lower case and without parameters.
    pub fn with_media_type(text: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.media_type() == text)
    }

    /// Returns the format that the first bytes of an archive indicate, regardless of its name. Recognising a plain tar
    /// takes at least 512 bytes.
    pub fn sniff(bytes: &[u8]) -> Option<Self> {
        // RFC 1952; RFC 8878 (a frame, or a skippable one); APPNOTE.TXT 4.3.7 and, for an empty zip, 4.3.16.
        match bytes {
            [0x1F, 0x8B, ..] => Some(Self::TarGzip),
            [0x28, 0xB5, 0x2F, 0xFD, ..] | [0x50..=0x5F, 0x2A, 0x4D, 0x18, ..] => Some(Self::TarZstd),
            [b'P', b'K', 3, 4, ..] | [b'P', b'K', 5, 6, ..] => Some(Self::Zip),
            _ => tar::looks_like(bytes).then_some(Self::Tar),
        }
    }
}

impl fmt::Display for ArchiveFormat {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Tar => "tar archive",
            Self::TarGzip => "gzipped tar archive",
            Self::TarZstd => "zstd-compressed tar archive",
            Self::Zip => "zip archive",
        })
    }
}

pub(super) fn read(format: ArchiveFormat, bytes: &Bytes, gather: &mut Gather) -> Result<(), ReadError> {
    let cap = gather.limits().unpacked_bytes;
    match format {
        ArchiveFormat::Tar => {
            let whole = bytes.len() as u64 <= cap;
            let max = usize::try_from(cap).unwrap_or(usize::MAX).saturating_add(1).min(bytes.len());
            tar_up_to(format, &bytes.slice(..max), whole, gather)
        }
        ArchiveFormat::TarGzip => {
            // The last four bytes are the length of the last member, which is usually the only one (RFC 1952, 2.3.1).
            let length = bytes.last_chunk::<4>().map_or(0, |&last| u64::from(u32::from_le_bytes(last)));
            let expected = length.min((bytes.len() as u64).saturating_mul(32));
            unpack(format, flate2::bufread::MultiGzDecoder::new(&**bytes), expected, gather)
        }
        ArchiveFormat::TarZstd => {
            let mut decoder = zstd::Decoder::with_buffer(&**bytes).map_err(|error| broken(format, &error))?;
            decoder.window_log_max(window_log(cap)).map_err(|error| broken(format, &error))?;
            unpack(format, decoder, 0, gather)
        }
        ArchiveFormat::Zip => zip::read(bytes, gather),
    }
}

/// Returns the largest zstd window for which memory is allocated: as large as the upload may become, but at least what
/// decoders are recommended to support (8 MiB, RFC 8878, 3.1.1.1.2), and at most what `zstd --long` produces (128 MiB).
fn window_log(cap: u64) -> u32 {
    cap.checked_ilog2().map_or(0, |log| log + 1).clamp(23, 27)
}

fn unpack(format: ArchiveFormat, reader: impl Read, expected: u64, gather: &mut Gather) -> Result<(), ReadError> {
    let cap = gather.limits().unpacked_bytes;
    let bytes = Bytes::from(read_capped(reader, cap, expected).map_err(|error| broken(format, &error))?);
    let whole = bytes.len() as u64 <= cap;
    tar_up_to(format, &bytes, whole, gather)
}

/// Reads a tar. If it is not `whole`, only its first bytes are present: then the tar is over the limit, at the entry
/// that is cut off, unless an earlier entry has a problem of its own.
fn tar_up_to(format: ArchiveFormat, bytes: &Bytes, whole: bool, gather: &mut Gather) -> Result<(), ReadError> {
    let path = match tar::read(format, bytes, gather) {
        result if whole => return result,
        Ok(()) => None,
        Err(ReadError::Truncated { path, .. }) => path,
        Err(error) => return Err(error),
    };
    let limit = Limit::UnpackedBytes;
    Err(ReadError::OverLimit { limit, value: limit.value_in(gather.limits()), path })
}

/// Converts a decompressor's error. Its message is not passed on: the kind of error is enough.
fn broken(format: ArchiveFormat, error: &std::io::Error) -> ReadError {
    if error.kind() == ErrorKind::UnexpectedEof {
        return ReadError::Truncated { format, path: None };
    }
    ReadError::damaged(format, None, "its compressed data is not valid")
}

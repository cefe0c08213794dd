//! Unpacks archives.

use std::io::{ErrorKind, Read};

use bytes::Bytes;

use super::archive_formats::ArchiveFormat;
use super::error::ReadError;
use super::gather::Gather;
use super::limits::{Limit, read_capped};
use super::{tar, zip};

/// Reads the entries of an archive.
///
/// # Errors
/// Fails if a limit is exceeded, an entry is refused, or the archive is damaged or uses an unsupported feature.
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

//! How answers are compressed and tagged.

use std::io::{self, Write as _};

use crate::accept::Coding;
use crate::error::ApiError;
use overfold_account as account;

/// Answers shorter than this, in bytes, are not worth compressing.
const PACKED_FROM: usize = 1024;

/// How hard an answer is compressed.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Effort {
    /// For an answer that is sent once.
    Once,
    /// For an answer that is sent often.
    Often,
}

impl Coding {
    /// Returns this coding if it is worthwhile for an answer of `bytes` bytes, otherwise none.
    pub(crate) const fn worthwhile(self, bytes: usize) -> Self {
        if bytes < PACKED_FROM { Self::Identity } else { self }
    }
}

/// Compresses a body if that is worthwhile; returns it with the coding actually used.
///
/// # Errors
/// 500 if it cannot be compressed.
pub fn pack(plain: Vec<u8>, coding: Coding) -> Result<(Vec<u8>, Coding), ApiError> {
    account::touch(plain.len());
    let coding = coding.worthwhile(plain.len());
    if coding == Coding::Identity {
        return Ok((plain, coding));
    }
    // Writing to memory cannot fail.
    compressed(&plain, coding, Effort::Once).map(|packed| (packed, coding)).map_err(|_| ApiError::internal())
}

/// Returns the bytes with a coding.
///
/// # Errors
/// Never, since it writes to memory.
pub(crate) fn compressed(plain: &[u8], coding: Coding, effort: Effort) -> io::Result<Vec<u8>> {
    let (zstd_level, gzip_level) = match effort {
        Effort::Once => (3, 1),
        Effort::Often => (12, 6),
    };
    match coding {
        Coding::Identity => Ok(plain.to_vec()),
        Coding::Zstd => zstd::encode_all(plain, zstd_level),
        Coding::Gzip => {
            let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::new(gzip_level));
            writer.write_all(plain)?;
            writer.finish()
        }
    }
}

/// Returns the entity tag of a body. A compressed body consists of other bytes, so it needs another strong tag (RFC 9110,
/// 8.8.3.3).
pub fn tag(digest: &str, coding: Coding) -> String {
    coding.name().map_or_else(|| format!("\"{digest}\""), |coding| format!("\"{digest}-{coding}\""))
}

/// Converts bytes to lower-case hexadecimal.
pub fn hexadecimal(bytes: &[u8]) -> String {
    let digits = bytes.iter().flat_map(|byte| [byte >> 4, byte & 15]);
    digits.map(|digit| char::from_digit(u32::from(digit), 16).unwrap_or('0')).collect()
}

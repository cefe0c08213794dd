//! Archive formats, and how they are recognised.

use std::fmt;

#[cfg(feature = "uploads")]
use super::tar;

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
    #[cfg(feature = "uploads")]
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

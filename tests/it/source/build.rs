//! Handmade archives, valid and invalid.

use std::io::{Cursor, Write as _};

use bytes::Bytes;
use overfold_cli::source::{ArchiveFormat, JsonFiles, Limits, Payload, ReadError, Upload, read};
use zip::CompressionMethod;
use zip::write::SimpleFileOptions;

/// A form of an upload.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Form {
    Json,
    JsonBase64,
    Parts,
    Tar,
    TarGzip,
    TarZstd,
    ZipStored,
    ZipDeflated,
}

impl Form {
    pub(super) const ALL: [Self; 8] = [
        Self::Json,
        Self::JsonBase64,
        Self::Parts,
        Self::Tar,
        Self::TarGzip,
        Self::TarZstd,
        Self::ZipStored,
        Self::ZipDeflated,
    ];

    pub(super) fn is_archive(self) -> bool {
        !matches!(self, Self::Json | Self::JsonBase64 | Self::Parts)
    }

    /// Whether `unpacked_bytes` limits the length of the tar rather than the total size of the files.
    pub(super) fn is_tar(self) -> bool {
        matches!(self, Self::Tar | Self::TarGzip | Self::TarZstd)
    }

    pub(super) fn payload(self, files: &[(&str, &[u8])]) -> Payload {
        let archive = |format, bytes: Vec<u8>| Payload::archive(format, Bytes::from(bytes));
        match self {
            Self::Json => {
                let members = files.iter().map(|(name, content)| {
                    let text = std::str::from_utf8(content).unwrap();
                    format!("{}:{}", serde_json::to_string(name).unwrap(), serde_json::to_string(text).unwrap())
                });
                json(&format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
            }
            Self::JsonBase64 => {
                use base64::Engine as _;
                let members = files.iter().map(|(name, content)| {
                    let content = base64::prelude::BASE64_STANDARD.encode(content);
                    format!("{}:{{\"base64\":\"{content}\"}}", serde_json::to_string(name).unwrap())
                });
                json(&format!("{{{}}}", members.collect::<Vec<_>>().join(",")))
            }
            Self::Parts => Payload::files(
                files.iter().map(|(name, content)| ((*name).to_owned(), Bytes::copy_from_slice(content))).collect(),
            ),
            Self::Tar => archive(ArchiveFormat::Tar, tar_of(files)),
            Self::TarGzip => archive(ArchiveFormat::TarGzip, gzip(&tar_of(files))),
            Self::TarZstd => archive(ArchiveFormat::TarZstd, zstd::encode_all(&*tar_of(files), 3).unwrap()),
            Self::ZipStored => archive(ArchiveFormat::Zip, zip_of(files, CompressionMethod::Stored)),
            Self::ZipDeflated => archive(ArchiveFormat::Zip, zip_of(files, CompressionMethod::Deflated)),
        }
    }

    pub(super) fn read(self, files: &[(&str, &[u8])], limits: &Limits) -> Result<Upload, ReadError> {
        read(self.payload(files), limits)
    }
}

pub(super) fn json(files: &str) -> Payload {
    Payload::json(serde_json::from_str::<JsonFiles>(files).unwrap())
}

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut writer = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    writer.write_all(bytes).unwrap();
    writer.finish().unwrap()
}

/// Builds a tar with only files, without a library; `tars` tests how other readers interpret it.
pub(super) fn tar_of(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut tar = Tar::default();
    for (name, content) in files {
        tar = tar.entry(name.as_bytes(), b'0', content);
    }
    tar.end()
}

pub(super) fn read_tar(tar: Vec<u8>, limits: &Limits) -> Result<Upload, ReadError> {
    read(Payload::archive(ArchiveFormat::Tar, Bytes::from(tar)), limits)
}

pub(super) fn read_zip(zip: Vec<u8>, limits: &Limits) -> Result<Upload, ReadError> {
    read(Payload::archive(ArchiveFormat::Zip, Bytes::from(zip)), limits)
}

/// Returns the header block of a ustar entry. The caller modifies it as needed and calls [`sum`].
pub(super) fn header(name: &[u8], kind: u8, size: usize) -> [u8; 512] {
    let mut block = [0; 512];
    block[..name.len()].copy_from_slice(name);
    block[100..108].copy_from_slice(b"0000644\0");
    block[124..136].copy_from_slice(format!("{size:011o}\0").as_bytes());
    block[136..148].copy_from_slice(b"00000000000\0");
    block[156] = kind;
    block[257..265].copy_from_slice(b"ustar\x0000");
    sum(block)
}

/// Returns the block with the correct checksum.
pub(super) fn sum(mut block: [u8; 512]) -> [u8; 512] {
    block[148..156].copy_from_slice(b"        ");
    let sum: u32 = block.iter().map(|&byte| u32::from(byte)).sum();
    block[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    block
}

/// A tar under construction.
#[derive(Default)]
pub(super) struct Tar(Vec<u8>);

impl Tar {
    /// Adds an entry; a name that is too long for its field gets a pax header.
    pub(super) fn entry(self, name: &[u8], kind: u8, content: &[u8]) -> Self {
        if name.len() > 100 {
            return self.pax(&[(b"path", name)]).block(header(b"long", kind, content.len())).data(content);
        }
        self.block(header(name, kind, content.len())).data(content)
    }

    #[expect(clippy::large_types_passed_by_value, reason = "calls read as a chain")]
    pub(super) fn block(mut self, block: [u8; 512]) -> Self {
        self.0.extend_from_slice(&block);
        self
    }

    pub(super) fn data(mut self, content: &[u8]) -> Self {
        self.0.extend_from_slice(content);
        self.0.resize(self.0.len().next_multiple_of(512), 0);
        self
    }

    pub(super) fn pax(self, records: &[(&[u8], &[u8])]) -> Self {
        self.pax_of_kind(b'x', records)
    }

    pub(super) fn pax_of_kind(self, kind: u8, records: &[(&[u8], &[u8])]) -> Self {
        let mut data = Vec::new();
        for (key, value) in records {
            let rest = key.len() + value.len() + 3;
            let mut length = rest + 1;
            while rest + length.to_string().len() != length {
                length += 1;
            }
            data.extend_from_slice(format!("{length} ").as_bytes());
            data.extend_from_slice(key);
            data.push(b'=');
            data.extend_from_slice(value);
            data.push(b'\n');
        }
        self.block(header(b"pax", kind, data.len())).data(&data)
    }

    /// Returns the tar with the end marker.
    pub(super) fn end(mut self) -> Vec<u8> {
        self.0.extend_from_slice(&[0; 1024]);
        self.0
    }

    /// Returns the tar without the end marker.
    pub(super) fn cut(self) -> Vec<u8> {
        self.0
    }
}

pub(super) fn zip_of(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        // The writer does not normalise names: hostile ones are written as they are.
        writer.start_file(*name, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(content).unwrap();
    }
    writer.finish().unwrap().into_inner()
}

/// Replaces every occurrence of `from` with `to`, which has the same length.
pub(super) fn patch(mut bytes: Vec<u8>, from: &[u8], to: &[u8]) -> Vec<u8> {
    assert_eq!(from.len(), to.len());
    let mut found = 0;
    for at in 0..=bytes.len() - from.len() {
        if bytes[at..].starts_with(from) {
            bytes[at..at + to.len()].copy_from_slice(to);
            found += 1;
        }
    }
    assert!(found > 0, "nothing to patch");
    bytes
}

/// Overwrites the bytes at offset `local` after each local header's signature and at offset `central` after each
/// central header's.
pub(super) fn patch_zip_headers(mut bytes: Vec<u8>, local: usize, central: usize, value: &[u8]) -> Vec<u8> {
    for (signature, offset) in [(b"PK\x03\x04", local), (b"PK\x01\x02", central)] {
        for at in 0..bytes.len() - 4 {
            if bytes[at..].starts_with(signature) {
                bytes[at + offset..at + offset + value.len()].copy_from_slice(value);
            }
        }
    }
    bytes
}

//! zip: the central directory decides what the archive contains, and nothing in the archive may contradict it.

use std::io::{Cursor, ErrorKind};
use std::ops::Range;

use bytes::Bytes;
use zip::result::ZipError;
use zip::unstable::read::ZipIterable;
use zip::{CompressionMethod, ZipReadOptions};

use super::archive_formats::ArchiveFormat;
use super::error::{ReadError, shortened};
use super::gather::Gather;
use super::limits::{Limit, read_capped};
use super::links::Target;
use overfold_base::account::ChargedIterator;
use overfold_base::files::SpecialKind;

const FORMAT: ArchiveFormat = ArchiveFormat::Zip;

/// Units of work that an entry costs however little it contains.
const ENTRY: u64 = 100;

/// Reads a zip into `gather`. Stored entries are slices of `archive`.
///
/// # Errors
/// Fails if the archive is damaged, entries overlap, sizes or checksums do not match the content, entries are encrypted
/// or compressed with a method other than deflate, or entries do not pass the checks.
pub(super) fn read(archive: &Bytes, gather: &mut Gather) -> Result<(), ReadError> {
    check_end(archive)?;
    // The iterable form keeps entries with the same name apart, and knows the number of entries before it reads any.
    let directory = ZipIterable::try_new(Cursor::new(archive.clone()), zip::read::Config::default());
    let mut directory = directory.map_err(|error| broken(&error, None))?.enforce_header_consistency(true);
    if directory.len() as u64 > gather.limits().entries {
        return Err(ReadError::over_limit(Limit::Entries, gather.limits(), None));
    }
    let mut content = Cursor::new(archive.clone());
    let mut ranges = Vec::new();
    for entry in directory.files().map_err(|error| broken(&error, None))?.charged(ENTRY) {
        let entry = entry.map_err(|error| broken(&error, None))?;
        let name = entry.name_raw().to_vec();
        let (method, declared) = (entry.compression(), entry.size());
        let kind = kind(&name, entry.unix_mode());
        let path = gather.name(&name, kind == Some(SpecialKind::Folder))?;
        if entry.encrypted() {
            return Err(ReadError::unsupported(FORMAT, Some(&name), "an encrypted entry"));
        }
        if !matches!(method, CompressionMethod::Stored | CompressionMethod::Deflated) {
            let feature = format!("compression method {method}").to_lowercase();
            return Err(ReadError::unsupported(FORMAT, Some(&name), feature));
        }
        if kind.is_none() || kind == Some(SpecialKind::Link) {
            gather.check_size(&name, declared)?;
        }
        let (start, packed_size, crc) = (entry.header_start(), entry.compressed_size(), entry.crc32());
        let reader = entry.with_reader(&mut content, ZipReadOptions::new()).map_err(|e| broken(&e, Some(&name)))?;
        let data_start = reader.data_start().unwrap_or(start);
        let data = (data_start..data_start.saturating_add(packed_size), &*name);
        ranges.push((start..data.0.end, shortened(&name)));
        let packed = slice(archive, &data.0)
            .ok_or_else(|| ReadError::Truncated { format: FORMAT, path: Some(shortened(&name)) })?;
        if let Some(kind) = kind.filter(|kind| *kind != SpecialKind::Link) {
            if kind == SpecialKind::Folder && declared != 0 {
                return Err(ReadError::damaged(FORMAT, Some(&name), "a directory has content"));
            }
            if let Some(path) = path {
                gather.special(path, kind);
            }
            continue;
        }
        let bytes = if method == CompressionMethod::Stored {
            let mut sum = flate2::Crc::new();
            sum.update(&packed);
            if sum.sum() != crc {
                return Err(ReadError::damaged(FORMAT, Some(&name), "the content does not match its checksum"));
            }
            packed
        } else {
            let expected = declared.min(packed_size.saturating_mul(32));
            let bytes = read_capped(reader, declared, expected);
            Bytes::from(bytes.map_err(|error| broken(&ZipError::Io(error), Some(&name)))?)
        };
        if bytes.len() as u64 != declared {
            let problem = "the content does not match its declared length";
            return Err(ReadError::damaged(FORMAT, Some(&name), problem));
        }
        match path {
            // The content of a link is the path it points to.
            Some(path) if kind == Some(SpecialKind::Link) => {
                gather.link(path, Target::from_link(&bytes, gather.limits().path_bytes));
            }
            Some(path) => gather.file(path, bytes),
            None => {}
        }
    }
    check_overlaps(ranges)
}

/// Checks that every reader finds the same end record, and with it the same directory. Some readers use the last
/// signature in the archive, some the one whose comment ends with the archive, and some ignore what follows.
///
/// # Errors
/// Fails if the end record is cut off, if bytes follow it and its comment, if its comment could itself be an end
/// record, or if it lists no entries although data precedes it. An archive without any signature is left to the code
/// that reads the directory.
fn check_end(archive: &[u8]) -> Result<(), ReadError> {
    // APPNOTE.TXT 4.3.16: the record without its comment; its last field is the length of the comment.
    const RECORD: usize = 22;
    const SIGNATURE: &[u8] = b"PK\x05\x06";
    let damaged = |problem: &'static str| Err(ReadError::damaged(FORMAT, None, problem));
    let end_of = |start: usize| {
        let record = archive.get(start..)?.first_chunk::<RECORD>()?;
        let &comment = record.last_chunk::<2>()?;
        Some(start + RECORD + usize::from(u16::from_le_bytes(comment)))
    };
    // A comment cannot be longer than its length field allows.
    let from = archive.len().saturating_sub(RECORD + usize::from(u16::MAX));
    let (_, tail) = archive.split_at(from);
    let mut records = memchr::memmem::rfind_iter(tail, SIGNATURE).map(|at| from + at);
    let Some(last) = records.next() else { return Ok(()) };
    match end_of(last) {
        None => return Err(ReadError::Truncated { format: FORMAT, path: None }),
        Some(end) if end > archive.len() => return Err(ReadError::Truncated { format: FORMAT, path: None }),
        Some(end) if end < archive.len() => return damaged("there is data after the end record"),
        Some(_) => {}
    }
    if records.any(|record| end_of(record) == Some(archive.len())) {
        return damaged("it has two end records");
    }
    let entries = archive.get(last + 8..last + 12);
    if last > 0 && entries == Some(&[0; 4]) {
        return damaged("its end record lists no entries, but there is data before it");
    }
    Ok(())
}

/// Returns the kind of an entry that is not a file: by its name, or by its file type if the archive was made on Unix.
fn kind(name: &[u8], unix_mode: Option<u32>) -> Option<SpecialKind> {
    match unix_mode.map(|mode| mode & 0o170_000) {
        Some(0o120_000) => Some(SpecialKind::Link),
        Some(0o010_000 | 0o020_000 | 0o060_000 | 0o140_000) => Some(SpecialKind::Device),
        Some(0o040_000) => Some(SpecialKind::Folder),
        _ if name.ends_with(b"/") => Some(SpecialKind::Folder),
        _ => None,
    }
}

fn slice(archive: &Bytes, range: &Range<u64>) -> Option<Bytes> {
    let (start, end) = (usize::try_from(range.start).ok()?, usize::try_from(range.end).ok()?);
    (start <= end && end <= archive.len()).then(|| archive.slice(start..end))
}

/// Checks for entries that share bytes: they multiply what an archive unpacks to without making it larger.
fn check_overlaps(mut ranges: Vec<(Range<u64>, String)>) -> Result<(), ReadError> {
    ranges.sort_unstable_by_key(|(range, _)| (range.start, range.end));
    for pair in ranges.windows(2) {
        if let [(earlier, _), (later, name)] = pair
            && earlier.end > later.start
        {
            return Err(ReadError::Damaged {
                format: FORMAT,
                path: Some(name.clone()),
                problem: "the content of an entry overlaps another one".into(),
            });
        }
    }
    Ok(())
}

fn broken(error: &ZipError, name: Option<&[u8]>) -> ReadError {
    match error {
        ZipError::Io(error) if error.kind() == ErrorKind::UnexpectedEof => {
            ReadError::Truncated { format: FORMAT, path: name.map(shortened) }
        }
        ZipError::Io(_) => ReadError::damaged(FORMAT, name, "its content or a checksum is not valid"),
        ZipError::InvalidArchive(problem) => ReadError::damaged(FORMAT, name, problem.to_ascii_lowercase()),
        ZipError::UnsupportedArchive(feature) => ReadError::unsupported(FORMAT, name, feature.to_ascii_lowercase()),
        _ => ReadError::damaged(FORMAT, name, "its headers are not valid"),
    }
}

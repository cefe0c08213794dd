//! tar, to the extent needed to read files from it: V7, ustar with its prefix, pax and GNU headers.
//!
//! It is parsed here rather than with the tar crate (which the tests use to write archives) for two reasons. Files are
//! slices of the archive, which is in memory as a whole. And every disagreement between headers is resolved as
//! POSIX.1-2017 (pax, "pax Interchange Format") and GNU tar resolve it: the last of several equal keys wins, a value
//! may contain a line feed, `size` overrides the size in the header, and entries without data are not followed by any.
//! What cannot be resolved is an error, never a guess.

use bytes::Bytes;

use super::archive_formats::ArchiveFormat;
use super::error::{ReadError, shortened};
use super::gather::Gather;
use super::links::Target;
use overfold_base::files::SpecialKind;

const BLOCK: usize = 512;

/// Whether these bytes are the start of a tar: a header with a correct checksum, or an empty archive.
pub(super) fn looks_like(bytes: &[u8]) -> bool {
    bytes.first_chunk::<BLOCK>().is_some_and(|block| {
        let header = Header(block);
        header.is_end() || header.is_checksum_valid()
    })
}

/// Reads a tar into `gather`.
///
/// # Errors
/// Fails if the archive is damaged or has no end mark, contains a sparse file or another unsupported kind of entry, or
/// does not pass the checks for entries.
pub(super) fn read(format: ArchiveFormat, archive: &Bytes, gather: &mut Gather) -> Result<(), ReadError> {
    let mut reader = Reader { format, archive, at: 0 };
    let mut extended = Extended::default();
    while let Some(header) = reader.header(&extended)? {
        match header.kind() {
            // git stores the commit id there.
            b'g' => {
                let data = reader.data(header.size(format)?, Some(b"pax_global_header"))?;
                for record in Records::new(format, &data) {
                    let (key, _) = record?;
                    if key == b"path" || key == b"size" || key.starts_with(b"GNU.sparse.") {
                        let feature = "a global pax header that changes paths or sizes";
                        return Err(ReadError::unsupported(format, None, feature));
                    }
                }
            }
            b'x' | b'X' => extended.pax(format, &reader.data(header.size(format)?, Some(b"pax header"))?)?,
            b'L' => {
                let data = reader.data(header.size(format)?, Some(b"././@LongLink"))?;
                extended.long_name(format, until_nul(&data))?;
            }
            b'K' => {
                let data = reader.data(header.size(format)?, Some(b"././@LongLink"))?;
                extended.long_target = Some(until_nul(&data).to_vec());
            }
            // The name of a volume is irrelevant.
            b'V' => {
                reader.data(header.size(format)?, Some(&header.name()))?;
            }
            kind => {
                let entry = std::mem::take(&mut extended);
                reader.entry(header, kind, &entry, gather)?;
            }
        }
    }
    if extended.is_empty() {
        return Ok(());
    }
    Err(ReadError::damaged(format, None, "its last header describes an entry that is missing"))
}

/// The archive, and how much of it has been read.
struct Reader<'a> {
    format: ArchiveFormat,
    archive: &'a Bytes,
    /// Byte offset, a multiple of the block size (or beyond the end, if the last block is cut off).
    at: usize,
}

impl<'a> Reader<'a> {
    /// Returns the next header; `None` at the end mark.
    fn header(&mut self, extended: &Extended) -> Result<Option<Header<'a>>, ReadError> {
        let rest = self.archive.get(self.at..).unwrap_or_default();
        let Some(block) = rest.first_chunk::<BLOCK>() else {
            let path = extended.name().map(shortened);
            return Err(ReadError::Truncated { format: self.format, path });
        };
        self.at += BLOCK;
        let header = Header(block);
        if header.is_end() {
            return Ok(None);
        }
        if !header.is_checksum_valid() {
            let problem = format!("there is no entry header with a valid checksum at byte {}", self.at - BLOCK);
            return Err(ReadError::damaged(self.format, None, problem));
        }
        Ok(Some(header))
    }

    /// Returns the next `size` bytes without copying them, and skips the padding after them.
    fn data(&mut self, size: u64, name: Option<&[u8]>) -> Result<Bytes, ReadError> {
        let end = usize::try_from(size).ok().and_then(|size| self.at.checked_add(size));
        let Some(end) = end.filter(|&end| end <= self.archive.len()) else {
            return Err(ReadError::Truncated { format: self.format, path: name.map(shortened) });
        };
        let data = self.archive.slice(self.at..end);
        self.at = end.next_multiple_of(BLOCK);
        Ok(data)
    }

    fn entry(
        &mut self,
        header: Header<'_>,
        kind: u8,
        extended: &Extended,
        gather: &mut Gather,
    ) -> Result<(), ReadError> {
        let own_name;
        let name = if let Some(name) = extended.name() {
            name
        } else {
            own_name = header.name();
            &own_name
        };
        if kind == b'S' || extended.sparse {
            return Err(ReadError::unsupported(self.format, Some(name), "a sparse file"));
        }
        let is_hard = kind == b'1';
        let kind = match kind {
            // Before ustar, a folder was an entry whose name ended in a slash.
            0 | b'0' | b'7' if name.ends_with(b"/") => Kind::Special(SpecialKind::Folder, true),
            0 | b'0' | b'7' => Kind::File,
            b'1' | b'2' => Kind::Link,
            b'3' | b'4' | b'6' => Kind::Special(SpecialKind::Device, false),
            b'5' => Kind::Special(SpecialKind::Folder, false),
            other => {
                let feature = format!("an entry of type {:?}", char::from(other));
                return Err(ReadError::unsupported(self.format, Some(name), feature));
            }
        };
        let folder = matches!(kind, Kind::Special(SpecialKind::Folder, _));
        let path = gather.name(name, folder)?;
        match kind {
            Kind::File => {
                let size = extended.size.map_or_else(|| header.size(self.format), Ok)?;
                gather.check_size(name, size)?;
                let data = self.data(size, Some(name))?;
                if let Some(path) = path {
                    gather.file(path, data);
                }
            }
            Kind::Link => {
                let target = extended.target().unwrap_or_else(|| header.target());
                let max = gather.limits().path_bytes;
                let target = if is_hard { Target::from_top(target, max) } else { Target::from_link(target, max) };
                if let Some(path) = path {
                    gather.link(path, target);
                }
            }
            Kind::Special(kind, is_old_folder) => {
                if is_old_folder && extended.size.map_or_else(|| header.size(self.format), Ok)? != 0 {
                    return Err(ReadError::damaged(self.format, Some(name), "a directory has content"));
                }
                if let Some(path) = path {
                    gather.special(path, kind);
                }
            }
        }
        Ok(())
    }
}

enum Kind {
    File,
    Link,
    /// The kind of entry, and whether only the slash at the end of its name shows it.
    Special(SpecialKind, bool),
}

#[derive(Clone, Copy)]
struct Header<'a>(&'a [u8; BLOCK]);

impl<'a> Header<'a> {
    fn field(self, from: usize, length: usize) -> &'a [u8] {
        self.0.get(from..from + length).unwrap_or_default()
    }

    fn is_end(self) -> bool {
        self.0.iter().all(|&byte| byte == 0)
    }

    fn kind(self) -> u8 {
        self.field(156, 1).first().copied().unwrap_or(0)
    }

    /// Whether the checksum is right: the sum of all bytes, with those of the checksum counted as spaces. Some old
    /// writers summed signed bytes.
    fn is_checksum_valid(self) -> bool {
        let Some(declared) = number(self.field(148, 8)) else { return false };
        let blanks = 8 * i64::from(b' ');
        let (mut unsigned, mut signed) = (blanks, blanks);
        for &byte in self.field(0, 148).iter().chain(self.field(156, BLOCK - 156)) {
            unsigned += i64::from(byte);
            signed += i64::from(byte.cast_signed());
        }
        i64::try_from(declared).is_ok_and(|declared| declared == unsigned || declared == signed)
    }

    fn size(self, format: ArchiveFormat) -> Result<u64, ReadError> {
        number(self.field(124, 12))
            .ok_or_else(|| ReadError::damaged(format, Some(&self.name()), "the size of an entry is not a number"))
    }

    /// Returns the target of a link.
    fn target(self) -> &'a [u8] {
        until_nul(self.field(157, 100))
    }

    /// Returns the name, in a ustar header with its prefix (GNU headers use that field for other data).
    fn name(self) -> Vec<u8> {
        let name = until_nul(self.field(0, 100));
        let prefix = if self.field(257, 6) == b"ustar\0" { until_nul(self.field(345, 155)) } else { &[] };
        if prefix.is_empty() { name.to_vec() } else { [prefix, b"/", name].concat() }
    }
}

/// Parses a numeric field: octal digits, with spaces before them and a NUL or space after them; or, if the first bit is
/// set, the rest in base 256 (GNU and star). An empty field is 0. Returns `None` if it is neither, negative, or over 64
/// bits.
fn number(field: &[u8]) -> Option<u64> {
    let (&first, rest) = field.split_first()?;
    if first & 0x80 != 0 {
        if first != 0x80 {
            return None;
        }
        return rest.iter().try_fold(0_u64, |sum, &byte| Some(sum.checked_mul(256)? + u64::from(byte)));
    }
    let text = field.trim_ascii_start();
    let digits = text.iter().position(|byte| matches!(byte, 0 | b' ')).unwrap_or(text.len());
    let (digits, after) = text.split_at_checked(digits)?;
    if !after.iter().all(|byte| matches!(byte, 0 | b' ')) {
        return None;
    }
    digits.iter().try_fold(0_u64, |sum, &digit| match digit {
        b'0'..=b'7' => Some(sum.checked_mul(8)? + u64::from(digit - b'0')),
        _ => None,
    })
}

fn until_nul(field: &[u8]) -> &[u8] {
    field.split_at(memchr::memchr(0, field).unwrap_or(field.len())).0
}

/// What preceding headers say about an entry.
#[derive(Default)]
struct Extended {
    seen_pax: bool,
    long_name: Option<Vec<u8>>,
    path: Option<Vec<u8>>,
    long_target: Option<Vec<u8>>,
    target: Option<Vec<u8>>,
    size: Option<u64>,
    sparse: bool,
}

impl Extended {
    fn is_empty(&self) -> bool {
        !self.seen_pax && self.long_name.is_none() && self.long_target.is_none()
    }

    fn name(&self) -> Option<&[u8]> {
        self.path.as_deref().or(self.long_name.as_deref())
    }

    fn target(&self) -> Option<&[u8]> {
        self.target.as_deref().or(self.long_target.as_deref())
    }

    fn long_name(&mut self, format: ArchiveFormat, name: &[u8]) -> Result<(), ReadError> {
        match self.long_name.replace(name.to_vec()) {
            None => Ok(()),
            Some(_) => Err(ReadError::damaged(format, Some(name), "an entry has two long names")),
        }
    }

    fn pax(&mut self, format: ArchiveFormat, data: &[u8]) -> Result<(), ReadError> {
        if std::mem::replace(&mut self.seen_pax, true) {
            return Err(ReadError::damaged(format, None, "an entry has two pax headers"));
        }
        for record in Records::new(format, data) {
            let (key, value) = record?;
            match key {
                // An empty value cancels an earlier one.
                b"path" => self.path = (!value.is_empty()).then(|| value.to_vec()),
                b"linkpath" => self.target = (!value.is_empty()).then(|| value.to_vec()),
                b"size" => {
                    let digits = std::str::from_utf8(value).ok().filter(|v| v.bytes().all(|b| b.is_ascii_digit()));
                    self.size = match digits.map(str::parse) {
                        Some(Ok(size)) => Some(size),
                        _ if value.is_empty() => None,
                        _ => return Err(bad_pax(format)),
                    };
                }
                _ => self.sparse |= key.starts_with(b"GNU.sparse."),
            }
        }
        Ok(())
    }
}

fn bad_pax(format: ArchiveFormat) -> ReadError {
    ReadError::damaged(format, None, "a pax header contains a malformed record")
}

/// The records of a pax header: `LENGTH KEY=VALUE\n`, with the length of the whole record in decimal.
struct Records<'a> {
    format: ArchiveFormat,
    rest: &'a [u8],
}

impl<'a> Records<'a> {
    fn new(format: ArchiveFormat, data: &'a [u8]) -> Self {
        Self { format, rest: data }
    }

    fn next_record(&mut self) -> Option<(&'a [u8], &'a [u8])> {
        let blank = memchr::memchr(b' ', self.rest.get(..self.rest.len().min(20))?)?;
        let length = self.rest.get(..blank).filter(|digits| digits.iter().all(u8::is_ascii_digit))?;
        let length: usize = std::str::from_utf8(length).ok()?.parse().ok()?;
        let (record, rest) = self.rest.split_at_checked(length)?;
        self.rest = rest;
        let record = record.get(blank + 1..)?.strip_suffix(b"\n")?;
        let (key, value) = record.split_at_checked(memchr::memchr(b'=', record)?)?;
        Some((key, value.get(1..)?))
    }
}

impl<'a> Iterator for Records<'a> {
    type Item = Result<(&'a [u8], &'a [u8]), ReadError>;

    fn next(&mut self) -> Option<Self::Item> {
        if self.rest.is_empty() {
            return None;
        }
        let record = self.next_record();
        if record.is_none() {
            self.rest = &[];
        }
        Some(record.ok_or_else(|| bad_pax(self.format)))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers() {
        assert_eq!(number(b"00000000012\0"), Some(10));
        assert_eq!(number(b"  17 \0"), Some(15));
        assert_eq!(number(b"\0\0\0\0"), Some(0));
        assert_eq!(number(b"        "), Some(0));
        assert_eq!(number(b"777777777777"), Some(0o777_777_777_777));
        assert_eq!(number(b"\x80\0\0\0\0\0\0\0\0\0\x01\x02"), Some(258));
        assert_eq!(number(b"\x80\0\0\x01\0\0\0\0\0\0\0\0"), None, "over 64 bits");
        assert_eq!(number(b"\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFE"), None, "negative");
        assert_eq!(number(b"12x\0"), None);
        assert_eq!(number(b"8\0"), None);
        assert_eq!(number(b"1\x002\0"), None);
    }

    #[test]
    fn pax_records() {
        let all = |data: &[u8]| {
            Records::new(ArchiveFormat::Tar, data)
                .map(|r| r.ok().map(|(k, v)| (k.to_vec(), v.to_vec())))
                .collect::<Vec<_>>()
        };
        let pair = |k: &[u8], v: &[u8]| Some((k.to_vec(), v.to_vec()));
        assert_eq!(all(b"10 path=a\n8 x=1=2\n"), [pair(b"path", b"a"), pair(b"x", b"1=2")]);
        assert_eq!(all(b"8 x=\n\n\x00\n"), [pair(b"x", b"\n\n\x00")]);
        assert_eq!(all(b"8 path=a\n"), [None]);
        assert_eq!(all(b"100 path=a\n"), [None]);
        assert_eq!(all(b"99999999999999999999999 path=a\n"), [None]);
        assert_eq!(all(b"2 \n"), [None]);
        assert_eq!(all(b"7 path\n"), [None]);
    }
}

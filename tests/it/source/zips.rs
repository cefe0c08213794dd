//! zip: archives from other writers, and hostile ones.

use std::io::{Cursor, Write as _};

use overfold_cli::account;
use overfold_cli::source::Limits;
use zip::CompressionMethod::{Deflated, Stored};
use zip::write::SimpleFileOptions;

use super::build::{patch, patch_zip_headers, read_zip, zip_of};
use super::{assert_refused, small, special, texts};

// Offsets from a local and a central header's signature (APPNOTE.TXT 4.3.7 and 4.3.12).
const FLAGS: (usize, usize) = (6, 8);
const METHOD: (usize, usize) = (8, 10);
const CRC: (usize, usize) = (14, 16);
const PACKED_SIZE: (usize, usize) = (18, 20);
const SIZE: (usize, usize) = (22, 24);

fn change(bytes: Vec<u8>, (local, central): (usize, usize), value: &[u8]) -> Vec<u8> {
    patch_zip_headers(bytes, local, central, value)
}

#[test]
fn links_and_folders() {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    writer.add_directory("dir", options).unwrap();
    writer.add_symlink("link.tf", "/etc/passwd", options).unwrap();
    writer.start_file("a.tf", options).unwrap();
    writer.write_all(b"x").unwrap();
    let upload = read_zip(writer.finish().unwrap().into_inner(), &small()).unwrap();
    assert_eq!(texts(&upload), [("a.tf", "x")]);
    assert_eq!(special(&upload), ["dir Folder", "link.tf Link"]);
}

#[test]
fn devices() {
    for (mode, kind) in
        [(0o010_644_u32, "Device"), (0o020_644, "Device"), (0o060_644, "Device"), (0o140_644, "Device")]
    {
        let mut zip = zip_of(&[("x", b"")], Stored);
        // External attributes in the central header, as written on Unix.
        let at = zip.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
        zip[at + 5] = 3;
        zip[at + 38..at + 42].copy_from_slice(&(mode << 16).to_le_bytes());
        assert_eq!(special(&read_zip(zip, &small()).unwrap()), [format!("x {kind}")]);
    }
}

/// An archive written without seeking has the sizes after the content, in a data descriptor.
#[test]
fn streamed_archives() {
    let mut writer = zip::ZipWriter::new_stream(Vec::new());
    for (name, method) in [("a.tf", Deflated), ("b.tf", Stored)] {
        writer.start_file(name, SimpleFileOptions::default().compression_method(method)).unwrap();
        writer.write_all(b"locals {}").unwrap();
    }
    let zip = writer.finish().unwrap().into_inner();
    assert_eq!(texts(&read_zip(zip, &small()).unwrap()), [("a.tf", "locals {}"), ("b.tf", "locals {}")]);
}

#[test]
fn large_file_fields() {
    let mut writer = zip::ZipWriter::new(Cursor::new(Vec::new()));
    writer.start_file("a.tf", SimpleFileOptions::default().large_file(true)).unwrap();
    writer.write_all(b"locals {}").unwrap();
    let zip = writer.finish().unwrap().into_inner();
    assert_eq!(texts(&read_zip(zip, &small()).unwrap()), [("a.tf", "locals {}")]);
}

#[test]
fn two_entries_of_one_name() {
    for method in [Stored, Deflated] {
        let zip = patch(zip_of(&[("a.tf", b"1"), ("b.tf", b"2")], method), b"b.tf", b"a.tf");
        assert_refused(read_zip(zip, &small()), "duplicate-path", "\"a.tf\" occurs twice");
    }
}

#[test]
fn names_that_are_not_utf8() {
    let zip = patch(zip_of(&[("xx.tf", b"")], Stored), b"xx.tf", b"\xFF\xFE.tf");
    assert_refused(read_zip(zip, &small()), "not-utf8", "");
}

#[test]
fn encrypted_entries_and_other_compressions() {
    for method in [Stored, Deflated] {
        let zip = change(zip_of(&[("a.tf", b"x")], method), FLAGS, &[1, 0]);
        assert_refused(read_zip(zip, &small()), "unsupported-entry", "\"a.tf\": an encrypted entry");
    }
    for method in [1_u16, 9, 12, 14, 93, 95, 98] {
        let zip = change(zip_of(&[("a.tf", b"x")], Stored), METHOD, &method.to_le_bytes());
        assert_refused(read_zip(zip, &small()), "unsupported-entry", "compression method");
    }
}

#[test]
fn false_sizes_and_checksums() {
    let text = [b'x'; 3000];
    for method in [Stored, Deflated] {
        let zip = || zip_of(&[("a.tf", &text)], method);
        for size in [0_u32, 2999, 3001, 60_000] {
            let (code, words) = super::refused(read_zip(change(zip(), SIZE, &size.to_le_bytes()), &small()));
            assert_eq!(code, "malformed-archive", "{method:?} {size}: {words}");
        }
        let declared = change(zip(), SIZE, &u32::MAX.saturating_sub(1).to_le_bytes());
        assert_refused(read_zip(declared, &small()), "over-limit", "(\"a.tf\") is over the limit max-file-bytes");
        let crc = change(zip(), CRC, &[1, 2, 3, 4]);
        assert_refused(read_zip(crc, &small()), "malformed-archive", "checksum");
        let packed = change(zip(), PACKED_SIZE, &1_000_000_u32.to_le_bytes());
        super::refused(read_zip(packed, &small()));
        let packed = change(zip(), PACKED_SIZE, &2_u32.to_le_bytes());
        super::refused(read_zip(packed, &small()));
    }
    // Only the local header differs: other readers would see another file.
    let local_only = patch_zip_headers(zip_of(&[("a.tf", &text)], Stored), SIZE.0, 0, &2_u32.to_le_bytes());
    super::refused(read_zip(local_only, &small()));
}

/// One deflated content, listed many times: each listing unpacks it again.
#[test]
fn overlapping_entries() {
    let zip = zip_of(&[("a0", &vec![b'x'; 60_000])], Deflated);
    let central = zip.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let end = zip.windows(4).position(|bytes| bytes == b"PK\x05\x06").unwrap();
    let entry = &zip[central..end];
    let mut bomb = zip[..central].to_vec();
    for number in 0..10_u8 {
        let mut entry = entry.to_vec();
        entry[47] = b'0' + number;
        bomb.extend_from_slice(&entry);
    }
    let mut tail = zip[end..].to_vec();
    tail[8..10].copy_from_slice(&10_u16.to_le_bytes());
    tail[10..12].copy_from_slice(&10_u16.to_le_bytes());
    tail[12..16].copy_from_slice(&u32::try_from(10 * entry.len()).unwrap().to_le_bytes());
    bomb.extend_from_slice(&tail);
    // The names in nine local headers are wrong too; with only one name, it would occur twice.
    super::refused(read_zip(bomb, &small()));

    // The same with matching names: the second local header is inside the first one's stored content.
    let inner = zip_of(&[("b.tf", b"inner")], Stored);
    let inner_central = inner.windows(4).position(|bytes| bytes == b"PK\x01\x02").unwrap();
    let inner_end = inner.windows(4).position(|bytes| bytes == b"PK\x05\x06").unwrap();
    let outer = zip_of(&[("a.tf", &inner[..inner_central])], Stored);
    let outer_central = outer.windows(4).rposition(|bytes| bytes == b"PK\x01\x02").unwrap();
    let outer_end = outer.windows(4).rposition(|bytes| bytes == b"PK\x05\x06").unwrap();
    let offset = outer.windows(inner_central).position(|bytes| *bytes == inner[..inner_central]).unwrap();
    let mut second = inner[inner_central..inner_end].to_vec();
    second[42..46].copy_from_slice(&u32::try_from(offset).unwrap().to_le_bytes());
    let mut tail = outer[outer_end..].to_vec();
    tail[8..10].copy_from_slice(&2_u16.to_le_bytes());
    tail[10..12].copy_from_slice(&2_u16.to_le_bytes());
    let size = u32::try_from(outer_end - outer_central + second.len()).unwrap();
    tail[12..16].copy_from_slice(&size.to_le_bytes());
    let overlapping = [&outer[..outer_end], &second, &tail].concat();
    assert_refused(read_zip(overlapping, &small()), "malformed-archive", "overlaps");
}

#[test]
fn too_many_entries_are_not_even_listed() {
    let names: Vec<String> = (0..101).map(|number| format!("{number}.tf")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (&**name, &b""[..])).collect();
    assert_refused(read_zip(zip_of(&files, Stored), &small()), "over-limit", "max-entries of 100");
    read_zip(zip_of(&files[..100], Stored), &small()).unwrap();
}

#[test]
fn cut_archives() {
    for method in [Stored, Deflated] {
        let zip = zip_of(&[("a.tf", b"locals {}"), ("b.tf", b"")], method);
        for length in 0..zip.len() {
            let (code, _) = super::refused(read_zip(zip[..length].to_vec(), &small()));
            assert!(matches!(code, "malformed-archive" | "truncated-archive"), "{length}: {code}");
        }
    }
    super::refused(read_zip(b"no zip".to_vec(), &small()));
    super::refused(read_zip(vec![0; 100_000], &small()));
}

/// A content that unpacks to more than its header declares is stopped there.
#[test]
fn more_content_than_declared() {
    let zip = zip_of(&[("a.tf", &vec![b'x'; 60_000])], Deflated);
    let zip = change(zip, SIZE, &10_u32.to_le_bytes());
    let limits = Limits { file_bytes: 100, unpacked_bytes: 100, ..small() };
    assert_refused(read_zip(zip, &limits), "malformed-archive", "");
}

/// Readers differ in which end record they use; where that matters, nothing is read.
#[test]
fn ambiguous_end_records() {
    let zip = zip_of(&[("a.tf", b"locals {}")], Deflated);
    let with_comment = |comment: &[u8]| {
        let mut zip = zip.clone();
        let at = zip.len() - 2;
        zip[at..].copy_from_slice(&u16::try_from(comment.len()).unwrap().to_le_bytes());
        zip.extend_from_slice(comment);
        zip
    };
    let empty = [&b"PK\x05\x06"[..], &[0; 18]].concat();
    assert_eq!(texts(&read_zip(with_comment(b"made by hand"), &small()).unwrap()), [("a.tf", "locals {}")]);
    assert_eq!(texts(&read_zip(with_comment(&vec![b'c'; 65_535]), &small()).unwrap()), [("a.tf", "locals {}")]);
    assert!(texts(&read_zip(empty.clone(), &small()).unwrap()).is_empty());

    assert_refused(read_zip(with_comment(&empty), &small()), "malformed-archive", "two end records");
    // The end record of another complete archive.
    let other = zip_of(&[("b.tf", b"")], Stored);
    assert_refused(read_zip(with_comment(&other), &small()), "malformed-archive", "two end records");
    // Part of an end record: some readers stop there.
    assert_refused(read_zip(with_comment(b"PK\x05\x06 and more"), &small()), "truncated-archive", "");
    let inner = [&empty[..], b"more"].concat();
    assert_refused(
        read_zip(with_comment(&inner), &small()),
        "malformed-archive",
        "there is data after the end record",
    );

    for rubbish in [&b"x"[..], b"\0", &[b' '; 1000]] {
        let zip = [&zip[..], rubbish].concat();
        assert_refused(read_zip(zip, &small()), "malformed-archive", "there is data after the end record");
    }
    assert_refused(read_zip([&zip[..], &empty].concat(), &small()), "malformed-archive", "lists no entries");
    // So far away that no end record is searched for there.
    super::refused(read_zip([&zip[..], &vec![b' '; 70_000]].concat(), &small()));
}

/// An archive inside another one, stored and so close to the end that its end record is noticed.
#[test]
fn an_archive_among_the_files() {
    let inner = zip_of(&[("b.tf", b"inner")], Deflated);
    let upload = read_zip(zip_of(&[("a.tf", b"outer"), ("inner.zip", &inner)], Stored), &small()).unwrap();
    assert_eq!(upload.files.files().len(), 2);
    assert_eq!(&*upload.files.files()[1].bytes, &*inner);
}

/// An entry costs what there is in it, so an archive of as many small files as the limits allow is read.
#[test]
fn small_entries_cost_little() {
    let names: Vec<String> = (0..20_000).map(|n| format!("f{n}.tf")).collect();
    let files: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b"# nothing"[..])).collect();
    let spent = |body: &dyn Fn() -> usize| {
        let job = || (body(), account::spent().work);
        account::open(account::Limits::DEFAULT, &account::Cancel::new(), job).unwrap()
    };
    for method in [Stored, Deflated] {
        let zip = zip_of(&files, method);
        let (count, units) = spent(&|| read_zip(zip.clone(), &Limits::default()).unwrap().files.files().len());
        assert_eq!(count, files.len());
        assert!((files.len() as u64..200 * files.len() as u64).contains(&units), "{method:?}: {units}");
    }
    let one = "#".repeat(8 << 20);
    let zip = zip_of(&[("a.tf", one.as_bytes())], Deflated);
    let (_, units) = spent(&|| read_zip(zip.clone(), &Limits::default()).unwrap().files.files().len());
    assert!(units > 4 * one.len() as u64 / account::BYTES_PER_UNIT, "{units}");
}

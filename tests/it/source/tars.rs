//! tar: headers of every kind, and hostile ones.

use overfold_cli::source::{ArchiveFormat, ErrorClass, Limits, Payload, ReadError, read};

use super::build::{Tar, header, read_tar, sum};
use super::{assert_refused, small, special, texts};

/// What the `tar` crate writes is read as intended.
#[test]
fn archives_of_another_writer() {
    let mut builder = tar::Builder::new(Vec::new());
    let long = "d/".repeat(60) + "main.tf";
    for (path, text) in [("a.tf", "a"), (&*long, "long"), ("empty", "")] {
        let mut header = tar::Header::new_gnu();
        header.set_size(text.len() as u64);
        header.set_mode(0o644);
        builder.append_data(&mut header, path, text.as_bytes()).unwrap();
    }
    let archive = builder.into_inner().unwrap();
    let upload = read_tar(archive, &Limits { path_depth: 100, ..small() }).unwrap();
    assert_eq!(texts(&upload), [("a.tf", "a"), (&*long, "long"), ("empty", "")]);
}

#[test]
fn links_and_devices_are_retained() {
    let mut tar = Tar::default().entry(b"a.tf", b'0', b"x");
    for (name, kind) in [(b"hard", b'1'), (b"soft", b'2'), (b"char", b'3'), (b"blok", b'4'), (b"fifo", b'6')] {
        tar = tar.block(header(name, kind, 0));
    }
    let upload = read_tar(tar.entry(b"dir/", b'5', b"").end(), &small()).unwrap();
    assert_eq!(texts(&upload), [("a.tf", "x")]);
    assert_eq!(
        special(&upload),
        ["blok Device", "char Device", "dir Folder", "fifo Device", "hard Link", "soft Link"]
    );
    let found: Vec<_> = upload.files.special_in_folder("").map(|entry| entry.path.as_str()).collect();
    assert_eq!(found.len(), 6);
}

/// Some writers give links the size of their targets; even so, no content follows.
#[test]
fn links_and_folders_have_no_content() {
    for kind in *b"123456" {
        let tar = Tar::default().block(header(b"x", kind, 5000)).entry(b"a.tf", b'0', b"x").end();
        let upload = read_tar(tar, &small()).unwrap();
        assert_eq!(texts(&upload), [("a.tf", "x")], "{}", char::from(kind));
    }
}

#[test]
fn paths_in_every_kind_of_header() {
    // The prefix of a ustar header; in a GNU header the same bytes are times.
    let mut ustar = header(b"main.tf", b'0', 1);
    ustar[345..350].copy_from_slice(b"a/b/c");
    let mut gnu = header(b"gnu.tf", b'0', 1);
    gnu[257..265].copy_from_slice(b"ustar  \0");
    gnu[345..350].copy_from_slice(b"a/b/c");
    let mut v7 = header(b"v7.tf", 0, 1);
    v7[257..265].fill(0);
    v7[345..350].copy_from_slice(b"a/b/c");
    let mut full = header(&[b'f'; 100], b'0', 1);
    full[124..136].copy_from_slice(b"000000000001");
    let tar = Tar::default()
        .block(sum(ustar))
        .data(b"1")
        .block(sum(gnu))
        .data(b"2")
        .block(sum(v7))
        .data(b"3")
        .block(sum(full))
        .data(b"4")
        .entry(b"contiguous", b'7', b"5")
        .block(header(b"././@LongLink", b'L', 11))
        .data(b"long/gnu.tf")
        .entry(b"short", b'0', b"6")
        .block(header(b"././@LongLink", b'K', 5))
        .data(b"where")
        .block(header(b"././@LongLink", b'L', 12))
        .data(b"long/nul.tf\0")
        .entry(b"short", b'0', b"7")
        .pax(&[(b"mtime", b"1"), (b"path", b"first"), (b"path", b"pax/\xC3\xA4\n.tf")])
        .entry(b"short", b'0', b"8")
        .pax(&[(b"path", b"")])
        .entry(b"header.tf", b'0', b"9")
        .entry(b"old/", b'0', b"")
        .block(header(b"volume", b'V', 0))
        .end();
    let upload = read_tar(tar, &small()).unwrap();
    let full = "f".repeat(100);
    let wanted = [
        ("a/b/c/main.tf", "1"),
        ("contiguous", "5"),
        (&*full, "4"),
        ("gnu.tf", "2"),
        ("header.tf", "9"),
        ("long/gnu.tf", "6"),
        ("long/nul.tf", "7"),
        ("pax/ä\n.tf", "8"),
        ("v7.tf", "3"),
    ];
    assert_eq!(texts(&upload), wanted);
    assert_eq!(special(&upload), ["old Folder"]);
}

#[test]
fn hostile_paths_in_every_kind_of_header() {
    let mut prefix = header(b"x", b'0', 0);
    prefix[345..347].copy_from_slice(b"..");
    assert_refused(read_tar(Tar::default().block(sum(prefix)).end(), &small()), "bad-path", "\"../x\"");
    let mut absolute = header(b"etc/passwd", b'0', 0);
    absolute[345] = b'/';
    assert_refused(read_tar(Tar::default().block(sum(absolute)).end(), &small()), "bad-path", "absolute");
    for kind in *b"01235" {
        let tar = Tar::default().entry(b"../x", kind, b"").end();
        assert_refused(read_tar(tar, &small()), "bad-path", "`..`");
        let tar = Tar::default().pax(&[(b"path", b"/x")]).entry(b"x", kind, b"").end();
        assert_refused(read_tar(tar, &small()), "bad-path", "absolute");
        let tar = Tar::default().entry(b"\xFF.tf", kind, b"").end();
        assert_refused(read_tar(tar, &small()), "not-utf8", "\"\u{FFFD}.tf\" is not valid UTF-8");
    }
    let tar = Tar::default().pax(&[(b"path", b"\xFF")]).entry(b"x", b'0', b"").end();
    assert_refused(read_tar(tar, &small()), "not-utf8", "");
    let tar = Tar::default().pax(&[(b"path", b"a\0b")]).entry(b"x", b'0', b"").end();
    assert_refused(read_tar(tar, &small()), "bad-path", "NUL");
    let tar = Tar::default().entry(b"/", b'5', b"").end();
    assert_refused(read_tar(tar, &small()), "bad-path", "absolute");
    let tar = Tar::default().entry(b"", b'0', b"").end();
    assert_refused(read_tar(tar, &small()), "bad-path", "empty");
    let long = vec![b'n'; 100_000];
    let tar = Tar::default().block(header(b"L", b'L', long.len())).data(&long).entry(b"x", b'0', b"").end();
    let (code, text) = super::refused(read_tar(tar, &small()));
    assert_eq!(code, "over-limit");
    assert!(text.contains("max-path-bytes of 200 bytes") && text.len() < 400, "{text}");
}

#[test]
fn false_sizes() {
    let over_end = Tar::default().block(header(b"a.tf", b'0', 5000)).data(b"x").end();
    assert_refused(read_tar(over_end, &small()), "truncated-archive", "truncated at \"a.tf\"");
    let mut huge = header(b"a.tf", b'0', 0);
    huge[124..136].copy_from_slice(b"\x80\0\0\0\xFF\xFF\xFF\xFF\xFF\xFF\xFF\xFF");
    let huge = Tar::default().block(sum(huge)).end();
    assert_refused(read_tar(huge.clone(), &small()), "over-limit", "max-file-bytes");
    let unlimited = Limits { file_bytes: u64::MAX, unpacked_bytes: u64::MAX, ..small() };
    assert_refused(read_tar(huge, &unlimited), "truncated-archive", "");
    let mut negative = header(b"a.tf", b'0', 0);
    negative[124..136].fill(0xFF);
    assert_refused(read_tar(Tar::default().block(sum(negative)).end(), &small()), "malformed-archive", "size");
    let mut letters = header(b"a.tf", b'0', 0);
    letters[124..136].copy_from_slice(b"0000000zz\0\0\0");
    assert_refused(read_tar(Tar::default().block(sum(letters)).end(), &small()), "malformed-archive", "size");

    // The pax size applies: what looks like an entry inside the content is content.
    let inside = header(b"inside.tf", b'0', 0);
    let smuggling = Tar::default().pax(&[(b"size", b"512")]).block(header(b"a.tf", b'0', 0)).block(inside).end();
    let upload = read_tar(smuggling, &small()).unwrap();
    assert_eq!(texts(&upload).len(), 1);
    assert_eq!(upload.files.get("a.tf").unwrap().bytes, inside[..]);
    for size in [&b"99999999999999999999999"[..], b"-1", b"+5", b"0x5", b" 5"] {
        let tar = Tar::default().pax(&[(b"size", size)]).entry(b"a.tf", b'0', b"").end();
        assert_refused(read_tar(tar, &small()), "malformed-archive", "pax header");
    }
    for kind in *b"LKxg" {
        let tar = Tar::default().block(header(b"meta", kind, 1 << 30)).data(b"x").end();
        assert_refused(read_tar(tar, &small()), "truncated-archive", "");
    }
    let folder = Tar::default().entry(b"old/", b'0', b"content").end();
    assert_refused(read_tar(folder, &small()), "malformed-archive", "a directory has content");
}

#[test]
fn sparse_files_are_refused_before_they_grow() {
    let mut sparse = header(b"sparse", b'S', 0);
    sparse[257..265].copy_from_slice(b"ustar  \0");
    sparse[483..495].copy_from_slice(b"77777777777\0");
    let error = read_tar(Tar::default().block(sum(sparse)).end(), &small()).expect_err("sparse");
    assert_eq!((error.code(), error.class()), ("unsupported-entry", ErrorClass::BadRequest));
    let pax = Tar::default().pax(&[(b"GNU.sparse.major", b"1"), (b"GNU.sparse.realsize", b"8000000000")]);
    assert_refused(read_tar(pax.entry(b"x", b'0', b"0\n").end(), &small()), "unsupported-entry", "a sparse file");
}

#[test]
fn odd_entries_are_refused() {
    for kind in *b"MNDAZ\xFF" {
        let tar = Tar::default().entry(b"odd", kind, b"").end();
        assert_refused(read_tar(tar, &small()), "unsupported-entry", "an entry of type");
    }
    let twice = || Tar::default().pax(&[(b"path", b"a")]).pax(&[(b"path", b"b")]);
    assert_refused(read_tar(twice().entry(b"x", b'0', b"").end(), &small()), "malformed-archive", "two pax headers");
    let long = |tar: Tar| tar.block(header(b"L", b'L', 1)).data(b"a");
    let twice = long(long(Tar::default())).entry(b"x", b'0', b"").end();
    assert_refused(read_tar(twice, &small()), "malformed-archive", "two long names");
    assert_refused(read_tar(long(Tar::default()).end(), &small()), "malformed-archive", "is missing");
    let global = Tar::default().pax_of_kind(b'g', &[(b"path", b"everything")]).entry(b"x", b'0', b"").end();
    assert_refused(read_tar(global, &small()), "unsupported-entry", "global pax header");
    let garbage = Tar::default().block(header(b"pax", b'x', 7)).data(b"garbage").entry(b"x", b'0', b"").end();
    assert_refused(read_tar(garbage, &small()), "malformed-archive", "pax header");
}

#[test]
fn cut_and_damaged_archives() {
    let tar = Tar::default().entry(b"a.tf", b'0', b"x").entry(b"b.tf", b'0', &[b'y'; 700]);
    let whole = tar.cut();
    assert_refused(read_tar(whole.clone(), &small()), "truncated-archive", "is truncated");
    for length in 0..whole.len() {
        assert_refused(read_tar(whole[..length].to_vec(), &small()), "truncated-archive", "is truncated");
    }
    let one_block = [&*whole, &[0; 512]].concat();
    assert_eq!(texts(&read_tar(one_block, &small()).unwrap()).len(), 2, "one block of zeros ends the archive");
    let after_end = [&*whole, &[0; 1024], &[b'#'; 77]].concat();
    assert_eq!(texts(&read_tar(after_end, &small()).unwrap()).len(), 2, "content after the end is not read");
    for at in [0, 99, 124, 148, 156, 200, 500] {
        let mut damaged = whole.clone();
        damaged[at] ^= 0x40;
        assert_refused(read_tar(damaged, &small()), "malformed-archive", "checksum at byte 0");
    }
    let text = b"resource \"a\" \"b\" {}\n".repeat(60);
    let error = read(Payload::archive(ArchiveFormat::Tar, text.into()), &small()).expect_err("is no tar");
    assert!(matches!(error, ReadError::Damaged { .. }), "{error:?}");
}

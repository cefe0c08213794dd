//! Properties that hold for every form.

use overfold_cli::source::{ArchiveFormat, ErrorClass, JsonFiles, Limit, Limits, Payload, ReadError, read};
use serde::de::DeserializeSeed as _;

use super::build::{Form, gzip, json, tar_of, zip_of};
use super::{assert_refused, small, texts};

const FILES: &[(&str, &[u8])] = &[
    ("main.tf", b"a = 1\n"),
    ("modules/net/main.tf", b"b = 2\n"),
    ("main_override.tf", b""),
    ("ä.tf", b"# \xC3\xA4"),
];

#[test]
fn every_form_gives_the_same_files() {
    for form in Form::ALL {
        let upload = form.read(FILES, &small()).unwrap();
        let wanted =
            [("main.tf", "a = 1\n"), ("main_override.tf", ""), ("modules/net/main.tf", "b = 2\n"), ("ä.tf", "# ä")];
        assert_eq!(texts(&upload), wanted, "{form:?}");
        assert_eq!(upload.top, None);
        assert_eq!(upload.files.get("main.tf").unwrap().bytes, b"a = 1\n"[..]);
    }
}

#[test]
fn no_entries_are_an_empty_set() {
    for form in Form::ALL {
        assert_eq!(texts(&form.read(&[], &small()).unwrap()), [], "{form:?}");
    }
}

/// Each limit admits exactly what it says, in every form, and the error reports its name, its value and the path.
#[test]
fn limits() {
    let check = |form: Form, files: &[(&str, &[u8])], limit: Limit, value: u64, path: Option<&str>| {
        let set = |value| {
            let mut limits = small();
            *(match limit {
                Limit::UnpackedBytes => &mut limits.unpacked_bytes,
                Limit::Entries => &mut limits.entries,
                Limit::FileBytes => &mut limits.file_bytes,
                Limit::PathBytes => &mut limits.path_bytes,
                Limit::PathDepth => &mut limits.path_depth,
                Limit::RequestBytes => unreachable!(),
            }) = value;
            limits
        };
        form.read(files, &set(value)).unwrap_or_else(|error| panic!("{form:?} {limit:?}: {error}"));
        let error = form.read(files, &set(value - 1)).expect_err("one less is refused");
        let wanted = ReadError::OverLimit { limit, value: value - 1, path: path.map(str::to_owned) };
        assert_eq!(error, wanted, "{form:?}");
        assert_eq!((error.code(), error.class()), ("over-limit", ErrorClass::TooLarge));
        let text = error.to_string();
        assert!(text.contains(&format!("{} of {}", limit.setting(), value - 1)), "{text}");
    };
    let text = vec![b'x'; 3000];
    let files: &[(&str, &[u8])] = &[("a.tf", &text), ("b.tf", &text[..2000]), ("c/d/e.tf", b"")];
    for form in Form::ALL {
        check(form, files, Limit::Entries, 3, None);
        check(form, files, Limit::FileBytes, 3000, Some("a.tf"));
        check(form, files, Limit::PathBytes, 8, Some("c/d/e.tf"));
        check(form, files, Limit::PathDepth, 3, Some("c/d/e.tf"));
        if !form.is_tar() {
            check(form, files, Limit::UnpackedBytes, 5000, Some("b.tf"));
        }
    }
    let length = tar_of(files).len() as u64;
    for form in [Form::Tar, Form::TarGzip, Form::TarZstd] {
        check(form, files, Limit::UnpackedBytes, length, None);
        // The entry that is cut off is named: 512 + 3072 + 512 bytes end before b.tf's content.
        let limits = Limits { unpacked_bytes: 5000, ..small() };
        let error = form.read(files, &limits).expect_err("is refused");
        assert_eq!(error.path(), Some("b.tf"), "{form:?} {error}");
    }
}

#[test]
fn bombs_stop_at_the_limit() {
    // 16 MiB of zeros in about 16 KiB (zstd: in a few hundred bytes).
    let zeros = vec![0; 16 << 20];
    let files: &[(&str, &[u8])] = &[("zeros", &zeros)];
    for form in [Form::TarGzip, Form::TarZstd, Form::ZipDeflated] {
        let payload = form.payload(files);
        assert_refused(read(payload, &small()), "over-limit", "max-file-bytes of 65536 bytes");
        let limits = Limits { file_bytes: 1 << 40, ..small() };
        assert_refused(read(form.payload(files), &limits), "over-limit", "max-unpacked-bytes of 1048576 bytes");
    }
    // Compressed zeros that are not a tar at all: an empty tar with bytes after its end, cut at the limit.
    assert_refused(
        read(Payload::archive(ArchiveFormat::TarGzip, gzip(&zeros).into()), &small()),
        "over-limit",
        "max-unpacked-bytes",
    );
}

#[test]
fn gzip_members_share_one_limit() {
    let tar = tar_of(&[("a.tf", &[b'x'; 2000])]);
    let (head, tail) = tar.split_at(1000);
    let two = [gzip(head), gzip(&[]), gzip(tail)].concat();
    let payload = || Payload::archive(ArchiveFormat::TarGzip, two.clone().into());
    assert_eq!(texts(&read(payload(), &small()).unwrap())[0].1.len(), 2000);
    let limits = Limits { unpacked_bytes: 1500, ..small() };
    assert_refused(read(payload(), &limits), "over-limit", "(\"a.tf\") is over the limit max-unpacked-bytes of 1500");
    let many = gzip(&[0; 512]).repeat(10_000);
    let payload = Payload::archive(ArchiveFormat::TarGzip, many.into());
    assert_refused(read(payload, &small()), "over-limit", "max-unpacked-bytes");
}

#[test]
fn cut_and_damaged_compression() {
    for (form, format) in [(Form::TarGzip, ArchiveFormat::TarGzip), (Form::TarZstd, ArchiveFormat::TarZstd)] {
        let tar = tar_of(&[("a.tf", b"locals {}")]);
        let whole = match form {
            Form::TarGzip => gzip(&tar),
            _ => zstd::encode_all(&*tar, 3).unwrap(),
        };
        let archive = |bytes: &[u8]| read(Payload::archive(format, bytes.to_vec().into()), &small());
        for length in 0..whole.len() {
            assert_refused(archive(&whole[..length]), "truncated-archive", "is truncated");
        }
        assert_refused(archive(b"not compressed at all"), "malformed-archive", "compressed data is not valid");
        assert_refused(archive(&[&*whole, b"garbage, and more of it"].concat()), "malformed-archive", "");
        let mut damaged = whole.clone();
        let at = damaged.len() - if form == Form::TarGzip { 6 } else { 2 };
        damaged[at] ^= 1;
        assert_refused(archive(&damaged), "malformed-archive", "compressed data is not valid");
    }
}

/// A frame header can request a window far larger than the content.
#[test]
fn zstd_windows_are_bounded() {
    // Magic, descriptor 0 (window descriptor follows), exponent 31 (a window of 2 TiB), an empty last block.
    let frame = [0x28, 0xB5, 0x2F, 0xFD, 0x00, 0xF8, 0x01, 0x00, 0x00];
    let payload = Payload::archive(ArchiveFormat::TarZstd, frame.to_vec().into());
    assert_refused(read(payload, &small()), "malformed-archive", "");
}

#[test]
fn forms_are_distinguished_by_their_first_bytes() {
    let files: &[(&str, &[u8])] = &[("a.tf", b"x")];
    let tar = tar_of(files);
    assert_eq!(ArchiveFormat::sniff(&tar), Some(ArchiveFormat::Tar));
    assert_eq!(ArchiveFormat::sniff(&tar_of(&[])), Some(ArchiveFormat::Tar));
    assert_eq!(ArchiveFormat::sniff(&gzip(&tar)), Some(ArchiveFormat::TarGzip));
    assert_eq!(ArchiveFormat::sniff(&zstd::encode_all(&*tar, 1).unwrap()), Some(ArchiveFormat::TarZstd));
    assert_eq!(ArchiveFormat::sniff(&zip_of(files, zip::CompressionMethod::Stored)), Some(ArchiveFormat::Zip));
    assert_eq!(ArchiveFormat::sniff(&zip_of(&[], zip::CompressionMethod::Stored)), Some(ArchiveFormat::Zip));
    assert_eq!(ArchiveFormat::sniff(b""), None);
    assert_eq!(ArchiveFormat::sniff(&[b'#'; 1024]), None);
}

#[test]
fn json_names_given_twice() {
    assert_refused(read(json(r#"{"a.tf":"1","a.tf":"2"}"#), &small()), "duplicate-path", "\"a.tf\" occurs twice");
    assert_refused(read(json(r#"{"a.tf":"1","\u0061.tf":"2"}"#), &small()), "duplicate-path", "\"a.tf\"");
}

#[test]
fn json_contents() {
    let upload = read(json(r#"{"a":{"base64":"4pi6"},"b":"\u263a\ud83d\ude00"}"#), &small()).unwrap();
    assert_eq!(texts(&upload), [("a", "☺"), ("b", "☺😀")]);
    let bytes = read(json(r#"{"latin1.tf":{"base64":"5A=="}}"#), &small()).unwrap();
    assert_eq!(bytes.files.get("latin1.tf").unwrap().bytes, b"\xE4"[..]);
    for bad in ["5A", "5A=", "*", "5A==\\n", "5B=="] {
        let files = format!(r#"{{"a":{{"base64":"{bad}"}},"b":"x"}}"#);
        assert_refused(read(json(&files), &small()), "bad-base64", "\"a\": the content is not valid Base64");
    }
    for (bad, words) in [
        (r#"{"a":1}"#, "expected a string or {\"base64\": …}"),
        (r#"{"a":null}"#, "expected a string"),
        (r#"{"a":["x"]}"#, "expected a string"),
        (r#"{"a":{}}"#, "missing field `base64`"),
        (r#"{"a":{"base64":1}}"#, "expected a Base64 string"),
        (r#"{"a":{"base64":"","base64":""}}"#, "duplicate field `base64`"),
        (r#"{"a":{"text":""}}"#, "unknown field `text`"),
        (r#"["a"]"#, "expected an object of paths and contents"),
        (r#"{"a":"\ud800"}"#, "hex escape"),
    ] {
        let text = serde_json::from_str::<JsonFiles>(bad).expect_err(bad).to_string();
        assert!(text.contains(words), "{bad}: {text}");
    }
}

/// With a seed the limits apply while the object is being read: the rest is skipped, not kept.
#[test]
fn json_limits_hold_while_reading() {
    let limits = Limits { entries: 2, file_bytes: 3, unpacked_bytes: 5, ..small() };
    let seeded = |text: &str| {
        let files = JsonFiles::seed(&limits).deserialize(&mut serde_json::Deserializer::from_str(text)).unwrap();
        read(Payload::json(files), &limits)
    };
    assert_eq!(texts(&seeded(r#"{"a":"123","b":"12"}"#).unwrap()), [("a", "123"), ("b", "12")]);
    assert_refused(seeded(r#"{"a":"","b":"","c":"","d":""}"#), "over-limit", "max-entries of 2");
    assert_refused(
        seeded(r#"{"a":"1234","b":"123456"}"#),
        "over-limit",
        "(\"a\") is over the limit max-file-bytes of 3",
    );
    assert_refused(
        seeded(r#"{"a":"123","b":"123"}"#),
        "over-limit",
        "(\"b\") is over the limit max-unpacked-bytes of 5",
    );
    assert_refused(seeded(r#"{"a":{"base64":"AAAAAA=="}}"#), "over-limit", "max-file-bytes of 3");
}

/// Files of an uncompressed archive in memory are slices of it, not copies.
#[test]
fn uncompressed_archives_are_not_copied() {
    let files: &[(&str, &[u8])] = &[("a.tf", b"locals {}")];
    for (format, bytes) in
        [(ArchiveFormat::Tar, tar_of(files)), (ArchiveFormat::Zip, zip_of(files, zip::CompressionMethod::Stored))]
    {
        let bytes = bytes::Bytes::from(bytes);
        let place = bytes.as_ptr() as usize..bytes.as_ptr() as usize + bytes.len();
        let upload = read(Payload::archive(format, bytes.clone()), &small()).unwrap();
        assert!(place.contains(&(upload.files.get("a.tf").unwrap().bytes.as_ptr() as usize)), "{format}");
    }
}

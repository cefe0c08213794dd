//! Properties that hold for any bytes and any files.

use std::collections::BTreeMap;

use overfold_cli::source::{ArchiveFormat, JsonFiles, Limits, Payload, Upload, read};
use proptest::prelude::*;

use super::build::{Form, gzip, tar_of, zip_of};
use super::small;

const FORMATS: [ArchiveFormat; 4] =
    [ArchiveFormat::Tar, ArchiveFormat::TarGzip, ArchiveFormat::TarZstd, ArchiveFormat::Zip];

/// Every file and special entry, for comparison.
fn contents(upload: &Upload) -> Vec<(String, Vec<u8>)> {
    let files = upload.files.files().iter().map(|file| (file.path.to_string(), file.bytes.to_vec()));
    let special = upload.files.special().iter().map(|entry| (entry.path.to_string(), vec![entry.kind as u8]));
    files.chain(special).collect()
}

/// Checks that whatever is read satisfies the guarantees of a file set.
fn check(upload: &Upload, limits: &Limits) {
    let files = upload.files.files();
    assert!(files.windows(2).all(|pair| pair[0].path < pair[1].path), "sorted, no path twice");
    assert!((files.len() + upload.files.special().len()) as u64 <= limits.entries);
    for file in files {
        assert!(file.bytes.len() as u64 <= limits.file_bytes);
        assert!(
            file.path.as_str().len() as u64 <= limits.path_bytes && file.path.depth() as u64 <= limits.path_depth
        );
        assert!(!file.path.as_str().split('/').any(|segment| matches!(segment, "" | "." | "..")));
        assert_eq!(upload.files.get(file.path.as_str()).map(|found| &found.bytes), Some(&file.bytes));
        assert!(upload.files.has_folder(file.path.folder()) && !upload.files.has_folder(file.path.as_str()));
        assert!(upload.files.in_folder(file.path.folder()).any(|found| found.path == file.path));
    }
}

fn read_all_ways(bytes: &[u8]) {
    let limits = Limits { unpacked_bytes: 100_000, ..small() };
    for format in FORMATS {
        if let Ok(upload) = read(Payload::archive(format, bytes.to_vec().into()), &limits) {
            check(&upload, &limits);
        }
    }
    let _ = ArchiveFormat::sniff(bytes);
    if let Ok(files) = serde_json::from_slice::<JsonFiles>(bytes)
        && let Ok(upload) = read(Payload::json(files), &limits)
    {
        check(&upload, &limits);
    }
}

/// Paths of up to three segments from few names, so that they collide.
fn files() -> impl Strategy<Value = BTreeMap<String, Vec<u8>>> {
    let path = proptest::collection::vec(prop::sample::select(vec!["a", "b", "a-b", "a.tf", "ä", "x y"]), 1..4);
    proptest::collection::btree_map(
        path.prop_map(|path| path.join("/")),
        "[ -~\n]{0,80}".prop_map(String::into_bytes),
        0..8,
    )
}

fn no_file_is_a_folder(files: &BTreeMap<String, Vec<u8>>) -> bool {
    !files.keys().any(|a| files.keys().any(|b| b.strip_prefix(a.as_str()).is_some_and(|rest| rest.starts_with('/'))))
}

proptest! {
    #[test]
    fn any_bytes_are_read_or_refused(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        read_all_ways(&bytes);
    }

    /// Valid-looking headers around any bytes.
    #[test]
    fn any_bytes_behind_a_signature(
        bytes in proptest::collection::vec(any::<u8>(), 0..600),
        start in prop::sample::select(vec![&b"\x1F\x8B\x08\x00"[..], b"\x28\xB5\x2F\xFD", b"PK\x03\x04", b"PK\x05\x06"]),
    ) {
        read_all_ways(&[start, &bytes].concat());
    }

    #[test]
    fn damaged_archives_are_read_or_refused(
        files in files(),
        changes in proptest::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6),
        cut in proptest::option::of(any::<prop::sample::Index>()),
    ) {
        let list: Vec<(&str, &[u8])> = files.iter().map(|(path, content)| (&**path, &**content)).collect();
        let tar = tar_of(&list);
        let archives = [
            gzip(&tar),
            zstd::encode_all(&*tar, 1).unwrap(),
            zip_of(&list, zip::CompressionMethod::Stored),
            zip_of(&list, zip::CompressionMethod::Deflated),
            tar,
        ];
        for mut bytes in archives {
            for (at, byte) in &changes {
                let at = at.index(bytes.len());
                bytes[at] = *byte;
            }
            if let Some(cut) = &cut {
                bytes.truncate(cut.index(bytes.len()));
            }
            read_all_ways(&bytes);
        }
    }

    /// A damaged header with a corrected checksum passes the first check.
    #[test]
    fn tar_headers_with_any_fields(
        changes in proptest::collection::vec((0..512_usize, any::<u8>()), 1..20),
        kind in prop::sample::select(b"01234567LKxgSVD\0".to_vec()),
    ) {
        let mut block = super::build::header(b"a/b.tf", kind, 100);
        for (at, byte) in changes {
            block[at] = byte;
        }
        let tar = super::build::Tar::default().block(super::build::sum(block)).data(&[b'1'; 100]);
        read_all_ways(&tar.entry(b"next", b'0', b"x").end());
    }

    #[test]
    fn the_order_of_entries_changes_nothing(files in files(), seed in any::<u64>()) {
        let list: Vec<(&str, &[u8])> = files.iter().map(|(path, content)| (&**path, &**content)).collect();
        let mut shuffled = list.clone();
        // Some other order, the same for the same seed.
        shuffled.sort_by_key(|(path, _)| path.bytes().fold(seed, |sum, byte| {
            (sum ^ u64::from(byte)).wrapping_mul(0x0100_0000_01B3)
        }));
        let mut first: Option<Vec<_>> = None;
        for form in Form::ALL {
            // Without stripping, so that forms with and without top folders can be compared.
            let one = read(form.payload(&list).strip_components(Some(0)), &small());
            let other = read(form.payload(&shuffled).strip_components(Some(0)), &small());
            match (one, other) {
                (Ok(one), Ok(other)) => {
                    check(&one, &small());
                    prop_assert!(no_file_is_a_folder(&files));
                    prop_assert_eq!(contents(&one), contents(&other));
                    let given: Vec<_> = files.clone().into_iter().collect();
                    prop_assert_eq!(first.get_or_insert_with(|| contents(&one)), &contents(&one));
                    prop_assert_eq!(contents(&one), given);
                }
                (Err(one), Err(other)) => {
                    prop_assert!(!no_file_is_a_folder(&files));
                    prop_assert_eq!(one, other);
                }
                (one, other) => prop_assert!(false, "{:?}: {:?} but {:?}", form, one.is_ok(), other.is_ok()),
            }
            let one = read(form.payload(&list), &small()).ok();
            let other = read(form.payload(&shuffled), &small()).ok();
            prop_assert_eq!(one.as_ref().map(|upload| &upload.top), other.as_ref().map(|upload| &upload.top));
            prop_assert_eq!(one.as_ref().map(contents), other.as_ref().map(contents));
        }
    }
}

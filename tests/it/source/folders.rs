//! A folder or an archive file on disk, as the command line reads it.

use std::fs;

use overfold_cli::dialect;
use overfold_cli::source::{Disk, FolderLinks, Limits, read_path};
use tempfile::TempDir;

use super::build::{gzip, tar_of, zip_of};
use super::{assert_refused, small, special, texts};

fn may_read(name: &str) -> bool {
    dialect::may_read("terraform", name)
}

fn folder(files: &[(&str, &[u8])]) -> TempDir {
    let folder = tempfile::tempdir().unwrap();
    for (path, content) in files {
        let path = folder.path().join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, content).unwrap();
    }
    folder
}

#[test]
fn folders_are_read_recursively() {
    let folder = folder(&[
        ("main.tf", b"x"),
        ("m/n/main.tf", b"y"),
        (".git/config", b""),
        ("m/.terraform/modules/a/main.tf", b""),
        (".gitignore", b"z"),
    ]);
    let upload = read_path(folder.path(), None, &may_read, &small()).unwrap();
    assert_eq!(texts(&upload), [(".gitignore", ""), ("m/n/main.tf", "y"), ("main.tf", "x")]);
    assert_eq!(special(&upload), [".git Folder", "m Folder", "m/.terraform Folder", "m/n Folder"]);
    assert_eq!(upload.top, None);
    assert!(upload.files.is_unread(".gitignore") && !upload.files.is_unread("main.tf"));
}

#[test]
fn a_nested_folder_is_not_a_top_folder() {
    let folder = folder(&[("modules/main.tf", b"x")]);
    assert_eq!(texts(&read_path(folder.path(), None, &may_read, &small()).unwrap()), [("modules/main.tf", "x")]);
    assert_eq!(texts(&read_path(folder.path(), Some(1), &may_read, &small()).unwrap()), [("main.tf", "x")]);
}

#[cfg(unix)]
#[test]
fn links_are_followed_wherever_they_lead() {
    use std::os::unix::fs::symlink;
    let outside = folder(&[("secret", b"secret")]);
    let folder = folder(&[("main.tf", b"x")]);
    symlink(outside.path().join("secret"), folder.path().join("file.tf")).unwrap();
    symlink(outside.path(), folder.path().join("folder")).unwrap();
    symlink(folder.path(), folder.path().join("loop")).unwrap();
    symlink("nowhere", folder.path().join("dangling")).unwrap();
    symlink("../outside", folder.path().join("above")).unwrap();
    symlink("main.tf", folder.path().join("inside.tf")).unwrap();
    let socket = std::os::unix::net::UnixListener::bind(folder.path().join("socket")).unwrap();
    let upload = read_path(folder.path(), None, &may_read, &small()).unwrap();
    let wanted = [("file.tf", "secret"), ("folder/secret", ""), ("inside.tf", "x"), ("main.tf", "x")];
    assert_eq!(texts(&upload), wanted);
    assert!(upload.files.is_unread("folder/secret"));
    let special = special(&upload);
    assert_eq!(special, ["above Link", "dangling Link", "folder Folder", "loop Link", "socket Device"]);
    drop(socket);
    // A path given on the command line may be a link.
    let door = outside.path().join("door");
    symlink(folder.path(), &door).unwrap();
    assert_eq!(texts(&read_path(&door, None, &may_read, &small()).unwrap())[0], ("file.tf", "secret"));
}

#[cfg(unix)]
#[test]
fn odd_names() {
    use std::ffi::OsStr;
    use std::os::unix::ffi::OsStrExt as _;
    let folder = folder(&[]);
    fs::write(folder.path().join("a\\b.tf"), "").unwrap();
    assert_refused(read_path(folder.path(), None, &may_read, &small()), "bad-path", "backslash");
    let folder = tempfile::tempdir().unwrap();
    if fs::write(folder.path().join(OsStr::from_bytes(b"\xFF.tf")), "").is_ok() {
        assert_refused(read_path(folder.path(), None, &may_read, &small()), "not-utf8", "");
    }
}

#[test]
fn limits_hold() {
    let folder = folder(&[("a/b/c.tf", b"12345")]);
    let read = |limits| read_path(folder.path(), None, &may_read, &limits);
    let exact = Limits { entries: 1, file_bytes: 5, unpacked_bytes: 5, path_bytes: 8, path_depth: 3, ..small() };
    read(exact).unwrap();
    assert_refused(read(Limits { entries: 0, ..exact }), "over-limit", "max-entries of 0");
    assert_refused(
        read(Limits { file_bytes: 4, ..exact }),
        "over-limit",
        "(\"a/b/c.tf\") is over the limit max-file-bytes of 4",
    );
    assert_refused(read(Limits { unpacked_bytes: 4, ..exact }), "over-limit", "max-unpacked-bytes of 4");
    assert_refused(read(Limits { path_bytes: 7, ..exact }), "over-limit", "max-path-bytes of 7");
    assert_refused(read(Limits { path_depth: 2, ..exact }), "over-limit", "max-path-depth of 2");
}

/// Every file that a dialect reads by itself is included.
#[test]
fn files_that_a_dialect_reads_are_kept() {
    for (dialect, name) in [
        ("terraform", "a.tf"),
        ("terraform", "x.auto.tfvars"),
        ("terraform", "a.tftest.json"),
        ("opentofu", "a.tofu.json"),
        ("opentofu", "a.tofutest.json"),
        ("sentinel", "sentinel.json"),
        ("sentinel", "sentinel.hcl"),
        ("tflint", "a.tf.json"),
        ("terraform-0.11", "terraform.tfvars"),
    ] {
        assert!(dialect::may_read(dialect, name), "{dialect} {name}");
    }
    assert!(!may_read("package.json") && !may_read("README.md"));
}

#[test]
fn files_that_cannot_matter_are_not_read() {
    let few = Limits { entries: 3, file_bytes: 60, ..small() };
    let unrelated: Vec<(String, Vec<u8>)> = (0..50).map(|n| (format!("data/{n}.bin"), vec![b'x'; 100])).collect();
    let unrelated: Vec<(&str, &[u8])> = unrelated.iter().map(|(name, bytes)| (&**name, &**bytes)).collect();
    let with = |main: &[u8]| folder(&[&[("main.tf", main), ("extra.txt", b"a = 1")], &*unrelated].concat());
    let upload =
        read_path(with(b"locals {}").path(), None, &|name| may_read(name) || name == "extra.txt", &few).unwrap();
    let read = |path: &str| (upload.files.get(path).unwrap().bytes.len(), upload.files.is_unread(path));
    assert_eq!(read("extra.txt"), (5, false));
    assert_eq!(read("data/7.bin"), (0, true));
    assert_eq!(upload.files.files().len(), 52);
    // Even if a function reads files: which ones is not known here.
    let reading = with(b"locals { a = file(\"data/7.bin\") }");
    assert!(read_path(reading.path(), None, &may_read, &few).unwrap().files.is_unread("data/7.bin"));
    let read = |limits: &Limits| {
        let disk = Disk::open(reading.path(), FolderLinks::InPlace, may_read, limits).unwrap();
        let file = format!("{}/data/7.bin", disk.root());
        let files = disk.into_files();
        let length = files.get(&file).map(|file| file.bytes.len());
        (length, files.take_failure().map(|failure| failure.to_string()))
    };
    assert_eq!(read(&small()), (Some(100), None));
    assert!(read(&few).1.unwrap().contains("max-file-bytes"));
}

#[test]
fn archive_files_of_every_form() {
    let files: &[(&str, &[u8])] = &[("top/main.tf", b"x")];
    let folder = folder(&[
        ("tar", &tar_of(files)),
        ("tar.gz", &gzip(&tar_of(files))),
        ("tar.zst", &zstd::encode_all(&*tar_of(files), 3).unwrap()),
        ("zip", &zip_of(files, zip::CompressionMethod::Deflated)),
        ("text", b"no archive"),
    ]);
    for name in ["tar", "tar.gz", "tar.zst", "zip"] {
        let path = folder.path().join(name);
        let upload = read_path(&path, None, &may_read, &small()).unwrap();
        assert_eq!(texts(&upload), [("main.tf", "x")], "{name}");
        assert_eq!(texts(&read_path(&path, Some(0), &may_read, &small()).unwrap()), [("top/main.tf", "x")], "{name}");
        let limits = Limits { request_bytes: fs::metadata(&path).unwrap().len() - 1, ..small() };
        assert_refused(read_path(&path, None, &may_read, &limits), "over-limit", "max-request-bytes");
    }
    assert_refused(
        read_path(&folder.path().join("text"), None, &may_read, &small()),
        "unknown-archive-format",
        "neither a tar",
    );
    assert_refused(read_path(&folder.path().join("nothing"), None, &may_read, &small()), "unreadable", "nothing");
}

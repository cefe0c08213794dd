//! Which paths are rejected, and how paths are normalised and stripped.

use overfold_cli::source::{ErrorClass, read};

use super::build::{Form, Tar, read_tar};
use super::{assert_refused, small, special, texts};

#[test]
fn bad_paths_are_refused_in_every_form() {
    for (path, words) in [
        ("../main.tf", "`..`"),
        ("a/../../main.tf", "`..`"),
        ("a/..", "`..`"),
        ("..", "`..`"),
        ("/etc/passwd", "absolute"),
        ("//a", "absolute"),
        ("C:/main.tf", "absolute"),
        ("c:main.tf", "absolute"),
        ("\\\\server\\share", "absolute"),
        ("a\\b.tf", "backslash"),
        ("a//b.tf", "empty segment"),
        (".", "empty"),
        ("./", "empty segment"),
    ] {
        for form in Form::ALL {
            if form.is_archive() && path.ends_with('/') {
                continue; // The name of a folder there.
            }
            // zip's writer accepts any name, but cannot write a name that it takes for a folder's as a file.
            let result = form.read(&[("ok.tf", b""), (path, b"")], &small());
            let error = result.expect_err(path);
            assert_eq!((error.code(), error.class()), ("bad-path", ErrorClass::BadRequest), "{form:?} {path}");
            assert!(error.to_string().contains(words), "{form:?} {path}: {error}");
            assert_eq!(error.path(), Some(path), "{form:?}");
        }
    }
    assert_refused(Form::Json.read(&[("", b"")], &small()), "bad-path", "empty");
    assert_refused(Form::Parts.read(&[("a/", b"")], &small()), "bad-path", "empty segment");
    assert_refused(Form::Json.read(&[("a\0b", b"")], &small()), "bad-path", "NUL");
}

#[test]
fn a_path_given_twice_is_refused_however_it_is_written() {
    for form in Form::ALL {
        for (a, b) in [("./a.tf", "a.tf"), ("m/./a.tf", "m/a.tf"), ("./././a.tf", "././a.tf")] {
            let result = form.read(&[(a, b"1"), ("z.tf", b""), (b, b"1")], &small());
            assert_refused(result, "duplicate-path", "occurs twice");
        }
        let result = form.read(&[("a", b""), ("a-b", b""), ("a.tf", b""), ("a/b", b"")], &small());
        assert_refused(result, "file-and-folder", "\"a\" is both a file and a directory");
        let result = form.read(&[("m/a/b/c/d", b""), ("m/a", b""), ("z", b"")], &small());
        assert_refused(result, "file-and-folder", "\"m/a\"");
        let upload = form.read(&[("./a-b", b""), ("a/b", b""), ("./a/./c", b"")], &small()).unwrap();
        assert_eq!(texts(&upload), [("a-b", ""), ("a/b", ""), ("a/c", "")], "{form:?}");
    }
}

#[test]
fn other_names_are_kept_byte_for_byte() {
    let files: &[(&str, &[u8])] = &[
        ("...", b""),
        ("._main.tf", b""),
        ("A.tf", b""),
        ("__MACOSX/._a", b""),
        ("a b.tf", b""),
        ("a.tf", b""),
        ("e\u{301}.tf", b""),
        ("line\nfeed", b""),
        ("é.tf", b""),
    ];
    for form in Form::ALL {
        let upload = form.read(files, &small()).unwrap();
        assert_eq!(
            texts(&upload).iter().map(|(path, _)| *path).collect::<Vec<_>>(),
            files.iter().map(|(path, _)| *path).collect::<Vec<_>>(),
            "{form:?}"
        );
    }
}

#[test]
fn one_top_folder_of_an_archive_is_the_top() {
    let files: &[(&str, &[u8])] = &[("repo-1a2b/main.tf", b""), ("repo-1a2b/m/x.tf", b"")];
    for form in Form::ALL {
        let upload = form.read(files, &small()).unwrap();
        if form.is_archive() {
            assert_eq!(texts(&upload), [("m/x.tf", ""), ("main.tf", "")], "{form:?}");
            assert_eq!(upload.top.as_deref(), Some("repo-1a2b"));
        } else {
            assert_eq!(texts(&upload).len(), 2);
            assert_eq!(upload.top, None);
            assert_eq!(texts(&upload)[0].0, "repo-1a2b/m/x.tf", "{form:?}");
        }
        let as_is = read(form.payload(files).strip_components(Some(0)), &small()).unwrap();
        assert_eq!(texts(&as_is)[0].0, "repo-1a2b/m/x.tf");
        let one = read(form.payload(files).strip_components(Some(1)), &small()).unwrap();
        assert_eq!(texts(&one)[1].0, "main.tf");
        assert_eq!(one.top, None);
        let two = read(form.payload(files).strip_components(Some(2)), &small()).unwrap();
        assert_eq!(texts(&two), [("x.tf", "")], "entries that are not that deep are dropped");
        let error = read(form.payload(files).strip_components(Some(3)), &small()).expect_err("nothing left");
        assert_eq!((error.code(), error.class()), ("nothing-left", ErrorClass::Unprocessable));
        read(form.payload(files).strip_components(Some(u16::MAX)), &small()).expect_err("nothing left");
    }
}

#[test]
fn folders_that_are_not_top_folders() {
    let tops = |tar: Tar| {
        let upload = read_tar(tar.end(), &small()).unwrap();
        (upload.top.clone(), texts(&upload).into_iter().map(|(path, _)| path.to_owned()).collect::<Vec<_>>())
    };
    let one = |tar: Tar| tar.entry(b"top/a.tf", b'0', b"");
    let none = |paths: &[&str]| (None, paths.iter().map(|&path| path.to_owned()).collect::<Vec<_>>());
    let top = |paths: &[&str]| (Some("top".to_owned()), paths.iter().map(|&path| path.to_owned()).collect());
    assert_eq!(tops(one(Tar::default())), top(&["a.tf"]));
    assert_eq!(tops(one(Tar::default().entry(b"top/", b'5', b""))), top(&["a.tf"]));
    assert_eq!(tops(one(Tar::default().entry(b"./", b'5', b"").entry(b"./top", b'5', b""))), top(&["a.tf"]));
    assert_eq!(tops(one(Tar::default().pax_of_kind(b'g', &[(b"comment", b"1a2b")]))), top(&["a.tf"]));
    assert_eq!(tops(one(Tar::default().entry(b"README", b'0', b""))), none(&["README", "top/a.tf"]));
    assert_eq!(tops(one(Tar::default().entry(b"other/", b'5', b""))), none(&["top/a.tf"]));
    assert_eq!(tops(one(Tar::default().entry(b"link", b'2', b""))), none(&["top/a.tf"]));
    assert_eq!(tops(one(Tar::default().entry(b"topping/b.tf", b'0', b""))), none(&["top/a.tf", "topping/b.tf"]));
    assert_eq!(tops(Tar::default().entry(b"top/", b'5', b"")), none(&[]), "an empty folder stays a folder");
    assert_eq!(tops(Tar::default().entry(b"a.tf", b'0', b"")), none(&["a.tf"]));
    // Only one level.
    assert_eq!(tops(Tar::default().entry(b"top/m/a.tf", b'0', b"")), top(&["m/a.tf"]));
}

#[test]
fn stripping_may_make_paths_collide() {
    let tar = Tar::default().entry(b"x/a.tf", b'0', b"").entry(b"y/a.tf", b'0', b"").end();
    assert_eq!(texts(&read_tar(tar.clone(), &small()).unwrap()).len(), 2);
    let payload = overfold_cli::source::Payload::archive(overfold_cli::source::ArchiveFormat::Tar, tar.into());
    assert_refused(read(payload.strip_components(Some(1)), &small()), "duplicate-path", "\"a.tf\"");
}

#[test]
fn folders_may_repeat_but_not_be_files() {
    let folders = Tar::default().entry(b"m", b'5', b"").entry(b"m/", b'5', b"").entry(b"./m/x.tf", b'0', b"");
    let upload = read_tar(folders.entry(b"a.tf", b'0', b"").end(), &small()).unwrap();
    assert_eq!(special(&upload), ["m Folder"]);
    let both = Tar::default().entry(b"m", b'5', b"").entry(b"m", b'0', b"").end();
    assert_refused(read_tar(both, &small()), "file-and-folder", "\"m\"");
    let link_as_folder = Tar::default().entry(b"m", b'2', b"").entry(b"m/x.tf", b'0', b"").end();
    assert_refused(read_tar(link_as_folder, &small()), "file-and-folder", "\"m\"");
    let link_twice = Tar::default().entry(b"m", b'2', b"").entry(b"m", b'0', b"").end();
    assert_refused(read_tar(link_twice, &small()), "duplicate-path", "\"m\"");
}

//! Archives as the body and as a part of a form: the same files yield the same answer in every form.

use std::io::Write as _;

use serde_json::json;

use super::bodies::{form, gzip};
use super::limits::assert_over;
use super::{Answer, post, post_to};

const MAIN: &[u8] = b"locals {\n  a = 1\n}\n";
const FILES: &[(&str, &[u8])] = &[("main.tf", MAIN), ("sub/odd.txt", b"\xff\x00")];

pub(super) fn tar(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = tar::Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        out.append_data(&mut header, path, *content).unwrap();
    }
    out.into_inner().unwrap()
}

fn zip(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut out = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (path, content) in files {
        out.start_file(*path, zip::write::SimpleFileOptions::default()).unwrap();
        out.write_all(content).unwrap();
    }
    out.finish().unwrap().into_inner()
}

async fn as_json(options: serde_json::Value) -> Answer {
    let mut request = options;
    request["files"] = json!({"main.tf": String::from_utf8_lossy(MAIN), "sub/odd.txt": {"base64": "/wA="}});
    post("application/json", request.to_string()).await
}

/// Returns archive bodies with these files, one for each media type.
pub(super) fn bodies(files: &[(&str, &[u8])]) -> Vec<(&'static str, Vec<u8>)> {
    let tar = tar(files);
    vec![
        ("application/gzip", gzip(&tar)),
        ("application/x-gzip", gzip(&tar)),
        ("application/x-tar+gzip", gzip(&tar)),
        ("application/zstd", zstd::encode_all(&*tar, 3).unwrap()),
        ("application/x-tar", tar),
        ("application/zip", zip(files)),
    ]
}

#[tokio::test]
async fn every_archive_form_gives_the_answer_of_the_same_json() {
    let same = as_json(json!({"include": ["config", "files"], "version": "1.11"})).await;
    assert_eq!(same.status, 200);
    for (content_type, body) in bodies(FILES) {
        let answer = post_to("/v1/merge?include=config,files&version=1.11", content_type, body.clone()).await;
        assert_eq!(String::from_utf8_lossy(&answer.body), String::from_utf8_lossy(&same.body), "{content_type}");
        assert_eq!(answer.header("etag"), same.header("etag"), "{content_type}");
        let options: &[u8] = br#"{"include": ["files", "config"], "version": "1.11"}"#;
        let (form_type, form) = form(&[("archive", Some("any"), &body), ("options", None, options)]);
        let answer = post(&form_type, form).await;
        assert_eq!(
            String::from_utf8_lossy(&answer.body),
            String::from_utf8_lossy(&same.body),
            "form: {content_type}"
        );
    }
}

#[tokio::test]
async fn the_top_folder_of_an_archive_is_stripped_by_default() {
    let files: Vec<(String, &[u8])> =
        FILES.iter().map(|(path, content)| (format!("repo-1/{path}"), *content)).collect();
    let files: Vec<(&str, &[u8])> = files.iter().map(|(path, content)| (path.as_str(), *content)).collect();
    let same = as_json(json!({})).await;
    for (content_type, body) in bodies(&files) {
        for query in ["", "?strip_components=1", "?strip_components=0&root=repo-1"] {
            let answer = post_to(&format!("/v1/merge{query}"), content_type, body.clone()).await;
            assert_eq!(answer.status, 200, "{content_type} {query}");
            assert_eq!(answer.json()["diagnostics"], same.json()["diagnostics"], "{content_type} {query}");
            assert_eq!(answer.json()["module"]["config"], same.json()["module"]["config"], "{content_type} {query}");
        }
        let gone = post_to("/v1/merge?strip_components=9", content_type, body.clone()).await;
        gone.problem(422, "nothing-left");
    }
}

#[tokio::test]
async fn query_options_are_strict() {
    for (query, status, code) in [
        ("nonsense=1", 400, "unknown-option"),
        ("root=a&root=b", 400, "duplicate-key"),
        ("recursive=yes", 400, "bad-option"),
        ("variables=1", 400, "bad-option"),
        ("variables={\"args\":[{}]}", 400, "bad-option"),
        ("root=nowhere", 422, "root-not-found"),
        ("paths=a.tf", 400, "bad-option"),
        ("root=..", 400, "bad-path"),
    ] {
        let query = query.replace('{', "%7B").replace('}', "%7D").replace('"', "%22");
        let answer = post_to(&format!("/v1/merge?{query}"), "application/x-tar", tar(FILES)).await;
        assert_eq!(answer.json()["code"], code, "{query}");
        answer.problem(status, code);
    }
}

#[tokio::test]
async fn damaged_archives_are_reported() {
    for (content_type, body) in bodies(FILES) {
        let cut = post(content_type, body[..body.len() / 3].to_vec()).await;
        assert_eq!(cut.status, 400, "{content_type}: {}", cut.json());
        let code = cut.json()["code"].as_str().unwrap().to_owned();
        assert!(["truncated-archive", "malformed-archive"].contains(&code.as_str()), "{content_type}: {code}");
        cut.problem(400, &code);
        let noise = post(content_type, "this is no archive at all, whatever the header says".repeat(30)).await;
        assert_eq!(noise.status, 400, "{content_type}: {}", noise.json());
    }
    let (form_type, body) = form(&[("archive", Some("any"), b"this is no archive")]);
    post(&form_type, body).await.problem(415, "unknown-archive-format");
}

#[tokio::test]
async fn refused_entries_are_reported() {
    for (files, code) in [
        (&[("a.tf", &b""[..]), ("a.tf", b"")][..], "duplicate-path"),
        (&[("a", b""), ("a/b.tf", b"")], "file-and-folder"),
    ] {
        for (content_type, body) in [("application/x-tar", tar(files)), ("application/x-gzip", gzip(&tar(files)))] {
            post(content_type, body).await.problem(400, code);
        }
    }
    // The tar writer rejects such a name, so it replaces a harmless one afterwards.
    let mut climbing = tar(&[("xx/a.tf", b"")]);
    climbing[..2].copy_from_slice(b"..");
    let sum: u32 = climbing[..512]
        .iter()
        .enumerate()
        .map(|(at, b)| if (148..156).contains(&at) { 32 } else { u32::from(*b) })
        .sum();
    climbing[148..156].copy_from_slice(format!("{sum:06o}\0 ").as_bytes());
    post("application/x-tar", climbing).await.problem(400, "bad-path");
}

#[tokio::test]
async fn an_archive_is_limited_however_well_it_packs() {
    let limits = overfold_cli::settings::Settings::for_testing().limits;
    let file = vec![b'#'; usize::try_from(limits.request.max_file_bytes).unwrap()];
    let names: Vec<String> = (0..20).map(|n| format!("f{n}.tf")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &*file)).collect();
    let large = [file.as_slice(), b"#"].concat();
    for (content_type, body) in
        bodies(&many).into_iter().filter(|(content_type, _)| *content_type != "application/x-tar")
    {
        let answer = post(content_type, body).await;
        assert_over(&answer, "max-unpacked-bytes", limits.body.max_unpacked_bytes);
    }
    for (content_type, body) in bodies(&[("main.tf", &large)]) {
        assert_over(&post(content_type, body).await, "max-file-bytes", limits.request.max_file_bytes);
    }
    let names: Vec<String> = (0..=limits.request.max_entries).map(|n| format!("f{n}.tf")).collect();
    let many: Vec<(&str, &[u8])> = names.iter().map(|name| (name.as_str(), &b""[..])).collect();
    for (content_type, body) in bodies(&many) {
        assert_over(&post(content_type, body).await, "max-entries", limits.request.max_entries);
    }
}

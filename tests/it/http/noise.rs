//! Whatever bytes arrive, the answer is well-formed or a well-formed problem, never an internal error.

use proptest::prelude::*;
use serde_json::Value;

use super::bodies::{form, gzip};
use super::{Answer, post_to};

fn types() -> impl Strategy<Value = &'static str> {
    prop::sample::select(vec![
        "application/json",
        "application/x-tar",
        "application/gzip",
        "application/zstd",
        "application/zip",
        "multipart/form-data; boundary=XX",
        "text/plain",
    ])
}

/// Returns a body that the reader of this content type accepts, to be damaged.
fn sound(content_type: &str) -> Vec<u8> {
    let text = b"resource \"a\" \"b\" {\n  c = \"${[for x in y : x]...}\"\n}\n";
    let mut tar = tar::Builder::new(Vec::new());
    let mut header = tar::Header::new_gnu();
    header.set_size(text.len() as u64);
    tar.append_data(&mut header, "main.tf", &text[..]).unwrap();
    let tar = tar.into_inner().unwrap();
    match content_type {
        "application/x-tar" => tar,
        "application/gzip" => gzip(&tar),
        "application/zstd" => zstd::encode_all(&*tar, 1).unwrap(),
        "application/zip" => {
            let mut zip = zip::ZipWriter::new(std::io::Cursor::new(Vec::new()));
            zip.start_file("main.tf", zip::write::SimpleFileOptions::default()).unwrap();
            std::io::Write::write_all(&mut zip, text).unwrap();
            zip.finish().unwrap().into_inner()
        }
        "multipart/form-data; boundary=XX" => form(&[("files", Some("main.tf"), text), ("options", None, b"{}")]).1,
        _ => br#"{"files": {"main.tf": "locals {\n a = 1 + \n}"}, "variables": {"args": [{"var": "a=1"}]},
                  "include": ["config", "objects", "variables", "files"]}"#
            .to_vec(),
    }
}

fn ask(query: &str, content_type: &str, body: Vec<u8>) -> Answer {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
    runtime.block_on(post_to(&format!("/v1/merge{query}"), content_type, body))
}

fn well_formed(answer: &Answer) {
    let json: Value = answer.json();
    match answer.status.as_u16() {
        200 => assert!(json["valid"].is_boolean() && json["diagnostics"].is_array(), "{json}"),
        400 | 413 | 415 | 422 => {
            let code = json["code"].as_str().unwrap().to_owned();
            answer.problem(answer.status.as_u16(), &code);
        }
        other => assert_eq!(other, 200, "{json}"),
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn any_bytes(content_type in types(), body in prop::collection::vec(any::<u8>(), 0..600)) {
        well_formed(&ask("", content_type, body));
    }

    #[test]
    fn damaged_bodies(content_type in types(), edits in prop::collection::vec((any::<prop::sample::Index>(), any::<u8>()), 1..6)) {
        let mut body = sound(content_type);
        for (at, byte) in edits {
            let at = at.index(body.len());
            body[at] = byte;
        }
        well_formed(&ask("", content_type, body));
    }

    #[test]
    fn any_query(query in "[ -~&&[^#]]{0,60}") {
        let query: String = query.replace(' ', "+").chars().filter(|c| !"\"<>\\^`{}|".contains(*c)).collect();
        well_formed(&ask(&format!("?{query}"), "application/x-tar", sound("application/x-tar")));
    }
}

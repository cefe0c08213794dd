//! Content types, content encodings and unreadable bodies.

use std::io::Write as _;

use axum::body::Body;
use axum::http::Request;

use super::{app, post, post_to, send};

const REQUEST: &str = r#"{"files": {"main.tf": "locals {\n  a = 1\n}\n"}, "include": ["config"]}"#;

pub(super) fn gzip(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn deflate(bytes: &[u8]) -> Vec<u8> {
    let mut out = flate2::write::ZlibEncoder::new(Vec::new(), flate2::Compression::fast());
    out.write_all(bytes).unwrap();
    out.finish().unwrap()
}

fn br(bytes: &[u8]) -> Vec<u8> {
    let mut out = Vec::new();
    brotli::CompressorWriter::new(&mut out, 4096, 5, 22).write_all(bytes).unwrap();
    out
}

async fn encoded(coding: &str, body: Vec<u8>) -> super::Answer {
    let request = Request::post("/v1/merge")
        .header("content-type", "application/json")
        .header("content-encoding", coding)
        .body(Body::from(body))
        .unwrap();
    send(&app(), request).await
}

#[tokio::test]
async fn json_is_read_with_and_without_a_charset() {
    for content_type in ["application/json", "application/json; charset=utf-8", "Application/JSON;charset=\"UTF-8\""]
    {
        let answer = post(content_type, REQUEST).await;
        assert_eq!(answer.status, 200, "{content_type}: {:?}", String::from_utf8_lossy(&answer.body));
    }
}

#[tokio::test]
async fn each_content_encoding_is_undone() {
    let plain = post("application/json", REQUEST).await;
    let zstd = zstd::encode_all(REQUEST.as_bytes(), 3).unwrap();
    for (coding, body) in [
        ("gzip", gzip(REQUEST.as_bytes())),
        ("GZIP", gzip(REQUEST.as_bytes())),
        ("x-gzip", gzip(REQUEST.as_bytes())),
        ("deflate", deflate(REQUEST.as_bytes())),
        ("br", br(REQUEST.as_bytes())),
        ("zstd", zstd),
        ("identity", REQUEST.as_bytes().to_vec()),
    ] {
        let answer = encoded(coding, body).await;
        assert_eq!(answer.status, 200, "{coding}: {:?}", String::from_utf8_lossy(&answer.body));
        assert_eq!(answer.body, plain.body, "{coding}");
        assert_eq!(answer.header("etag"), plain.header("etag"), "{coding}");
    }
}

#[tokio::test]
async fn other_content_encodings_are_refused() {
    for coding in ["compress", "gzip, br", "nonsense"] {
        let answer = encoded(coding, gzip(REQUEST.as_bytes())).await;
        answer.problem(415, "unsupported-encoding");
        assert_eq!(answer.header("accept-encoding"), "gzip, zstd, br, deflate", "{coding}");
    }
    let twice = Request::post("/v1/merge")
        .header("content-type", "application/json")
        .header("content-encoding", "gzip")
        .header("content-encoding", "br")
        .body(Body::from(REQUEST))
        .unwrap();
    send(&app(), twice).await.problem(415, "unsupported-encoding");
}

#[tokio::test]
async fn damaged_encodings_are_reported() {
    let mut cut = gzip(REQUEST.as_bytes());
    cut.truncate(cut.len() / 2);
    encoded("gzip", cut).await.problem(400, "malformed-body");
    for coding in ["gzip", "zstd", "br", "deflate"] {
        encoded(coding, REQUEST.as_bytes().to_vec()).await.problem(400, "malformed-body");
    }
}

/// Two readers of one body must not see different texts: what is rejected in an archive is rejected in a content
/// encoding.
#[tokio::test]
async fn encoded_bodies_are_read_to_their_last_byte() {
    let (head, tail) = REQUEST.as_bytes().split_at(20);
    let zstd = |bytes: &[u8]| zstd::encode_all(bytes, 3).unwrap();
    let plain = post("application/json", REQUEST).await;
    for (coding, body) in [
        ("gzip", [gzip(head), gzip(tail)].concat()),
        ("gzip", [gzip(head), gzip(b""), gzip(tail)].concat()),
        ("zstd", [zstd(head), zstd(tail)].concat()),
        // A skippable frame (RFC 8878, 3.1.2) has no content.
        ("zstd", [&zstd(head)[..], b"\x50\x2a\x4d\x18\x02\0\0\0xx", &zstd(tail)].concat()),
    ] {
        let answer = encoded(coding, body).await;
        assert_eq!(answer.body, plain.body, "{coding}");
    }
    for (coding, whole) in [
        ("gzip", gzip(REQUEST.as_bytes())),
        ("zstd", zstd(REQUEST.as_bytes())),
        ("br", br(REQUEST.as_bytes())),
        ("deflate", deflate(REQUEST.as_bytes())),
    ] {
        for rubbish in [&b"x"[..], b"\0", b"\x1f", b"\x1f\x8b", b"garbage behind the end", &[b' '; 10_000]] {
            encoded(coding, [&whole[..], rubbish].concat()).await.problem(400, "malformed-body");
        }
        for cut in [1, whole.len() / 2, whole.len() - 1] {
            encoded(coding, whole[..cut].to_vec()).await.problem(400, "malformed-body");
        }
        encoded(coding, Vec::new()).await.problem(400, "malformed-body");
    }
    let tar = tar::Builder::new(Vec::new()).into_inner().unwrap();
    for (archive, whole) in [("application/gzip", gzip(&tar)), ("application/zstd", zstd(&tar))] {
        assert_eq!(post(archive, [&whole[..], &whole].concat()).await.status, 200, "{archive}");
        for rubbish in [&b"x"[..], b"\0", b"\x1f", b"\x1f\x8b", b"garbage behind the end", &[b' '; 10_000]] {
            assert_eq!(post(archive, [&whole[..], rubbish].concat()).await.status, 400, "{archive}: {rubbish:.10?}");
        }
    }
    for (coding, whole) in [("gzip", gzip(head)), ("zstd", zstd(head))] {
        let cut = [&whole[..], &whole[..whole.len() - 1]].concat();
        encoded(coding, cut).await.problem(400, "malformed-body");
    }
}

/// The same if the body arrives byte by byte: the end of a member is then the end of the received data.
#[tokio::test]
async fn encoded_bodies_may_come_in_any_pieces() {
    let (head, tail) = REQUEST.as_bytes().split_at(20);
    let two = [gzip(head), gzip(tail)].concat();
    for (body, status) in [(two.clone(), 200), ([&two[..], b"x"].concat(), 400)] {
        let pieces = body.into_iter().map(|byte| Ok::<_, std::io::Error>(axum::body::Bytes::from(vec![byte])));
        let request = Request::post("/v1/merge")
            .header("content-type", "application/json")
            .header("content-encoding", "gzip")
            .body(Body::from_stream(futures_util::stream::iter(pieces.collect::<Vec<_>>())));
        assert_eq!(send(&app(), request.unwrap()).await.status, status);
    }
}

/// A decoder allocates memory for the window that a body requests; these request more than the codings permit in HTTP.
#[tokio::test]
async fn windows_that_no_content_encoding_has_are_refused() {
    // A frame with a window of 16 MiB, one raw block (RFC 8878, 3.1.1).
    let mut frame = b"\x28\xb5\x2f\xfd\0".to_vec();
    frame.push((24 - 10) << 3);
    frame.extend_from_slice(&u32::try_from(REQUEST.len() << 3 | 1).unwrap().to_le_bytes()[..3]);
    frame.extend_from_slice(REQUEST.as_bytes());
    encoded("zstd", frame.clone()).await.problem(400, "malformed-body");
    frame[5] = (23 - 10) << 3;
    assert_eq!(encoded("zstd", frame).await.status, 200);
    let mut wide = Vec::new();
    let params = brotli::enc::BrotliEncoderParams { lgwin: 28, large_window: true, ..Default::default() };
    brotli::BrotliCompress(&mut REQUEST.as_bytes(), &mut wide, &params).unwrap();
    encoded("br", wide).await.problem(400, "malformed-body");
}

#[tokio::test]
async fn other_content_types_are_refused() {
    for content_type in ["text/plain", "application/xml", "nonsense", "application/json; charset=latin1", "image/*"] {
        let problem = post(content_type, REQUEST).await.problem(415, "unsupported-media-type");
        assert!(problem["detail"].as_str().unwrap().contains("application/x-tar"), "{problem}");
    }
    let none = Request::post("/v1/merge").body(Body::from(REQUEST)).unwrap();
    send(&app(), none).await.problem(415, "unsupported-media-type");
}

#[tokio::test]
async fn bodies_other_than_request_objects_are_reported() {
    for (body, code) in [
        (&b""[..], "malformed-body"),
        (b"{", "malformed-body"),
        (b"{} {}", "bad-option"),
        (br#"{"files":{}} x"#, "malformed-body"),
        (b"[]", "bad-option"),
        (b"null", "bad-option"),
        (b"{}", "bad-option"),
        (br#"{"files":[]}"#, "bad-option"),
        (b"{\"files\":{\"a\xff.tf\":\"\"}}", "not-utf8"),
        (b"{\"files\":{\"a.tf\":\"\xff\"}}", "not-utf8"),
        (br#"{"files":{"a.tf":"\ud800"}}"#, "malformed-body"),
    ] {
        let shown = String::from_utf8_lossy(body).into_owned();
        let answer = post("application/json", body.to_vec()).await;
        assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str().unwrap()), (400, code), "{shown}");
        answer.problem(400, code);
    }
}

#[tokio::test]
async fn json_requests_take_no_query() {
    post_to("/v1/merge?root=a", "application/json", REQUEST).await.problem(400, "unknown-option");
    assert_eq!(post_to("/v1/merge?", "application/json", REQUEST).await.status, 200);
}

/// Builds a form with these parts: name, file name, content.
pub(super) fn form(parts: &[(&str, Option<&str>, &[u8])]) -> (String, Vec<u8>) {
    let mut body = Vec::new();
    for (name, file, content) in parts {
        let file = file.map(|file| format!("; filename=\"{file}\"")).unwrap_or_default();
        write!(body, "--XX\r\nContent-Disposition: form-data; name=\"{name}\"{file}\r\n\r\n").unwrap();
        body.extend_from_slice(content);
        body.extend_from_slice(b"\r\n");
    }
    body.extend_from_slice(b"--XX--\r\n");
    ("multipart/form-data; boundary=XX".to_owned(), body)
}

async fn post_form(parts: &[(&str, Option<&str>, &[u8])]) -> super::Answer {
    let (content_type, body) = form(parts);
    post(&content_type, body).await
}

#[tokio::test]
async fn a_form_of_files_is_answered_like_the_same_json() {
    let answer = post_form(&[
        ("files", Some("modules/net/main.tf"), b"locals {\n  a = 1\n}\n"),
        ("options", None, br#"{"root": "modules/net", "include": ["config", "files"]}"#),
        ("files", Some("modules/net/caf\u{e9}.tf"), b"locals {\n  b = \"\xff\"\n}\n"),
    ])
    .await;
    assert_eq!(answer.status, 200, "{}", String::from_utf8_lossy(&answer.body));
    let same = post(
        "application/json",
        r#"{"files": {"modules/net/café.tf": {"base64": "bG9jYWxzIHsKICBiID0gIv8iCn0K"},
                      "modules/net/main.tf": "locals {\n  a = 1\n}\n"},
            "root": "modules/net", "include": ["files", "config"]}"#,
    )
    .await;
    assert_eq!(String::from_utf8_lossy(&answer.body), String::from_utf8_lossy(&same.body));
    assert_eq!(answer.header("etag"), same.header("etag"));
}

#[tokio::test]
async fn forms_that_cannot_be_read_are_reported() {
    let file = ("files", Some("main.tf"), &b""[..]);
    for (parts, code) in [
        (vec![], "malformed-body"),
        (vec![("options", None, &b"{}"[..])], "malformed-body"),
        (vec![("files", None, &b""[..])], "malformed-body"),
        (vec![file, ("archive", Some("a.tar"), b"")], "malformed-body"),
        (vec![file, ("nonsense", None, b"")], "unknown-option"),
        (vec![file, ("options", None, b"{}"), ("options", None, b"{}")], "duplicate-key"),
        (vec![file, ("options", None, b"{\"files\": {}}")], "unknown-option"),
        (vec![file, ("options", None, b"{")], "malformed-body"),
        (vec![file, file], "duplicate-path"),
        (vec![file, ("files", Some("./main.tf"), b"")], "duplicate-path"),
        (vec![("files", Some("../main.tf"), b"")], "bad-path"),
    ] {
        let answer = post_form(&parts).await;
        assert_eq!((answer.status.as_u16(), answer.json()["code"].as_str().unwrap()), (400, code), "{parts:?}");
    }
    let (content_type, mut body) = form(&[file]);
    body.truncate(body.len() - 10);
    post(&content_type, body).await.problem(400, "malformed-body");
    post("multipart/form-data", "x").await.problem(400, "malformed-body");
    post_to("/v1/merge?root=a", &content_type, form(&[file]).1).await.problem(400, "unknown-option");
}

//! The example is true: `examples/request.json` holds the files of `examples/web`, and they merge without an error.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;

use overfold::transport::{JsonFiles, Limits, Payload, read, read_path};

const FOLDER: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/web");
const REQUEST: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/request.json");

/// The request object with the files as they are on disk.
fn request() -> String {
    let upload = read_path(Path::new(FOLDER), None, &Limits::default()).unwrap();
    let mut text = "{\n  \"files\": {\n".to_owned();
    let files = upload.files.files();
    for (at, file) in files.iter().enumerate() {
        let quoted = |bytes: &[u8]| serde_json::to_string(std::str::from_utf8(bytes).unwrap()).unwrap();
        let comma = if at + 1 < files.len() { "," } else { "" };
        writeln!(text, "    {}: {}{comma}", quoted(file.path.as_str().as_bytes()), quoted(&file.bytes)).unwrap();
    }
    text + "  },\n  \"include\": [\"config\", \"objects\"]\n}\n"
}

#[test]
fn the_request_holds_the_files() {
    let wanted = request();
    if fs::read_to_string(REQUEST).unwrap_or_default() != wanted {
        let made = Path::new(env!("CARGO_TARGET_TMPDIR")).join("request.json");
        fs::write(&made, wanted).unwrap();
        panic!("examples/request.json is not made from examples/web any more: cp {} {REQUEST}", made.display());
    }
}

#[test]
fn the_request_merges_without_an_error() {
    #[derive(serde::Deserialize)]
    struct Request {
        files: JsonFiles,
    }
    let request: Request = serde_json::from_str(&fs::read_to_string(REQUEST).unwrap()).unwrap();
    let files = read(Payload::json(request.files), &Limits::default()).unwrap().files;
    assert!(files.files().len() > 9, "the files of the example");
    let report = overfold::pipeline::run(
        &files,
        &overfold::pipeline::Request {
            dialect: "terraform".to_owned(),
            version: None,
            root: String::new(),
            variables: None,
            reveal_sensitive: false,
        },
    );
    let report = report.unwrap_or_else(|error| panic!("{error}"));
    let errors: Vec<_> = report
        .diagnostics
        .iter()
        .filter(|found| found.severity == overfold::diag::Severity::Error)
        .map(|found| format!("{}: {}", found.summary, found.detail))
        .collect();
    assert!(errors.is_empty(), "{}", errors.join("\n"));
}

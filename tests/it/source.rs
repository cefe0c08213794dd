//! Uploads: every form yields the same files, every limit is enforced, hostile archives are rejected.

#![expect(clippy::indexing_slicing, clippy::panic, reason = "a test that cannot go on says so by panicking")]

mod build;
mod folders;
mod forms;
mod links;
mod paths;
mod properties;
mod tars;
mod zips;

use overfold_cli::source::{Limits, ReadError, Upload};

/// The path and the content of every file, in the order of the set.
fn texts(upload: &Upload) -> Vec<(&str, &str)> {
    let files = upload.files.files().iter();
    files.map(|file| (file.path.as_str(), std::str::from_utf8(&file.bytes).unwrap())).collect()
}

/// The path and the kind of every entry that is not a file.
fn special(upload: &Upload) -> Vec<String> {
    upload.files.special().iter().map(|entry| format!("{} {:?}", entry.path, entry.kind)).collect()
}

/// Limits that only archives made for the purpose exceed.
fn small() -> Limits {
    Limits {
        request_bytes: 1 << 20,
        unpacked_bytes: 1 << 20,
        entries: 100,
        file_bytes: 64 << 10,
        path_bytes: 200,
        path_depth: 8,
    }
}

/// The code and the message of the error.
fn refused(result: Result<Upload, ReadError>) -> (&'static str, String) {
    match result {
        Ok(upload) => panic!("read without an error: {:?}", texts(&upload)),
        Err(error) => (error.code(), error.to_string()),
    }
}

#[track_caller]
fn assert_refused(result: Result<Upload, ReadError>, code: &str, words: &str) {
    let (found, text) = refused(result);
    assert!(found == code && text.contains(words), "{found}: {text}\nwanted {code}: …{words}…");
}

//! Requests before anything is read as configuration: bodies and archives.

use bytes::Bytes;
use overfold::transport::{ArchiveFormat, JsonFiles, Limits, Payload, read};
use serde::de::DeserializeSeed as _;

use super::blocks::axes;
use super::make::{Axis, Files, file, files, word};

/// In place of a dialect: reads the member `files` of a JSON body.
pub(crate) const JSON_BODY: &str = "JSON body";
/// In place of a dialect: reads a tar.
pub(crate) const TAR: &str = "tar";

pub(crate) static JSON_BODIES: &[Axis] = axes! { "JSON body":
    "JSON body: files" |size| files(size, |n| (format!("{}.tf", word(n)), "locals {\n}\n".to_owned()));
    "JSON body: folders" |size| files(size, |n| (format!("{}/{}.tf", word(n), word(n)), "locals {\n}\n".to_owned()));
    "JSON body: letters of a file" |size| file("main.tf", size, "", |_| "lorem ipsum ".to_owned(), "");
    "JSON body: escapes of a file" |size| file("main.tf", size, "", |_| "\"\\\n\u{1}".to_owned(), "");
    "JSON body: ideographs of a file" |size| file("main.tf", size, "", |_| "\u{65e5}\u{672c}".to_owned(), "");
};

pub(crate) static TARS: &[Axis] = axes! { "tar":
    "tar: files" |size| files(size, |n| (format!("{}.tf", word(n)), "locals {\n}\n".to_owned()));
    "tar: folders" |size| files(size, |n| (format!("{}/{}.tf", word(n), word(n)), "locals {\n}\n".to_owned()));
    "tar: folders 30 deep" |size| files(size, |n| (format!("{}{}.tf", format!("{}/", word(n)).repeat(30), word(n)), String::new()));
    "tar: letters of a file" |size| file("main.tf", size, "", |_| "lorem ipsum ".to_owned(), "");
};

/// Returns the files as a client sends them.
pub(crate) fn body(kind: &str, files: &Files) -> Bytes {
    if kind == JSON_BODY {
        let text = |text: &str| serde_json::to_string(text).unwrap();
        let members: Vec<String> =
            files.iter().map(|(path, content)| format!("{}:{}", text(path), text(content))).collect();
        return format!("{{{}}}", members.join(",")).into();
    }
    let mut archive = tar::Builder::new(Vec::new());
    for (path, content) in files {
        let mut header = tar::Header::new_gnu();
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, content.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap().into()
}

/// Decodes the bytes to files.
pub(crate) fn decode(kind: &str, body: &Bytes) {
    let most = u64::MAX >> 1;
    let limits = Limits { unpacked_bytes: most, entries: most, file_bytes: most, ..Limits::default() };
    let payload = if kind == JSON_BODY {
        let mut members = serde_json::Deserializer::from_slice(body);
        Payload::json(JsonFiles::seed(&limits).deserialize(&mut members).unwrap())
    } else {
        Payload::archive(ArchiveFormat::Tar, body.clone())
    };
    std::hint::black_box(read(payload, &limits).unwrap());
}

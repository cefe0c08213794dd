//! Requests before anything is read as configuration: bodies and archives.

use bytes::Bytes;
use overfold_cli::files::FileSet;
use overfold_cli::source::{ArchiveFormat, JsonFiles, Limits, Payload, read};
use serde::de::DeserializeSeed as _;

use super::blocks::axes;
use super::make::{Axis, Files, file, files, word};

/// In place of a dialect: reads the member `files` of a JSON body.
pub(crate) const JSON_BODY: &str = "JSON body";
/// In place of a dialect: reads a tar.
pub(crate) const TAR: &str = "tar";
/// The beginning of the text of a file that stands for a symbolic link; the target follows.
pub(crate) const LINK: &str = "-> ";

/// A folder with a path of 990 bytes.
fn far() -> String {
    vec!["p".repeat(32); 30].join("/")
}

/// Returns a chain of 30 links, each of which walks back and forth before the next, and links to the first.
fn walks(size: usize, folder: &str) -> Files {
    let at = |name: String| if folder.is_empty() { name } else { format!("{folder}/{name}") };
    let mut made = vec![(at("main.tf".to_owned()), String::new()), (at("d/a.tf".to_owned()), String::new())];
    made.extend((0..30).map(|n| {
        let next = if n < 29 { format!("l{}", n + 1) } else { "main.tf".to_owned() };
        (at(format!("l{n}")), format!("{LINK}{}{next}", "d/../".repeat(50)))
    }));
    made.extend(files(size, |n| (at(format!("x{}", word(n))), format!("{LINK}l0"))));
    made
}

pub(crate) static JSON_BODIES: &[Axis] = axes! { "JSON body":
    "JSON body: files" |size| files(size, |n| (format!("{}.tf", word(n)), "locals {\n}\n".to_owned()));
    "JSON body: folders" |size| files(size, |n| (format!("{}/{}.tf", word(n), word(n)), "locals {\n}\n".to_owned()));
    "JSON body: files far down" |size| files(size, |n| (format!("{}/{}", far(), word(n)), String::new()));
    "JSON body: letters of a file" |size| file("main.tf", size, "", |_| "lorem ipsum ".to_owned(), "");
    "JSON body: escapes of a file" |size| file("main.tf", size, "", |_| "\"\\\n\u{1}".to_owned(), "");
    "JSON body: ideographs of a file" |size| file("main.tf", size, "", |_| "\u{65e5}\u{672c}".to_owned(), "");
};

pub(crate) static TARS: &[Axis] = axes! { "tar":
    "tar: files" |size| files(size, |n| (format!("{}.tf", word(n)), "locals {\n}\n".to_owned()));
    "tar: folders" |size| files(size, |n| (format!("{}/{}.tf", word(n), word(n)), "locals {\n}\n".to_owned()));
    "tar: folders 30 deep" |size| files(size, |n| (format!("{}{}.tf", format!("{}/", word(n)).repeat(30), word(n)), String::new()));
    "tar: links" |size| walks(size, "");
    "tar: links far down" |size| walks(size, &far());
    "tar: links with long ways" |size| {
        let mut made = vec![("m/a.tf".to_owned(), String::new())];
        made.extend(files(size, |n| (word(n), format!("{LINK}{}m/a.tf", "m/../".repeat(150)))));
        made
    };
    "tar: links from one to the next" |size| {
        let mut made = vec![("m/a.tf".to_owned(), String::new())];
        made.extend(files(size, |n| (format!("l{n}"), format!("{LINK}{}", if n % 39 == 0 { "m".to_owned() } else { format!("l{}", n - 1) }))));
        made
    };
    "tar: links in a circle" |size| {
        let count = size / 16;
        files(size, |n| (format!("l{n}"), format!("{LINK}l{}/x", if n < count { n + 1 } else { 0 })))
    };
    "tar: files far down" |size| files(size, |n| (format!("{}/{}", far(), word(n)), String::new()));
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
        if let Some(target) = content.strip_prefix(LINK) {
            header.set_entry_type(tar::EntryType::Symlink);
            header.set_size(0);
            archive.append_link(&mut header, path, target).unwrap();
            continue;
        }
        header.set_size(content.len() as u64);
        header.set_mode(0o644);
        archive.append_data(&mut header, path, content.as_bytes()).unwrap();
    }
    archive.into_inner().unwrap().into()
}

/// Decodes the bytes to files.
pub(crate) fn decode(kind: &str, body: &Bytes) {
    if kind == JSON_BODY {
        let limits = limits();
        let mut members = serde_json::Deserializer::from_slice(body);
        let payload = Payload::json(JsonFiles::seed(&limits).deserialize(&mut members).unwrap());
        std::hint::black_box(read(payload, &limits).unwrap());
    } else {
        std::hint::black_box(read_tar(body));
    }
}

/// Returns the files of a tar.
pub(crate) fn read_tar(body: &Bytes) -> FileSet {
    read(Payload::archive(ArchiveFormat::Tar, body.clone()), &limits()).unwrap().files
}

/// Limits on sizes only where a size does not grow.
fn limits() -> Limits {
    let most = u64::MAX >> 1;
    Limits { unpacked_bytes: most, entries: most, file_bytes: most, ..Limits::default() }
}

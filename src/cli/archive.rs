//! A module directory as the body of a request: an archive file as it is, a folder as an archive.

use std::collections::HashSet;
use std::error::Error;
use std::fs;
use std::path::Path;

use bytes::Bytes;
use tar::{Builder, EntryType, Header};

use overfold_base::files::{FileSet, SpecialKind};
use overfold_source::{self as source, ArchiveFormat, Limits};

/// Returns the media type and the bytes of an archive file, or of a folder as an archive: the same folder gives the same
/// bytes. Folders in which tools keep their own data are left out, and so are files with a state, which is full of secrets
/// and which nothing here reads.
///
/// # Errors
/// Returns an error for people if it cannot be read, is not an archive, or is over a limit.
pub(super) fn pack(path: &Path, limits: &Limits) -> Result<(&'static str, Bytes), Box<dyn Error>> {
    let meta = fs::metadata(path)?;
    let (format, bytes) = if meta.is_dir() {
        let wanted = |name: &str| !name.contains(".tfstate");
        let files = source::read_path(path, None, &wanted, limits)?.files;
        let plain = packed(path, &files)?;
        (ArchiveFormat::TarZstd, zstd::bulk::compress(&plain, 0)?)
    } else {
        // What is too large is not read.
        check(meta.len(), limits)?;
        let bytes = fs::read(path)?;
        (ArchiveFormat::sniff(&bytes).ok_or("it is neither a folder nor an archive")?, bytes)
    };
    check(bytes.len() as u64, limits)?;
    Ok((format.media_type(), bytes.into()))
}

/// Returns the media type and the bytes of a form with two module directories, each as [`pack`] makes it, and the options.
///
/// # Errors
/// As [`pack`]; the limit is that of both together.
pub(super) fn pair(
    before: &Path,
    after: &Path,
    options: &str,
    limits: &Limits,
) -> Result<(String, Bytes), Box<dyn Error>> {
    let side = |path: &Path| pack(path, limits).map_err(|error| format!("{}: {error}", path.display()));
    let ((before_type, before), (after_type, after)) = (side(before)?, side(after)?);
    // What the parts have decides what is between them, so that equal ones make equal bodies, and nothing in them can look
    // like it.
    let mut digest = blake3::Hasher::new();
    for part in [&before, &after, options.as_bytes()] {
        digest.update(&(part.len() as u64).to_be_bytes()).update(part);
    }
    let boundary = digest.finalize().to_hex();
    let mut body = Vec::with_capacity(before.len() + after.len() + options.len() + 1024);
    for (name, media_type, content) in [
        ("options", "application/json", options.as_bytes()),
        ("before", before_type, &*before),
        ("after", after_type, &*after),
    ] {
        let disposition = format!("Content-Disposition: form-data; name=\"{name}\"; filename=\"{name}\"");
        body.extend(format!("--{boundary}\r\n{disposition}\r\nContent-Type: {media_type}\r\n\r\n").into_bytes());
        body.extend_from_slice(content);
        body.extend(b"\r\n");
    }
    body.extend(format!("--{boundary}--\r\n").into_bytes());
    check(body.len() as u64, limits)?;
    Ok((format!("multipart/form-data; boundary={boundary}"), body.into()))
}

fn check(bytes: u64, limits: &Limits) -> Result<(), String> {
    if bytes > limits.request_bytes {
        return Err(format!("it is over the limit max-request-bytes of {} bytes", limits.request_bytes));
    }
    Ok(())
}

/// Returns a tar archive from which the service reads the files of this folder as they were read here: with links to folders,
/// links that lead nowhere, empty folders, and what has no content.
fn packed(folder: &Path, files: &FileSet) -> std::io::Result<Vec<u8>> {
    let mut archive = Builder::new(Vec::new());
    for file in files.files().iter().filter(|file| !files.is_unread(file.path.as_str())) {
        let mut header = header(EntryType::Regular, file.bytes.len());
        archive.append_data(&mut header, file.path.as_str(), &*file.bytes)?;
    }
    let linked: HashSet<&str> = files.linked_folders().map(|(link, _)| link).collect();
    for (link, real) in files.linked_folders() {
        let up = "../".repeat(link.matches('/').count());
        archive.append_link(&mut header(EntryType::Symlink, 0), link, format!("{up}{real}"))?;
    }
    for entry in files.special() {
        let path = entry.path.as_str();
        match entry.kind {
            // A link to a folder counts as a folder, too.
            SpecialKind::Folder if linked.contains(path) => {}
            SpecialKind::Folder => archive.append_data(&mut header(EntryType::Directory, 0), path, &[][..])?,
            SpecialKind::Device => archive.append_data(&mut header(EntryType::Fifo, 0), path, &[][..])?,
            SpecialKind::Link => {
                // The text of a link is kept only if it is valid.
                let target = fs::read_link(folder.join(path))?;
                archive.append_link(&mut header(EntryType::Symlink, 0), path, target)?;
            }
        }
    }
    archive.into_inner()
}

fn header(kind: EntryType, size: usize) -> Header {
    let mut header = Header::new_gnu();
    header.set_entry_type(kind);
    header.set_size(size as u64);
    header.set_mode(0o644);
    header
}

#[cfg(all(test, unix))]
mod tests {
    use std::os::unix::fs::symlink;

    use super::*;

    const LIMITS: Limits = Limits {
        request_bytes: 1 << 20,
        unpacked_bytes: 1 << 20,
        entries: 1000,
        file_bytes: 1 << 20,
        path_bytes: 1024,
        path_depth: 64,
    };

    /// Everything that is known of a set of files, but the words for why a link leads nowhere.
    fn shown(files: &FileSet) -> Vec<String> {
        let read = files.files().iter().filter(|file| !files.is_unread(file.path.as_str()));
        let special = files.special().iter();
        let mut lines: Vec<String> = read.map(|file| format!("{} {:?}", file.path, file.bytes)).collect();
        lines.extend(special.map(|entry| format!("{} {:?} {:?}", entry.path, entry.kind, entry.target)));
        lines.extend(files.linked_folders().map(|(link, real)| format!("{link} -> {real}")));
        lines
    }

    #[test]
    fn an_archive_of_a_folder_is_read_as_the_folder() {
        let (folder, outside) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
        let at = |name: &str| folder.path().join(name);
        for name in ["modules/own", "empty", ".git", "deep/er"] {
            fs::create_dir_all(at(name)).unwrap();
        }
        fs::write(at("main.tf"), "locals {}\n").unwrap();
        fs::write(at("modules/own/main.tf"), "# own\n").unwrap();
        fs::write(at(".git/config"), "not sent").unwrap();
        fs::write(at("terraform.tfstate"), "not sent").unwrap();
        fs::write(outside.path().join("shared.tf"), "# shared\n").unwrap();
        symlink("main.tf", at("same.tf")).unwrap();
        symlink(at("modules/own"), at("deep/er/linked")).unwrap();
        symlink("../modules", at("deep/all")).unwrap();
        symlink("nowhere.tf", at("broken.tf")).unwrap();
        symlink("x".repeat(2000), at("long.tf")).unwrap();
        symlink(outside.path(), at("out")).unwrap();
        std::os::unix::net::UnixListener::bind(at("socket.tf")).unwrap();

        let here = source::read_path(folder.path(), None, &|name| !name.contains(".tfstate"), &LIMITS).unwrap();
        let (media_type, bytes) = pack(folder.path(), &LIMITS).unwrap();
        assert_eq!(media_type, "application/zstd");
        assert_eq!(pack(folder.path(), &LIMITS).unwrap().1, bytes);
        let payload = source::Payload::archive(ArchiveFormat::TarZstd, bytes);
        let there = source::read(payload, &LIMITS).unwrap();
        assert_eq!(shown(&there.files), shown(&here.files));
        let lines = shown(&here.files);
        assert!(lines.iter().any(|line| line == "deep/er/linked -> modules/own"), "{lines:#?}");
        assert!(lines.iter().any(|line| line.starts_with("out/shared.tf ")), "{lines:#?}");
        assert!(!lines.iter().any(|line| line.contains("not sent")), "{lines:#?}");
    }

    #[test]
    fn what_is_no_archive_or_too_large_says_so() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("a.zip");
        let why = |bytes: &[u8], max: u64| {
            fs::write(&file, bytes).unwrap();
            pack(&file, &Limits { request_bytes: max, ..LIMITS }).unwrap_err().to_string()
        };
        assert_eq!(why(b"PK no", 1000), "it is neither a folder nor an archive");
        assert_eq!(why(&[b'P'; 1001], 1000), "it is over the limit max-request-bytes of 1000 bytes");
        assert!(pack(&folder.path().join("absent"), &LIMITS).is_err());
    }
}

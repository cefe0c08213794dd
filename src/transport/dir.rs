//! Reads a folder or an archive file on this machine, for the command line: the only place in the stages that does I/O.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "reading the folder that the command line names is this module's job"
)]

use std::ffi::OsStr;
use std::fs::{self, File};
use std::path::{Path, PathBuf};

use bytes::Bytes;
use memchr::memmem;

use super::error::TransportError;
use super::gather::{Gather, Node};
use super::limits::{Limit, Limits, read_capped};
use super::links::Target;
use super::packed::ArchiveFormat;
use super::{Payload, Upload, read};
use crate::files::SpecialKind;

/// Folders in which tools keep their own data, never configuration of the module; they are not searched.
const TOOL_FOLDERS: &[&str] = &[".git", ".hg", ".svn", ".terraform"];

/// Reads the folder, or the archive file of any supported format, at `path`. Links are followed as long as they stay
/// below `path`, which may itself be a link.
///
/// In a folder, files whose names are not `wanted` are read only if a wanted file might read them: if one mentions a
/// function that reads files, or if a link has a wanted name. Otherwise they are only listed, do not count towards any
/// limit, and their content is [not known](crate::files::FileSet::is_unread).
///
/// # Errors
/// Returns the errors of [`read`], and those of the system.
pub fn read_path(
    path: &Path,
    strip_components: Option<u32>,
    wanted: &dyn Fn(&str) -> bool,
    limits: &Limits,
) -> Result<Upload, TransportError> {
    let meta = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if meta.is_dir() {
        return read_folder(path, wanted, *limits)?.finish(strip_components, false);
    }
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let bytes = read_capped(file, limits.request_bytes, meta.len()).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > limits.request_bytes {
        return Err(TransportError::over_limit(
            Limit::RequestBytes,
            limits,
            Some(path.as_os_str().as_encoded_bytes()),
        ));
    }
    let format = ArchiveFormat::sniff(&bytes).ok_or(TransportError::UnknownFormat)?;
    read(Payload::archive(format, Bytes::from(bytes)).strip_components(strip_components), limits)
}

fn read_folder(top: &Path, wanted: &dyn Fn(&str) -> bool, limits: Limits) -> Result<Gather, TransportError> {
    let mut gather = Gather::new(limits);
    // Folders still to be read: their location, and their path below the top.
    let mut folders: Vec<(PathBuf, Vec<u8>)> = vec![(top.to_owned(), Vec::new())];
    let mut others: Vec<(PathBuf, Vec<u8>)> = Vec::new();
    let mut others_matter = false;
    while let Some((folder, below)) = folders.pop() {
        for entry in fs::read_dir(&folder).map_err(|error| unreadable(&folder, &error))? {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let place = entry.path();
            let kind = entry.file_type().map_err(|error| unreadable(&place, &error))?;
            let own_name = entry.file_name();
            let mut name = below.clone();
            if !name.is_empty() {
                name.push(b'/');
            }
            name.extend_from_slice(own_name.as_encoded_bytes());
            // A name that is not UTF-8 is refused when it is checked.
            let is_wanted = own_name.to_str().is_none_or(wanted);
            if kind.is_file() && is_wanted {
                let Some(path) = gather.name(&name, false)? else { continue };
                let bytes = read_file(&place, &name, &gather)?;
                others_matter |= memmem::find(&bytes, b"file").is_some();
                gather.file(path, bytes);
            } else if kind.is_file() {
                others.push((place, name));
            } else if kind.is_dir() {
                gather.add_uncounted(&name, Node::Special(SpecialKind::Folder));
                if !TOOL_FOLDERS.iter().any(|kept| own_name == OsStr::new(kept)) {
                    folders.push((place, name));
                }
            } else if kind.is_symlink() {
                others_matter |= is_wanted;
                let target = fs::read_link(&place).map_err(|error| unreadable(&place, &error))?;
                let target = Target::from_link(target.as_os_str().as_encoded_bytes(), gather.limits().path_bytes);
                gather.add_uncounted(&name, Node::Link(target));
            } else {
                gather.add_uncounted(&name, Node::Special(SpecialKind::Device));
            }
        }
    }
    for (place, name) in others {
        if others_matter {
            let Some(path) = gather.name(&name, false)? else { continue };
            let bytes = read_file(&place, &name, &gather)?;
            gather.file(path, bytes);
        } else {
            gather.add_uncounted(&name, Node::Unread);
        }
    }
    Ok(gather)
}

fn read_file(place: &Path, name: &[u8], gather: &Gather) -> Result<Bytes, TransportError> {
    let (room, _) = gather.next_file_limit();
    let open = || {
        let file = File::open(place)?;
        let length = file.metadata()?.len();
        Ok((file, length))
    };
    let (file, length) = open().map_err(|error| unreadable(place, &error))?;
    let bytes = read_capped(file, room, length).map_err(|error| unreadable(place, &error))?;
    gather.check_size(name, bytes.len() as u64)?;
    Ok(Bytes::from(bytes))
}

fn unreadable(path: &Path, error: &std::io::Error) -> TransportError {
    TransportError::Io { path: path.display().to_string(), problem: error.to_string() }
}

//! Reads a folder or an archive file on this machine, for the command line: beside `disk`, the only place in the stages
//! that does I/O.

#![expect(
    clippy::disallowed_methods,
    clippy::disallowed_types,
    reason = "reading the folder that the command line names is this module's job"
)]

use std::collections::VecDeque;
use std::ffi::OsStr;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};

use bytes::Bytes;

use super::archive_formats::ArchiveFormat;
use super::error::ReadError;
use super::gather::{Gather, Node};
use super::limits::{Limit, Limits, read_capped};
use super::links::Target;
use super::regular::{self, TOOL_FOLDERS, is_null, read_file, unreadable};
use super::{Payload, Upload, read};
use overfold_base::files::SpecialKind;

/// Reads the folder, or the archive file of any supported format, at `path`. In a folder, links are followed wherever
/// they lead, as far as the system allows it.
///
/// In a folder, files whose names are not `wanted` are only listed: they do not count towards any limit, and their
/// content is [not known](overfold_base::files::FileSet::is_unread). A [`Disk`](crate::Disk) reads them when they are asked for.
///
/// # Errors
/// Returns the errors of [`read`], and those of the system.
pub fn read_path(
    path: &Path,
    strip_components: Option<u16>,
    wanted: &dyn Fn(&str) -> bool,
    limits: &Limits,
) -> Result<Upload, ReadError> {
    let meta = fs::metadata(path).map_err(|error| unreadable(path, &error))?;
    if meta.is_dir() {
        return read_folder(path, wanted, *limits)?.finish(strip_components, false);
    }
    let file = File::open(path).map_err(|error| unreadable(path, &error))?;
    let bytes = read_capped(file, limits.request_bytes, meta.len()).map_err(|error| unreadable(path, &error))?;
    if bytes.len() as u64 > limits.request_bytes {
        return Err(ReadError::over_limit(Limit::RequestBytes, limits, Some(path.as_os_str().as_encoded_bytes())));
    }
    let format = ArchiveFormat::sniff(&bytes).ok_or(ReadError::UnknownFormat)?;
    read(Payload::archive(format, Bytes::from(bytes)).strip_components(strip_components), limits)
}

/// A folder that is still to be read.
struct PendingFolder {
    place: PathBuf,
    /// Its path below the top.
    below: Vec<u8>,
    /// The real places of the folders outside of the top that links on the way to it lead to.
    through: Vec<PathBuf>,
}

fn read_folder(top: &Path, wanted: &dyn Fn(&str) -> bool, limits: Limits) -> Result<Gather, ReadError> {
    let mut gather = Gather::new(limits);
    let real_top = fs::canonicalize(top).map_err(|error| unreadable(top, &error))?;
    if regular::is_of_kernel(&real_top) {
        return Err(unreadable(top, &io::Error::other("the kernel's own folders are not read")));
    }
    let mut folders = vec![PendingFolder { place: top.to_owned(), below: Vec::new(), through: Vec::new() }];
    // Folders outside of the top come last, level by level: a link may lead to a whole disk, of which only so much is
    // listed as an upload may contain.
    let mut linked: VecDeque<PendingFolder> = VecDeque::new();
    let mut linked_entries = 0;
    while let Some(PendingFolder { place: folder, below, through }) = folders.pop().or_else(|| linked.pop_front()) {
        if !through.is_empty() && linked_entries >= limits.entries {
            break;
        }
        let entries = match fs::read_dir(&folder) {
            // The folder is there, and what is in it is nobody's concern.
            Err(_) if !through.is_empty() => continue,
            entries => entries.map_err(|error| unreadable(&folder, &error))?,
        };
        for entry in entries {
            let entry = entry.map_err(|error| unreadable(&folder, &error))?;
            let place = entry.path();
            let kind = entry.file_type().map_err(|error| unreadable(&place, &error))?;
            let own_name = entry.file_name();
            let mut name = below.clone();
            if !name.is_empty() {
                name.push(b'/');
            }
            name.extend_from_slice(own_name.as_encoded_bytes());
            if !through.is_empty() {
                linked_entries += 1;
            }
            // A name that is not UTF-8 is refused when it is checked.
            let is_wanted = own_name.to_str().is_none_or(wanted);
            let is_tool_folder = TOOL_FOLDERS.iter().any(|kept| own_name == OsStr::new(kept));
            let meta = if kind.is_symlink() { Some(fs::metadata(&place)) } else { None };
            let target = || -> Result<Option<Target>, ReadError> {
                let target = fs::read_link(&place).map_err(|error| unreadable(&place, &error))?;
                Ok(Target::from_link(target.as_os_str().as_encoded_bytes(), limits.path_bytes))
            };
            let is_file = match &meta {
                None => kind.is_file(),
                Some(meta) => meta.as_ref().is_ok_and(|meta| meta.is_file() || is_null(meta)),
            };
            match meta {
                // In the folder itself there is nothing of the kernel, but links lead everywhere, and so do mounts.
                Some(Ok(meta)) if !is_null(&meta) && regular::is_of_kernel(&place) => {
                    gather.add_uncounted(&name, Node::Special(SpecialKind::Device));
                }
                None if kind.is_dir() && regular::is_of_kernel(&place) => {
                    gather.add_uncounted(&name, Node::Special(SpecialKind::Device));
                }
                _ if is_file && is_wanted => {
                    let Some(path) = gather.name(&name, false)? else { continue };
                    let bytes = read_file(&place, &name, &gather)?;
                    gather.file(path, bytes);
                }
                _ if is_file => gather.add_uncounted(&name, Node::Unread),
                None if kind.is_dir() => {
                    gather.add_uncounted(&name, Node::Special(SpecialKind::Folder));
                    if !is_tool_folder && through.is_empty() {
                        folders.push(PendingFolder { place, below: name, through: Vec::new() });
                    } else if !is_tool_folder {
                        linked.push_back(PendingFolder { place, below: name, through: through.clone() });
                    }
                }
                Some(Ok(meta)) if meta.is_dir() => {
                    let real = fs::canonicalize(&place).map_err(|error| unreadable(&place, &error))?;
                    let inside = real.strip_prefix(&real_top).ok().filter(|inside| !inside.as_os_str().is_empty());
                    if let Some(inside) = inside {
                        let target = Target::from_top(inside.as_os_str().as_encoded_bytes(), limits.path_bytes);
                        gather.add_uncounted(&name, Node::Link(target));
                    } else if is_tool_folder || is_on_the_way(&real, &real_top, &through) {
                        gather.add_uncounted(&name, Node::Link(target()?));
                    } else {
                        gather.add_uncounted(&name, Node::Special(SpecialKind::Folder));
                        let through = through.iter().cloned().chain([real]).collect();
                        linked.push_back(PendingFolder { place, below: name, through });
                    }
                }
                Some(Err(error)) => {
                    gather.add_uncounted(&name, Node::Broken(target()?, error.to_string().into()));
                }
                Some(Ok(_)) | None => gather.add_uncounted(&name, Node::Special(SpecialKind::Device)),
            }
        }
    }
    Ok(gather)
}

/// Whether a folder contains the top or a folder through which a link to it was found: reading it would not end.
fn is_on_the_way(real: &Path, top: &Path, through: &[PathBuf]) -> bool {
    top.starts_with(real) || through.iter().any(|earlier| earlier.starts_with(real))
}

//! Turns bytes into a file set. Refuses what cannot be read safely; writes nothing to disk and fetches nothing.
//!
//! Whatever its format, an upload becomes the same [`FileSet`]: the order of its entries does not matter, and every
//! entry passes the same checks ([`gather`](self)): limits, path rules, no duplicate paths. The files of an
//! uncompressed archive are slices of its body.
//!
//! Links that stay inside the upload are followed ([`links`](self)). Entries that are not regular files, and links that
//! lead nowhere inside the upload, are kept as [`SpecialEntry`](overfold_base::files::SpecialEntry): only the dialect's file
//! rules know whether one can be ignored or has the name of a configuration file.

#![cfg_attr(
    not(feature = "uploads"),
    expect(dead_code, reason = "what refuses an archive is there without what reads one")
)]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod above;
#[cfg(feature = "uploads")]
mod dir;
mod disk;
mod error;
mod gather;
#[cfg(feature = "uploads")]
mod json;
mod limits;
mod links;
mod archive_formats;
mod regular;
#[cfg(feature = "uploads")]
mod schema_folder;
#[cfg(feature = "uploads")]
mod tar;
#[cfg(feature = "uploads")]
mod unpack;
#[cfg(feature = "uploads")]
mod zip;

pub use above::{FileAbove, files_above, small_file};
pub use archive_formats::ArchiveFormat;
#[cfg(feature = "uploads")]
pub use dir::read_path;
pub use disk::{Disk, FolderLinks};
pub use error::{ErrorClass, MAX_NAME_BYTES, ReadError};
#[cfg(feature = "uploads")]
pub use json::{JsonFiles, JsonFilesSeed};
pub use limits::{Limit, Limits};
#[cfg(feature = "uploads")]
pub use schema_folder::{MAX_DOCUMENT_BYTES, SchemaFolder};

use bytes::Bytes;

use gather::Gather;
use overfold_base::files::FileSet;

/// An upload before it is read.
#[derive(Debug)]
pub struct Payload {
    body: Body,
    strip_components: Option<u16>,
}

#[derive(Debug)]
enum Body {
    #[cfg(feature = "uploads")]
    Archive(ArchiveFormat, Bytes),
    Files(Vec<(String, Bytes)>),
    #[cfg(feature = "uploads")]
    Json(JsonFiles),
}

impl Payload {
    /// Creates the payload of an archive without its Content-Encoding. If one folder contains all entries, it
    /// becomes the top.
    #[cfg(feature = "uploads")]
    pub fn archive(format: ArchiveFormat, bytes: Bytes) -> Self {
        Self { body: Body::Archive(format, bytes), strip_components: None }
    }

    /// Creates the payload of files given as name and content, such as the parts of a form.
    pub fn files(files: Vec<(String, Bytes)>) -> Self {
        Self { body: Body::Files(files), strip_components: None }
    }

    /// Creates the payload of the member `files` of a request object.
    #[cfg(feature = "uploads")]
    pub fn json(files: JsonFiles) -> Self {
        Self { body: Body::Json(files), strip_components: None }
    }

    /// Sets how many leading segments are removed from every path; `Some(0)` keeps the paths as they are, `None` leaves
    /// the choice to the format. An entry with no more segments than that is dropped.
    #[must_use]
    pub fn strip_components(mut self, count: Option<u16>) -> Self {
        self.strip_components = count;
        self
    }
}

/// The content of an upload.
#[derive(Clone, Debug)]
pub struct Upload {
    /// The files.
    pub files: FileSet,
    /// The single folder that contained all entries of an archive and became the top, so that a message about a
    /// missing path can mention it.
    pub top: Option<String>,
}

/// Reads an upload.
///
/// The limit on request bytes is the caller's responsibility (for a body as received, or for an archive file): a body
/// passed here has already been read, and its Content-Encoding may have been removed.
///
/// # Errors
/// Returns [`ReadError`] if a limit is exceeded, a path or entry is refused, or an archive is damaged or uses an
/// unsupported feature.
pub fn read(payload: Payload, limits: &Limits) -> Result<Upload, ReadError> {
    let mut gather = Gather::new(*limits);
    let only_top_folder = match payload.body {
        #[cfg(feature = "uploads")]
        Body::Archive(format, bytes) => {
            unpack::read(format, &bytes, &mut gather)?;
            true
        }
        Body::Files(files) => {
            gather.files(files)?;
            false
        }
        #[cfg(feature = "uploads")]
        Body::Json(files) => {
            gather.files(files.into_files()?)?;
            false
        }
    };
    gather.finish(payload.strip_components, only_top_folder)
}

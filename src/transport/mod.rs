//! Bytes in, a file set out. Refuses what cannot be read safely; nothing is written to disk or fetched.
//!
//! Whatever its form, an upload becomes the same [`FileSet`]: the order of its entries changes nothing, and every
//! entry passes the same gate ([`gather`](self)): limits, path rules, no path twice. Files of an uncompressed
//! archive are slices of its body.
//!
//! Links that stay inside the upload are followed ([`links`](self)). What is no regular file, and links that lead
//! nowhere in it, are carried along as [`SpecialEntry`](crate::files::SpecialEntry): whether one may be passed over or has
//! the name of a configuration file is known to the dialect's file rules alone.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod dir;
mod error;
mod gather;
mod json;
mod limits;
mod links;
mod packed;
mod tar;
mod zip;

pub use dir::read_path;
pub use error::{ErrorClass, KEPT, TransportError};
pub use json::{JsonFiles, JsonFilesSeed};
pub use limits::{Limit, Limits};
pub use packed::ArchiveFormat;

use bytes::Bytes;

use crate::files::FileSet;
use gather::Gather;

/// An upload before it is read.
#[derive(Debug)]
pub struct Payload {
    body: Body,
    strip_components: Option<u32>,
}

#[derive(Debug)]
enum Body {
    Archive(ArchiveFormat, Bytes),
    Files(Vec<(String, Bytes)>),
    Json(JsonFiles),
}

impl Payload {
    /// An archive without its Content-Encoding. If all entries lie under one top folder, it is read from that folder.
    pub fn archive(format: ArchiveFormat, bytes: Bytes) -> Self {
        Self { body: Body::Archive(format, bytes), strip_components: None }
    }

    /// Files as name and content, such as the parts of a form.
    pub fn files(files: Vec<(String, Bytes)>) -> Self {
        Self { body: Body::Files(files), strip_components: None }
    }

    /// The member `files` of a request object.
    pub fn json(files: JsonFiles) -> Self {
        Self { body: Body::Json(files), strip_components: None }
    }

    /// How many leading folders every path loses; `Some(0)` takes the paths as they are, `None` leaves it to the
    /// form. An entry with no more segments than that is dropped.
    #[must_use]
    pub fn strip_components(mut self, count: Option<u32>) -> Self {
        self.strip_components = count;
        self
    }
}

/// What an upload holds.
#[derive(Clone, Debug)]
pub struct Upload {
    /// The files.
    pub files: FileSet,
    /// The one folder that all entries of an archive lay under and that was taken as the top, so that a message
    /// about a path that is not there can say so.
    pub top: Option<String>,
}

/// Reads an upload.
///
/// The limit on request bytes is the sender's concern (of a body as it came over the wire, of an archive file): a
/// body that arrives here has already been read, and perhaps unpacked from its Content-Encoding.
///
/// # Errors
/// [`TransportError`]: over a limit, a path or entry that is refused, an archive that is damaged or uses what is not
/// supported.
pub fn read(payload: Payload, limits: &Limits) -> Result<Upload, TransportError> {
    let mut gather = Gather::new(*limits);
    let only_top_folder = match payload.body {
        Body::Archive(format, bytes) => {
            packed::read(format, &bytes, &mut gather)?;
            true
        }
        Body::Files(files) => {
            gather.files(files)?;
            false
        }
        Body::Json(files) => {
            gather.files(files.into_files()?)?;
            false
        }
    };
    gather.finish(payload.strip_components, only_top_folder)
}

//! Where files come from.

use std::path::{Path, PathBuf};

use crate::{Error, Limits};
use overfold_base::files::FileSet;
use overfold_source::{self as source, Payload};

/// The files that a question is about. Clones share them.
#[derive(Clone, Debug)]
pub struct Source(Place);

#[derive(Clone, Debug)]
pub(crate) enum Place {
    Memory(FileSet),
    Folder(PathBuf),
}

impl Source {
    /// Takes files: their paths, relative and with `/` between the segments, and what is in them, as text or bytes. These
    /// are all there are.
    ///
    /// # Errors
    /// Refuses paths that are not allowed or given twice, and what exceeds the default [`Limits`].
    pub fn from_files<P: Into<String>, C: Into<Vec<u8>>>(
        files: impl IntoIterator<Item = (P, C)>,
    ) -> Result<Self, Error> {
        Self::from_files_within(files, &Limits::default())
    }

    /// Like [`Source::from_files`], within other limits.
    ///
    /// # Errors
    /// As [`Source::from_files`].
    pub fn from_files_within<P: Into<String>, C: Into<Vec<u8>>>(
        files: impl IntoIterator<Item = (P, C)>,
        limits: &Limits,
    ) -> Result<Self, Error> {
        let files = files.into_iter().map(|(path, content)| (path.into(), content.into().into())).collect();
        let upload = source::read(Payload::files(files), &limits.source());
        let upload = upload.map_err(|error| Error::from_reading(&error))?;
        Ok(Self(Place::Memory(upload.files)))
    }

    /// Takes a folder on this machine. Nothing is read yet: each question reads what it needs of it, and, like Terraform,
    /// whatever the configuration names outside of it: local modules, definitions files, what functions such as `file` read.
    /// What the system shows of processes and devices is not read. To confine a configuration that you do not trust to its
    /// own files, read these yourself, and use [`Source::from_files`].
    pub fn folder(path: impl AsRef<Path>) -> Self {
        Self(Place::Folder(path.as_ref().to_owned()))
    }

    /// Returns the path, without links, of a directory of a folder on this machine; `None` if it is none, or its path is no
    /// text.
    pub(crate) fn real_path(&self, directory: &str) -> Option<String> {
        let Place::Folder(_) = self.0 else { return None };
        self.directory(directory).canonicalize().ok()?.to_str().map(str::to_owned)
    }

    /// Returns the path of a directory of the source.
    pub(crate) fn directory(&self, directory: &str) -> PathBuf {
        match &self.0 {
            Place::Memory(_) => PathBuf::from(directory),
            Place::Folder(folder) => folder.join(directory),
        }
    }

    pub(crate) const fn place(&self) -> &Place {
        &self.0
    }
}

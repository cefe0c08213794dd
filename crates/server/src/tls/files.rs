//! The files of TLS: PEM as certificate authorities and certificate managers write it.

use std::path::{Path, PathBuf};

use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest as _, Sha256};

use crate::settings::TlsSettings;
use crate::watched_files;

/// The most bytes in a file.
const MAX_BYTES: u64 = 1 << 20;

/// Why the files of TLS cannot be used. Nothing of the key is included.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TlsFileError {
    /// A file cannot be read.
    #[error("{file}: {problem}")]
    Unreadable {
        /// The path of the file.
        file: String,
        /// The system's message.
        problem: String,
    },
    /// A file is not PEM, or does not contain what it must.
    #[error("{file} contains no {wanted} in PEM format")]
    Lacks {
        /// The path of the file.
        file: String,
        /// What it must contain.
        wanted: &'static str,
    },
    /// The content of the files cannot be used.
    #[error("{problem}")]
    Unusable {
        /// What is wrong.
        problem: String,
    },
}

/// The content of the files.
pub(super) struct Files {
    certificate: Content,
    key: Content,
    client_ca: Option<Content>,
}

struct Content {
    file: PathBuf,
    bytes: Vec<u8>,
}

impl Files {
    /// Reads the files that the settings name.
    pub(super) fn read(settings: &TlsSettings) -> Result<Self, TlsFileError> {
        let named = |file: &Option<PathBuf>| Content::read(file.as_deref().unwrap_or_else(|| Path::new("")));
        Ok(Self {
            certificate: named(&settings.tls_certificate)?,
            key: named(&settings.tls_key)?,
            client_ca: settings.client_ca.as_deref().map(Content::read).transpose()?,
        })
    }

    /// Returns a digest of everything.
    pub(super) fn digest(&self) -> [u8; 32] {
        let mut digest = Sha256::new();
        for content in [Some(&self.certificate), Some(&self.key), self.client_ca.as_ref()].into_iter().flatten() {
            digest.update((content.bytes.len() as u64).to_le_bytes());
            digest.update(&content.bytes);
        }
        digest.finalize().into()
    }

    /// Returns the certificate of the service, then those that lead to its authority.
    pub(super) fn chain(&self) -> Result<Vec<CertificateDer<'static>>, TlsFileError> {
        self.certificate.certificates()
    }

    /// Returns the private key of the certificate.
    pub(super) fn key(&self) -> Result<PrivateKeyDer<'static>, TlsFileError> {
        PrivateKeyDer::from_pem_slice(&self.key.bytes).map_err(|_| self.key.lacks("private key"))
    }

    /// Returns the certificates of those who vouch for clients, if clients may have certificates.
    pub(super) fn authorities(&self) -> Result<Option<Vec<CertificateDer<'static>>>, TlsFileError> {
        self.client_ca.as_ref().map(Content::certificates).transpose()
    }
}

impl Content {
    fn read(file: &Path) -> Result<Self, TlsFileError> {
        let bytes = watched_files::read(file, MAX_BYTES)
            .map_err(|problem| TlsFileError::Unreadable { file: file.display().to_string(), problem })?;
        Ok(Self { file: file.to_owned(), bytes })
    }

    fn certificates(&self) -> Result<Vec<CertificateDer<'static>>, TlsFileError> {
        let read: Result<Vec<_>, pem::Error> = CertificateDer::pem_slice_iter(&self.bytes).collect();
        read.ok().filter(|found| !found.is_empty()).ok_or_else(|| self.lacks("certificate"))
    }

    fn lacks(&self, wanted: &'static str) -> TlsFileError {
        TlsFileError::Lacks { file: self.file.display().to_string(), wanted }
    }
}

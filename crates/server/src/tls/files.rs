//! The files of TLS: PEM as certificate authorities and certificate managers write it.

use std::path::{Display, Path, PathBuf};

use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use sha2::{Digest as _, Sha256};

use crate::settings::TlsSettings;
use crate::watched_files;

/// The most bytes in a file.
const MAX_BYTES: u64 = 1 << 20;

/// What is wrong with a file that begins like PEM.
const DAMAGED: &str = "a part of it begins like PEM and is damaged";

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
    #[error("{file} contains no {wanted} in PEM format (`-----BEGIN …-----`)")]
    Lacks {
        /// The path of the file.
        file: String,
        /// What it must contain.
        wanted: &'static str,
    },
    /// The content of a file cannot be used, by itself or with another one.
    #[error("{file}: {problem}")]
    Unusable {
        /// The path of the file.
        file: String,
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
        match PrivateKeyDer::from_pem_slice(&self.key.bytes) {
            Ok(key) => Ok(key),
            Err(_) if self.key.is_encrypted() => Err(self
                .key
                .unusable("the private key is encrypted with a passphrase; the service needs one without")),
            Err(pem::Error::NoItemsFound) => Err(self.key.lacks("private key")),
            Err(_) => Err(self.key.unusable(DAMAGED)),
        }
    }

    /// Returns an error about the file of the certificate.
    pub(super) fn wrong_certificate(&self, problem: impl Into<String>) -> TlsFileError {
        self.certificate.unusable(problem)
    }

    /// Returns an error about the file of the key. `problem` says what is wrong if it is given the file of the
    /// certificate.
    pub(super) fn wrong_key(&self, problem: impl FnOnce(Display<'_>) -> String) -> TlsFileError {
        self.key.unusable(problem(self.certificate.file.display()))
    }

    /// Returns an error about the file of those who vouch for clients.
    pub(super) fn wrong_authority(&self, problem: impl Into<String>) -> TlsFileError {
        self.client_ca.as_ref().unwrap_or(&self.certificate).unusable(problem)
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
        match read {
            Ok(found) if found.is_empty() => Err(self.lacks("certificate")),
            Ok(found) => Ok(found),
            Err(_) => Err(self.unusable(DAMAGED)),
        }
    }

    /// Whether this is a private key that only a passphrase opens, in either of the two forms that there are.
    fn is_encrypted(&self) -> bool {
        let has = |text: &[u8]| memchr::memmem::find(&self.bytes, text).is_some();
        has(b"-----BEGIN ENCRYPTED PRIVATE KEY-----") || has(b"Proc-Type: 4,ENCRYPTED")
    }

    fn unusable(&self, problem: impl Into<String>) -> TlsFileError {
        TlsFileError::Unusable { file: self.file.display().to_string(), problem: problem.into() }
    }

    fn lacks(&self, wanted: &'static str) -> TlsFileError {
        TlsFileError::Lacks { file: self.file.display().to_string(), wanted }
    }
}

//! The client, by its certificate.

use std::sync::Arc;

use rustls::pki_types::CertificateDer;
use sha2::{Digest as _, Sha256};
use x509_cert::Certificate;
use x509_cert::der::Decode as _;

use crate::packing::hexadecimal;

/// The most characters of a subject that are kept.
const MAX_CHARS: usize = 256;

/// The subject of a client's certificate, which an authority in `--client-ca` has signed, fit for a log line.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct ClientSubject(Arc<str>);

impl ClientSubject {
    /// Returns the subject of a certificate as RFC 4514 writes it, such as `CN=bot,O=Example`; one that has none, or cannot
    /// be read, is named by its digest.
    pub(super) fn from_certificate(certificate: &CertificateDer<'_>) -> Self {
        let subject = Certificate::from_der(certificate).ok().map(|read| read.tbs_certificate.subject.to_string());
        let name = match subject.filter(|subject| !subject.is_empty()) {
            Some(subject) => subject.chars().filter(|c| !c.is_control()).take(MAX_CHARS).collect(),
            None => format!("sha256:{}", hexadecimal(&Sha256::digest(certificate))),
        };
        Self(name.into())
    }

    /// Returns the text.
    pub(crate) fn name(&self) -> Arc<str> {
        Arc::clone(&self.0)
    }
}

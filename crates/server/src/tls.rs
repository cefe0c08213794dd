//! TLS: the certificate of the service, read again when its files change, and who a client is by its own certificate.

mod client;
mod files;
mod validity;

use std::io;
use std::sync::{Arc, PoisonError, RwLock};
use std::time::Duration;

use rustls::crypto::ring;
use rustls::server::WebPkiClientVerifier;
use rustls::{RootCertStore, ServerConfig, version};
use tokio::net::TcpStream;
use tokio_rustls::TlsAcceptor;
use tokio_rustls::server::TlsStream;

use self::files::Files;
use self::validity::Validity;
use crate::metrics::{Metrics, Reloads, ValidityGauges};
use crate::settings::TlsSettings;
use crate::watched_files;

pub(crate) use self::client::ClientSubject;
pub use self::files::TlsFileError;

/// The name of HTTP/2 in ALPN (RFC 9113, 3.2).
const HTTP_2: &[u8] = b"h2";
/// The name of HTTP/1.1 in ALPN (RFC 7301, 6).
const HTTP_1: &[u8] = b"http/1.1";

/// How often the log says that the certificate expires soon, or has expired.
const REMIND_EVERY: Duration = Duration::from_hours(24);

/// The TLS of the service.
#[derive(Debug)]
pub(crate) struct Tls {
    settings: TlsSettings,
    current: RwLock<Current>,
    reloads: Reloads,
    gauges: Option<ValidityGauges>,
}

/// What new connections get.
#[derive(Default, Debug)]
struct Current {
    config: Option<Arc<ServerConfig>>,
    /// The digest of the files as last read, whether they were usable or not.
    digest: Option<[u8; 32]>,
    /// What was wrong with them then.
    problem: Option<TlsFileError>,
    /// From when until when the certificate is valid.
    validity: Option<Validity>,
}

/// A connection after its handshake.
pub(super) struct TlsConnection {
    pub(super) stream: Box<TlsStream<TcpStream>>,
    /// Whether the client chose HTTP/2.
    pub(super) is_http2: bool,
    /// The subject of the client's certificate, which has been verified.
    pub(super) subject: Option<ClientSubject>,
}

impl Tls {
    /// Returns the TLS with these settings before the files have been read; `None` if the service has none.
    pub(crate) fn unloaded(settings: &TlsSettings, metrics: &Metrics) -> Option<Self> {
        settings.tls_certificate.as_ref()?;
        let (reloads, gauges) = (metrics.reloads("tls-certificate"), metrics.validity());
        Some(Self { settings: settings.clone(), current: RwLock::default(), reloads, gauges })
    }

    /// Reads the files for the first time.
    ///
    /// # Errors
    /// Fails if a file cannot be read, is not what it must be, or does not go with the others.
    pub(crate) fn load(&self) -> Result<(), TlsFileError> {
        self.reload()?;
        self.reloads.succeeded();
        self.warn();
        Ok(())
    }

    /// Reads the files, and returns something if they have changed. Files that cannot be used change nothing, and fail
    /// until they are changed again.
    fn reload(&self) -> Result<Option<()>, TlsFileError> {
        let files = Files::read(&self.settings)?;
        let digest = files.digest();
        {
            let current = self.current.read().unwrap_or_else(PoisonError::into_inner);
            if current.digest == Some(digest) {
                return current.problem.clone().map_or(Ok(None), Err);
            }
        }
        let config = config(&files);
        let mut current = self.current.write().unwrap_or_else(PoisonError::into_inner);
        current.digest = Some(digest);
        match config {
            Ok(config) => {
                let validity = files.chain()?.first().and_then(Validity::of);
                *current = Current { config: Some(Arc::new(config)), digest: Some(digest), problem: None, validity };
                if let (Some(gauges), Some((not_before, not_after))) =
                    (&self.gauges, validity.map(Validity::since_1970))
                {
                    gauges.set(not_before, not_after);
                }
                Ok(Some(()))
            }
            Err(problem) => {
                current.problem = Some(problem.clone());
                Err(problem)
            }
        }
    }

    /// Logs a warning if clients refuse the certificate now, or soon will.
    fn warn(&self) {
        let validity = self.current.read().unwrap_or_else(PoisonError::into_inner).validity;
        if let Some(validity) = validity {
            validity.warn();
        }
    }

    /// Checks the files periodically. Connections that exist keep what they have.
    pub(crate) async fn watch(self: Arc<Self>) {
        let watched = Arc::clone(&self);
        let changed = |()| {
            tracing::info!("the certificate has been read again");
            self.warn();
        };
        let cannot = "the certificate cannot be read again; the previous one stays in use";
        let files = watched_files::watch(move || watched.reload(), changed, cannot, &self.reloads);
        let reminder = async {
            loop {
                tokio::time::sleep(REMIND_EVERY).await;
                self.warn();
            }
        };
        // The first one ends with the runtime, the second one never.
        tokio::select! {
            () = files => {}
            () = reminder => {}
        }
    }

    /// Performs the handshake on a connection that has just been accepted.
    ///
    /// # Errors
    /// Fails if the client does not speak TLS as the service does, or has a certificate that nobody vouches for.
    pub(super) async fn accept(&self, stream: TcpStream) -> io::Result<TlsConnection> {
        let config = self.current.read().unwrap_or_else(PoisonError::into_inner).config.clone();
        let config = config.ok_or_else(|| io::Error::other("no certificate has been read"))?;
        let stream = Box::new(TlsAcceptor::from(config).accept(stream).await?);
        let (_, session) = stream.get_ref();
        let is_http2 = session.alpn_protocol() == Some(HTTP_2);
        let own = session.peer_certificates().and_then(<[_]>::first);
        let subject = own.map(ClientSubject::from_certificate);
        Ok(TlsConnection { stream, is_http2, subject })
    }
}

fn config(files: &Files) -> Result<ServerConfig, TlsFileError> {
    let provider = Arc::new(ring::default_provider());
    let builder = ServerConfig::builder_with_provider(Arc::clone(&provider))
        .with_protocol_versions(&[&version::TLS13, &version::TLS12])
        .map_err(|error| files.wrong_certificate(error.to_string()))?;
    let builder = match files.authorities()? {
        None => builder.with_no_client_auth(),
        Some(authorities) => {
            let mut roots = RootCertStore::empty();
            for (index, authority) in authorities.into_iter().enumerate() {
                roots.add(authority).map_err(|_| {
                    let number = index + 1;
                    files.wrong_authority(format!(
                        "certificate {number} in it is no valid X.509 certificate (version 3)"
                    ))
                })?;
            }
            // Whoever has no certificate may still ask whether the service is alive: probes have none.
            let verifier = WebPkiClientVerifier::builder_with_provider(Arc::new(roots), provider)
                .allow_unauthenticated()
                .build()
                .map_err(|error| files.wrong_authority(error.to_string()))?;
            builder.with_client_cert_verifier(verifier)
        }
    };
    let (chain, key) = (files.chain()?, files.key()?);
    let mut config = builder.with_single_cert(chain, key).map_err(|error| match error {
        rustls::Error::InconsistentKeys(_) => files.wrong_key(|certificate| {
            format!("not the key of the first certificate in {certificate}, which has to be that of the service")
        }),
        rustls::Error::InvalidCertificate(_) => {
            files.wrong_certificate("the first certificate in it is no valid X.509 certificate (version 3)")
        }
        // Of the certificate, nothing else is looked at.
        _ => files.wrong_key(|_| "the private key is damaged, or neither RSA, ECDSA nor Ed25519".to_owned()),
    })?;
    config.alpn_protocols = vec![HTTP_2.to_vec(), HTTP_1.to_vec()];
    Ok(config)
}

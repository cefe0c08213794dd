//! `overfold healthcheck`: asks a running service whether it is alive. It can be run in a container without a shell.

use std::io::{self, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use clap::Args;
use rustls::client::danger::{HandshakeSignatureValid, ServerCertVerified, ServerCertVerifier};
use rustls::crypto::{CryptoProvider, ring, verify_tls12_signature, verify_tls13_signature};
use rustls::pki_types::{CertificateDer, ServerName, UnixTime};
use rustls::{ClientConfig, ClientConnection, DigitallySignedStruct, SignatureScheme, StreamOwned};

use super::{Outcome, complain};

/// Which service to ask.
#[derive(Args, Debug)]
pub(super) struct HealthcheckArgs {
    /// Address and port that the service listens on
    #[arg(long, env = "OVERFOLD_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT",
        value_parser = overfold_server::settings::address)]
    listen: SocketAddr,
    /// File with the certificate of the service, if it has one; the check then uses TLS. It does not verify that the
    /// service presents this certificate
    #[arg(long, env = "OVERFOLD_TLS_CERTIFICATE", value_name = "FILE")]
    tls_certificate: Option<PathBuf>,
}

/// Requests `GET /livez`, with a timeout of two seconds for each step.
pub(super) fn run(args: &HealthcheckArgs) -> Outcome {
    let (address, encrypted) = (reachable(args.listen), args.tls_certificate.is_some());
    let problem = match ask(address, encrypted) {
        Ok(true) => return Outcome::Fine,
        Ok(false) if encrypted => "it does not answer that it is alive".to_owned(),
        Ok(false) => "it does not answer that it is alive; if it speaks TLS, name --tls-certificate".to_owned(),
        Err(error) => error.to_string(),
    };
    complain(&format!("overfold: {address}: {problem}"));
    Outcome::Errors
}

/// Returns an address to connect to: the loopback address in place of an unspecified one, which can only be listened
/// on.
fn reachable(mut address: SocketAddr) -> SocketAddr {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    address
}

fn ask(address: SocketAddr, encrypted: bool) -> io::Result<bool> {
    const TIMEOUT: Duration = Duration::from_secs(2);
    let stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    if !encrypted {
        return is_alive(stream, address);
    }
    let provider = Arc::new(ring::default_provider());
    let config = ClientConfig::builder_with_provider(Arc::clone(&provider))
        .with_safe_default_protocol_versions()
        .map_err(io::Error::other)?
        .dangerous()
        .with_custom_certificate_verifier(Arc::new(AcceptAnyCertificate(provider)))
        .with_no_client_auth();
    let session =
        ClientConnection::new(Arc::new(config), ServerName::from(address.ip())).map_err(io::Error::other)?;
    is_alive(StreamOwned::new(session, stream), address)
}

fn is_alive(mut stream: impl Read + Write, address: SocketAddr) -> io::Result<bool> {
    write!(stream, "GET /livez HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    stream.flush()?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    Ok(head == *b"HTTP/1.1 200")
}

/// Accepts whatever certificate a service has: it is at an address that the operator has named, is told nothing, and while a
/// certificate is being replaced, its file is newer than the service.
#[derive(Debug)]
struct AcceptAnyCertificate(Arc<CryptoProvider>);

impl ServerCertVerifier for AcceptAnyCertificate {
    fn verify_server_cert(
        &self,
        _end_entity: &CertificateDer<'_>,
        _intermediates: &[CertificateDer<'_>],
        _server_name: &ServerName<'_>,
        _ocsp_response: &[u8],
        _now: UnixTime,
    ) -> Result<ServerCertVerified, rustls::Error> {
        Ok(ServerCertVerified::assertion())
    }

    fn verify_tls12_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls12_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }

    fn verify_tls13_signature(
        &self,
        message: &[u8],
        cert: &CertificateDer<'_>,
        signed: &DigitallySignedStruct,
    ) -> Result<HandshakeSignatureValid, rustls::Error> {
        verify_tls13_signature(message, cert, signed, &self.0.signature_verification_algorithms)
    }

    fn supported_verify_schemes(&self) -> Vec<SignatureScheme> {
        self.0.signature_verification_algorithms.supported_schemes()
    }
}

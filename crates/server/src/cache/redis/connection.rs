//! A connection to Redis on which everything ends at a certain time, however slowly the other side sends: the time-outs of
//! sockets begin anew with every byte.

use std::fs;
use std::io::{self, BufReader, Read, Write};
use std::net::{TcpStream, ToSocketAddrs as _};
#[cfg(unix)]
use std::os::unix::net::UnixStream;
use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use redis::{ConnectionAddr, ConnectionInfo, cmd};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, ClientConnection, RootCertStore, StreamOwned};

use super::{Failure, reply};

/// The most bytes of the answer to a question whose answer is a status.
const STATUS: usize = 1024;

/// A connection that is ready for questions.
pub(super) struct Connection(BufReader<Stream>);

impl Connection {
    /// Connects and, if the address has them, gives the password and selects the database.
    ///
    /// # Errors
    /// Fails if that cannot be done until then.
    pub(super) fn open(info: &ConnectionInfo, ca: Option<&Path>, until: Instant) -> Result<Self, Failure> {
        let mut connection = Self(BufReader::new(Stream::open(info.addr(), ca, until)?));
        let settings = info.redis_settings();
        if let Some(password) = settings.password() {
            let mut auth = cmd("AUTH");
            if let Some(user) = settings.username() {
                auth.arg(user);
            }
            connection.ask(&auth.arg(password).get_packed_command(), STATUS, until)?;
        }
        if settings.db() != 0 {
            connection.ask(&cmd("SELECT").arg(settings.db()).get_packed_command(), STATUS, until)?;
        }
        Ok(connection)
    }

    /// Sends a question, and returns the text of its answer.
    ///
    /// # Errors
    /// Fails if there is no answer until then, or none that [`reply::read`] takes. The connection is then of no use.
    pub(super) fn ask(&mut self, question: &[u8], max: usize, until: Instant) -> Result<Vec<u8>, Failure> {
        let stream = self.0.get_mut();
        stream.socket().until = until;
        stream.write_all(question)?;
        stream.flush()?;
        reply::read(&mut self.0, max)
    }

    /// Whether nothing has been received besides answers.
    pub(super) fn is_quiet(&self) -> bool {
        self.0.buffer().is_empty()
    }
}

enum Stream {
    Plain(Timed),
    Tls(Box<StreamOwned<ClientConnection, Timed>>),
}

impl Stream {
    fn open(address: &ConnectionAddr, ca: Option<&Path>, until: Instant) -> Result<Self, Failure> {
        Ok(match address {
            ConnectionAddr::Tcp(host, port) => Self::Plain(Timed::tcp(host, *port, until)?),
            ConnectionAddr::TcpTls { host, port, insecure: false, .. } => {
                let name =
                    ServerName::try_from(host.clone()).map_err(|_| Failure::Tls("the host has no valid name"))?;
                let client = ClientConnection::new(Arc::new(tls(ca)?), name)
                    .map_err(|_| Failure::Tls("no connection can be made"))?;
                Self::Tls(Box::new(StreamOwned::new(client, Timed::tcp(host, *port, until)?)))
            }
            #[cfg(unix)]
            ConnectionAddr::Unix(path) => {
                let socket = Socket::Unix(UnixStream::connect(path)?);
                Self::Plain(Timed { socket, until })
            }
            _ => return Err(Failure::Io(io::ErrorKind::Unsupported)),
        })
    }

    fn socket(&mut self) -> &mut Timed {
        match self {
            Self::Plain(socket) => socket,
            Self::Tls(stream) => &mut stream.sock,
        }
    }
}

/// Returns how TLS is spoken with the server. Read each time, because connections last, and the file may have been replaced.
fn tls(ca: Option<&Path>) -> Result<ClientConfig, Failure> {
    let mut trusted = RootCertStore::empty();
    match ca {
        Some(ca) => {
            let text = fs::read(ca)?;
            let read: Result<Vec<_>, _> = CertificateDer::pem_slice_iter(&text).collect();
            trusted
                .add_parsable_certificates(read.map_err(|_| Failure::Tls("the file of authorities cannot be read"))?);
        }
        None => {
            trusted.add_parsable_certificates(rustls_native_certs::load_native_certs().certs);
        }
    }
    if trusted.is_empty() {
        return Err(Failure::Tls("no authority is trusted"));
    }
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let versions = ClientConfig::builder_with_provider(provider).with_safe_default_protocol_versions();
    let config = versions.map_err(|_| Failure::Tls("no version of the protocol is known"))?;
    Ok(config.with_root_certificates(trusted).with_no_client_auth())
}

impl Read for Stream {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.read(into),
            Self::Tls(stream) => stream.read(into),
        }
    }
}

impl Write for Stream {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        match self {
            Self::Plain(socket) => socket.write(from),
            Self::Tls(stream) => stream.write(from),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::Plain(socket) => socket.flush(),
            Self::Tls(stream) => stream.flush(),
        }
    }
}

/// A socket that neither reads nor writes after a certain time.
struct Timed {
    socket: Socket,
    until: Instant,
}

enum Socket {
    Tcp(TcpStream),
    #[cfg(unix)]
    Unix(UnixStream),
}

impl Timed {
    fn tcp(host: &str, port: u16, until: Instant) -> io::Result<Self> {
        let mut last = io::ErrorKind::NotFound.into();
        for address in (host, port).to_socket_addrs()? {
            match TcpStream::connect_timeout(&address, left(until)?) {
                Ok(socket) => {
                    socket.set_nodelay(true)?;
                    return Ok(Self { socket: Socket::Tcp(socket), until });
                }
                Err(error) => last = error,
            }
        }
        Err(last)
    }
}

/// Returns the time that is left.
fn left(until: Instant) -> io::Result<Duration> {
    let left = until.saturating_duration_since(Instant::now());
    if left.is_zero() { Err(io::ErrorKind::TimedOut.into()) } else { Ok(left) }
}

impl Read for Timed {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let left = Some(left(self.until)?);
        match &mut self.socket {
            Socket::Tcp(socket) => {
                socket.set_read_timeout(left)?;
                socket.read(into)
            }
            #[cfg(unix)]
            Socket::Unix(socket) => {
                socket.set_read_timeout(left)?;
                socket.read(into)
            }
        }
    }
}

impl Write for Timed {
    fn write(&mut self, from: &[u8]) -> io::Result<usize> {
        let left = Some(left(self.until)?);
        match &mut self.socket {
            Socket::Tcp(socket) => {
                socket.set_write_timeout(left)?;
                socket.write(from)
            }
            #[cfg(unix)]
            Socket::Unix(socket) => {
                socket.set_write_timeout(left)?;
                socket.write(from)
            }
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use std::net::TcpListener;
    use std::thread;

    use super::*;

    const PATIENCE: Duration = Duration::from_millis(200);

    /// Asks a server that does this with its only connection. Returns why there is no answer, and the time until then.
    fn asked(serve: impl FnOnce(TcpStream) + Send + 'static) -> (String, Duration) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        thread::spawn(move || serve(listener.accept().unwrap().0));
        let info = redis::IntoConnectionInfo::into_connection_info(format!("redis://127.0.0.1:{port}")).unwrap();
        let began = Instant::now();
        let until = began + PATIENCE;
        let answer = Connection::open(&info, None, until).and_then(|mut asks| asks.ask(b"PING\r\n", 1 << 20, until));
        (answer.map(|_| ()).unwrap_err().to_string(), began.elapsed())
    }

    fn trickle(mut socket: TcpStream, text: &[u8]) {
        for byte in text.iter().cycle() {
            if socket.write_all(&[*byte]).is_err() {
                return;
            }
            thread::sleep(Duration::from_millis(20));
        }
    }

    #[test]
    fn a_server_that_trickles_takes_no_more_than_its_time() {
        for text in [&b"$100000\r\nxxxxxxxx"[..], b"+OOOOOOOOOOOOO"] {
            let (why, took) = asked(move |socket| trickle(socket, text));
            assert_eq!(why, "the answer took too long");
            assert!(took >= PATIENCE && took < 5 * PATIENCE, "{took:?}");
        }
    }

    #[test]
    fn a_server_that_announces_or_sends_without_end_is_left_at_once() {
        let (why, _) = asked(|mut socket| socket.write_all(b"$1500000000\r\n").unwrap());
        assert_eq!(why, "the answer is longer than an entry can be");
        let (why, _) = asked(|mut socket| while socket.write_all(&vec![b'+'; 1 << 16]).is_ok() {});
        assert_eq!(why, "the answer is longer than an entry can be");
    }

    #[test]
    fn a_server_that_reads_nothing_takes_no_more_than_its_time() {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let info = redis::IntoConnectionInfo::into_connection_info(format!("redis://127.0.0.1:{port}")).unwrap();
        let until = Instant::now() + PATIENCE;
        let mut connection = Connection::open(&info, None, until).unwrap();
        let failed = connection.ask(&vec![0; 64 << 20], 1, until).unwrap_err();
        assert_eq!(failed.to_string(), "the answer took too long");
    }
}

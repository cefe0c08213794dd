//! `overfold healthcheck`: asks a running service whether it is alive. It can be run in a container without a shell.

use std::io::{self, Read as _, Write as _};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream};
use std::time::Duration;

use clap::Args;

use super::Outcome;

/// Which service to ask.
#[derive(Args, Debug)]
pub(super) struct HealthcheckArgs {
    /// Address and port that the service listens on
    #[arg(long, env = "OVERFOLD_LISTEN", default_value = "127.0.0.1:8080", value_name = "ADDRESS:PORT",
        value_parser = crate::settings::address)]
    listen: SocketAddr,
}

/// Requests `GET /livez`, with a timeout of two seconds for each step.
pub(super) fn run(args: &HealthcheckArgs) -> Outcome {
    if ask(reachable(args.listen)).unwrap_or(false) { Outcome::Fine } else { Outcome::Errors }
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

fn ask(address: SocketAddr) -> io::Result<bool> {
    const TIMEOUT: Duration = Duration::from_secs(2);
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    write!(stream, "GET /livez HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n")?;
    let mut head = [0; 12];
    stream.read_exact(&mut head)?;
    Ok(head == *b"HTTP/1.1 200")
}

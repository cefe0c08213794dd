//! The connection to the collector: HTTP/1.1 without TLS, one connection for each batch.

use std::time::Duration;

use async_trait::async_trait;
use axum::http::header::HOST;
use axum::http::{HeaderValue, Uri};
use http_body_util::{BodyExt as _, Full, Limited};
use hyper::client::conn::http1;
use hyper_util::rt::TokioIo;
use opentelemetry_http::{Bytes, HttpClient, HttpError, Request, Response};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::timeout;

/// How long one attempt may take, from connecting to the end of the answer.
const ATTEMPT_TIMEOUT: Duration = Duration::from_secs(5);
/// The longest answer that is read. It says how many spans were not accepted.
const LONGEST_ANSWER: usize = 64 << 10;

/// Sends batches to a collector.
#[derive(Debug)]
pub(super) struct Collector;

#[async_trait]
impl HttpClient for Collector {
    async fn send_bytes(&self, request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
        timeout(ATTEMPT_TIMEOUT, send(request)).await?
    }
}

async fn send(mut request: Request<Bytes>) -> Result<Response<Bytes>, HttpError> {
    let authority = request.uri().authority().ok_or("no host")?.clone();
    let stream =
        TcpStream::connect((authority.host().trim_matches(['[', ']']), authority.port_u16().unwrap_or(80))).await?;
    let (mut sender, connection) = http1::handshake(TokioIo::new(stream)).await?;
    request.headers_mut().insert(HOST, HeaderValue::try_from(authority.as_str())?);
    let path = request.uri().path_and_query().map_or("/", |path| path.as_str());
    *request.uri_mut() = Uri::try_from(path)?;
    // Ends with this future, at the latest.
    let mut driver = JoinSet::new();
    driver.spawn(connection);
    let (head, body) = sender.send_request(request.map(Full::new)).await?.into_parts();
    let body = Limited::new(body, LONGEST_ANSWER).collect().await?.to_bytes();
    Ok(Response::from_parts(head, body))
}

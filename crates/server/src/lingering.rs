//! Bodies that nobody reads to the end, over HTTP/2.
//!
//! A request may be answered before its body has arrived: a wrong token, an unknown path, a line of a batch that ends it. If
//! its stream were closed then, as HTTP/2 allows (RFC 9113, section 8.1), clients that are still sending would report a
//! broken stream instead of the answer, curl among them. So the rest is read and discarded for a while. HTTP/1.1 does
//! without: there, the server closes the connection behind the answer.

use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::Version;
use axum::middleware::Next;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use tokio::runtime::Handle;

use crate::reading::discard;

/// The layer that lets the bodies of HTTP/2 linger.
pub(crate) async fn linger(request: Request, next: Next) -> Response {
    if request.version() != Version::HTTP_2 {
        return next.run(request).await;
    }
    next.run(request.map(|body| Body::new(LingeringBody(Some(body))))).await
}

/// A body whose rest is read when it is dropped; `None` once it has ended.
struct LingeringBody(Option<Body>);

impl HttpBody for LingeringBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        let Some(body) = &mut self.0 else { return Poll::Ready(None) };
        let frame = Pin::new(body).poll_frame(context);
        if matches!(frame, Poll::Ready(None | Some(Err(_)))) {
            self.0 = None;
        }
        frame
    }

    fn is_end_stream(&self) -> bool {
        self.0.as_ref().is_none_or(HttpBody::is_end_stream)
    }

    fn size_hint(&self) -> SizeHint {
        self.0.as_ref().map_or_else(|| SizeHint::with_exact(0), HttpBody::size_hint)
    }
}

impl Drop for LingeringBody {
    fn drop(&mut self) {
        if let Some(body) = self.0.take().filter(|body| !body.is_end_stream())
            && let Ok(runtime) = Handle::try_current()
        {
            runtime.spawn(discard(body));
        }
    }
}

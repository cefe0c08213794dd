//! Requests and answers as they pass between a connection and the routes.

use std::convert::Infallible;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::body::{Body, Bytes, HttpBody};
use axum::http::header::CONNECTION;
use axum::http::{HeaderValue, Version};
use axum::response::Response;
use axum::{BoxError, Router};
use h2::RecvStream;
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::{Sleep, sleep};
use tower::ServiceExt as _;

use crate::body::BodyStalled;
use crate::reserve::BeyondCap;
use crate::state::ServerState;
use crate::tls::ClientSubject;
use crate::watch::Watch;

/// Answers the requests of one connection.
pub(super) struct Exchanges {
    pub(super) routes: Router,
    pub(super) state: ServerState,
    pub(super) watch: Watch,
    /// Whether the connection is beyond the cap.
    pub(super) reserve: bool,
    /// The subject of the client's certificate.
    pub(super) subject: Option<ClientSubject>,
}

impl Exchanges {
    /// Answers a request whose head has arrived.
    pub(super) fn answer<B>(
        &self,
        request: hyper::Request<B>,
        version: Version,
    ) -> impl Future<Output = Response> + use<B>
    where
        B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Unpin + Send + 'static,
    {
        self.watch.request_began(version);
        let mut request = request.map(|body| Body::new(TimedBody::new(body, self.watch.clone())));
        request.extensions_mut().insert(self.watch.clone());
        if self.reserve {
            request.extensions_mut().insert(BeyondCap);
        }
        if let Some(subject) = &self.subject {
            request.extensions_mut().insert(subject.clone());
        }
        let (routes, watch) = (self.routes.clone(), self.watch.clone());
        async move {
            let Ok(response) = routes.oneshot(request).await;
            watch.answer_began();
            response.map(|body| Body::new(WatchedBody { body, watch }))
        }
    }
}

impl hyper::service::Service<hyper::Request<Incoming>> for Exchanges {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        let (version, state) = (request.version(), self.state.clone());
        let answered = self.answer(request, version);
        Box::pin(async move {
            let mut response = answered.await;
            if state.is_draining() {
                // This makes the client send its next request elsewhere.
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(response)
        })
    }
}

/// The body of a request in HTTP/2.
pub(super) struct Http2Body(pub(super) RecvStream);

impl HttpBody for Http2Body {
    type Data = Bytes;
    type Error = h2::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, h2::Error>>> {
        self.0.poll_data(cx).map(|polled| {
            polled.map(|arrived| {
                let data = arrived?;
                // Taken, so the client may send as much again.
                self.0.flow_control().release_capacity(data.len())?;
                Ok(Frame::data(data))
            })
        })
    }

    fn is_end_stream(&self) -> bool {
        self.0.is_end_stream()
    }
}

/// A request body, given up if nothing of it arrives for too long.
struct TimedBody<B> {
    body: B,
    watch: Watch,
    /// Runs while nothing arrives.
    silence: Option<Pin<Box<Sleep>>>,
}

impl<B: HttpBody> TimedBody<B> {
    fn new(body: B, watch: Watch) -> Self {
        if body.is_end_stream() {
            watch.body_is_over();
        }
        Self { body, watch, silence: None }
    }
}

impl<B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Unpin> HttpBody for TimedBody<B> {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, Self::Error>>> {
        let polled = Pin::new(&mut self.body).poll_frame(cx);
        self.watch.body_starves(polled.is_pending());
        if polled.is_ready() {
            self.silence = None;
            let more_follows = matches!(&polled, Poll::Ready(Some(Ok(_)))) && !self.body.is_end_stream();
            if !more_follows {
                self.watch.body_is_over();
            }
            return polled.map_err(Into::into);
        }
        if !self.watch.has_body_timeout() {
            return Poll::Pending;
        }
        let gap = self.watch.timeouts().gap;
        let silence = self.silence.get_or_insert_with(|| Box::pin(sleep(gap)));
        silence.as_mut().poll(cx).map(|()| Some(Err(BodyStalled::after(gap).into())))
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl<B> Drop for TimedBody<B> {
    fn drop(&mut self) {
        self.watch.body_is_over();
    }
}

/// The body of an answer; when it is dropped, it has been handed to the connection.
struct WatchedBody {
    body: Body,
    watch: Watch,
}

impl HttpBody for WatchedBody {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

impl Drop for WatchedBody {
    fn drop(&mut self) {
        self.watch.answer_is_over();
    }
}

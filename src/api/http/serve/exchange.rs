//! Requests and answers as they pass between a connection and the routes.

use std::convert::Infallible;
use std::error::Error as StdError;
use std::pin::Pin;
use std::task::{Context, Poll};

use axum::Router;
use axum::body::{Body, Bytes, HttpBody};
use axum::http::HeaderValue;
use axum::http::header::CONNECTION;
use axum::response::Response;
use http_body::{Frame, SizeHint};
use hyper::body::Incoming;
use tokio::time::{Sleep, sleep};
use tower::ServiceExt as _;

use crate::api::http::body::BodyStalled;
use crate::api::http::reserve::BeyondCap;
use crate::api::http::state::AppState;
use crate::api::http::watch::Watch;

/// Answers the requests of one connection.
pub(super) struct Exchanges {
    pub(super) routes: Router,
    pub(super) state: AppState,
    pub(super) watch: Watch,
    /// Whether the connection is beyond the cap.
    pub(super) reserve: bool,
}

impl hyper::service::Service<hyper::Request<Incoming>> for Exchanges {
    type Response = Response;
    type Error = Infallible;
    type Future = Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn call(&self, request: hyper::Request<Incoming>) -> Self::Future {
        self.watch.request_began(request.version());
        let mut request = request.map(|body| Body::new(TimedBody::new(body, self.watch.clone())));
        request.extensions_mut().insert(self.watch.clone());
        if self.reserve {
            request.extensions_mut().insert(BeyondCap);
        }
        let (routes, state, watch) = (self.routes.clone(), self.state.clone(), self.watch.clone());
        Box::pin(async move {
            let mut response = routes.oneshot(request).await?;
            watch.answer_began();
            if state.is_draining() {
                // This makes the client send its next request elsewhere.
                response.headers_mut().insert(CONNECTION, HeaderValue::from_static("close"));
            }
            Ok(response.map(|body| Body::new(WatchedBody { body, watch })))
        })
    }
}

/// A request body, given up if nothing of it arrives for too long.
struct TimedBody {
    body: Incoming,
    watch: Watch,
    /// Runs while nothing arrives.
    silence: Option<Pin<Box<Sleep>>>,
}

impl TimedBody {
    fn new(body: Incoming, watch: Watch) -> Self {
        if body.is_end_stream() {
            watch.body_is_over();
        }
        Self { body, watch, silence: None }
    }
}

impl HttpBody for TimedBody {
    type Data = Bytes;
    type Error = Box<dyn StdError + Send + Sync>;

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

impl Drop for TimedBody {
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

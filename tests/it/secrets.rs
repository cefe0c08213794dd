//! Secrets: a value of a sensitive or ephemeral variable appears in no answer, problem or log line, wherever it is in
//! the request and however damaged the files are.

mod bundle;
mod called;
mod generated;
mod logs;
mod plans;
mod shown;

use std::collections::HashSet;

use axum::Router;
use axum::body::Body;
use axum::http::Request;
use serde_json::Value;
use tokio::runtime::Runtime;

use crate::http::{app, send};

/// The length of the pieces of a secret that must not be found anywhere.
const PIECE: usize = 6;

/// The number of requests. `OVERFOLD_SECRETS` sets another one.
fn rounds() -> u64 {
    std::env::var("OVERFOLD_SECRETS").ok().and_then(|text| text.parse().ok()).unwrap_or(300)
}

/// What is searched for: every piece of every secret.
#[derive(Default)]
pub(crate) struct Hunt(HashSet<Vec<u8>>);

impl Hunt {
    pub(crate) fn of(secrets: &[String]) -> Self {
        let pieces = |secret: &String| secret.as_bytes().windows(PIECE).map(<[u8]>::to_vec).collect::<Vec<_>>();
        Self(secrets.iter().flat_map(pieces).collect())
    }

    /// Finds a piece of a secret in a text, and returns it with the text around it.
    pub(crate) fn find(&self, text: &[u8]) -> Option<String> {
        let at = text.windows(PIECE).position(|piece| self.0.contains(piece))?;
        let around = &text[at.saturating_sub(300)..(at + 100).min(text.len())];
        Some(String::from_utf8_lossy(around).into_owned())
    }
}

/// A service, and a runtime to send requests to it from one thread.
struct Service {
    runtime: Runtime,
    app: Router,
}

impl Service {
    fn new() -> Self {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        Self { runtime, app: app() }
    }

    fn send(&self, request: Request<Body>) -> (u16, Vec<u8>) {
        let answer = self.runtime.block_on(send(&self.app, request));
        let mut seen = format!("{:?}\n", answer.headers).into_bytes();
        seen.extend_from_slice(&answer.body);
        (answer.status.as_u16(), seen)
    }

    /// Sends a merge request, and returns everything in the answer that a client sees: headers, a line end, the body.
    fn ask(&self, request: &Value) -> (u16, Vec<u8>) {
        self.post("/v1/merge", request)
    }

    /// Sends a request to a route, and returns the same.
    fn post(&self, route: &str, request: &Value) -> (u16, Vec<u8>) {
        let head = Request::post(route).header("content-type", "application/json");
        self.send(head.body(Body::from(request.to_string())).unwrap())
    }

    /// Returns the service's metrics; nothing if it has none.
    fn metrics(&self) -> Vec<u8> {
        self.send(Request::get("/metrics").body(Body::empty()).unwrap()).1
    }
}

//! Connections beyond the cap: they exist for probes of the service.

use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::api::http::error::{ApiError, Kind};

/// The routes for which connections beyond the cap exist.
const PROBES: [&str; 3] = ["/livez", "/readyz", "/metrics"];

/// Marks requests on connections beyond the cap.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeyondCap;

/// The layer that turns away requests on connections beyond the cap, unless they are probes.
pub(crate) async fn refuse_beyond_cap(request: Request, next: Next) -> Response {
    let is_refused = request.extensions().get::<BeyondCap>().is_some() && !PROBES.contains(&request.uri().path());
    if is_refused {
        return ApiError::new(
            Kind::Overloaded,
            "the service has as many open connections as it accepts; try again soon",
        )
        .into_response();
    }
    next.run(request).await
}

//! Connections beyond the cap: they exist for probes of the service.

use axum::extract::{Request, State};
use axum::middleware::Next;
use axum::response::{IntoResponse as _, Response};

use crate::error::{ApiError, kind};
use crate::paths::PathRoles;

/// Marks requests on connections beyond the cap.
#[derive(Clone, Copy, Debug)]
pub(super) struct BeyondCap;

/// The layer that turns away requests on connections beyond the cap, unless they are probes.
pub(crate) async fn refuse_beyond_cap(State(role): State<PathRoles>, request: Request, next: Next) -> Response {
    let is_refused =
        request.extensions().get::<BeyondCap>().is_some() && !role(request.uri().path()).is_reserved_for();
    if is_refused {
        return ApiError::new(
            kind::OVERLOADED,
            "the service has as many open connections as it accepts; try again soon",
        )
        .into_response();
    }
    next.run(request).await
}

//! Routes of the contract that are not built yet: they say so, instead of a 404 that reads like a mistyped path.

use super::super::error::ApiError;

/// `POST /v1/batch`.
pub(crate) async fn post_batch() -> ApiError {
    ApiError::not_yet("POST /v1/batch")
}

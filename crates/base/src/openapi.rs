//! How types are described in the OpenAPI document, if it is part of the build.

#[cfg(not(feature = "openapi"))]
pub use overfold_openapi_off::{IntoParams, ToSchema};
#[cfg(feature = "openapi")]
pub use utoipa::{IntoParams, ToSchema};

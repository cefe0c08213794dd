//! The HTTP door: axum and utoipa live here and nowhere else.

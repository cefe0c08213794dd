//! Every route on one page, and the OpenAPI document made from the same list.

use axum::Router;
use axum::body::Bytes;
use axum::http::header::CONTENT_TYPE;
use axum::routing::{get, post};
use tower_http::compression::CompressionLayer;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;
use utoipa_swagger_ui::{Config, SwaggerUi};

use super::error::{ApiError, Kind};
use super::layers;
use super::openapi::{ApiDoc, add_access};
use super::routes::{dialects, health, merge, metrics, unbuilt, version};
use super::state::AppState;

fn documented() -> OpenApiRouter<AppState> {
    let mut routes = OpenApiRouter::with_openapi(ApiDoc::openapi())
        // For those who use the service
        .routes(routes!(merge::post_merge))
        .routes(routes!(dialects::get_dialects))
        .routes(routes!(dialects::get_dialect))
        // For those who run it
        .routes(routes!(health::get_livez))
        .routes(routes!(health::get_readyz))
        .routes(routes!(metrics::get_metrics))
        .routes(routes!(version::get_version));
    add_access(routes.get_openapi_mut());
    routes
}

/// The service: every route with all layers around it.
pub fn router(state: &AppState) -> Router {
    let (routes, openapi) = documented().split_for_parts();
    let document = Bytes::from(document_text(&openapi));
    // Packed by a layer; the answers of the main job are packed where they are made, since their digests depend on it.
    let documents = Router::new()
        .route("/openapi.json", get(async move || ([(CONTENT_TYPE, "application/json")], document.clone())))
        .merge(SwaggerUi::new("/docs").config(Config::new(["/openapi.json"])))
        .layer(CompressionLayer::new());
    let routes = routes
        .merge(documents)
        .route("/v1/diff", post(unbuilt::post_diff))
        .route("/v1/batch", post(unbuilt::post_batch))
        .fallback(async || ApiError::new(Kind::NotFound, "no route has this path; GET /docs lists the routes"));
    layers::stack(routes, state).with_state(state.clone())
}

/// The OpenAPI document as committed in `openapi/openapi.json`: pretty-printed JSON, one line feed at the end.
pub fn openapi_json() -> String {
    document_text(&documented().into_openapi())
}

fn document_text(openapi: &utoipa::openapi::OpenApi) -> String {
    // A document of plain structs cannot fail to serialise; an empty text would fail the test that compares it.
    let mut text = openapi.to_pretty_json().unwrap_or_default();
    text.push('\n');
    text
}

//! Every route on one page, and the OpenAPI document generated from the same list.

use std::sync::LazyLock;

use axum::Router;
use axum::http::HeaderMap;
use axum::response::Response;
use axum::routing::get;
use utoipa::OpenApi as _;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use crate::api::routes::needs::NEEDS;
use crate::api::routes::openapi::{self, ApiDoc};
use crate::api::routes::paths::role;
use crate::api::routes::{
    batch, compatibility, diagnostics, dialects, diff, docs, explorer, health, merge, metrics, plan, plan_diff,
    upgrade, version, versions,
};
use crate::api::wire::kind;
use crate::state::AppState;
use overfold_server::documents::Document;
use overfold_server::error::ApiError;
use overfold_server::layers::{self, Surface};

static OPENAPI: LazyLock<Document> = LazyLock::new(|| Document::new("application/json", openapi_json()));

/// Get the OpenAPI document.
///
/// Returns this document, which is the same in every answer of a build.
#[utoipa::path(get, path = "/openapi.json", tag = "service", responses(
    (status = 200, description = "The OpenAPI document.", content_type = "application/json", body = Object,
        headers(("etag" = String, description = "Strong; changes with the program's version."))),
    (status = 304, description = "The document named by `If-None-Match` has not changed."),
))]
async fn get_openapi(headers: HeaderMap) -> Response {
    OPENAPI.answer(&headers)
}

fn documented() -> OpenApiRouter<AppState> {
    OpenApiRouter::with_openapi(ApiDoc::openapi())
        // For users of the service
        .routes(routes!(merge::post_merge))
        .routes(routes!(merge::post_merge_report))
        .routes(routes!(diff::post_diff))
        .routes(routes!(diff::post_diff_report))
        .routes(routes!(plan::post_plan))
        .routes(routes!(plan::post_plan_report))
        .routes(routes!(plan_diff::post_plan_diff))
        .routes(routes!(plan_diff::post_plan_diff_report))
        .routes(routes!(upgrade::post_upgrade))
        .routes(routes!(upgrade::post_upgrade_report))
        .routes(routes!(compatibility::post_compatibility))
        .routes(routes!(batch::post_batch))
        .routes(routes!(dialects::get_dialects))
        .routes(routes!(dialects::get_dialect))
        .routes(routes!(versions::get_versions))
        .routes(routes!(diagnostics::get_diagnostics))
        .routes(routes!(diagnostics::get_diagnostic))
        // For operators
        .routes(routes!(health::get_livez))
        .routes(routes!(health::get_readyz))
        .routes(routes!(metrics::get_metrics))
        .routes(routes!(version::get_version))
        // The contract
        .routes(routes!(get_openapi))
        .routes(routes!(docs::get_docs_folder))
        .routes(routes!(explorer::get_explorer))
}

/// Returns the service: every route with all layers around it.
pub fn router(state: &AppState) -> Router {
    let (routes, _) = documented().split_for_parts();
    let routes = routes
        // The same route, with the slash of a code unescaped.
        .route("/v1/diagnostics/{stage}/{problem}", get(diagnostics::get_diagnostic))
        .route("/docs/", get(docs::get_docs))
        .route("/docs/{file}", get(docs::get_docs_file))
        .route("/explorer/{file}", get(explorer::get_explorer_file))
        .fallback(async || ApiError::new(kind::NOT_FOUND, "no route has this path; GET /docs lists the routes"));
    layers::stack(routes, Surface { streamed: &[batch::PATH], needs: NEEDS, role }, state).with_state(state.clone())
}

/// Returns the OpenAPI document as committed in `openapi/openapi.json`: pretty-printed JSON with one line feed at the
/// end.
pub fn openapi_json() -> String {
    openapi::text(&documented().into_openapi())
}

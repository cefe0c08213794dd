//! Which scope the identity of a caller needs for each route.

use overfold_server::auth::{Need, Needs, Scope};

const MERGE: Need = Need::Scope(Scope::Merge);
const PLAN: Need = Need::Scope(Scope::Plan);
const METRICS: Need = Need::Scope(Scope::Metrics);

/// The routes as written in the router. A line of a batch needs what the route needs that does the same.
pub(crate) const NEEDS: Needs = &[
    ("/v1/merge", MERGE),
    ("/v1/merge/report", MERGE),
    ("/v1/diff", MERGE),
    ("/v1/diff/report", MERGE),
    ("/v1/plan", PLAN),
    ("/v1/plan/report", PLAN),
    ("/v1/plan-diff", PLAN),
    ("/v1/plan-diff/report", PLAN),
    ("/v1/upgrade", PLAN),
    ("/v1/upgrade/report", PLAN),
    ("/v1/compatibility", MERGE),
    ("/v1/batch", MERGE),
    ("/v1/dialects", MERGE),
    ("/v1/dialects/{name}", MERGE),
    ("/v1/versions", MERGE),
    ("/v1/diagnostics", MERGE),
    ("/v1/diagnostics/{code}", MERGE),
    ("/v1/diagnostics/{stage}/{problem}", MERGE),
    ("/livez", Need::Nothing),
    ("/readyz", Need::Nothing),
    ("/metrics", METRICS),
    ("/version", METRICS),
    ("/openapi.json", Need::Nothing),
    ("/docs", Need::Nothing),
    ("/docs/", Need::Nothing),
    ("/docs/{file}", Need::Nothing),
    ("/", Need::Nothing),
    ("/explorer/{file}", Need::Nothing),
];

//! Requests that come from a queue instead of a connection: the routes of the service, asked from inside.
//!
//! What a route answers is what is stored, so the two can never differ. Places for work, limits, metrics and the log are
//! those of every other request.

use std::future::Future;
use std::io;
use std::pin::pin;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE, HOST};
use axum::http::{HeaderValue, Request, StatusCode};
use axum::routing::get;
use bytes::Bytes;
use clap::ValueEnum;
use http_body_util::BodyExt as _;
use serde_json::{Map, Value, json};
use tokio::time::sleep;
use tower::ServiceExt as _;

use crate::api::routes::needs::NEEDS;
use crate::api::routes::paths::role;
use crate::api::routes::{health, metrics, router, version};
use crate::api::wire::kind;
use crate::api::wire::problems::refusal_problem;
use crate::api::wire::query;
use crate::settings::{LimitSettings, Settings};
use crate::state::AppState;
use overfold_engine::options::PlanOptions;
use overfold_engine::{Compatibility, Merge, Plan, PlanDiff, PreparedRequest, Upgrade, UseCase};
use overfold_server::error::ApiError;
use overfold_server::gate::Share;
use overfold_server::layers::{self, Surface};
use overfold_server::problem::{PROBLEM_JSON, problem_body};
use overfold_server::request_id::REQUEST_ID;
use overfold_server::serve::{self, Stopped};
use overfold_server::state::ServerState;

/// How often it is checked again whether there is room.
const RETRY_EVERY: Duration = Duration::from_millis(20);

/// A route whose requests can wait in a queue: one module directory each, or two that are compared.
#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum JobRoute {
    /// `POST /v1/merge`
    Merge,
    /// `POST /v1/plan`
    Plan,
    /// `POST /v1/plan-diff`
    PlanDiff,
    /// `POST /v1/upgrade`
    Upgrade,
    /// `POST /v1/compatibility`
    Compatibility,
}

impl JobRoute {
    /// Returns the path of the route.
    pub const fn path(self) -> &'static str {
        match self {
            Self::Merge => "/v1/merge",
            Self::Plan => "/v1/plan",
            Self::PlanDiff => "/v1/plan-diff",
            Self::Upgrade => "/v1/upgrade",
            Self::Compatibility => "/v1/compatibility",
        }
    }

    /// Returns the route with this path.
    pub fn with_path(path: &str) -> Option<Self> {
        Self::value_variants().iter().copied().find(|route| route.path() == path)
    }

    /// Whether a request has two module directories. Its options are then in the body.
    pub const fn has_two_sides(self) -> bool {
        matches!(self, Self::PlanDiff)
    }

    /// Returns options as they stand in a body, for each of two sides: an object as JSON text. Each value of the query string is
    /// a text there if the option takes one, else what it says as JSON, such as `true`, else a list with all of its name.
    ///
    /// # Errors
    /// Returns a message for people if an option takes none of these.
    pub fn options_in_body(query: &str) -> Result<String, String> {
        let mut options = Map::new();
        for (name, value) in query::decoded_parameters(Some(query)).map_err(|problem| problem.detail.into_owned())? {
            let takes = |value: &Value| {
                let alone = Value::Object(Map::from_iter([(name.clone(), value.clone())]));
                serde_json::from_str::<PlanOptions>(&alone.to_string()).is_ok()
            };
            let list = match options.get(&name) {
                Some(Value::Array(earlier)) => [&**earlier, &[Value::from(&*value)]].concat(),
                _ => vec![Value::from(&*value)],
            };
            let forms = [Some(Value::from(&*value)), serde_json::from_str(&value).ok(), Some(Value::from(list))];
            let Some(form) = forms.into_iter().flatten().find(takes) else {
                return Err(format!("{name}: for two sides, the value must be as in the body of a request, as JSON"));
            };
            options.insert(name, form);
        }
        Ok(json!({"before": options, "after": options}).to_string())
    }

    /// Checks the options of a request before it waits: `query` is the query string that goes with an archive.
    ///
    /// # Errors
    /// Returns a message for people if the route would refuse them, or if the answer would show sensitive values.
    pub fn check(self, query: &str, limits: &LimitSettings) -> Result<(), String> {
        fn prepare<U: UseCase<SIDES>, const SIDES: usize>(
            query: &str,
            limits: &LimitSettings,
        ) -> Result<PreparedRequest, ApiError> {
            U::prepare(query::options(Some(query))?, &limits.request).map_err(refusal_problem)
        }
        let prepared = match self {
            Self::Merge => prepare::<Merge, 1>(query, limits),
            Self::Plan => prepare::<Plan, 1>(query, limits),
            Self::PlanDiff => prepare::<PlanDiff, 2>(query, limits),
            Self::Upgrade => prepare::<Upgrade, 1>(query, limits),
            Self::Compatibility => prepare::<Compatibility, 1>(query, limits),
        };
        let prepared = prepared.map_err(|problem| problem.detail.into_owned())?;
        if prepared.request.reveal_sensitive {
            return Err("reveal_sensitive: the answers are stored, and sensitive values never are".to_owned());
        }
        Ok(())
    }
}

/// A request from a queue.
#[derive(Clone, Debug)]
pub struct JobRequest {
    /// The route.
    pub route: JobRoute,
    /// The query string, perhaps empty, without its question mark.
    pub query: String,
    /// The media type of the body.
    pub content_type: String,
    /// The id of the request: 1 to 128 visible ASCII characters. It is in the log, and in problems.
    pub id: String,
    /// The body, without a content encoding.
    pub body: Bytes,
}

/// What a route answered.
#[derive(Clone, Debug)]
pub struct JobAnswer {
    /// The HTTP status.
    pub status: u16,
    /// Whether the body is a problem (RFC 9457).
    pub is_problem: bool,
    /// The body: JSON.
    pub body: Bytes,
}

impl JobAnswer {
    /// Whether the same request may get another answer soon: the service was busy, stopped, took too long, or failed.
    pub const fn is_transient(&self) -> bool {
        self.is_problem && Self::is_transient_status(self.status)
    }

    /// Whether a problem with this status may be gone soon.
    pub const fn is_transient_status(status: u16) -> bool {
        matches!(status, 408 | 429 | 500..)
    }

    fn problem(error: &ApiError, id: &str) -> Self {
        let status = error.kind.status();
        Self { status: status.as_u16(), is_problem: true, body: problem_body(error, status, id).into() }
    }

    /// Returns the answer to a request during which workers ended, `times` times.
    pub fn gave_up(times: u64, id: &str) -> Self {
        let detail = format!("the request was given to workers {times} times, and none of them answered it");
        Self::problem(&ApiError::new(kind::INTERNAL, detail), id)
    }

    /// Returns the answer to a request whose body is not where it should be.
    pub fn without_body(id: &str) -> Self {
        Self::problem(&ApiError::new(kind::INTERNAL, "the body of the request is not in the object store"), id)
    }

    /// Returns the answer to a request that is not one.
    pub fn not_a_request(why: &str, id: &str) -> Self {
        Self::problem(&ApiError::new(kind::BAD_REQUEST, why.to_owned()), id)
    }

    /// Returns the answer to a request whose body is too large to be read at all.
    pub fn over_limit(limits: &LimitSettings, id: &str) -> Self {
        let what = "the request body as sent";
        Self::problem(&ApiError::over_limit(what, "max-request-bytes", limits.body.max_request_bytes), id)
    }
}

/// Room for the body of a request while it is read, of that for all bodies. It is freed when this is dropped.
#[derive(Debug)]
pub struct Room {
    _share: Share,
}

impl Room {
    /// Waits for room for this many bytes.
    ///
    /// # Errors
    /// Returns the answer to a request with this id if there is none within the time that a request may take.
    pub async fn wait_for(bytes: u64, state: &AppState, id: &str) -> Result<Self, JobAnswer> {
        let until = Instant::now() + state.settings().work.timeout();
        let mut share = state.gate().share(None);
        while let Err(full) = share.grow(bytes) {
            if Instant::now() >= until {
                return Err(JobAnswer::problem(&state.gate().bodies_full(&full), id));
            }
            sleep(RETRY_EVERY).await;
        }
        Ok(Self { _share: share })
    }
}

/// Answers requests from a queue. Clones share everything.
#[derive(Clone, Debug)]
pub struct Jobs(Router);

impl Jobs {
    /// Creates the part of a service that answers requests from a queue.
    pub fn new(state: &AppState) -> Self {
        Self(router::router(&state.for_jobs()))
    }

    /// Returns the answer of the route. Dropping the future cancels the work.
    pub async fn answer(&self, job: JobRequest) -> JobAnswer {
        let JobRequest { route, query, content_type, id, body } = job;
        let target = if query.is_empty() { route.path().to_owned() } else { format!("{}?{query}", route.path()) };
        let request = Request::post(target)
            .header(HOST, "localhost")
            .header(CONTENT_TYPE, content_type)
            .header(REQUEST_ID, &id)
            // So that no more room is taken than the body needs.
            .header(CONTENT_LENGTH, body.len())
            .body(Body::from(body));
        let Ok(request) = request else {
            return JobAnswer::not_a_request("its query string or its media type is not valid", &id);
        };
        let response = match self.0.clone().oneshot(request).await {
            Ok(response) => response,
            Err(never) => match never {},
        };
        let status = response.status().as_u16();
        let is_problem = response.headers().get(CONTENT_TYPE) == Some(&HeaderValue::from_static(PROBLEM_JSON));
        match response.into_body().collect().await {
            Ok(body) => JobAnswer { status, is_problem, body: body.to_bytes() },
            Err(_) => JobAnswer::problem(&ApiError::internal(), &id),
        }
    }
}

/// Serves the routes for operators alone (`/livez`, `/readyz`, `/metrics`, `/version`), and runs something beside: it is given
/// the state, which says when the process is told to stop, and must then end within the grace period. Returns once both have
/// ended.
///
/// # Errors
/// As [`crate::api::serve`].
pub async fn serve_beside<W, F>(settings: Settings, beside: W) -> io::Result<Stopped>
where
    W: FnOnce(AppState) -> F,
    F: Future<Output = ()>,
{
    settings.check().map_err(io::Error::other)?;
    let state = AppState::new(settings);
    state.report_schema_problems();
    let routes = Router::new()
        .route("/livez", get(health::get_livez))
        .route("/readyz", get(health::get_readyz))
        .route("/metrics", get(metrics::get_metrics))
        .route("/version", get(version::get_version))
        .fallback(async || {
            (StatusCode::NOT_FOUND, ApiError::new(kind::NOT_FOUND, "a worker answers no requests here"))
        });
    let routes =
        layers::stack(routes, Surface { streamed: &[], needs: NEEDS, role }, &state).with_state(state.clone());
    let mut work = pin!(beside(state.clone()));
    let mut served = pin!(serve::serve(ServerState::clone(&state), routes));
    let mut has_ended = false;
    let stopped = loop {
        tokio::select! {
            stopped = &mut served => break stopped?,
            () = &mut work, if !has_ended => has_ended = true,
        }
    };
    if stopped == Stopped::Graceful && !has_ended {
        tokio::select! {
            () = work => {}
            signalled = serve::signalled_again() => return signalled.map(|()| Stopped::AtOnce),
        }
    }
    Ok(stopped)
}

#[cfg(test)]
mod tests {
    use clap::Parser;

    use super::*;

    #[derive(Parser, Debug)]
    struct Defaults {
        #[command(flatten)]
        limits: LimitSettings,
    }

    #[test]
    fn options_of_two_sides_stand_in_the_body() {
        let query = "version=1.5&recursive=true&paths=a.tf&paths=b%2Fc.tf&severities=%7B%22a%2Fb%22%3A%22info%22%7D";
        let side =
            json!({"version": "1.5", "recursive": true, "paths": ["a.tf", "b/c.tf"], "severities": {"a/b": "info"}});
        let options: Value = serde_json::from_str(&JobRoute::options_in_body(query).unwrap()).unwrap();
        assert_eq!(options, json!({"before": side, "after": side}));
        assert!(JobRoute::options_in_body("severities=a").unwrap_err().starts_with("severities: "));
    }

    #[test]
    fn options_are_checked_as_the_route_checks_them() {
        let limits = Defaults::parse_from(["overfold"]).limits;
        let check = |route: JobRoute, query: &str| route.check(query, &limits);
        assert_eq!(check(JobRoute::Upgrade, "version=1.5&to=%7B%22version%22%3A%221.9%22%7D"), Ok(()));
        assert!(check(JobRoute::Upgrade, "version=1.5").unwrap_err().contains("to"));
        assert_eq!(check(JobRoute::PlanDiff, "unset_variables=unknown"), Ok(()));
        for wrong in ["include=plan", "no_such=1", "reveal_sensitive=true"] {
            assert!(check(JobRoute::PlanDiff, wrong).is_err(), "{wrong}");
        }
        for route in JobRoute::value_variants() {
            assert_eq!(JobRoute::with_path(route.path()), Some(*route));
        }
    }
}

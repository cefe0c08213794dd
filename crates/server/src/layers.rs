//! The layers around every route, stacked in one function: request id, log, problem bodies, caught panics, deadline,
//! size limits and content encodings.

use std::any::Any;
use std::time::Instant;

use axum::Router;
use axum::body::Body;
use axum::extract::{DefaultBodyLimit, MatchedPath, Request, State};
use axum::http::header::{
    ACCEPT_ENCODING, CACHE_CONTROL, CONTENT_ENCODING, CONTENT_LENGTH, CONTENT_TYPE, RETRY_AFTER,
};
use axum::http::{HeaderMap, HeaderValue, StatusCode};
use axum::middleware::{Next, from_fn, from_fn_with_state};
use axum::response::{IntoResponse, Response};
use tower_http::catch_panic::CatchPanicLayer;

use crate::access_log;
use crate::auth::{Needs, guard};
use crate::body::{BodyOverLimit, cap};
use crate::decoding::{ContentCoding, ENCODINGS, decoded};
use crate::error::{ApiError, Kind, kind};
use crate::framing::check_transfer;
use crate::hardening::protected;
use crate::lingering::linger;
use crate::metrics::count_requests;
use crate::paths::PathRoles;
use crate::problem::{PROBLEM_JSON, problem_body};
use crate::request_id::{REQUEST_ID, RequestId};
use crate::reserve::refuse_beyond_cap;
use crate::state::ServerState;
use crate::watch::Watch;

/// What the layers know of the routes that they surround.
#[derive(Clone, Copy, Debug)]
pub struct Surface {
    /// The routes that limit their bodies themselves, piece by piece.
    pub streamed: &'static [&'static str],
    /// What each route needs of its caller.
    pub needs: Needs,
    /// What paths lead to.
    pub role: PathRoles,
}

/// Puts the layers around the routes.
pub fn stack<S>(routes: Router<S>, Surface { streamed, needs, role }: Surface, state: &ServerState) -> Router<S>
where
    S: Clone + Send + Sync + 'static,
{
    // `Router::layer` wraps what is already there, so this list goes from the innermost layer to the outermost.
    routes
        // The limits below report their names when they are exceeded.
        .layer(DefaultBodyLimit::disable())
        .layer(from_fn_with_state((state.clone(), streamed), limit_request))
        .layer(from_fn_with_state(state.clone(), deadline))
        .layer(from_fn_with_state((state.access().clone(), needs, role), guard))
        .layer(from_fn(check_transfer))
        .layer(from_fn_with_state(role, refuse_beyond_cap))
        .layer(CatchPanicLayer::custom(caught_panic))
        .layer(from_fn(problems))
        .layer(from_fn_with_state(state.metrics().clone(), count_requests))
        .layer(from_fn_with_state(state.traces().clone(), access_log::log))
        .layer(from_fn(request_id))
        .layer(from_fn(linger))
        .layer(from_fn_with_state(role, protected))
}

async fn request_id(mut request: Request, next: Next) -> Response {
    let id = RequestId::from_headers(request.headers());
    request.extensions_mut().insert(id.clone());
    let mut response = next.run(request).await;
    let headers = response.headers_mut();
    headers.insert(REQUEST_ID, id.into());
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

fn length(headers: &HeaderMap) -> Option<u64> {
    headers.get(CONTENT_LENGTH)?.to_str().ok()?.parse().ok()
}

/// Marks a response whose body is to be sent as it is, whatever its status.
#[derive(Clone, Copy, Debug)]
pub struct KeepBody;

/// Writes the body of every failure, including those that a router or a layer answers by itself.
async fn problems(request: Request, next: Next) -> Response {
    let id = request.extensions().get::<RequestId>().cloned();
    let response = next.run(request).await;
    let status = response.status();
    let has_failed = status.is_client_error() || status.is_server_error();
    if !has_failed || response.extensions().get::<KeepBody>().is_some() {
        return response;
    }
    let (mut parts, _) = response.into_parts();
    let error = parts.extensions.get::<ApiError>().cloned().unwrap_or_else(|| bare(status));
    let instance = id.as_ref().map_or("", RequestId::as_str);
    if error.kind == kind::INTERNAL {
        tracing::error!(request_id = instance, "a request failed with an internal error");
    }
    let body = problem_body(&error, status, instance);
    for header in [CONTENT_LENGTH, CONTENT_ENCODING] {
        parts.headers.remove(header);
    }
    parts.headers.insert(CONTENT_TYPE, HeaderValue::from_static(PROBLEM_JSON));
    if matches!(status, StatusCode::SERVICE_UNAVAILABLE | StatusCode::TOO_MANY_REQUESTS) {
        parts.headers.insert(RETRY_AFTER, HeaderValue::from(error.retry_after.unwrap_or(1)));
    }
    parts.extensions.insert(error);
    Response::from_parts(parts, Body::from(body))
}

fn bare(status: StatusCode) -> ApiError {
    let kind = Kind::from_status(status);
    let detail = match kind {
        kind::NOT_FOUND => "no route has this path; GET /docs lists the routes",
        kind::METHOD_NOT_ALLOWED => "the Allow header lists the methods of this path",
        kind::INTERNAL => return ApiError::internal(),
        _ => status.canonical_reason().unwrap_or("the request was refused"),
    };
    ApiError::new(kind, detail)
}

fn caught_panic(_payload: Box<dyn Any + Send + 'static>) -> Response {
    // The payload may quote the text being processed, so it is neither sent nor logged. The panic hook logs the place.
    ApiError::internal().into_response()
}

/// The time by which a request must be answered.
#[derive(Clone, Copy, Debug)]
pub struct Deadline(pub Instant);

/// Answers the client at the deadline, or when the service stops and no longer waits. Anything waiting or working for
/// the request is dropped with it, and thereby cancelled.
async fn deadline(State(state): State<ServerState>, mut request: Request, next: Next) -> Response {
    let limit = state.settings().work.timeout();
    request.extensions_mut().insert(Deadline(Instant::now() + limit));
    let watch = request.extensions().get::<Watch>().cloned();
    let cut_off = async {
        match watch {
            Some(watch) => watch.is_cut_off().await,
            None => std::future::pending().await,
        }
    };
    let problem = tokio::select! {
        response = next.run(request) => return response,
        () = tokio::time::sleep(limit) => ApiError::new(
            kind::TIMEOUT,
            format!("no answer within {} seconds, the time limit for a request", limit.as_secs_f64()),
        ),
        () = cut_off => ApiError::new(kind::DRAINING, "the service is stopping and no longer waits for this request; send it to another instance"),
    };
    problem.into_response()
}

/// Marks requests whose body had a content encoding.
#[derive(Clone, Copy, Debug)]
pub struct Unpacked;

/// Limits the body as sent, and removes its content encoding.
async fn limit_request(
    State((state, streamed)): State<(ServerState, &'static [&'static str])>,
    mut request: Request,
    next: Next,
) -> Response {
    let limit = state.settings().body.max_request_bytes;
    let whole = request.extensions().get::<MatchedPath>().is_none_or(|path| !streamed.contains(&path.as_str()));
    let over = BodyOverLimit { what: "the request body as sent", name: "max-request-bytes", limit };
    if whole && length(request.headers()).is_some_and(|length| length > limit) {
        return over.problem().into_response();
    }
    let coding = match coding(request.headers()) {
        Ok(coding) => coding,
        Err(refused) => return ([(ACCEPT_ENCODING, ENCODINGS)], refused).into_response(),
    };
    if coding.is_some() {
        // Neither header is true of the body that the routes see.
        request.headers_mut().remove(CONTENT_ENCODING);
        request.headers_mut().remove(CONTENT_LENGTH);
        request.extensions_mut().insert(Unpacked);
    }
    next.run(request.map(|body| {
        let body = if whole { cap(body, over) } else { body };
        match coding {
            Some(coding) => decoded(body, coding),
            None => body,
        }
    }))
    .await
}

/// Returns the content encoding of a request's body; `None` if it has none.
fn coding(headers: &HeaderMap) -> Result<Option<ContentCoding>, ApiError> {
    let mut codings = headers
        .get_all(CONTENT_ENCODING)
        .iter()
        .flat_map(|value| value.to_str().unwrap_or("?").split(',').map(|coding| coding.trim().to_ascii_lowercase()));
    let (first, more) = (codings.next(), codings.next());
    match (first.as_deref(), more) {
        (None | Some("" | "identity"), None) => return Ok(None),
        (Some(name), None) => ContentCoding::named(name).map(Some),
        _ => None,
    }
    .ok_or_else(|| {
        ApiError::new(
            kind::UNSUPPORTED_ENCODING,
            format!("a request body can have only one Content-Encoding, one of: {ENCODINGS}"),
        )
    })
}

#[cfg(test)]
mod tests {
    use axum::http::header::HOST;
    use axum::routing::get;
    use http_body_util::BodyExt as _;
    use tower::ServiceExt as _;

    use super::*;
    use crate::paths::PathRole;
    use crate::settings::Settings;

    async fn ask(request: Request) -> (Response, serde_json::Value) {
        async fn breaks() -> StatusCode {
            panic!("a secret of the inside")
        }
        async fn fails() -> (StatusCode, &'static str) {
            (StatusCode::INTERNAL_SERVER_ERROR, "a secret of the inside")
        }
        let state = ServerState::new(Settings::for_testing(), "unknown");
        let routes = Router::new().route("/breaks", get(breaks)).route("/fails", get(fails));
        let surface = Surface { streamed: &[], needs: &[], role: |_| PathRole::Route };
        let response = stack(routes, surface, &state).oneshot(request).await.unwrap();
        let (parts, body) = response.into_parts();
        let body = body.collect().await.unwrap().to_bytes();
        let json = serde_json::from_slice(&body).unwrap();
        (Response::from_parts(parts, Body::empty()), json)
    }

    #[tokio::test]
    async fn a_failure_of_ours_is_a_500_that_reveals_nothing() {
        for path in ["/breaks", "/fails"] {
            let (response, problem) =
                ask(Request::get(path).header(HOST, "localhost").body(Body::empty()).unwrap()).await;
            assert_eq!(response.status(), 500);
            assert_eq!(response.headers()[CONTENT_TYPE], PROBLEM_JSON);
            assert_eq!(problem["code"], "internal");
            assert_eq!(problem["instance"], response.headers()[REQUEST_ID].to_str().unwrap());
            assert!(!problem.to_string().contains("secret"));
        }
    }

    #[tokio::test]
    async fn a_usable_request_id_of_the_client_is_kept() {
        for (sent, kept) in [("abc-1", true), ("with space", false), ("", false), (&*"x".repeat(129), false)] {
            let request = Request::get("/fails")
                .header(HOST, "localhost")
                .header(REQUEST_ID, sent)
                .body(Body::empty())
                .unwrap();
            let (_, problem) = ask(request).await;
            assert_eq!(problem["instance"] == sent, kept, "{sent}");
            assert_ne!(problem["instance"], "");
        }
    }
}

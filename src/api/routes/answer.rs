//! What the routes that do work have in common: a request gets its turn, a use case of [`crate::task`] runs, its outcome
//! becomes an answer.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::value::RawValue;
use sha2::{Digest as _, Sha256};

use crate::api::http::accept::Coding;
use crate::api::http::cache::{CACHE_STATUS, Cache, CacheStatus};
use crate::api::http::error::{ApiError, Kind};
use crate::api::http::layers::KeepBody;
use crate::api::http::metrics::Metrics;
use crate::api::http::packing::{pack, tag};
use crate::api::http::state::AppState;
use crate::api::http::traces::Trace;
use crate::api::http::work::{self, CancelOnDrop};
use crate::api::wire::upload::{Payload, Received};
use crate::api::wire::v1::UploadOptions;
use crate::settings::LimitSettings;
use crate::task::{Facts, Input, Observer};
use overfold_base::account::{self, Cancel};
use overfold_base::echo::short;
use overfold_base::files::FileSet;
use overfold_eval::{Entry, FileAccess};
use overfold_module::pipeline::{self, Report};
use overfold_output as output;

/// RFC 9530.
const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");
/// Says of a report what `valid` says in the answer as JSON; of a comparison, whether both sides are valid.
const VALID: HeaderName = HeaderName::from_static("overfold-valid");

/// What the work on a request has at hand besides the request.
#[derive(Clone, Debug)]
pub(crate) struct Desk {
    pub(crate) limits: LimitSettings,
    pub(crate) metrics: Metrics,
    pub(crate) cache: Option<Cache>,
    /// Whether the answer goes to a place where others read it later.
    pub(crate) is_stored: bool,
}

/// An answer to a request.
pub(crate) struct Answer {
    /// The body, compressed with the coding named in the head.
    pub(crate) body: Vec<u8>,
    /// The data for its status and headers.
    pub(crate) head: Head,
}

/// The status and headers of an answer.
pub(crate) struct Head {
    /// 200, or 422 if the request asks for it.
    status: StatusCode,
    content_type: String,
    /// How the body is compressed.
    coding: Coding,
    /// A digest of the normalised request and the program's version, in hexadecimal.
    fingerprint: String,
    /// SHA-256 of the body as sent.
    digest: [u8; 32],
    /// The outcome, for the log.
    facts: Facts,
    /// Whether it is a report, whose form the query names: nothing in its body says whether the configuration is valid.
    is_report: bool,
    /// What it has to do with the cache, if there is one.
    cache: Option<CacheStatus>,
}

impl Head {
    /// Returns the head of an answer with status 200.
    pub(super) const fn of(
        content_type: String,
        coding: Coding,
        fingerprint: String,
        digest: [u8; 32],
        facts: Facts,
    ) -> Self {
        Self {
            status: StatusCode::OK,
            content_type,
            coding,
            fingerprint,
            digest,
            facts,
            is_report: false,
            cache: None,
        }
    }

    /// Returns how the body is compressed.
    pub(super) const fn coding(&self) -> Coding {
        self.coding
    }

    /// Returns the SHA-256 of the body as sent.
    pub(super) const fn digest(&self) -> &[u8; 32] {
        &self.digest
    }

    /// Returns the outcome.
    pub(super) const fn facts(&self) -> &Facts {
        &self.facts
    }

    /// Returns the status.
    pub(crate) const fn status(&self) -> StatusCode {
        self.status
    }

    /// Returns the response with this body.
    pub(crate) fn with(self, body: Bytes) -> Response {
        let Self { status, content_type, coding, fingerprint, digest, facts, is_report, cache } = self;
        let headers = [
            (CONTENT_TYPE, content_type),
            (ETAG, tag(&fingerprint, coding)),
            (REPR_DIGEST, format!("sha-256=:{}:", BASE64_STANDARD.encode(digest))),
            (VARY, if is_report { "accept-encoding" } else { "accept, accept-encoding" }.to_owned()),
        ];
        let valid = is_report.then(|| [(VALID, facts.valid.to_string())]);
        let encoding = coding.name().map(|name| [(CONTENT_ENCODING, name)]);
        let cache = cache.map(|cache| [(CACHE_STATUS, cache.field())]);
        (status, Extension(facts), Extension(KeepBody), headers, valid, encoding, cache, body).into_response()
    }
}

/// Watches a use case for the metrics, and for variable definitions files that are not there.
pub(crate) struct Watching<'w, F> {
    sides: Vec<Input<'w>>,
    metrics: &'w Metrics,
    on_stage: F,
    /// The first problem, with its side.
    problem: Option<(usize, ApiError)>,
}

impl<'w, F: FnMut(&'static str)> Watching<'w, F> {
    /// Watches a use case with these sides.
    pub(crate) const fn of(sides: Vec<Input<'w>>, metrics: &'w Metrics, on_stage: F) -> Self {
        Self { sides, metrics, on_stage, problem: None }
    }

    /// Ends the watch.
    ///
    /// # Errors
    /// Returns the problem of a side that names a variable definitions file which is not among its files.
    pub(crate) fn finish(self) -> Result<(), (usize, ApiError)> {
        self.problem.map_or(Ok(()), Err)
    }
}

impl<F: FnMut(&'static str)> Observer for Watching<'_, F> {
    fn stage(&mut self, name: &'static str) {
        (self.on_stage)(name);
    }

    fn module(&mut self, side: usize, report: &Report<'_>) {
        self.metrics.found(&report.diagnostics);
        if let (None, Some(Input { files, prepared, .. })) = (&self.problem, self.sides.get(side))
            // In a tree, values are given to the root alone.
            && (report.variables.is_some() || prepared.tree.is_none())
        {
            self.problem = missing_var_files(report, files, &prepared.request).err().map(|problem| (side, problem));
        }
    }
}

impl Answer {
    /// Returns an answer with this body, compressed if that is worthwhile.
    ///
    /// # Errors
    /// 500 if it cannot be compressed.
    pub(crate) fn of(
        plain: Vec<u8>,
        coding: Coding,
        status: StatusCode,
        content_type: String,
        fingerprint: String,
        facts: Facts,
    ) -> Result<Self, ApiError> {
        let (mut body, coding) = pack(plain, coding)?;
        body.shrink_to_fit();
        let digest = Sha256::digest(&body).into();
        let head = Head { status, ..Head::of(content_type, coding, fingerprint, digest, facts) };
        Ok(Self { body, head })
    }

    /// Returns the same with what it has to do with the cache.
    pub(super) fn with_cache_status(mut self, status: CacheStatus) -> Self {
        self.head.cache = Some(status);
        self
    }

    /// Returns the same as the answer of a route for reports.
    pub(crate) fn into_report(mut self) -> Self {
        self.head.is_report = true;
        self
    }
}

/// Fails if the request names a variable definitions file that is not among its files: such a request is impossible.
/// The tool would report it, so the problem carries the diagnostics. Something else at the path of an automatic
/// definitions file is only a diagnostic.
pub(crate) fn missing_var_files(
    report: &Report<'_>,
    files: &FileSet,
    request: &pipeline::Request,
) -> Result<(), ApiError> {
    let access = FileAccess { files, root: &request.root };
    let named = request.variables.iter().flat_map(|variables| &variables.args).filter_map(|arg| match arg {
        pipeline::VariableArg::VarFile(path) => Some(path),
        _ => None,
    });
    let mut missing = named.filter(|path| !matches!(access.entry(path), Entry::File(_)));
    let Some(first) = missing.next() else { return Ok(()) };
    let others = match missing.count() {
        0 => String::new(),
        more => format!(" (and {more} more)"),
    };
    let detail = format!("the variable definitions file {:?} is not in the files{others}", short(first));
    let problem = ApiError::new(Kind::VarFileNotFound, detail).at("/variables/args");
    let diagnostics =
        String::from_utf8(output::diagnostics_only(report)).ok().and_then(|text| RawValue::from_string(text).ok());
    Err(ApiError { diagnostics: diagnostics.map(Arc::from), ..problem })
}

/// Returns what the work on a request has at hand.
pub(super) fn desk(state: &AppState, trace: Trace) -> Desk {
    let (limits, cache) = (state.settings().limits.clone(), state.cache().cloned());
    let metrics = state.metrics().of_request(trace);
    Desk { limits, metrics, cache, is_stored: state.stores_answers() }
}

/// Lets `make` do the work of a request whose body has arrived: in its turn, on a thread for work, under one account,
/// and cancelled when the answer is no longer awaited.
///
/// # Errors
/// Returns the error of `make`; 413 if a limit of the account is exceeded; 503 if there is no turn.
pub(crate) async fn run_work<O: UploadOptions>(
    state: &AppState,
    call: Received<O>,
    make: impl FnOnce(Payload<O>, &Desk) -> Result<Answer, ApiError> + Send + 'static,
) -> Result<Response, ApiError> {
    let Received { weight, share, deadline, payload, reader, trace } = call;
    let waiting = trace.begin("queue");
    let mut turn = state.gate().turn(weight, share, deadline).await?;
    drop(waiting);
    let desk = desk(state, trace);
    let cancel = Cancel::new();
    // Dropped with this future: when the answer is ready, when the deadline has passed, or when the client has left.
    let _unwanted = CancelOnDrop(cancel.clone());
    let done = work::run(weight.class, move || {
        turn.begin();
        // The turn ends with the work, not when the client leaves.
        let job = || make(payload, &desk);
        match account::open(desk.limits.account(), &cancel, job) {
            Ok(Ok(Answer { body, head })) => Ok((head, turn.finish(body, reader))),
            Ok(Err(problem)) => {
                turn.fail();
                Err(problem)
            }
            Err(stop) => {
                desk.metrics.stopped(stop);
                Err(stop.into())
            }
        }
    });
    let (head, body) = done.await??;
    Ok(head.with(body.into_bytes()))
}

//! The answer of a route that does work, and what such work has at hand.

use std::sync::Arc;

use axum::Extension;
use axum::body::Bytes;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE, ETAG, VARY};
use axum::http::{HeaderName, StatusCode};
use axum::response::{IntoResponse, Response};
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use sha2::{Digest as _, Sha256};

use crate::settings::LimitSettings;
use crate::state::AppState;
use overfold_base::diag::Tally;
use overfold_engine::Facts;
use overfold_model::schema::SchemaStore;
use overfold_server::accept::Coding;
use overfold_server::cache::{CACHE_STATUS, Cache, CacheStatus};
use overfold_server::error::ApiError;
use overfold_server::layers::KeepBody;
use overfold_server::metrics::Metrics;
use overfold_server::packing::{pack, tag};
use overfold_server::record::Findings;
use overfold_server::traces::Trace;

/// RFC 9530.
const REPR_DIGEST: HeaderName = HeaderName::from_static("repr-digest");
/// Says of a report what `valid` says in the answer as JSON; of a comparison, whether both sides are valid.
const VALID: HeaderName = HeaderName::from_static("overfold-valid");

/// What the work on a request has at hand besides the request.
#[derive(Clone, Debug)]
pub(crate) struct WorkContext {
    pub(crate) limits: Arc<LimitSettings>,
    pub(crate) schemas: Option<SchemaStore>,
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
        (status, Extension(findings(facts)), Extension(KeepBody), headers, valid, encoding, cache, body)
            .into_response()
    }
}

/// Returns what the log says of an answer with these facts.
const fn findings(Facts { valid, tally: Tally { errors, warnings, infos }, files }: Facts) -> Findings {
    Findings { valid, errors, warnings, infos, files }
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

/// Returns what the work on a request has at hand.
pub(super) fn work_context(state: &AppState, trace: Trace) -> WorkContext {
    let (limits, cache) = (Arc::clone(state.limits()), state.cache().cloned());
    let metrics = state.metrics().of_request(trace);
    WorkContext { limits, schemas: state.schemas().cloned(), metrics, cache, is_stored: state.stores_answers() }
}

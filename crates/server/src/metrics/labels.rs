//! Labels of metrics, each from a closed set.

use std::sync::Arc;

use axum::http::Method;
use prometheus_client::encoding::EncodeLabelSet;

use crate::class::SizeClass;

/// An answered request.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct RequestLabels {
    pub(super) route: Arc<str>,
    pub(super) method: &'static str,
    pub(super) status: u16,
}

/// The status of a line of a batch.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Status {
    pub(super) status: u16,
}

/// A route, as written in the router.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Route {
    pub(super) route: Arc<str>,
}

/// A size class.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Class {
    class: &'static str,
}

impl Class {
    pub(super) const fn new(class: SizeClass) -> Self {
        Self { class: class.name() }
    }
}

/// Why a request was turned away.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Reason {
    pub(super) reason: &'static str,
}

/// What became of a request from a queue.
#[cfg(feature = "jobs")]
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Outcome {
    pub(super) outcome: &'static str,
}

/// A setting that names files which are read again when they change.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct File {
    pub(super) file: &'static str,
}

/// A setting that limits work.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct Limit {
    pub(super) limit: &'static str,
}

/// A stage of the work.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct StageLabel {
    pub(super) stage: &'static str,
}

/// The trace of a request, in an exemplar.
#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct TraceId {
    pub(super) trace_id: String,
}

#[derive(Clone, PartialEq, Eq, Hash, Debug, EncodeLabelSet)]
pub(super) struct FindingLabel {
    pub(super) code: &'static str,
    pub(super) severity: &'static str,
}

/// Returns a method's name; all methods that no route uses share one.
pub(super) fn method(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        "PUT" => "PUT",
        "DELETE" => "DELETE",
        "PATCH" => "PATCH",
        "OPTIONS" => "OPTIONS",
        _ => "other",
    }
}

//! Traces: a span for each request that is to be traced, with the stages of its work as children, sent to a collector.
//!
//! A request whose `traceparent` has the sampled flag is traced, one without the flag is not, and one without a
//! `traceparent` in a part of the cases, see `--otlp-ratio`. Every text in a span comes from a fixed table (routes, methods,
//! codes, stages) except the id of the request and the caller's own trace data: nothing of the content of a request, no
//! path, query string or other header is ever in one. Spans are made by hand from what the record of a request and the
//! clock of its stages know; events of the log, ours or those of libraries, are not part of them.
//!
//! Tracing never delays a request: spans are kept in memory until the request is over, and then go to a queue of a bounded
//! size; what finds no room there is dropped and counted.
//!
//! Without the feature `otlp`, the same calls do nothing.

#[cfg(not(feature = "otlp"))]
mod absent;
#[cfg(feature = "otlp")]
mod collector;
#[cfg(feature = "otlp")]
mod export;
#[cfg(feature = "otlp")]
mod request;
#[cfg(feature = "otlp")]
mod spans;

#[cfg(not(feature = "otlp"))]
pub use self::absent::{Span, Trace};
#[cfg(not(feature = "otlp"))]
pub(crate) use self::absent::{SpanCounts, Traces};
#[cfg(feature = "otlp")]
pub(crate) use self::export::{SpanCounts, Traces};
#[cfg(feature = "otlp")]
pub use self::request::{Span, Trace};

/// How a request ended.
#[derive(Clone, Copy, Debug)]
#[cfg_attr(not(feature = "otlp"), expect(dead_code, reason = "nobody reads it"))]
pub(crate) struct RequestEnd {
    /// The status of the answer, if there was one.
    pub(crate) status: Option<u16>,
    /// The code of the problem, if the answer was one.
    pub(crate) code: Option<&'static str>,
    /// Whether the whole answer was sent, as far as can be known.
    pub(crate) answered: bool,
    /// Bytes of the body of the request that arrived.
    pub(crate) bytes_in: u64,
    /// Bytes of the body of the answer that were sent.
    pub(crate) bytes_out: u64,
}

//! What stands for traces in a program that is built without them.

use std::future::{Ready, ready};
use std::io;

use axum::extract::Request;
use axum::http::{Extensions, HeaderValue};
use prometheus_client::registry::Registry;
use tokio::time::Instant;

use super::RequestEnd;
use crate::settings::Settings;

/// No counts.
#[derive(Debug)]
pub(crate) struct SpanCounts(());

impl SpanCounts {
    /// Registers nothing.
    pub(crate) fn registered(_: &mut Registry) -> Self {
        Self(())
    }
}

/// No traces.
#[derive(Clone, Debug)]
pub(crate) struct Traces(());

#[expect(clippy::unused_self, reason = "the same calls have an effect with traces")]
impl Traces {
    /// Returns nothing that traces.
    pub(crate) fn new(_: &Settings, _: &SpanCounts) -> Self {
        Self(())
    }

    /// Does nothing.
    #[expect(clippy::unnecessary_wraps, reason = "the same call can fail with traces")]
    pub(crate) fn start(&self) -> io::Result<()> {
        Ok(())
    }

    /// Does nothing.
    pub(crate) fn stop(&self, _: Instant) -> Ready<()> {
        ready(())
    }

    /// Returns the trace of a request: none.
    pub(crate) fn open(&self, _: &Request, _: Option<&str>) -> Trace {
        Trace(())
    }
}

/// No trace.
#[derive(Clone, Default, Debug)]
pub struct Trace(());

/// No span.
#[derive(Debug)]
pub struct Span(());

#[expect(clippy::unused_self, reason = "the same calls have an effect with traces")]
impl Trace {
    /// Returns no trace.
    pub fn of(_: &Extensions) -> Self {
        Self(())
    }

    /// Returns no id.
    pub(crate) fn id(&self) -> Option<String> {
        None
    }

    /// Returns no header.
    pub(crate) fn response_header(&self) -> Option<HeaderValue> {
        None
    }

    /// Begins nothing.
    pub fn begin(&self, _: &'static str) -> Span {
        Span(())
    }

    /// Begins nothing.
    pub fn begin_within(&self, _: &'static str) -> (Span, Self) {
        (Span(()), Self(()))
    }

    /// Does nothing.
    pub(crate) fn end(&self, _: RequestEnd) {}
}

impl Drop for Span {
    fn drop(&mut self) {}
}

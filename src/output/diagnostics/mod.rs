//! Diagnostics as they are answered. Nothing here adds or changes one.

mod json;
mod snippet;
mod text;

use crate::diag::{Diagnostic, Diagnostics};
use crate::files::{Range, Sources};

pub(super) use json::{Record, records, write_all, write_range};
pub use text::{Counts, findings, text};

/// A diagnostic with its place computed.
struct Placed<'a> {
    diagnostic: &'a Diagnostic,
    /// The file's name and the range in it, widened as the tools print it.
    at: Option<(&'a str, Range)>,
}

/// All diagnostics in the order of the answer: those without a place first, then by file name, start byte and
/// summary; what is still equal keeps the order of discovery.
fn in_order<'a>(diagnostics: &'a Diagnostics, sources: &'a Sources) -> Vec<Placed<'a>> {
    let mut placed: Vec<Placed<'a>> = diagnostics
        .iter()
        .map(|diagnostic| Placed {
            diagnostic,
            at: diagnostic.span.map(|span| (sources.name(span.source), sources.range(span).widened())),
        })
        .collect();
    placed.sort_by(|a, b| {
        let key = |placed: &Placed<'a>| placed.at.map(|(name, range)| (name, range.start.byte));
        key(a).cmp(&key(b)).then_with(|| a.diagnostic.summary.cmp(&b.diagnostic.summary))
    });
    placed
}

//! The bound on names: what has a longer one is left out, with a finding of ours. Names are a part of every address, so a
//! single long one would be repeated for each instance, finding and line of an answer.

use std::cell::RefCell;
use std::collections::BTreeMap;

use crate::codes;
use overfold_base::diag::{Diagnostic, SourceId, Span, TextRange};

/// Returns what is said of a name at this place that is longer than `max` bytes.
pub(crate) fn too_long(place: Span, max: u32) -> Diagnostic {
    let detail = format!(
        "This name is longer than {max} bytes, the limit max-name-bytes of this service. The block that it belongs to is left out."
    );
    Diagnostic::ours(&codes::NAME_TOO_LONG, place, detail)
}

/// The names that readers have left out because they are too long, each once, and whether that has been reported.
#[derive(Default)]
pub(crate) struct LeftOut {
    places: RefCell<BTreeMap<Span, bool>>,
}

impl LeftOut {
    /// Records a name at this place.
    pub(crate) fn add(&self, place: Span) {
        self.places.borrow_mut().entry(place).or_insert(false);
    }

    /// Returns what is said of the names that have been recorded since the last call, in order of place.
    pub(crate) fn take(&self, max: u32) -> Vec<Diagnostic> {
        let mut places = self.places.borrow_mut();
        let new = places.iter_mut().filter(|(_, reported)| !**reported);
        let found = new.map(|(place, reported)| {
            *reported = true;
            too_long(*place, max)
        });
        found.collect()
    }
}

/// Whether a text is longer than a limit.
pub(crate) const fn exceeds(length: usize, max: u32) -> bool {
    length as u64 > max as u64
}

/// Returns the finding about a name in a tree that is being built.
pub(crate) fn too_long_in(source: SourceId, range: TextRange, max: u32) -> Diagnostic {
    too_long(range.in_source(source), max)
}

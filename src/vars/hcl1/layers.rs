//! Values of one source or group of sources, merged as they come (variables.md, section B2).

use crate::diag::Span;
use crate::value::Hcl1Value;
use crate::vars::ValueOrigin;

/// One value given to a name.
#[derive(Clone, Debug)]
pub(super) struct Given {
    pub(super) value: Hcl1Value,
    pub(super) origin: ValueOrigin,
    /// The value, where it stands in a file.
    pub(super) at: Option<Span>,
}

/// What one source, or a group of them, gives to a name: maps that follow each other are merged, the later key counts;
/// anything else takes the place of what was there.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// In the order given.
    given: Vec<Given>,
    merged: Option<Hcl1Value>,
    /// Index of the first value that takes part in `merged`; all after it do.
    since: usize,
}

impl Layer {
    pub(super) fn add(&mut self, given: Given) {
        match (&mut self.merged, &given.value) {
            (Some(Hcl1Value::Map(have)), Hcl1Value::Map(new)) => {
                have.extend(new.iter().map(|(key, part)| (key.clone(), part.clone())));
            }
            (merged, value) => {
                *merged = Some(value.clone());
                self.since = self.given.len();
            }
        }
        self.given.push(given);
    }

    /// The value of the whole layer. `None`: it gives none.
    pub(super) const fn value(&self) -> Option<&Hcl1Value> {
        self.merged.as_ref()
    }

    /// What takes part in the value, in the order given.
    pub(super) fn parts(&self) -> &[Given] {
        self.given.get(self.since..).unwrap_or_default()
    }

    /// What something later in the layer took the place of, in the order given.
    pub(super) fn replaced(&self) -> &[Given] {
        self.given.get(..self.since).unwrap_or_default()
    }

    /// Everything given, in order.
    pub(super) fn all(&self) -> &[Given] {
        &self.given
    }
}

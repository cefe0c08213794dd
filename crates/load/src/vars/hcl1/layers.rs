//! Values from one source or group of sources, merged in the order in which they come (variables.md, section B2).

use crate::vars::ValueOrigin;
use overfold_base::diag::Span;
use overfold_value::Hcl1Value;

/// A value provided for a name.
#[derive(Clone, Debug)]
pub(super) struct LayerValue {
    pub(super) value: Hcl1Value,
    pub(super) origin: ValueOrigin,
    /// The location of the value, if it is in a file.
    pub(super) at: Option<Span>,
}

/// The values that a source, or a group of sources, provides for a name. Consecutive maps are merged, and later keys
/// take precedence; anything else replaces what came before.
#[derive(Clone, Debug, Default)]
pub(super) struct Layer {
    /// The values, in the order given.
    given: Vec<LayerValue>,
    merged: Option<Hcl1Value>,
    /// The index of the first value that contributes to `merged`; all later ones do, too.
    since: usize,
}

impl Layer {
    pub(super) fn add(&mut self, given: LayerValue) {
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

    /// Returns the value of the whole layer; `None` if there is none.
    pub(super) const fn value(&self) -> Option<&Hcl1Value> {
        self.merged.as_ref()
    }

    /// Returns the values that contribute to the result, in the order given.
    pub(super) fn parts(&self) -> &[LayerValue] {
        self.given.split_at(self.since).1
    }

    /// Returns the values that a later one in the layer replaced, in the order given.
    pub(super) fn replaced(&self) -> &[LayerValue] {
        self.given.split_at(self.since).0
    }

    /// Returns all values, in the order given.
    pub(super) fn all(&self) -> &[LayerValue] {
        &self.given
    }
}

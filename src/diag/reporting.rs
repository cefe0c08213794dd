//! How a piece of work that reports into a sink says whether it failed: in its result, not in a count that others compare.

use super::{Diagnostic, Diagnostics};

/// Whether a piece of work reported an error.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[must_use]
pub enum Verdict {
    /// It reported none.
    Clean,
    /// It reported one or more.
    Failed,
}

impl Verdict {
    /// Whether no error was reported.
    pub const fn is_clean(self) -> bool {
        matches!(self, Self::Clean)
    }

    /// The verdict on two pieces of work together.
    pub const fn and(self, other: Self) -> Self {
        match self {
            Self::Clean => other,
            Self::Failed => self,
        }
    }

    /// Whether an error was reported.
    pub const fn failed(self) -> bool {
        matches!(self, Self::Failed)
    }
}

/// Something that holds a sink: the sink itself, and every stage that carries one along.
pub trait Reporting {
    /// The sink.
    fn sink(&mut self) -> &mut Diagnostics;

    /// Does a piece of work, and says whether it reported an error; what it reported stays in the sink.
    fn watch<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, Verdict) {
        let before = self.sink().errors;
        let result = work(self);
        let verdict = if self.sink().errors > before { Verdict::Failed } else { Verdict::Clean };
        (result, verdict)
    }

    /// Does a piece of work, and gives what it reported in place of leaving it in the sink. Findings past
    /// [`Diagnostics::CAP`] are counted in the sink.
    fn collect<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, Vec<Diagnostic>) {
        let phase = self.sink().phase;
        let outer = std::mem::replace(self.sink(), Diagnostics { phase, ..Diagnostics::default() });
        let result = work(self);
        let inner = std::mem::replace(self.sink(), outer);
        self.sink().dropped += inner.dropped;
        (result, inner.list)
    }
}

impl Reporting for Diagnostics {
    fn sink(&mut self) -> &mut Diagnostics {
        self
    }
}

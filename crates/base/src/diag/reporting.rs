//! How a piece of work that reports to a sink signals failure: in its result, not in a count that callers have to
//! compare.

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

    /// Combines the verdicts on two pieces of work.
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

/// Something that holds a sink: the sink itself, or a stage that carries one.
pub trait Reporting {
    /// Returns the sink.
    fn sink(&mut self) -> &mut Diagnostics;

    /// Runs `work` and returns whether it reported an error; its findings stay in the sink.
    fn watch<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, Verdict) {
        let before = self.sink().errors;
        let result = work(self);
        let verdict = if self.sink().errors > before { Verdict::Failed } else { Verdict::Clean };
        (result, verdict)
    }

    /// Runs `work` and returns its findings instead of leaving them in the sink. Findings beyond [`Diagnostics::CAP`]
    /// are counted in the sink.
    fn collect<T>(&mut self, work: impl FnOnce(&mut Self) -> T) -> (T, Vec<Diagnostic>) {
        let phase = self.sink().phase;
        let outer = std::mem::replace(self.sink(), Diagnostics { phase, ..Diagnostics::default() });
        let result = work(self);
        let inner = std::mem::replace(self.sink(), outer);
        self.sink().count_dropped(inner.dropped);
        (result, inner.list)
    }
}

impl Reporting for Diagnostics {
    fn sink(&mut self) -> &mut Diagnostics {
        self
    }
}

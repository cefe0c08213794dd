//! Decides, at the end of a run, the origin of each finding and the title under which it is shown.
//!
//! Stages report everything that is wrong. A tool stops earlier, so the origin of a finding that it would show only after
//! something else is fixed becomes [`Origin::ToolLater`]. This module alone knows which phases an error keeps the tool
//! from reaching.

use crate::wording;
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Origin, Phase, Reach, Severity};
use overfold_dialect::DialectSpec;
use overfold_syntax::Forest;

/// Decides the origin and the title of every finding of a run.
pub(super) fn decide(found: Diagnostics, dialect: &DialectSpec, forest: &Forest) -> Diagnostics {
    let stops = dialect.rules.reading.stops_at_first_error;
    let failed = FailedPhases::from_diagnostics(&found, stops);
    let mut first = FirstOfPhase::default();
    found.map(|finding| {
        if finding.phase() <= Phase::Assembly {
            wording::reword(forest, dialect.titles, &[], finding);
        }
        let hidden = !failed.is_reached(finding) || (stops && first.is_behind(finding, failed.in_reading));
        if hidden {
            finding.origin = finding.origin.later();
        }
    })
}

/// The phases in which there are errors.
struct FailedPhases {
    /// One bit per [`Phase`], in their order.
    phases: u32,
    /// Whether the tool stops at the first mistake while it reads files, and there is one.
    in_reading: bool,
    stops: bool,
}

impl FailedPhases {
    fn from_diagnostics(found: &Diagnostics, stops: bool) -> Self {
        let mut failed = Self { phases: 0, in_reading: false, stops };
        for finding in found.iter().filter(|finding| finding.severity == Severity::Error) {
            let is_from_tool = finding.origin == Origin::Tool;
            let counts = match finding.phase() {
                Phase::Reading if stops => is_from_tool && ends_reading(finding.code),
                // A value that only we reject does not keep the tool from continuing.
                Phase::Gathering | Phase::Values | Phase::Rules | Phase::Resolution => is_from_tool,
                _ => true,
            };
            if counts {
                failed.phases |= bit(finding.phase());
                failed.in_reading |= stops && finding.phase() == Phase::Reading;
            }
        }
        failed
    }

    /// Whether the tool reaches the phase of this finding.
    fn is_reached(&self, finding: &Diagnostic) -> bool {
        let last_needed = match finding.phase() {
            Phase::OwnVersion => return true,
            Phase::Installation => Phase::Checking,
            Phase::Options => Phase::OwnVersion,
            Phase::Headers => Phase::Reading,
            Phase::Declarations => Phase::Headers,
            Phase::Assembly | Phase::Merging | Phase::EarlyEvaluation | Phase::Checking if self.stops => {
                Phase::Reading
            }
            Phase::Discovery
            | Phase::Reading
            | Phase::Assembly
            | Phase::Merging
            | Phase::EarlyEvaluation
            | Phase::Checking => Phase::Options,
            Phase::Defaults => return !self.any_up_to(Phase::Checking, Phase::Assembly),
            Phase::Expansion | Phase::Gathering | Phase::Tree | Phase::Planning => Phase::Installation,
            Phase::Values => Phase::Gathering,
            Phase::Rules => Phase::Values,
            Phase::Resolution => Phase::Rules,
        };
        !self.any_up_to(last_needed, Phase::OwnVersion) && self.phases & bit(Phase::OwnVersion) == 0
    }

    /// Whether there are errors in any phase up to and including `last`, ignoring the phase `but`.
    const fn any_up_to(&self, last: Phase, but: Phase) -> bool {
        let up_to = (bit(last) << 1) - 1;
        self.phases & up_to & !bit(but) != 0
    }
}

const fn bit(phase: Phase) -> u32 {
    1 << phase as u32
}

/// Whether a tool that stops at the first mistake in a file finds this one while reading that file, rather than in the
/// module as a whole.
fn ends_reading(code: &Code) -> bool {
    code.reach <= Reach::File
}

/// Tracks the phases in which such a tool shows only the first mistake.
#[derive(Default)]
struct FirstOfPhase {
    options: bool,
    reading: bool,
    values: bool,
}

impl FirstOfPhase {
    /// Whether a finding comes after the mistake at which the tool stops in this phase, or is not one of those
    /// mistakes.
    fn is_behind(&mut self, finding: &Diagnostic, reading_failed: bool) -> bool {
        let is_error = finding.severity == Severity::Error;
        let seen = match finding.phase() {
            Phase::Options if is_error => &mut self.options,
            Phase::Values if is_error => &mut self.values,
            Phase::Reading if reading_failed => {
                let ends = is_error && finding.origin == Origin::Tool && ends_reading(finding.code);
                return !ends || std::mem::replace(&mut self.reading, true);
            }
            _ => return false,
        };
        std::mem::replace(seen, true)
    }
}

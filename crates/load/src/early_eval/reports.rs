//! Reports about an argument: each fault at its location, then one diagnostic at each definition between it and the
//! argument. The tool evaluates everything again for each use, so a fault is reported for every use, and a cycle is
//! reported at the definition that closes it on this path. The number of diagnostics is bounded; without a bound, it
//! could be exponential in the size of the input.

use std::collections::HashSet;

use crate::early_eval::codes;
use crate::early_eval::values::{EarlyEvaluation, EvaluatedExpr, ReportStep};
use overfold_base::diag::{Diagnostic, Diagnostics, Span};
use overfold_model::config::ObjectAddr;
use overfold_model::scope::LocalId;

/// The maximum number of diagnostics of this stage, including repetitions.
const MAX: usize = 10_000;

/// A definition whose diagnostics are being reported.
#[derive(Clone, Copy)]
struct Level {
    /// The local value; `None` for the argument itself.
    local: Option<LocalId>,
    next: usize,
}

impl EarlyEvaluation<'_> {
    /// Whether diagnostics were left out.
    pub(super) fn cut(&self) -> bool {
        self.reported >= MAX
    }

    /// Reports everything about an argument. `place` is the location at which the argument is reported as impossible
    /// to compute.
    pub(super) fn report(
        &mut self,
        evaluated: &EvaluatedExpr,
        place: Span,
        address: Option<ObjectAddr<'_>>,
        out: &mut Diagnostics,
    ) {
        // The local values between here and the argument.
        let mut open: HashSet<LocalId> = HashSet::new();
        let mut levels = vec![Level { local: None, next: 0 }];
        while let Some(level) = levels.last_mut() {
            if self.reported >= MAX {
                return;
            }
            let steps = match level.local {
                None => evaluated.steps.as_slice(),
                Some(local) => self.steps(local),
            };
            let step = steps.get(level.next);
            level.next += 1;
            let level = *level;
            match step {
                Some(ReportStep::Own(finding)) => {
                    out.push((**finding).clone());
                    self.reported += 1;
                }
                Some(ReportStep::Variable(id)) => {
                    let Some(variable) = self.evaluator.known.variable(*id) else { continue };
                    self.reported += variable.faults.len();
                    out.extend(variable.faults.iter().cloned());
                    if variable.propagates && variable.failed() {
                        self.unavailable(level, place, address, out);
                    }
                }
                Some(ReportStep::Local(id)) => {
                    let id = *id;
                    if open.insert(id) {
                        levels.push(Level { local: Some(id), next: 0 });
                    } else {
                        let local = self.evaluator.known.definitions.local(id);
                        let detail = format!(
                            "{} depends on itself, directly or through other local values, so it cannot be evaluated. Break the cycle.",
                            local.address()
                        );
                        let found = Diagnostic::tool(&codes::CIRCULAR_REFERENCE, local.range, detail);
                        out.push(found.about(local.address()));
                        self.reported += 1;
                    }
                }
                None => {
                    levels.pop();
                    let Some(local) = level.local else { continue };
                    open.remove(&local);
                    if self.has_failed(local)
                        && let Some(&user) = levels.last()
                    {
                        self.unavailable(user, place, address, out);
                    }
                }
            }
        }
    }

    fn steps(&self, local: LocalId) -> &[ReportStep] {
        self.evaluator.known.local(local).map_or(&[], |local| &local.steps)
    }

    fn has_failed(&self, local: LocalId) -> bool {
        self.evaluator.known.local(local).is_some_and(|local| local.failed)
    }

    /// Reports that the definition at this level depends on something without a value.
    fn unavailable(&mut self, level: Level, place: Span, address: Option<ObjectAddr<'_>>, out: &mut Diagnostics) {
        let detail = "This depends on a value that could not be evaluated. The reason is reported in a separate \
                      diagnostic.";
        let found = |at| Diagnostic::tool(&codes::UNAVAILABLE, at, detail);
        out.push(match level.local.map(|local| self.evaluator.known.definitions.local(local)) {
            Some(local) => found(local.range).about(local.address()),
            None => match address {
                Some(address) => found(place).about(address),
                None => found(place),
            },
        });
        self.reported += 1;
    }
}

//! Telling what went wrong: each fault at its place, then one finding for each definition between it and the argument, at
//! that definition. The tool works everything out anew for each use, so a fault comes again with each, and a circle is reported
//! where this way round closes it. What is reported together is bounded; without bound it may be exponential in the input.

use std::collections::HashSet;

use crate::diag::{Diagnostic, Diagnostics, Span};
use crate::early_eval::codes;
use crate::early_eval::values::{Evaluated, LocalState, Stage, Step, is_error};

/// Findings of this stage that are reported at most, repetitions among them.
const MOST: usize = 10_000;

/// A definition whose findings are being reported.
#[derive(Clone, Copy)]
struct Level {
    /// The local value; `None`: the argument itself.
    local: Option<usize>,
    next: usize,
}

impl Stage<'_> {
    /// Whether findings were left out.
    pub(super) fn cut(&self) -> bool {
        self.told >= MOST
    }

    /// Reports everything about an argument. `place`: where the argument is said to be impossible to compute.
    pub(super) fn report(&mut self, concluded: &Evaluated, place: Span, address: &str, out: &mut Diagnostics) {
        // Local values between here and the argument.
        let mut open: HashSet<usize> = HashSet::new();
        let mut levels = vec![Level { local: None, next: 0 }];
        while let Some(level) = levels.last_mut() {
            if self.told >= MOST {
                return;
            }
            let steps = match level.local {
                None => concluded.steps.as_slice(),
                Some(local) => self.steps(local),
            };
            let step = steps.get(level.next);
            level.next += 1;
            let level = *level;
            match step {
                Some(Step::Own(finding)) => {
                    out.push((**finding).clone());
                    self.told += 1;
                }
                Some(Step::Variable(index)) => {
                    let Some(state) = self.variables.get(*index).and_then(|variable| variable.state.as_ref()) else {
                        continue;
                    };
                    self.told += state.faults.len();
                    out.extend(state.faults.iter().cloned());
                    if state.passes_on && state.faults.iter().any(is_error) {
                        self.unavailable(level, place, address, out);
                    }
                }
                Some(Step::Local(index)) => {
                    let index = *index;
                    if open.insert(index) {
                        levels.push(Level { local: Some(index), next: 0 });
                    } else if let Some(local) = self.locals.get(index) {
                        let detail = format!("{} depends on itself.", local.element.address.0);
                        let found = Diagnostic::tool(&codes::CIRCULAR_REFERENCE, local.argument.range, detail);
                        out.push(found.about(local.element.address.0));
                        self.told += 1;
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

    fn steps(&self, local: usize) -> &[Step] {
        match self.locals.get(local).map(|local| &local.state) {
            Some(LocalState::Done(local)) => &local.steps,
            _ => &[],
        }
    }

    fn has_failed(&self, local: usize) -> bool {
        self.locals
            .get(local)
            .is_some_and(|local| matches!(&local.state, LocalState::Done(concluded) if concluded.failed))
    }

    /// The definition at this level depends on something that has no value.
    fn unavailable(&mut self, level: Level, place: Span, address: &str, out: &mut Diagnostics) {
        let local = level.local.and_then(|local| self.locals.get(local));
        let (at, address) = local.map_or((place, address), |local| (local.argument.range, local.element.address.0));
        let detail = "This depends on a value that could not be evaluated. The reason is reported in a separate \
                      diagnostic.";
        let found = Diagnostic::tool(&codes::UNAVAILABLE, at, detail);
        out.push(if address.is_empty() { found } else { found.about(address) });
        self.told += 1;
    }
}

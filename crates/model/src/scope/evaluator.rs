//! Evaluates definitions, each once, after everything to which it refers. Does not recurse, because a chain of
//! definitions may be as long as a file.

use super::definitions::{Definitions, LocalId, LocalValue, Variable, VariableId};
use super::known::{DefinitionResults, HasValue, RunContext, State};
use super::language::Language;
use super::references::{Definition, References};
use overfold_base::account;
use overfold_base::diag::{Diagnostics, Span};
use overfold_syntax::ExprAt;

/// The decisions of a stage about the evaluation of names.
pub trait Policy<'a>: Sized {
    /// What the stage keeps of a variable.
    type Variable: HasValue;
    /// What the stage keeps of a local value.
    type Local: HasValue;

    /// Evaluates a variable: determines the source of its value, what it is if it is not set, and whether it is
    /// converted. Called once for each variable that is needed.
    fn variable(&self, variable: &Variable<'a>) -> Self::Variable;

    /// Evaluates a local value, or refuses to. Called once for each local value that is needed; everything to which
    /// `references` lead has been evaluated, except what depends on itself. Whatever goes to `out` is reported once.
    fn local(
        &self,
        local: &LocalValue<'a>,
        references: &References<'a>,
        known: &DefinitionResults<'a, Self>,
        out: &mut Diagnostics,
    ) -> Self::Local;

    /// Whether the definitions to which an expression refers are evaluated at all: a stage may refuse some subjects
    /// before it looks up the others.
    fn follows(&self, _references: &References<'a>) -> bool {
        true
    }

    /// Reports that a local value depends on itself; `at` is the reference that closes the cycle.
    fn circular(&self, _local: &LocalValue<'a>, _at: Span, _out: &mut Diagnostics) {}
}

/// Evaluates the definitions of one module according to the policy of a stage.
pub struct Evaluator<'a, P: Policy<'a>> {
    /// The stage's policy.
    pub policy: P,
    /// The results so far.
    pub known: DefinitionResults<'a, P>,
}

/// A local value whose references are being evaluated.
struct Frame<'a> {
    local: LocalId,
    references: References<'a>,
    /// The 0-based position of the next reference.
    next: usize,
}

impl<'a, P: Policy<'a>> Evaluator<'a, P> {
    /// Creates an evaluator that has not evaluated anything yet.
    pub fn new(policy: P, language: Language<'a>, definitions: &'a Definitions<'a>, context: RunContext) -> Self {
        Self { policy, known: DefinitionResults::new(language, definitions, context) }
    }

    /// Returns the references of an expression, except those whose root name is `bound` to something else.
    pub fn references(&self, expr: ExprAt, bound: impl Fn(&str) -> bool) -> References<'a> {
        let Language { forest, words, .. } = self.known.language;
        References::new(forest, words, self.known.definitions, expr, bound)
    }

    /// Evaluates everything to which these references lead, if the policy follows them.
    pub fn require(&mut self, references: &References<'a>, out: &mut Diagnostics) {
        if !self.policy.follows(references) {
            return;
        }
        for reference in references.list.iter().filter(|reference| !reference.repeated) {
            if let Some(definition) = reference.definition {
                self.define(definition, reference.whole, out);
            }
        }
    }

    /// Evaluates a variable.
    pub fn require_variable(&mut self, id: VariableId) {
        let place = &mut self.known.variables[id.0];
        if place.is_none() {
            *place = Some(self.policy.variable(self.known.definitions.variable(id)));
        }
    }

    /// Evaluates a local value and everything to which it refers.
    pub fn require_local(&mut self, id: LocalId) {
        self.define(Definition::Local(id), Span::NOWHERE, &mut Diagnostics::new());
    }

    /// Evaluates one definition and everything to which it refers.
    fn define(&mut self, definition: Definition, at: Span, out: &mut Diagnostics) {
        let mut frames: Vec<Frame<'a>> = Vec::new();
        let mut next = Some((definition, at));
        loop {
            match next.take() {
                Some((Definition::Variable(id), _)) => self.require_variable(id),
                Some((Definition::Local(id), at)) => frames.extend(self.open(id, at, out)),
                None => {}
            }
            let Some(frame) = frames.last_mut() else { return };
            if let Some(reference) = frame.references.list.get(frame.next) {
                account::work(1);
                frame.next += 1;
                next = reference.definition.filter(|_| !reference.repeated).map(|found| (found, reference.whole));
            } else if let Some(frame) = frames.pop() {
                self.close(&frame, out);
            }
        }
    }

    /// Begins with a local value that has not been needed yet.
    fn open(&mut self, id: LocalId, at: Span, out: &mut Diagnostics) -> Option<Frame<'a>> {
        let (state, local) = (&mut self.known.locals[id.0], self.known.definitions.local(id));
        match state {
            State::New => *state = State::Open,
            State::Open => {
                self.policy.circular(local, at, out);
                return None;
            }
            State::Done(_) => return None,
        }
        let references = self.references(local.expr, |_| false);
        // If the policy does not follow the references, all of them are skipped.
        let next = if self.policy.follows(&references) { 0 } else { references.list.len() };
        Some(Frame { local: id, references, next })
    }

    /// Evaluates a local value after everything to which it refers has been evaluated.
    fn close(&mut self, frame: &Frame<'a>, out: &mut Diagnostics) {
        let local = self.known.definitions.local(frame.local);
        let evaluated = self.policy.local(local, &frame.references, &self.known, out);
        self.known.locals[frame.local.0] = State::Done(evaluated);
    }
}

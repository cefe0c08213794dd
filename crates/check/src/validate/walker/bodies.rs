//! The evaluation of bodies before a plan.

use std::rc::Rc;

use foldhash::HashMap;

use crate::validate::body::{Evaluate, FollowedMarks, HiddenExpansions};
use crate::validate::deprecated::{ValueUse, without_deprecated};
use crate::validate::evaluation::Evaluation;
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics, Reporting};
use overfold_dialect::Behaviour;
use overfold_eval::Roots;
use overfold_model::scope::References;
use overfold_syntax::ExprAt;
use overfold_value::Value;

/// Evaluates the expressions of a body whose references have been looked up.
pub(super) struct BodyEvaluation<'w, 'a> {
    pub(super) evaluation: &'w Evaluation<'a>,
    pub(super) references: &'w HashMap<ExprAt, References<'a>>,
    /// Whether the parts of the body that come from something deprecated are looked for once it is evaluated.
    pub(super) follows_deprecated: bool,
    /// Whether dynamic blocks are expanded without the names of the module.
    pub(super) is_nameless: bool,
    /// The dynamic blocks that are expanded without the names that only they refer to.
    pub(super) hidden: HiddenExpansions<'a>,
    /// What these see of the module.
    pub(super) hidden_roots: Roots,
    /// The arguments that the tool searches for references, and how often.
    pub(super) searched: Vec<(ExprAt, usize)>,
    /// What the outermost dynamic blocks are generated from, which is needed by the search and by the check of the body:
    /// the values, and what was found.
    pub(super) expansions: HashMap<ExprAt, (Value, Vec<Diagnostic>)>,
}

impl Evaluate for BodyEvaluation<'_, '_> {
    fn followed(&self) -> FollowedMarks {
        let dialect = self.evaluation.names().module.report.dialect;
        FollowedMarks {
            ephemeral: dialect.has(Behaviour::EphemeralValuesInBlocksAtArgument),
            deprecated: self.follows_deprecated,
        }
    }

    fn refuses_marked_dynamics(&self) -> bool {
        self.evaluation.names().module.report.dialect.has(Behaviour::MarkedDynamicsRefused)
    }

    fn evaluate(&mut self, expr: ExprAt, iterators: Option<&Rc<Roots>>, out: &mut Diagnostics) -> Value {
        match self.references.get(&expr) {
            Some(references) => {
                let value = self.evaluation.value(expr, references, iterators, out);
                let names = self.evaluation.names();
                if !names.has_deprecated || self.follows_deprecated {
                    return value;
                }
                without_deprecated(names.module.report.dialect, (names.forest, expr), ValueUse::Parts, value, out)
            }
            // A part of an expression that has been looked up as a whole, such as one of several labels.
            None => {
                let references = self.evaluation.parts(expr);
                self.evaluation.value(expr, &references, iterators, out)
            }
        }
    }

    fn search(&mut self, expr: ExprAt) {
        account::push(&mut self.searched, (expr, 1));
    }

    fn evaluate_expansion(&mut self, expr: ExprAt, iterators: Option<&Rc<Roots>>, out: &mut Diagnostics) -> Value {
        if let Some((value, found)) = self.expansions.get(&expr).filter(|_| iterators.is_none()) {
            out.extend(found.iter().cloned());
            return value.clone();
        }
        let (value, found) = out.collect(|out| {
            if self.is_nameless {
                return self.evaluation.value_among(expr, &Roots::new(), iterators, out);
            }
            if self.hidden.contains(expr) {
                return self.evaluation.value_among(expr, &self.hidden_roots, iterators, out);
            }
            let value = self.evaluate(expr, iterators, out);
            let names = self.evaluation.names();
            without_deprecated(names.module.report.dialect, (names.forest, expr), ValueUse::Parts, value, out)
        });
        out.extend(found.iter().cloned());
        // The expression that uses up the share of all expressions is reported where that happens, and nowhere else.
        if iterators.is_none() && !account::evaluation_is_over() {
            self.expansions.insert(expr, (value.clone(), found));
        }
        value
    }

    fn check(&mut self, expr: ExprAt, iterators: Option<&Rc<Roots>>, out: &mut Diagnostics) {
        let references = self.references.get(&expr);
        if self.evaluation.names().has_deprecated
            || !references.is_some_and(|references| self.evaluation.names().never_fails(expr, references))
        {
            self.evaluate(expr, iterators, out);
        }
    }
}

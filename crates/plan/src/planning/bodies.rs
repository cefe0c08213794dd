//! The evaluation of bodies in a plan.

use std::rc::Rc;

use super::scope::{Site, settled};
use super::walk::Walk;
use overfold_base::diag::Diagnostics;
pub(crate) use overfold_check::validate::body::{Evaluate, FollowedMarks};
use overfold_dialect::Behaviour;
use overfold_eval::Roots;
use overfold_syntax::ExprAt;
use overfold_value::Value;

/// Evaluates the expressions of bodies.
pub(super) struct Bodies<'s, 'w, 'e, 'a> {
    pub(super) walk: &'s Walk<'w, 'e, 'a>,
    pub(super) site: Site<'s>,
    /// Whether they are those of a body with a schema.
    pub(super) has_schema: bool,
}

impl Evaluate for Bodies<'_, '_, '_, '_> {
    fn refuses_marked_dynamics(&self) -> bool {
        self.walk.report.dialect.has(Behaviour::MarkedDynamicsRefused)
    }

    fn evaluate(&mut self, expr: ExprAt, iterators: Option<&Rc<Roots>>, out: &mut Diagnostics) -> Value {
        let iterators = iterators.map(|roots| &**roots);
        let (value, _) = if self.follows_deprecated() {
            self.walk.evaluate_marked(expr, self.site, iterators, out)
        } else {
            self.walk.evaluate_within(expr, self.site, iterators, out)
        };
        settled(&value)
    }

    fn evaluate_expansion(&mut self, expr: ExprAt, iterators: Option<&Rc<Roots>>, out: &mut Diagnostics) -> Value {
        let (value, _) = self.walk.evaluate_within(expr, self.site, iterators.map(|roots| &**roots), out);
        settled(&value)
    }

    fn followed(&self) -> FollowedMarks {
        let ephemeral = self.walk.report.dialect.has(Behaviour::EphemeralValuesInBlocksAtArgument);
        FollowedMarks { ephemeral, deprecated: self.follows_deprecated() }
    }
}

impl Bodies<'_, '_, '_, '_> {
    /// Whether the parts of the body that come from something deprecated are looked for once it is evaluated.
    fn follows_deprecated(&self) -> bool {
        self.has_schema
            && self.walk.warns_of_deprecated
            && self.walk.report.dialect.has(Behaviour::DeprecatedPartsOfArguments)
    }
}

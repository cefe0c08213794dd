//! The evaluation of bodies in a plan.

use std::rc::Rc;

use super::scope::{Site, VisibleNames, settled};
use super::walk::Walk;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::Diagnostics;
use overfold_check::validate::body::{self, Body, HiddenExpansions};
pub(crate) use overfold_check::validate::body::{Evaluate, FollowedMarks};
use overfold_dialect::Behaviour;
use overfold_eval::{LayeredNames, Names, Roots, Steps};
use overfold_model::language::references::Subject;
use overfold_model::scope::{Reference, References};
use overfold_syntax::ExprAt;
use overfold_value::Value;

/// Evaluates the expressions of bodies.
pub(super) struct Bodies<'s, 'w, 'e, 'a> {
    pub(super) walk: &'s Walk<'w, 'e, 'a>,
    pub(super) site: Site<'s>,
    /// The body.
    pub(super) body: Body<'s, 's>,
}

/// The names that a dynamic block sees which the tool expands without most names of the module.
struct SearchedNames<'n, 's, 'w, 'e, 'a> {
    module: VisibleNames<'s, 'w, 'e, 'a>,
    /// The references whose objects it sees.
    searched: &'n References<'a>,
}

impl Names for SearchedNames<'_, '_, '_, '_, '_> {
    fn root(&self, _name: &str) -> Option<Value> {
        None
    }

    fn part(&self, root: &str, steps: &Steps<'_>) -> Option<(Value, usize)> {
        let is_step = |at: usize, name: &str| steps.attribute(at).is_some_and(|step| step == *name);
        let is_named = |reference: &Reference<'_>| {
            *reference.root == *root
                && match &reference.subject {
                    Some(Subject::Resource { type_name, name, .. }) if **type_name == *root => is_step(0, name),
                    Some(Subject::Resource { type_name, name, .. }) => is_step(0, type_name) && is_step(1, name),
                    Some(subject) => subject.attribute().is_some_and(|name| is_step(0, name)),
                    None => false,
                }
        };
        self.searched.list.iter().charged(4).any(is_named).then(|| self.module.part(root, steps))?
    }

    fn for_each_root(&self, _each: &mut dyn FnMut(&str)) {}
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
        let hidden = self.walk.hidden_expansions(self.site.path, &self.body);
        if let Some(language) = self.walk.language(self.site.path).filter(|_| hidden.contains(expr)) {
            let none = Roots::new();
            let module = VisibleNames { walk: self.walk, site: self.site };
            let seen = SearchedNames { module, searched: hidden.searched() };
            let inner = iterators.map_or(&none, |iterators| &**iterators);
            return settled(&language.evaluate(expr, &LayeredNames { inner, outer: &seen }, out));
        }
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
        self.body.schema.is_some()
            && self.walk.warns_of_deprecated
            && self.walk.report.dialect.has(Behaviour::DeprecatedPartsOfArguments)
    }
}

impl<'a> Walk<'_, '_, 'a> {
    /// Returns the dynamic blocks of a body that the tool expands without most names of the module.
    fn hidden_expansions(&self, path: usize, body: &Body<'_, '_>) -> Rc<HiddenExpansions<'a>> {
        let key = body.block.range;
        if let Some(kept) = self.hidden_expansions.borrow().get(&key) {
            return Rc::clone(kept);
        }
        let walked = self.walked(path).filter(|_| body.schema.is_some());
        let found = walked.map_or_else(HiddenExpansions::default, |walked| {
            let language = &walked.evaluation.evaluator.known.language;
            HiddenExpansions::new(&body::expressions(body), |found, list| {
                let references = walked.evaluation.names().references(language, found.expr, &found.bound);
                for reference in references.list.into_iter().charged(4) {
                    account::push(list, reference);
                }
            })
        });
        let found = Rc::new(found);
        self.hidden_expansions.borrow_mut().insert(key, Rc::clone(&found));
        found
    }
}

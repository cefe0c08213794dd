//! Dynamic blocks that the tool expands without most names of the module.

use foldhash::HashSet;

use super::{BodyExpr, Role};
use overfold_base::account;
use overfold_model::scope::{Reference, References};
use overfold_syntax::ExprAt;

/// The `for_each` of dynamic blocks in which the tool does not search for references before it expands those of the body
/// ([`Role::HiddenForEach`]).
#[derive(Default)]
pub struct HiddenExpansions<'f> {
    exprs: HashSet<ExprAt>,
    searched: References<'f>,
}

impl<'f> HiddenExpansions<'f> {
    /// Finds those of a body with these expressions. `add_references` adds the references in an expression to a list.
    pub fn new(expressions: &[BodyExpr], mut add_references: impl FnMut(&BodyExpr, &mut Vec<Reference<'f>>)) -> Self {
        let hidden = || expressions.iter().filter(|found| found.role == Role::HiddenForEach);
        account::build(expressions.len() as u64, (hidden().count() * size_of::<ExprAt>()) as u64);
        let exprs: HashSet<ExprAt> = hidden().map(|found| found.expr).collect();
        let mut list = Vec::new();
        if !exprs.is_empty() {
            for found in expressions.iter().filter(|found| found.role.is_searched_for_expansion()) {
                add_references(found, &mut list);
            }
        }
        Self { exprs, searched: References { list: list.into(), ..References::default() } }
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.exprs.is_empty()
    }

    /// Whether an expression is one of them.
    pub fn contains(&self, expr: ExprAt) -> bool {
        self.exprs.contains(&expr)
    }

    /// Returns what they see of the module: what the dynamic blocks refer to in which the tool does search.
    pub const fn searched(&self) -> &References<'f> {
        &self.searched
    }
}

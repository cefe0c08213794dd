//! The declarations of a merged module, in the form used to resolve variables.

use overfold_base::diag::{Quotes, Span};
use overfold_dialect::words;
use overfold_model::config::{Block, Element, Module, ObjectAddr};
use overfold_model::scope::Variable;
use overfold_syntax::ExprAt;

/// An input variable as the merged module declares it.
pub(super) struct DeclaredVariable<'m> {
    /// The type, default and marks.
    pub(super) variable: Variable<'m>,
    pub(super) name: &'m str,
    pub(super) nullable: bool,
    /// The header of the declaration.
    pub(super) header: Span,
    pub(super) address: ObjectAddr<'m>,
    pub(super) rules: Vec<RuleAt>,
}

impl DeclaredVariable<'_> {
    /// Returns what a diagnostic about its value may quote.
    pub(super) fn quotes(&self) -> Quotes {
        Quotes::Variable(self.name.into())
    }
}

/// A validation rule.
#[derive(Clone, Copy)]
pub(super) struct RuleAt {
    pub(super) condition: ExprAt,
    pub(super) message: Option<ExprAt>,
}

/// Returns the input variables of a module, in order of declaration.
pub(super) fn all<'b>(module: &'b Module<'b>) -> Vec<DeclaredVariable<'b>> {
    module.elements.iter().filter_map(|element| from_element(module, element)).collect()
}

pub(super) fn from_element<'b>(module: &Module<'_>, element: &'b Element<'b>) -> Option<DeclaredVariable<'b>> {
    let variable = Variable::from_element(module, element)?;
    Some(DeclaredVariable {
        variable,
        name: variable.name,
        nullable: variable.declared.nullable.unwrap_or(true),
        header: element.block.header,
        address: element.address,
        rules: rules(element.block),
    })
}

fn rules(block: &Block<'_>) -> Vec<RuleAt> {
    let argument = |rule: &Block<'_>, name: &str| rule.usable_argument(name).map(|a| a.expr);
    block
        .blocks
        .iter()
        .filter(|inner| inner.keyword == words::VALIDATION)
        .filter_map(|rule| {
            Some(RuleAt {
                condition: argument(rule, words::CONDITION)?,
                message: argument(rule, words::ERROR_MESSAGE),
            })
        })
        .collect()
}

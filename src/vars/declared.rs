//! The declarations of a merged module, as resolving needs them.

use crate::config::{Block, Decoded, Element, Module, Payload};
use crate::diag::{Quotes, Span};
use crate::eval::TypeConstraint;
use crate::syntax::ExprAt;
use crate::value::{Marks, Value};

/// An input variable as the merged module declares it.
pub(super) struct Declared<'m> {
    pub(super) name: &'m str,
    /// `None`: no `type` is given; then any value is taken and text stays text.
    pub(super) constraint: Option<&'m TypeConstraint>,
    /// Converted when the module was loaded; null is a default too.
    pub(super) default: Option<&'m Value>,
    pub(super) nullable: bool,
    pub(super) sensitive: bool,
    pub(super) ephemeral: bool,
    /// The declaration's header.
    pub(super) header: Span,
    pub(super) address: &'m str,
    pub(super) rules: Vec<RuleAt>,
}

impl Declared<'_> {
    /// What a finding about its value may quote.
    pub(super) fn quotes(&self) -> Quotes {
        Quotes::Variable(self.name.into())
    }

    /// The marks of the variable's value.
    pub(super) fn marks(&self) -> Marks {
        let sensitive = if self.sensitive { Marks::SENSITIVE } else { Marks::NONE };
        let ephemeral = if self.ephemeral { Marks::EPHEMERAL } else { Marks::NONE };
        sensitive.and(ephemeral)
    }
}

/// One validation rule.
#[derive(Clone, Copy)]
pub(super) struct RuleAt {
    pub(super) condition: ExprAt,
    pub(super) message: Option<ExprAt>,
}

/// The input variables of a module, in order of declaration.
pub(super) fn all<'b>(module: &'b Module<'b>) -> Vec<Declared<'b>> {
    module.elements.iter().filter_map(of).collect()
}

/// The variable that an element declares.
pub(super) fn of<'b>(element: &'b Element<'b>) -> Option<Declared<'b>> {
    let Payload::Variable(variable) = &element.payload else { return None };
    Some(Declared {
        name: element.block.labels.first()?.text,
        constraint: variable.constraint(),
        default: variable.default(),
        nullable: variable.nullable.unwrap_or(true),
        sensitive: flag(&element.block, "sensitive"),
        ephemeral: flag(&element.block, "ephemeral"),
        header: element.block.header,
        address: element.address.0,
        rules: rules(&element.block),
    })
}

fn flag(block: &Block<'_>, name: &str) -> bool {
    block.arguments.iter().any(|argument| argument.name == name && argument.decoded == Decoded::Bool(true))
}

fn rules(block: &Block<'_>) -> Vec<RuleAt> {
    let argument =
        |rule: &Block<'_>, name: &str| rule.arguments.iter().find(|a| a.name == name && !a.broken).map(|a| a.expr);
    block
        .blocks
        .iter()
        .filter(|inner| inner.keyword == "validation")
        .filter_map(|rule| {
            Some(RuleAt { condition: argument(rule, "condition")?, message: argument(rule, "error_message") })
        })
        .collect()
}

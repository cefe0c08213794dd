//! What stands at a place of the written configuration.

use super::expr::Form;
use crate::config::{Argument, Block};
use crate::diag::Span;
use crate::syntax::ExprAt;

/// What a value of the written configuration is made of.
#[derive(Clone, Copy, Debug)]
pub(in crate::output) enum Origin {
    /// The body of a block.
    Block {
        /// As [`Block::header`].
        header: Span,
        /// As [`Block::range`].
        range: Span,
    },
    /// An argument.
    Argument(ArgumentOrigin),
}

/// An argument, as far as those need it who compare two configurations.
#[derive(Clone, Copy, Debug)]
pub(in crate::output) struct ArgumentOrigin {
    /// The expression; `None` for what the loader keeps as names alone.
    pub(in crate::output) expr: Option<ExprAt>,
    /// From the name to the end of the expression.
    pub(in crate::output) range: Option<Span>,
    /// The expression has a syntax error.
    pub(in crate::output) broken: bool,
    /// It holds a secret that may not be shown.
    pub(in crate::output) hidden: bool,
    /// How its strings are read.
    pub(in crate::output) form: Form,
}

impl Origin {
    pub(super) fn block(block: &Block<'_>) -> Self {
        Self::Block { header: block.header, range: block.range }
    }

    pub(super) fn argument(argument: &Argument<'_>, hidden: bool, form: Form) -> Self {
        Self::Argument(ArgumentOrigin {
            expr: Some(argument.expr),
            range: Some(argument.range),
            broken: argument.broken,
            hidden,
            form,
        })
    }

    /// Names that stand in no single argument.
    pub(super) const fn names() -> Self {
        Self::Argument(ArgumentOrigin { expr: None, range: None, broken: false, hidden: false, form: Form::Literal })
    }
}

//! The origin of each value in the written configuration.

use super::expr::Form;
use crate::config::{Argument, Block};
use crate::diag::Span;
use crate::syntax::ExprAt;

/// What a value of the written configuration was written from.
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

/// What a comparison of two configurations needs to know about an argument.
#[derive(Clone, Copy, Debug)]
pub(in crate::output) struct ArgumentOrigin {
    /// The expression; `None` for arguments of which the loader keeps only names.
    pub(in crate::output) expr: Option<ExprAt>,
    /// From the name to the end of the expression.
    pub(in crate::output) range: Option<Span>,
    /// Whether the expression has a syntax error.
    pub(in crate::output) broken: bool,
    /// Whether it contains a secret that may not be shown.
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

    /// Names that come from no single argument.
    pub(super) const fn names() -> Self {
        Self::Argument(ArgumentOrigin { expr: None, range: None, broken: false, hidden: false, form: Form::Literal })
    }
}

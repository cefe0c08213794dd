//! The origin of each value in the written configuration.

use super::expr::Form;
use overfold_base::diag::Span;
use overfold_model::config::{Argument, Block};
use overfold_syntax::ExprAt;

/// What a value of the written configuration was written from.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Origin {
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
pub(crate) struct ArgumentOrigin {
    /// The expression; `None` for arguments of which the loader keeps only names.
    pub(crate) expr: Option<ExprAt>,
    /// From the name to the end of the expression.
    pub(crate) range: Option<Span>,
    /// Whether the expression has a syntax error.
    pub(crate) broken: bool,
    /// Whether it contains a secret that may not be shown.
    pub(crate) hidden: bool,
    /// How its strings are read.
    pub(crate) form: Form,
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

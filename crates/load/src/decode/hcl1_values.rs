//! Plain values, the only ones in HCL 1: strings with or without interpolations, numbers, booleans, lists and maps.
//! Nothing is evaluated when a file is loaded.

use crate::decode::{Decoder, codes};
use overfold_base::diag::{Diagnostic, Reporting as _, Span};
use overfold_base::versions::Constraints;
use overfold_dialect::StoredShape;
use overfold_model::config::{Block, DecodedArgument};
use overfold_syntax::tree::{Expr, ExprKind, Id, Tree};
use overfold_syntax::{ExprAt, hcl1};

impl<'f> Decoder<'f, '_> {
    /// Reads the argument `name`, whose value must have this shape. Reports what does not fit.
    pub(super) fn stored(&mut self, name: &str, expr: ExprAt, shape: StoredShape) -> DecodedArgument<'f> {
        let ExprAt::Native(source, id) = expr else { return DecodedArgument::Wrong };
        let Some(tree) = self.forest.native(source) else { return DecodedArgument::Wrong };
        match shape {
            StoredShape::Text => self.stored_text(tree, name, id, true),
            StoredShape::Constant => self.stored_text(tree, name, id, false),
            StoredShape::Version => {
                let decoded = self.stored_text(tree, name, id, true);
                if let DecodedArgument::Text(text) = &decoded
                    && !text.is_empty()
                    && Constraints::parse(text).is_none()
                {
                    let detail = format!(
                        "{text:?} is not a valid version constraint. An example of a valid one is \">= 1.2, < 2.0\"."
                    );
                    self.out.push(Diagnostic::tool(
                        &overfold_model::language::codes::VERSION_CONSTRAINT,
                        span(tree, id),
                        detail,
                    ));
                }
                decoded
            }
            StoredShape::Count => {
                let decoded = self.stored_text(tree, name, id, true);
                if let DecodedArgument::Text(text) = &decoded
                    && !hcl1::is_interpolated(text)
                    && hcl1::number(text.trim()).is_none_or(|number| !matches!(number, hcl1::Number::Whole(_)))
                {
                    let detail = format!("The number of instances must be a whole number, but {text:?} is not one.");
                    self.out.push(Diagnostic::tool(&codes::NOT_WHOLE, span(tree, id), detail));
                }
                decoded
            }
            StoredShape::Constants | StoredShape::Texts => {
                let ExprKind::Tuple { items, .. } = tree.expr(id).kind else {
                    return self.report_wrong_shape(tree, name, id, "a list of strings");
                };
                let mut spans = Vec::new();
                for &item in tree.list(items) {
                    if let DecodedArgument::Text(_) = self.stored_text(tree, name, item, shape == StoredShape::Texts)
                    {
                        spans.push(span(tree, item));
                    }
                }
                self.items(spans.into_iter())
            }
            StoredShape::TextMap => {
                let ExprKind::Object { items, .. } = tree.expr(id).kind else {
                    return self.report_wrong_shape(tree, name, id, "a map of strings");
                };
                let items = tree.items(items);
                for item in items {
                    self.stored_text(tree, name, item.value, true);
                }
                DecodedArgument::Entries(items.len())
            }
            StoredShape::TruthOrText => match tree.expr(id).kind {
                ExprKind::Bool(value) => DecodedArgument::Bool(value),
                _ => self.stored_text(tree, name, id, true),
            },
            StoredShape::Truth => match tree.expr(id).kind {
                ExprKind::Bool(value) => DecodedArgument::Bool(value),
                _ => self.report_wrong_shape(tree, name, id, "true or false without quotes"),
            },
            StoredShape::OneOf(rule) => {
                let decoded = self.stored_text(tree, name, id, true);
                if let DecodedArgument::Text(text) = &decoded
                    && !rule.words.contains(text)
                {
                    let detail = format!(
                        "{:?} is not a supported value. The supported values are: {}.",
                        text,
                        rule.words.join(", ")
                    );
                    self.report(&codes::UNLISTED_VALUE, rule.title, span(tree, id), detail);
                }
                decoded
            }
        }
    }

    /// Reads a version constraint on the tool itself as a plain value: a constant, where an empty string is no
    /// constraint. Returns `None` if values are expressions in this syntax.
    pub(super) fn stored_own_version(&mut self, name: &str, expr: ExprAt) -> Option<DecodedArgument<'f>> {
        let ExprAt::Native(source, id) = expr else { return None };
        let tree = self.forest.native(source).filter(|tree| tree.hcl1)?;
        if let ExprKind::Interpolated(_) = tree.expr(id).kind {
            self.interpolated(name, span(tree, id));
            return Some(DecodedArgument::Wrong);
        }
        let (decoded, verdict) = self.watch(|decoder| decoder.stored(name, expr, StoredShape::Version));
        let usable = verdict.is_clean() && decoded != DecodedArgument::Text("");
        Some(if usable { decoded } else { DecodedArgument::Wrong })
    }

    fn stored_text(&mut self, tree: &'f Tree, name: &str, id: Id<Expr>, interpolated: bool) -> DecodedArgument<'f> {
        match tree.expr(id).kind {
            ExprKind::Text(text) => DecodedArgument::Text(tree.str(text)),
            ExprKind::Interpolated(text) => {
                if !interpolated {
                    self.interpolated(name, span(tree, id));
                }
                DecodedArgument::Text(tree.str(text))
            }
            ExprKind::Number
                if matches!(hcl1::number(tree.slice(tree.expr(id).range)), Some(hcl1::Number::Whole(_))) =>
            {
                DecodedArgument::Text(tree.slice(tree.expr(id).range))
            }
            _ => self.report_wrong_shape(tree, name, id, "a string"),
        }
    }

    /// Reports an interpolation where nothing is evaluated.
    pub(super) fn interpolated(&mut self, name: &str, at: Span) {
        let detail =
            "This value is read before anything is evaluated, so it must be a literal string without interpolations.";
        self.out.push(
            Diagnostic::tool(&codes::INTERPOLATED, at, detail)
                .titled(format!("{name} cannot contain interpolations")),
        );
    }

    /// Reports a value of a different shape, unless it could not be read at all, which has already been reported.
    fn report_wrong_shape(&mut self, tree: &'f Tree, name: &str, id: Id<Expr>, wanted: &str) -> DecodedArgument<'f> {
        if !matches!(tree.expr(id).kind, ExprKind::SyntaxError | ExprKind::BadNumber) {
            let detail = format!("The value of {name:?} must be {wanted}.");
            self.out.push(
                Diagnostic::tool(&codes::PLAIN_UNDECODABLE, span(tree, id), detail)
                    .titled(format!("{name}: unknown type")),
            );
        }
        DecodedArgument::Wrong
    }

    /// Reports every string with an interpolation in a block, with this title.
    pub(super) fn nothing_interpolated(&mut self, title: &'static str, block: &Block<'_>) {
        let mut todo: Vec<ExprAt> = Vec::new();
        let mut blocks = vec![block];
        while let Some(block) = blocks.pop() {
            todo.extend(block.arguments.iter().map(|argument| argument.expr));
            blocks.extend(block.blocks);
        }
        while let Some(at) = todo.pop() {
            let ExprAt::Native(source, id) = at else { continue };
            let Some(tree) = self.forest.native(source) else { continue };
            match tree.expr(id).kind {
                ExprKind::Interpolated(_) => {
                    let detail = "This value is read before anything is evaluated, so it can contain only literal values, without interpolations.";
                    self.report(&codes::INTERPOLATED, title, span(tree, id), detail);
                }
                ExprKind::Tuple { items, .. } => {
                    todo.extend(tree.list(items).iter().map(|&item| ExprAt::Native(source, item)));
                }
                ExprKind::Object { items, .. } => {
                    todo.extend(tree.items(items).iter().map(|item| ExprAt::Native(source, item.value)));
                }
                _ => {}
            }
        }
    }
}

fn span(tree: &Tree, id: Id<Expr>) -> Span {
    tree.span(tree.expr(id).range)
}

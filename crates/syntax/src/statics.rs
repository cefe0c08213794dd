//! Static analysis of expressions: lists, maps, calls, references and keywords that can be recognised without
//! evaluation, in both syntaxes, as the tools' configuration library reads them. In JSON a reference, a keyword or a
//! call is the text of a string (syntax.md, section 6).

#[cfg(test)]
mod tests;
mod equality;
mod traversal;
mod walk;

use super::codes::INVALID_EXPRESSION;
use super::json::JsonKind;
use super::tree::{Expr, ExprKind, Id, Tree};
use super::{ExprAt, Forest};
use overfold_base::diag::{Diagnostic, Diagnostics, Span, TextRange};

pub use equality::are_alike;
pub use traversal::{
    Traversal, TraversalKey, TraversalStep, WrittenReference, absolute_traversal, keyword, relative_traversal,
};
pub use walk::{
    FunctionCall, LocatedReference, calls, calls_and_references, each_call_and_reference, located_references,
    references,
};

/// A function call that is taken apart without being evaluated.
#[derive(Clone, Debug)]
pub struct StaticCall<'f> {
    /// The function name with its namespaces.
    pub name: &'f str,
    /// The span of the name.
    pub name_span: Span,
    /// The arguments in order.
    pub args: Vec<ExprAt>,
    /// The parentheses and everything between them.
    pub args_span: Span,
}

/// Returns the elements of a tuple (JSON: of an array). Reports anything else as `Invalid expression`; it has none.
pub fn static_list(forest: &Forest, at: ExprAt, out: &mut Diagnostics) -> Vec<ExprAt> {
    written_list(forest, at).unwrap_or_else(|| {
        refuse(forest.start_span(at), "This must be a list, written out in square brackets.", out);
        Vec::new()
    })
}

/// Returns the elements of a tuple (JSON: of an array), and `None` for anything else.
pub fn written_list(forest: &Forest, at: ExprAt) -> Option<Vec<ExprAt>> {
    match at {
        ExprAt::Native(source, id) => forest.native(source).and_then(|tree| match tree.expr(id).kind {
            ExprKind::Tuple { items, .. } => {
                Some(tree.list(items).iter().map(|&item| ExprAt::Native(source, item)).collect())
            }
            _ => None,
        }),
        ExprAt::Json(source, id) => forest.json(source).and_then(|tree| match tree.node(id).kind {
            JsonKind::Array { items, .. } => {
                Some(tree.list(items).iter().map(|&item| ExprAt::Json(source, item)).collect())
            }
            _ => None,
        }),
    }
}

/// Returns the items of an object constructor (JSON: of an object), key and value both as expressions. A bare word as a
/// key is a reference that is just a root name. Reports anything else as `Invalid expression`; it has none.
pub fn static_map(forest: &Forest, at: ExprAt, out: &mut Diagnostics) -> Vec<(ExprAt, ExprAt)> {
    written_map(forest, at).unwrap_or_else(|| {
        refuse(forest.start_span(at), "This must be a map, written out in braces.", out);
        Vec::new()
    })
}

/// Returns the items that [`static_map`] returns, and `None` for anything that is no object constructor.
pub fn written_map(forest: &Forest, at: ExprAt) -> Option<Vec<(ExprAt, ExprAt)>> {
    match at {
        ExprAt::Native(source, id) => forest.native(source).and_then(|tree| match tree.expr(id).kind {
            ExprKind::Object { items, .. } => Some(
                tree.items(items)
                    .iter()
                    .map(|item| (ExprAt::Native(source, item.key), ExprAt::Native(source, item.value)))
                    .collect(),
            ),
            _ => None,
        }),
        ExprAt::Json(source, id) => forest.json(source).and_then(|tree| match tree.node(id).kind {
            JsonKind::Object { properties, .. } => Some(
                tree.properties(properties)
                    .iter()
                    .map(|property| (ExprAt::Json(source, property.name_node), ExprAt::Json(source, property.value)))
                    .collect(),
            ),
            _ => None,
        }),
    }
}

/// Returns a function call (JSON: a string that contains one). Reports anything else as `Invalid expression` and
/// returns `None`.
pub fn static_call<'f>(forest: &'f Forest, at: ExprAt, out: &mut Diagnostics) -> Option<StaticCall<'f>> {
    let call = native_of(forest, at).and_then(|(tree, id)| match tree.expr(id).kind {
        ExprKind::Call(id) => {
            let call = tree.call(id);
            Some(StaticCall {
                name: tree.str(call.name),
                name_span: tree.span(call.name_range),
                args: tree.list(call.args).iter().map(|&arg| ExprAt::Native(tree.source, arg)).collect(),
                args_span: tree.span(call.args_range()),
            })
        }
        _ => None,
    });
    if call.is_none() {
        refuse(forest.start_span(at), "This must be a function call.", out);
    }
    call
}

/// Returns the native expression at a location: the native expression itself, or the parsed text of a JSON string.
/// Returns `None` for other JSON values and for a text with a syntax error.
pub(super) fn native_of(forest: &Forest, at: ExprAt) -> Option<(&Tree, Id<Expr>)> {
    match at {
        ExprAt::Native(source, id) => Some((forest.native(source)?, id)),
        ExprAt::Json(source, node) => {
            let mut problems = Diagnostics::new();
            match forest.parse_json_expression(source, node, &mut problems)? {
                ExprAt::Native(embedded, id) if !problems.has_errors() => Some((forest.native(embedded)?, id)),
                _ => None,
            }
        }
    }
}

fn refuse(at: Span, detail: &'static str, out: &mut Diagnostics) {
    out.push(Diagnostic::tool(&INVALID_EXPRESSION, at, detail));
}

impl Forest {
    /// Returns where the tools point when they refer to the start of an expression: the opening bracket of a
    /// collection, the start of an operator's left operand, the name and opening parenthesis of a call; otherwise the
    /// whole expression.
    pub fn start_span(&self, at: ExprAt) -> Span {
        match at {
            ExprAt::Native(source, id) => match self.native(source) {
                Some(tree) => tree.span(start_range(tree, id)),
                None => self.expr_span(at),
            },
            ExprAt::Json(source, id) => match self.json(source) {
                Some(tree) => tree.start_range(id).in_source(source),
                None => self.expr_span(at),
            },
        }
    }
}

fn start_range(tree: &Tree, mut id: Id<Expr>) -> TextRange {
    loop {
        let expr = tree.expr(id);
        match expr.kind {
            ExprKind::Tuple { open, .. } | ExprKind::Object { open, .. } => return open,
            ExprKind::Index(id) => return tree.index_expr(id).open,
            ExprKind::For(id) => return tree.for_expr(id).open,
            ExprKind::Call(id) => return tree.call(id).name_range.to(tree.call(id).open),
            ExprKind::Unary { op_range, .. } => return op_range,
            ExprKind::Splat(id) => return tree.splat(id).marker,
            ExprKind::Conditional { cond: inner, .. }
            | ExprKind::TemplateIf { cond: inner, .. }
            | ExprKind::Parens(inner)
            | ExprKind::TemplateFor(inner) => id = inner,
            ExprKind::Binary { lhs, .. } => id = lhs,
            ExprKind::Template { parts, .. } => match tree.list(parts).first() {
                Some(&first) => id = first,
                None => return expr.range,
            },
            _ => return expr.range,
        }
    }
}

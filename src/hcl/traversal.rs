//! References as the loader takes them apart: traversals of either syntax, and the quoted texts that older
//! configurations have in their place.

use crate::diag::{Code, Diagnostic, Diagnostics, Reporting, Severity, Span};
use crate::eval;
use crate::hcl::codes;
use crate::syntax::statics::{Traversal, TraversalKey, TraversalStep};
use crate::syntax::tree::{self, ExprKind, StepKind, Tree};
use crate::syntax::{ExprAt, Forest, native, statics};
use std::sync::Arc;

use bytes::Bytes;

/// One part of a traversal, the root name included.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'t> {
    /// The name, where the part is one.
    pub name: Option<&'t str>,
    /// The key, where the part is a step in brackets or `.1`.
    pub key: Option<&'t TraversalKey<'t>>,
    /// With its dot or brackets.
    pub span: Span,
}

/// The root and the steps in one list.
pub(crate) fn parts<'t>(traversal: &'t Traversal<'t>) -> Vec<Part<'t>> {
    let root = Part { name: Some(&traversal.root), key: None, span: traversal.root_span };
    let steps = traversal.steps.iter().map(|step| match &step.key {
        TraversalKey::Attr(name) => Part { name: Some(name), key: None, span: step.span },
        key => Part { name: None, key: Some(key), span: step.span },
    });
    std::iter::once(root).chain(steps).collect()
}

/// What became of an expression in a place that takes a reference and, for old configurations, a quoted one.
pub(crate) enum Quoted<'f> {
    /// It was a quoted text: the warning and any mistakes inside were reported; as much as was understood.
    Text(Option<Traversal<'f>>),
    /// It is something else and was not looked at.
    No,
}

/// Where the expression is a quoted native text, reads the reference inside it and warns
/// (`Quoted references are deprecated`, terraform.md, section 5). Texts of the JSON syntax are not quoted in this
/// sense. A text that is not constant is left to the caller.
pub(crate) fn unquote<'f>(forest: &'f Forest, expr: ExprAt, out: &mut Diagnostics) -> Quoted<'f> {
    unquote_as(forest, expr, &codes::QUOTED_REFERENCE, "References are", out)
}

/// The same for a keyword (`Quoted keywords are deprecated`).
pub(crate) fn unquote_keyword<'f>(forest: &'f Forest, expr: ExprAt, out: &mut Diagnostics) -> Quoted<'f> {
    unquote_as(forest, expr, &codes::QUOTED_KEYWORD, "Keywords are", out)
}

fn unquote_as<'f>(
    forest: &'f Forest,
    expr: ExprAt,
    code: &'static Code,
    what: &str,
    out: &mut Diagnostics,
) -> Quoted<'f> {
    let ExprAt::Native(source, id) = expr else { return Quoted::No };
    let Some(tree) = forest.native(source) else { return Quoted::No };
    if !matches!(tree.expr(id).kind, ExprKind::Template { .. }) {
        return Quoted::No;
    }
    let Some(text) = plain_text(forest, expr) else { return Quoted::No };
    let whole = tree.expr(id).range;
    // Escapes inside the text are not counted: positions run on from the byte after the quote.
    let text = Bytes::copy_from_slice(text.as_bytes());
    let embedded = forest.embed_text(source, whole.start + 1, text.clone());
    let traversal = native::reference(embedded, &text, forest.limits, forest.grammar(), out);
    let detail = format!("{what} written without quotes here; the quoted form is left over from old configurations.");
    let finding = Diagnostic::tool(code, tree.span(whole), detail);
    // Quotes alone can be taken off: not a heredoc, and nothing that is written with escapes.
    let inside = tree.slice(whole).strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    out.push(match inside {
        Some(inside) if traversal.is_some() && inside.as_bytes() == &*text => {
            finding.fixed_by(tree.span(whole), inside.to_owned())
        }
        _ => finding,
    });
    Quoted::Text(traversal)
}

/// The traversal of an expression in a place that also takes a quoted one.
pub(crate) fn absolute_or_quoted<'f>(
    forest: &'f Forest,
    expr: ExprAt,
    out: &mut Diagnostics,
) -> Option<Traversal<'f>> {
    match unquote(forest, expr, out) {
        Quoted::Text(Some(traversal)) => Some(traversal),
        Quoted::Text(None) | Quoted::No => statics::absolute_traversal(forest, expr, out),
    }
}

/// The traversal of an expression silently about anything else.
pub(crate) fn silent(forest: &Forest, expr: ExprAt) -> Option<Traversal<'_>> {
    statics::absolute_traversal(forest, expr, &mut Diagnostics::new())
}

/// The traversal of a native expression whose keys may be expressions; those keys are left out of it, and the flag
/// says whether there were any.
///
/// # Errors
/// The part that is no traversal.
pub(crate) fn with_computed_keys(forest: &Forest, expr: ExprAt) -> Result<(Traversal<'_>, bool), ExprAt> {
    let ExprAt::Native(source, mut id) = expr else { return Err(expr) };
    let tree = forest.native(source).ok_or(expr)?;
    // From the last step to the first, each group of steps in reading order.
    let mut groups: Vec<Vec<TraversalStep<'_>>> = Vec::new();
    let mut left_out = false;
    let mut traversal = loop {
        let is_step = matches!(tree.expr(id).kind, ExprKind::Index(_) | ExprKind::Bool(_) | ExprKind::Null);
        if let (false, Some(found)) = (is_step, silent(forest, ExprAt::Native(source, id))) {
            break found;
        }
        match tree.expr(id).kind {
            ExprKind::RelativeTraversal { on, steps } => {
                groups.push(steps_of(tree, steps));
                id = on;
            }
            ExprKind::Index(index) => {
                let tree::Index { collection, key, open, close } = *tree.index_expr(index);
                if matches!(tree.expr(key).kind, ExprKind::Bool(_) | ExprKind::Null) {
                    let span = tree.span(open.to(close));
                    groups.push(vec![TraversalStep { key: TraversalKey::IndexOther, span }]);
                } else {
                    left_out = true;
                }
                id = collection;
            }
            _ => return Err(ExprAt::Native(source, id)),
        }
    };
    for step in groups.into_iter().rev().flatten() {
        traversal.span.end = traversal.span.end.max(step.span.end);
        traversal.steps.push(step);
    }
    Ok((traversal, left_out))
}

/// An expression with a key in brackets behind it.
pub(crate) struct Index<'f> {
    /// What stands before the brackets.
    pub collection: ExprAt,
    /// The brackets as a step, where the key is a word of the language and so a constant; `None`: it has to be worked
    /// out.
    pub step: Option<TraversalStep<'f>>,
}

/// Takes a native expression with a key apart whose key is not a plain number or text.
pub(crate) fn index(forest: &Forest, expr: ExprAt) -> Option<Index<'_>> {
    let ExprAt::Native(source, id) = expr else { return None };
    let tree = forest.native(source)?;
    let ExprKind::Index(id) = tree.expr(id).kind else { return None };
    let tree::Index { collection, key, open, close } = *tree.index_expr(id);
    let constant = matches!(tree.expr(key).kind, ExprKind::Bool(_) | ExprKind::Null);
    let step = constant.then(|| TraversalStep { key: TraversalKey::IndexOther, span: tree.span(open.to(close)) });
    Some(Index { collection: ExprAt::Native(source, collection), step })
}

fn steps_of(tree: &Tree, steps: crate::syntax::tree::Ids<crate::syntax::tree::Step>) -> Vec<TraversalStep<'_>> {
    tree.steps(steps)
        .iter()
        .filter_map(|step| {
            let key = match step.kind {
                StepKind::Root => return None,
                StepKind::Attr(name) => TraversalKey::Attr(tree.slice(name).into()),
                StepKind::IndexText(text) => TraversalKey::IndexText(tree.str(text).into()),
                StepKind::IndexNumber(digits) => TraversalKey::IndexNumber(tree.slice(digits).into()),
                StepKind::IndexOther(_) => TraversalKey::IndexOther,
            };
            Some(TraversalStep { key, span: tree.span(step.range) })
        })
        .collect()
}

/// In JSON the native expression that a text holds, placed at its quote; in native syntax the expression itself.
/// Another JSON value is an error (`Invalid reference expression`), and so is a text that cannot be read; both give
/// `None`.
pub(crate) fn reference_expression(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<ExprAt> {
    let ExprAt::Json(source, node) = expr else { return Some(expr) };
    let (inner, verdict) = out.watch(|out| forest.parse_json_expression(source, node, out));
    if inner.is_none() {
        error(out, &codes::REFERENCE_EXPRESSION, forest.expr_span(expr), "A reference is written as a text in JSON.");
    }
    inner.filter(|_| verdict.is_clean())
}

/// A constant text, where the expression is one; nothing is converted and nothing is reported.
pub(crate) fn plain_text(forest: &Forest, expr: ExprAt) -> Option<Arc<str>> {
    // Most of what is asked about is a reference, and the finding about it would be made for nothing.
    if let ExprAt::Native(source, id) = expr
        && let ExprKind::Traversal(_) = forest.native(source)?.expr(id).kind
    {
        return None;
    }
    let mut discarded = Diagnostics::new();
    let value = eval::constant(forest, expr, &mut discarded);
    if discarded.has_errors() || !value.is_known() { None } else { value.as_shared_text().cloned() }
}

/// Pushes an error with the code's title.
pub(crate) fn error(
    out: &mut Diagnostics,
    code: &'static Code,
    span: Span,
    detail: impl Into<std::borrow::Cow<'static, str>>,
) {
    debug_assert_eq!(code.severity, Severity::Error);
    out.push(Diagnostic::tool(code, span, detail));
}

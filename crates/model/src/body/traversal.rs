//! Reads references when a module is loaded: traversals in either syntax, and the quoted strings that older
//! configurations use instead.

use crate::body::codes;
use overfold_base::account;
use overfold_base::diag::{Code, Diagnostic, Diagnostics, Reporting, Severity, Span};
use overfold_eval as eval;
use overfold_syntax::statics::{Traversal, TraversalKey, TraversalStep};
use overfold_syntax::tree::{self, ExprKind, StepKind, Tree};
use overfold_syntax::{ExprAt, Forest, native, statics};
use std::borrow::Cow;
use std::sync::Arc;

use bytes::Bytes;
use smallvec::SmallVec;

/// One part of a traversal; the root name is also a part.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Part<'p, 't> {
    /// The name, if the part is one.
    pub name: Option<&'p Cow<'t, str>>,
    /// The key, if the part is a step in brackets or `.1`.
    pub key: Option<&'p TraversalKey<'t>>,
    /// The location, including the dot or the brackets.
    pub span: Span,
}

impl Part<'_, '_> {
    /// Whether the part is this name.
    pub(crate) fn is_named(&self, name: &str) -> bool {
        self.name.is_some_and(|own| own == name)
    }
}

/// The parts of a traversal, of which few have more than these.
pub(crate) type Parts<'p, 't> = SmallVec<[Part<'p, 't>; 5]>;

/// Returns the root and the steps in one list.
pub(crate) fn parts<'p, 't>(traversal: &'p Traversal<'t>) -> Parts<'p, 't> {
    let root = Part { name: Some(&traversal.root), key: None, span: traversal.root_span };
    let steps = traversal.steps.iter().map(|step| match &step.key {
        TraversalKey::Attr(name) => Part { name: Some(name), key: None, span: step.span },
        key => Part { name: None, key: Some(key), span: step.span },
    });
    std::iter::once(root).chain(steps).collect()
}

/// The result of reading an expression where a reference is expected and, for old configurations, a quoted one is
/// accepted.
pub(crate) enum Quoted<'f> {
    /// The expression was a quoted string. The warning and any errors inside have been reported; this is what was
    /// understood.
    Text(Option<Traversal<'f>>),
    /// The expression is something else, and was not examined.
    No,
}

/// If the expression is a quoted native string, reads the reference inside it and warns (`Quoted references are
/// deprecated`, terraform.md, section 5). Strings in the JSON syntax are not quoted in this sense. A string that is
/// not constant is left to the caller.
pub(crate) fn unquote<'f>(forest: &'f Forest, expr: ExprAt, out: &mut Diagnostics) -> Quoted<'f> {
    unquote_as(forest, expr, &codes::QUOTED_REFERENCE, "References are", out)
}

/// Like [`unquote`], but for a keyword (`Quoted keywords are deprecated`).
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
    // Escape sequences are not taken into account: locations inside are offsets from the byte after the quote.
    let text = Bytes::copy_from_slice(text.as_bytes());
    let embedded = forest.embed_text(source, whole.start + 1, text.clone());
    let traversal = native::reference(embedded, &text, forest.limits, forest.grammar(), out);
    let detail = format!("{what} written without quotes here; the quoted form is deprecated. Remove the quotes.");
    let finding = Diagnostic::tool(code, tree.span(whole), detail);
    // The quotes can be removed only if the string is neither a heredoc nor written with escape sequences.
    let inside = tree.slice(whole).strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
    out.push(match inside {
        Some(inside) if traversal.is_some() && inside.as_bytes() == &*text => {
            finding.fixed_by(tree.span(whole), inside.to_owned())
        }
        _ => finding,
    });
    Quoted::Text(traversal)
}

/// Returns the traversal in an expression, which may also be quoted.
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

/// Returns the traversal in an expression, without reporting anything if it is something else.
pub(crate) fn try_absolute(forest: &Forest, expr: ExprAt) -> Option<Traversal<'_>> {
    statics::absolute_traversal(forest, expr, &mut Diagnostics::new())
}

/// Returns the traversal of a native expression whose keys may be expressions, without those keys, and whether there
/// were any.
///
/// # Errors
/// The part of the expression that is not a traversal.
pub(crate) fn with_computed_keys(forest: &Forest, expr: ExprAt) -> Result<(Traversal<'_>, bool), ExprAt> {
    let ExprAt::Native(source, mut id) = expr else { return Err(expr) };
    let tree = forest.native(source).ok_or(expr)?;
    // From the last step to the first; each group of steps is in source order.
    let mut groups: Vec<Vec<TraversalStep<'_>>> = Vec::new();
    let mut left_out = false;
    let mut traversal = loop {
        let is_step = matches!(tree.expr(id).kind, ExprKind::Index(_) | ExprKind::Bool(_) | ExprKind::Null);
        if let (false, Some(found)) = (is_step, try_absolute(forest, ExprAt::Native(source, id))) {
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
                    groups.push(vec![TraversalStep { key: TraversalKey::of_keyword(tree, key), span }]);
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

/// Returns the traversal of a native expression whose keys in brackets may be expressions: `key` gives each of them, in
/// the order of the source, and ends the reading with `None`.
pub fn with_keys<'f>(
    forest: &'f Forest,
    expr: ExprAt,
    key: &mut dyn FnMut(ExprAt) -> Option<TraversalKey<'f>>,
) -> Option<Traversal<'f>> {
    let ExprAt::Native(source, mut id) = expr else { return None };
    let tree = forest.native(source)?;
    // From the last step to the first: steps, or the key of one.
    let mut groups: Vec<Result<Vec<TraversalStep<'f>>, ExprAt>> = Vec::new();
    let mut traversal = loop {
        account::work(4);
        match tree.expr(id).kind {
            ExprKind::RelativeTraversal { on, steps } => {
                groups.push(Ok(steps_of(tree, steps)));
                id = on;
            }
            ExprKind::Index(index) => {
                let tree::Index { collection, key, .. } = *tree.index_expr(index);
                groups.push(Err(ExprAt::Native(source, key)));
                id = collection;
            }
            _ => break try_absolute(forest, ExprAt::Native(source, id))?,
        }
    };
    for group in groups.into_iter().rev() {
        let steps = match group {
            Ok(steps) => steps,
            Err(expr) => vec![TraversalStep { key: key(expr)?, span: forest.expr_span(expr) }],
        };
        for step in steps {
            traversal.span.end = traversal.span.end.max(step.span.end);
            traversal.steps.push(step);
        }
    }
    Some(traversal)
}

/// An expression followed by a key in brackets.
pub(crate) struct Index<'f> {
    /// The expression before the brackets.
    pub collection: ExprAt,
    /// The expression in the brackets.
    pub key: ExprAt,
    /// The brackets as a step, if the key is a keyword and therefore constant; `None` if it must be evaluated.
    pub step: Option<TraversalStep<'f>>,
}

/// Splits a native expression that ends with a key, unless the key is a plain number or string.
pub(crate) fn index(forest: &Forest, expr: ExprAt) -> Option<Index<'_>> {
    let ExprAt::Native(source, id) = expr else { return None };
    let tree = forest.native(source)?;
    let ExprKind::Index(id) = tree.expr(id).kind else { return None };
    let tree::Index { collection, key, open, close } = *tree.index_expr(id);
    let in_brackets = ExprAt::Native(source, key);
    let constant = matches!(tree.expr(key).kind, ExprKind::Bool(_) | ExprKind::Null);
    let step =
        constant.then(|| TraversalStep { key: TraversalKey::of_keyword(tree, key), span: tree.span(open.to(close)) });
    Some(Index { collection: ExprAt::Native(source, collection), key: in_brackets, step })
}

fn steps_of(tree: &Tree, steps: overfold_syntax::tree::Ids<overfold_syntax::tree::Step>) -> Vec<TraversalStep<'_>> {
    tree.steps(steps)
        .iter()
        .filter_map(|step| {
            let key = match step.kind {
                StepKind::Root => return None,
                StepKind::Attr(name) => TraversalKey::Attr(tree.slice(name).into()),
                StepKind::IndexText(text) => TraversalKey::IndexText(tree.str(text).into()),
                StepKind::IndexNumber(digits) => TraversalKey::IndexNumber(tree.slice(digits).into()),
                StepKind::IndexOther(key) => TraversalKey::of_keyword(tree, key),
            };
            Some(TraversalStep { key, span: tree.span(step.range) })
        })
        .collect()
}

/// Returns, for JSON, the native expression in a string, located at its quote and, for native syntax, the expression
/// itself. Any other JSON value is an error (`Invalid reference expression`), and so is a string that cannot be read;
/// the result is then `None`.
pub fn reference_expression(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<ExprAt> {
    let ExprAt::Json(source, node) = expr else { return Some(expr) };
    let (inner, verdict) = out.watch(|out| forest.parse_json_expression(source, node, out));
    if inner.is_none() {
        error(
            out,
            &codes::REFERENCE_EXPRESSION,
            forest.expr_span(expr),
            "In JSON syntax a reference must be a string.",
        );
    }
    inner.filter(|_| verdict.is_clean())
}

/// Returns the string if the expression is a constant string; nothing is converted or reported.
pub fn plain_text(forest: &Forest, expr: ExprAt) -> Option<Arc<str>> {
    // Most of these expressions are references, for which a diagnostic would be built in vain.
    if let ExprAt::Native(source, id) = expr
        && let ExprKind::Traversal(_) = forest.native(source)?.expr(id).kind
    {
        return None;
    }
    let mut discarded = Diagnostics::new();
    let value = eval::constant(forest, expr, &mut discarded);
    if discarded.has_errors() || !value.is_known() { None } else { value.as_shared_text().cloned() }
}

/// Reports an error with the code's title.
pub fn error(
    out: &mut Diagnostics,
    code: &'static Code,
    span: Span,
    detail: impl Into<std::borrow::Cow<'static, str>>,
) {
    debug_assert_eq!(code.severity, Severity::Error);
    out.push(Diagnostic::tool(code, span, detail));
}

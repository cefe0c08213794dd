//! References: a root name and steps.

use std::borrow::Cow;
use std::fmt;

use super::super::tree::{Expr, ExprKind, Id, Ids, Step, StepKind, Tree};
use super::super::{ExprAt, Forest};
use super::{native_of, refuse};
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostics, Span, TextRange};

/// A reference: a root name and the steps after it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traversal<'t> {
    /// The root name.
    pub root: Cow<'t, str>,
    /// The span of the root name.
    pub root_span: Span,
    /// The steps after the root.
    pub steps: Vec<TraversalStep<'t>>,
    /// From the root to the last step.
    pub span: Span,
}

/// A step of a reference.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct TraversalStep<'t> {
    /// What the step selects.
    pub key: TraversalKey<'t>,
    /// The span of the step, with its dot or brackets; the first step of a relative reference is the bare name.
    pub span: Span,
}

/// What a step selects.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum TraversalKey<'t> {
    /// `.name`.
    Attr(Cow<'t, str>),
    /// `["text"]`.
    IndexText(Cow<'t, str>),
    /// `[1]` or `.1`: the digits as written.
    IndexNumber(Cow<'t, str>),
    /// `[true]`, `[false]`: selects something from maps and objects alone.
    IndexBool(bool),
    /// `[null]`: valid syntax, but not a key that can select anything.
    IndexNull,
    /// A key that has not been understood, which has been reported.
    IndexOther,
}

impl TraversalKey<'_> {
    /// Returns the key of a step whose key is an expression: a keyword.
    pub fn of_keyword(tree: &Tree, key: Id<Expr>) -> Self {
        match tree.expr(key).kind {
            ExprKind::Bool(value) => Self::IndexBool(value),
            ExprKind::Null => Self::IndexNull,
            _ => Self::IndexOther,
        }
    }
}

/// A reference where it is written, with nothing of it copied. Its steps are counted from 0, behind the root name.
#[derive(Clone, Copy)]
pub struct WrittenReference<'f> {
    tree: &'f Tree,
    /// The root and the steps.
    steps: &'f [Step],
}

impl<'f> WrittenReference<'f> {
    /// Returns the reference that an expression is.
    pub(super) fn from_expr(tree: &'f Tree, id: Id<Expr>) -> Option<Self> {
        let ExprKind::Traversal(steps) = tree.expr(id).kind else { return None };
        let steps = tree.steps(steps);
        account::work(4 + steps.len() as u64);
        (!steps.is_empty()).then_some(Self { tree, steps })
    }

    /// Returns the root name.
    pub fn root(&self) -> &'f str {
        self.tree.slice(self.range_to(None))
    }

    /// Returns the number of steps.
    pub const fn len(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }

    /// Whether there is nothing but the root name.
    pub const fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Returns the name if step `position` is `.name`.
    pub fn attr(&self, position: usize) -> Option<&'f str> {
        match self.steps.get(position + 1)?.kind {
            StepKind::Attr(name) => Some(self.tree.slice(name)),
            _ => None,
        }
    }

    /// Returns what step `position` selects, unless it is `.name`.
    pub fn index(&self, position: usize) -> Option<TraversalKey<'f>> {
        let step = self.steps.get(position + 1)?;
        Some(key_of(self.tree, step)?).filter(|key| !matches!(key, TraversalKey::Attr(_)))
    }

    /// Returns the range from the root name to the end of step `position`.
    pub fn span_to(&self, position: usize) -> Span {
        self.tree.span(self.range_to(Some(position)))
    }

    /// Returns the range from the root name to the last step.
    pub fn span(&self) -> Span {
        self.span_to(self.len().saturating_sub(1))
    }

    /// Returns the steps from `position` on.
    pub fn steps(&self, position: usize) -> Vec<TraversalStep<'f>> {
        let steps = self.steps.get(position + 1..).unwrap_or_default();
        steps.iter().charged_at_once(1).filter_map(|step| step_of(self.tree, step)).collect()
    }

    /// Returns the whole reference.
    pub fn traversal(&self) -> Traversal<'f> {
        let root = self.tree.span(self.range_to(None));
        Traversal { root: self.root().into(), root_span: root, steps: self.steps(0), span: self.span() }
    }

    fn range_to(&self, position: Option<usize>) -> TextRange {
        let Some(root) = self.steps.first() else { return TextRange::default() };
        let last = position.and_then(|position| self.steps.get(position + 1));
        root.range.to(last.map_or(root.range, |step| step.range))
    }
}

impl fmt::Debug for WrittenReference<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.traversal().fmt(f)
    }
}

impl Traversal<'_> {
    /// Returns the name if step `position` (0-based, after the root) is `.name`.
    pub fn attr(&self, position: usize) -> Option<&str> {
        match &self.steps.get(position)?.key {
            TraversalKey::Attr(name) => Some(name),
            _ => None,
        }
    }
}

/// Returns the reference in an expression (JSON: in a string). Reports anything else as `Invalid expression` and
/// returns `None`; the errors inside a JSON string are not reported one by one.
pub fn absolute_traversal<'f>(forest: &'f Forest, at: ExprAt, out: &mut Diagnostics) -> Option<Traversal<'f>> {
    let traversal = try_absolute(forest, at);
    if traversal.is_none() {
        refuse(
            forest.expr_span(at),
            "This must be a reference: a name, optionally followed by attributes and constant indexes.",
            out,
        );
    }
    traversal
}

/// Like [`absolute_traversal`], for a reference that starts from a known object: the root name becomes the first step.
pub fn relative_traversal<'f>(
    forest: &'f Forest,
    at: ExprAt,
    out: &mut Diagnostics,
) -> Option<Vec<TraversalStep<'f>>> {
    let traversal = absolute_traversal(forest, at, out)?;
    let mut steps = Vec::with_capacity(traversal.steps.len() + 1);
    steps.push(TraversalStep { key: TraversalKey::Attr(traversal.root), span: traversal.root_span });
    steps.extend(traversal.steps);
    Some(steps)
}

/// Returns the keyword in an expression: a name without steps (JSON: a string that contains one). `true`, `false` and
/// `null` are keywords, too. Reports nothing if the expression is not a keyword.
pub fn keyword(forest: &Forest, at: ExprAt) -> Option<Cow<'_, str>> {
    try_absolute(forest, at).filter(|traversal| traversal.steps.is_empty()).map(|traversal| traversal.root)
}

fn try_absolute(forest: &Forest, at: ExprAt) -> Option<Traversal<'_>> {
    let (tree, id) = native_of(forest, at)?;
    let traversal = from_expr(tree, id)?;
    // JSON strings have a narrower grammar, without the old `.0` and without keywords in brackets.
    let odd = matches!(at, ExprAt::Json(..)) && traversal.steps.iter().any(|step| is_native_only(tree, step));
    (!odd).then_some(traversal)
}

fn is_native_only(tree: &Tree, step: &TraversalStep<'_>) -> bool {
    match step.key {
        TraversalKey::IndexNumber(_) => tree.bytes(step.span.range()).first() == Some(&b'.'),
        TraversalKey::IndexBool(_) | TraversalKey::IndexNull | TraversalKey::IndexOther => true,
        TraversalKey::Attr(_) | TraversalKey::IndexText(_) => false,
    }
}

/// Returns a native expression as a reference, if it is one.
pub(super) fn from_expr(tree: &Tree, id: Id<Expr>) -> Option<Traversal<'_>> {
    let expr = tree.expr(id);
    match expr.kind {
        ExprKind::Traversal(steps) => {
            let (root, rest) = tree.steps(steps).split_first()?;
            account::work(4 + rest.len() as u64);
            let mut traversal = with_root(tree, root.range);
            traversal.steps.reserve_exact(rest.len());
            push_steps(tree, rest, &mut traversal);
            Some(traversal)
        }
        ExprKind::Bool(_) | ExprKind::Null => Some(with_root(tree, expr.range)),
        ExprKind::RelativeTraversal { .. } | ExprKind::Index(_) => {
            // Several groups of steps in a row, the innermost last.
            let mut pieces = Vec::new();
            let mut at = id;
            loop {
                match tree.expr(at).kind {
                    ExprKind::RelativeTraversal { on, steps } => {
                        pieces.push(Piece::Steps(steps));
                        at = on;
                    }
                    ExprKind::Index(id) if is_word(tree, tree.index_expr(id).key) => {
                        pieces.push(Piece::Other(
                            TraversalKey::of_keyword(tree, tree.index_expr(id).key),
                            tree.index_expr(id).brackets(),
                        ));
                        at = tree.index_expr(id).collection;
                    }
                    ExprKind::Traversal(_) | ExprKind::Bool(_) | ExprKind::Null => break,
                    _ => return None,
                }
            }
            let mut traversal = from_expr(tree, at)?;
            for piece in pieces.into_iter().rev() {
                match piece {
                    Piece::Steps(steps) => push_steps(tree, tree.steps(steps), &mut traversal),
                    Piece::Other(key, range) => {
                        traversal.span.end = traversal.span.end.max(range.end);
                        traversal.steps.push(TraversalStep { key, span: tree.span(range) });
                    }
                }
            }
            Some(traversal)
        }
        _ => None,
    }
}

/// A group of steps; `Other` is an index by a keyword, with its brackets.
enum Piece {
    Steps(Ids<Step>),
    Other(TraversalKey<'static>, TextRange),
}

/// `true`, `false` and `null` in brackets are constant keys, too, although useless ones.
fn is_word(tree: &Tree, key: Id<Expr>) -> bool {
    matches!(tree.expr(key).kind, ExprKind::Bool(_) | ExprKind::Null)
}

fn with_root(tree: &Tree, range: TextRange) -> Traversal<'_> {
    let span = tree.span(range);
    Traversal { root: tree.slice(range).into(), root_span: span, steps: Vec::new(), span }
}

fn push_steps<'t>(tree: &'t Tree, steps: &[Step], traversal: &mut Traversal<'t>) {
    for step in steps {
        traversal.span.end = traversal.span.end.max(step.range.end);
        traversal.steps.extend(step_of(tree, step));
    }
}

fn step_of<'t>(tree: &'t Tree, step: &Step) -> Option<TraversalStep<'t>> {
    Some(TraversalStep { key: key_of(tree, step)?, span: tree.span(step.range) })
}

/// Returns what a step selects; `None` for the root.
fn key_of<'t>(tree: &'t Tree, step: &Step) -> Option<TraversalKey<'t>> {
    Some(match step.kind {
        StepKind::Root => return None,
        StepKind::Attr(name) => TraversalKey::Attr(tree.slice(name).into()),
        StepKind::IndexText(text) => TraversalKey::IndexText(tree.str(text).into()),
        StepKind::IndexNumber(digits) => TraversalKey::IndexNumber(tree.slice(digits).into()),
        StepKind::IndexOther(key) => TraversalKey::of_keyword(tree, key),
    })
}

//! Traversals: `aws_instance.web[0].id` read as a path of names and keys, from either syntax and also from the
//! quoted texts that older configurations have in their place.

use bytes::Bytes;

use super::leaf_codes as codes;
use super::traversal_text;
use crate::diag::{Code, Diagnostic, Diagnostics, Severity, SourceId, Span};
use crate::syntax::json::{JsonKind, JsonText};
use crate::syntax::tree::{ExprKind, Id, Expr, StepKind as TreeStep, Tree};
use crate::syntax::{ExprAt, Forest};

/// A root name and the steps that follow it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Traversal {
    /// At least one; the first is the root name.
    pub steps: Vec<Step>,
    /// The whole expression; for a quoted text with its quotes.
    pub span: Span,
}

/// One step of a traversal.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Step {
    /// What it selects.
    pub kind: StepKind,
    /// With its dot or brackets.
    pub span: Span,
}

/// Kinds of steps.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// A name: the root, or after a dot.
    Name(String),
    /// `["text"]`, decoded.
    Text(String),
    /// `[1]` or `.1`: the digits as written.
    Number(String),
    /// `[true]`, `[null]`: written out, but no key.
    Odd,
}

impl Traversal {
    /// The root name.
    pub fn root(&self) -> &str {
        match self.steps.first().map(|step| &step.kind) {
            Some(StepKind::Name(name)) => name,
            _ => "",
        }
    }

    /// From the first step to the last, without the quotes of a quoted text.
    pub fn steps_span(&self) -> Span {
        match (self.steps.first(), self.steps.last()) {
            (Some(first), Some(last)) => first.span.range().to(last.span.range()).in_source(first.span.source),
            _ => self.span,
        }
    }
}

impl Step {
    /// The name, where the step is one.
    pub fn name(&self) -> Option<&str> {
        match &self.kind {
            StepKind::Name(name) => Some(name),
            _ => None,
        }
    }
}

/// The traversal that an expression consists of; in JSON the one that its text holds. Anything else is an error at
/// the expression (`Invalid expression`) and gives `None`.
pub fn absolute(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<Traversal> {
    let traversal = try_absolute(forest, expr);
    if traversal.is_none() {
        out.push(Diagnostic::tool(
            &codes::STATIC_REFERENCE,
            forest.expr_span(expr),
            "This place takes a plain reference: a name, followed by attribute names and constant keys. \
             Nothing may be worked out here.",
        ));
    }
    traversal
}

/// The same without a word about anything else.
pub fn try_absolute(forest: &Forest, expr: ExprAt) -> Option<Traversal> {
    match expr {
        ExprAt::Native(source, id) => native(forest.native(source)?, id),
        ExprAt::Json(source, node) => {
            let tree = forest.json(source)?;
            let value = tree.node(node);
            let JsonKind::Text(text) = value.kind else { return None };
            let bytes = match text {
                JsonText::Source(range) => tree.text.slice(range.start as usize..range.end as usize),
                JsonText::Decoded(..) => Bytes::copy_from_slice(tree.str(text).as_bytes()),
            };
            // Reference-like texts stand *at* their quote (syntax.md, section 6). Their mistakes are not told apart.
            let embedded = forest.embed_text(source, value.range.start, bytes);
            let mut unheard = Diagnostics::new();
            let steps = traversal_text::read(forest, embedded, &mut unheard);
            let clean = !unheard.has_errors() && !steps.is_empty();
            clean.then(|| Traversal { steps, span: forest.expr_span(expr) })
        }
    }
}

fn native(tree: &Tree, id: Id<Expr>) -> Option<Traversal> {
    let (steps, _) = flatten(tree, id, false).ok()?;
    Some(Traversal { steps, span: tree.span(tree.expr(id).range) })
}

/// The traversal of an expression whose keys may be expressions; those keys are left out of it, and the flag says
/// whether there were any. Anything else is an error at the part that is no traversal.
pub fn with_computed_keys(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<(Traversal, bool)> {
    let ExprAt::Native(source, id) = expr else { return absolute(forest, expr, out).map(|found| (found, false)) };
    let tree = forest.native(source)?;
    match flatten(tree, id, true) {
        Ok((steps, computed)) => Some((Traversal { steps, span: forest.expr_span(expr) }, computed)),
        Err(at) => absolute(forest, ExprAt::Native(source, at), out).map(|found| (found, false)),
    }
}

/// The steps of an expression, and whether keys were left out, which only happens with `computed`. `Err` is the part
/// that is no traversal.
fn flatten(tree: &Tree, mut id: Id<Expr>, computed: bool) -> Result<(Vec<Step>, bool), Id<Expr>> {
    let whole = id;
    // From the last step to the first, each group of steps in reading order.
    let mut groups: Vec<Vec<Step>> = Vec::new();
    let mut left_out = false;
    loop {
        let expr = tree.expr(id);
        match expr.kind {
            ExprKind::Traversal(steps) => {
                groups.push(steps_of(tree, steps));
                break;
            }
            // The three words are names where a name is wanted.
            ExprKind::Bool(_) | ExprKind::Null => {
                let name = tree.slice(expr.range).into_owned();
                groups.push(vec![Step { kind: StepKind::Name(name), span: tree.span(expr.range) }]);
                break;
            }
            ExprKind::RelativeTraversal { on, steps } => {
                groups.push(steps_of(tree, steps));
                id = on;
            }
            ExprKind::Index { collection, key, open, close } => {
                match tree.expr(key).kind {
                    ExprKind::Bool(_) | ExprKind::Null => {
                        groups.push(vec![Step { kind: StepKind::Odd, span: tree.span(open.to(close)) }]);
                    }
                    _ if computed => left_out = true,
                    _ => return Err(whole),
                }
                id = collection;
            }
            _ => return Err(if computed { id } else { whole }),
        }
    }
    Ok((groups.into_iter().rev().flatten().collect(), left_out))
}

/// Steps of the tree as steps of ours.
pub(super) fn steps_of(tree: &Tree, steps: crate::syntax::tree::Ids<crate::syntax::tree::Step>) -> Vec<Step> {
    tree.steps(steps)
        .iter()
        .map(|step| Step {
            kind: match step.kind {
                TreeStep::Root => StepKind::Name(tree.slice(step.range).into_owned()),
                TreeStep::Attr(name) => StepKind::Name(tree.slice(name).into_owned()),
                TreeStep::IndexText(text) => StepKind::Text(tree.str(text).into_owned()),
                TreeStep::IndexNumber(digits) => StepKind::Number(tree.slice(digits).into_owned()),
            },
            span: tree.span(step.range),
        })
        .collect()
}

/// What became of an expression in a place that takes a reference and, for old configurations, a quoted one.
pub enum Quoted {
    /// It was a quoted text: the warning and any mistakes inside were told, these steps were understood (maybe none).
    Text(Vec<Step>),
    /// It is something else and was not looked at.
    No,
}

/// Where the expression is a quoted native text, reads the reference inside it and warns
/// (`Quoted references are deprecated`, terraform.md, section 5). Texts of the JSON syntax are not quoted in this
/// sense. A text that is not constant is left to the caller.
pub fn unquote(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Quoted {
    unquote_as(forest, expr, &codes::QUOTED_REFERENCE, "References are", out)
}

/// The same for a keyword (`Quoted keywords are deprecated`).
pub fn unquote_keyword(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Quoted {
    unquote_as(forest, expr, &codes::QUOTED_KEYWORD, "Keywords are", out)
}

fn unquote_as(forest: &Forest, expr: ExprAt, code: &'static Code, what: &str, out: &mut Diagnostics) -> Quoted {
    let ExprAt::Native(source, id) = expr else { return Quoted::No };
    let Some(tree) = forest.native(source) else { return Quoted::No };
    let Some(text) = constant_text(tree, id) else { return Quoted::No };
    let whole = tree.expr(id).range;
    // Escapes inside the text are not counted: positions run on from the byte after the quote.
    let embedded = forest.embed_text(source, whole.start + 1, Bytes::from(text));
    let steps = traversal_text::read(forest, embedded, out);
    out.push(Diagnostic::tool(
        code,
        tree.span(whole),
        format!("{what} written without quotes here; the quoted form is left over from old configurations."),
    ));
    Quoted::Text(steps)
}

/// The traversal of an expression in a place that also takes a quoted one. Mistakes are told as [`absolute`] and
/// [`unquote`] do.
pub fn absolute_or_quoted(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<Traversal> {
    match unquote(forest, expr, out) {
        Quoted::No => absolute(forest, expr, out),
        Quoted::Text(steps) if steps.is_empty() => absolute(forest, expr, out),
        Quoted::Text(steps) => Some(Traversal { steps, span: forest.expr_span(expr) }),
    }
}

/// The text of a quoted string or heredoc whose parts are all constant. `None` for anything else, also for a
/// template of exactly one interpolation.
fn constant_text(tree: &Tree, id: Id<Expr>) -> Option<String> {
    let ExprKind::Template { parts, .. } = tree.expr(id).kind else { return None };
    let mut text = String::new();
    for &part in tree.list(parts) {
        append_constant(tree, part, &mut text, 0)?;
    }
    Some(text)
}

/// How deep constant parts are looked into; deeper ones count as not constant.
const CONSTANT_DEPTH: u32 = 64;

fn append_constant(tree: &Tree, id: Id<Expr>, text: &mut String, depth: u32) -> Option<()> {
    if depth > CONSTANT_DEPTH {
        return None;
    }
    match tree.expr(id).kind {
        ExprKind::Text(part) => text.push_str(&tree.str(part)),
        ExprKind::Template { parts, .. } => {
            for &part in tree.list(parts) {
                append_constant(tree, part, text, depth + 1)?;
            }
        }
        ExprKind::TemplateWrap(inner) | ExprKind::Parens(inner) => append_constant(tree, inner, text, depth + 1)?,
        ExprKind::TemplateIf { cond, then, or_else } => match tree.expr(cond).kind {
            ExprKind::Bool(true) => append_constant(tree, then, text, depth + 1)?,
            ExprKind::Bool(false) => {
                if let Some(or_else) = or_else {
                    append_constant(tree, or_else, text, depth + 1)?;
                }
            }
            _ => return None,
        },
        ExprKind::Bool(value) => text.push_str(if value { "true" } else { "false" }),
        _ => return None,
    }
    Some(())
}

/// The bare word that an expression consists of; in JSON the one that its text holds.
pub fn keyword(forest: &Forest, expr: ExprAt) -> Option<String> {
    let traversal = try_absolute(forest, expr)?;
    match traversal.steps.as_slice() {
        [only] => only.name().map(str::to_owned),
        _ => None,
    }
}

/// A text that is written out: a quoted string or heredoc without anything to work out, a template around one, a
/// string of the JSON syntax (as it stands).
pub fn plain_text(forest: &Forest, expr: ExprAt) -> Option<String> {
    match expr {
        ExprAt::Native(source, id) => {
            let tree = forest.native(source)?;
            let mut text = String::new();
            let wanted = matches!(
                tree.expr(id).kind,
                ExprKind::Template { .. } | ExprKind::TemplateWrap(_) | ExprKind::Parens(_) | ExprKind::Text(_)
            );
            (wanted && append_constant(tree, id, &mut text, 0).is_some()).then_some(text)
        }
        ExprAt::Json(source, node) => {
            let tree = forest.json(source)?;
            match tree.node(node).kind {
                JsonKind::Text(text) => Some(tree.str(text).to_owned()),
                _ => None,
            }
        }
    }
}

/// In JSON the native expression that a text holds, placed at its quote; in native syntax the expression itself.
/// Another JSON value is an error (`Invalid reference expression`), and so is a text that cannot be read; both give
/// `None`.
pub fn reference_expression(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<ExprAt> {
    let ExprAt::Json(source, node) = expr else { return Some(expr) };
    let before = out.error_count();
    let Some(inner) = forest.parse_json_expression(source, node, out) else {
        error(out, &codes::REFERENCE_EXPRESSION, forest.expr_span(expr), "A reference is written as a text in JSON.");
        return None;
    };
    (!failed_since(out, before)).then_some(inner)
}

/// Whether the expression is a quoted string or heredoc of the native syntax (not: exactly one interpolation).
pub fn is_native_text(forest: &Forest, expr: ExprAt) -> bool {
    let ExprAt::Native(source, id) = expr else { return false };
    forest.native(source).is_some_and(|tree| matches!(tree.expr(id).kind, ExprKind::Template { .. }))
}

/// The items of a list written out as such. Anything else is an error at the expression's first token and gives `None`.
pub fn static_list(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<Vec<ExprAt>> {
    let items = match expr {
        ExprAt::Native(source, id) => forest.native(source).and_then(|tree| match tree.expr(id).kind {
            ExprKind::Tuple { items, .. } => {
                Some(tree.list(items).iter().map(|&item| ExprAt::Native(source, item)).collect())
            }
            _ => None,
        }),
        ExprAt::Json(source, node) => forest.json(source).and_then(|tree| match tree.node(node).kind {
            JsonKind::Array { items, .. } => {
                Some(tree.list(items).iter().map(|&item| ExprAt::Json(source, item)).collect())
            }
            _ => None,
        }),
    };
    if items.is_none() {
        out.push(Diagnostic::tool(
            &codes::STATIC_LIST,
            start_span(forest, expr),
            "This place takes a list written out in square brackets; it cannot be worked out.",
        ));
    }
    items
}

/// A key of a map that is written out as such.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum StaticKey {
    /// An expression of the native syntax.
    Expr(ExprAt),
    /// A property name of the JSON syntax, decoded, with its quotes in the span.
    Name(String, Span),
}

impl StaticKey {
    /// Where it stands.
    pub fn span(&self, forest: &Forest) -> Span {
        match self {
            Self::Expr(expr) => forest.expr_span(*expr),
            Self::Name(_, span) => *span,
        }
    }
}

/// The steps of the reference that a property name of the JSON syntax holds (`span` with its quotes); none where it
/// holds none.
pub fn steps_of_name(forest: &Forest, name: &str, span: Span) -> Vec<Step> {
    let mut unheard = Diagnostics::new();
    let embedded = forest.embed_text(span.source, span.start, Bytes::copy_from_slice(name.as_bytes()));
    let steps = traversal_text::read(forest, embedded, &mut unheard);
    if unheard.has_errors() { Vec::new() } else { steps }
}

/// The pairs of a map written out as such, in order, duplicates kept. Anything else is an error at the expression's
/// first token and gives `None`.
pub fn static_map(forest: &Forest, expr: ExprAt, out: &mut Diagnostics) -> Option<Vec<(StaticKey, ExprAt)>> {
    let pairs = match expr {
        ExprAt::Native(source, id) => forest.native(source).and_then(|tree| match tree.expr(id).kind {
            ExprKind::Object { items, .. } => Some(
                tree.items(items)
                    .iter()
                    .map(|item| (StaticKey::Expr(ExprAt::Native(source, item.key)), ExprAt::Native(source, item.value)))
                    .collect(),
            ),
            _ => None,
        }),
        ExprAt::Json(source, node) => forest.json(source).and_then(|tree| match tree.node(node).kind {
            JsonKind::Object { properties, .. } => Some(
                tree.properties(properties)
                    .iter()
                    .map(|property| {
                        let name = tree.str(property.name).to_owned();
                        let span = property.name_range.in_source(source);
                        (StaticKey::Name(name, span), ExprAt::Json(source, property.value))
                    })
                    .collect(),
            ),
            _ => None,
        }),
    };
    if pairs.is_none() {
        out.push(Diagnostic::tool(
            &codes::STATIC_MAP,
            start_span(forest, expr),
            "This place takes a map written out in braces; it cannot be worked out.",
        ));
    }
    pairs
}

/// The first token of an expression, or what stands for it: the opening bracket, a call's name with its parenthesis,
/// the first step of a traversal, the left operand's first token.
pub fn start_span(forest: &Forest, expr: ExprAt) -> Span {
    match expr {
        ExprAt::Native(source, id) => match forest.native(source) {
            Some(tree) => native_start(tree, id),
            None => Span { source, start: 0, end: 0 },
        },
        ExprAt::Json(source, node) => match forest.json(source) {
            Some(tree) => {
                let value = tree.node(node);
                match value.kind {
                    JsonKind::Array { open, .. } | JsonKind::Object { open, .. } => open,
                    _ => value.range,
                }
                .in_source(source)
            }
            None => Span { source, start: 0, end: 0 },
        },
    }
}

fn native_start(tree: &Tree, mut id: Id<Expr>) -> Span {
    loop {
        let expr = tree.expr(id);
        let range = match expr.kind {
            ExprKind::Traversal(steps) => match tree.steps(steps).first() {
                Some(step) => step.range,
                None => expr.range,
            },
            ExprKind::Call { name_range, open, .. } => name_range.to(open),
            ExprKind::RelativeTraversal { on: next, .. }
            | ExprKind::Conditional { cond: next, .. }
            | ExprKind::Binary { lhs: next, .. }
            | ExprKind::Parens(next) => {
                id = next;
                continue;
            }
            ExprKind::Template { parts, .. } => match tree.list(parts).first() {
                Some(&first) => {
                    id = first;
                    continue;
                }
                None => expr.range,
            },
            ExprKind::Unary { op_range, .. } => op_range,
            ExprKind::Index { open, .. } | ExprKind::Object { open, .. } | ExprKind::Tuple { open, .. } => open,
            ExprKind::For(at) => tree.for_expr(at).open,
            ExprKind::Splat { marker, .. } => marker,
            _ => expr.range,
        };
        return tree.span(range);
    }
}

/// Reads the text of the source `at` as a traversal, with the mistakes told as for a quoted reference.
pub fn from_text(forest: &Forest, at: SourceId, out: &mut Diagnostics) -> Vec<Step> {
    traversal_text::read(forest, at, out)
}

/// Whether something of severity error was pushed since `before` errors had been counted.
pub(super) fn failed_since(out: &Diagnostics, before: usize) -> bool {
    out.error_count() > before
}

/// Pushes an error with the code's title.
pub(super) fn error(
    out: &mut Diagnostics,
    code: &'static Code,
    span: Span,
    detail: impl Into<std::borrow::Cow<'static, str>>,
) {
    debug_assert_eq!(code.severity, Severity::Error);
    out.push(Diagnostic::tool(code, span, detail));
}

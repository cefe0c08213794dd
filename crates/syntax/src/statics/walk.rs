//! Walks over expressions that find every reference and every call. No recursion.

use super::super::json::{JsonKind, JsonNode};
use super::super::tree::{Expr, ExprKind, Id, TemplateForm, Tree};
use super::super::{ExprAt, Forest};
use super::traversal::{Traversal, WrittenReference};
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::{Diagnostics, Span, TextRange};
use smallvec::SmallVec;

/// A call inside an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionCall<'f> {
    /// The function name with its namespaces.
    pub name: &'f str,
    /// The span of the name.
    pub name_span: Span,
    /// The call as an expression.
    pub call: ExprAt,
}

/// Returns every reference inside an expression, in source order. Variables of a for-expression are not references. In
/// JSON all strings, including property names, are templates; a string with a syntax error contributes nothing.
pub fn references(forest: &Forest, at: ExprAt) -> Vec<Traversal<'_>> {
    let mut found = Vec::new();
    each_native(forest, at, &mut Diagnostics::new(), &mut |tree, id| {
        walk(tree, id, &mut |id, scope| found.extend(reference_at(tree, id, scope)));
    });
    found
}

/// A reference inside an expression.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct LocatedReference<'f> {
    /// The reference.
    pub traversal: Traversal<'f>,
    /// The reference as an expression.
    pub expr: ExprAt,
    /// Whether it is the argument of a function that takes a reference itself, not its value.
    pub is_named: bool,
    /// The form of the template in which it is all of an interpolation, between quotes or in a heredoc.
    pub template: Option<TemplateForm>,
}

/// Functions whose first argument must be a reference (expressions.md).
const TAKES_REFERENCE: [&str; 2] = ["templatestring", "core::templatestring"];

/// Like [`references`], with the expression that each one is.
pub fn located_references(forest: &Forest, at: ExprAt) -> Vec<LocatedReference<'_>> {
    let mut found = List::new();
    each_native(forest, at, &mut Diagnostics::new(), &mut |tree, id| {
        let mut named = None;
        // The interpolations of templates that are still to come, the next one last.
        let mut interpolated: List<(Id<Expr>, TemplateForm)> = List::new();
        walk(tree, id, &mut |id, scope| {
            let template = interpolated.pop_if(|(next, _)| *next == id).map(|(_, form)| form);
            if let ExprKind::Template { form, parts } = tree.expr(id).kind
                && form != TemplateForm::Inner
            {
                for &part in tree.list(parts).iter().rev().charged(1) {
                    if matches!(tree.expr(part).kind, ExprKind::Traversal(_)) {
                        interpolated.push((part, form));
                    }
                }
            }
            if let ExprKind::Call(call) = tree.expr(id).kind
                && TAKES_REFERENCE.contains(&tree.str(tree.call(call).name))
            {
                named = tree.list(tree.call(call).args).first().map(|&first| tree.expr(first).range);
            }
            if let Some(traversal) = reference_at(tree, id, scope) {
                let is_named = named == Some(tree.expr(id).range);
                let expr = ExprAt::Native(tree.source, id);
                found.push(LocatedReference { traversal, expr, is_named, template });
            }
        });
    });
    found.into_vec()
}

/// Returns every function call inside an expression, in source order, each call before those in its arguments.
pub fn calls(forest: &Forest, at: ExprAt) -> Vec<FunctionCall<'_>> {
    let mut found = Vec::new();
    each_native(forest, at, &mut Diagnostics::new(), &mut |tree, id| {
        let mut type_argument = None;
        walk(tree, id, &mut |id, _| found.extend(call_at(tree, id, &mut type_argument)));
    });
    found
}

/// Returns what [`calls`] and [`references`] return, from one walk. Syntax errors in JSON strings go to `out`.
pub fn calls_and_references<'f>(
    forest: &'f Forest,
    at: ExprAt,
    out: &mut Diagnostics,
) -> (Vec<FunctionCall<'f>>, Vec<Traversal<'f>>) {
    let (mut calls, mut references) = (Vec::new(), Vec::new());
    each_native(forest, at, out, &mut |tree, id| {
        let mut type_argument = None;
        walk(tree, id, &mut |id, scope| {
            calls.extend(call_at(tree, id, &mut type_argument));
            references.extend(reference_at(tree, id, scope));
        });
    });
    (calls, references)
}

/// Calls `call` and `reference` with what [`calls`] and [`references`] return, in one walk.
pub fn each_call_and_reference<'f>(
    forest: &'f Forest,
    at: ExprAt,
    call: &mut dyn FnMut(FunctionCall<'f>),
    reference: &mut dyn FnMut(WrittenReference<'f>),
) {
    each_native(forest, at, &mut Diagnostics::new(), &mut |tree, id| {
        if is_leaf(tree, id) {
            account::work(1);
            return;
        }
        let mut type_argument = None;
        walk(tree, id, &mut |id, scope| {
            if let Some(found) = call_at(tree, id, &mut type_argument) {
                call(found);
            } else if let Some(found) = written_at(tree, id, scope) {
                reference(found);
            }
        });
    });
}

/// Returns the call that an expression is. What looks like a call in a type constraint is none; `type_argument` is the
/// innermost one so far: the second argument of `convert`.
fn call_at<'f>(tree: &'f Tree, id: Id<Expr>, type_argument: &mut Option<TextRange>) -> Option<FunctionCall<'f>> {
    let expr = tree.expr(id);
    let ExprKind::Call(call) = expr.kind else { return None };
    if type_argument.is_some_and(|ty| ty.start <= expr.range.start && expr.range.end <= ty.end) {
        return None;
    }
    let call = tree.call(call);
    if matches!(tree.str(call.name), "convert" | "core::convert") {
        *type_argument = tree.list(call.args).get(1).map(|&ty| tree.expr(ty).range);
    }
    Some(FunctionCall {
        name: tree.str(call.name),
        name_span: tree.span(call.name_range),
        call: ExprAt::Native(tree.source, id),
    })
}

fn reference_at<'f>(tree: &'f Tree, id: Id<Expr>, scope: &[TextRange]) -> Option<Traversal<'f>> {
    written_at(tree, id, scope).map(|written| written.traversal())
}

fn written_at<'f>(tree: &'f Tree, id: Id<Expr>, scope: &[TextRange]) -> Option<WrittenReference<'f>> {
    let written = WrittenReference::from_expr(tree, id)?;
    // Lengths tell most names apart, without a look at the source.
    let root = written.root().as_bytes();
    let is_local = scope.iter().skimmed(8).any(|&name| name.len() == root.len() && tree.bytes(name) == root);
    (!is_local).then_some(written)
}

/// Whether there is nothing to find in an expression.
fn is_leaf(tree: &Tree, id: Id<Expr>) -> bool {
    matches!(tree.expr(id).kind, ExprKind::Number | ExprKind::Bool(_) | ExprKind::Null | ExprKind::Text(_))
}

/// Calls `visit` with every native expression at a location: the expression itself, or the one in each string of a JSON
/// value. Syntax errors in those strings go to `out`.
fn each_native<'f>(forest: &'f Forest, at: ExprAt, out: &mut Diagnostics, visit: &mut dyn FnMut(&'f Tree, Id<Expr>)) {
    let (source, root) = match at {
        ExprAt::Native(source, id) => {
            if let Some(tree) = forest.native(source) {
                visit(tree, id);
            }
            return;
        }
        ExprAt::Json(source, root) => (source, root),
    };
    let Some(tree) = forest.json(source) else { return };
    let mut left: Vec<Id<JsonNode>> = vec![root];
    while let Some(id) = left.pop() {
        account::work(1);
        match tree.node(id).kind {
            JsonKind::Text(text) => {
                // A string without a template marker contains nothing to find, and most strings have none.
                account::touch(tree.str(text).len());
                if !has_marker(tree.str(text)) {
                    continue;
                }
                let mut problems = Diagnostics::new();
                if let Some(ExprAt::Native(embedded, id)) = forest.parse_json_template(source, id, &mut problems)
                    && !problems.has_errors()
                    && let Some(tree) = forest.native(embedded)
                {
                    visit(tree, id);
                }
                out.append(problems);
            }
            JsonKind::Array { items, .. } => left.extend(tree.list(items).iter().rev()),
            JsonKind::Object { properties, .. } => {
                for property in tree.properties(properties).iter().rev() {
                    left.push(property.value);
                    left.push(property.name_node);
                }
            }
            JsonKind::Null | JsonKind::Bool(_) | JsonKind::Number | JsonKind::Invalid => {}
        }
    }
}

fn has_marker(text: &str) -> bool {
    text.contains("${") || text.contains("%{")
}

/// A pending step of a walk.
enum Work {
    Visit(Id<Expr>),
    /// Brings local names into scope: the key variable, if any, and the value variable.
    Enter(Option<TextRange>, TextRange),
    /// Removes the innermost local names from the scope.
    Leave,
}

/// Calls `visit` with every expression below `root`, starting with `root`, and the local names in scope there.
fn walk(tree: &Tree, root: Id<Expr>, visit: &mut dyn FnMut(Id<Expr>, &[TextRange])) {
    let mut scope: Vec<TextRange> = Vec::new();
    let mut counts: Vec<usize> = Vec::new();
    // Most expressions are so small that this needs no memory of its own.
    let mut left: SmallVec<[Work; 12]> = SmallVec::new();
    left.push(Work::Visit(root));
    while let Some(work) = left.pop() {
        let id = match work {
            Work::Visit(id) => id,
            Work::Enter(key, value) => {
                counts.push(scope.len());
                scope.extend(key);
                scope.push(value);
                continue;
            }
            Work::Leave => {
                scope.truncate(counts.pop().unwrap_or(0));
                continue;
            }
        };
        account::work(1 + scope.len() as u64 / 8);
        visit(id, &scope);
        children(tree, id, &mut left);
    }
}

/// Pushes the children of an expression onto the stack so that the first child is on top.
fn children(tree: &Tree, id: Id<Expr>, left: &mut SmallVec<[Work; 12]>) {
    match tree.expr(id).kind {
        ExprKind::Number
        | ExprKind::Bool(_)
        | ExprKind::Null
        | ExprKind::Text(_)
        | ExprKind::Interpolated(_)
        | ExprKind::Traversal(_)
        | ExprKind::SplatItem
        | ExprKind::Placeholder
        | ExprKind::SyntaxError
        | ExprKind::BadNumber => {}
        ExprKind::Template { parts: list, .. } | ExprKind::Tuple { items: list, .. } => {
            left.extend(tree.list(list).iter().rev().map(|&child| Work::Visit(child)));
        }
        ExprKind::Call(id) => left.extend(tree.list(tree.call(id).args).iter().rev().map(|&arg| Work::Visit(arg))),
        ExprKind::TemplateWrap(child) | ExprKind::TemplateFor(child) | ExprKind::Parens(child) => {
            left.push(Work::Visit(child));
        }
        ExprKind::TemplateIf { cond, then, or_else } => {
            left.extend(or_else.map(Work::Visit));
            left.extend([Work::Visit(then), Work::Visit(cond)]);
        }
        ExprKind::RelativeTraversal { on, .. } => left.push(Work::Visit(on)),
        ExprKind::Conditional { cond, then, or_else } => {
            left.extend([Work::Visit(or_else), Work::Visit(then), Work::Visit(cond)]);
        }
        ExprKind::For(id) => {
            let parts = tree.for_expr(id);
            left.push(Work::Leave);
            left.extend(parts.cond.map(Work::Visit));
            left.push(Work::Visit(parts.value));
            left.extend(parts.key.map(Work::Visit));
            left.push(Work::Enter(parts.key_var, parts.value_var));
            left.push(Work::Visit(parts.collection));
        }
        ExprKind::Splat(id) => left.extend([Work::Visit(tree.splat(id).each), Work::Visit(tree.splat(id).source)]),
        ExprKind::Index(id) => {
            let index = tree.index_expr(id);
            left.extend([Work::Visit(index.key), Work::Visit(index.collection)]);
        }
        ExprKind::Object { items, .. } => {
            for item in tree.items(items).iter().rev() {
                left.push(Work::Visit(item.value));
                // A bare word that acts as a string refers to nothing.
                if item.literal_name.is_none() {
                    left.push(Work::Visit(item.key));
                }
            }
        }
        ExprKind::Unary { operand, .. } => left.push(Work::Visit(operand)),
        ExprKind::Binary { lhs, rhs, .. } => left.extend([Work::Visit(rhs), Work::Visit(lhs)]),
    }
}

//! The references in an expression, found without evaluating it.

use overfold_base::account::{self, List};
use overfold_base::diag::TextRange;
use overfold_syntax::tree::{Expr, ExprKind, Id, Step, StepKind, Tree};
use overfold_syntax::{ExprAt, Forest};

/// A reference by name.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) struct Reference {
    /// The root name.
    pub(crate) root: String,
    /// The root name with its steps, as an expression.
    pub(crate) expr: Id<Expr>,
}

/// Returns every reference in a native expression, in source order, except names bound by `for`.
pub(crate) fn references(forest: &Forest, expr: ExprAt) -> Vec<Reference> {
    let ExprAt::Native(source, root) = expr else { return Vec::new() };
    let Some(tree) = forest.native(source) else { return Vec::new() };
    let mut found = List::new();
    let mut bound: Vec<String> = Vec::new();
    let mut todo = vec![Task::Visit(root)];
    while let Some(task) = todo.pop() {
        match task {
            Task::Visit(id) => visit(tree, id, &bound, &mut todo, &mut found),
            Task::Bind(names) => bound.extend(names),
            Task::Unbind(count) => bound.truncate(bound.len().saturating_sub(count)),
        }
    }
    found.into_vec()
}

enum Task {
    Visit(Id<Expr>),
    Bind(Vec<String>),
    Unbind(usize),
}

/// Pushes the children in reverse order, so that the first is popped first.
fn visit(tree: &Tree, id: Id<Expr>, bound: &[String], todo: &mut Vec<Task>, found: &mut List<Reference>) {
    let mut children: Vec<Task> = Vec::new();
    let mut child = |id: Id<Expr>| children.push(Task::Visit(id));
    match tree.expr(id).kind {
        ExprKind::Traversal(steps) => {
            if let Some(root) = tree.steps(steps).first() {
                let root = tree.slice(root.range).to_owned();
                account::work(1 + bound.len() as u64 / 8);
                if !bound.contains(&root) {
                    found.push(Reference { root, expr: id });
                }
            }
        }
        ExprKind::TemplateWrap(inner)
        | ExprKind::Parens(inner)
        | ExprKind::TemplateFor(inner)
        | ExprKind::RelativeTraversal { on: inner, .. }
        | ExprKind::Unary { operand: inner, .. } => child(inner),
        ExprKind::Template { parts: items, .. } | ExprKind::Tuple { items, .. } => {
            tree.list(items).iter().for_each(|id| child(*id));
        }
        ExprKind::Call(id) => tree.list(tree.call(id).args).iter().for_each(|id| child(*id)),
        ExprKind::TemplateIf { cond, then, or_else } => {
            child(cond);
            child(then);
            or_else.into_iter().for_each(child);
        }
        ExprKind::Conditional { cond, then, or_else } => [cond, then, or_else].into_iter().for_each(child),
        ExprKind::Splat(id) => [tree.splat(id).source, tree.splat(id).each].into_iter().for_each(child),
        ExprKind::Index(id) => [tree.index_expr(id).collection, tree.index_expr(id).key].into_iter().for_each(child),
        ExprKind::Binary { lhs, rhs, .. } => [lhs, rhs].into_iter().for_each(child),
        ExprKind::Object { items, .. } => {
            for item in tree.items(items) {
                if item.literal_name.is_none() {
                    child(item.key);
                }
                child(item.value);
            }
        }
        ExprKind::For(id) => {
            let parts = tree.for_expr(id);
            child(parts.collection);
            let names: Vec<String> = parts
                .key_var
                .into_iter()
                .chain([parts.value_var])
                .map(|range| tree.slice(range).to_owned())
                .collect();
            let count = names.len();
            children.push(Task::Bind(names));
            children.extend(parts.key.map(Task::Visit));
            children.push(Task::Visit(parts.value));
            children.extend(parts.cond.map(Task::Visit));
            children.push(Task::Unbind(count));
        }
        ExprKind::Number
        | ExprKind::Bool(_)
        | ExprKind::Null
        | ExprKind::Text(_)
        | ExprKind::Interpolated(_)
        | ExprKind::SplatItem
        | ExprKind::Placeholder
        | ExprKind::SyntaxError
        | ExprKind::BadNumber => {}
    }
    todo.extend(children.into_iter().rev());
}

/// Returns whether an expression is a root name with steps and indexes.
pub(crate) fn is_reference(forest: &Forest, expr: ExprAt) -> bool {
    let ExprAt::Native(source, mut id) = expr else { return false };
    let Some(tree) = forest.native(source) else { return false };
    loop {
        id = match tree.expr(id).kind {
            ExprKind::Traversal(_) => return true,
            ExprKind::RelativeTraversal { on, .. } => on,
            ExprKind::Index(id) => tree.index_expr(id).collection,
            _ => return false,
        };
    }
}

/// Returns the start of an expression as diagnostics about arguments show it: for a call its name with the parenthesis,
/// for a constructor its bracket, for an operation its left operand (expressions.md, section 3).
pub(crate) fn start_range(tree: &Tree, mut id: Id<Expr>) -> TextRange {
    loop {
        let expr = tree.expr(id);
        id = match expr.kind {
            ExprKind::Call(id) => return tree.call(id).name_range.to(tree.call(id).open),
            ExprKind::Conditional { cond, .. } | ExprKind::TemplateIf { cond, .. } => cond,
            ExprKind::Index(id) => return tree.index_expr(id).open,
            ExprKind::Tuple { open, .. } | ExprKind::Object { open, .. } => return open,
            ExprKind::For(parts) => return tree.for_expr(parts).open,
            ExprKind::TemplateFor(inner) | ExprKind::Parens(inner) => inner,
            ExprKind::Splat(id) => return tree.splat(id).marker,
            ExprKind::Binary { lhs, .. } => lhs,
            ExprKind::Unary { op_range, .. } => return op_range,
            ExprKind::Template { parts, .. } => match tree.list(parts).first() {
                Some(first) => *first,
                None => return expr.range,
            },
            _ => return expr.range,
        };
    }
}

/// Returns the name in a reference without steps, which is the form of a keyword.
pub(crate) fn keyword(tree: &Tree, id: Id<Expr>) -> Option<&str> {
    match tree.expr(id).kind {
        ExprKind::Traversal(steps) => match tree.steps(steps) {
            [Step { kind: StepKind::Root, range }] => Some(tree.slice(*range)),
            _ => None,
        },
        ExprKind::Null => Some("null"),
        ExprKind::Bool(value) => Some(if value { "true" } else { "false" }),
        _ => None,
    }
}

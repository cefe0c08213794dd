//! Evaluation of native expressions: literals, references, constructors, conditionals.

use std::sync::Arc;

use super::doubt::{has_certain_type, loosened};
use super::{Evaluator, Steps, Variation, codes, error, within_limits};
use overfold_base::diag::{Diagnostics, Reporting, Span, TextRange};
use overfold_base::nearest::nearest;
use overfold_syntax::ExprAt;
use overfold_syntax::tree::{Expr, ExprKind, ExprRef, Id, Ids, Index, ObjectItem, Splat, Step, StepKind, Tree};
use overfold_value::{Marks, Number, Type, Value, convert, normalized, unify};

/// The parts of a conditional.
pub(super) struct Conditional {
    pub(super) whole: TextRange,
    pub(super) cond: Id<Expr>,
    pub(super) then: Id<Expr>,
    pub(super) or_else: Option<Id<Expr>>,
}

impl Evaluator<'_, '_> {
    pub(super) fn child(&mut self, tree: &Tree, id: Id<Expr>, out: &mut Diagnostics) -> Value {
        self.expression(ExprAt::Native(tree.source, id), out)
    }

    pub(super) fn native(&mut self, tree: &Tree, id: Id<Expr>, out: &mut Diagnostics) -> Value {
        let expr = tree.expr(id);
        match expr.kind {
            ExprKind::Number => {
                Number::parse(tree.slice(expr.range)).map_or_else(|_| Value::dynamic(), Value::number)
            }
            ExprKind::Bool(value) => Value::bool(value),
            ExprKind::Null => Value::untyped_null(),
            ExprKind::Text(text) => Value::text(tree.str(text)),
            ExprKind::Template { parts, .. } => self.template(tree, expr, parts, out),
            ExprKind::TemplateWrap(inner) | ExprKind::Parens(inner) => self.child(tree, inner, out),
            ExprKind::TemplateIf { cond, then, or_else } => {
                self.conditional(tree, &Conditional { whole: expr.range, cond, then, or_else }, out)
            }
            ExprKind::TemplateFor(inner) => self.template_for(tree, inner, out),
            ExprKind::Traversal(steps) => self.traversal(tree, steps, out),
            ExprKind::RelativeTraversal { on, steps } => {
                let value = self.child(tree, on, out);
                self.steps(tree, value, tree.steps(steps), out)
            }
            ExprKind::Call(_) => self.call(tree, id, out),
            ExprKind::Conditional { cond, then, or_else } => {
                let parts = Conditional { whole: expr.range, cond, then, or_else: Some(or_else) };
                self.conditional(tree, &parts, out)
            }
            ExprKind::For(id) => self.for_expr(tree, expr.range, tree.for_expr(id), out),
            ExprKind::Splat(id) => {
                let Splat { source, each, item, marker, .. } = *tree.splat(id);
                self.splat(tree, expr.range, (source, each, item), marker, out)
            }
            ExprKind::SplatItem => {
                let node = (tree.source, id);
                self.items.iter().rev().find(|(of, _)| *of == node).map_or_else(Value::dynamic, |(_, v)| v.clone())
            }
            ExprKind::Index(id) => {
                let Index { collection, key, open, close } = *tree.index_expr(id);
                let base = self.child(tree, collection, out);
                let key = self.child(tree, key, out);
                self.index(&base, &key, tree.span(open.to(close)), out)
            }
            ExprKind::Object { items, .. } => self.object(tree, items, out),
            ExprKind::Tuple { items, .. } => self.tuple(tree, items, out),
            ExprKind::Unary { op, operand, .. } => self.unary(tree, expr.range, op, operand, out),
            ExprKind::Binary { op, lhs, rhs, .. } => self.binary(tree, expr.range, op, (lhs, rhs), out),
            // The parser has reported what could not be read.
            ExprKind::Interpolated(_) | ExprKind::Placeholder | ExprKind::SyntaxError | ExprKind::BadNumber => {
                Value::dynamic()
            }
        }
    }

    fn tuple(&mut self, tree: &Tree, items: Ids<ExprRef>, out: &mut Diagnostics) -> Value {
        let values = tree.list(items).iter().map(|item| self.child(tree, *item, out)).collect();
        within_limits(Value::tuple(values))
    }

    fn traversal(&mut self, tree: &Tree, steps: Ids<Step>, out: &mut Diagnostics) -> Value {
        let Some((root, rest)) = tree.steps(steps).split_first() else { return Value::dynamic() };
        let name = tree.slice(root.range);
        match self.root(name, &Steps { tree, list: rest }) {
            NameLookup::Value(value, used) => {
                return self.steps(tree, value, rest.get(used..).unwrap_or_default(), out);
            }
            NameLookup::NoNames => {
                out.push(error(
                    &codes::VARIABLES_NOT_ALLOWED,
                    tree.span(root.range),
                    "The value must be a constant here, so references are not allowed. Write the value itself.",
                ));
            }
            NameLookup::Nothing(similar) => {
                let hint = similar.map(|name| format!(" Did you mean \"{name}\"?")).unwrap_or_default();
                let detail = format!("No name \"{name}\" is defined here.{hint}");
                out.push(error(&codes::UNKNOWN_VARIABLE, tree.span(root.range), detail));
            }
        }
        Value::dynamic()
    }

    fn root(&self, name: &str, steps: &Steps<'_>) -> NameLookup {
        if let Some((_, value)) = self.locals.iter().rev().find(|(local, _)| **local == *name) {
            return NameLookup::Value(value.clone(), 0);
        }
        match self.env.scope.roots {
            Some(names) => match names.part(name, steps).or_else(|| Some((names.root(name)?, 0))) {
                Some((value, used)) => NameLookup::Value(value, used),
                None => NameLookup::Nothing(self.similar_root(name)),
            },
            None if self.locals.is_empty() => NameLookup::NoNames,
            // A loop binds names, so inside it any other name is an unknown one.
            None => NameLookup::Nothing(self.similar_root(name)),
        }
    }

    fn similar_root(&self, name: &str) -> Option<String> {
        let mut known: Vec<String> = self.locals.iter().map(|(name, _)| name.to_string()).collect();
        if let Some(names) = self.env.scope.roots {
            names.for_each_root(&mut |name| known.push(name.to_owned()));
        }
        nearest(name, known.iter().map(String::as_str)).map(str::to_owned)
    }

    fn steps(&mut self, tree: &Tree, mut value: Value, steps: &[Step], out: &mut Diagnostics) -> Value {
        for step in steps {
            let span = tree.span(step.range);
            let (selected, verdict) = out.watch(|out| match step.kind {
                StepKind::Root => None,
                StepKind::Attr(name) => {
                    let found = super::select::attribute(&value, &normalized(tree.slice(name)), span, out);
                    Some(if value.is_known() { found } else { self.of_unknown(found) })
                }
                StepKind::IndexText(text) => Some(self.index(&value, &Value::text(tree.str(text)), span, out)),
                StepKind::IndexNumber(digits) => {
                    let key = Number::parse(tree.slice(digits)).map_or_else(|_| Value::dynamic(), Value::number);
                    Some(self.index(&value, &key, span, out))
                }
                StepKind::IndexOther(key) => {
                    let key = self.child(tree, key, out);
                    Some(self.index(&value, &key, span, out))
                }
            });
            if verdict.failed() {
                return Value::dynamic();
            }
            value = selected.unwrap_or(value);
        }
        value
    }

    fn index(&self, base: &Value, key: &Value, span: Span, out: &mut Diagnostics) -> Value {
        let late = !self.variations.has(Variation::ObjectsIndexedByType);
        let found = super::select::index(base, key, span, late, out);
        if base.is_known() && key.is_known() { found } else { self.of_unknown(found) }
    }

    /// Returns what was made of something unknown, with the marks that it has.
    pub(super) fn of_unknown(&self, made: Value) -> Value {
        if self.variations.has(Variation::UnknownsLoseMarks) {
            let marks = made.marks().of_unknown_logic();
            made.unmarked().with_marks(marks)
        } else {
            made
        }
    }

    fn object(&mut self, tree: &Tree, items: Ids<ObjectItem>, out: &mut Diagnostics) -> Value {
        let mut entries: Vec<(Arc<str>, Value)> = Vec::with_capacity(items.len());
        let mut marks = Marks::NONE;
        let mut known = true;
        for item in tree.items(items) {
            let (key, verdict) = out.watch(|out| self.object_key(tree, item, out));
            let value = self.child(tree, item.value, out);
            if verdict.failed() {
                known = false;
                continue;
            }
            marks = marks.and(key.marks());
            if key.is_null() && key.marks().is_inexact() {
                known = false;
                continue;
            }
            if key.is_null() {
                let place = tree.span(tree.expr(item.value).range);
                out.push(error(&codes::NULL_KEY, place, "The key of the object must be a string, but it is null."));
                known = false;
                continue;
            }
            match convert(&key.unmarked(), &Type::String) {
                Ok(key) => match key.as_shared_text() {
                    Some(key) => entries.push((Arc::clone(key), value)),
                    None => known = false,
                },
                Err(_) if key.marks().is_inexact() => known = false,
                Err(problem) => {
                    let place = tree.span(tree.expr(item.key).range);
                    let detail = format!("The key of the object is not valid: {problem}.");
                    out.push(error(&codes::INCORRECT_KEY, place, detail));
                    known = false;
                }
            }
        }
        if known {
            within_limits(Value::object(entries)).with_marks(marks)
        } else {
            Value::dynamic().with_marks(marks.doubt())
        }
    }

    fn object_key(&mut self, tree: &Tree, item: &ObjectItem, out: &mut Diagnostics) -> Value {
        if let Some(name) = item.literal_name {
            return Value::text(tree.slice(name));
        }
        let key = tree.expr(item.key);
        if matches!(key.kind, ExprKind::Traversal(steps) if steps.len() > 1) {
            out.push(error(
                &codes::AMBIGUOUS_KEY,
                tree.span(key.range),
                "A reference is ambiguous as an object key. Put it in parentheses to use its value as the key, or in quotes to use it as a literal name.",
            ));
            return Value::dynamic();
        }
        self.child(tree, item.key, out)
    }

    /// Evaluates both results, but reports only the diagnostics of the selected one.
    fn conditional(&mut self, tree: &Tree, parts: &Conditional, out: &mut Diagnostics) -> Value {
        let (mut cond_out, mut then_out, mut else_out) = (Diagnostics::new(), Diagnostics::new(), Diagnostics::new());
        let cond = self.child(tree, parts.cond, &mut cond_out);
        let converted = convert(&cond.unmarked(), &Type::Bool);
        let decided = converted.as_ref().ok().filter(|_| !cond.marks().is_inexact()).and_then(Value::as_bool);
        let then = self.branch(tree, parts.then, decided == Some(true), &mut then_out);
        let (or_else, else_range) = match parts.or_else {
            Some(id) => (self.branch(tree, id, decided == Some(false), &mut else_out), tree.expr(id).range),
            None => (Value::text(""), tree.expr(parts.then).range),
        };
        let whole = tree.span(parts.whole);

        let is_certain = then.is_untyped_null()
            || or_else.is_untyped_null()
            || has_certain_type(&then) && has_certain_type(&or_else);
        let ty = if then.is_untyped_null() {
            Some(or_else.ty().clone())
        } else if or_else.is_untyped_null() {
            Some(then.ty().clone())
        } else if then.ty().is_dynamic() || or_else.ty().is_dynamic() || !is_certain {
            Some(Type::Dynamic)
        } else {
            unify(&[then.ty().clone(), or_else.ty().clone()])
        };
        let Some(ty) = ty else {
            let detail = format!(
                "The two results of a conditional expression must have a common type, but they are {} and {}.",
                convert::with_article(then.ty()),
                convert::with_article(or_else.ty())
            );
            let place = tree.span(tree.expr(parts.then).range.to(else_range));
            out.push(error(&codes::INCONSISTENT_CONDITIONAL, place, detail).within(whole));
            return Value::dynamic();
        };

        out.append(cond_out);
        let cond_span = tree.span(tree.expr(parts.cond).range);
        let in_doubt = then.deep_marks().and(or_else.deep_marks()).doubt();
        // Whether the result may not be what it seems does not depend on the branch that is not taken.
        let mut marks = cond.marks().of_result().and(then.marks().and(or_else.marks()).without_doubt());
        let forgets = if cond.is_known() && !cond.is_null() {
            Variation::ConditionalsMarkTaken
        } else {
            Variation::UnknownConditionsLoseMarks
        };
        if self.variations.has(forgets) {
            marks = cond.marks().of_result().forgotten();
        }
        if cond.marks().is_inexact() && (cond.is_null() || converted.is_err()) {
            return Value::unknown(ty).with_marks(marks);
        }
        if cond.is_null() {
            out.push(
                error(&codes::NULL_CONDITION, cond_span, "The condition must be true or false, but it is null.")
                    .within(whole),
            );
            return Value::unknown(ty);
        }
        if !cond.is_known() {
            let (then, or_else) = (then.unmarked(), or_else.unmarked());
            let both_null = then.is_null() && or_else.is_null();
            let unknown = if self.variations.has(Variation::Unrefined) && !both_null {
                Value::unknown(ty)
            } else {
                unknown_conditional(&then, &or_else, ty)
            };
            return unknown.with_marks(marks.and(in_doubt));
        }
        let Some(taken) = converted.ok().and_then(|cond| cond.as_bool()) else {
            let detail =
                format!("The condition must be true or false, but it is {}.", convert::with_article(cond.ty()));
            out.push(error(&codes::INCORRECT_CONDITION, cond_span, detail).within(whole));
            return Value::unknown(ty);
        };
        let (value, findings, range) =
            if taken { (then, then_out, tree.expr(parts.then).range) } else { (or_else, else_out, else_range) };
        if !cond.marks().is_inexact() {
            out.append(findings);
        }
        let value = if value.ty().is_dynamic() && !value.is_null() {
            // Not even the type of the value is known yet.
            value
        } else {
            match convert(&value, &ty) {
                Ok(value) => value,
                Err(_) if !in_doubt.is_empty() => Value::unknown(ty).with_marks(in_doubt),
                Err(problem) => {
                    let detail = format!("This result cannot be converted to the type of the other one: {problem}.");
                    out.push(error(&codes::INCONSISTENT_CONDITIONAL, tree.span(range), detail).within(whole));
                    Value::unknown(ty)
                }
            }
        };
        let value = if is_certain { value } else { loosened(&value) };
        let doubt = if is_certain || self.guards == 0 { Marks::NONE } else { Marks::INEXACT };
        value.with_marks(marks.and(doubt))
    }

    /// Evaluates a result of a conditional.
    fn branch(&mut self, tree: &Tree, id: Id<Expr>, is_taken: bool, out: &mut Diagnostics) -> Value {
        if is_taken { self.child(tree, id, out) } else { self.guarded(ExprAt::Native(tree.source, id), out) }
    }
}

/// Returns what is known about a conditional whose condition is unknown: what holds for both results (plan.md, section
/// 3).
fn unknown_conditional(then: &Value, or_else: &Value, ty: Type) -> Value {
    if then.is_null() && or_else.is_null() {
        return Value::null(ty);
    }
    let unknown = if *then.ty() == Type::Number && *or_else.ty() == Type::Number {
        Value::unknown(ty).refined_numbers(then.number_range().hull(or_else.number_range()))
    } else if then.ty() == or_else.ty() {
        // Not even a tuple or object that is the same on both sides is known.
        Value::unknown(ty).refined_lengths(then.length_range().hull(or_else.length_range()))
    } else {
        Value::unknown(ty)
    };
    if then.is_definitely_not_null() && or_else.is_definitely_not_null() {
        unknown.refined_not_null()
    } else {
        unknown
    }
}

enum NameLookup {
    /// A value, and the number of steps that it takes.
    Value(Value, usize),
    /// No names exist in this scope at all.
    NoNames,
    /// There is no such name, but perhaps a similar one.
    Nothing(Option<String>),
}

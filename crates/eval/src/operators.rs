//! Operators (expressions.md, section 2).

use super::doubt::{cannot_be_primitive, in_question};
use super::{Evaluator, LogicRule, Variation, codes, error};
use overfold_base::diag::{Diagnostics, Reporting, TextRange};
use overfold_syntax::tree::{BinaryOp, Expr, Id, Tree, UnaryOp};
use overfold_value::{Equality, NoResult, Type, Value, convert};

impl Evaluator<'_, '_> {
    pub(super) fn unary(
        &mut self,
        tree: &Tree,
        whole: TextRange,
        op: UnaryOp,
        operand: Id<Expr>,
        out: &mut Diagnostics,
    ) -> Value {
        let ty = match op {
            UnaryOp::Negate => Type::Number,
            UnaryOp::Not => Type::Bool,
        };
        let (value, verdict) = out.watch(|out| self.child(tree, operand, out));
        let place = tree.span(tree.expr(operand).range);
        let converted = convert(&value, &ty);
        let marks = value.marks().of_result();
        if marks.is_inexact() && !cannot_be_primitive(&value) && (value.is_null() || converted.is_err()) {
            return Value::unknown(ty).with_marks(marks.of_unknown_logic());
        }
        if let Err(problem) = &converted {
            let detail = format!("The operand is not valid: {problem}.");
            out.push(error(&codes::INVALID_OPERAND, place, detail).within(tree.span(whole)));
        }
        let (Ok(value), true) = (converted, verdict.is_clean()) else { return Value::unknown(ty) };
        if value.is_null() {
            out.push(error(
                &codes::OPERATION_FAILED,
                tree.span(whole),
                "The operand is null, so the operation has no result.",
            ));
            return Value::unknown(ty);
        }
        let result = match op {
            UnaryOp::Negate => value.as_number().map(|number| Value::number(number.negate())),
            UnaryOp::Not => value.as_bool().map(|value| Value::bool(!value)),
        };
        match result {
            Some(result) => result.with_marks(marks),
            None => Value::unknown_not_null(ty).with_marks(marks.of_unknown_logic()),
        }
    }

    pub(super) fn binary(
        &mut self,
        tree: &Tree,
        whole: TextRange,
        op: BinaryOp,
        (lhs, rhs): (Id<Expr>, Id<Expr>),
        out: &mut Diagnostics,
    ) -> Value {
        let (operands, result) = types(op);
        let mut left_out = Diagnostics::new();
        let mut right_out = Diagnostics::new();
        let left = self.child(tree, lhs, &mut left_out);
        let right = self.child(tree, rhs, &mut right_out);
        let operands_failed = left_out.has_errors() || right_out.has_errors();
        let mut operand = |value: &Value, id: Id<Expr>| match convert(value, &operands) {
            Ok(value) => Some(value),
            Err(_) if value.marks().is_inexact() && !cannot_be_primitive(value) => {
                Some(Value::unknown(operands.clone()).with_marks(value.marks().of_result()))
            }
            Err(problem) => {
                let place = tree.span(tree.expr(id).range);
                let detail = format!("The operand is not valid: {problem}.");
                out.push(error(&codes::INVALID_OPERAND, place, detail).within(tree.span(whole)));
                None
            }
        };
        let (left, right) = (operand(&left, lhs), operand(&right, rhs));
        let short = self.env.scope.logic == LogicRule::ShortCircuit && matches!(op, BinaryOp::And | BinaryOp::Or);
        if short && let (Some(left), Some(right)) = (&left, &right) {
            let marks = left.marks().and(right.marks()).of_result();
            let sides = (Side::from_value(left, &left_out), Side::from_value(right, &right_out));
            if sides.0.failed && right.marks().is_inexact() || sides.1.failed && left.marks().is_inexact() {
                // Nobody knows whether the other side decides the result.
                return Value::unknown_not_null(Type::Bool).with_marks(marks.doubt());
            }
            if let Some((value, first)) = short_circuit(op == BinaryOp::Or, sides) {
                out.append(if first { left_out } else { right_out });
                let value = value.map_or_else(|| Value::unknown_not_null(Type::Bool), Value::bool);
                return value.with_marks(marks);
            }
        }
        out.append(left_out);
        out.append(right_out);
        let (Some(left), Some(right)) = (left, right) else { return Value::unknown(result) };
        if operands_failed {
            return Value::unknown(result);
        }
        if matches!(op, BinaryOp::Equal | BinaryOp::NotEqual) {
            let marks = left.deep_marks().and(right.deep_marks()).of_result();
            let equal = op == BinaryOp::Equal;
            let (found, marks) = match certain_equality(&left, &right) {
                Some(found) if marks.is_inexact() => (found, marks.without_doubt()),
                _ => (left.equality(&right), marks),
            };
            let found = match (left.as_number(), right.as_number()) {
                (Some(a), Some(b)) if self.variations.has(Variation::NumbersComparedAsText) => {
                    Equality::from(a.equals_as_text(b))
                }
                _ => found,
            };
            return match found {
                Equality::Equal => Value::bool(equal),
                Equality::Unequal => Value::bool(!equal),
                Equality::Unknown => Value::unknown_not_null(Type::Bool),
            }
            .with_marks(marks);
        }
        let marks = left.marks().and(right.marks()).of_result();
        let has_certain_null = [&left, &right].iter().any(|side| side.is_null() && !side.marks().is_inexact());
        let mut failed = |detail: &'static str| {
            if marks.is_inexact() && !has_certain_null {
                return Value::unknown(result.clone()).with_marks(marks.doubt());
            }
            out.push(error(&codes::OPERATION_FAILED, tree.span(whole), detail));
            Value::unknown(result.clone())
        };
        if left.is_null() || right.is_null() {
            return failed("An operand is null, so the operation has no result.");
        }
        match apply(op, &left, &right) {
            Ok(Some(value)) => value.with_marks(marks),
            Ok(None) if matches!(op, BinaryOp::And | BinaryOp::Or) => {
                Value::unknown_not_null(result).with_marks(marks.of_unknown_logic())
            }
            Ok(None) => match compare_ranges(op, &left, &right) {
                Some(decided) => Value::bool(decided),
                None => Value::unknown_not_null(result),
            }
            .with_marks(marks),
            Err(NoResult) => failed("These numbers have no result for this operation, as with zero divided by zero."),
        }
    }
}

/// Returns whether values are equal, if that does not depend on what may not be what it seems.
fn certain_equality(left: &Value, right: &Value) -> Option<Equality> {
    let is_null = |value: &Value| value.is_null() && !value.marks().is_inexact();
    if is_null(left) && right.marks().is_open() || is_null(right) && left.marks().is_open() {
        return Some(Equality::Unequal);
    }
    if !left.deep_marks().and(right.deep_marks()).is_inexact() {
        return None;
    }
    match in_question(left).equality(&in_question(right)) {
        Equality::Unknown => None,
        found => Some(found),
    }
}

/// Returns the type that both operands are converted to, and the type of the result.
fn types(op: BinaryOp) -> (Type, Type) {
    match op {
        BinaryOp::Or | BinaryOp::And => (Type::Bool, Type::Bool),
        BinaryOp::Equal | BinaryOp::NotEqual => (Type::Dynamic, Type::Bool),
        BinaryOp::Less | BinaryOp::Greater | BinaryOp::LessEqual | BinaryOp::GreaterEqual => {
            (Type::Number, Type::Bool)
        }
        BinaryOp::Add | BinaryOp::Subtract | BinaryOp::Multiply | BinaryOp::Divide | BinaryOp::Modulo => {
            (Type::Number, Type::Number)
        }
    }
}

/// Applies an operator; `None` if an operand is unknown.
fn apply(op: BinaryOp, left: &Value, right: &Value) -> Result<Option<Value>, NoResult> {
    if let (Some(a), Some(b)) = (left.as_bool(), right.as_bool()) {
        return Ok(Some(Value::bool(if op == BinaryOp::Or { a || b } else { a && b })));
    }
    let (Some(a), Some(b)) = (left.as_number(), right.as_number()) else { return Ok(None) };
    Ok(Some(match op {
        BinaryOp::Add => Value::number(a.add(b)?),
        BinaryOp::Subtract => Value::number(a.subtract(b)?),
        BinaryOp::Multiply => Value::number(a.multiply(b)?),
        BinaryOp::Divide => Value::number(a.divide(b)?),
        BinaryOp::Modulo => Value::number(a.modulo(b)?),
        BinaryOp::Less => Value::bool(a < b),
        BinaryOp::Greater => Value::bool(a > b),
        BinaryOp::LessEqual => Value::bool(a <= b),
        _ => Value::bool(a >= b),
    }))
}

/// Compares two numbers that are not both known by the intervals that contain them; `None` if these do not decide, or
/// if the operator does not compare (plan.md, section 3).
fn compare_ranges(op: BinaryOp, left: &Value, right: &Value) -> Option<bool> {
    let (lower, upper) = match op {
        BinaryOp::Less | BinaryOp::LessEqual => (left, right),
        BinaryOp::Greater | BinaryOp::GreaterEqual => (right, left),
        _ => return None,
    };
    let (lower_range, upper_range) = (lower.number_range(), upper.number_range());
    if lower_range.is_below(&upper_range) {
        return Some(true);
    }
    let is_not = upper_range.is_below(&lower_range);
    let strict = matches!(op, BinaryOp::Less | BinaryOp::Greater);
    // Of two unknown numbers, the tool never concludes that they are unequal.
    (is_not && (strict || left.equality(right) == Equality::Unequal)).then_some(false)
}

/// One side of `&&` or `||`.
#[derive(Clone, Copy)]
struct Side {
    /// The known value, false for null; `None` if it is unknown.
    value: Option<bool>,
    failed: bool,
}

impl Side {
    fn from_value(value: &Value, out: &Diagnostics) -> Self {
        // The tool takes null for false here.
        let is_false = value.is_null() && !value.marks().is_inexact();
        Self { value: if is_false { Some(false) } else { value.as_bool() }, failed: out.has_errors() }
    }
}

/// Returns the result (`None` inside: unknown) and whether to keep the diagnostics of the left side instead of the
/// right.
fn short_circuit(or: bool, (left, right): (Side, Side)) -> Option<(Option<bool>, bool)> {
    match (left.value, right.value) {
        (None, None) => (!left.failed).then_some((None, true)),
        (Some(side), _) if side == or => Some((Some(or), true)),
        (_, Some(side)) if side == or => Some((Some(or), false)),
        (None, Some(_)) => Some((None, true)),
        (Some(_), None) => Some((None, false)),
        (Some(_), Some(_)) => None,
    }
}

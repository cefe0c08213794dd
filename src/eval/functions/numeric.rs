//! Numbers: `abs`, `ceil`, `floor`, …

use super::{CallContext, Function, FunctionError, Outcome, Returns, param};
use crate::value::{Number, Type, Value};

pub(super) fn rows() -> Vec<Function> {
    let number = || Returns::Fixed(Type::Number);
    vec![
        Function::new("abs", [param("num", Type::Number)], number(), abs),
        Function::new("max", [], number(), max).variadic(param("numbers", Type::Number)),
    ]
}

fn abs(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    Ok(Value::number(numbers(args).next().map(Number::absolute).unwrap_or_else(|| Number::from_i64(0))))
}

fn max(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let greatest = numbers(args).max().ok_or_else(|| FunctionError::new("give at least one number"))?;
    Ok(Value::number(greatest.clone()))
}

fn numbers(args: &[Value]) -> impl Iterator<Item = &Number> {
    args.iter().filter_map(Value::as_number)
}

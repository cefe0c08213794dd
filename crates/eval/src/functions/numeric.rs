//! Numbers: `abs`, `ceil`, `floor`, … (expressions.md, section 2).

use dashu_int::IBig;

use super::{CallContext, Function, FunctionError, Outcome, Returns, doubles, param};
use overfold_base::account;
use overfold_value::{Number, Type, Value, excerpt};

pub(super) fn rows() -> Vec<Function> {
    let number = || Returns::Fixed(Type::Number);
    let of = |name| param(name, Type::Number);
    vec![
        Function::new("abs", [of("num")], number(), |args, _, _| single(args, Number::absolute)),
        Function::new("ceil", [of("num")], number(), |args, _, _| single(args, Number::ceil)),
        Function::new("floor", [of("num")], number(), |args, _, _| single(args, Number::floor)),
        Function::new("log", [of("num"), of("base")], number(), |args, _, _| {
            on_doubles(args, |number, base| doubles::log(number) / doubles::log(base))
        }),
        Function::new("pow", [of("num"), of("power")], number(), |args, _, _| on_doubles(args, doubles::power)),
        Function::new("max", [], number(), |args, _, _| pick(numbers(args).max())).variadic(of("numbers")),
        Function::new("min", [], number(), |args, _, _| pick(numbers(args).min())).variadic(of("numbers")),
        Function::new("signum", [of("num")], number(), |args, _, _| signum(args)),
        Function::new("parseint", [param("number", Type::Dynamic), of("base")], Returns::Rule(of_text), parse_int),
    ]
}

fn numbers(args: &[Value]) -> impl Iterator<Item = &Number> {
    args.iter().filter_map(Value::as_number)
}

fn single(args: &[Value], of: fn(&Number) -> Number) -> Outcome {
    Ok(numbers(args).next().map_or_else(|| Value::unknown(Type::Number), |number| Value::number(of(number))))
}

fn pick(chosen: Option<&Number>) -> Outcome {
    chosen.map(|number| Value::number(number.clone())).ok_or_else(|| {
        FunctionError::new(
            "at least one number is \
        required",
        )
    })
}

/// Computes with doubles, as the tool does. A number too large for a double is an error; one too small becomes zero.
fn on_doubles(args: &[Value], of: fn(f64, f64) -> f64) -> Outcome {
    let mut operands = numbers(args).map(|number| {
        let double = number.to_f64();
        if double.is_infinite() && !number.is_infinite() {
            return Err(FunctionError::new("a number is too large for a 64-bit floating-point number"));
        }
        Ok(double)
    });
    let (Some(a), Some(b)) = (operands.next().transpose()?, operands.next().transpose()?) else {
        return Ok(Value::unknown(Type::Number));
    };
    Number::from_f64(of(a, b)).map(Value::number).ok_or_else(|| FunctionError::new("the result is not a number"))
}

fn signum(args: &[Value]) -> Outcome {
    let number = numbers(args).next().and_then(Number::to_i64);
    let number = number.ok_or_else(|| FunctionError::new("it must be a whole number that fits into 64 bits"))?;
    Ok(Value::number(Number::from_integer(&IBig::from(number.signum()))))
}

/// A number to be parsed is a text, which shows before its value is known.
fn of_text(args: &[Value]) -> Result<Type, FunctionError> {
    match args.first() {
        Some(value) if *value.ty() != Type::String => Err(FunctionError::argument(0, "it must be a string")),
        _ => Ok(Type::Number),
    }
}

fn parse_int(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let Some(text) = args.first().and_then(Value::as_text) else {
        return Err(FunctionError::argument(0, "it must be a string"));
    };
    let base = args.get(1).and_then(Value::as_number).and_then(Number::to_i64);
    let base = base.and_then(|base| u32::try_from(base).ok()).filter(|base| (2..=62).contains(base));
    let base = base.ok_or_else(|| FunctionError::argument(1, "the base must be a whole number from 2 to 62"))?;
    account::touch(text.len() * 4);
    let wrong = || FunctionError::argument(0, format!("{:?} is not a whole number in base {base}", excerpt(text)));
    let (negative, digits) = match text.strip_prefix(['-', '+']) {
        Some(digits) => (text.starts_with('-'), digits),
        None => (false, text),
    };
    if digits.is_empty() {
        return Err(wrong());
    }
    let value = |digit| digit_value(digit, base).filter(|digit| *digit < base);
    if !digits.chars().all(|digit| value(digit).is_some()) {
        return Err(wrong());
    }
    // Each digit is multiplied into all those before it.
    account::work((text.len() as u64).saturating_mul(text.len() as u64) / 256 + 1);
    let number = digits.chars().filter_map(value).fold(IBig::ZERO, |number, digit| number * base + digit);
    Ok(Value::number(Number::from_integer(&if negative { -number } else { number })))
}

/// Up to base 36 letters are case-insensitive; above it lower-case letters come before upper-case ones.
fn digit_value(digit: char, base: u32) -> Option<u32> {
    match digit {
        '0'..='9' | 'a'..='z' => digit.to_digit(36),
        'A'..='Z' if base <= 36 => digit.to_digit(36),
        'A'..='Z' => digit.to_digit(36).map(|value| value + 26),
        _ => None,
    }
}

//! Functions that decide what is evaluated: `try`, `can`.

use super::{Function, FunctionError, Outcome, Unevaluated, param};
use crate::diag::Severity;
use crate::value::{Type, Value};

pub(super) fn rows() -> Vec<Function> {
    vec![
        Function::unevaluated("try", [], run_try).variadic(param("expressions", Type::Dynamic)),
        Function::unevaluated("can", [param("expression", Type::Dynamic)], run_can),
    ]
}

fn run_try(call: &mut Unevaluated<'_, '_>) -> Outcome {
    if call.count() == 0 {
        return Err(FunctionError::new("give at least one expression"));
    }
    let mut problems = Vec::new();
    for index in 0..call.count() {
        let (value, out) = call.evaluate(index);
        if out.has_errors() {
            let errors = out.iter().filter(|diagnostic| diagnostic.severity == Severity::Error);
            problems.extend(errors.take(3).map(|diagnostic| diagnostic.summary.to_string()));
            continue;
        }
        // A value with unknown parts may still fail or change its type once they are known.
        return Ok(if value.is_wholly_known() { value } else { Value::dynamic() });
    }
    problems.truncate(8);
    Err(FunctionError::new(format!("none of the expressions can be evaluated ({})", problems.join("; "))))
}

fn run_can(call: &mut Unevaluated<'_, '_>) -> Outcome {
    let (value, out) = call.evaluate(0);
    Ok(if out.has_errors() {
        Value::bool(false)
    } else if value.is_wholly_known() {
        Value::bool(true)
    } else {
        Value::unknown(Type::Bool)
    })
}

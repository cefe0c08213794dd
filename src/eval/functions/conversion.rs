//! Conversions between types: `tostring`, `tolist`, …

use super::{CallContext, Function, FunctionError, Outcome, Returns, param};
use crate::value::{Type, Value, convert};

pub(super) fn rows() -> Vec<Function> {
    vec![
        to("tostring", Returns::Rule(|args| conversion_type(args, &Type::String)), |args, ty, _| run(args, ty)),
        to("tonumber", Returns::Rule(|args| conversion_type(args, &Type::Number)), |args, ty, _| run(args, ty)),
        to("tobool", Returns::Rule(|args| conversion_type(args, &Type::Bool)), |args, ty, _| run(args, ty)),
    ]
}

fn to(
    name: &'static str,
    returns: Returns,
    run: fn(&[Value], &Type, &mut CallContext<'_, '_>) -> Outcome,
) -> Function {
    let value = param("v", Type::Dynamic).null().unknown().dynamic().marked();
    Function::new(name, [value], returns, run).may_be_null()
}

fn conversion_type(args: &[Value], want: &Type) -> Result<Type, FunctionError> {
    let Some(value) = args.first() else { return Ok(want.clone()) };
    convert::conversion_type(value.ty(), want).ok_or_else(|| {
        FunctionError::argument(0, format!("{} cannot be converted to {want}", value.ty().friendly_name()))
    })
}

fn run(args: &[Value], ty: &Type) -> Outcome {
    let Some(value) = args.first() else { return Ok(Value::dynamic()) };
    convert::convert(value, ty).map_err(|error| FunctionError::argument(0, error.to_string()))
}

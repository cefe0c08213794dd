//! Conversions between types: `tostring`, `tolist`, …

use super::{CallContext, Function, FunctionError, Outcome, Returns, Variation, param};
use crate::doubt::loosened;
use overfold_base::account;
use overfold_value::convert::{self, convert};
use overfold_value::{Type, Value};

pub(super) fn rows() -> Vec<Function> {
    [
        to("tostring", |args| target(args, &Type::String)),
        to("tonumber", |args| target(args, &Type::Number)),
        to("tobool", |args| target(args, &Type::Bool)),
        to("tolist", |args| target(args, &Type::list(Type::Dynamic))),
        to("toset", |args| target(args, &Type::set(Type::Dynamic))),
        to("tomap", |args| target(args, &Type::map(Type::Dynamic))),
    ]
    .concat()
}

/// Returns the function with this name: where what is unknown keeps its marks, and where it does not.
fn to(name: &'static str, target: fn(&[Value]) -> Result<Type, FunctionError>) -> [Function; 2] {
    let value = || param("v", Type::Dynamic).null().dynamic().marked();
    let function = |value| Function::new(name, [value], Returns::Rule(target), run).may_be_null();
    let loses = Variation::UnknownsLoseMarks;
    [function(value().unknown()).without(loses), function(value()).with(loses)]
}

/// Returns the type to convert to, if values of the argument's type can be converted at all.
fn target(args: &[Value], want: &Type) -> Result<Type, FunctionError> {
    let Some(value) = args.first() else { return Ok(want.clone()) };
    convert::conversion_type(value.ty(), want).ok_or_else(|| {
        let have = convert::with_article(value.ty());
        FunctionError::argument(0, format!("{have} cannot be converted to {want}"))
    })
}

fn run(args: &[Value], ty: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let Some(value) = args.first() else { return Ok(Value::dynamic()) };
    account::work(value.weight() / 8);
    if !value.is_known() {
        return Ok(Value::unknown(ty.clone()).with_marks(value.marks()));
    }
    let converted = convert(value, ty).map_err(|error| FunctionError::argument(0, error.to_string()))?;
    Ok(if value.deep_marks().is_inexact() { loosened(&converted) } else { converted })
}

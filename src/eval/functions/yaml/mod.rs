//! YAML: `yamlencode`, `yamldecode` (expressions.md, section 8).

mod read;
mod scalar;
#[cfg(test)]
mod tests;
mod write;

use super::{CallContext, Function, FunctionError, Outcome, Returns, param};
use crate::value::{Type, Value};

pub(super) fn rows() -> Vec<Function> {
    vec![
        Function::new(
            "yamlencode",
            [param("value", Type::Dynamic).null().dynamic()],
            Returns::Fixed(Type::String),
            encode,
        ),
        // The type of the result is whatever the text says.
        Function::new("yamldecode", [param("src", Type::String)], Returns::Fixed(Type::Dynamic), decode)
            .may_be_null(),
    ]
}

fn encode(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let Some(value) = args.first().filter(|value| value.is_wholly_known()) else {
        return Ok(Value::unknown_not_null(Type::String));
    };
    context.charge(value.weight())?;
    write::document(value, &|units| context.charge(units)).map(Value::text)
}

fn decode(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let text = args.first().and_then(Value::as_text).unwrap_or_default();
    context.charge(text.len() as u64 / 8)?;
    read::document(text, &|units| context.charge(units))
}

/// Accounts for work, see [`CallContext::charge`].
type Charge<'c> = &'c dyn Fn(u64) -> Result<(), FunctionError>;

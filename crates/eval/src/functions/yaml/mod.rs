//! YAML: `yamlencode`, `yamldecode` (expressions.md, section 8).

mod read;
mod scalar;
#[cfg(test)]
mod tests;
mod write;

use super::{CallContext, Function, FunctionError, Outcome, Returns, param};
use overfold_base::account;
use overfold_value::{Type, Value};

pub(super) fn rows() -> Vec<Function> {
    vec![
        Function::new(
            "yamlencode",
            [param("value", Type::Dynamic).null().dynamic()],
            Returns::Fixed(Type::String),
            encode,
        )
        .may_be_null(),
        // The type of the result depends on the text.
        Function::new("yamldecode", [param("src", Type::String)], Returns::Fixed(Type::Dynamic), decode)
            .may_be_null(),
    ]
}

fn encode(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let Some(value) = args.first().filter(|value| value.is_wholly_known()) else {
        return Ok(Value::unknown(Type::String));
    };
    account::work(value.weight());
    write::document(value).map(Value::text)
}

fn decode(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let text = args.first().and_then(Value::as_text).unwrap_or_default();
    account::work(text.len() as u64 / 8);
    read::document(text)
}

//! YAML: `yamlencode`, `yamldecode` (expressions.md, section 8).
//!
//! A document is read as the tool reads it, or refused as the tool refuses it. No existing crate has that scanner: those for
//! YAML 1.2 differ in dozens of rules, and those that follow the library it descends from follow a later version. So the
//! scanner (`scan`), the parser (`parse`) and the meaning of scalars (`scalar`) are ours.

mod cursor;
mod parse;
mod read;
mod scalar;
mod scan;
#[cfg(test)]
mod tests;
mod token;
mod write;

use super::{CallContext, Function, FunctionError, Outcome, Returns, argument, param};
use overfold_base::account;
use overfold_value::{Type, Value};

/// How `yamldecode` differs between releases of the tools (expressions.md, section 8.2).
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct YamlRules {
    /// Digits of whole numbers may be underscores, and octal and hexadecimal ones may have a sign.
    pub loose_integers: bool,
    /// `<<` merges the mappings of a list, too, and may be written with the tag `!!merge`.
    pub merges_lists: bool,
    /// A document that is null as a whole is unknown.
    pub null_is_unknown: bool,
}

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

fn decode(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let text = argument(args, 0);
    account::work(text.len() as u64 / 8);
    let rules = context.env.scope.functions.map(super::FunctionSet::yaml).unwrap_or_default();
    read::document(text, rules)
}

//! Marks: `sensitive`, `nonsensitive`, `issensitive`, `ephemeralasnull` (expressions.md, section 5).

use super::{CallContext, Function, FunctionError, Outcome, Returns, Variation, param};
use overfold_value::{Marks, Type, Value};

pub(super) fn rows() -> Vec<Function> {
    let any = || [param("value", Type::Dynamic).null().unknown().dynamic().marked()];
    let same = || Returns::Rule(same_type);
    vec![
        Function::new("sensitive", any(), same(), |args, _, _| Ok(first(args).clone().with_marks(Marks::SENSITIVE)))
            .may_be_null(),
        Function::new("nonsensitive", any(), same(), |args, _, _| Ok(revealed(first(args)))).may_be_null(),
        Function::new("issensitive", any(), Returns::Fixed(Type::Bool), is_sensitive).may_be_null(),
        Function::new("nonsensitive", any(), same(), reveal_secret)
            .may_be_null()
            .with(Variation::NonsensitiveRefusesPlain),
        Function::new("ephemeralasnull", any(), same(), |args, _, _| Ok(without_ephemeral(first(args))))
            .may_be_null(),
    ]
}

/// Returns a value without the marks that hide it: whoever writes this has decided that it may be shown.
fn revealed(value: &Value) -> Value {
    let secret = Marks::SENSITIVE.and(Marks::CONFIDENTIAL);
    value.unmarked().with_marks(value.marks().without(secret))
}

/// `nonsensitive`, where it refuses a known value that is not sensitive.
fn reveal_secret(args: &[Value], _: &Type, _: &mut CallContext<'_, '_>) -> Outcome {
    let value = first(args);
    if value.is_known() && !value.marks().is_sensitive() {
        return Err(FunctionError::argument(0, "it is not sensitive, so there is nothing to reveal"));
    }
    Ok(revealed(value))
}

fn first(args: &[Value]) -> &Value {
    static NOTHING: Value = Value::dynamic();
    args.first().unwrap_or(&NOTHING)
}

#[expect(clippy::unnecessary_wraps, reason = "the signature of every type rule")]
fn same_type(args: &[Value]) -> Result<Type, FunctionError> {
    Ok(first(args).ty().clone())
}

/// Checks the mark of the value itself. An unknown value may still get the mark.
#[expect(clippy::unnecessary_wraps, reason = "the signature of every function")]
fn is_sensitive(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let value = first(args);
    Ok(match (value.marks().is_sensitive(), value.is_known()) {
        (true, _) => Value::bool(true),
        (false, true) => Value::bool(false),
        (false, false) if context.has(Variation::UnknownIsNotSensitive) => Value::bool(false),
        (false, false) => Value::unknown(Type::Bool),
    })
}

/// Returns the value with nulls in place of its ephemeral parts. An unknown part stays unknown, without the mark.
fn without_ephemeral(value: &Value) -> Value {
    if !value.deep_marks().is_ephemeral() {
        return value.clone();
    }
    let marks = value.marks().without(Marks::EPHEMERAL);
    if value.marks().is_ephemeral() && value.is_known() {
        return Value::null(value.ty().clone()).with_marks(marks);
    }
    value.map_parts(&without_ephemeral).with_marks(marks)
}

//! The planned object of a `terraform_data` (plan.md, section 4), with what it keeps in its store where the version has
//! one.

use std::sync::Arc;

use overfold_base::account;
use overfold_model::schema::BodySchema;
use overfold_value::{Kind, Marks, Type, Value};

/// The block of a `terraform_data` that keeps a value.
pub(super) const STORE: &str = "store";

/// The attributes of a store.
const INPUT: &str = "input";
const OUTPUT: &str = "output";
const REPLACE: &str = "replace";
const SENSITIVE: &str = "sensitive";
const SENSITIVE_OUTPUT: &str = "sensitive_output";
const VERSION: &str = "version";

/// Returns the planned object of a `terraform_data` with these arguments.
pub(super) fn terraform_data(arguments: &Value) -> Value {
    let part = |name: &str| arguments.get(name).cloned().unwrap_or_else(Value::untyped_null);
    let input = part(INPUT);
    let output = output_of(&input);
    let id = Value::unknown(Type::String).refined_not_null();
    object(id, input, output, arguments.get(STORE).map(planned_store), part("triggers_replace"))
}

/// Returns the object of a `terraform_data`; `store` is `None` in the versions that have none.
pub(super) fn object(id: Value, input: Value, output: Value, store: Option<Value>, triggers: Value) -> Value {
    let mut entries = vec![(Arc::from("id"), id), (Arc::from(INPUT), input), (Arc::from(OUTPUT), output)];
    entries.extend(store.map(|store| (Arc::from(STORE), store)));
    entries.push((Arc::from("triggers_replace"), triggers));
    Value::object(entries)
}

/// Returns what `output` is as long as it has not been computed: of the type of the input, or null like it.
pub(super) fn output_of(input: &Value) -> Value {
    let input = input.unmarked();
    if input.is_null() { input } else { Value::unknown(input.ty().clone()) }
}

/// Returns the store of an object that has none; `None` if the version has no stores.
pub(super) fn no_store(schema: &BodySchema) -> Option<Value> {
    schema.blocks.get(STORE).map(|store| Value::null(store.implied_type()))
}

/// Returns the planned store of a new object. Its input is never kept; what is computed from it is unknown, and is in one
/// of two attributes, depending on whether it is to be sensitive.
pub(super) fn planned_store(configured: &Value) -> Value {
    let Some(entries) = configured.as_entries() else { return configured.clone() };
    account::work(entries.len() as u64);
    let part = |name: &str| configured.get(name).cloned().unwrap_or_else(Value::untyped_null);
    let input = part(INPUT).unmarked();
    let is_new = !part(VERSION).is_null() || !input.is_null();
    let kept = if is_new { Value::unknown(input.ty().clone()) } else { Value::null(input.ty().clone()) };
    let is_sensitive = is_true(configured, SENSITIVE);
    let (output, sensitive) =
        if is_sensitive { (Value::untyped_null(), kept) } else { (kept, Value::untyped_null()) };
    let entries = entries.iter().map(|(name, value)| {
        let value = match &**name {
            INPUT => Value::untyped_null().with_marks(value.deep_marks().without(Marks::EPHEMERAL)),
            OUTPUT => output.clone(),
            SENSITIVE_OUTPUT => sensitive.clone().with_marks(Marks::SENSITIVE),
            _ => value.clone(),
        };
        (Arc::clone(name), value)
    });
    Value::object(entries.collect()).with_marks(configured.marks())
}

/// Whether a change of what a planned store keeps replaces the object.
pub(super) fn replaces(planned: &Value) -> bool {
    let is_open = |name: &str| planned.get(name).is_some_and(|value| !value.is_known());
    is_true(planned, REPLACE) && (is_open(OUTPUT) || is_open(SENSITIVE_OUTPUT))
}

/// Returns the path of what replaces an object because of its store.
pub(super) fn replace_path() -> Vec<Arc<str>> {
    vec![Arc::from(STORE), Arc::from(INPUT)]
}

fn is_true(store: &Value, name: &str) -> bool {
    store.get(name).is_some_and(|value| matches!(value.kind(), Kind::Bool(true)))
}

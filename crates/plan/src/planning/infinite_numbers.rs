//! Infinite numbers, which no state can hold (plan.md, sections 4 and 8): the tool plans with them, and then fails to write down
//! what it has planned.

use super::codes;
use overfold_base::account;
use overfold_base::diag::Diagnostic;
use overfold_value::{Kind, Value, with_stack};

/// Returns whether a number in a value is infinite.
pub(super) fn holds_infinity(value: &Value) -> bool {
    account::work(1);
    match value.kind() {
        Kind::Number(number) => number.is_infinite(),
        Kind::Null(_) | Kind::Unknown { .. } | Kind::Bool(_) | Kind::Text(_) => false,
        _ => with_stack(|| {
            value.items().iter().any(holds_infinity) || value.entries().iter().any(|(_, part)| holds_infinity(part))
        }),
    }
}

/// Returns whether an output of the root module holds an infinite number. One that is not wholly known is not written yet.
pub(super) fn is_in_output(value: &Value) -> bool {
    value.is_wholly_known() && holds_infinity(value)
}

/// Returns what the tool reports of outputs of the root module that hold an infinite number, however many there are.
pub(super) fn in_output() -> Diagnostic {
    let detail = "An output of the root module contains an infinite number, which cannot be written to a plan file.";
    Diagnostic::tool(&codes::INFINITE_NUMBER, None, detail)
}

/// Returns what the tool reports of a resource instance that holds an infinite number.
pub(super) fn in_resource(address: &str) -> Diagnostic {
    let title =
        format!("failed to encode {address} in state: failed to serialize value: cannot serialize infinity as JSON");
    let detail = format!("An argument of {address} contains an infinite number, which no state can hold.");
    Diagnostic::tool(&codes::INFINITE_NUMBER, None, detail).titled(title)
}

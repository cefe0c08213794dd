//! Values and types of the expression language (variables.md, section A5; expressions.md, sections 1, 2 and 5).

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod compare;
pub mod convert;
mod data;
mod defaults;
mod excerpt;
pub mod json;
mod number;
mod hcl1;
mod marks;
mod set_order;
mod types;
mod unify;

pub use compare::Equality;
pub use convert::{ConvertError, PathStep, convert};
pub use data::{Bound, Kind, LengthRange, Limits, Mapping, NumberRange, Sequence, Value, normalized};
pub use defaults::Defaults;
pub use excerpt::excerpt;
pub use hcl1::{Hcl1Map, Hcl1Type, Hcl1Value, quoted};
pub use json::JsonError;
pub use marks::Marks;
pub use number::{
    COUNT_PRECISION, DOUBLE_PRECISION, LITERAL_PRECISION, NoResult, Number, NumberError, TextTooLong, Verb,
    charge_decimal,
};
pub use set_order::{is_printed, quote as quote_as_go};
pub use types::{AttributeType, ElementType, ObjectType, TupleType, Type};
pub use unify::unify;

/// Runs `work` with enough stack left for one more level of recursion over a tree of the request; deep trees continue
/// on the heap. Every recursion whose depth is determined by the input calls this once per level.
pub fn with_stack<R>(work: impl FnOnce() -> R) -> R {
    overfold_syntax::stack::grow(work)
}

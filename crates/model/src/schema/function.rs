//! The signatures of functions of providers.

pub use overfold_eval::{FunctionParameter, FunctionSignature};

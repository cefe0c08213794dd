//! The schemas of providers, as `terraform providers schema -json` prints them (plan-schema.md, sections 1 and 2).
//!
//! - [`ProviderSchemas`]: a document, in which one pass finds the types ([`SchemaIndex`]), and each is read when it is first
//!   needed.
//! - [`SchemaStore`]: documents that are kept between requests.
//! - [`BodySchema`]: what the body of a block may contain, and the type of the value that it becomes.
//! - [`emulated()`]: data sources that are computed here.
//! - [`check_path`]: whether the path of a reference leads to something.
//! - [`builtin()`], [`provisioner()`], [`connection()`], [`provider_meta()`]: what is part of the tool itself.

mod body;
mod builtin;
pub mod codes;
mod document;
mod emulated;
mod function;
mod index;
mod path;
mod read;
mod store;
#[cfg(test)]
mod tests;

pub use body::{AttributeSchema, BodySchema, Deprecations, NestedBlock, NestedObject, Nesting, Shape};
pub use builtin::{BUILTIN_PROVIDER, builtin, connection, provider_meta, provisioner};
pub use document::{ProviderSchema, ProviderSchemas, SchemaError};
pub use emulated::emulated;
pub use function::{FunctionParameter, FunctionSignature};
pub use index::SchemaIndex;
pub use path::{PathRules, attribute_at, check_path};
pub use store::{MOST_MEMORY, SchemaStore, StoredSchemas};

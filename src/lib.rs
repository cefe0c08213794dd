//! overfold: takes a Terraform, OpenTofu, TFLint or Sentinel configuration directory, returns the merged configuration
//! and every diagnostic.
//!
//! This crate is the service and the command line. The stages between a request's bytes and its answer are the crates
//! under `crates/`, re-exported here under the names of their modules; a crate uses only those above it in `Cargo.toml`'s
//! list, and a module only those above it in its crate's `lib.rs`. `ARCHITECTURE.md` says what always holds.

pub use overfold_base::{account, diag, echo, files, nearest, stack, versions};
pub use overfold_dialect as dialect;
pub use overfold_engine::{self as engine, codes, compatibility};
pub use overfold_eval as eval;
pub use overfold_model::{body, config, language, schema, scope};
pub use overfold_module::{missing_names, pipeline, plan, repository, vars};
pub use overfold_output as output;
pub use overfold_source as source;
pub use overfold_syntax as syntax;
pub use overfold_value as value;

/// What documents show of the library is compiled, and run.
#[cfg(doctest)]
#[doc = include_str!("../docs/library.md")]
#[doc = include_str!("../README.md")]
mod documents {}

mod build_info;
pub mod settings;
mod state;
pub mod api;
#[cfg(feature = "nats")]
pub mod queue;
pub mod cli;

/// The tests count what work holds, as the program does.
#[cfg(test)]
#[global_allocator]
static ALLOCATOR: account::Allocator = account::Allocator;

//! overfold: takes a configuration directory of the Terraform family, returns the merged configuration and every
//! diagnostic.
//!
//! ```text
//! bytes ─ transport ─▶ FileSet ─ discover ─▶ roles ─ syntax ─▶ trees ─ hcl ─▶ content of bodies ─ decode ─▶ objects
//!       ─ merge ─▶ Module ─ scope, early_eval, checks, vars ─▶ Report ─ output ─▶ bytes
//!
//!         dialect: tables of rows; pipeline: the order of the stages; api and cli: the entry points
//! ```
//!
//! Invariants:
//! - Data flows one way. A room (top-level module) uses only the rooms above it in the list below;
//!   `tests/it/architecture.rs` checks this.
//! - From `files` to `vars`, nothing does I/O or reads a clock, the environment or randomness: same bytes in, same
//!   bytes out.
//! - A broken configuration is a normal result. Stages return what they could understand and report problems to
//!   [`diag::Diagnostics`]; only `transport` and `api` fail with `Err`.
//! - Positions are byte spans until they are reported; only then does `files` compute lines and columns.
//! - Work is charged to the request's [`account`] before it is done; it stops when a limit is exceeded or the request
//!   is cancelled.
//! - No stage asks which dialect it serves. Names of dialects appear in `dialect` alone.

pub mod account;
pub mod echo;
pub mod nearest;
pub mod diag;
pub mod versions;
pub mod stack;
pub mod files;
pub mod transport;
pub mod syntax;
pub mod value;
pub mod eval;
pub mod dialect;
pub mod hcl;
pub mod language;
pub mod config;
pub mod scope;
pub mod discover;
pub mod decode;
pub mod block_list;
pub mod merge;
pub mod checks;
pub mod vars;
pub mod early_eval;
pub mod pipeline;
pub mod repository;
pub mod output;
pub mod registry;
pub mod compatibility;
pub mod task;
pub mod settings;
pub mod api;
pub mod cli;

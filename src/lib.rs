//! overfold: a configuration directory of the Terraform family in, the merged configuration and every
//! diagnostic out.
//!
//! ```text
//! bytes ─ transport ─▶ FileSet ─ syntax ─▶ trees ─ load ─▶ elements ─ merge ─▶ Merged ─ vars ─▶ Variables
//!                                             ▲               ▲                 ▲                ▲
//!                                             └───────── dialect: tables of rows ────────────────┘
//!                         pipeline puts the stages in order; output turns a Report into bytes; api and cli are the doors
//! ```
//!
//! Invariants:
//! - Data flows one way. A room uses only the rooms above it in the list below; `tests/it/architecture.rs` checks it.
//! - From `files` to `vars` nothing does I/O, reads a clock, the environment or randomness: same bytes in, same bytes out.
//! - A broken configuration is a normal result. Stages return what could be understood and put problems into
//!   [`diag::Diagnostics`]; only `transport` and `api` fail with `Err`.
//! - Positions are byte spans until they are reported; lines and columns are computed in `files` only then.
//! - Work is charged to the request's [`account`] before it is done; over its limits, or when cancelled, it stops there.
//! - No stage asks which dialect it serves. Names of dialects stand in `dialect` alone.

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
pub mod load;
pub mod merge;
pub mod vars;
pub mod statics;
pub mod pipeline;
pub mod registry;
pub mod output;
pub mod settings;
pub mod api;
pub mod cli;

//! What can be asked, each thing once: its options, what it does, and what it answers with.
//!
//! A [`UseCase`] takes files and options, and gives the bytes of an answer and the facts about it. The service, a line of a
//! batch, a job of the queue, the command line and a program that embeds this one ask through it, with the same options.
//! It runs under the account that its caller has opened, opens none itself, and does no input or output.
//!
//! A module uses only those above it in this list.

#![cfg_attr(not(feature = "program"), expect(unused_imports, reason = "descriptions of types name other types"))]
#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

pub mod codes;
mod limits;
mod refusal;
pub mod json;
mod workspace;
mod input;
pub mod options;
mod use_case;
#[cfg(feature = "program")]
pub mod fingerprint;
mod definitions;
mod root_search;
pub mod merge;
#[cfg(feature = "program")]
pub mod diff;
pub mod plan;
#[cfg(feature = "program")]
mod plan_diff;
#[cfg(feature = "program")]
pub mod upgrade;
#[cfg(feature = "program")]
pub mod compatibility;

#[cfg(feature = "program")]
pub use compatibility::Compatibility;
#[cfg(feature = "program")]
pub use diff::Diff;
pub use input::{Input, PreparedRequest, Target, TreeOptions};
pub use limits::RequestLimits;
pub use merge::Merge;
pub use plan::Plan;
#[cfg(feature = "program")]
pub use plan_diff::PlanDiff;
pub use refusal::{ExceededLimit, Refusal, RefusalKind};
#[cfg(feature = "program")]
pub use upgrade::Upgrade;
pub use use_case::{AnswerForm, Context, Facts, Observer, Outcome, UseCase};

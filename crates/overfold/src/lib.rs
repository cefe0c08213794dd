//! overfold reads a configuration directory of the Terraform family, merges its *override files* as the tool would,
//! resolves its input variables, and says what takes effect, where each part of it came from, and what is wrong. It runs
//! no providers, fetches nothing, and answers in about a millisecond.
//!
//! ```
//! use overfold::{Merge, Source};
//!
//! let source = Source::from_files([
//!     ("main.tf", "resource \"aws_instance\" \"web\" {\n  instance_type = \"m6i.large\"\n}\n"),
//!     ("size_override.tf", "resource \"aws_instance\" \"web\" {\n  instance_type = \"t3.small\"\n}\n"),
//! ])?;
//! let report = Merge::new().run(&source)?;
//!
//! assert!(report.is_valid());
//! let size = report.argument("aws_instance.web", "instance_type").ok_or("no such argument")?;
//! assert_eq!(size.expression.as_deref(), Some("\"t3.small\""));
//! assert_eq!(size.span.to_string(), "size_override.tf:2:3-29");
//! assert_eq!(size.replaced[0].span.to_string(), "main.tf:2:3-30");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! A [`Source`] is files in memory or a folder on a disk. A [`Merge`] asks what its configuration is, and gets a [`Report`];
//! a [`Plan`] asks what `terraform plan` would say before anything exists, and gets a [`PlanReport`]. What is wrong with a
//! configuration is a [`Diagnostic`] in the report. An [`Error`] is what makes the question itself impossible: an option
//! that is not valid, a file that cannot be read, a limit that is exceeded. (More than [`Limits::instances`] is a diagnostic.)
//!
//! Whatever is asked runs on the calling thread and ends within its [`Limits`], on any input; [`Cancel`] ends it sooner,
//! from another thread.
//!
//! # What it asks of a program
//! - `serde_json` is built with `arbitrary_precision` and `unbounded_depth`, so that numbers keep their digits. Features
//!   hold for a whole program: its own types with `#[serde(untagged)]`, `#[serde(tag = "…")]` or `#[serde(flatten)]` cannot
//!   have an `f64` any more; a `serde_json::Number` is read.
//! - Work that exceeds a limit unwinds the stack. In a program that is built with `panic = "abort"`, it ends the process.
//! - No allocator is set, and memory is limited by what is charged for the work, not by what the allocator hands out.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

/// What the read-me shows is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
mod readme {}

mod error;
mod limits;
mod span;
mod diagnostic;
mod value;
mod variable;
mod object;
mod source;
mod options;
mod run;
mod report;
mod merge;
mod planned;
mod plan;

pub use hcl;

pub use diagnostic::{Diagnostic, Origin, RelatedSpan, Severity};
pub use error::{Error, ErrorKind};
pub use limits::{Cancel, Limits};
pub use merge::Merge;
pub use object::{Argument, Block, Object, Replaced};
pub use options::{Dialect, ProviderChecks, Stage};
pub use plan::Plan;
pub use planned::{MissingPart, PlanReport, PlannedResource};
pub use report::{Override, Part, Report};
pub use source::Source;
pub use span::{Position, Span};
pub use value::Value;
pub use variable::{ValueSource, Variable};

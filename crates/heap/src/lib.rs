//! The heap: what each request holds of it, counted by the allocator itself, and what the process gives back.
//!
//! An account that opens work makes a [`Count`], and every thread that does a part of the work [enters](Count::enter) it:
//! what the thread allocates and frees until it leaves belongs to that count. The count can be read from any thread while
//! the work is going on, so somebody outside sees memory that the work itself never looks at.
//!
//! The rest of the program knows three things only: the [`Allocator`] that it installs, the bytes that a [`Count`] holds,
//! and [`give_back`]. What stands below may be replaced.
//!
//! This is the only crate of the program with unsafe code: an allocator cannot do without. In a program that does not
//! install the allocator, every count stays at zero.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

mod counted;
mod returned;

pub use counted::{Allocator, Count, CountGuard, held_here};
pub use returned::{decay_milliseconds, give_back};

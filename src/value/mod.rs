//! Values and types of the expression language.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

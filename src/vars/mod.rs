//! Input variables: sources, conversion, validation.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

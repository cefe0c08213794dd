//! Override files into the module, one at a time.

#![deny(clippy::disallowed_methods, clippy::disallowed_types)]

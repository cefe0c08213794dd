//! The command-line door.

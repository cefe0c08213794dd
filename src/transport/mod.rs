//! Bytes in, a file set out. Refuses what cannot be read safely; nothing is written to disk or fetched.

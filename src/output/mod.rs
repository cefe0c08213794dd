//! A report to bytes. Reads only; never adds a diagnostic.

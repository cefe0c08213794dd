//! Versions of the tools, and version constraints as configurations write them.

use std::fmt;

/// A released version of a tool.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Version {
    /// First number.
    pub major: u32,
    /// Second number.
    pub minor: u32,
    /// Third number.
    pub patch: u32,
    /// Pre-release text without its dash (`rc2`), empty for a release.
    pub pre: String,
}

impl Version {
    /// The release `major.minor.patch`.
    pub const fn release(major: u32, minor: u32, patch: u32) -> Self {
        Self { major, minor, patch, pre: String::new() }
    }
}

impl fmt::Display for Version {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}.{}", self.major, self.minor, self.patch)?;
        if self.pre.is_empty() { Ok(()) } else { write!(f, "-{}", self.pre) }
    }
}

//! Paths inside a request: the only place where a path is checked.

use std::fmt;

/// A path relative to the top of the request's files: `/`-separated, UTF-8, without empty, `.` or `..` segments.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ModulePath(String);

/// Why a path was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PathError {
    /// The path has no characters, or only `.` segments.
    #[error("the path is empty")]
    Empty,
    /// The path begins with `/`, a backslash or a drive letter.
    #[error("the path is absolute")]
    Absolute,
    /// The path has a `..` segment.
    #[error("the path has a `..` segment")]
    Parent,
    /// The path has two slashes in a row, or one at the end.
    #[error("the path has an empty segment")]
    EmptySegment,
    /// The path contains a NUL or a backslash.
    #[error("the path contains a NUL or a backslash, which is not portable")]
    BadCharacter,
}

impl ModulePath {
    /// Checks and normalises a path: `.` segments are removed, everything else is kept byte for byte.
    ///
    /// # Errors
    /// Returns [`PathError`], which says what is wrong with the path.
    pub fn parse(text: &str) -> Result<Self, PathError> {
        if text.is_empty() {
            return Err(PathError::Empty);
        }
        let mut letters = text.chars();
        let drive = letters.next().is_some_and(|c| c.is_ascii_alphabetic()) && letters.next() == Some(':');
        if text.starts_with(['/', '\\']) || drive {
            return Err(PathError::Absolute);
        }
        if text.contains(['\0', '\\']) {
            return Err(PathError::BadCharacter);
        }
        let mut path = String::with_capacity(text.len());
        for segment in text.split('/') {
            match segment {
                "" => return Err(PathError::EmptySegment),
                "." => {}
                ".." => return Err(PathError::Parent),
                _ => {
                    if !path.is_empty() {
                        path.push('/');
                    }
                    path.push_str(segment);
                }
            }
        }
        if path.is_empty() { Err(PathError::Empty) } else { Ok(Self(path)) }
    }

    /// Parses the path of a folder, `""` being the top, which is written `.`; a slash at the end is allowed.
    ///
    /// # Errors
    /// As [`Self::parse`].
    pub fn parse_folder(text: &str) -> Result<String, PathError> {
        let trimmed = text.strip_suffix('/').unwrap_or(text);
        if !trimmed.is_empty() && trimmed.split('/').all(|segment| segment == ".") {
            return Ok(String::new());
        }
        Self::parse(trimmed).map(|path| path.0)
    }

    /// Returns the path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// Returns the part before the last `/`; `""` for a file at the top.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// Returns the part after the last `/`.
    pub fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// Returns the number of segments, at least one.
    pub fn depth(&self) -> usize {
        memchr::memchr_iter(b'/', self.0.as_bytes()).count() + 1
    }

    /// Returns the part before the first `/`, or all of the path.
    pub fn first_segment(&self) -> &str {
        self.0.split_once('/').map_or(&self.0, |(first, _)| first)
    }

    /// Whether the path is in `folder` or deeper. Every path is below `""`; no path is below itself.
    pub fn is_below(&self, folder: &str) -> bool {
        folder.is_empty() || self.0.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// Returns the path without its first `count` segments; `None` if it has no more segments than that.
    #[must_use]
    pub fn without_leading(mut self, count: u16) -> Option<Self> {
        if count == 0 {
            return Some(self);
        }
        let nth = usize::from(count - 1);
        let cut = memchr::memchr_iter(b'/', self.0.as_bytes()).nth(nth)?;
        self.0.drain(..=cut);
        Some(self)
    }
}

impl fmt::Display for ModulePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

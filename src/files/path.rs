//! Paths inside a request: the one place where a path is checked.

use std::fmt;

/// A path relative to the top of the request's files: `/`-separated, UTF-8, no empty, `.` or `..` segment.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct ModulePath(String);

/// Why a path was refused.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum PathError {
    /// No characters, or nothing but `.` segments.
    #[error("the path is empty")]
    Empty,
    /// It begins with `/`, a backslash or a drive letter.
    #[error("the path is absolute")]
    Absolute,
    /// A `..` segment.
    #[error("the path has a `..` segment")]
    Parent,
    /// Two slashes in a row.
    #[error("the path has an empty segment")]
    EmptySegment,
    /// A NUL or a backslash.
    #[error("the path holds a character that no portable path has (NUL or backslash)")]
    BadCharacter,
}

impl ModulePath {
    /// Checks and normalises a path: leading and inner `.` segments go, everything else stays byte for byte.
    ///
    /// # Errors
    /// [`PathError`] says what is wrong with it.
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

    /// The path of a folder as text, `""` for the top, which is written `.`; a slash at the end is allowed.
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

    /// The path as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }

    /// The part before the last `/`, `""` for a file at the top.
    pub fn folder(&self) -> &str {
        self.0.rsplit_once('/').map_or("", |(folder, _)| folder)
    }

    /// The part after the last `/`.
    pub fn name(&self) -> &str {
        self.0.rsplit_once('/').map_or(&self.0, |(_, name)| name)
    }

    /// How many segments it has, at least one.
    pub fn depth(&self) -> usize {
        memchr::memchr_iter(b'/', self.0.as_bytes()).count() + 1
    }

    /// The part before the first `/`, or all of it.
    pub fn first_segment(&self) -> &str {
        self.0.split_once('/').map_or(&self.0, |(first, _)| first)
    }

    /// Whether it lies in `folder` or deeper. Everything lies below `""`; nothing below itself.
    pub fn is_below(&self, folder: &str) -> bool {
        folder.is_empty() || self.0.strip_prefix(folder).is_some_and(|rest| rest.starts_with('/'))
    }

    /// The path without its first `count` segments; `None` if it has no more than that.
    #[must_use]
    pub fn without_leading(mut self, count: u32) -> Option<Self> {
        if count == 0 {
            return Some(self);
        }
        let nth = usize::try_from(count - 1).ok()?;
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

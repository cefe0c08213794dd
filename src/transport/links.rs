//! Links in an upload, followed as long as they stay inside it. A link that leads outside, nowhere, or round in a
//! circle remains a link: it matters only to code that would read through it.

use std::collections::BTreeMap;

use bytes::Bytes;

use super::gather::{Node, by_segment};
use crate::account;
use crate::files::{ModulePath, SpecialKind};

/// The number of links that one path may pass through, as on Linux (path_resolution(7)).
const MAX_HOPS: u32 = 40;

/// Where a link points to.
#[derive(Clone, Debug)]
pub(super) enum Target {
    /// The target of a symbolic link: a path as written, relative to the folder of the link.
    FromLink(Box<str>),
    /// The target of a hard link: the path of an entry of the archive.
    FromTop(Box<str>),
}

impl Target {
    /// Returns the target of a symbolic link; `None` if it is not UTF-8, or is longer than a path may be.
    pub(super) fn from_link(target: &[u8], most: u64) -> Option<Self> {
        text(target, most).map(Self::FromLink)
    }

    /// Returns the target of a hard link; `None` as in [`Self::from_link`].
    pub(super) fn from_top(target: &[u8], most: u64) -> Option<Self> {
        text(target, most).map(Self::FromTop)
    }
}

fn text(target: &[u8], most: u64) -> Option<Box<str>> {
    let text = std::str::from_utf8(target).ok()?;
    (text.len() as u64 <= most && !text.is_empty()).then(|| text.into())
}

/// What a link points to.
#[derive(Debug)]
pub(super) enum Found {
    /// A file with its content.
    File(Bytes),
    /// A folder, by its path without links; `""` is the top.
    Folder(String),
}

/// Entries sorted by segment, among which links are resolved.
#[derive(Clone, Copy)]
pub(super) struct Places<'e> {
    pub(super) entries: &'e [(ModulePath, Node)],
    /// The number of leading segments removed from all paths.
    pub(super) stripped: u32,
}

impl<'e> Places<'e> {
    /// Follows every link. The keys are the links' indexes among the entries; links that lead nowhere are left out.
    pub(super) fn follow(self) -> BTreeMap<usize, Found> {
        let links = self.entries.iter().enumerate().filter_map(|(at, (path, node))| match node {
            Node::Link(Some(target)) => Some((at, self.find(path, target)?)),
            _ => None,
        });
        links.collect()
    }

    /// Resolves a link step by step.
    fn find(self, link: &ModulePath, target: &'e Target) -> Option<Found> {
        let (mut real, text) = match target {
            Target::FromLink(text) => (link.folder().to_owned(), &**text),
            Target::FromTop(text) => (String::new(), self.without_stripped(text)?),
        };
        // Segments still to be resolved, the next one last.
        let mut ahead = Vec::new();
        push(&mut ahead, text)?;
        let mut hops = 1;
        while let Some(segment) = ahead.pop() {
            account::touch(real.len());
            match segment {
                "" | "." => continue,
                ".." => {
                    // Above the top is outside the upload.
                    if real.is_empty() {
                        return None;
                    }
                    real.truncate(real.rfind('/').unwrap_or(0));
                    continue;
                }
                _ => {}
            }
            let above = real.len();
            if above > 0 {
                real.push('/');
            }
            real.push_str(segment);
            match self.at(&real) {
                Some(Node::File(bytes)) => return ahead.is_empty().then(|| Found::File(bytes.clone())),
                Some(Node::Link(Some(Target::FromLink(text)))) => {
                    hops += 1;
                    if hops > MAX_HOPS {
                        return None;
                    }
                    real.truncate(above);
                    push(&mut ahead, text)?;
                }
                // A hard link is the same entry under another name; a folder cannot have one.
                Some(Node::Link(Some(Target::FromTop(text)))) => {
                    hops += 1;
                    if hops > MAX_HOPS || !ahead.is_empty() {
                        return None;
                    }
                    real.clear();
                    push(&mut ahead, self.without_stripped(text)?)?;
                }
                Some(Node::Special(SpecialKind::Folder)) => {}
                None if self.is_folder(&real) => {}
                Some(Node::Link(None) | Node::Special(_) | Node::Unread) | None => return None,
            }
        }
        Some(Found::Folder(real))
    }

    fn at(self, path: &str) -> Option<&'e Node> {
        let at = self.entries.binary_search_by(|(entry, _)| by_segment(entry.as_str(), path)).ok()?;
        self.entries.get(at).map(|(_, node)| node)
    }

    /// Whether any entry is below the path.
    fn is_folder(self, path: &str) -> bool {
        let after = self.entries.partition_point(|(entry, _)| by_segment(entry.as_str(), path).is_le());
        self.entries.get(after).is_some_and(|(entry, _)| entry.is_below(path))
    }

    fn without_stripped(self, path: &str) -> Option<&str> {
        let mut path = path.strip_prefix("./").unwrap_or(path);
        for _ in 0..self.stripped {
            path = path.split_once('/')?.1;
        }
        Some(path)
    }
}

/// Puts the segments of a target in front of those ahead. Returns `None` if the target is absolute.
fn push<'t>(ahead: &mut Vec<&'t str>, target: &'t str) -> Option<()> {
    account::touch(target.len());
    if target.starts_with(['/', '\\']) {
        return None;
    }
    ahead.extend(target.rsplit('/'));
    Some(())
}

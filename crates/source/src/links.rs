//! Links in an upload, followed as long as they stay inside it. A link that leads outside, nowhere, or round in a
//! circle remains a link: it matters only to code that would read through it.

use std::collections::{BTreeMap, VecDeque};

use bytes::Bytes;

use super::gather::{Node, by_segment};
use overfold_base::account;
use overfold_base::files::{ModulePath, SpecialKind};

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
    pub(super) fn from_link(target: &[u8], max: u64) -> Option<Self> {
        text(target, max).map(Self::FromLink)
    }

    /// Returns the target of a hard link; `None` as in [`Self::from_link`].
    pub(super) fn from_top(target: &[u8], max: u64) -> Option<Self> {
        text(target, max).map(Self::FromTop)
    }
}

impl Target {
    /// Returns the target as written.
    pub(super) fn into_text(self) -> Box<str> {
        match self {
            Self::FromLink(text) | Self::FromTop(text) => text,
        }
    }
}

fn text(target: &[u8], max: u64) -> Option<Box<str>> {
    let text = std::str::from_utf8(target).ok()?;
    (text.len() as u64 <= max && !text.is_empty()).then(|| text.into())
}

/// What a link points to.
#[derive(Debug)]
pub(super) enum LinkTarget {
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
    pub(super) stripped: u16,
}

impl<'e> Places<'e> {
    /// Follows every link. The keys are the links' indexes among the entries; links that lead nowhere are left out.
    pub(super) fn follow(self) -> BTreeMap<usize, LinkTarget> {
        let mut known = ResolvedLinks::new();
        for (at, (_, node)) in self.entries.iter().enumerate() {
            if matches!(node, Node::Link(Some(_))) && !known.contains_key(&at) {
                self.resolve(at, &mut known);
            }
        }
        known.into_iter().filter_map(|(link, end)| Some((link, self.target(end?.place)?))).collect()
    }

    fn target(self, place: LinkPlace) -> Option<LinkTarget> {
        match place {
            LinkPlace::File(entry) => match &self.entries.get(entry)?.1 {
                Node::File(bytes) => Some(LinkTarget::File(bytes.clone())),
                _ => None,
            },
            LinkPlace::Folder(folder) => {
                account::grow(folder.length as u64);
                Some(LinkTarget::Folder(self.path(folder).to_owned()))
            }
        }
    }

    /// Resolves a link and the links that its path passes through, each of them once for the whole upload.
    fn resolve(self, link: usize, known: &mut ResolvedLinks) {
        let mut walks = VecDeque::new();
        // While a link is being resolved, a path that comes back to it finds that it leads nowhere: it is a circle.
        let begin = |link, walks: &mut VecDeque<Walk<'e>>, known: &mut ResolvedLinks| {
            known.insert(link, None);
            walks.extend(Walk::new(self, link));
        };
        begin(link, &mut walks, known);
        // Each walk waits for the link that the walk behind it resolves.
        while let Some(walk) = walks.back_mut() {
            match walk.advance(self, known) {
                WalkStep::Needs(next) => {
                    if walks.len() >= MAX_HOPS as usize {
                        // It passes through too many links, wherever they lead. The others may be near their ends.
                        walks.pop_front();
                    }
                    begin(next, &mut walks, known);
                }
                WalkStep::Ends(end) => {
                    known.insert(walk.link, end);
                    walks.pop_back();
                }
            }
        }
    }

    /// The folder that holds everything.
    fn top(self) -> Folder {
        Folder { entry: 0, length: 0, low: 0, high: self.entries.len() }
    }

    fn path(self, folder: Folder) -> &'e str {
        self.entries.get(folder.entry).and_then(|(path, _)| path.as_str().get(..folder.length)).unwrap_or_default()
    }

    /// Finds a name in a folder: the entry of that name, if there is one, and the folder of that name, which may be
    /// empty.
    fn child(self, folder: Folder, name: &str) -> (Option<&'e Node>, Folder) {
        account::work(16 + name.len() as u64 / 16);
        let skip = if folder.length == 0 { 0 } else { folder.length + 1 };
        let within = self.entries.get(folder.low..folder.high).unwrap_or_default();
        let before = within.partition_point(|entry| by_segment(rest(entry, skip), name).is_lt());
        let own = within.get(before).filter(|entry| rest(entry, skip) == name);
        let (_, behind) = within.split_at(before + usize::from(own.is_some()));
        let is_below = |rest: &str| rest.strip_prefix(name).is_some_and(|rest| rest.starts_with('/'));
        let below = behind.partition_point(|entry| is_below(rest(entry, skip)));
        let entry = folder.low + before;
        let low = entry + usize::from(own.is_some());
        (own.map(|(_, node)| node), Folder { entry, length: skip + name.len(), low, high: low + below })
    }

    /// Returns the folders on the way to a path without links, the last one being at the path itself.
    fn folders(self, path: &str) -> Vec<Folder> {
        let mut last = self.top();
        let segments = path.split('/').filter(|segment| !segment.is_empty());
        let folders = segments.map(|segment| {
            last = self.child(last, segment).1;
            last
        });
        folders.collect()
    }

    fn without_stripped(self, path: &str) -> Option<&str> {
        let mut path = path.strip_prefix("./").unwrap_or(path);
        for _ in 0..self.stripped {
            path = path.split_once('/')?.1;
        }
        Some(path)
    }
}

/// The path of an entry without its first `skip` bytes.
fn rest((path, _): &(ModulePath, Node), skip: usize) -> &str {
    path.as_str().get(skip..).unwrap_or_default()
}

/// Where each link leads, by its index among the entries; `None` if it leads nowhere, or is still being resolved.
type ResolvedLinks = BTreeMap<usize, Option<End>>;

/// Where a link leads.
#[derive(Clone, Copy)]
struct End {
    place: LinkPlace,
    /// The number of links on the way, at least one.
    hops: u32,
}

#[derive(Clone, Copy)]
enum LinkPlace {
    /// A file, by its index among the entries.
    File(usize),
    Folder(Folder),
}

/// A folder, as a run of the sorted entries.
#[derive(Clone, Copy)]
struct Folder {
    /// An entry whose path begins with that of the folder.
    entry: usize,
    /// The length of the folder's path in bytes.
    length: usize,
    /// The entries below the folder: `low..high`.
    low: usize,
    high: usize,
}

/// The resolution of a link, segment by segment.
struct Walk<'e> {
    /// The index of the link among the entries.
    link: usize,
    /// The folders from the top to the place that has been reached.
    trail: Vec<Folder>,
    /// Segments still to be resolved, the next one last.
    ahead: Vec<&'e str>,
    hops: u32,
}

/// What a walk comes to.
enum WalkStep {
    /// A link that has to be resolved first, by its index among the entries.
    Needs(usize),
    /// The end of its path; `None` if it leads nowhere.
    Ends(Option<End>),
}

impl<'e> Walk<'e> {
    /// Returns the walk along a link; `None` if it leaves the upload at once.
    fn new(places: Places<'e>, link: usize) -> Option<Self> {
        let (path, Node::Link(Some(target))) = places.entries.get(link)? else { return None };
        let (folder, text) = match target {
            Target::FromLink(text) => (path.folder(), &**text),
            Target::FromTop(text) => ("", places.without_stripped(text)?),
        };
        account::touch(text.len());
        if text.starts_with(['/', '\\']) {
            return None;
        }
        let ahead = text.rsplit('/').collect();
        Some(Self { link, trail: places.folders(folder), ahead, hops: 1 })
    }

    /// Goes on until a link has to be resolved first, or the path ends.
    fn advance(&mut self, places: Places<'e>, known: &ResolvedLinks) -> WalkStep {
        loop {
            let here = self.trail.last().copied().unwrap_or_else(|| places.top());
            let Some(&segment) = self.ahead.last() else {
                return WalkStep::Ends(Some(End { place: LinkPlace::Folder(here), hops: self.hops }));
            };
            account::work(1);
            let is_last = self.ahead.len() == 1;
            match segment {
                // Above the top is outside the upload.
                ".." if self.trail.pop().is_none() => return WalkStep::Ends(None),
                "" | "." | ".." => {}
                _ => match places.child(here, segment) {
                    (Some(Node::File(_)), Folder { entry, .. }) => {
                        let end = End { place: LinkPlace::File(entry), hops: self.hops };
                        return WalkStep::Ends(is_last.then_some(end));
                    }
                    (Some(Node::Link(Some(target))), Folder { entry, .. }) => {
                        let Some(&end) = known.get(&entry) else { return WalkStep::Needs(entry) };
                        let Some(end) = end else { return WalkStep::Ends(None) };
                        self.hops += end.hops;
                        // A hard link is the same entry under another name; a folder cannot have one.
                        if self.hops > MAX_HOPS || matches!(target, Target::FromTop(_)) && !is_last {
                            return WalkStep::Ends(None);
                        }
                        match end.place {
                            LinkPlace::File(_) => {
                                return WalkStep::Ends(is_last.then_some(End { place: end.place, hops: self.hops }));
                            }
                            LinkPlace::Folder(folder) => self.trail = places.folders(places.path(folder)),
                        }
                    }
                    (Some(Node::Special(SpecialKind::Folder)), folder) => self.trail.push(folder),
                    (None, folder) if folder.low < folder.high => self.trail.push(folder),
                    (Some(Node::Link(None) | Node::Broken(..) | Node::Special(_) | Node::Unread) | None, _) => {
                        return WalkStep::Ends(None);
                    }
                },
            }
            self.ahead.pop();
        }
    }
}

//! A revision of the git repository in which the command runs, read by its objects with git's own plumbing: nothing is checked
//! out, and neither filters nor hooks run.

use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap};
use std::fmt;
use std::io::{BufRead as _, BufReader, Read, Write as _};
use std::ops::Bound;
use std::path::{Path, PathBuf};
use std::process::{ChildStdin, ChildStdout, Stdio};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use super::git::{self, Complaint, Process};
use super::{Failure, under_account};
use crate::settings::LimitSettings;
use overfold_base::account::{self, ChargedIterator as _, Worklist};
use overfold_base::echo::short;
use overfold_base::files::{FileSet, FileSource, Listing, Node, SourceError, SpecialKind};

/// What forces an argument to be a revision.
const FORCED: &str = "git:";
/// What stands between two revisions, the second of which is compared with where it left the first one.
const BETWEEN: &str = "...";
/// The bytes up to which the target of a link is read.
const MAX_TARGET: usize = 4096;
/// The bytes up to which an entry of a list is read, and an answer without its content.
const MAX_ENTRY: u64 = 1 << 20;
const MAX_HEAD: u64 = 4096;
/// The bytes that an entry of a list takes beside its path.
const OVERHEAD: usize = 128;
/// The number of links that one path may pass through.
const MAX_HOPS: u32 = 40;

/// The name of an object, in hexadecimal.
#[derive(Clone, Debug)]
pub(super) struct ObjectName(Box<str>);

impl ObjectName {
    /// Reads a name as git prints it; `None` if it is something else, such as a range.
    fn parse(text: &str) -> Option<Self> {
        let is_name = matches!(text.len(), 40 | 64) && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        is_name.then(|| Self(text.into()))
    }
}

/// Returns what an argument names in the repository; `None` if it is a path: one that exists, unless it begins with `git:`, or
/// one that is no text.
///
/// # Errors
/// Fails if the argument is neither, or if git cannot tell.
pub(super) fn named(argument: &Path) -> Result<Option<ObjectName>, Failure> {
    let Some(text) = argument.to_str() else { return Ok(None) };
    if let Some(revision) = text.strip_prefix(FORCED) {
        return object(revision).map(Some).map_err(|complaint| unknown(revision, &complaint));
    }
    if argument.exists() || text == "-" {
        return Ok(None);
    }
    match object(text) {
        Ok(found) => Ok(Some(found)),
        Err(complaint) if complaint.is_silent() => Err(Failure::Message(format!(
            "{:?} is neither a path nor a revision of the git repository here",
            short(text)
        ))),
        Err(complaint) if complaint.is_without_repository() => {
            Err(Failure::Message(format!("{:?} is no path, and a revision needs a git repository here", short(text))))
        }
        Err(complaint) => Err(unknown(text, &complaint)),
    }
}

/// Returns both sides of `A...B`, as arguments: the merge base of A and B, and B; `None` if the argument is a path, or
/// of another form.
///
/// # Errors
/// Fails if a side is no revision, or the two have nothing in common.
pub(super) fn pair(argument: &Path) -> Result<Option<[PathBuf; 2]>, Failure> {
    let text = argument.to_str().filter(|_| !argument.exists()).unwrap_or_default();
    let text = text.strip_prefix(FORCED).unwrap_or(text);
    let Some((before, after)) = text.split_once(BETWEEN) else { return Ok(None) };
    let side = |text: &str| {
        let text = if text.is_empty() { "HEAD" } else { text };
        object(text).map_err(|complaint| unknown(text, &complaint))
    };
    let (first, second) = (side(before)?, side(after)?);
    let base = git::line(&["merge-base", &first.0, &second.0]);
    match base.as_deref().map(ObjectName::parse) {
        Ok(Some(base)) => Ok(Some([base, second].map(|object| format!("{FORCED}{}", object.0).into()))),
        Ok(None) => Err(Failure::Message("git found no merge base of the two revisions".to_owned())),
        Err(complaint) => {
            let is_shallow = git::line(&["rev-parse", "--is-shallow-repository"]).is_ok_and(|text| text == "true");
            let hint = if is_shallow { "; this clone is shallow: fetch more of its history" } else { "" };
            let sentence = format!("{:?} and {:?} have no commit in common{hint}", short(before), short(after));
            Err(Failure::Message(complaint.behind(&sentence)))
        }
    }
}

fn unknown(revision: &str, complaint: &Complaint) -> Failure {
    Failure::Message(complaint.behind(&format!("{:?} is no revision of the git repository here", short(revision))))
}

/// Returns the folder of the repository in which the command runs, with a slash behind it; nothing at its top.
pub(super) fn prefix() -> String {
    git::line(&["rev-parse", "--show-prefix"]).unwrap_or_default()
}

/// Returns the path of that folder; nothing at the top.
pub(super) fn folder() -> String {
    prefix().trim_end_matches('/').to_owned()
}

/// Returns the object that a revision names.
fn object(revision: &str) -> Result<ObjectName, Complaint> {
    if revision.is_empty() || revision.starts_with('-') || revision.contains(['\0', '\n']) {
        return Err(Complaint::SILENT);
    }
    ObjectName::parse(&git::line(&["rev-parse", "--verify", "--quiet", revision])?).ok_or(Complaint::SILENT)
}

/// What is at a path of a revision.
#[derive(Debug)]
enum Entry {
    File(ObjectName),
    Link(ObjectName),
    Folder,
    /// Another repository, which is not read.
    Repository,
}

/// What is in a folder, by name; what is not UTF-8 and would be read if the folder is listed.
#[derive(Debug, Default)]
struct Folder {
    entries: BTreeMap<Box<str>, Entry>,
    unnamed: Option<String>,
}

/// The files of a revision. They are read when something asks for them.
pub(super) struct Revision {
    /// By path; that of the top is empty.
    folders: BTreeMap<Box<str>, Folder>,
    /// Which files are read when their folder is listed, by their names.
    wanted: Box<dyn Fn(&str) -> bool + Send + Sync>,
    objects: Mutex<Objects>,
    /// The targets of links, by the names of their objects.
    targets: Mutex<HashMap<Box<str>, Option<String>>>,
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Revision").field("folders", &self.folders.len()).finish_non_exhaustive()
    }
}

/// A process that prints objects.
struct Objects {
    /// Ends with this value.
    _process: Process,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    max_file_bytes: u64,
    /// The bytes that may still be read.
    left: u64,
    /// Why it cannot be asked any more: what it prints then may be anything.
    broken: Option<String>,
}

impl Revision {
    /// Lists the files of a commit or tree.
    ///
    /// # Errors
    /// Fails if git does, if there are too many, or if no folder could have them.
    pub(super) fn open(
        object: &ObjectName,
        wanted: impl Fn(&str) -> bool + Send + Sync + 'static,
        limits: &LimitSettings,
    ) -> Result<Self, Failure> {
        let arguments = ["ls-tree", "-r", "-t", "-z", "--full-tree", &object.0];
        let folders = under_account(limits, || git::output(&arguments, |list| folders(list, &wanted)))?;
        let folders = folders.map_err(|complaint| {
            Failure::Message(complaint.behind(&format!("git cannot list the files of {:?}", object.0)))
        })??;
        let failure = |error| Failure::Io { what: "git".to_owned(), error };
        let mut process = git::command(&["cat-file", "--batch"]);
        let process = process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failure)?;
        let mut process = Process(process);
        let (Some(input), Some(output)) = (process.0.stdin.take(), process.0.stdout.take()) else {
            return Err(Failure::Message("cannot write to git".to_owned()));
        };
        let source = limits.source();
        let objects = Objects {
            _process: process,
            input,
            output: BufReader::new(output),
            max_file_bytes: source.file_bytes,
            left: source.unpacked_bytes,
            broken: None,
        };
        Ok(Self { folders, wanted: Box::new(wanted), objects: Mutex::new(objects), targets: Mutex::default() })
    }

    /// Returns the files. In messages, they are named from this folder.
    pub(super) fn into_files(self, folder: &str) -> FileSet {
        FileSet::lazy(Box::new(self), folder)
    }

    /// Reads an object.
    fn content(&self, object: &ObjectName) -> Result<Vec<u8>, SourceError> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner).read(object)
    }

    /// Returns what is at a path that passes through no link.
    fn entry(&self, path: &str) -> Option<&Entry> {
        account::touch(path.len());
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        self.folders.get(folder)?.entries.get(name)
    }

    /// Returns the path to which a path leads, without links; `None` if it leads nowhere in the revision.
    fn resolve(&self, path: &str) -> Option<String> {
        let mut hops = MAX_HOPS;
        let mut open = Worklist::new(1, steps(path));
        let mut at = String::new();
        while let Some(step) = open.pop() {
            if step == ".." {
                let end = at.rfind('/').unwrap_or(0);
                if at.is_empty() {
                    return None;
                }
                at.truncate(end);
                continue;
            }
            let next = if at.is_empty() { step } else { format!("{at}/{step}") };
            match self.entry(&next)? {
                Entry::Link(object) => {
                    hops = hops.checked_sub(1)?;
                    let target = self.target(object).filter(|target| !target.starts_with('/'))?;
                    open.extend(steps(&target));
                }
                Entry::File(_) => return open.pop().is_none().then_some(next),
                Entry::Folder | Entry::Repository => at = next,
            }
        }
        Some(at)
    }

    /// Returns the target of a link as written.
    fn target(&self, object: &ObjectName) -> Option<String> {
        let mut targets = self.targets.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(target) = targets.get(&object.0) {
            return target.clone();
        }
        let target = self.content(object).ok().filter(|target| target.len() <= MAX_TARGET);
        let target = target.and_then(|target| String::from_utf8(target).ok());
        account::text(target.as_ref().map_or(0, String::len) + object.0.len());
        targets.insert(object.0.clone(), target.clone());
        target
    }

    /// Finds out what is at a path of a folder without links.
    fn classify(&self, path: &str) -> Node {
        match self.entry(path) {
            None if path.is_empty() => Node::Folder,
            None => Node::Nothing,
            Some(Entry::File(_)) => Node::File,
            Some(Entry::Folder | Entry::Repository) => Node::Folder,
            Some(Entry::Link(object)) => {
                let to = self.resolve(path);
                match to.as_ref().map(|to| (to, self.entry(to))) {
                    Some((_, Some(Entry::File(_)))) => Node::File,
                    Some((to, Some(Entry::Folder))) => Node::Link { to: to.clone(), is_indirect: false },
                    _ => {
                        let target = self.target(object).map(Into::into);
                        Node::Special { kind: SpecialKind::Link, target, problem: None }
                    }
                }
            }
        }
    }
}

/// Returns the steps of a path, the first one last.
fn steps(path: &str) -> impl Iterator<Item = String> {
    path.rsplit('/').filter(|step| !matches!(*step, "" | ".")).map(str::to_owned)
}

/// Reads the list of a revision's files.
///
/// # Errors
/// Fails if it cannot be read, or has what no folder could have: git lists whatever a tree says.
fn folders(list: &mut dyn Read, wanted: &dyn Fn(&str) -> bool) -> Result<BTreeMap<Box<str>, Folder>, Failure> {
    let mut list = BufReader::new(list);
    let mut folders = BTreeMap::from([("".into(), Folder::default())]);
    let mut text = Vec::new();
    let failure = |error| Failure::Io { what: "git".to_owned(), error };
    loop {
        text.clear();
        (&mut list).take(MAX_ENTRY).read_until(0, &mut text).map_err(failure)?;
        if text.pop().is_none() {
            return Ok(folders);
        }
        account::text(OVERHEAD + text.len());
        let words = String::from_utf8_lossy(&text);
        let Some((about, path)) = words.split_once('\t') else { continue };
        let strange = |what| Failure::Message(format!("the revision has the path {:?}{what}", short(path)));
        let mut about = about.split(' ');
        let (Some(mode), Some(_), Some(object)) = (about.next(), about.next(), about.next()) else { continue };
        let object = ObjectName::parse(object).ok_or_else(|| strange(", of which git does not say what it is"))?;
        let entry = match mode {
            "040000" => Entry::Folder,
            "120000" => Entry::Link(object),
            "160000" => Entry::Repository,
            _ => Entry::File(object),
        };
        let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
        if matches!(name, "" | "." | "..") || path.starts_with('/') {
            return Err(strange(", which no folder can have"));
        }
        let is_text = !matches!(words, Cow::Owned(_));
        // A folder comes before what is in it.
        let Some(parent) = folders.get_mut(folder) else {
            // Nothing can name what is in a folder whose name is no text.
            if is_text {
                return Err(strange(", which no folder can have"));
            }
            continue;
        };
        if !is_text {
            let is_wanted = matches!(entry, Entry::File(_) | Entry::Link(_)) && wanted(name);
            parent.unnamed = parent.unnamed.take().or_else(|| is_wanted.then(|| short(path).into()));
            continue;
        }
        let is_folder = matches!(entry, Entry::Folder);
        if parent.entries.insert(name.into(), entry).is_some() {
            return Err(strange(" twice"));
        }
        if is_folder {
            folders.insert(path.into(), Folder::default());
        }
    }
}

impl Objects {
    fn read(&mut self, object: &ObjectName) -> Result<Vec<u8>, SourceError> {
        if let Some(reason) = &self.broken {
            return Err(reason.clone().into());
        }
        // Also if it ends in between.
        self.broken = Some("git stopped answering".to_owned());
        let found = self.answer(object);
        self.broken = found.as_ref().err().map(ToString::to_string);
        found
    }

    fn answer(&mut self, ObjectName(object): &ObjectName) -> Result<Vec<u8>, SourceError> {
        writeln!(self.input, "{object}")?;
        self.input.flush()?;
        let mut head = Vec::new();
        (&mut self.output).take(MAX_HEAD).read_until(b'\n', &mut head)?;
        let head = String::from_utf8_lossy(&head);
        let mut words = head.trim_end().split(' ');
        let is_found = words.next() == Some(object);
        let (kind, size) = (words.next(), words.next().and_then(|size| size.parse::<u64>().ok()));
        let size = match (is_found, kind, size) {
            (true, Some("blob"), Some(size)) => size,
            (true, Some(kind), Some(_)) => {
                return Err(format!("the object {object:?} should be a file and is a {}", short(kind)).into());
            }
            _ => return Err(format!("git does not have the object {object:?}, or cannot read it").into()),
        };
        if size > self.max_file_bytes {
            return Err(format!("a file is over the limit max-file-bytes of {} bytes", self.max_file_bytes).into());
        }
        let left = self.left.checked_sub(size);
        self.left = left.ok_or("the files are over the limit max-unpacked-bytes")?;
        account::text(usize::try_from(size)?);
        let mut content = Vec::new();
        let read = (&mut self.output).take(size).read_to_end(&mut content)?;
        let mut end = [0];
        self.output.read_exact(&mut end)?;
        if read as u64 != size || end != *b"\n" {
            return Err(format!("git stopped within the object {object:?}").into());
        }
        Ok(content)
    }
}

impl FileSource for Revision {
    fn node(&self, path: &str) -> Result<Node, SourceError> {
        Ok(self.classify(path))
    }

    fn list(&self, folder: &str) -> Result<Vec<(String, Node)>, SourceError> {
        let Some(listed) = self.folders.get(folder) else { return Ok(Vec::new()) };
        if let Some(path) = &listed.unnamed {
            return Err(format!("{path:?}: the name of the file is not UTF-8").into());
        }
        let node = |name: &str| {
            let path = if folder.is_empty() { name.to_owned() } else { format!("{folder}/{name}") };
            (name.to_owned(), self.classify(&path))
        };
        Ok(listed.entries.keys().charged(1).map(|name| node(name)).collect())
    }

    fn tree(&self, folder: &str) -> Result<Listing, SourceError> {
        let mut found = Listing::default();
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let own = self.folders.get_key_value(folder).into_iter();
        let inside = self.folders.range::<str, _>((Bound::Included(start.as_str()), Bound::Unbounded));
        let inside = inside.take_while(|(path, _)| path.starts_with(&start));
        for (folder, inner) in own.chain(inside.filter(|(path, _)| !path.is_empty())).charged(1) {
            for (name, entry) in inner.entries.iter().charged(1) {
                let path = if folder.is_empty() { name.to_string() } else { format!("{folder}/{name}") };
                account::text(path.len());
                match entry {
                    Entry::File(_) => found.paths.push(path),
                    Entry::Link(_) => match self.classify(&path) {
                        Node::File => found.paths.push(path),
                        Node::Link { .. } => found.is_partial = true,
                        _ => {}
                    },
                    Entry::Folder => {}
                    Entry::Repository => found.is_partial = true,
                }
            }
        }
        Ok(found)
    }

    fn read(&self, path: &str) -> Result<Bytes, SourceError> {
        let problem = |what: &dyn fmt::Display| SourceError::from(format!("{:?}: {what}", short(path)));
        let real = self.resolve(path);
        match real.and_then(|real| self.entry(&real)) {
            Some(Entry::File(object)) => Ok(self.content(object).map_err(|error| problem(&error))?.into()),
            _ => Err(problem(&"it is not a file")),
        }
    }

    fn is_wanted(&self, name: &str) -> bool {
        (self.wanted)(name)
    }
}

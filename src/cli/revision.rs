//! A revision of the git repository in which the command runs, read by its objects with git's own plumbing: nothing is checked
//! out, and neither filters nor hooks run.

use std::collections::BTreeMap;
use std::fmt;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::{Mutex, PoisonError};

use bytes::Bytes;

use super::Failure;
use crate::settings::LimitSettings;
use overfold_base::echo::short;
use overfold_base::files::{FileSet, FileSource, Listing, Node, SourceError, SpecialKind};

/// What forces an argument to be a revision.
const FORCED: &str = "git:";
/// What stands between two revisions, the second of which is compared with where it left the first one.
const BETWEEN: &str = "...";
/// The bytes up to which the list of a revision's files is read.
const MAX_LIST: u64 = 256 << 20;
/// The bytes up to which the target of a link is read.
const MAX_TARGET: usize = 4096;
/// The number of links that one path may pass through.
const MAX_HOPS: u32 = 40;

/// The name of an object, in hexadecimal.
#[derive(Clone, Debug)]
pub(super) struct ObjectName(String);

/// Returns what an argument names in the repository; `None` if it is a path: one that exists, unless it begins with `git:`, or
/// what git does not know.
///
/// # Errors
/// Fails if the argument must be a revision and is none.
pub(super) fn named(argument: &Path) -> Result<Option<ObjectName>, Failure> {
    let Some(text) = argument.to_str() else { return Ok(None) };
    match text.strip_prefix(FORCED) {
        Some(revision) => match object(revision) {
            Some(found) => Ok(Some(found)),
            None => Err(unknown(revision)),
        },
        None if argument.exists() || text == "-" => Ok(None),
        None => Ok(object(text)),
    }
}

/// Returns both sides of `A...B`, as arguments: where B left A, and B; `None` if the argument is a path, or of another form.
///
/// # Errors
/// Fails if a side is no revision, or the two have nothing in common.
pub(super) fn pair(argument: &Path) -> Result<Option<[PathBuf; 2]>, Failure> {
    let text = argument.to_str().filter(|_| !argument.exists()).unwrap_or_default();
    let text = text.strip_prefix(FORCED).unwrap_or(text);
    let Some((before, after)) = text.split_once(BETWEEN) else { return Ok(None) };
    let head = |text: &str| if text.is_empty() { "HEAD".to_owned() } else { text.to_owned() };
    let (before, after) = (head(before), head(after));
    let Some(first) = object(&before) else { return Err(unknown(&before)) };
    let Some(second) = object(&after) else { return Err(unknown(&after)) };
    match line(&["merge-base", &first.0, &second.0]) {
        Some(base) => Ok(Some([base, second.0].map(|object| format!("{FORCED}{object}").into()))),
        None => {
            Err(Failure::Message(format!("{:?} and {:?} have no commit in common", short(&before), short(&after))))
        }
    }
}

fn unknown(revision: &str) -> Failure {
    Failure::Message(format!("{:?} is no revision of the git repository here", short(revision)))
}

/// Returns the folder of the repository in which the command runs, with a slash behind it; nothing at its top.
pub(super) fn prefix() -> String {
    line(&["rev-parse", "--show-prefix"]).unwrap_or_default()
}

/// Returns git, told to change and fetch nothing.
fn git(arguments: &[&str]) -> Command {
    let mut command = Command::new("git");
    command.args(["--no-replace-objects", "--literal-pathspecs"]).args(arguments);
    command.env("GIT_NO_LAZY_FETCH", "1").env("GIT_OPTIONAL_LOCKS", "0").env("GIT_TERMINAL_PROMPT", "0");
    command.stdin(Stdio::null()).stderr(Stdio::null());
    command
}

/// Returns the line that git prints; `None` if it fails.
fn line(arguments: &[&str]) -> Option<String> {
    let output = git(arguments).output().ok().filter(|output| output.status.success())?;
    let text = String::from_utf8(output.stdout).ok()?;
    Some(text.trim_end_matches('\n').to_owned())
}

/// Returns the object that a revision names.
fn object(revision: &str) -> Option<ObjectName> {
    if revision.is_empty() || revision.starts_with('-') || revision.contains(['\0', '\n']) {
        return None;
    }
    line(&["rev-parse", "--verify", "--quiet", revision]).map(ObjectName)
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

/// The files of a revision. They are read when something asks for them.
pub(super) struct Revision {
    entries: BTreeMap<String, Entry>,
    /// The names in each folder.
    folders: BTreeMap<String, Vec<String>>,
    /// Which files are read when their folder is listed, by their names.
    wanted: Box<dyn Fn(&str) -> bool + Send + Sync>,
    objects: Mutex<Objects>,
}

impl fmt::Debug for Revision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Revision").field("entries", &self.entries.len()).finish_non_exhaustive()
    }
}

/// A process that prints objects.
struct Objects {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    max_file_bytes: u64,
    /// The bytes that may still be read.
    left: u64,
    /// Whether it failed: what it prints then may be anything.
    is_broken: bool,
}

impl Drop for Objects {
    fn drop(&mut self) {
        // It may still be printing what nobody wants.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

impl Revision {
    /// Lists the files of a commit or tree.
    ///
    /// # Errors
    /// Fails if git does, or if there are too many.
    pub(super) fn open(
        object: &ObjectName,
        wanted: impl Fn(&str) -> bool + Send + Sync + 'static,
        limits: &LimitSettings,
    ) -> Result<Self, Failure> {
        let failure = |error| Failure::Io { what: "git".to_owned(), error };
        let mut list = git(&["ls-tree", "-r", "-t", "-z", "--full-tree", &object.0]);
        let mut list = list.stdout(Stdio::piped()).spawn().map_err(failure)?;
        let mut text = Vec::new();
        if let Some(output) = list.stdout.take() {
            output.take(MAX_LIST + 1).read_to_end(&mut text).map_err(failure)?;
        }
        let _ = list.kill();
        if text.len() as u64 > MAX_LIST {
            return Err(Failure::Message("the revision has too many files".to_owned()));
        }
        let _ = list.wait();
        let mut entries = BTreeMap::new();
        let mut folders: BTreeMap<String, Vec<String>> = BTreeMap::new();
        // A name that is no text cannot be named by anything.
        for entry in text.split(|byte| *byte == 0).filter_map(|entry| std::str::from_utf8(entry).ok()) {
            let Some((about, path)) = entry.split_once('\t') else { continue };
            let mut words = about.split(' ');
            let (Some(mode), Some(_), Some(object)) = (words.next(), words.next(), words.next()) else { continue };
            let object = ObjectName(object.to_owned());
            let entry = match mode {
                "040000" => Entry::Folder,
                "120000" => Entry::Link(object),
                "160000" => Entry::Repository,
                _ => Entry::File(object),
            };
            let (folder, name) = path.rsplit_once('/').unwrap_or(("", path));
            folders.entry(folder.to_owned()).or_default().push(name.to_owned());
            entries.insert(path.to_owned(), entry);
        }
        let mut process = git(&["cat-file", "--batch"]);
        let mut process = process.stdin(Stdio::piped()).stdout(Stdio::piped()).spawn().map_err(failure)?;
        let (Some(input), Some(output)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(Failure::Message("git takes no requests".to_owned()));
        };
        let source = limits.source();
        let objects = Objects {
            process,
            input,
            output: BufReader::new(output),
            max_file_bytes: source.file_bytes,
            left: source.unpacked_bytes,
            is_broken: false,
        };
        Ok(Self { entries, folders, wanted: Box::new(wanted), objects: Mutex::new(objects) })
    }

    /// Returns the files. In messages, they are named from this folder.
    pub(super) fn into_files(self, folder: &str) -> FileSet {
        FileSet::lazy(Box::new(self), folder)
    }

    /// Reads an object.
    fn content(&self, object: &ObjectName) -> Result<Vec<u8>, SourceError> {
        self.objects.lock().unwrap_or_else(PoisonError::into_inner).read(object)
    }

    /// Returns the path to which a path leads, without links; `None` if it leads nowhere in the revision.
    fn resolve(&self, path: &str) -> Option<String> {
        let mut hops = MAX_HOPS;
        let mut open: Vec<String> = path.rsplit('/').map(str::to_owned).collect();
        let mut at = String::new();
        while let Some(step) = open.pop() {
            match step.as_str() {
                "" | "." => continue,
                ".." => {
                    let end = at.rfind('/').unwrap_or(0);
                    if at.is_empty() {
                        return None;
                    }
                    at.truncate(end);
                    continue;
                }
                _ => {}
            }
            let next = if at.is_empty() { step } else { format!("{at}/{step}") };
            let Some(Entry::Link(object)) = self.entries.get(&next) else {
                at = next;
                continue;
            };
            hops = hops.checked_sub(1)?;
            let target = self.target(object).filter(|target| !target.starts_with('/'))?;
            open.extend(target.rsplit('/').map(str::to_owned));
        }
        (at.is_empty() || self.entries.contains_key(&at)).then_some(at)
    }

    /// Returns the target of a link as written.
    fn target(&self, object: &ObjectName) -> Option<String> {
        let target = self.content(object).ok().filter(|target| target.len() <= MAX_TARGET)?;
        String::from_utf8(target).ok()
    }

    /// Finds out what is at a path of a folder without links.
    fn classify(&self, path: &str) -> Node {
        match self.entries.get(path) {
            None => Node::Nothing,
            Some(Entry::File(_)) => Node::File,
            Some(Entry::Folder | Entry::Repository) => Node::Folder,
            Some(Entry::Link(object)) => {
                let to = self.resolve(path);
                match to.as_ref().map(|to| (to, self.entries.get(to))) {
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

impl Objects {
    fn read(&mut self, ObjectName(object): &ObjectName) -> Result<Vec<u8>, SourceError> {
        if std::mem::replace(&mut self.is_broken, true) {
            return Err("git cannot be asked any more".into());
        }
        writeln!(self.input, "{object}")?;
        self.input.flush()?;
        let mut head = String::new();
        self.output.read_line(&mut head)?;
        let size = head.trim_end().rsplit(' ').next().and_then(|size| size.parse::<u64>().ok());
        let Some(size) = size.filter(|_| head.starts_with(object.as_str())) else {
            return Err(format!("git does not have the object {:?}", short(object)).into());
        };
        if size > self.max_file_bytes {
            return Err(format!("a file is over the limit max-file-bytes of {} bytes", self.max_file_bytes).into());
        }
        let left = self.left.checked_sub(size);
        self.left = left.ok_or("the files are over the limit max-unpacked-bytes")?;
        let mut content = Vec::new();
        (&mut self.output).take(size).read_to_end(&mut content)?;
        let mut end = [0];
        self.output.read_exact(&mut end)?;
        self.is_broken = false;
        Ok(content)
    }
}

impl FileSource for Revision {
    fn node(&self, path: &str) -> Result<Node, SourceError> {
        Ok(self.classify(path))
    }

    fn list(&self, folder: &str) -> Result<Vec<(String, Node)>, SourceError> {
        let names = self.folders.get(folder).into_iter().flatten();
        let node = |name: &String| {
            let path = if folder.is_empty() { name.clone() } else { format!("{folder}/{name}") };
            (name.clone(), self.classify(&path))
        };
        Ok(names.map(node).collect())
    }

    fn tree(&self, folder: &str) -> Result<Listing, SourceError> {
        let start = if folder.is_empty() { String::new() } else { format!("{folder}/") };
        let mut found = Listing::default();
        let inside = self.entries.range(start.clone()..).take_while(|(path, _)| path.starts_with(&start));
        for (path, entry) in inside {
            match entry {
                Entry::File(_) => found.paths.push(path.clone()),
                Entry::Link(_) => match self.classify(path) {
                    Node::File => found.paths.push(path.clone()),
                    Node::Link { .. } => found.is_partial = true,
                    _ => {}
                },
                Entry::Folder => {}
                Entry::Repository => found.is_partial = true,
            }
        }
        Ok(found)
    }

    fn read(&self, path: &str) -> Result<Bytes, SourceError> {
        let real = self.resolve(path);
        match real.and_then(|real| self.entries.get(&real)) {
            Some(Entry::File(object)) => Ok(self.content(object)?.into()),
            _ => Err(format!("{:?} is not a file", short(path)).into()),
        }
    }

    fn is_wanted(&self, name: &str) -> bool {
        (self.wanted)(name)
    }
}

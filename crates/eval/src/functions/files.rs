//! Files and paths (expressions.md, section 10). Only the request's own files are read; anything that depends on the
//! machine is unknown.

use std::collections::HashSet;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;

use super::{CallContext, Function, FunctionError, Outcome, Returns, Variation, argument, glob, param};
use crate::{Entry, MissingFile, TemplateError};
use overfold_base::account::{self, ChargedText, List};
use overfold_base::files::{FileSet, SourceFile};
use overfold_value::{Type, Value, excerpt, with_stack};

pub(super) fn rows() -> Vec<Function> {
    let path = || [param("path", Type::String)];
    let text = || Returns::Fixed(Type::String);
    vec![
        Function::new("file", path(), text(), file),
        Function::new("filebase64", path(), text(), file_base64),
        Function::new("fileexists", path(), Returns::Fixed(Type::Bool), exists),
        Function::new(
            "fileset",
            [param("path", Type::String), param("pattern", Type::String)],
            Returns::Fixed(Type::set(Type::String)),
            set,
        ),
        Function::new(
            "templatefile",
            [param("path", Type::String), param("vars", Type::Dynamic).doubt()],
            Returns::Fixed(Type::Dynamic),
            template,
        ),
        Function::new("abspath", path(), text(), |args, _, context| absolute(args, context)),
        Function::new("basename", path(), text(), |args, _, _| Ok(Value::text(base(argument(args, 0))))),
        Function::new("dirname", path(), text(), |args, _, _| Ok(Value::text(folder(argument(args, 0))))),
        Function::new("pathexpand", path(), text(), |args, _, context| expand(args, context)),
    ]
}

fn is_identifier(text: &str) -> bool {
    !text.is_empty() && overfold_syntax::native::identifier_length(text) == text.len()
}

/// Returns the bytes of the file named by the first argument; `None` if its content is not in the request.
pub(super) fn read(
    args: &[Value],
    context: &CallContext<'_, '_>,
    blame: Option<usize>,
) -> Result<Option<Bytes>, FunctionError> {
    let path = argument(args, 0);
    let wrong = |why: &str| Err(FunctionError { argument: blame, message: format!("{:?} {why}", excerpt(path)) });
    match context.files().map(|files| files.entry(path)) {
        Some(Entry::File(bytes)) => Ok(Some(bytes)),
        Some(Entry::Folder) => wrong("is a directory"),
        Some(Entry::Nothing) if context.files().is_some_and(|files| files.missing == MissingFile::Unknown) => {
            Ok(None)
        }
        Some(Entry::Nothing) => wrong("is not among the given files"),
        Some(Entry::BelowFile) => wrong("is below a file, which is not a directory"),
        Some(Entry::TooLong) => wrong("is no path that a system accepts"),
        Some(Entry::Special | Entry::Outside) | None => Ok(None),
    }
}

fn file(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let Some(bytes) = read(args, context, Some(0))? else {
        return Ok(context.without_file(argument(args, 0), Value::unknown(Type::String)));
    };
    match std::str::from_utf8(bytes.scanned(32)) {
        Ok(text) => Ok(Value::text(text)),
        Err(_) => {
            Err(FunctionError::new(format!("the content of {:?} is not valid UTF-8", excerpt(argument(args, 0)))))
        }
    }
}

fn file_base64(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let Some(bytes) = read(args, context, Some(0))? else {
        return Ok(context.without_file(argument(args, 0), Value::unknown(Type::String)));
    };
    Ok(Value::text(STANDARD.encode(bytes.scanned(32))))
}

fn exists(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let path = argument(args, 0);
    match context.files().map(|files| files.entry(path)) {
        Some(Entry::File(_)) => Ok(Value::bool(true)),
        Some(Entry::Nothing) => Ok(Value::bool(false)),
        Some(Entry::Folder) => Err(FunctionError::new(format!("{:?} is a directory, not a file", excerpt(path)))),
        Some(Entry::BelowFile) => {
            Err(FunctionError::new(format!("{:?} is below a file, which is not a directory", excerpt(path))))
        }
        Some(Entry::TooLong) => {
            Err(FunctionError::new(format!("{:?} is no path that a system accepts", excerpt(path))))
        }
        Some(Entry::Special | Entry::Outside) | None => Ok(context.without_file(path, Value::unknown(Type::Bool))),
    }
}

/// The maximum length in bytes of a path with a pattern: several times that of any path in a request.
const PATTERN_LIMIT: usize = 4 * 1024;

fn set(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let (path, pattern) = (argument(args, 0), argument(args, 1));
    let unknown = || Ok(context.without_file(path, Value::unknown(Type::set(Type::String))));
    let Some(files) = context.files() else { return unknown() };
    // Both begin at the folder of the root module, also if one of them is empty or begins with a slash.
    let joined = if path.is_empty() { format!("./{pattern}") } else { format!("{path}/{pattern}") };
    let (Some(from), Some(glob)) = (files.resolve(path), files.resolve(&joined)) else { return unknown() };
    let Some((from, glob)) = without_links(files.files, from, glob) else { return unknown() };
    if glob.len().max(from.len()) > PATTERN_LIMIT {
        return Err(FunctionError::new(format!(
            "a path with a pattern must not be longer than {PATTERN_LIMIT} bytes"
        )));
    }
    let found = Search::new(files.files, &glob)
        .matches()
        .map_err(|glob::Malformed| FunctionError::new(format!("the pattern {:?} is not valid", excerpt(pattern))))?;
    let up_to_top = memchr::memchr_iter(b'/', from.as_bytes()).count() as u64;
    let found = found.into_iter().map(|path| {
        account::work(2 + up_to_top / 4 + path.len() as u64 / 32);
        Value::text(relative(&from, path))
    });
    Ok(Value::set(Type::String, found.collect()))
}

/// A search for the files whose paths match a pattern, folder by folder.
struct Search<'f, 'p> {
    /// The files that may match, sorted by path.
    files: &'f [SourceFile],
    parts: Vec<&'p str>,
    found: List<&'f str>,
    /// The folders that have been searched, each with the part of the pattern that its names were held against.
    searched: HashSet<(usize, usize, usize)>,
}

/// A folder: the length of its path with the slash behind it, and the first of the files below it.
#[derive(Clone, Copy)]
struct Folder {
    length: usize,
    first: usize,
}

impl<'f, 'p> Search<'f, 'p> {
    fn new(files: &'f FileSet, pattern: &'p str) -> Self {
        let (folder, deep) = searched(pattern);
        let files = files.below(&folder, deep);
        Self { files, parts: glob::parts(pattern), found: List::new(), searched: HashSet::new() }
    }

    /// Returns the paths that match.
    fn matches(mut self) -> Result<Vec<&'f str>, glob::Malformed> {
        self.search(Folder { length: 0, first: 0 }, 0)?;
        Ok(self.found.into_vec())
    }

    /// Returns the path of a file.
    fn path(&self, index: usize) -> &'f str {
        account::work(1);
        self.files.get(index).map_or("", |file| file.path.as_str())
    }

    /// Returns the path of a folder, with a slash at its end if it has one.
    fn above(&self, folder: Folder) -> &'f str {
        self.path(folder.first).get(..folder.length).unwrap_or_default()
    }

    /// Returns the files from the first one below a folder on.
    fn from(&self, folder: Folder) -> &'f [SourceFile] {
        self.files.get(folder.first..).unwrap_or_default()
    }

    /// Returns the folders and files directly in a folder: the name, and the folder or the path of the file.
    fn names(&self, folder: Folder) -> Vec<(&'f str, Result<Folder, &'f str>)> {
        let above = self.above(folder);
        let mut names = List::new();
        let mut index = folder.first;
        while index < self.files.len()
            && let Some(below) = self.path(index).strip_prefix(above)
        {
            account::work(4 + above.len() as u64 / 32);
            match below.split_once('/') {
                None => {
                    names.push((below, Err(self.path(index))));
                    index += 1;
                }
                Some((name, _)) => {
                    let inner = Folder { length: folder.length + name.len() + 1, first: index };
                    names.push((name, Ok(inner)));
                    index = self.after(inner);
                }
            }
        }
        names.into_vec()
    }

    /// Returns the position after the last file below a folder.
    fn after(&self, folder: Folder) -> usize {
        let (path, rest) = (self.above(folder), self.from(folder));
        account::work(16 + path.len() as u64 / 8);
        folder.first + rest.partition_point(|file| file.path.as_str().starts_with(path)).max(1)
    }

    /// Holds the names below a folder against the parts of the pattern from `part` on. Of the faults of the pattern that
    /// names reach, the tool reports those in the last folder that it looks at.
    fn search(&mut self, folder: Folder, part: usize) -> Result<(), glob::Malformed> {
        let plain = self.parts.iter().skip(part).take_while(|part| !glob::is_pattern(part)).count();
        let Some(folder) = self.descend(folder, part, plain) else { return Ok(()) };
        let part = part + plain;
        account::work(8);
        if !self.searched.insert((folder.length, folder.first, part)) {
            return Ok(());
        }
        let names = self.names(folder);
        let Some(&pattern) = self.parts.get(part) else { return Ok(()) };
        let mut part = part;
        if pattern == "**" {
            let ends = part + 1 == self.parts.len();
            let mut outcome = Ok(());
            for (_, entry) in &names {
                match *entry {
                    Ok(inner) => outcome = with_stack(|| self.search(inner, part)),
                    Err(path) if ends => self.found.push(path),
                    Err(_) => {}
                }
            }
            if ends {
                return outcome;
            }
            part += 1;
        }
        let Some(&pattern) = self.parts.get(part) else { return Ok(()) };
        let ends = part + 1 == self.parts.len();
        let mut outcome = Ok(());
        for (name, entry) in names {
            outcome = Ok(());
            if glob::matches(pattern, name)? {
                match entry {
                    Ok(inner) if !ends => outcome = with_stack(|| self.search(inner, part + 1)),
                    Err(path) if ends => self.found.push(path),
                    _ => {}
                }
            }
        }
        outcome
    }

    /// Follows so many parts of the pattern that are names. Returns the folder that they lead to; `None` if it is not there,
    /// or if they lead to a file, which is found if they are the last parts.
    fn descend(&mut self, folder: Folder, part: usize, count: usize) -> Option<Folder> {
        if count == 0 {
            return Some(folder);
        }
        let mut path = self.above(folder).to_owned();
        path.push_str(&self.parts.get(part..part + count).unwrap_or_default().join("/"));
        account::touch(path.len() * 16);
        let rest = self.from(folder);
        let at = folder.first + rest.partition_point(|file| file.path.as_str() < path.as_str());
        if part + count == self.parts.len() {
            let found = self.path(at);
            if !found.is_empty() && found == path {
                self.found.push(found);
            }
            return None;
        }
        path.push('/');
        let at = folder.first + rest.partition_point(|file| file.path.as_str() < path.as_str());
        self.path(at).starts_with(&path).then_some(Folder { length: path.len(), first: at })
    }
}

/// Returns the folder in which files can match a pattern, and whether they may be deeper down than in the folder itself.
fn searched(glob: &str) -> (String, bool) {
    let mut segments = glob.touched().split('/').peekable();
    let mut folder = String::new();
    // The last segment is the name of a file.
    while let Some(segment) = segments.next_if(|segment| !segment.contains(['*', '?', '[', '{', '\\']))
        && segments.peek().is_some()
    {
        if !folder.is_empty() {
            folder.push('/');
        }
        folder.push_str(segment);
    }
    let pattern = glob.strip_prefix(&*folder).unwrap_or_default();
    let deep = pattern.trim_start_matches('/').contains('/') || pattern.contains("**");
    (folder, deep)
}

/// Returns a folder and a pattern of paths in it, both with links to folders resolved. Returns `None` if there are
/// further links in that folder: the tool follows them, even in circles until the system refuses, which no
/// configuration intends.
fn without_links(files: &FileSet, from: String, glob: String) -> Option<(String, String)> {
    if !files.has_links() {
        return Some((from, glob));
    }
    let real = files.real_path(&from).into_owned();
    let pattern = if from.is_empty() { &*glob } else { glob.strip_prefix(&*from)?.strip_prefix('/')? };
    let glob = if real.is_empty() { pattern.to_owned() } else { format!("{real}/{pattern}") };
    let (folder, deep) = searched(&glob);
    if files.has_links_below(&real, false) || deep && files.has_links_below(&folder, true) {
        return None;
    }
    Some((real, glob))
}

/// Returns `path` relative to the folder `from`; both are inside the request.
fn relative(from: &str, path: &str) -> String {
    if from == path {
        return ".".to_owned();
    }
    let mut from = from.split('/').filter(|part| !part.is_empty()).peekable();
    let mut rest = path;
    while let Some(&folder) = from.peek()
        && let Some((first, behind)) = rest.split_once('/')
        && first == folder
    {
        from.next();
        rest = behind;
    }
    let mut relative = "../".repeat(from.count());
    relative.push_str(rest);
    relative
}

fn template(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let path = argument(args, 0);
    let Some(variables) = args.get(1) else { return Ok(Value::dynamic()) };
    let Some(bytes) = read(args, context, Some(0))? else { return Ok(context.without_file(path, Value::dynamic())) };
    if std::str::from_utf8(&bytes).is_err() {
        return Err(FunctionError::new(format!("the content of {:?} is not valid UTF-8", excerpt(path))));
    }
    check_variables(variables)?;
    account::work(bytes.len() as u64 / 4);
    let nests = context.has(Variation::TemplatesNest)
        && context.env.scope.functions.is_some_and(|functions| functions.nesting() < DEEPEST_TEMPLATE);
    let without: &[&str] = if nests { &[] } else { &["templatefile", "templatestring"] };
    rendered(context.render(path, bytes, variables, without), path)
}

/// How many templates may be rendered inside of each other.
const DEEPEST_TEMPLATE: u16 = 1024;

/// Checks that a known value can be the variables of a template: an object or map whose keys are names. The error
/// points at the second argument.
pub(super) fn check_variables(variables: &Value) -> Result<(), FunctionError> {
    let Some(entries) = variables.as_entries() else {
        return Err(FunctionError::argument(1, "the variables must be an object or a map"));
    };
    // Names are checked here, and put into a tree afterwards.
    account::work(entries.iter().map(|(key, _)| key.len() as u64 / 8 + 4).sum());
    if let Some((key, _)) = entries.iter().find(|(key, _)| !is_identifier(key)) {
        return Err(FunctionError::argument(1, format!("{:?} is not a valid variable name", excerpt(key))));
    }
    Ok(())
}

/// Converts the result of rendering a template to the outcome of the call that rendered it.
pub(super) fn rendered(result: Result<Value, TemplateError>, name: &str) -> Outcome {
    let first = |found: &overfold_base::diag::Diagnostics| {
        found.iter().next().map(|first| format!("{}: {}", first.summary, first.detail)).unwrap_or_default()
    };
    match result {
        Ok(value) if value.is_null() => {
            Err(FunctionError::new(format!("the result of the template {name:?} is null")))
        }
        Ok(value) => Ok(value),
        Err(TemplateError::Syntax(found)) => {
            Err(FunctionError::new(format!("the template {name:?} is not valid. {}", first(&found))))
        }
        Err(TemplateError::UnknownName(unknown)) => Err(FunctionError::argument(
            1,
            format!(
                "the template {name:?} uses the variable {:?}, but no value is provided for it",
                excerpt(&unknown)
            ),
        )),
        Err(TemplateError::Evaluation(found)) => {
            Err(FunctionError::new(format!("the template {name:?} cannot be evaluated. {}", first(&found))))
        }
    }
}

/// Charges for splitting a path into its parts.
pub(crate) fn charge_path(path: &str) {
    let parts = memchr::memchr_iter(b'/', path.as_bytes()).count();
    account::work(parts as u64 / 2 + path.len() as u64 / 64);
}

/// Returns a path with `.`, `..` and repeated slashes resolved; `.` if it is empty.
pub fn clean(path: &str) -> String {
    charge_path(path);
    let rooted = path.starts_with('/');
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => match parts.last() {
                Some(&last) if last != ".." => {
                    parts.pop();
                }
                _ if rooted => {}
                _ => parts.push(".."),
            },
            part => parts.push(part),
        }
    }
    match (rooted, parts.is_empty()) {
        (true, _) => format!("/{}", parts.join("/")),
        (false, true) => ".".to_owned(),
        (false, false) => parts.join("/"),
    }
}

/// The path by which it is noted that something depends on the directory in which the tool is run.
pub const WORKING_DIRECTORY: &str = ".";

fn absolute(args: &[Value], context: &CallContext<'_, '_>) -> Outcome {
    let path = argument(args, 0);
    if path.starts_with('/') {
        return Ok(Value::text(clean(path)));
    }
    // A relative path depends on the working directory of the machine that runs the tool.
    match context.files().and_then(|files| files.cwd) {
        Some(_) if is_absolute(path) => Ok(Value::text(clean(path))),
        Some(cwd) => Ok(Value::text(clean(&format!("{cwd}/{path}")))),
        None => Ok(context.without_file(WORKING_DIRECTORY, Value::unknown(Type::String))),
    }
}

/// Whether a path starts at the top of a system, or of a drive of one.
pub fn is_absolute(path: &str) -> bool {
    let on_drive = |path: &[u8]| matches!(path, [drive, b':', b'/', ..] if drive.is_ascii_alphabetic());
    path.starts_with('/') || on_drive(path.as_bytes())
}

fn base(path: &str) -> &str {
    charge_path(path);
    if path.is_empty() {
        return ".";
    }
    let trimmed = path.trim_end_matches('/');
    if trimmed.is_empty() { "/" } else { trimmed.rsplit('/').next().unwrap_or(trimmed) }
}

fn folder(path: &str) -> String {
    charge_path(path);
    match path.rsplit_once('/') {
        Some((folder, _)) => clean(if folder.is_empty() { "/" } else { folder }),
        None => ".".to_owned(),
    }
}

fn expand(args: &[Value], context: &CallContext<'_, '_>) -> Outcome {
    let path = argument(args, 0);
    match path.strip_prefix('~') {
        None => Ok(Value::text(path)),
        // The home directory of the user who runs the tool.
        Some(rest) if rest.is_empty() || rest.starts_with('/') => {
            Ok(context.without_file("~", Value::unknown(Type::String)))
        }
        Some(_) => Err(FunctionError::new("the home directory of another user is not available")),
    }
}

#[cfg(test)]
mod tests {
    use super::{base, clean, folder, relative};

    #[test]
    fn paths() {
        for (path, cleaned, name, parent) in [
            ("/a/b/../c/./d//e/", "/a/c/d/e", "e", "/a/c/d/e"),
            ("", ".", ".", "."),
            ("a", "a", "a", "."),
            ("/", "/", "/", "/"),
            ("../x/..", "..", "..", "../x"),
            ("/..", "/", "..", "/"),
        ] {
            assert_eq!(
                (clean(path).as_str(), base(path), folder(path).as_str()),
                (cleaned, name, parent),
                "{path:?}"
            );
        }
        assert_eq!(relative("sub/deep", "sub/b.json"), "../b.json");
        assert_eq!(relative("", "sub/b.json"), "sub/b.json");
        assert_eq!(relative("sub", "sub/b.json"), "b.json");
    }
}

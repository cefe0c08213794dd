//! Files and paths (expressions.md, section 10). Only the request's own files are read; anything that depends on the
//! machine is unknown.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use globset::{GlobBuilder, GlobSet};

use super::{CallContext, Function, FunctionError, Outcome, Returns, param};
use crate::{Entry, TemplateError};
use overfold_base::account;
use overfold_base::files::FileSet;
use overfold_value::{Type, Value, excerpt};

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
            [param("path", Type::String), param("vars", Type::Dynamic)],
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

pub(super) fn argument(args: &[Value], index: usize) -> &str {
    args.get(index).and_then(Value::as_text).unwrap_or_default()
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
        Some(Entry::Nothing) => wrong("is not among the files of the request"),
        Some(Entry::BelowFile) => wrong("is below a file, which is not a directory"),
        Some(Entry::TooLong) => wrong("is longer than a path can be"),
        Some(Entry::Special | Entry::Outside) | None => Ok(None),
    }
}

fn file(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let Some(bytes) = read(args, context, Some(0))? else {
        return Ok(context.without_file(argument(args, 0), Value::unknown(Type::String)));
    };
    account::work(bytes.len() as u64 / 32);
    match std::str::from_utf8(&bytes) {
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
    account::work(bytes.len() as u64 / 32);
    Ok(Value::text(STANDARD.encode(&bytes)))
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
        Some(Entry::TooLong) => Err(FunctionError::new(format!("{:?} is longer than a path can be", excerpt(path)))),
        Some(Entry::Special | Entry::Outside) | None => Ok(context.without_file(path, Value::unknown(Type::Bool))),
    }
}

/// The maximum length in bytes of a path with a pattern: several times that of any path in a request.
const PATTERN_LIMIT: usize = 4 * 1024;

fn set(args: &[Value], _: &Type, context: &mut CallContext<'_, '_>) -> Outcome {
    let (path, pattern) = (argument(args, 0), argument(args, 1));
    let unknown = || Ok(context.without_file(path, Value::unknown(Type::set(Type::String))));
    let Some(files) = context.files() else { return unknown() };
    let (Some(from), Some(glob)) = (files.resolve(path), files.resolve(&format!("{path}/{pattern}"))) else {
        return unknown();
    };
    let Some((from, glob)) = without_links(files.files, from, glob) else { return unknown() };
    if glob.len().max(from.len()) > PATTERN_LIMIT {
        return Err(FunctionError::new(format!(
            "a path with a pattern must not be longer than {PATTERN_LIMIT} bytes"
        )));
    }
    ask_names(files.files, &glob);
    // The pattern is compiled to an automaton, and every path is matched against it.
    account::work(200 + glob.len() as u64 * 200);
    account::work(files.files.files().iter().map(|file| file.path.as_str().len() as u64 / 8 + 4).sum());
    let unreadable = |error: globset::Error| {
        FunctionError::new(format!("the pattern {:?} is not valid: {}", excerpt(pattern), error.kind()))
    };
    let glob = GlobBuilder::new(&glob).literal_separator(true).backslash_escape(true).build().map_err(unreadable)?;
    let matcher = GlobSet::new([glob]).map_err(unreadable)?;
    let found = files.files.files().iter().map(|file| file.path.as_str()).filter(|path| matcher.is_match(path));
    let up_to_top = memchr::memchr_iter(b'/', from.as_bytes()).count() as u64;
    let found = found.map(|path| {
        account::work(2 + up_to_top / 4 + path.len() as u64 / 32);
        Value::text(relative(&from, path))
    });
    Ok(Value::set(Type::String, found.collect()))
}

/// Tells the files that the names that match a pattern are about to be looked at.
fn ask_names(files: &FileSet, glob: &str) {
    account::touch(glob.len());
    let mut segments = glob.split('/').peekable();
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
    files.ask_names(&folder, pattern.trim_start_matches('/').contains(['/', '{']) || pattern.contains("**"));
}

/// Returns a folder and a pattern of paths in it, both with links to folders resolved. Returns `None` if there are
/// further links in that folder: the tool follows them, even in circles until the system refuses, which no
/// configuration intends.
fn without_links(files: &FileSet, from: String, glob: String) -> Option<(String, String)> {
    if files.linked_folders().next().is_none() {
        return Some((from, glob));
    }
    account::work(files.linked_folders().count() as u64);
    let real = files.real_path(&from).into_owned();
    let mut links = files.linked_folders();
    if links.any(|(link, _)| real.is_empty() || link.strip_prefix(&*real).is_some_and(|rest| rest.starts_with('/'))) {
        return None;
    }
    let pattern = if from.is_empty() { &*glob } else { glob.strip_prefix(&*from)?.strip_prefix('/')? };
    let glob = if real.is_empty() { pattern.to_owned() } else { format!("{real}/{pattern}") };
    Some((real, glob))
}

/// Returns `path` relative to the folder `from`; both are inside the request.
fn relative(from: &str, path: &str) -> String {
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
    rendered(context.render(path, bytes, variables, &["templatefile", "templatestring"]), path)
}

/// Checks that a known value can be the variables of a template: an object or map whose keys are names. The error
/// points at the second argument.
pub(super) fn check_variables(variables: &Value) -> Result<(), FunctionError> {
    let Some(entries) = variables.entries() else {
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
fn clean(path: &str) -> String {
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
    // A relative path depends on the working directory of the machine that runs the tool.
    let unknown = || context.without_file(WORKING_DIRECTORY, Value::unknown(Type::String));
    Ok(if path.starts_with('/') { Value::text(clean(path)) } else { unknown() })
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

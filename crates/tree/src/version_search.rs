//! Looks for the version that a repository means: what a version file says, else what its modules require, else the default.

use std::borrow::Cow;
use std::collections::{BTreeSet, VecDeque};
use std::sync::Arc;

use bytes::Bytes;
use overfold_base::account::{self, ChargedIterator, List};
use overfold_base::diag::{Diagnostic, TextRange};
use overfold_base::echo::short;
use overfold_base::files::{FileSet, Range, Source, SourceKind, Sources};
use overfold_base::versions::{Constraints, Version};
use overfold_dialect as dialect;
use overfold_load::loading::{self, Request, RequestError, ToolStage};
use overfold_load::meant_version::{AUTO, VersionFrom, VersionSource};
use overfold_load::tool_version::{all_constraints, codes};
use overfold_syntax::Forest;
use regex::RegexBuilder;
use toml_edit::{Document, Item, Value};

/// Returns the names of the files that may name a version, of any dialect.
pub fn file_names() -> impl Iterator<Item = &'static str> {
    dialect::version_files().chain([TOOL_VERSIONS, MISE])
}

const TOOL_VERSIONS: &str = ".tool-versions";
const MISE: &str = "mise.toml";

/// The size beyond which a version file is not read, in bytes.
const MAX_FILE: usize = 64 << 10;

/// Returns the request with the version that the repository means, if it asks for that; otherwise the request itself.
///
/// # Errors
/// [`RequestError`] if the request cannot be met, whatever the version.
pub fn with_meant_version<'r>(files: &FileSet, request: &'r Request) -> Result<Cow<'r, Request>, RequestError> {
    if request.version.as_deref() != Some(AUTO) {
        return Ok(Cow::Borrowed(request));
    }
    let by_default = Request { version: None, ..request.clone() };
    loading::dialect_of(files, &by_default)?;
    let (version, from) = Search { files, request: &by_default, constraints: None }.find();
    Ok(Cow::Owned(Request { version, version_from: Some(Arc::new(from)), ..by_default }))
}

/// A version that a file names: the text, and its bytes in the file.
struct NamedVersion {
    text: String,
    at: std::ops::Range<usize>,
}

/// Reads what a file says of the version of a tool.
type VersionReader = fn(&str, &str) -> Option<NamedVersion>;

struct Search<'r> {
    files: &'r FileSet,
    request: &'r Request,
    /// What the modules require, once it has been read.
    constraints: Option<Vec<StatedConstraint>>,
}

/// A constraint that a module states.
struct StatedConstraint {
    constraints: Constraints,
    place: (String, Range),
}

impl Search<'_> {
    fn find(mut self) -> (Option<String>, VersionFrom) {
        let tool = self.request.dialect.clone();
        let own_file = dialect::rows(&tool).and_then(|rows| rows.version_file);
        let is_versioned = own_file.is_some();
        let files: [(&str, VersionSource, VersionReader); 3] = [
            (own_file.unwrap_or_default(), VersionSource::VersionFile, version_file),
            (TOOL_VERSIONS, VersionSource::ToolVersions, tool_versions),
            (MISE, VersionSource::Mise, mise),
        ];
        for (name, source, read) in files.into_iter().filter(|_| is_versioned) {
            for (path, content) in self.nearest(name).touched_by(|(_, content)| content.len()) {
                let Some(text) = Some(&content).filter(|text| text.len() <= MAX_FILE) else { continue };
                let Some(named) = std::str::from_utf8(text).ok().and_then(|text| read(text, &tool)) else { continue };
                let Some((version, is_known)) = self.meaning(&named.text) else { continue };
                let place = Some((path.clone(), range_in(&path, &content, named.at)));
                let unknown = (!is_known).then(|| Arc::from(named.text));
                return (Some(version), VersionFrom { source, place, unknown, root: self.request.root.clone() });
            }
        }
        let allowed = is_versioned.then(|| self.allowed().next_back()).flatten();
        let first = self.stated().first().map(|stated| stated.place.clone());
        let root = self.request.root.clone();
        match (allowed, first) {
            (Some(version), Some(place)) => {
                let source = VersionSource::RequiredVersion;
                (Some(version), VersionFrom { source, place: Some(place), unknown: None, root })
            }
            _ => (None, VersionFrom { source: VersionSource::Default, place: None, unknown: None, root }),
        }
    }

    /// Returns the files of a name in the module directory and above it, the nearest first, with their paths.
    fn nearest(&self, name: &str) -> Vec<(String, Bytes)> {
        let mut found = Vec::new();
        let mut folder = Some(self.request.root.as_str());
        while let Some(path) = folder {
            account::work(4);
            let file = if path.is_empty() { name.to_owned() } else { format!("{path}/{name}") };
            if let Some(content) = self.files.get(&file) {
                found.push((self.files.shown(&file).to_owned(), content.bytes.clone()));
            }
            // What is above the top of the files is not looked at, even where they are read from a disk.
            let is_top = self.files.shown(path).is_empty();
            folder = (!is_top).then(|| path.rsplit_once('/').map_or("", |(outer, _)| outer));
        }
        let above = self.request.version_files.iter().filter(|file| file.name == name);
        found.extend(above.map(|file| (file.path.clone(), file.content.clone())));
        found
    }

    /// Returns the version that a text stands for, and whether it is one that is known; `None` if it stands for none. The
    /// words are those of tfenv and tenv.
    fn meaning(&mut self, text: &str) -> Option<(String, bool)> {
        let known = |version: Option<String>| version.map(|version| (version, true));
        match text.split_once(':').unwrap_or((text, "")) {
            ("latest" | "latest-stable", "") => known(self.known().rfind(|version| is_release(version))),
            ("latest-pre", "") => known(self.known().next_back()),
            ("latest", pattern) => {
                let pattern = RegexBuilder::new(pattern).size_limit(1 << 20).build().ok()?;
                known(self.known().rfind(|version| pattern.is_match(version)))
            }
            ("latest-allowed", "") => known(self.allowed().next_back()),
            ("min-required", "") => known(self.allowed().next()),
            (text, "") if text.contains(['<', '>', '=', '~', '!', ',']) => {
                let constraints = Constraints::parse(text)?;
                known(self.known().rfind(|version| is_release(version) && allows(&constraints, version)))
            }
            (text, "") => match dialect::find(&self.request.dialect, Some(text)) {
                Ok(table) => Some((table.version.to_owned(), true)),
                Err(_) => Some((self.nearest_to(&Version::parse(text.strip_prefix('v').unwrap_or(text))?)?, false)),
            },
            _ => None,
        }
    }

    /// Returns all known versions, oldest first.
    fn known(&self) -> impl DoubleEndedIterator<Item = String> + use<> {
        dialect::versions(&self.request.dialect).map(|(all, _)| all).unwrap_or_default().into_iter()
    }

    /// Returns the known release that is nearest to a version that is not known: the last one of its line, else the last one
    /// before it, else the first.
    fn nearest_to(&self, named: &Version) -> Option<String> {
        let line = |version: &Version| version.segments().get(..2).map(<[u64]>::to_vec);
        let releases = || self.known().filter(|version| is_release(version));
        let parsed = || releases().filter_map(|text| Some((Version::parse(&text)?, text)));
        let in_line = parsed().rfind(|(version, _)| line(version) == line(named));
        let before = || parsed().rfind(|(version, _)| version < named);
        in_line.or_else(before).or_else(|| parsed().next()).map(|(_, text)| text)
    }

    /// Returns the known releases that every constraint of the tree allows, oldest first; none if there is no constraint.
    fn allowed(&mut self) -> impl DoubleEndedIterator<Item = String> + use<> {
        let known = self.known();
        let stated = self.stated();
        let is_allowed = |version: &String| {
            is_release(version) && stated.iter().charged_at_once(4).all(|stated| allows(&stated.constraints, version))
        };
        let list: Vec<String> = if stated.is_empty() { Vec::new() } else { known.filter(is_allowed).collect() };
        list.into_iter()
    }

    /// Returns the constraints of the module and of those that it calls, directly or not, as the default version reads them.
    fn stated(&mut self) -> &[StatedConstraint] {
        let (files, request) = (self.files, self.request);
        self.constraints.get_or_insert_with(|| stated(files, request))
    }
}

fn is_release(version: &str) -> bool {
    !version.contains('-')
}

fn allows(constraints: &Constraints, version: &str) -> bool {
    Version::parse(version).is_some_and(|version| constraints.allow(&version))
}

fn stated(files: &FileSet, request: &Request) -> Vec<StatedConstraint> {
    let mut found = List::new();
    let mut seen = BTreeSet::from([request.root.clone()]);
    let mut open = VecDeque::from([request.root.clone()]);
    while let Some(root) = open.pop_front() {
        let mut plain = Request {
            config_file: request.config_file.clone(),
            root: root.clone(),
            ..Request::new(&*request.dialect)
        };
        plain.stage = ToolStage::Load;
        let Ok(table) = loading::dialect_of(files, &plain) else { continue };
        let forest = Forest::default();
        forest.sources.set_folder(files.shown(&root));
        let Ok(report) = loading::load(table, &forest, files, &plain, &mut |_| {}) else { continue };
        for (text, span) in all_constraints(&report.module).touched_by(|(text, _)| text.len()) {
            if let Some(constraints) = Constraints::parse(text) {
                let place = (forest.sources.name(span.source).to_string(), forest.sources.range(span));
                found.push(StatedConstraint { constraints, place });
            }
        }
        for call in crate::calls::calls(&report, files, &root) {
            if let Some(path) = call.target.directory()
                && seen.insert(path.to_owned())
            {
                account::grow(2 * path.len() as u64);
                open.push_back(path.to_owned());
            }
        }
    }
    found.into_vec()
}

/// Returns the positions of bytes of a file.
fn range_in(path: &str, content: &Bytes, at: std::ops::Range<usize>) -> Range {
    let sources = Sources::new();
    let source = sources.add(Source::new(path, content.clone(), SourceKind::Native));
    let offset = |at: usize| u32::try_from(at).unwrap_or(u32::MAX);
    sources.range(TextRange::new(offset(at.start), offset(at.end)).in_source(source))
}

/// Reads a file that holds nothing but a version: its first line that is no comment.
fn version_file(text: &str, _tool: &str) -> Option<NamedVersion> {
    let (from, line) = lines(text).find(|(_, line)| !line.is_empty())?;
    Some(NamedVersion { text: line.to_owned(), at: from..from + line.len() })
}

/// Reads a file with a tool and its versions on each line, of which the first counts.
fn tool_versions(text: &str, tool: &str) -> Option<NamedVersion> {
    let mut of_tool = lines(text).filter_map(|(from, line)| {
        let versions = line.strip_prefix(tool).filter(|rest| rest.starts_with([' ', '\t']))?.trim_start();
        let version = versions.split_whitespace().next()?;
        let from = from + line.len() - versions.len();
        Some(NamedVersion { text: version.to_owned(), at: from..from + version.len() })
    });
    of_tool.next()
}

/// Returns the lines of a text without comments and blanks around them, with the number of bytes before each.
fn lines(text: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut from = 0;
    text.split('\n').map(move |line| {
        let start = from;
        from += line.len() + 1;
        let line = line.split_once('#').map_or(line, |(before, _)| before);
        let trimmed = line.trim_start();
        (start + line.len() - trimmed.len(), trimmed.trim_end())
    })
}

/// Reads the table `tools` of a file of mise: a version, a list of versions, or a table with one.
fn mise(text: &str, tool: &str) -> Option<NamedVersion> {
    let document = Document::parse(text).ok()?;
    let item = document.get("tools")?.get(tool)?;
    let value = match item {
        Item::Value(Value::Array(versions)) => versions.get(0)?,
        Item::Value(Value::InlineTable(table)) => table.get("version")?,
        Item::Table(table) => table.get("version")?.as_value()?,
        item => item.as_value()?,
    };
    Some(NamedVersion { text: value.as_str()?.to_owned(), at: value.span()? })
}

/// Returns the note that a version is named that is not known, for the directory of the request.
pub fn note(request: &Request) -> Option<Diagnostic> {
    let from = request.version_from.as_ref().filter(|from| from.root == request.root)?;
    let (named, (path, range)) = (from.unknown.as_ref()?, from.place.as_ref()?);
    let detail = format!(
        "{}, line {}, names version {:?}, which is not known here. The nearest known version is followed: {}.",
        short(path),
        range.start.line,
        short(named),
        request.version.as_deref().unwrap_or_default()
    );
    Some(Diagnostic::ours(&codes::NAMED_VERSION_UNKNOWN, None, detail))
}

#[cfg(test)]
mod tests {
    use super::{mise, tool_versions, version_file};

    #[test]
    fn files_name_a_version_in_their_ways() {
        let read = |named: Option<super::NamedVersion>| named.map(|named| (named.text, named.at));
        let found = |text: &str, at| Some((text.to_owned(), at));
        assert_eq!(read(version_file("# of all\n\n v1.5.7 # old\n", "")), found("v1.5.7", 11..17));
        assert_eq!(read(version_file("\n", "")), None);
        let text = "nodejs 20\nterraform  1.5.7 1.4.0\nterraform-docs 1\n";
        assert_eq!(read(tool_versions(text, "terraform")), found("1.5.7", 21..26));
        assert_eq!(read(tool_versions(text, "node")), None);
        for (text, version) in [
            ("[tools]\nterraform = \"1.5\"\n", "1.5"),
            ("[tools]\nterraform = [\"1.6.1\", \"1.5\"]\n", "1.6.1"),
            ("[tools]\nterraform = { version = \"1.7\", os = [\"linux\"] }\n", "1.7"),
            ("[tools.terraform]\nversion = \"1.8.0\"\n", "1.8.0"),
        ] {
            let named = mise(text, "terraform").unwrap();
            assert_eq!(named.text, version);
            assert!(text.get(named.at).unwrap().contains(version));
        }
        assert!(mise("[tools\n", "terraform").is_none() && mise("a = 1\n", "terraform").is_none());
    }
}

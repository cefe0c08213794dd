//! Determines which files of a directory make up the module, in which role and order (terraform.md, section 2).

use crate::discover::codes;
use overfold_base::account::ChargedIterator;
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_base::echo::short;
use overfold_base::files::{FileSet, SpecialEntry, SpecialKind};
use overfold_dialect::{DialectSpec, FileSyntax, NamedFile, SuffixRow, SuffixUse, why_ignored};
use overfold_model::config::{FileEntry, FileRole};
use std::cmp::Reverse;

/// What the name of a file says about it, regardless of other files.
#[derive(Clone, Copy, Debug)]
struct NameRole {
    role: FileRole,
    syntax: Option<FileSyntax>,
    row: Option<&'static SuffixRow>,
}

/// Returns the files of the module in `root`, in the order in which they are read: primary files, override files,
/// variable definitions files, test files, ignored files. Each group is in byte order of the names, but the test files
/// in the folder for tests come first.
pub(crate) fn entries(files: &FileSet, root: &str, dialect: &'static DialectSpec) -> Vec<FileEntry> {
    let mut entries = Vec::new();
    if let Some(tests) = &dialect.files.tests {
        let of_folder = folder(files, &path_in(root, tests.folder), dialect);
        entries.extend(
            of_folder
                .into_iter()
                .filter(|(_, row)| row.is_some_and(|row| row.usage == SuffixUse::Test))
                .map(|(entry, _)| FileEntry { name: format!("{}/{}", tests.folder, entry.name), ..entry }),
        );
    }
    entries.extend(folder(files, root, dialect).into_iter().map(|(entry, _)| entry));
    promote_lone_file(&mut entries, dialect);
    numbered(entries)
}

/// Why a test file is ignored.
const OF_TESTS: &str = "test files are not read for a plan";

/// Takes the test files for files that are ignored: the tool does not read them when it plans.
pub(crate) fn leave_out_tests(entries: &mut [FileEntry]) {
    for entry in entries.iter_mut().filter(|entry| entry.role == FileRole::Test).charged(1) {
        entry.role = FileRole::Ignored(OF_TESTS);
        entry.syntax = None;
    }
}

/// Returns the files directly in a folder, in byte order of their names, with the rows of their suffixes.
fn folder(
    files: &FileSet,
    path: &str,
    dialect: &'static DialectSpec,
) -> Vec<(FileEntry, Option<&'static SuffixRow>)> {
    let names: Vec<(&str, NameRole)> = files
        .in_folder(path)
        .map(|file| {
            let name = file.path.name();
            (name, named(name, dialect))
        })
        .collect();
    let role_of = |name: &str| {
        let at = names.binary_search_by(|(candidate, _)| (*candidate).cmp(name)).ok()?;
        names.get(at).map(|(_, found)| found.role)
    };
    names
        .iter()
        .map(|&(name, named)| {
            let hidden =
                hiding_file(name, named.row).is_some_and(|hiding_file| role_of(&hiding_file) == Some(named.role));
            let (role, syntax) = if hidden { (FileRole::Ignored(HIDDEN), None) } else { (named.role, named.syntax) };
            (FileEntry { name: name.to_owned(), role, order: 0, syntax }, named.row)
        })
        .collect()
}

const HIDDEN: &str = "a file of the same name with a preferred suffix replaces it";

/// Returns the name of the file that would hide this one.
fn hiding_file(name: &str, row: Option<&'static SuffixRow>) -> Option<String> {
    let row = row?;
    let stem = name.strip_suffix(row.suffix)?;
    row.hidden_by.map(|suffix| format!("{stem}{suffix}"))
}

/// Returns the hidden files, each with the one that hides it.
pub(crate) fn hidden<'e>(
    entries: &'e [FileEntry],
    dialect: &'static DialectSpec,
) -> impl Iterator<Item = (&'e str, String)> {
    entries.iter().filter(|entry| matches!(entry.role, FileRole::Ignored(HIDDEN))).filter_map(move |entry| {
        let name = &*entry.name;
        hiding_file(name, named(name, dialect).row).map(|hiding_file| (name, hiding_file))
    })
}

/// Returns the files of `root` if the request names one of them, or one below, that is to be read alone.
///
/// # Errors
/// [`SingleFileError`] if that file cannot be read alone.
pub(crate) fn single_file(
    files: &FileSet,
    root: &str,
    name: &str,
    dialect: &'static DialectSpec,
) -> Result<Vec<FileEntry>, SingleFileError> {
    if dialect.files.by_request.is_empty() {
        return Err(SingleFileError::NotSupported);
    }
    let Some(row) = dialect.files.by_request.iter().find(|row| name.ends_with(row.name)) else {
        let suffixes: Vec<&str> = dialect.files.by_request.iter().map(|row| row.name).collect();
        return Err(SingleFileError::Suffix(suffixes.join(" or ")));
    };
    if files.get(&path_in(root, name)).is_none() {
        return Err(SingleFileError::NotFound);
    }
    let others = files.in_folder(root).map(|file| file.path.name()).filter(|other| *other != name);
    let ignored = FileRole::Ignored(OTHER_FILE_REQUESTED);
    let mut entries: Vec<FileEntry> =
        others.map(|other| FileEntry { name: other.to_owned(), role: ignored, order: 0, syntax: None }).collect();
    entries.push(FileEntry { name: name.to_owned(), role: FileRole::Primary, order: 0, syntax: Some(row.syntax) });
    Ok(numbered(entries))
}

/// Why a file of configuration for other tools is ignored.
pub(crate) const NOT_READ: &str = "files of this suffix are not read";

/// Why a file without a suffix of the dialect is ignored.
pub(crate) const NOT_CONFIGURATION: &str = "not a configuration file";

const OTHER_FILE_REQUESTED: &str = "another file is asked for";

/// Why the one file that a request names cannot be read.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum SingleFileError {
    /// The dialect only reads directories.
    NotSupported,
    /// The name has none of these suffixes.
    Suffix(String),
    /// There is no such file.
    NotFound,
}

/// Returns the path of a file in `root`.
pub(crate) fn path_in(root: &str, name: &str) -> String {
    if root.is_empty() { name.to_owned() } else { format!("{root}/{name}") }
}

/// Makes the first file that may be the only primary file a primary file, if there is no other.
fn promote_lone_file(entries: &mut [FileEntry], dialect: &'static DialectSpec) {
    if entries.iter().any(|entry| entry.role == FileRole::Primary) {
        return;
    }
    for row in dialect.files.alone {
        if let Some(entry) = entries.iter_mut().find(|entry| entry.name == row.name) {
            entry.role = FileRole::Primary;
            entry.syntax = Some(row.syntax);
            return;
        }
    }
}

/// Returns the row of a file that would be primary if there were no other primary files.
pub(crate) fn only_when_alone(entries: &[FileEntry], dialect: &'static DialectSpec) -> Option<&'static NamedFile> {
    let ignored = |name| {
        entries.iter().any(|entry| {
            entry.name == name && matches!(entry.role, FileRole::Ignored(why) if why != OTHER_FILE_REQUESTED)
        })
    };
    dialect.files.alone.iter().find(|row| ignored(row.name))
}

/// Sorts the files into the order in which they are read, and numbers them.
fn numbered(mut entries: Vec<FileEntry>) -> Vec<FileEntry> {
    // The sort is stable, so names remain in order inside each group.
    entries.sort_by_key(|entry| rank(entry.role));
    let (mut primary, mut over) = (0, 0);
    for entry in &mut entries {
        let counter = match entry.role {
            FileRole::Primary => &mut primary,
            FileRole::Override => &mut over,
            _ => continue,
        };
        *counter += 1;
        entry.order = *counter;
    }
    entries
}

fn rank(role: FileRole) -> u8 {
    match role {
        FileRole::Primary => 0,
        FileRole::Override => 1,
        FileRole::Values => 2,
        FileRole::Test => 3,
        FileRole::Ignored(_) => 4,
    }
}

fn named(name: &str, dialect: &'static DialectSpec) -> NameRole {
    let rules = &dialect.files;
    // Variable definitions files are recognised by their names alone; their rows determine whether dot files are
    // included.
    if let Some(row) = rules.values.iter().find(|row| row.matches(name)) {
        return NameRole { role: FileRole::Values, syntax: Some(row.syntax), row: None };
    }
    let ignored = |why| NameRole { role: FileRole::Ignored(why), syntax: None, row: None };
    if let Some(why) = why_ignored(name) {
        return ignored(why);
    }
    let row =
        rules.suffixes.iter().filter(|row| name.ends_with(row.suffix)).min_by_key(|row| Reverse(row.suffix.len()));
    let Some(row) = row else { return ignored(NOT_CONFIGURATION) };
    let stem = name.strip_suffix(row.suffix).unwrap_or(name);
    let is_override = stem == rules.override_stem || stem.ends_with(rules.override_tail);
    let role = match row.usage {
        SuffixUse::Test => FileRole::Test,
        SuffixUse::Config | SuffixUse::OverrideOnly if is_override => FileRole::Override,
        SuffixUse::Config => FileRole::Primary,
        SuffixUse::OverrideOnly => return ignored("only override files have this suffix"),
        SuffixUse::NotRead => return ignored(NOT_READ),
    };
    NameRole { role, syntax: Some(row.syntax), row: Some(row) }
}

/// Handles entries of the module directory that are not regular files. Those that the tool would ignore are noted; the
/// first one in the place of a file that would be read is returned, to be refused.
///
/// Folders are never refused: the tool skips a folder with the name of a configuration file, which is noted.
/// `takes_values` means that values of variables are requested, so that variable definitions files are read; otherwise
/// they are irrelevant. Broken links to such files are common in repositories, because their targets are kept out of
/// version control.
pub(crate) fn check_special_entries<'f>(
    files: &'f FileSet,
    root: &str,
    dialect: &'static DialectSpec,
    takes_values: bool,
    out: &mut Diagnostics,
) -> Option<&'f SpecialEntry> {
    let mut refused = None;
    let primary = |name| named(name, dialect).role == FileRole::Primary;
    for entry in files.special_in_folder(root) {
        let name = entry.path.name();
        let alone = dialect.files.alone.iter().any(|row| row.name == name)
            && !files.in_folder(root).any(|file| primary(file.path.name()));
        let NameRole { role, row, .. } = named(name, dialect);
        let is_hidden = hiding_file(name, row).is_some_and(|hiding_file| {
            named(&hiding_file, dialect).role == role && files.get(&path_in(root, &hiding_file)).is_some()
        });
        let is_read = match role {
            FileRole::Primary | FileRole::Override => true,
            FileRole::Values => takes_values,
            _ => false,
        };
        let wanted = alone || !is_hidden && is_read;
        match entry.kind {
            SpecialKind::Folder if wanted => {
                let detail =
                    format!("{name:?} has the name of a configuration file but is a directory, so it is skipped.");
                out.push(Diagnostic::ours(&codes::SPECIAL_SKIPPED, None, detail));
            }
            SpecialKind::Folder => {}
            SpecialKind::Link | SpecialKind::Device if wanted => refused = refused.or(Some(entry)),
            // Editors lock a file with a link that leads nowhere, beside the file and with a name that is not read.
            SpecialKind::Link | SpecialKind::Device if name.starts_with('.') => {}
            SpecialKind::Link => {
                let detail = format!(
                    "{name:?} is a link whose target is missing or outside of the given files. It is not part of the configuration, so it is skipped."
                );
                out.push(Diagnostic::ours(&codes::SPECIAL_SKIPPED, None, detail));
            }
            SpecialKind::Device => {
                let detail =
                    format!("{name:?} is not a regular file. It is not part of the configuration, so it is skipped.");
                out.push(Diagnostic::ours(&codes::SPECIAL_SKIPPED, None, detail));
            }
        }
    }
    refused
}

/// The maximum number of directories to list if the module directory contains no configuration.
const MAX_LISTED: usize = 10;

/// Reports a module directory without configuration files, and lists directories that have some: usually, the name of
/// the directory is wrong or missing. The tool treats such a directory as an empty module.
pub(crate) fn report_empty(
    files: &FileSet,
    root: &str,
    entries: &[FileEntry],
    dialect: &'static DialectSpec,
    out: &mut Diagnostics,
) {
    if entries.iter().any(|entry| matches!(entry.role, FileRole::Primary | FileRole::Override)) {
        return;
    }
    let mut found: Vec<&str> = Vec::new();
    let mut more = false;
    for file in files.everything().touched_by(|file| file.path.as_str().len()) {
        let folder = files.shown(file.path.folder());
        if found.last() == Some(&folder) || !is_configuration(file.path.name(), dialect) || found.contains(&folder) {
            continue;
        }
        more = found.len() == MAX_LISTED;
        if more {
            break;
        }
        found.push(folder);
    }
    let root = files.shown(root);
    let here = if root.is_empty() { "The top directory".to_owned() } else { format!("{:?}", short(root)) };
    let mut detail = format!("{here} contains no configuration files, so the module is empty.");
    if !found.is_empty() {
        let shown = found.iter().map(|folder| match *folder {
            "" => "the top directory (\".\")".to_owned(),
            folder => format!("{:?}", short(folder)),
        });
        let shown: Vec<String> = shown.collect();
        let and_more = if more { " and others" } else { "" };
        let others = shown.join(", ");
        detail = format!(
            "{detail} There are configuration files in {others}{and_more}: set `root` to the directory of the module."
        );
    }
    out.push(Diagnostic::ours(&codes::NO_CONFIGURATION, None, detail));
}

pub(super) fn is_configuration(name: &str, dialect: &'static DialectSpec) -> bool {
    matches!(named(name, dialect).role, FileRole::Primary | FileRole::Override)
        || dialect.files.alone.iter().any(|row| row.name == name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use overfold_base::files::{ModulePath, SourceFile};
    use overfold_dialect::find;

    fn set(names: &[&str]) -> FileSet {
        let files = names
            .iter()
            .map(|name| SourceFile { path: ModulePath::parse(name).unwrap(), bytes: bytes::Bytes::new() })
            .collect();
        FileSet::new(files, Vec::new())
    }

    fn read(names: &[&str]) -> Vec<String> {
        entries(&set(names), "", find("terraform", None).unwrap())
            .iter()
            .map(|entry| match entry.role {
                FileRole::Ignored(_) => format!("-{}", entry.name),
                FileRole::Override => format!("{}!{}", entry.order, entry.name),
                FileRole::Primary => format!("{}:{}", entry.order, entry.name),
                FileRole::Values => format!("v:{}", entry.name),
                FileRole::Test => format!("t:{}", entry.name),
            })
            .collect()
    }

    #[test]
    fn names_decide_roles_and_byte_order_decides_order() {
        assert_eq!(
            read(&[
                "override.tf",
                "a_override.tf.json",
                "a_override.tf",
                "_override.tf",
                "10_override.tf",
                "9_override.tf"
            ]),
            [
                "1!10_override.tf",
                "2!9_override.tf",
                "3!_override.tf",
                "4!a_override.tf",
                "5!a_override.tf.json",
                "6!override.tf"
            ]
        );
        assert_eq!(
            read(&[
                "Override.tf",
                "x_OVERRIDE.tf",
                "app-override.tf",
                "overrides.tf",
                "override_x.tf",
                "main.tf",
                "main-a.tf"
            ]),
            [
                "1:Override.tf",
                "2:app-override.tf",
                "3:main-a.tf",
                "4:main.tf",
                "5:override_x.tf",
                "6:overrides.tf",
                "7:x_OVERRIDE.tf"
            ]
        );
        assert_eq!(
            read(&[".tf", ".x.tf", "a.tf~", "#a.tf#", "#a.tf", "a.tofu", "a.TF", "a.tftest.hcl", "sub/a.tf"]),
            ["1:#a.tf", "t:a.tftest.hcl", "-#a.tf#", "-.tf", "-.x.tf", "-a.TF", "-a.tf~", "-a.tofu"]
        );
        assert_eq!(
            read(&["terraform.tfvars", "x.tfvars", ".h.auto.tfvars", "a.auto.tfvars.json", "terraform.tfvars.json"]),
            [
                "v:.h.auto.tfvars",
                "v:a.auto.tfvars.json",
                "v:terraform.tfvars",
                "v:terraform.tfvars.json",
                "-x.tfvars"
            ]
        );
    }

    #[test]
    fn only_what_would_be_read_is_refused() {
        let entry = |path: &str, kind| SpecialEntry {
            path: ModulePath::parse(path).unwrap(),
            kind,
            target: None,
            problem: None,
        };
        let dialect = find("terraform", None).unwrap();
        let mut out = Diagnostics::new();
        let harmless = FileSet::new(
            Vec::new(),
            vec![
                entry("d.tf", SpecialKind::Folder),
                entry("modules", SpecialKind::Folder),
                entry("readme", SpecialKind::Link),
                entry("modules/main.tf", SpecialKind::Link),
            ],
        );
        assert!(check_special_entries(&harmless, "", dialect, true, &mut out).is_none());
        assert_eq!(out.iter().count(), 2);
        let link = FileSet::new(Vec::new(), vec![entry("main.tf", SpecialKind::Link)]);
        assert_eq!(check_special_entries(&link, "", dialect, true, &mut out).unwrap().path.as_str(), "main.tf");
        let link = FileSet::new(Vec::new(), vec![entry("terraform.tfvars", SpecialKind::Link)]);
        assert!(check_special_entries(&link, "", dialect, true, &mut out).is_some());
        assert!(check_special_entries(&link, "", dialect, false, &mut out).is_none());
    }
}

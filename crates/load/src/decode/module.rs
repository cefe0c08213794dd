//! Reads the files of a module one after another and combines them (terraform.md, sections 1.1 to 1.4).

use std::sync::Arc;

use super::{append, codes, test_file};
use crate::discover;
use overfold_base::diag::{Diagnostic, Diagnostics, Phase, SourceId};
use overfold_base::files::FileSet;
use overfold_dialect::{DialectSpec, FileSyntax};
use overfold_model::config::{FileEntry, FileRole, LoadedElements, OverrideFile};
use overfold_syntax::{Forest, hcl1};

/// Reads the module in `root` (`""` is the top of the files) from its `entries` ([`discover::entries()`] or
/// [`discover::single_file()`]): parses and decodes every configuration file, and appends the primary ones
/// (terraform.md, sections 1.1 to 1.4). Merging the override files and `checks` come later.
pub(crate) fn load<'f>(
    files: &FileSet,
    root: &str,
    mut entries: Vec<FileEntry>,
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    out: &mut Diagnostics,
) -> LoadedElements<'f> {
    let mut loaded = LoadedElements::default();
    if let Some(row) = discover::only_when_alone(&entries, dialect) {
        let detail = format!(
            "{:?} is not read: it is read only when it is the only primary configuration file in the directory.",
            row.name
        );
        out.push(Diagnostic::ours(&codes::PASSED_OVER, None, detail));
    }
    for (name, partner) in discover::hidden(&entries, dialect) {
        let detail = format!(
            "{name:?} is not read: {partner:?}, the file of the same name with {}'s own suffix, replaces it.",
            dialect.tool
        );
        out.push(Diagnostic::ours(&codes::HIDDEN_FILE, None, detail));
    }
    out.enter(Phase::Reading);
    let mut primary = Vec::new();
    for entry in &entries {
        let over = match entry.role {
            FileRole::Primary => false,
            FileRole::Override => true,
            _ => continue,
        };
        let Some(source) = parse(files, root, entry, forest, out) else { continue };
        let decoding = super::file(forest, dialect, source, over, out);
        loaded.experiments.extend(decoding.experiments.iter().map(|name| Arc::from(name.as_str())));
        loaded.base.own_versions.extend(decoding.own_versions.iter().cloned());
        if over {
            let elements = decoding.items.into_iter().flat_map(|item| item.elements).collect();
            loaded.overrides.push(OverrideFile { source, elements, ignored: decoding.ignored.into_vec() });
        } else {
            primary.push(decoding);
        }
    }
    if let Some(tests) = &dialect.files.tests {
        for entry in entries.iter().filter(|entry| entry.role == FileRole::Test) {
            if let Some(source) = parse(files, root, entry, forest, out) {
                loaded.base.tests.extend(test_file(forest, dialect, &tests.file, source, out));
            }
        }
    }
    out.enter(Phase::Assembly);
    let mut appender = append::Appender::new(forest, dialect, out);
    for decoding in primary {
        appender.file(decoding);
    }
    (loaded.base.elements, loaded.duplicates) = appender.finish();
    for entry in entries.iter_mut().filter(|entry| entry.syntax == Some(FileSyntax::Hcl1)) {
        if files.get(&discover::path_in(root, &entry.name)).is_some_and(|file| hcl1::is_json(&file.bytes)) {
            entry.syntax = Some(FileSyntax::Json);
        }
    }
    loaded.base.files = entries;
    loaded
}

fn parse(files: &FileSet, root: &str, entry: &FileEntry, forest: &Forest, out: &mut Diagnostics) -> Option<SourceId> {
    let file = files.get(&discover::path_in(root, &entry.name))?;
    Some(match entry.syntax {
        Some(FileSyntax::Json) => forest.parse_json(&entry.name, file.bytes.clone(), out),
        Some(FileSyntax::Hcl1) => forest.parse_hcl1(&entry.name, file.bytes.clone(), out),
        _ => forest.parse_native(&entry.name, file.bytes.clone(), out),
    })
}

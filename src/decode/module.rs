//! The files of a module, read one after another and put together (terraform.md, section 1, steps 1 to 4b).

use std::sync::Arc;

use super::{append, codes, test_file, wording};
use crate::config::{FileEntry, FileRole, Loaded, Module, OverrideFile};
use crate::diag::{Diagnostic, Diagnostics, Origin, Severity, SourceId};
use crate::dialect::{DialectSpec, FileSyntax, Rule};
use crate::discover;
use crate::files::FileSet;
use crate::hcl::content;
use crate::syntax::{Forest, hcl1};

/// Reads the module in `root` (`""` is the top of the files) out of its `entries` ([`discover::entries()`] or [`discover::only()`]): parses every
/// configuration file, decodes it and appends the primary ones (terraform.md, section 1, steps 1 to 4b). Merging the
/// override files and `checks` come after.
pub fn load<'f>(
    files: &FileSet,
    root: &str,
    mut entries: Vec<FileEntry>,
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    out: &mut Diagnostics,
) -> Loaded<'f> {
    let mut loaded = Loaded::default();
    if let Some(row) = discover::passed_over(&entries, dialect) {
        let detail =
            format!("{:?} is read only when it is the only primary configuration file in the directory.", row.name);
        out.push(Diagnostic::ours(&codes::PASSED_OVER, None, detail));
    }
    for (name, partner) in discover::hidden(&entries, dialect) {
        let detail = format!("{name:?} is not read, because {partner:?} replaces it.");
        out.push(Diagnostic::ours(&codes::HIDDEN_FILE, None, detail));
    }
    let started = out.iter().count();
    let mut primary = Vec::new();
    for entry in &entries {
        let over = match entry.role {
            FileRole::Primary => false,
            FileRole::Override => true,
            _ => continue,
        };
        let from = out.iter().count();
        let Some(source) = parse(files, root, entry, forest, out) else { continue };
        let broken = super::error_starts(out, from, source);
        let decoding = super::file(forest, dialect, source, over, broken, out);
        loaded.experiments.extend(decoding.experiments.iter().map(|name| Arc::from(name.as_str())));
        if over {
            let elements = decoding.items.into_iter().flat_map(|item| item.elements).collect();
            loaded.overrides.push(OverrideFile { source, elements });
        } else {
            primary.push(decoding);
        }
    }
    if let Some(tests) = &dialect.files.tests {
        for entry in entries.iter().filter(|entry| entry.role == FileRole::Test) {
            if let Some(source) = parse(files, root, entry, forest, out) {
                test_file(forest, dialect, &tests.file, source, out);
            }
        }
    }
    if dialect.has(Rule::StopsWhileReading) {
        stop_at_first(started, &mut loaded.base, out);
    }
    let mut appender = append::Appender::new(forest, dialect, out);
    for decoding in primary {
        appender.file(decoding);
    }
    loaded.base.elements = appender.finish();
    for entry in entries.iter_mut().filter(|entry| entry.syntax == Some(FileSyntax::Hcl1)) {
        if files.get(&discover::inside(root, &entry.name)).is_some_and(|file| hcl1::is_json(&file.bytes)) {
            entry.syntax = Some(FileSyntax::Json);
        }
    }
    loaded.base.files = entries;
    // In the words of this dialect and version, whichever part of loading has reported it.
    wording::reword(forest, dialect.titles, &[], out.iter_mut());
    loaded
}

fn parse(files: &FileSet, root: &str, entry: &FileEntry, forest: &Forest, out: &mut Diagnostics) -> Option<SourceId> {
    let file = files.get(&discover::inside(root, &entry.name))?;
    Some(match entry.syntax {
        Some(FileSyntax::Json) => forest.parse_json(&entry.name, file.bytes.clone(), out),
        Some(FileSyntax::Hcl1) => forest.parse_hcl1(&entry.name, file.bytes.clone(), out),
        _ => forest.parse_native(&entry.name, file.bytes.clone(), out),
    })
}

/// Of the errors found since `from` the tool reports the first, and looks no further.
fn stop_at_first(from: usize, module: &mut Module<'_>, out: &mut Diagnostics) {
    let count = out.iter().count();
    if !out.iter().skip(from).any(ends_reading) {
        return;
    }
    module.stopped_at = Some(count);
    let mut stopped = false;
    for found in out.iter_mut().skip(from).filter(|found| found.origin == Origin::Tool) {
        if stopped || !ends_reading(found) {
            found.origin = Origin::Overfold;
        } else {
            stopped = true;
        }
    }
}

/// Whether the tool finds it while it reads a file. What is not here it finds in the module as a whole.
fn ends_reading(found: &Diagnostic) -> bool {
    let reading = [
        &codes::DUPLICATE,
        &codes::DUPLICATE_INNER,
        &codes::INVALID_NAME,
        &codes::PLAIN_DEFAULT,
        &codes::PLAIN_TYPE,
        &codes::PLAIN_UNDECODABLE,
        &codes::UNLISTED_VALUE,
        &content::codes::EXTRANEOUS_LABEL,
        &content::codes::MISSING_LABEL,
        &content::codes::NOT_A_BLOCK,
        &content::codes::UNEXPECTED_BLOCK,
        &content::codes::UNSUPPORTED_ARGUMENT,
        &content::codes::WITHOUT_NAME,
    ];
    found.severity == Severity::Error
        && found.origin == Origin::Tool
        && (found.code.id.starts_with("syntax/") || reading.iter().any(|code| code.id == found.code.id))
}

/// Makes everything ours that was found after the tool had stopped; see [`Module::stopped_at`].
pub fn after_stop(module: &Module<'_>, out: &mut Diagnostics) {
    if let Some(count) = module.stopped_at {
        // What was found earlier still (in the options of a run) may have taken that mistake's place.
        let stopped = |found: &Diagnostic| found.origin == Origin::Tool && found.severity == Severity::Error;
        if !out.iter().take(count).any(stopped) {
            return;
        }
        for found in out.iter_mut().skip(count) {
            found.origin = Origin::Overfold;
        }
    }
}

//! Notes about files whose names are almost those of override files, or are only in later versions.

use crate::discover::codes;
use crate::discover::roles::NOT_CONFIGURATION;
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_dialect::{self as dialect, DialectSpec, FileRules, Release, SuffixUse};
use overfold_model::config::{FileEntry, FileRole};

/// The maximum number of files to note.
const MAX: usize = 10;

/// Notes the files of a module that may have been meant as override files but are not.
pub(crate) fn note_near_misses(files: &[FileEntry], dialect: &DialectSpec, out: &mut Diagnostics) {
    let mut left = MAX;
    for entry in files {
        if left == 0 {
            return;
        }
        if let Some(note) = near_miss(entry, dialect).or_else(|| later_override(entry, dialect)) {
            left -= 1;
            out.push(note);
        }
    }
}

/// Returns a note about a primary file whose name differs from that of an override file by a plural, a dash or the
/// case of its letters.
fn near_miss(entry: &FileEntry, dialect: &DialectSpec) -> Option<Diagnostic> {
    if entry.role != FileRole::Primary {
        return None;
    }
    let rules = &dialect.files;
    let suffix = rules.suffixes.iter().map(|row| row.suffix).filter(|suffix| entry.name.ends_with(suffix));
    let suffix = suffix.max_by_key(|suffix| suffix.len())?;
    let stem = entry.name.strip_suffix(suffix)?.to_lowercase().replace('-', "_");
    let singular = stem.strip_suffix('s').unwrap_or(&stem);
    let name = [stem.as_str(), singular].into_iter().find(|stem| is_override(stem, rules))?;
    let detail = format!(
        "{:?} is a primary file: only the name {}{suffix} and names that end in {}{suffix} make an override file. Rename it to {name}{suffix} if it is meant to override other files.",
        entry.name, rules.override_stem, rules.override_tail
    );
    Some(Diagnostic::ours(&codes::NEAR_OVERRIDE_NAME, None, detail))
}

/// Returns a note about a file that is not read, but would be an override file in later versions.
fn later_override(entry: &FileEntry, dialect: &DialectSpec) -> Option<Diagnostic> {
    if entry.role != FileRole::Ignored(NOT_CONFIGURATION) {
        return None;
    }
    let every = &dialect::rows(dialect.name)?.files;
    let row = every
        .suffixes
        .iter()
        .filter(|row| matches!(row.usage, SuffixUse::Config | SuffixUse::OverrideOnly))
        .filter(|row| entry.name.strip_suffix(row.suffix).is_some_and(|stem| is_override(stem, every)))
        .min_by_key(|row| row.when.since)?;
    let Release(major, minor, _) = row.when.since;
    let detail = format!(
        "{:?} is an override file only since version {major}.{minor}. Version {}, which is followed here, does not read it.",
        entry.name, dialect.version
    );
    Some(Diagnostic::ours(&codes::OVERRIDE_OF_LATER_VERSION, None, detail))
}

fn is_override(stem: &str, rules: &FileRules) -> bool {
    stem == rules.override_stem || stem.ends_with(rules.override_tail)
}

//! The configuration with expressions replaced by their values, and the list of what was replaced.
//!
//! The values are put into the texts of the files, and the texts are loaded again: so each form of the configuration is
//! written as ever, and says what the tool would read.

mod edits;
mod list;
mod literal;

use std::collections::BTreeMap;

use bytes::Bytes;
use foldhash::HashMap;

use super::redaction::Redaction;
use edits::Edit;
use overfold_base::account;
use overfold_base::diag::{SourceId, Span};
use overfold_base::files::{FileSet, ModulePath, SourceFile, SourceKind};
use overfold_model::config::FileRole;
use overfold_module::pipeline::{self, Report};
use overfold_module::replacement::{KeptType, ReplacedPart, Replacement};
use overfold_syntax::Forest;
use overfold_value::Kind;
use overfold_value::json::write_text;

pub(crate) use list::Replacements;

/// A module whose expressions have been replaced.
pub(crate) struct Resolved<'r> {
    report: &'r Report<'r>,
    /// What was replaced, by file and position.
    done: Vec<Done<'r>>,
    /// The files of the module directory with the values in place.
    files: FileSet,
}

/// Something that was replaced.
struct Done<'r> {
    replacement: &'r Replacement,
    /// The value as an expression in native syntax.
    expression: String,
}

impl<'r> Resolved<'r> {
    /// Puts the values in place. `None` if nothing is to be replaced.
    pub(super) fn of(report: &'r Report<'r>) -> Option<Self> {
        let replacements = report.replacements.as_ref()?;
        let forest = report.forest;
        let mut done: Vec<Done<'r>> = Vec::with_capacity(replacements.len());
        let mut edits: BTreeMap<SourceId, Vec<Edit>> = BTreeMap::new();
        // The changes inside of strings of JSON files, by string.
        let mut inside: BTreeMap<(SourceId, u32), (Span, Vec<Edit>)> = BTreeMap::new();
        for replacement in replacements {
            account::work(8);
            let Some((edit, expression)) = prepared(forest, replacement) else { continue };
            match replacement.string {
                Some(string) => {
                    let (_, list) =
                        inside.entry((string.source, string.start)).or_insert_with(|| (string, Vec::new()));
                    account::push(list, edit);
                }
                None => account::push(edits.entry(replacement.at.source).or_default(), edit),
            }
            account::push(&mut done, Done { replacement, expression });
        }
        for (string, list) in inside.into_values() {
            let embedded = list.first().map(|edit| edit.source);
            let Some(text) = embedded.and_then(|embedded| forest.sources.get(embedded)) else { continue };
            let changed = edits::apply(&text.text, list);
            let mut quoted = String::new();
            write_text(&String::from_utf8_lossy(&changed), &mut quoted);
            account::push(edits.entry(string.source).or_default(), Edit::new(string, quoted));
        }
        account::work(done.len() as u64 * 8);
        done.sort_by_cached_key(|done| {
            let at = forest.sources.in_file(done.replacement.at);
            (forest.sources.name(at.source), at.start, at.end)
        });
        Some(Self { report, done, files: files(report, edits) })
    }

    /// Calls `write` with the module that the changed files are.
    pub(super) fn with<T>(
        &self,
        redaction: &Redaction<'_>,
        write: impl FnOnce(&Report<'_>, &Redaction<'_>) -> T,
    ) -> T {
        if self.done.is_empty() {
            return write(self.report, redaction);
        }
        let sources = &self.report.forest.sources;
        let forest = Forest::with_grammar(self.report.forest.limits, self.report.forest.grammar());
        forest.sources.set_folder(sources.folder().trim_end_matches('/'));
        match pipeline::load_again(self.report, &forest, &self.files) {
            Ok(again) => write(&again, &Redaction::of(&again)),
            Err(_) => write(self.report, redaction),
        }
    }
}

/// Returns the change of a text that replaces something, and the value as an expression. `None` if the value cannot be
/// written, or the text says it already.
fn prepared(forest: &Forest, replacement: &Replacement) -> Option<(Edit, String)> {
    let Replacement { value, kept, at, .. } = replacement;
    let source = forest.sources.get(at.source)?;
    let own = *kept;
    let with = match replacement.part {
        ReplacedPart::Expression => literal::native(value, own)?,
        ReplacedPart::Reference => operand(replacement)?,
        ReplacedPart::Interpolation(form) => {
            let text = literal::plain(value)?;
            match edits::interpolation(&source.text, at.range(), form, &text) {
                Some((range, with)) => {
                    let edit = Edit::new(range.in_source(at.source), with);
                    return Some((edit, literal::native(value, KeptType::Nothing)?));
                }
                None => operand(replacement)?,
            }
        }
        ReplacedPart::Text => {
            let with = literal::json(value, own)?;
            if forest.sources.bytes(*at) == with.as_bytes() {
                return None;
            }
            with
        }
        ReplacedPart::Name => {
            let mut name = String::new();
            write_text(&literal::in_template(value.as_text()?), &mut name);
            if forest.sources.bytes(*at) == name.as_bytes() {
                return None;
            }
            name
        }
    };
    Some((Edit::new(*at, with), literal::native(value, own)?))
}

/// Returns a value as it is written in place of a reference within a larger expression.
fn operand(replacement: &Replacement) -> Option<String> {
    let text = literal::native(&replacement.value, KeptType::All)?;
    let is_negative = matches!(replacement.value.kind(), Kind::Number(number) if number.is_negative());
    Some(if is_negative { format!("({text})") } else { text })
}

/// Returns the configuration files of the module directory, with changes.
fn files(report: &Report<'_>, mut edits: BTreeMap<SourceId, Vec<Edit>>) -> FileSet {
    let sources = &report.forest.sources;
    let folder = sources.folder();
    let mut of_name: HashMap<&str, SourceId> = HashMap::default();
    account::work(sources.len() as u64);
    for at in 0..sources.len() {
        let id = SourceId::new(u32::try_from(at).unwrap_or(u32::MAX));
        let Some(source) = sources.get(id).filter(|_| !report.called.has(id)) else { continue };
        if matches!(source.kind, SourceKind::Native | SourceKind::Json)
            && let Some(name) = source.name.strip_prefix(folder)
        {
            of_name.entry(name).or_insert(id);
        }
    }
    let mut list = Vec::new();
    for entry in &report.module.files {
        if !matches!(entry.role, FileRole::Primary | FileRole::Override) {
            continue;
        }
        let Some(&id) = of_name.get(&*entry.name) else { continue };
        let (Some(source), Ok(path)) = (sources.get(id), ModulePath::parse(&entry.name)) else { continue };
        let bytes = match edits.remove(&id) {
            Some(edits) => Bytes::from(edits::apply(&source.text, edits)),
            None => source.text.clone(),
        };
        account::push(&mut list, SourceFile { path, bytes });
    }
    FileSet::new(list, Vec::new())
}

//! Collects values from the sources of the dialect, in ascending order of precedence, and records every value provided
//! for a name (variables.md, section A1).

use std::collections::HashMap;
use std::sync::Arc;

use super::codes;
use super::definitions;
use super::inputs::{ValueOrigin, VariableArg, VariableInputs};
use overfold_base::account;
use overfold_base::diag::{Diagnostic, Diagnostics};
use overfold_base::echo::short;
use overfold_dialect::{DialectSpec, FileSyntax, Undeclared, ValueSource, ValuesName, ValuesRow};
use overfold_eval::{Entry, FileAccess};
use overfold_syntax::{ExprAt, Forest};

/// A value as provided, not yet read.
#[derive(Clone, Debug)]
pub(super) enum Raw {
    /// Text from the environment or an option; how it is read depends on the declaration.
    Text(String),
    /// An expression in a definitions file.
    InFile(ExprAt),
    /// JSON text in the request.
    Json(Arc<str>),
}

/// A value provided for a name.
#[derive(Clone, Debug)]
pub(super) struct Setting {
    pub(super) raw: Raw,
    pub(super) origin: ValueOrigin,
    /// How the tool treats the value if the name is not declared.
    pub(super) undeclared: Undeclared,
}

/// All values provided, by name.
#[derive(Default)]
pub(super) struct Settings {
    /// The names in order of first appearance, with their values in ascending order of precedence.
    pub(super) names: Vec<(String, Vec<Setting>)>,
    by_name: HashMap<String, usize>,
    /// Whether a definitions file could not be read, so that values may be missing only for that reason.
    pub(super) incomplete: bool,
}

impl Settings {
    fn add(&mut self, name: &str, setting: Setting) {
        account::touch(2 * name.len());
        account::grow((2 * name.len() + size_of::<(String, Vec<Setting>)>() + size_of::<Setting>()) as u64);
        let at = *self.by_name.entry(name.to_owned()).or_insert_with(|| {
            self.names.push((name.to_owned(), Vec::new()));
            self.names.len() - 1
        });
        if let Some((_, settings)) = self.names.get_mut(at) {
            settings.push(setting);
        }
    }

    /// Returns the values of a name in ascending order of precedence.
    pub(super) fn get(&self, name: &str) -> &[Setting] {
        self.by_name.get(name).and_then(|&at| self.names.get(at)).map_or(&[], |(_, settings)| settings)
    }
}

/// The inputs of the collection.
pub(super) struct Collection<'a> {
    pub(super) dialect: &'static DialectSpec,
    pub(super) files: FileAccess<'a>,
    pub(super) given: &'a VariableInputs,
    pub(super) forest: &'a Forest,
}

/// Collects the values from all sources.
pub(super) fn collect(collection: &Collection<'_>, out: &mut Diagnostics) -> Settings {
    let mut settings = Settings::default();
    for source in collection.dialect.variables.sources {
        match source {
            // The default is part of the declaration.
            ValueSource::Default => {}
            ValueSource::Environment { prefix, undeclared, .. } => {
                for (full, text) in &collection.given.env {
                    if let Some(name) = full.strip_prefix(prefix) {
                        account::copy(full.len() + text.len());
                        let origin = ValueOrigin::Env(full.clone());
                        settings.add(name, Setting { raw: Raw::Text(text.clone()), origin, undeclared: *undeclared });
                    }
                }
            }
            ValueSource::Files { undeclared, .. } => {
                for (name, syntax) in automatic_files(collection) {
                    let origin = ValueOrigin::File(name.clone());
                    file(collection, &mut settings, &name, syntax, &origin, *undeclared, out);
                }
            }
            ValueSource::Options { undeclared, undeclared_in_file, .. } => {
                for (index, option) in collection.given.args.iter().enumerate() {
                    command_line(collection, &mut settings, index, option, *undeclared, *undeclared_in_file, out);
                }
            }
        }
    }
    settings
}

/// Returns the definitions files of the root folder that are read without being named in the request, in the order in
/// which they are read: first those with fixed names, in the order of the table; then those recognised by the ends of
/// their names, sorted by bytes. Folders with such a name are included if the row says so.
pub(super) fn automatic_files(collection: &Collection<'_>) -> Vec<(String, FileSyntax)> {
    let mut found = Vec::new();
    let rows = collection.dialect.files.values;
    let (whole, by_end): (Vec<&ValuesRow>, Vec<&ValuesRow>) =
        rows.iter().partition(|row| row.name_is == ValuesName::Whole);
    for row in whole {
        if !matches!(collection.files.entry(row.name), Entry::Nothing) {
            found.push((row.name.to_owned(), row.syntax));
        }
    }
    let mut by_end: Vec<(String, FileSyntax)> = collection
        .files
        .names()
        .into_iter()
        .filter_map(|name| {
            let row = by_end.iter().find(|row| row.matches(&name))?;
            let folder = || matches!(collection.files.entry(&name), Entry::Folder);
            let passed_over = row.name_is == ValuesName::EndOfVisible && folder();
            (!passed_over).then_some((name, row.syntax))
        })
        .collect();
    by_end.sort_by(|(a, _), (b, _)| a.cmp(b));
    found.extend(by_end);
    found
}

fn command_line(
    collection: &Collection<'_>,
    settings: &mut Settings,
    index: usize,
    option: &VariableArg,
    undeclared: Undeclared,
    undeclared_in_file: Undeclared,
    out: &mut Diagnostics,
) {
    match option {
        VariableArg::Var(text) => match text.split_once('=') {
            Some((name, value)) if !name.ends_with(' ') => {
                account::copy(text.len());
                let raw = Raw::Text(value.to_owned());
                settings.add(name, Setting { raw, origin: ValueOrigin::Var(index), undeclared });
            }
            Some((name, _)) => out.push(Diagnostic::tool(
                &codes::BAD_OPTION,
                None,
                format!(
                    "Option {}: the name {:?} ends with a space. Remove the space before `=`.",
                    index + 1,
                    short(name)
                ),
            )),
            None => out.push(Diagnostic::tool(
                &codes::BAD_OPTION,
                None,
                format!("Option {} has no `=`. Write it as NAME=VALUE.", index + 1),
            )),
        },
        VariableArg::VarFile(path) => {
            let syntax = if path.ends_with(".json") { FileSyntax::Json } else { FileSyntax::Native };
            let origin = ValueOrigin::VarFile { index, path: path.clone() };
            file(collection, settings, path, syntax, &origin, undeclared_in_file, out);
        }
        VariableArg::Value { name, json } => {
            let raw = Raw::Json(json.clone());
            settings.add(name, Setting { raw, origin: ValueOrigin::Value(index), undeclared });
        }
    }
}

fn file(
    collection: &Collection<'_>,
    settings: &mut Settings,
    path: &str,
    syntax: FileSyntax,
    origin: &ValueOrigin,
    undeclared: Undeclared,
    out: &mut Diagnostics,
) {
    let bytes = match collection.files.entry(path) {
        Entry::File(bytes) => bytes,
        other => {
            let why = match other {
                Entry::Folder => "is a directory",
                Entry::Special => "is a link or device, whose content is not given",
                Entry::Outside => "is outside of the given files",
                Entry::Nothing | Entry::BelowFile | Entry::TooLong | Entry::File(_) => "is not among the given files",
            };
            settings.incomplete = true;
            out.push(Diagnostic::tool(
                &codes::UNREADABLE_FILE,
                None,
                format!("The variable definitions file {path:?} {why}."),
            ));
            return;
        }
    };
    match definitions::read(collection.forest, path, bytes, syntax, out) {
        Some(assignments) => {
            for assignment in assignments {
                let raw = Raw::InFile(assignment.expr);
                settings.add(&assignment.name, Setting { raw, origin: origin.clone(), undeclared });
            }
        }
        None => settings.incomplete = true,
    }
}

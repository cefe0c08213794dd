//! Collects values from the command line and from definitions files, before anything is known about the variables
//! (variables.md, section B2).

use std::collections::HashMap;

use super::super::sources::{Collection, automatic_files};
use super::super::{Inputs, ValueOrigin, VariableArg, codes};
use super::layers::{Layer, LayerValue};
use super::{definitions, text};
use overfold_base::diag::{Diagnostic, Diagnostics, Quotes, Span};
use overfold_dialect::ValueSource;
use overfold_eval::Entry;
use overfold_value::quoted;

/// The values that the files and the command line provide for a name.
#[derive(Default)]
pub(super) struct NamedValues {
    pub(super) name: String,
    pub(super) files: Layer,
    pub(super) options: Layer,
}

/// All values provided, by name.
#[derive(Default)]
pub(super) struct ValuesByName {
    /// The names, in order of first appearance.
    pub(super) names: Vec<NamedValues>,
    by_name: HashMap<String, usize>,
    /// Whether a definitions file or option could not be read, so that values may be missing only for that reason.
    pub(super) incomplete: bool,
}

impl ValuesByName {
    fn entry(&mut self, name: &str) -> Option<&mut NamedValues> {
        let at = match self.by_name.get(name) {
            Some(&at) => at,
            None => {
                self.names.push(NamedValues { name: name.to_owned(), ..NamedValues::default() });
                self.by_name.insert(name.to_owned(), self.names.len() - 1);
                self.names.len() - 1
            }
        };
        self.names.get_mut(at)
    }

    /// Returns the values provided for a name.
    pub(super) fn get(&self, name: &str) -> Option<&NamedValues> {
        self.by_name.get(name).and_then(|&at| self.names.get(at))
    }
}

/// Reads the automatic files first, then the options in order.
pub(super) fn collect(inputs: &Inputs<'_>, out: &mut Diagnostics) -> ValuesByName {
    let mut gathered = ValuesByName::default();
    for source in inputs.dialect.variables.sources {
        match source {
            ValueSource::Default | ValueSource::Environment { .. } => {}
            ValueSource::Files { .. } => {
                let collection = Collection {
                    dialect: inputs.dialect,
                    files: inputs.files.clone(),
                    given: inputs.given,
                    forest: inputs.forest,
                };
                for (name, _) in automatic_files(&collection) {
                    let origin = ValueOrigin::File(name.clone());
                    file(inputs, &mut gathered, &name, &origin, |named| &mut named.files, out);
                }
            }
            ValueSource::Options { .. } => {
                for (index, option) in inputs.given.args.iter().enumerate() {
                    command_line(inputs, &mut gathered, index, option, out);
                }
            }
        }
    }
    gathered
}

fn command_line(
    inputs: &Inputs<'_>,
    gathered: &mut ValuesByName,
    index: usize,
    option: &VariableArg,
    out: &mut Diagnostics,
) {
    let mut wrong = |code, title: String, detail: String, quotes: Quotes| {
        out.push(Diagnostic::tool(code, None, detail).titled(title).quoting(quotes));
    };
    let number = index + 1;
    match option {
        VariableArg::Var(text) => {
            let Some((name, value)) = text.split_once('=') else {
                let detail = format!("Option {} has no `=`. Write it as NAME=VALUE.", index + 1);
                wrong(
                    &codes::BAD_OPTION,
                    format!("No '=' value in arg: {}", title_form(text)),
                    detail,
                    Quotes::Anything,
                );
                gathered.incomplete = true;
                return;
            };
            let name = name.trim();
            if name.is_empty() {
                let detail = format!("Option {} has no variable name before `=`. Write it as NAME=VALUE.", index + 1);
                wrong(
                    &codes::BAD_OPTION,
                    format!("No key to left '=' in arg: {}", title_form(text)),
                    detail,
                    Quotes::Anything,
                );
                gathered.incomplete = true;
                return;
            }
            match text::parse_option(inputs.forest, value) {
                Ok(read) => {
                    if read.lost {
                        let detail = format!(
                            "The value of option {number} cannot be represented, because the number is too large or there is only a comment. {name:?} silently becomes an empty string."
                        );
                        out.push(Diagnostic::ours(&codes::TEXT_LOST, None, detail));
                    }
                    let given = LayerValue { value: read.value, origin: ValueOrigin::Var(index), at: None };
                    if let Some(named) = gathered.entry(name) {
                        named.options.add(given);
                    }
                }
                Err(unreadable) => {
                    let detail = format!(
                        "The value of option {number} for {name:?} starts like a quoted string, a list or a map, but is incomplete. Complete it, or put quotes around the whole value."
                    );
                    let quotes = Quotes::Variable(name.into());
                    wrong(&codes::TEXT_UNREADABLE, unreadable.message, detail, quotes);
                    gathered.incomplete = true;
                }
            }
        }
        VariableArg::VarFile(path) => {
            let origin = ValueOrigin::VarFile { index, path: path.clone() };
            file(inputs, gathered, path, &origin, |named| &mut named.options, out);
        }
        VariableArg::Value { name, json } => match definitions::of_json(inputs.forest, json, out) {
            Some(value) => {
                let given = LayerValue { value, origin: ValueOrigin::Value(index), at: None };
                if let Some(named) = gathered.entry(name) {
                    named.options.add(given);
                }
            }
            None => gathered.incomplete = true,
        },
    }
}

/// Returns an option in the form that a title may show.
fn title_form(text: &str) -> String {
    let quoted = quoted(text);
    if quoted.len() == text.len() + 2 { text.to_owned() } else { quoted }
}

fn file(
    inputs: &Inputs<'_>,
    gathered: &mut ValuesByName,
    path: &str,
    origin: &ValueOrigin,
    layer: fn(&mut NamedValues) -> &mut Layer,
    out: &mut Diagnostics,
) {
    let bytes = match inputs.files.entry(path) {
        Entry::File(bytes) => bytes,
        other => {
            let (verb, words, why) = match other {
                // An empty path does not name a file and, to the tool, not even the folder.
                Entry::Folder if !path.is_empty() => ("read", "is a directory", "is a directory"),
                Entry::Special => ("open", "cannot be read", "is a link or device, whose content is not given"),
                Entry::Outside => ("open", "no such file or directory", "is outside of the given files"),
                Entry::Nothing | Entry::BelowFile | Entry::TooLong | Entry::Folder | Entry::File(_) => {
                    ("open", "no such file or directory", "is not among the given files")
                }
            };
            gathered.incomplete = true;
            let detail = format!("The variable definitions file {path:?} {why}.");
            let error = Diagnostic::tool(&codes::UNREADABLE_FILE, None, detail);
            out.push(error.titled(format!("Error reading {path}: {verb} {path}: {words}")));
            return;
        }
    };
    match definitions::read(inputs, path, bytes, out) {
        Some(definitions) => {
            for definition in definitions {
                let at: Option<Span> = Some(definition.at);
                if let Some(named) = gathered.entry(&definition.name) {
                    layer(named).add(LayerValue { value: definition.value, origin: origin.clone(), at });
                }
            }
        }
        None => gathered.incomplete = true,
    }
}

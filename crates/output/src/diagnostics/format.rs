//! The formats in which diagnostics are returned alone. `Accept`, `?format=`, `--format`, the OpenAPI document and the
//! table in docs/formats.md are derived from [`FORMATS`]: a new format takes one file (with its `mod`) and one row.

use super::document::Document;
use super::finding::{Extras, Findings};
use super::{annotations, commands, gitlab, junit, rdjson, sarif, text};
use overfold_base::diag::Severity;
use overfold_base::echo;
use overfold_module::pipeline::Report;

/// A format for diagnostics alone.
#[derive(Debug)]
pub struct DiagnosticFormat {
    /// The name, as used with `--format` and with `?format=`.
    pub name: &'static str,
    /// The media type, without parameters. Texts are UTF-8.
    pub media_type: &'static str,
    /// The extension of file names in this format, without the dot.
    pub extension: &'static str,
    /// A short description.
    pub about: &'static str,
    /// What its columns count; all columns are 1-based, and ends are exclusive.
    pub columns: &'static str,
    /// How errors, warnings and notes are represented.
    pub severities: [&'static str; 3],
    /// The optional parts of a finding that it shows.
    pub(super) extras: Extras,
    /// The function that writes it.
    pub(super) write: fn(&Findings) -> Vec<u8>,
}

/// All formats. A media range such as `text/*` selects the first format that matches it.
pub static FORMATS: &[DiagnosticFormat] = &[
    sarif::FORMAT,
    rdjson::FORMAT,
    annotations::FORMAT,
    gitlab::FORMAT,
    junit::FORMAT,
    text::FORMAT,
    commands::FORMAT,
];

/// Options common to all these formats.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReportOptions {
    /// The folder that is prefixed to the names of files: a normalised relative path, `""` for none. The names
    /// themselves are relative to the upload.
    pub path_prefix: String,
    /// The least serious findings that count as failures, in formats that can express this: errors, unless the request
    /// is to fail on less.
    pub fails_from: Severity,
    /// Whether another text beside this one says what could not be checked.
    pub unchecked_is_said: bool,
}

impl ReportOptions {
    /// Returns the folder to put before the names of files of a module directory if there is a prefix: the prefix and
    /// the directory. `""` without a prefix.
    pub fn folder(&self, directory: &str) -> String {
        match (self.path_prefix.as_str(), directory) {
            ("", _) => String::new(),
            (prefix, "") => prefix.to_owned(),
            (prefix, directory) => format!("{prefix}/{directory}"),
        }
    }
}

impl DiagnosticFormat {
    /// The row of the text format for people.
    pub fn text() -> &'static Self {
        static TEXT: DiagnosticFormat = text::FORMAT;
        &TEXT
    }

    /// Writes the diagnostics of a module as one document. The same report and options yield the same bytes.
    pub fn write(&'static self, report: &Report<'_>, options: &ReportOptions) -> Vec<u8> {
        let mut document = Document::new(self, options.clone());
        document.take("", report, &[]);
        document.finish()
    }

    /// Whether documents in this format are JSON.
    pub fn is_json(&self) -> bool {
        self.media_type.ends_with("+json")
    }

    /// The value of the `Content-Type` header.
    pub fn content_type(&self) -> String {
        if self.media_type.starts_with("text/") {
            format!("{}; charset=utf-8", self.media_type)
        } else {
            self.media_type.to_owned()
        }
    }
}

/// Cuts a text to at most `most` bytes at a character boundary, with an ellipsis if something is missing.
pub(super) fn cut(text: &str, most: usize) -> std::borrow::Cow<'_, str> {
    const ELLIPSIS: &str = "…";
    if text.len() <= most {
        return text.into();
    }
    format!("{}{ELLIPSIS}", echo::beginning(text, most.saturating_sub(ELLIPSIS.len()))).into()
}

//! The forms in which diagnostics are answered alone. `Accept`, `--format`, the OpenAPI document and the table in
//! docs/formats.md follow from [`FORMATS`]: a new form is one file and one row.

use super::document::Document;
use super::finding::{Extras, Findings};
use super::{annotations, commands, gitlab, junit, rdjson, sarif, text};
use crate::pipeline::Report;

/// A form of the diagnostics alone.
#[derive(Debug)]
pub struct DiagnosticFormat {
    /// Its name, as after `--format`.
    pub name: &'static str,
    /// Its media type, without parameters. Texts are UTF-8.
    pub media_type: &'static str,
    /// How names of files in this form end, without the dot before it.
    pub extension: &'static str,
    /// What it is, a few words.
    pub about: &'static str,
    /// What its columns count; all are 1-based, and ends are exclusive.
    pub columns: &'static str,
    /// What becomes of errors, warnings and notes.
    pub severities: [&'static str; 3],
    /// What it shows of a finding beside its texts and places.
    pub(super) extras: Extras,
    /// Writes it.
    pub(super) write: fn(&Findings) -> Vec<u8>,
}

/// Every form. The first of a media range such as `text/*` is the one that a range asks for.
pub static FORMATS: &[DiagnosticFormat] = &[
    sarif::FORMAT,
    rdjson::FORMAT,
    annotations::FORMAT,
    gitlab::FORMAT,
    junit::FORMAT,
    text::FORMAT,
    commands::FORMAT,
];

/// What these forms can be asked besides.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ReportOptions {
    /// Put before the names of files: a normalised relative path, `""` for nothing. The names themselves are relative to
    /// the upload.
    pub path_prefix: String,
    /// Whether a warning fails what it is about, where a form says so: the request is to fail on warnings.
    pub warnings_fail: bool,
}

impl ReportOptions {
    /// The folder that stands before the names of files of a module directory where there is a prefix for them: the prefix
    /// and the directory. `""` where there is none.
    pub fn folder(&self, directory: &str) -> String {
        match (self.path_prefix.as_str(), directory) {
            ("", _) => String::new(),
            (prefix, "") => prefix.to_owned(),
            (prefix, directory) => format!("{prefix}/{directory}"),
        }
    }
}

impl DiagnosticFormat {
    /// The row of text for people.
    pub fn text() -> &'static Self {
        static TEXT: DiagnosticFormat = text::FORMAT;
        &TEXT
    }

    /// The diagnostics of a module as one document. The same report and options give the same bytes.
    pub fn write(&'static self, report: &Report<'_>, options: &ReportOptions) -> Vec<u8> {
        let mut document = Document::new(self, options.clone());
        document.take("", report);
        document.finish()
    }

    /// Whether its documents are JSON.
    pub fn is_json(&self) -> bool {
        self.media_type.ends_with("+json")
    }

    /// The value of a header `Content-Type`.
    pub fn content_type(&self) -> String {
        if self.media_type.starts_with("text/") {
            format!("{}; charset=utf-8", self.media_type)
        } else {
            self.media_type.to_owned()
        }
    }
}

/// At most `most` bytes of a text, cut between two characters, with an ellipsis where something is missing.
pub(super) fn cut(text: &str, most: usize) -> std::borrow::Cow<'_, str> {
    const ELLIPSIS: &str = "…";
    if text.len() <= most {
        return text.into();
    }
    let end = text.floor_char_boundary(most.saturating_sub(ELLIPSIS.len()));
    format!("{}{ELLIPSIS}", text.get(..end).unwrap_or_default()).into()
}

//! The answer of `POST /v1/merge`.

use super::config::Pointers;
use super::json::JsonWriter;
use super::redaction::Redaction;
use super::resolved::{self, Resolved};
use super::{config, diagnostics, objects, overrides, variables};
use crate::version_from::version_from;
use overfold_base::named;
use overfold_dialect::FileSyntax;
use overfold_model::config::{FileEntry, FileRole};
use overfold_module::pipeline::Report;

/// What an answer contains.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct AnswerOptions {
    /// The parts of the module to include; diagnostics are always present.
    pub include: Include,
    /// The form of the part `config`.
    pub config_format: ConfigFormat,
}

impl Default for AnswerOptions {
    fn default() -> Self {
        Self { include: Include { config: true, ..Include::default() }, config_format: ConfigFormat::TfJson }
    }
}

/// Parts of the module in an answer.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Include {
    /// The merged configuration.
    pub config: bool,
    /// Every object with the origin of each of its parts; for a module that is a list of blocks, that list, as
    /// `content`.
    pub objects: bool,
    /// Input variables.
    pub variables: bool,
    /// The files of the directory and how each was used.
    pub files: bool,
    /// What overriding changed.
    pub overrides: bool,
}

named! {
    /// The form of the part `config`.
    #[derive(Default)]
    pub enum ConfigFormat {
        /// Terraform's JSON configuration syntax; the tool itself can load it.
        #[default]
        TfJson = "tf-json" or "json",
        /// The form that hcl2json and conftest's `hcl2` parser produce.
        Hcl2Json = "hcl2json",
        /// Native syntax, as a single text.
        Hcl = "hcl" or "native" or "hcl2",
        /// The primary files, with the overrides folded into them in place.
        Files = "files",
    }
}

/// Writes the whole answer as JSON. The same report and options yield the same bytes.
pub fn answer(report: &Report<'_>, options: AnswerOptions) -> Vec<u8> {
    // Growing a large buffer later would need room for two copies.
    let each = if options.include.objects { 560 } else { 512 };
    let expected = report.module.files.len() * 256 + report.module.elements.len() * each;
    let mut json = JsonWriter::with_capacity(1024 + expected);
    let redaction = Redaction::of(report);
    json.object(|json| {
        json.key("valid");
        json.bool(!report.diagnostics.has_errors());
        json.member("dialect", report.dialect.name);
        json.member("version", &report.version);
        version_from(json, report.version_from.as_deref());
        json.key("module");
        json.object(|json| module(json, report, &redaction, options));
        json.key("diagnostics");
        diagnostics::write_all(json, &redaction, report.forest, &report.diagnostics, &report.severities);
        if report.dropped() > 0 {
            // The input consists of mistakes: only a limited number of them is listed.
            json.key("diagnostics_dropped");
            json.uint(u32::try_from(report.dropped()).unwrap_or(u32::MAX));
        }
    });
    json.into_bytes()
}

/// Writes the part `config` alone: the bytes of one JSON value, or of the text if the format is a text.
pub fn config_only(report: &Report<'_>, format: ConfigFormat) -> Vec<u8> {
    let redaction = Redaction::of(report);
    let mut json = JsonWriter::with_capacity(1024);
    match (Resolved::of(report), format) {
        (None, ConfigFormat::Hcl) => return config::native_text(report, &redaction).into_bytes(),
        (None, _) => config(&mut json, report, &redaction, format),
        (Some(resolved), ConfigFormat::Hcl) => return resolved.with(&redaction, config::native_text).into_bytes(),
        (Some(resolved), _) => {
            resolved.with(&redaction, |report, redaction| config(&mut json, report, redaction, format));
        }
    }
    json.into_bytes()
}

/// Writes the configuration with expressions replaced by their values, if the request asks for that, alone.
pub(super) fn effective_config(
    json: &mut JsonWriter,
    report: &Report<'_>,
    redaction: &Redaction<'_>,
    format: ConfigFormat,
) {
    match Resolved::of(report) {
        Some(resolved) => resolved.with(redaction, |report, redaction| config(json, report, redaction, format)),
        None => config(json, report, redaction, format),
    }
}

fn config(json: &mut JsonWriter, report: &Report<'_>, redaction: &Redaction<'_>, format: ConfigFormat) {
    match format {
        ConfigFormat::TfJson => config::walk(json, report, redaction),
        ConfigFormat::Hcl2Json => config::write_hcl2json(json, report, redaction),
        ConfigFormat::Hcl => json.str(&config::native_text(report, redaction)),
        ConfigFormat::Files => config::write_files(json, report, redaction),
    }
}

/// Writes the diagnostics alone, as one JSON array.
pub fn diagnostics_only(report: &Report<'_>) -> Vec<u8> {
    let mut json = JsonWriter::with_capacity(1024);
    let redaction = Redaction::of(report);
    diagnostics::write_all(&mut json, &redaction, report.forest, &report.diagnostics, &report.severities);
    json.into_bytes()
}

pub(super) fn module(json: &mut JsonWriter, report: &Report<'_>, redaction: &Redaction<'_>, options: AnswerOptions) {
    let Include { config: with_config, objects, variables: with_variables, files, overrides: with_overrides } =
        options.include;
    json.member("path", if report.root.is_empty() { "." } else { &report.root });
    if files {
        json.key("files");
        json.array(|json| {
            let folder = report.forest.sources.folder();
            for entry in &report.module.files {
                json.object(|json| file(json, entry, folder));
            }
        });
    }
    let is_located = with_overrides && !report.module.changes.is_empty();
    let resolved = Resolved::of(report);
    let mut pointers = None;
    if with_config {
        json.key("config");
        let format = options.config_format;
        match &resolved {
            Some(resolved) => resolved.with(redaction, |report, redaction| config(json, report, redaction, format)),
            None if is_located && format == ConfigFormat::TfJson => {
                pointers = Some(config::locate(Some(&mut *json), report, redaction));
            }
            None => config(json, report, redaction, format),
        }
    }
    if let Some(resolved) = &resolved {
        json.key("replacements");
        resolved::write(json, resolved, redaction);
    }
    if objects {
        match &report.module.blocks {
            Some(blocks) => {
                json.key("content");
                objects::write_list(json, report, redaction, blocks);
            }
            None => {
                json.key("objects");
                objects::write(json, report, redaction);
            }
        }
    }
    if with_overrides {
        json.key("overrides");
        let located = || if is_located { config::locate(None, report, redaction) } else { Pointers::default() };
        overrides::write(json, report, redaction, &pointers.unwrap_or_else(located));
    }
    if with_variables {
        // The origins of values are given as in the request, relative to the module directory.
        json.key("variables");
        variables::write(json, report, redaction);
    }
}

fn file(json: &mut JsonWriter, entry: &FileEntry, folder: &str) {
    if folder.is_empty() {
        json.member("path", &entry.name);
    } else {
        json.member("path", &format!("{folder}{}", entry.name));
    }
    json.member(
        "role",
        match entry.role {
            FileRole::Primary => "primary",
            FileRole::Override => "override",
            FileRole::Values => "values",
            FileRole::Test => "test",
            FileRole::Ignored(_) => "ignored",
        },
    );
    if matches!(entry.role, FileRole::Primary | FileRole::Override) {
        json.key("order");
        json.uint(entry.order);
    }
    if let Some(syntax) = entry.syntax {
        json.member(
            "syntax",
            match syntax {
                FileSyntax::Native | FileSyntax::Hcl1 => "native",
                FileSyntax::Json => "json",
            },
        );
    }
    if let FileRole::Ignored(reason) = entry.role {
        json.member("reason", reason);
    }
}

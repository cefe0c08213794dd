//! The answer of `POST /v1/merge`.

use std::cell::OnceCell;

use serde::Serialize;

use super::config;
use super::config::Pointers;
use super::diagnostics::DiagnosticList;
use super::json::{JsonWriter, Streamed};
use super::objects::{NestedBlocks, Objects};
use super::overrides::Overrides;
use super::redaction::Redaction;
use super::resolved::{Replacements, Resolved};
use super::variables::Variables;
use crate::view::{File, MergeAnswer, Module, Role, Syntax, VersionFrom};
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
    ModuleParts::of(report, &redaction, options).write(&mut json, |module| MergeAnswer {
        valid: !report.diagnostics.has_errors(),
        dialect: report.dialect.name,
        version: &report.version,
        version_from: report.version_from.as_deref().map(VersionFrom::new),
        module: Some(module),
        modules: None,
        calls: None,
        diagnostics: DiagnosticList::of(report, &redaction),
        diagnostics_dropped: dropped(report.dropped()),
    });
    json.into_bytes()
}

/// The number of findings that are not listed; `None` if all are. If the input consists of mistakes, only a limited number
/// of them is listed.
pub(super) fn dropped(count: usize) -> Option<u32> {
    (count > 0).then(|| u32::try_from(count).unwrap_or(u32::MAX))
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
    json.view(&DiagnosticList::of(report, &Redaction::of(report)));
    json.into_bytes()
}

/// What the parts of a module are made from.
pub(super) struct ModuleParts<'a> {
    report: &'a Report<'a>,
    redaction: &'a Redaction<'a>,
    options: AnswerOptions,
    resolved: Option<Resolved<'a>>,
    /// The places in `config`, once they are known.
    pointers: OnceCell<Pointers>,
}

impl<'a> ModuleParts<'a> {
    pub(super) fn of(report: &'a Report<'a>, redaction: &'a Redaction<'a>, options: AnswerOptions) -> Self {
        Self { report, redaction, options, resolved: Resolved::of(report), pointers: OnceCell::new() }
    }

    /// Writes a view that contains the view of the module.
    pub(super) fn write<'s, V: Serialize>(&'s self, json: &mut JsonWriter, view: impl FnOnce(Module<'s>) -> V) {
        json.view_with(&view(self.module()), &mut |json, _| self.config(json));
    }

    fn module(&self) -> Module<'_> {
        let Self { report, redaction, options, ref resolved, ref pointers } = *self;
        let Include { config, objects, variables, files, overrides } = options.include;
        let blocks = report.module.blocks.as_ref().filter(|_| objects);
        Module {
            path: if report.root.is_empty() { "." } else { &report.root },
            files: files.then(|| {
                let folder = report.forest.sources.folder();
                report.module.files.iter().map(|entry| file(entry, folder)).collect()
            }),
            config: config.then_some(Streamed("config")),
            replacements: resolved.as_ref().map(|resolved| Replacements { resolved, redaction }),
            objects: (objects && blocks.is_none()).then(|| Objects::of(report, redaction)),
            content: blocks.map(|blocks| NestedBlocks::of_list(report, redaction, blocks)),
            overrides: overrides.then_some(Overrides { report, redaction, pointers }),
            // The origins of values are given as in the request, relative to the module directory.
            variables: variables.then_some(Variables { report, redaction }),
        }
    }

    fn config(&self, json: &mut JsonWriter) {
        let Self { report, redaction, options, .. } = *self;
        let format = options.config_format;
        let is_located = options.include.overrides && !report.module.changes.is_empty();
        match &self.resolved {
            Some(resolved) => resolved.with(redaction, |report, redaction| config(json, report, redaction, format)),
            None if is_located && format == ConfigFormat::TfJson => {
                // The places are recorded on the way.
                self.pointers.get_or_init(|| config::locate(Some(json), report, redaction));
            }
            None => config(json, report, redaction, format),
        }
    }
}

fn file<'a>(entry: &'a FileEntry, folder: &str) -> File<'a> {
    let (role, reason) = match entry.role {
        FileRole::Primary => (Role::Primary, None),
        FileRole::Override => (Role::Override, None),
        FileRole::Values => (Role::Values, None),
        FileRole::Test => (Role::Test, None),
        FileRole::Ignored(reason) => (Role::Ignored, Some(reason)),
    };
    File {
        path: if folder.is_empty() { (&*entry.name).into() } else { format!("{folder}{}", entry.name).into() },
        role,
        order: matches!(role, Role::Primary | Role::Override).then_some(entry.order),
        syntax: entry.syntax.map(|syntax| match syntax {
            FileSyntax::Native | FileSyntax::Hcl1 => Syntax::Native,
            FileSyntax::Json => Syntax::Json,
        }),
        reason,
    }
}

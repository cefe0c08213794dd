//! The record of what overriding changed is complete: whatever differs between a module with and without its override
//! files has an entry, every entry of something that takes effect leads to it, and every argument of an override file
//! is mentioned, unless the file has an error.

use libtest_mimic::Failed;
use overfold_cli::config::{ChangeKind, FileRole, Part};
use overfold_cli::diag::{Severity, Span};
use overfold_cli::files::SourceRole;
use overfold_cli::output::{AnswerOptions, ConfigFormat, Difference, Include, answer};
use overfold_cli::pipeline::{Report, run};
use overfold_cli::syntax::{Forest, Parsed};
use serde_json::Value;

use super::folder::{Case, file_set, names, read};
use super::module_suites::request;
use super::runner::Trial;

/// Cases in which the record is known to lack an entry: an alias that is merged, a constraint that a later file replaces,
/// a refused `action_trigger`, a repetition that another file brings, variables and iterators of lists of blocks.
const GAPS: &[&str] = &[
    "terraform/check-scoped-data-can-be-overridden",
    "terraform/missing-base-aliased-provider",
    "terraform/tf-required-version-two-override-files",
    "terraform-versions/action-trigger-1.13.5",
    "opentofu/override-tofu-hides-override-tf",
    "opentofu-versions/provider-for-each-in-1-8",
    "opentofu-versions/provider-for-each-in-1-9",
    "tflint/expand-dynamic-hides-literal",
    "tflint/mixed-small-module",
    "tflint/stray-top-level-argument",
    "tflint/syntax-error-in-override",
    "tflint/variable-arguments-must-be-constant",
    "tflint/variable-default-breaks-type",
    "tflint/variable-no-nullability-check",
    "tflint/variable-type-breaks-default",
    "tflint/variable-validation-replaced",
];

/// Adds one trial for each case. A known gap that is closed fails until it is taken off the list.
pub(crate) fn add(suite: &'static str, trials: &mut Vec<Trial>) {
    for name in names(suite) {
        if GAPS.contains(&format!("{suite}/{name}").as_str()) {
            trials.push(Trial::test(format!("acts/{suite}/{name}"), move || match hold(&read(suite, &name)) {
                Ok(()) => Err("the record is complete now: remove the case from GAPS".into()),
                Err(_) => Ok(()),
            }));
            continue;
        }
        trials.push(Trial::test(format!("acts/{suite}/{name}"), move || hold(&read(suite, &name))));
    }
}

fn hold(case: &Case) -> Result<(), Failed> {
    let forest = Forest::default();
    let merged = run(&forest, &file_set(&case.files), &request(case))?;
    let root = case.root();
    let overrides: Vec<String> = merged
        .module
        .files
        .iter()
        .filter(|file| file.role == FileRole::Override)
        .map(|file| if root.is_empty() { file.name.clone() } else { format!("{root}/{}", file.name) })
        .collect();
    if overrides.is_empty() {
        return Ok(());
    }
    let mut missing = entries_have_pointers(&merged)?;
    missing.extend(arguments_without_an_entry(&merged));
    let primary: Vec<_> = case.files.iter().filter(|(name, _)| !overrides.contains(name)).cloned().collect();
    let has_root = |(name, _): &(String, Vec<u8>)| root.is_empty() || name.starts_with(&format!("{root}/"));
    if primary.iter().any(has_root) {
        let other = Forest::default();
        let base = run(&other, &file_set(&primary), &request(case))?;
        let difference: Value = serde_json::from_slice(&Difference::of(&base, &merged).json())?;
        missing.extend(differences_without_an_entry(&merged, &difference));
    }
    if missing.is_empty() { Ok(()) } else { Err(missing.join("\n").into()) }
}

/// Returns the entries of parts that take effect, but are not found in `config`.
fn entries_have_pointers(report: &Report<'_>) -> Result<Vec<String>, Failed> {
    let include = Include { config: true, overrides: true, ..Include::default() };
    let bytes = answer(report, AnswerOptions { include, config_format: ConfigFormat::TfJson });
    let answer: Value = serde_json::from_slice(&bytes)?;
    let module = &answer["module"];
    let mut wrong = Vec::new();
    let entries = module["overrides"].as_array().ok_or("no overrides")?;
    // Where a later override removed or replaced a part, what it was put into is gone.
    let is_later = |entry: &Value| {
        entries.iter().any(|later| {
            ["removed", "block-replaced", "replaced"].contains(&later["change"].as_str().unwrap_or_default())
                && later["address"] == entry["address"]
                && later["file"] != entry["file"]
        })
    };
    for entry in entries {
        let act = entry["change"].as_str().unwrap_or_default();
        let found = entry["pointer"].as_str().map(|pointer| module["config"].pointer(pointer));
        match (act, found) {
            (_, Some(None)) => wrong.push(format!("a pointer leads nowhere: {entry}")),
            ("replaced" | "block-replaced" | "added" | "object-added", None) if !is_later(entry) => {
                wrong.push(format!("it takes effect, but has no pointer: {entry}"));
            }
            ("removed", Some(_)) => wrong.push(format!("it is gone, but has a pointer: {entry}")),
            _ => {}
        }
    }
    Ok(wrong)
}

/// Returns what differs between the module with and without override files, but is not in the record.
fn differences_without_an_entry(merged: &Report<'_>, difference: &Value) -> Vec<String> {
    let changes = &merged.module.changes;
    let plain = |address: &str| address.split('[').next().unwrap_or_default().to_owned();
    let explains = |address: &str, part: Option<&str>| {
        changes.iter().any(|change| {
            let same = plain(&change.address.to_string()) == plain(address);
            let named = match (change.part, part) {
                // A new type converts the default.
                (Part::Object, _) | (_, None) | (Part::Argument("type"), Some("default")) => true,
                (Part::Argument(name) | Part::Block(name), Some(part)) => {
                    format!(".{part}.").contains(&format!(".{name}.")) || part.is_empty()
                }
            };
            same && named && change.act != ChangeKind::Ignored
        })
    };
    let mut missing = Vec::new();
    for change in difference["changes"].as_array().into_iter().flatten() {
        let address = change["address"].as_str().unwrap_or_default();
        let parts: Vec<&str> =
            change["parts"].as_array().into_iter().flatten().filter_map(|part| part["name"].as_str()).collect();
        if change["change"] != "moved" && parts.is_empty() && !explains(address, None) {
            missing.push(format!("no entry says why {address} is {}", change["change"]));
        }
        for part in parts {
            if !explains(address, Some(part)) {
                missing.push(format!("no entry says why {part} of {address} differs"));
            }
        }
    }
    missing
}

/// Returns the arguments of override files without errors that no entry mentions.
fn arguments_without_an_entry(report: &Report<'_>) -> Vec<String> {
    let sources = &report.forest.sources;
    let mut missing = Vec::new();
    for index in 0..sources.len() {
        let id = overfold_cli::diag::SourceId::new(u32::try_from(index).unwrap_or(u32::MAX));
        let Some(source) = sources.get(id).filter(|source| source.role.get() == SourceRole::Configuration) else {
            continue;
        };
        let name = sources.name(id);
        let short = name.rsplit('/').next().unwrap_or(name);
        let is_override =
            report.module.files.iter().any(|file| file.role == FileRole::Override && file.name == short);
        let is_wrong = report.diagnostics.iter().any(|found| {
            found.severity == Severity::Error
                && found.span.is_none_or(|span| span.source == id)
                && !found.code.id.starts_with("override/")
                && found.code.id != "load/condition-in-override"
        });
        let _ = source;
        let Some(Parsed::Native(tree)) = report.forest.parsed(id).filter(|_| is_override && !is_wrong) else {
            continue;
        };
        for attribute in &tree.attributes {
            let at: Span = attribute.range.in_source(id);
            let overlaps = |span: Span| span.source == at.source && span.start < at.end && at.start < span.end;
            if !report.module.changes.iter().any(|change| overlaps(change.cause)) {
                let noted = report.diagnostics.iter().filter(|found| found.span.is_some_and(overlaps)).count();
                let line = sources.position(id, at.start).line;
                if noted == 0 {
                    missing.push(format!("no entry mentions {name}:{line}: {}", sources.text(at)));
                }
            }
        }
    }
    missing
}

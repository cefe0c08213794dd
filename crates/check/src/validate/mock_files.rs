//! Files with the data of mock providers, in the directories that test files of the root module name (terraform.md, section
//! 12). The tool reads them last of all that it loads, also if called modules are wrong; for each mock provider again.

use std::collections::BTreeMap;

use foldhash::{HashMap, HashMapExt};

use super::codes;
use overfold_base::account::{self, ChargedIterator};
use overfold_base::diag::{Diagnostic, Diagnostics, Phase, Span};
use overfold_base::files::{FileSet, SourceFile};
use overfold_dialect::{FileSyntax, MockRules, why_ignored, words};
use overfold_eval::FileAccess;
use overfold_load::decode::{self, codes::DUPLICATE_INNER};
use overfold_load::loading::Report;
use overfold_model::config::{Block, DecodedArgument};
use overfold_tree::installed::{local_path, relative};

/// The argument of an override that names what it overrides.
const TARGET: &str = "target";

/// Reads the files in the directories that the mock providers of the root module name, which is in `root`. Returns what is
/// found in them, for each mock provider.
pub(super) fn read(report: &Report<'_>, files: &FileSet, root: &str) -> Vec<Diagnostic> {
    let mut found = Vec::new();
    let Some(rules) = report.dialect.files.tests.as_ref().and_then(|tests| tests.mocks.as_ref()) else {
        return found;
    };
    let own = files.real_path(root).into_owned();
    let access = FileAccess::new(files, &own);
    let mut known: HashMap<String, Vec<Diagnostic>> = HashMap::new();
    for provider in report.module.tests.iter().flat_map(|file| file.blocks).charged(2) {
        if provider.keyword != words::MOCK_PROVIDER || provider.spec.is_none() {
            continue;
        }
        let Some(source) = text(provider, words::SOURCE_ARGUMENT).filter(|source| !source.is_empty()) else {
            continue;
        };
        // Nothing is known of what is outside of the files.
        let Some(path) = access.resolve(source) else { continue };
        let directory = files.real_path(&path);
        if !files.has_folder(&directory) {
            let detail = format!(
                "There is no directory {source:?}, from which this mock provider takes its data. The path is relative to the working directory."
            );
            let finding = Diagnostic::tool(&codes::MOCK_FOLDER, provider.header, detail);
            found.push(Diagnostic { phase: Some(Phase::Tree), ..finding });
            continue;
        }
        let of_directory = known.entry(directory.into_owned()).or_insert_with_key(|directory| {
            let shown = local_path(files, &own, "", (source, directory));
            let shown = shown.map_or_else(|| relative(&own, directory), |shown| shown.to_string());
            report.forest.sources.enter_module(&shown);
            let found = directory_of_mocks(report, files.in_folder(directory), rules);
            report.forest.sources.enter_module("");
            found
        });
        account::grow((of_directory.len() * size_of::<Diagnostic>()) as u64);
        found.extend(of_directory.iter().charged_at_once(4).cloned());
    }
    found
}

/// Reads the files of one directory.
fn directory_of_mocks<'s>(
    report: &Report<'_>,
    files: impl Iterator<Item = &'s SourceFile>,
    rules: &'static MockRules,
) -> Vec<Diagnostic> {
    let (forest, mut out) = (report.forest, Diagnostics::in_phase(Phase::Tree));
    let mut firsts: HashMap<(&str, String), Span> = HashMap::new();
    for file in files {
        let name = file.path.name();
        account::touch(name.len());
        let row = rules.names.iter().find(|row| name.ends_with(row.name));
        let Some(row) = row.filter(|_| why_ignored(name).is_none()) else { continue };
        let source = match row.syntax {
            FileSyntax::Json => forest.parse_json(name, file.bytes.clone(), &mut out),
            _ => forest.parse_native(name, file.bytes.clone(), &mut out),
        };
        let Some(content) = decode::test_file(forest, report.dialect, &rules.file, source, &mut out) else {
            continue;
        };
        clashes(&content, &mut firsts, &mut out);
    }
    out.into_vec()
}

/// Reports blocks that are the same as one of an earlier file. Those of one file are compared when it is read.
fn clashes<'f>(content: &Block<'f>, firsts: &mut HashMap<(&'f str, String), Span>, out: &mut Diagnostics) {
    let mut own: BTreeMap<(&str, String), Span> = BTreeMap::new();
    for block in content.blocks.iter().filter(|block| block.spec.is_some()).charged(4) {
        let (name, at, title) = match block.labels.first() {
            Some(label) => (label.text, label.span, "Duplicate mock resource block"),
            None => match text(block, TARGET) {
                Some(target) => (target, block.header, "Duplicate override block"),
                None => continue,
            },
        };
        account::copy(name.len());
        let key = (block.keyword, name.to_owned());
        if own.contains_key(&key) {
            continue;
        }
        if let Some(&first) = firsts.get(&key) {
            let detail = format!(
                "Another file of this directory already has a `{}` block for {name:?}. Remove one of the two.",
                block.keyword
            );
            let finding = Diagnostic::tool(&DUPLICATE_INNER, at, detail).titled(title);
            out.push(finding.and("the first one", first));
        }
        own.insert(key, at);
    }
    for (key, at) in own {
        firsts.entry(key).or_insert(at);
    }
}

/// Returns the constant text of an argument.
fn text<'f>(block: &Block<'f>, name: &str) -> Option<&'f str> {
    match block
        .arguments
        .iter()
        .charged_at_once(1)
        .find(|argument| argument.spec.is_some() && argument.name == name)?
        .decoded
    {
        DecodedArgument::Text(text) => Some(text),
        _ => None,
    }
}

//! The stages for dialects whose module is a list of blocks.
//!
//! With expansion the list is put together twice: as it is written, for what variables and local values are and for the
//! checks that the tool makes; then once more out of the expanded files.

use super::Request;
use crate::block_list::{self, Expansion, Listing};
use crate::config::{FileEntry, Merged, Module, Secrets};
use crate::diag::{Diagnostics, Phase};
use crate::dialect::DialectSpec;
use crate::eval::FileAccess;
use crate::files::FileSet;
use crate::merge::{self, MergedList};
use crate::scope::{Definitions, Language};
use crate::syntax::Forest;
use crate::value::Value;
use crate::vars::{self, VariableInputs, Variables};

/// What the stages give.
pub(super) struct Listed<'f> {
    /// The merged list, with files and variables.
    pub(super) merged: Merged<'f>,
    /// Values of variables, where they were asked for.
    pub(super) variables: Option<Variables>,
}

/// Runs the stages.
pub(super) fn run<'f>(
    files: &FileSet,
    request: &Request,
    entries: Vec<FileEntry>,
    dialect: &'static DialectSpec,
    forest: &'f Forest,
    out: &mut Diagnostics,
) -> Listed<'f> {
    let expand = request.expand.then_some(dialect.view);
    let mut listing = Listing::read(files, &request.root, entries, dialect, forest, out);
    out.enter(Phase::Merging);
    // What is silently dropped is noted for the list that is answered.
    let mut discarded = Diagnostics::new();
    let notes = if expand.is_some() { &mut discarded } else { &mut *out };
    let written = listing.as_written(forest, notes);
    let MergedList { blocks: mut content, changes } = merge::merge_list(written, forest, notes);
    let mut module = Module {
        elements: block_list::variables(&content, forest, out),
        files: std::mem::take(&mut listing.files),
        secrets: Secrets::of(forest, true),
        changes,
        own_versions: Vec::new(),
    };
    let access = FileAccess { files, root: &request.root };
    let resolve = |given: &VariableInputs, out: &mut Diagnostics| {
        let inputs = vars::Inputs { module: &module, files: access.clone(), given, dialect, forest };
        let gathered = vars::gather(&inputs);
        vars::resolve(&inputs, gathered, out)
    };
    let variables = request.variables.as_ref().map(|given| resolve(given, out));
    if let Some(view) = expand {
        let definitions = Definitions::of_list(&module, &content);
        let resolved = variables.iter().flat_map(|variables| &variables.list);
        let resolved = resolved
            .map(|variable| (variable.name.clone(), variable.value.clone().unwrap_or_else(Value::dynamic)))
            .collect();
        let language = Language::of(dialect, forest, access.clone());
        out.enter(Phase::Expansion);
        let mut expansion = Expansion::new(forest, view, language, &definitions, resolved);
        let files = listing.expanded(forest, &mut expansion, out);
        let merged = merge::merge_list(files, forest, out);
        (content, module.changes) = (merged.blocks, merged.changes);
    }
    Listed { merged: Merged::BlockList { blocks: content, module }, variables }
}

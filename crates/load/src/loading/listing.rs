//! Runs the stages for dialects whose module is a list of blocks.
//!
//! With expansion the list is built twice: first from the files as written, for the values of variables and locals and
//! for the checks that the tool makes; then again from the expanded files.

use super::Request;
use crate::block_list::{self, Expansion, Listing};
use crate::merge::{self, MergedList};
use crate::vars::{self, VariableInputs, Variables};
use overfold_base::diag::{Diagnostics, Phase};
use overfold_base::files::FileSet;
use overfold_dialect::DialectSpec;
use overfold_eval::FileAccess;
use overfold_model::config::{FileEntry, Module, Secrets};
use overfold_model::scope::{Definitions, Language};
use overfold_syntax::Forest;
use overfold_value::Value;

/// The result of the stages.
pub(super) struct BlockListing<'f> {
    /// The merged module.
    pub(super) module: Module<'f>,
    /// The values of variables, if requested.
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
) -> BlockListing<'f> {
    let expand = request.expand.then_some(dialect.view);
    let mut listing = Listing::read(files, &request.root, entries, dialect, forest, out);
    out.enter(Phase::Merging);
    // Content that is silently dropped is noted only for the list that is returned.
    let mut discarded = Diagnostics::new();
    let notes = if expand.is_some() { &mut discarded } else { &mut *out };
    let written = listing.as_written(forest, notes);
    let MergedList { blocks, changes } = merge::merge_list(written, forest, notes);
    let mut module = Module {
        elements: block_list::variables(&blocks, forest, out),
        blocks: Some(blocks),
        files: std::mem::take(&mut listing.files),
        tests: Vec::new(),
        secrets: Secrets::new(forest, true),
        changes,
        own_versions: Vec::new(),
    };
    let access = FileAccess::new(files, &request.root);
    let resolve = |given: &VariableInputs, out: &mut Diagnostics| {
        let inputs = vars::Inputs {
            module: &module,
            files: access.clone(),
            given,
            dialect,
            forest,
            unset_is_unknown: false,
            provider_schemas: None,
        };
        let gathered = vars::gather(&inputs);
        vars::resolve(&inputs, gathered, out)
    };
    let variables = request.variables.as_ref().map(|given| resolve(given, out));
    if let Some(view) = expand {
        let definitions = Definitions::from_module(&module);
        let resolved = variables.iter().flat_map(|variables| &variables.list);
        let resolved = resolved
            .map(|variable| (variable.name.clone(), variable.value.clone().unwrap_or_else(Value::dynamic)))
            .collect();
        let language = Language::new(dialect, forest, access.clone());
        out.enter(Phase::Expansion);
        let mut expansion = Expansion::new(forest, view, language, &definitions, resolved);
        let files = listing.expanded(forest, &mut expansion, out);
        let merged = merge::merge_list(files, forest, out);
        (module.blocks, module.changes) = (Some(merged.blocks), merged.changes);
    }
    BlockListing { module, variables }
}

//! The stages for dialects whose module is a list of blocks.
//!
//! With expansion the list is put together twice: as it is written, for what variables and local values are and for the
//! checks that the tool makes; then once more out of the expanded files.

use super::Request;
use crate::block_list::{self, Expansion, Known, Listing};
use crate::config::{Block, FileEntry, Merged, Module, Payload, Secrets};
use crate::diag::{Diagnostics, Phase};
use crate::dialect::{self, DialectSpec, Rule, View};
use crate::eval::{FileAccess, LogicRule};
use crate::files::FileSet;
use crate::language::references::AddressWords;
use crate::merge::{self, MergedList};
use crate::syntax::Forest;
use crate::value::{Marks, Type, Value};
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
    };
    let access = FileAccess { files, root: &request.root };
    let resolve = |given: &VariableInputs, out: &mut Diagnostics| {
        let inputs = vars::Inputs { module: &module, files: access.clone(), given, dialect, forest };
        let gathered = vars::gather(&inputs);
        vars::resolve(&inputs, gathered, out)
    };
    let variables = request.variables.as_ref().map(|given| resolve(given, out));
    if let Some(view) = expand {
        let known = known(&module, variables.as_ref(), &content, access.clone(), dialect);
        out.enter(Phase::Expansion);
        let merged = expanded(&listing, view, &known, forest, out);
        (content, module.changes) = (merged.blocks, merged.changes);
    }
    Listed { merged: Merged::BlockList { blocks: content, module }, variables }
}

fn expanded<'f>(
    listing: &Listing,
    view: View,
    known: &Known<'_>,
    forest: &'f Forest,
    out: &mut Diagnostics,
) -> MergedList<'f> {
    let mut expansion = Expansion::new(forest, view, known);
    let files = listing.expanded(forest, &mut expansion, out);
    merge::merge_list(files, forest, out)
}

/// Names for expansion: values that were given, else defaults; what has neither is not known.
fn known<'a>(
    module: &Module<'_>,
    variables: Option<&Variables>,
    content: &[Block<'_>],
    files: FileAccess<'a>,
    dialect: &'static DialectSpec,
) -> Known<'a> {
    let mut values = std::collections::HashMap::new();
    for element in &module.elements {
        let (Payload::Variable(variable), [name]) = (&element.payload, element.block.labels.as_slice()) else {
            continue;
        };
        let ty = variable.constraint().map_or(Type::Dynamic, |constraint| constraint.ty.without_optional());
        let marks = [("sensitive", Marks::SENSITIVE), ("ephemeral", Marks::EPHEMERAL)]
            .into_iter()
            .filter(|(flag, _)| crate::config::is_set(&element.block, flag))
            .fold(crate::config::unread_marks(module, element), |marks, (_, mark)| marks.and(mark));
        let value = variable.default().cloned().unwrap_or_else(|| Value::unknown(ty)).with_marks(marks);
        values.insert(std::sync::Arc::from(name.text), value);
    }
    for resolved in variables.iter().flat_map(|variables| &variables.list) {
        let value = resolved.value.clone().unwrap_or_else(Value::dynamic);
        let marks = values.get(&resolved.name).map_or(Marks::NONE, Value::marks);
        values.insert(resolved.name.clone(), value.with_marks(marks));
    }
    Known {
        variables: values,
        locals: block_list::locals(content),
        words: AddressWords::of(dialect),
        logic: if dialect.has(Rule::LogicShortCircuits) { LogicRule::ShortCircuit } else { LogicRule::BothSides },
        functions: dialect::functions(dialect),
        files,
    }
}

//! Settings of which a module has one: `backend`, `cloud` and their kin, and the version constraints, which one file
//! replaces together (terraform.md, section 7.8).

use super::{Merger, codes};
use crate::account;
use crate::config::{Argument, Block, Element};
use crate::diag::Diagnostic;
use crate::dialect::{BlockSpec, DialectSpec, Missing, OverrideRule};
use foldhash::HashMap;

/// Takes the settings of one override file. Kinds take effect in the order of the dialect's table, whatever the order
/// in the file.
pub(super) fn take<'f>(merger: &mut Merger<'f, '_>, settings: Vec<Element<'f>>, dialect: &'static DialectSpec) {
    if settings.is_empty() {
        return;
    }
    let mut kinds: Vec<(usize, &'static str, Vec<Element<'f>>)> = Vec::new();
    for element in settings {
        match kinds.iter_mut().find(|(_, kind, _)| *kind == element.kind) {
            Some((_, _, group)) => group.push(element),
            None => kinds.push((table_order(dialect.blocks, element.kind), element.kind, vec![element])),
        }
    }
    kinds.sort_by_key(|(order, _, _)| *order);
    for (_, _, group) in kinds {
        match group.first().and_then(|first| first.block.spec).map(|row| row.over) {
            Some(OverrideRule::OnePerFile { title, displaces }) => {
                let title = dialect.title(codes::SETTING_TWICE.id, title);
                one_per_file(merger, group, title, displaces);
            }
            Some(OverrideRule::OnePerFileMerged { title }) => {
                let title = dialect.title(codes::SETTING_TWICE.id, title);
                if let Some(element) = only(merger, group, title) {
                    merger.fold(element, Missing::Adopt);
                }
            }
            _ => all_of_file(merger, group),
        }
    }
}

/// Where a kind stands in the table, counted through nested rows.
fn table_order(rows: &'static [BlockSpec], kind: &str) -> usize {
    fn walk(rows: &'static [BlockSpec], kind: &str, count: &mut usize) -> bool {
        rows.iter().any(|row| {
            *count += 1;
            row.kind == kind || walk(row.blocks, kind, count)
        })
    }
    let mut count = 0;
    walk(rows, kind, &mut count);
    count
}

/// The one setting of its kind in a file. Where there are more, that is reported.
fn only<'f>(merger: &mut Merger<'f, '_>, mut group: Vec<Element<'f>>, title: &'static str) -> Option<Element<'f>> {
    if let [first, second, ..] = group.as_slice() {
        let detail = "An override file can have only one block of this kind. The tool ignores all of them and keeps \
                      the block of the base.";
        let error = Diagnostic::tool(&codes::SETTING_TWICE, second.block.header, detail)
            .titled(title)
            .about(second.address.0)
            .and("first block here", first.block.header);
        merger.out.push(error);
        return None;
    }
    group.pop()
}

fn one_per_file<'f>(merger: &mut Merger<'f, '_>, group: Vec<Element<'f>>, title: &'static str, displaces: &[&str]) {
    let Some(mut element) = only(merger, group, title) else { return };
    let kind = element.kind;
    for old in merger.remove(|other| other.kind == kind || displaces.contains(&other.kind)) {
        if old.kind != kind {
            let (old_at, new_at) = (old.block.header, element.block.header);
            let note = if old_at.source == new_at.source {
                let detail = format!("The {kind} block of the same override file replaces this {} block.", old.kind);
                Diagnostic::ours(&codes::SETTING_DISPLACED, old_at, detail).and("replaced by this block", new_at)
            } else {
                let detail = format!("The {kind} block of this override file removes {}.", old.address.0);
                Diagnostic::ours(&codes::SETTING_DISPLACED, new_at, detail).and("removed", old_at)
            };
            merger.out.push(note.about(old.address.0));
        }
        let mut old = old;
        let label = |element: &Element<'f>| element.block.labels.first().map(|label| label.text);
        if old.kind == kind {
            if label(&old) == label(&element) {
                merger.losses.contents(&old.block, &element.block, element.address.0, merger.out);
            }
            element.block.overridden.append(&mut old.block.overridden);
            remember(&mut element.block, &old.block);
        }
        element.block.overrode_blocks.append(&mut old.block.overrode_blocks);
        element.block.overrode_blocks.push(old.block);
    }
    if !element.block.overrode_blocks.is_empty() {
        element.block.overridden.push(element.block.header);
    }
    merger.add(element);
}

/// Lets the arguments of a block remember those of the same name in the block whose place it takes.
fn remember<'f>(block: &mut Block<'f>, old: &Block<'f>) {
    account::work((block.arguments.len() + old.arguments.len()) as u64);
    let earlier: HashMap<&str, &Argument<'f>> =
        old.arguments.iter().map(|argument| (argument.name, argument)).collect();
    for argument in &mut block.arguments {
        if let Some(&replaced) = earlier.get(argument.name) {
            let mut replaced = replaced.clone();
            argument.overrode = std::mem::take(&mut replaced.overrode);
            argument.overrode.push(replaced);
        }
    }
}

/// Everything of the kind that was collected so far makes room for what this file has.
fn all_of_file<'f>(merger: &mut Merger<'f, '_>, group: Vec<Element<'f>>) {
    let mut group = group.into_iter();
    let Some(mut all) = group.next() else { return };
    for element in group {
        all.block.arguments.extend(element.block.arguments);
    }
    if all.block.arguments.is_empty() {
        return;
    }
    let address = all.address;
    match merger.get_mut(&address) {
        Some(base) => {
            all.block.overridden = std::mem::take(&mut base.block.overridden);
            all.block.overridden.push(all.block.header);
            let earlier = std::mem::take(&mut base.block.arguments);
            if let Some(first) = all.block.arguments.first_mut() {
                for mut argument in earlier {
                    first.overrode.append(&mut argument.overrode);
                    first.overrode.push(argument);
                }
            }
            *base = all;
        }
        None => merger.add(all),
    }
}

//! Settings that a module has only once: `backend`, `cloud` and the like, and the version constraints, which one file
//! replaces together (terraform.md, section 7.8).

use foldhash::HashSet;

use super::block::remember_by_name;
use super::losses::Losses;
use super::record::Reason;
use super::{Merger, codes};
use overfold_base::diag::Diagnostic;
use overfold_dialect::{BlockSpec, DialectSpec, Missing, ObjectKind, OverrideRule};
use overfold_model::config::{Argument, Block, BlockHistory, ChangeKind, Element, History, MergeRule, Part};

/// Applies the settings of one override file. Kinds take effect in the order of the dialect's table, whatever their
/// order in the file.
pub(super) fn apply<'f>(merger: &mut Merger<'f, '_>, settings: Vec<Element<'f>>, dialect: &'static DialectSpec) {
    if settings.is_empty() {
        return;
    }
    let mut kinds: Vec<(usize, ObjectKind, Vec<Element<'f>>)> = Vec::new();
    for element in settings {
        match kinds.iter_mut().find(|(_, kind, _)| *kind == element.kind) {
            Some((_, _, group)) => group.push(element),
            None => kinds.push((table_order(dialect.blocks, element.kind), element.kind, vec![element])),
        }
    }
    kinds.sort_by_key(|(order, _, _)| *order);
    for (_, _, group) in kinds {
        let Some(row) = group.first().and_then(|first| first.block.spec) else { continue };
        match row.over {
            OverrideRule::OnePerFile { title, displaces } => {
                let title = dialect.title(codes::SETTING_TWICE.id, title);
                if let Some(element) = only(merger, group, title, &row.over) {
                    replace_one(merger, element, displaces, &row.over);
                }
            }
            OverrideRule::OnePerFileMerged { title } => {
                let title = dialect.title(codes::SETTING_TWICE.id, title);
                if let Some(element) = only(merger, group, title, &row.over) {
                    merger.merge(element, Missing::Adopt, &row.over);
                }
            }
            _ => replace_all(merger, group, &row.over),
        }
    }
}

/// Returns the position of a kind in the table, including nested rows.
fn table_order(rows: &'static [BlockSpec], kind: ObjectKind) -> usize {
    fn walk(rows: &'static [BlockSpec], kind: ObjectKind, count: &mut usize) -> bool {
        rows.iter().any(|row| {
            *count += 1;
            row.kind == kind || walk(row.blocks, kind, count)
        })
    }
    let mut count = 0;
    walk(rows, kind, &mut count);
    count
}

/// Returns the only setting of its kind in a file. Reports an error if there are several.
fn only<'f>(
    merger: &mut Merger<'f, '_>,
    mut group: Vec<Element<'f>>,
    title: &'static str,
    rule: &'static OverrideRule,
) -> Option<Element<'f>> {
    if let [first, second, ..] = group.as_slice() {
        let detail = "An override file can have only one block of this kind. Because there are several, all of them are ignored, and the original block stays.";
        let error = Diagnostic::tool(&codes::SETTING_TWICE, second.block.header, detail)
            .titled(title)
            .about(second.address)
            .and("first block here", first.block.header);
        merger.out.push(error);
        for element in &group {
            merger.record_change(element, ChangeKind::Ignored, None, rule);
        }
        return None;
    }
    group.pop()
}

/// Replaces the setting of the same kind, and removes the settings of the kinds in `displaces`.
fn replace_one<'f>(
    merger: &mut Merger<'f, '_>,
    mut element: Element<'f>,
    displaces: &'static [ObjectKind],
    rule: &'static OverrideRule,
) {
    let kind = element.kind;
    let reason = Reason { within: element.block.header, rule: MergeRule::Block(rule) };
    let mut act = ChangeKind::Added;
    let forest = merger.forest;
    let mut block = *element.block;
    let mut history = BlockHistory::NONE;
    for old in merger.remove(std::iter::once(kind).chain(displaces.iter().copied())) {
        let label = |element: &Element<'f>| element.block.labels.first().map(|label| label.text);
        let mut cx = merger.context(old.address, element.address);
        let (old_at, new_at) = (old.block.range, element.block.range);
        let mut gone = *old.block;
        let mut gone_history = BlockHistory::NONE;
        if old.kind == kind {
            act = ChangeKind::Replaced;
            cx.record_change(Part::Object, act, Some(old_at), new_at, reason);
            if label(&old) == label(&element) {
                cx.record_lost_contents(old.block, element.block, Losses::Reported, reason);
            }
            history.overridden_by.append(forest, old.block.overridden_by());
            // Histories of arguments are moved: if they were also kept in the recorded block, a long chain of overrides
            // would contain each of them once for every later override.
            block.arguments = remember_by_name(block.arguments, old.block.arguments, forest).0;
            let names: HashSet<&str> = block.arguments.iter().map(|argument| argument.name).collect();
            gone.arguments = forest.keep_each(old.block.arguments.iter().map(|&argument| {
                let moved = names.contains(argument.name);
                Argument { previous: if moved { History::NONE } else { argument.previous }, ..argument }
            }));
        } else {
            gone_history.overridden_by = old.block.overridden_by();
            cx.record_change(Part::Object, ChangeKind::Removed, Some(old_at), new_at, reason);
            note_displaced(merger, &old, &element);
        }
        history.removed_blocks.append(forest, old.block.removed_blocks());
        history.removed_blocks.push(forest, Block { history: gone_history.keep(forest), ..gone });
    }
    if act == ChangeKind::Added {
        merger.record_change(&element, act, None, rule);
    }
    if !history.removed_blocks.is_empty() {
        history.overridden_by.push(forest, block.place());
    }
    block.history = history.keep(forest);
    element.block = forest.keep_one(block);
    merger.add(element);
}

/// Notes that a setting removes a setting of another kind.
fn note_displaced(merger: &mut Merger<'_, '_>, old: &Element<'_>, new: &Element<'_>) {
    let (old_at, new_at) = (old.block.header, new.block.header);
    let note = if old_at.source == new_at.source {
        let detail = format!(
            "The `{}` block of the same override file replaces this `{}` block, because a module can have only one of the two.",
            new.kind.name(),
            old.kind.name()
        );
        Diagnostic::ours(&codes::SETTING_DISPLACED, old_at, detail).and("replaced by this block", new_at)
    } else {
        let detail = format!(
            "The `{}` block of this override file removes {}, because a module can have only one of the two.",
            new.kind.name(),
            old.address
        );
        Diagnostic::ours(&codes::SETTING_DISPLACED, new_at, detail).and("this block is removed", old_at)
    };
    merger.out.push(note.about(old.address));
}

/// Replaces all settings of the kind by those in this file.
fn replace_all<'f>(merger: &mut Merger<'f, '_>, group: Vec<Element<'f>>, rule: &'static OverrideRule) {
    let mut group = group.into_iter();
    let Some(mut all) = group.next() else { return };
    let forest = merger.forest;
    let mut arguments = all.block.arguments.to_vec();
    for element in group {
        arguments.extend_from_slice(element.block.arguments);
    }
    let Some(first) = arguments.first_mut() else { return };
    let base = merger.base_of(&all).and_then(|at| merger.element(at));
    let old = base.as_ref().map(|base| *base.block);
    let mut history = BlockHistory::NONE;
    if let Some(old) = &old {
        history.overridden_by = old.overridden_by();
        history.overridden_by.push(forest, all.block.place());
        for &argument in old.arguments {
            first.remember(forest, argument);
        }
    }
    let arguments = forest.keep_list(&arguments);
    all.block = forest.keep_one(Block { arguments, history: history.keep(forest), ..*all.block });
    let (Some(base), Some(old)) = (base, old) else {
        merger.record_change(&all, ChangeKind::Added, None, rule);
        merger.add(all);
        return;
    };
    *base = all;
    let (address, within, cause) = (base.address, base.block.header, base.block.range);
    let reason = Reason { within, rule: MergeRule::Block(rule) };
    let mut cx = merger.context(address, address);
    cx.record_change(Part::Object, ChangeKind::Replaced, Some(old.range), cause, reason);
}
